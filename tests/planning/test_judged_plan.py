"""Labels beside a judge: the formula, its worth, moments by two routes, plans that hold, and the sentences."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument
from howsure.numerics.solve.highest_density.of_draws import hdi_widths
from howsure.numerics.trials.judged_labels import (
    allotted,
    matched_width,
    share_moments,
    simulated_labels,
    width_by_formula,
)
from howsure.planning.judge_problem import AT_RANDOM, EVENLY, NEYMAN
from howsure.planning.judged_plan import JudgedPlan

GOOD, WEAK = (0.95, 0.85), (0.85, 0.6)
THETA = (0.5, 0.8, 0.9, 0.95, 0.98)


def rates(theta: float, judge: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    se, sp = judge
    called = theta * se + (1 - theta) * (1 - sp)
    return np.array([called, 1 - called]), np.array([theta * se / called, theta * (1 - se) / (1 - called)])


def planned(theta: float = 0.9, judge: tuple[float, float] = GOOD, **more: object) -> JudgedPlan:
    asked = {"width": 0.1, "verdicts": 2000, **more}
    made = hs.plan(
        "prevalence@pass", judge=dict(zip(("recall", "specificity"), judge, strict=True)), guess=theta, **asked
    )  # type: ignore[arg-type]
    assert isinstance(made, JudgedPlan)
    return made


@pytest.mark.parametrize(
    ("labels", "widths"), {50: (0.164, 0.136, 0.115, 0.094, 0.068), 200: (0.089, 0.073, 0.061, 0.049, 0.035)}.items()
)
def test_the_formula_of_the_width(labels: int, widths: tuple[float, ...]) -> None:
    found = [round(width_by_formula(*rates(theta, GOOD), labels, 2000, 0.95), 3) for theta in THETA]
    assert tuple(found) == widths


def test_the_formula_of_a_weak_judge() -> None:
    assert round(width_by_formula(*rates(0.98, WEAK), 50, 2000, 0.95), 3) == 0.074


@pytest.mark.parametrize(
    ("judge", "worth"), [(GOOD, (2.8, 2.6, 2.0, 1.6, 1.26)), (WEAK, (1.28, 1.22, 1.13, 1.07, 1.03))]
)
def test_what_a_judge_is_worth(judge: tuple[float, float], worth: tuple[float, ...]) -> None:
    found = [planned(theta, judge, n=50).worth for theta in THETA]
    assert found == pytest.approx(worth, abs=0.04)


def test_correlation_is_that_of_the_table() -> None:
    made = planned(n=50)
    table = hs.ConfusionMatrix([[8500, 1500], [4500, 85500]])
    assert made.correlation == pytest.approx(hs.infer(table).of("mcc").observed)


@settings(max_examples=tries(25), deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 3000), st.floats(0.5, 80), st.floats(0.5, 80)), min_size=2, max_size=5),
    st.integers(0, 10**6),
)
def test_moments_are_those_of_draws(cells: list[tuple[int, float, float]], seed: int) -> None:
    cases, a, b = (np.array(x, dtype=float) for x in zip(*cells, strict=True))
    rng = np.random.default_rng(seed)
    values = (rng.dirichlet(cases + 1, 40_000) * rng.beta(a, b, (40_000, len(a)))).sum(-1)
    mean, variance = share_moments(cases, a, b)
    assert mean == pytest.approx(values.mean(), abs=6 * values.std() / 200)
    assert variance == pytest.approx(values.var(), rel=0.1)


def test_moments_of_the_reference_case() -> None:
    mean, variance = share_moments(np.array([1400.0, 600]), np.array([65.5, 6.5]), np.array([7.5, 22.5]))
    assert (mean, variance**0.5) == pytest.approx((0.69518908, 0.03436156), abs=1e-8)


def test_the_matched_beta_is_as_wide_as_the_law() -> None:
    rng = np.random.default_rng(3)
    for cases, a, b in (
        ((1400, 600), (65.5, 6.5), (7.5, 22.5)),
        ((1740, 260), (42.5, 1.5), (1.5, 6.5)),
        ((900, 100), (49.5, 18.5), (1.5, 32.5)),
    ):
        mass, one, zero = (np.array(x, dtype=float) for x in (cases, a, b))
        values = (rng.dirichlet(mass + 1, 200_000) * rng.beta(one, zero, (200_000, 2))).sum(-1)
        matched = float(matched_width(*share_moments(mass, one, zero), 0.95))
        assert matched == pytest.approx(float(hdi_widths(values[None], 0.95)[0]), rel=0.06)


@pytest.mark.parametrize(
    ("theta", "labels", "widths"), [(0.9, 50, (0.117, 0.127, 0.113)), (0.95, 200, (0.049, 0.043, 0.040))]
)
def test_widths_of_the_three_ways_are_the_simulated_ones(
    theta: float, labels: int, widths: tuple[float, float, float]
) -> None:
    """Published means of central intervals; ours are of highest density, a little narrower."""
    q, r = rates(theta, GOOD)
    for weights, width in zip((None, np.ones(2), q * np.sqrt(r * (1 - r))), widths, strict=True):
        moments = simulated_labels(labels, 2000, q, r, weights, 10, 400, np.random.default_rng(1))
        assert matched_width(*moments, 0.95).mean() == pytest.approx(width, rel=0.06)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_number_of_labels_holds_in_other_simulations(place: int) -> None:
    made = planned()
    way = made.allocations[place]
    assert way.n is not None
    q, r = rates(0.9, GOOD)
    weights = {AT_RANDOM: None, EVENLY: np.ones(2), NEYMAN: q * np.sqrt(r * (1 - r))}[way.chosen]

    def reached(n: int) -> float:
        moments = simulated_labels(n, 2000, q, r, weights, 10, 1000, np.random.default_rng(99))
        return float(np.mean(matched_width(*moments, 0.95) <= 0.1))

    assert reached(way.n) == pytest.approx(0.95, abs=0.04)
    assert reached(round(0.8 * way.n)) < 0.9


def test_the_last_way_is_without_the_judge() -> None:
    made = planned()
    alone = made.allocations[-1]
    assert (alone.chosen, alone.n) == ("without the judge", hs.plan("accuracy", width=0.1, guess=0.9).n)
    assert made.n < alone.n
    assert [way.chosen for way in made.allocations[:3]] == [AT_RANDOM, EVENLY, NEYMAN]
    assert all(sum(way.per_verdict.values()) == way.n for way in made.allocations[:3])


def test_choosing_by_verdict_is_advised_from_a_hundred_labels_on() -> None:
    assert "by verdict (Neyman)" in planned(0.95, width=0.05, verdicts=5000).sentence
    few = planned(0.9, width=0.2)
    assert "labels at random" in few.sentence


def test_a_useless_judge_is_said_first() -> None:
    made = planned(0.95, WEAK)
    assert made.useless
    assert made.sentence.startswith(
        "Read the labels, ignore the judge: it makes them worth 1.07 times as many at most."
    )
    assert made.n == made.allocations[-1].n
    assert str(made).startswith("Read the labels, ignore the judge")
    assert made.to_dict()["judge"]["useless"] is True


def test_labels_that_one_has() -> None:
    made = planned(n=50)
    assert (made.n, made.found) == (50, "assurance")
    assert all(way.n == 50 for way in made.allocations)
    with pytest.raises(InvalidArgument, match="more than the 2,000 cases"):
        planned(n=3000)


def test_too_few_verdicts_are_said() -> None:
    with pytest.raises(InvalidArgument, match="200 verdicts are too few: with a label of every case"):
        planned(verdicts=200, width=0.03)


def test_a_pilot_with_verdicts_stands_for_the_judge() -> None:
    pilot = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    made = hs.plan("prevalence@pass", width=0.1, pilot=pilot)
    assert isinstance(made, JudgedPlan)
    assert made.verdicts == 2000
    assert "100 labels of 2,000 cases: prevalence 0.695" in made.supposed[0]
    called = ["fail", "unsure", "pass"]
    three = hs.ConfusionMatrix(
        [[20, 7, 3], [4, 8, 60]], labels=["fail", "pass"], verdicts=called, unlabelled=[440, 300, 1200]
    )
    made = hs.plan("prevalence@pass", width=0.1, pilot=three)
    assert isinstance(made, JudgedPlan)
    assert list(made.allocations[0].per_verdict) == called
    with pytest.raises(InvalidArgument, match="no true class"):
        hs.plan("prevalence@unsure", width=0.1, pilot=three)


@pytest.mark.parametrize(
    ("metric", "odd", "why"),
    [
        ("mcc", {}, "planned for prevalence@CLASS"),
        ("recall@pass", {}, "planned for prevalence@CLASS"),
        ("prevalence@pass", {"width": None, "above": 0.8}, "one goal, the width"),
        ("prevalence@pass", {"verdicts": None}, "needs verdicts="),
        ("prevalence@pass", {"guess": None}, "needs a guess"),
        ("prevalence@pass", {"guess": 1.0}, "strictly between 0 and 1"),
        ("prevalence@pass", {"judge": None}, "goes with judge="),
        ("prevalence@pass", {"judge": {"recall": 0.9}}, "two rates"),
        ("prevalence@pass", {"judge": {"recall": 1.2, "specificity": 0.9}}, "judge"),
        ("prevalence@pass", {"judge": {"recall": 1.0, "specificity": 0.0}}, "always says the same"),
        ("prevalence@pass", {"prior": "flat"}, "leave the others out"),
        ("prevalence@pass", {"pilot": hs.ConfusionMatrix([[5, 1], [1, 5]])}, "matrix with verdicts"),
    ],
)
def test_what_cannot_be_planned(metric: str, odd: dict[str, object], why: str) -> None:
    asked = {"width": 0.1, "judge": {"recall": 0.95, "specificity": 0.85}, "guess": 0.9, "verdicts": 2000, **odd}
    with pytest.raises(InvalidArgument, match=why):
        hs.plan(metric, **asked)  # type: ignore[arg-type]


@settings(max_examples=tries(60), deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 5), st.integers(0, 50)), min_size=1, max_size=6).filter(
        lambda x: sum(w for w, _ in x) > 0
    ),
    st.integers(0, 200),
    st.integers(0, 10),
)
def test_labels_are_shared_out_in_whole_numbers(ways: list[tuple[float, int]], labels: int, least: int) -> None:
    weights, room = np.array([w for w, _ in ways]), np.array([n for _, n in ways])
    given_out = allotted(labels, weights, room, least)
    assert given_out.sum() == min(labels, room.sum())
    assert (given_out >= 0).all()
    assert (given_out <= room).all()
    assert (given_out >= np.minimum(room, min(least, labels // len(room)))).all()


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["plan", "prevalence@pass", "--width", ".1", "--guess", ".9", "--verdicts", "2000"]
    assert main([*asked, "--judge", "recall=.95,specificity=.85", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["n"] == planned().n
    assert [way["chosen"] for way in made["allocations"]] == [AT_RANDOM, EVENLY, NEYMAN, "without the judge"]
    assert main([*asked, "--judge", ".9"]) != 0
    assert "a judge has two rates, --judge recall=0.95,specificity=0.85" in capsys.readouterr().err
    assert main(asked) != 0
    assert "--verdicts goes with --judge recall=0.95,specificity=0.85" in capsys.readouterr().err
    assert main(["plan", "accuracy", "--board", ".9,.8", "--verdicts", "5"]) != 0
    assert "go with --width" in capsys.readouterr().err
