"""``howsure report`` of cases in groups: both answers, by a column of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidFile
from howsure.io import read

TRUTH = [c for c in ("ill", "well") for _ in range(60)]
WRONG = (0, 1, 2, 3, 9, 25, 26, 27, 40, 54, 61, 70, 71, 72, 73, 93)
SAID = [("well" if t == "ill" else "ill") if i in WRONG else t for i, t in enumerate(TRUTH)]
WHO = [f"<b>p{i // 10:02d}</b>" for i in range(120)]


def written(folder: Path, header: str = "patient", groups: list[str] | None = None) -> str:
    """A file of lesions in patients."""
    rows = zip(groups or WHO, TRUTH, SAID, strict=True)
    path = folder / "lesions.csv"
    path.write_text(f"{header},y_true,y_pred\n" + "".join(f"{','.join(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def test_without_a_column_of_groups_all_is_as_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path)
    assert main(["report", path, "-m", "accuracy"]) == 0
    shown = capsys.readouterr().out
    assert "'patient' not used." in shown
    assert "note: Each 'patient' comes" in shown
    assert "--group patient says that they are not." in shown
    assert "new group" not in shown
    assert main(["report", path, "--groups", "new"]) == 2
    assert "no column of groups was read of all cases; name one with --group" in capsys.readouterr().err


@pytest.mark.parametrize("large", [False, True])
def test_a_missing_group_names_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool) -> None:
    if large:
        pytest.importorskip("duckdb")
        monkeypatch.setattr("howsure.io.table.LARGE", 0)
    path = written(tmp_path, "group", [*WHO[:-1], ""])
    with pytest.raises(InvalidFile, match=r"line 121: the group .column 'group'. is missing; a single case"):
        read(path, group=True)


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["report", *argv, "-m", "accuracy"]) == 0
    return capsys.readouterr().out


def test_one_case_a_group_is_as_without_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "group", [f"p{i}" for i in range(120)])
    made = read(path, group=True).confusion
    new, plain = hs.infer(made).of("accuracy"), hs.infer(read(path).confusion).of("accuracy")
    assert tuple(new.interval()) == pytest.approx(tuple(plain.interval()), abs=1e-6)
    assert "each of the 120 groups has one case, so groups make no difference." in shown(capsys, path)


@pytest.mark.full
def test_twenty_thousand_groups_are_all_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.csv"
    rows = (f"p{i // 2},{TRUTH[i % 120]},{SAID[i % 120]}\n" for i in range(40_000))
    path.write_text("group,y_true,y_pred\n" + "".join(rows), encoding="utf-8")
    assert "the 40,000 cases of 20,000 groups are equivalent to about" in shown(capsys, str(path))
