"""``howsure pool``: every layout of sites, and sentences for files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from howsure.cli import main

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


@pytest.mark.full
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
