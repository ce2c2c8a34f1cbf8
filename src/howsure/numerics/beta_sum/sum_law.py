"""The law of a linear functional of independent Dirichlet rows, ready to be asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Floats, repeat
from howsure.numerics.beta_sum.inversion import Inversion
from howsure.numerics.beta_sum.normal_form import LinearForm, linear_form
from howsure.numerics.beta_sum.vertices import end_density
from howsure.numerics.populations.beta_laws import log_peaks
from howsure.numerics.solve.peaks import Peaks, beta_cdf, beta_quantile, beta_sf, grid_of_parts
from howsure.numerics.solve.roots import SmoothLaw, invert, of_smooth_law

#: Probabilities of two Betas below this come from their integral, of so many places at most.
FAR, MOST_FAR = 1e-8, 100


# -- One Beta in closed form -------------------------------------------------------------------------------------------


def beta_mode(a: float, b: float) -> float:
    """Place of the highest density; the middle of a uniform law, the heavier end of a U-shaped one."""
    if a <= 1 and b <= 1:
        return 0.5 if a == b else float(a > b)
    if a <= 1 or b <= 1:
        return float(a > b)
    return (a - 1) / (a + b - 2)


class BetaLaw:
    """Law of ``w theta + constant`` with ``theta ~ Beta(a, b)``; relative accuracy in both tails."""

    residual = 1e-15

    def __init__(self, form: LinearForm) -> None:
        betas = form.betas
        self.form = form
        self.a, self.b, self.w = float(betas.a[0]), float(betas.b[0]), float(betas.w[0])
        self.p = self.a / (self.a + self.b)
        self.origin = form.support[0] if self.w > 0 else form.support[1]
        self._log_peak = float(log_peaks(betas.a[:1], betas.b[:1])[0])

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


# -- The far tail of two rows: one integral ----------------------------------------------------------------------------

#: Nodes and weights of the double exponential rule on (0, 1), and their distances from 1 (Takahasi and Mori 1974).
_STEPS = np.linspace(-4.2, 4.2, 1_601)
_NODES, _REST = (special.expit(sign * np.pi * np.sinh(_STEPS)) for sign in (1, -1))
_WEIGHTS = (_STEPS[1] - _STEPS[0]) * np.pi * np.cosh(_STEPS) * _NODES * _REST


def tail_of_two(a: Floats, b: Floats, w: Floats, d: float) -> float:
    """``P(w_0 theta_0 + w_1 theta_1 <= d)`` of two Betas with w > 0, however small: the second's given the first."""
    top = min(1.0, d / w[0])
    whole = min(max((d - w[1]) / w[0], 0.0), top)  # up to here the second may be anything
    theta = whole + (top - whole) * _NODES
    with np.errstate(divide="ignore", under="ignore"):
        left = 1 - top + (top - whole) * _REST
        log_density = special.xlogy(a[0] - 1, theta) + special.xlogy(b[0] - 1, left) - special.betaln(a[0], b[0])
        beside = (d - w[0] * top + w[0] * (top - whole) * _REST) / w[1]
        mass = np.exp(log_density) * special.betainc(a[1], b[1], np.clip(beside, 0.0, 1.0))
    return float(special.betainc(a[0], b[0], whole) + (top - whole) * (_WEIGHTS @ mass))


# -- Two rows or more: the inverted series inside its window -----------------------------------------------------------


