"""The array types that the numerical layer passes around, and sums that neither threads nor addresses change."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Complexes: TypeAlias = npt.NDArray[np.complex128]
Integers: TypeAlias = npt.NDArray[np.int64]
Booleans: TypeAlias = npt.NDArray[np.bool_]

__all__ = ["Booleans", "Complexes", "Floats", "Integers", "bincount", "dot", "repeat", "steady_product"]

#: OpenBLAS multiplies with one thread up to so many products of two numbers (its ``interface/gemm.c``: 4 times 65536).
#: Above, each thread has a part of the rows or columns, and the last digit of what is at the edge of a part may differ.
ONE_THREAD = 4 * 65536

#: Rows of a block, if the product is cut at all: enough for the kernels to be as fast as on the whole.
ROWS = 32


def dot(x: Floats, y: Floats) -> float:
    """Sum of products of two long vectors, in one order whatever the number of threads; BLAS splits it among them."""
    return float(np.einsum("i,i->", x, y))


def steady_product(left: Floats, right: Floats) -> Floats:
    """``left @ right`` in blocks of one thread each.

    Parameters
    ----------
    left : array, shape (..., M, K)
    right : array, shape (..., K, N)
        Of the same leading shape.

    Returns
    -------
    array, shape (..., M, N)

    Examples
    --------
    >>> steady_product(np.ones((2, 3)), np.ones((3, 1)))
    array([[3.],
           [3.]])
    """
    (rows, inner), columns = left.shape[-2:], right.shape[-1]
    if rows * inner * columns <= ONE_THREAD:
        return np.asarray(left @ right)
    high = min(rows, ROWS)
    wide = max(2, ONE_THREAD // (high * inner))
    result = np.empty((*left.shape[:-1], columns))
    for top in range(0, rows, high):
        for start in range(0, columns, wide):
            block = np.s_[..., top : top + high, start : start + wide]
            result[block] = left[..., top : top + high, :] @ right[..., start : start + wide]
    return result


def bincount(places: npt.ArrayLike, weights: npt.ArrayLike | None = None, minlength: int = 0) -> npt.NDArray[Any]:
    """`numpy.bincount` that takes whole numbers of any width: NumPy's own refuses 64 bits where an address has 32.

    Parameters
    ----------
    places : array_like of int, shape (N,)
        Numbers from 0.
    weights : array_like, shape (N,), optional
        What each adds.
    minlength : int
        The result is at least so long.

    Returns
    -------
    array, shape (M,)
        Sums of 64 bits: whole numbers without weights, else floats.

    Examples
    --------
    >>> bincount([0, 2, 2]).tolist()
    [1, 0, 2]
    """
    counted = np.bincount(np.asarray(places).astype(np.intp, casting="same_kind", copy=False), weights, minlength)
    return counted.astype(np.int64, copy=False) if weights is None else counted


def repeat(values: npt.ArrayLike, times: npt.ArrayLike, axis: int | None = None) -> npt.NDArray[Any]:
    """`numpy.repeat` by whole numbers of any width: NumPy's own refuses 64 bits where an address has 32.

    Parameters
    ----------
    values : array_like
    times : array_like of int
        How often each comes.
    axis : int, optional
        Along which; of all numbers in one row if left out.

    Returns
    -------
    array

    Examples
    --------
    >>> repeat([4, 7], [1, 2]).tolist()
    [4, 7, 7]
    """
    return np.repeat(values, np.asarray(times).astype(np.intp, casting="same_kind", copy=False), axis=axis)
