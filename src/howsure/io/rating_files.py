"""Files of ratings to `Ratings`: a row a rating (item, rater, label), or a row an item and a column a rater."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from howsure.data.labels import group_text
from howsure.data.refusals import of_file, say
from howsure.data.words import AGREED, ITEM, ORIGIN, RATERS, RATING, is_missing, is_rater, names_a_case, role, word_of
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.assembly import quoted
from howsure.io.case_rows import coded_rows
from howsure.io.contents import table_from
from howsure.io.roles import ROWS_LOOKED_AT
from howsure.io.table import TextTable
from howsure.knowledge.ratings import MOST_CATEGORIES, Ratings
from howsure.numerics.agreement import Weighting
from howsure.numerics.arrays import Floats
from howsure.text.columns_taken import UNUSED, note_columns
from howsure.text.formats import plain

_EXPECTED = "ratings are rows of item,rater,label, or a row an item and a column a rater (item,ann,bob,eve)"

#: Fewest items whose ratings show which columns are ratings.
FEWEST_RATED = 12


def read_weights(path: str, labels: Sequence[str] | None = None) -> tuple[list[str], Floats]:
    """Own weights of categories, a table with their names on both sides; the categories, in the order stated."""
    if not os.path.isfile(path):
        named = listing(get_args(Weighting))
        raise InvalidArgument(f"weights are one of {named}, or a file; there is no file {excerpt(path)}")
    with table_from(path, "A table of weights has the categories on both sides") as content:
        rows = [cells for _, cells in content.filled()]
        names = [str(group_text(name)) for name in content.header[1:]]
        try:
            table = {str(group_text(content.clean(row[0]))): [float(cell) for cell in row[1:]] for row in rows}
        except ValueError as error:
            raise content.fault(f"a weight is a number ({plain(str(error), 80)})") from None
        if sorted(table) != sorted(names):
            raise content.fault(
                f"a table of weights has the same categories on both sides; there are {quoted(names)} above and "
                f"{quoted([*table])} on the left"
            )
        order = names if labels is None else list(labels)
        if sorted(order) != sorted(names):
            raise content.fault(f"the categories are {quoted(order)}, and weights there are of {quoted(names)}")
    return order, np.array([[table[one][names.index(other)] for other in order] for one in order])


def read_ratings(
    data: Any,
    *,
    item: str | None = None,
    rater: str | Sequence[str] | None = None,
    label: str | None = None,
    labels: Sequence[str] | None = None,
    **terms: Any,
) -> Ratings:
    r"""Read ratings, some of which may be missing.

    Parameters
    ----------
    data : str, path-like, stream, or data frame
        A row a rating, or a row an item and a column a rater.
    item, label : str, optional
        Columns by name; by the words of the header if left out.
    rater : str or sequence of str, optional
        The column that names the rater; or, two or more, the columns of the raters.
    labels : sequence of str, optional
        The categories in their order.
    **terms
        ``scale``, ``weights``, ``sampled``, ``sets`` of `Ratings`.

    Raises
    ------
    InvalidFile
        Other columns, the same rater twice on an item, a rating that is not on the scale.

    Examples
    --------
    >>> import io
    >>> read_ratings(io.StringIO("item,ann,bob\n1,yes,yes\n2,no,\n3,no,yes\n"))
    <Ratings: 3 items, 2 raters>
    >>> read_ratings(io.StringIO("item,rater,label\n1,ann,yes\n1,bob,yes\n2,ann,no\n2,bob,no\n"))
    <Ratings: 2 items, 2 raters>
    """
    with table_from(data, _EXPECTED) as table:
        if table.header and "\\" in table.header[0]:
            raise table.fault(say("matrix_of_raters", _EXPECTED))
        names = [rater] if isinstance(rater, str) else list(rater or ())
        by_name = [table.column(name) for name in names]
        words = [word_of(cell).removeprefix("answer_") for cell in table.header]  # of Mechanical Turk
        items = _item(table, words, None if item is None else table.column(item), by_name)
        free = [i for i in range(len(words)) if i != items]
        pair = _long(table, words, by_name, None if label is None else table.column(label), items)
        if pair is not None:
            columns, roles = [*pair], {pair[0]: "rater", pair[1]: "rating"}
            rest = [i for i in free if i not in pair]
            if items is None and len(rest) != 1:
                raise table.fault(
                    say("no_column", "the item", [table.header[i] for i in rest], "Name it: --item COLUMN")
                )
            items = rest[0] if items is None else items
        else:
            columns = by_name or _wide(table, free)
            if len(columns) < 2:
                raise table.fault(say("one_rater", _EXPECTED))
            if not by_name:
                _refuse_strangers(table, columns)
                _refuse_numbers_of_ratings(table, columns)
            roles = dict.fromkeys(columns, "rater")
        if items is not None:
            roles[items] = "item"
        rows = coded_rows(table, [items, *columns], blank=False)
        if not len(rows):
            raise table.fault(say("no_rows", "row"))

        cells = rows.labels
        note_columns(table.source, {name: roles.get(at, UNUSED) for at, name in enumerate(table.header)}, table.notes)
        with of_file(table.source, InvalidArgument):
            if pair is not None and items is not None:
                return Ratings.from_columns(cells(items), cells(columns[0]), cells(columns[1]), labels=labels, **terms)
            raters = [table.header[i] for i in columns]
            called = None if items is None else [str(i + 1) if x is None else x for i, x in enumerate(cells(items))]
            if called is not None and len(set(called)) < len(called):
                again = next(name for i, name in enumerate(called) if name in called[:i])
                raise table.fault(say("item_twice", again, raters))
            grid = np.array([cells(i) for i in columns], dtype=object).T.tolist()
            return Ratings.from_table(grid, raters=raters, items=called, labels=labels, **terms)


def is_ratings(table: TextTable) -> bool:
    """Whether a table can be one of ratings: a rater and a label a row; or an item and raters that share categories."""
    if any(role(cell) in ("true", "pred") and word_of(cell) not in RATING for cell in table.header):
        return False
    words = [word_of(cell) for cell in table.header]
    items = _item(table, words, None, ())
    try:
        if _long(table, words, (), None, items) is not None:
            return True
    except InvalidFile:
        return False
    raters = _wide(table, [i for i in range(len(words)) if i != items])
    rows = table.peek(ROWS_LOOKED_AT)
    texts = [{row[i].strip() for row in rows} - {""} for i in raters]
    shared = all(any(one & other for other in texts if other is not one) for one in texts)
    return items is not None and len(texts) > 1 and len(rows) > 2 and shared


def _long(
    table: TextTable, words: Sequence[str], by_name: Sequence[int], label: int | None, items: int | None
) -> tuple[int, int] | None:
    """The columns of the rater and of the rating, where a row is a rating; None where a column is a rater.

    Two columns that hold the same texts, such as those of a judge and of a label, are two raters.
    """
    free = [i for i in range(len(words)) if i != items]
    who = list(by_name) or [i for i in free if words[i] in RATERS]
    if len(who) != 1:
        return None
    what = [i for i in free if words[i] in RATING and i not in who] if label is None else [label]
    what = [i for i in what if words[i] in ("rating", "label")] or what
    rows = table.peek(ROWS_LOOKED_AT)
    if len(what) == 1 and (by_name or not {row[who[0]] for row in rows} & {row[what[0]] for row in rows}):
        return who[0], what[0]
    if len(what) == 1 or not (by_name or len(what) > 1 or len(free) == 2):
        return None
    if what:
        raise table.fault(say("choose", "columns that may be the rating", [table.header[i] for i in what], "--label"))
    rest = [table.header[i] for i in free if i not in who]
    raise table.fault(say("no_column", "the rating (label, rating)", rest, "Name it: --label COLUMN"))


def _item(table: TextTable, words: Sequence[str], chosen: int | None, taken: Sequence[int]) -> int | None:
    if chosen is not None:
        return chosen
    free = [i for i in range(len(words)) if i not in taken and words[i] not in RATERS]
    found = [i for i in free if words[i] in ITEM] or [i for i in free if names_a_case(table.header[i])]
    if found:
        return found[0]
    rows = table.peek(ROWS_LOOKED_AT)
    if len(words) > 2 and len(rows) > 2 and free and free[0] == 0 and len({row[0] for row in rows}) == len(rows):
        return 0
    return None


def _wide(table: TextTable, free: Sequence[int]) -> list[int]:
    """Columns of raters: those called so, else all whose texts come again, as categories do."""
    called = [i for i in free if is_rater(table.header[i])]
    if len(called) > 1:
        return called
    rows = table.peek(ROWS_LOOKED_AT)
    kept = []
    for i in (i for i in free if word_of(table.header[i]) not in ORIGIN):
        texts = [row[i].strip() for row in rows if not is_missing(row[i].strip())]
        different = len(set(texts))
        if (
            texts
            and (different <= max(2, len(texts) // 2) or len(texts) < FEWEST_RATED)
            and different <= MOST_CATEGORIES
        ):
            kept.append(i)
    # the truth is no rater, nor what raters agreed on, but where it is all that one rater can be held against
    own = [i for i in kept if role(table.header[i]) != "true" and word_of(table.header[i]) not in AGREED]
    return own if len(own) > 1 else kept


def _refuse_numbers_of_ratings(table: TextTable, columns: Sequence[int]) -> None:
    """Refuse how often each item was put into each category, of which all rows add up to the same."""
    rows = [[row[i].strip() for i in columns] for row in table.peek(ROWS_LOOKED_AT)]
    if len(rows) < FEWEST_RATED or not all(cell.isdecimal() and len(cell) < 5 for row in rows for cell in row):
        return
    sums = {sum(map(int, row)) for row in rows}
    if len(sums) == 1 and len({*map(tuple, rows)}) > 1 and (n := sums.pop()) > 1:
        raise table.fault(say("numbers_of_ratings", n, [table.header[i] for i in columns]))


def _refuse_strangers(table: TextTable, raters: Sequence[int]) -> None:
    """Ask about columns that share no category with most of the others, as an age or a place beside ratings."""
    rows = table.peek(ROWS_LOOKED_AT)
    texts = {i: {text for row in rows if not is_missing(text := row[i].strip())} for i in raters}
    odd = [i for i in raters if 2 * sum(bool(texts[i] & texts[j]) for j in raters if j != i) < len(raters) - 1]
    if odd and len(rows) >= FEWEST_RATED:
        raise table.fault(say("choose", "columns that may be raters", [table.header[i] for i in raters], "--rater"))
