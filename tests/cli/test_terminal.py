"""What a terminal shows: the same cells, with colour, whatever its width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import howsure as hs
from howsure.cli.terminal import show
from howsure.report.table import table


@pytest.mark.parametrize("width", [60, 100, 200])
def test_every_cell_is_on_the_screen(cocaine: hs.ConfusionMatrix, width: int) -> None:
    made = hs.report(hs.infer(cocaine, "flat"), draws=500)
    screen = io.StringIO()
    show(made, Console(file=screen, width=width, force_terminal=True, color_system="standard"))
    shown = screen.getvalue()
    assert "\x1b[" in shown
    if width == 200:
        for row in table(made).rows:
            for cell in row:
                assert cell in shown
        assert made.verdict in shown
    for name in ("accuracy", "recall", "note"):
        assert name in shown


def test_markup_in_labels_is_text() -> None:
    made = hs.report(
        hs.infer(hs.ConfusionMatrix([[9, 1], [2, 8]], labels=["[bold red]x[/]", "[link=http://a]b"]), "flat")
    )
    screen = io.StringIO()
    show(made, Console(file=screen, width=200, force_terminal=False))
    assert "[bold red]x[/]" in screen.getvalue()
    assert "[link=http://a]b" in screen.getvalue()
