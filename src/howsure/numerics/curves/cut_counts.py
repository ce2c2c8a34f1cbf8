"""Cases that are called positive at many thresholds: one sort of each class, and a look-up for each threshold."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount

__all__ = ["called_at", "distinct_cuts", "even_in_both"]


def called_at(scores: Floats, cuts: Floats) -> Integers:
    """How many of the scores are at each cut or above, shape (T,); ties are called.

    Examples
    --------
    >>> called_at(np.array([0.2, 0.5, 0.5, 0.9]), np.array([0.5, 0.6])).tolist()
    [3, 1]
    """
    ordered = np.sort(scores)
    return np.asarray(len(ordered) - np.searchsorted(ordered, cuts, side="left"), dtype=np.int64)


def distinct_cuts(scores: Floats, positive: Booleans, most: int) -> Floats:
    """Cuts that may be best, increasing: where a run of cases of one class ends; of more than ``most``, even in rank.

    A threshold inside a run of scores of one class is beaten by one of its ends for every metric that likes right
    answers, so only scores whose neighbour below holds another class are kept, and the lowest and the highest one.

    Examples
    --------
    >>> distinct_cuts(np.array([0.1, 0.2, 0.3, 0.4]), np.array([False, False, True, True]), 10).tolist()
    [0.1, 0.3, 0.4]
    """
    values, place = np.unique(scores, return_inverse=True)
    hits = bincount(place.ravel(), positive, len(values)) > 0
    misses = bincount(place.ravel(), ~positive, len(values)) > 0
    kept = np.ones(len(values), bool)
    # cuts inside a run of one class lie between those at its ends; the last score ends the last run
    kept[1:-1] = ~((hits[1:-1] & hits[:-2] & ~misses[1:-1] & ~misses[:-2]) | (~hits[1:-1] & ~hits[:-2]))
    found = values[kept]
    if len(found) > most:
        found = found[np.unique(np.linspace(0, len(found) - 1, most).round().astype(np.int64))]
    return np.asarray(found)


def even_in_both(scores: Floats, positive: Booleans, most: int) -> Floats:
    """All different scores, increasing, or at most so many: half of them even in rank of either class.

    So points of a ROC curve are spread along both of its axes, however rare a class is.

    Examples
    --------
    >>> even_in_both(np.arange(1000.0), np.arange(1000) >= 990, 8).tolist()
    [0.0, 330.0, 659.0, 989.0, 990.0, 993.0, 996.0, 999.0]
    """
    values = np.unique(scores)
    if len(values) <= most:
        return np.asarray(values)
    halves = []
    for part, some in ((scores[positive], most // 2), (scores[~positive], most - most // 2)):
        ordered = np.sort(part)
        halves.append(ordered[np.linspace(0, len(ordered) - 1, some).round().astype(np.int64)])
    return np.unique(np.concatenate(halves))
