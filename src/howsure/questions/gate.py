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
from howsure.posterior.distribution import Distribution, measure_of, shift_note
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import asked_or_usual
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import PRIORS
from howsure.posterior.scored_cases import ScoresPosterior
from howsure.questions.compare import compare, known_pair
from howsure.questions.comparison import Comparison
from howsure.questions.contenders import (
    Contender,
    Contending,
    Inferring,
    cases,
    cases_of_the_smaller,
    pair_of,
    refuse_inferred,
    tail_of_the_smaller,
)
from howsure.questions.gate_answer import Gate, GateRow, Mode, estimate_of
from howsure.questions.gate_rule import (
    GateGroups,
    OneSet,
    cases_to_settle,
    checked_margin,
    checked_probability,
    gate_groups,
    prior_decides,
    refuse_wide_margin,
    strict_probability,
    strict_to_settle,
    uncertain,
    verdict,
)
from howsure.text.formats import plain

__all__ = ["assert_better", "gate"]


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
    measure: Measured,
    sides: Sequence[AtGate],
    between: AtGate | None,
    bar: float,
    min_prob: float,
    ends: tuple[float, Kind],
    *,
    paired: bool = True,
    alike: bool = False,
    ours: bool = True,
) -> GateRow:
    """What one metric says, with about how many more units would settle it, also where it is settled."""
    up, shown = measure.better == "higher", between or sides[0]
    sign, law = 1.0 if up else -1.0, shown.law
    turned = bar if between is None else sign * bar
    above, below = law.prob(above=turned), law.prob(below=turned)
    if alike and bar == 0:
        above = below = (above + below) / 2 or 0.5
    p_pass, p_fail = (uncertain(law, p) for p in ((above, below) if up else (below, above)))
    alone = paired or between is None
    turns = [(shown, sign)] if alone else [(sides[0], sign), (sides[1], -sign)]
    tests = [OneSet(x.n, x.law.sd, turn * x.pull) for x, turn in turns]
    distance, pull = sign * (law.mean - turned), sum(test.pull for test in tests)
    found = verdict(p_pass, p_fail, min_prob)
    # the same cases have one prior of both, which pulls their difference to 0 and so towards no verdict of margin 0
    may = ours and not (paired and between is not None)
    by_prior = may and found != "inconclusive" and prior_decides(distance, pull)
    estimates = [estimate_of(x.law, x.observed, *ends) for x in (*sides, *([] if between is None else [between]))]
    return GateRow(
        metric=measure.called,
        better=measure.better,
        verdict="inconclusive" if by_prior else found,
        p_pass=p_pass,
        p_fail=p_fail,
        threshold=0.0 if between is None else bar,
        strict=None,
        candidate=estimates[0],
        baseline=None if between is None else estimates[1],
        difference=None if between is None else estimates[2],
        by_prior=by_prior,
        more_cases=cases_to_settle(distance - pull, tests, min_prob),
        more_groups=None,
        draws=law.n if isinstance(law, Draws) else None,
    )


def settled(row: GateRow, groups: GateGroups | None) -> GateRow:
    """The row where too few groups decide nothing, and with what would settle it only where it is open."""
    if groups is not None and groups.few:
        return replace(row, verdict="inconclusive", more_cases=None)
    if row.verdict != "inconclusive":
        return replace(row, more_cases=None)
    about_new = groups is not None and groups.question == "new"
    return replace(row, more_cases=None, more_groups=row.more_cases) if about_new else row


