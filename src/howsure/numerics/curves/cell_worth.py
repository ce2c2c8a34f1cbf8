"""The law of a mean worth of a case, sum_j v_j p_j over the four cells of a two-class table, many tables at once.

Prevalence, sensitivity and false positive rate are independent Betas. If the two Betas of the rates have as much mass
as the prevalence, the four cells are one Dirichlet, p_j = G_j / sum G of independent gammas, and

    P(X > x) = P( sum_j (v_j - x) G_j > 0 ) = 1/(2 pi i) int prod_j (1 - z (v_j - x))^(-alpha_j) dz / z

along a vertical line through the saddle point of the integrand (Provost and Cheong 2000). If a rate has more mass, the
gammas of its class are multiplied by an independent Beta (mass of the prevalence, what is left over); only the ratio R
of the two factors matters, and has a Gauss rule of a few nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.populations.beta_laws import gauss_beta
from howsure.numerics.populations.slices import BatchLaw
from howsure.numerics.solve import equal_densities

#: Step of the trapezoid rule along the line in arsinh of the distance, and where it ends at the latest.
STEP, FARTHEST = 0.28, 16.0

#: Nodes that most laws need, and cancellation among them from which another line is taken.
FIRST, CANCELLED = STEP * np.arange(16), 1e3

#: Logarithm of how much larger the integrand may become on the line that is bent as steepest descent begins.
PREFERRED = 0.0

#: Bends that are tried where the integrand dies away slowly, and where it is looked at.
BENDS, LOOKED = (0.0, -0.5, 0.5, -1.5, 1.5), np.append(np.arange(1, 24) / 2, [12.5, 13.5, 14.7, 16.0])

#: Steps of Newton's method to the saddle point.
STEPS = 40

#: What is left of an integrand that is left out.
LEFT = 1e-10

#: Nodes of the ratio: for fewer than so many cases of the smaller class, so many.
NODES = ((5.0, 9), (30.0, 5), (np.inf, 3))


def mass_ratio(positive: float, negative: float, share: tuple[float, float]) -> tuple[Floats, Floats]:
    """Nodes and weights of R, of Betas of the rates with masses a + b, and of a prevalence with at most as much."""
    factors = []
    for mass, own in ((positive, share[0]), (negative, share[1])):
        left = mass - own
        if left < -1e-9 * mass or own <= 0:
            raise ValueError("the prevalence has more mass than the rates")
        if left <= 1e-9 * mass:
            factors.append((np.ones(1), np.ones(1)))
            continue
        nodes, weights = gauss_beta(np.array([own]), np.array([left]), 16)
        factors.append((nodes[0], weights[0]))
    (one, w1), (two, w2) = factors
    ratio, weight = (two[None] / one[:, None]).ravel(), (w1[:, None] * w2).ravel()
    count = next(n for size, n in NODES if min(share) < size)
    return (ratio, weight) if len(ratio) <= count else _condensed(ratio, weight, count)


def _condensed(ratio: Floats, weight: Floats, count: int) -> tuple[Floats, Floats]:
    """Gauss rule of a discrete law in its logarithm, by Lanczos' method with full orthogonalisation."""
    place = np.log(ratio)
    weight = weight / weight.sum()
    centre = float((weight * place).sum())
    scale = float(np.sqrt((weight * (place - centre) ** 2).sum()))
    x = (place - centre) / scale
    basis = [np.sqrt(weight)]
    middle, beside = [], []
    for _ in range(count):
        new = x * basis[-1]
        middle.append(float((new * basis[-1]).sum()))
        for _ in range(2):
            for old in basis:
                new = new - float((new * old).sum()) * old
        beside.append(float(np.sqrt((new * new).sum())))
        basis.append(new / beside[-1])
    nodes, vectors = np.linalg.eigh(np.diag(middle) + np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1))
    return np.exp(centre + scale * nodes), vectors[0] ** 2


