"""Under a table a command prints two lines of small print at most; --explain prints all of it."""

from __future__ import annotations

import pytest

from howsure.answers.sheet import COVERS, Sheet
from howsure.cli import main
from howsure.text.text_table import brief

LONG = "MU: width of the interval. " * 9


@pytest.mark.parametrize(
    ("notes", "covers", "foot"),
    [
        ((LONG,), COVERS, f"{COVERS} --explain: what the columns mean."),
        ((LONG, "Seed 0."), "", "--explain: what the columns mean."),
        (("Prior flat.",), COVERS, f"Prior flat. {COVERS}"),
        ((), "", ""),
    ],
)
def test_long_small_print_is_left_to_explain(notes: tuple[str, ...], covers: str, foot: str) -> None:
    sheet = Sheet("One row.", ("name", "n"), (("a", "1"),), notes, covers=covers)
    with brief(True):
        assert sheet.text() == f"One row.\n\nname  n\na     1\n\n{foot}".rstrip()
    assert all(note.strip() in sheet.text() for note in notes)
    assert all(note.strip() in sheet.markdown() for note in notes)


def test_a_report_of_two_classes_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["report", "--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92"]
    assert main(words) in (0, None)
    printed = capsys.readouterr().out
    assert COVERS in printed
    assert sum(-(-max(len(line), 1) // 100) for line in printed.splitlines()) <= 24
    main([*words, "--explain"])
    assert "MU: width of the 95% HDI." in capsys.readouterr().out
