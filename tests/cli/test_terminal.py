"""What a terminal shows: the same cells, with colour, whatever its width."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

import howsure as hs
from howsure.cli import main
from howsure.cli.terminal import show_report
from howsure.text.text_table import breadth


def test_markup_in_labels_is_text() -> None:
    made = hs.report(
        hs.infer(hs.ConfusionMatrix([[9, 1], [2, 8]], labels=["[bold red]x[/]", "[link=http://a]b"]), "flat")
    )
    screen = io.StringIO()
    show_report(made, Console(file=screen, width=200, force_terminal=False))
    assert "[bold red]x[/]" in screen.getvalue()
    assert "[link=http://a]b" in screen.getvalue()


PAIR = "id,y_true,pred_new,pred_an_older_model\n" + "".join(
    f"{i},{'ill' if i % 2 else 'healthy'},{'ill' if i % 2 and i % 7 else 'healthy'},{'ill' if i % 3 else 'healthy'}\n"
    for i in range(60)
)
MATRIX = "true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n"
COMMANDS = [
    ["report", "{matrix}", "--classical"],
    ["compare", "{pair}"],
    ["rank", "{pair}"],
    ["gate", "--candidate", "{pair}"],
    ["plan", "accuracy", "--width", "0.2"],
    ["post-test", "{matrix}", "--pre-test", "0.02"],
    ["predict", "{matrix}"],
    ["frequencies", "{matrix}"],
    ["sensitivity", "{matrix}", "recall@ill"],
    ["outlook", "recall", "--above", "0.7", "{matrix}", "--more", "20,50"],
    ["outlook", "accuracy", "{pair}", "--more", "20,50"],
    ["stopping-rule", "20,40", "--threshold", "0.8", "--truth", "0.7,0.9"],
    ["digits", "recall", "{matrix}"],
    ["reconstruct", "--n", "34", "--recall", "1.00", "--specificity", "0.75"],
    ["metrics"],
    ["metrics", "mcc"],
    ["cite"],
]


@pytest.mark.sweep("60")
@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(
    "command",
    [pytest.param(it, id=" ".join(it), marks=pytest.mark.full if it[0] == "outlook" else ()) for it in COMMANDS],
)
def test_every_line_fits_the_terminal(
    command: list[str],
    width: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {"matrix": MATRIX, "pair": PAIR}
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
    given = [word.format(**{name: tmp_path / f"{name}.csv" for name in files}) for word in command]
    assert main(given) == 0
    words = capsys.readouterr().out.split()
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(given)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(breadth, shown.splitlines())) <= width
    if command[0] not in ("report", "plan"):  # the one drops columns, the other adds a curve
        assert sorted(shown.split()) == sorted(words)


def test_errors_break_between_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["report", "nothing.csv", "--prevalence", "0.5,0.5"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 40
