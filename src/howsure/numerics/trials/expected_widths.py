"""Widths that are expected after a test, and how they are calibrated by tests that are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.numerics.arrays import Floats, short_sum
from howsure.numerics.solve.highest_density.of_draws import hdi_widths

# -- Widths of highest-density intervals without a draw: of the straight part of a metric, from its first four
# cumulants.
#
# Near the posterior mean a metric is nearly a sum of its class rows and of the class shares, each a Dirichlet, and the
# cumulants of such a sum are closed. What the metric itself has besides, a small thing, is for simulation to find.


Whole = NDArray[np.int64]

#: Step of a cell, as a share of it, for the slope of a metric.
STEP = 1e-5
#: Numbers that are changed at once, few enough for a cache.
BLOCK = 100_000


def dirichlet_cumulants(alpha: Floats, slopes: Floats) -> Floats:
    """Second to fourth cumulants (3, ...) of ``sum_j a_j theta_j``, theta ~ Dirichlet(alpha), of shapes (..., J).

    With S_r the sum of ``alpha_j (a_j - mean)^r`` and A the mass, the central moments are
    ``S_2/(A)_2, 2 S_3/(A)_3, (6 S_4 + 3 S_2^2)/(A)_4`` over rising factorials.
    """
    # whole numbers would overflow in the fourth power of a mass
    alpha = np.asarray(alpha, dtype=np.float64)
    mass = short_sum(alpha) if alpha.shape[-1] < 8 else alpha.sum(-1)
    centred = slopes - (np.einsum("...j,...j->...", alpha, slopes) / mass)[..., None]
    square = centred * centred
    weighted = alpha * square
    two = weighted.sum(-1)
    three, four = np.einsum("...j,...j->...", weighted, centred), np.einsum("...j,...j->...", weighted, square)
    second = two / (mass * (mass + 1))
    third = 2 * three / (mass * (mass + 1) * (mass + 2))
    fourth = (6 * four + 3 * two**2) / (mass * (mass + 1) * (mass + 2) * (mass + 3)) - 3 * second**2
    return np.stack([second, third, fourth])


def recall_sum_cumulants(right: Whole, cases: Whole, prior: tuple[float, float], weights: Floats) -> Floats:
    """The same of ``sum_i w_i recall_i`` after each test, (R, K) right answers and cases to (3, R)."""
    alpha = np.stack([right + prior[0], cases - right + prior[1]], axis=-1)
    slopes = np.stack([weights, np.zeros_like(weights)], axis=-1)
    return np.asarray(dirichlet_cumulants(alpha, slopes).sum(-1))


def width_of_cumulants(cumulants: Floats, level: float) -> tuple[Floats, Floats]:
    """Width of the highest-density interval by Cornish and Fisher, and a size of what that leaves out, shape (R,) each.

    Of second to fourth cumulants, shape (3, R). A shift of both tails by a third of the skewness makes the central
    interval the shortest one, to this order: ``2 z sd (1 + excess (z^2 - 3)/24 - skew^2 (2 z^2 - 3)/36)``. Of sums of
    two Betas, 95%, the width is wrong by less than 0.3 times the second number, and by less than 4% where that is
    large.
    """
    z = float(ndtri((1 + level) / 2))
    sd = np.sqrt(cumulants[0])
    with np.errstate(invalid="ignore", divide="ignore"):
        skew, excess = cumulants[1] / sd**3, cumulants[2] / sd**4
    grown = excess * (z * z - 3) / 24 - skew**2 * (2 * z * z - 3) / 36
    return 2 * z * sd * np.exp(grown), (skew**2 + np.abs(excess)) ** 2


@dataclass(frozen=True, eq=False)
class StraightPart:
    """The straight part of a metric at the posterior mean of each of R tests."""

    cumulants: Floats  # (3, R), second to fourth
    slopes: Floats  # (R, K, K), of the metric, by each cell of the joint table
    of_shares: Floats  # (R, K), of the metric, by the share of each class, its row held
    shares: Floats  # (R, K), mean shares of the classes
    known: bool  # whether these are known

    @classmethod
    def of(
        cls, metric: Callable[[Floats], Floats], counts: Whole, prior: Floats, share_prior: float, known: Floats | None
    ) -> StraightPart:
        """Of counts (R, K, K), pseudo-counts (K, K), and shares: known ones (K,) or (R, K), or learned."""
        alpha = counts + prior
        rows = alpha / alpha.sum(-1, keepdims=True)
        cases = counts.sum(-1) + share_prior
        shares = cases / cases.sum(-1, keepdims=True) if known is None else np.broadcast_to(known, cases.shape)
        slopes = _slopes(metric, shares[..., None] * rows)
        of_shares = (rows * slopes).sum(-1)
        cumulants = dirichlet_cumulants(alpha, shares[..., None] * slopes).sum(-1)
        if known is None:
            cumulants += dirichlet_cumulants(cases, of_shares)
        return cls(cumulants, slopes, of_shares, np.asarray(shares), known is not None)

    def drawn(self, tables: Floats, start: int) -> Floats:
        """Its draws up to a constant, from joint tables (r, draws, K, K) of the tests from ``start`` on."""
        here = slice(start, start + len(tables))
        if self.known:
            return np.asarray(np.einsum("rdij,rij->rd", tables, self.slopes[here]))
        shares = short_sum(tables)
        drawn = np.einsum("rdij,rij->rdi", tables, self.slopes[here]) / shares
        return np.asarray(
            np.einsum("rdi,ri->rd", drawn, self.shares[here]) + np.einsum("rdi,ri->rd", shares, self.of_shares[here])
        )


def _slopes(metric: Callable[[Floats], Floats], tables: Floats) -> Floats:
    slopes, size = np.empty_like(tables), tables.shape[-1]
    step = max(1, BLOCK // size**2)
    for start in range(0, len(tables), step):
        some = tables[start : start + step].copy()
        middle = metric(some)
        for i, j in np.ndindex(size, size):
            held = some[:, i, j].copy()
            moved = held * (1 + STEP)
            some[:, i, j] = moved
            # a cell that is 0 for certain does not move, nor does the metric by it
            slopes[start : start + step, i, j] = np.divide(
                metric(some) - middle, moved - held, out=np.zeros_like(held), where=moved > held
            )
            some[:, i, j] = held
    return slopes


# -- What simulated tests say about widths that were expected without a draw: by how much they differ, and how surely --


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
    """Excess of the log widths of R tests, from the same draws (R, S) of the metric and of its straight part.

    Noise of the draws that both widths have is taken out (a control variate): halves of the draws say how much. The
    second answer is what the straight widths (R,) are wrong by, for each unit of ``left_out`` up to 1, and the standard
    error of that; before the draws are seen it is 0, give or take `LEFT_OUT`.
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
    """Excess of log widths as a linear function of features, with what is left of single tests."""

    coefficients: Floats  # (P,), of the posterior of a linear model
    covariance: Floats  # (P, P)
    left: Floats  # (R,), residuals, without what the noise of draws adds to their spread
    doubt: float  # standard error of the variance of these

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
