"""Under a table a command prints two lines of small print at most; --explain prints all of it."""

from __future__ import annotations

import pytest

from howsure.answers.sheet import COVERS
from howsure.cli import main


def test_a_report_of_two_classes_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["report", "--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92"]
    assert main(words) in (0, None)
    printed = capsys.readouterr().out
    assert COVERS in printed
    assert sum(-(-max(len(line), 1) // 100) for line in printed.splitlines()) <= 24
    main([*words, "--explain"])
    assert "MU: width of the 95% HDI." in capsys.readouterr().out
