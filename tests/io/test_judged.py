"""Files of cases some of which have no truth: every form of them, what is refused, and labels in a second file."""

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

from howsure.cli import main
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, InvalidLabels
from howsure.io import Reading, matrix_csv, read

ROWS = [
    ("q1", "pass", "pass"),
    ("q2", "fail", ""),
    ("q3", "unsure", ""),
    ("q4", "pass", "fail"),
    ("q5", "fail", "fail"),
]
REFERENCE = Path(__file__).parents[1] / "reference"
ESTIMATE = "Or, if the labelled cases were chosen at random (given the answer), estimate: --missing estimate."


def text_of(header: str, rows: Sequence[Sequence[object]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])
    return file.getvalue()


JUDGED = text_of("item,verdict,label", ROWS)
EXPECTED = ConfusionMatrix(
    [[1, 1, 0], [0, 1, 0]], ["fail", "pass"], verdicts=["fail", "pass", "unsure"], unlabelled=[1, 0, 1]
)


# -- lists -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["item,verdict,label", "id,y_pred,y_true", "case,prediction,truth", "id,Judge,gold"])
def test_a_label_may_be_missing_where_the_others_are_estimated(given: Any, header: str) -> None:
    reading: Reading = given(text_of(header, ROWS), missing="estimate")
    assert reading.confusion == EXPECTED
    assert reading.layout == "predictions, 5 cases, 3 of them labelled"
    (note,) = reading.notes
    assert note.startswith("'unsure' is never the truth in 3 labelled cases and is taken as a verdict only; --labels")


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
    assert "line 5: the class 'fail' is not among the labels" in sentence


def test_without_gaps_estimating_changes_nothing(given: Any) -> None:
    whole = text_of("item,verdict,label", [(a, b, c or "pass") for a, b, c in ROWS])
    assert given(whole, missing="estimate") == given(whole)
    audit = text_of("item,prediction,verdict,label", [(a, b, b, c or "pass") for a, b, c in ROWS])
    assert given(audit, missing="estimate").confusion == given(audit).confusion


def test_an_order_of_the_verdicts(given: Any, complaint: Any) -> None:
    made = given(JUDGED, missing="estimate", order=["fail", "unsure", "perhaps", "pass"]).confusion
    assert made.verdicts.order == ("fail", "unsure", "pass")
    assert "it leaves out 'unsure'" in complaint(JUDGED, missing="estimate", order=["fail", "pass"])
    with pytest.raises(InvalidArgument, match="say missing='estimate' as well"):
        read(io.StringIO(JUDGED), order=["fail", "pass"])
    with pytest.raises(InvalidArgument, match="order is a list"):
        read(io.StringIO(JUDGED), missing="estimate", order="fail,pass")  # type: ignore[arg-type]


def test_grades_are_numbers_however_they_are_written(given: Any) -> None:
    graded = "item,verdict,label\n1,1.0,fail\n2,2,\n3,1,pass\n4,5,pass\n5,5.0,\n6,NaN_,\n".replace("NaN_", "3")
    made = given(graded, missing="estimate").confusion
    assert made.verdicts.names == ("1", "2", "3", "5")
    assert made.verdicts.scores.tolist() == [1, 2, 3, 5]
    assert made.unlabelled == {"1": 0, "2": 1, "3": 1, "5": 1}


def test_several_models_of_one_file(given: Any, complaint: Any) -> None:
    long = text_of("item,model,verdict,label", [(a, m, b, c) for a, b, c in ROWS for m in ("gpt", "llama")])
    reading = given(long, missing="estimate", model="gpt")
    assert reading.confusion == EXPECTED
    assert reading.layout == "predictions, 5 cases of gpt, 3 of them labelled"
    assert "holds 2 classifiers: 'gpt', 'llama'. Choose one with --model gpt" in complaint(long, missing="estimate")
    assert ESTIMATE in complaint(long, model="gpt")


def test_a_classifier_audited_by_a_judge(given: Any) -> None:
    rows = [
        ("1", "ill", "ill", "ill"),
        ("2", "well", "ill", ""),
        ("3", "well", "well", "well"),
        ("4", "ill", "well", ""),
    ]
    made = given(text_of("item,prediction,verdict,label", rows), missing="estimate").confusion
    columns = [list(column) for column in zip(*rows, strict=True)]
    assert made == ConfusionMatrix.from_predictions(columns[3], columns[1], judge=columns[2], missing="estimate")
    assert made.verdicts.audit
    plain = given(text_of("item,prediction,verdict,label", rows), missing="exclude")
    assert plain.confusion.n == 2
    assert "Not used: column 'verdict'." in plain.notes


def test_counts_with_an_empty_truth(given: Any, complaint: Any) -> None:
    counts = "true,pred,count\nfail,fail,22\nfail,pass,7\npass,fail,6\npass,pass,65\n,fail,572\n,pass,1328\n"
    reading = given(counts, missing="estimate")
    assert reading.confusion == ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"], unlabelled=[572, 1328])
    assert reading.layout == "list of counts, 2,000 cases, 100 of them labelled"
    assert "1,900 of 2,000 cases" in complaint(counts)


