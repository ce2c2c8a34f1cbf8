"""A box of nodes (y, share of the broad part, b, a) around what the data say about a population, and draws between."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from howsure.numerics.arrays import Booleans, Floats, Integers, repeat
from howsure.numerics.learned.evidence import (
    NOTHING,
    Modes,
    PopulationModel,
    Tallies,
    fitted,
    gauss_beta,
    laplace,
    log_main,
    polished,
    share_mass,
    starts,
)

#: Nodes in (y, b, a) and in the share: members of one size, of unlike sizes, of sizes so far apart that a few large
#: members make cliffs, and many tallies, whose (a, b) is nearly normal.
OF_ONE_SIZE, OF_SIZES, OF_FAR_SIZES, OF_MANY = ((21, 1, 17), 5), ((17, 7, 13), 4), ((21, 11, 21), 4), ((9, 5, 7), 3)

#: From so many times the smallest size on, sizes are far apart.
FAR = 20.0

#: Farthest nodes of b and a, in standard deviations of their normal approximation. The intercept reaches far: where
#: every answer is right its density falls only like exp(-a).
REACH, REACH_OF_MANY = (6.0, 13.0), (3.0, 4.2)

#: From so many distinct tallies on the data are many; above the second number the guide sees them in bins.
MANY, BINNED = 60, 150

#: Part of the posterior of y that is kept: within so many nats of its top.
NATS = 12.0

#: Nodes in y while its range is looked for, and how often it is narrowed at most.
SEARCH, TURNS = 13, 12

#: Modes are kept within so many nats of the best at their y, and of the best of all; nearer than the third number of
#: standard deviations two are one.
NATS_THERE, NATS_OF_ALL, APART = 11.0, 14.0, 1.0

#: Gauss nodes of the share are those of its posterior if so many of the expected members of the broad part counted.
COUNTED = 0.7

Nodes = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Box:
    """P sheets, one for each kept (y, mode), with nodes of the share, of b and of a, and their probabilities.

    ``b = b0 + sd_b sinh(u_b)`` and ``a = a0 + slope (b - b0) + sd_a sinh(u_a)`` on even ``u``; ``log_ratio`` is the log
    density over that of the normal approximation, smooth enough to be interpolated between the nodes.
    """

    centre: Modes  # of the sheets, (P,)
    share: Floats  # (P, E), nodes of e
    b: Floats  # (P, B), nodes
    a: Floats  # (P, B, A), nodes
    weight: Floats  # (P, E, B, A), probabilities
    log_ratio: Floats  # (P, E, B, A)
    broad: Floats  # (E, P * B * A, U), P(each distinct tally is of the broad part) at each node
    u_b: Floats
    u_a: Floats


def sinh_nodes(count: int, reach: float) -> Floats:
    """Even nodes ``u``, the last with ``sinh u = reach``: ``sinh u`` is dense in the middle and wide outside."""
    return np.linspace(-1, 1, count) * float(np.arcsinh(reach)) if count > 1 else np.zeros(1)


def hyperparameter_box(tallies: Tallies, model: PopulationModel, nodes: Nodes | None = None) -> Box:
    """Lay the box and weigh it: around the normal approximation of (a, b) at each ``y`` and mode.

    The trapezoid rule converges exponentially here (Trefethen and Weideman, 2014). Two modes of one y divide the plane
    by the balance heuristic (Veach and Guibas, 1995). The share has the Gauss rule of a Beta near its posterior.
    """
    many = len(tallies.k) > MANY
    far = float(tallies.n.max()) > FAR * max(1.0, float(tallies.n.min()))
    of_sizes = OF_FAR_SIZES if far else OF_SIZES
    (count_y, count_b, count_a), count_e = OF_MANY if many else of_sizes if tallies.sized else OF_ONE_SIZE
    if nodes is not None:
        (count_y, count_b, count_a), count_e = nodes, OF_ONE_SIZE[1]
    seen = tallies.binned(BINNED, model)
    centres, modes = _centres(seen, model, count_y, polish=2 if many else 1)
    mass = laplace(centres, seen, model)
    used = _used(centres, mass, modes)
    at = centres.taken(used)
    reach = REACH_OF_MANY if many else REACH
    u_b = sinh_nodes(count_b if tallies.sized else 1, reach[0])
    u_a = sinh_nodes(count_a, reach[1])
    b = at.b[:, None] + at.sd_b[:, None] * np.sinh(u_b)
    a = (at.a[:, None] + at.slope[:, None] * (b - at.b[:, None]))[..., None]
    a = a + at.sd_a[:, None, None] * np.sinh(u_a)
    every_b, every_y = np.broadcast_to(b[..., None], a.shape), np.broadcast_to(at.y[:, None, None], a.shape)
    main = log_main(a.ravel(), every_b.ravel(), every_y.ravel(), tallies)
    base = model.log_prior(a, every_b, every_y) + np.log(at.sd_a * at.sd_b)[:, None, None]
    if modes > 1:
        base = base + _balance(a, every_b, centres, mass, used, modes, sized=tallies.sized)
    share, log_share = _share_nodes(at, float(tallies.copies.sum()), count_e, model)
    log_density = np.empty((len(at.y), share.shape[1], *a.shape[1:]))
    broad = np.empty((share.shape[1], *main.shape))
    for q in range(share.shape[1]):
        evidence, broad[q] = tallies.parts(main, repeat(share[:, q], a[0].size))
        log_density[:, q] = evidence.reshape(a.shape) + base + log_share[:, q, None, None]
    log_density -= log_density.max()
    weight = np.exp(log_density) * (np.cosh(u_b)[:, None] * np.cosh(u_a))
    log_ratio = log_density + 0.5 * (np.sinh(u_b)[:, None] ** 2 + np.sinh(u_a) ** 2)
    return Box(at, share, b, a, weight / weight.sum(), log_ratio, broad, u_b, u_a)


def _centres(seen: Tallies, model: PopulationModel, count: int, polish: int) -> tuple[Modes, int]:
    """Modes at ``count`` even nodes in y, over all within `NATS` of the top of its approximate posterior.

    Starts from a range that holds every case (all members alike: the prior falls like 1/kappa beyond the number of
    cases; each member all right or all wrong: kappa of the order of 1/(K log n)) and narrows it.
    """
    begin = starts(seen, model)
    modes = len(begin)
    cases, sizes = float(seen.copies @ seen.n), float(seen.copies @ np.log1p(seen.n))
    low, high = -7.0 - np.log1p(sizes), 14.0 + np.log1p(cases)
    first = np.tile(begin, SEARCH), np.zeros(SEARCH * modes), model.likely_share(np.zeros(SEARCH * modes), 0.0)
    known: tuple[Floats, Floats, Floats] = first
    rounds = 4
    for _ in range(TURNS):
        y = np.linspace(low, high, SEARCH)
        at = fitted(repeat(y, modes), *known, seen, model, rounds)
        profile = laplace(at, seen, model) + share_mass(at, seen, model)
        top = np.logaddexp.reduce(profile.reshape(-1, modes), axis=1)
        kept = np.flatnonzero(top > top.max() - NATS)
        i, j = max(int(kept[0]) - 1, 0), min(int(kept[-1]) + 1, SEARCH - 1)
        stay = _different(at, modes, slice(i, j + 1))
        at = at.taken((np.arange(SEARCH)[:, None] * modes + stay).ravel())
        modes, rounds = len(stay), 2
        done = j - i >= 0.6 * (SEARCH - 1)
        low, high = float(y[i]), float(y[j])
        known = _between(np.linspace(low, high, count if done else SEARCH), y, at, modes)
        if done:
            break
    else:
        known = _between(np.linspace(low, high, count), y, at, modes)
    at = fitted(repeat(np.linspace(low, high, count), modes), *known, seen, model, 2)
    return polished(at, seen, model, polish), modes


def _different(at: Modes, modes: int, part: slice) -> Integers:
    """Starts that end in modes of their own at some y."""
    a, sd = at.a.reshape(-1, modes)[part], at.sd_a.reshape(-1, modes)[part]
    stay = [0]
    for s in range(1, modes):
        if all(bool((np.abs(a[:, s] - a[:, r]) > 0.5 * sd[:, r]).any()) for r in stay):
            stay.append(s)
    return np.array(stay)


def _between(asked: Floats, y: Floats, at: Modes, modes: int) -> tuple[Floats, Floats, Floats]:
    """Modes at other spreads, interpolated: a warm start."""

    def moved(column: Floats) -> Floats:
        rows = column.reshape(-1, modes).T
        return np.stack([np.interp(asked, y, row) for row in rows], axis=1).ravel()

    return moved(at.a), moved(at.b), moved(at.e)


def _used(at: Modes, mass: Floats, modes: int) -> Integers:
    each, a, sd = (column.reshape(-1, modes) for column in (mass, at.a, at.sd_a))
    use = each > mass.max() - NATS_OF_ALL
    for s in range(1, modes):
        for r in range(s):
            near = np.abs(a[:, s] - a[:, r]) < APART * np.minimum(sd[:, s], sd[:, r])
            use[:, s] &= ~(use[:, r] & near)
    use &= each > each.max(axis=1, keepdims=True) - NATS_THERE
    return np.flatnonzero(use.ravel())


def _balance(a: Floats, b: Floats, centres: Modes, mass: Floats, used: Integers, modes: int, *, sized: bool) -> Floats:
    """Log share of each node that belongs to the sheet's own mode: Laplace mass times a t density with 4 degrees."""
    row, own = used // modes, used % modes
    there: Booleans = np.isin(row[:, None] * modes + np.arange(modes), used)
    log_density = np.full((*a.shape, modes), -np.inf)
    for s in range(modes):
        at = centres.taken(row * modes + s)
        a0, b0, slope, sd_a, sd_b = (x[:, None, None] for x in (at.a, at.b, at.slope, at.sd_a, at.sd_b))
        z_b = (b - b0) / sd_b if sized else np.zeros_like(b)
        z_a = (a - a0 - slope * (b - b0)) / sd_a
        height = mass[row * modes + s][:, None, None] - np.log(sd_a * sd_b)
        height = height - 3 * np.log1p((z_a**2 + z_b**2) / 4)
        log_density[..., s] = np.where(there[:, s, None, None], height, -np.inf)
    alone = np.take_along_axis(log_density, own[:, None, None, None] + np.zeros((*a.shape, 1), dtype=int), axis=-1)
    return np.asarray(alone[..., 0] - np.logaddexp.reduce(log_density, axis=-1))


