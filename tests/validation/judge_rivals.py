"""What others do with few true labels and many verdicts: their formulas, written once more, of counts.

Counts are arrays with one row for each simulated data set: ``labelled`` of shape (R, V, 2), cases of each verdict
whose truth is 0 and 1, and ``rest`` of shape (R, V), cases of each verdict without a label. ``score`` (V,) is what a
verdict says as a number. Every function gives the ends of a 95% interval of the share of truth 1, shape (R,) each,
NaN where the method has no answer; ``benchmarks/judges.py`` compares them with the packages.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]
Rival = Callable[[Floats, Floats, Floats], Ends]

Z = float(special.ndtri(0.975))


def human(labelled: Floats, rest: Floats, score: Floats) -> Ends:
    """The labels alone, the judge thrown away: Beta(1 + passes, 1 + fails)."""
    wrong, right = labelled[:, :, 0].sum(1), labelled[:, :, 1].sum(1)
    return special.betaincinv(right + 1, wrong + 1, 0.025), special.betaincinv(right + 1, wrong + 1, 0.975)


def naive(labelled: Floats, rest: Floats, score: Floats) -> Ends:
    """The verdicts alone, as if the judge were never wrong: Wilson's interval of the mean score."""
    total = labelled.sum(2) + rest
    return wilson((total @ score), total.sum(1))


