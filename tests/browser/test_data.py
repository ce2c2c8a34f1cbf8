"""Items with scores, battles and ratings: a paste, a file or an example answers in the tab where a stranger looks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.page import EXAMPLES, REFUSED, expect

pytestmark = pytest.mark.browser


def text_of(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "tab", "title", "said"),
    [
        ("votes.csv", "Leaderboard", "Battles of models", "gpt-4 leads alone"),
        ("items_rubric.csv", "Compare", "Items with scores", "new is better than old"),
        ("sentiment_ratings.csv", "Evaluate", "Ratings of several people", "Krippendorff's alpha of 4 raters: 0.70"),
        ("items_wer.csv", "Evaluate", "Items with scores", "WER: 0.076"),
    ],
)
def test_what_is_pasted_on_the_first_page_is_answered_where_it_belongs(
    opened: Any, name: str, tab: str, title: str, said: str
) -> None:
    page = opened()
    page.paste(text_of(name))
    expect(page.get_by_role("tab", selected=True)).to_have_text(tab)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.field("verdict")).to_contain_text(said, ignore_case=True)
    page.reload()
    expect(page.field("verdict")).to_contain_text(said, ignore_case=True)


@pytest.mark.deep
@pytest.mark.parametrize("mode", ["threshold", "tables", "plan", "patient"])
def test_a_paste_into_the_wrong_tab_is_a_tap_away(opened: Any, mode: str) -> None:
    opened.forgiven.append(REFUSED)
    page = opened.at(mode)
    page.paste(text_of("votes.csv"))
    page.push("Open it in Leaderboard")
    expect(page.field("verdict")).to_contain_text("gpt-4 leads alone")


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_examples_of_each_kind_fit_and_are_accessible(opened: Any, scheme: str, size: tuple[int, int]) -> None:
    page = opened(scheme=scheme, size=size)
    for mode, names in (
        ("evaluate", ("A judge's scores, 1 to 5", "Three people rate the same")),
        ("compare", ("Two systems, scored",)),
        ("leaderboard", ("Battles of four models", "Four systems, scored")),
    ):
        page.go(mode)
        for name in names:
            chip = page.get_by_role("button", name=name, exact=True)
            if not chip.is_visible():
                page.locator("summary", has_text="Read a file").click()
            page.push(name)
            assert page.fits()
            assert page.violations() == []
            page.push("Back to the leaderboard" if mode == "leaderboard" else "Back to the matrix")


@pytest.mark.deep
def test_the_question_is_changed_beside_the_answer(opened: Any) -> None:
    page = opened.at("leaderboard")
    page.push("Four systems, scored")
    page.tick("Two of them", exact=True)
    expect(page.get_by_role("tab", selected=True)).to_have_text("Compare")
    page.choose("A", "D")
    expect(page.field("verdict")).to_contain_text("D is better than B")
    page.enter("Least possible score", "1")
    page.enter("Greatest", "5")
    expect(page.field("about")).to_contain_text("1 to 5")
    page.choose("A", "B")  # the same one twice is an exchange
    assert page.get_by_label("B", exact=True).evaluate("box => box.selectedOptions[0].text") == "D"


@pytest.mark.deep
def test_a_text_that_is_spoilt_is_refused_beside_the_answer_and_undone(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    page = opened.at("leaderboard", size=(1280, 800))
    page.push("Battles of four models")
    before = page.field("verdict").inner_text()
    page.locator(".data textarea").fill("model_a,model_b,winner\nx,x,x\n")
    page.settle()
    alert = page.locator(".answer .wrong[role=alert]")
    expect(alert).to_be_in_viewport()
    expect(alert).to_contain_text("at least two models")
    expect(page.get_by_role("button", name="Copy this sentence")).to_have_count(0)
    page.keyboard.press("Control+z")
    page.settle()
    expect(page.field("verdict")).to_have_text(before)
    expect(alert).to_have_count(0)
