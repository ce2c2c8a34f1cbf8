"""What simulated tests say about widths that were expected without a draw: by how much they differ, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.highest_density.of_draws import hdi_widths

__all__ = ["Calibration", "Found", "controlled", "uncontrolled"]

#: Share by which the width of a straight part may be wrong, for each unit of what its expansion leaves out.
LEFT_OUT = 0.15
#: Variance of a log width below which nothing is told apart.
TINY = 1e-14


@dataclass(frozen=True, eq=False)
class Found:
    """What some tests showed: log width less its expected value (R,), what it may depend on (R, P), noise variance."""

    excess: Floats
    features: Floats
    noise: float = 0.0

    @classmethod
    def together(cls, several: Sequence[Found]) -> Found:
        """All of them as one."""
        many = np.array([len(each.excess) for each in several])
        return cls(
            np.concatenate([each.excess for each in several]),
            np.concatenate([each.features for each in several]),
            float(np.average([each.noise for each in several], weights=many)),
        )


def controlled(
    metric: Floats, straight: Floats, expected: Floats, left_out: Floats, level: float
) -> tuple[Found, Floats]:
    """Excess of the log widths of R tests, from draws (R, S) of the metric and of its straight part.

    Parameters
    ----------
    metric, straight : ndarray, shape (R, S)
        The same draws.
    expected, left_out : ndarray, shape (R,)
        Log width of the straight part, by expansion, and the size of what that leaves out.
    level : float
        Of the intervals.

    Returns
    -------
    Found
        Without features. Noise of the draws that both widths have is taken out (a control variate): halves of the
        draws say how much of it they share.
    error : ndarray, shape (2,)
        What the straight widths are wrong by, for each unit of ``left_out`` up to 1, and the standard error of that.
        Before the draws are seen it is 0, give or take `LEFT_OUT`.
    """
    wide, wide_noise, _ = _log_widths(metric, level)
    line, line_noise, line_bias = _log_widths(straight, level)
    shared = float((wide_noise * line_noise).sum() / max(float((line_noise**2).sum()), 1e-300))
    noise = float(np.mean((wide_noise - shared * line_noise) ** 2)) / 4
    excess = wide - expected - shared * (line - expected)
    size = np.minimum(left_out, 1.0)
    missed = line - line_bias - expected
    precision = float((size**2).sum()) / max(float(np.mean((missed - missed.mean()) ** 2)), 1e-300)
    mean = float((size * missed).sum()) / max(float((size**2).sum()), 1e-300)
    total = precision + LEFT_OUT**-2
    return Found(excess, np.empty((len(excess), 0)), noise), shared * np.array([mean * precision / total, total**-0.5])


def uncontrolled(metric: Floats, expected: Floats, level: float) -> Found:
    """Excess of the log widths of R tests over the expected ones, from draws (R, S); see `halved_noise`."""
    wide, noise, bias = _log_widths(metric, level)
    # the bias of a width of half the draws is twice that of all; taken out test by test it would double the noise
    return Found(wide - float(bias.mean()) - expected, np.empty((len(wide), 0)), float(np.mean(noise**2)) / 4)


def _log_widths(draws: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Log widths of R tests, difference of those of both halves of the draws, and the bias by the halves, (R,) each."""
    half = draws.shape[1] // 2
    with np.errstate(divide="ignore"):
        whole, first, second = (np.log(hdi_widths(part, level)) for part in (draws, draws[:, :half], draws[:, half:]))
    return whole, first - second, (first + second) / 2 - whole


@dataclass(frozen=True, eq=False)
class Calibration:
    """Excess of log widths as a linear function of features, with what is left of single tests.

    Parameters
    ----------
    coefficients, covariance : ndarray, shape (P,), (P, P)
        Of the posterior of a linear model.
    left : ndarray, shape (R,)
        Residuals of the tests, without what the noise of draws adds to their spread.
    doubt : float
        Standard error of the variance of these.
    """

    coefficients: Floats
    covariance: Floats
    left: Floats
    doubt: float

    @classmethod
    def of(cls, found: Found, before: Floats) -> Calibration:
        """Fit, each coefficient being 0 give or take the sd ``before`` (P,) as long as nothing is known."""
        x, y = found.features, found.excess
        square = x.T @ x
        rough = np.linalg.pinv(square, rcond=1e-10, hermitian=True)
        left = y - x @ (rough @ (x.T @ y))
        variance = float(left @ left) / max(1.0, len(y) - float(np.trace(rough @ square)))
        variance = max(variance, found.noise, TINY)
        covariance = np.asarray(np.linalg.inv(square / variance + np.diag(before**-2.0)), dtype=np.float64)
        coefficients = covariance @ (x.T @ y) / variance
        residuals = y - x @ coefficients
        spread = max(variance - found.noise, 0.0)
        shrunk = np.asarray((residuals - residuals.mean()) * (spread / variance) ** 0.5)
        return cls(coefficients, covariance, shrunk, float(variance * (2 / len(y)) ** 0.5))

    @property
    def spread(self) -> float:
        """Standard deviation of what the features do not say of a test."""
        return float(np.sqrt(np.mean(self.left**2)))

    def moved_by(self, found: Found) -> Calibration:
        """The same function, higher by what a few tests elsewhere say; for sizes that nothing is proven at."""
        shift = float(np.mean(found.excess - found.features @ self.coefficients))
        first = np.arange(len(self.coefficients)) == 0
        return replace(self, coefficients=self.coefficients + shift * first)

    def __call__(self, features: Floats, rng: np.random.Generator) -> Floats:
        """Excess of other tests with these features (N, P), shape (N,)."""
        return np.asarray(features @ self.coefficients + rng.choice(self.left, len(features)))

    def error(self, features: Floats) -> float:
        """Standard error of the function at the mean of these features (N, P)."""
        at = features.mean(axis=0)
        return float(np.sqrt(max(float(at @ self.covariance @ at), 0.0)))
