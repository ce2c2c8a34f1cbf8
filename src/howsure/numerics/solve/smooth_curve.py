"""A smooth curve through values at even places, for pictures and first guesses."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["even_cubic"]


def even_cubic(values: Floats, at: Floats) -> Floats:
    """Cubic Hermite curve through ``values`` at 0, 1, 2, ..., with slopes from their neighbours.

    Slopes are central differences of the fourth order, of the second beside the ends and one-sided at them, so a
    cubic is met exactly away from the ends.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Five or more.
    at : ndarray, shape (m,)
        From 0 to n - 1.

    Examples
    --------
    >>> even_cubic(np.arange(6.0) ** 3, np.array([2.5])).tolist()
    [15.625]
    """
    slopes = np.gradient(values, edge_order=2)
    slopes[2:-2] = (8 * (values[3:-1] - values[1:-3]) - (values[4:] - values[:-4])) / 12
    k = np.clip(np.floor(at).astype(int), 0, len(values) - 2)
    t = at - k
    left, right = values[k], values[k + 1]
    rise = right - left
    bend, twist = slopes[k] - rise, rise - slopes[k + 1]
    return np.asarray(left + t * (rise + (1 - t) * ((1 - t) * bend + t * twist)))
