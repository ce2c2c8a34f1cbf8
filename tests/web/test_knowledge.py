"""Items with scores, battles and ratings on the page: what a text is recognised as, and what is answered."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.errors import InvalidFile
from howsure.web import handle
from howsure.web.limits import PRIVATE
from howsure.web.schema import InvalidRequest

EXAMPLES = Path(__file__).parents[2] / "examples"
A, B = ([0.1 + (i * k % 11) / 16 for i in range(12)] for k in (5, 7))
TWO = "item,A,B\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(zip(A, B, strict=True)))


def text_of(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "kind", "names"),
    [
        ("items_rubric.csv", ["items"], ["new", "old"]),
        ("items_wer.csv", ["items"], [""]),
        ("items_labels.csv", ["items"], [""]),
        ("items_ndcg.csv", ["items", "ratings"], ["cosine", "euclidean"]),
        ("votes.csv", ["votes"], ["alpaca-13b", "gpt-4", "koala-13b", "vicuna-13b"]),
        ("sentiment_ratings.csv", ["ratings"], ["ann", "bob", "eve", "gpt"]),
    ],
)
@pytest.mark.parametrize("verb", ["import", "paste"])
def test_a_text_is_recognised(verb: str, name: str, kind: list[str], names: list[str]) -> None:
    read = handle({"verb": verb, "text": text_of(name)})
    assert (read["kind"], read["of"], read["kinds"], sorted(read["names"])) == ("data", kind[0], kind, names)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("true\\pred,a,b\na,9,1\nb,2,8\n", "matrix"),
        ("name,score,n\na,0.9,100\nb,0.8,100\n", "leaderboard"),
        ("id,y_true,A,B\n1,a,a,a\n2,b,a,b\n3,b,b,b\n", "paired"),
        ("y_true,y_pred\na,a\nb,b\nb,a\n", "matrix"),
    ],
)
def test_what_was_read_before_is_read_as_before(text: str, kind: str) -> None:
    assert handle({"verb": "import", "text": text})["kind"] == kind


def test_the_numbers_are_those_of_the_library() -> None:
    ask = {"verb": "ask", "of": "items", "text": TWO}
    known = hs.Items.from_columns([*range(12)] * 2, [*A, *B], system=[*"A" * 12, *"B" * 12])
    better = handle({**ask, "question": "compare", "a": "B", "b": "A"})["result"]["p_better"]
    assert better == hs.compare(known, "B", "A").p_better
    first = handle({**ask, "question": "rank"})["result"]["entries"][0]
    assert first["p_best"] == hs.rank(known).entries[0].p_best


def test_the_scale_of_scores_has_both_ends() -> None:
    ask = {"verb": "ask", "of": "items", "question": "report", "text": TWO}
    narrow = handle({**ask, "low": 0, "high": 1})["result"]["rows"][0]
    wide = handle({**ask, "low": -5, "high": 5})["result"]["rows"][0]
    assert narrow["high"] - narrow["low"] < wide["high"] - wide["low"]
    with pytest.raises(InvalidRequest, match="both ends") as caught:
        handle({**ask, "low": 0})
    assert caught.value.field == "high"


@pytest.mark.parametrize(
    ("request_of", "problem"),
    [
        ({"of": "ratings", "question": "rank", "text": "item,ann,bob\n1,y,y\n2,n,n\n3,y,n\n"}, "under Evaluate"),
        ({"of": "items", "question": "compare", "text": "item,score\n1,3\n2,4\n3,5\n"}, "under Evaluate"),
        ({"of": "votes", "question": "rank", "text": "model_a,model_b,winner\nx,x,x\n"}, "at least two models"),
    ],
)
def test_what_has_no_answer_is_refused_in_a_sentence(request_of: dict[str, Any], problem: str) -> None:
    with pytest.raises(hs.errors.HowsureError, match=problem) as caught:
        handle({"verb": "ask", **request_of})
    assert "--" not in str(caught.value)


def test_a_text_that_cannot_be_sent_again_is_refused_when_it_is_read() -> None:
    with pytest.raises(InvalidFile, match="the page keeps"):
        handle({"verb": "import", "text": TWO * 200}, limits=replace(PRIVATE, body=2**14))


def test_a_sheet_of_a_workbook_is_kept_as_text() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    import io

    book = openpyxl.Workbook()
    for line in TWO.splitlines():
        book.active.append([cell if not cell[0].isdigit() else float(cell) for cell in line.split(",")])
    raw = io.BytesIO()
    book.save(raw)
    read = handle({"verb": "import", "text": b64encode(raw.getvalue()).decode(), "ending": ".xlsx"})
    assert (read["of"], read["names"], read["ending"]) == ("items", ["A", "B"], "")
    answer = handle({"verb": "ask", "of": "items", "question": "compare", "text": read["text"]})
    assert answer["result"]["a"]["observed"] == pytest.approx(sum(A) / 12)


@pytest.mark.full
@pytest.mark.parametrize("ending", [".html", ".csv", ".json", ".md", ".tex"])
def test_an_answer_is_a_file(ending: str) -> None:
    for of, question, name in (("votes", "rank", "votes.csv"), ("ratings", "report", "sentiment_ratings.csv")):
        asked = {"of": of, "question": question, "text": text_of(name)}
        file = handle({"verb": "export", "of": "ask", "request": asked, "ending": ending})
        assert file["name"] == f"howsure-ask{ending}"
        sentence = handle({"verb": "ask", **asked})["shown"]["verdict"]
        if ending == ".json":
            assert json.loads(file["text"])["verdict"] == sentence
        elif ending in (".html", ".md"):
            assert sentence[-20:].replace(">", "&gt;" if ending == ".html" else ">") in file["text"]
        else:
            assert file["text"].count("\n") > 4


def test_the_code_asks_for_the_metric_that_was_chosen() -> None:
    ask = {"verb": "ask", "of": "items", "text": TWO, "question": "compare", "metric": "median"}
    answer = handle(ask)
    assert answer["result"]["metric"] == "median"
    assert "metric='median'" in str(answer["code"]) or 'metric="median"' in str(answer["code"])
    assert "median" in str(answer["code"]).partition("howsure compare")[2]
