"""Drawing the hyperparameters of the learned prior from the density between the nodes of their box."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.hyper_nodes import Box

__all__ = ["HyperparameterDraws", "refinement"]

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
