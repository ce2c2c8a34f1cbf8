"""May a candidate replace a baseline, or pass a floor? ``gate`` answers, ``assert_better`` insists."""

from __future__ import annotations

import math
import warnings as python_warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, NoReturn, Unpack, get_args

import numpy as np

from howsure.answers.asking import Asking, picked, spelled
from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import ENOUGH_GROUPS
from howsure.data.judged_answers import JudgedAnswers
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InconclusiveWarning, InvalidArgument, excerpt
from howsure.errors.arguments import number, one_of, sentences
from howsure.knowledge.judged import Judged
from howsure.knowledge.protocol import Ask, Knowledge, Measured, Of
from howsure.knowledge.scored import Scored
from howsure.laws import Draws, Kind, Law
from howsure.metrics import Measure, Metric
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import measure_of, shift_note
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import asked_or_usual
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import PRIORS
from howsure.posterior.scored_cases import ScoresPosterior
from howsure.questions.compare import (
    Contending,
    Inferring,
    compare,
    compare_known,
    known_pair,
    pair_of,
    refuse_inferred,
)
from howsure.questions.comparison import Comparison, Contender, cases
from howsure.questions.differences import Difference
from howsure.questions.gate_answer import Gate, GateGroups, GateRow, Mode, estimate_of
from howsure.questions.gate_rule import (
    OneSet,
    cases_of_the_smaller,
    cases_to_settle,
    checked_margin,
    checked_probability,
    prior_decides,
    refuse_wide_margin,
    strict_probability,
    strict_to_settle,
    uncertain,
    verdict,
)
from howsure.text.formats import plain


class AtGate(NamedTuple):
    """What a gate holds against its bar: a law, what was observed, and as how many units of a test set."""

    law: Law
    observed: float | None
    n: int
    prior: bool = True

    @property
    def pull(self) -> float:
        """By how much the prior, if there is one, moves the mean; 0 where nothing was observed to hold it against."""
        held = self.prior and self.observed is not None and math.isfinite(self.observed)
        return self.law.mean - (self.observed or 0.0) if held else 0.0


def gate_row(
    measure: Measured, sides: Sequence[AtGate], between: AtGate | None, bar: float, min_prob: float,
    ends: tuple[float, Kind], *, paired: bool = True, alike: bool = False, ours: bool = True,
) -> GateRow:  # fmt: skip
    """What one metric says, with about how many more units would settle it, also where it is settled."""
    up, shown = measure.better == "higher", between or sides[0]
    sign, law = 1.0 if up else -1.0, shown.law
    turned = bar if between is None else sign * bar
    above, below = law.prob(above=turned), law.prob(below=turned)
    if alike and bar == 0:
        above = below = (above + below) / 2 or 0.5
    p_pass, p_fail = (uncertain(law, p) for p in ((above, below) if up else (below, above)))
    turns = [(shown, sign)] if paired or between is None else [(sides[0], sign), (sides[1], -sign)]
    tests = [OneSet(x.n, x.law.sd, turn * x.pull) for x, turn in turns]
    distance, pull = sign * (law.mean - turned), sum(test.pull for test in tests)
    found = verdict(p_pass, p_fail, min_prob)
    # the same cases have one prior of both, which pulls their difference to 0 and so towards no verdict of margin 0
    may = ours and not (paired and between is not None)
    by_prior = may and found != "inconclusive" and prior_decides(distance, pull)
    shown_by = [estimate_of(x.law, x.observed, *ends) for x in (*sides, *([] if between is None else [between]))]
    candidate, baseline, difference = shown_by if len(shown_by) == 3 else (shown_by[0], None, None)
    return GateRow(
        metric=measure.called, better=measure.better, verdict="inconclusive" if by_prior else found, p_pass=p_pass,
        p_fail=p_fail, threshold=0.0 if between is None else bar, strict=None, candidate=candidate, baseline=baseline,
        difference=difference, by_prior=by_prior, more_cases=cases_to_settle(distance - pull, tests, min_prob),
        more_groups=None, draws=law.n if isinstance(law, Draws) else None,
    )  # fmt: skip


def settled(row: GateRow, groups: GateGroups | None) -> GateRow:
    """The row where too few groups decide nothing, and with what would settle it only where it is open."""
    if groups is not None and groups.few:
        return replace(row, verdict="inconclusive", more_cases=None)
    if row.verdict != "inconclusive":
        return replace(row, more_cases=None)
    about_new = groups is not None and groups.question == "new"
    return replace(row, more_cases=None, more_groups=row.more_cases) if about_new else row