class CellWorth(BatchLaw):
    """T laws of ``sum_j v_j p_j``, of values and Dirichlet parameters of shape (T, 4): cells hit, missed, false, kept.

    Sensitivity ~ Beta(hit, missed), false positive rate ~ Beta(false, kept), prevalence ~ Beta(share), with at most as
    much mass as either; the sums of the first two and of the last two parameters are the same in all rows. The
    distribution function is within 3e-6, and within 2e-5 where a class has five cases or fewer.
    """

    def __init__(self, values: Floats, alphas: Floats, share: tuple[float, float]) -> None:
        self._values, self._alphas, self._share = values, alphas, share
        mass = alphas[:, :2].sum(axis=1), alphas[:, 2:].sum(axis=1)
        self._ratio, self._weight = mass_ratio(float(mass[0][0]), float(mass[1][0]), share)
        means, squares = [], []
        for part, total in zip((slice(0, 2), slice(2, 4)), mass, strict=True):
            p = alphas[:, part] / total[:, None]
            mean = (values[:, part] * p).sum(axis=1)
            apart = np.ptp(values[:, part], axis=1)
            means.append(mean)
            squares.append(mean**2 + apart**2 * p[:, 0] * p[:, 1] / (total + 1))
        whole = share[0] + share[1]
        m = share[0] / whole
        v = m * (1 - m) / (whole + 1)
        self.mean = m * means[0] + (1 - m) * means[1]
        square = (
            (v + m * m) * squares[0] + (v + (1 - m) ** 2) * squares[1] + 2 * (m * (1 - m) - v) * means[0] * means[1]
        )
        self.sd = np.sqrt(np.maximum(square - self.mean**2, 1e-300))
        self.low, self.high = values.min(axis=1), values.max(axis=1)

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution functions, densities and their derivatives of some rows at their own points."""
        worth = self._values[rows, None, None, :] - x[:, :, None, None]
        factor = np.ones((len(self._ratio), 4))
        factor[:, 2:] = self._ratio[:, None]
        alphas = np.broadcast_to(self._alphas[rows, None, None, :], (*x.shape, *factor.shape))
        turned = (alphas * worth * factor).sum(axis=-1) > 0  # the tail that is the smaller one is computed
        d = np.where(turned[..., None], -worth, worth) * factor
        tail, f, slope = _line(d.reshape(-1, 4), alphas.reshape(-1, 4), np.broadcast_to(factor, d.shape).reshape(-1, 4))
        tail, f, slope = (part.reshape(turned.shape) for part in (tail, f, slope))
        F = np.where(turned, tail, 1 - tail)
        slope = np.where(turned, slope, -slope)
        return tuple((part * self._weight).sum(axis=-1) for part in (F, f, slope))

    def shortest(self, level: float) -> tuple[Floats, Floats]:
        """Ends of the shortest intervals, from a guess; in full for the rows where that does not lead to two ends."""
        tails = np.array([[(1 - level) / 2, (1 + level) / 2]])
        start = self._guess(np.broadcast_to(tails, (len(self), 2)), np.arange(len(self)))
        ends, found = equal_densities(self.evaluate, level, start, self.low, self.high)
        rest = np.flatnonzero(~found)
        if len(rest):
            ends[rest] = np.stack(self.taken(rest).shortest_in_full(level), axis=1)
        return ends[:, 0], ends[:, 1]

    def shortest_in_full(self, level: float) -> tuple[Floats, Floats]:
        """The same from central intervals."""
        return super().shortest(level)

    def taken(self, rows: Integers) -> CellWorth:
        """Some of the laws."""
        return CellWorth(self._values[rows], self._alphas[rows], self._share)


def _line(d: Floats, alphas: Floats, factor: Floats) -> tuple[Floats, Floats, Floats]:
    """P(sum d G > 0), the density of X there and its unsigned derivative, for rows with a mean below 0."""
    made = np.zeros((3, len(d)))
    rows = np.flatnonzero(d.max(axis=1) > 0)
    if len(rows):
        d, alphas, factor = d[rows], alphas[rows], factor[rows]
        z = _saddle(d, alphas, d.max(axis=1))
        share = d / (1 - z[:, None] * d)
        second = (alphas * share**2).sum(axis=1) + 1 / z**2
        third = 2 * (alphas * share**3).sum(axis=1) - 2 / z**3
        size = 1 / np.sqrt(second)
        bend = np.clip(third / (3 * second) * size, -1.0, 1.0)
        height = -(alphas * np.log1p(-z[:, None] * d)).sum(axis=1)
        path = _Path(z, size, bend, height, share, alphas, factor / (1 - z[:, None] * d))
        parts = path.terms(FIRST)
        sums = parts.sum(axis=2)
        sizes = np.abs(parts)
        open_ended = (sizes[:, :, -2:].max(axis=2) > LEFT * sizes.sum(axis=2) + 1e-290).any(axis=0)
        hard = np.flatnonzero(open_ended | (sizes[:2].sum(axis=2) > CANCELLED * np.abs(sums[:2])).any(axis=0))
        if len(hard):
            sums[:, hard] = _slowly(path.of(hard))
        made[:, rows] = sums
    return made[0], made[1], made[2]


def _slowly(path: _Path) -> Floats:
    """The three sums where the integrand dies away slowly: along the hyperbola on which it is smallest."""
    bends = np.stack([path.bend, *(np.full(len(path.z), bend) for bend in BENDS)])
    sizes = np.stack([path.bent(bend).magnitudes() for bend in bends])
    sizes[0] -= PREFERRED
    path = path.bent(np.take_along_axis(bends, sizes.argmin(axis=0)[None], axis=0)[0])
    sums, sizes = np.zeros((3, len(path.z))), np.zeros((3, len(path.z)))
    left = np.arange(len(path.z))
    for start in range(0, int(2 * FARTHEST / STEP), len(FIRST)):
        parts = 0.5 * path.of(left).terms(0.5 * (FIRST + STEP * start))
        sums[:, left] += parts.sum(axis=2)
        sizes[:, left] += np.abs(parts).sum(axis=2)
        more = np.abs(parts[:, :, -2:]).max(axis=2) > LEFT * sizes[:, left] + 1e-290
        left = left[more.any(axis=0)]
        if not len(left):
            break
    return sums


class _Path(NamedTuple):
    """Hyperbolas through the saddle points, bent as the paths of steepest descent are."""

    z: Floats
    size: Floats
    bend: Floats
    height: Floats
    share: Floats
    alphas: Floats
    slopes: Floats

    def of(self, rows: Integers) -> _Path:
        """Some of them."""
        return _Path(*(part[rows] for part in self))

    def bent(self, bend: float | Floats) -> _Path:
        """The same, bent otherwise: the cotangent of the angle to the real axis far out."""
        return self._replace(bend=np.broadcast_to(np.asarray(bend, dtype=float), self.z.shape))

    def magnitudes(self) -> Floats:
        """How large the integrand becomes: the logarithm of a sum of its sizes at some places."""
        across = self.size[:, None] * self.bend[:, None] * (np.cosh(LOOKED) - 1)
        along = self.size[:, None] * np.sinh(LOOKED)
        real, imaginary = 1 - across[:, :, None] * self.share[:, None], along[:, :, None] * self.share[:, None]
        log = -0.5 * (self.alphas[:, None] * np.log(real**2 + imaginary**2)).sum(axis=2)
        return np.asarray(np.logaddexp.reduce(log + LOOKED, axis=1))

    def terms(self, v: Floats | np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> Floats:
        """Terms of the three sums at some nodes, shape (3, rows, nodes)."""
        z, size, bend, height = (part[:, None] for part in self[:4])
        share, alphas, slopes = (part[:, None, :] for part in self[4:])
        across, along = size * bend * (np.cosh(v) - 1), size * np.sinh(v)
        # 1 - (z + step) d, over 1 - z d
        real, imaginary = 1 - across[:, :, None] * share, -along[:, :, None] * share
        square = real * real + imaginary * imaginary
        log = height - 0.5 * (alphas * np.log(square)).sum(axis=2)
        angle = -(alphas * np.arctan2(imaginary, real)).sum(axis=2)
        M = np.exp(np.minimum(log, 600.0) + 1j * angle) * size * (bend * np.sinh(v) + 1j * np.cosh(v)) * (STEP / np.pi)
        if v[0] == 0:
            M[:, 0] *= 0.5
        turn = slopes * (real - 1j * imaginary) / square
        A = (alphas * turn).sum(axis=2)
        at = z + across + 1j * along
        MA = M * A
        return np.stack([(M / at).imag, MA.imag, (at * (MA * A + M * (alphas * turn * turn).sum(axis=2))).imag])


def _saddle(d: Floats, alphas: Floats, largest: Floats) -> Floats:
    """The least value of a convex function, prod (1 - z d)^-alpha / z, between 0 and 1 / max d, by damped Newton."""
    sd = np.sqrt((alphas * d * d).sum(axis=1))
    z = np.minimum(0.5 / largest, 1 / sd)
    for _ in range(STEPS):
        share = d / (1 - z[:, None] * d)
        first = (alphas * share).sum(axis=1) - 1 / z
        second = (alphas * share**2).sum(axis=1) + 1 / z**2
        step = -first / second
        # the function is self-concordant but for parameters below 1: such a step never leaves the interval by much
        step = step / (1 + np.abs(first) / np.sqrt(second))
        z = np.clip(z + step, 0.1 * z, z + 0.9 * (1 / largest - z))
        if np.abs(step * np.sqrt(second)).max() < 1e-3:
            break
    return np.asarray(z)
