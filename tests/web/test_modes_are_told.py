"""Every mode of the page is told of in the docs and opened by the tests in a browser; every verb is asked."""

from __future__ import annotations

import re
from pathlib import Path

from tests.browser.page import TABS as OPENED
from tests.web.sample_questions import QUESTIONS

from howsure.web.answering import VERBS

ROOT = Path(__file__).parents[2]
MODES = ROOT / "src/howsure/web/assets/modes"
ORDER = re.findall(r"tabs = \[(.*)\]", (MODES / "index.js").read_text(encoding="utf-8"))[0].split(", ")
TABS = dict(
    found
    for name in ORDER
    for found in re.findall(
        r'^  name: "(\w+)",\n  title: "([^"]+)"', (MODES / f"{name}.js").read_text(encoding="utf-8"), re.M
    )
)


def test_the_docs_say_what_each_tab_answers() -> None:
    page = (ROOT / "docs/page.md").read_text(encoding="utf-8")
    table = (
        page.partition("## What it answers")[2]
        .partition("\n\n#")[0]
        .partition("| --- | --- |\n")[2]
        .partition("\n\n")[0]
    )
    assert re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) == list(TABS.values())


def test_every_mode_is_opened_in_a_browser() -> None:
    assert list(OPENED) == list(TABS)


def test_every_verb_is_asked() -> None:
    asked = {question["verb"] for question in QUESTIONS.values()}
    assert set(VERBS) - asked == {"import", "paste", "reconstruct", "export"}  # which have tests of their own
