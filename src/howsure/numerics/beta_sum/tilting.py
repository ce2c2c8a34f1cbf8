"""Far tails with relative accuracy, by exponential tilting.

Under the law tilted by ``e^{sX}`` a far tail is the middle. With ``K`` the log of ``E e^{s(X - mean)}`` and
``phi_s`` the characteristic function of the tilted law,

    P(X - mean > z) = e^{K(s) - s z} (1/pi) Re int_0^inf phi_s(t) e^{-itz} / (s + it) dt      (s > 0),

and the mirror image for the lower tail: the saddle-point expansion (Lugannani and Rice, 1980) with the integral done
instead of expanded. The trapezoidal rule of step ``2 pi/L`` errs by ``e^{-sL}`` and by the tilted mass beyond ``L``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.beta_sum.fourier import equispaced_transform, integer_power, unit_phase
from howsure.numerics.beta_sum.inversion import SeriesRemainder
from howsure.numerics.beta_sum.normal_form import LinearForm, cumulant_bound_slope
from howsure.numerics.beta_sum.row_transforms import TooManyNodes, beta_nodes, row_transform
from howsure.numerics.beta_sum.vertices import RowVertices

__all__ = ["TiltedLaw", "approximate_saddle", "tail_integrals"]

ENOUGH = 3e-12  # relative size of the last term of the integral
MOST_TERMS, MOST_EXPANDED = 1 << 10, 1 << 13
NEAR_ENOUGH = 1.2  # how far from the tilted mean, in tilted standard deviations, a tail point may lie
STEPS = 8
MOST_FREQUENCIES = 1 << 15
AGREEMENT, SECOND_CUT = 1e-10, 12  # the remainder is believed if two cuts, so many terms apart, agree
ROWS_AT_A_TIME = 4096


class TiltedLaw:
    """The law tilted by ``e^{s X}``: its centre, log mass ``K(s) - s centre``, mean and variance."""

    def __init__(self, form: LinearForm, s: float) -> None:
        self.form, self.s = form, s
        centre = log_mass = mean = variance = 0.0
        for tilt, sign in ((s, 1.0), (0.0, -1.0)):
            for nodes in beta_nodes(form.betas, 0.0, tilt):
                count = form.betas.count[nodes.index]
                a, b, w = (v[nodes.index] for v in (form.betas.a, form.betas.b, form.betas.w))
                p, q = a / (a + b), b / (a + b)
                log_mass += sign * float((count * nodes.log_mass).sum())
                if tilt == 0.0:
                    continue
                # the weight at the tilted mode against that at the untilted one; both modes are known exactly
                moved = nodes.centre / w - p
                with np.errstate(divide="ignore"):  # a mode at an end to the last digit: the tail is 0 in doubles
                    log_mass += float((count * (a * np.log1p(moved / p) + b * np.log1p(-moved / q))).sum())
                centre += float((count * w * moved).sum())
                first = (nodes.weight * nodes.deviation).sum(axis=1)
                mean += float((count * first).sum())
                variance += float((count * ((nodes.weight * nodes.deviation**2).sum(axis=1) - first**2)).sum())
        for row in form.wide:
            probe = np.array([1e-4 / np.sqrt((row.alpha * row.c**2).sum() / row.alpha.sum() ** 2 + 1e-300)])
            tilted, plain = row_transform(row, probe, s), row_transform(row, probe)
            turned = tilted.transform[0]
            log_mass += row.count * (tilted.log_mass - plain.log_mass)
            centre += row.count * tilted.centre
            mean += row.count * float(np.angle(turned) / probe[0])
            variance += row.count * float(-2 * np.log(np.abs(turned)) / probe[0] ** 2)
        self.centre, self.log_mass = centre, log_mass
        self.mean, self.variance = centre + mean, max(variance, 1e-300)

    def transform(self, t0: float, dt: float, count: int) -> Complexes:
        """Characteristic function of the tilted law, relative to ``centre``, at ``t0 + m dt``, ``m < count``."""
        product = np.ones(count, complex)
        betas = self.form.betas
        for nodes in beta_nodes(betas, t0 + count * dt, self.s):
            copies = betas.count[nodes.index]
            each = equispaced_transform(nodes.deviation, nodes.weight, t0, dt, count)
            product *= integer_power(each, copies).prod(axis=0)
        t: Floats = t0 + dt * np.arange(count, dtype=float)
        for row in self.form.wide:
            product *= np.power(row_transform(row, t, self.s).transform, row.count)
        return product

    def tails(self, z: Floats, expansion: Sequence[RowVertices] | None = None) -> tuple[Floats, Floats]:
        """Tail probability on the side of the tilt and density at ``z`` (relative to the mean), near the tilted mean.

        Where the transform of the tilted law decays too slowly, the rest of the sum comes from its ``expansion``.
        """
        s, sd = self.s, float(np.sqrt(self.variance))
        exponent = self.log_mass + s * (self.centre - z)
        period = max(24 * sd, float((40 - exponent.min()) / abs(s)))
        dt = 2 * np.pi / period
        reach = max((row.start for row in expansion), default=0.0) / dt if expansion else np.inf
        tail, density = np.full(len(z), 0.5 / abs(s)), np.full(len(z), 0.5)
        have, block = 0, max(48, int(9 / (sd * dt)) + 1)
        if block > MOST_FREQUENCIES:  # a tilt so slight that its integral is all head and no tail: not a tail at all
            return np.full(len(z), np.nan), np.full(len(z), np.nan)
        earlier: Floats | None = None
        while True:
            phi = self.transform((have + 1) * dt, dt, block)
            t = dt * np.arange(have + 1, have + block + 1)
            wave = unit_phase(np.multiply.outer(self.centre - z, t)) * phi
            kernel = np.sign(s) / (s + 1j * t)
            tail += (wave @ kernel).real
            density += wave.sum(axis=1).real
            have += block
            if np.abs(phi[-1] * kernel[-1]) * have < ENOUGH * np.abs(tail).min() or have >= (
                MOST_EXPANDED if expansion else MOST_TERMS
            ):
                break
            if expansion and have > reach:
                log_mass = self.log_mass + s * self.centre
                rest = SeriesRemainder(expansion, period, have, sd, s, log_mass)
                if rest.finite:
                    more, more_density, _ = rest.evaluate(z).T
                    whole = tail - np.sign(s) * more / (dt / np.pi), density + more_density / (dt / np.pi)
                    # the sum cannot depend on where the series ends and its remainder begins
                    if earlier is not None and np.all(np.abs(whole[0] - earlier) <= AGREEMENT * np.abs(earlier)):
                        tail, density = whole
                        break
                    if earlier is None:
                        earlier, block = whole[0], SECOND_CUT
                        continue
                expansion = None
            block = max(int(reach) + 1 - have, 1) if have <= reach < MOST_EXPANDED else have
        with np.errstate(under="ignore"):
            scale = np.exp(exponent) * dt / np.pi
        return np.maximum(tail, 0.0) * scale, np.maximum(density, 0.0) * scale


def approximate_saddle(form: LinearForm, z: float) -> float:
    """Tilt whose law has its mean near ``z``, from the closed-form bound of the cumulant generating function."""
    side = 1.0 if z > 0 else -1.0
    low, high = 0.0, side * abs(z) / form.variance
    for _ in range(200):
        if side * (cumulant_bound_slope(form, high) - z) >= 0:
            break
        low, high = high, 2 * high
    for _ in range(60):
        middle = 0.5 * (low + high)
        if side * (cumulant_bound_slope(form, middle) - z) < 0:
            low = middle
        else:
            high = middle
        if abs(high - low) < 0.02 * abs(high):
            break
    return 0.5 * (low + high)


def tilt_towards(form: LinearForm, z: float) -> TiltedLaw:
    """Find a tilt whose mean is within about one of its standard deviations of ``z``."""
    s = approximate_saddle(form, z)
    law = TiltedLaw(form, s)
    for _ in range(STEPS):
        miss = z - law.mean
        if abs(miss) <= 0.5 * np.sqrt(law.variance):
            break
        step = miss / law.variance
        s = float(np.clip(s + step, min(0.5 * s, 2 * s), max(0.5 * s, 2 * s)))
        law = TiltedLaw(form, s)
    return law


def tail_integrals(
    form: LinearForm, z: Floats, expansion: Sequence[RowVertices] | None = None
) -> tuple[Floats, Floats]:
    """Tail probabilities and densities at points ``z``, all on one side of the mean and inside the support.

    The tail is the upper one for ``z > 0``. Points are served in order from the middle outwards; one tilt serves all
    points near its mean. Relative error about 1e-12 where the tilted law is smooth; nan where tilting is of no use.
    """
    tail, density = np.zeros(len(z)), np.zeros(len(z))
    left = np.argsort(np.abs(z), kind="stable")
    while len(left):
        law = tilt_towards(form, float(z[left[0]]))
        exponent = law.log_mass + law.s * (law.centre - float(z[left[0]]))
        if exponent < -800:
            break  # below the smallest double, and so is everything further out
        near = np.abs(z[left] - law.mean) <= NEAR_ENOUGH * np.sqrt(law.variance)
        near[0] = True
        try:
            tail[left[near]], density[left[near]] = law.tails(z[left[near]], expansion)
        except TooManyNodes:
            tail[left[near]] = density[left[near]] = np.nan
        left = left[~near]
    return tail, density
