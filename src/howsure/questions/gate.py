"""``gate`` of any kind of knowledge: may a candidate replace a baseline, or pass a floor."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.errors import InvalidArgument
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Ask, Knowledge, Measured, Of
from howsure.laws import Draws, Law
from howsure.questions.gate_answer import Gate, GateRow, Mode, estimate_of
from howsure.questions.gate_rule import OneSet, cases_to_settle, uncertain, verdict

__all__ = ["gate"]


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
    ask = ask or known.ask()
    if mode == "floor":
        names: tuple[str, ...] = (known.names[0] if candidate is None else candidate,)
        known.place(names[0])
    else:
        names = known.two(candidate, baseline)
    measures = [known.metric(name) for name in metrics]
    if len({measure.name for measure in measures}) < len(measures):
        raise InvalidArgument("a metric comes twice; name each once")
    rows = [_row(known, measure, names, mode, bar, min_prob, ask) for measure in measures]
    return Gate(
        names=(names[0] or "the candidate", "" if mode == "floor" else names[1]),
        rows=tuple(rows),
        mode=mode,
        margin=0.0 if mode == "floor" else bar,
        floor=bar if mode == "floor" else None,
        min_prob=min_prob,
        paired=None if mode == "floor" else known.paired,
        cases=tuple(known.size(name) for name in names),
        prior="",
        level=ask.level,
        kind=ask.kind,
        draws=ask.draws,
        seed=ask.seed,
        notes=tuple(dict.fromkeys([known.about, *known.notes, *sentences(notes)])),
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
    up, of = measure.better == "higher", [Of(measure.name, name) for name in names]
    sides = [known.law(one, ask) for one in of]
    law = sides[0] if mode == "floor" else known.law(of[0] - of[1], ask)
    threshold = bar if mode in ("floor", "superiority") else 0.0 - bar
    turned = threshold if up or mode == "floor" else -threshold
    above, below = law.prob(above=turned), law.prob(below=turned)
    p_pass, p_fail = (uncertain(law, p) for p in ((above, below) if up else (below, above)))
    settled = verdict(p_pass, p_fail, min_prob)
    more = None
    if settled == "inconclusive":
        more = _more(
            known,
            [law] if known.paired or mode == "floor" else sides,
            of,
            (1.0 if up else -1.0) * (law.mean - turned),
            min_prob,
        )
    return GateRow(
        metric=measure.called,
        better=measure.better,
        verdict=settled,
        p_pass=p_pass,
        p_fail=p_fail,
        threshold=0.0 if mode == "floor" else threshold,
        strict=None,
        candidate=estimate_of(sides[0], known.observed(of[0]), ask.level, ask.kind),
        baseline=None if mode == "floor" else estimate_of(sides[1], known.observed(of[1]), ask.level, ask.kind),
        difference=None if mode == "floor" else estimate_of(law, known.observed(of[0] - of[1]), ask.level, ask.kind),
        by_prior=False,
        more_cases=more,
        more_groups=None,
        draws=law.n if isinstance(law, Draws) else None,
    )


def _more(known: Knowledge, laws: Sequence[Law], of: Sequence[Of], distance: float, min_prob: float) -> int | None:
    """About how many more units would settle it."""
    tests = [OneSet(known.size(one.name), law.sd, 0.0) for law, one in zip(laws, of, strict=False)]
    return cases_to_settle(distance, tests, min_prob)
