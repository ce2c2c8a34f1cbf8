"""Reload, Back and links: nothing that was typed is lost, and what cannot be read is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import settled
from tests.browser.test_evaluate import cell, counts, said
from tests.browser.test_page import packed, unpacked

pytestmark = pytest.mark.browser

BOMB = {"v": 1, "mode": "evaluate", "evaluate": {"prior": "x" * 3_000_000}}


def tab_named(tab: Any, name: str) -> None:
    tab.get_by_role("tab", name=name).click()
    settled(tab)


def followed(tab: Any, count: int) -> str:
    """The address, once it is about this first cell; it is packed a moment after the entry has its inputs."""
    tab.wait_for_function(
        "count => history.state?.document?.evaluate?.matrix.counts[0][0] === count && location.hash.includes('&c=')",
        arg=count,
    )
    for _ in range(100):
        if unpacked(tab.url)["evaluate"]["matrix"]["counts"][0][0] == count:
            return str(tab.url)
        tab.wait_for_timeout(100)
    raise AssertionError(f"the address is not about {count}: {tab.url}")


def selected(tab: Any) -> str:
    return str(tab.locator("[role=tab][aria-selected=true]").inner_text())


def test_the_address_follows_and_a_reload_and_a_link_give_the_same_page(opened: Any) -> None:
    tab = opened()
    settled(tab)
    assert "#" not in tab.url  # nothing was done yet
    cell(tab, 0, 0).fill("17")
    settled(tab)
    address = followed(tab, 17)
    assert unpacked(address)["evaluate"]["matrix"]["counts"][0][0] == 17
    shown = tab.locator("#main").inner_text()
    tab.reload()
    settled(tab)
    assert (tab.url, counts(tab)[0][0]) == (address, "17")
    assert tab.locator("#main").inner_text() == shown
    other = opened(address[address.index("#") :])
    settled(other)
    assert other.locator("#main").inner_text() == shown
    assert other.url == address


#: Types three counts, and says which of them the entry of the history holds a moment after the last.
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


def test_changes_one_after_the_other_are_kept_before_anyone_can_reload(opened: Any) -> None:
    tab = opened()
    settled(tab)
    assert tab.evaluate(THREE) == 19  # not only once the page is about to go: that came too late at times
    tab.wait_for_timeout(300)  # the browser hears of an entry a little later, on a busy machine; no hand is as fast
    tab.reload()
    settled(tab)
    assert counts(tab)[0][0] == "19"


def test_tabs_are_entries_of_the_history_of_one_matrix(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 0).fill("17")
    settled(tab)
    tab_named(tab, "Plan")
    tab_named(tab, "Compare")
    first = tab.locator(".grid .cell input").first
    first.fill("21")
    settled(tab)
    tab.go_back()
    tab.wait_for_selector("#tab-plan[aria-selected=true]")
    tab.go_back()
    tab.wait_for_selector("#tab-evaluate[aria-selected=true]")
    settled(tab)
    assert counts(tab)[0][0] == "21"  # one matrix: what was typed in another tab is not undone by going back
    followed(tab, 21)
    tab.go_forward()
    tab.wait_for_selector("#tab-plan[aria-selected=true]")
    tab.reload()
    settled(tab)
    assert selected(tab) == "Plan"
    tab.go_back()
    tab.wait_for_selector("#tab-evaluate[aria-selected=true]")
    settled(tab)
    assert counts(tab)[0][0] == "21"
    # the second matrix of Compare waits to be typed, and the browser logs that it was refused
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]


def test_a_session_can_be_left_again(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    cell(tab, 0, 0).fill("17")
    settled(tab)
    followed(tab, 17)
    target = tmp_path / "session.json"
    target.write_text(
        '{"v": 1, "mode": "evaluate", "evaluate": {"matrix": {"classes": ["a", "b"], "counts": [[3, 1], [0, 5]], '
        '"positive": "b"}}}'
    )
    tab.get_by_role("button", name="Share", exact=True).click()
    tab.locator("dialog input[type=file]").set_input_files(target)
    settled(tab)
    assert counts(tab) == [["3", "1"], ["0", "5"]]
    tab.go_back()
    tab.wait_for_function("() => document.querySelector('.grid .cell input')?.value === '17'")


def test_a_link_of_another_opened_in_the_same_tab_can_be_left_again(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 0).fill("17")
    settled(tab)
    followed(tab, 17)
    matrix = {"classes": ["a", "b"], "counts": [[3, 1], [0, 5]], "positive": "b"}
    fragment = "v=1&s=" + packed({"v": 1, "mode": "evaluate", "evaluate": {"matrix": matrix}})
    tab.evaluate("hash => { location.hash = hash; }", fragment)
    tab.wait_for_function("() => document.querySelector('.grid .cell input')?.value === '3'")
    settled(tab)
    tab.go_back()
    tab.wait_for_function("() => document.querySelector('.grid .cell input')?.value === '17'")


DAMAGED = {
    "no base64": ("v=1&s=%%%", "damaged"),
    "no deflate": ("v=1&s=AAAA", "damaged"),
    "bomb": ("v=1&s=" + packed(BOMB), "damaged"),
    "list": ("v=1&s=" + packed([1, 2]), "no session of howsure"),
    "another document": ("v=1&s=" + packed({"v": 2}), "no session of howsure"),
    "nothing in it": ("v=1", "damaged"),
    "empty": ("v=1&s=", "damaged"),
    "no version": ("s=" + packed({"v": 1}), "damaged"),
    "later version": ("v=2&s=abc", "later version"),
    "another sum": ("v=1&c=00000000&s=" + packed({"v": 1, "mode": "evaluate"}), "damaged"),
    "too large": ("v=1&large", "session.json"),
}


@pytest.mark.parametrize(("fragment", "sentence"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_link_is_told_in_place_of_an_example(opened: Any, fragment: str, sentence: str) -> None:
    tab = opened("#" + fragment)
    tab.get_by_role("alert").filter(has_text=sentence).wait_for()
    assert tab.locator(".grid, .answers").count() == 0
    assert tab.url.endswith("#" + fragment)
    tab.get_by_role("button", name="Begin anew").click()
    settled(tab)
    assert counts(tab) == [["6", "2"], ["0", "26"]]
    tab.go_back()
    tab.get_by_role("alert").filter(has_text=sentence).wait_for()
    tab_named(tab, "Plan")
    assert selected(tab) == "Plan"


def test_every_lost_or_changed_sign_of_a_link_is_seen(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 0).fill("17")
    settled(tab)
    address = followed(tab, 17)
    fragment = address[address.index("#") + 1 :]
    start = fragment.index("&s=") + 3
    for at in (start, start + 20, len(fragment) - 1):
        changed = fragment[:at] + ("A" if fragment[at] != "A" else "B") + fragment[at + 1 :]
        for damaged in (changed, fragment[:at] + fragment[at + 1 :]):
            other = opened("#" + damaged)
            other.get_by_role("alert").filter(has_text="damaged").wait_for()
            other.context.close()


def test_clear_empties_the_cells_and_can_be_undone(opened: Any) -> None:
    tab = opened()
    settled(tab)
    tab.get_by_role("button", name="Clear").click()
    settled(tab)
    assert counts(tab) == [["", ""], ["", ""]]
    assert tab.get_by_label("Name of class 1").input_value() == "low"
    tab.get_by_role("button", name="Undo").click()
    settled(tab)
    assert counts(tab) == [["6", "2"], ["0", "26"]]
    assert "0.8" in said(tab, "verdict")
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]


def test_the_address_follows_where_leaving_was_asked_about_and_not_done(opened: Any) -> None:
    tab = opened()
    tab.on("dialog", lambda dialog: dialog.dismiss())
    tab.evaluate("addEventListener('beforeunload', (event) => event.preventDefault())")
    cell(tab, 0, 0).click()
    tab.keyboard.type("23")
    tab.evaluate("location.href = 'about:blank'")
    assert unpacked(followed(tab, 23))["evaluate"]["matrix"]["counts"][0][0] == 23
    opened.complaints.clear()  # the question itself