def test_a_column_verdict_is_the_prediction_where_there_is_no_other(given: Any) -> None:
    assert given("item,verdict,label\n1,a,a\n2,b,a\n").confusion.counts.tolist() == [[1, 1], [0, 0]]
    assert given("item,verdict,label,why\n1,a,a,x\n2,b,a,y\n").confusion.counts.tolist() == [[1, 1], [0, 0]]
    beside = given("item,verdict,label,gpt\n1,c,a,a\n2,c,b,b\n")  # as before
    assert beside.confusion.labels == ("a", "b")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (JUDGED.replace("q4,pass", "q4, "), "line 5: a case has a label and no verdict; only the label may be missing"),
        (JUDGED.replace("q2,fail", "q2,NaN"), "line 3: a case has no verdict"),
        (
            JUDGED.replace("q4", "q1"),
            "line 5: the id 'q1' comes twice, in line 2 and here; one label per item is",
        ),
        (JUDGED.replace("q4", " "), "line 5: the id is blank"),
        ("item,verdict,label\n1,a,\n2,b,\n", "no case has a label, so the judge's rates are unknown"),
        ("item,verdict,label\n1,a,a\n2,a,\n", "name all true classes with labels=, two at the least"),
        ("item,verdict,label\n1,.5,a\n2,a,\n", "line 2: the class is '.5', a score"),
        ("item,verdict,label\n1,Pass,pass\n2,Fail,fail\n3,Pass,\n", "Spell them alike"),
        ("item,verdict,judge,prediction,label\n1,a,a,a,a\n", "two columns for the judge's verdict"),
        ("true,pred,count\na,a,0\n,a,0\n", "every count is 0"),
        ("true,pred,count\na,a,9007199254740991\n,a,3\n", "add up to more than 2**53 - 1"),
        ("item,fold,verdict,label\n1,1,a,a\n1,2,b,\n", "one label per item is counted"),
        ("item,verdict,label\n" + "".join(f"{i},t{i},\n" for i in range(5001)) + "x,a,a\n", "Is a column free text"),
        ("item,verdict,label\n", "a header and no case below it"),
    ],
)
def test_lists_that_are_refused(complaint: Any, content: str, words: str) -> None:
    assert words in complaint(content, missing="estimate")


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
    assert "1,999 of 2,106 cases have no true class (the row '" in sentence
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


def test_a_class_may_be_called_unlabelled(given: Any) -> None:
    content = "true\\pred,a,unlabelled\na,3,1\nunlabelled,0,4\n"
    assert given(content).confusion.labels == ("a", "unlabelled")
    assert given(content, missing="estimate").confusion.verdicts is None


def test_a_rectangular_matrix_that_is_labelled_throughout(given: Any, complaint: Any) -> None:
    content = "true\\pred,fail,pass,unsure\nfail,22,7,3\npass,6,65,4\n"
    assert given(content, missing="estimate").confusion.verdicts.truths == 2
    assert "rows and columns must be the same classes" in complaint(content)


@pytest.mark.parametrize(
    ("content", "words", "options"),
    [
        (MATRIX.replace("true\\pred", "pred\\true"), "which is the other way round than the corner cell", {}),
        (
            MATRIX,
            "--rows pred",
            {"rows": "pred"},
        ),
        (MATRIX.replace("22,7,3", "0,0,0").replace("6,65,4", "0,0,0"), "no case has a label", {}),
        (MATRIX.replace("99", "-1"), "-1", {}),
        (MATRIX, "the true class 'pass' is not among the labels", {"labels": ["fail", "good"]}),
        (MATRIX.replace("unsure", "Total"), "'Total' is not the sum of the others", {}),
        (MATRIX, "the same classes where cases without a truth are set aside", {"missing": "exclude"}),
        (MATRIX.replace("pass,6,65,4\n", ""), "needs two or more classes", {}),
    ],
)
def test_matrices_that_are_refused(complaint: Any, content: str, words: str, options: dict[str, Any]) -> None:
    assert words in complaint(content, **{"missing": "estimate", **options})


@pytest.mark.parametrize("matrix", [UNSURE, EXPECTED])
def test_documents(given: Any, complaint: Any, matrix: ConfusionMatrix) -> None:
    text = json.dumps(matrix.to_dict())
    assert given(text, "x.json", missing="estimate").confusion == matrix
    ordered = given(text, "x.json", missing="estimate", order=["fail", "unsure", "pass"]).confusion
    assert ordered.verdicts.order == ("fail", "unsure", "pass")
    assert ESTIMATE in complaint(text, "x.json")
    assert "no square" in complaint(text, "x.json", missing="exclude")
    assert "the true classes are 'fail', 'pass', not" in complaint(
        text, "x.json", missing="estimate", labels=["a", "b"]
    )
    broken = {**matrix.to_dict(), "unlabelled": [1]}
    assert "3 verdicts need 3 counts" in complaint(json.dumps(broken), "x.json", missing="estimate")
    square = json.dumps(ConfusionMatrix([[3, 1], [0, 4]], ["a", "b"], unlabelled=[5, 6]).to_dict())
    aside = given(square, "x.json", missing="exclude")
    assert aside.confusion == ConfusionMatrix([[3, 1], [0, 4]], ["a", "b"])
    assert "Set aside: 11 of 19 cases" in aside.notes[0]


