"""Ranks of entries: matrices of probabilities, best sets and the smallest of Betas."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from tests.conftest import tries

from howsure.numerics.populations.beta_laws import LeastBeta
from howsure.numerics.populations.ranks import (
    Ranks,
    best_probabilities_beta,
    beta_ranks,
    contenders,
    drawn_exceedance,
    law_ranks,
)

REFERENCE = Path(__file__).parents[2] / "reference"
CASES = json.loads((REFERENCE / "numerics.json").read_text())["rank"]
KAGGLE = next(
    case
    for case in json.loads((REFERENCE / "published.json").read_text())["cases"]
    if case["name"] == "toetsch2020_kaggle_recursion"
)


@dataclass
class Beta:
    """A Beta on [shift, shift + width], as a law on the real line; width 0 is a point mass."""

    a: float
    b: float
    shift: float = 0.0
    width: float = 1.0

    @property
    def sd(self):
        total = self.a + self.b
        return self.width * (self.a * self.b / (total + 1)) ** 0.5 / total

    def _unit(self, x):
        return np.clip((x - self.shift) / self.width, 0, 1)

    def cdf(self, x):
        return special.betainc(self.a, self.b, self._unit(x))

    def sf(self, x):
        return special.betaincc(self.a, self.b, self._unit(x))

    def pdf(self, x):
        t = np.clip(self._unit(x), 1e-300, 1 - 1e-16)
        log = (self.a - 1) * np.log(t) + (self.b - 1) * np.log1p(-t) - special.betaln(self.a, self.b)
        return np.exp(log) / self.width

    def quantile(self, p):
        return self.shift + self.width * special.betaincinv(self.a, self.b, p)


def probability_of_first_beating_second(a, b):
    """P(X > Y) for two Betas by tanh-sinh in x, with both ends carried: independent of panels and recursion."""
    t = np.linspace(-6.1, 6.1, 2001)
    u = np.pi * np.sinh(t)
    x, q = special.expit(u), special.expit(-u)
    weight = np.pi * np.cosh(t) * (t[1] - t[0])
    log = a[0] * special.log_expit(u) + b[0] * special.log_expit(-u) - special.betaln(a[0], b[0])
    second = np.where(x < 0.5, special.betainc(a[1], b[1], x), special.betaincc(b[1], a[1], q))
    return np.sum(np.exp(log) * weight * second)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_reference_cases(case):
    matrix = beta_ranks(case["a"], case["b"]).matrix
    assert np.abs(matrix - case["rank_probability"]).max() < 2e-11
    assert np.abs(matrix.sum(0) - 1).max() < 1e-10
    assert np.abs(matrix.sum(1) - 1).max() < 1e-10


def test_kaggle_leaderboard_as_published():
    correct = np.array(KAGGLE["correct"], float)
    matrix = beta_ranks(correct + 1, KAGGLE["N"] - correct + 1).matrix
    computed = KAGGLE["computed"]
    assert round(matrix[0, 0], 2) == KAGGLE["published"]["P_rank1_is_best"]["value"]
    np.testing.assert_allclose(np.diag(matrix), computed["rank_prob_diagonal"], atol=6e-5)
    prizes = KAGGLE["published"]["prizes"]
    np.testing.assert_allclose(Ranks.of(matrix, matrix).reward(prizes), computed["expected_prize"], atol=6e-3)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([9.5, 8.5], [0.5, 0.5]),
        ([30, 2000], [20, 1400]),
        ([0.1, 0.2], [0.3, 0.1]),
    ],
)
def test_two_entries_agree_with_a_direct_integral(a, b):
    matrix = beta_ranks(a, b).matrix
    expected = probability_of_first_beating_second(a, b)
    np.testing.assert_allclose(matrix, [[expected, 1 - expected], [1 - expected, expected]], atol=2e-11)


def test_point_masses_tie_equally():
    matrix = beta_ranks([0, 5, 5, 5], [3, 0, 0, 2]).matrix
    np.testing.assert_allclose(matrix, [[0, 0, 0, 1], [0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 1, 0]], atol=1e-15)
    np.testing.assert_allclose(beta_ranks([1, 1, 1], [0, 0, 0]).matrix, 1 / 3)


@pytest.mark.parametrize(("a", "b"), [([0.0], [0.0]), ([np.nan], [1.0])])
def test_impossible_parameters_are_refused(a, b):
    with pytest.raises(ValueError, match="Beta parameters"):
        beta_ranks(a, b)


@pytest.mark.full
def test_laws_that_cannot_be_ranked_are_refused():
    law = Beta(3, 2)
    law.pdf = lambda x: np.exp(np.asarray(x))
    with pytest.raises(ArithmeticError, match="derivative"):
        law_ranks([law, Beta(2, 2)])
    law.quantile = lambda p: np.full(np.shape(p), np.nan)
    with pytest.raises(ValueError, match="finite median"):
        law_ranks([law, Beta(2, 2)])


def test_what_follows_from_the_matrix():
    matrix = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]])
    np.testing.assert_allclose(Ranks.of(matrix, matrix).expected, [1.4, 2.0, 2.6])
    assert Ranks.of(matrix, matrix).interval(0.9).tolist() == [[1, 2], [1, 3], [2, 3]]
    assert Ranks.of(matrix, matrix).interval(0.5).tolist() == [[1, 1], [2, 2], [3, 3]]
    np.testing.assert_allclose(Ranks.of(matrix, matrix).top(2), [0.9, 0.8, 0.3])
    np.testing.assert_allclose(Ranks.of(matrix, matrix).reward([100, 10]), [72, 26, 12])
    np.testing.assert_allclose(Ranks.of(matrix, matrix).reward([100, 10, 0, 5]), [72, 26, 12])
    with pytest.raises(ValueError, match="level"):
        Ranks.of(matrix, matrix).interval(0)
    with pytest.raises(ValueError, match="k must lie"):
        Ranks.of(matrix, matrix).top(4)


shape = st.one_of(st.sampled_from([0.01, 0.5, 1.0]), st.floats(0.05, 300.0), st.integers(1, 100_000).map(float))


@pytest.mark.full
@settings(max_examples=tries(25), deadline=None)
@given(st.lists(st.tuples(shape, shape), min_size=1, max_size=8))
def test_the_matrix_is_doubly_stochastic_and_follows_its_entries(pairs):
    a, b = np.array(pairs).T
    matrix = beta_ranks(a, b).matrix
    assert (matrix >= -1e-12).all()
    np.testing.assert_allclose(matrix.sum(0), 1, atol=1e-10)
    np.testing.assert_allclose(matrix.sum(1), 1, atol=1e-10)
    np.testing.assert_allclose(beta_ranks(a[::-1], b[::-1]).matrix, matrix[::-1], atol=1e-10)


def test_equal_rates_are_weighed_once_and_even() -> None:
    """A board with few different rates; against all of them one by one."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(20, 24, 40) + 1.0, rng.integers(5, 8, 40) + 1.0
    found = beta_ranks(a, b).above
    for i, j in ((0, 1), (3, 17), (20, 5), (39, 38)):
        alone = 0.5 if (a[i], b[i]) == (a[j], b[j]) else beta_ranks(a[[i, j]], b[[i, j]]).above[0, 1]
        assert found[i, j] == pytest.approx(alone, abs=1e-9)
    assert found + found.T == pytest.approx(np.ones((40, 40)), abs=1e-15)
    equal = (a[:, None] == a) & (b[:, None] == b)
    assert (found[equal] == 0.5).all()


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_the_best_alone_is_the_first_column(case):
    a, b = np.array(case["a"], float), np.array(case["b"], float)
    assert best_probabilities_beta(a, b) == pytest.approx(beta_ranks(a, b).matrix[:, 0], abs=2e-8)


