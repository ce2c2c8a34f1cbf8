"""Slices in the order of time: names that are dates or numbers, and dates cut to weeks, months or years."""

from __future__ import annotations

import re
from datetime import date
from typing import Literal

import numpy as np

from howsure.data.slice_places import MISSING
from howsure.data.slices import SliceCells, Slices
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import one_of

__all__ = ["Cut", "in_time"]

Cut = Literal["week", "month", "year"]

_DIGITS = re.compile(r"(\d+)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?=$|[T ])")


def in_time(slices: Slices, cut: Cut | None = None) -> Slices:
    """Slices in the order of time, dates cut to larger spans where that is asked for.

    Parameters
    ----------
    slices : Slices
        By one column: dates such as 2024-03-08 (a time may follow), months, years, or names that differ in numbers
        only, such as "week 9" and "week 10".
    cut : "week", "month" or "year", optional
        All days of one are one slice: weeks as in ISO 8601, 2024-W10.

    Raises
    ------
    InvalidArgument
        Several columns, a case without a time, names that have no order in time, or no dates to cut.

    Examples
    --------
    >>> days = Slices.from_predictions([1, 1, 1], [1, 0, 1], by=["2024-03-10", "2024-03-04", "2024-03-11"])
    >>> in_time(days).names, in_time(days, "week").names
    (('2024-03-04', '2024-03-10', '2024-03-11'), ('2024-W10', '2024-W11'))
    """
    if len(slices.by) > 1:
        raise InvalidArgument(f"time is one column, not {len(slices.by)}; slice by one")
    if MISSING in slices.names:
        missing = int(slices.cases[slices.names.index(MISSING)])
        raise InvalidArgument(f"{missing} of {slices.n} cases have no time; give them one, or leave them out")
    names = [name.strip() for name in slices.names]
    if cut is not None:
        one_of(cut, ("week", "month", "year"), "cut")
        names = [_cut(name, cut) for name in names]
    patterns: dict[str, str] = {}
    for name in names:
        patterns.setdefault(_DIGITS.sub("0", name), name)
    backwards = [name for name in names if re.fullmatch(r"\d{1,2}\D\d{1,2}\D\d{2,4}", name)]
    if len(patterns) > 1 or "0" not in next(iter(patterns)) or backwards:
        shown = " and ".join(excerpt(name) for name in (backwards or list(patterns.values()))[:2])
        raise InvalidArgument(
            f"slices in time have names of one form with numbers that give the order, such as 2024-03-08, 2024-W10 or "
            f"'week 10'; not {shown}"
        )
    ordered = sorted(set(names), key=lambda name: [int(part) for part in _DIGITS.findall(name)])
    rank = {name: i for i, name in enumerate(ordered)}
    cells = slices._cells
    place = np.array([rank[name] for name in names], dtype=np.int64)[cells.slice]
    moved = SliceCells.added(place, cells.true, cells.pred, cells.count, len(slices.labels))
    return Slices._of_cells(ordered, moved, slices.confusion(), by=slices.by)


def _cut(name: str, cut: Cut) -> str:
    found = _DATE.match(name)
    try:
        day = date.fromisoformat(found[0]) if found else None
    except ValueError:
        day = None
    if day is None:
        raise InvalidArgument(f"a {cut} is cut from dates such as 2024-03-08, not {excerpt(name)}")
    year, week, _ = day.isocalendar()
    return {"week": f"{year}-W{week:02d}", "month": f"{day.year}-{day.month:02d}", "year": f"{day.year}"}[cut]
