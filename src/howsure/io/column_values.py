"""What the values of a column say it is: counts, fractions, what comes again, systems that were asked the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from howsure.data.refusals import say
from howsure.data.words import (
    ITEM,
    OF_A_KEY,
    ORIGIN,
    RUN,
    UNITS,
    WHOLES,
    is_missing,
    is_score,
    names_a_case,
    word_of,
)
from howsure.errors import InvalidFile, excerpt
from howsure.io.cells import looks_numeric
from howsure.io.table import TextTable, is_fraction
from howsure.text.formats import several

#: Rows whose values tell what a column is, where its name does not.
ROWS_LOOKED_AT = 10_000
#: Fewest rows among which numbers beside combinations of many columns that never repeat look like counts.
FEWEST_ROWS = 8
#: Fewest values of a column that come equally often each, for it to name patients, documents or readers.
FEWEST_UNITS = 10
#: Fewest changes of the truth from row to row for its order to tell cases apart from others.
FEWEST_CHANGES = 4
_WHOLE = re.compile(r"[0-9]{1,15}(\.0*)?")
#: What programs call the number of a row.
_NUMBERS = frozenset(["obs", "inst#", "#", "nr", "no", "row", "line"])
#: Parts of the data that a classifier has learned from.
_LEARNED_FROM = frozenset(["train", "training", "train_set", "learn", "learning", "fit"])


def names_cases(table: TextTable, at: int | None, parts: Mapping[str, int | None]) -> bool:
    """Whether a column called "name" or so has nearly as many values as rows: those of patients, and no classifiers."""
    if at is None or parts["count"] is not None:
        return False
    names = [row[at].strip() for row in table.peek(ROWS_LOOKED_AT)]
    return len(names) > 2 and 2 * len(set(names)) > len(names)


def has_as_many_rows_each(table: TextTable, at: int) -> bool:
    """Whether the few values of a column come equally often, as systems do that were asked the same."""
    times = Counter(row[at].strip() for row in looked_at(table))
    return 1 < len(times) < FEWEST_UNITS and len(set(times.values())) == 1 and times.total() > 2 * len(times)


def asked_the_same(table: TextTable, at: int, true: int, case: int | None) -> bool:
    """Whether the few values of a column come with the same ids, or else the same truths in the same order.

    So do the prompts, the settings and the arms of one classifier, whose answers are not cases to be added up.
    """
    word, title = word_of(table.header[at]), table.header[at]
    if word in UNITS | WHOLES | ITEM | RUN | ORIGIN or names_a_case(title) or is_score(title):
        return False
    if not has_as_many_rows_each(table, at):
        return False
    asked: dict[str, list[str]] = {}
    for row in looked_at(table):
        asked.setdefault(row[at].strip(), []).append(row[true if case is None else case].strip())
    first, *others = asked.values()
    if case is not None:
        return len(set(first)) == len(first) and all(set(it) == set(first) for it in others)
    # of sorted cases the order says nothing
    changes = sum(one != two for one, two in pairwise(first))
    return changes >= FEWEST_CHANGES and all(it == first for it in others)


def are_counts(table: TextTable, at: int) -> bool:
    """Whether whole numbers stand beside combinations of other values that never repeat, as counts do.

    Examples
    --------
    >>> rows = [["f", "0", "0", "9"], ["f", "0", "1", "2"], ["m", "0", "0", "4"], ["m", "1", "0", "4"]]
    >>> cells = TextTable("x.csv", ["sex", "true", "pred", "value"], 1, iter(enumerate(rows, start=2)))
    >>> are_counts(cells, 3)
    True
    """
    rows = looked_at(table)
    if len(rows) < 2 or not all(_WHOLE.fullmatch(row[at].strip()) for row in rows):
        return False
    others = [i for i in range(len(table.header)) if i != at]
    values = {i: {row[i].strip() for row in rows} for i in others}
    # an id tells rows apart by itself, and says nothing of the rest
    kept = [i for i in others if len(values[i]) < len(rows) and not names_a_case(table.header[i] or "?")]
    keys = [i for i in others if len(values[i]) == len(rows) and len(rows) > 3 and not numbers_rows(rows, i)]
    combinations_there = {tuple(row[i].strip() for i in kept) for row in rows}
    return not keys and len(kept) > 1 and len(combinations_there) == len(rows)


def numbers_rows(rows: Sequence[Sequence[str]], at: int) -> bool:
    """Whether a column numbers the rows, from 0 or from 1."""
    cells = [row[at].strip() for row in rows]
    return any(cells == [str(i) for i in range(first, len(rows) + first)] for first in (0, 1))


def refuse_unnamed_counts(table: TextTable, unused: Sequence[int], sides: Sequence[int] = ()) -> None:
    """Refuse a column of counts whose name is not known: each of its rows would be one case.

    So are numbers beside ``sides``, the columns of classes, of which no combination comes twice.
    """
    rows = looked_at(table)
    typed = len(rows) < FEWEST_ROWS and (table.unit == "row" or len(table.header) > 3)  # a few rows to try with
    unique = 1 < len({tuple(row[at] for at in sides) for row in rows}) == len(rows) < ROWS_LOOKED_AT
    for at in unused:
        title, cells = table.header[at], [row[at].strip() for row in rows]
        if is_score(title) or (word_of(title) in _NUMBERS and numbers_rows(rows, at)):
            continue
        if not title.strip() or title.lower().startswith("unnamed:"):
            whole = unique and all(map(_WHOLE.fullmatch, cells))
            counts = whole and any(float(one) >= float(two) for one, two in pairwise(cells))
        else:
            counts = not names_a_case(title) and not typed and are_counts(table, at)
            counts = counts or (unique and all(map(looks_numeric, cells)))
        if counts:
            raise table.fault(say("unnamed_counts", title))


def looked_at(table: TextTable) -> list[list[str]]:
    """The first rows; none where they are damaged, which may be where nothing is read."""
    try:
        return table.peek(ROWS_LOOKED_AT)
    except InvalidFile:
        return []


def repeated_units(table: TextTable, columns: Sequence[int], *, kept: bool = False, grouped: bool = True) -> list[str]:
    """Say of columns that nothing uses that their values come again as patients, documents or readers do.

    A column that tells training data from others is refused.

    Examples
    --------
    >>> rows = enumerate([[f"p{i // 3}", "0.5"] for i in range(60)], start=2)
    >>> repeated_units(TextTable("x.csv", ["case", "score"], 1, iter(rows)), [0])[0]
    "Each 'case' comes 3 times; the rows are taken as 60 separate cases, and --group case says that they are not."
    """
    rows, notes = looked_at(table) if columns else [], list[str]()
    _refuse_learned_from(table, columns, rows)
    if kept or not columns:
        return []
    words = [word_of(title) for title in table.header]  # the id of a label beside it is no unit
    cut = " among the first rows" if len(rows) == ROWS_LOOKED_AT else ""
    for at in columns:
        title = table.header[at]
        times = Counter(cell for row in rows if (cell := row[at].strip()) and not is_missing(cell))
        if not times or max(times.values()) == 1 or not title.strip() or is_score(title):
            continue
        word = word_of(title)
        named = word in UNITS | WHOLES | ITEM | {*OF_A_KEY} or word.endswith(tuple(f"_{end}" for end in OF_A_KEY))
        named = (named or names_a_case(title)) and word.removesuffix("_id") not in {*words} - {word}
        even = len(set(times.values())) == 1 and len(times) >= FEWEST_UNITS and times.total() == len(rows)
        if len(times) < 2 or not (named or (even and not all(_WHOLE.fullmatch(it) for it in times))):
            continue
        least, most = min(times.values()), max(times.values())
        often = f"{most} times" if least == most else f"{least} to {most} times"
        shown = excerpt(title, 40)
        bare = title if re.fullmatch(r"[\w.-]+", title) else shown
        taken = f"the rows are taken as {several(len(rows), 'separate case')}{' or more' if cut else ''}"
        advice = f", and --group {bare} says that they are not." if grouped else ", which tell less if they are alike."
        notes.append(f"Each {shown} comes {often}{cut}; {taken}{advice}")
    return notes


def are_fractions(cells: Iterable[str]) -> bool:
    """Whether most cells are numbers between whole ones."""
    there = [cell.strip() for cell in cells if cell.strip()]
    return bool(there) and 2 * sum(is_fraction(cell) for cell in there) > len(there)


def _refuse_learned_from(table: TextTable, unused: Sequence[int], some: Sequence[Sequence[str]]) -> None:
    """Refuse rows of training data among others, as a column says that nothing uses."""
    for at in unused:
        rows = [word_of(row[at]) for row in some]
        learned = sum(word in _LEARNED_FROM for word in rows)
        if 0 < learned < len(rows) and len(set(rows)) < FEWEST_UNITS:
            raise table.fault(say("training", table.header[at], learned, len(rows)))
