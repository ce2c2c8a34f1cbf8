"""DeLong's test of two areas under ROC curves, on the same cases or on separate ones."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from howsure.numerics.arrays import Booleans, Floats
from howsure.numerics.curves.placements import placement_covariance

__all__ = ["AreaTest", "area_test", "separate_area_test"]


class AreaTest(NamedTuple):
    """Two areas, their difference with its standard error, z, and the two-sided p-value.

    ``df`` is None of the same cases, where z is Normal; of separate sets z is Student's t with so many degrees.
    """

    areas: tuple[float, float]
    difference: float
    standard_error: float
    z: float | None
    p_value: float | None
    df: float | None = None

    def interval(self, level: float) -> tuple[float, float]:
        """Confidence interval of the difference: plus and minus standard errors."""
        upper = (1 + level) / 2
        reach = float(ndtri(upper) if self.df is None else stdtrit(self.df, upper)) * self.standard_error
        return self.difference - reach, self.difference + reach


def area_test(positive: Booleans, scores: Floats) -> AreaTest:
    """Paired test: both scores are of the same cases.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
        Two cases of each class or more.
    scores : ndarray, shape (2, n)

    Returns
    -------
    AreaTest
        z and the p-value are None where the difference has no variance, as of scores in the same order.

    Notes
    -----
    DeLong, DeLong and Clarke-Pearson 1988, equation 5 and after.

    Examples
    --------
    >>> positive = np.array([0, 0, 0, 1, 1, 1], bool)
    >>> made = area_test(positive, np.array([[1, 2, 3, 4, 5, 6], [1, 5, 2, 3, 4, 6.0]]))
    >>> round(made.difference, 4), round(made.z, 4)
    (0.2222, 0.8944)
    """
    areas, covariance = placement_covariance(positive, scores)
    return _test(areas, float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]))


def separate_area_test(sets: tuple[tuple[Booleans, Floats], tuple[Booleans, Floats]]) -> AreaTest:
    """The same for two test sets: variances add up, and t has the degrees of freedom of Welch, as in pROC.

    Notes
    -----
    Robin et al. 2011 (``roc.test`` of pROC): each set counts with all its cases less one (Satterthwaite 1946).
    """
    known = [placement_covariance(positive, scores[None, :]) for positive, scores in sets]
    variances = [float(covariance[0, 0]) for _, covariance in known]
    made = _test(np.array([areas[0] for areas, _ in known]), sum(variances))
    if made.z is None:
        return made
    again = sum(v**2 / (len(positive) - 1) for v, (positive, _) in zip(variances, sets, strict=True))
    df = sum(variances) ** 2 / again
    return made._replace(df=df, p_value=float(2 * stdtr(df, -abs(made.z))))


def _test(areas: Floats, variance: float) -> AreaTest:
    a, b = areas.tolist()
    error = math.sqrt(max(variance, 0.0))
    if error < 1e-12:
        return AreaTest((a, b), a - b, 0.0, None, None)
    z = (a - b) / error
    return AreaTest((a, b), a - b, error, z, float(2 * ndtr(-abs(z))))
