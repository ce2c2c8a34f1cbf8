"""``howsure gate`` and the paired ``howsure rank``: exit status, baselines, summaries, bad input in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.cli.test_cli import complaint, howsure

from howsure.cli.output import LARGEST
from howsure.io import read
from howsure.io.replacing import replace_text


def cases(path: Path, wrong: range, ids: bool = True, n: int = 200) -> Path:
    """Answers to n cases, wrong on some of them."""
    lines = ["id,y_true,y_pred" if ids else "y_true,y_pred"]
    for i in range(n):
        true = "cat" if i % 2 else "dog"
        answer = {"cat": "dog", "dog": "cat"}[true] if i in wrong else true
        lines.append((f"case{i}," if ids else "") + f"{true},{answer}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(autouse=True)
def _no_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.mark.parametrize("ids", [True, False])
def test_a_baseline_is_written_read_and_replaced(tmp_path: Path, ids: bool) -> None:
    baseline = tmp_path / "baseline.json"
    first = str(cases(tmp_path / "first.csv", range(30), ids))
    arguments = ("gate", "--baseline", str(baseline), "-m", "accuracy", "--update-baseline")
    done = howsure(*arguments, "--candidate", first)
    assert done.returncode == 0
    assert "there was no baseline yet" in done.stdout
    written = baseline.read_text()
    assert max(map(len, written.splitlines())) < 100
    assert read(baseline).confusion == read(first).confusion
    # nothing gained: the file stays, byte for byte
    done = howsure(*arguments, "--candidate", first)
    assert (done.returncode, baseline.read_text()) == (3, written)
    assert "left as it is" in done.stderr
    better = str(cases(tmp_path / "better.csv", range(2), ids))
    done = howsure(*arguments, "--candidate", better)
    assert done.returncode == 0
    assert ("Paired, the same 200 cases" in done.stdout) is ids
    assert read(baseline).confusion == read(better).confusion
    assert sorted(p.name for p in tmp_path.iterdir()) == ["baseline.json", "better.csv", "first.csv"]


def test_a_baseline_of_odd_labels_comes_back(tmp_path: Path) -> None:
    """Words for missing answers, leading zeros, quotes and formulas are labels like others once they are classes."""
    odd = ["NA", "01", 'say "a, b"', "=1+1"]
    path = tmp_path / "odd.jsonl"
    rng = np.random.default_rng(0)
    rows = [{"id": f"x{i}", "y_true": odd[rng.integers(4)], "y_pred": odd[rng.integers(4)]} for i in range(60)]
    path.write_text("\n".join(map(json.dumps, rows)))
    labels = "NA,01,=1+1"
    done = howsure("gate", "--candidate", str(path), "--baseline", str(tmp_path / "b.json"), "--update-baseline")
    assert "missing" in complaint(done)
    for row in rows:
        row["y_true"], row["y_pred"] = (str(row[k]).replace('say "a, b"', "01") for k in ("y_true", "y_pred"))
    path.write_text("\n".join(map(json.dumps, rows)))
    options = ("--candidate", str(path), "--baseline", str(tmp_path / "b.json"))
    assert howsure("gate", *options, "--labels", labels, "--update-baseline").returncode == 0
    assert read(tmp_path / "b.json").confusion == read(path, labels=labels.split(",")).confusion
    done = howsure("gate", *options, "--labels", labels, "-m", "accuracy")
    assert "Paired, the same 60 cases" in done.stdout


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "b.json"
    target.write_text("old")
    target.chmod(0o640)

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(ValueError, match="No space left"):
        replace_text(target, "new")
    assert (target.read_text(), len(list(tmp_path.iterdir()))) == ("old", 1)
    monkeypatch.undo()
    link = tmp_path / "link.json"
    link.symlink_to(target)
    replace_text(link, "new")
    assert (target.read_text(), link.is_symlink(), target.stat().st_mode & 0o777) == ("new", True, 0o640)


def test_junit_and_the_step_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = str(cases(tmp_path / "good.csv", range(4))), str(cases(tmp_path / "bad.csv", range(30)))
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    report = tmp_path / "gate.xml"
    done = howsure("gate", "--candidate", bad, "--baseline", good, "-m", "accuracy", "--junit", str(report))
    assert done.returncode == 1
    assert ElementTree.parse(report).getroot().attrib["failures"] == "1"
    assert summary.read_text().startswith("before\n")
    assert "| accuracy | fail |" in summary.read_text()
    summary.write_text("x" * (LARGEST - 300))
    howsure("gate", "--candidate", bad, "--baseline", good)
    assert LARGEST - 300 < summary.stat().st_size <= LARGEST
    assert summary.read_text().endswith("1024 KiB)\n")
    summary.write_text("x" * LARGEST)
    done = howsure("gate", "--candidate", bad, "--baseline", good)
    assert done.returncode == 1
    assert "summary is full" in done.stderr
    assert summary.stat().st_size == LARGEST
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "nowhere" / "summary.md"))
    done = howsure("gate", "--candidate", bad, "--baseline", good)
    assert (done.returncode, "cannot be written" in done.stderr) == (1, True)


# -- rank -----------------------------------------------------------------------------------------------------


def test_a_candidate_that_leaves_cases_of_the_baseline_out_is_refused(tmp_path: Path) -> None:
    full, right = cases(tmp_path / "full.csv", range(30)), tmp_path / "right.csv"
    header, *lines = full.read_text().splitlines()
    right.write_text("\n".join([header, *lines[30:]]) + "\n")  # all but its errors
    asked = ("gate", "--candidate", str(right), "--baseline", str(full), "--metric", "accuracy", "--margin", "0.05")
    told = complaint(howsure(*asked))
    assert "no row of 30 cases that the baseline has answered (first: case0)" in told
    assert "--missing exclude" in told
    done = howsure(*asked, "--missing", "exclude", "--json", "--junit", str(tmp_path / "gate.xml"))
    (said,) = json.loads(done.stdout)["warnings"]
    assert said.startswith("The candidate has no row of 30 cases")
    assert said in ElementTree.fromstring((tmp_path / "gate.xml").read_text()).findtext("system-err")
    assert said in howsure(*asked, "--missing", "exclude", "--markdown").stdout
    more = json.loads(howsure("gate", "--candidate", str(full), "--baseline", str(right), "--json").stdout)
    assert more["warnings"] == []  # cases that only the candidate has are no loss
    for file in (full, right):
        first, *rest = file.read_text().splitlines()
        file.write_text("\n".join([f"{first},lang", *(f"{line},en" for line in rest)]) + "\n")
    assert "no row of 30 cases" in complaint(howsure(*asked, "--by", "lang"))
