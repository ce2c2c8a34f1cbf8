"""What is known of a metric in every slice: its rates, alone, borrowing, beside the rest; the worst one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from howsure.data.slices import Slices
from howsure.errors import NoInformation
from howsure.laws.law import Kind
from howsure.laws.many import BetaSums
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.rate_law import far_below
from howsure.numerics.slices.paired_slices import FEWEST_BORROWING, DrawnSlices, ends_of_draws, times_worst
from howsure.numerics.slices.rates import BatchLaw, BorrowedRates, RateMixtures, RateSums
from howsure.posterior.priors import Prior

Tally = tuple[Integers, Integers]


def _accuracy(slices: Slices, label: str) -> Tally:
    return slices.correct, slices.cases


def _recall(slices: Slices, label: str) -> Tally:
    return slices.tally(label)


def _specificity(slices: Slices, label: str) -> Tally:
    hits, actual = slices.tally(label)
    others = slices.cases - actual
    return others - (slices._called(label) - hits), others


def _bias(slices: Slices, label: str) -> Tally:
    return slices._called(label), slices.cases


def _prevalence(slices: Slices, label: str) -> Tally:
    return slices.tally(label)[1], slices.cases


#: Metrics that are one rate: what is counted, and whether the metric is what is left of 1.
RATES: dict[str, tuple[Callable[[Slices, str], Tally], bool]] = {
    "accuracy": (_accuracy, False),
    "error_rate": (_accuracy, True),
    "recall": (_recall, False),
    "false_negative_rate": (_recall, True),
    "specificity": (_specificity, False),
    "false_positive_rate": (_specificity, True),
    "bias": (_bias, False),
    "prevalence": (_prevalence, False),
}


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
    counted, left = RATES[name]
    k, n = counted(slices, found.label or "")
    return SliceRates((n - k if left else k)[None], n[None], accuracy=counted is _accuracy)


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
        """Those of many laws."""
        low, high = law.shortest(level) if kind == "hdi" else law.central(level)
        return cls(law.mean, low, high)

    @classmethod
    def exact(cls, laws: BetaSums, level: float, kind: Kind) -> SliceEnds:
        """Those of many exact laws."""
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
        `howsure.numerics.learned.rate_law`, shape (S,).
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


def _mean_of(rates: list[RateMixtures]) -> BatchLaw:
    return rates[0] if len(rates) == 1 else RateSums(rates, [1 / len(rates)] * len(rates))


def _by_tally(families: list[BorrowedRates], level: float, kind: Kind) -> SliceEnds:
    """Borrowed means and intervals, those of slices with the same counts computed once."""
    places = np.stack([family.place for family in families])
    distinct, place = np.unique(places, axis=1, return_inverse=True)
    rates = [family.rates.taken(at) for family, at in zip(families, distinct, strict=True)]
    made = SliceEnds.of(_mean_of(rates), level, kind)
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
