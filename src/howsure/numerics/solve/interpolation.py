"""Curves through few values: cubics, and a sketch of a quantile function from which Newton's methods start.

On the normal scale ``u = ndtri(F(x))`` the quantile function ``x(u)`` of a law is nearly a straight line. Its first two
derivatives follow from the density and the slope, so that a quintic per interval of a few dozen knots is right to
about 1e-6 standard deviations where the law is smooth. Nothing is concluded from a sketch: it only saves evaluations.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, cut
from howsure.numerics.solve.roots import Evaluate

__all__ = ["EvenCubic", "Sketch", "monotone_cubic"]


class EvenCubic:
    """Cubic Hermite curve through ``values`` at 0, 1, 2, ..., with slopes from their neighbours.

    Slopes are central differences of the fourth order, of the second beside the ends and one-sided at them, so a
    cubic is met exactly away from the ends. Beyond them the curve is the parabola through the three last values.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Five or more.

    Examples
    --------
    >>> EvenCubic(np.arange(6.0) ** 3)(np.array([2.5])).tolist()
    [15.625]
    >>> EvenCubic(np.arange(6.0) ** 2)(np.array([-1.0, 7.0])).tolist()
    [1.0, 49.0]
    """

    def __init__(self, values: Floats) -> None:
        slopes = np.gradient(values, edge_order=2)
        slopes[2:-2] = (8 * (values[3:-1] - values[1:-3]) - (values[4:] - values[:-4])) / 12
        rise = np.diff(values)
        first, last = slopes[:-1], slopes[1:]
        # in t from 0 to 1 between two values, the parabolas before and behind them
        between = np.stack((values[:-1], first, 3 * rise - 2 * first - last, first + last - 2 * rise))
        bends = 0.5 * np.diff(values, 2)[[0, -1]]
        before, behind = (
            np.array([[value], [slope], [bend], [0.0]])
            for value, slope, bend in zip(values[[0, -1]], slopes[[0, -1]], bends, strict=True)
        )
        self._coefficients = np.concatenate((before, between, behind), axis=1)

    def __call__(self, at: Floats) -> Floats:
        """The curve at places of any shape; 0 is the first value."""
        most = self._coefficients.shape[1] - 1
        k = cut(np.floor(at), -1, most - 1).astype(np.intp)
        t = at - np.maximum(k, 0)
        c = self._coefficients.take(k + 1, axis=1)
        return np.asarray(c[0] + t * (c[1] + t * (c[2] + t * c[3])))


def monotone_cubic(known: Floats, values: Floats, rates: Floats, asked: Floats) -> Floats:
    """Values at what is asked by monotone cubics through rising ones; beyond the outermost ones by straight lines.

    The slopes are cut to three times those of the chords (Fritsch and Carlson 1980, SIAM Journal on Numerical Analysis
    17, 238), so that a curve does not turn; ``values`` and ``rates`` may have axes behind the first.

    Examples
    --------
    >>> known = np.array([0.0, 1.0, 2.0])
    >>> monotone_cubic(known, known**3, 3 * known**2, np.array([1.5, 3.0])).tolist()
    [3.375, 15.0]
    """
    k = np.clip(np.searchsorted(known, asked) - 1, 0, len(known) - 2)
    width = known[k + 1] - known[k]
    share = cut((asked - known[k]) / width, -2.0, 3.0)
    within = np.where((share >= 0) & (share <= 1), share * (1 - share), 0.0)
    width, share, within = (x.reshape(-1, *(1,) * (values.ndim - 1)) for x in (width, share, within))
    rise = values[k + 1] - values[k]
    left, right = (cut(width * rates[j], 0.0, 3 * rise) for j in (k, k + 1))
    return np.asarray(values[k] + share * rise + within * ((1 - share) * (left - rise) + share * (rise - right)))


KNOTS = 0.5 - 0.5 * np.cos(np.pi * (np.arange(24) + 0.5) / 24)  # dense near both ends, where a support may end
SPREAD = 3.6  # standard deviations
RESOLVED = 1e-9  # of F: the evaluations are absolutely accurate
LOG_ROOT_TWO_PI = 0.5 * float(np.log(2 * np.pi))
LOGITS = np.linspace(-8.0, 8.0, 17)  # of the share of the lower tail in the mass outside an interval, to be tried


class Sketch:
    """Approximate quantiles and densities of the law that ``evaluate`` computes between ``low`` and ``high``."""

    def __init__(self, evaluate: Evaluate, mean: float, sd: float, low: float, high: float) -> None:
        left, right = max(low, mean - SPREAD * sd), min(high, mean + SPREAD * sd)
        x = left + (right - left) * KNOTS
        F, f, slope = evaluate(x)
        good = np.flatnonzero((F > RESOLVED) & (F < 1 - RESOLVED) & (f > 0) & np.isfinite(slope))
        u = special.ndtri(F[good])
        self.usable = len(good) > 1 and bool((u[1:] > u[:-1]).all())
        if not self.usable:
            return
        x, f, slope, self._u = x[good], f[good], slope[good], u
        rate = np.exp(-0.5 * u * u - LOG_ROOT_TWO_PI) / f  # dx/du
        self._coefficients = quintics(u, x, rate, rate * (-u - rate * slope / f))

    def at(self, p: Floats) -> tuple[Floats, Floats]:
        """Quantiles and densities at probabilities ``p``; beyond the outermost knots on a straight line."""
        u = special.ndtri(p)
        k = np.clip(np.searchsorted(self._u, u) - 1, 0, len(self._u) - 2)
        width = self._u[k + 1] - self._u[k]
        t = (u - self._u[k]) / width
        inner = np.minimum(np.maximum(t, 0.0), 1.0)
        c = self._coefficients[:, k]
        x = ((((c[5] * inner + c[4]) * inner + c[3]) * inner + c[2]) * inner + c[1]) * inner + c[0]
        rate = ((((5 * c[5] * inner + 4 * c[4]) * inner + 3 * c[3]) * inner + 2 * c[2]) * inner + c[1]) / width
        x = x + (t - inner) * width * rate
        return x, np.exp(-0.5 * u * u - LOG_ROOT_TWO_PI) / rate

    def highest(self, level: float) -> tuple[float, float] | None:
        """Ends with equal densities around mass ``level``, or None if there are none."""
        p = (1 - level) * special.expit(LOGITS)
        _, f = self.at(np.concatenate((p, p + level)))
        if not (f > 0).all():
            return None
        gap = np.log(f[: len(p)] / f[len(p) :])
        if not ((np.diff(gap) > 0).all() and gap[0] < 0 < gap[-1]):
            return None
        k = min(max(int(np.searchsorted(gap, 0.0)) - 2, 0), len(p) - 4)
        logit = inverse_interpolation(gap[k : k + 4].tolist(), LOGITS[k : k + 4].tolist())
        share = (1 - level) * float(special.expit(logit))
        x, _ = self.at(np.array([share, share + level]))
        return float(x[0]), float(x[1])


def quintics(u: Floats, x: Floats, first: Floats, second: Floats) -> Floats:
    """Coefficients (ascending, in ``t = (u - u_k)/(u_{k+1} - u_k)``) of the quintic Hermite interpolant."""
    width = np.diff(u)
    d0, d1 = first[:-1] * width, first[1:] * width
    c2, e2 = 0.5 * second[:-1] * width**2, 0.5 * second[1:] * width**2
    # what is left of value, slope and half the curvature at t = 1 after the terms up to t^2
    value = np.diff(x) - d0 - c2
    slope = d1 - d0 - 2 * c2
    bend = e2 - c2
    return np.stack(
        (
            x[:-1],
            d0,
            c2,
            10 * value - 4 * slope + bend,
            -15 * value + 7 * slope - 2 * bend,
            6 * value - 3 * slope + bend,
        )
    )


def inverse_interpolation(values: list[float], points: list[float]) -> float:
    """Where the polynomial through four points, as a function of the value, is at value 0."""
    total = 0.0
    for i, (value, point) in enumerate(zip(values, points, strict=True)):
        weight = 1.0
        for j, other in enumerate(values):
            if j != i:
                weight *= other / (other - value)
        total += weight * point
    return total