def test_drawn_ties_count_one_half_for_either() -> None:
    values = np.array([[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    assert drawn_exceedance(values).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert drawn_exceedance(values[:, :2]).tolist() == [[0.5, 0.75], [0.25, 0.5]]


# -- contenders: an integral and draws agree, sets of the reference boards, coverage whatever the truth ---------------

BOARDS = json.loads((Path(__file__).parents[2] / "reference" / "ranks.json").read_text(encoding="utf-8"))
NAMES = [name for name in BOARDS if "k" in BOARDS[name]]


def scored(k: object, n: object) -> tuple[np.ndarray, np.ndarray]:
    right, cases = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    p = (right + 1) / (cases + 2)
    return p, p * (1 - p) / (cases + 3)


@pytest.mark.parametrize("name", NAMES)
def test_an_integral_and_draws_give_the_sets_of_the_reference(name: str) -> None:
    board = BOARDS[name]
    scores, variances = scored(board["k"], board["n"])
    assert contenders(scores, variances, 0.95).tolist() == board["contenders"]
    assert contenders(scores, np.diag(variances), 0.95, 20_000, 1).tolist() == board["contenders"]


def test_the_set_holds_the_best_of_equals_as_often_as_it_says_and_alike_by_either_route() -> None:
    rng = np.random.default_rng(1)
    sds = np.array([1.0, 0.5, 2.0, 1.0, 1.5])
    held, alike, runs = 0, 0, 400
    for _ in range(runs):
        scores = sds * rng.standard_normal(5)
        found = contenders(scores, sds**2, 0.9).tolist()
        held += 1 in found  # any of five equal ones may be the best
        alike += found == contenders(scores, np.diag(sds**2), 0.9, 4_000, 3).tolist()
    assert held / runs > 0.9 - 5 * np.sqrt(0.09 / runs)
    assert alike / runs > 0.95


def test_errors_that_entries_share_are_not_those_of_their_differences() -> None:
    scores, sd = np.array([0.90, 0.89, 0.80]), 0.02
    alike, apart = (sd**2 * (np.full((3, 3), shared) + (1 - shared) * np.eye(3)) for shared in (0.99, 0.0))
    # 0.01 is three and a half standard errors on the same cases, and a third of one on cases of their own
    assert contenders(scores, alike, 0.95).tolist() == [0]
    assert contenders(scores, apart, 0.95).tolist() == [0, 1]


# -- the least of several Betas: against the product of their survival functions, and itself differentiated -----------

A, B = np.array([12.0, 12.0, 3.5, 40.0]), np.array([3.0, 3.0, 1.5, 9.0])
X = np.linspace(0.2, 0.95, 16)


def test_what_is_above_is_the_product_of_what_each_has_above() -> None:
    law = LeastBeta.of(A, B)
    above = np.prod([stats.beta(a, b).sf(X) for a, b in zip(A, B, strict=True)], axis=0)
    assert law.sf(X) == pytest.approx(above, rel=1e-11)
    assert law.cdf(X) == pytest.approx(1 - above, abs=1e-13)


def test_density_and_slope_are_derivatives() -> None:
    law, step = LeastBeta.of(A, B), 1e-5
    below, density, slope = law.evaluate(X)
    (_, more, _), (_, less, _) = law.evaluate(X + step), law.evaluate(X - step)
    assert below == pytest.approx(law.cdf(X), abs=1e-13)
    assert density == pytest.approx((law.cdf(X + step) - law.cdf(X - step)) / (2 * step), rel=1e-6, abs=1e-8)
    assert slope == pytest.approx((more - less) / (2 * step), rel=1e-6, abs=1e-6)
