"""Matrices and JSON documents, and one table in every form."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.conftest import tries

import howsure as hs
from howsure.errors import HowsureError, InvalidFile
from howsure.io import read

SQUARE = "true\\pred,high,low\nhigh,26,0\nlow,2,6\n"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_delimiter_and_line_end_is_read(given, delimiter, end):
    reading = given(SQUARE.replace(",", delimiter).replace("\n", end))
    assert reading.confusion.counts.tolist() == [[26, 0], [2, 6]]
    assert reading.confusion.labels == ("high", "low")
    assert reading.layout == "matrix, corner says true\\pred"
    assert reading.notes == ()
    assert reading.source == "x.csv"


def test_a_corner_that_names_one_side_heads_the_column_of_the_rows(given):
    for corner, counts in (("Actual class", [[26, 0], [2, 6]]), ("predictions", [[26, 2], [0, 6]])):
        found = given(SQUARE.replace("true\\pred", corner))
        assert found.confusion.counts.tolist() == counts
        assert f"The corner cell says '{corner}'" in found.notes[0]
    assert given(SQUARE.replace("true\\pred", "actual"), rows="pred").confusion.counts.tolist() == [[26, 2], [0, 6]]


@pytest.mark.sweep(1, full=5)
@pytest.mark.parametrize("corner", ["", "label", "cases", "true\\true", "a/b/c"])
def test_a_corner_that_says_nothing_needs_rows(given, complaint, corner):
    content = SQUARE.replace("true\\pred", corner)
    sentence = complaint(content)
    assert "rows_unsaid" in sentence
    assert "rows_unsaid" in sentence
    assert given(content, rows="true").confusion.counts.tolist() == [[26, 0], [2, 6]]
    turned = given(content, rows="pred")
    assert turned.confusion.counts.tolist() == [[26, 2], [0, 6]]
    assert "turned" in turned.notes[0]


def test_rows_that_contradict_the_corner_are_refused(given, complaint):
    sentence = complaint(SQUARE, rows="pred")
    assert "'true\\pred'" in sentence
    assert "rows_contradicted" in sentence
    assert given(SQUARE, rows="true").notes == ()


def test_classes_in_another_order_are_matched_by_name(given):
    reading = given("true\\pred,low,high\nhigh,0,26\nlow,6,2\n")
    assert reading.confusion.counts.tolist() == [[26, 0], [2, 6]]
    assert "matched by name" in reading.notes[0]


def test_labels_order_and_add_classes(given, complaint):
    reading = given(SQUARE, labels=["low", "high", "none"])
    assert reading.confusion.counts.tolist() == [[6, 2, 0], [0, 26, 0], [0, 0, 0]]
    sentence = complaint(SQUARE, labels=["low", "medium"])
    assert "'high'" in sentence
    assert "'medium'" in sentence


def test_positive(given, complaint):
    assert given(SQUARE, positive="high").confusion.positive == "high"
    assert "hihg" in complaint(SQUARE, positive="hihg")
    assert "positive= is for two classes" in complaint("true\\pred,a,b,c\na,1,1,1\nb,1,1,1\nc,1,1,1\n", positive="a")


def test_bare_numbers_need_rows(given, complaint):
    sentence = complaint("26,0\n2,6\n")
    assert "rows_unsaid" in sentence
    reading = given("26,0\n2,6\n", rows="pred", labels=["high", "low"])
    assert reading.confusion.labels == ("high", "low")
    assert reading.confusion.counts.tolist() == [[26, 2], [0, 6]]
    assert "called '0', '1'" in given("26;0\n2;6\n\n", rows="true").notes[0]


def test_a_column_that_is_no_class_is_told_from_a_bad_count(complaint: Callable[..., str]) -> None:
    told = complaint(",low,high,Recall\nlow,6,2,0.75\nhigh,0,26,1\nPrecision,1,0.93,\n", rows="true")
    assert "holds 0.75, a fraction" in told
    assert "No row is called 'Recall'; if it is no class, leave that column out." in told
    assert "No row is called" not in complaint(",low,high\nlow,6,0.25\nhigh,0,26\n", rows="true")
    prefixed = "true\\pred,predicted low,predicted high\nactual low,6,0.25\nactual high,0,26\n"  # those are classes
    assert "No row is called" not in complaint(prefixed)


# -- test_json.py -----------------------------------------------------------------------------------------------------

PLAIN = {"classes": ["well", "ill"], "orientation": "true-rows", "positive": "ill", "counts": [[45, 5], [8, 42]]}
BOARD = {
    "format": "howsure/1",
    "kind": "session",
    "orientation": "true-rows",
    "classes": ["well", "ill"],
    "classifiers": [
        {"name": "A", "matrix": [[45, 5], [8, 42]], "n": 100},
        {"name": "B", "matrix": [[40, 10], [9, 41]], "n": 100},
    ],
    "prior": "flat",
}


def test_a_classifier_is_chosen(given, complaint):
    content = json.dumps(BOARD)
    assert "choose" in complaint(content)
    assert "absent" in complaint(content, model="C")
    reading = given(content, model="B")
    assert reading.confusion.counts.tolist() == [[40, 10], [9, 41]]
    assert reading.layout == "howsure session in JSON, B, orientation true-rows"
    assert "'prior'" in reading.notes[0]


def test_the_positive_class_of_the_call_goes_before_that_of_the_file(given):
    reading = given(json.dumps(PLAIN), positive="well")
    assert reading.confusion.positive == "well"
    assert "'ill'" in reading.notes[0]


def test_no_classifier_to_choose(complaint):
    assert "nothing_to_choose" in complaint(json.dumps(PLAIN), model="A")


def test_a_document_that_is_too_large(complaint, monkeypatch):
    monkeypatch.setattr("howsure.io.opening.LARGEST_JSON", 40)
    assert "too_large" in complaint(json.dumps(PLAIN))


def test_json_lines_are_read_as_the_table_they_are(given):
    content = '{"y_true": "a", "y_pred": "b", "why": {"x": [1]}}\n\n{"y_pred": "b", "y_true": "b", "why": null}\n'
    for name in ("x.jsonl", "x.txt"):
        reading = given(content, name)
        assert reading.confusion.counts.tolist() == [[0, 1], [0, 1]]
        assert reading.layout == "JSON Lines predictions, 2 cases"
    assert "'why'" in reading.notes[0]


def test_cells_of_a_document_go_with_classes_and_their_sum() -> None:
    cells = {"true": [0, 1], "pred": [0, 1], "count": [3, 4]}
    document = {"classes": ["a", "b"], "orientation": "true-rows", "positive": "a", "n": 7, "cells": cells}
    assert read(io.StringIO(json.dumps(document))).confusion.counts.tolist() == [[3, 0], [0, 4]]
    with pytest.raises(InvalidFile, match="the orientation of cells must be"):
        read(io.StringIO(json.dumps(document | {"orientation": "pred-rows"})))
    with pytest.raises(InvalidFile, match="n is 8 and the counts add up to 7; was one of"):
        read(io.StringIO(json.dumps(document | {"n": 8})))


# -- test_properties.py -----------------------------------------------------------------------------------------------

quick = settings(max_examples=tries(150), deadline=None, suppress_health_check=list(HealthCheck))

label = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.text(
    "=+-@'\"\t\r\n,;\\/ a1", min_size=1
)
label = label.filter(str.strip)


@quick
@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.text('truepd_y,;\t"\n\r\\01.-a[]{}:%', max_size=120).map(str.encode),
    st.sampled_from(
        [{}, {"rows": "true"}, {"rows": "pred"}, {"missing": "exclude"}, {"model": "a"}, {"labels": ["a", "b"]}]
    ),
    st.sampled_from(
        [b"", b"true\\pred,a,b\n", b"y_true,y_pred\n", b"true,pred,n\n", b"id,y_true,pred_a\n", b"{", b"[["]
    ),
)
def test_any_bytes_are_read_or_refused_in_one_line(content, keywords, beginning):
    outcome(io.BytesIO(beginning + content), keywords)


value = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**60) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
part = st.sampled_from(
    ["classes", "counts", "matrix", "orientation", "positive", "format", "kind", "classifiers", "n", "name"]
)


@pytest.mark.full
@quick
@given(
    st.dictionaries(part, value | st.sampled_from(["true-rows", "howsure/1", [[1, 2], [3, 4]], ["a", "b"]]), max_size=6)
    | value,
    st.sampled_from([{}, {"rows": "true"}, {"model": "a"}, {"positive": "b"}, {"labels": ["a", "b"]}]),
)
def test_any_json_is_read_or_refused_in_one_line(document, keywords):
    outcome(io.StringIO(json.dumps(document)), keywords)


def outcome(stream: Any, keywords: dict[str, Any]) -> None:
    try:
        reading = read(stream, **keywords)
        said = [reading.layout, *reading.notes]
    except HowsureError as error:
        said = [str(error)]
    assert all(text.isprintable() for text in said)


# -- one random table in every form that programs keep it in: one answer, or a sentence; never another answer ---------

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

LABELS = [["ill", "well"], ["0", "1"], ["no", "yes", "maybe"], ["True", "False"], ["2", "10", "1"], ["a b", "a,b", "+"]]
#: What a cell may hold that is no answer.
GAPS = ["", "NA", "None"]
Case = tuple[str, str]


@st.composite
def tables(draw: st.DrawFn) -> list[Case]:
    """Cases of two or three classes, in any order, some of them without an answer."""
    label = st.sampled_from(draw(st.sampled_from(LABELS)))
    answer = st.one_of(label, label, label, st.sampled_from(GAPS)) if draw(st.booleans()) else label
    return draw(st.lists(st.tuples(label, answer), min_size=1, max_size=14))


def answered(given: Any) -> dict[Case, int] | str:
    """Cases by their true and predicted class, of all classes; "refused" where it is, with one sentence."""
    try:
        found = read(given, missing="exclude").confusion
    except HowsureError:
        return "refused"
    table = zip(found.labels, found.counts.tolist(), strict=True)
    return {(true, pred): n for true, row in table for pred, n in zip(found.labels, row, strict=True)}


def text(frame: Any, index: bool = False, **options: Any) -> io.StringIO:
    return io.StringIO(frame.to_csv(None, index=index, **options))


def cases_in_forms(cases: list[Case], folder: Path) -> dict[str, Callable[[], Any]]:
    """The same cases, a row each."""
    columns = {"y_true": [true for true, _ in cases], "y_pred": [pred for _, pred in cases]}
    rows = [dict(zip(columns, case, strict=True)) for case in cases]
    frame = pd.DataFrame(columns)
    turned = frame.iloc[::-1]
    keyed = frame.set_index(pd.Index([f"p{i}" for i in range(len(frame))], name="patient"))

    def saved(name: str, save: Callable[[str], object]) -> str:
        save(str(folder / name))
        return str(folder / name)

    return {
        "CSV": lambda: text(frame),
        "semicolons": lambda: text(frame, sep=";"),
        "tabs": lambda: text(frame, sep="\t"),
        "columns the other way round": lambda: text(frame[["y_pred", "y_true"]]),
        "CSV with its index": lambda: text(frame, index=True),
        "CSV with a named index": lambda: text(keyed, index=True),
        "pandas": lambda: frame,
        "pandas from below": lambda: turned,
        "pandas with a named index": lambda: keyed,
        "pandas with an index of texts": lambda: keyed.rename_axis(None),
        "pandas with categories": lambda: frame.astype("category"),
        "polars": lambda: pl.DataFrame(columns),
        "polars, lazy": lambda: pl.DataFrame(columns).lazy(),
        "JSON Lines": lambda: io.StringIO("".join(json.dumps(row) + "\n" for row in rows)),
        "JSON records": lambda: saved("records.json", lambda path: Path(path).write_text(json.dumps(rows))),
        "JSON columns": lambda: saved("columns.json", lambda path: Path(path).write_text(json.dumps(columns))),
        "Parquet": lambda: saved("x.parquet", pl.DataFrame(columns).write_parquet),
        "workbook": lambda: saved("x.xlsx", lambda path: frame.to_excel(path, index=False)),
    }


def counts_in_forms(cases: list[Case]) -> dict[str, Callable[[], Any]]:
    """The same cases counted, in a list or in a matrix."""
    frame = pd.DataFrame(cases, columns=["y_true", "y_pred"])
    listed = frame.groupby(["y_true", "y_pred"]).size()
    table = pd.crosstab(frame.y_true, frame.y_pred, rownames=["true"], colnames=["pred"])
    classes = sorted({*frame.y_true, *frame.y_pred})
    square = table.reindex(index=classes, columns=classes, fill_value=0)
    return {
        "counts": lambda: listed.reset_index(name="count"),
        "counts as CSV": lambda: text(listed.reset_index(name="n")),
        "series of counts": lambda: listed,
        "crosstab": lambda: square,
        "crosstab, turned": lambda: square.T,
        "crosstab, rows from below": lambda: square.iloc[::-1],
        "crosstab, columns from the right": lambda: square[classes[::-1]],
        "crosstab, only what comes": lambda: table,
        "crosstab that names its rows": lambda: square.rename_axis(columns=None),
        "crosstab that names its columns": lambda: square.rename_axis(index=None),
        "crosstab as CSV": lambda: text(square.rename_axis(index="true\\pred", columns=None), index=True),
    }


@pytest.mark.full
@settings(max_examples=tries(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(tables())
@example([("ill", "ill"), ("well", "ill"), ("ill", "NA"), ("ill", ""), ("well", "well")])
@example([("1", "1"), ("0", "1"), ("1", "0")])
def test_cases_have_one_answer_in_every_form(tmp_path: Path, cases: list[Case]) -> None:
    forms = cases_in_forms(cases, tmp_path)
    plain = answered(forms.pop("CSV")())
    for form, make in forms.items():
        assert answered(make()) == plain, form


@pytest.mark.full
@settings(max_examples=tries(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(tables().filter(lambda cases: {pred for _, pred in cases} <= {true for true, _ in cases}))
@example([("1", "1"), ("0", "1"), ("1", "0")])
def test_counts_have_the_answer_of_the_cases_or_are_asked_about(cases: list[Case]) -> None:
    plain = answered(text(pd.DataFrame(cases, columns=["y_true", "y_pred"])))
    for form, make in counts_in_forms(cases).items():
        found = answered(make())
        assert found == plain or (found == "refused" and form in ASKED), form


#: Where a class comes on one side only, the table is no square.
ASKED = ("crosstab, only what comes",)


def test_one_table_has_one_answer_in_every_form(tmp_path: Path) -> None:
    cases = [("ill", "ill"), ("well", "ill"), ("ill", "well"), ("well", "well"), ("well", "well")]
    forms = cases_in_forms(cases, tmp_path) | counts_in_forms(cases)
    for engine in ("workbook", "Parquet", "polars", "polars, lazy"):  # which take their time to start
        del forms[engine]
    assert {form for form, make in forms.items() if answered(make()) != answered(forms["CSV"]())} == set()


# -- a row that stands for several cases is so many rows, in whatever units the cases come ----------------------------

CASES = [("x", "x", 3), ("x", "y", 2), ("y", "x", 1), ("y", "y", 4)]


def table(columns: str, rows: Sequence[tuple[str, ...]], *, counted: bool) -> str:
    """Rows that end with a count, or each row so many times."""
    lines = [f"{columns},y_true,y_pred{',count' if counted else ''}".lstrip(",")]
    for *cells, times in rows:
        lines += [",".join([*cells, times])] if counted else [",".join(cells)] * int(times)
    return "\n".join(lines)


def rows_of(*units: str) -> list[tuple[str, ...]]:
    """The cases of each unit, the second of which has other numbers."""
    return [
        (*unit.split("/"), true, pred, str(n + i))
        for i, unit in enumerate(filter(None, units))
        for true, pred, n in CASES
    ] or [(true, pred, str(n)) for true, pred, n in CASES]


@pytest.mark.parametrize(
    ("columns", "units", "options"),
    [
        ("", (), {}),
        ("patient", ("a", "b", "c", "d", "e"), {"group": "patient"}),
        ("patient", ("a", "b", "c"), {}),
        ("fold", ("1", "2"), {}),
        ("model", ("a", "b"), {"model": "b"}),
    ],
    ids=["alone", "groups", "groups added up", "folds", "models"],
)
def test_counts_are_rows(columns: str, units: tuple[str, ...], options: dict[str, Any]) -> None:
    by_count, by_row = (
        read(io.StringIO(table(columns, rows_of(*units), counted=counted)), **options).confusion
        for counted in (True, False)
    )
    assert by_count == by_row
    assert hs.infer(by_count).of("accuracy").mean == hs.infer(by_row).of("accuracy").mean
