"""One Beta, possibly scaled and shifted: closed forms instead of a series."""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.normal_form import LinearForm
from howsure.numerics.beta_sum.vertices import log_gamma_ratio
from howsure.numerics.solve.huge_beta import beta_cdf, beta_quantile, beta_sf

__all__ = ["BetaLaw", "log_beta_peak"]


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

    def highest_guess(self, level: float) -> None:
        """No guess: everything here is cheap."""