class SeriesLaw:
    """Law of a sum of at least two random components."""

    def __init__(self, form: LinearForm) -> None:
        self.form = form

    @cached_property
    def _inversion(self) -> Inversion:
        return Inversion(self.form)

    @property
    def residual(self) -> float:
        """Estimated bound of the error of the distribution function."""
        return self._inversion.residual

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and slope with absolute accuracy; constant outside the window."""
        inversion = self._inversion
        z = x - self.form.mean
        low, high = inversion.low, inversion.high
        if z.min() >= low and z.max() <= high:
            return inversion.evaluate(z)
        F, f, slope = inversion.evaluate(np.minimum(np.maximum(z, low), high))
        inside = (z >= low) & (z <= high)
        return np.where(inside, F, z > 0), np.where(inside, f, 0.0), np.where(inside, slope, 0.0)

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)``."""
        return self._probability(x, upper=False)

    def sf(self, x: Floats) -> Floats:
        """``P(X > x)``."""
        return self._probability(x, upper=True)

    def _probability(self, x: Floats, upper: bool) -> Floats:
        """A probability that is below the error of the series is 0, but of two Betas, whose far tails papers print."""
        F = self.evaluate(x)[0]
        mass = np.clip(1 - F if upper else F, 0.0, 1.0)
        mass[mass < self.residual] = 0.0
        betas = self.form.betas
        if self.form.row_count == 2 and not self.form.wide:
            a, b, w = (repeat(each, betas.count) for each in (betas.a, betas.b, betas.w))
            turned = (w < 0) != upper
            a, b, w = np.where(turned, b, a), np.where(turned, a, b), np.abs(w)
            for i in np.flatnonzero(mass < FAR)[:MOST_FAR]:
                d = self.form.support[1] - x[i] if upper else x[i] - self.form.support[0]
                mass[i] = tail_of_two(a, b, w, float(d))
        return mass

    def pdf(self, x: Floats) -> Floats:
        """Density."""
        return np.maximum(self.evaluate(x)[1], 0.0)

    def quantile(self, p: Floats) -> Floats:
        """Inverse distribution function, 0 < p < 1."""
        form, inversion = self.form, self._inversion
        low, high = form.mean + inversion.low, form.mean + inversion.high
        return np.clip(invert(self.evaluate, p, self._start(p), low, high, form.sd), *form.support)

    def _start(self, p: Floats) -> Floats:
        u = special.ndtri(p)
        return self._inner(self.form.mean + self.form.sd * (u + self.form.skewness * (u * u - 1) / 6))

    def _inner(self, x: Floats) -> Floats:
        return np.clip(x, self.form.mean + 0.95 * self._inversion.low, self.form.mean + 0.95 * self._inversion.high)

    def highest_guess(self, level: float) -> tuple[float, float]:
        """Ends of the densest interval of a law whose quantiles are a parabola in the normal score."""
        form, z = self.form, float(special.ndtri((1 + level) / 2))
        middle = form.mean + form.sd * form.skewness * (z * z - 3) / 6
        low, high = self._inner(np.array([middle - form.sd * z, middle + form.sd * z])).tolist()
        return low, high


# -- The engine --------------------------------------------------------------------------------------------------------


