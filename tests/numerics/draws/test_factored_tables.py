"""Tables of pairs whose cells have given masses: with the masses of the Dirichlet process they are its tables."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.draws.dense_tables import FactoredClass, factored_margins, factored_tables
from howsure.numerics.draws.pair_tables import PairedClass, paired_tables

SIZE = 4
#: Answers of both, and cases with each, of every true class.
SEEN = [
    ([[0, 0], [0, 1], [2, 0], [1, 1], [3, 2]], [12, 3, 1, 2, 1]),
    ([[1, 1], [1, 0], [0, 0]], [7, 2, 2]),
    ([[2, 2]], [3]),
    ([[0, 3], [3, 3], [1, 2]], [1, 1, 1]),
]
N = 30_000


def classes() -> tuple[list[FactoredClass], list[PairedClass], np.ndarray]:
    factored, plain, cells = [], [], np.full((SIZE, 4), 0.5)
    for true, (answers, counts) in enumerate(SEEN):
        made = np.array(answers), np.array(counts, dtype=float)
        factored.append(FactoredClass(*made, SIZE, true, 0.5))
        plain.append(PairedClass(*made, SIZE, true, 1.0, 1.0))
        np.add.at(cells[true], 3 - 2 * (made[0][:, 0] == true) - (made[0][:, 1] == true), made[1])
    return factored, plain, cells


def dirichlet(cells: np.ndarray, seed: int):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    return lambda many: np.stack([rng.dirichlet(row, many) for row in cells], axis=1)


@pytest.mark.full
def test_the_process_given_its_masses_is_the_process() -> None:
    factored, plain, cells = classes()
    known = np.full(SIZE, 1 / SIZE)
    one = np.concatenate(list(factored_tables(factored, dirichlet(cells, 1), None, known, N, [0])), axis=1)
    other = np.concatenate(list(paired_tables(plain, None, known, N, [1])), axis=1)
    assert one.shape == other.shape == (2, N, SIZE, SIZE)
    assert one.sum((2, 3)) == pytest.approx(1)
    assert one.mean(1) == pytest.approx(other.mean(1), abs=5 * 0.08 / np.sqrt(N))
    assert one.std(1) == pytest.approx(other.std(1), rel=0.06, abs=1e-3)
    # what both share: products of cells of the two tables
    for true in range(SIZE):
        products = [np.einsum("ni,nj->ij", x[0][:, true], x[1][:, true]) / N for x in (one, other)]
        assert products[0] == pytest.approx(products[1], abs=2e-3)
    gains = [np.sort(((x[0] - x[1]) * np.arange(16).reshape(4, 4)).sum((-2, -1))) for x in (one, other)]
    grid = np.quantile(gains[1], np.linspace(0.02, 0.98, 40))
    cdfs = [np.searchsorted(x, grid) / N for x in gains]
    assert np.abs(cdfs[0] - cdfs[1]).max() < 1.95 * np.sqrt(2 / N)


def test_margins_are_those_of_the_tables() -> None:
    factored, _, cells = classes()
    shares = np.array([19.5, 11.5, 3.5, 3.5])
    tables = np.concatenate(list(factored_tables(factored, dirichlet(cells, 2), shares, None, 3_000, [5])), axis=1)
    margins = list(factored_margins(factored, dirichlet(cells, 2), shares, None, 3_000, [5]))
    hits, actual, called = (np.concatenate([x[i] for x in margins], axis=-2) for i in range(3))
    # as far as the masses came in blocks of one size
    first = len(margins[0].actual)
    same = slice(0, min(first, 500))
    assert np.einsum("tnii->tni", tables)[:, same] == pytest.approx(hits[:, same])
    assert tables.sum(3)[0][same] == pytest.approx(actual[same])
    assert tables.sum(2)[:, same] == pytest.approx(called[:, same])
