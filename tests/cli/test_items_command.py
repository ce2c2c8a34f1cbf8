"""The four commands on files of items with scores, as GRADED asks for: read aloud by what they print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from howsure.cli import main


def judged(path: Path) -> str:
    """Twelve questions, two systems, two runs."""
    rows = [
        f"q{i},{model},{run},{min(5, 3 + (i + run) % 3 + (model == 'new') * (i % 2))}"
        for i in range(12) for model in ("new", "old") for run in (1, 2)
    ]  # fmt: skip
    path.write_text("question,model,run,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


def test_report_prints_observed_first_and_these_items_below(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", judged(tmp_path / "judged.csv"), "--range", "1,5", "--above", "4"]) == 0
    shown = capsys.readouterr().out
    assert "12 items, 2 runs each, scores 1 to 5 (stated); a unit is an item, its score the mean of its runs." in shown
    assert "95% central" in shown
    assert "note: new: Same items, new runs: " in shown
    assert "one more run of every item narrows the interval by" in shown
    assert "If there are failures that these 12 items do not show" in shown
    assert main(["report", judged(tmp_path / "judged.csv"), "--range", "1,5", "--kind", "hdi", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["interval"] == "hdi"


def test_compare_rank_and_gate_are_paired_by_item(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = judged(tmp_path / "judged.csv")
    assert main(["compare", path, "--range", "1,5", "--a", "new", "--b", "old", "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert (compared["paired"], compared["difference"]["interval"]) == (True, "central")
    assert main(["gate", "--candidate", path, "--a", "new", "--b", "old", "--range", "1,5", "--mode", "superiority",
                 "--json"]) in (0, 3)  # fmt: skip
    gated = json.loads(capsys.readouterr().out)
    assert gated["metrics"][0]["p_pass"] == compared["p_better"]
    assert main(["rank", path, "--range", "1,5", "--draws", "2000"]) == 0
    assert "2 systems by mean of score" in capsys.readouterr().out
