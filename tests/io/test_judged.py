"""Cases without a truth, of one and of several models."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as for_any
from hypothesis import settings
from hypothesis import strategies as st
from tests.conftest import tries

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, InvalidLabels
from howsure.io import Reading, matrix_csv, read, read_judged

ROWS = [
    ("q1", "pass", "pass"),
    ("q2", "fail", ""),
    ("q3", "unsure", ""),
    ("q4", "pass", "fail"),
    ("q5", "fail", "fail"),
]
ESTIMATE = "Or, if the labelled cases were chosen at random (given the prediction), estimate: --missing estimate."


def text_of(header: str, rows: Sequence[Sequence[object]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])
    return file.getvalue()


JUDGED = text_of("item,verdict,label", ROWS)
EXPECTED = ConfusionMatrix(
    [[1, 1, 0], [0, 1, 0]], ["fail", "pass"], verdicts=["fail", "pass", "unsure"], unlabelled=[1, 0, 1]
)


# -- lists -------------------------------------------------------------------------------------------------------


def test_without_a_word_on_it_a_missing_truth_is_refused_with_the_way_out(given: Any, complaint: Any) -> None:
    assert complaint(JUDGED).endswith(f"--missing exclude sets them aside. {ESTIMATE}")
    assert given(JUDGED, missing="exclude").confusion.counts.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
    half = "item,verdict,label\n1,0.5,0.5\n2,0,0\n3,0,\n"
    assert given(half, missing="estimate", labels=["0", "0.5"]).confusion.unlabelled == {"0": 1, "0.5": 0}
    without_verdict = JUDGED.replace("q2,fail", "q2,")
    assert complaint(without_verdict).endswith("--missing exclude sets them aside.")


def test_labels_are_the_true_classes(given: Any, complaint: Any) -> None:
    reading: Reading = given(JUDGED, missing="estimate", labels=["pass", "fail", "unsure"])
    assert reading.confusion.verdicts is not None
    assert reading.confusion.verdicts.truths == 3
    assert reading.confusion.labels == ("pass", "fail", "unsure")
    assert reading.notes == ()
    sentence = complaint(JUDGED, missing="estimate", labels=["pass", "unsure"])
    assert "line 5: outside" in sentence


@pytest.mark.full
def test_without_gaps_estimating_changes_nothing(given: Any) -> None:
    whole = text_of("item,verdict,label", [(a, b, c or "pass") for a, b, c in ROWS])
    assert given(whole, missing="estimate") == given(whole)
    audit = text_of("item,prediction,verdict,label", [(a, b, b, c or "pass") for a, b, c in ROWS])
    assert given(audit, missing="estimate").confusion == given(audit).confusion


def test_an_order_of_the_verdicts(given: Any, complaint: Any) -> None:
    made = given(JUDGED, missing="estimate", order=["fail", "unsure", "perhaps", "pass"]).confusion
    assert made.verdicts.order == ("fail", "unsure", "pass")
    assert "it leaves out 'unsure'" in complaint(JUDGED, missing="estimate", order=["fail", "pass"])
    with pytest.raises(InvalidArgument, match="order= and missing='error' cannot be combined;"):
        read(io.StringIO(JUDGED), order=["fail", "pass"])
    with pytest.raises(InvalidArgument, match="order must be a list of verdicts, not"):
        read(io.StringIO(JUDGED), missing="estimate", order="fail,pass")  # type: ignore[arg-type]


def test_a_column_verdict_is_the_prediction_where_there_is_no_other(given: Any) -> None:
    assert given("item,verdict,label\n1,a,a\n2,b,a\n").confusion.counts.tolist() == [[1, 1], [0, 0]]
    assert given("item,verdict,label,why\n1,a,a,x\n2,b,a,y\n").confusion.counts.tolist() == [[1, 1], [0, 0]]
    beside = given("item,verdict,label,gpt\n1,c,a,a\n2,c,b,b\n")  # as before
    assert beside.confusion.labels == ("a", "b")


LABEL = st.sampled_from(["cat", "dog", "", "NA"])
VERDICT = st.sampled_from(["cat", "dog", "unsure", "1.0", "1"])


@settings(max_examples=tries(60), deadline=None)
@for_any(st.lists(st.tuples(LABEL, VERDICT, VERDICT), min_size=1, max_size=30), st.booleans())
def test_a_file_says_what_its_columns_say(cases: list[tuple[str, str, str]], audit: bool) -> None:
    header = "item,prediction,verdict,label" if audit else "item,verdict,label"
    rows = [(i, *([p, v] if audit else [v]), t) for i, (t, p, v) in enumerate(cases)]
    true = [t if t in ("cat", "dog") else None for t, _, _ in cases]
    pred, judge = ([p for _, p, _ in cases], [v for _, _, v in cases])

    def attempt(call: Any) -> ConfusionMatrix | None:
        try:
            return call()  # type: ignore[no-any-return]
        except HowsureError:
            return None

    columns = {"y_pred": pred, "judge": judge} if audit else {"y_pred": judge}
    labels = ["cat", "dog"]
    made = attempt(lambda: ConfusionMatrix.from_predictions(true, missing="estimate", labels=labels, **columns))
    text = text_of(header, rows)
    assert made == attempt(lambda: read(io.StringIO(text), missing="estimate", labels=labels).confusion)
    lines = "".join(json.dumps(dict(zip(header.split(","), row, strict=True))) + "\n" for row in rows)
    assert made == attempt(lambda: read(io.StringIO(lines), missing="estimate", labels=labels).confusion)
    if made is not None and made.verdicts is not None:
        document = io.StringIO(json.dumps(made.to_dict()))
        assert read(document, missing="estimate").confusion == made
        if not audit:
            assert read(io.StringIO(matrix_csv(made)), missing="estimate", labels=labels).confusion == made


# -- matrices ----------------------------------------------------------------------------------------------------

MATRIX = "true\\pred,fail,pass,unsure\nfail,22,7,3\npass,6,65,4\nunlabelled,572,1328,99\n"
UNSURE = ConfusionMatrix(
    [[22, 7, 3], [6, 65, 4]], ["fail", "pass"], verdicts=["fail", "pass", "unsure"], unlabelled=[572, 1328, 99]
)


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(
    "content",
    [
        MATRIX,
        MATRIX.replace("true\\pred", "").replace("unlabelled", "unverified"),
        "pred\\true,fail,pass,No label\nfail,22,6,572\npass,7,65,1328\nunsure,3,4,99\n",
        "true\\pred,fail,pass,unsure,Total\nfail,22,7,3,32\npass,6,65,4,75\nunlabelled,572,1328,99,1999\n"
        "Total,600,1400,106,2106\n",
    ],
    ids=["rows", "no corner", "turned", "totals"],
)
def test_a_matrix_with_a_row_of_cases_without_a_truth(given: Any, complaint: Any, content: str) -> None:
    assert given(content, missing="estimate").confusion == UNSURE
    sentence = complaint(content)
    assert "set_aside" in sentence
    assert sentence.endswith(ESTIMATE)


def test_the_table_of_drum_and_christacopoulos(given: Any) -> None:
    table = (
        ",Test -,Test +,Total\nDisease -,54,32,86\nDisease +,27,231,258\nUnverified,140,166,306\nTotal,221,429,650\n"
    )
    reading = given(table, missing="estimate")
    expected = ConfusionMatrix([[54, 32], [27, 231]], ["negative", "positive"], unlabelled=[140, 166])
    assert reading.confusion == expected
    assert reading.confusion.positive == "positive"
    aside = given(table, missing="exclude").confusion
    assert aside.verdicts is None
    assert aside.counts.tolist() == [[54, 32], [27, 231]]


def test_a_rectangular_matrix_that_is_labelled_throughout(given: Any, complaint: Any) -> None:
    content = "true\\pred,fail,pass,unsure\nfail,22,7,3\npass,6,65,4\n"
    assert given(content, missing="estimate").confusion.verdicts.truths == 2
    assert "set_aside" in complaint(content)
    assert given(content, missing="exclude").confusion.counts.tolist() == [[22, 7], [6, 65]]
    assert "unlike_sides" in complaint(content.replace("unsure", "other"))


@pytest.mark.parametrize("matrix", [UNSURE, EXPECTED])
def test_documents(given: Any, complaint: Any, matrix: ConfusionMatrix) -> None:
    text = json.dumps(matrix.to_dict())
    assert given(text, "x.json", missing="estimate").confusion == matrix
    ordered = given(text, "x.json", missing="estimate", order=["fail", "unsure", "pass"]).confusion
    assert ordered.verdicts.order == ("fail", "unsure", "pass")
    assert ESTIMATE in complaint(text, "x.json")
    assert "unlike_sides" in complaint(text, "x.json", missing="exclude")
    assert "outside" in complaint(text, "x.json", missing="estimate", labels=["a", "b"])
    broken = {**matrix.to_dict(), "unlabelled": [1]}
    assert "3 verdicts need 3 counts" in complaint(json.dumps(broken), "x.json", missing="estimate")
    square = json.dumps(ConfusionMatrix([[3, 1], [0, 4]], ["a", "b"], unlabelled=[5, 6]).to_dict())
    aside = given(square, "x.json", missing="exclude")
    assert aside.confusion == ConfusionMatrix([[3, 1], [0, 4]], ["a", "b"])
    assert "Set aside: 11 of 19 cases" in aside.notes[0]


def test_what_a_csv_cannot_hold() -> None:
    true, pred, judge = ["a", "b", None], ["a", "b", "b"], ["a", "b", "a"]
    audit = ConfusionMatrix.from_predictions(true, pred, judge=judge, missing="estimate")
    with pytest.raises(InvalidLabels, match="no CSV can hold an audit, whose verdicts are"):
        matrix_csv(audit)
    with pytest.raises(InvalidLabels, match="called as the row"):
        matrix_csv(ConfusionMatrix([[1, 2], [3, 4]], ["a", "unlabelled"], unlabelled=[1, 1]))


# -- files of the answers of several models under one judge -----------------------------------------------------------

LONG = "item,model,verdict,label\n1,A,pass,pass\n1,B,pass,fail\n2,A,fail,\n2,B,fail,\n"


def written(path: Path, text: str, name: str = "judged.csv") -> Path:
    file = path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_json_document_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="one JSON document"):
        read_judged(written(tmp_path, "[1, 2]", "judged.json"))