def _share_nodes(at: Modes, members: float, count: int, model: PopulationModel) -> tuple[Floats, Floats]:
    """Nodes of e (P, E) and their log weights, density of the prior included."""
    if model.broad is None:
        return np.full((len(at.y), 1), NOTHING), np.zeros((len(at.y), 1))
    one, other = model.share
    first, second = one + COUNTED * at.expected, other + COUNTED * np.maximum(members - at.expected, 0.0)
    share, weight = gauss_beta(first, second, count)
    log_weight = np.log(weight) + (one - first)[:, None] * np.log(share) + (other - second)[:, None] * np.log1p(-share)
    return share, log_weight + (special.betaln(first, second) - special.betaln(one, other))[:, None]


#: Cells of the fine grid for one step of the box. A draw from the nodes themselves would make a staircase where all
#: members are alike.
FINER = 5

#: Nodes that one interpolated value is made from.
POINTS = 6

#: Nats between a polynomial and a straight line from which on the line is taken.
CLIFF = 20.0


@dataclass(frozen=True, eq=False)
class DrawnNodes:
    """Draws of ``a, b, y``, each of shape (n,), and the nearest node: its share's number, its place in the sheets."""

    a: Floats
    b: Floats
    y: Floats
    share: Integers
    node: Integers


class HyperparameterDraws:
    """Draws of ``(a, b, y)`` and the share: y and e from their nodes, (a, b) evenly from a cell of a finer grid."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._last: tuple[str, DrawnNodes, dict[str, Any]] | None = None
        (self._u_b, along_b, straight_b), (self._u_a, along_a, straight_a) = _refined(box.u_b), _refined(box.u_a)
        z_b, z_a = np.sinh(self._u_b), np.sinh(self._u_a)
        known = np.maximum(box.log_ratio, -1e4)
        ratio = along_b @ known @ along_a.T
        # beside a cliff (every answer right: a density that falls like exp(-n exp(-a))) a polynomial swings
        straight = straight_b @ known @ straight_a.T
        ratio = np.where(np.abs(ratio - straight) > CLIFF, straight, ratio)
        log_density = ratio - 0.5 * (z_b[:, None] ** 2 + z_a**2)
        mass = np.exp(log_density - log_density.max()) * np.sqrt(1 + z_b[:, None] ** 2) * np.sqrt(1 + z_a**2)
        # what a coarse rule and a fine one say of y and e differs by interpolation only: keep the nodes' weights
        mass *= (box.weight.sum((2, 3)) / np.maximum(mass.sum((2, 3)), 1e-300))[:, :, None, None]
        self._cumulative = np.cumsum(mass) / mass.sum()
        self._shape = mass.shape

    def __call__(self, n: int, rng: np.random.Generator) -> DrawnNodes:
        """Draw ``n`` of them; the last ones again where a stream begins alike, as for one class after another."""
        stream, last = f"{n} {rng.bit_generator.state}", self._last
        if last is None or last[0] != stream:
            last = self._last = stream, self._draw(n, rng), dict(rng.bit_generator.state)
        rng.bit_generator.state = last[2]
        return last[1]

    def _draw(self, n: int, rng: np.random.Generator) -> DrawnNodes:
        box, at = self._box, self._box.centre
        uniform = rng.random((3, n))
        cell = np.minimum(np.searchsorted(self._cumulative, uniform[0]), len(self._cumulative) - 1)
        p, q, j, k = np.unravel_index(cell, self._shape)
        beside = at.sd_b[p] * np.sinh(self._u_b[j] + _step(self._u_b) * (uniform[1] - 0.5))
        above = at.sd_a[p] * np.sinh(self._u_a[k] + _step(self._u_a) * (uniform[2] - 0.5))
        near_b, near_a = _coarse(j, self._shape[2], len(box.u_b)), _coarse(k, self._shape[3], len(box.u_a))
        node = (p * len(box.u_b) + near_b) * len(box.u_a) + near_a
        return DrawnNodes(at.a[p] + at.slope[p] * beside + above, at.b[p] + beside, at.y[p], q, node)


def _refined(u: Floats) -> tuple[Floats, Floats, Floats]:
    """The finer grid of one axis, and the matrices that interpolate to it by polynomials and by straight lines."""
    return _of_nodes(u.tobytes())


@lru_cache(16)
def _of_nodes(nodes: bytes) -> tuple[Floats, Floats, Floats]:
    """The same, kept: the axes of all populations are a handful, and a plan learns thousands of them."""
    u = np.frombuffer(nodes)
    fine, along = refinement(u, FINER)
    made = fine, along, _straight(u, fine)
    for each in made:
        each.flags.writeable = False
    return made


def _straight(u: Floats, fine: Floats) -> Floats:
    if len(u) == len(fine):
        return np.eye(len(u))
    return np.stack([np.interp(fine, u, row) for row in np.eye(len(u))], axis=1)


def _step(u: Floats) -> float:
    return float(u[1] - u[0]) if len(u) > 1 else 0.0


def _coarse(fine: Integers, count: int, nodes: int) -> Integers:
    return fine if count == nodes else (fine + FINER // 2) // FINER


def refinement(u: Floats, finer: int) -> tuple[Floats, Floats]:
    """Grid (M,) ``finer`` than ``u``, and the matrix that interpolates to it by `POINTS` nearest nodes (Lagrange)."""
    if len(u) < 2:
        return u, np.eye(len(u))
    points = min(POINTS, len(u))
    fine = np.linspace(u[0], u[-1], finer * (len(u) - 1) + 1)
    place = (fine - u[0]) / (u[1] - u[0])
    first = np.clip(place.astype(int) - points // 2 + 1, 0, len(u) - points)
    s = place - first
    matrix = np.zeros((len(fine), len(u)))
    rows = np.arange(len(fine))
    for j in range(points):
        others = [i for i in range(points) if i != j]
        matrix[rows, first + j] = np.prod([(s - i) / (j - i) for i in others], axis=0)
    return fine, matrix
