"""``gate`` of any kind of knowledge: may a candidate replace a baseline, or pass a floor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from howsure.data.groups import ENOUGH_GROUPS
from howsure.errors import InvalidArgument
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Ask, Knowledge, Measured, Of
from howsure.laws import Draws, Kind, Law
from howsure.questions.gate_answer import Gate, GateRow, Mode, estimate_of
from howsure.questions.gate_rule import GateGroups, OneSet, cases_to_settle, prior_decides, uncertain, verdict

__all__ = ["AtGate", "gate", "gate_row", "settled"]


class AtGate(NamedTuple):
    """What a gate holds against its bar: a law, what was observed, and as how many units of a test set."""

    law: Law
    observed: float | None
    n: int

    @property
    def pull(self) -> float:
        """By how much the prior moves the mean; 0 where nothing was observed that it could be held against."""
        return 0.0 if self.observed is None or not math.isfinite(self.observed) else self.law.mean - self.observed


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
    pulled: bool = True,
    ours: bool = True,
) -> GateRow:
    """What one metric says, with about how many more units would settle it, also where it is settled.

    Parameters
    ----------
    measure : Measured
    sides : sequence of AtGate
        The candidate, and its baseline.
    between : AtGate, optional
        Candidate minus baseline; left out where the candidate is held against a floor.
    bar : float
        The floor, or what a difference that grows with the quality of the candidate is held against.
    min_prob : float
    ends : (float, str)
        Level and kind of the intervals.
    paired, alike : bool
        Whether both are known by the same units, and whether nothing tells them apart.
    pulled, ours : bool
        Whether there is a prior that can pull a number, and whether it is one that howsure names: a prior of one's own
        is knowledge, which may decide.
    """
    up, shown = measure.better == "higher", between or sides[0]
    sign, law = 1.0 if up else -1.0, shown.law
    turned = bar if between is None else sign * bar
    above, below = law.prob(above=turned), law.prob(below=turned)
    if alike and bar == 0:
        above = below = (above + below) / 2 or 0.5
    p_pass, p_fail = (uncertain(law, p) for p in ((above, below) if up else (below, above)))
    alone = paired or between is None
    turns = [(shown, sign)] if alone else [(sides[0], sign), (sides[1], -sign)]
    tests = [OneSet(x.n, x.law.sd, turn * x.pull if pulled else 0.0) for x, turn in turns]
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


def gate(
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

    Parameters
    ----------
    known : Knowledge
    candidate, baseline : str, optional
        Two contenders; a floor has no baseline.
    metrics : sequence of str
        All must pass; the usual one if left out.
    mode : "non-inferiority", "superiority" or "floor"
    bar : float
        The margin, or the floor.
    min_prob : float
        Probability from which the gate decides.
    ask : Ask, optional
        Level and kind of the intervals, draws and seed.
    notes : sequence of str
        Sentences to carry along.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> judged = Items.from_columns(range(40), [5, 4, 5, 5] * 10, range=(1, 5))
    >>> gate(judged, mode="floor", bar=4.0).verdict
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
    sides = [AtGate(known.law(one, ask), known.observed(one), n) for one, n in zip(of, sizes, strict=True)]
    between = None
    if mode != "floor":
        between = AtGate(known.law(of[0] - of[1], ask), known.observed(of[0] - of[1]), sizes[0])
    return gate_row(
        measure, sides, between, 0.0 - bar if mode == "non-inferiority" else bar, min_prob, (ask.level, ask.kind),
        paired=known.paired, alike=mode != "floor" and known.alike(*names), pulled=bool(known.prior),
        ours=bool(known.prior),
    )  # fmt: skip
