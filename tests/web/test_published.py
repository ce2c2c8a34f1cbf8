"""The matrix behind a published sensitivity and specificity."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howsure.web.fields import InvalidRequest
from howsure.web.handle import handle


def found(sensitivity: str, specificity: str, positives: int = 50, negatives: int = 50) -> dict[str, Any]:
    figures = {"sensitivity": sensitivity, "specificity": specificity}
    return handle({"verb": "reconstruct", **figures, "positives": positives, "negatives": negatives})


@pytest.mark.parametrize(
    ("sensitivity", "specificity"), [("0.84", "0.90"), ("84 %", "90%"), ("84", "90"), ("0,84", "90,0")]
)
def test_figures_as_they_are_printed(sensitivity: str, specificity: str) -> None:
    answer = found(sensitivity, specificity)
    assert answer["matrix"] == {
        "classes": ["negative", "positive"],
        "counts": [[45, 5], [8, 42]],
        "positive": "positive",
    }
    assert answer["notes"][0].startswith("One table fits sensitivity ")


@given(st.integers(1, 3000), st.integers(1, 3000), st.data())
def test_the_table_that_was_rounded_fits(positives: int, negatives: int, data: Any) -> None:
    tp, tn = data.draw(st.integers(0, positives)), data.draw(st.integers(0, negatives))
    answer = found(f"{tp / positives:.2f}", f"{tn / negatives:.2f}", positives, negatives)
    (no, fp), (fn, yes) = answer["matrix"]["counts"]
    assert (no + fp, fn + yes) == (negatives, positives)
    assert abs(yes / positives - tp / positives) <= 0.01
    assert abs(no / negatives - tn / negatives) <= 0.01


def test_many_tables_are_told() -> None:
    assert (
        "tables fit sensitivity 84 %, specificity 90 %; this is the one nearest"
        in found("84", "90", 5000, 3000)["notes"][0]
    )
    assert found("84", "90", 5000, 3000)["matrix"]["counts"] == [[2700, 300], [800, 4200]]


@pytest.mark.parametrize(
    ("figures", "field", "words"),
    [
        (("0.83", "0.90"), "sensitivity", "no table has sensitivity 0.83"),
        (("0.84", "0.91"), "specificity", "Without specificity 0.91"),
        (("high", "0.90"), "sensitivity", "printed number"),
        (("0.84", "-1"), "specificity", "between 0 and 1"),
        (("0.84", "200"), "specificity", "between 0"),
        (("", "0.9"), "sensitivity", "printed figure"),
        (("nan", "0.9"), "sensitivity", "printed number"),
        (("1e-9", "0.9"), "sensitivity", "no table has"),
    ],
)
def test_what_cannot_be_is_refused_at_its_box(figures: tuple[str, str], field: str, words: str) -> None:
    with pytest.raises(InvalidRequest, match=words) as caught:
        found(*figures)
    assert caught.value.field == field


@pytest.mark.parametrize(("figures", "cases"), [(("0.86", "0.85"), 10), (("0.5", "0.99"), 3)])
def test_of_figures_that_are_both_impossible_no_one_is_named(figures: tuple[str, str], cases: int) -> None:
    with pytest.raises(InvalidRequest, match=r"no table has .* Leaving out any one figure does not help") as caught:
        found(*figures, cases, cases)
    assert caught.value.field is None


def test_figures_that_say_too_little_are_asked_for_in_full() -> None:
    with pytest.raises(InvalidRequest, match=r"some 1,0[0-9]{2},[0-9]{3} tables fit .*more decimals"):
        found("0.84", "0.90", 10**5, 10**5)
    assert found("0.84000", "0.90000", 10**5, 10**5)["matrix"]["counts"] == [[90000, 10000], [16000, 84000]]


def asked(**sizes: Any) -> dict[str, Any]:
    return handle({"verb": "reconstruct", "sensitivity": "90 %", "specificity": "85 %", **sizes})


@pytest.mark.parametrize(
    "sizes", [{"n": 200, "prevalence": "30 %"}, {"n": 200, "positives": 60}, {"n": 200, "negatives": 140},
              {"positives": 60, "negatives": 140, "n": 200}, {"n": 200, "prevalence": "0.30"}]
)  # fmt: skip
def test_any_two_of_with_without_and_in_all_are_enough(sizes: dict[str, Any]) -> None:
    assert asked(**sizes)["matrix"]["counts"] == [[119, 21], [6, 54]]


def test_a_prevalence_says_what_it_is_taken_for() -> None:
    notes = asked(n=203, prevalence="30 %")["notes"]
    assert notes[0] == "A prevalence of 30 % is taken for 61 of 203 cases; it could be 60 to 61."
    beside = asked(n=203, prevalence="30 %", negatives=143)  # 60 of 203 are 30 % as well
    assert beside["notes"][0].startswith("A prevalence of 30 % is taken for 60 of 203 cases")
    assert asked(n=200, prevalence="30.0 %")["notes"][0].endswith("for 60 of 200 cases.")


@pytest.mark.parametrize(
    ("sizes", "field", "words"),
    [
        ({}, "positives", "two of these"),
        ({"positives": 60}, "negatives", "two of these"),
        ({"prevalence": "30 %"}, "n", "how many"),
        ({"n": 200, "positives": 60, "prevalence": "30 %"}, "prevalence", "not both"),
        ({"n": 20, "prevalence": "33.4 %"}, "prevalence", "no whole number of 20"),
        ({"n": 200, "prevalence": "much"}, "prevalence", "printed number"),
        ({"n": 200, "positives": 200}, "n", "of 200 cases in all at least one"),
        ({"n": 200, "positives": 300}, "n", "of 200 cases in all at least one"),
        ({"n": 203, "prevalence": "30 %", "negatives": 150}, "n", "not 203 in all"),
        ({"n": 100, "positives": 60, "negatives": 50}, "n", "not 100 in all"),
    ],
)
def test_sizes_that_do_not_agree_are_refused_at_their_box(sizes: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(InvalidRequest, match=words) as caught:
        asked(**sizes)
    assert caught.value.field == field


@pytest.mark.parametrize("size", [0, -1, 10**6, 2.5, None])
def test_sizes_are_numbers_of_cases(size: Any) -> None:
    with pytest.raises(InvalidRequest) as caught:
        found("0.84", "0.9", size)
    assert caught.value.field == "positives"
