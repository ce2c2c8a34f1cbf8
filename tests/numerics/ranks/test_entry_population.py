"""A population of entries learned from a board: recorded boards, a second route, edges, invariance."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import integrate, special
from tests.conftest import REFERENCE

from howsure.numerics.arrays import Floats
from howsure.numerics.ranks import entry_panels
from howsure.numerics.ranks.entry_panels import population_ranks
from howsure.numerics.ranks.entry_population import EntryEvidence, learned_population
from howsure.numerics.ranks.rank_matrix import Ranks, drawn_exceedance, drawn_ranks

#: Recorded with the script that the specification of learned boards came with; the second group of "draws" and "brute"
#: is not made one Beta, "brute" integrates on a grid.
BOARDS = {
    name: board
    for name, board in json.loads((REFERENCE / "ranks.json").read_text()).items()
    if "learned_p_best" in board
}


def counts_of(board: dict[str, Any]) -> tuple[Floats, Floats]:
    return np.array(board["k"], float), np.array(board["n"], float)


@pytest.mark.sweep(6, full=10)
@pytest.mark.parametrize("name", BOARDS)
def test_recorded_boards(name: str) -> None:
    board = BOARDS[name]
    population = learned_population(*counts_of(board))
    ranks = population_ranks(population)
    matrix, above = ranks.matrix, ranks.above
    p_best = matrix[:, 0]
    assert p_best == pytest.approx(board["learned_p_best"], abs=2e-3)
    assert p_best == pytest.approx(board["brute_p_best"], abs=4e-3)
    assert matrix @ np.arange(1, len(p_best) + 1) == pytest.approx(board["expected_rank"], abs=2e-3 * len(p_best))
    assert Ranks.of(matrix, above).interval().tolist() == board["rank_interval"]
    assert above[board["first"]] == pytest.approx(board["above_first_row"], abs=2e-3)
    assert population.mean == pytest.approx(board["population"]["mean"], abs=1e-4)
    assert population.sd == pytest.approx(board["population"]["sd"], abs=1e-4)
    assert population.second_share == pytest.approx(board["population"]["second"], abs=1e-3)
    a, b, weight = population.betas(int(population.place[board["first"]]))
    assert float(weight @ (a / (a + b))) == pytest.approx(board["first_score"][0], abs=1e-4)
    for end, share in zip(board["first_score"][1:], (0.025, 0.975), strict=True):
        under, over = (float(weight @ special.betainc(a, b, min(end + d, 1.0))) for d in (-1e-6, 1e-6))  # six digits
        assert under - 1e-3 <= share <= over + 1e-3


@pytest.mark.sweep(1, full=4)
@pytest.mark.parametrize("name", ["uneven n", "near perfect"])
def test_draws_of_the_second_group_as_it_is_agree_with_the_panels(name: str) -> None:
    k, n = counts_of(BOARDS[name])
    population = learned_population(k, n, reduced=False)
    values = population.draws(20_000, np.random.default_rng(7))
    ranks = population_ranks(learned_population(k, n))
    matrix, above = ranks.matrix, ranks.above
    # 0.005 is what is promised, the rest is four standard errors
    assert np.abs(drawn_ranks(values) - matrix).max() < 0.005 + 4 * 0.5 / np.sqrt(20_000)
    assert np.abs(drawn_exceedance(values) - above).max() < 0.005 + 4 * 0.5 / np.sqrt(20_000)


def test_evidence_against_the_integral_over_one_score() -> None:
    evidence = EntryEvidence(np.array([3.0, 9.0]), np.array([10.0, 10.0]))
    mu, kappa = np.array([[0.7]]), np.array([[8.0]])
    found = np.exp(evidence.log_probability(mu, kappa))[0]
    for k, value in zip(evidence.k.tolist(), found.tolist(), strict=True):
        whole, _ = integrate.quad(
            lambda x, k=k: special.comb(10, k) * x**k * (1 - x) ** (10 - k)
            * x**4.6 * (1 - x) ** 1.4 / special.beta(5.6, 2.4), 0, 1,
        )  # fmt: skip
        assert value == pytest.approx(whole, rel=1e-9)


EDGES: dict[str, tuple[list[float], list[float]]] = {
    "one case each": ([1, 0, 1, 1], [1, 1, 1, 1]),
    "20 beside 15,000": ([19, 14000, 13900, 14100], [20, 15000, 15000, 15000]),
    "all right": ([50] * 10, [50] * 10),
    "one wrong answer": ([1000] * 9 + [999], [1000] * 10),
    "an entry without cases": ([0, 90, 85, 95], [0, 100, 100, 100]),
    "pseudo-counts": ([2.5, 3.5, 4.5], [5, 5, 5]),
}


@pytest.mark.sweep(3, full=10)
@pytest.mark.parametrize("name", EDGES)
def test_edges(name: str) -> None:
    k, n = (np.array(x, float) for x in EDGES[name])
    population = learned_population(k, n)
    ranks = population_ranks(population)
    matrix, above = ranks.matrix, ranks.above
    assert np.isfinite(matrix).all()
    assert (matrix >= -1e-12).all()
    assert np.abs(matrix.sum(0) - 1).max() < 1e-9
    assert np.abs(matrix.sum(1) - 1).max() < 1e-9
    assert np.abs(above + above.T - 1).max() < 1e-12
    for i in range(len(k)):
        same = population.place == population.place[i]
        assert np.ptp(matrix[same], axis=0).max() == 0
        assert (above[i, same] == 0.5).all()
    expected = matrix @ np.arange(1, len(k) + 1)
    assert expected == pytest.approx(0.5 + above.sum(0), abs=1e-4)


@pytest.mark.full
def test_a_crowd_of_entries_has_the_ranks_of_the_recursion(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    k = rng.binomial(300, np.clip(rng.normal(0.7, 0.06, 2_200), 0.01, 0.99)).astype(float)
    population = learned_population(k, np.full(len(k), 300.0))
    crowd = population_ranks(population)
    monkeypatch.setattr(entry_panels, "CROWD", np.inf)
    one_by_one = population_ranks(population)
    assert 0 < np.abs(crowd.rows - one_by_one.rows).max() < 1e-5
    assert crowd.interval().tolist() == one_by_one.interval().tolist()
    np.testing.assert_allclose(crowd.expected, one_by_one.expected, atol=0.01)
