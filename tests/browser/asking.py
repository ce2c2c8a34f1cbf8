"""What the tests of the modes share: reading the page, and asking the command line the same."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from tests.browser.conftest import settled

from howsure.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"


def said(tab: Any, key: str) -> str:
    """The text of a value on the page, its spaces made plain."""
    return " ".join(tab.locator(f'[data-value="{key}"]').first.text_content().split())


def printed(*arguments: object) -> str:
    """What ``howsure`` prints."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out):
        status = main([str(each) for each in arguments])
    assert status == 0, arguments
    out.seek(0)
    return out.read()


def as_json(*arguments: object) -> Any:
    """What ``howsure`` prints as JSON."""
    return json.loads(printed(*arguments, "--json"))


def line_of(text: str, name: str) -> str:
    """The line of a printed table that begins with a name."""
    lines = (line for line in text.splitlines() if re.match(rf"\s*{re.escape(name)}\s{{2,}}", line))
    return " ".join(next(lines).split())


def at(opened: Any, mode: str, **how: Any) -> Any:
    """The page, open at a mode."""
    tab = opened(**how)
    tab.click(f"#tab-{mode}")
    settled(tab)
    return tab


def choose(tab: Any, label: str, option: str) -> None:
    """One of many."""
    tab.get_by_label(label, exact=True).select_option(label=option)
    settled(tab)


def fill(tab: Any, label: str, text: str) -> None:
    """A number box."""
    tab.get_by_label(label, exact=True).fill(text)
    settled(tab)


def drop(tab: Any, *files: tuple[str, str]) -> None:
    """Files by name and text, as they come from the file dialogue."""
    chosen = [{"name": name, "mimeType": "text/csv", "buffer": text.encode()} for name, text in files]
    tab.locator(".drop input[type=file]").set_input_files(chosen)
    tab.wait_for_selector(".drop [role=status] p, .drop .wrong")
    settled(tab)
