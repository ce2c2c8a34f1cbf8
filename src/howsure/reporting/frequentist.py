"""Confidence intervals and significance tests of counts, one function each.

Intervals of Clopper and Pearson, of Wilson and on the z scale, the binomial tail inversion, tests against guesses,
McNemar's test of paired classifiers, Bowker's and Stuart and Maxwell's of one table, the Normal intervals of
Carrillo et al. 2013, and the standard error across folds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, betainc, chdtrc, ndtri

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import items, number, one_of
from howsure.laws.law import LEVEL, checked_level
from howsure.numerics.betas import beta_quantile

__all__ = [
    "Pair",
    "Test",
    "above_chance",
    "across_folds",
    "bowker",
    "carrillo_intervals",
    "chance_threshold",
    "clopper_pearson",
    "guess_accuracy",
    "mcnemar",
    "mcnemar_corrected",
    "no_information_rate",
    "stuart_maxwell",
    "tail_inversion",
    "wilson",
    "z_interval",
]

Pair = tuple[float, float]

#: Guesses that do not look at the cases.
GUESSES = ("majority", "proportional", "uniform")


def clopper_pearson(right: int, cases: int, level: float = LEVEL) -> Pair:
    """Exact confidence interval of a rate: the rates that neither tail of the binomial rejects.

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


def wilson(right: int, cases: int, level: float = LEVEL) -> Pair:
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


def tail_inversion(wrong: int, cases: int, level: float = LEVEL) -> float:
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
    p = _as_many(int(confusion.correct.sum()), confusion.n, guess_accuracy(confusion, "majority"))
    return Test("accuracy above the no-information rate (binomial)", None, None, p)


def above_chance(confusion: ConfusionMatrix) -> Test:
    """One-sided binomial test of the accuracy against guesses that name each class equally often.

    Notes
    -----
    Brodersen et al. 2010, section II: P(Binomial(n, 1/2) >= right), here 1/K for K classes. Where classes are unequal,
    naming the largest one passes it; `no_information_rate` asks for more than that.

    Examples
    --------
    >>> round(above_chance(ConfusionMatrix([[40, 5], [8, 2]])).p, 6)
    5.7e-05
    """
    p = _as_many(int(confusion.correct.sum()), confusion.n, guess_accuracy(confusion, "uniform"))
    return Test(f"accuracy above 1/{len(confusion.labels)} (binomial)", None, None, p)


def chance_threshold(cases: int, level: float = LEVEL, *, chance: float = 0.5) -> int:
    """Fewest right answers that a guess reaches with probability 1 - level at most; one more than all if none are.

    Notes
    -----
    Brodersen et al. 2010, section II: one more than the quantile F^-1(level) of Binomial(n, 1/2), in cases.

    Examples
    --------
    >>> chance_threshold(55), chance_threshold(4)
    (35, 5)
    """
    _, n = _checked(0, cases)
    if not 0 < number(chance) < 1:
        raise InvalidArgument(f"chance is a rate strictly between 0 and 1, not {excerpt(chance)}")
    tail = 1 - checked_level(level)
    low, high = 0, n + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _as_many(middle, n, chance) <= tail else (middle + 1, high)
    return low


def guess_accuracy(confusion: ConfusionMatrix, guess: str | Sequence[float] = "proportional") -> float:
    """Accuracy of guesses that do not look at the cases, sum over classes of the guess's share times the class's.

    Parameters
    ----------
    confusion : ConfusionMatrix
        Its class sizes are what is guessed.
    guess : str or sequence of K floats
        "majority" (always the largest class), "proportional" (classes as often as they occur), "uniform" (each equally
        often), or shares of your own.

    Raises
    ------
    InvalidArgument
        No case at all, or shares that are not K numbers, 0 or more, that add to 1.

    Notes
    -----
    The blog post "The problem with accuracy". Accuracy of a proportional guess: Morrison 1969.

    Examples
    --------
    >>> cm = ConfusionMatrix([[90, 0, 0], [5, 0, 0], [5, 0, 0]])
    >>> [round(guess_accuracy(cm, each), 3) for each in ("majority", "proportional", "uniform", [0.96, 0.02, 0.02])]
    [0.9, 0.815, 0.333, 0.866]
    """
    if not confusion.n:
        raise InvalidArgument("there are no cases, so there is no accuracy to compare with")
    shares = confusion.class_sizes / confusion.n
    if isinstance(guess, str):
        if one_of(guess, GUESSES, "guess") == "majority":
            return float(shares.max())
        return 1 / len(shares) if guess == "uniform" else float((shares * shares).sum())
    given = np.array([number(x) for x in items(guess, "guess", "a share for each class")])
    if given.shape != shares.shape or not np.all(given >= 0) or abs(given.sum() - 1) > 1e-9:
        raise InvalidArgument(
            f"a guess is {listing(GUESSES)}, or {len(shares)} shares that add to 1; not {excerpt(guess)}"
        )
    return float(given @ shares)


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
    if total:
        _checked(least, total)
    return Test("McNemar (exact)", None, None, min(1.0, 2 * float(bdtr(least, total, 0.5))) if total else 1.0)


