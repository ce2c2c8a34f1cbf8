"""The law of one rate of a learned population."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from howsure.numerics.arrays import Booleans, Floats
from howsure.numerics.populations.logit_laws import UNRESOLVED, LogitLaw
from howsure.numerics.populations.node_sums import NodeSum, NodeSumLaw, TooDear

# -- A mixture of hundreds of Betas, as the law of one rate of a learned population is, by one pass over its density ---


#: Even panels at first, and edges beside the middle of the logits, in their standard deviations.
PANELS, MIDDLE = 4, np.array([-6.0, -3.0, -1.0, 1.0, 3.0, 6.0])

#: Where components are looked up, by the mass of all to their left, and edges beside these, in standard deviations, if
#: so many of these are narrower than their panel: a wider component is seen at its Gauss points.
LOOKED_AT, BESIDE = np.array([0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999]), np.array([-6.0, -2.0, 2.0, 6.0])
HIDDEN = 25.0

#: Mass that may lie beyond the first and the last panel, and the farthest logits: beyond, floats are 0 or 1.
BEYOND, FARTHEST = 1e-10, (-700.0, 37.0)


#: Terms of a mixture that stay in the cache, and the least logarithm of one: a number that underflows, as most of those
#: of needles would, takes four times as long.
AT_A_TIME, LEAST_LOG = 1 << 15, -690.0


#: Mass of the lightest components, which are left out together.
LEFT_OUT = 1e-6


class RateLaw(LogitLaw):
    """Law of ``shift + coefficient theta``, theta Beta(a_c, b_c) with probability ``mass_c``, shape (C,).

    ``residual`` is the error of the distribution function by what the mixture leaves out; ``moments`` are the mean and
    sd of theta, where they are known better than by this mixture.
    """

    def __init__(
        self,
        mass: Floats,
        a: Floats,
        b: Floats,
        *,
        coefficient: float = 1.0,
        shift: float = 0.0,
        residual: float = 0.0,
        moments: tuple[float, float] | None = None,
    ) -> None:
        # X = at_zero + factor z, and z is 0 at the end where the density is steeper: floats are dense there
        seen = _seen(mass)
        mass, a, b = mass[seen] / mass[seen].sum(), a[seen], b[seen]
        turned = b.min() < a.min()
        super().__init__(*((shift + coefficient, -coefficient) if turned else (shift, coefficient)))
        self._a, self._b = (b, a) if turned else (a, b)
        mass = np.maximum(mass, 1e-300)
        self._log_mass = np.log(mass) - special.betaln(a, b)
        z = self._a / (a + b)
        mean = float(mass @ z)
        self._z_mean = mean
        self._z_sd = float(np.sqrt(max(float(mass @ (z * ((self._a + 1) / (a + b + 1)))) - mean**2, 0.0)))
        centre, sd = ((1 - mean) if turned else mean, self._z_sd) if moments is None else moments
        self.mean, self.sd = shift + coefficient * centre, abs(coefficient) * sd
        low, high = self._far(self._a), -self._far(self._b)
        self._resolve(self._first_edges(max(low, FARTHEST[0]), min(high, FARTHEST[1])))
        start, end = self._tail(self._edges[0], self._a), self._tail(-self._edges[-1], self._b)
        self.residual = residual + abs(1 - self._integrate(start, end)) + UNRESOLVED

    def _tail(self, t: float, power: Floats) -> float:
        """Mass beyond a logit far out, where the density is a power."""
        with np.errstate(under="ignore"):
            return float(np.exp(self._log_mass + power * t - np.log(power)).sum()) if t < -30 else 0.0

    def _density(self, t: Floats) -> Floats:
        logs = np.stack([-np.logaddexp(0, -t), -np.logaddexp(0, t), np.ones_like(t)], axis=1)
        powers = np.stack([self._a, self._b, self._log_mass])
        some = max(1, AT_A_TIME // powers.shape[1])
        density = np.empty(len(t))
        for k in range(0, len(t), some):
            terms = logs[k : k + some] @ powers
            np.maximum(terms, LEAST_LOG, out=terms)
            np.exp(terms, out=terms).sum(axis=1, out=density[k : k + some])
        return density

    def _first_edges(self, low: float, high: float) -> Floats:
        """Some all over, and around needles, which may be hidden between two Gauss points; halving finds the rest."""
        mass = np.exp(self._log_mass + special.betaln(self._a, self._b))
        centre, sd = np.log(self._a / self._b), np.sqrt(1 / self._a + 1 / self._b)
        middle = mass @ centre
        around = middle + np.sqrt(mass @ (sd**2 + (centre - middle) ** 2)) * MIDDLE
        edges = np.sort(np.concatenate((np.linspace(low, high, PANELS + 1), around[(around > low) & (around < high)])))
        order = np.argsort(centre)
        some = order[np.minimum(np.searchsorted(np.cumsum(mass[order]) / mass.sum(), LOOKED_AT), len(order) - 1)]
        for place in some[np.argsort(sd[some], kind="stable")]:
            k = int(np.clip(np.searchsorted(edges, centre[place]), 1, len(edges) - 1))
            if HIDDEN * sd[place] < edges[k] - edges[k - 1]:
                beside = centre[place] + sd[place] * BESIDE
                edges = np.sort(np.concatenate((edges, beside[(beside > low) & (beside < high)])))
        return np.asarray(edges[np.append(True, np.diff(edges) > 0)])

    def _far(self, a: Floats) -> float:
        """Logit below which there is next to no mass: each density is at most ``exp(log mass + a t)`` there."""
        return float(((np.log(BEYOND / len(a)) - self._log_mass + np.log(a)) / a).min())

    @property
    def _ends(self) -> tuple[float, float]:
        return self._end(self._a), self._end(self._b)

    def _end(self, power: Floats) -> float:
        if power.min() < 1 - 1e-9:
            return np.inf
        flat = np.abs(power - 1) <= 1e-9
        return float(np.exp(self._log_mass[flat]).sum())


# -- The law of one rate of a learned population: a mixture of Betas over the nodes and between them -----------


#: Places are not nearer to an end, unless their node is.
NEAREST = 1e-12

#: A Beta narrower than so many of the steps to the places between a node and its neighbours is spread over these.
NARROW = 4.0


def one_rate(terms: NodeSum) -> RateLaw:
    """Law of ``shift + coefficient theta`` for a sum of one term.

    Where classes are alike the Betas of the nodes are needles; these are spread towards the neighbours of their node,
    as `NodeSum` says, because the posterior of the typical rate is no comb.
    """
    odd = (terms.weight * terms.broad[:, :, 0]).sum(axis=0)
    a, b = np.append(terms.alpha[:, 0], terms.broad_alpha), np.append(terms.beta[:, 0], terms.broad_beta)
    mass = np.append(terms.weight.sum(axis=0) - odd, odd.sum()) / terms.weight.sum()
    mean = a / (a + b)
    variance = mean * (b / (a + b)) / (a + b + 1)
    centre = float(mass @ mean)
    sd = float(np.sqrt(mass @ (variance + (mean - centre) ** 2)))
    offset = terms.offset / terms.coefficient[0]
    step = np.append(np.abs(np.diff(offset, axis=1)).max(axis=1, initial=0.0), 0.0)
    narrow = np.flatnonzero((variance < (NARROW * step) ** 2) & _seen(mass))
    if len(narrow):
        share = terms.share[narrow] / terms.share[narrow].sum(axis=1, keepdims=True)
        places = offset[narrow] - (share * offset[narrow]).sum(axis=1, keepdims=True) + mean[narrow, None]
        nearest = [np.minimum(NEAREST, x[narrow, None] / 2) for x in (mean, 1 - mean)]
        places = np.clip(places, nearest[0], 1 - nearest[1])
        # as wide as the steps at least
        widened = np.maximum(variance[narrow], (0.6 * step[narrow]) ** 2)[:, None]
        size = places * (1 - places) / np.minimum(widened, 0.5 * places * (1 - places)) - 1
        # of the same means, but with no spike at an end where there is none
        ends = [min(float(x[:-1].min()), 1.0) for x in (a, b)]
        size *= np.maximum(1.0, np.maximum(ends[0] / (places * size), ends[1] / ((1 - places) * size)))
        mass, a, b = (
            np.concatenate((np.delete(one, narrow), other.ravel()))
            for one, other in ((mass, mass[narrow, None] * share), (a, places * size), (b, (1 - places) * size))
        )
    return RateLaw(
        mass, a, b, coefficient=float(terms.coefficient[0]), shift=terms.shift, residual=2 * LEFT_OUT,
        moments=(centre, sd),
    )  # fmt: skip


#: Error of a cdf by a skewness that is missed, the largest value of the second Hermite term of an Edgeworth series,
#: max |He2 phi| / 6; and how much of it counts where ``x`` may move by a hundredth of an sd: beside a spike nearly all
#: that is missed lies nearer to it.
OF_SKEWNESS, AT_A_SPIKE, MOST_MISSED = 0.0665, 0.2, 3.0


def sum_law(parts: Sequence[NodeSum]) -> NodeSumLaw | RateLaw:
    """Law of the sum of independent parts; raises `TooDear` where it has a spike other than at the end of one part."""
    if len(parts) == 1 and parts[0].copies.sum() == 1:
        return one_rate(parts[0])
    try:
        return NodeSumLaw(parts)
    except TooDear:
        if len(parts) > 1 or min(parts[0].end_exponents) >= 1:
            raise
        return matched(parts[0])


def matched(terms: NodeSum) -> RateLaw:
    """Law of a sum with a spike at an end, where all was right: at each node the Beta of its mean and variance."""
    low, high = terms.support
    width = high - low
    mean, variance, third = (x.ravel() for x in terms.node_moments)
    mass = terms.weight.ravel() / terms.weight.sum()
    p, q = (np.clip(x / width, 1e-15, 1.0) for x in (mean - low, high - mean))
    size = np.maximum(p * q * width**2 / np.maximum(variance, 1e-300) - 1, 1e-12)
    a, b = p * size, q * size
    skewness = 2 * (b - a) * np.sqrt(a + b + 1) / ((a + b + 2) * np.sqrt(a * b))
    missed = np.minimum(np.abs(skewness - third / np.maximum(variance, 1e-300) ** 1.5), MOST_MISSED)
    residual = AT_A_SPIKE * OF_SKEWNESS * float(mass @ missed) + LEFT_OUT
    return RateLaw(mass, a, b, coefficient=width, shift=low, residual=residual)


def _seen(mass: Floats) -> Booleans:
    order = np.argsort(mass)
    reached = np.cumsum(mass[order])
    seen = np.ones(len(mass), bool)
    seen[order[: int(np.searchsorted(reached, LEFT_OUT * reached[-1]))]] = False
    return seen
