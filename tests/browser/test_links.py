"""Reload, Back and links: nothing that was typed is lost, and what cannot be read is reported."""

from __future__ import annotations

import json
import random
import string
from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import REFUSED, expect, link, packed, unpacked

pytestmark = [pytest.mark.browser, pytest.mark.deep]

FIRST, ANOTHER = [["6", "2"], ["0", "26"]], [["3", "1"], ["0", "5"]]
SESSION = {"v": 1, "mode": "evaluate", "evaluate": {
    "matrix": {"classes": ["a", "b"], "counts": [[3, 1], [0, 5]], "positive": "b"}
}}  # fmt: skip

#: Types three counts, and returns which of them the entry of the history holds a moment after the last.
THREE = """async () => {
  const box = document.querySelector("[data-row='0'][data-column='0']");
  const type = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  for (const count of ["17", "18", "19"]) {
    type.call(box, count);
    box.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => setTimeout(done, 30));
  }
  return history.state.document.evaluate.matrix.counts[0][0];
}"""


def typed(tab: Any, text: str) -> None:
    tab.put(0, 0, text)


def back(tab: Any, mode: str) -> None:
    """One entry back, which is of that mode."""
    tab.go_back()
    expect(tab.locator(f"#tab-{mode}")).to_have_attribute("aria-selected", "true")
    tab.settle()


def first_cell(tab: Any, text: str) -> None:
    """Waits until an entry that was gone to is on the page."""
    expect(tab.cell(0, 0)).to_have_value(text)
    tab.settle()


def test_changes_one_after_the_other_are_kept_before_anyone_can_reload(opened: Any) -> None:
    tab = opened()
    assert tab.evaluate(THREE) == 19  # not only once the page is about to go: that came too late at times
    tab.settle()
    tab.reload()
    assert tab.counts()[0][0] == "19"


def test_tabs_are_entries_of_the_history_of_one_matrix(opened: Any) -> None:
    opened.forgiven.append(REFUSED)  # the second matrix of Compare waits to be typed
    tab = opened()
    typed(tab, "17")
    tab.go("plan")
    tab.go("compare")
    typed(tab, "21")
    back(tab, "plan")
    back(tab, "evaluate")
    assert tab.counts()[0][0] == "21"  # one matrix: what was typed in another tab is not undone by going back
    tab.go_forward()
    expect(tab.locator("#tab-plan")).to_have_attribute("aria-selected", "true")
    tab.settle()
    tab.reload()
    expect(tab.locator("#tab-plan")).to_have_attribute("aria-selected", "true")
    back(tab, "evaluate")
    assert tab.counts()[0][0] == "21"


def test_a_session_and_a_link_of_another_can_be_left_again(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    typed(tab, "17")
    tab.push("Share")
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="Download session.json").click()
    assert json.loads(Path(waiting.value.path()).read_text())["evaluate"]["matrix"]["counts"][0][0] == 17
    session = tmp_path / "session.json"
    session.write_text(json.dumps(SESSION))
    tab.locator("dialog input[type=file]").set_input_files(session)
    first_cell(tab, "3")
    assert tab.counts() == ANOTHER
    tab.go_back()
    first_cell(tab, "17")
    tab.evaluate("hash => { location.hash = hash; }", "v=1&s=" + packed(SESSION))
    first_cell(tab, "3")
    tab.go_back()
    first_cell(tab, "17")


BOMB = {"v": 1, "mode": "evaluate", "evaluate": {"prior": "x" * 3_000_000}}
DAMAGED = {
    "no base64": ("v=1&s=%%%", "damaged"),
    "no deflate": ("v=1&s=AAAA", "damaged"),
    "bomb": ("v=1&s=" + packed(BOMB), "damaged"),
    "list": ("v=1&s=" + packed([1, 2]), "no session of howsure"),
    "nothing in it": ("v=1", "damaged"),
    "empty": ("v=1&s=", "damaged"),
    "no version": ("s=" + packed({"v": 1}), "damaged"),
    "later version": ("v=2&s=abc", "later version"),
    "too large": ("v=1&large", "session.json"),
}


