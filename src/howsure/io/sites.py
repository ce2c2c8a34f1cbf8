"""Test sets of several sites, and several classifiers over many data sets: rows, a column that names them, or files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.data.refusals import refusal, say
from howsure.errors import InvalidArgument, InvalidFile, excerpt
from howsure.io.answers import read_answers
from howsure.io.contenders import contenders_of
from howsure.io.contents import holds
from howsure.io.formats.board import Collection, board_of, is_collection, read_collection
from howsure.io.opening import located
from howsure.io.reading import Contenders, Reading, Request
from howsure.io.stages import read
from howsure.io.table import TextTable
from howsure.text.formats import plain, unguarded

#: Data sets of a table, so many as no answer takes.
MOST = 10_000


class Sites(NamedTuple):
    """What `howsure.pool` takes, and what was said on the way."""

    sites: dict[str, ConfusionMatrix | Predictions] | ConfusionMatrix
    notes: tuple[str, ...] = ()
    unit: Literal["site", "study"] = "site"


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


def read_sites(paths: Sequence[str], *, site: str | None = None, y_pred: str | None = None, **given: Any) -> Sites:
    """Read the test sets of several sites.

    Parameters
    ----------
    paths : sequence of str
        One table with the columns ``study,tp,fn,fp,tn``; with ``site`` a table of cases or counts; or a file a site.
    y_pred, **given
        As in `howsure.io.read`: rows, positive, labels, missing, y_true.
    """
    if site is not None:
        try:
            found = read(list(paths) if len(paths) > 1 else paths[0], group=site, y_pred=y_pred, **given)
        except InvalidFile:
            if len(paths) > 1 or paths[0] == "-" or not holds(paths[0], lambda table: is_collection(table.header)):
                raise
            return _of_collection(read_collection(paths[0], named_by=site))
        return Sites(found.confusion, found.notes)
    files = located(paths[0])[0] if len(paths) == 1 and paths[0] != "-" else list(paths)
    if len(files) < 2:
        try:
            return _of_collection(read_collection(paths[0]))
        except InvalidFile as error:
            if error.kind not in ("no_column", "two_columns"):
                raise
            raise InvalidFile(
                error.source, f"it is no table of sites: {error.problem}. {say('several_sites')}", error.line
            ) from None
    request = Request.of_several(y_pred=() if y_pred is None else (y_pred,), **given)
    sites: dict[str, ConfusionMatrix | Predictions] = {}
    notes: list[str] = []
    for path in files:
        name = Path(path).stem
        if name in sites:
            raise InvalidArgument(say("twice", "the file name", name))
        one = read_answers(path, request)
        notes += [f"{plain(name, 40)}: {note}" for note in one.notes]
        if isinstance(one, Reading):
            sites[name] = one.confusion
        elif len(one.classifiers) != 1:
            raise refusal(one.source, "choose", "classifiers", one.classifiers, "--pred")
        else:
            sites[name] = next(iter(one.classifiers.values())).alone(request.options)
    return Sites(sites, tuple(notes))


def _of_collection(found: Collection) -> Sites:
    return Sites(dict(found), unit="study" if found.are_studies else "site")


def read_over(paths: Sequence[str], site: str, *, n: int | None = None, **given: Any) -> OverDataSets:
    """Read classifiers over data sets.

    Parameters
    ----------
    paths : sequence of str
        A table of cases or of counts; or files that `read_contenders` pairs.
    n : int, optional
        Cases of each classifier on each data set, where a table of scores has none.
    """
    if given.get("missing") == "estimate" or given.pop("separate", False):
        option = "--missing estimate" if given.get("missing") == "estimate" else "--separate"
        raise InvalidArgument(say("not_both", "--site", option))
    request = Request.of_several(group=site, **given)
    try:
        found = contenders_of(paths, request, lambda table: _of_board(table, site, n))
    except InvalidFile as error:
        if error.kind not in ("one_matrix", "one_classifier"):
            raise
        raise InvalidFile(error.source, f"{error.problem}. {say('over_data_sets')}", error.line) from None
    if not isinstance(found, Contenders):
        return found
    if found.predictions is None or found.predictions.group is None:
        raise InvalidFile(", ".join(paths), f"{say('no_id_shared')}. {say('over_data_sets')}")
    return OverDataSets(found.predictions, found.notes)


def _of_board(table: TextTable, site: str, n: int | None) -> OverDataSets:
    """A leaderboard for each value of the column."""
    if table.header.count(site) != 1:
        raise table.fault(say("absent", "column", site, table.header))
    place = table.header.index(site)
    parts: dict[str, list[tuple[int, list[str]]]] = {}
    for line, row in table.filled():
        name = unguarded(row[place]).strip()
        if not name:
            raise table.fault(say("lacking", f"the data set of a row (column {excerpt(site)})"), line)
        parts.setdefault(name, []).append((line, row))
        if len(parts) > MOST:
            raise table.fault(say("too_many", len(parts), "data sets", MOST), line)
    made: dict[str, dict[str, tuple[int, int]]] = {}
    notes: list[str] = []
    for name, rows in parts.items():
        if len(rows) < 2:
            raise table.fault(say("one_classifier"), rows[0][0])
        board = board_of(replace(table, rows=iter(rows)), n)
        made[name] = {x.name: (x.correct, x.n) for x in board.standings}
        notes += [f"{plain(name, 40)}: {note}" for note in board.notes]
    if not made:
        raise table.fault(say("no_rows", "row"))
    return OverDataSets(made, tuple(notes))
