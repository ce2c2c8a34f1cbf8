"""What is known of a metric in every slice: its rates, alone, borrowing, beside the rest; the worst, gaps, strata."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.errors.arguments import number, one_of
from howsure.laws import BetaSum, Law, LearnedSum
from howsure.laws.law import Kind
from howsure.laws.many import BetaSums
from howsure.metrics import Measure
from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.populations.alike_or_apart import AlikeOrApart, TwoKinds, far_below
from howsure.numerics.populations.population import Population
from howsure.numerics.populations.slices import (
    FEWEST_BORROWING,
    BatchLaw,
    BorrowedRates,
    DrawnSlices,
    RateMixtures,
    RateSums,
    ends_of_draws,
    times_worst,
)
from howsure.posterior.priors import LearnedPrior, Prior, fixed_default, resolve_prior
from howsure.posterior.shares import share_of_cases

#: Metrics that are one rate.
RATES = (
    *("accuracy", "error_rate", "recall", "false_negative_rate", "specificity", "false_positive_rate"),
    *("bias", "prevalence"),
)


@dataclass(frozen=True, eq=False)
class SliceRates:
    """A metric of every slice as the mean of J independent rates.

    Attributes
    ----------
    k, n : ndarray, shape (J, S)
        Counts and cases of each rate in each slice.
    accuracy : bool
        Whether the rate is the accuracy, which has a prior of its own.
    """

    k: Integers
    n: Integers
    accuracy: bool = False

    @property
    def total(self) -> tuple[Integers, Integers]:
        """Counts and cases of all slices together, shape (J,) each."""
        return self.k.sum(axis=1), self.n.sum(axis=1)

    @property
    def observed(self) -> Floats:
        """Mean of the rates that have a case, shape (S,); NaN where there is none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = self.k / self.n
        known = ~np.isnan(rates)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(known, rates, 0.0).sum(axis=0) / known.sum(axis=0))

    @property
    def empty(self) -> Floats:
        """Weight of the rates without a case, shape (S,)."""
        return np.asarray((self.n == 0).mean(axis=0))


def rates_of(slices: Slices, measure: Measure) -> SliceRates | None:
    """The rates of a metric; None where it is no mean of rates.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> slices = Slices.from_predictions([0, 1, 1, 1], [0, 1, 0, 1], by=["a", "a", "b", "b"])
    >>> rates_of(slices, parse("recall@1", slices.labels)).observed.tolist()
    [1.0, 0.5]
    """
    found = measure.twin
    name = found.metric.name
    if name == "balanced_accuracy":
        tallies = [slices.tally(label) for label in slices.labels]
        return SliceRates(np.stack([k for k, _ in tallies]), np.stack([n for _, n in tallies]))
    if name not in RATES or found.average is not None or found.parameters:
        return None
    cells, own = slices._cells, None if found.label is None else slices._index(found.label)
    asked, has = share_of_cases(name, own, cells.true, cells.pred)
    k, n = cells.sums(asked & has)[None], cells.sums(asked)[None]
    return SliceRates(k, n, accuracy=name in ("accuracy", "error_rate"))


def prior_of_slices(slices: Slices, rates: SliceRates | None, prior: str | Prior | None) -> Prior:
    """The prior of each slice alone; that of a rate of two classes or of a single rate, if none is named."""
    size = len(slices.labels)
    few = size == 2 or (rates is not None and len(rates.k) == 1)
    chosen = resolve_prior((fixed_default(size) if few else "jeffreys") if prior is None else prior, size)
    if isinstance(chosen, LearnedPrior):
        raise InvalidArgument(
            "prior 'learned' learns from the classes of one table; a slice alone has a prior such as 'flat' or "
            "'jeffreys', and slices learn from each other as they are"
        )
    return chosen


#: Random numbers for the worst slice and the largest gap.
BUDGET, MOST, FEWEST = 5_000_000, 20_000, 200


@dataclass(frozen=True, eq=False)
class SliceEnds:
    """Means and ends of intervals, shape (S,) each."""

    mean: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, law: BatchLaw, level: float, kind: Kind) -> SliceEnds:
        low, high = law.shortest(level) if kind == "hdi" else law.central(level)
        return cls(law.mean, low, high)

    @classmethod
    def exact(cls, laws: BetaSums, level: float, kind: Kind) -> SliceEnds:
        return cls(laws.mean, *laws.interval(level, kind))


