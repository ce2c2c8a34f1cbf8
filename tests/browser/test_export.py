"""What leaves the page as files and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import packed, press, value

pytestmark = [pytest.mark.browser, pytest.mark.deep]


@pytest.mark.parametrize("ending", ["HTML", "CSV", "JSON", "Markdown", "LaTeX"])
def test_what_is_exported_holds_the_number(opened: Any, tmp_path: Path, ending: str) -> None:
    tab = opened()
    number = value(tab, "balanced_accuracy.mean")
    press(tab, "Export")
    with tab.expect_download() as waiting:
        tab.locator("dialog").get_by_role("button", name=ending).click()
    target = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(target)
    text = target.read_text(encoding="utf-8")
    assert (number if ending not in ("JSON", "CSV") else "0.8321428571428571") in text
    if ending == "HTML":
        report = tab.context.new_page()
        report.goto(target.as_uri())
        assert "0.83" in report.inner_text("body")


def test_pictures_stand_alone(opened: Any, tmp_path: Path) -> None:
    tab = opened(scheme="dark")
    number = value(tab, "balanced_accuracy.interval")
    press(tab, "Export")
    saved = {}
    for name in ("SVG", "PNG 1x", "PNG 2x", "PNG 4x"):
        with tab.expect_download() as waiting:
            tab.locator("dialog").get_by_role("button", name=name).click()
        saved[name] = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved[name])
    svg = saved["SVG"].read_text(encoding="utf-8")
    assert number in svg
    assert "class=" not in svg
    widths = [int.from_bytes(saved[f"PNG {n}x"].read_bytes()[16:20], "big") for n in (1, 2, 4)]
    assert widths[1:] == [2 * widths[0], 4 * widths[0]]
    lone = tab.context.new_page()
    lone.goto(saved["SVG"].as_uri())
    assert number in lone.text_content("svg")


LONG_NAMES = {
    "ten of thirty letters": [f"{chr(97 + i) * 28} {i}" for i in range(10)],
    "eighty letters without a space": ["x" * 80, "ill"],
}


#: What of the dialog lies beyond its edge, or the window's.
BEYOND = """() => {
  const dialog = document.querySelector('dialog');
  const { left, right, bottom } = dialog.getBoundingClientRect();
  const found = left < 0 || right > innerWidth || bottom > innerHeight || dialog.scrollWidth > dialog.clientWidth ? ['dialog'] : [];
  for (const each of dialog.querySelectorAll('.sheet *')) {
    const box = each.getBoundingClientRect();
    if (box.width && !each.closest('.unseen, option') && (box.right > right || box.left < left)) found.push(each.tagName);
  }
  return found;
}"""  # noqa: E501


@pytest.mark.parametrize("names", LONG_NAMES)
def test_code_with_long_names_stays_inside_of_the_dialog(opened: Any, names: str) -> None:
    classes = LONG_NAMES[names]
    counts_of = [[40 if i == j else 2 for j in range(len(classes))] for i in range(len(classes))]
    matrix = {"classes": classes, "counts": counts_of, "positive": None}
    tab = opened("#v=1&s=" + packed({"v": 1, "mode": "evaluate", "evaluate": {"matrix": matrix}}))
    press(tab, "Export")
    tab.get_by_text("Show it").click()
    for width in (320, 390, 1280):
        tab.set_viewport_size({"width": width, "height": 800})
        assert tab.evaluate(BEYOND) == [], width
    # to its last sign, by scrolling the box of the code
    assert classes[-1] in tab.locator("pre[data-code=python]").inner_text()
    for code in tab.locator("dialog pre").all():
        assert code.evaluate("e => getComputedStyle(e).overflowX === 'auto' || e.scrollWidth <= e.clientWidth")
