"""A law moved and stretched, and rates that were measured elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from howsure.laws.computed_law import EstimatedLaw, in_words
from howsure.laws.law import SEED, Law, Route
from howsure.numerics.arrays import Floats
from howsure.numerics.carried_prevalence import CarriedNumbers, compatible, worse_than_chance
from howsure.numerics.solve.roots import shortest_interval
from howsure.numerics.two_by_two.lines import normal_rule

# -- A monotone function of a number whose law is known: 1 / J, a square root, a gain ----------------------------------


#: Step in Normal scores of the rule for moments; its nodes leave out 7e-9 of the mass.
STEP = 0.2


@dataclass(frozen=True)
class Monotone:
    """A function that never falls or, with ``rises=False``, never rises."""

    there: Callable[[Floats], Floats]  # the function, on arrays; of the module level, so that laws can be pickled
    back: Callable[[Floats], Floats]  # its inverse
    slope: Callable[[Floats], Floats]  # size of the derivative of ``back``
    support: tuple[float, float]  # where its values lie
    rises: bool = True
    straight: bool = False  # under a straight line what is densest stays so


class Transformed(Law):
    """Law of ``g(X)`` for a monotone ``g``; as exact as that of X.

    Parameters
    ----------
    law : Law
        Of X, without atoms.
    curve : Monotone
        The function.
    moments : (float, float), optional
        Mean and standard deviation where they are closed. Without them the values at the quantiles of X are
        averaged by the trapezoid rule in Normal scores, which leaves out 7e-9 of the mass: where g is infinite on
        more of it than that, the mean is infinite.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> root = Transformed(Beta(4, 9), Monotone(np.sqrt, np.square, lambda y: 2 * y, (0, 1)))
    >>> abs(root.median**2 - Beta(4, 9).median) < 1e-12, round(root.mean, 4)
    (True, 0.5429)
    """

    def __init__(self, law: Law, curve: Monotone, *, moments: tuple[float, float] | None = None) -> None:
        self._of, self._curve = law, curve
        if moments is not None:
            self.__dict__["_moments"] = moments

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """That of the law of X."""
        return self._of.route

    @property
    def error(self) -> float:
        """Error of the cdf: that of the law of X."""
        return self._of.error

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return self._curve.support

    @property
    def mean(self) -> float:
        """Expected value."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._moments[1]

    @cached_property
    def _moments(self) -> tuple[float, float]:
        z, weight = normal_rule(STEP)
        values = self._quantile(np.asarray(ndtr(z)))
        if not np.isfinite(values).all():
            return float(weight @ np.where(weight > 0, values, 0.0)), np.inf
        mean = float(weight @ values)
        return mean, float(np.sqrt(weight @ (values - mean) ** 2))

    def _cdf(self, x: Floats) -> Floats:
        low, high = self.support
        at = self._curve.back(np.clip(x, low, high))
        inside = self._of._cdf(at) if self._curve.rises else self._of._sf(at)
        return np.where(x < low, 0.0, np.where(x >= high, 1.0, inside))

    def _sf(self, x: Floats) -> Floats:
        low, high = self.support
        at = self._curve.back(np.clip(x, low, high))
        inside = self._of._sf(at) if self._curve.rises else self._of._cdf(at)
        return np.where(x < low, 1.0, np.where(x >= high, 0.0, inside))

    def _pdf(self, x: Floats) -> Floats:
        low, high = self.support
        inside = (x >= low) & (x <= high) & np.isfinite(x)
        result = np.zeros(np.shape(x))
        with np.errstate(divide="ignore", invalid="ignore"):
            density = self._of._pdf(self._curve.back(x[inside])) * self._curve.slope(x[inside])
        result[inside] = np.nan_to_num(density, nan=0.0, posinf=np.inf)
        return result

    def _quantile(self, p: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return self._curve.there(self._of._quantile(p if self._curve.rises else 1 - p))

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        if not self._curve.straight:
            return shortest_interval(self._quantile, level, points=25)
        ends = self._of._hdi(level)
        if ends is None:
            return None
        first, last = self._curve.there(np.array(ends)).tolist()
        return (first, last) if self._curve.rises else (last, first)

    @property
    def mode(self) -> float:
        """Most probable value."""
        return float(self._curve.there(np.array(self._of.mode))) if self._curve.straight else super().mode

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing X."""
        with np.errstate(divide="ignore"):
            return self._curve.there(self._of.sample(n, seed=seed))

    def __repr__(self) -> str:
        return f"<Transformed: of {self._of!r}, mean {self.mean:.4g}>"


# -- The prevalence among cases of which only verdicts are known, by a judge that was calibrated elsewhere -------------


class CarriedPrevalence(EstimatedLaw):
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
