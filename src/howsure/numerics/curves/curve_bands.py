"""Bands around a curve from many random ones: at each point, and around all of it at once."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["SLACK", "pointwise", "shifted", "simultaneous"]

#: Mean weight, in cases, by which lower curves are moved down and upper ones up before the band of all of a curve is
#: taken. Random curves have steps at the cases that were seen and nowhere else; without it such bands are too narrow
#: where a rate is near 0 or 1 (docs/validity.md says what they hold with it).
SLACK = 0.05


def pointwise(draws: Floats, level: float) -> tuple[Floats, Floats]:
    """Central intervals at each point, shape (G,) each, of curves of shape (M, G)."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def simultaneous(lower: Floats, upper: Floats, level: float) -> tuple[Floats, Floats]:
    """Band that holds a share ``level`` of the curves wholly: between the same ranks at every point.

    Parameters
    ----------
    lower, upper : ndarray, shape (M, G)
        The same random curves, moved down and moved up (or twice the same).
    level : float

    Notes
    -----
    The envelope of ranks of Besag et al. 1995 (Statistical Science 10, section 6.3), with ties in favour of a curve.

    Examples
    --------
    >>> curves = np.arange(100.0)[:, None] + np.zeros((1, 3))
    >>> low, high = simultaneous(curves, curves, 0.9)
    >>> low.tolist(), high.tolist()
    ([5.0, 5.0, 5.0], [94.0, 94.0, 94.0])
    """
    draws = len(lower)
    low, high = np.sort(lower, axis=0), np.sort(upper, axis=0)
    depth = np.full(draws, draws)
    for g in range(lower.shape[1]):
        depth = np.minimum(depth, np.searchsorted(low[:, g], lower[:, g], "right"))
        depth = np.minimum(depth, draws - np.searchsorted(high[:, g], upper[:, g], "left"))
    rank = max(1, int(np.sort(depth)[int((1 - level) * draws + 1e-9)]))
    return low[rank - 1], high[draws - rank]


def shifted(x: Floats, y: Floats, at: Floats, across: Floats, up: Floats, *, higher: bool) -> Floats:
    """Values at ``at`` of curves that are moved: each left and up (``higher``), or right and down.

    Parameters
    ----------
    x, y : ndarray, shape (M, S)
        Curves, not falling, from (0, 0) to (1, 1).
    at : ndarray, shape (G,)
    across, up : ndarray, shape (M,)

    Examples
    --------
    >>> line = np.array([[0.0, 1.0]])
    >>> shifted(line, line, np.array([0.5]), np.array([0.1]), np.array([0.2]), higher=False).round(3).tolist()
    [[0.2]]
    """
    sign = 1.0 if higher else -1.0
    made = np.array([np.interp(at + sign * dx, a, b) for dx, a, b in zip(across, x, y, strict=True)])
    if not higher:
        # right of where a moved curve begins there is nothing yet, not the height of its first step
        made[at[None, :] < across[:, None]] = 0.0
    return np.clip(made + sign * up[:, None], 0.0, 1.0)
