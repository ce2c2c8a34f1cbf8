"""Laws of counts, of stated shares and of carried prevalences."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import betabinom
from tests.conftest import REFERENCE

import howsure as hs
from howsure.errors import InvalidArgument, OutOfReach
from howsure.laws import BetaBinomial, CarriedPrevalence, CountShare, Linear
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of

positive = st.floats(0.3, 400)


@given(st.integers(1, 300), positive, positive)
def test_against_scipy(n: int, a: float, b: float) -> None:
    law, other = BetaBinomial(n, a, b), betabinom(n, a, b)
    assert law.pmf == pytest.approx(other.pmf(np.arange(n + 1)), rel=1e-8, abs=1e-300)
    assert law.mean == pytest.approx(a / (a + b), rel=1e-12)
    assert law.sd == pytest.approx(other.std() / n, rel=1e-9)
    assert law.cdf(0.5) == pytest.approx(other.cdf(n // 2), rel=1e-8)


@given(st.integers(1, 60), positive, positive, st.integers(0, 60), st.integers(0, 60))
def test_atoms_belong_to_between_and_to_neither_side(n: int, a: float, b: float, i: int, j: int) -> None:
    law = BetaBinomial(n, a, b)
    low, high = sorted((min(i, n), min(j, n)))
    assert law.prob(below=low / n) == pytest.approx(law.pmf[:low].sum(), abs=1e-12)
    assert law.prob(above=high / n) == pytest.approx(law.pmf[high + 1 :].sum(), abs=1e-12)
    assert law.prob(between=(low / n, high / n)) == pytest.approx(law.pmf[low : high + 1].sum(), abs=1e-12)
    assert law.pdf(low / n) == law.pmf[low]
    assert law.pdf((low + 0.5) / n) == 0
    assert law.prob(below=-1) == 0 == law.prob(above=1)
    assert (law.prob(above=-1), law.prob(below=2)) == pytest.approx((1, 1))


def test_a_quantile_is_the_first_atom_that_reaches_it() -> None:
    law = CountShare([0.25, 0.5, 0.25])
    assert law.quantile([0, 0.25, 0.26, 0.75, 1]).tolist() == [0, 0, 0.5, 0.5, 1]
    assert (law.median, law.mode, law.support) == (0.5, 0.5, (0, 1))


def test_a_law_that_is_dense_at_both_ends_has_a_central_interval() -> None:
    assert BetaBinomial(20, 0.3, 0.3).interval().kind == "central"


@pytest.mark.parametrize("given", [(0, 1, 1), (1.5, 1, 1), (10**9, 1, 1), (5, 0, 1), (5, "a", 1)])
def test_bad_parameters(given: tuple[object, ...]) -> None:
    with pytest.raises(InvalidArgument):
        BetaBinomial(*given)  # type: ignore[arg-type]


@pytest.mark.parametrize("pmf", [[1], [-1, 2], [np.nan, 1]])
def test_bad_probabilities(pmf: list[float]) -> None:
    with pytest.raises(InvalidArgument, match=r"0, 1, \.\.\., n"):
        CountShare(pmf)


# -- metrics at stated shares of the classes: sums over the rows are laws, ratios of three classes or more

COUNTS = [[40, 3, 2], [4, 30, 6], [1, 5, 20]]
SHARES = [0.2, 0.5, 0.3]
TAILS = np.array([0.005, 0.025, 0.3, 0.5, 0.8, 0.975, 0.995])


def at(counts: list[list[int]], shares: list[float], prior: str = "flat") -> hs.Posterior:
    return hs.infer(hs.ConfusionMatrix(counts), prior).at_prevalence(shares)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["specificity@1", "false_positive_rate@0", "informedness@1", "bias@2"])
def test_sums_over_the_rows_agree_with_draws(name: str) -> None:
    post, n = at(COUNTS, SHARES), 20_000
    distribution = post.of(name)
    assert isinstance(distribution.law, Linear)
    measure = measure_of(distribution)
    assert measure is not None
    drawn = knowledge_of(post).drawn([measure], n, 1, 0)[0]
    assert distribution.mean == pytest.approx(drawn.mean(), abs=4 * distribution.sd / np.sqrt(n))
    shares = (drawn[:, None] <= distribution.law.quantile(TAILS)).mean(axis=0)
    np.testing.assert_array_less(np.abs(shares - TAILS), 5 * np.sqrt(TAILS * (1 - TAILS) / n))


# -- the prevalence behind the verdicts of a judge that was calibrated elsewhere --------------------------------------

GOLDEN = [case for case in json.loads((REFERENCE / "judge.json").read_text("utf-8")) if case["name"].startswith("B")]


@pytest.mark.sweep(3, full=5)
@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"][:30])
def test_golden(case: dict[str, Any]) -> None:
    law = CarriedPrevalence(case["k"], case["N"], tuple(case["se"]), tuple(case["sp"]))
    assert law.mean == pytest.approx(case["mean"], abs=1e-8)
    assert law.sd == pytest.approx(case["sd"], abs=1e-8)
    assert law.interval(kind="central") == pytest.approx(case["central"], abs=1e-8)
    assert law.interval() == pytest.approx(case["hdi"], abs=1e-6)
    assert law.route == "exact"


@pytest.mark.full
@pytest.mark.parametrize(
    ("k", "n", "recall", "specificity"),
    [(30, 100, (6.0, 40.0), (5.0, 18.0)), (0, 12, (3.0, 2.0), (2.0, 2.0))],
)
def test_by_brute_force(k: int, n: int, recall: tuple[float, float], specificity: tuple[float, float]) -> None:
    """A grid of the joint density; the first judge is worse than chance, the second may be either."""
    rates = (np.arange(200) + 0.5) / 200
    theta = (np.arange(200) + 0.5) / 200
    weight = np.outer(stats.beta.pdf(rates, *recall), stats.beta.pdf(rates, *specificity))
    p = theta[:, None, None] * rates[:, None] + (1 - theta[:, None, None]) * (1 - rates)
    density = (weight * np.exp(k * np.log(p) + (n - k) * np.log1p(-p))).sum(axis=(1, 2))
    density /= density.sum()
    law = CarriedPrevalence(k, n, recall, specificity)
    assert law.mean == pytest.approx(density @ theta, abs=1e-4)
    assert law.cdf(0.5) == pytest.approx(density[:100].sum(), abs=1e-4)
    assert law.cdf(0.5) + law.sf(0.5) == pytest.approx(1)
    worse = (weight * (rates[:, None] + rates < 1 - 1e-9)).sum() / weight.sum()
    worse += 0.5 * (weight * (np.abs(rates[:, None] + rates - 1) < 1e-9)).sum() / weight.sum()
    assert law.worse_than_chance == pytest.approx(worse, abs=2e-3)


@pytest.mark.parametrize("call", [(5, 4, (1, 1), (1, 1)), (-1, 4, (1, 1), (1, 1)), (1, 4, (0, 1), (1, 1))])
def test_what_is_no_count_is_refused(call: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        CarriedPrevalence(*call)


@pytest.mark.full
def test_a_contradiction_is_said_in_words() -> None:
    law = CarriedPrevalence(20, 100_000, (86, 16), (901, 101))
    assert law.interval()[0] == 0
    assert law.mean < 1e-3
    impossible = CarriedPrevalence(200, 1_000_000, (8600, 1600), (9001, 1001))
    assert impossible.compatible == pytest.approx(0, abs=1e-12)
    with pytest.raises(OutOfReach, match="contradict"):
        _ = impossible.mean
