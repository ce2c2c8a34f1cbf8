"""Several classifiers over many data sets: all answers case by case, or the right answers of each on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.answers import case_list
from howsure.io.contenders import read_contenders
from howsure.io.contents import content_of
from howsure.io.engines.table_files import are_counted
from howsure.io.formats.board import board_of, is_board
from howsure.io.opening import opened
from howsure.io.reading import Reading, Request
from howsure.io.several_classifiers import paired_in_files
from howsure.io.stages import knowing_logs, read_content
from howsure.io.table import TextTable
from howsure.text.formats import plain
from howsure.text.spreadsheet import unguarded

__all__ = ["OverDataSets", "read_over"]

LAYOUTS = (
    "Classifiers over data sets are a table of cases with a column of the data set (dataset,y_true,pred_A,pred_B), or "
    "a row for each data set and classifier (dataset,model,correct,n or dataset,model,score,n)"
)

#: Data sets of a table, so many as no answer takes.
MOST = 10_000


@dataclass(frozen=True)
class OverDataSets:
    """What `compare_over` and `rank_over` take, and what was said on the way.

    Parameters
    ----------
    data_sets : Predictions or dict
        Predictions whose groups are the data sets, or of each data set ``{classifier: (k, n)}``.
    notes : tuple of str
    """

    data_sets: Predictions | dict[str, dict[str, tuple[int, int]]]
    notes: tuple[str, ...] = ()


def read_over(paths: Sequence[str], site: str, *, n: int | None = None, **given: Any) -> OverDataSets:
    """Read classifiers over data sets.

    Parameters
    ----------
    paths : sequence of str
        A table of cases or of counts; or files that `read_contenders` pairs.
    site : str
        Column of the data set.
    n : int, optional
        Cases of each classifier on each data set, where a table of scores has none.
    **given
        As `read_contenders` takes them.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
    if given.get("missing") == "estimate" or given.get("separate"):
        option = "--separate" if given.get("separate") else "--missing estimate"
        raise InvalidArgument(f"over data sets (--site) leave {option} out; {LAYOUTS}")
    if len(paths) != 1 or are_counted(paths):
        return _together(paths, site, given)
    policy = given.get("missing", "error")
    unlike: Literal["error", "exclude"] = "exclude" if policy == "exclude" else "error"
    request = Request(
        given.get("rows"), given.get("positive"), given.get("labels"), None, unlike, given.get("y_true"),
        tuple(given.get("y_pred") or ()), given.get("id"), group=site,
    )  # fmt: skip
    with opened(paths[0]) as file, knowing_logs(file):
        content = content_of(file)
        if isinstance(content, TextTable) and is_board(content.header) and request.true is None:
            return _of_rows(content, site, n)
        found = read_content(content, request, case_list)
    if isinstance(found, Reading):
        raise InvalidFile(found.source, f"it holds one matrix. {LAYOUTS}")
    if len(found.classifiers) < 2:
        raise InvalidFile(found.source, f"it holds the answers of one classifier. {LAYOUTS}")
    options = {"labels": request.labels, "positive": request.positive, "missing": policy}
    made = paired_in_files(paths[0], found.classifiers, options, "ranks")
    if made is None or made.group is None:
        raise InvalidFile(found.source, f"no data set is known of its cases. {LAYOUTS}")
    return OverDataSets(made, tuple(found.notes))


def _together(paths: Sequence[str], site: str, given: dict[str, Any]) -> OverDataSets:
    found = read_contenders(paths, group=site, **given)
    if found.predictions is None or found.predictions.group is None:
        raise InvalidFile(", ".join(paths), f"nothing says which answers are to the same case of a data set. {LAYOUTS}")
    return OverDataSets(found.predictions, found.notes)


def _of_rows(table: TextTable, site: str, n: int | None) -> OverDataSets:
    """A leaderboard for each value of the column."""
    if table.header.count(site) != 1:
        raise table.fault(f"no column {excerpt(site)} of the data sets; the header has {listing(table.header)}")
    place = table.header.index(site)
    parts: dict[str, list[tuple[int, list[str]]]] = {}
    for line, raw in table.rows:
        row = table.fitted(raw, line)
        if not any(cell.strip() for cell in row):
            continue
        name = unguarded(row[place]).strip()
        if not name:
            raise table.fault(f"a row without a data set (column {excerpt(site)})", line)
        parts.setdefault(name, []).append((line, row))
        if len(parts) > MOST:
            raise table.fault(f"more than {MOST} data sets; is {excerpt(site)} their column?", line)
    made: dict[str, dict[str, tuple[int, int]]] = {}
    notes: list[str] = []
    for name, rows in parts.items():
        if len(rows) < 2:
            raise table.fault(f"data set {excerpt(name)} has one classifier; two or more are compared", rows[0][0])
        board = board_of(replace(table, rows=iter(rows)), n)
        made[name] = {x.name: (x.correct, x.n) for x in board.standings}
        notes += [f"{plain(name, 40)}: {note}" for note in board.notes]
    if not made:
        raise table.fault("no row below the header")
    return OverDataSets(made, tuple(notes))
