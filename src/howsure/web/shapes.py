"""Pictures as the page has them: text for little room and for more; and numbers where a hand moves a mark."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

__all__ = ["drawn_numbers", "pictures"]

#: Pixels of a picture on a phone, and beside the inputs of a wide page, which scales them to the room there is.
NARROW, WIDE = 340, 680


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


def drawn_numbers(values: Any) -> list[float]:
    """Plain numbers of five digits, which no screen tells from the full ones.

    Examples
    --------
    >>> drawn_numbers([0.1234567, -98765.4321, 0.0])
    [0.12346, -98765.0, 0.0]
    """
    return [float(f"{value:.5g}") for value in np.asarray(values, dtype=float).ravel().tolist()]
