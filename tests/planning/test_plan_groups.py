"""Plans of cases in groups: simulated tests by a second route, what the answer holds, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.laws import GroupMeans
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.numerics.groups.simulated_groups import drawn_tests, means_after, paired_tests
from howsure.numerics.trials.assurance import Truth
from howsure.planning.counted_goals import OneRate
from howsure.planning.goal import Goal
from howsure.planning.planned_groups import ByDesignEffect, GroupSizes, OneRateInGroups

SUPPOSED = {"width": 0.2, "guess": 0.8, "assurance": 0.8, "group_size": 10, "icc": 0.3}


def pilot(groups: int = 12, size: int = 6, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(groups), size)
    truth = np.arange(len(place)) % 2
    right = rng.random(len(place)) < rng.beta(8, 2, groups)[place]
    return truth, np.where(right, truth, 1 - truth), place


@pytest.mark.parametrize(
    ("mean", "icc", "size", "groups"), [(0.8, 0.3, 10, 20), (0.97, 0.1, 8, 12), (0.6, 0.0, 5, 200)]
)
def test_simulated_tests_say_what_a_report_says(mean: float, icc: float, size: int, groups: int) -> None:
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 2 * size, (4, groups))
    right = drawn_tests(np.full(4, mean), np.full(4, icc), sizes, rng)
    made = means_after(right, sizes, (1.0, 1.0))
    widths, ends = made.widths(0.95), made.quantiles(np.array([0.05, 0.5]))
    for i in range(4):
        law = GroupMeans([(PopulationMean(right[i], sizes[i]), 1.0)])
        assert widths[i] == pytest.approx(law.interval(0.95, "hdi").width, rel=0.02)
        assert ends[i] == pytest.approx(law.quantile(np.array([0.05, 0.5])), abs=0.004)
        assert made.above(mean)[i] == pytest.approx(law.prob(above=mean), abs=0.01)


def test_what_is_won_and_lost_has_the_correlation_that_is_asked_for() -> None:
    rng = np.random.default_rng(0)
    wins, losses, icc, size = 0.2, 0.1, 0.25, 10
    many = np.ones(400)
    gain = paired_tests(wins * many, losses * many, icc * many, np.full((400, 50), size), rng)
    one = wins + losses - (wins - losses) ** 2
    assert gain.mean() / size == pytest.approx(wins - losses, abs=0.005)
    assert gain.var() == pytest.approx(size * one * (1 + icc * (size - 1)), rel=0.05)


@pytest.mark.full
def test_the_design_effect_is_near_what_is_simulated() -> None:
    alone = OneRate(Goal("width", 0.2, 0.95), "cases", (1.0, 1.0), Truth(0.8))
    groups = GroupSizes(np.array([10]), np.array([0.3]))
    guide, simulated = ByDesignEffect.of(alone, groups), OneRateInGroups.of(alone, groups)
    rough = guide.solve(0.8)
    assert rough is not None
    # a few groups more: how alike cases are is not known; and not twice as many
    assert simulated.assurance(round(0.8 * rough.n))[0] < 0.8
    assert simulated.assurance(round(1.3 * rough.n))[0] > 0.8
    assert guide.worth(20) == round(200 / 3.7)


@pytest.mark.full
def test_a_number_of_cases_that_is_given() -> None:
    made = hs.plan("accuracy", n=405, **{k: v for k, v in SUPPOSED.items() if k != "assurance"})
    assert made.groups is not None
    assert (made.n, made.groups.groups) == (400, 40)
    assert made.groups.worth == pytest.approx(400 / 3.7)
    assert "400 cases in 40 groups of 10 give" in made.sentence
    assert "the 400 cases of 40 groups are equivalent to about 108." in made.remarks
    assert any("405 cases were given" in x for x in made.remarks)
    told = json.loads(json.dumps(made.to_dict()))
    assert told["groups"]["groups"] == 40
    assert min(p["n"] for p in told["curve"]) >= 50


@pytest.mark.full
def test_a_pilot_says_how_large_and_how_alike_groups_are() -> None:
    truth, said, place = pilot()
    counts = hs.ConfusionMatrix.from_predictions(truth, said, group=place)
    made = hs.plan("accuracy", width=0.2, pilot=counts, n=240)
    assert made.groups is not None
    assert (made.groups.groups, made.groups.size) == (40, 6)
    assert made.groups.icc == pytest.approx(hs.report(hs.infer(counts), ["accuracy"]).groups.correlation[0], abs=0.02)  # type: ignore[union-attr, index]
    stated = hs.plan("accuracy", width=0.2, pilot=counts, n=240, icc=0.0)
    assert stated.groups is not None
    assert stated.groups.worth == pytest.approx(240)
    these = hs.plan("accuracy", width=0.2, pilot=hs.infer(counts, groups="these"))
    assert these.groups is None
    assert any("its own groups again" in x for x in these.notes)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"icc": None}, "icc="),
        ({"icc": 1.0}, "from 0 to below 1"),
        ({"group_size": 0}, "from 1 to 10,000"),
        ({"n": 30}, "below 5 groups"),
    ],
)
def test_groups_that_none_can_have(more: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.plan("accuracy", **{**SUPPOSED, **more})  # type: ignore[arg-type]
