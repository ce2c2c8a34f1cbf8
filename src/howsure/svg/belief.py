"""The density of one Beta, which is what a prior says of a recall."""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, betaln

from howsure.svg.curve import density

__all__ = ["belief"]


def belief(a: float, b: float, *, title: str) -> str:
    """Density of Beta(a, b) with its equal-tailed 95 % interval, as SVG.

    Examples
    --------
    >>> belief(1, 1, title="flat").count("<circle")
    1
    """
    x = np.linspace(0.005, 0.995, 199)
    heights = np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - betaln(a, b))
    low, high = (float(end) for end in betaincinv(a, b, [0.025, 0.975]))
    return density(x.tolist(), heights.tolist(), mean=a / (a + b), low=low, high=high, title=title)
