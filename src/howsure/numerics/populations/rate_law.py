"""The law of one rate of a learned population."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special

from howsure.numerics.arrays import Booleans, Floats, bincount
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
        self.residual = residual + self._integrate(start, end) + UNRESOLVED

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


# -- The law of one rate of a learned population: a mixture of Betas over the nodes, near ones taken together ----------


#: Mass of the lightest components, which are left out together.
LEFT_OUT = 1e-6

#: Betas are joined within so much of their sd in the mean, and in its logarithm; the narrowest, of so much mass
#: together, are hundreds of needles beside each other, and are joined in wider cells. The error of the distribution
#: function by that; the tests hold it to that.
ASIDE, FINE, NEEDLES, OF_JOINING = (0.1, 1.0), (0.03, 0.3), 0.03, 4e-5

#: Places are not nearer to an end, unless their node is.
NEAREST = 1e-12

#: Powers at an end above this are not told apart.
STEEP = 2.0

#: A Beta narrower than so many of the steps to the places between a node and its neighbours is spread over these.
NARROW = 4.0


def one_rate(terms: NodeSum) -> RateLaw:
    """Law of ``shift + coefficient theta`` for a sum of one term.

    Where classes are alike the Betas of the nodes are needles; these are spread towards the neighbours of their node,
    as `NodeSum` says, because the posterior of the typical rate is no comb.
    """
    odd = (terms.weight * terms.broad[:, :, 0]).sum(axis=0)
    main = terms.weight.sum(axis=0) - odd
    a, b = terms.alpha[:, 0], terms.beta[:, 0]
    total = a + b
    mean = a / total
    variance = mean * (b / total) / (total + 1)
    share = np.append(main, odd.sum()) / terms.weight.sum()
    p = np.append(mean, terms.broad_alpha / (terms.broad_alpha + terms.broad_beta))
    v = np.append(variance, p[-1] * (1 - p[-1]) / (terms.broad_alpha[0] + terms.broad_beta[0] + 1))
    centre = float(share @ p)
    sd = float(np.sqrt(share @ (v + (p - centre) ** 2)))
    offset = terms.offset / terms.coefficient[0]
    step = np.abs(np.diff(offset, axis=1)).max(axis=1) if offset.shape[1] > 1 else np.zeros(len(a))
    seen = _seen(main)
    narrow = (variance < (NARROW * step) ** 2) & seen
    broad = ~narrow & seen
    spread_a, spread_b, spread_mass = _spread(
        mean[narrow], variance[narrow], offset[narrow], terms.share[narrow], main[narrow], step[narrow], _least(a, b)
    )
    mass = np.concatenate((main[broad], spread_mass, [odd.sum()]))
    first = np.concatenate((a[broad], spread_a, terms.broad_alpha))
    second = np.concatenate((b[broad], spread_b, terms.broad_beta))
    mass, first, second = _joined(mass, first, second)
    return RateLaw(
        mass,
        first,
        second,
        coefficient=float(terms.coefficient[0]),
        shift=terms.shift,
        residual=2 * LEFT_OUT + OF_JOINING,
        moments=(centre, sd),
    )


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
    return RateLaw(
        *_joined(mass, a, b),
        coefficient=width,
        shift=low,
        residual=AT_A_SPIKE * OF_SKEWNESS * float(mass @ missed) + OF_JOINING,
    )


def _seen(mass: Floats) -> Booleans:
    order = np.argsort(mass)
    reached = np.cumsum(mass[order])
    seen = np.ones(len(mass), bool)
    seen[order[: int(np.searchsorted(reached, LEFT_OUT * reached[-1]))]] = False
    return seen


def _joined(mass: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    """Betas of nearly one mean, sd and power at either end as one of their mean and variance; the lightest left out."""
    seen = _seen(mass)
    mass, a, b = mass[seen] / mass[seen].sum(), a[seen], b[seen]
    p, q = a / (a + b), b / (a + b)
    variance = p * q / (a + b + 1)
    log_sd = 0.5 * np.log(variance)
    narrow = ((log_sd - log_sd.min()) / FINE[0]).astype(np.intp)
    needle = (np.cumsum(bincount(narrow, mass)) < NEEDLES)[narrow]
    aside, width = (np.where(needle, coarse, fine) for fine, coarse in (ASIDE, FINE))
    level = np.round(log_sd / width)
    place = np.round(p / (aside * np.exp(level * width)))
    power = np.round(np.log(np.minimum(np.minimum(a, b), STEEP)) / width)  # at an end, where it is seen
    cell = _cells(place, level, power, needle.astype(float))
    together, one, other = (bincount(cell, mass * x).astype(float) for x in (np.ones_like(p), p, q))
    one, other = one / together, other / together
    apart = np.where(p < q, p - one[cell], q - other[cell])  # near an end only this side has digits
    square = bincount(cell, mass * (variance + apart**2)) / together
    size = np.maximum(one * other / np.maximum(square, 1e-300) - 1, 1e-12)
    alone = bincount(cell) == 1
    own = tuple(bincount(cell, x).astype(float) for x in (a, b))
    return together, *_not_steeper(
        np.where(alone, own[0], one * size), np.where(alone, own[1], other * size), _least(a, b)
    )


def _cells(place: Floats, *others: Floats) -> NDArray[np.intp]:
    """Number of the cell of each component, cells in the order of their whole-numbered places."""
    key = np.unique(place, return_inverse=True)[1]
    for other in others:  # logarithms, of which there are not too many for a product
        whole = (other - other.min()).astype(np.intp)
        key = key * (int(whole.max()) + 1) + whole
    return np.unique(key, return_inverse=True)[1]


def _spread(
    mean: Floats,
    variance: Floats,
    offset: Floats,
    share: Floats,
    mass: Floats,
    step: Floats,
    least: tuple[float, float],
) -> tuple[Floats, Floats, Floats]:
    """Betas around every place of narrow nodes, as wide as the steps at least, with mass and mean of the node."""
    if not len(mean):
        return np.zeros(0), np.zeros(0), np.zeros(0)
    share = share / share.sum(axis=1, keepdims=True)
    places = offset - (share * offset).sum(axis=1, keepdims=True) + mean[:, None]
    places = np.clip(places, np.minimum(NEAREST, mean / 2)[:, None], 1 - np.minimum(NEAREST, (1 - mean) / 2)[:, None])
    widened = np.maximum(variance, (0.6 * step) ** 2)[:, None]
    widened = np.minimum(widened, 0.5 * places * (1 - places))
    size = places * (1 - places) / widened - 1
    first, second = _not_steeper((places * size).ravel(), ((1 - places) * size).ravel(), least)
    return first, second, (mass[:, None] * share).ravel()


def _not_steeper(a: Floats, b: Floats, least: tuple[float, float]) -> tuple[Floats, Floats]:
    """Betas of the same means whose powers at the ends are not below ``least``: no spike where there is none."""
    more = np.maximum(1.0, np.maximum(least[0] / a, least[1] / b))
    return a * more, b * more


def _least(a: Floats, b: Floats) -> tuple[float, float]:
    return min(float(a.min()), 1.0), min(float(b.min()), 1.0)
