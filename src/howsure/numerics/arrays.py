"""The array types that the numerical layer passes around, and a sum that no number of threads changes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Complexes: TypeAlias = npt.NDArray[np.complex128]
Integers: TypeAlias = npt.NDArray[np.int64]
Booleans: TypeAlias = npt.NDArray[np.bool_]

__all__ = ["Booleans", "Complexes", "Floats", "Integers", "dot"]


def dot(x: Floats, y: Floats) -> float:
    """Sum of products of two long vectors, in one order whatever the number of threads; BLAS splits it among them."""
    return float(np.einsum("i,i->", x, y))
