from __future__ import annotations

import io
from pathlib import Path

import pytest

from howsure.errors import InvalidFile
from howsure.io import read

THREE = "y_true,y_pred\nill,well\nwell,well\nill,ill\n"


@pytest.mark.sweep(4, full=9)
@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_predictions_are_counted(given, name, delimiter):
    reading = given(THREE.replace(",", delimiter), name)
    assert reading.confusion.labels == ("ill", "well")
    assert reading.confusion.counts.tolist() == [[1, 1], [0, 1]]
    assert reading.layout == "predictions, 3 cases"
    assert reading.notes == ()


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize("end", [",,\n,,\n", ",,\n\n , ,\t\n,,", ",,,,\n"])
def test_lines_of_delimiters_alone_at_the_end_are_no_cases(given, end):
    """A spreadsheet leaves them below a table; before the last case such a line is one, and is told."""
    ids = THREE.replace("y_true", "id,y_true").replace("\nill,well", "\n1,ill,well").replace("\nwell,", "\n2,well,")
    found = given(ids.replace("\nill,ill", "\n3,ill,ill") + end)
    assert found.confusion.counts.tolist() == [[1, 1], [0, 1]]
    assert given(THREE + end, missing="exclude").notes == ()
    Path("x.csv").write_text(THREE.replace("\nwell", "\n,\nwell") + end)
    assert read("x.csv", missing="exclude").notes == (
        "Set aside: 1 of 4 cases has no true or no predicted class (first: a blank in line 3).",
    )
    assert given("\n,,\n" + THREE).confusion.n == 3


def test_one_value_in_two_spellings_is_one_class(given):
    assert given("y_true,y_pred\n0,0.0\n1,1.0\n").confusion.labels == ("0", "1")
    assert given("y_true,y_pred\nTrue,true\nFALSE,False\n").confusion.counts.tolist() == [[1, 0], [0, 1]]
    graded = given("y_true,y_pred\n0,0.5\n0.5,0.50\n", missing="exclude", labels=["0", "0.5", "0.50"])
    assert graded.confusion.n == 2


@pytest.mark.sweep(1, full=8)
@pytest.mark.parametrize("gap", ["", " ", "NaN", "nan", "NA", "null", "None", "N/A"])
def test_missing_answers_are_refused_or_set_aside_and_noted(given, complaint, gap):
    content = f"y_true,y_pred\na,b\nb,{gap}\na,a\n{gap},a\n"
    sentence = complaint(content)
    assert "line 3: set_aside" in sentence
    assert "set_aside" in sentence
    reading = given(content, missing="exclude")
    assert reading.confusion.n == 2
    assert "Set aside: 2 of 4 cases" in reading.notes[0]
    assert "in line 3" in reading.notes[0]


def test_a_missing_answer_that_is_a_class_is_named_in_labels(given, complaint):
    content = "y_true,y_pred\na,None\nNone,a\n"
    assert "--labels" in complaint(content)
    assert given(content, labels=["a", "None"]).confusion.counts.tolist() == [[0, 1], [1, 0]]
    assert given(content.replace("None", "none")).confusion.labels == ("a", "none")


def test_labels_name_every_class(given, complaint):
    assert given(THREE, labels=["well", "ill", "dead"]).confusion.counts.sum() == 3
    sentence = complaint(THREE, labels=["ill", "healthy"])
    assert "line 2: outside" in sentence


def test_wide_form_needs_a_model(given, complaint):
    content = "id,y_true,pred_A,pred_B,p_a\n1,a,a,b,.3\n2,b,b,b,.9\n"
    assert "choose" in complaint(content)
    assert "absent" in complaint(content, model="C")
    reading = given(content, model="B")
    assert reading.confusion.counts.tolist() == [[0, 1], [0, 1]]
    assert reading.layout == "predictions, 2 cases of B"
    assert "'p_a'" in reading.notes[0]
    assert given("y_true,pred_A\na,b\n").layout == "predictions, 1 case of A"


def test_column_of_classifiers(given, complaint):
    content = "id,y_true,y_pred,model\n1,a,b,x\n1,a,a,y\n2,b,b,x\n2,b,b,y\n"
    assert "choose" in complaint(content)
    assert given(content, model="y").confusion.counts.tolist() == [[1, 0], [0, 1]]
    assert "line 3: name_lacking" in complaint("y_true,y_pred,model\na,b,x\na,b,\n")
    assert "nothing_to_choose" in complaint(THREE, model="x")


