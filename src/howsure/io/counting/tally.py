"""What is to be counted, and from what an engine gives to `Counts`: one rule for labels and gaps."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.data.case_columns import one_of_each
from howsure.data.counts import LARGEST_COUNT, summed
from howsure.data.labels import Column, distinct_answers, group_text, in_order, label_text, label_texts
from howsure.data.refusals import of_file, refusal, say
from howsure.data.slices import combined as combinations_of
from howsure.data.words import bare_name, is_missing
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, InvalidLabels, excerpt, listing
from howsure.errors.arguments import column_name, items, one_of
from howsure.io.assembly import cell_name, multilabel, why_no_label
from howsure.io.case_rows import WEIGHT_ONE, coded_rows
from howsure.io.cells import NotACount, count_of
from howsure.io.counting.duck import MOST_CELLS, Engine
from howsure.io.counting.engines import Arrays, combined
from howsure.io.counting.result import CountedCells, Counts, SetAside
from howsure.io.reading import Request
from howsure.io.roles import columns_of, settled_columns
from howsure.io.table import TextTable, value_text
from howsure.numerics.arrays import Integers, bincount
from howsure.text.formats import plain, several

Weights = Literal["frequency", "effective"]

#: Rows from which columns are worth a thread each: NumPy and the engines work without Python's lock.
MANY_ROWS = 2**20
#: Classes of one count; more are free text or ids in the wrong column.
MOST_CLASSES = 200_000
#: Nothing to be counted, and nothing that was set aside.
NO_ROWS = "no case was counted of 0 rows: there are columns and no row in them. Was the export finished?"


@dataclass(frozen=True)
class CountColumns:
    """The columns of one count, called as they are where the rows are; ``names`` are those of all columns of the table.

    ``answers`` are by classifier, with ``model`` the one column of all; ``by`` are those of groups. ``count`` has the
    cases that a row stands for, ``ones`` are weights that nobody asked for, all of which have to be 1; ``text`` is the
    rule from a value to its class.
    """

    names: Sequence[str]
    truth: str
    answers: Mapping[str, str]
    by: tuple[str, ...] = ()
    id: str | None = None
    model: str | None = None
    weight: str | None = None
    weights: Weights = "frequency"
    count: str | None = None
    ones: str | None = None
    text: Callable[[Any], str | None] = label_text

    @cached_property
    def labels(self) -> dict[str, None]:
        """Columns of classes: truth and answers."""
        return dict.fromkeys((self.truth, *self.answers.values()))

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell one cell from another."""
        return (*self.labels, *self.by, *(c for c in (self.model, self.count, self.weight) if c is not None))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read; first the weights, whose sentence says the most."""
        return tuple(dict.fromkeys(c for c in (self.ones, self.weight, *self.keys, self.id) if c is not None))

    def text_of(self, column: str) -> Callable[[Any], str | None]:
        """The rule from a value of a column to its text."""
        if column in (self.weight, self.ones):
            return _weight_text
        return self.text if column in self.labels else _count_text if column == self.count else group_text


def _weight_text(value: Any) -> str | None:
    text = value_text(value).strip()
    return None if is_missing(text) else text


def _count_text(value: Any) -> str | None:
    """A count as it is written: 12.000 is no other spelling of 12, it may be thousands."""
    text = group_text(value)
    return value.strip() if isinstance(value, str) and text is not None else text


def asked(
    table: TextTable, about: Mapping[str, Any], names: Sequence[str], text: Callable[[Any], str | None]
) -> CountColumns:
    """Arguments of `howsure.count` as columns of a table; what is left out is found by the words of its header."""
    weights, y_pred, by, weight = (about[it] for it in ("weights", "y_pred", "by", "weight"))
    one_of(weights, get_args(Weights), "weights")
    answers = _answers(y_pred)
    groups = (by,) if isinstance(by, str) else tuple(column_name(c, "by") for c in items(by, "by", "a list of columns"))
    named = {part: None if about[part] is None else column_name(about[part], part)
             for part in ("y_true", "id", "model", "weight")}  # fmt: skip
    if named["model"] is not None and len(answers) > 1:
        raise InvalidArgument(say("not_both", "model=", "several columns y_pred"))
    request = Request(true=named["y_true"], pred=tuple(answers.values()), id=named["id"])
    others = {part: name for part in ("model", "weight") if (name := named[part]) is not None}
    found = columns_of(table, request, others | {f"slice {i}": name for i, name in enumerate(groups)})
    titles = table.names
    if found is None:
        expected = "Name them: --true COLUMN --pred COLUMN"
        raise refusal(table.source, "no_column", "y_true or y_pred (or a synonym)", titles, expected)
    if found.count is not None and (weight is not None or named["id"] is not None):
        option = "id=" if weight is None else "weight="
        raise InvalidArgument(say("not_both", option, f"the column of counts {excerpt(titles[found.count])}"))
    if named["id"] is None and found.id is not None and found.model is None:  # by its word, which nobody asked for
        found = replace(found, id=None, unused=(*found.unused, found.id))
    slices = [table.column(name) for name in groups]
    found = settled_columns(table, found, apart=True, grouped=False, others=dict.fromkeys(slices, "slice"))
    if found.group is not None:
        shown = excerpt(titles[found.group], 40)
        table.notes.append(f"The cases of all groups are added up (column {shown}); by={shown} (--by) keeps them.")
    at = {part: None if (place := getattr(found, part)) is None else names[place]
          for part in ("id", "model", "weight", "count")}  # fmt: skip
    keys = answers or [key or bare_name(titles[place]) for key, place in found.pred.items()]
    return CountColumns(
        names,
        names[found.true],
        dict(zip(keys, (names[place] for place in found.pred.values()), strict=True)),
        tuple(names[place] for place in slices),
        id=None if named["id"] is None else at["id"],
        model=at["model"] if len(found.pred) == 1 else None,
        weights=weights,
        count=at["count"],
        text=text,
        **{"ones" if weight is None else "weight": at["weight"]},
    )


def _answers(y_pred: Any) -> dict[str, str]:
    if y_pred is None:
        return {}
    if isinstance(y_pred, Mapping):
        answers = {column_name(key, "y_pred"): column_name(column, "y_pred") for key, column in y_pred.items()}
    else:
        listed = [y_pred] if isinstance(y_pred, str) else y_pred if isinstance(y_pred, Sequence) else []
        answers = {bare_name(column_name(column, "y_pred")): column for column in listed}
        if len(answers) < len(listed):
            raise InvalidArgument(say("part_twice", listed[0]))
    if not answers:
        raise InvalidArgument(say("not_a", "y_pred", "the name of a column, or of several", y_pred))
    return answers


# -- what an engine gives, cell by cell ---------------------------------------------------------------------------


class Tally(NamedTuple):
    """Cells as an engine counted them: columns with codes of their own (-1 where missing), and the rows in each.

    ``answers`` are by classifier, unless ``model`` says which each cell is of; ``weight`` is that of each row of a
    cell; ``where`` gives examples of rows without a value in a column.
    """

    truth: Column
    answers: Mapping[str, Column]
    by: Sequence[Column]
    rows: Integers
    aside: Sequence[SetAside] = ()
    model: Column | None = None
    weight: NDArray[np.float64] | None = None
    where: Callable[[str], Sequence[str]] = lambda column: ()


def counted(
    engine: Engine,
    ask: CountColumns,
    labels: Sequence[object] | None,
    *,
    notes: Sequence[str] = (),
    name: str = "",
    by: Sequence[str] | None = None,
) -> Counts:
    """Count the rows that an engine holds, of a source with a name (that of the engine if left out).

    ``by`` are the columns of groups as they are called where the rows are not.
    """
    name = name or engine.name
    with of_file(name, InvalidArgument) if name else nullcontext():
        counts = _settled(_tally(engine, ask), ask, labels, notes, ask.by if by is None else tuple(by))
        if not counts.read:
            raise InvalidLabels(say("none_counted", 0, NO_ROWS))
        if not counts.n:
            aside = "; ".join(map(str, counts.set_aside))
            raise InvalidLabels(say("none_counted", counts.read, f" ({aside})" if aside else ""))
        if labels is None:
            if (together := multilabel(counts.labels)) is not None:
                raise InvalidLabels(say("several_classes", together))
            _check_classes(counts)
        return counts


def counted_rows(table: TextTable, ask: CountColumns, labels: Sequence[object] | None) -> Counts:
    """Count the rows of a table of text."""
    at = {column: ask.names.index(column) for column in ask.columns}
    rows = coded_rows(table, at.values(), blank=ask.count is None)
    rows.check_weights(None if ask.ones is None else at[ask.ones])

    def numbered(column: str) -> Column:
        found, rule = rows[at[column]], _rule(table, column, ask)
        for text, row in zip(found.texts, found.first.tolist(), strict=True):
            try:
                rule(text)
            except InvalidLabels as error:
                raise rows.fault(plain(str(error), 600), row) from None
            except NotACount as reason:
                true, pred = (rows[at[c]].cells()[row] or "" for c in [*ask.labels][:2])
                raise rows.fault(f"{cell_name(true, pred, 'true')} {reason}", row) from None
        return found.by(rule)

    def place(row: int) -> str:
        file = bisect_right(rows.files, row, key=lambda it: it[0])
        start, name = rows.files[file - 1] if file else (0, table.source)
        return f"{name}, row {row + 1 - start}"

    # the cells are texts by now
    plain_ask = replace(ask, text=lambda value: value, ones=None)
    here = Arrays({c: numbered(c) for c in plain_ask.columns}, place)
    return counted(here, plain_ask, labels, notes=table.notes, name=table.source)


def _rule(table: TextTable, column: str, ask: CountColumns) -> Callable[[str], str | None]:

    def rule(cell: str) -> str | None:
        if column == ask.count:
            return str(count_of(cell))
        if column in ask.labels:
            return ask.text(cell) or None
        text = table.clean(cell)
        if is_missing(text):
            return None
        try:
            return text if column != ask.weight else str(float(cell))
        except ValueError:
            raise InvalidLabels(say("not_a", "the weight", "a number", cell.strip())) from None

    return rule


def _tally(engine: Engine, ask: CountColumns) -> Tally:
    paired = ask.id is not None and ask.model is not None
    if paired and ask.weight is not None:
        raise InvalidArgument(say("not_both", "weight=", "model= with id="))
    if ask.id is not None and not paired and (twice := engine.repeated([ask.id])) is not None:
        problem = f"the id {excerpt(group_text(twice[0]))} comes {twice[-1]} times; {say('repeated_row')}"
        raise InvalidFile(engine.name, problem) if engine.name else InvalidLabels(problem)
    used = [c for c in ask.columns if paired or c != ask.id]
    values, rows = engine.cells(used)

    def numbered(column: str) -> Column:
        try:
            return distinct_answers(values[column], column, engine.read(ask.text_of(column)))
        except HowsureError as error:
            if not engine.name:
                raise
            raise InvalidLabels(f"column {excerpt(column)}: {error}") from None

    many = rows is None and len(values[ask.truth]) >= MANY_ROWS
    with ThreadPoolExecutor(min(len(used), os.cpu_count() or 1)) if many else nullcontext() as pool:
        parts = dict(zip(used, map(numbered, used) if pool is None else pool.map(numbered, used), strict=True))
    if ask.ones is not None:
        texts, codes = parts[ask.ones]
        odd = next((text for text in texts if not WEIGHT_ONE.fullmatch(text)), None)
        if odd is not None or (codes < 0).any():
            raise InvalidLabels(say("weighted", ask.ones, "blank" if odd is None else odd))
    if rows is not None and len(rows) > MOST_CELLS:
        raise InvalidLabels(say("too_many_classes", len(rows), "different cells", MOST_CELLS))
    code_of: dict[str, Integers] = {}

    def where(column: str) -> Sequence[str]:
        if rows is None:
            assert isinstance(engine, Arrays)
            return [engine.place(row) for row in np.flatnonzero(parts[column].codes < 0)[:3].tolist()]
        # lines that are no rows come last
        return engine.gaps(column)[: int(times[code_of[column] < 0].sum())] if code_of else engine.gaps(column)

    if paired:
        return _paired(parts, rows, ask, where)
    code_of, times = combined(engine, {c: parts[c] for c in ask.keys}, rows, blank=ask.count is None)
    cells = {c: Column(parts[c].texts, code).part() for c, code in code_of.items()}
    aside: list[SetAside] = []
    weight, cases = None, times
    if ask.weight is not None:
        texts, codes = cells.pop(ask.weight)
        there = codes >= 0
        if not there.all():
            aside.append(SetAside("no weight", int(times[~there].sum()), tuple(where(ask.weight))))
        cells = {c: Column(found, its[there]) for c, (found, its) in cells.items()}
        try:
            weight = np.array([*map(float, texts), 0.0])[codes[there]]
        except ValueError:
            of = f"the weight (column {excerpt(ask.weight)})"
            raise InvalidLabels(say("not_a", of, "a number in every row", texts)) from None
        cases = cases[there]
    if ask.count is not None:
        texts, codes = cells[ask.count]
        if (codes < 0).any():
            raise InvalidLabels(say("lacking", f"the count (column {excerpt(ask.count)})"))
        try:
            cases = cases * np.array([*map(count_of, texts), 0], dtype=np.int64)[codes]
        except NotACount as reason:
            raise InvalidLabels(f"the count (column {excerpt(ask.count)}) {reason}") from None
    answers, by = {name: cells[c] for name, c in ask.answers.items()}, [cells[c] for c in ask.by]
    model = None if ask.model is None else cells[ask.model].ordered
    return Tally(cells[ask.truth], answers, by, cases, aside, model, weight, where)


def _paired(
    parts: Mapping[str, Column], rows: Integers | None, ask: CountColumns, where: Callable[[str], Sequence[str]]
) -> Tally:
    """Rows of one case put side by side by its id, in which another row may say what is missing in one."""
    assert ask.id is not None
    assert ask.model is not None
    named = parts[ask.id][1] >= 0
    aside = []
    if not named.all():
        lost = int((~named).sum() if rows is None else rows[~named].sum())
        aside.append(SetAside(f"no id (column {ask.id})", lost, tuple(where(ask.id))))
    here = {c: Column(texts, codes[named]) for c, (texts, codes) in parts.items()}
    case, (names, which) = here[ask.id].part(), here[ask.model].part().ordered
    if (which < 0).any():
        raise InvalidLabels(say("name_lacking", "classifier", ask.model))
    (pair,), times = summed([case[1] * len(names) + which], None if rows is None else rows[named])
    if len(times) and times.max() > 1:
        twice = int(pair[np.argmax(times)])
        name, model = case[0][twice // len(names)], names[twice % len(names)]
        raise InvalidLabels(say("twice_in", "the id", name, f"for classifier {excerpt(model)}"))
    (answer,) = ask.answers.values()
    told = {c: one_of_each(case, here[c], f"column {excerpt(c)}") for c in (ask.truth, *ask.by)}
    truth, *by = (Column(here[c].texts, codes) for c, codes in told.items())
    answers = np.full((len(names), len(case[0])), -1, dtype=np.int64)
    answers[which, case[1]] = here[answer][1]
    of_each = {name: Column(here[answer].texts, row) for name, row in zip(names, answers, strict=True)}
    return Tally(truth, of_each, by, np.ones(len(case[0]), dtype=np.int64), aside)


# -- from there to counts -----------------------------------------------------------------------------------------


def _settled(
    tally: Tally, ask: CountColumns, labels: Sequence[object] | None, notes: Sequence[str], by: tuple[str, ...]
) -> Counts:
    """Number all classes alike, set aside what has no truth or no answer, and account for it."""
    if not tally.answers:
        raise InvalidLabels(say("none_counted", 0, NO_ROWS))  # classifiers that stand in rows, and there is none
    columns = [tally.truth, *tally.answers.values()]
    titles = [ask.truth, *(ask.answers.get(name, name) for name in tally.answers)]
    names = _names([(title, column.texts) for title, column in zip(titles, columns, strict=True)], labels)
    truth, *answers = (column.among(names) for column in columns)
    groups, group = combinations_of(tally.by) if tally.by else ([()], np.zeros(len(truth), dtype=np.int64))
    model = np.full(len(truth), -1, dtype=np.int64) if tally.model is None else tally.model.codes
    if tally.model is not None and (model < 0).any():
        raise InvalidLabels(say("name_lacking", "classifier", ask.model))
    models = list(tally.answers) if tally.model is None else tally.model.texts
    aside = [*tally.aside, *_aside(truth, answers, tally, ask)]
    counts, said = _cases(tally, ask)
    codes = [truth, *answers, group, model]
    if counts.dtype.kind == "f":
        codes, shares = summed(codes, counts)
        counts = _apportioned(shares)
    keep = codes[0] >= 0
    if len(answers) == 1:
        keep &= codes[1] >= 0
    if not keep.all():
        codes, counts = [code[keep] for code in codes], counts[keep]
    stacked = np.stack(codes[1:-2], axis=1)
    cells = CountedCells.of(codes[0], stacked, codes[-2], codes[-1], counts)
    read = int(tally.rows.sum()) + sum(one.rows for one in tally.aside)
    paired, weighted = tally.model is None, tally.weight is not None
    return Counts(
        cells, tuple(names), tuple(models or [""]), by, tuple(groups), read, tuple(aside), paired, (*notes, *said),
        weighted,
    )  # fmt: skip


def _check_classes(counts: Counts) -> None:
    """Refuse truth and answers without a class in common: then a column is the wrong one."""
    cells = counts.cells
    true = set(np.flatnonzero(bincount(cells.truth)).tolist())
    columns = (
        cells.answers.T if counts.paired else [cells.answers[cells.model == m, 0] for m in range(len(counts.models))]
    )
    for name, column in zip(counts.models, columns, strict=True):
        found = set(np.flatnonzero(bincount(column[column >= 0])).tolist())
        if found and not found & true:
            here, there = (
                listing(excerpt(counts.labels[i], 40) for i in sorted(codes)[:12]) for codes in (true, found)
            )
            raise InvalidLabels(say("no_class_shared", here, f" of {plain(name)}" if name else "", there))


def _names(columns: Sequence[tuple[str, Sequence[str]]], labels: Sequence[object] | None) -> list[str]:
    seen = {text for _, texts in columns for text in texts}
    for column, texts in columns:
        if len(texts) > MOST_CLASSES:
            raise InvalidLabels(
                say("too_many_classes", len(texts), f"different values (column {excerpt(column)})", MOST_CLASSES)
            )
        for text in texts:
            if problem := say("nul") if "\0" in text else why_no_label(text):
                raise InvalidLabels(f"column {excerpt(column)}: {problem}")
    if labels is None:
        return in_order(seen)
    names = list(label_texts(labels))
    odd = sorted(seen - set(names))
    if odd:
        raise InvalidLabels(say("outside", odd, names))
    return names


def _cases(tally: Tally, ask: CountColumns) -> tuple[NDArray[Any], list[str]]:
    """Cases in each cell: rows, or the sum of frequency weights; or the shares of their effective number, as floats."""
    if tally.weight is None:
        return tally.rows, []
    where = f"the weight (column {excerpt(ask.weight)})"
    sums = tally.weight * tally.rows
    total, lowest = float(sums.sum()), float(tally.weight.min(initial=0.0))
    if lowest < 0 or not np.isfinite(total):
        raise InvalidLabels(say("not_a", where, "0 or more", lowest if lowest < 0 else total))
    if ask.weights == "frequency":
        if (tally.weight % 1 > 0).any():
            raise InvalidLabels(say("weight_fractions", where))
        if total > LARGEST_COUNT:
            raise InvalidLabels(say("overflow", where))
        return np.rint(sums).astype(np.int64), []
    if total == 0:
        raise InvalidLabels(say("all_zero"))
    effective = int(total * total / float((tally.weight * sums).sum()))
    return sums / total * effective, [say("effective", several(int(tally.rows.sum()), "row"), effective)]


def _apportioned(exact: NDArray[np.float64]) -> Integers:
    """Whole numbers that add up to the same, by the largest remainders."""
    whole = np.floor(exact).astype(np.int64)
    rest = round(float(exact.sum())) - int(whole.sum())
    whole[np.argsort(whole - exact, kind="stable")[:rest]] += 1
    return whole


def _aside(truth: Integers, answers: Sequence[Integers], tally: Tally, ask: CountColumns) -> list[SetAside]:
    """Account for the rows without a truth, and for those with one and without an answer."""
    untrue = truth < 0
    reasons = [("no true class", ask.truth, untrue)]
    for name, codes in zip(tally.answers, answers, strict=True):
        reason = f"no answer of {plain(name)}" if len(answers) > 1 else "no predicted class"
        reasons.append((reason, ask.answers.get(name, name), (codes < 0) & ~untrue))
        # a row is set aside once, for the first gap
        untrue = untrue | (codes < 0)
    rows = [int(tally.rows[which].sum()) for _, _, which in reasons]
    return [SetAside(why, n, tuple(tally.where(at))) for (why, at, _), n in zip(reasons, rows, strict=True) if n]
