"""Confidence intervals and significance tests of counts, one function each.

Intervals of Clopper and Pearson and of Wilson, the binomial tail inversion, the test against the no-information rate,
McNemar's test of paired classifiers, Bowker's and Stuart and Maxwell's of one table, and the Normal intervals of
Carrillo et al. 2013.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, betainc, chdtrc, ndtri

from howsure.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import checked_level
from howsure.numerics.huge_beta import beta_quantile

__all__ = [
    "Pair",
    "Test",
    "bowker",
    "carrillo_intervals",
    "clopper_pearson",
    "mcnemar",
    "no_information_rate",
    "stuart_maxwell",
    "tail_inversion",
    "wilson",
]

Pair = tuple[float, float]


def clopper_pearson(right: int, cases: int, level: float = 0.95) -> Pair:
    """Exact confidence interval of a rate: the rates that neither tail of the binomial law rejects.

    Parameters
    ----------
    right, cases : int
        Successes, and trials (at least one).
    level : float
        Coverage, at least this for every true rate.

    Notes
    -----
    Clopper and Pearson 1934: quantiles (1 - level)/2 of Beta(k, n - k + 1) and (1 + level)/2 of Beta(k + 1, n - k).

    Examples
    --------
    >>> [round(x, 4) for x in clopper_pearson(6, 8)]
    [0.3491, 0.9681]
    """
    k, n = _checked(right, cases)
    tail = (1 - checked_level(level)) / 2
    low = 0.0 if k == 0 else float(beta_quantile(k, n - k + 1, tail))
    high = 1.0 if k == n else float(beta_quantile(k + 1, n - k, 1 - tail))
    return low, high


def wilson(right: int, cases: int, level: float = 0.95) -> Pair:
    """Score interval of a rate: the rates that a Normal test with their own variance does not reject.

    Notes
    -----
    Wilson 1927; without continuity correction. Its coverage is ``level`` on average, less for some rates.

    Examples
    --------
    >>> [round(x, 4) for x in wilson(6, 8)]
    [0.4093, 0.9285]
    """
    k, n = _checked(right, cases)
    z = float(ndtri((1 + checked_level(level)) / 2))
    middle = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    return 0.0 if k == 0 else middle - half, 1.0 if k == n else middle + half


def tail_inversion(wrong: int, cases: int, level: float = 0.95) -> float:
    """Upper confidence bound of an error rate: the largest that would give so few errors with 1 - level.

    Notes
    -----
    The binomial tail inversion of Langford 2005, "Tutorial on practical prediction theory for classification"; the
    upper end of a one-sided Clopper-Pearson interval.

    Examples
    --------
    >>> round(tail_inversion(0, 100), 5)  # the rule of three says 0.03
    0.02951
    """
    k, n = _checked(wrong, cases)
    return 1.0 if k == n else float(beta_quantile(k + 1, n - k, checked_level(level)))


@dataclass(frozen=True)
class Test:
    """A significance test: what it is called, its statistic (None for exact ones) and its p-value."""

    __test__ = False  # not one of pytest's

    name: str
    statistic: float | None
    freedom: int | None
    p: float


def no_information_rate(confusion: ConfusionMatrix) -> Test:
    """One-sided binomial test of the accuracy against the share of the largest class.

    Notes
    -----
    The p-value of "accuracy is no better than always naming the largest class", P(Binomial(n, share) >= right). It
    takes the share as known, although it comes from the same cases.

    Examples
    --------
    >>> round(no_information_rate(ConfusionMatrix([[6, 2], [0, 26]])).p, 4)
    0.0071
    """
    n, right = confusion.n, int(confusion.correct.sum())
    if not n:
        raise InvalidArgument("there are no cases, so there is no accuracy to test")
    share = int(confusion.class_sizes.max()) / n
    p = 1.0 if right == 0 or share == 1 else float(betainc(right, n - right + 1, share))
    return Test("accuracy above the no-information rate (binomial)", None, None, p)


def mcnemar(only_first: int, only_second: int) -> Test:
    """Exact McNemar test of two classifiers on the same cases, from those that only one of them has right.

    Parameters
    ----------
    only_first, only_second : int
        Cases that only the first, or only the second classifier has right.

    Notes
    -----
    McNemar 1947; two-sided binomial p-value at 1/2, min(1, 2 P(V <= min)). For the margins of one table see `bowker`.

    Examples
    --------
    >>> round(mcnemar(12, 5).p, 4)
    0.1435
    """
    least, total = min(only_first, only_second), only_first + only_second
    if total == 0:
        return Test("McNemar (exact)", None, None, 1.0)
    _checked(least, total)
    return Test("McNemar (exact)", None, None, min(1.0, 2 * float(bdtr(least, total, 0.5))))


def bowker(confusion: ConfusionMatrix) -> Test:
    """Bowker's test of symmetry: whether i is called j as often as j is called i.

    Notes
    -----
    Bowker 1948: the sum over i < j of (n_ij - n_ji)^2 / (n_ij + n_ji), chi-squared with one degree of freedom for each
    pair that occurs. For two classes this is what other tools print as McNemar's test of one table (without
    continuity correction): it says whether one class is named too often, not whether the classifier is good.

    Examples
    --------
    >>> test = bowker(ConfusionMatrix([[20, 10, 5], [3, 30, 15], [0, 5, 40]]))
    >>> round(test.statistic, 3), test.freedom
    (13.769, 3)
    """
    m = confusion.counts.astype(float)
    upper = np.triu_indices(len(m), 1)
    both = (m + m.T)[upper]
    occurs = both > 0
    statistic = float((((m - m.T)[upper] ** 2)[occurs] / both[occurs]).sum())
    freedom = int(occurs.sum())
    return Test(
        "Bowker (symmetry of errors)", statistic, freedom, float(chdtrc(freedom, statistic)) if freedom else 1.0
    )


def stuart_maxwell(confusion: ConfusionMatrix) -> Test:
    """Stuart and Maxwell's test of the margins: whether each class is named as often as it occurs.

    Notes
    -----
    Stuart 1955, Maxwell 1970: d' S^-1 d with d = row sums - column sums and S its covariance under the hypothesis,
    chi-squared with rank S degrees of freedom (K - 1 where all classes take part in errors).

    Examples
    --------
    >>> test = stuart_maxwell(ConfusionMatrix([[20, 10, 5], [3, 30, 15], [0, 5, 40]]))
    >>> round(test.statistic, 3), test.freedom
    (13.765, 2)
    """
    m = confusion.counts.astype(float)
    difference = m.sum(1) - m.sum(0)
    covariance = -(m + m.T)
    np.fill_diagonal(covariance, m.sum(1) + m.sum(0) - 2 * np.diag(m))
    freedom = int(np.linalg.matrix_rank(covariance)) if covariance.any() else 0
    statistic = float(difference @ np.linalg.pinv(covariance) @ difference)
    return Test("Stuart-Maxwell (margins)", statistic, freedom, float(chdtrc(freedom, statistic)) if freedom else 1.0)


def carrillo_intervals(confusion: ConfusionMatrix) -> dict[str, Pair]:
    """Normal intervals of accuracy, balanced accuracy and kappa, as Table 1 of Carrillo et al. 2013 computes them.

    Notes
    -----
    Accuracy +- 2 sqrt(a (1 - a) / (n - 1)); the *same* half width for balanced accuracy, though that is not its
    standard error; kappa +- 1.96 sqrt(a (1 - a) / n) / (1 - e) with the agreement e by chance. They leave [0, 1].

    Examples
    --------
    >>> ends = carrillo_intervals(ConfusionMatrix([[32, 0, 0], [0, 4, 0], [0, 1, 9]]))
    >>> [round(x, 3) for x in ends["accuracy"]]
    [0.935, 1.022]
    """
    m, n = confusion.counts.astype(float), confusion.n
    sizes = m.sum(1)
    if n < 2 or not sizes.all():
        raise InvalidArgument("these intervals need two or more cases, and one of each class")
    accuracy, balanced = float(np.trace(m) / n), float((np.diag(m) / sizes).mean())
    by_chance = float((sizes * m.sum(0)).sum() / n**2)
    half = 2 * math.sqrt(accuracy * (1 - accuracy) / (n - 1))
    found = {
        "accuracy": (accuracy - half, accuracy + half),
        "balanced_accuracy": (balanced - half, balanced + half),
    }
    if by_chance < 1:
        kappa = (accuracy - by_chance) / (1 - by_chance)
        half = 1.96 * math.sqrt(accuracy * (1 - accuracy) / n) / (1 - by_chance)
        found["kappa"] = (kappa - half, kappa + half)
    return found


def _checked(right: int, cases: int) -> tuple[int, int]:
    whole = all(isinstance(x, int | np.integer) and not isinstance(x, bool) for x in (right, cases))
    if not whole or not 0 <= right <= cases or cases < 1:
        raise InvalidArgument(
            f"a rate is right of cases, 0 <= right <= cases with a case at least; not {excerpt((right, cases))}"
        )
    return int(right), int(cases)
