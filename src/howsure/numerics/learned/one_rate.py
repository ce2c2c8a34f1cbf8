"""The law of one rate of a learned population: a mixture of Betas over the nodes, near ones taken together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Booleans, Floats, bincount
from howsure.numerics.learned.node_sums import NodeSum
from howsure.numerics.learned.rate_law import RateLaw

__all__ = ["one_rate"]

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


def _seen(mass: Floats) -> Booleans:
    """All but the lightest."""
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