@pytest.mark.parametrize(("fragment", "sentence"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_link_is_reported_and_stays_to_be_seen(opened: Any, fragment: str, sentence: str) -> None:
    tab = opened("#" + fragment)
    alert = tab.get_by_role("alert").filter(has_text=sentence)
    expect(alert).to_be_visible()
    assert tab.address().endswith("#" + fragment)
    expect(tab.locator("div.unseen[role=status]")).to_have_text("")  # and no answer is spoken
    tab.push("Begin anew")
    assert tab.counts() == FIRST
    tab.go_back()
    expect(alert).to_be_visible()
    tab.go("plan")
    expect(tab.locator("#tab-plan")).to_have_attribute("aria-selected", "true")


def test_every_lost_or_changed_sign_of_a_link_is_seen(opened: Any) -> None:
    tab = opened()
    typed(tab, "17")
    fragment = tab.address().partition("#")[2]
    start = fragment.index("&s=") + 3
    for at in (start, len(fragment) - 1):
        changed = fragment[:at] + ("A" if fragment[at] != "A" else "B") + fragment[at + 1 :]
        for damaged in (changed, fragment[:at] + fragment[at + 1 :]):
            other = opened("#" + damaged)
            expect(other.get_by_role("alert").filter(has_text="damaged")).to_be_visible()
            other.context.close()


def test_the_address_follows_where_leaving_was_asked_about_and_not_done(opened: Any) -> None:
    opened.forgiven.append("beforeunload")
    tab = opened()
    tab.on("dialog", lambda dialog: dialog.dismiss())
    tab.evaluate("addEventListener('beforeunload', (event) => event.preventDefault())")
    tab.cell(0, 0).click()
    tab.keyboard.type("23")
    tab.evaluate("location.href = 'about:blank'")
    tab.settle()
    assert unpacked(tab.address())["evaluate"]["matrix"]["counts"][0][0] == 23


#: Made by the first version; these must open for ever.
GOLDEN = {
    "matrix": {"classes": ["healthy", "ill"], "counts": [[45, 5], [8, 42]], "positive": "ill"},
    "metrics": ["recall@ill"], "prior": "jeffreys", "level": 0.9, "kind": "central",
    "prevalence": {"choice": "value", "percent": 2, "cases": 12, "of": 240},
    "label": "ill", "thresholds": {"recall@ill": 0.8}, "replicate": None,
}  # fmt: skip


def test_a_link_of_the_first_version_opens(opened: Any) -> None:
    tab = opened(link("evaluate", GOLDEN))
    assert tab.counts() == [["45", "5"], ["8", "42"]]
    expect(tab.field("about")).to_contain_text("Prior: jeffreys")
    expect(tab.get_by_label("Sensitivity above")).to_have_value("0.8")


DEEP: Any = []
for _ in range(200):
    DEEP = [DEEP]


@pytest.mark.parametrize(("mode", "part"), [
    ("evaluate", {"matrix": {"classes": ["a"], "counts": [[1]]}}),
    ("evaluate", {"matrix": "no", "metrics": 7, "prior": DEEP, "thresholds": {"__proto__": 1}, "level": "high"}),
    ("evaluate", {"metrics": [{"a": 1}], "thresholds": {"accuracy": {"x": 1}}, "label": 5, "replicate": "many"}),
    ("compare", {"classifiers": [1, 2], "pair": [7, "x"], "paired": {"classes": 3}}),
    ("compare", {"paired": {"classes": ["a", "b"], "models": ["x", "y"], "cells": [[0, [9, 0], 1]]}, "rope": "wide"}),
    ("leaderboard", {"entries": ["a"], "source": "paired", "prizes": ["much"], "paired": 3}),
    ("plan", {"goal": "fame", "paired": "x", "prevalence": [], "targets": {"width": "thin"}}),
    ("patient", {"results": [1, {"x": 2}], "label": 9}),
    ("tables", {"tables": [{"name": 3}, "x"], "ask": "why", "rate": 5, "metric": [], "prior": "?"}),
    ("threshold", {"scores": {"classes": [1, 2], "cells": "x"}, "curve": 3, "best": "fame", "at": [], "typed": "x"}),
])  # fmt: skip
def test_a_link_with_nonsense_shows_a_page_all_the_same(opened: Any, mode: str, part: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened(link(mode, part))
    expect(tab.get_by_text("Begin anew")).to_have_count(0)
    expect(tab.get_by_role("alert").filter(has_text="Not all that came fits")).to_contain_text(f"{mode}.")
    expect(tab.locator("[data-value]").first).to_be_visible()


def test_many_classes_are_too_long_for_a_link(opened: Any) -> None:
    chance = random.Random(0)
    classes = ["".join(chance.choices(string.ascii_letters, k=180)) for _ in range(24)]
    matrix = {"classes": classes, "counts": [[chance.randrange(10**9) for _ in classes] for _ in classes]}
    tab = opened()
    tab.push("Share")
    session = json.dumps({"v": 1, "mode": "evaluate", "evaluate": {"matrix": {**matrix, "positive": None}}})
    file = {"name": "session.json", "mimeType": "application/json", "buffer": session.encode()}
    tab.locator("dialog input[type=file]").set_input_files(file)
    expect(tab.get_by_role("dialog")).to_have_count(0)
    tab.settle()
    tab.push("Share")
    expect(tab.get_by_text("too many for a link")).to_be_visible()


@pytest.mark.parametrize(("mode", "part", "key"), [
    ("compare", {"rope": 0, "metric": "accuracy", "level": 0.9}, "new - old.3"),
    ("leaderboard", {"prizes": [5], "top": 2}, "team 1.4"),
    ("threshold", {"at": 0.5, "curve": "precision_recall", "prevalence": 10}, "threshold"),
    ("tables", {"ask": "slices", "metric": "recall@positive", "level": 0.9}, "study 8.3"),
    ("plan", {"goal": "above", "have": 0}, "needed.1"),
    ("patient", {"percent": 30, "results": ["negative", "negative"]}, "negative, negative.2"),
])  # fmt: skip
def test_what_is_shared_comes_back(opened: Any, mode: str, part: Any, key: str) -> None:
    tab = opened(link(mode, part))
    tab.push("Share")
    shared = tab.locator("input.link").input_value()
    other = opened(shared[shared.index("#") :])
    assert (other.value("verdict"), other.value(key)) == (tab.value("verdict"), tab.value(key))