def gate_known(
    known: Knowledge,
    candidate: str | None = None,
    baseline: str | None = None,
    metrics: Sequence[str | None] = (None,),
    *,
    mode: Mode = "non-inferiority",
    bar: float = 0.0,
    min_prob: float = 0.95,
    ask: Ask | None = None,
    notes: Sequence[str] = (),
) -> Gate:
    """Decide whether a candidate may replace a baseline, or is beyond a floor, whatever the kind of data.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> judged = Items.from_columns(range(40), [5, 4, 5, 5] * 10, range=(1, 5))
    >>> gate_known(judged, mode="floor", bar=4.0).verdict
    'pass'
    """
    measures = [known.metric(name) for name in metrics]
    if len({measure.name for measure in measures}) < len(measures):
        raise InvalidArgument("a metric comes twice; name each once")
    ask = known.asking(measures[0], ask or known.ask())
    if mode == "floor":
        names: tuple[str, ...] = (known.names[0] if candidate is None else candidate,)
        known.place(names[0])
    else:
        names = known.two(candidate, baseline)
    counted = known.groups(names)
    groups = GateGroups("new", counted, min(counted) < ENOUGH_GROUPS) if counted else None
    rows = [settled(_row(known, measure, names, mode, bar, min_prob, ask), groups) for measure in measures]
    pairs = [] if mode == "floor" else [Of(it.name, names[0]) - Of(it.name, names[1]) for it in measures]
    more = [known.more] if known.more and any(row.more_cases for row in rows) else []
    beside = [known.beside(pair, ask) for pair in pairs]
    said = [*([] if known.prior else [known.about]), *known.notes, *(line for it in beside for line in it.notes)]
    said += [*sentences(notes), *more]
    return Gate(
        names=(names[0] or "the candidate", "" if mode == "floor" else names[1]),
        rows=tuple(rows),
        mode=mode,
        margin=0.0 if mode == "floor" else bar,
        floor=bar if mode == "floor" else None,
        min_prob=min_prob,
        paired=None if mode == "floor" else known.paired,
        cases=tuple(known.size(name) for name in names),
        prior=known.prior,
        ask=ask,
        warnings=tuple(dict.fromkeys(line for it in beside for line in it.warnings)),
        notes=tuple(dict.fromkeys(said)),
        groups=groups,
        unit=known.unit,
    )


def _row(
    known: Knowledge, measure: Measured, names: tuple[str, ...], mode: Mode, bar: float, min_prob: float, ask: Ask
) -> GateRow:
    if measure.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so no gate has it")
    low, high = measure.limits
    if mode == "floor" and not low <= bar <= high:
        raise InvalidArgument(f"floor of {measure.called} is a number from {low:g} to {high:g}; not {bar:g}")
    if mode != "floor" and bar >= high - low:
        raise InvalidArgument(
            f"margin is below {high - low:g}, the largest difference of {measure.called}; not {bar:g}"
        )
    of, counted = [Of(measure.name, name) for name in names], known.groups(names)
    sizes = [counted[min(i, len(counted) - 1)] if counted else known.size(name) for i, name in enumerate(names)]
    pulled = bool(known.prior)
    sides = [AtGate(known.law(one, ask), known.observed(one), n, pulled) for one, n in zip(of, sizes, strict=True)]
    between = None
    if mode != "floor":
        between = AtGate(known.law(of[0] - of[1], ask), known.observed(of[0] - of[1]), sizes[0], pulled)
    return gate_row(
        measure, sides, between, 0.0 - bar if mode == "non-inferiority" else bar, min_prob, (ask.level, ask.kind),
        paired=known.paired, alike=mode != "floor" and known.alike(*names),
    )  # fmt: skip


Metrics = str | Metric | Measure | Sequence[str | Metric | Measure]


class Gating(Contending, total=False):
    """Keywords of a gate besides its mode and its floor."""

    metric: Metrics | None
    margin: float
    min_prob: float
    strict: bool | None
    names: tuple[str, str] | None
    notes: Sequence[str]


