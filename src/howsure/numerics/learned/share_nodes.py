"""Gauss rules of Beta densities, many at once."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["gauss_beta"]


def gauss_beta(a: Floats, b: Floats, count: int) -> tuple[Floats, Floats]:
    """Nodes and weights for the densities Beta(a, b), ``a`` and ``b`` of shape (S,); shapes (S, count).

    Exact for polynomials of degree 2 count - 1. Golub and Welsch (1969): eigenvalues of the Jacobi matrix.
    """
    alpha, beta = b - 1, a - 1  # (1 - x)^alpha (1 + x)^beta on [-1, 1], theta = (1 + x)/2
    i = np.arange(count)[None]
    total = (alpha + beta)[:, None]
    alpha, beta = alpha[:, None], beta[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = (beta**2 - alpha**2) / ((2 * i + total) * (2 * i + total + 2))
        middle[:, 0] = ((beta - alpha) / (total + 2))[:, 0]
        j = i[:, 1:]
        beside = 4 * j * (j + alpha) * (j + beta) * (j + total)
        beside /= (2 * j + total) ** 2 * (2 * j + total + 1) * (2 * j + total - 1)
        if count > 1:
            beside[:, 0] = (4 * (1 + alpha) * (1 + beta) / ((2 + total) ** 2 * (3 + total)))[:, 0]
    jacobi = np.zeros((len(a), count, count))
    row = np.arange(count)
    jacobi[:, row, row] = middle
    jacobi[:, row[1:], row[:-1]] = jacobi[:, row[:-1], row[1:]] = np.sqrt(beside)
    x, vectors = np.linalg.eigh(jacobi)
    return np.clip((1 + x) / 2, 1e-300, 1 - 1e-16), vectors[:, 0, :] ** 2
