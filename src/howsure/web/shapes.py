"""Numbers to draw and never to print: densities and the ends that a picture needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.laws import Law
from howsure.laws.outline import outline

__all__ = ["density", "drawn_numbers", "finite_range"]

#: Points of a density.
POINTS = 121


def density(law: Law) -> dict[str, list[float]]:
    """Grid and density of a law, to five digits.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> shape = density(Beta(20, 3))
    >>> len(shape["x"]) == len(shape["density"]) > 100
    True
    """
    x, heights = outline(law, POINTS)
    return {"x": drawn_numbers(x), "density": drawn_numbers(heights)}


def drawn_numbers(values: Any) -> list[float]:
    """Plain numbers of five digits, which no screen tells from the full ones."""
    flat = np.asarray(values, dtype=float).ravel()
    return [float(f"{value:.5g}") for value in np.nan_to_num(flat).tolist()]


def finite_range(ends: Sequence[float]) -> list[float | None]:
    """Ends of a range, None where it has none."""
    return [float(end) if math.isfinite(end) else None for end in ends]