@spelled(Gating, margin=0.0, min_prob=0.95, notes=())
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
    margin, names, inferring = how["margin"], how["names"], picked(how, Inferring)
    mode = checked_mode(mode, floor, margin)
    if given and isinstance(given[0], Knowledge | Scores | ScoresPosterior | JudgedAnswers):
        if how["strict"] and not isinstance(given[0], Knowledge):
            refuse_strict()
        known, one, other = _known(given, names, mode)
        known.refuse_options({"strict": how["strict"], **inferring})
        return gate_known(
            known, one, other, [None if m is None else str(m) for m in checked_metrics(how["metric"])], mode=mode,
            bar=number(floor) if mode == "floor" else checked_margin(margin),
            min_prob=checked_probability(how["min_prob"]), ask=known.ask(**picked(how, Asking)), notes=how["notes"],
        )  # fmt: skip
    min_prob, margin = checked_probability(how["min_prob"]), checked_margin(margin)
    metrics, strict = checked_metrics(how["metric"]), checked_strict(how["strict"])
    notes, ask = sentences(how["notes"]), Ask.of(how)
    if mode == "floor":
        if strict:
            refuse_strict()
        alone = [_candidate(given, m, names, inferring, ask) for m in metrics]
        candidate, name, said, _ = alone[0]
        members, titles, used = [candidate], (name, ""), knowledge_of(candidate).prior_name
        rows = [floor_row_of(x, checked_floor(floor, x), min_prob, one, ask) for one, _, _, x in alone]
        shifts = [shift_note(known) for *_, known in alone]
        warnings = tuple(shift.text for shift in shifts if shift is not None and shift.warning)
        notes = (*notes, *said)
    else:
        _refuse_unpaired(given)
        asked: Any = compare  # which says itself what is wrong with the arguments
        made: list[Comparison] = [
            asked(*given, metric=m, names=names, notes=notes, **inferring, **vars(ask)) for m in metrics
        ]
        for c in made:
            refuse_wide_margin(margin, c.measures[0])
        threshold = margin if mode == "superiority" else 0.0 - margin  # never a negative zero
        rows = [row_of(c, threshold, min_prob, strict) for c in made]
        members, titles, used = list(made[0].posteriors), made[0].names, made[0].prior
        warnings = tuple(dict.fromkeys(w for c in made for w in c.caveats))
        notes = tuple(dict.fromkeys(note for c in made for note in c.notes))
    refuse_doubled(rows)
    paired = None if mode == "floor" else made[0].paired
    return Gate(
        names=titles, rows=tuple(rows), mode=mode, margin=margin, floor=None if floor is None else float(floor),
        min_prob=min_prob, paired=paired, cases=tuple(map(cases, members)), prior=used, ask=ask,
        warnings=warnings, notes=(*notes, *_several(rows)),
        groups=gate_groups(members, paired=paired is not False),
    )  # fmt: skip


@spelled(Gating, margin=0.0, min_prob=0.95, notes=())
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


def row_of(c: Comparison, threshold: float, min_prob: float, strict: bool | None) -> GateRow:
    """What a gate with this threshold says of a comparison."""
    discordant, groups = c.discordant, gate_groups(c.posteriors, paired=c.paired)
    new = groups is not None and groups.question == "new"
    possible = discordant is not None and threshold == 0 and _is_accuracy(c) and not new
    if strict and not possible:
        refuse_strict(new_groups=new)
    sides = [AtGate(x.law, x.observed, _size(p)) for x, p in zip((c.a, c.b), c.posteriors, strict=True)]
    row = gate_row(
        _measured(c.measures[0]), sides, AtGate(c.law, c.observed, sides[0].n), threshold, min_prob, (c.level, c.kind),
        paired=c.paired, alike=c._alike,
    )  # fmt: skip
    if row.verdict != "inconclusive" and not c.paired:
        turned = threshold if c.higher_is_better else -threshold
        better = row.verdict == "pass"
        tail = tail_of_the_smaller(c.posteriors, c.measures, turned, c.ask, first_better=better)
        row = replace(row, tail=tail)
        if tail is not None and tail < min_prob:
            more = cases_of_the_smaller(c.posteriors, tail, min_prob)
            row = replace(row, verdict="inconclusive", more_cases=more)
    if possible and strict is not False:
        assert discordant is not None
        ahead, behind = discordant.only_a, discordant.only_b
        passing, failing = strict_probability(ahead, behind), strict_probability(behind, ahead)
        more = strict_to_settle(ahead, behind, sides[0].n, min_prob)
        said = verdict(passing, failing, min_prob)
        row = replace(row, strict=max(passing, failing), verdict=said, more_cases=more)
    return settled(row, groups)


def floor_row_of(known: Distribution, floor: float, min_prob: float, candidate: Contender, ask: Ask) -> GateRow:
    """What a gate with this floor says of the candidate alone."""
    measure = measure_of(known)
    assert measure is not None
    if measure.metric.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so it has no floor")
    # a prior of one's own is knowledge, which may decide about the one classifier that it is about
    row = gate_row(
        _measured(measure), [AtGate(known.law, known.observed, _size(candidate))], None, floor, min_prob,
        (ask.level, ask.kind), ours=candidate.prior.name in PRIORS,
    )  # fmt: skip
    return settled(row, gate_groups([candidate], paired=True))


