"""``import`` and ``paste``: a text that was dropped or pasted, read by the readers of the files; never a path.

And ``reconstruct``: the matrix behind the sensitivity and specificity of an abstract.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import counted_groups, refuse_passes
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.data.words import is_score, role
from howsure.errors import HowsureError, InvalidFile, excerpt
from howsure.io.answers import CaseList, case_list, paired
from howsure.io.cells import BILLION
from howsure.io.contents import content_of, is_document_file, table_of
from howsure.io.formats.board import board_of, headed, other_score, read_collection, with_commas
from howsure.io.opening import opened
from howsure.io.reading import Board, Grid, Reading, Request
from howsure.io.roles import columns_of, is_board
from howsure.io.score_files import read_scores
from howsure.io.stages import read_content, read_opened
from howsure.io.table import Row, TextTable
from howsure.numerics.arrays import bincount
from howsure.reconstruction.ranges import Published
from howsure.reconstruction.reconstruction import reconstruct
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.web.knowledge import kinds_in, outlined
from howsure.web.limits import MOST_SLICES, Limits
from howsure.web.schema import InvalidRequest, Kind
from howsure.web.subjects import stream_of

#: What the page calls a file, whose name it does not send.
SOURCE = "the file"

#: What it calls a text that was pasted into a cell of the matrix.
PASTED = "the pasted text"

#: What is said where the page would send more than a request may hold.
MANY_GROUPS = (
    "There are too many groups for the page, and cases are taken as separate; howsure report --group takes them."
)

#: Cells of one line: more than any table of the page has. Brackets may hold whole tables in a line.
MOST_CELLS = 2_000

#: How far rows of shares may be from 1, or from 100, by the rounding of their cells.
NEAR = 0.006

#: Columns that are offered, and values of one that are told apart.
MOST_COLUMNS, MOST_VALUES = 12, 100_000


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """What the text holds: a matrix, classifiers, pairs, a leaderboard; or scores or tables, if they are asked for."""
    _refuse_wide(request, SOURCE)
    if request.get("scores"):
        return _scores_read(request, limits)
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
    return {**answer, "columns": columns} if columns and answer["kind"] == "matrix" else answer


def _tables(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The four cells of each study or slice, a row each."""
    found = read_collection(stream_of(request, SOURCE))
    _refuse_long(list(found), limits)
    _refuse_many(len(found), "tables", MOST_SLICES)
    cells = {name: it.counts.tolist() for name, it in found.items()}
    tables = [{"name": name, "tp": tp, "fn": fn, "fp": fp, "tn": tn} for name, ((tn, fp), (fn, tp)) in cells.items()]
    unit = "study" if found.are_studies else "site"
    return {"kind": "tables", "tables": tables, "unit": unit, "notes": [f"{len(tables):,} tables of two classes."]}