Metrics = str | Metric | Measure | Sequence[str | Metric | Measure]
Named = str | Metric | Measure | None


class Gating(Contending, total=False):
    """Keywords of a gate besides its mode and its floor."""

    metric: Metrics | None
    margin: float
    min_prob: float
    strict: bool | None
    names: tuple[str, str] | None
    notes: Sequence[str]


@spelled(Gating, margin=0.0, min_prob=0.95)
def gate(*given: Any, mode: Mode | None = None, floor: float | None = None, **how: Unpack[Gating]) -> Gate:
    """Decide whether a candidate may replace a baseline (non-inferiority: no worse): pass, fail, or inconclusive.

    ``gate(candidate, baseline)`` takes two posteriors, ``gate(predictions, "candidate", "baseline")`` two columns of
    the same cases (of `JudgedAnswers` two models under one judge, of `Scores` two classifiers by ``roc_auc`` or another
    number of all thresholds, of `Items` two systems), ``gate(candidate, floor=0.9)`` one posterior or one classifier's
    scores.

    Parameters
    ----------
    metric : str or sequence of str, optional
        One metric or several; of several all must pass, and one that fails fails the gate. Balanced accuracy if left
        out; of judged models the share of right answers, of logs of right and wrong the accuracy.
    mode : "non-inferiority", "superiority" or "floor"
        What must be true of d = candidate - baseline, turned so that more is better: d > -margin (the default),
        d > +margin; or of the candidate alone, that it is beyond ``floor``.
    margin : float
        0 or more, in units of the metric.
    floor : float, optional
        The least value (for an error rate, the largest) for the candidate alone.
    min_prob : float
        Probability from which the gate decides, above 0.5 and below 1.
    strict : bool, optional
        The sign test instead of the posterior, for paired accuracy with margin 0 only, where it is the default: of two
        equally good classifiers at most one in twenty passes (at min_prob 0.95), whatever the number of cases.
    groups : "new" or "these", optional
        Of cases in groups, as in `compare`. Below 8 groups the gate is inconclusive, unless "these" is said by name.
    prior, shares, level, kind, draws, seed, names, notes
        As in `compare`.

    Returns
    -------
    Gate

    Raises
    ------
    InvalidArgument
        Numbers out of range, ``strict=True`` where there is no strict rule, arguments that `compare` refuses.

    Notes
    -----
    Of two equally good classifiers, with margin 0, about 1 - min_prob pass and as many fail: at 0.95 never more than
    5% by the strict rule, elsewhere at most 6.6% on average from 50 cases on; `docs/compare.md` has the figures.

    Examples
    --------
    >>> from howsure import Predictions
    >>> truth = [0] * 100 + [1] * 100
    >>> both = Predictions(truth, {"new": [0] * 98 + [1] * 102, "old": [0] * 90 + [1] * 110})
    >>> gate(both, "new", "old", metric=["accuracy", "recall@0"]).verdict
    'pass'
    >>> gate(both, "old", "new", metric="accuracy", margin=0.01).verdict
    'fail'
    """
    margin, min_prob = checked_margin(how["margin"]), checked_probability(how["min_prob"])
    mode, strict = checked_mode(mode, floor, margin), checked_strict(how["strict"])
    metrics, notes = checked_metrics(how["metric"]), sentences(how["notes"])
    if mode == "floor":
        if strict:
            refuse_strict()
        alone = _candidate(given, metrics, how)
        rows = [floor_row_of(alone, number(floor), min_prob, place) for place in range(len(metrics))]
        refuse_doubled(rows)
        return Gate(
            names=(alone.name, ""), rows=tuple(rows), mode=mode, margin=margin, floor=number(floor), min_prob=min_prob,
            paired=None, cases=(alone.cases,), prior=alone.prior, ask=alone.ask, warnings=alone.warnings,
            notes=(*notes, *alone.notes, *_several(rows)), groups=alone.groups, unit=alone.unit,
        )  # fmt: skip
    made = _compared(given, metrics, how, notes)
    threshold = margin if mode == "superiority" else 0.0 - margin  # never a negative zero
    rows = [row_of(c, threshold, min_prob, strict) for c in made]
    refuse_doubled(rows)
    first = made[0]
    said = [note for c in made for note in c.notes]
    if isinstance(first, Difference):
        said = [*([] if first.prior else [first.about]), *said]
        said += [first.more] if first.more and any(row.more_cases for row in rows) else []
    return Gate(
        names=first.names, rows=tuple(rows), mode=mode, margin=margin, floor=None, min_prob=min_prob,
        paired=first.paired, cases=first.cases, prior=first.prior or "", ask=first.ask,
        warnings=tuple(dict.fromkeys(line for c in made for line in c.caveats)),
        notes=(*dict.fromkeys(said), *_several(rows)), groups=_groups_of(first), unit=first.unit,
    )  # fmt: skip


