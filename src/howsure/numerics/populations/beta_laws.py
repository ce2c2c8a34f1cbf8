"""Laws made of Betas: mixtures, the least of several, which of two is the greater, Gauss rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import special
from scipy.special import betainc, betaincc, expit

from howsure.numerics.arrays import Booleans, Floats
from howsure.numerics.betas import beta_cdf, beta_sf, log_peaks, log_ratio
from howsure.numerics.solve import Peaks, bisect_increasing, grid_of_parts

# -- A mixture of shifted and scaled Betas, all components at once, and how to join some of them -----------------------

# F(x) = sum_k w_k I_theta_k(a_k, b_k),    theta_k = (x - low_k) / width_k


#: Numbers held at a time, components times points.
BLOCK = 1_000_000


@dataclass(frozen=True, eq=False)
class BetaMixture:
    """Law of ``low_k + width_k theta``, ``theta ~ Beta(a_k, b_k)``, by ``weights_k``; exact far out in both tails."""

    weights: Floats
    a: Floats
    b: Floats
    low: Floats
    width: Floats

    def moved(self, factor: float, shift: float) -> BetaMixture:
        """Law of ``factor X + shift``, ``factor`` not 0."""
        if factor > 0:
            return replace(self, low=factor * self.low + shift, width=factor * self.width)
        return replace(
            self, a=self.b, b=self.a, low=factor * (self.low + self.width) + shift, width=-factor * self.width
        )

    # -- moments --------------------------------------------------------------------------------------------

    @cached_property
    def means(self) -> Floats:
        """Mean of each component."""
        return self.low + self.width * self._p

    @cached_property
    def sds(self) -> Floats:
        """Standard deviation of each component."""
        n = self.a + self.b
        return self.width * np.sqrt(self._p * (self.b / n) / (n + 1))

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return float(self.low.min()), float((self.low + self.width).max())

    # -- the law --------------------------------------------------------------------------------------------

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)``."""
        return self._over_points(lambda t: self.weights @ special.betainc(self._a, self._b, self._theta(t)), x)

    def sf(self, x: Floats) -> Floats:
        """``P(X > x)``."""
        return self._over_points(lambda t: self.weights @ _survival(self._a, self._b, self._theta(t)), x)

    def pdf(self, x: Floats) -> Floats:
        """Density, at the ends of a component its limit, which may be infinite."""
        return self._over_points(lambda t: self._shares @ self._densities_with_ends(t), x)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative."""
        return self.cdf(x), *self.density(x)

    def density(self, x: Floats) -> tuple[Floats, Floats]:
        """Density and its derivative, without the distribution function, which is ten times as dear."""
        both = self._over_points(self._density_and_slope, x)
        return both[..., 0], both[..., 1]

    # -- arrays (components, points) ------------------------------------------------------------------------

    @cached_property
    def _p(self) -> Floats:
        return self.a / (self.a + self.b)

    @cached_property
    def _a(self) -> Floats:
        return self.a[:, None]

    @cached_property
    def _b(self) -> Floats:
        return self.b[:, None]

    @cached_property
    def _shares(self) -> Floats:
        return self.weights / self.width

    @cached_property
    def _peaks(self) -> Floats:
        return log_peaks(self.a, self.b)[:, None]

    def _over_points(self, function: Callable[[Floats], Floats], x: Floats) -> Floats:
        """Apply to points of any shape, a block at a time; a second axis of the result stays last."""
        flat = np.asarray(x, dtype=float).ravel()
        step = max(1, BLOCK // len(self.a))
        parts = [function(flat[i : i + step]) for i in range(0, max(1, len(flat)), step)]
        joined = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return joined.reshape(np.shape(x) + joined.shape[1:])

    def _theta(self, x: Floats) -> Floats:
        theta: Floats = (x - self.low[:, None]) / self.width[:, None]
        return np.clip(theta, 0.0, 1.0, out=theta)

    def _densities(self, theta: Floats) -> Floats:
        """Density of each Beta strictly between 0 and 1, from the deviance relative to its mean."""
        p = self._p[:, None]
        with np.errstate(under="ignore"):
            bulk = np.exp(self._peaks + self._a * log_ratio(theta, p) + self._b * log_ratio(1 - theta, 1 - p))
        return np.asarray(bulk / (theta * (1 - theta)))

    def _inner(self, x: Floats) -> tuple[Floats, Floats, Booleans]:
        """Theta with 1/2 in place of all that is not strictly inside, the densities, and what is inside."""
        theta = self._theta(x)
        inside = (theta > 0) & (theta < 1)
        theta[~inside] = 0.5
        f = self._densities(theta)
        f[~inside] = 0.0
        return theta, f, inside

    def _densities_with_ends(self, x: Floats) -> Floats:
        _, f, inside = self._inner(x)
        if not inside.all():
            low = self.low[:, None]
            for end, exponent, other in ((low, self._a, self._b), (low + self.width[:, None], self._b, self._a)):
                limit = np.where(exponent < 1, np.inf, np.where(exponent == 1, other, 0.0))
                f = np.where(x == end, limit, f)
        return f

    def _density_and_slope(self, x: Floats) -> Floats:
        theta, f, _ = self._inner(x)
        slope = f * ((self._a - 1) * (1 - theta) - (self._b - 1) * theta) / (theta * (1 - theta))
        return np.stack((self._shares @ f, (self._shares / self.width) @ slope), axis=-1)


def _survival(a: Floats, b: Floats, theta: Floats) -> Floats:
    """``1 - I_theta(a, b)`` with its digits; ``betaincc``, ten times as dear as ``betainc``, only where it must be."""
    a, b, theta = np.broadcast_arrays(a, b, theta)
    made, upper = np.empty(theta.shape), theta >= 0.5
    made[upper] = special.betainc(b[upper], a[upper], 1 - theta[upper])  # a difference without rounding
    lower = np.flatnonzero(~upper)
    a, b, theta = a.ravel()[lower], b.ravel()[lower], theta.ravel()[lower]
    above = 1 - special.betainc(a, b, theta)
    small = ~(above > 0.5)
    above[small] = special.betaincc(a[small], b[small], theta[small])
    made.ravel()[lower] = above
    return made


# -- The least of independent Betas: P(min > x) is the product of P(theta_k > x) ---------------------------------------


#: Above this distribution function log P(theta > x) is taken from the survival function, below from this.
UPPER = 0.9

#: Mass beyond either end of the range over which moments are summed.
BEYOND_LEAST = 1e-13

PANELS_OF_LEAST_BETA, NODES_OF_LEAST_BETA = 16, 16


@dataclass(frozen=True, eq=False)
class LeastBeta:
    """Law of ``min_k theta_k``, independent ``theta_k ~ Beta(a_k, b_k)``, ``copies`` of each; good in both tails."""

    a: Floats
    b: Floats
    copies: Floats

    @classmethod
    def of(cls, a: Floats, b: Floats) -> LeastBeta:
        """Count equal Betas, so that they are computed once."""
        pairs, copies = np.unique(np.stack([a, b]), axis=1, return_counts=True)
        return cls(pairs[0], pairs[1], copies.astype(float))

    def cdf(self, x: Floats) -> Floats:
        """P(min <= x)."""
        return np.asarray(-np.expm1(self._log_sf(x)))

    def sf(self, x: Floats) -> Floats:
        """P(min > x)."""
        return np.asarray(np.exp(self._log_sf(x)))

    def pdf(self, x: Floats) -> Floats:
        """Density; at 0 and 1 what it tends to, which may be infinite."""
        inside = (x > 0) & (x < 1)
        result = np.where(x == 0, self.ends[0], np.where(x == 1, self.ends[1], 0.0))
        result[inside] = self.evaluate(x[inside])[1]
        return np.asarray(result)

    def quantile(self, p: Floats) -> Floats:
        """Inverse of the distribution function."""
        return self.shape.quantile(p)

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation, from the survival function."""
        low, high = bisect_increasing(self.cdf, np.array([BEYOND_LEAST, 1 - BEYOND_LEAST]), 0.0, 1.0).tolist()
        nodes, weights = np.polynomial.legendre.leggauss(NODES_OF_LEAST_BETA)
        t = ((np.arange(PANELS_OF_LEAST_BETA)[:, None] + (nodes + 1) / 2) / PANELS_OF_LEAST_BETA).ravel()
        dt = np.tile(weights / (2 * PANELS_OF_LEAST_BETA), PANELS_OF_LEAST_BETA)
        # a density may be a power of the distance to an end: there the points are dense
        above, step = (high - low) * t * t * (3 - 2 * t), (high - low) * 6 * t * (1 - t) * dt
        left = step * self.sf(low + above)
        first, second = float(left.sum()), float((2 * above * left).sum())
        return low + first, float(np.sqrt(max(second - first * first, 0.0)))

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Density at 0 and at 1: powers min(a) - 1 of x and sum(b) - 1 of 1 - x decide."""
        low = np.inf if (self.a < 1).any() else float(np.where(self.a == 1, self.b, 0.0) @ self.copies)
        power = float(self.b @ self.copies)
        if power > 1:
            return low, 0.0
        return low, float(self.a[0]) if power == self.copies.sum() == 1 else np.inf

    @cached_property
    def shape(self) -> Peaks:
        """Newton's view of the law."""
        mean, sd = self.moments
        grid = partial(grid_of_parts, self._density, np.array([mean]), np.array([sd]), (0.0, 1.0))
        return Peaks(self.evaluate, self._density, self.cdf, grid, (0.0, 1.0), self.ends, sd)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' from the hazards f_k / S_k, strictly between 0 and 1."""
        step = max(1, BLOCK // len(self.a))
        parts = [self._evaluated(x[i : i + step]) for i in range(0, max(1, len(x)), step)]
        below, density, slope = np.concatenate(parts, axis=1)
        return below, density, slope

    def _evaluated(self, x: Floats) -> Floats:
        a, b = self.a[:, None], self.b[:, None]
        logs = self._log_survival(x)
        mean = a / (a + b)
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            log_density = log_peaks(a, b) + a * log_ratio(x, mean) + b * log_ratio(1 - x, 1 - mean)
            log_density -= np.log(x) + np.log1p(-x)
            # beyond the last double of a survival function the law has no mass
            hazard = np.where(np.isfinite(logs), np.exp(log_density - logs), 0.0)
            bend = hazard * ((a - 1) / x - (b - 1) / (1 - x)) + hazard**2
            total, rate, curl = (np.einsum("k,kx->x", self.copies, each) for each in (logs, hazard, bend))
            left = np.exp(total)
            made = np.stack([-np.expm1(total), left * rate, left * (curl - rate * rate)])
        return np.where(np.isfinite(made), made, 0.0)

    def _density(self, x: Floats) -> tuple[Floats, Floats]:
        return self.evaluate(x)[1:]

    def _log_survival(self, x: Floats) -> Floats:
        a, b, at = np.broadcast_arrays(self.a[:, None], self.b[:, None], np.clip(x, 0.0, 1.0))
        below = beta_cdf(a, b, at)
        high = below > UPPER
        with np.errstate(divide="ignore"):
            logs = np.log1p(-np.where(high, 0.0, below))
            logs[high] = np.log(beta_sf(a[high], b[high], at[high]))
        return np.asarray(logs)

    def _log_sf(self, x: Floats) -> Floats:
        flat, step = np.ravel(x), max(1, BLOCK // len(self.a))
        made = [
            np.einsum("k,kx->x", self.copies, self._log_survival(flat[i : i + step]))
            for i in range(0, max(1, len(flat)), step)
        ]
        return np.concatenate(made).reshape(np.shape(x))


# -- Probability that one Beta exceeds another, for many pairs at once -------------------------------------------------


#: Nodes where the law in the logit is nearly a Normal one, and where it is not, or where the integrand has a kink.
FEW, MANY = 36, 160
#: Smallest parameter of a Beta for which few nodes are enough.
REGULAR = 10.0


def logit_nodes(a: Floats, b: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Values and normalised weights of Beta(a, b), shape (..., nodes): the trapezoidal rule in the logit.

    The range ends where the density in the logit is e^-36 of its top; each end by Newton from outside, where the log
    density is concave, so that it comes in monotonically.
    """
    a, b = a[..., None], b[..., None]
    centre = np.log(a / b)
    ends = []
    for side, slope in ((-1.0, a), (1.0, b)):
        u = centre + side * (9 * np.sqrt(1 / a + 1 / b) + 40 / slope)
        for _ in range(8):
            theta = expit(u)
            depth = a * (u - centre) - (a + b) * (np.logaddexp(0, u) - np.logaddexp(0, centre)) + 36
            u = u - depth / (a - (a + b) * theta)
        ends.append(u)
    u = ends[0] + (ends[1] - ends[0]) * np.linspace(0, 1, nodes)
    log = a * (u - centre) - (a + b) * (np.logaddexp(0, u) - np.logaddexp(0, centre))
    weight = np.exp(log)
    return expit(u), weight / weight.sum(axis=-1, keepdims=True)


def exceedance(first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike], margin: float = 0.0) -> Floats:
    """P(X > Y - margin) of independent Betas X and Y, each given by its (a, b), elementwise, shape (...).

    On the nodes of the narrower law: within 1e-9 for parameters from 0.5 on; 1e-4 where a margin cuts the range at 0 or
    1 and a law with parameters below about 2 has mass there.
    """
    pairs = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (*first, *second)))
    a, b, c, d = (x.ravel() for x in pairs)
    found = np.empty(a.shape)
    narrow = 1 / a + 1 / b <= 1 / c + 1 / d
    regular = np.where(narrow, np.minimum(a, b), np.minimum(c, d)) >= REGULAR
    for by_first in (True, False):
        for few in (True, False):
            i = np.flatnonzero((narrow == by_first) & (regular == few))
            if not len(i):
                continue
            nodes = FEW if few and margin == 0 else MANY
            if by_first:
                x, weight = logit_nodes(a[i], b[i], nodes)
                inside = betainc(c[i, None], d[i, None], np.clip(x + margin, 0, 1))
            else:
                y, weight = logit_nodes(c[i], d[i], nodes)
                inside = betaincc(a[i, None], b[i, None], np.clip(y - margin, 0, 1))
            found[i] = (weight * inside).sum(axis=-1)
    return found.reshape(pairs[0].shape)


# -- Gauss rules of Beta densities, many at once -----------------------------------------------------------------------


#: Weights that add up to 1 but for this are kept.
LOST = 1e-12


def gauss_beta(a: Floats, b: Floats, count: int) -> tuple[Floats, Floats]:
    """Nodes and weights, shapes (S, count), for the densities Beta(a, b), ``a`` and ``b`` of shape (S,).

    Exact for polynomials of degree 2 count - 1. Golub and Welsch (1969): eigenvalues of the Jacobi matrix.
    """
    alpha, beta = b - 1, a - 1  # (1 - x)^alpha (1 + x)^beta on [-1, 1], theta = (1 + x)/2
    i = np.arange(count)[None]
    total = (alpha + beta)[:, None]
    alpha, beta = alpha[:, None], beta[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = (beta**2 - alpha**2) / ((2 * i + total) * (2 * i + total + 2))
        middle[:, 0] = ((beta - alpha) / (total + 2))[:, 0]
        j = i[:, 1:]
        beside = 4 * j * (j + alpha) * (j + beta) * (j + total)
        beside /= (2 * j + total) ** 2 * (2 * j + total + 1) * (2 * j + total - 1)
        if count > 1:
            beside[:, 0] = (4 * (1 + alpha) * (1 + beta) / ((2 + total) ** 2 * (3 + total)))[:, 0]
    return _golub_welsch(middle, np.sqrt(beside))


def _golub_welsch(middle: Floats, beside: Floats) -> tuple[Floats, Floats]:
    """Nodes in [0, 1] and weights from the diagonals of Jacobi matrices on [-1, 1], (S, count) and (S, count - 1).

    Nodes are eigenvalues, and 1 over a weight is the sum of the squares of the orthonormal polynomials at the node:
    count^2 steps for each rule. Eigenvectors take count^3, and a BLAS of several threads four times as long again.
    """
    if middle.shape[1] == 1:
        return (1 + middle) / 2, np.ones_like(middle)
    from scipy.linalg import lapack  # takes a tenth of a second to import

    x = np.stack([lapack.dsterf(one, other)[0] for one, other in zip(middle, beside, strict=True)])
    before, now, total = np.zeros_like(x), np.ones_like(x), np.ones_like(x)
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(beside.shape[1]):
            last = beside[:, k - 1, None] if k else 0.0
            before, now = now, ((x - middle[:, k, None]) * now - last * before) / beside[:, k, None]
            total += now * now
    weight = 1 / total
    # a density nearly all at one end loses digits on the way there
    lost = ~(np.abs(weight.sum(axis=1) - 1) < LOST)
    if lost.any():
        x[lost], weight[lost] = _by_vectors(middle[lost], beside[lost])
    return np.clip((1 + x) / 2, 1e-300, 1 - 1e-16), weight


def _by_vectors(middle: Floats, beside: Floats) -> tuple[Floats, Floats]:
    count = middle.shape[1]
    jacobi, row = np.zeros((len(middle), count, count)), np.arange(count)
    jacobi[:, row, row] = middle
    jacobi[:, row[1:], row[:-1]] = jacobi[:, row[:-1], row[1:]] = beside
    x, vectors = np.linalg.eigh(jacobi)
    return x, vectors[:, 0, :] ** 2