@dataclass(frozen=True, eq=False)
class SliceAnswers:
    """Answers for S slices.

    Attributes
    ----------
    alone : SliceEnds
        Of each slice by its own cases.
    borrowed : SliceEnds or None
        Of each slice as a member of the population of slices.
    gap : SliceEnds or None
        Of each slice alone minus all the others together.
    below : ndarray or None
        Probability that a slice is below the rest, shape (S,).
    unlike : ndarray or None
        Probability that a slice is far below the others (above them, where low is good), as in
        `howsure.numerics.populations.rate_law`, shape (S,).
    worst : ndarray
        Probability that a slice has the least value (the greatest, where low is good), shape (S,).
    largest : SliceEnds
        Of the gap between the best and the worst slice, shape (1,).
    draws : int
        Behind ``worst`` and ``largest``.
    typical, spread, broad : float or None
        Of the population: mean rate, correlation of two cases of one slice, share of outliers.
    """

    alone: SliceEnds
    borrowed: SliceEnds | None
    gap: SliceEnds | None
    below: Floats | None
    unlike: Floats | None
    worst: Floats
    largest: SliceEnds
    draws: int
    typical: float | None = None
    spread: float | None = None
    broad: float | None = None


def answers_of_rates(
    rates: SliceRates, prior: Prior, level: float, kind: Kind, *, better: str | None, chance: float, seed: int
) -> SliceAnswers:
    """Answers for a metric that is a mean of rates."""
    rng, lower = np.random.default_rng(seed), better == "lower"
    count, slices = rates.k.shape
    first, second = prior.coin if rates.accuracy else (prior.a, prior.b)
    own = [_own(k, n, first, second) for k, n in zip(rates.k, rates.n, strict=True)]
    alone = SliceEnds.exact(_exact(own, [1 / count] * count), level, kind)
    gap = below = None
    if slices > 1:
        k, n = rates.total
        rest = [_own(k[j] - rates.k[j], n[j] - rates.n[j], first, second) for j in range(count)]
        apart = _exact([*own, *rest], [1 / count] * count + [-1 / count] * count)
        gap, below = SliceEnds.exact(apart, level, kind), apart.prob(below=0)
    many = max(FEWEST, min(MOST, BUDGET // (slices * count)))
    if slices < FEWEST_BORROWING:
        worst, largest = _extremes(_joint(own, rng), slices, many, level, kind, lower)
        return SliceAnswers(alone, None, gap, below, None, worst, largest, many)
    families = [BorrowedRates(k, n) for k, n in zip(rates.k, rates.n, strict=True)]
    borrowed = _by_tally(families, level, kind)
    unlike = _unlike(rates, better, chance)
    worst, largest = _extremes(_joint(families, rng), slices, many, level, kind, lower)
    summary = (float(np.mean([getattr(f, name) for f in families])) for name in ("typical", "spread", "broad"))
    return SliceAnswers(alone, borrowed, gap, below, unlike, worst, largest, many, *summary)


def answers_of_draws(drawn: DrawnSlices, level: float, kind: Kind, *, lower: bool) -> SliceAnswers:
    """Answers for a metric that was simulated: of each slice alone, for it does not borrow."""
    alone = SliceEnds(drawn.mean, *drawn.interval(level, kind))
    gap = SliceEnds(drawn.gap_mean, *drawn.gap_interval(level, kind)) if drawn.slices > 1 else None
    worst, spread = drawn.extremes(lower=lower)
    return SliceAnswers(
        alone,
        None,
        gap,
        drawn.below if gap is not None else None,
        None,
        worst,
        _ends_of(spread, level, kind),
        drawn.draws,
    )


def _unlike(rates: SliceRates, better: str | None, chance: float) -> Floats:
    """Probability that a rate of each slice is far from the others', on the bad side; on either where none is bad."""
    count, alike = len(rates.k), np.ones(rates.k.shape[1])
    for k, n in zip(rates.k, rates.n, strict=True):
        sides = [n - k] if better == "lower" else [k] if better == "higher" else [k, n - k]
        for right in sides:
            alike *= 1 - far_below(right, n, chance if better else 0.0, families=count * len(sides)).probability
    return 1 - alike


def _own(k: Integers, n: Integers, a: float, b: float) -> RateMixtures:
    first, second = np.asarray(k + a, dtype=np.float64), np.asarray(n - k + b, dtype=np.float64)
    if min(first.min(), second.min()) <= 0:
        raise NoInformation(
            "a slice has cases that are all right or all wrong, or none, and the prior adds none, so there is no "
            "posterior; use prior 'flat' or 'jeffreys'"
        )
    return RateMixtures(first[:, None], second[:, None])


def _exact(rates: Sequence[RateMixtures], weights: Sequence[float]) -> BetaSums:
    """Weighted sums of single Betas, exact as the law of one table."""
    a, b = (np.concatenate([getattr(rate, name) for rate in rates], axis=1) for name in ("a", "b"))
    return BetaSums(a, b, weights)


def _by_tally(families: list[BorrowedRates], level: float, kind: Kind) -> SliceEnds:
    """Borrowed means and intervals, those of slices with the same counts computed once."""
    places = np.stack([family.place for family in families])
    distinct, place = np.unique(places, axis=1, return_inverse=True)
    rates = [family.rates.taken(at) for family, at in zip(families, distinct, strict=True)]
    mean = rates[0] if len(rates) == 1 else RateSums(rates, [1 / len(rates)] * len(rates))
    made = SliceEnds.of(mean, level, kind)
    back = place.ravel()
    return SliceEnds(made.mean[back], made.low[back], made.high[back])


def _joint(rates: Sequence[RateMixtures | BorrowedRates], rng: np.random.Generator) -> Callable[[int], Floats]:
    """Joint draws of the means of rates, shape (n, S)."""
    return lambda n: np.asarray(sum(rate.draw(n, rng) for rate in rates) / len(rates))


def _extremes(
    draw: Callable[[int], Floats], slices: int, many: int, level: float, kind: Kind, lower: bool
) -> tuple[Floats, SliceEnds]:
    """How often each slice is the worst, and the gap between the best and the worst, from joint draws."""
    times, spread = np.zeros(slices), []
    step = max(1, min(many, 2_000_000 // slices))
    for start in range(0, many, step):
        values = draw(min(step, many - start))
        times += times_worst(values.T, lower=lower)
        spread.append(values.max(axis=1) - values.min(axis=1))
    return times / many, _ends_of(np.concatenate(spread), level, kind)


def _ends_of(values: Floats, level: float, kind: Kind) -> SliceEnds:
    """Mean and interval of one number that was drawn, shape (1,) each."""
    return SliceEnds(values.mean(keepdims=True), *ends_of_draws(values[:, None], level, kind))


# -- Gaps between groups that may be alike -----------------------------------------------------------------------------

#: Random numbers for the joint draws of one rate.
BUDGET_OF_GAPS, MOST_OF_GAPS, FEWEST_OF_GAPS = 2_000_000, 20_000, 200

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
        return np.asarray(self.n > 0)

    @property
    def defined(self) -> bool:
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
        many = max(FEWEST_OF_GAPS, min(MOST_OF_GAPS, BUDGET_OF_GAPS // count)) if self.draws is None else self.draws
        rng = np.random.default_rng([*self.seed, stream])
        lowest, highest = (int(self.known[:place].sum()) for place in (self.lowest, self.highest))
        made, step = [], max(1, BUDGET_OF_GAPS // count)
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

    Parameters
    ----------
    rates : sequence of GroupRate
        All of them with two groups or more.
    limit : float
        A difference above it, or a ratio below it, is beyond.
    level : float
        Of the interval. Its end near "no gap" is that of the posterior; of the worse of several rates the tail there is
        shared by them, for the worse one is partly the unluckier. The other end is that of groups that are not all
        alike, also if three in ten (six at most) are expected to be unlike the rest: so large may a gap be if there is
        one.
    ratio : bool
        Least rate divided by the greatest, in place of the greatest minus the least.

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


# -- Cells of class by stratum and their weights: the balanced accuracy that no second variable can buy ----------------

#: What is done about a class without a case in a stratum.
EMPTY_CELLS = ("keep", "drop", "error")


@dataclass(frozen=True, eq=False)
class StratumCells:
    """Right cases, cases and weight of every class in every stratum, shape (K, S) each; made by `of`.

    Attributes
    ----------
    k, n : ndarray
    weight : ndarray
        They add to 1, and to 1/K in each class.
    left : ndarray of bool
        Cells without a case that left the estimand.
    """

    k: Integers
    n: Integers
    weight: Floats
    left: Booleans

    @classmethod
    def of(cls, slices: Slices, weights: Any, empty: Any) -> StratumCells:
        """The cells of slices, and their weights.

        Examples
        --------
        >>> made = StratumCells.of(Slices.from_predictions([0, 0, 1], [0, 1, 1], by=["a", "b", "b"]), "equal", "drop")
        >>> made.weight.tolist()
        [[0.25, 0.25], [0.0, 0.5]]
        """
        one_of(empty, EMPTY_CELLS, "empty")
        tallies = [slices.tally(label) for label in slices.labels]
        k, n = (np.stack(column) for column in zip(*tallies, strict=True))
        share = _shares(slices, weights)
        weight = np.tile(share, (len(n), 1))
        bare = (n == 0) & (weight > 0)
        for label, cells in zip(slices.labels, (n > 0) & (weight > 0), strict=True):
            if not cells.any():
                raise NoInformation(
                    f"class {excerpt(label)} has no case in any stratum that has a weight, so nothing is known of its "
                    "recall; leave the class out, or give weight to a stratum where it occurs"
                )
        if bare.any() and empty == "error":
            cells = np.argwhere(bare).tolist()
            named = listing((f"{excerpt(slices.labels[i])} in {excerpt(slices.names[j])}" for i, j in cells), 5)
            raise InvalidArgument(
                f"there is no case of {named}; with empty 'keep' the prior stands for these recalls, with 'drop' the "
                "other strata of the class do"
            )
        left = bare & (empty == "drop")
        weight[left] = 0.0
        weight /= weight.sum(axis=1, keepdims=True) * len(weight)
        return cls(k, n, weight, left)

    @property
    def empty(self) -> Booleans:
        """Cells without a case that have a weight, shape (K, S)."""
        return np.asarray((self.n == 0) & (self.weight > 0))

    @property
    def observed(self) -> float:
        """Weighted mean of the observed recalls, cells without a case left out."""
        seen = np.where(self.n > 0, self.weight, 0.0)
        rates = self.k / np.maximum(self.n, 1)
        return float(((seen * rates).sum(axis=1) / seen.sum(axis=1)).mean())

    def law(self, prior: Prior, recall: float | None = None) -> Law:
        known = self.weight > 0 if recall is None else (self.weight > 0) & ~self.empty
        rest = 0.0 if recall is None else recall * float(self.weight[self.empty].sum())
        used = np.where(known, self.weight, 0.0)
        if isinstance(prior, LearnedPrior):
            parts = [(Population(k, n), w) for k, n, w in zip(self.k, self.n, used, strict=True)]
            learned = LearnedSum(parts)
            return learned + rest if rest else learned
        a, b = (self.k + prior.a)[known], (self.n - self.k + prior.b)[known]
        if min(a.min(), b.min()) <= 0:
            raise NoInformation(
                f"prior {prior.name} adds no case, and a class in a stratum has none, or only right or only wrong "
                "ones, so there is no posterior; use prior 'flat' or 'jeffreys'"
            )
        exact = BetaSum(a, b, used[known])
        return exact + rest if rest else exact


def _shares(slices: Slices, weights: Any) -> Floats:
    """Share of each stratum, the same for all classes, shape (S,)."""
    if not isinstance(weights, Mapping):
        one_of(weights, ("equal", "pooled"), "weights, unless it is a mapping of every stratum to a number,")
        cases = slices.cases.astype(float)
        if not cases.sum():
            raise NoInformation("there is no case in any stratum")
        return np.full(len(slices), 1 / len(slices)) if weights == "equal" else np.asarray(cases / cases.sum())
    others = [name for name in weights if name not in slices.names]
    missing = [name for name in slices.names if name not in weights]
    if others or missing:
        wrong = f"{excerpt(others[0])} is no stratum" if others else f"{excerpt(missing[0])} has no weight"
        raise InvalidArgument(
            f"{wrong}; weights name each of the strata {listing(map(excerpt, slices.names), 8)}, and a stratum "
            "that does not count gets 0"
        )
    given = np.array([number(weights[name]) for name in slices.names])
    if not (np.isfinite(given) & (given >= 0)).all() or not 0 < given.sum() < np.inf:
        raise InvalidArgument(
            "weights of strata are numbers of 0 or more, one of them above 0, in any unit: only proportions matter"
        )
    return np.asarray(given / given.sum())
