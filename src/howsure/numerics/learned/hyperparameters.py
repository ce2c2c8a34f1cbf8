"""The learned prior's hyperparameters: a box of nodes (y, b, a) around what the data say, and draws between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.evidence import Tallies, log_evidence, log_prior, quasi_likelihood_fit

__all__ = ["Box", "HyperparameterDraws", "hyperparameter_box", "refinement", "sinh_nodes"]

#: Nodes in y = log kappa, in b and in a; and where many tallies make (a, b) nearly normal.
NODES, NODES_OF_MANY = (25, 11, 21), (17, 9, 13)

#: Farthest nodes of b and a, in standard deviations of their normal approximation. The intercept reaches far: where
#: every answer is right its density falls only like exp(-a).
REACH, REACH_OF_MANY = (6.0, 13.0), (4.5, 6.5)

#: From so many distinct tallies on the data are many, if the intercept is also known to the second number.
MANY, NARROW = 60, 0.1

#: Part of the posterior of y that is kept: within so many nats of its top.
NATS = 12.0


@dataclass(frozen=True)
class Box:
    """Nodes ``y`` (Y,), ``b`` (Y, B), ``a`` (Y, B, A) and their posterior probabilities ``weight`` (Y, B, A).

    ``b = b0 + sd_b sinh(u_b)`` and ``a = a0 + slope (b - b0) + sd_a sinh(u_a)`` on even ``u``; ``log_ratio`` is the
    log density over that of the normal approximation, smooth enough to be interpolated between the nodes.
    """

    y: Floats
    b: Floats
    a: Floats
    weight: Floats
    u_b: Floats
    u_a: Floats
    log_ratio: Floats
    centre: tuple[Floats, Floats, Floats]  # a0, b0, slope
    scale: tuple[Floats, Floats]  # sd_a, sd_b


def sinh_nodes(count: int, reach: float) -> Floats:
    """Even nodes ``u``, the last with ``sinh u = reach``: ``sinh u`` is dense in the middle and wide outside."""
    return np.linspace(-1, 1, count) * float(np.arcsinh(reach)) if count > 1 else np.zeros(1)


def hyperparameter_box(tallies: Tallies, nodes: tuple[int, int, int] | None = None) -> Box:
    """Lay the box and weigh it.

    For each ``y`` the normal approximation of (a, b) gives centre and axes; a is shifted along its regression on b.
    The trapezoid rule on these analytic integrands converges exponentially (Trefethen and Weideman, 2014). With all
    class sizes equal, ``b`` says nothing and has one node.
    """
    many = len(tallies.n) > MANY
    y = spread_nodes(tallies, nodes[0] if nodes else NODES_OF_MANY[0] if many else NODES[0])
    a0, b0, information = quasi_likelihood_fit(y, tallies)
    h11, h12, h22 = information.T
    sd_a, sd_b, slope = 1 / np.sqrt(h11), np.sqrt(h11 / (h11 * h22 - h12**2)), -h12 / h11
    normal = many and float(sd_a.max()) < NARROW
    count, reach = (NODES_OF_MANY, REACH_OF_MANY) if normal else (NODES, REACH)
    u_b = sinh_nodes((nodes or count)[1] if tallies.t.any() else 1, reach[0])
    u_a = sinh_nodes((nodes or count)[2], reach[1])
    b = b0[:, None] + sd_b[:, None] * np.sinh(u_b)
    a = (a0[:, None] + slope[:, None] * (b - b0[:, None]))[..., None] + sd_a[:, None, None] * np.sinh(u_a)
    log_density = log_evidence(a, b[..., None], y[:, None, None], tallies)
    log_density += log_prior(a, b[..., None], y[:, None, None]) + np.log(sd_a * sd_b)[:, None, None]
    log_density -= log_density.max()
    stretch = np.cosh(u_b)[:, None] * np.cosh(u_a)
    weight = np.exp(log_density) * stretch
    log_ratio = log_density + 0.5 * (np.sinh(u_b)[:, None] ** 2 + np.sinh(u_a) ** 2)
    return Box(y, b, a, weight / weight.sum(), u_b, u_a, log_ratio, (a0, b0, slope), (sd_a, sd_b))


def spread_nodes(tallies: Tallies, count: int) -> Floats:
    """Even nodes in ``y = log kappa`` over all within `NATS` of the top of its approximate posterior.

    Starts from a range that holds every case (all classes alike: the prior falls like 1/kappa beyond the number of
    cases; each class all right or all wrong: kappa of the order of 1/(K log n)) and narrows it.
    """
    cases = float(tallies.copies @ tallies.n)
    sizes = float(tallies.copies @ np.log1p(tallies.n))
    low, high = -7.0 - np.log1p(sizes), 14.0 + np.log1p(cases)
    for _ in range(12):
        y = np.linspace(low, high, count)
        profile = _profile(y, tallies)
        kept = np.flatnonzero(profile > profile.max() - NATS)
        first, last = max(int(kept[0]) - 1, 0), min(int(kept[-1]) + 1, count - 1)
        if last - first >= 0.6 * (count - 1):
            return y
        low, high = float(y[first]), float(y[last])
    return np.linspace(low, high, count)


def _profile(y: Floats, tallies: Tallies) -> Floats:
    """Log posterior density of ``y`` with (a, b) integrated out by Laplace's method."""
    a, b, information = quasi_likelihood_fit(y, tallies)
    h11, h12, h22 = information.T
    return np.asarray(log_evidence(a, b, y, tallies) + log_prior(a, b, y) - 0.5 * np.log(h11 * h22 - h12**2))


