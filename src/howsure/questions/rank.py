"""``rank`` of any kind of knowledge: how sure each rank is, counted over joint draws of all contenders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.errors import InvalidArgument
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Ask, Knowledge, Of
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks import rank_matrix
from howsure.questions.entries import Entry
from howsure.questions.gate_rule import OneSet, cases_to_settle
from howsure.questions.ranking import Ranking
from howsure.text.formats import integer, plain

__all__ = ["rank", "tiers"]


def tiers(above: Floats, level: float) -> list[int]:
    """Number of each entry's tier; a tier ends where its first member is better with probability ``level``."""
    numbers, first = [1], 0
    for i in range(1, len(above)):
        if above[first, i] >= level:
            first = i
            numbers.append(numbers[-1] + 1)
        else:
            numbers.append(numbers[-1])
    return numbers


def rank(
    known: Knowledge,
    metric: str | None = None,
    *,
    prizes: Sequence[float] = (),
    top: int = 3,
    new_test: int | None = None,
    simultaneous: bool = False,
    ask: Ask | None = None,
    notes: Sequence[str] = (),
) -> Ranking:
    """Rank contenders by a metric, best first, and say how sure each rank is, whatever the kind of data.

    Parameters
    ----------
    known : Knowledge
    metric : str, optional
        One that it has; the usual one if left out.
    prizes, top, new_test
        As in `howsure.rank`; a new test has so many units, the same for all.
    simultaneous : bool
        Whether rank intervals contain all ranks at once with the probability ``ask.level``.
    ask : Ask, optional
        Level and kind of the intervals, draws and seed.
    notes : sequence of str
        Sentences to carry along.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> bonus = {"a": 1.0, "b": 0.5, "c": 0.0}
    >>> item, system, score = zip(*((i, name, i * 7 % 5 + more) for name, more in bonus.items() for i in range(30)))
    >>> [entry.name for entry in rank(Items.from_columns(item, score, system=system)).entries]
    ['a', 'b', 'c']
    """
    ask, measure, names = ask or known.ask(), known.metric(metric), known.names
    if len(names) < 2:
        raise InvalidArgument("contenders are ranked, two or more, and there is one")
    if measure.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so nobody is first")
    asked = [Of(measure.name, name) for name in names]
    values = known.draws(asked, ask.draws, np.random.default_rng(ask.seed)).T
    ranked = values if measure.better == "higher" else -values
    matrix, above = rank_matrix.drawn_ranks(ranked), rank_matrix.drawn_exceedance(ranked)
    expected = 0.5 + above.sum(0)
    laws = [known.law(of, ask) for of in asked]
    observed = [known.observed(of) for of in asked]
    means = np.array([law.mean for law in laws])
    order = np.lexsort((np.arange(len(names)), -means if measure.better == "higher" else means, np.round(expected, 9)))
    matrix, above = matrix[order], above[np.ix_(order, order)]
    within = rank_matrix.top_k(matrix, min(top, len(names)))
    intervals = (
        rank_matrix.simultaneous_intervals(ranked[order], ask.level)
        if simultaneous
        else rank_matrix.rank_interval(matrix, ask.level)
    )
    rewards = rank_matrix.expected_reward(matrix, prizes) if prizes else None
    numbers, even = tiers(above, ask.level), 0.5 + 1 / ask.draws**0.5
    entries = []
    for place, i in enumerate(order.tolist()):
        ends = laws[i].interval(ask.level, ask.kind)
        entries.append(Entry(
            name=names[i], n=known.size(names[i]), observed=observed[i], mean=float(means[i]), low=ends.low,
            high=ends.high, interval=ends.kind, p_best=float(matrix[place, 0]), p_top=float(within[place]),
            expected_rank=float(expected[i]), rank_interval=(int(intervals[place, 0]), int(intervals[place, 1])),
            tier=numbers[place], wins=int((above[place] > even).sum()),
            expected_prize=None if rewards is None else float(rewards[place]),
            win_rate=known.win_rate(names[i], ask),
        ))  # fmt: skip
    settling = _settling(known, ranked[order[0]] - ranked[order[1]], [entry.name for entry in entries[:2]], ask.level)
    again = None
    if new_test is not None:
        shown = known.future(asked, new_test, ask.draws, np.random.default_rng([ask.seed, 0xA6])).T
        again = rank_matrix.drawn_ranks(shown if measure.better == "higher" else -shown)[order]
    return Ranking(
        metric=measure.called, better=measure.better, entries=tuple(entries), probabilities=matrix, above=above,
        prior="", paired=known.paired, level=ask.level, kind=ask.kind, route="drawn", top=min(top, len(names)),
        prizes=tuple(prizes), winner=None, new_test=new_test, again=again, draws=ask.draws, seed=ask.seed,
        notes=tuple(dict.fromkeys([known.about, *known.notes, *sentences(notes), *settling])),
        error=0.5 / ask.draws**0.5, unit=known.unit, simultaneous=simultaneous,
    )  # fmt: skip


def _settling(known: Knowledge, lead: Floats, first: Sequence[str], level: float) -> list[str]:
    """How many more contests part the first two, where each is between two contenders."""
    if not known.contests or (lead > 0).mean() >= level:
        return []
    a, b = (plain(name, 40) for name in first)
    total = sum(map(known.size, known.names)) // 2
    more = cases_to_settle(float(lead.mean()), [OneSet(total, float(lead.std()), 0.0)], level)
    if more is None:
        return [f"{a} and {b} are too close for more {known.unit}s to part them."]
    return [f"If they stay as far apart, about {integer(more)} more {known.unit}s like these part {a} and {b}."]
