"""A file to be written is told from all that is read, whatever it is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from howsure.errors import InvalidArgument
from howsure.io.replacing import spare


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data" / "deep").mkdir(parents=True)
    for name in ("data/a.csv", "data/deep/b.csv", "plain.csv"):
        (tmp_path / name).write_text("y_true,y_pred\n")
    os.link(tmp_path / "data/deep/b.csv", tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to("plain.csv")
    (tmp_path / "far.csv").symlink_to("soft.csv")
    (tmp_path / "there").symlink_to("data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("out", "given", "sentence"),
    [
        ("plain.csv", "plain.csv", "which is read; write to another place"),
        ("data/../plain.csv", "plain.csv", "which is read; write to another place"),
        ("far.csv", "plain.csv", "which is read; write to another place"),
        ("plain.csv", "far.csv", "which is read; write to another place"),
        ("hard.csv", "data/deep/b.csv", "which is read; write to another place"),
        ("hard.csv", "data", "which is read; write to another place"),
        ("hard.csv", "data/**/*.csv", "which is read; write to another place"),
        ("data/new.csv", "data", "is in 'data', which is read"),
        ("there/deep/new.csv", "data", "is in 'data', which is read"),
        ("data/new.csv", "there", "is in 'there', which is read"),
        ("new.csv", ".", "is in '.', which is read"),
        ("data/new.csv", "data/*.csv", r"fits 'data/\*.csv'"),
        ("data/deep/new.csv", "data/**/*.csv", r"fits 'data/\*\*/\*.csv'"),
        ("data/new.csv", "data/**/*.csv", r"fits 'data/\*\*/\*.csv'"),
        ("part_7.csv", "part_[0-9].csv", "fits"),
        ("not_yet.csv", "not_yet.csv", "which is read; write to another place"),
    ],
)
def test_what_is_read_is_not_written(there: Path, out: str, given: str, sentence: str) -> None:
    for inputs in ([given], [None, "absent.csv", given]):
        with pytest.raises(InvalidArgument, match=sentence):
            spare(out, inputs)
        with pytest.raises(InvalidArgument, match=sentence):
            spare(str(there / out), inputs)


@pytest.mark.sweep(2, full=8)
@pytest.mark.parametrize(
    ("out", "given"),
    [
        ("new.csv", "plain.csv"),
        ("new.csv", "data"),
        ("data.csv", "data"),
        ("database/new.csv", "data"),
        ("new.csv", "data/*.csv"),
        ("data/deep/new.csv", "data/*.csv"),
        ("data/new.json", "data/*.csv"),
        ("new.csv", "-"),
    ],
)
def test_what_is_not_read_may_be_written(there: Path, out: str, given: str) -> None:
    spare(out, [given])


def test_a_folder_whose_name_is_a_pattern_is_no_pattern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a[b]").mkdir()
    monkeypatch.chdir(tmp_path / "a[b]")
    spare("x.csv", ["*.tsv"])
    with pytest.raises(InvalidArgument, match="fits"):
        spare("x.csv", ["*.csv"])


@pytest.mark.full
def test_standard_input_is_a_file_as_well(there: Path) -> None:
    code = "from howsure.io.replacing import spare\nspare('plain.csv', ['-'])"
    with (there / "plain.csv").open() as stream:
        ran = subprocess.run(
            [sys.executable, "-c", code], stdin=stream, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    assert "which is read; write to another place" in ran.stderr
