"""``import`` and ``paste``: a text that was dropped or pasted, read by the readers of the files; never a path."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from howsure.data.confusion import ConfusionMatrix
from howsure.data.folds import refuse_passes
from howsure.data.predictions import Predictions
from howsure.data.words import role
from howsure.errors import HowsureError, InvalidFile, excerpt
from howsure.io.answers import CaseList, case_list, paired
from howsure.io.cells import BILLION
from howsure.io.contents import is_document_file, table_of
from howsure.io.formats.board import board_of, headed, other_score, read_collection, with_commas
from howsure.io.opening import Opened, opened
from howsure.io.reading import Board, Grid, Reading, Request
from howsure.io.roles import is_board
from howsure.io.stages import read_content, read_opened
from howsure.text.formats import plain
from howsure.web.group_columns import GroupColumns, cells_by_group
from howsure.web.knowledge import Kind, kinds_in, outlined
from howsure.web.limits import MOST_SLICES, Limits
from howsure.web.score_reading import scores_read
from howsure.web.uploaded import stream_of

__all__ = ["answered", "pasted"]

#: What the page calls a file, whose name it does not send.
SOURCE = "the file"

#: What it calls a text that was pasted into a cell of the matrix.
PASTED = "the pasted text"

#: What is said where the page would send more than a request may hold.
MANY_GROUPS = (
    "There are too many groups for the page, and cases are taken as separate; howsure report --group takes them."
)

#: How far rows of shares may be from 1, or from 100, by the rounding of their cells.
NEAR = 0.006


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """What the text holds: a matrix, classifiers, pairs, a leaderboard; or scores or tables, if they are asked for."""
    if request.get("scores"):
        return scores_read(request, SOURCE, limits)
    if request.get("tables"):
        return _tables(request, limits)
    missing = request.get("missing", "error")
    asked = Request(
        request.get("rows"),
        request.get("positive"),
        request.get("labels"),
        request.get("model"),
        "exclude" if missing == "exclude" else "error",
        group=request.get("group", True),
    )
    ending = request.get("ending", ".csv")
    is_asked = bool(request.get("board"))
    if is_asked and ending == ".csv":
        request = {**request, "text": with_commas(request["text"])}
    found, columns = _read(stream_of(request, SOURCE), asked, ending, request.get("n"), board=is_asked)
    answer = _answer(found, asked, missing, request, limits)
    offered = [] if columns is None or answer["kind"] != "matrix" else columns.found()
    return {**answer, "columns": offered} if offered else answer


def _tables(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The four cells of each study or slice, a row each."""
    found = read_collection(stream_of(request, SOURCE))
    _refuse_long(list(found), limits)
    if len(found) > MOST_SLICES:
        raise InvalidFile(SOURCE, f"{len(found):,} tables, and the page takes {MOST_SLICES:,}; use howsure slices")
    cells = {name: it.counts.tolist() for name, it in found.items()}
    tables = [{"name": name, "tp": tp, "fn": fn, "fp": fp, "tn": tn} for name, ((tn, fp), (fn, tp)) in cells.items()]
    unit = "study" if found.are_studies else "site"
    return {"kind": "tables", "tables": tables, "unit": unit, "notes": [f"{len(tables):,} tables of two classes."]}


