"""Files of the answers of several models under one judge."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from howsure.errors import InvalidFile
from howsure.io import read_judged

LONG = "item,model,verdict,label\n1,A,pass,pass\n1,B,pass,fail\n2,A,fail,\n2,B,fail,\n"


def written(path: Path, text: str, name: str = "judged.csv") -> Path:
    file = path / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        LONG.replace(",", ";"),
        LONG.replace("item,model,verdict,label", "case_id,classifier,judge,human"),
        "item,verdict_A,label_A,verdict_B,label_B\n1,pass,pass,pass,fail\n2,fail,,fail,\n",
        "item,judge_A,human_A,judge_B,human_B\n1,pass,pass,pass,fail\n2,fail,NA,fail,null\n",
        '{"item": 1, "model": "A", "verdict": "pass", "label": "pass"}\n'
        '{"item": 1, "model": "B", "verdict": "pass", "label": "fail"}\n'
        '{"item": 2, "model": "A", "verdict": "fail", "label": null}\n'
        '{"item": 2, "model": "B", "verdict": "fail", "label": null}\n',
    ],
)
def test_every_layout_says_the_same(tmp_path: Path, text: str) -> None:
    judged = read_judged(written(tmp_path, text))
    pairs = judged.pairs("A", "B", "pass")
    assert pairs.totals.tolist() == [1, 0, 0, 1]
    assert pairs.both[3].tolist() == [0, 0, 1, 0]
    packed = tmp_path / "judged.csv.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert read_judged(packed).confusion("A") == judged.confusion("A")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,verdict,label\n1,pass,pass\n", "there is no column for model alone among"),
        ("model,verdict,label\nA,pass,pass\n", "there is no column for item alone among"),
        ("item,model,label\n1,A,pass\n", "there is no column for verdict alone among"),
        ("item,model,verdict,judge,label\n1,A,pass,pass,pass\n", "two columns for verdict: "),
        ("item,model,verdict\n1,A,pass\n", "there is no column for label alone among"),
        ("item,case,model,verdict,label\n1,1,A,pass,pass\n", r"two columns for the id of a case: 'item', 'case'\."),
        (LONG + "2,B,fail,fail\n", "comes twice for classifier 'B'"),
        (LONG + "3,B,,fail\n", "have a label and no verdict"),
        (LONG.replace("1,B,pass,fail", "1,B,pass,"), "no answer of 'B' has a label"),
        ("item,verdict_A,label_A,verdict_B\n1,pass,pass,pass\n", "one of the two is missing for B"),
        ("item,model,verdict,label\n1,A,pass\n", "cells"),
    ],
)
def test_what_is_refused_names_the_file(tmp_path: Path, text: str, said: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(InvalidFile, match=said) as caught:
        read_judged(file)
    assert str(caught.value).startswith(str(file))


def test_a_json_document_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="one JSON document"):
        read_judged(written(tmp_path, "[1, 2]", "judged.json"))
