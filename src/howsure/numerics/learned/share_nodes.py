"""Gauss rules of Beta densities, many at once."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["gauss_beta"]

#: Weights that add up to 1 but for this are kept.
LOST = 1e-12


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
    return _golub_welsch(middle, np.sqrt(beside))


def _golub_welsch(middle: Floats, beside: Floats) -> tuple[Floats, Floats]:
    """Nodes in [0, 1] and weights from the diagonals of Jacobi matrices on [-1, 1], (S, count) and (S, count - 1).

    Nodes are eigenvalues, and 1 over a weight is the sum of the squares of the orthonormal polynomials at the node:
    count^2 steps for each rule. Eigenvectors take count^3, and a BLAS of several threads four times as long again.
    """
    if middle.shape[1] == 1:
        return (1 + middle) / 2, np.ones_like(middle)
    from scipy.linalg import lapack  # takes a tenth of a second to import

    x = np.stack([lapack.dsterf(one, other)[0] for one, other in zip(middle, beside, strict=True)])
    before, now, total = np.zeros_like(x), np.ones_like(x), np.ones_like(x)
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(beside.shape[1]):
            last = beside[:, k - 1, None] if k else 0.0
            before, now = now, ((x - middle[:, k, None]) * now - last * before) / beside[:, k, None]
            total += now * now
    weight = 1 / total
    # a density nearly all at one end loses digits on the way there
    lost = ~(np.abs(weight.sum(axis=1) - 1) < LOST)
    if lost.any():
        x[lost], weight[lost] = _by_vectors(middle[lost], beside[lost])
    return np.clip((1 + x) / 2, 1e-300, 1 - 1e-16), weight


def _by_vectors(middle: Floats, beside: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues, and squares of the first components of the eigenvectors."""
    count = middle.shape[1]
    jacobi, row = np.zeros((len(middle), count, count)), np.arange(count)
    jacobi[:, row, row] = middle
    jacobi[:, row[1:], row[:-1]] = jacobi[:, row[:-1], row[1:]] = beside
    x, vectors = np.linalg.eigh(jacobi)
    return x, vectors[:, 0, :] ** 2
