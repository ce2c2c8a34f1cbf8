"""``rank`` of any kind of knowledge: how sure each rank is, counted over joint draws of all contenders."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.errors import InvalidArgument
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Ask, Knowledge, Of
from howsure.laws import Beta, Interval, Law
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks import rank_laws, rank_matrix
from howsure.numerics.ranks.rank_matrix import Ranks, contenders
from howsure.questions.entries import Entry, Shrunken
from howsure.questions.gate_rule import OneSet, cases_to_settle
from howsure.questions.ranking import Ranking
from howsure.text.formats import integer, plain

__all__ = ["Standings", "left_prizes", "possible_best", "rank"]

#: Numbers that the draws of joint errors may hold.
MOST_DRAWN = 2_000_000

#: Of two entries the probability that one is better says the same.
FEWEST = 3


class Standings(NamedTuple):
    """Contenders of a board: what is known of each, and who is above whom."""

    names: Sequence[str]
    sizes: Sequence[int | None]
    observed: Sequence[float | None]
    laws: Sequence[Law]
    ranks: Ranks

    @property
    def means(self) -> Floats:
        """Means of the laws."""
        return np.array([law.mean for law in self.laws])

    def ordered(self, better: str) -> tuple[Standings, NDArray[np.intp]]:
        """The best first; equal expected ranks stay in the order of the means, then in the order given."""
        signed = -self.means if better == "higher" else self.means
        order = np.lexsort((np.arange(len(self.names)), np.round(signed, 12), np.round(self.ranks.expected, 9)))
        at = order.tolist()
        names, sizes, observed, laws = ([column[i] for i in at] for column in self[:4])
        return Standings(names, sizes, observed, laws, self.ranks.ordered(order)), order

    def entries(
        self, top: int, prizes: Sequence[float], ask: Ask, even: float, *, intervals: NDArray[np.intp] | None = None,
        alone: Floats | None = None, win_rates: Sequence[float | None] | None = None,
    ) -> tuple[Entry, ...]:  # fmt: skip
        """The lines of the ranking; ``even`` is what one has to exceed to be above another."""
        ranks = self.ranks
        best, within = ranks.top(1), ranks.top(min(top, len(self.names)))
        intervals = ranks.interval(ask.level) if intervals is None else intervals
        rewards = ranks.reward(prizes) if prizes else None
        numbers, wins, means = ranks.tiers(ask.level), ranks.wins(even), self.means
        memory: dict[object, Interval] = {}
        found = []
        for i, law in enumerate(self.laws):
            ends = _interval(law, ask, memory)
            found.append(Entry(
                name=self.names[i], n=self.sizes[i], observed=self.observed[i], mean=float(means[i]), low=ends.low,
                high=ends.high, interval=ends.kind, p_best=float(best[i]), p_top=float(within[i]),
                expected_rank=float(ranks.expected[i]), rank_interval=(int(intervals[i, 0]), int(intervals[i, 1])),
                tier=numbers[i], wins=int(wins[i]), expected_prize=None if rewards is None else float(rewards[i]),
                p_best_alone=None if alone is None else float(alone[i]),
                win_rate=None if win_rates is None else win_rates[i],
            ))  # fmt: skip
        return tuple(found)

    def ranking(
        self, entries: tuple[Entry, ...], ask: Ask, top: int, prizes: Sequence[float], notes: Sequence[str], **told: Any
    ) -> Ranking:
        """The answer, with what is ``told`` beside the standings: the metric, its law, who may be the best."""
        said = tuple(dict.fromkeys([*notes, *left_prizes(prizes, len(entries))]))
        return Ranking(
            entries=entries, ranks=self.ranks, ask=ask, top=min(top, len(entries)), prizes=tuple(prizes), notes=said,
            **told,
        )  # fmt: skip

    def winner(self, sds: Floats, noise: Floats | None, common: float, level: float) -> Shrunken | None:
        """The first one's estimate, drawn back; ``noise`` is that of each against the mean of all, where it is shared.

        ``common`` is the standard deviation of that mean, which tells entries not apart.
        """
        count, means = len(self.names), self.means
        if noise is not None and count > 1:
            # distances from the mean of all have the variance of one entry times (1 - 1/T)
            sds = noise / np.sqrt(1 - 1 / count)
        known = np.isfinite(means).all() and np.isfinite(sds).all()  # the mean of a likelihood ratio may be infinite
        found = rank_laws.shrunken(means, sds) if known else None
        if found is None:
            return None
        reach = float(ndtri((1 + level) / 2)) * float(np.hypot(found[1][0], common))
        centre = float(found[0][0])
        return Shrunken(self.names[0], float(means[0]), centre, centre - reach, centre + reach)


def _interval(law: Law, ask: Ask, memory: dict[object, Interval]) -> Interval:
    """Interval of a law; a long board has many equal rates, whose interval is found once."""
    key = (law.a, law.b) if isinstance(law, Beta) else id(law)
    if key not in memory:
        memory[key] = law.interval(ask.level, ask.kind)
    return memory[key]


def possible_best(
    better: str, means: Floats, sds: Floats, ask: Ask, values: Floats | None, alike: Sequence[Hashable]
) -> NDArray[np.intp]:
    """Places of the contenders among three entries or more, none where a score has no mean and variance.

    Scores are the entries' own means; their errors are independent on separate test sets, and on the same cases
    those of the joint draws. It asks no population, so a board that none calibrates (all equal, a pile-up at the top)
    has them too.
    """
    if len(means) < FEWEST or not (np.isfinite(means).all() and np.isfinite(sds).all()):
        return np.zeros(0, dtype=np.intp)
    covariance = sds**2
    if values is not None:
        covariance = np.cov(values[:, np.isfinite(values).all(0)])
        # entries that answered alike are one column; their draws of what was not seen differ
        place = {key: i for i, key in reversed(list(enumerate(alike)))}
        first = [place[key] for key in alike]
        covariance, means = covariance[np.ix_(first, first)], means[first]
    sign = 1.0 if better == "higher" else -1.0
    return contenders(sign * means, covariance, ask.level, min(ask.draws, MOST_DRAWN // len(means)), ask.seed)


def left_prizes(prizes: Sequence[float], entries: int) -> tuple[str, ...]:
    """A note on prizes that nobody can win."""
    left = len(prizes) - entries
    return (f"The last {left} of {len(prizes)} prizes go to nobody: there are {entries} entries.",) if left > 0 else ()


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
    >>> item, system, score = zip(*((i, name, i * 7% 5 + more) for name, more in bonus.items() for i in range(30)))
    >>> [entry.name for entry in rank(Items.from_columns(item, score, system=system)).entries]
    ['a', 'b', 'c']
    """
    measure, names = known.metric(metric), known.names
    ask = known.asking(measure, ask or known.ask())
    if len(names) < 2:
        raise InvalidArgument("contenders are ranked, two or more, and there is one")
    if measure.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so nobody is first")
    asked = [Of(measure.name, name) for name in names]
    values = known.joint(asked, ask)
    ranked = values if measure.better == "higher" else -values
    above = rank_matrix.drawn_exceedance(ranked)
    laws = [known.law(of, ask) for of in asked]
    board, order = Standings(
        names, [known.size(name) for name in names], [known.observed(of) for of in asked], laws,
        Ranks.of(rank_matrix.drawn_ranks(ranked), above, expected=0.5 + above.sum(0)),
    ).ordered(measure.better)  # fmt: skip
    intervals = rank_matrix.simultaneous_intervals(ranked[order], ask.level) if simultaneous else None
    rates = [known.win_rate(name, ask) for name in board.names]
    even = 0.5 + 1 / ask.draws**0.5
    entries = board.entries(top, prizes, ask, even, intervals=intervals, win_rates=rates)
    settling = [*known.leading(Of(measure.name, board.names[0]) - Of(measure.name, board.names[1]), ask)]
    settling += _settling(known, ranked[order[0]] - ranked[order[1]], board.names[:2], ask.level)
    winner = again = None
    stay = np.zeros(0, dtype=np.intp)
    if known.prior:
        joint = values if known.paired else None
        sds = np.array([law.sd for law in laws])
        means = np.array([law.mean for law in laws])
        stay = possible_best(measure.better, means, sds, ask, joint, range(len(names)))
        noise = (values - values.mean(0)).std(1) if known.paired else None
        common = float(values.mean(0).std()) if known.paired else 0.0
        winner = board.winner(sds[order], None if noise is None else noise[order], common, ask.level)
    if new_test is not None:
        shown = known.future(asked, new_test, ask.draws, np.random.default_rng([ask.seed, 0xA6])).T
        again = rank_matrix.drawn_ranks(shown if measure.better == "higher" else -shown)[order]
    said = [*([] if known.prior else [known.about]), *known.notes, *sentences(notes), *settling]
    return board.ranking(
        entries, ask, top, prizes, said, metric=measure.called, better=measure.better, prior=known.prior,
        paired=known.paired, route="simulated", winner=winner, new_test=new_test, again=again,
        error=0.5 / ask.draws**0.5, unit=known.unit, simultaneous=simultaneous,
        contenders=tuple(names[i] for i in order.tolist() if i in stay),
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