def mcnemar_corrected(only_first: int, only_second: int) -> Test:
    """McNemar's test with the correction for continuity, as most programs print it next to the exact one.

    Notes
    -----
    Edwards 1948: ``(|b - c| - 1)^2 / (b + c)``, chi-squared with one degree of freedom; 0 for differences up to 1.

    Examples
    --------
    >>> test = mcnemar_corrected(12, 5)
    >>> round(test.statistic, 4), round(test.p, 4)
    (2.1176, 0.1456)
    """
    apart, total = abs(only_first - only_second), only_first + only_second
    statistic = max(apart - 1, 0) ** 2 / total if total else 0.0
    return _chi_squared("McNemar (continuity correction)", statistic, 1)


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
    return _chi_squared("Bowker (symmetry of errors)", statistic, int(occurs.sum()))


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
    return _chi_squared("Stuart-Maxwell (margins)", statistic, freedom)


def _chi_squared(name: str, statistic: float, freedom: int) -> Test:
    return Test(name, statistic, freedom, float(chdtrc(freedom, statistic)) if freedom else 1.0)


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
    values = {"accuracy": accuracy, "balanced_accuracy": balanced}
    found = {name: (value - half, value + half) for name, value in values.items()}
    if by_chance < 1:
        kappa = (accuracy - by_chance) / (1 - by_chance)
        half = 1.96 * math.sqrt(accuracy * (1 - accuracy) / n) / (1 - by_chance)
        found["kappa"] = (kappa - half, kappa + half)
    return found


def z_interval(value: float, error: float, level: float = LEVEL, *, ends: Pair = (0.0, 1.0)) -> Pair:
    """Normal interval of a number on Fisher's z scale, which keeps it inside its range.

    Parameters
    ----------
    value, error : float
        The number, strictly inside its range, and its standard error.
    level : float
        Confidence, strictly between 0 and 1.
    ends : (float, float)
        The range: (0, 1) for rates and their means, (-1, 1) for correlations such as the MCC.

    Raises
    ------
    InvalidArgument
        A number at an end of its range, where the scale has no place for it, or an error below 0.

    Notes
    -----
    The remedy that Carrillo et al. 2013, section 3.2, name for limits outside [0, 1]. z = artanh of the number laid to
    (-1, 1), with the error of the delta method: for a rate the logit interval, and for a correlation r of n cases with
    error (1 - r^2) / sqrt(n - 3) that of Fisher 1921.

    Examples
    --------
    >>> [round(x, 3) for x in z_interval(45 / 46, 0.0217)]  # +- 2 errors reach 1.022
    [0.859, 0.997]
    """
    low, high = ends
    if not low < number(value) < high or not 0 <= number(error) < math.inf:
        raise InvalidArgument(
            f"a z-transformed interval is of a number strictly between {low:g} and {high:g} and its standard error, "
            f"0 or more; not {excerpt((value, error))}. At an end use clopper_pearson, or the posterior"
        )
    z = (value - (low + high) / 2) * 2 / (high - low)
    half = float(ndtri((1 + checked_level(level)) / 2)) * error * 2 / (high - low) / (1 - z * z)
    below, above = (math.tanh(math.atanh(z) + step) for step in (-half, half))
    return low + (below + 1) * (high - low) / 2, low + (above + 1) * (high - low) / 2


def across_folds(values: Sequence[float]) -> Pair:
    """Mean of a metric over the folds of a cross-validation, and its standard error, sd / sqrt(folds).

    Notes
    -----
    Brodersen et al. 2010, sections I and II, who advise against it: it depends on how many cases a fold has, and two
    standard errors may reach above 1. Add up the matrices of the folds instead (`first + second`).

    Examples
    --------
    >>> mean, error = across_folds([1.0, 1.0, 1.0, 0.8, 1.0])
    >>> round(mean, 2), round(mean + 2 * error, 2)
    (0.96, 1.04)
    """
    given = np.array([number(x) for x in items(values, "values", "a number for each fold")])
    if len(given) < 2 or not np.all(np.isfinite(given)):
        raise InvalidArgument(f"a standard error across folds is of two or more finite numbers, not {excerpt(values)}")
    return float(given.mean()), float(given.std(ddof=1) / math.sqrt(len(given)))


def _as_many(right: int, cases: int, chance: float) -> float:
    """P(Binomial(cases, chance) >= right)."""
    if right > cases:
        return 0.0
    return 1.0 if right == 0 or chance == 1 else float(betainc(right, cases - right + 1, chance))


def _checked(right: int, cases: int) -> tuple[int, int]:
    whole = all(isinstance(x, int | np.integer) and not isinstance(x, bool) for x in (right, cases))
    if not whole or not 0 <= right <= cases or cases < 1:
        raise InvalidArgument(
            f"a rate is right of cases, 0 <= right <= cases with a case at least; not {excerpt((right, cases))}"
        )
    return int(right), int(cases)
