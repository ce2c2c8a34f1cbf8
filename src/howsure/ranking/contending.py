"""Entries of a board that a test leaves as possibly the best, whatever the true scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.ranks.contenders import contenders
from howsure.posterior.distribution import Distribution, measure_of
from howsure.ranking.rank_probabilities import Contest

__all__ = ["possible_best"]

#: Numbers that the draws of joint errors may hold.
MOST_DRAWN = 2_000_000

#: Of two entries the probability that one is better says the same.
FEWEST = 3


def possible_best(
    known: Sequence[Distribution], alone: Contest, level: float, draws: int, seed: int
) -> NDArray[np.intp]:
    """Places of the contenders among three entries or more, none where a score has no mean and variance.

    Scores are the entries' own means; their errors are independent on separate test sets, and on the same cases
    those of the joint draws. It asks no population, so a board that none calibrates (all equal, a pile-up at the top)
    has them too.
    """
    measure = measure_of(known[0])
    assert measure is not None
    sign = 1.0 if measure.metric.better == "higher" else -1.0
    means, sds = (np.array([getattr(x, number) for x in known]) for number in ("mean", "sd"))
    if len(known) < FEWEST or not (np.isfinite(means).all() and np.isfinite(sds).all()):
        return np.zeros(0, dtype=np.intp)
    covariance = sds**2
    if alone.noise is not None and alone.values is not None:
        defined = alone.values[:, np.isfinite(alone.values).all(0)]
        covariance = np.cov(defined)
        # entries that answered alike are one column; their draws of what was not seen differ
        place = {key: i for i, key in reversed(list(enumerate(alone.alike)))}
        first = [place[key] for key in alone.alike]
        covariance, means = covariance[np.ix_(first, first)], means[first]
    return contenders(sign * means, covariance, level, min(draws, MOST_DRAWN // len(known)), seed)