def test_doubled_ids_are_refused_with_both_lines(complaint):
    content = "id,y_true,y_pred\n7,a,b\n8,b,b\n7,b,b\n"
    assert "line 4: the id '7' comes twice, in line 2 and here" in complaint(content)
    assert "line 3: lacking" in complaint("id,y_true,y_pred\n7,a,b\n,b,b\n")


def test_folds_tell_ids_apart(given, complaint):
    reading = given("id,fold,y_true,y_pred\n1,1,a,b\n2,1,b,b\n1,2,a,b\n2,3,b,b\n")
    assert reading.confusion.n == 2
    assert reading.confusion.folds.passes == 2
    assert "passes" in complaint("id,fold,y_true,y_pred\n1,1,a,b\n2,1,b,b\n1,2,a,b\n")


def test_weights_other_than_one_are_refused(given, complaint):
    sentence = complaint("weight,y_true,y_pred\n1,a,b\n2,a,b\n")
    assert "line 3: weighted" in sentence
    assert "weighted" in sentence
    assert "line 3: weighted" in complaint("weight,y_true,y_pred\n1,a,b\n,a,b\n")
    assert given("weight,y_true,y_pred\n1,a,b\n1.0,a,b\n").confusion.n == 2


def test_columns_that_are_not_used_are_noted(given):
    reading = given(",group,text,y_true,y_pred\n0,g,hello,a,b\n1,g,world,b,b\n")
    notes = " ".join(reading.notes)
    assert "column 'group'" in notes
    assert "one without a name, 'text' not used" in notes


def test_rows_are_not_needed_and_said_so(given):
    assert "not needed" in given(THREE, rows="true").notes[0]


def test_counts_under_an_unknown_name_are_not_read_as_cases(complaint):
    sentence = complaint("true,pred,share\na,a,26\na,b,0\nb,b,6\n")
    assert "unnamed_counts" in sentence
    assert "unnamed_counts" in sentence


@pytest.mark.sweep(4, full=5)
@pytest.mark.parametrize(
    ("cell", "words"),
    [("-1", "holds -1"), ("", "is missing"), ("0.5", "a fraction"), ("50%", "percentage"), ("x", "not a number")],
)
def test_counts_that_are_none(complaint, cell, words):
    sentence = complaint(f"true,pred,count\na,a,5\na,b,{cell}\n")
    assert sentence.startswith("x.csv, line 3: true 'a' predicted 'b' ")
    assert words in sentence


@pytest.mark.full
def test_a_list_may_have_more_classes_than_a_table_could() -> None:
    lines = "".join(f"{i},{i},2\n{i},{(i + 1) % 6000},1\n" for i in range(6000))
    made = read(io.StringIO("true,pred,count\n" + lines)).confusion
    assert (len(made.labels), made.n, int(made.correct.sum())) == (6000, 18_000, 12_000)


def test_one_id_in_the_same_line_of_two_files_comes_twice(tmp_path: Path) -> None:
    """Lines of two files are equal numbers, and were taken for one line."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("id,y_true,y_pred\nq1,cat,cat\nq2,dog,cat\n")
    for given in (tmp_path, [tmp_path / "a.csv", tmp_path / "b.csv"]):
        with pytest.raises(
            InvalidFile, match=r"b\.csv, line 2: the id 'q1' comes twice, in line 2 of .*a\.csv and here"
        ):
            read(given)


def test_cells_that_name_several_classes_are_no_classes(complaint, given):
    content = "y_true,y_pred\ncat,cat\ndog,cat\ncat|dog,cat|dog\ndog,dog\n"
    assert "several_classes" in complaint(content)
    assert given(content, labels=["cat", "dog", "cat|dog"]).confusion.n == 4


def test_lines_of_counts_that_are_alike_add_up_however_large_the_table_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("y_true,y_pred,count\n" + "a,a,3\n" * 4 + "a,b,2\nb,b,5\nb,b,5\n")
    for large in (2**20, -1):
        monkeypatch.setattr("howsure.io.table.LARGE", large)
        assert read(path).confusion.counts.tolist() == [[12, 2], [0, 10]]
