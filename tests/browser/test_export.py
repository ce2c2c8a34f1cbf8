"""What leaves the page as files and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import expect, link

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def save(tab: Any, name: str, folder: Path) -> Path:
    """What a button of the dialog downloads."""
    with tab.expect_download() as waiting:
        tab.locator("dialog").get_by_role("button", name=name).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_what_is_exported_holds_the_number_and_pictures_stand_alone(opened: Any, tmp_path: Path) -> None:
    tab = opened(scheme="dark")
    number, interval = tab.value("balanced_accuracy.mean"), tab.value("balanced_accuracy.interval")
    tab.push("Export")
    for ending, text in (
        ("CSV", "0.8449477351916"),
        ("JSON", "0.8449477351916"),
        ("Markdown", number),
        ("LaTeX", number),
    ):
        assert text in save(tab, ending, tmp_path).read_text(encoding="utf-8"), ending
    svg = save(tab, "SVG", tmp_path)
    assert "class=" not in svg.read_text(encoding="utf-8")
    widths = [int.from_bytes(save(tab, f"PNG {n}x", tmp_path).read_bytes()[16:20], "big") for n in (1, 2, 4)]
    assert widths[1:] == [2 * widths[0], 4 * widths[0]]
    for path, place, text in ((svg, "svg", interval), (save(tab, "HTML", tmp_path), "body", number)):
        lone = tab.context.new_page()
        lone.goto(path.as_uri())
        expect(lone.locator(place).first).to_contain_text(text)


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
    counts = [[40 if i == j else 2 for j in range(len(classes))] for i in range(len(classes))]
    tab = opened(link("evaluate", {"matrix": {"classes": classes, "counts": counts, "positive": None}}))
    tab.push("Export")
    tab.get_by_text("Show it").click()
    for width in (320, 390, 1280):
        tab.set_viewport_size({"width": width, "height": 800})
        assert tab.evaluate(BEYOND) == [], width
    # to its last sign, by scrolling the box of the code
    expect(tab.locator("pre[data-code=python]")).to_contain_text(classes[-1])
    for code in tab.locator("dialog pre").all():
        assert code.evaluate("e => getComputedStyle(e).overflowX === 'auto' || e.scrollWidth <= e.clientWidth")
