"""The largest gap between groups: of one rate or of the worse of several, with all groups alike as a possibility."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.slices.alike_or_apart import AlikeOrApart, TwoKinds

#: Random numbers for the joint draws of one rate.
BUDGET, MOST, FEWEST = 2_000_000, 20_000, 200

#: For the far end of a gap each group is unlike the rest with this probability, before the data, and so many at most.
DOUBT, DOUBTED = 0.3, 6

#: Probability that groups that are not all alike are of two kinds, before the data; looked at of so many groups.
TWO_KINDS, FEWEST_OF_TWO, MOST_OF_TWO = 0.4, 5, 500


@dataclass(frozen=True, eq=False)
class GroupRate:
    """Hits and cases of one rate in every group, and joint draws of the rates where groups are not all alike.

    Attributes
    ----------
    k, n : ndarray, shape (S,)
        Hits, and the cases that count; groups with n = 0 are in no gap.
    draws : int or None
        Joint draws; by the number of groups if None.
    seed : sequence of int

    Examples
    --------
    >>> import numpy as np
    >>> rate = GroupRate(np.array([20, 35, 0]), np.array([50, 50, 0]), 2000, (0,))
    >>> round(rate.difference, 3), round(rate.ratio, 3), rate.lowest, rate.highest
    (0.3, 0.571, 0, 1)
    """

    k: Integers
    n: Integers
    draws: int | None
    seed: Sequence[int]

    @cached_property
    def known(self) -> Booleans:
        """Groups with a case that counts."""
        return np.asarray(self.n > 0)

    @property
    def defined(self) -> bool:
        """Whether there are two groups to compare."""
        return int(self.known.sum()) > 1

    @cached_property
    def observed(self) -> Floats:
        """Rates on the raw counts; NaN without a case."""
        return np.where(self.known, self.k / np.maximum(self.n, 1), np.nan)

    @property
    def difference(self) -> float | None:
        """Largest observed rate minus the smallest, as in fairlearn."""
        return float(np.nanmax(self.observed) - np.nanmin(self.observed)) if self.defined else None

    @property
    def ratio(self) -> float | None:
        """Smallest observed rate divided by the largest, as in fairlearn; None if all are 0."""
        if not self.defined or np.nanmax(self.observed) == 0:
            return None
        return float(np.nanmin(self.observed) / np.nanmax(self.observed))

    @property
    def lowest(self) -> int:
        """Group with the smallest observed rate."""
        return int(np.nanargmin(self.observed))

    @property
    def highest(self) -> int:
        """Group with the largest observed rate; of several the last, as the lowest is the first."""
        return int(np.flatnonzero(self.observed == np.nanmax(self.observed))[-1])

    @cached_property
    def _population(self) -> AlikeOrApart:
        return AlikeOrApart(self.k[self.known], self.n[self.known])

    @cached_property
    def _kinds(self) -> tuple[TwoKinds, float] | None:
        """Rates of two kinds, and the probability of them where groups are not all alike."""
        count = int(self.known.sum())
        if not FEWEST_OF_TWO <= count <= MOST_OF_TWO:
            return None
        kinds = TwoKinds(self.k[self.known], self.n[self.known])
        odds = np.log(TWO_KINDS) - np.log1p(-TWO_KINDS) + kinds.log_evidence - self._population.log_apart
        return kinds, float(special.expit(odds))

    @property
    def alike(self) -> float:
        """Probability that all groups have one rate."""
        return self._population.alike

    @cached_property
    def drawn(self) -> Floats:
        """If groups are not all alike: the least and the greatest rate, and whether `lowest` and `highest` have them.

        Shape (4, draws).
        """
        return self._extremes(self._population, 0)

    @cached_property
    def doubted(self) -> Floats:
        """The same for a reader who expects three groups in ten to be unlike the rest, of many groups six."""
        share = min(DOUBT, DOUBTED / int(self.known.sum()))
        return self._extremes(AlikeOrApart(self.k[self.known], self.n[self.known], share=share), 1)

    def _extremes(self, population: AlikeOrApart, stream: int) -> Floats:
        count = len(population)
        many = max(FEWEST, min(MOST, BUDGET // count)) if self.draws is None else self.draws
        rng = np.random.default_rng([*self.seed, stream])
        lowest, highest = (int(self.known[:place].sum()) for place in (self.lowest, self.highest))
        made, step = [], max(1, BUDGET // count)
        for start in range(0, many, step):
            rates = population.draw(min(step, many - start), rng)
            if self._kinds is not None:
                here = rng.random(len(rates)) < self._kinds[1]
                rates[here] = self._kinds[0].draw(int(here.sum()), rng)
            least, most = rates.min(axis=1), rates.max(axis=1)
            made.append(np.stack([least, most, rates[:, lowest] <= least, rates[:, highest] >= most]))
        return np.concatenate(made, axis=1)

    def chances(self) -> tuple[float, float]:
        """Probabilities that no group has a lower rate than `lowest`, and none a higher one than `highest`."""
        low, high = (self.alike + (1 - self.alike) * float(row.mean()) for row in self.drawn[2:])
        return low, high


@dataclass(frozen=True)
class GapKnowledge:
    """What is known of a largest gap: mean, both ends, P(all alike), P(beyond the limit), and the draws behind it."""

    mean: float
    low: float
    high: float
    alike: float
    beyond: float
    draws: int


def gap_knowledge(rates: Sequence[GroupRate], limit: float, level: float, *, ratio: bool = False) -> GapKnowledge:
    """The largest gap of one rate, or the worse one of several rates.

    Examples
    --------
    >>> rate = GroupRate(np.array([20, 35]), np.array([50, 50]), 5000, (0,))
    >>> made = gap_knowledge([rate], 0.05, 0.95)
    >>> round(made.low, 1), round(made.high, 1), made.alike < 0.05, made.beyond > 0.9
    (0.0, 0.5, True, True)
    """
    apart = _alike_long([_from_none(rate.drawn, ratio) for rate in rates])
    worst, weight = gap_of(apart, [rate.alike for rate in rates])
    order = np.argsort(worst, kind="stable")
    ordered, reached = worst[order], np.cumsum(weight[order])
    tail = (1 - level) / 2
    at = int(np.searchsorted(reached, tail / len(rates) * reached[-1]))
    near = float(ordered[min(at, len(ordered) - 1)])
    mean = float((worst * weight).sum() / weight.sum())
    doubted = _alike_long([_from_none(rate.doubted, ratio) for rate in rates])
    far = max(near, mean, *(float(np.quantile(np.max(each, axis=0), 1 - tail)) for each in (apart, doubted)))
    beyond = float(weight[worst > (1 - limit if ratio else limit)].sum() / weight.sum())
    ends = (1 - mean, 1 - far, 1 - near) if ratio else (mean, near, far)
    return GapKnowledge(*ends, float(np.prod([rate.alike for rate in rates])), min(beyond, 1.0), len(apart[0]))


def _alike_long(draws: Sequence[Floats]) -> list[Floats]:
    """As many of each as there are of all: rates of many groups have fewer draws where more groups have a case."""
    fewest = min(map(len, draws))
    return [each[:fewest] for each in draws]


def gap_of(apart: Sequence[Floats], alike: Sequence[float]) -> tuple[Floats, Floats]:
    """Values and weights of the worst of several gaps, each of them 0 if its groups are all alike.

    Examples
    --------
    >>> values, weights = gap_of([np.array([0.2, 0.4])], [0.5])
    >>> values.tolist(), weights.tolist()
    ([0.0, 0.2, 0.4], [0.5, 0.25, 0.25])
    """
    count = len(apart[0])
    values, weights = [np.zeros(1)], [np.array([float(np.prod(alike))])]
    for which in range(1, 2 ** len(apart)):
        there = [bool(which >> i & 1) for i in range(len(apart))]
        chance = float(np.prod([1 - p if yes else p for p, yes in zip(alike, there, strict=True)]))
        values.append(np.max([gap for gap, yes in zip(apart, there, strict=True) if yes], axis=0))
        weights.append(np.full(count, chance / count))
    return np.concatenate(values), np.concatenate(weights)


def _from_none(drawn: Floats, ratio: bool) -> Floats:
    """How far draws of the least and the greatest rate are from no gap: their difference, or 1 - their ratio."""
    gap = drawn[1] - drawn[0]
    return np.asarray(gap / np.maximum(drawn[1], 1e-300) if ratio else gap)
