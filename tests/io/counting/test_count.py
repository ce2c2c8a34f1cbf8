"""The verb itself: columns, groups, weights, pairs, and the way to the other nouns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.io.engines.hard import database

import howsure as hs
from howsure.errors import InvalidArgument, InvalidFile, InvalidLabels, UnknownClassifier

LABEL = st.sampled_from(["a", "b", "c", "01", "1", None, " "])


@given(st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=60))
def test_no_row_vanishes(rows: list[tuple[str | None, str | None]]) -> None:
    true, pred = (list(column) for column in zip(*rows, strict=True))
    kept = [(t, p) for t, p in rows if t not in (None, " ") and p not in (None, " ")]
    if not kept:
        with pytest.raises(InvalidLabels, match="no case was counted"):
            hs.count(y_true=true, y_pred=pred)
        return
    counts = hs.count(y_true=true, y_pred=pred, labels=["a", "b", "c", "01", "1"])
    assert counts.n + sum(aside.rows for aside in counts.set_aside) == counts.read == len(rows)
    peer = hs.ConfusionMatrix.from_predictions(*zip(*kept, strict=True), labels=counts.labels)
    assert counts.confusion() == peer


@pytest.mark.sweep(5, full=8)
@pytest.mark.parametrize("kind", ["wide", "negative", "bool", "texts", "objects"])
def test_every_kind_of_array_counts_as_from_predictions_does(kind: str) -> None:
    random = np.random.default_rng(0)
    codes = random.integers(0, 7, (2, 20_000))
    columns = {
        "wide": codes * 10**9,
        "negative": codes - 3,
        "bool": codes > 3,
        "texts": np.array(list("abcdefg"))[codes],
        "objects": np.array(["a", 1, True, "1", 2.0, "x", b"y"], dtype=object)[codes],
    }[kind]
    assert hs.count(y_true=columns[0], y_pred=columns[1]).confusion() == hs.ConfusionMatrix.from_predictions(
        columns[0], columns[1]
    )


WIDE = {
    "id": [1, 2, 3, 4],
    "y_true": ["a", "b", "b", "a"],
    "pred_old": ["a", "a", "b", None],
    "pred_new": ["a", "b", "b", "a"],
    "site": ["x", "x", None, "y"],
    "w": [1, 2, 3, 4],
}


def test_several_classifiers_are_paired() -> None:
    counts = hs.count(WIDE, y_pred=["pred_old", "pred_new"], by="site", id="id")
    assert counts.models == ("old", "new")
    assert counts.n == 3
    assert counts.set_aside == (hs.io.counting.result.SetAside("no answer of old", 1, ("row 4",)),)
    both = counts.predictions(missing="wrong", clusters=True)
    assert both.n == 4
    assert both.confusion("new").counts.tolist() == [[2, 0], [0, 2]]
    assert sorted(both.group.tolist()) == ["missing", "x", "x", "y"]
    assert "paired" in str(hs.compare(counts.predictions(), metric="accuracy"))


def test_groups_by_value_by_position_and_by_name() -> None:
    counts = hs.count(WIDE, y_pred="pred_new", by=["site", "id"])
    assert counts.groups == (("x", "1"), ("x", "2"), ("y", "4"), (None, "3"))
    labels = ["a", "b"]
    assert counts.confusion(group=("x", 2), labels=labels).counts.tolist() == [[0, 0], [0, 1]]
    assert counts.confusion(group={"site": None}, labels=labels).n == 1
    with pytest.raises(InvalidArgument, match="no group 'z', 1; there are 'x / 1, x / 2, y /"):
        counts.confusion(group=("z", 1))
    with pytest.raises(InvalidArgument, match="one value for each of site, id"):
        counts.confusion(group="x")
    with pytest.raises(UnknownClassifier):
        counts.confusion(model="old")


def test_weights_are_numbers_of_cases_or_nothing() -> None:
    assert hs.count(WIDE, y_pred="pred_new", weight="w").n == 10
    fractions = {**WIDE, "w": [0.5, 0.5, 1.0, 2.0]}
    with pytest.raises(InvalidLabels, match="effective"):
        hs.count(fractions, y_pred="pred_new", weight="w")
    counts = hs.count(fractions, y_pred="pred_new", weight="w", weights="effective")
    assert counts.n == int(4**2 / (0.25 + 0.25 + 1 + 4))
    assert "effective" in counts.notes[-1]
    with pytest.raises(InvalidLabels, match="-1"):
        hs.count({**WIDE, "w": [1, 2, 3, -1]}, y_pred="pred_new", weight="w")
    aside = hs.count({**WIDE, "w": [1, 2, None, 4]}, y_pred="pred_new", weight="w").set_aside
    assert aside == (hs.io.counting.result.SetAside("no weight", 1, ("row 3",)),)


LONG = {
    "case": [1, 1, 2, 2, 3],
    "model": ["A", "B", "B", "A", "A"],
    "y_true": ["a", None, "b", "b", "a"],
    "y_pred": ["a", "b", "b", "b", "a"],
}


@pytest.mark.parametrize("engine", ["lists", "polars", "duckdb"])
def test_rows_of_one_case_are_put_side_by_side(engine: str) -> None:
    table = LONG
    if engine != "lists":
        pa = pytest.importorskip("pyarrow")
        arrow = pa.table(LONG)
        module = pytest.importorskip(engine)
        table = database(arrow).table("cases") if engine == "duckdb" else module.from_arrow(arrow)
    counts = hs.count(table, id="case", model="model")
    assert counts.models == ("A", "B")
    assert counts.n == 2
    assert [(a.reason, a.rows) for a in counts.set_aside] == [("no answer of B", 1)]
    assert counts.predictions().patterns().counts.tolist() == [1, 1]


@pytest.mark.parametrize("engine", ["lists", "rows", "pandas", "polars", "duckdb", "parquet"])
@pytest.mark.parametrize("weight", [1, 10, 0.5])
def test_a_weight_that_nobody_asks_for_is_1_everywhere(engine: str, weight: float, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y_true": ["a", "b", "b"], "y_pred": ["a", "b", "a"], "weight": [1.0, 1.0, weight]})
    data: object = frame
    if engine == "lists":
        data = frame.to_dict("list")
    elif engine == "rows":
        data = tmp_path / "x.csv"
        frame.to_csv(data, index=False)
    elif engine == "parquet":
        data = tmp_path / "x.parquet"
        frame.to_parquet(data)
    elif engine != "pandas":
        arrow = pytest.importorskip("pyarrow").Table.from_pandas(frame, preserve_index=False)
        data = database(arrow).table("cases") if engine == "duckdb" else pytest.importorskip(engine).from_arrow(arrow)
    if weight == 1:
        assert hs.count(data).n == 3
        return
    with pytest.raises((InvalidLabels, InvalidFile), match="weight"):
        hs.count(data)


def test_ids_of_one_byte_are_paired_with_many_classifiers() -> None:
    case, model = (part.ravel() for part in np.meshgrid(np.arange(100, dtype=np.int8), [f"m{i}" for i in range(5)]))
    answers = np.where(case % 10 < 7, "a", "b")
    counts = hs.count({"id": case, "m": model, "y_true": ["a"] * 500, "y_pred": answers}, id="id", model="m")
    assert [counts.confusion(model=name).counts[0].tolist() for name in counts.models] == [[70, 30]] * 5


@pytest.mark.parametrize("engine", ["lists", "polars", "duckdb"])
def test_contradictions_are_named(engine: str) -> None:
    pa = pytest.importorskip("pyarrow")

    def made(columns: dict[str, list[object]]) -> object:
        if engine == "lists":
            return columns
        module = pytest.importorskip(engine)
        arrow = pa.table(columns)
        return database(arrow).table("cases") if engine == "duckdb" else module.from_arrow(arrow)

    with pytest.raises(InvalidLabels, match="the id '1' has two values of column 'y_true',"):
        hs.count(made({**LONG, "y_true": ["a", "b", "b", "b", "a"]}), id="case", model="model")
    with pytest.raises(InvalidLabels, match="the id '1' comes twice, for classifier 'A';"):
        hs.count(made({**LONG, "model": ["A", "B", "B", "A", "A"], "case": [1, 1, 2, 1, 3]}), id="case", model="model")
    with pytest.raises(InvalidLabels, match=r"the id '[12]' comes"):
        hs.count(made({name: values for name, values in LONG.items() if name != "model"}), id="case")


@pytest.mark.sweep(13, full=15)
@pytest.mark.parametrize("engine", ["arrays", "rows", "polars", "query"])
@pytest.mark.parametrize("how", [{}, {"id": "id", "model": "model"}], ids=str)
def test_a_header_without_rows_is_refused(engine: str, how: dict[str, str], tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {"id": [], "model": [], "y_true": [], "y_pred": []}
    data: object = columns
    if engine == "rows":
        data = tmp_path / "h.csv"
        tmp_path.joinpath("h.csv").write_text("id,model,y_true,y_pred\n", encoding="utf-8")
    elif engine == "polars":
        data = pytest.importorskip(engine).DataFrame(columns)
    elif engine == "query":
        with pytest.importorskip("duckdb").connect(tmp_path / "h.duckdb") as db:
            db.execute("CREATE TABLE cases (id VARCHAR, model VARCHAR, y_true VARCHAR, y_pred VARCHAR)")
        data, how = tmp_path / "h.duckdb", {**how, "query": "SELECT * FROM cases"}
    with pytest.raises(
        (InvalidLabels, InvalidFile), match=r"no case was counted of 0 rows.* Was the export finished\?"
    ):
        hs.count(data, y_true="y_true", y_pred="y_pred", **how)  # type: ignore[arg-type]


def test_classifiers_counted_apart_are_not_paired() -> None:
    counts = hs.count({**LONG, "y_true": ["a", "a", "b", "b", "a"]}, model="model")
    assert counts.confusion(model="A").n == 3
    with pytest.raises(InvalidArgument, match="count with id="):
        counts.predictions()


def test_what_is_no_column_or_no_table() -> None:
    with pytest.raises(InvalidArgument, match="no column 'truth'"):
        hs.count(WIDE, y_true="truth", y_pred="pred_new")
    with pytest.raises(InvalidArgument, match="named twice"):
        hs.count(WIDE, y_true="y_true", y_pred="y_true")
    with pytest.raises(InvalidArgument, match="cannot be read as a table"):
        hs.count(42)
    with pytest.raises(InvalidArgument, match="give data"):
        hs.count(y_true=["a"])
    with pytest.raises(InvalidLabels, match="different lengths"):
        hs.count(y_true=["a", "b"], y_pred=["a"])
    with pytest.raises(InvalidLabels, match="no class in common"):
        hs.count(y_true=["a", "b"], y_pred=[0, 1])


def test_counts_add_up_by_name() -> None:
    one = hs.count(y_true=["a", "b"], y_pred=["a", "a"])
    two = hs.count(y_true=["c", "a"], y_pred=["c", "a"])
    assert (one + two).confusion().counts.tolist() == [[2, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert one + two == two + one
    assert hash(one + two) == hash(two + one)


def test_what_was_counted_by_is_a_sample_of_groups_only_if_it_is_said() -> None:
    frame = {
        "truth": ["x", "y"] * 9,
        "A": ["x", "y"] * 9,
        "B": ["x", "x"] * 9,
        "patient": [f"p{i // 2}" for i in range(18)],
    }
    counts = hs.count(frame, y_true="truth", y_pred=["A", "B"], by="patient")
    apart, clustered = (counts.predictions(clusters=said) for said in (False, True))
    assert apart.group is None
    assert clustered.group is not None
    assert len(set(clustered.group)) == 9
    assert [hs.compare(made, metric="accuracy").groups is None for made in (apart, clustered)] == [True, False]


@pytest.mark.parametrize("form", ["file", "columns"])
def test_a_classifier_a_row_has_one_column_of_answers(form: str, tmp_path: Path) -> None:
    tmp_path.joinpath("c.csv").write_text("id,model,y_true,u,v\n1,m,x,x,y\n2,m,y,y,x\n", encoding="utf-8")
    columns = {"id": [1, 2], "model": ["m", "m"], "y_true": ["x", "y"], "u": ["x", "y"], "v": ["y", "x"]}
    data: object = columns if form == "columns" else tmp_path / "c.csv"
    with pytest.raises(InvalidFile, match="two kinds of columns for the predicted class"):
        hs.count(data, id="id", model="model")
    assert hs.count(data, y_pred="u", id="id", model="model").confusion(model="m").n == 2