def _measured(measure: Measure) -> Measured:
    return Measured(measure.name, measure.name, measure.metric.better, measure.metric.range)


def _size(posterior: Contender) -> int:
    """Units of a test set: its groups where numbers are about new ones, else its cases."""
    groups = new_groups(posterior.confusion) if isinstance(posterior, Posterior) else None
    return cases(posterior) if groups is None else len(groups)


def _is_accuracy(c: Comparison) -> bool:
    stated = any(knowledge_of(p).known_prevalence is not None for p in c.posteriors)
    return not stated and c.measures[0].twin.metric.name in ("accuracy", "error_rate")


# -- arguments ------------------------------------------------------------------------------------------------


def _known(given: tuple[Any, ...], names: tuple[str, str] | None, mode: Mode) -> tuple[Knowledge, Any, Any]:
    """A kind of knowledge, and who is asked about."""
    if mode != "floor":
        return known_pair(given, names)
    if isinstance(given[0], JudgedAnswers):
        name = given[1] if len(given) > 1 else given[0].names[0]
        return Judged(given[0], [name]), name, None
    if not isinstance(given[0], Knowledge):
        return (*Scored.alone(given, names), None)
    return pair_of(given, names) if len(given) > 1 else (given[0], None, None)


def checked_metrics(metric: Metrics | None) -> list[str | Metric | Measure | None]:
    """One metric or several as a list; None is that of whoever compares."""
    if metric is None:
        return [None]
    if isinstance(metric, str | Metric | Measure):
        return [metric]
    if not isinstance(metric, Sequence):
        raise InvalidArgument(
            f"metric is a name such as 'balanced_accuracy', or a list of names; not {excerpt(metric)}"
        )
    found: list[str | Metric | Measure | None] = list(metric)
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


def checked_floor(floor: float | None, known: Distribution) -> float:
    """A floor inside the range of the metric."""
    measure = measure_of(known)
    assert measure is not None
    low, high = measure.metric.range
    value = number(floor)
    if not low <= value <= high:
        raise InvalidArgument(f"floor of {measure.name} is a number from {low:g} to {high:g}; not {excerpt(floor)}")
    return value


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


def _candidate(
    given: tuple[Any, ...],
    metric: str | Metric | Measure | None,
    names: tuple[str, str] | None,
    inferring: dict[str, Any],
    ask: Ask,
) -> tuple[Contender, str, tuple[str, ...], Distribution]:
    """The candidate, what it is called, what its data say of themselves, and what is known about the metric."""
    first, drawing = given[0] if given else None, {"draws": ask.draws, "seed": ask.seed}
    if isinstance(first, Predictions):
        name = given[1] if len(given) > 1 else first.names[0]
        made = infer(first.confusion(name), **inferring)
        return made, name, first.notes, knowledge_of(made).of(asked_or_usual(metric, [made]), **drawing)
    if not isinstance(first, Posterior | AccuracyPosterior):
        kind = "nothing" if first is None else type(first).__name__
        advice = "; make one of a matrix with infer(matrix)" if isinstance(first, ConfusionMatrix) else ""
        raise InvalidArgument(f"gate() takes the posterior of the candidate, not {kind}{advice}")
    refuse_inferred("gate", **inferring)
    if names is not None and not (isinstance(names, Sequence) and names and isinstance(names[0], str) and names[0]):
        raise InvalidArgument(f"names are two different texts, the candidate's first; not {excerpt(names)}")
    name = "the candidate" if names is None else plain(names[0])
    return first, name, (), knowledge_of(first).of(asked_or_usual(metric, [first]), **drawing)


def _refuse_unpaired(given: tuple[Any, ...]) -> None:
    """A candidate without a baseline, and no floor."""
    alone = len(given) == 1 and isinstance(given[0], Posterior | AccuracyPosterior)
    if not given or alone or (len(given) == 2 and isinstance(given[0], Predictions)):
        raise InvalidArgument(
            "gate(candidate, baseline) takes two posteriors, gate(predictions, candidate, baseline) predictions and "
            "two names; for one classifier alone name floor="
        )
