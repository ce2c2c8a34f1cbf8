"""Which of several classifiers is the best over many data sets, and on the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from howsure.errors import InvalidArgument, NoInformation, OutOfReach
from howsure.errors.arguments import sentences
from howsure.laws import Kind
from howsure.laws.draw_settings import DRAWS, SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.metrics import Asked
from howsure.numerics.sites.normal_contest import contest
from howsure.units.many_at_sites import many_at_sites
from howsure.units.pooling import MOST_SITES
from howsure.units.ranked_over import RankedOver
from howsure.units.site_knowledge import FEWEST_SITES

__all__ = ["rank_over"]

#: Classifiers whose covariances are held at once.
MOST_CLASSIFIERS = 50


def rank_over(
    data_sets: Any,
    *,
    metric: Asked | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
    notes: Sequence[str] = (),
) -> RankedOver:
    """Rank classifiers over many data sets: P(best on average), P(best on a new data set), and ranks.

    Parameters
    ----------
    data_sets : mapping or Predictions
        Of each data set by name the Predictions of all classifiers (paired), or ``{classifier: (k, n)}``: k right
        answers to n cases, as papers print them (separate). Or Predictions whose groups are the data sets.
    metric : str or Metric, optional
        A share of right answers: accuracy (if left out), or recall@ of a class.
    level, kind
        Of the intervals that are shown.
    draws, seed : int
    notes : sequence of str
        Sentences to carry along.

    Returns
    -------
    RankedOver

    Raises
    ------
    InvalidArgument, InvalidCounts, InvalidLabels
        One classifier, one that a data set has not, a data set without cases, a metric that is no share of right
        answers, more than 500 data sets or 50 classifiers.
    NoInformation
        Fewer than three data sets say nothing of others.

    Notes
    -----
    Shares are taken as normal with their covariance within a data set; how hard a data set is drops out. Every
    classifier is as lucky on a data set as every other (one sd, half-normal(0.1)). From three classifiers on the
    classifiers are a sample from a normal population that is learned, as in `rank`.

    Examples
    --------
    >>> one = {"forest": (92, 100), "tree": (84, 100), "bayes": (80, 100)}
    >>> counts = dict.fromkeys(["iris", "wine", "glass", "sonar"], one)
    >>> rank_over(counts).best
    'forest'
    """
    level, kind = checked_level(level), checked_kind(kind)
    draws, seed = checked_draws(draws), checked_seed(seed)
    counts = many_at_sites(data_sets, metric)
    if len(counts.classifiers) < 2:
        raise InvalidArgument("this is one classifier; pool() pools its data sets")
    if len(counts.names) < FEWEST_SITES:
        raise NoInformation(
            f"{len(counts.names)} data sets say nothing of others; give {FEWEST_SITES} or more, or rank on each alone "
            "(rank)"
        )
    if len(counts.names) > MOST_SITES or len(counts.classifiers) > MOST_CLASSIFIERS:
        raise OutOfReach(
            f"{MOST_SITES} data sets and {MOST_CLASSIFIERS} classifiers at most are ranked over, and these are "
            f"{len(counts.names)} and {len(counts.classifiers)}"
        )
    counts = replace(counts, notes=(*sentences(notes), *counts.notes))
    made = contest(counts.right / counts.n, counts.cover, draws=draws, seed=seed)
    return RankedOver(counts, made, level, kind, draws, seed)
