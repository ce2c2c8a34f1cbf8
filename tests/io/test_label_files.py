"""Labels in a file of their own, joined to a table or a log by the item; and the options of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.io.test_judged import EXPECTED, ROWS, text_of

from howsure.errors import InvalidArgument, InvalidFile
from howsure.io import Reading, read

REFERENCE = Path(__file__).parents[1] / "reference"


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def make(first: str, second: str, *, missing: str = "estimate", **options: Any) -> Reading:
        Path("verdicts.csv").write_text(first)
        Path("labels.csv").write_text(second)
        return read("verdicts.csv", labels_from="labels.csv", missing=missing, **options)  # type: ignore[arg-type]

    return make


VERDICTS = text_of("item,verdict,score", [(a, b, 0.5) for a, b, _ in ROWS])
LABELS = text_of("item,label", [(a, c) for a, _, c in reversed(ROWS)])


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        LABELS.replace("item,label", "who,what"),
        LABELS.replace("q2,\n", "").replace("item,label", "question_id,human"),
        LABELS.replace(",", ";"),
        text_of("comment,id,label,name of checker", [("x", a, c, "me") for a, _, c in ROWS]),
        text_of("sample id,Human label,comment", [(a, c, "x") for a, _, c in ROWS]),
    ],
)
def test_labels_of_a_second_file_are_joined_by_the_item(two: Any, labels: str) -> None:
    reading = two(VERDICTS, labels)
    assert reading.confusion == EXPECTED
    assert "Labels of 3 items are from labels.csv." in reading.notes
    assert two(VERDICTS, labels, missing="exclude").confusion.counts.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]


def test_the_column_of_labels_may_be_named(two: Any) -> None:
    labels = text_of("item,who,what", [(a, "me", c) for a, _, c in ROWS])
    assert two(VERDICTS, labels, y_true="what").confusion == EXPECTED
    with pytest.raises(InvalidFile, match="there is no column for items and one for labels"):
        two(VERDICTS, labels, y_true="why")


def test_labels_of_several_models(two: Any) -> None:
    long = text_of("item,model,verdict", [(a, m, b) for a, b, _ in ROWS for m in ("gpt", "llama")])
    labels = text_of("item,model,label", [(a, "gpt", c) for a, _, c in ROWS])
    assert two(long, labels, model="gpt").confusion == EXPECTED
    with pytest.raises(InvalidFile, match=r"verdicts.csv has a column of models and labels.csv has none"):
        two(long, LABELS, model="gpt")


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (VERDICTS, LABELS.replace("q", "z"), "3 of 3 labelled items are not in verdicts.csv .first: 'z5'.. Is it"),
        (VERDICTS, LABELS.replace("q1", "z1"), r"1 of 3 labelled items are not in verdicts\.csv"),
        (VERDICTS, LABELS.replace("q4", "q1"), "line 6: the item 'q1' comes twice, also in line"),
        (VERDICTS, LABELS.replace("q1", ""), "line 6: the item of a label is missing; fill it"),
        (VERDICTS, "item,label\nq1,\n", "no case has a label, so the judge's rates are"),
        (VERDICTS, "item,id,label\nq1,1,a\n", "there is no column for items and one for labels"),
        (VERDICTS, "item,a,b\nq1,1,a\n", "there is no column for items and one for labels"),
        (VERDICTS, '{"counts": [[1, 2], [3, 4]]}', "it is one JSON document"),
        ("verdict,why\npass,x\n", LABELS, r"there is no column for items \(id, item,"),
        ('{"counts": [[1, 2], [3, 4]]}', LABELS, r"labels \('labels\.csv'\) is a column of a list"),
    ],
)
def test_second_files_that_are_refused(two: Any, first: str, second: str, words: str) -> None:
    with pytest.raises(InvalidFile, match=words):
        two(first, second)


def test_labels_of_some_need_a_word_on_the_others(two: Any) -> None:
    with pytest.raises(InvalidArgument, match="say missing='estimate' if these were chosen at random"):
        two(VERDICTS, LABELS, missing="error")


@pytest.mark.parametrize("words", [("right", "wrong"), ("Pass", "Fail"), ("1", "0"), ("correct", "incorrect")])
def test_a_log_and_a_sheet_of_labels(tmp_path: Path, words: tuple[str, str]) -> None:
    lines = [{"doc_id": i, "doc_hash": f"h{i}", "filter": "none", "acc": i % 3 > 0} for i in range(30)]
    log, labels = tmp_path / "log.jsonl", tmp_path / "labels.csv"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    labels.write_text(f"item,human\nh1,{words[0]}\nh2,{words[1]}\nh3,{words[1]}\n")
    made = read(log, labels_from=str(labels), missing="estimate").confusion
    expected = [[1, 1], [0, 1]]  # h1 and h2 are called right
    assert (made.labels, made.positive) == (("wrong", "right"), "right")
    assert made.counts.tolist() == expected
    assert made.unlabelled == {"right": 18, "wrong": 9}
    labels.write_text("item,human\nh1,perhaps\n")
    with pytest.raises(InvalidFile, match=r"a label must be right or wrong \(right,"):
        read(log, labels_from=str(labels), missing="estimate")


def test_a_log_of_inspect_whose_items_come_again_has_several_answers(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("item,label\nfour,right\n")
    with pytest.raises(InvalidFile, match=r"comes twice.*one label per item is counted"):
        read(REFERENCE / "inspect.eval", labels_from=str(labels), missing="estimate")


# -- the command line --------------------------------------------------------------------------------------------
