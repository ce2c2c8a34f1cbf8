"""``howsure pool``: every layout of sites, and sentences for files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.cli import main

STUDIES = "study,tp,fn,fp,tn\na,47,9,101,738\nb,126,51,272,1543\nc,19,10,12,192\nd,36,3,78,276\ne,130,19,211,959\n"
CASES = [
    (f"{site}{i}", site, truth, truth if i % 7 else other)
    for site in "ABCD"
    for i, (truth, other) in enumerate([("ill", "healthy")] * 15 + [("healthy", "ill")] * 20)
]


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def cases(rows: list[tuple[str, str, str, str]]) -> str:
    return "id,site,y_true,y_pred\n" + "".join(",".join(row) + "\n" for row in rows)


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["pool", *words, "--json"]) in (0, None)
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["pool", *words]) not in (0, None)
    out = capsys.readouterr()
    assert out.out == ""
    return " ".join(out.err.split())


def test_a_row_a_study_is_the_library_s_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = asked(capsys, written(tmp_path, "studies.csv", STUDIES), "--level", "0.9", "--draws", "2000", "--seed", "3")
    rows = [line.split(",") for line in STUDIES.splitlines()[1:]]
    studies = {
        name: hs.ConfusionMatrix.from_counts(**dict(zip(("tp", "fn", "fp", "tn"), map(int, cells), strict=True)))
        for name, *cells in rows
    }
    assert data == json.loads(json.dumps(hs.pool(studies, level=0.9, draws=2000, seed=3, unit="study").to_dict()))


def test_a_column_of_sites_and_a_file_a_site_are_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = asked(capsys, written(tmp_path, "cases.csv", cases(CASES)), "--site", "site")
    files = [written(tmp_path, f"{s}.csv", cases([row for row in CASES if row[1] == s])) for s in "ABCD"]
    apart = asked(capsys, *files)
    assert [x["name"] for x in whole["sites"]] == ["A", "B", "C", "D"]
    assert whole["sites"][0]["sensitivity"]["n"] == 15
    said = {"notes": (), "columns": ()}
    assert {**whole, **said} == {**apart, **said}
    named = asked(capsys, *files, "--metric", "accuracy", "--positive", "ill")
    assert named["rates"] == ["accuracy"]
    (tmp_path / "folder").mkdir()
    for s in "ABCD":
        written(tmp_path / "folder", f"{s}.csv", cases([row for row in CASES if row[1] == s]))
    assert asked(capsys, str(tmp_path / "folder"))["sites"] == apart["sites"]


def test_the_text_has_the_population_and_the_sites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pool", written(tmp_path, "studies.csv", STUDIES)]) in (0, None)
    out = capsys.readouterr().out
    assert out.startswith("At a typical study sensitivity is 0.8")
    for line in ("typical study", "mean of studies", "new study", "tau (sd of logits)", "I2", "correlation", "e  "):
        assert f"\n{line}" in out
    assert main(["pool", str(tmp_path / "studies.csv"), "--csv"]) in (0, None)
    assert capsys.readouterr().out.splitlines()[1].startswith("a,sensitivity,47,56,0.8")
    assert main(["pool", str(tmp_path / "studies.csv"), "--markdown"]) in (0, None)
    assert "| typical study |" in capsys.readouterr().out


def test_bad_files_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twice = written(tmp_path, "twice.csv", cases([*CASES, ("A0", "B", "ill", "ill")]))
    assert "the id 'A0' has the group 'A' in line 2 and 'B' here" in refused(capsys, twice, "--site", "site")
    files = [written(tmp_path, f"{s}.csv", cases([row for row in CASES if row[1] == s])) for s in "AB"]
    copy = written(tmp_path, "copy.csv", cases([row for row in CASES if row[1] == "A"]))
    assert "is in site 'A' and in site 'copy'" in refused(capsys, *files, copy)
    assert "--site COLUMN" in refused(capsys, written(tmp_path, "cases.csv", cases(CASES)))
    one = written(tmp_path, "one.csv", "\n".join(STUDIES.splitlines()[:2]))
    assert "two sites or more" in refused(capsys, one)
    assert "a header and no row" in refused(capsys, written(tmp_path, "none.csv", "study,tp,fn,fp,tn\n"))
    for cell, sentence in (("1.5", "tp of 'x'"), ("-1", "tp of 'x'"), ("", "tp of 'x'")):
        path = written(tmp_path, "bad.csv", f"{STUDIES}x,{cell},1,1,1\n")
        assert sentence in refused(capsys, path)
        assert "line 7" in refused(capsys, path)
    assert "'x'" in refused(capsys, written(tmp_path, "empty.csv", f"{STUDIES}x,0,0,0,0\n"))
    assert "comes twice" in refused(capsys, written(tmp_path, "same.csv", f"{STUDIES}a,1,1,1,1\n"))


def test_a_study_without_diseased_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = asked(capsys, written(tmp_path, "studies.csv", f"{STUDIES}healthy only,0,0,3,40\n"))
    assert any("no case to count sensitivity from" in note for note in data["notes"])
