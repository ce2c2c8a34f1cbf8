"""Errors with a profile over the distance of ranks: without one they are the old ones, with one by another way."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special
from tests.validation.sections.ordinal import METRICS, confusion, coverage

import howsure as hs
from howsure.numerics.learned.evidence import log_grid
from howsure.numerics.learned.hierarchical_draws import COARSE, FINE, LearnedErrors, OrderedErrors

#: Ratings from 1 to 5, errors near the diagonal.
RATINGS = np.array([[13, 2, 0, 0, 0], [1, 16, 6, 2, 0], [0, 1, 19, 6, 0], [0, 0, 2, 10, 3], [0, 0, 0, 0, 19]])
WRONG = RATINGS * (1 - np.eye(5, dtype=int))


@pytest.mark.parametrize("wrong", [WRONG, WRONG[::-1, ::-1], np.zeros((3, 3))])
def test_without_a_profile_they_are_those_that_know_no_order(wrong: np.ndarray) -> None:
    flat = OrderedErrors(wrong, ((1.0,), (0.0,)))
    i, j = np.nonzero(wrong)
    old = LearnedErrors(len(wrong), i, j, wrong[i, j])
    assert flat.shares[0] == pytest.approx(old.shares, abs=1e-12)
    assert flat.of_rows[0] == pytest.approx(old.rough_weight, abs=1e-12)
    rows, columns = np.random.default_rng(3), np.random.default_rng(4)
    drawn = flat.masses(40_000, rows)[:, 0, 1:]
    other = old.masses(40_000, columns)[:, 0, 1:]
    assert np.log(drawn).mean(0) == pytest.approx(
        np.log(other).mean(0), abs=5 * np.log(drawn).std() * (2 / 40_000) ** 0.5
    )


def test_evidence_of_a_profile_is_that_of_its_rows_one_by_one() -> None:
    """Dirichlet-multinomial probabilities, by sums over masses written out; the columns are held where they are."""
    errors = OrderedErrors(WRONG, COARSE)
    z = log_grid(5) - np.log(5)
    prior = z - 2 * np.logaddexp(0, z)
    logs = []
    for (factor, level), shares in zip(errors.nodes, errors.shares, strict=True):
        whole = np.zeros(len(z))
        for i, row in enumerate(WRONG):
            near = [0 if j == i else shares[j] * ((1 - level) * factor ** (abs(i - j) - 1) + level) for j in range(5)]
            base = np.array(near) / sum(near)
            for m, log_mass in enumerate(log_grid(5)):
                mass = np.exp(log_mass)
                seen = row > 0
                whole[m] += special.gammaln(mass) - special.gammaln(mass + row.sum())
                whole[m] += (special.gammaln(mass * base[seen] + row[seen]) - special.gammaln(mass * base[seen])).sum()
        logs.append(special.logsumexp(whole + prior))
    weight = np.exp(np.array(logs) - max(logs)) * [1.0, *[0.5] * 6]
    assert errors.weight == pytest.approx(weight / weight.sum(), abs=1e-10)


def test_a_profile_is_learned_where_there_is_one_and_not_where_there_is_none() -> None:
    rng = np.random.default_rng(8)
    near = rng.multinomial(400, confusion(6, "near", rng).ravel()).reshape(6, 6)
    spread = np.where(np.eye(6) > 0, 60, 6)
    falls, stays = (OrderedErrors(table * (1 - np.eye(6)), FINE) for table in (near, spread))
    assert falls.weight @ falls.nodes[:, 0] < 0.35
    assert stays.weight[stays.nodes[:, 0] < 0.5] @ stays.profile[stays.nodes[:, 0] < 0.5, 0, 5] < 0.05
    assert falls.means[0, 1] > 5 * falls.means[0, 4]


def test_means_are_those_of_draws() -> None:
    errors = OrderedErrors(WRONG)
    masses = errors.masses(20_000, np.random.default_rng(1)) + WRONG
    drawn = masses / np.maximum(masses.sum(-1, keepdims=True), 1e-300)
    # those of the draws average over the columns, the others hold them at their mean
    assert errors.means == pytest.approx(drawn.mean(0), abs=0.02)


def test_only_ordinal_metrics_know_of_it_and_what_is_asked_beside_them_stays() -> None:
    table = hs.ConfusionMatrix(RATINGS)
    alone, beside = hs.infer(table), hs.infer(table)
    kappa = alone.of("kappa").interval()
    assert hs.report(beside, ["weighted_kappa", "kappa"])["kappa"].low == pytest.approx(kappa.low, abs=1e-12)
    assert beside.of("weighted_kappa").mean > hs.infer(table, "jeffreys").of("weighted_kappa").mean


@pytest.mark.full
@pytest.mark.parametrize("cell", [(5, 50, "near"), (5, 400, "lenient"), (10, 100, "noise")])
def test_the_truth_is_in_the_interval(cell: tuple[int, int, str]) -> None:
    """Spread whatever their distance, errors let quadratic kappa be held in 2 to 85%. False alarm below 1e-6."""
    held = coverage(*cell, 60, ("learned",))[0, :, 0]
    assert dict(zip(METRICS, held >= 0.95 - 5 * (0.05 * 0.95 / 60) ** 0.5, strict=True)) == dict.fromkeys(METRICS, True)
