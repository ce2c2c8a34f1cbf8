"""Betas, which are what a prior says of recalls: one as a density, many as rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.special import betaincinv, betaln

from howsure.text import formats
from howsure.text.svg.curve_pictures import density
from howsure.text.svg.interval_pictures import IntervalRow, forest

__all__ = ["belief", "beliefs"]

#: Rows that are drawn.
MOST_ROWS = 40


def belief(a: float, b: float, *, title: str) -> str:
    """Density of Beta(a, b) with its equal-tailed 95% interval, as SVG.

    Examples
    --------
    >>> belief(1, 1, title="flat").count("<circle")
    1
    """
    x = np.linspace(0.005, 0.995, 199)
    heights = np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - betaln(a, b))
    low, high = _ends(a, b)
    return density(x.tolist(), heights.tolist(), mean=a / (a + b), low=low, high=high, title=title)


def beliefs(betas: Mapping[str, tuple[float, float]]) -> str:
    """Mean and equal-tailed 95% interval of Beta(a, b) by name, as SVG.

    Examples
    --------
    >>> beliefs({"ill": (9, 1), "well": (3, 2)}).count("<circle")
    2
    """
    rows = []
    for name, (a, b) in list(betas.items())[:MOST_ROWS]:
        if a > 0 and b > 0:
            (low, high), mean = _ends(a, b), a / (a + b)
            places = formats.decimals(low, high)
            words = f"{formats.number(mean, places)} ({formats.interval(low, high, places)})"
            rows.append(IntervalRow(f"recall of {name}", words, mean, low, high))
    return forest(rows, title="Recall of each class before any case is seen")


def _ends(a: float, b: float) -> tuple[float, float]:
    low, high = (float(end) for end in betaincinv(a, b, [0.025, 0.975]))
    return low, high
