"""Laws of several rates: metrics of a two-class table, a prevalence behind verdicts, the least and the most."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument
from howsure.laws.law import SEED, ComputedLaw, Law, in_words
from howsure.laws.linear import Beta
from howsure.numerics.arrays import LEAST, MOST, Floats, cut
from howsure.numerics.carried_prevalence import CarriedNumbers, compatible, worse_than_chance
from howsure.numerics.populations.beta_laws import LeastBeta
from howsure.numerics.populations.ranks import Ranks, beta_ranks, law_ranks
from howsure.numerics.two_by_two.table_laws import BinaryMetric, resolvable

#: A law whose cdf is known to this is called exact; where parameters near 0 meet, it is "approximate".
EXACT = 1e-6

# -- Metrics of a two-class table whose prevalence is uncertain too: one law for each, without a random number ---------


class BinaryLaw(ComputedLaw):
    """Law of a metric of prevalence, sensitivity and specificity, three independent Betas.

    Parameters
    ----------
    metric : str
        f1, fbeta, jaccard, mcc, kappa, precision, negative_predictive_value, false_discovery_rate,
        false_omission_rate, markedness, bias, fowlkes_mallows, p4, accuracy (of the three rates), g_mean,
        prevalence_threshold, yule_q, positive_likelihood_ratio, negative_likelihood_ratio, diagnostic_odds_ratio,
        or one of the last three after ``log_``; error_rate, gwet_ac1, scott_pi, weighted_markedness, lift,
        overdiagnosis, precision_gain, recall_gain, f1_gain, fbeta_gain, or ``worth``, the mean of a number from 0 to 1
        in each cell.
    prevalence : (float, float) or float
        Beta parameters of the share of the positive class, or the share itself if it is known.
    sensitivity, specificity : (float, float)
        Beta parameters.
    **parameters : float
        ``beta`` of fbeta and fbeta_gain, ``w`` of weighted_markedness, ``hit missed kept false`` of worth.

    Notes
    -----
    The model is that of Toetsch and Hoffmann 2021. The cdf is an integral over two Normal scores by the trapezoid
    rule; ``error`` is its estimated error.

    Examples
    --------
    >>> low, high = BinaryLaw("precision", (27, 9), (27, 1), (7, 3)).interval(kind="central")
    >>> round(low, 6), round(high, 6)
    (0.781339, 0.980029)
    """

    exact_to = EXACT

    def __init__(
        self,
        metric: str,
        prevalence: tuple[float, float] | float,
        sensitivity: tuple[float, float],
        specificity: tuple[float, float],
        **parameters: float,
    ) -> None:
        self._given = metric, prevalence, sensitivity, specificity, parameters

    @staticmethod
    def closes(
        metric: str,
        prevalence: tuple[float, float] | float,
        sensitivity: tuple[float, float],
        specificity: tuple[float, float],
        **parameters: float,
    ) -> bool:
        """Whether the metric has a law of known density under these rates."""
        return metric == "recall_gain" or resolvable(metric, prevalence, sensitivity, specificity, **parameters)

    @cached_property
    def _numbers(self) -> BinaryMetric:
        # most of an answer about one patient is about one class; the law of the other may never be asked for anything
        metric, prevalence, sensitivity, specificity, parameters = self._given
        if metric == "recall_gain":
            # 1 - odds of the prevalence over odds of the recall: the specificity has no part in it
            metric, specificity = "odds_gain", _odds_of(prevalence)
        return BinaryMetric(metric, prevalence, sensitivity, specificity, **parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, self._given)

    def __repr__(self) -> str:
        return f"<BinaryLaw: {self._given[0]}, mean {self.mean:.4g}, sd {self.sd:.2g}>"

    def _outlined(self, points: int) -> tuple[Floats, Floats]:
        return self._numbers.outline(points) or super()._outlined(points)


@in_words()
def quantile_with_density(law: Law, p: Floats) -> tuple[Floats, Floats]:
    """Quantiles of a probability, 0 < p < 1, shape (n,), and the densities there; found together where they can be."""
    if isinstance(law, BinaryLaw):
        return law._numbers.quantile_with_density(p)
    # of a probability: at 0 or 1 itself the density may be infinite
    x = cut(law.quantile(p), LEAST, MOST)
    return x, law.pdf(x)


def _odds_of(prevalence: tuple[float, float] | float) -> tuple[float, float]:
    if not isinstance(prevalence, tuple):
        raise InvalidArgument("at a stated prevalence the recall gain is a function of the recall alone")
    return prevalence[1], prevalence[0]


def _rebuilt(
    metric: str, prevalence: Any, sensitivity: Any, specificity: Any, parameters: dict[str, float]
) -> BinaryLaw:
    return BinaryLaw(metric, prevalence, sensitivity, specificity, **parameters)


# -- The prevalence among cases of which only verdicts are known, by a judge that was calibrated elsewhere -------------


class CarriedPrevalence(ComputedLaw):
    """Law of a prevalence, flat beforehand, given how many cases an imperfect judge called positive.

    Parameters
    ----------
    positives, cases : float
        How many were called positive, and of how many.
    recall, specificity : (float, float)
        Beta parameters of the rates of the judge, carried over from its calibration.

    Raises
    ------
    ValueError
        Counts that are negative or more than the cases, parameters that are not above 0.
    OutOfReach
        On use, where the calibration makes the share called positive impossible for practical purposes (below 1e-240).

    Notes
    -----
    The uniform model of Gelman and Carpenter (2020), Journal of the Royal Statistical Society C 69, 1269, without
    draws. A judge that is worse than chance needs no special case.

    Examples
    --------
    Their data: 50 of 3,330 called positive, 399 of 401 and 103 of 122 right in the calibration:

    >>> law = CarriedPrevalence(50, 3330, recall=(104, 20), specificity=(400, 3))
    >>> low, high = law.interval()
    >>> round(low, 4), round(high, 4), round(law.compatible, 2)
    (0.0008, 0.0183, 0.94)
    """

    exact_to = EXACT

    def __init__(
        self, positives: float, cases: float, recall: tuple[float, float], specificity: tuple[float, float]
    ) -> None:
        if not 0 <= positives <= cases < float("inf"):
            raise ValueError(f"positives must lie between 0 and the cases; they are {positives:g} of {cases:g}")
        for name, pair in (("recall", recall), ("specificity", specificity)):
            if not all(0 < x < float("inf") for x in pair):
                raise ValueError(f"{name} needs two positive, finite Beta parameters; they are {pair}")
        self._given = float(positives), float(cases), recall, specificity

    @cached_property
    @in_words()
    def _numbers(self) -> CarriedNumbers:
        return CarriedNumbers(*self._given)

    @property
    def compatible(self) -> float:
        """Probability that the calibration allows the share called positive, ``1 - specificity <= p <= recall``."""
        return compatible(*self._given)

    @property
    def worse_than_chance(self) -> float:
        """Probability, by the calibration alone, that recall + specificity is below 1."""
        return worse_than_chance(*self._given[2:])

    def __repr__(self) -> str:
        return f"<CarriedPrevalence: {self._given[0]:g} of {self._given[1]:g}, mean {self.mean:.4g}, sd {self.sd:.2g}>"


# -- Ranks of independent laws: who is first, with what probability ----------------------------------------------------


def rank_probabilities(laws: Sequence[Law]) -> Floats:
    """P(entry i has rank r) of independent laws; rank 1 is the largest value.

    Parameters
    ----------
    laws : sequence of Law
        At least one; exact laws. Equal laws share their ranks equally, two of them exactly one half each.

    Returns
    -------
    ndarray, shape (T, T)
        Entry by rank; rows and columns add to 1 within 1e-10.

    Raises
    ------
    InvalidArgument
        No law, something that is no law, or a drawn law.

    Examples
    --------
    >>> rank_probabilities([Beta(9, 2), Beta(9, 2)]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    entries = list(laws)
    if not entries or not all(isinstance(law, Law) for law in entries):
        raise InvalidArgument("ranks need a sequence of laws, at least one")
    drawn = [i for i, law in enumerate(entries) if law.route == "simulated"]
    if drawn:
        raise InvalidArgument(
            f"entry {drawn[0] + 1} is simulated; the ranks of simulated entries are counted from joint draws"
        )
    return ranks_of(entries).matrix


def ranks_of(laws: Sequence[Law]) -> Ranks:
    """Ranks of independent laws that are not drawn."""
    if all(isinstance(law, Beta) for law in laws):
        return beta_ranks(*(np.array([getattr(law, name) for law in laws]) for name in ("a", "b")))
    return law_ranks(laws)


# -- The smallest or the largest of several rates: a product of their survival or distribution functions ---------------


class Extreme(Law):
    """Law of the smallest (or ``largest``) of independent rates theta_k ~ Beta(a_k, b_k); exact.

    Parameters
    ----------
    a, b : array_like, shape (K,)
        Above 0.
    largest : bool
        The largest instead.

    Raises
    ------
    InvalidArgument
        Parameters that are not positive, or shapes that differ.

    Notes
    -----
    P(min > x) = prod P(theta_k > x), and max theta = 1 - min(1 - theta).

    Examples
    --------
    >>> law = Extreme([31, 4, 9], [3, 2, 3])
    >>> round(law.cdf(0.5), 4), round((1 - Extreme([4], [2]).sf(0.5)), 4)
    (0.2141, 0.1875)
    """

    def __init__(self, a: ArrayLike, b: ArrayLike, *, largest: bool = False) -> None:
        first, second = (np.atleast_1d(np.array(x, dtype=float)) for x in (a, b))
        if first.ndim != 1 or first.shape != second.shape or not len(first):
            raise InvalidArgument(f"a and b must be of one length; got {first.shape}, {second.shape}")
        if not np.all((first > 0) & (second > 0) & np.isfinite(first + second)):
            raise InvalidArgument("the parameters a and b of a Beta must be above 0")
        self._a, self._b, self._largest = first, second, largest

    @cached_property
    def _least(self) -> LeastBeta:
        return LeastBeta.of(self._b, self._a) if self._largest else LeastBeta.of(self._a, self._b)

    @property
    def error(self) -> float:
        """Bound on the error of the cdf: the rounding of a product of incomplete Beta functions."""
        return 1e-15 * len(self._a)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return 0.0, 1.0

    @property
    def mean(self) -> float:
        """Expected value."""
        mean = self._least.moments[0]
        return 1 - mean if self._largest else mean

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._least.moments[1]

    def _cdf(self, x: Floats) -> Floats:
        return self._least.sf(1 - x) if self._largest else self._least.cdf(x)

    def _sf(self, x: Floats) -> Floats:
        return self._least.cdf(1 - x) if self._largest else self._least.sf(x)

    def _pdf(self, x: Floats) -> Floats:
        return self._least.pdf(1 - x if self._largest else x)

    def _quantile(self, p: Floats) -> Floats:
        return 1 - self._least.quantile(1 - p) if self._largest else self._least.quantile(p)

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        ends = self._least.shape.highest(level)
        return (1 - ends[1], 1 - ends[0]) if self._largest and ends else ends

    @property
    def mode(self) -> float:
        """Most probable value."""
        mode = self._least.shape.mode()
        return 1 - mode if self._largest else mode

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the rates."""
        rates = np.random.default_rng(seed).beta(self._a, self._b, (n, len(self._a)))
        return np.asarray(rates.max(1) if self._largest else rates.min(1))

    def __repr__(self) -> str:
        return f"<Extreme: {'largest' if self._largest else 'smallest'} of {len(self._a)} rates, mean {self.mean:.4g}>"
