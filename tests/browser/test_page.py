"""The shell of the page: its tabs, its theme, what leaves it, and what it does without its server."""

from __future__ import annotations

import base64
import json
import random
import string
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from tests.browser.conftest import SETTLED, Served, settled, violations
from tests.browser.test_evaluate import cell, counts, said
from tests.patience import PATIENCE

pytestmark = pytest.mark.browser

NASTY = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=2</script>'


def packed(document: Any) -> str:
    """A document as the page packs it into a link."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = squeezer.compress(json.dumps(document).encode()) + squeezer.flush()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def unpacked(link: str) -> Any:
    text = parse_qs(link.partition("#")[2])["s"][0]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), -15))


def test_a_link_brings_back_what_was_shared_and_no_name_of_it_runs(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("Name of class 1").fill(NASTY)
    cell(tab, 0, 0).fill("17")
    settled(tab)
    tab.get_by_role("button", name="Share", exact=True).click()
    tab.wait_for_selector("input.link")
    link = tab.locator("input.link").input_value()
    assert "labels and counts" in tab.locator("dialog").inner_text()
    tab.get_by_role("button", name="Copy link").click()
    tab.get_by_text("Copied.").wait_for()
    assert tab.evaluate("navigator.clipboard.readText()") == link
    assert len(link) < 8192
    shared = unpacked(link)
    assert shared["v"] == 1
    assert shared["evaluate"]["matrix"]["classes"][0] == NASTY
    other = opened(link[link.index("#") :])
    settled(other)
    assert other.get_by_label("Name of class 1").input_value() == NASTY
    assert said(other, "verdict") == said(tab, "verdict")
    for each in (tab, other):
        assert each.evaluate("window.hacked") is None
        assert each.locator("img[src=x]").count() == 0


#: Made by the first version; these must open for ever.
GOLDEN = (
    "v=1&s=" + packed({"v": 1, "mode": "evaluate", "evaluate": {
        "matrix": {"classes": ["healthy", "ill"], "counts": [[45, 5], [8, 42]], "positive": "ill"},
        "metrics": ["recall@ill"], "prior": "jeffreys", "level": 0.9, "kind": "central",
        "prevalence": {"choice": "value", "percent": 2, "cases": 12, "of": 240},
        "label": "ill", "thresholds": {"recall@ill": 0.8}, "replicate": None}})
)  # fmt: skip


def test_a_link_of_the_first_version_opens(opened: Any) -> None:
    tab = opened("#" + GOLDEN)
    settled(tab)
    assert counts(tab) == [["45", "5"], ["8", "42"]]
    assert "Prior: jeffreys" in said(tab, "about")
    assert "90 % central" in said(tab, "verdict") or said(tab, "recall@ill.interval")
    assert tab.get_by_label("Sensitivity above").input_value() == "0.8"


DEEP: Any = []
for _ in range(200):
    DEEP = [DEEP]


#: Its names and its one count are shown, with cells that wait to be typed.
RAGGED = {"matrix": {"classes": [1, {"x": 2}, None], "counts": [[1]]}}


@pytest.mark.parametrize(
    "evaluate",
    [
        {"matrix": {"classes": ["a"], "counts": [[1]]}},
        RAGGED,
        {
            "matrix": "no",
            "metrics": 7,
            "prior": DEEP,
            "prevalence": [],
            "thresholds": {"__proto__": 1},
            "level": "high",
        },
        {
            "metrics": [{"a": 1}],
            "thresholds": {"accuracy": {"x": 1}},
            "prior": {"a": "x"},
            "label": 5,
            "replicate": "many",
        },
    ],
    ids=["one class", "ragged", "wrong kinds", "wrong insides"],
)
def test_a_link_with_nonsense_shows_a_page_all_the_same(opened: Any, evaluate: Any) -> None:
    tab = opened("#v=1&s=" + packed({"v": 1, "mode": "evaluate", "evaluate": evaluate}))
    settled(tab)
    assert tab.locator(".grid .cell").count() >= 4 or tab.get_by_text("Begin anew").count() == 1
    if evaluate is not RAGGED:
        assert "evaluate." in tab.get_by_role("alert").filter(has_text="Not all that came fits").inner_text()
    tab.context.close()
    # the server may have refused it, which the browser logs
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]


def test_a_session_file_is_saved_and_opened(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    cell(tab, 0, 0).fill("99")
    settled(tab)
    tab.get_by_role("button", name="Share", exact=True).click()
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="Download session.json").click()
    target = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(target)
    other = opened()
    other.get_by_role("button", name="Share", exact=True).click()
    other.locator("dialog input[type=file]").set_input_files(target)
    settled(other)
    assert counts(other)[0][0] == "99"


def test_many_classes_are_too_long_for_a_link(opened: Any) -> None:
    chance = random.Random(0)
    names = ["".join(chance.choices(string.ascii_letters, k=180)) for _ in range(24)]
    matrix = {"classes": names, "counts": [[chance.randrange(10**9) for _ in names] for _ in names], "positive": None}
    tab = opened()
    tab.get_by_role("button", name="Share", exact=True).click()
    session = {"v": 1, "mode": "evaluate", "evaluate": {"matrix": matrix}}
    tab.locator("dialog input[type=file]").set_input_files(
        {"name": "session.json", "mimeType": "application/json", "buffer": json.dumps(session).encode()}
    )
    settled(tab)
    tab.get_by_role("button", name="Share", exact=True).click()
    tab.get_by_text("too many for a link").wait_for()


@pytest.mark.parametrize("ending", ["HTML", "CSV", "JSON", "Markdown", "LaTeX"])
def test_what_is_exported_holds_the_number(opened: Any, tmp_path: Path, ending: str) -> None:
    tab = opened()
    number = said(tab, "balanced_accuracy.mean")
    tab.get_by_role("button", name="Export", exact=True).click()
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
    number = said(tab, "balanced_accuracy.interval")
    tab.get_by_role("button", name="Export", exact=True).click()
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


def test_the_code_that_is_offered_reproduces_the_verdict(opened: Any) -> None:
    tab = opened()
    verdict = said(tab, "verdict")
    tab.get_by_role("button", name="Export", exact=True).click()
    tab.get_by_role("button", name="Copy Python").click()
    tab.get_by_text("Python copied.").wait_for()
    code = tab.evaluate("navigator.clipboard.readText()")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert verdict in done.stdout


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
    settled(tab)
    tab.get_by_role("button", name="Export", exact=True).click()
    tab.get_by_text("Show it").click()
    for width in (320, 390, 1280):
        tab.set_viewport_size({"width": width, "height": 800})
        assert tab.evaluate(BEYOND) == [], width
    # to its last sign, by scrolling the box of the code
    assert classes[-1] in tab.locator("pre[data-code=python]").inner_text()
    for code in tab.locator("dialog pre").all():
        assert code.evaluate("e => getComputedStyle(e).overflowX === 'auto' || e.scrollWidth <= e.clientWidth")


def test_without_its_server_the_page_keeps_what_was_typed_and_works_on_after(opened: Any) -> None:
    # the browser logs that nobody answered, also what the page asks in silence
    opened.forgiven.append("ERR_CONNECTION")
    own = Served()
    tab = opened(url=own.url)
    own.stop()
    cell(tab, 0, 0).fill("60")
    tab.get_by_role("alert").filter(has_text="Connection to the local server lost").wait_for()
    cell(tab, 0, 1).fill("20")
    assert counts(tab) == [["60", "20"], ["0", "26"]]
    again = Served(own.port)
    try:
        tab.wait_for_selector(SETTLED)
        assert said(tab, "n") == "106"
        assert tab.get_by_role("alert").filter(has_text="Connection").count() == 0
        tab.get_by_role("tab", name="One patient").click()
        settled(tab)
        assert "Probability of high" in said(tab, "verdict")
    finally:
        again.stop()


def test_tabs_by_keys_and_the_theme_by_its_switch(opened: Any) -> None:
    tab = opened()
    names = tab.get_by_role("tab").all_inner_texts()
    assert names[0] == "Evaluate"
    tab.get_by_role("tab", name="Evaluate").focus()
    tab.keyboard.press("End")
    settled(tab)
    assert tab.get_by_role("tab", selected=True).inner_text() == names[-1]
    tab.keyboard.press("Home")
    settled(tab)
    dark = tab.get_by_role("switch", name="Dark theme")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(paper)
    dark.click()
    assert tab.evaluate(paper) != light
    tab.reload()
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(375, 812), (1440, 900)], ids=["phone", "desk"])
def test_axe_finds_nothing_in_any_mode(opened: Any, scheme: str, size: tuple[int, int]) -> None:
    tab = opened(scheme=scheme, size=size)
    for name in tab.get_by_role("tab").all_inner_texts():
        tab.get_by_role("tab", name=name).click()
        settled(tab)
        assert violations(tab) == [], name
        assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name


def test_all_of_evaluate_by_keyboard_alone(opened: Any) -> None:
    tab = opened()
    seen = []
    for _ in range(70):
        tab.keyboard.press("Tab")
        seen.append(
            tab.evaluate("""() => { const e = document.activeElement; const b = e.getBoundingClientRect();
            return [e.getAttribute('aria-label') || e.innerText || e.labels?.[0]?.innerText || e.tagName, b.width > 0,
            getComputedStyle(e).outlineStyle]; }""")
        )
    names = " | ".join(str(name).strip() for name, *_ in seen)
    for wanted in ("Skip to the answers", "Evaluate", "Dark theme", "Share", "Export", "true low, predicted low",
                   "Transpose", "Threshold of balanced accuracy", "Prevalence of high", "Markdown"):  # fmt: skip
        assert wanted in names
