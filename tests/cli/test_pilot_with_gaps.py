"""A pilot file some of whose cases lack the truth: an error that names the way out, or left out where that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from howsure.cli import main


def test_a_pilot_with_gaps_is_read_as_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.csv"
    rows = ["yes,yes"] * 40 + ["no,no"] * 50 + ["yes,no"] * 5 + ["no,yes"] * 5 + [",yes"] * 3
    file.write_text("y_true,y_pred\n" + "\n".join(rows) + "\n")
    asked = ["plan", "recall@yes", "--width", "0.2", "--pilot", str(file)]
    assert main(asked) != 0
    assert "--missing" in capsys.readouterr().err
    assert main([*asked, "--missing", "exclude"]) == 0
    assert "recall@yes" in capsys.readouterr().out
