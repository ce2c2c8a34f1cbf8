"""Which of two classifiers is better over many data sets, and on the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from howsure.errors import InvalidArgument, OutOfReach, excerpt
from howsure.errors.arguments import number, sentences
from howsure.laws import Kind
from howsure.laws.draw_settings import DRAWS, SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.metrics import Asked
from howsure.numerics.sites.site_gain import uniform_rates
from howsure.numerics.sites.site_population import site_population
from howsure.units.compared_over import ComparedOver
from howsure.units.pooling import MOST_SITES
from howsure.units.two_at_sites import two_at_sites

__all__ = ["APART", "compare_over"]

#: Scale of the half-normal prior of the sd between data sets of the difference of two logits, of separate test sets.
APART = 1.0


def compare_over(
    data_sets: Any,
    a: str | None = None,
    b: str | None = None,
    *,
    metric: Asked | None = None,
    rope: float | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
    notes: Sequence[str] = (),
) -> ComparedOver:
    """Compare two classifiers over many data sets: the mean difference, its spread, and that on a new data set.

    Parameters
    ----------
    data_sets : mapping or Predictions
        Of each data set by name the Predictions of both classifiers (paired), or ``{classifier: (k, n)}``: k right
        answers to n cases, as papers print them (separate). Or Predictions whose groups are the data sets.
    a, b : str, optional
        The classifiers; where there are two, those.
    metric : str or Metric, optional
        A share of right answers: accuracy (if left out), or recall@ of a class.
    rope : float, optional
        Differences up to this size count as equivalent.
    level, kind
        Of the intervals that are shown.
    draws, seed : int
        Weighted draws of the posterior.
    notes : sequence of str
        Sentences to carry along.

    Returns
    -------
    ComparedOver

    Raises
    ------
    InvalidArgument, InvalidCounts, InvalidLabels, UnknownClassifier
        One data set, one without cases, a case in two, a classifier that one has not, a metric that is no share of
        right answers, a rope outside of 0 to 1, more than 500 data sets.

    Notes
    -----
    Logits are normal between data sets and counts binomial, as in `pool`. Same cases: of the share of cases that only
    one of both has right, and the part of these that is A's. Separate test sets: of both accuracies, as the level of a
    data set and a difference (Corani et al. 2017, Mach Learn 106: 1817, have normal scores of folds instead of counts).

    Examples
    --------
    >>> counts = {"iris": ((141, 150), (143, 150)), "wine": ((170, 178), (165, 178)), "glass": ((150, 214), (141, 214))}
    >>> made = compare_over({name: {"forest": x, "tree": y} for name, (x, y) in counts.items()}, seed=3)
    >>> made.of()
    difference of accuracy 0.02 (-0.08 to 0.13) 95% HDI, mean of data sets, simulated (Monte Carlo error 0.004)
    """
    level, kind = checked_level(level), checked_kind(kind)
    draws, seed = checked_draws(draws), checked_seed(seed)
    counts = two_at_sites(data_sets, a, b, metric)
    if len(counts.names) < 2:
        raise InvalidArgument("this is one data set; compare() compares two classifiers on it")
    if len(counts.names) > MOST_SITES:
        raise OutOfReach(f"{MOST_SITES} data sets at most are compared over, and these are {len(counts.names)}")
    if rope is not None and not 0 <= number(rope) < 1:
        raise InvalidArgument(
            f"rope is the largest difference that counts as equivalent, from 0 to 1; not {excerpt(rope)}"
        )
    counts = replace(counts, notes=(*sentences(notes), *counts.notes))
    k, n = counts.rates
    population = site_population(
        k, n, draws=draws, seed=seed, middle=uniform_rates, shared=None if counts.paired else APART
    )
    return ComparedOver(counts, population, None if rope is None else float(rope), level, kind, draws, seed)
