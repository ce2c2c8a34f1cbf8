"""Weighted sums of independent rates, many at once: balanced accuracies, gaps, by one inversion for all rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.numerics.arrays import Complexes, Floats, Integers
from howsure.numerics.learned.evidence import gauss_beta
from howsure.numerics.slices.batch_law import BatchLaw
from howsure.numerics.slices.borrowed_rates import RateMixtures

__all__ = ["RateSums"]

#: The window reaches so many standard deviations, as far as the support does, and the period a little beyond it.
REACH, MARGIN = 9.0, 1.02

#: The series goes to the frequency so many over the sd; nodes of a Gauss rule for a Beta of that many turns.
LAST, NODES = 14.0, 40

#: Components that a rate keeps in a sum, the last of them its broad part: of some rows, and of more rows than these.
#: The others join their neighbour; components lighter than the last number are left out.
KEPT, KEPT_OF_MANY, MANY, LIGHT = 4, 2, 500, 1e-4

#: Numbers that are held at once.
BLOCK = 1_500_000


class RateSums(BatchLaw):
    """R laws of ``shift + sum_j w_j x_rj`` of independent rates x_rj.

    Parameters
    ----------
    rates : sequence of RateMixtures
        R rows each.
    weights : sequence of float
        One for each, not 0.
    shift : float
        A constant.

    Notes
    -----
    The characteristic function of a Beta is a Gauss rule; their product is inverted by a Fourier series on
    mean +- 9 sd. The error of the distribution function is 1e-4, up to 8e-3 where one rate is all right or all wrong
    and much wider than the others.

    Examples
    --------
    >>> ill, well = (RateMixtures(np.array([[a]]), np.array([[b]])) for a, b in [(9.0, 3.0), (30.0, 4.0)])
    >>> both = RateSums([ill, well], [0.5, 0.5])
    >>> [end.round(3).tolist() for end in both.central(0.95)]
    [[0.672], [0.926]]
    """

    def __init__(self, rates: Sequence[RateMixtures], weights: Sequence[float], shift: float = 0.0) -> None:
        rows = len(rates[0])
        every = np.zeros(rows)
        self.mean = shift + every + sum(w * rate.mean for w, rate in zip(weights, rates, strict=True))
        self.sd = np.sqrt(every + sum((w * rate.sd) ** 2 for w, rate in zip(weights, rates, strict=True)))
        self.low = every + shift + sum(min(w, 0.0) for w in weights)
        self.high = every + shift + sum(max(w, 0.0) for w in weights)
        self._from = np.maximum(self.low, self.mean - REACH * self.sd)
        self._to = np.minimum(self.high, self.mean + REACH * self.sd)
        period = MARGIN * (self._to - self._from)
        self._step = 2 * np.pi / period
        terms = int(np.ceil((LAST / self.sd / self._step).max()))
        self._wave = np.zeros((rows, terms), dtype=complex)
        kept = KEPT if rows <= MANY else KEPT_OF_MANY
        few = [_fewer(rate, kept) for rate in rates]
        size = max(1, BLOCK // (NODES * kept))
        for start in range(0, rows, size):
            part = slice(start, start + size)
            made = np.ones((len(every[part]), terms), dtype=complex)
            for (a, b, mass), w in zip(few, weights, strict=True):
                made *= _transforms(a[part], b[part], mass[part], w * self._step[part], terms)
            turn = shift - self._from[part]
            self._wave[part] = made * np.exp(1j * (self._step[part] * turn)[:, None] * np.arange(1, terms + 1))
        self._period = period

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution functions, densities and their derivatives of some rows at their own points."""
        first, period, step = self._from[rows, None], self._period[rows, None], self._step[rows, None]
        away = np.clip(x, first, self._to[rows, None]) - first
        terms = self._wave.shape[1]
        turn = np.exp(-1j * step * away)
        power, F, f, slope = np.ones_like(turn), away / period, np.ones(x.shape), np.zeros(x.shape)
        for j in range(1, terms + 1):
            power = power * turn
            wave = self._wave[rows, j - 1, None]
            here = wave * power
            F += ((here - wave) * (1j / (j * np.pi))).real
            f += 2 * here.real
            slope += 2 * j * here.imag
        return np.clip(F, 0.0, 1.0), np.maximum(f, 0.0) / period, slope * step / period


def _transforms(a: Floats, b: Floats, mass: Floats, step: Floats, terms: int) -> Complexes:
    """Characteristic functions of mixtures of Betas at 1, 2, ... times a step, shape (R, terms)."""
    used = mass > LIGHT * mass.max(axis=1, keepdims=True)
    row = np.nonzero(used)[0]
    first_of_row = np.concatenate(([0], np.cumsum(used.sum(axis=1))[:-1]))
    share = np.where(used, mass, 0.0)
    share /= share.sum(axis=1, keepdims=True)
    places, shares = gauss_beta(a[used], b[used], NODES)
    power = (share[used][:, None] * shares).astype(complex)
    turn = np.exp(1j * step[row, None] * places)
    made = np.empty((len(row), terms), dtype=complex)
    for i in range(terms):
        power *= turn
        made[:, i] = power.sum(axis=1)
    return np.asarray(np.add.reduceat(made, first_of_row, axis=0))


def _fewer(rates: RateMixtures, kept: int) -> tuple[Floats, Floats, Floats]:
    """At most so many Betas for each rate, neighbours in the spread taken together with their mean and variance."""
    a, b, mass = rates.a, rates.b, rates.mass
    if a.shape[1] <= kept:
        return a, b, mass
    main = slice(0, a.shape[1] - 1)  # the last one is the broad part and stays what it is
    reached = np.cumsum(mass[:, main], axis=1)
    middle = (reached - mass[:, main] / 2) / np.maximum(reached[:, -1:], 1e-300)
    group = np.minimum((middle * (kept - 1)).astype(int), kept - 2)
    p, q = a / (a + b), b / (a + b)
    variance = p * q / (a + b + 1)
    made = []
    for i in range(kept - 1):
        held = np.where(group == i, mass[:, main], 0.0)
        total = held.sum(axis=1)
        least = np.maximum(total, 1e-300)
        one, other = ((held * x[:, main]).sum(axis=1) / least for x in (p, q))
        spread = (held * (variance[:, main] + (p[:, main] - one[:, None]) ** 2)).sum(axis=1) / least
        size = np.where(total > 0, np.maximum(one * other / np.maximum(spread, 1e-300) - 1, 1e-9), 2.0)
        made.append((*(np.where(total > 0, np.maximum(x * size, 1e-12), 1.0) for x in (one, other)), total))
    made.append((a[:, -1], b[:, -1], mass[:, -1]))
    return tuple(np.stack(column, axis=1) for column in zip(*made, strict=True))  # type: ignore[return-value]