@spelled(Gating, margin=0.0, min_prob=0.95)
def assert_better(
    *given: Any,
    mode: Mode | None = None,
    floor: float | None = None,
    on_inconclusive: Literal["warn", "fail", "pass"] = "warn",
    **how: Unpack[Gating],
) -> Gate:
    """Assert, in a test, that a candidate is better than a baseline (superiority, where `gate` asks for no worse).

    Parameters
    ----------
    mode : "superiority", "non-inferiority" or "floor"
        As in `gate`, with another default, because the name says better: superiority, d > +margin; or with ``floor=``
        that floor. ``mode="non-inferiority"`` asserts that the candidate is no worse.
    on_inconclusive : "warn", "fail" or "pass"
        What an unsettled question is: an `InconclusiveWarning`, a failure, or nothing.
    metric, margin, floor, min_prob, strict, prior, shares, groups, level, kind, draws, seed, names, notes
        As in `gate`.

    Returns
    -------
    Gate

    Raises
    ------
    AssertionError
        With the sentence of the gate.

    Examples
    --------
    >>> from howsure import Posterior
    >>> new, old = (Posterior.from_accuracy(correct=k, n=500) for k in (450, 400))
    >>> assert_better(new, old, metric="accuracy").verdict
    'pass'
    """
    __tracebackhide__ = True
    one_of(on_inconclusive, ("warn", "fail", "pass"), "on_inconclusive")
    if mode is None and floor is None:
        mode = "superiority"
    made = gate(*given, mode=mode, floor=floor, **how)
    if made.verdict == "fail" or (made.verdict == "inconclusive" and on_inconclusive == "fail"):
        raise AssertionError(made.sentence)
    if made.verdict == "inconclusive" and on_inconclusive == "warn":
        python_warnings.warn(made.sentence, InconclusiveWarning, stacklevel=3)
    return made


def _several(rows: Sequence[GateRow]) -> tuple[str, ...]:
    many = len(rows)
    if many < 2:
        return ()
    return (
        f"{many} metrics: all must pass, so a false pass is no more likely than with one; a false alarm (a fail of an "
        f"equally good candidate) is, up to {many} times.",
    )


# -- rows -----------------------------------------------------------------------------------------------------


def row_of(c: Comparison | Difference, threshold: float, min_prob: float, strict: bool | None) -> GateRow:
    """What a gate with this threshold says of a comparison."""
    refuse_wide_margin(abs(threshold), c.metric, c.measure.limits)
    groups, tables = _groups_of(c), c if isinstance(c, Comparison) else None
    measure = c.measure if tables is None else c.measure._replace(called=c.metric)
    new = groups is not None and groups.question == "new"
    discordant = None if tables is None or new or threshold or not _is_accuracy(tables) else tables.discordant
    if strict and discordant is None:
        refuse_strict(new_groups=new)
    sizes = c.cases if groups is None or not new else (*groups.groups, groups.groups[0])[:2]
    sides = [AtGate(x.law, x.observed, n, bool(c.prior)) for x, n in zip((c.a, c.b), sizes, strict=True)]
    between = AtGate(c.law, c.observed, sizes[0], bool(c.prior))
    ends = c.level, c.kind
    row = gate_row(measure, sides, between, threshold, min_prob, ends, paired=c.paired, alike=c.alike)
    if tables is not None and row.verdict != "inconclusive" and not c.paired:
        turned = threshold if c.higher_is_better else -threshold
        tail = tables._tail_beyond(turned, first_better=row.verdict == "pass")
        row = replace(row, tail=tail)
        if tail is not None and tail < min_prob:
            more = cases_of_the_smaller(min(p.n for p in tables.posteriors), tail, min_prob)
            row = replace(row, verdict="inconclusive", more_cases=more)
    if discordant is not None and strict is not False:
        ahead, behind = discordant.only_a, discordant.only_b
        passing, failing = strict_probability(ahead, behind), strict_probability(behind, ahead)
        more = strict_to_settle(ahead, behind, sizes[0], min_prob)
        said = verdict(passing, failing, min_prob)
        row = replace(row, strict=max(passing, failing), verdict=said, more_cases=more)
    return settled(row, groups)


