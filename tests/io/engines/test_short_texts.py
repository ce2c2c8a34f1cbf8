"""Words of texts are equal where the texts are, however Arrow holds them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.io.engines.short_texts import short_words

pa = pytest.importorskip("pyarrow")

TEXT = st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"]), max_size=5), st.sampled_from(["", "a\0"]))
KINDS = st.sampled_from(["string", "large_string", "string_view"])


def chunks(rows: list[str | None], kind: str, cut: int) -> Any:
    """Two chunks, the second of which begins amid a longer array."""
    whole = pa.array([*rows, "before", None, *rows], pa.string()).cast(kind)
    return pa.chunked_array([whole.slice(0, cut), whole.slice(len(rows) + 2 + cut), whole.slice(0, 0)])


@given(st.lists(TEXT, max_size=30), KINDS, st.integers(0, 30))
def test_equal_words_are_equal_texts(rows: list[str | None], kind: str, cut: int) -> None:
    column = chunks(rows, kind, min(cut, len(rows)))
    words = short_words(column)
    sizes = [len(text.encode()) for text in rows if text is not None]
    if max(sizes, default=0) > 8 or any(text.endswith("\0") for text in rows if text):
        assert words is None
        return
    assert words is not None
    assert column.to_pylist() == rows
    named = dict(zip(words.tolist(), [text or "" for text in rows], strict=True))
    assert [named[word] for word in words.tolist()] == [text or "" for text in rows]
    assert len(set(named.values())) == len(named)


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_eight_bytes_are_short_and_nine_are_not(kind: str) -> None:
    assert short_words(pa.chunked_array([pa.array(["12345678", "é234567"], kind)])) is not None
    assert short_words(pa.chunked_array([pa.array(["a", "123456789"], kind)])) is None
    assert short_words(pa.chunked_array([pa.array(["a"] * 20 + ["123456789"], kind)])) is None


@pytest.mark.sweep(4, full=6)
@pytest.mark.parametrize(("engine", "odd"), [("pandas", ""), ("polars", "long enough"), ("pyarrow", "")])
def test_frames_of_short_and_long_texts_count_as_lists_do(engine: str, odd: str) -> None:
    names = [f"c{i:03d}{odd}" for i in range(300)]
    rows = {
        "y_true": [names[i % 300] if i % 7 else None for i in range(70_000)],
        "y_pred": [names[i * 7 % 300] if i % 11 else " " for i in range(70_000)],
    }
    arrow = pa.table(rows)
    frame = {"pandas": arrow.to_pandas, "pyarrow": lambda: arrow}.get(
        engine, lambda: pytest.importorskip("polars").from_arrow(arrow)
    )()
    counts, peer = hs.count(frame), hs.count(rows)
    assert counts == peer
    assert counts.set_aside == peer.set_aside
