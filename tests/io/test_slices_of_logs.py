"""Slices of logs of evaluations: a field of the questions, or each log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from howsure.cli import main
from howsure.errors import InvalidArgument, InvalidFile
from howsure.io.logs.log import slices_of_logs

LEVELS = ("school", "college")


def harness(folder: Path, name: str, n: int, right: int, **more: object) -> str:
    """Samples of a subtask: the first ``right`` of ``n`` are, and levels alternate."""
    rows = [
        {"doc_id": i, "doc_hash": f"{name}{i}", "filter": "none", "acc": float(i < right),
         "doc": {"level": LEVELS[i % 2]}, **more}
        for i in range(n)
    ]  # fmt: skip
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def logs(tmp_path: Path) -> list[str]:
    return [harness(tmp_path, "law", 20, 10), harness(tmp_path, "art", 30, 24), harness(tmp_path, "physics", 10, 9)]


def test_a_field_makes_slices_over_all_logs(logs: list[str]) -> None:
    made, _ = slices_of_logs(logs, ["level"])
    found = {name: made.confusion(name).counts[1].tolist() for name in made.names}
    # the first ten of law, 24 of art and nine of physics are right, and levels alternate
    assert found == {"school": [30 - 22, 22], "college": [30 - 21, 21]}
    two, _ = slices_of_logs(logs[:1], ["level", "doc_id"])
    assert two.by == ("level", "doc_id")
    assert len(two) == 20


def test_the_command_reads_what_the_function_reads(
    logs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["slices", *logs, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["slices"][0]["name"] == "law"
    assert {row["name"]: row["cases"] for row in made["slices"]} == {"law": 20, "art": 30, "physics": 10}
    assert main(["slices", *logs, "--by", "level", "-o", str(tmp_path / "out.csv")]) == 0
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").count("\n") == 3


def test_what_is_no_log_or_not_enough_is_told(logs: list[str], tmp_path: Path) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("y_true,y_pred\n1,1\n", encoding="utf-8")
    twice = harness(tmp_path, "twice", 6, 3)
    rows = Path(twice).read_text(encoding="utf-8")
    Path(twice).write_text(rows.replace('"doc_hash": "twice1"', '"doc_hash": "twice0"'), encoding="utf-8")
    for paths, by, kind, words in (
        (logs[:1], [], InvalidArgument, "name the field"),
        ([logs[0], str(table)], [], InvalidFile, "not a log of an evaluation"),
        (logs, ["nothing"], InvalidFile, "to name its slice"),
        ([logs[0], logs[0]], [], InvalidArgument, "comes twice"),
    ):
        with pytest.raises(kind, match=words):
            slices_of_logs(paths, by)
    other = harness(tmp_path, "other", 6, 3, exact_match=1.0)
    with pytest.raises(InvalidFile, match="--pred"):
        slices_of_logs([logs[0], other])
    assert slices_of_logs([logs[0], other], score="acc")[0].n == 26


def test_epochs_are_refused_because_their_answers_are_alike() -> None:
    with pytest.raises(InvalidArgument, match="several epochs"):
        slices_of_logs(["examples/epochs_new.json"], ["passage"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--positive", "x"], "leave --positive out"),
        (["--metric", "f1"], "accuracy or error_rate"),
        (["--labels", "a,b"], "leave --labels out"),
    ],
)
def test_options_of_classes_are_refused(
    logs: list[str], words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["slices", *logs, *words]) == 2
    assert said in " ".join(capsys.readouterr().err.split())
