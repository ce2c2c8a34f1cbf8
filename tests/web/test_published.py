"""The matrix behind a published sensitivity and specificity."""

from __future__ import annotations

from typing import Any

import pytest

from howsure.web.answering import handle
from howsure.web.schema import InvalidRequest


def found(sensitivity: str, specificity: str, positives: int = 50, negatives: int = 50) -> dict[str, Any]:
    figures = {"sensitivity": sensitivity, "specificity": specificity}
    return handle({"verb": "reconstruct", **figures, "positives": positives, "negatives": negatives})


@pytest.mark.parametrize(("sensitivity", "specificity"), [("84 %", "0.90"), ("0,84", "90")])
def test_figures_as_they_are_printed(sensitivity: str, specificity: str) -> None:
    answer = found(sensitivity, specificity)
    assert answer["matrix"] == {
        "classes": ["negative", "positive"],
        "counts": [[45, 5], [8, 42]],
        "positive": "positive",
    }
    assert answer["notes"][0].startswith("One table fits sensitivity ")


@pytest.mark.parametrize(
    ("figures", "field", "words"),
    [
        (("0.83", "0.90"), "sensitivity", "no table has sensitivity 0.83"),
        (("0.84", "0.91"), "specificity", "Without specificity 0.91"),
        (("high", "0.90"), "sensitivity", "printed number"),
        (("0.84", "200"), "specificity", "between 0"),
    ],
)
def test_what_cannot_be_is_refused_at_its_box(figures: tuple[str, str], field: str, words: str) -> None:
    with pytest.raises(InvalidRequest, match=words) as caught:
        found(*figures)
    assert caught.value.field == field


@pytest.mark.parametrize(("figures", "cases"), [(("0.86", "0.85"), 10)])
def test_of_figures_that_are_both_impossible_no_one_is_named(figures: tuple[str, str], cases: int) -> None:
    with pytest.raises(InvalidRequest, match=r"no table has .* Leaving out any one figure does not help") as caught:
        found(*figures, cases, cases)
    assert caught.value.field is None


def asked(**sizes: Any) -> dict[str, Any]:
    return handle({"verb": "reconstruct", "sensitivity": "90 %", "specificity": "85 %", **sizes})


@pytest.mark.parametrize(
    "sizes", [{"n": 200, "prevalence": "30 %"}, {"n": 200, "positives": 60}, {"n": 200, "negatives": 140},
              {"positives": 60, "negatives": 140, "n": 200}]
)  # fmt: skip
def test_any_two_of_with_without_and_in_all_are_enough(sizes: dict[str, Any]) -> None:
    assert asked(**sizes)["matrix"]["counts"] == [[119, 21], [6, 54]]


def test_a_prevalence_says_what_it_is_taken_for() -> None:
    notes = asked(n=203, prevalence="30 %")["notes"]
    assert notes[0] == "A prevalence of 30% is taken for 61 of 203 cases; it could be 60 to 61."
    beside = asked(n=203, prevalence="30 %", negatives=143)  # 60 of 203 are 30 % as well
    assert beside["notes"][0].startswith("A prevalence of 30% is taken for 60 of 203 cases")
    assert asked(n=200, prevalence="30.0 %")["notes"][0].endswith("for 60 of 200 cases.")


@pytest.mark.parametrize(
    ("sizes", "field", "words"),
    [
        ({}, "positives", "two of these"),
        ({"positives": 60}, "negatives", "two of these"),
        ({"n": 200, "positives": 60, "prevalence": "30 %"}, "prevalence", "not both"),
        ({"n": 20, "prevalence": "33.4 %"}, "prevalence", "no count of 20"),
        ({"n": 200, "positives": 200}, "n", "of 200 cases in all at least one"),
        ({"n": 203, "prevalence": "30 %", "negatives": 150}, "n", "not 203 in all"),
        ({"n": 100, "positives": 60, "negatives": 50}, "n", "not 100 in all"),
    ],
)
def test_sizes_that_do_not_agree_are_refused_at_their_box(sizes: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(InvalidRequest, match=words) as caught:
        asked(**sizes)
    assert caught.value.field == field


@pytest.mark.parametrize("size", [0, 10**6, 2.5])
def test_sizes_are_numbers_of_cases(size: Any) -> None:
    with pytest.raises(InvalidRequest) as caught:
        found("0.84", "0.9", size)
    assert caught.value.field == "positives"


def test_a_figure_of_1_is_all_of_them() -> None:
    assert found("1", "0.90")["matrix"]["counts"] == [[45, 5], [0, 50]]
