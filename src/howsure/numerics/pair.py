"""Tails of a sum of two Betas by one integral in which nothing is subtracted.

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

from howsure.numerics.arrays import Floats
from howsure.numerics.rows import LinearForm
from howsure.numerics.single_beta import log_beta_peak

__all__ = ["is_pair", "pair_tail"]

SCOUTS = np.linspace(-700.0, 700.0, 2801)  # where the integrand is looked for first
NODES = 321
NEGLIGIBLE = 42.0  # nats below the peak


@dataclass(frozen=True)
class Positive:
    """``w theta`` with ``theta ~ Beta(a, b)``, ``w > 0``; distances are from the ends of [0, w]."""

    a: float
    b: float
    w: float

    def log_density(self, from_low: Floats, from_high: Floats) -> Floats:
        """Log of the density, from the deviance relative to the mean: no cancellation at counts of 1e9."""
        theta, rest, p = from_low / self.w, from_high / self.w, self.a / (self.a + self.b)
        small, large = min(self.a, self.b), max(self.a, self.b)
        with np.errstate(divide="ignore"):
            bulk = self.a * np.log(theta / p) + self.b * np.log(rest / (1 - p))
            d = theta - p
            near = np.abs(d) < 0.5 * min(p, 1 - p)
            close = np.where(near, d, 0.0)
            bulk = np.where(near, self.a * np.log1p(close / p) + self.b * np.log1p(-close / (1 - p)), bulk)
            return np.asarray(log_beta_peak(small, large) + bulk - np.log(theta) - np.log(rest) - np.log(self.w))

    def log_cdf(self, from_low: Floats, from_high: Floats) -> Floats:
        """Log of the distribution function, from whichever end keeps its digits."""
        theta, rest = np.clip(from_low / self.w, 0.0, 1.0), np.clip(from_high / self.w, 0.0, 1.0)
        F = np.where(theta < 0.5, special.betainc(self.a, self.b, theta), special.betaincc(self.b, self.a, rest))
        with np.errstate(divide="ignore"):
            leading = self.a * np.log(theta) - np.log(self.a) - special.betaln(self.a, self.b)
            # below the smallest double the leading term of the power series is all there is
            return np.where(F > 1e-290, np.log(F), leading)


def is_pair(form: LinearForm) -> bool:
    """Whether the form is a sum of exactly two Betas."""
    return not form.wide and form.row_count == 2


def _summands(form: LinearForm, upper: bool) -> tuple[Positive, Positive]:
    """Both Betas as distances from the end of the support that the tail belongs to; the narrower first."""
    betas = form.betas
    parts = []
    for k in np.repeat(np.arange(len(betas)), betas.count).tolist():
        a, b, w = float(betas.a[k]), float(betas.b[k]), float(betas.w[k])
        parts.append(Positive(b, a, abs(w)) if (w < 0) != upper else Positive(a, b, abs(w)))
    spread = [p.w**2 * p.a * p.b / ((p.a + p.b) ** 2 * (p.a + p.b + 1)) for p in parts]
    return (parts[0], parts[1]) if spread[0] <= spread[1] else (parts[1], parts[0])


def pair_tail(form: LinearForm, distance: Floats, upper: bool) -> Floats:
    """P(X within ``distance`` of an end of its support), relative error about 1e-12.

    Parameters
    ----------
    form : LinearForm
        A sum of exactly two Betas.
    distance : ndarray, shape (m,)
        From the lower end of the support, or (``upper``) from the upper end.
    """
    narrow, wide = _summands(form, upper)
    tails = np.empty(len(distance))
    for i, d in enumerate(distance.tolist()):
        # y runs over [0, narrow.w]; the wide part is below d - y, certain once d - y passes its width
        top = min(narrow.w, d)
        kink = min(max(d - wide.w, 0.0), top)
        log_pieces = [_piece(narrow, wide, d, low, high) for low, high in ((0.0, kink), (kink, top)) if high > low]
        tails[i] = float(np.exp(special.logsumexp(log_pieces))) if log_pieces else 0.0
    return tails


def _piece(narrow: Positive, wide: Positive, d: float, low: float, high: float) -> float:
    """Log of the integral over [low, high]."""
    width = high - low

    def log_integrand(v: Floats) -> Floats:
        up, down = width * special.expit(v), width * special.expit(-v)
        log_slope = np.log(width) - np.logaddexp(0, v) - np.logaddexp(0, -v)
        F = wide.log_cdf((d - high) + down, np.maximum(wide.w - d + low, 0.0) + up) if d - low <= wide.w else 0.0
        value = narrow.log_density(low + up, (narrow.w - high) + down) + F + log_slope
        return np.where(np.isnan(value), -np.inf, value)

    scout = log_integrand(SCOUTS)
    kept = np.flatnonzero(scout > scout.max() - NEGLIGIBLE)
    if not len(kept):
        return -np.inf
    v = np.linspace(SCOUTS[max(kept[0] - 1, 0)], SCOUTS[min(kept[-1] + 1, len(SCOUTS) - 1)], NODES)
    for _ in range(3):  # a peak narrower than the scouts' spacing is found by zooming in
        values = log_integrand(v)
        kept = np.flatnonzero(values > values.max() - NEGLIGIBLE)
        if len(kept) > NODES // 3:
            break
        v = np.linspace(v[max(kept[0] - 1, 0)], v[min(kept[-1] + 1, NODES - 1)], NODES)
        values = log_integrand(v)
    return float(special.logsumexp(values) + np.log(v[1] - v[0]))
