"""Counts of a new test: drawn from every table, or the law of the number of successes of an uncertain rate.

Drawn counts are sampled from the large to the small: cases of each class, right ones among them, then the errors cell
by cell as binomials of what is left, the likely cells first, so that most binomials are of no cases at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.numerics.arrays import Floats, Integers, repeat
from howsure.numerics.draws.sparse_tables import SparseErrors, wrong_columns

__all__ = ["beta_binomial_pmf", "new_sparse_counts", "new_whole_counts", "sum_pmf"]


def new_whole_counts(tables: Floats, cases: int | Sequence[int], rng: np.random.Generator) -> Floats:
    """Counts of ``cases`` (of each class, if they are K numbers) from each table, shape (m, K, K)."""
    actual = tables.sum(axis=2)
    sizes = _sizes(actual, cases, rng)
    with np.errstate(invalid="ignore", divide="ignore"):
        rows = np.nan_to_num(tables / actual[:, :, None])
    order = np.argsort(-rows.mean(axis=0), axis=1)[None]
    drawn = rng.multinomial(sizes, np.take_along_axis(rows, order, axis=2))
    counts = np.empty(tables.shape)
    np.put_along_axis(counts, np.broadcast_to(order, tables.shape), drawn, axis=2)
    return counts


def new_sparse_counts(
    hits: Floats, actual: Floats, errors: SparseErrors, cases: int | Sequence[int], rng: np.random.Generator
) -> tuple[Floats, Floats, SparseErrors]:
    """Counts from tables that are known by diagonal and row sums, shape (m, K), and errors by cell; the same again."""
    sizes = _sizes(actual, cases, rng)
    right = rng.binomial(sizes, _share(hits, actual))
    left = (sizes - right).T
    cells, many = errors.cells, errors.at_cells.shape[1]
    mass = np.maximum((actual - hits).T, 0.0)
    at_cells = np.zeros(errors.at_cells.shape)
    for places in _by_rank(cells.true):
        rows = cells.true[places]
        found = rng.binomial(left[rows], _share(errors.at_cells[places], mass[rows]))
        at_cells[places] = found
        left[rows] -= found
        mass[rows] -= errors.at_cells[places]
    at_atoms = np.zeros(errors.at_atoms.shape)
    last = len(at_atoms) - 1
    for s, part in enumerate(errors.at_atoms):
        alone = s == last and errors.rest is None  # what is left is the last atom's
        found = left.copy() if alone else rng.binomial(left, _share(part, mass))
        at_atoms[s] = found
        left -= found
        mass -= part
    columns = errors.columns
    beyond = int(left.max(initial=0))
    if beyond:  # each case beyond the atoms has a column of its own
        assert errors.rest is not None
        columns = np.concatenate((columns, wrong_columns(beyond, cells.size, many, errors.rest.base, rng)))
        at_atoms = np.concatenate((at_atoms, left > np.arange(beyond)[:, None, None]))
    return right.astype(float), sizes.astype(float), SparseErrors(cells, at_cells, columns, at_atoms)


def _sizes(actual: Floats, cases: int | Sequence[int], rng: np.random.Generator) -> Integers:
    """Cases of each class, shape (m, K): chosen, or as they come."""
    if not isinstance(cases, int):
        return np.broadcast_to(np.asarray(cases, dtype=np.int64), actual.shape)
    return np.asarray(rng.multinomial(cases, np.nan_to_num(actual / actual.sum(axis=1, keepdims=True))))


def _share(part: Floats, whole: Floats) -> Floats:
    """Part of a whole, from 0 to 1 whatever the rounding; 1 of nothing."""
    return np.clip(np.divide(part, whole, out=np.ones(part.shape), where=whole > 0), 0.0, 1.0)


def _by_rank(rows: Integers) -> list[Integers]:
    """Places of the cells in groups: the last of each row (with the most cases), the one before it, and so on."""
    order = np.argsort(rows[::-1], kind="stable")
    _, start, count = np.unique(rows[::-1][order], return_index=True, return_counts=True)
    rank = np.arange(len(rows)) - repeat(start, count)
    places = len(rows) - 1 - order
    return [places[rank == r] for r in range(int(count.max(initial=0)))]


def beta_binomial_pmf(n: int, a: float, b: float) -> Floats:
    """P(V = v) = C(n, v) B(a + v, b + n - v) / B(a, b) for v = 0..n, shape (n + 1,).

    Relative error, measured, where the probability is above 1e-20: 1e-11 up to n = 10,000 and 1e-9 up to 10,000,000.

    Johnson, Kemp and Kotz 2005, Univariate Discrete Distributions, section 6.2. By the ratios of neighbours, and
    normalised by their sum: no gamma function of a large number loses digits.
    """
    v = np.arange(n, dtype=float)
    # log of P(v + 1) / P(v)
    steps = np.log((n - v) / (v + 1)) + np.log((a + v) / (b + n - v - 1))
    top = int(np.argmax(np.concatenate([[0.0], np.cumsum(steps)])))
    # from the most probable v outwards, so that rounding errors add up only where there is little left
    falling, rising = np.cumsum(-steps[:top][::-1])[::-1], np.cumsum(steps[top:])
    pmf = np.exp(np.concatenate([falling, [0.0], rising]))
    return np.asarray(pmf / pmf.sum())


def sum_pmf(parts: list[Floats]) -> Floats:
    """Probabilities of a sum of independent numbers of successes, by direct convolution."""
    total = np.ones(1)
    for pmf in sorted(parts, key=len):
        total = np.convolve(total, pmf)
    return total