def wilson(k: Floats, n: Floats) -> Ends:
    """Wilson's interval of a share."""
    middle = (k + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * np.sqrt(k * (n - k) / n + Z * Z / 4)
    return middle - half, middle + half


def _moments(labelled: Floats, rest: Floats, score: Floats) -> tuple[Floats, ...]:
    """Means and variances (divided by the number of cases) of label and score, and their covariance."""
    n, rows = labelled.sum((1, 2)), labelled.sum(2)
    y, f = labelled[:, :, 1].sum(1) / n, rows @ score / n
    cov = labelled[:, :, 1] @ score / n - y * f
    size = rest.sum(1)
    mean = rest @ score / size
    return n, y, y * (1 - y), f, rows @ score**2 / n - f * f, cov, size, mean, rest @ score**2 / size - mean**2


def _powered(labelled: Floats, rest: Floats, score: Floats, tuned: bool, sample: bool) -> Ends:
    """Prediction-powered mean: the judge's mean on the rest, plus what it is off by on the labelled cases."""
    n, y, var_y, f, var_f, cov, size, mean, var_rest = _moments(labelled, rest, score)
    factor, other = (n / (n - 1), size / (size - 1)) if sample else (1.0, 1.0)
    lam = np.ones(len(n))
    if tuned:
        both = labelled.sum(2) + rest
        at = both @ score / both.sum(1)
        spread = (both @ score**2 / both.sum(1) - at * at) * both.sum(1) / (both.sum(1) - 1)
        if sample:
            spread = var_rest * other
        with np.errstate(invalid="ignore", divide="ignore"):
            lam = np.where(spread > 0, np.clip(cov * factor / ((1 + n / size) * spread), 0, 1), 0.0)
    point = lam * mean + y - lam * f
    spread = (var_y - 2 * lam * cov + lam**2 * var_f) * factor / n + lam**2 * var_rest * other / size
    half = Z * np.sqrt(np.maximum(spread, 0))
    return point - half, point + half


def ppi(labelled: Floats, rest: Floats, score: Floats) -> Ends:
    """Angelopoulos et al. 2023, prediction-powered inference: lambda = 1."""
    return _powered(labelled, rest, score, tuned=False, sample=False)


def ppi_tuned(labelled: Floats, rest: Floats, score: Floats) -> Ends:
    """Angelopoulos, Duchi and Zrnic 2023, PPI++: lambda from the data, as ppi-python 0.2.3 has it."""
    return _powered(labelled, rest, score, tuned=True, sample=False)


def truescore(labelled: Floats, rest: Floats, score: Floats) -> Ends:
    """PPI++ as truescore 0.7.4 has it: as wide as Wilson's where fewer than five labels are of one kind."""
    low, high = _powered(labelled, rest, score, tuned=True, sample=True)
    n, k = labelled.sum((1, 2)), labelled[:, :, 1].sum(1)
    bottom, top = wilson(k, n)
    half = np.where(np.minimum(k, n - k) < 5, np.maximum((high - low) / 2, (top - bottom) / 2), (high - low) / 2)
    return (low + high) / 2 - half, (low + high) / 2 + half


def lang_reiczigel(labelled: Floats, rest: Floats, score: Floats) -> Ends:
    """Lang and Reiczigel 2014, equations of the abstract, rates from the same labels; two verdicts."""
    total = labelled.sum(2) + rest
    n = total.sum(1) + Z * Z
    p = (total[:, 1] + Z * Z / 2) / n
    negatives, positives = ((labelled[:, side, side], labelled[:, :, side].sum(1)) for side in (0, 1))
    (q0, m0), (q1, m1) = (((right + 1) / (size + 2), size + 2) for right, size in (negatives, positives))
    slope = q0 + q1 - 1
    theta = (p + q0 - 1) / slope
    shift = 2 * Z * Z * (theta * q1 * (1 - q1) / m1 - (1 - theta) * q0 * (1 - q0) / m0)
    variance = p * (1 - p) / n + (1 - theta) ** 2 * q0 * (1 - q0) / m0 + theta**2 * q1 * (1 - q1) / m1
    half = Z * np.sqrt(variance) / np.abs(slope)
    return theta + shift - half, theta + shift + half


def rogan_gladen(labelled: Floats, rest: Floats, score: Floats) -> Ends:
    """Rogan-Gladen by the delta method, clipped, as truescore 0.7.4 has it; NaN where it refuses."""
    total = labelled.sum(2) + rest
    n0, n1 = labelled[:, :, 0].sum(1), labelled[:, :, 1].sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        spec, sens, n = labelled[:, 0, 0] / n0, labelled[:, 1, 1] / n1, total.sum(1)
        p, slope = total[:, 1] / n, labelled[:, 0, 0] / n0 + labelled[:, 1, 1] / n1 - 1
        theta = (p + spec - 1) / slope
        rates = theta**2 * sens * (1 - sens) / n1 + (1 - theta) ** 2 * spec * (1 - spec) / n0
        half = Z * np.sqrt(p * (1 - p) / n + rates) / slope
    refused = (n0 == 0) | (n1 == 0) | ~(slope > 0)
    low, high = np.clip(theta - half, 0, 1), np.clip(theta + half, 0, 1)
    return np.where(refused, np.nan, low), np.where(refused, np.nan, high)


def judgy(labelled: Floats, rest: Floats, score: Floats, resamples: int = 1_000) -> Ends:
    """Rogan-Gladen with a bootstrap of the labelled cases, clipped, as judgy 0.1.0 has it; NaN where it refuses."""
    rng = np.random.default_rng(0)
    low, high = np.full(len(rest), np.nan), np.full(len(rest), np.nan)
    for i, (table, others) in enumerate(zip(labelled, rest, strict=True)):
        observed = others[1] / others.sum()
        n0, n1 = table.sum(0)
        if min(n0, n1) == 0 or table[0, 0] / n0 + table[1, 1] / n1 <= 1:
            continue
        drawn = rng.multinomial(int(n0 + n1), table.ravel() / (n0 + n1), resamples).reshape(-1, 2, 2).astype(float)
        sizes = drawn.sum(1)
        drawn, sizes = drawn[sizes.min(1) > 0], sizes[sizes.min(1) > 0]
        spec, sens = drawn[:, 0, 0] / sizes[:, 0], drawn[:, 1, 1] / sizes[:, 1]
        better = spec + sens > 1
        values = np.clip((observed + spec[better] - 1) / (spec + sens - 1)[better], 0, 1)
        if len(values):
            low[i], high[i] = np.percentile(values, [2.5, 97.5])
    return low, high


def poststratified(labelled: Floats, rest: Floats, score: Floats) -> Ends:
    """Mean within each verdict, weighted by the shares of the verdicts; normal, NaN where a verdict has no label."""
    total, n = labelled.sum(2) + rest, labelled.sum(2)
    q = total / total.sum(1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = labelled[:, :, 1] / n
        point = (q * r).sum(1)
        variance = (q**2 * r * (1 - r) / n).sum(1) + ((q * r**2).sum(1) - point**2) / total.sum(1)
        half = Z * np.sqrt(np.maximum(variance, 0))
    return point - half, point + half
