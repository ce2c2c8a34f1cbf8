"""The array types that the numerical layer passes around, and sums that neither threads nor addresses change."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Complexes: TypeAlias = npt.NDArray[np.complex128]
Integers: TypeAlias = npt.NDArray[np.int64]
Booleans: TypeAlias = npt.NDArray[np.bool_]

#: OpenBLAS multiplies with one thread up to so many products of two numbers (its ``interface/gemm.c``: 4 times 65536).
#: Above, each thread has a part of the rows or columns, and the last digit of what is at the edge of a part may differ.
ONE_THREAD = 4 * 65536

#: An axis of so many is short: NumPy adds up to seven in order, eight and more in pairs. Smaller arrays gain nothing.
SHORT, WORTH = 7, 4096

#: Rows of a block, if the product is cut at all: enough for the kernels to be as fast as on the whole.
ROWS = 32


#: Probabilities whose log odds and Normal scores are numbers.
LEAST, MOST = 1e-300, 1 - 1e-16


def cut(x: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """``np.clip`` of few numbers, whose checks cost ten times the comparison."""
    return np.asarray(np.minimum(np.maximum(x, low), high))


def dot(x: Floats, y: Floats) -> float:
    """Sum of products of two long vectors, in one order whatever the number of threads; BLAS splits it among them."""
    return float(np.einsum("i,i->", x, y))


def steady_product(left: Floats, right: Floats) -> Floats:
    """``left @ right`` of shapes (..., M, K) and (..., K, N), in blocks of one thread each."""
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


def short_sum(values: Floats, axis: int = -1) -> Floats:
    """``values.sum(axis)``, to the bit, in whole slices: many times as fast along an axis of two or three numbers."""
    if not 2 <= values.shape[axis] <= SHORT or values.size < WORTH or values.dtype != np.float64:
        return np.asarray(values.sum(axis))
    slices = np.moveaxis(values, axis, 0)
    total: Floats = slices[0] + slices[1]
    for one in slices[2:]:
        total += one
    return total


def scale_rows(tables: Floats, factor: Floats) -> None:
    """``tables *= factor[..., None]``, in place, column by column where there are few of them."""
    if tables.shape[-1] > SHORT or tables.size < WORTH:
        tables *= factor[..., None]
        return
    for k in range(tables.shape[-1]):
        tables[..., k] *= factor


def bincount(places: npt.ArrayLike, weights: npt.ArrayLike | None = None, minlength: int = 0) -> npt.NDArray[Any]:
    """`numpy.bincount` that takes whole numbers of any width: NumPy's own refuses 64 bits where an address has 32."""
    counted = np.bincount(np.asarray(places).astype(np.intp, casting="same_kind", copy=False), weights, minlength)
    return counted.astype(np.int64, copy=False) if weights is None else counted


def repeat(values: npt.ArrayLike, times: npt.ArrayLike, axis: int | None = None) -> npt.NDArray[Any]:
    """`numpy.repeat` by whole numbers of any width: NumPy's own refuses 64 bits where an address has 32."""
    return np.repeat(values, np.asarray(times).astype(np.intp, casting="same_kind", copy=False), axis=axis)
