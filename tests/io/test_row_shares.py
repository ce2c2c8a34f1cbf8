"""Percentages beside the number of cases, and cells such as 45/50: the counts they are, or a sentence."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import example, settings
from hypothesis import given as for_all
from hypothesis import strategies as st
from tests.conftest import tries
from tests.print_outs import OVER, PERCENT

from howsure.errors import InvalidFile
from howsure.io import Reading, read
from howsure.io.cells import counts_near

COUNTS = [[45, 5], [8, 42]]
#: The share of each column, and its cases below.
BELOW = "true\\pred,healthy,ill\nhealthy,85%,11%\nill,15%,89%\nn,53,47\n"


@pytest.mark.sweep(3, full=21)
@pytest.mark.parametrize(
    "text",
    [
        PERCENT,
        PERCENT.replace("%", " %").replace(",", "\t"),
        PERCENT.replace("%", ".0%").replace(",n\n", ",Total\n"),
        PERCENT.replace("10%", "10,0 %").replace("90%", "90,0 %").replace(",", ";").replace(";0", ",0"),
        "true\\pred,healthy,ill,n\nhealthy,0.90,0.10,50\nill,0.16,0.84,50\n",
        PERCENT + "Total,53%,47%,100\n",
        PERCENT + "Total,53,47,100\n",
        PERCENT + "n,53,47,100\n",
        OVER,
        OVER.replace("/", " / "),
        "true\\pred,healthy,ill,n\nhealthy,45/50,5/50,50\nill,8/50,42/50,50\nn,53,47,100\n",
        "true\\pred,healthy,ill\nhealthy,45/53,5/47\nill,8/53,42/47\n",  # of the columns
        "true\\pred,healthy,ill\nhealthy,45/100,5/100\nill,8/100,42/100\n",  # of all
        BELOW,
        BELOW.replace("%", " %").replace("n,53", "Total,53").replace(",", "\t"),
        BELOW.replace("85%,11%", "0.85,0.11").replace("15%,89%", "0.15,0.89"),
        "pred\\true,healthy,ill\nhealthy,90%,16%\nill,10%,84%\nn,50,50\n",
        # cases of both sides: the shares add up down
        "true\\pred,healthy,ill,n\nhealthy,85%,11%,50\nill,15%,89%,50\nn,53,47,100\n",
        "true\\pred,healthy,ill,Total\nhealthy,85%,11%,50\nill,15%,89%,50\nTotal,53,47,100\n",
    ],
)
def test_one_matrix_of_shares(text: str, given: Callable[..., Reading]) -> None:
    found = given(text)
    assert found.confusion.counts.tolist() == COUNTS
    assert found.confusion.labels == ("healthy", "ill")


def test_rows_of_predictions_are_turned(given: Callable[..., Reading]) -> None:
    text = "pred\\true,healthy,ill,n\nhealthy,84.9%,15.1%,53\nill,10.6%,89.4%,47\n"
    found = given(text)
    assert found.confusion.counts.tolist() == COUNTS
    assert any("the only counts that are printed so" in note for note in found.notes)


@pytest.mark.parametrize("text", [PERCENT, OVER])
def test_what_a_row_is_is_asked_as_ever(
    text: str, given: Callable[..., Reading], complaint: Callable[..., str]
) -> None:
    open_ = text.replace("true\\pred", "")
    assert "rows_unsaid" in complaint(open_)
    assert given(open_, rows="true").confusion.counts.tolist() == COUNTS


@settings(max_examples=tries(60), deadline=None)
@for_all(st.lists(st.lists(st.integers(0, 40), min_size=3, max_size=3), min_size=3, max_size=3), st.integers(0, 2))
def test_a_turned_table_of_columns_is_that_of_rows(rows: list[list[int]], digits: int) -> None:
    """Shares of columns of a table, and shares of the rows of the turned one: the same counts, or the same refusal."""
    sizes = [sum(row) for row in rows]
    if 0 in sizes:
        return
    cells = [[f"{100 * k / n:.{digits}f}%" for k in row] for row, n in zip(rows, sizes, strict=True)]
    across = [["true\\pred", *"abc", "n"], *([c, *row, str(n)] for c, row, n in zip("abc", cells, sizes, strict=True))]
    down = [["pred\\true", *"abc"], *([c, *row] for c, row in zip("abc", zip(*cells, strict=True), strict=True))]
    found = [_answer([*table]) for table in (across, [*down, ["n", *map(str, sizes)]])]
    both_ways = all(abs(sum(float(cell[:-1]) for cell in row[1:]) - 100) <= 1.5 / 10**digits for row in down[1:])
    assert found[0] == found[1] or (both_ways and found[1] == "")
    assert found[0] in (str(rows), "")


def test_halves_that_are_both_rounded_up_are_shares(given: Callable[..., Reading]) -> None:
    """177 and 23 of 200 are 0.885 and 0.115, which are printed as 0.89 and 0.12."""
    found = given("true\\pred,a,b,n\na,0.89,0.12,200\nb,0.500,0.500,200\n")
    assert found.confusion.counts.tolist() == [[177, 23], [100, 100]]


def test_shares_that_add_up_both_ways_are_of_rows_where_these_have_their_cases(given: Callable[..., Reading]) -> None:
    found = given("true\\pred,a,b,n\na,90.0%,10.0%,100\nb,10.0%,90.0%,200\nTotal,110,190,300\n")
    assert found.confusion.counts.tolist() == [[90, 10], [20, 180]]


def _answer(table: list[list[str]]) -> str:
    try:
        text = "".join(",".join(row) + "\n" for row in table)
        return str(read(io.StringIO(text)).confusion.counts.tolist())
    except InvalidFile:
        return ""


@pytest.mark.full
@settings(max_examples=tries(200), deadline=None)
@example([1, 1, 1], 0)
@example([0, 0, 9], 1)
@for_all(st.lists(st.integers(0, 25), min_size=2, max_size=3), st.integers(0, 2))
def test_the_only_counts_are_those_that_counting_all_finds(row: list[int], digits: int) -> None:
    n = sum(row)
    if not n:
        return
    printed = [f"{100 * count / n:.{digits}f}" for count in row]
    unit = 10**digits

    def fits(counts: tuple[int, ...]) -> bool:
        # in whole numbers: 100 count / n is within half a digit of what is printed
        near = (
            abs(200 * unit * c - 2 * n * int(it.replace(".", ""))) <= n for c, it in zip(counts, printed, strict=True)
        )
        return sum(counts) == n and all(near)

    every = [counts for counts in product(range(n + 1), repeat=len(row)) if fits(counts)]
    assert tuple(row) in every
    found = counts_near([(int(it.replace(".", "")), 100 * unit) for it in printed], n)
    assert found == (list(every[0]) if len(every) == 1 else [])
