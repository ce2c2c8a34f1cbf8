"""Cross tables as statistics programs print them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from tests.print_outs import H2O, JULIA, SPSS, STATA, TENSORS

from howsure.errors import InvalidFile
from howsure.io import Reading
from howsure.io.formats.printed import table_in_text


@pytest.mark.parametrize("text", [JULIA, TENSORS[0], TENSORS[1]], ids=["julia", "tensor", "tensor in a list"])
def test_numbers_alone_leave_the_rows_open(
    text: str, given: Callable[..., Reading], complaint: Callable[..., str]
) -> None:
    assert given(text, "x.txt", rows="true").confusion.counts.tolist() == [[45, 5], [8, 42]]
    assert given(text, "x.txt", rows="pred").confusion.counts.tolist() == [[45, 8], [5, 42]]
    assert "rows_unsaid" in complaint(text, "x.txt")


@pytest.mark.parametrize(
    "text",
    [
        SPSS.replace("pos\t8", "yes\t8").replace("neg", "bad"),
        H2O.replace("neg     45", "bad     45"),
        TENSORS[0].replace("[[", "[").replace("]]", "]"),
    ],
)
def test_what_is_nearly_one_of_them_is_refused(text: str, complaint: Callable[..., str]) -> None:
    assert complaint(text, "x.txt", rows="true")


def test_two_tables_in_one_text_are_asked_about(complaint: Callable[..., str]) -> None:
    text = f"Training\n{STATA}\nTest\n{STATA.replace('45', '46')}"
    assert "several_matrices" in complaint(text, "x.txt")


@for_all(st.text(alphabet="|+-\t\n 0123456789abnegpos=/.[]()Error RateTotal\u00d7{}:", max_size=300))
def test_no_text_is_more_than_they_can_bear(text: str) -> None:
    try:
        found = table_in_text("x", text)
    except InvalidFile:
        return
    assert found is None or all(isinstance(line, int) and row for line, row in found.rows)


@pytest.mark.parametrize("beginning", ["tf.Tensor(", "<tf.Tensor: numpy=", "1\u00d71 Matrix{"])
def test_long_texts_end_soon(beginning: str) -> None:
    text = beginning + "[" * 49_000 + " Error Rate\n" + "]" * 49_000
    assert table_in_text("x", text) is None
