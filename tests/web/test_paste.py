"""What is pasted into a cell of the page: the readers of files read it, and sentences say what is none."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from tests.dialects import REFUSED, SAME
from tests.web.client import ask

from howsure.errors import HowsureError, InvalidFile
from howsure.io import read
from howsure.web.answering import complaint, handle
from howsure.web.app import Settings, make_app
from howsure.web.schema import InvalidRequest

ASSUMED = "Rows were taken as the true class; if they are not, transpose."


def pasted(text: str, **more: Any) -> dict[str, Any]:
    return handle({"verb": "paste", "text": text, **more})


@pytest.mark.parametrize(("text", "classes", "rows"), [SAME[1], SAME[4], SAME[21]])
def test_one_matrix_in_many_dialects(text: str, classes: tuple[str, str] | None, rows: str | None) -> None:
    found = pasted(text, classes=["ours", "theirs"])
    assert found["kind"] == "matrix"
    assert found["matrix"]["counts"] == [[6, 2], [0, 26]]
    # names of the matrix on the page stay where the text has none
    assert found["matrix"]["classes"] == list(classes or ("ours", "theirs"))
    assert (ASSUMED in found["notes"]) == (rows is None)
    assert any("rows are predicted classes" in note for note in found["notes"]) == (rows == "pred")


@pytest.mark.parametrize(("text", "words"), REFUSED[::4], ids=lambda value: value[:20])
def test_what_is_no_matrix_gets_the_sentence_of_a_file(text: str, words: str) -> None:
    with pytest.raises(InvalidFile) as caught:
        pasted(text)
    assert str(caught.value).startswith("the pasted text")
    assert words in str(caught.value)
    with pytest.raises(InvalidFile) as of_file:
        read(io.StringIO(text))
    assert (of_file.value.problem, of_file.value.line) == (caught.value.problem, caught.value.line)


def test_totals_and_printed_tables_are_read_on_the_page_too() -> None:
    bare = pasted("6\t2\t8\n0\t26\t26\n6\t28\t34\n", classes=["low", "high"])
    assert (bare["matrix"]["classes"], bare["matrix"]["counts"]) == (["low", "high"], [[6, 2], [0, 26]])
    lent = "The names are those that stood here: 'low' is the first row and column."
    assert bare["notes"] == ["The last row and column are totals of the others and were left out.", ASSUMED, lent]
    assert pasted("6\t2\n0\t26\n", classes=["class 1", "class 2"])["notes"] == [ASSUMED]  # which says nothing
    named = pasted("true\\pred,low,high,both\nlow,6,2,8\nhigh,0,26,26\nboth,6,28,34\n")
    assert named["notes"] == ["The last row and column ('both') are totals of the others and were left out."]
    printed = pasted("\tD+\tD-\nT+\t45\t8\nT-\t5\t92\n", classes=["low", "high"])
    assert printed["matrix"] == {
        "classes": ["negative", "positive"], "counts": [[92, 8], [5, 45]], "positive": "positive"
    }  # fmt: skip
    for text in ("TP=45 FN=5 FP=8 TN=92", "TP 45 FN 5 FP 8 TN 92", "TP 45, FN 5, FP 8, TN 92"):
        assert pasted(text)["matrix"]["counts"] == [[92, 8], [5, 45]]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("0.75\t0.25\n0\t1", [[0.75, 0.25], [0, 1]]),
        ("75 %,25 %\n0 %,100 %\n", [["75%", "25%"], ["0%", "100%"]]),  # no counts, though they are whole numbers
    ],
)
def test_shares_are_handed_on_for_the_page_to_ask_for_the_cases(text: str, counts: list[list[object]]) -> None:
    assert pasted(text)["matrix"]["counts"] == counts


def test_a_text_beyond_its_bounds_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="1000000 characters"):
        pasted("9" * 1_000_001)
    with pytest.raises(InvalidFile, match="201 classes, and the page takes 200"):
        pasted("\n".join(",".join("1" * 201) for _ in range(201)))


def test_a_public_server_reads_what_is_pasted() -> None:
    body = json.dumps({"text": "6\t2\n0\t26", "classes": ["low", "high"]}).encode()
    answer = ask(make_app(Settings(public=True)), path="/api/v1/paste", body=body)
    assert answer.status == 200
    assert answer.json["matrix"]["counts"] == [[6, 2], [0, 26]]


@pytest.mark.parametrize(("text", "ending", "entries", "taken"), [
    ("alpha\t91\t100\nbeta\t80\t100\n", ".tsv", [(91, 100), (80, 100)], "name, right answers, number of cases"),
    ("alpha\t90 %\t1,000\nbeta\t80 %\t1,000\n", ".tsv", [(900, 1000), (800, 1000)], "name, score, number of cases"),
    ("3467175,91,50\n3394520,80,50\n", ".csv", [(46, 50), (40, 50)], "name, score, number of cases"),
])  # fmt: skip
def test_a_board_without_its_header_is_read_where_one_is_asked_for(
    text: str, ending: str, entries: list[tuple[int, int]], taken: str
) -> None:
    found = handle({"verb": "import", "text": text, "ending": ending, "board": True})
    assert found["kind"] == "leaderboard"
    assert [(each["correct"], each["n"]) for each in found["entries"]] == entries
    assert found["notes"][0] == f"It has no header; its columns were taken as {taken}."


@pytest.mark.parametrize("text", ["name,score,n\na,0.86,50\nb,0.84,50\n", "true\\pred,a,b\na,45,5\nb,8,42\n"])
def test_what_has_a_header_is_read_the_same_where_a_board_is_asked_for(text: str) -> None:
    asked = {"verb": "import", "text": text, "ending": ".csv"}
    assert handle({**asked, "board": True}) == handle(asked)


def test_a_board_without_its_header_and_its_cases_asks_for_them() -> None:
    asked = {"verb": "import", "text": "alpha\t0.91\nbeta\t0.8\n", "ending": ".tsv", "board": True}
    with pytest.raises(InvalidFile, match="there is no column for the number of cases"):
        handle(asked)
    assert [each["correct"] for each in handle({**asked, "n": 100})["entries"]] == [91, 80]


def test_a_board_with_five_thousand_digits_gets_a_sentence() -> None:
    with pytest.raises(HowsureError):
        handle({"verb": "import", "ending": ".csv", "board": True, "text": f"a,43,50\nb,{'9' * 5_000},50\n"})


def test_where_a_leaderboard_is_asked_for_the_refusal_says_what_it_has() -> None:
    asked = {"verb": "import", "board": True, "text": "Name,Wert,n\nalpha,0.91,200\nbeta,0.9,200\n"}
    with pytest.raises(InvalidFile, match="there is no column for names and right answers"):
        handle(asked)
    cases = handle({**asked, "text": "id,y_true,y_pred\n1,a,a\n2,b,a\n3,b,b\n"})
    assert cases["kind"] == "matrix"


def test_a_class_name_that_is_wrong_has_its_place_in_whichever_matrix() -> None:
    one = {"classes": ["a", "a"], "counts": [[4, 1], [2, 3]]}
    named = [{"name": "old", "matrix": {**one, "classes": ["a", "b"]}}, {"name": "new", "matrix": one}]
    for request, place in (
        ({"verb": "report", "matrix": one}, "matrix.classes"),
        ({"verb": "compare", "classifiers": named, "metric": "accuracy"}, "classifiers[1].matrix.classes"),
    ):
        with pytest.raises(InvalidRequest, match="labels must differ") as refused:
            handle(request)
        assert complaint(refused.value)["field"] == place


BOARDS = [
    "Rank,Team,Accuracy (%),Test cases\n1,Alpha,91.2,2000\n2,Beta One,90.5,2000\n",
    "Rank Team Accuracy (%) Test cases\n1 Alpha 91.2 2000\n2 Beta One 90.5 2000\n",
    "Rank  Team      Accuracy(%)  Test cases\n 1.   Alpha     91.2         2,000\n 2.   Beta One  90.5         2,000\n",
    "1 Alpha 91.2 2000\n2 Beta One 90.5 2000\n",
]


@pytest.mark.parametrize("text", BOARDS)
def test_a_board_is_read_as_boards_are_headed(text: str) -> None:
    read = handle({"verb": "import", "text": text, "board": True})
    assert read["entries"] == [
        {"name": "Alpha", "correct": 1824, "n": 2000},
        {"name": "Beta One", "correct": 1810, "n": 2000},
    ]


@pytest.mark.parametrize("metric", ["AUC", "F1", "Macro F1", "log loss"])
def test_a_board_by_another_score_is_told_what_is_needed(metric: str) -> None:
    for board in (True, False):
        with pytest.raises(InvalidFile, match=r"no share of right answers.*cases of each entry"):
            handle({"verb": "import", "text": f"team,{metric},n\na,0.9,50\nb,0.8,50\n", "board": board})


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n5,1\n2,7\n",
        "x,a,b\na,5,1\nb,2,7\n",
        "id,y_true,y_pred\n1,a,a\n2,b,\n3,a,b\n4,b,b\n",
        "name,score\na,0.9\nb,0.8\n",
        "foo,bar\n1,2\n3,x\n",
    ],
)
def test_a_refusal_on_the_page_names_no_option_of_the_command_line(text: str) -> None:
    with pytest.raises(HowsureError) as caught:
        handle({"verb": "import", "text": text})
    said = complaint(caught.value)["message"]
    assert said is not None
    assert not any(word in said for word in ("--", "y_true=", "y_pred=", "missing=", "howsure "))
