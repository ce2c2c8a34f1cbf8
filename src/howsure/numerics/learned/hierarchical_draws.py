"""Joint probability tables under the learned prior, and what it would learn from simulated tests."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats
from howsure.numerics.draws.dense_tables import BLOCK, draws_last
from howsure.numerics.learned.errors import COARSE, LearnedErrors, OrderedErrors
from howsure.numerics.learned.evidence import DirichletShares, LearnedShares
from howsure.numerics.learned.node_sums import NodeSum, NodeSumLaw, TooDear
from howsure.numerics.learned.population import Population
from howsure.numerics.learned.rate_law import RateLaw, matched, sum_law

#: Least concentration of a cell.
LEAST = 1e-290


def learned_tables(
    recalls: Population,
    errors: LearnedErrors | OrderedErrors,
    wrong: Floats,
    prevalence: DirichletShares | LearnedShares | None,
    known: Floats | None,
    n: int,
    rng: np.random.Generator,
    rng_prevalence: np.random.Generator,
) -> Iterator[Floats]:
    """Draw ``n`` tables p_ij = phi_i r_ij in blocks (m, K, K); phi is drawn from ``prevalence``, or ``known``.

    Row i has theta_i on the diagonal and (1 - theta_i) spread as Dirichlet(masses_ij + wrong_ij), where the masses are
    those of ``errors`` and ``wrong`` (K, K) the counts off the diagonal.
    """
    size = len(recalls)
    step = max(1, BLOCK // size**2)
    for start in range(0, n, step):
        many = min(step, n - start)
        theta = recalls.draw(many, rng)
        alphas = errors.masses(many, rng)
        alphas += wrong
        tables = draws_last(spread(np.maximum(alphas, LEAST, out=alphas), rng))
        tables *= (1 - theta)[..., None]
        tables[:, np.arange(size), np.arange(size)] = theta
        if prevalence is not None:
            tables *= prevalence.draw(many, rng_prevalence)[..., None]
        else:
            tables *= np.asarray(known)[:, None]
        yield tables


def spread(alphas: Floats, rng: np.random.Generator) -> Floats:
    """Dirichlet rows off the diagonal, shape (m, K, K); rows of vanishing mass have all in one cell.

    A Dirichlet of small concentrations is nearly always in one cell, with the probability of its mean; where every
    Gamma variable underflows that limit is drawn.
    """
    size = alphas.shape[-1]
    alphas[:, np.arange(size), np.arange(size)] = 0.0
    cells = rng.standard_gamma(alphas)
    total = cells.sum(axis=-1, keepdims=True)
    empty = total[..., 0] <= 0
    if empty.any():
        chances = np.cumsum(alphas[empty], axis=-1)
        chosen = (chances < rng.random((len(chances), 1)) * chances[:, -1:]).sum(axis=-1)
        cells[empty] = np.arange(size) == chosen[:, None]
        total[empty] = 1.0
    cells /= total
    return cells


Whole = NDArray[np.int64]

#: Fewer nodes than a report has: the sd of a mean recall is within 1%, at a quarter of the time.
NODES = (13, 9, 9)

#: For widths, which are few and not simulated: within 0.2% of those of a report, where the nodes above miss up to 1%.
WIDTH_NODES = (13, 9, 13)


def sums_learned_together(right: Whole, cases: Whole, weights: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draws of ``sum_i w_i recall_i`` after each test, (R, K) right answers and cases to (R, draws)."""
    return np.stack(
        [Population(k, n, nodes=NODES).draw_sum(weights, draws, rng) for k, n in zip(right, cases, strict=True)]
    )


def widths_learned_together(right: Whole, cases: Whole, weights: Floats, level: float) -> Floats:
    """Widths of the shortest intervals of ``sum_i w_i recall_i`` after each test, (R, K) to (R,), by their laws."""
    laws = [_law(Population(k, n, nodes=WIDTH_NODES).sum_terms(weights)) for k, n in zip(right, cases, strict=True)]
    central = np.array([(1 - level) / 2, (1 + level) / 2])
    return np.array([np.ptp(law.highest_density(level) or law.quantile(central)) for law in laws])


def _law(terms: NodeSum) -> NodeSumLaw | RateLaw:
    try:
        return sum_law([terms])
    except TooDear:  # one class all wrong among perfect ones: of many tests few
        return matched(terms)


def tables_learned_together(
    counts: Whole, known: Floats | None, draws: int, rng: np.random.Generator, *, ordered: bool = False
) -> Iterator[Floats]:
    """Joint tables learned from each test (R, K, K), blocks of shape (1, draws, K, K).

    ``known`` shares of the classes are (K,), or (R, K) where each test has its own; ``ordered`` says that errors have a
    profile over the distance of their ranks, as they have where an ordinal metric is asked for.
    """
    size = counts.shape[-1]
    off = ~np.eye(size, dtype=bool)
    shares_known = None if known is None else np.broadcast_to(known, counts.shape[:2])
    for test, table in enumerate(counts):
        cases = table.sum(-1)
        recalls = Population(np.diagonal(table), cases, nodes=NODES)
        wrong = np.where(off, table, 0).astype(float)
        rows, cols = np.nonzero(wrong)
        errors = OrderedErrors(wrong, COARSE) if ordered else LearnedErrors(size, rows, cols, wrong[rows, cols])
        shares = LearnedShares(cases) if shares_known is None else None
        here = None if shares_known is None else shares_known[test]
        yield np.concatenate(list(learned_tables(recalls, errors, wrong, shares, here, draws, rng, rng)))[None]
