"""Votes from the command line: a leaderboard, one for each slice, two models, and a gate."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from howsure.cli import main

ARENA = str(Path("tests/reference/realworld/arena_votes.csv").resolve())


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main([*words, "--json", "--draws", "2000"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.full
def test_a_leaderboard_in_every_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = answer(capsys, "rank", ARENA)
    entries = board["entries"]
    assert isinstance(entries, list)
    assert [(it["name"], it["tier"]) for it in entries] == [
        ("gpt-4", 1), ("vicuna-13b", 2), ("koala-13b", 3), ("alpaca-13b", 4),
    ]  # fmt: skip
    assert sum(it["mean"] for it in entries) == pytest.approx(4000)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(ARENA).read_bytes())))
    piped = answer(capsys, "rank", "-")
    assert piped["entries"] == entries
    for name in ("out.html", "out.csv", "out.md", "out.tex"):
        assert main(["rank", ARENA, "--draws", "2000", "-o", str(tmp_path / name)]) == 0
        assert "gpt-4" in (tmp_path / name).read_text(encoding="utf-8")


def test_slices_compare_and_gate(capsys: pytest.CaptureFixture[str]) -> None:
    by = answer(capsys, "rank", ARENA, "--by", "language")
    assert by["kind"] == "votes_by"
    compared = answer(capsys, "compare", ARENA, "--a", "koala-13b", "--b", "alpaca-13b")
    assert "In their next battle koala-13b beats alpaca-13b with probability" in str(compared["notes"])
    gated = answer(capsys, "gate", "--candidate", ARENA, "--a", "gpt-4", "--b", "alpaca-13b", "--metric",
                   "win_rate@alpaca-13b", "--margin", "0.1", "--mode", "superiority")  # fmt: skip
    assert gated["verdict"] == "pass"


def test_what_says_nothing_about_battles_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["rank", ARENA, "--prior", "flat"], ["compare", ARENA, "--prior", "flat"],
                  ["gate", "--candidate", ARENA, "--prior", "flat"]):  # fmt: skip
        assert main(words) == 2
        assert "leave --prior out: of battles there is nothing to say about that" in capsys.readouterr().err
    assert main(["rank", "examples/kaggle_recursion.csv", "--simultaneous"]) == 2
    assert "--simultaneous is for battles" in capsys.readouterr().err
    assert main(["rank", ARENA, "--new-test", "100"]) == 2
    assert main(["compare", ARENA]) == 2
    assert "name the two that are compared" in capsys.readouterr().err
