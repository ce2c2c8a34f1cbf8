"""Numbering without sorting agrees with sorting, whatever collides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.io.counting.count_columns import CountColumns
from howsure.io.engines import numbering
from howsure.io.engines.coding import coded
from howsure.io.engines.numbering import Numbered, numbered_objects, numbered_texts
from howsure.io.engines.numpy_arrays import tally_arrays


def agrees(values: np.ndarray[Any, Any], found: Numbered | None) -> None:
    """Numbers stand for the values, each value has one, and they come in the order of the rows."""
    assert found is not None
    first, number = found
    assert (values[first][number] == values).all()
    assert len(set(values[first].tolist())) == len(first)
    assert (np.diff(first) > 0).all()


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12), min_size=1))
def test_texts_of_any_width(values: list[str]) -> None:
    array = np.array(values)
    if array.dtype.itemsize:
        agrees(array, numbered_texts(array))


def colliding(bits: int) -> list[int]:
    """Words that want the same slot."""
    words = np.arange(1, 2**16, dtype=np.uint64)
    slots = ((words * numbering._ODD) >> np.uint64(64 - bits)).tolist()
    seen: dict[int, list[int]] = {}
    for word, slot in zip(words.tolist(), slots, strict=True):
        seen.setdefault(slot, []).append(word)
    return next(found for found in seen.values() if len(found) > 1)[:2]


def test_a_collision_costs_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbering, "_SLOT_BITS", 6)
    random = np.random.default_rng(1)
    one, two = colliding(6)
    for pool in ([one, two, 3], random.integers(1, 2**60, 500).tolist()):
        values = np.array(pool, dtype=np.uint64)[random.integers(0, len(pool), 2 * numbering.BLOCK + 3)]
        agrees(values, numbering._numbered(len(values), values.__getitem__))


def test_objects_by_identity_or_not_at_all() -> None:
    names = np.array(["a", "b", None, 1, True, 1.0], dtype=object)
    values = names[np.random.default_rng(2).integers(0, 6, 1000)]
    found = numbered_objects(values)
    assert found is not None
    assert [type(v) for v in values[found[0]][found[1]]] == [type(v) for v in values]
    fresh = np.array([str(i % 3) + "x" * 20 for i in range(numbering.MOST_VALUES + numbering.BLOCK)], dtype=object)
    assert numbered_objects(fresh) is None
    assert coded(fresh, "y_pred")[0] == ["0" + "x" * 20, "1" + "x" * 20, "2" + "x" * 20]


@given(
    st.lists(st.tuples(*[st.sampled_from("abc")] * 3, st.integers(0, 3)), min_size=1, max_size=40),
    st.booleans(),
)
def test_combinations_are_counted_alike_by_table_and_by_sorting(
    rows: list[tuple[str, str, str, int]], narrow: bool
) -> None:
    from howsure.io.engines import numpy_arrays

    columns = dict(zip(("t", "p", "q", "g"), map(list, zip(*rows, strict=True)), strict=True))
    ask = CountColumns("t", {"p": "p", "q": "q"}, ("g",))
    expected: dict[tuple[str, ...], int] = {}
    for row in rows:
        key = tuple(map(str, row))
        expected[key] = expected.get(key, 0) + 1
    before = numpy_arrays.LARGEST_TABLE
    numpy_arrays.LARGEST_TABLE = 1 if narrow else before
    try:
        _, tally = tally_arrays(columns, ask)
    finally:
        numpy_arrays.LARGEST_TABLE = before
    parts = [tally.truth, *tally.answers, *tally.by]
    found = {tuple(texts[codes[i]] for texts, codes in parts): n for i, n in enumerate(tally.rows.tolist())}
    assert found == expected


def frames() -> dict[str, Any]:
    pl, pd, pa = (pytest.importorskip(name) for name in ("polars", "pandas", "pyarrow"))
    pl.Series(["of", "another", "column"]).cast(pl.Categorical)  # numbers of categories are the process's
    random = np.random.default_rng(3)
    names = np.array([f"class {i}" for i in range(300)], dtype=object)
    columns = {c: names[random.integers(0, 300, 70_000)] for c in ("y_true", "y_pred")}
    columns["y_true"][5] = columns["y_pred"][7] = columns["y_pred"][8] = None
    arrow = pa.table(columns)
    packed = pa.table({c: arrow[c].dictionary_encode() for c in columns})
    polars = pl.from_arrow(arrow)
    return {
        "polars": polars,
        "polars of categories": polars.cast(pl.Categorical),
        "polars in one place": polars.head(3000),
        "pyarrow": arrow,
        "pyarrow in pieces": pa.concat_tables([arrow.slice(0, 10), arrow.slice(10)]),
        "pyarrow of categories": packed,
        "pyarrow of views": arrow.cast(pa.schema([(c, pa.string_view()) for c in columns])),
        "pandas": arrow.to_pandas(),
        "pandas of objects": pd.DataFrame(columns, dtype=object),
        "pandas of categories": packed.to_pandas(),
        "lists": {c: list(v) for c, v in columns.items()},
    }


@pytest.mark.full
def test_every_frame_in_memory_counts_alike_and_says_where_rows_are() -> None:
    made = frames()
    one = hs.count(made.pop("lists"))
    part = hs.count(made.pop("polars in one place"))
    assert (part.read, part.set_aside[0].examples) == (3000, ("row 6",))
    for name, frame in made.items():
        counts = hs.count(frame)
        assert counts == one, name
        assert counts.set_aside == one.set_aside, name
        assert counts.set_aside[1].examples == ("row 8", "row 9")