#: Cells of the fine grid for one step of the box. A draw from the nodes themselves would make a staircase where all
#: classes are alike.
FINER = 5

#: Nodes that one interpolated value is made from.
POINTS = 6


class HyperparameterDraws:
    """Draws of ``(a, b, y)``: y from its nodes, (a, b) evenly from a cell of a finer grid."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._u_b, along_b = refinement(box.u_b, FINER)
        self._u_a, along_a = refinement(box.u_a, FINER)
        z_b, z_a = np.sinh(self._u_b), np.sinh(self._u_a)
        ratio = along_b @ box.log_ratio @ along_a.T
        log_density = ratio - 0.5 * (z_b[:, None] ** 2 + z_a**2)
        mass = np.exp(log_density - log_density.max()) * np.sqrt(1 + z_b[:, None] ** 2) * np.sqrt(1 + z_a**2)
        # what a coarse rule and a fine one say of y differs by nothing but interpolation: keep the nodes' weights
        mass *= (box.weight.sum((1, 2)) / np.maximum(mass.sum((1, 2)), 1e-300))[:, None, None]
        self._cumulative = np.cumsum(mass) / mass.sum()
        self._shape = mass.shape

    def __call__(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
        """Draw ``a, b, y``, each of shape (n,)."""
        uniform = rng.random((3, n))
        cell = np.minimum(np.searchsorted(self._cumulative, uniform[0]), len(self._cumulative) - 1)
        i, j, k = np.unravel_index(cell, self._shape)
        (a0, b0, slope), (sd_a, sd_b) = self._box.centre, self._box.scale
        beside = sd_b[i] * np.sinh(self._u_b[j] + _step(self._u_b) * (uniform[1] - 0.5))
        above = sd_a[i] * np.sinh(self._u_a[k] + _step(self._u_a) * (uniform[2] - 0.5))
        return a0[i] + slope[i] * beside + above, b0[i] + beside, self._box.y[i]


def _step(u: Floats) -> float:
    return float(u[1] - u[0]) if len(u) > 1 else 0.0


def refinement(u: Floats, finer: int) -> tuple[Floats, Floats]:
    """A grid with ``finer`` cells for each step of ``u``, and the matrix that interpolates to it.

    Through the `POINTS` nearest nodes (Lagrange); shapes (M,) and (M, len(u)).
    """
    if len(u) < POINTS:
        return u, np.eye(len(u))
    fine = np.linspace(u[0], u[-1], finer * (len(u) - 1) + 1)
    place = (fine - u[0]) / (u[1] - u[0])
    first = np.clip(place.astype(int) - POINTS // 2 + 1, 0, len(u) - POINTS)
    s = place - first
    matrix = np.zeros((len(fine), len(u)))
    rows = np.arange(len(fine))
    for j in range(POINTS):
        others = [i for i in range(POINTS) if i != j]
        matrix[rows, first + j] = np.prod([(s - i) / (j - i) for i in others], axis=0)
    return fine, matrix
