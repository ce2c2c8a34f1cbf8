"""One random table in every form that programs keep it in: one answer, or a sentence; never another answer."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.conftest import tries

from howsure.errors import HowsureError
from howsure.io import read

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