def test_what_a_csv_cannot_hold() -> None:
    true, pred, judge = ["a", "b", None], ["a", "b", "b"], ["a", "b", "a"]
    audit = ConfusionMatrix.from_predictions(true, pred, judge=judge, missing="estimate")
    with pytest.raises(InvalidLabels, match="pairs, which no CSV has"):
        matrix_csv(audit)
    with pytest.raises(InvalidLabels, match="called as the row"):
        matrix_csv(ConfusionMatrix([[1, 2], [3, 4]], ["a", "unlabelled"], unlabelled=[1, 1]))


# -- labels in a second file -------------------------------------------------------------------------------------


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


def test_ids_are_joined_by_their_value(two: Any) -> None:
    made = two("item,verdict\n1,a\n2,b\n3,b\n", "item,label\n1.0,a\n2.0,b\n").confusion
    assert made == ConfusionMatrix([[1, 0], [0, 1]], ["a", "b"], unlabelled=[0, 1])


def test_the_column_of_labels_may_be_named(two: Any) -> None:
    labels = text_of("item,who,what", [(a, "me", c) for a, _, c in ROWS])
    assert two(VERDICTS, labels, y_true="what").confusion == EXPECTED
    with pytest.raises(InvalidFile, match=r"one of labels \(why\) are expected"):
        two(VERDICTS, labels, y_true="why")


def test_labels_of_several_models(two: Any) -> None:
    long = text_of("item,model,verdict", [(a, m, b) for a, b, _ in ROWS for m in ("gpt", "llama")])
    labels = text_of("item,model,label", [(a, "gpt", c) for a, _, c in ROWS])
    assert two(long, labels, model="gpt").confusion == EXPECTED
    with pytest.raises(InvalidFile, match=r"verdicts.csv has a column of models and labels.csv has none"):
        two(long, LABELS, model="gpt")


def test_an_audit_with_labels_of_a_second_file(two: Any) -> None:
    rows = [(a, b, b) for a, b, _ in ROWS]
    assert two(text_of("item,prediction,verdict", rows), LABELS).confusion.verdicts.audit


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (
            VERDICTS,
            LABELS.replace("q", "z"),
            "3 of 3 labelled items are not in verdicts.csv .first: 'z5'.. Is it",
        ),
        (VERDICTS, LABELS.replace("q1", "z1"), "1 of 3 labelled items is not in verdicts.csv"),
        (VERDICTS, LABELS.replace("q4", "q1"), "line 6: the item 'q1' has two labels, in line 3 and here; one label"),
        (VERDICTS, LABELS.replace("q1", ""), "line 6: a label without an item"),
        (VERDICTS, "item,label\nq1,\n", "it holds no label"),
        (VERDICTS, "item,id,label\nq1,1,a\n", "one column of items .item. and one of labels"),
        (VERDICTS, "item,a,b\nq1,1,a\n", "one column of items .item. and one of labels"),
        (VERDICTS, '{"counts": [[1, 2], [3, 4]]}', "it is one JSON document"),
        ("verdict,why\npass,x\n", LABELS, "no column of items"),
        ('{"counts": [[1, 2], [3, 4]]}', LABELS, "it holds a matrix, and labels are joined to cases"),
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
    with pytest.raises(InvalidFile, match="the label 'perhaps' says neither right nor wrong"):
        read(log, labels_from=str(labels), missing="estimate")


def test_a_log_of_inspect_whose_items_come_again_has_several_answers(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("item,label\nfour,right\n")
    with pytest.raises(InvalidFile, match=r"comes twice.*one label per item is counted"):
        read(REFERENCE / "inspect.eval", labels_from=str(labels), missing="estimate")


# -- the command line --------------------------------------------------------------------------------------------


def test_the_command_line_has_the_same_words(two: Any, capsys: pytest.CaptureFixture[str]) -> None:
    two(VERDICTS, LABELS)
    Path("judged.csv").write_text(JUDGED)

    def said(*arguments: str) -> str:
        assert main(["report", *arguments]) == 2
        return capsys.readouterr().err

    assert ESTIMATE in said("judged.csv")
    assert "say --missing estimate if these were" in said("verdicts.csv", "--labels-from", "labels.csv")
    assert "--order names every verdict once" in said("judged.csv", "--missing", "estimate", "--order", "fail,pass")
    assert "say --missing estimate as well" in said("judged.csv", "--order", "fail,pass")
    assert "'never' is not one of 'random'" in said("judged.csv", "--how-chosen", "never")
    assert "--order tell how to read a FILE" in said("--table", "1,2,3,4", "--order", "a,b")
