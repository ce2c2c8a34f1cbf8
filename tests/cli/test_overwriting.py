"""What is read is never written over."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.test_cli import complaint, howsure

CASES = "id,y_true,y_pred\n1,a,a\n2,b,b\n3,a,b\n"


@pytest.mark.parametrize("command", ["report", "compare", "rank"])
def test_a_file_that_is_read_is_not_written_over(tmp_path: Path, command: str) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    for file in (one, two):
        file.write_text(CASES)
    files = [str(one)] if command == "report" else [str(two), str(one)]
    again = tmp_path / "folder" / ".." / "one.csv"  # the same file by another name
    (tmp_path / "folder").mkdir()
    assert "is a file that is read; write to another" in complaint(howsure(command, *files, "-o", str(again)))
    assert one.read_text() == CASES