def gate_groups(posteriors: Sequence[Contender], *, paired: bool) -> GateGroups | None:
    """Groups of a candidate and its baseline, or of a candidate alone; None where cases come in none."""
    found = [p.confusion.groups for p in posteriors if isinstance(p, Posterior)]
    known = [groups for groups in found if groups is not None]
    if not known:
        return None
    counted = tuple(len(groups) for groups in (known[:1] if paired else known))
    few = any(len(groups) < ENOUGH_GROUPS and groups.asked != "these" for groups in known)
    return GateGroups(known[0].question, counted, few)


def _groups_of(c: Comparison | Difference) -> GateGroups | None:
    if isinstance(c, Comparison):
        return gate_groups(c.posteriors, paired=c.paired)
    return GateGroups("new", c.groups, min(c.groups) < ENOUGH_GROUPS) if c.groups else None


def _is_accuracy(c: Comparison) -> bool:
    stated = any(known.known_prevalence is not None for known in c._known)
    return not stated and c.measures[0].twin.metric.name in ("accuracy", "error_rate")


class Candidate(NamedTuple):
    """Who is held against a floor: what is known of each metric, and of whom."""

    name: str
    metrics: Sequence[Measured]
    known: Sequence[AtGate]
    cases: int
    prior: str
    ask: Ask
    groups: GateGroups | None
    ours: bool = True
    unit: str = "case"
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def floor_row_of(candidate: Candidate, floor: float, min_prob: float, place: int) -> GateRow:
    """What a gate with this floor says of the candidate alone."""
    measure, ask = candidate.metrics[place], candidate.ask
    if measure.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so it has no floor")
    low, high = measure.limits
    if not low <= floor <= high:
        raise InvalidArgument(f"floor of {measure.called} is a number from {low:g} to {high:g}; not {excerpt(floor)}")
    known, ends = candidate.known[place], (ask.level, ask.kind)
    row = gate_row(measure, [known], None, floor, min_prob, ends, ours=candidate.ours)
    return settled(row, candidate.groups)


# -- arguments ------------------------------------------------------------------------------------------------


def checked_metrics(metric: Metrics | None) -> list[Named]:
    """One metric or several as a list; None is that of whoever compares."""
    if metric is None:
        return [None]
    if isinstance(metric, str | Metric | Measure):
        return [metric]
    if not isinstance(metric, Sequence):
        raise InvalidArgument(
            f"metric is a name such as 'balanced_accuracy', or a list of names; not {excerpt(metric)}"
        )
    found: list[Named] = list(metric)
    if not found:
        raise InvalidArgument("the gate needs a metric, such as 'balanced_accuracy'")
    return found


def refuse_doubled(rows: Sequence[GateRow]) -> None:
    """Refuse a metric that comes twice, also by two of its names."""
    names = [row.metric for row in rows]
    doubled = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if doubled is not None:
        raise InvalidArgument(f"the metric {excerpt(doubled)} comes twice; name each once")


def checked_mode(mode: Mode | None, floor: float | None, margin: float) -> Mode:
    """The mode; left out, it is that of the arguments."""
    if mode is None:
        mode = "non-inferiority" if floor is None else "floor"
    one_of(mode, get_args(Mode), "mode")
    if mode == "floor" and (floor is None or margin != 0):
        raise InvalidArgument("mode 'floor' takes floor=, the least value for the candidate alone, and no margin")
    if mode != "floor" and floor is not None:
        raise InvalidArgument(f"floor= belongs to mode 'floor'; {mode} takes margin=")
    return mode


def checked_strict(strict: bool | None) -> bool | None:
    """True, False or None."""
    if strict is not None and not isinstance(strict, bool | np.bool_):
        raise InvalidArgument(f"strict is True, False, or None for the default; not {excerpt(strict)}")
    return None if strict is None else bool(strict)


def refuse_strict(*, new_groups: bool = False) -> NoReturn:
    """Say where there is a strict rule."""
    if new_groups:
        raise InvalidArgument(
            "the strict rule is a sign test of single cases, and these numbers are about new groups; leave strict out, "
            "or say groups='these'"
        )
    raise InvalidArgument(
        "the strict rule is a sign test: it needs paired accuracy (or error_rate) with margin 0. "
        "Elsewhere leave strict out; a false pass then comes at most 6.6 times in 100, on average, from 50 cases on"
    )


def _is_of_kind(given: tuple[Any, ...]) -> bool:
    return bool(given) and isinstance(given[0], Knowledge | Scores | ScoresPosterior | JudgedAnswers)