def pasted(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """What was pasted into a cell of the matrix: another matrix, its counts or the shares of each row, or a list."""
    _refuse_wide(request, PASTED)
    names = tuple(request.get("classes", ()))
    # a row of cases without a truth is read for what it is, and the page says what that assumes
    asked = Request(grid=Grid(names), missing="estimate")
    try:
        found, _ = _read(stream_of({"text": request["text"], "ending": ""}, SOURCE), asked, "")
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
        found, _ = _read(stream, Request(grid=Grid(names, shares=True)), "")
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

#: The same with the columns that may name groups.
Found: TypeAlias = tuple[Content, list[dict[str, Any]]]


def _read(stream: io.BytesIO, asked: Request, ending: str, n: int | None = None, *, board: bool = False) -> Found:
    with opened(stream) as file:
        file.suffix = ending
        if is_document_file(file):
            return read_opened(file, asked, case_list), []
        table = table_of(file)
        rows = list(table.rows)
        kinds = kinds_in(table, rows)
        table.rows = iter(rows)
        if kinds and kinds != ["ratings"]:
            return kinds, []
        table, notes = headed(table) if board else (table, ())
        if is_board(table.header):
            made = board_of(table, n)
            return replace(made, notes=(*notes, *made.notes)), []
        header = list(table.header)
        try:
            found = read_content(table, asked, case_list)
        except InvalidFile:
            if kinds:
                return kinds, []
            if other_score(table.header) or (board and not any(map(role, table.header))):
                board_of(table, n)  # which says what a leaderboard has
            raise
        return found, _group_columns(header, rows)


def _answer(found: Content, asked: Request, missing: Any, request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    if isinstance(found, list):
        return outlined(request, found, limits)
    if isinstance(found, Board):
        entries = [{"name": it.name, "correct": it.correct, "n": it.n} for it in found.standings]
        _refuse_many(len(entries), "classifiers", limits.classifiers)
        _refuse_long([it.name for it in found.standings], limits)
        return {
            "kind": "leaderboard",
            "entries": entries,
            "notes": [note[:1].upper() + note[1:] for note in found.notes],
        }
    if isinstance(found, Reading):
        return {"kind": "matrix", "matrix": _matrix(found.confusion, limits), "notes": list(found.notes)}
    return _cases(found, asked, missing, request, limits)


def _matrix(confusion: ConfusionMatrix, limits: Limits) -> dict[str, Any]:
    refuse_passes(confusion.folds, "the page")
    _refuse_long(confusion.labels, limits)
    _refuse_many(len(confusion.labels), "classes", limits.classes)
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
    _refuse_many(len(answers), "classifiers", limits.classifiers)
    for it in answers.values():  # before there is a matrix of them
        _refuse_many(len({*it.true.texts, *it.pred.texts}), "classes", limits.classes)
    try:
        if len(answers) == 1:
            name, only = next(iter(answers.items()))
            name = name or "classifier"
            ids = only.id if only.group is None else None
            one = Predictions(only.true, {name: only.pred}, id=ids, group=only.group, **options)
            matrix = {"kind": "matrix", "matrix": _matrix(one.confusion(name), limits)}
            notes = [*found.notes, *one.notes]
            cells = None if only.group is None else _cells_by_group(one, name, one.confusion(name))
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
    _refuse_many(len(joint.labels), "classes", limits.classes)
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


def _refuse_wide(request: Mapping[str, Any], source: str) -> None:
    """Refuse a line of more cells than any table here has, before a reader tries all that it could be."""
    for at, line in enumerate(request["text"].splitlines(), 1):
        cells = 1 + max(map(line.count, ",;\t"))
        if cells > MOST_CELLS and not any(sign in line for sign in "[{("):
            problem = f"{cells:,} cells in one line; a table of the page has at most {MOST_CELLS:,}"
            raise InvalidFile(source, problem, at)


def _refuse_many(count: int, what: str, most: int) -> None:
    if count > most:
        raise InvalidFile(SOURCE, f"{count:,} {what}, and the page takes {most:,}; use the command line")


def _refuse_long(names: Sequence[str], limits: Limits) -> None:
    odd = next((name for name in names if len(name) > limits.label), None)
    if odd is not None:
        raise InvalidFile(
            SOURCE, f"the name {plain(odd, 40)!r} has {len(odd):,} characters, and the page takes {limits.label}"
        )


# -- Columns of groups -------------------------------------------------------------------------------------------------


def _group_columns(header: list[str], rows: list[Row]) -> list[dict[str, Any]]:
    """Columns with more than one value and fewer than rows, and with no other part to play."""
    try:
        columns = columns_of(TextTable("", header, 1, iter([])))
    except HowsureError:
        return []
    if columns is None or columns.count is not None:
        return []
    free = [at for at in (columns.group, columns.id, *columns.unused) if at is not None]
    free += [at for at in columns.pred.values() if columns.supposed]
    values = {at: len({row[at] for _, row in rows if at < len(row)}) for at in free}
    return [
        {"name": header[at], "groups": many}
        for at, many in values.items()
        if 1 < many < min(len(rows), MOST_VALUES) and header[at].strip() and not is_score(header[at])
        and header.count(header[at]) == 1
    ][:MOST_COLUMNS]  # fmt: skip


def _cells_by_group(cases: Predictions, name: str, confusion: ConfusionMatrix) -> list[list[int]] | None:
    """Group, true class, predicted class (places) and cases of each cell; None where each case is a group of its own.

    Raises
    ------
    InvalidLabels
        A case without a group.
    """
    groups = counted_groups(cases.group, cases.truth, cases.answers(name), len(confusion.labels))
    if len(groups) == cases.n:
        return None
    columns = groups.group, groups.true, groups.pred, groups.count
    return [list(cell) for cell in np.stack(columns, axis=1).tolist()]


# -- Scores ------------------------------------------------------------------------------------------------------------


def _scores_read(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The classes, and for each different score how many cases of each have it; the positive class if a name tells."""
    given: dict[str, Any] = {"positive": request.get("positive"), "labels": request.get("labels"), "group": False}
    known = True
    try:
        made = read_scores(stream_of(request, SOURCE), **given)
    except InvalidFile:
        classes = _two_classes(request) if given["positive"] is None else None
        if classes is None:
            raise
        # which of the two it is, is asked; what was wrong besides is said now
        made, known = read_scores(stream_of(request, SOURCE), positive=classes[1]), False
    if len(made.labels) > 2:
        raise InvalidFile(
            SOURCE,
            f"probabilities of {len(made.labels)} classes; a threshold is between two, so keep two, or use howsure "
            "curve for all of them",
        )
    _refuse_long(made.labels, limits)
    values, counts = _counted(made)
    if made.n > limits.cases or len(values) > limits.patterns:
        raise InvalidFile(
            SOURCE,
            f"{made.n:,} cases with {len(values):,} different scores, and the page takes {limits.cases:,} with "
            f"{limits.patterns:,}; round the scores to three digits, or use howsure threshold, which has no limit",
        )
    cells = [[value, *pair] for value, pair in zip(values.tolist(), counts.tolist(), strict=True)]
    sizes = ", ".join(
        f"{formats.plain(label, 40)} {formats.integer(size)}"
        for label, size in zip(made.labels, made.class_sizes.tolist(), strict=True)
    )
    notes = [f"{formats.several(made.n, 'case')}: {sizes}."]
    if made.group is not None:
        notes.append("Cases of all groups are taken as separate cases.")
    scores = {"classes": list(made.labels), "positive": made.labels[1] if known else None, "cells": cells}
    return {"kind": "scores", "scores": scores, "notes": notes}


def _counted(scores: Scores) -> tuple[Any, Any]:
    """Different scores, increasing, and cases of each class with them."""
    values, place = np.unique(scores.scores, return_inverse=True)
    counts = np.stack([bincount(place.ravel(), scores.truth == i, len(values)) for i in (0, 1)], axis=-1)
    return values, counts.astype(np.int64)


def _two_classes(request: Mapping[str, Any]) -> list[str] | None:
    """The classes of the column of truths where they are two; None where that is not to be had."""
    try:
        with opened(stream_of(request, SOURCE)) as file:
            table = content_of(file)
            if not isinstance(table, TextTable):
                return None
            columns = [i for i, cell in enumerate(table.header) if role(cell) == "true"]
            found = {table.clean(table.fitted(cells, line)[columns[0]]) for line, cells in table.rows if any(cells)}
    except (HowsureError, IndexError):
        return None
    return sorted(found) if len(found) == 2 else None


# -- The figures of an abstract ----------------------------------------------------------------------------------------

#: Tables that are looked through for the nearest.
MOST_FITTING = 20_000
FIGURES = ("sensitivity", "specificity")


def reconstructed(request: Mapping[str, Any], _: Limits) -> dict[str, Any]:
    """The matrix, in the shape of one that was pasted, and a note on how many others fit."""
    printed = {name: _figure(request[name]) for name in FIGURES}
    *sizes, share = _sizes(request)
    shown = f"sensitivity {printed['sensitivity']}, specificity {printed['specificity']}"
    try:
        spans = [Published.of(name, figure, "nearest") for name, figure in printed.items()]
        about = math.prod((it.high - it.low) * size + 1 for it, size in zip(spans, sizes[::-1], strict=True))
        if about > MOST_FITTING:
            raise InvalidRequest(
                f"some {integer(int(about))} tables fit {shown}; figures with more decimals leave fewer", FIGURES[0]
            )
        found = reconstruct(printed, sizes=sizes)
    except InvalidRequest:
        raise
    except HowsureError as error:
        raise InvalidRequest(str(error), next((name for name in FIGURES if name in str(error)), None)) from None
    if not found.consistent:
        guilty = [figure.partition(" ")[0] for figure in found.contradictions]  # none where both are wrong
        raise InvalidRequest(str(found), next((name for name in guilty if name in FIGURES), None))
    wanted = [(figure.low + figure.high) / 2 for figure in found.published]
    best = min(found.candidates, key=lambda table: _distance(table, wanted))
    if found.count == 1:
        note = f"One table fits {shown}."
    else:
        note = (
            f"{integer(found.count)} tables fit {shown}; this is the one nearest to the figures. "
            "howsure reconstruct reports on all of them."
        )
    matrix = {"classes": list(best.labels), "counts": best.counts.tolist(), "positive": best.positive}
    return {"kind": "matrix", "matrix": matrix, "notes": [*share, note]}


def _sizes(request: Mapping[str, Any]) -> tuple[int, int, list[str]]:
    """Cases without and with the condition, from any two of these and their sum; or from the sum and a prevalence."""
    with_it, without, n = (request.get(name) for name in ("positives", "negatives", "n"))
    said = []
    if "prevalence" in request:
        if with_it is not None:
            raise InvalidRequest("the condition has a number of cases or a prevalence, not both", "prevalence")
        if n is None:
            raise InvalidRequest("a prevalence is a share of the cases in all; say how many these are", "n")
        figure = _figure(request["prevalence"])
        share = _published("prevalence", figure)
        with_it = min(max(round((share.low + share.high) / 2 * n), 1), n - 1)
        # a share may be that of several whole numbers
        least, most = math.ceil(share.low * n - 1e-9), math.floor(share.high * n + 1e-9)
        if not least <= with_it <= most:
            raise InvalidRequest(f"no count of {integer(n)} cases is {figure} of them", "prevalence")
        if without is not None and least <= n - without <= most:
            with_it = n - without
        others = f"; it could be {integer(least)} to {integer(most)}" if least < most else ""
        said = [f"A prevalence of {figure} is taken for {integer(with_it)} of {integer(n)} cases{others}."]
    known = [x for x in (with_it, without, n) if x is not None]
    if len(known) < 2:
        field = "positives" if with_it is None else "negatives"
        raise InvalidRequest("say two of these: cases with the condition, cases without it, cases in all", field)
    if n is None:
        return int(without or 0), int(with_it or 0), said
    with_it = n - (without or 0) if with_it is None else with_it
    without = n - with_it if without is None else without
    if min(with_it, without) < 1:
        problem = f"of {integer(n)} cases in all at least one has the condition, and at least one has not"
        raise InvalidRequest(problem, "n")
    if with_it + without != n:
        problem = f"{integer(with_it)} with the condition and {integer(without)} without it are not {integer(n)} in all"
        raise InvalidRequest(problem, "n")
    return without, with_it, said


def _published(name: str, figure: str) -> Published:
    try:
        return Published.of(name, figure, "nearest")
    except HowsureError as error:
        raise InvalidRequest(str(error), name) from None


def _figure(text: str) -> str:
    """A figure as it was printed; above 1 it is per cent also where the sign was left out."""
    figure = text.strip().replace(",", ".").replace(" %", "%")
    try:
        return f"{figure}%" if float(figure) > 1 else figure
    except ValueError:
        return figure


def _distance(table: ConfusionMatrix, wanted: list[float]) -> float:
    (tn, fp), (fn, tp) = table.counts.tolist()
    return float(abs(tp / (tp + fn) - wanted[0]) + abs(tn / (tn + fp) - wanted[1]))
