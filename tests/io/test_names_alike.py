"""Classes whose names are nearly the same: one note that names them, wherever the cases are."""

from __future__ import annotations

from pathlib import Path

from howsure.io import read

COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"


def test_a_pattern_in_a_folder_with_brackets(tmp_path: Path) -> None:
    folder = tmp_path / "[x]"
    folder.mkdir()
    (folder / "a.csv").write_text("y_true,y_pred\na,a\nb,b\n")
    assert read(f"{folder}/*.csv").confusion.n == 2