def _candidate(given: tuple[Any, ...], metrics: Sequence[Named], how: Gating) -> Candidate:
    """The candidate of a floor, a contender of any kind."""
    names, inferring = how["names"], picked(how, Inferring)
    if not _is_of_kind(given):
        return _posterior(given, metrics, names, inferring, Ask.of(how))
    name: Any = None
    if isinstance(given[0], JudgedAnswers):
        name = given[1] if len(given) > 1 else given[0].names[0]
        known: Knowledge = Judged(given[0], [name])
    elif not isinstance(given[0], Knowledge):
        known, name = Scored.alone(given, names)
    else:
        known, name, _ = pair_of(given, names) if len(given) > 1 else (given[0], None, None)
    known.refuse_options(inferring)
    measures = [known.metric(None if m is None else str(m)) for m in metrics]
    ask = known.asking(measures[0], known.ask(**picked(how, Asking)))
    name = known.names[0] if name is None else name
    known.place(name)
    groups, n = known.groups((name,)), known.size(name)
    of = [Of(measure.name, name) for measure in measures]
    at = [AtGate(known.law(x, ask), known.observed(x), groups[0] if groups else n, bool(known.prior)) for x in of]
    return Candidate(
        name or "the candidate", measures, at, n, known.prior, ask,
        GateGroups("new", groups, min(groups) < ENOUGH_GROUPS) if groups else None, unit=known.unit,
        notes=(*(() if known.prior else (known.about,)), *known.notes),
    )  # fmt: skip


def _posterior(
    given: tuple[Any, ...], metrics: Sequence[Named], names: tuple[str, str] | None, inferring: dict[str, Any], ask: Ask
) -> Candidate:
    """A posterior, or a classifier of predictions."""
    first, said = given[0] if given else None, tuple[str, ...]()
    if isinstance(first, Predictions):
        name = given[1] if len(given) > 1 else first.names[0]
        made: Contender = infer(first.confusion(name), **inferring)
        said = first.notes
    elif isinstance(first, Posterior | AccuracyPosterior):
        refuse_inferred("gate", **inferring)
        if names is not None and not (isinstance(names, Sequence) and names and isinstance(names[0], str) and names[0]):
            raise InvalidArgument(f"names are two different texts, the candidate's first; not {excerpt(names)}")
        made, name = first, "the candidate" if names is None else plain(names[0])
    else:
        kind = "nothing" if first is None else type(first).__name__
        advice = "; make one of a matrix with infer(matrix)" if isinstance(first, ConfusionMatrix) else ""
        raise InvalidArgument(f"gate() takes the posterior of the candidate, not {kind}{advice}")
    behind = knowledge_of(made)
    known = [behind.of(asked_or_usual(m, [made]), draws=ask.draws, seed=ask.seed) for m in metrics]
    measures = [measure for measure in map(measure_of, known) if measure is not None]
    groups = new_groups(made.confusion) if isinstance(made, Posterior) else None
    shifts = [shift for shift in map(shift_note, known) if shift is not None and shift.warning]
    return Candidate(
        name, [Measured(m.name, m.name, m.metric.better, m.metric.range) for m in measures],
        [AtGate(x.law, x.observed, cases(made) if groups is None else len(groups)) for x in known], cases(made),
        behind.prior_name, ask, gate_groups([made], paired=True),
        # a prior of one's own is knowledge, which may decide about the one classifier that it is about
        ours=made.prior.name in PRIORS, warnings=tuple(shift.text for shift in shifts), notes=said,
    )  # fmt: skip


def _compared(
    given: tuple[Any, ...], metrics: Sequence[Named], how: Gating, notes: tuple[str, ...]
) -> list[Comparison] | list[Difference]:
    """The candidate and its baseline, by each metric."""
    names, inferring = how["names"], picked(how, Inferring)
    if _is_of_kind(given):
        known, one, other = known_pair(given, names)
        known.refuse_options(inferring)
        ask = known.ask(**picked(how, Asking))
        asked = [None if m is None else str(m) for m in metrics]
        return [compare_known(known, one, other, m, ask=ask, notes=notes) for m in asked]
    alone = len(given) == 1 and isinstance(given[0], Posterior | AccuracyPosterior)
    if not given or alone or (len(given) == 2 and isinstance(given[0], Predictions)):
        raise InvalidArgument(
            "gate(candidate, baseline) takes two posteriors, gate(predictions, candidate, baseline) predictions and "
            "two names; for one classifier alone name floor="
        )
    two: Any = compare  # which says itself what is wrong with the arguments
    return [two(*given, metric=m, names=names, notes=notes, **picked(how, Contending)) for m in metrics]
