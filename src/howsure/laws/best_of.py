"""Ranks of independent laws: who is first, with what probability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.errors import InvalidArgument
from howsure.laws.law import Law
from howsure.laws.linear import Beta
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.rank_matrix import rank_probabilities as of_laws
from howsure.numerics.ranks.rank_matrix import rank_probabilities_beta

__all__ = ["rank_probabilities"]


def rank_probabilities(laws: Sequence[Law]) -> Floats:
    """P(entry i has rank r) of independent laws; rank 1 is the largest value.

    Parameters
    ----------
    laws : sequence of Law
        At least one; exact laws. Equal laws share their ranks equally, two of them exactly one half each.

    Returns
    -------
    ndarray, shape (T, T)
        Entry by rank; rows and columns add to 1 within 1e-10.

    Raises
    ------
    InvalidArgument
        No law, something that is no law, or a drawn law.

    Examples
    --------
    >>> rank_probabilities([Beta(9, 2), Beta(9, 2)]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    entries = list(laws)
    if not entries or not all(isinstance(law, Law) for law in entries):
        raise InvalidArgument("ranks need a sequence of laws, at least one")
    drawn = [i for i, law in enumerate(entries) if law.route == "simulated"]
    if drawn:
        raise InvalidArgument(
            f"entry {drawn[0] + 1} is simulated; the ranks of simulated entries are counted from joint draws"
        )
    if all(isinstance(law, Beta) for law in entries):
        a, b = (np.array([getattr(law, name) for law in entries]) for name in ("a", "b"))
        return rank_probabilities_beta(a, b)
    return of_laws(entries)