def pasted(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """What was pasted into a cell of the matrix: another matrix, its counts or the shares of each row, or a list."""
    names = tuple(request.get("classes", ()))
    # a row of cases without a truth is read for what it is, and the page says what that assumes
    asked = Request(grid=Grid(names), missing="estimate")
    try:
        found, _ = _read(stream_of({"text": request["text"], "ending": ""}, SOURCE), asked, "", None)
    except InvalidFile as error:
        shares = _shares(request["text"], names, limits)
        if shares is not None:
            return shares
        raise InvalidFile(PASTED, error.problem, error.line) from None
    answer = _answer(found, asked, "error", request, limits)
    lent = answer["kind"] == "matrix" and answer["matrix"]["classes"] == list(names) != _numbered(len(names))
    if lent and not any(name in request["text"] for name in names):
        first = excerpt(names[0])
        answer["notes"] = [
            *answer["notes"],
            f"The names are those that stood here: {first} is the first row and column.",
        ]
    return answer


def _numbered(size: int) -> list[str]:
    """What the page calls classes without a name."""
    return [f"class {i + 1}" for i in range(size)]


def _shares(text: str, names: tuple[str, ...], limits: Limits) -> dict[str, Any] | None:
    """The matrix of a text without counts, each row of which adds up to 1 or to 100; None if it is no such thing."""
    try:
        stream = stream_of({"text": text, "ending": ""}, SOURCE)
        found, _ = _read(stream, Request(grid=Grid(names, shares=True)), "", None)
    except HowsureError:
        return None
    if not isinstance(found, Reading):
        return None
    matrix = _matrix(found.confusion, limits)
    cells = found.confusion.counts / BILLION
    sums = cells.sum(axis=1)
    if not any((abs(sums - whole) <= NEAR * whole).all() for whole in (1, 100)):
        return None
    # numbers that say that they are percentages are no counts, and stay as they are until their cases are known
    counts = [[f"{x:.12g}%" for x in row] for row in cells] if "%" in text else cells.tolist()
    return {"kind": "matrix", "matrix": {**matrix, "counts": counts}, "notes": list(found.notes)}


#: What a text holds; the kinds of data that it may be, where it holds more than a matrix.
Content: TypeAlias = Board | Reading | CaseList | list[Kind]
Found: TypeAlias = tuple[Content, GroupColumns | None]


def _read(stream: io.BytesIO, asked: Request, ending: str, n: int | None, *, board: bool = False) -> Found:
    with opened(stream) as file:
        return _found(file, asked, ending, n, board)


def _answer(found: Content, asked: Request, missing: Any, request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    if isinstance(found, list):
        return outlined(request, found, limits)
    if isinstance(found, Board):
        entries = [{"name": it.name, "correct": it.correct, "n": it.n} for it in found.standings]
        _refuse_many(len(entries), limits)
        _refuse_long([it.name for it in found.standings], limits)
        return {
            "kind": "leaderboard",
            "entries": entries,
            "notes": [note[:1].upper() + note[1:] for note in found.notes],
        }
    if isinstance(found, Reading):
        return {"kind": "matrix", "matrix": _matrix(found.confusion, limits), "notes": list(found.notes)}
    return _cases(found, asked, missing, request, limits)


def _found(file: Opened, asked: Request, ending: str, n: int | None, board: bool) -> Found:
    file.suffix = ending
    if is_document_file(file):
        return read_opened(file, asked, case_list), None
    table = table_of(file)
    kinds = kinds_in(table)
    if kinds and kinds != ["ratings"]:
        return kinds, None
    table, notes = headed(table) if board else (table, ())
    if is_board(table.header):
        made = board_of(table, n)
        return replace(made, notes=(*notes, *made.notes)), None
    columns = GroupColumns.watching(table)
    try:
        return read_content(table, asked, case_list), columns
    except InvalidFile:
        if kinds:
            return kinds, None
        if other_score(table.header) or (board and not any(map(role, table.header))):
            board_of(table, n)  # which says what a leaderboard has
        raise


def _matrix(confusion: ConfusionMatrix, limits: Limits) -> dict[str, Any]:
    refuse_passes(confusion.folds, "the page")
    _refuse_long(confusion.labels, limits)
    _refuse_classes(confusion.labels, limits)
    known = {"classes": list(confusion.labels), "counts": confusion.counts.tolist(), "positive": confusion.positive}
    verdicts = confusion.verdicts
    if verdicts is None:
        return known
    if verdicts.audit or verdicts.truths < len(confusion.labels) or verdicts.names != confusion.labels:
        raise InvalidFile(
            SOURCE, "the page takes verdicts that are true classes; other verdicts are for the command line"
        )
    return {**known, "unlabelled": verdicts.unlabelled.tolist()}


def _cases(found: CaseList, asked: Request, missing: Any, request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """One classifier, several on the same cases, or several apart."""
    options: dict[str, Any] = {"labels": asked.labels, "positive": asked.positive, "missing": missing}
    answers = found.classifiers
    if asked.model is not None:
        if asked.model not in answers:
            raise InvalidFile(
                SOURCE, f"no classifier {plain(asked.model)!r}; there are {', '.join(map(plain, answers))}"
            )
        answers = {asked.model: answers[asked.model]}
    _refuse_many(len(answers), limits)
    for it in answers.values():  # before there is a matrix of them
        _refuse_classes({*it.true.texts, *it.pred.texts}, limits)
    try:
        if len(answers) == 1:
            name, only = next(iter(answers.items()))
            name = name or "classifier"
            ids = only.id if only.group is None else None
            one = Predictions(only.true, {name: only.pred}, id=ids, group=only.group, **options)
            matrix = {"kind": "matrix", "matrix": _matrix(one.confusion(name), limits)}
            notes = [*found.notes, *one.notes]
            cells = None if only.group is None else cells_by_group(one, name, one.confusion(name))
            if cells is None or len(cells) > limits.patterns:
                notes += [] if cells is None else [MANY_GROUPS]
                return {**matrix, "notes": notes}
            return {**matrix, "groups": cells, "group": found.group, "notes": notes}
        if any(it.group is not None for it in answers.values()):
            found.notes.append("The cases of all groups are taken as separate cases.")
        ungrouped = {name: replace(it, group=None) for name, it in answers.items()}
        joint = None if request.get("separate") else paired(ungrouped, options)
        if joint is not None:
            return {"kind": "paired", "paired": _pairs(joint, limits), "notes": [*found.notes, *joint.notes]}
        apart = {name: Predictions(it.true, {name: it.pred}, id=it.id, **options) for name, it in answers.items()}
    except InvalidFile:
        raise
    except HowsureError as error:
        raise InvalidFile(SOURCE, plain(str(error), 1000)) from None
    notes = [note for it in apart.values() for note in it.notes]
    classifiers = [{"name": name, "matrix": _matrix(it.confusion(name), limits)} for name, it in apart.items()]
    return {"kind": "classifiers", "classifiers": classifiers, "notes": [*found.notes, *dict.fromkeys(notes)]}


def _pairs(joint: Predictions, limits: Limits) -> dict[str, Any]:
    """The cases as kinds of cases, which are fewer."""
    _refuse_classes(joint.labels, limits)
    _refuse_long((*joint.labels, *joint.names), limits)
    kinds = joint.patterns()
    rows: Sequence[tuple[int, list[int], int]] = list(
        zip(kinds.truth.tolist(), kinds.answers.tolist(), kinds.counts.tolist(), strict=True)
    )
    if joint.n > limits.cases or len(rows) > limits.patterns:
        raise InvalidFile(
            SOURCE, f"{joint.n:,} cases in {len(rows):,} kinds are more than the page pairs; use the command line"
        )
    made = {"classes": list(joint.labels), "models": list(joint.names), "cells": [list(row) for row in rows]}
    positive = joint.confusion(joint.names[0]).positive
    return made if positive is None else {**made, "positive": positive}


def _refuse_classes(labels: Collection[object], limits: Limits) -> None:
    if len(labels) > limits.classes:
        raise InvalidFile(SOURCE, f"{len(labels):,} classes, and the page takes {limits.classes}; use the command line")


def _refuse_many(count: int, limits: Limits) -> None:
    if count > limits.classifiers:
        raise InvalidFile(
            SOURCE, f"{count:,} classifiers, and the page takes {limits.classifiers}; use the command line"
        )


def _refuse_long(names: Sequence[str], limits: Limits) -> None:
    odd = next((name for name in names if len(name) > limits.label), None)
    if odd is not None:
        raise InvalidFile(
            SOURCE, f"the name {plain(odd, 40)!r} has {len(odd):,} characters, and the page takes {limits.label}"
        )
