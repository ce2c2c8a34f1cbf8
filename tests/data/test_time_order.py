"""Slices in the order of time: names whose numbers say it, dates that are cut, and all else refused."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.data.time_order import Cut, in_time
from howsure.errors import InvalidArgument


def sliced(*names: str | None) -> hs.Slices:
    return hs.Slices.from_predictions([1] * len(names), [1] * len(names), by={"day": list(names)}, labels=[0, 1])


def test_numbers_in_names_say_the_order() -> None:
    assert in_time(sliced("week 10", "week 9", "week 101")).names == ("week 9", "week 10", "week 101")
    assert in_time(sliced("2024-03-08", "2023-12-31")).names == ("2023-12-31", "2024-03-08")
    assert in_time(sliced("10", "9")).names == ("9", "10")


@pytest.mark.parametrize(
    ("cut", "names"),
    [("week", ("2024-W52", "2025-W01")), ("month", ("2024-12", "2025-01")), ("year", ("2024", "2025"))],
)
def test_dates_are_cut_and_no_case_is_lost(cut: Cut, names: tuple[str, ...]) -> None:
    made = in_time(sliced("2024-12-29", "2024-12-24", "2025-01-02T07:30", "2025-01-03 23:59:59"), cut)
    assert made.names == names
    assert made.cases.tolist() == [2, 2]
    assert made.by == ("day",)


def test_the_last_days_of_a_year_may_be_in_the_first_week_of_the_next() -> None:
    assert in_time(sliced("2024-12-30", "2024-12-31"), "week").names == ("2025-W01",)


@pytest.mark.parametrize(
    ("names", "cut", "words"),
    [
        (("mon", "tue"), None, "'mon'"),
        (("week 9", "day 9"), None, "one form"),
        (("3/4/2024", "12/4/2024"), None, "one form"),
        (("week 9", "week 10"), "month", "not 'week 10'"),
        (("2024-02-31",), "week", "2024-02-31"),
        (("2024-03-01", None), None, "1 of 2 cases have no time"),
    ],
)
def test_what_has_no_order_is_refused(names: tuple[str, ...], cut: Cut | None, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        in_time(sliced(*names), cut)


def test_time_is_one_column() -> None:
    both = hs.Slices.from_predictions([1, 1], [1, 1], by={"day": [1, 2], "os": ["a", "b"]}, labels=[0, 1])
    with pytest.raises(InvalidArgument, match="one column, not 2"):
        in_time(both)
