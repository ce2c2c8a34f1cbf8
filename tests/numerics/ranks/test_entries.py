"""Populations of entries, apart and on the same cases, against integrals, draws and recorded boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, special
from tests.conftest import REFERENCE

from howsure.numerics.arrays import Floats
from howsure.numerics.populations import ranks
from howsure.numerics.populations.entries import EntryEvidence, learned_population
from howsure.numerics.populations.joint_entries import ARCSINE, NormalPopulation, apart, without_prior
from howsure.numerics.populations.ranks import Ranks, drawn_exceedance, drawn_ranks, population_ranks

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
    monkeypatch.setattr(ranks, "CROWD", np.inf)
    one_by_one = population_ranks(population)
    assert 0 < np.abs(crowd.rows - one_by_one.rows).max() < 1e-5
    assert crowd.interval().tolist() == one_by_one.interval().tolist()
    np.testing.assert_allclose(crowd.expected, one_by_one.expected, atol=0.01)


# -- the population of entries on a working scale: closed forms, brute force, the order of entries, reference

BOARDS_OF_JOINT_POPULATION = json.loads(
    (Path(__file__).parents[2] / "reference" / "ranks.json").read_text(encoding="utf-8")
)
TWINS = [name for name in BOARDS_OF_JOINT_POPULATION["general recipe"] if name != "paired six"]


def population(centre: float, spread: float, entries: int) -> NormalPopulation:
    """One node and one part."""
    one = np.ones((1, 1))
    return NormalPopulation(
        np.ones(1), np.full(1, centre), np.full(1, spread), np.ones((1, 1, entries)), centre * one, spread**2 * one
    )


@pytest.mark.parametrize("together", [True, False])
def test_matherons_rule_is_the_conjugate_posterior_for_normal_draws(together: bool) -> None:
    """g | s ~ N(mu + s, t^2), s flat: precision C^-1 + (I - J/T) / t^2, found without C + D."""
    rng = np.random.default_rng(2)
    size, spread = 5, 0.03
    root = rng.normal(0, 0.02, (size, size))
    covariance = root @ root.T + 2e-4 * np.eye(size)
    if not together:
        covariance = np.diag(np.diag(covariance))
    means = np.array([1.10, 1.15, 1.08, 1.2, 1.12])
    draws = means[:, None] + np.linalg.cholesky(covariance) @ rng.standard_normal((size, 200_000))
    handed = covariance if together else np.diag(covariance)
    made = population(1.0, spread, size).moved(draws, handed, [1])
    inverse = np.linalg.inv(covariance)
    after = np.linalg.inv(inverse + (np.eye(size) - 1 / size) / spread**2)
    close = 5 * np.sqrt(np.diag(after) / 200_000)
    assert (np.abs(made.mean(1) - after @ inverse @ means) < close).all()
    assert np.cov(made) == pytest.approx(after, abs=6 * float(np.diag(after).max()) / np.sqrt(200_000))


@pytest.mark.sweep(2, full=7)
@pytest.mark.parametrize("name", TWINS)
def test_the_normal_twin_and_the_population_of_tallies(name: str) -> None:
    """Boards of accuracy by both engines: within .02, but .022 at 10 cases and .035 at 40 beside 2,000."""
    board = BOARDS_OF_JOINT_POPULATION[name]
    k, n = np.array(board["k"]), np.array(board["n"])
    rng = np.random.default_rng(3)
    drawn = ARCSINE.forward(rng.beta((k + 1)[:, None], (n - k + 1)[:, None], (len(k), 60_000)))
    flat = np.full(len(k), np.pi / 4), np.full(len(k), np.pi**2 / 16 - 0.5)
    drawn, variances = without_prior(drawn, drawn.var(1, ddof=1), *flat)
    made = NormalPopulation.learned(drawn.mean(1), apart(variances), ARCSINE.broad)
    ranks = drawn_ranks(made.moved(drawn, variances, [4]))[:, 0]
    assert ranks == pytest.approx(BOARDS_OF_JOINT_POPULATION["general recipe"][name]["p_best"], abs=0.008)
    allowed = {"twelve of ten cases": 0.026, "uneven n": 0.037}.get(name, 0.02)
    assert ranks == pytest.approx(board["learned_p_best"], abs=allowed)
    assert made.second == pytest.approx(BOARDS_OF_JOINT_POPULATION["general recipe"][name]["second"], abs=0.004)


@pytest.mark.parametrize("together", [True, False])
def test_taking_a_normal_prior_out_leaves_the_likelihood(together: bool) -> None:
    prior_mean, prior_variance = np.array([0.7, 0.8]), np.array([0.02, 0.03])
    seen, noise = np.array([1.2, 1.0]), np.array([0.001, 0.004])
    after = 1 / (1 / prior_variance + 1 / noise)
    means = after * (prior_mean / prior_variance + seen / noise)
    rng = np.random.default_rng(1)
    drawn = rng.standard_normal((2, 1000))
    drawn = (drawn - drawn.mean(1, keepdims=True)) * np.sqrt(after)[:, None] + means[:, None]
    handed = np.diag(after) if together else after
    made, variances = without_prior(drawn, handed, prior_mean, prior_variance)
    assert made.mean(1) == pytest.approx(seen)
    assert (np.diag(variances) if together else variances) == pytest.approx(noise)
    untouched, same = without_prior(drawn, handed, np.zeros(2), np.full(2, np.inf))
    assert untouched == pytest.approx(drawn)
    assert same == pytest.approx(handed)
