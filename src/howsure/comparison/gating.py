"""May the candidate replace the baseline? ``gate`` answers, ``assert_better`` insists."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Sequence
from typing import Any, Literal

from howsure.comparison.comparing import compare, judged_model
from howsure.comparison.comparison import Comparison
from howsure.comparison.gate_arguments import (
    Metrics,
    checked_floor,
    checked_margin,
    checked_metrics,
    checked_mode,
    checked_probability,
    checked_strict,
    refuse_doubled,
    refuse_strict,
    refuse_wide_margin,
)
from howsure.comparison.gate_rows import floor_row_of, row_of
from howsure.comparison.score_gate import gate_scores
from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import Question, refuse_both
from howsure.data.judged_answers import JudgedAnswers
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InconclusiveWarning, InvalidArgument, excerpt
from howsure.errors.arguments import number, one_of, sentences
from howsure.knowledge.protocol import Knowledge
from howsure.laws import Kind
from howsure.laws.draw_settings import DRAWS, SEED
from howsure.laws.law import KIND, LEVEL
from howsure.metrics import Measure, Metric
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.common_ground import asked_or_usual
from howsure.posterior.distribution import Distribution, shift_note
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.means_over_classes import Shares
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import Prior
from howsure.posterior.scored_cases import ScoresPosterior
from howsure.questions.contenders import Contender, cases, pair_of, refuse_beside
from howsure.questions.gate import gate as gate_known
from howsure.questions.gate_answer import Gate, GateRow, Mode
from howsure.questions.gate_rule import gate_groups
from howsure.text.formats import plain

__all__ = ["assert_better", "gate"]

#: What further cases are where only some of them have a label.
MORE = "More cases are more items with verdicts, and labels of as large a share of them as now."


def gate(
    *given: Any,
    metric: Metrics | None = None,
    mode: Mode | None = None,
    margin: float = 0.0,
    floor: float | None = None,
    min_prob: float = 0.95,
    strict: bool | None = None,
    prior: str | Prior | None = None,
    shares: Shares | None = None,
    groups: Question | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
    names: tuple[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Gate:
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
    5 % by the strict rule, elsewhere at most 6.6 % on average from 50 cases on; `docs/gate.md` has the figures.

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
    mode = checked_mode(mode, floor, margin)
    if given and isinstance(given[0], Knowledge):
        refuse_beside(given[0], {"strict": strict, "prior": prior, "shares": shares, "groups": groups})
        known, one, other = pair_of(given, names) if len(given) > 1 else (given[0], None, None)
        return gate_known(
            known, one, other, [None if m is None else str(m) for m in checked_metrics(metric)], mode=mode,
            bar=number(floor) if mode == "floor" else checked_margin(margin), min_prob=checked_probability(min_prob),
            ask=known.ask(level, kind, draws, seed), notes=notes,
        )  # fmt: skip
    if given and isinstance(given[0], Scores | ScoresPosterior):
        others: dict[str, object] = {"strict": strict, "prior": prior, "shares": shares, "groups": groups}
        told: dict[str, Any] = {"level": level, "kind": kind, "draws": draws, "seed": seed, "notes": sentences(notes)}
        told |= {"mode": mode, "margin": margin, "floor": floor, "min_prob": checked_probability(min_prob)}
        return gate_scores(given, checked_metrics(metric), names, others, **told)
    min_prob = checked_probability(min_prob)
    metrics, strict, notes = checked_metrics(metric), checked_strict(strict), sentences(notes)
    options: dict[str, Any] = {"level": level, "kind": kind, "draws": draws, "seed": seed}
    if mode == "floor":
        return _floor(given, metrics, floor, min_prob, strict, names, notes, options, prior, shares, groups)
    margin = checked_margin(margin)
    _refuse_unpaired(given)
    asked: Any = compare  # which says itself what is wrong with the arguments
    made: list[Comparison] = [
        asked(*given, metric=m, names=names, notes=notes, prior=prior, shares=shares, groups=groups, **options)
        for m in metrics
    ]
    for c in made:
        refuse_wide_margin(margin, c.measures[0])
    threshold = margin if mode == "superiority" else 0.0 - margin  # never a negative zero
    rows = [row_of(c, threshold, min_prob, strict) for c in made]
    refuse_doubled(rows)
    first = made[0]
    warnings = tuple(dict.fromkeys(w for c in made for w in c.caveats))
    said = list(dict.fromkeys(note for c in made for note in c.notes))
    return Gate(
        names=first.names,
        rows=tuple(rows),
        mode=mode,
        margin=margin,
        floor=None,
        min_prob=min_prob,
        paired=first.paired,
        cases=(cases(first.posteriors[0]), cases(first.posteriors[1])),
        prior=first.prior,
        level=first.level,
        kind=kind,
        draws=first.draws,
        seed=first.seed,
        warnings=warnings,
        notes=(*said, *([MORE] if first.judge and any(row.more_cases for row in rows) else []), *_several(rows)),
        groups=gate_groups(first.posteriors, paired=first.paired),
    )


def assert_better(
    *given: Any,
    metric: Metrics | None = None,
    mode: Mode | None = None,
    margin: float = 0.0,
    floor: float | None = None,
    min_prob: float = 0.95,
    on_inconclusive: Literal["warn", "fail", "pass"] = "warn",
    strict: bool | None = None,
    prior: str | Prior | None = None,
    shares: Shares | None = None,
    groups: Question | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
    names: tuple[str, str] | None = None,
    notes: Sequence[str] = (),
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
    made = gate(
        *given, metric=metric, mode=mode, margin=margin, floor=floor, min_prob=min_prob, strict=strict, prior=prior,
        shares=shares, groups=groups, level=level, kind=kind, draws=draws, seed=seed, names=names, notes=notes,
    )  # fmt: skip
    if made.verdict == "fail" or (made.verdict == "inconclusive" and on_inconclusive == "fail"):
        raise AssertionError(made.sentence)
    if made.verdict == "inconclusive" and on_inconclusive == "warn":
        python_warnings.warn(made.sentence, InconclusiveWarning, stacklevel=2)
    return made


def _floor(
    given: tuple[Any, ...],
    metrics: list[str | Metric | Measure | None],
    floor: float | None,
    min_prob: float,
    strict: bool | None,
    names: tuple[str, str] | None,
    notes: Sequence[str],
    options: dict[str, Any],
    prior: str | Prior | None,
    shares: Shares | None,
    groups: Question | None,
) -> Gate:
    """The candidate alone against a fixed value; a baseline that is given beside it is not looked at."""
    if strict:
        refuse_strict()
    level, kind = options["level"], options["kind"]
    rows, warnings = [], []
    for metric in metrics:
        candidate, name, said, known = _candidate(
            given, metric, names, prior, shares, groups, options["draws"], options["seed"]
        )
        rows.append(floor_row_of(known, checked_floor(floor, known), min_prob, candidate, level, kind))
        shift = shift_note(known)
        if shift is not None and shift.warning:
            warnings.append(shift.text)
    assert floor is not None
    refuse_doubled(rows)
    return Gate(
        names=(name, ""),
        rows=tuple(rows),
        mode="floor",
        margin=0.0,
        floor=float(floor),
        min_prob=min_prob,
        paired=None,
        cases=(cases(candidate),),
        prior=knowledge_of(candidate).prior_name,
        level=level,
        kind=kind,
        draws=options["draws"],
        seed=options["seed"],
        warnings=tuple(warnings),
        notes=(*notes, *said, *_several(rows)),
        groups=gate_groups([candidate], paired=True),
    )


def _several(rows: Sequence[GateRow]) -> tuple[str, ...]:
    many = len(rows)
    if many < 2:
        return ()
    return (
        f"{many} metrics: all must pass, so a false pass is no more likely than with one; a false alarm (a fail of an "
        f"equally good candidate) is, up to {many} times.",
    )


# -- arguments ------------------------------------------------------------------------------------------------


def _candidate(
    given: tuple[Any, ...],
    metric: str | Metric | Measure | None,
    names: tuple[str, str] | None,
    prior: str | Prior | None,
    shares: Shares | None,
    groups: Question | None,
    draws: int,
    seed: int,
) -> tuple[Contender, str, tuple[str, ...], Distribution]:
    """The candidate, what it is called, what its data say of themselves, and what is known about the metric."""
    first = given[0] if given else None
    if isinstance(first, JudgedAnswers):
        name = given[1] if len(given) > 1 else first.names[0]
        if groups is not None:
            refuse_both()
        one, known = judged_model(first, name, metric, prior, shares, draws=draws, seed=seed)
        return one, name, first.notes, known
    if isinstance(first, Predictions):
        name = given[1] if len(given) > 1 else first.names[0]
        made = infer(first.confusion(name), prior, shares=shares, groups=groups)
        return made, name, first.notes, knowledge_of(made).of(asked_or_usual(metric, [made]), draws=draws, seed=seed)
    if not isinstance(first, Posterior | AccuracyPosterior):
        kind = "nothing" if first is None else type(first).__name__
        advice = "; make one of a matrix with infer(matrix)" if isinstance(first, ConfusionMatrix) else ""
        raise InvalidArgument(f"gate() takes the posterior of the candidate, not {kind}{advice}")
    if prior is not None:
        raise InvalidArgument("posteriors have their prior; name it in infer(), not in gate()")
    if shares is not None:
        raise InvalidArgument("posteriors have their class shares; say shares= in infer(), not in gate()")
    if groups is not None:
        raise InvalidArgument("posteriors are about the groups that infer() made them for; say groups= there")
    if names is not None and not (isinstance(names, Sequence) and names and isinstance(names[0], str) and names[0]):
        raise InvalidArgument(f"names are two different texts, the candidate's first; not {excerpt(names)}")
    name = "the candidate" if names is None else plain(names[0])
    return first, name, (), knowledge_of(first).of(asked_or_usual(metric, [first]), draws=draws, seed=seed)


def _refuse_unpaired(given: tuple[Any, ...]) -> None:
    """A candidate without a baseline, and no floor."""
    alone = len(given) == 1 and isinstance(given[0], Posterior | AccuracyPosterior)
    if not given or alone or (len(given) == 2 and isinstance(given[0], Predictions | JudgedAnswers)):
        raise InvalidArgument(
            "gate(candidate, baseline) takes two posteriors, gate(predictions, candidate, baseline) predictions and "
            "two names; for one classifier alone name floor="
        )
