"""From the load of the page to another answer by Tab and arrows only: focus is seen, and nothing holds it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import said
from tests.browser.conftest import settled
from tests.browser.test_modes import MODES

pytestmark = pytest.mark.browser

TABS = ("evaluate", *MODES)

#: Presses of Tab from one end of the longest page to the other.
MOST = 250

#: What has the focus: its name, which it is, whether a ring is drawn, and whether it is in sight below the head.
HERE = """() => {
  const e = document.activeElement;
  if (e === document.body) return null;
  const ringed = (each) => each && getComputedStyle(each).outlineStyle !== 'none' && parseFloat(getComputedStyle(each).outlineWidth) >= 2;
  const seen = e.matches('.segments input') ? e.nextElementSibling : e;
  const box = seen.getBoundingClientRect();
  const head = document.querySelector('.head').getBoundingClientRect();
  const within = e.closest('.head') ? 0 : head.bottom;
  window.focused ??= new Map();
  if (!window.focused.has(e)) window.focused.set(e, window.focused.size);
  return {
    name: (e.closest('fieldset')?.querySelector('legend')?.textContent ?? e.getAttribute('aria-label') ?? e.textContent).trim(),
    which: window.focused.get(e),
    ringed: Boolean(ringed(seen) || ringed(e.closest('.button'))),
    inSight: box.bottom > within && box.top < innerHeight && box.width > 0,
  };
}"""  # noqa: E501


def pressed(tab: Any, key: str) -> Any:
    tab.keyboard.press(key)
    return tab.evaluate(HERE)


@pytest.mark.parametrize("mode", TABS)
def test_from_load_to_another_answer_by_keys_alone(opened: Any, mode: str) -> None:
    tab = opened()
    for _ in range(10):
        if pressed(tab, "Tab")["name"] == "Evaluate":
            break
    for _ in range(TABS.index(mode)):
        pressed(tab, "ArrowRight")
        settled(tab)
    assert tab.evaluate("document.activeElement.id") == f"tab-{mode}"
    settled(tab)
    before = tab.locator(".mode").inner_text()
    verdict = said(tab, "verdict")
    # another level of the intervals
    stops: list[Any] = []
    while len(stops) < MOST and (not stops or stops[-1]["name"] != "Probability inside"):
        stops.append(pressed(tab, "Tab"))
    tab.keyboard.press("ArrowRight")
    settled(tab)
    assert tab.locator(".mode").inner_text() != before
    assert tab.locator(".segments input:focus").count() == 1
    tab.keyboard.press("ArrowLeft")
    settled(tab)
    assert said(tab, "verdict") == verdict
    # to the end of the page and around: each place once
    while len(stops) < MOST and stops[-1] is not None and not stops[-1]["name"].startswith("Skip to"):
        stops.append(pressed(tab, "Tab"))
    assert len(stops) < MOST
    places = [stop for stop in stops if stop is not None]
    assert [stop["name"] for stop in places if not stop["ringed"]] == []
    assert [stop["name"] for stop in places if not stop["inSight"] and not stop["name"].startswith("Skip")] == []
    assert len({stop["which"] for stop in places}) == len(places)
