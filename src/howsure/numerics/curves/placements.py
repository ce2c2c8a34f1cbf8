"""DeLong's variance of areas under ROC curves, by placements: O(n log n) and no matrix of pairs."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Booleans, Floats

__all__ = ["placement_covariance", "placements"]


def placements(positive: Booleans, scores: Floats) -> tuple[Floats, Floats]:
    """Share of the negatives below each positive, and of the positives above each negative; ties count half.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
    scores : ndarray, shape (n,)

    Examples
    --------
    >>> [x.tolist() for x in placements(np.array([True, True, False, False]), np.array([3.0, 1.0, 1.0, 2.0]))]
    [[1.0, 0.25], [0.75, 0.5]]
    """
    above, below = scores[positive], scores[~positive]
    ups, downs = np.sort(above), np.sort(below)
    of_positives = (np.searchsorted(downs, above, "left") + np.searchsorted(downs, above, "right")) / (2 * len(downs))
    of_negatives = (np.searchsorted(ups, below, "left") + np.searchsorted(ups, below, "right")) / (2 * len(ups))
    return of_positives, 1 - of_negatives


def placement_covariance(positive: Booleans, scores: Floats) -> tuple[Floats, Floats]:
    """Areas under the curves of T scores of the same cases, and their covariance matrix.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
        Two cases of each class or more.
    scores : ndarray, shape (T, n)

    Returns
    -------
    areas : ndarray, shape (T,)
    covariance : ndarray, shape (T, T)

    Notes
    -----
    DeLong, DeLong and Clarke-Pearson 1988, equation 5: the covariance of the placements of each class over its size.

    Examples
    --------
    >>> areas, covariance = placement_covariance(np.array([1, 1, 0, 0], bool), np.array([[3.0, 1.0, 1.0, 2.0]]))
    >>> areas.tolist(), covariance.tolist()
    ([0.625], [[0.15625]])
    """
    pairs = [placements(positive, each) for each in scores]
    areas = np.array([up.mean() for up, _ in pairs])
    total = np.zeros((len(pairs), len(pairs)))
    for side in (0, 1):
        rest = [pair[side] - pair[side].mean() for pair in pairs]
        size = len(rest[0])
        total += np.array([[np.einsum("i,i->", x, y) for y in rest] for x in rest]) / (size - 1) / size
    return areas, total
