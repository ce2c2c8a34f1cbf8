"""The two-part population against numbers found by finer nodes and by importance sampling (tests/reference)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from howsure.laws import LearnedSum
from howsure.numerics.learned.population import Population

CASES = json.loads((Path(__file__).parents[2] / "reference" / "population.json").read_text())
LEVELS = np.array([0.025, 0.25, 0.5, 0.75, 0.975])


def average(found: Population) -> np.ndarray:
    return np.full(len(found), 1 / len(found))


def each(found: Population, stated: list[float]) -> np.ndarray:
    """Numbers of every member, or of the odd one and of another where those are all alike."""
    values = found.moments[0]
    return values if len(stated) == len(values) else values[[0, -1]]


@pytest.mark.sweep(9, full=16)
@pytest.mark.parametrize("name", CASES)
def test_against_finer_nodes(name: str) -> None:
    case, fine = CASES[name], CASES[name]["grid"]
    found = Population(case["k"], case["n"])
    law = LearnedSum([(found, average(found))])
    assert law.mean == pytest.approx(fine["mean"], abs=0.01 * fine["sd"])
    assert law.sd == pytest.approx(fine["sd"], rel=0.01)
    assert each(found, fine["recall_means"]) == pytest.approx(fine["recall_means"], abs=2e-3)
    some = found.broad_probability if len(fine["broad"]) == len(found) else found.broad_probability[[0, -1]]
    assert some == pytest.approx(fine["broad"], abs=5e-3)
    summary = found.summary()
    assert (summary.recall, summary.correlation, summary.slope, summary.broad) == pytest.approx(
        [fine[x] for x in ("typical", "rho", "slope", "share_broad")], abs=6e-3
    )


@pytest.mark.sweep(10, full=16)
@pytest.mark.parametrize("name", sorted(CASES)[::2])
def test_against_importance_sampling(name: str) -> None:
    case = CASES[name]
    drawn, found = case["importance"], Population(case["k"], case["n"])
    law = LearnedSum([(found, average(found))])
    assert law.mean == pytest.approx(drawn["mean"], abs=0.01 * law.sd + 4 * drawn["se_of_mean"])
    x = np.array(drawn["quantiles"])
    if name in ("three_all_right", "three_none_right"):  # a spike: x may move by a hundredth of an sd
        slack = 0.01 * law.sd
        assert np.all((law.cdf(x - slack) < LEVELS + 0.02) | (x - slack <= 0))
        assert np.all((law.cdf(x + slack) > LEVELS - 0.02) | (x + slack >= 1))
    else:  # a sum of several explanations is pointed
        most = {"five_one_broken_n10": 0.02, "untested_class": 0.02}.get(name, 0.008)
        assert law.cdf(x) == pytest.approx(LEVELS, abs=most)


@pytest.mark.sweep(1, full=4)
@pytest.mark.parametrize("name", ["carrillo_C1", "ten_unequal_one_zero"])
def test_draws_are_of_the_nodes(name: str) -> None:
    case = CASES[name]
    found = Population(case["k"], case["n"])
    drawn = found.draw(100_000, np.random.default_rng(3))
    means, sds = found.moments
    assert drawn.mean(0) == pytest.approx(means, abs=4e-3)
    assert drawn.std(0) == pytest.approx(sds, rel=0.03)
    total = found.draw_sum(average(found), 100_000, np.random.default_rng(4))
    law = LearnedSum([(found, average(found))])
    assert (total.mean(), total.std()) == pytest.approx((law.mean, law.sd), rel=0.01)


def test_a_member_unlike_the_rest_is_judged_by_its_own_cases() -> None:
    found = Population([0] + [19] * 99, [20] * 100)
    assert found.broad_probability[0] > 0.999
    assert found.broad_probability[1:].max() < 0.01
    law = LearnedSum([(found, np.eye(100)[0])])
    assert law.mean == pytest.approx(0.5 / 21, abs=1e-3)
    assert float(law.cdf(np.array([0.12]))[0]) > 0.95


def test_scores_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="2 finite size scores"):
        Population([1, 2], [3, 4], t=[0.0, np.nan])
