"""Files of items with more than right and wrong: each shape of the table, and what is said of other cells."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.io.forms import kind_of

from howsure.errors import HowsureError, InvalidFile
from howsure.io.items import looks_like_items, read_items
from howsure.knowledge.protocol import Of


def text(*rows: str) -> io.StringIO:
    return io.StringIO("\n".join(rows) + "\n")


def test_long_scores_with_systems_runs_and_groups() -> None:
    rows = [f"q{i},{m},{r},{'ab'[i % 2]},{i % 4 + r}" for i in range(8) for m in ("new", "old") for r in (1, 2)]
    read = read_items(text("question,model,run,topic,score", *rows), group="topic", range=(0, 5))
    assert (read.names, read.size(), read.runs is not None) == (("new", "old"), 2, True)
    assert read.scores("new").tolist() == [i % 4 + 1.5 for i in range(8)]
    named = read_items(text("q,points", "a,3", "b,4"), item="q", score="points")
    assert named.measured("mean").called == "mean of points"
    assert named.observed(Of("mean")) == 3.5


def test_wide_scores_are_a_column_a_system() -> None:
    read = read_items(text("item,bm25,dense", *(f"{i},{i / 10},{i / 20}" for i in range(8))), range=(0, 1))
    assert read.names == ("bm25", "dense")
    assert read.observed(Of("mean", "bm25")) == pytest.approx(0.35)
    assert "Each column of scores is a system: bm25, dense." in read.notes


def test_numerators_and_denominators_counts_labels_and_bleu() -> None:
    speech = read_items(text("utterance_id,errors,words", "a,1,7", "b,0,12", "c,3,0"))
    assert speech.metrics[0] == "wer"
    assert speech.observed(Of("wer")) == pytest.approx(4 / 19)
    assert speech.notes == ("1 item with a denominator of 0: what is counted there stays in the sum.",)
    spans = read_items(text("item,label,tp,fp,fn", "d1,PER,2,0,1", "d1,LOC,1,1,0", "d2,PER,1,0,0"))
    assert spans.labels == ("PER", "LOC")
    assert spans.observed(Of("f1@micro")) == pytest.approx(8 / 10)
    tags = read_items(text("id,y_true,pred_a,pred_b", "1,cat|dog,cat,cat|dog", "2,dog,dog,", "3,,cat,"))
    assert tags.names == ("a", "b")
    assert tags.observed(Of("recall@micro", "a")) == pytest.approx(2 / 3)
    assert tags.observed(Of("exact_match", "b")) == pytest.approx(2 / 3)
    head = (
        "item,"
        + ",".join([*(f"match{n}" for n in range(1, 5)), *(f"total{n}" for n in range(1, 5))])
        + ",hyp_len,ref_len"
    )
    counts = read_items(text(head, "1,4,3,2,1,4,3,2,1,4,8", "2,4,3,2,1,4,3,2,1,4,8"))
    assert counts.observed(Of("bleu")) == pytest.approx(100 * np.exp(-1))


def test_two_files_are_two_systems_paired_by_item(tmp_path: Path) -> None:
    for name, more in (("new", 1), ("old", 0)):
        rows = [f"{i},{i % 3 + more}" for i in (range(8) if more else reversed(range(8)))]
        (tmp_path / f"{name}.csv").write_text("item,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    read = read_items(tmp_path / "new.csv", tmp_path / "old.csv", range=(0, 5))
    assert read.names == ("new", "old")
    assert (read.scores("new") - read.scores("old")).tolist() == [1.0] * 8


def test_logs_whose_scores_are_not_0_and_1(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"testIdx": i, "promptIdx": 0, "provider": {"id": name}, "score": score, "success": True, "vars": {}}
        for name, scores in (("gpt", [0.2, 0.9]), ("llama", [0.4, 0.5])) for i, score in enumerate(scores)
    ]  # fmt: skip
    path = tmp_path / "promptfoo.json"
    path.write_text(json.dumps({"results": {"version": 3, "results": rows}}), encoding="utf-8")
    with pytest.raises(InvalidFile, match="several scores of each answer: 'score', 'success'"):
        read_items(path)
    read = read_items(path, score="score")
    assert read.names == ("gpt", "llama")
    assert read.scores("gpt").tolist() == [0.2, 0.9]


def test_a_table_is_known_by_its_header_and_right_and_wrong_is_left_to_others(tmp_path: Path) -> None:
    def known(*rows: str) -> bool:
        path = tmp_path / "table.csv"
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        return looks_like_items(str(path))

    assert known("item,score", "a,3", "b,4")
    assert known("id,errors,words", "a,3,10", "b,4,20")
    assert not known("item,score", "a,1", "b,0")
    assert not known("y_true,y_pred", "a,b", "b,b")
    assert not known("item,y_true,score", "1,a,0.3", "2,b,0.4")
    assert not known("name,score,n", "a,0.8,100", "b,0.7,100")
    assert not known("true\\pred,a,b", "a,3,4", "b,1,2")
    assert not looks_like_items("-")


BAD = [
    (("item,score", "a,3", "b,"), {}, "1 row without a score (first: row 2, item 'b')"),
    (("item,score", "a,3", "b,good"), {}, "numbers_and_words"),
    (("item,score", "a,3", "b,7"), {"range": (1, 5)}, "the score of item 'b' (row 2) is 7, outside the range 1 to 5"),
    (("item,score", "a,3", "b,inf"), {}, "inf"),
    (("item,errors,words", "a,1,x", "b,1,2"), {}, "not_a"),
    (("item,errors,words", "a,1,0", "b,1,0"), {}, "the denominators add up to zero"),
    (("item,model,score", "a,x,3", "b,x,4", "a,y,3"), {}, "1 item of 2 are not answered by all (1 by y)"),
    (("item,A,B", "a,0.3,0.2", "a,0.4,0.1"), {}, "item 'a' comes 2 times of 'A'; if these are runs"),
    (("q,score", "a,3"), {"item": "question"}, "absent"),
]


@pytest.mark.parametrize(("rows", "options", "words"), BAD)
def test_what_is_no_score_is_refused_with_the_file(rows: tuple[str, ...], options: dict[str, Any], words: str) -> None:
    with pytest.raises(HowsureError) as refusal:
        read_items(text(*rows), **options)
    assert words in kind_of(refusal.value)
    assert isinstance(refusal.value, InvalidFile)
