"""What the page draws: pictures as text for little room and for more, and numbers where a hand moves the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from howsure.laws import Law
from howsure.laws.outline import outline

__all__ = ["density", "drawn_numbers", "finite_range", "pictures"]

#: Pixels of a picture on a phone, and beside the inputs of a wide page, which scales them to the room there is.
NARROW, WIDE = 340, 680

#: Powers of ten, the first 23 of which are exact.
TENS = 10.0 ** np.arange(301)

#: Points of a density.
POINTS = 121


class Drawing(Protocol):
    """A picture that can be had in any width."""

    def __call__(self, *, width: float) -> str:
        """As SVG text."""


def pictures(draw: Drawing) -> dict[str, str]:
    """A picture for little room and for more; the page shows the one that fits.

    Examples
    --------
    >>> from functools import partial
    >>> from howsure.text.svg import IntervalRow, forest
    >>> sorted(pictures(partial(forest, [IntervalRow("recall", "", 0.8, 0.7, 0.9)], title="one")))
    ['narrow', 'wide']
    """
    return {"narrow": draw(width=NARROW), "wide": draw(width=WIDE)}


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
    """Plain numbers of five digits, which no screen tells from the full ones; to 22 decimals.

    Examples
    --------
    >>> drawn_numbers([0.1234567, -98765.4321, 0.0])
    [0.12346, -98765.0, 0.0]
    """
    flat = np.nan_to_num(np.asarray(values, dtype=float).ravel())
    with np.errstate(divide="ignore", over="ignore"):
        places = np.clip(4 - np.floor(np.log10(np.abs(flat))), -300, 22).astype(int)
        power = TENS[np.abs(places)]  # a whole number times or over an exact power of ten is the double of its digits
        short = np.where(places >= 0, np.rint(flat * power) / power, np.rint(flat / power) * power)
    return [float(value) for value in short.tolist()]


def finite_range(ends: Sequence[float]) -> list[float | None]:
    """Ends of a range, None where it has none."""
    return [float(end) if math.isfinite(end) else None for end in ends]
