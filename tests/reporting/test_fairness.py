"""Fairness: fairlearn's numbers, the largest gap with its interval, and what is said where nothing is known."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation, UnknownLabel

GOLDEN = json.loads((Path(__file__).parents[1] / "reference/fairness.json").read_text(encoding="utf-8"))
SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/fairness.schema.json").read_text(encoding="utf-8")
)
RATES = ("selection_rate", "true_positive_rate", "false_positive_rate")


def tables(**groups: list[list[int]]) -> dict[str, hs.ConfusionMatrix]:
    return {name: hs.ConfusionMatrix(table, ["no", "yes"]) for name, table in groups.items()}


WOMEN, MEN, FEW = [[70, 10], [15, 25]], [[50, 30], [6, 34]], [[8, 1], [2, 3]]
THREE = tables(women=WOMEN, men=MEN, few=FEW)


@pytest.mark.sweep(2, full=40)
@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: len(case["groups"]))
def test_point_values_are_those_of_fairlearn(case: Any) -> None:
    made = hs.fairness(tables(**case["groups"]), "yes", draws=100)
    for name, value in case["measures"].items():
        assert made[name].observed == (None if value is None else pytest.approx(value, abs=1e-12))
    for rate in RATES:
        found = [made.group(name).rate(rate).observed for name in case["groups"]]
        assert found == pytest.approx(case["rates"][rate])


def test_rates_of_a_group_are_what_infer_says() -> None:
    made = hs.fairness(THREE, "yes", kind="central", draws=100)
    for name, table in THREE.items():
        law = hs.infer(table).of("recall@yes")
        rate = made.group(name).true_positive_rate
        assert (rate.mean, rate.low, rate.high) == pytest.approx((law.mean, *law.interval(0.95, "central")), abs=1e-6)
        false = hs.infer(table).of("false_positive_rate@yes")
        assert made.group(name).false_positive_rate.mean == pytest.approx(false.mean)
        (tn, fp), (fn, tp) = table.counts.tolist()
        assert made.group(name).selection_rate.mean == pytest.approx((tp + fp + 2 / 3) / (tn + fp + fn + tp + 4 / 3))


def test_two_large_groups_are_a_difference_of_two_betas() -> None:
    # where nobody doubts that they differ, the largest gap of two groups is the difference of their rates
    made = hs.fairness(tables(a=[[9000, 1000], [0, 0]], b=[[7000, 3000], [0, 0]]), "yes")[
        "demographic_parity_difference"
    ]
    law = hs.infer(hs.ConfusionMatrix([[3000, 7000], [1000, 9000]])).of("recall@0")
    other = hs.infer(hs.ConfusionMatrix([[1000, 9000], [1000, 9000]])).of("recall@0")
    apart = law - other
    assert (made.mean, made.low, made.high) == pytest.approx((apart.mean, *apart.interval(0.95, "central")), abs=4e-4)
    assert made.p_alike < 1e-9  # type: ignore[operator]


def test_groups_that_may_be_alike_have_an_interval_from_0() -> None:
    made = hs.fairness(tables(a=[[40, 10], [10, 40]], b=[[41, 9], [10, 40]], c=[[40, 10], [11, 39]]), "yes")
    for gap in made.gaps:
        if gap.name.endswith("difference"):
            assert gap.low == 0 < gap.mean < gap.high  # type: ignore[operator]
        else:
            assert gap.high == 1 > gap.mean > gap.low  # type: ignore[operator]
        assert gap.p_alike > 0.4  # type: ignore[operator]
        assert gap.p_beyond < 0.6  # type: ignore[operator]


@pytest.mark.full
def test_a_group_without_positives_has_no_true_positive_rate() -> None:
    made = hs.fairness({**THREE, **tables(young=[[9, 1], [0, 0]])}, "yes")
    rate = made.group("young").true_positive_rate
    assert (rate.cases, rate.observed, rate.low) == (0, None, None)
    without = hs.fairness(THREE, "yes")
    assert made["equal_opportunity_difference"] == without["equal_opportunity_difference"]
    assert "no case of the positive class in young: the true positive rate is unknown there" in str(made)
    assert "No case of the positive class in young" in made.paragraph
    jsonschema.validate(made.to_dict(), SCHEMA)


def test_where_no_two_groups_have_positives_there_is_no_number() -> None:
    made = hs.fairness(tables(a=[[9, 1], [0, 0]], b=[[5, 5], [0, 0]]), "yes")
    for name in ("equal_opportunity_difference", "equalized_odds_ratio"):
        gap = made[name]
        assert (gap.observed, gap.mean, gap.low, gap.high, gap.p_beyond) == (None,) * 5
        assert f"{name}: undefined" in str(made)
    assert made["demographic_parity_difference"].observed == pytest.approx(0.4)
    assert "no number" in made.paragraph
    jsonschema.validate(json.loads(json.dumps(made.to_dict(), allow_nan=False)), SCHEMA)


def test_nobody_is_selected() -> None:
    made = hs.fairness(tables(a=[[9, 0], [3, 0]], b=[[5, 0], [6, 0]]), "yes")
    ratio = made["demographic_parity_ratio"]
    assert (ratio.observed, ratio.mean, ratio.p_beyond) == (None,) * 3
    assert "demographic_parity_ratio: undefined, for all observed rates are 0" in str(made)
    assert made["demographic_parity_difference"].observed == 0
    assert "all observed selection rates are 0.000" in made.paragraph


def test_one_class_stands_against_all_others() -> None:
    counts = [[18, 1, 1], [2, 17, 1], [0, 2, 18]]
    other = [[12, 5, 3], [2, 17, 1], [0, 8, 12]]
    many = {name: hs.ConfusionMatrix(x, ["a", "b", "c"]) for name, x in (("x", counts), ("y", other))}
    made = hs.fairness(many, "b", draws=500)
    two = {
        "x": hs.ConfusionMatrix([[37, 3], [3, 17]], ["no", "b"]),
        "y": hs.ConfusionMatrix([[27, 13], [3, 17]], ["no", "b"]),
    }
    assert made.gaps == hs.fairness(two, "b", draws=500).gaps


def test_missing_groups_are_a_group_that_is_named() -> None:
    truth, said = [0, 1, 0, 1, 1, 0], [0, 1, 1, 0, 1, 0]
    slices = hs.Slices.from_predictions(truth, said, by={"sex": ["f", "f", "m", "m", None, None]}, positive=1)
    made = hs.fairness(slices, draws=100)
    assert made.group("(missing)").cases == 2
    assert made.positive == "1"
    assert "Cases without a value are a group of their own, (missing)." in str(made)


@pytest.mark.sweep(5, full=9)
@pytest.mark.parametrize(
    ("ask", "error", "sentence"),
    [
        (lambda: hs.fairness(3), InvalidArgument, "must be Slices, Counts or a mapping of"),  # type: ignore[arg-type]
        (lambda: hs.fairness(tables(a=WOMEN), "yes"), InvalidArgument, "nobody to compare it with"),
        (lambda: hs.fairness(tables(a=WOMEN, b=[[0, 0], [0, 0]]), "yes"), NoInformation, "fewer than two groups"),
        (
            lambda: hs.fairness({k: hs.ConfusionMatrix(WOMEN, ["x", "z"]) for k in "ab"}),
            InvalidArgument,
            "one of 'x', 'z'",
        ),
        (lambda: hs.fairness(THREE, "maybe"), UnknownLabel, "maybe"),
        (lambda: hs.fairness(THREE, "yes", rope=1.5), InvalidArgument, "below 1"),
        (lambda: hs.fairness(THREE, "yes", rope="a"), InvalidArgument, "below 1"),  # type: ignore[arg-type]
        (lambda: hs.fairness(THREE, "yes").group("xx"), InvalidArgument, "no group is called 'xx'"),
        (lambda: hs.fairness(THREE, "yes")["xx"], InvalidArgument, "no gap is called 'xx'"),
    ],
)
def test_what_is_refused_says_why(ask: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        ask()
    assert sentence in str(caught.value)
