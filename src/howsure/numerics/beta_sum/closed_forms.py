"""One Beta in closed form, and the tails of a sum of two by one integral in which nothing is subtracted.

    P(N + R <= z) = int f_N(y) F_R(z - y) dy

Every term is positive, so the answer has the relative accuracy of its terms, at any depth: 1e-194 is as good as 0.1.
The integral is cut where ``F_R`` reaches 1 (there it may have a singular derivative); each piece is mapped to the line
by ``y = low + width expit(v)``, which turns power laws at its ends into exponentials, and done by the trapezoid rule
between the points where the integrand is e^-42 of its peak.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, repeat
from howsure.numerics.beta_sum.normal_form import LinearForm
from howsure.numerics.beta_sum.vertices import log_gamma_ratio
from howsure.numerics.solve.peaks import beta_cdf, beta_quantile, beta_sf

__all__ = ["BetaLaw", "Positive", "beta_mode", "is_pair", "log_beta_peak", "pair_tail"]


def log_beta_peak(a: float, b: float) -> float:
    """``log [p^a q^b / B(a, b)]`` at the mean ``p = a/(a + b)``, ``a <= b``, without cancellation at large counts.

    ``log Gamma(b + a)/Gamma(b)`` is close to ``a log(a + b)``, and for large ``a`` the factor ``Gamma(a)`` is replaced
    by its Stirling series, so that only numbers of order 1 are left.
    """
    n = a + b

    def stirling(z: float) -> float:
        return 1 / (12 * z) - 1 / (360 * z**3) + 1 / (1260 * z**5) - 1 / (1680 * z**7)

    if a > 30:
        return float(0.5 * np.log(a * (b / n) / (2 * np.pi)) + stirling(n) - stirling(a) - stirling(b))
    rest = log_gamma_ratio(b, a) - a * np.log(n) + b * np.log1p(-a / n)
    return float(rest + a * np.log(a) - special.gammaln(a))


def beta_mode(a: float, b: float) -> float:
    """Place of the highest density; the middle of a uniform law, the heavier end of a U-shaped one."""
    if a <= 1 and b <= 1:
        return 0.5 if a == b else float(a > b)
    if a <= 1 or b <= 1:
        return float(a > b)
    return (a - 1) / (a + b - 2)


class BetaLaw:
    """Law of ``w theta + constant`` with ``theta ~ Beta(a, b)``; relative accuracy in both tails."""

    method = "beta"
    terms = 0
    residual = 1e-15

    def __init__(self, form: LinearForm) -> None:
        betas = form.betas
        self.form = form
        self.a, self.b, self.w = float(betas.a[0]), float(betas.b[0]), float(betas.w[0])
        self.p = self.a / (self.a + self.b)
        self.origin = form.support[0] if self.w > 0 else form.support[1]
        self._log_peak = log_beta_peak(self.a, self.b)

    def _theta(self, x: Floats) -> Floats:
        return np.clip((x - self.origin) / self.w, 0.0, 1.0)

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)``."""
        return (beta_cdf if self.w > 0 else beta_sf)(self.a, self.b, self._theta(x))

    def sf(self, x: Floats) -> Floats:
        """``P(X > x)``."""
        return (beta_sf if self.w > 0 else beta_cdf)(self.a, self.b, self._theta(x))

    def pdf(self, x: Floats) -> Floats:
        """Density, from the deviance relative to the mean."""
        theta = self._theta(x)
        inside = (x >= self.form.support[0]) & (x <= self.form.support[1])
        d = theta - self.p
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            log_bulk = self.a * np.log1p(d / self.p) + self.b * np.log1p(-d / (1 - self.p))
            bulk = np.exp(self._log_peak + log_bulk - np.log(theta) - np.log1p(-theta))
            # at the ends themselves the power law decides
            low, high = (self._end(self.a), self._end(self.b))
            bulk = np.where(theta == 0, low, np.where(theta == 1, high, bulk))
        return np.where(inside, bulk / abs(self.w), 0.0)

    density = pdf

    def _end(self, exponent: float) -> float:
        if exponent == 1.0:
            return self.a * self.b / exponent  # Beta(1, b) has density b at 0, Beta(a, 1) density a at 1
        return 0.0 if exponent > 1 else float(np.inf)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative."""
        f = self.pdf(x)
        theta = self._theta(x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            slope = f * ((self.a - 1) / theta - (self.b - 1) / (1 - theta)) / self.w
        return self.cdf(x), f, slope

    def quantile(self, p: Floats) -> Floats:
        """Inverse distribution function."""
        theta = beta_quantile(self.a, self.b, p, upper=self.w < 0)
        return np.clip(self.origin + self.w * theta, *self.form.support)

    def mode(self) -> float:
        """Place of the highest density."""
        return self.origin + self.w * beta_mode(self.a, self.b)

    def highest_guess(self, level: float) -> None:
        """No guess: everything here is cheap."""


SCOUTS = np.linspace(-700.0, 700.0, 2801)  # where the integrand is looked for first
NODES = 321
WIDEST_STEP = 0.25  # an end of a wide Beta, e^{a v - e^v}, is analytic for |Im v| < pi/2
NEGLIGIBLE = 42.0  # nats below the peak
FRACTION_TERMS = 120


def _log(part: Floats | float, rest: Floats | float) -> Floats:
    """Log of a part of 1 from the smaller of itself and the rest: times a count of 1e9 it must keep its digits."""
    return np.where(np.less(part, 0.5), np.log(part), np.log1p(-np.minimum(rest, 1.0)))


@dataclass(frozen=True)
class Positive:
    """``w theta`` with ``theta ~ Beta(a, b)``, ``w > 0``; distances are from the ends of [0, w]."""

    a: float
    b: float
    w: float

    def log_density(self, from_low: Floats, from_high: Floats) -> Floats:
        """Log of the density, from the deviance relative to the mean: no cancellation at counts of 1e9."""
        theta, rest = from_low / self.w, from_high / self.w
        p, q = self.a / (self.a + self.b), self.b / (self.a + self.b)
        small, large = min(self.a, self.b), max(self.a, self.b)
        with np.errstate(divide="ignore", invalid="ignore"):  # 0 meets infinity at an end, see `_defined`
            bulk = self.a * (_log(theta, rest) - _log(p, q)) + self.b * (_log(rest, theta) - _log(q, p))
            d = np.where(theta < 0.5, theta - p, q - rest)
            near = np.abs(d) < 0.5 * min(p, q)
            close = np.where(near, d, 0.0)
            bulk = np.where(near, self.a * np.log1p(close / p) + self.b * np.log1p(-close / q), bulk)
            return np.asarray(log_beta_peak(small, large) + bulk - np.log(theta) - np.log(rest) - np.log(self.w))

    def log_cdf(self, from_low: Floats, from_high: Floats) -> Floats:
        """Log of the distribution function, from whichever end keeps its digits."""
        theta, rest = np.clip(from_low / self.w, 0.0, 1.0), np.clip(from_high / self.w, 0.0, 1.0)
        F, near = np.empty_like(theta), theta < 0.5  # either function only where it is wanted: they are the cost
        F[near] = special.betainc(self.a, self.b, theta[near])
        F[~near] = special.betaincc(self.b, self.a, rest[~near])
        with np.errstate(divide="ignore"):
            logs = np.log(F)
        deep = (F <= 1e-290) & (theta > 0)
        if deep.any():
            logs[deep] = self._deep(theta[deep], rest[deep])
        return np.asarray(logs)

    def _deep(self, theta: Floats, rest: Floats) -> Floats:
        """Log of a distribution function below the smallest double, far below the mean.

        f(t) t (1 - t) / a, divided by the continued fraction of DLMF 8.17.22, which there needs few terms.
        """
        a, b = self.a, self.b
        fraction = np.ones_like(theta)
        for k in range(FRACTION_TERMS, 0, -1):
            m = k // 2
            term = (
                -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))
                if k % 2
                else (m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m)))
            )
            fraction = 1 + term * theta / fraction
        density = self.log_density(theta * self.w, rest * self.w)
        return np.asarray(density + np.log(theta) + np.log(rest) + np.log(self.w / a) - np.log(fraction))


def is_pair(form: LinearForm) -> bool:
    """Whether the form is a sum of exactly two Betas."""
    return not form.wide and form.row_count == 2


def _summands(form: LinearForm, upper: bool) -> tuple[Positive, Positive]:
    """Both Betas as distances from the end of the support that the tail belongs to; the narrower first."""
    betas = form.betas
    parts = []
    for k in repeat(np.arange(len(betas)), betas.count).tolist():
        a, b, w = float(betas.a[k]), float(betas.b[k]), float(betas.w[k])
        parts.append(Positive(b, a, abs(w)) if (w < 0) != upper else Positive(a, b, abs(w)))
    spread = [p.w**2 * p.a * p.b / ((p.a + p.b) ** 2 * (p.a + p.b + 1)) for p in parts]
    return (parts[0], parts[1]) if spread[0] <= spread[1] else (parts[1], parts[0])


def pair_tail(form: LinearForm, distance: Floats, upper: bool) -> tuple[Floats, Floats]:
    """P(X within ``distance`` of an end of its support), relative error about 1e-12, and the density there.

    Parameters
    ----------
    form : LinearForm
        A sum of exactly two Betas.
    distance : ndarray, shape (m,)
        From the lower end of the support, or (``upper``) from the upper end.
    """
    narrow, wide = _summands(form, upper)
    tails, densities = np.zeros(len(distance)), np.zeros(len(distance))
    for i, d in enumerate(distance.tolist()):
        # y runs over [0, narrow.w]; the wide part is below d - y, certain once d - y passes its width
        top = min(narrow.w, d)
        kink = min(max(d - wide.w, 0.0), top)
        for low, high in ((0.0, kink), (kink, top)):
            if high > low:
                tail, density = _piece(narrow, wide, d, low, high)
                tails[i], densities[i] = tails[i] + tail, densities[i] + density
    return tails, densities


def _piece(narrow: Positive, wide: Positive, d: float, low: float, high: float) -> tuple[float, float]:
    """Integrals of ``f_N F_R`` and of ``f_N f_R`` over [low, high]."""
    width = high - low
    partial = d - low <= wide.w  # else the wide part is certain on the whole piece

    def log_integrands(v: Floats) -> tuple[Floats, Floats]:
        up, down = width * special.expit(v), width * special.expit(-v)
        log_slope = np.log(width) - np.logaddexp(0, v) - np.logaddexp(0, -v)
        base = narrow.log_density(low + up, (narrow.w - high) + down) + log_slope
        if not partial:
            return _defined(base), np.full(len(v), -np.inf)
        u, rest = (d - high) + down, np.maximum(wide.w - d + low, 0.0) + up
        return _defined(base + wide.log_cdf(u, rest)), _defined(base + wide.log_density(u, rest))

    v = SCOUTS
    for _ in range(4):  # from the scouts to the peak, which may be narrower than their spacing
        values = log_integrands(v)[0]
        kept = np.flatnonzero(values > values.max() - NEGLIGIBLE)
        if not len(kept) or (v is not SCOUTS and len(kept) > len(v) // 3):
            break
        first, last = float(v[max(kept[0] - 1, 0)]), float(v[min(kept[-1] + 1, len(v) - 1)])
        v = np.linspace(first, last, max(NODES, int((last - first) / WIDEST_STEP) + 2))
    step = float(v[1] - v[0])
    tail, density = (_summed(np.exp(values)) for values in log_integrands(v))
    return tail * step, density * step


def _summed(values: Floats) -> float:
    """Sum of nodes; beyond the outermost ones the integrand is a pure exponential, its nodes a geometric series."""
    total = float(values.sum())
    for end, inner in ((float(values[0]), float(values[1])), (float(values[-1]), float(values[-2]))):
        if 0 < end < inner:
            total += end * end / (inner - end)
    return total


def _defined(log_values: Floats) -> Floats:
    """Log of 0 where 0 met infinity."""
    return np.where(np.isnan(log_values), -np.inf, log_values)
