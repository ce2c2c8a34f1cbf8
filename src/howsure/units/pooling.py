"""Several test sets, sites, subjects or studies: one posterior of the population they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from howsure.errors import InvalidArgument, OutOfReach
from howsure.errors.arguments import one_of, sentences
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Knowledge
from howsure.laws import Kind
from howsure.laws.draw_settings import DRAWS, SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.metrics import Asked
from howsure.numerics.sites.site_population import site_population
from howsure.questions.pool import MetricPool
from howsure.questions.pool import pool as pool_of_kind
from howsure.units.pooled import Pooled
from howsure.units.site_counts import counts_by_site
from howsure.units.site_knowledge import Unit

__all__ = ["pool"]

#: Sites of a pool: their draws are held at once.
MOST_SITES = 500


def pool(
    sites: Any,
    *,
    metric: Asked | None = None,
    positive: object | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
    notes: Sequence[str] = (),
    unit: Unit = "site",
) -> Pooled | MetricPool:
    """Pool test sets of several sites, subjects or studies: how good at a typical one, and at a new one.

    Parameters
    ----------
    sites : mapping or sequence
        Of each site a ConfusionMatrix, Predictions of one classifier, or a pair (k, n): k of n cases. Or one
        ConfusionMatrix whose groups are the sites (``from_predictions(..., group=site)``). Of items with scores, or
        of ratings, a mapping of site to `Items` or `Ratings`; or Items whose groups are the sites.
    metric : str or Metric, optional
        A share of cases: accuracy, recall@, specificity@, precision@, prevalence@ and the like. Left out, sensitivity
        and specificity together of two classes, and accuracy of more. Of pairs, what to call the rate.
    positive : str, optional
        Of two classes the one that sensitivity is about.
    level, kind
        Of the intervals that are shown.
    draws, seed : int
        Weighted draws of the posterior.
    notes : sequence of str
        Sentences to carry along.
    unit : "site" or "study"
        What each of them is called in words.

    Returns
    -------
    Pooled, or MetricPool of items with scores

    Raises
    ------
    InvalidArgument, InvalidCounts, InvalidLabels
        No site, one site, a site without cases, sites of different classes, a case in two sites, a metric that is no
        share of cases, more than 500 sites.

    Notes
    -----
    Binomial counts, logits of the rates normal between sites: the bivariate model of Reitsma et al. 2005 with the exact
    likelihood of Chu and Cole 2006, and its margin for one rate. The typical rate is Beta(1/2, 1/2), sds of logits are
    half-normal(1), the correlation is uniform; all are integrated by importance sampling.

    Examples
    --------
    >>> from howsure.data.confusion import ConfusionMatrix
    >>> tables = [(47, 9, 101, 738), (126, 51, 272, 1543), (19, 10, 12, 192), (36, 3, 78, 276), (130, 19, 211, 959)]
    >>> studies = [ConfusionMatrix.from_counts(tp=a, fn=b, fp=c, tn=d) for a, b, c, d in tables]
    >>> pooled = pool(studies)
    >>> pooled.of("sensitivity")
    sensitivity 0.80 (0.68 to 0.92) 95 % HDI, typical site, drawn (Monte Carlo error 0.007)
    """
    level, kind = checked_level(level), checked_kind(kind)
    one_of(unit, get_args(Unit), "unit")
    draws, seed = checked_draws(draws), checked_seed(seed)
    if isinstance(sites, Items):
        sites = {name: own for name, (own, _) in sites.by_group().items()}
    if isinstance(sites, Mapping) and sites and all(isinstance(it, Knowledge) for it in sites.values()):
        first: Knowledge = next(iter(sites.values()))
        if positive is not None or not (metric is None or isinstance(metric, str)):
            raise InvalidArgument("positive= is about classes, and the metric of these data is a name; leave it out")
        return pool_of_kind(sites, metric, site=unit, ask=first.ask(level, kind, draws, seed), notes=sentences(notes))
    counts = counts_by_site(sites, metric, positive)
    counts = replace(counts, notes=(*sentences(notes), *counts.notes))
    if len(counts.names) < 2:
        raise InvalidArgument("a pool is of two sites or more, and this is one; report it on its own (report, infer)")
    if len(counts.names) > MOST_SITES:
        raise OutOfReach(
            f"a pool is of {MOST_SITES} sites at most, and these are {len(counts.names)}; of so many, take each for a "
            "group of cases (ConfusionMatrix.from_predictions(..., group=site), infer)"
        )
    population = site_population(counts.k, counts.n, draws=draws, seed=seed)
    return Pooled(counts, population, level, kind, draws, seed, unit)