class LinearEngine:
    """Law of ``shift + sum_i c_i . p_i`` for independent Dirichlet rows ``p_i``; nothing is drawn.

    ``rows`` are triples (coefficients, alphas, copies), ``betas`` arrays ``a, b, w``: further terms ``w Beta(a, b)``.
    The cdf is right to about 1e-13 (1e-10 where thousands of equal rows or counts of 1e9 meet), inverted once, when
    asked.
    """

    def __init__(
        self,
        rows: Sequence[tuple[ArrayLike, ArrayLike, int]] = (),
        *,
        betas: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
        shift: float = 0.0,
    ) -> None:
        self._form = linear_form(rows, betas, shift)
        self.mean: float = self._form.mean
        self.sd: float = self._form.sd
        self.support: tuple[float, float] = self._form.support

    @property
    def _is_point(self) -> bool:
        return self._form.row_count == 0

    @cached_property
    def _law(self) -> BetaLaw | SeriesLaw:
        form = self._form
        return BetaLaw(form) if form.row_count == 1 and len(form.betas) else SeriesLaw(form)

    @property
    def beta(self) -> tuple[float, float] | None:
        """Parameters of the place between the ends of the support, if that is one Beta; else None."""
        betas = self._form.betas
        if self._form.row_count != 1 or not len(betas):
            return None
        a, b = float(betas.a[0]), float(betas.b[0])
        return (a, b) if betas.w[0] > 0 else (b, a)

    @property
    def residual(self) -> float:
        """Estimated bound of the error of the distribution function."""
        return 0.0 if self._is_point else self._law.residual

    def cdf(self, x: ArrayLike) -> Floats:
        """``P(X <= x)``."""
        x, flat, result, inside = self._sorted_out(x, beyond=1.0)
        if inside.any():
            result[inside] = self._law.cdf(flat[inside])
        return result.reshape(x.shape)

    def sf(self, x: ArrayLike) -> Floats:
        """``P(X > x)``."""
        x, flat, result, inside = self._sorted_out(x, before=1.0)
        if inside.any():
            result[inside] = self._law.sf(flat[inside])
        return result.reshape(x.shape)

    def pdf(self, x: ArrayLike) -> Floats:
        """Density; at a singular end of the support its limit, which may be infinite."""
        x, flat, result, inside = self._sorted_out(x)
        if self._is_point:
            return np.where(x == self.mean, np.inf, 0.0)
        if inside.any():
            result[inside] = self._law.pdf(flat[inside])
        for end, upper in zip(self.support, (False, True), strict=True):
            if (flat == end).any():
                result[flat == end] = end_density(self._form, upper)
        return result.reshape(x.shape)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """``F``, ``f`` and ``f'`` with absolute accuracy, of a law that is not a point; 0 and 1 beyond the support."""
        low, high = self.support
        F, f, slope = np.where(x >= high, 1.0, 0.0), np.zeros(len(x)), np.zeros(len(x))
        inside = (x > low) & (x < high)
        if inside.any():
            F[inside], f[inside], slope[inside] = self._law.evaluate(x[inside])
        return F, f, slope

    def _sorted_out(
        self, x: ArrayLike, before: float = 0.0, beyond: float = 0.0
    ) -> tuple[Floats, Floats, Floats, np.ndarray]:
        """Fill in what is known outside the support; say which points are inside."""
        x = np.asarray(x, float)
        flat = x.ravel()
        low, high = self.support
        result = np.where(flat >= high, beyond, before)
        result[np.isnan(flat)] = np.nan
        return x, flat, result, (flat > low) & (flat < high)

    def quantile(self, p: ArrayLike) -> Floats:
        """Smallest ``x`` with ``P(X <= x) >= p``; exactly the ends of the support at 0 and 1."""
        p = np.asarray(p, float)
        flat = p.ravel()
        if not ((flat >= 0) & (flat <= 1)).all():
            raise ValueError("probabilities must lie between 0 and 1")
        result = np.where(flat < 0.5, self.support[0], self.support[1])
        inner = (flat > 0) & (flat < 1)
        if inner.any() and not self._is_point:
            result[inner] = self._law.quantile(flat[inner])
        return result.reshape(p.shape)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        return end_density(self._form, False), end_density(self._form, True)

    def _density(self, x: Floats) -> tuple[Floats, Floats]:
        return self._law.evaluate(x)[1:]

    @cached_property
    def _peaks(self) -> Peaks:
        law, middle, spread = self._law, np.array([self.mean]), np.array([self.sd])
        grid = partial(grid_of_parts, self._density, middle, spread, self.support)
        return Peaks(law.evaluate, self._density, law.cdf, grid, self.support, self._ends, self.sd)

    def highest_density(self, level: float) -> tuple[float, float] | None:
        """Highest-density interval; None where that set is not one interval."""
        if self._is_point:
            return self.mean, self.mean
        betas = self._form.betas
        uniform = self._form.row_count == 1 and len(betas) and betas.a[0] == betas.b[0] == 1
        if self._ends[0] == self._ends[1] == np.inf or uniform:
            return None
        if not self._form.unimodal:
            return self._peaks.highest(level)
        law = SmoothLaw(self._law.evaluate, self._law.quantile, self.support, self._ends)
        return of_smooth_law(law, level, self._law.highest_guess, lambda *_: self._peaks.highest(level))

    def mode(self) -> float:
        """Place of the highest density; an end of the support where the density is infinite there."""
        if self._is_point:
            return self.mean
        if self._ends[0] == self._ends[1] == np.inf:  # the steeper of two spikes
            return self.support[self._form.end_exponents[1] < self._form.end_exponents[0]]
        return self._law.mode() if isinstance(self._law, BetaLaw) else self._peaks.mode()
