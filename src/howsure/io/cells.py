"""Cells as numbers: a count, a share, thousands set apart, percentages of the cases of a row; values as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from howsure.data.counts import LARGEST_COUNT
from howsure.data.refusals import say
from howsure.data.words import is_missing, is_total
from howsure.errors import excerpt
from howsure.io.assembly import quoted
from howsure.io.reading import Request
from howsure.io.table import Row, TextTable
from howsure.text.formats import integer, plain

#: What `billionths_of` makes of 1.
BILLION = 1_000_000_000

_RULE = "Counts are counts of cases, 0 or more"
_WHOLE = re.compile(r"([0-9]+)(\.0*)?")
#: Thousands set apart by what is no decimal sign anywhere, an apostrophe or a blank, or by commas or points that come
#: more than once. One comma or point may be a decimal sign.
_GROUPED = re.compile(
    "[1-9][0-9]{0,2}(?:(?:(['\u2019 \u00a0\u202f\u2009])[0-9]{3})(?:\\1[0-9]{3})*|([.,])[0-9]{3}(?:\\2[0-9]{3})+)"
)
#: Of some programs a whole number with three decimals, of others thousands.
_EITHER = re.compile(r"([1-9][0-9]{0,2})\.000")
#: A count with its share in brackets, or behind its share; out of a total the share must be the quotient.
_COUNT, _PER_CENT = r"(?P<count>[0-9][0-9.,'\u2019]{0,22})", r"(?P<share>[0-9]{1,3}(?:[.,][0-9]{1,9})?)\s?%"
_BESIDE = re.compile(rf"{_COUNT}\s?(?:/\s?(?P<of>[0-9]{{1,16}})\s?)?\(\s?{_PER_CENT}\s?\)")
_BEHIND = re.compile(rf"{_PER_CENT}\s?\(\s?{_COUNT}\s?\)")
_SHARE = re.compile(r"[0-9]{1,3}(\.[0-9]{0,15})?|\.[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]{1,3})?")


class NotACount(Exception):
    """What a cell holds instead of a count; never leaves this package."""


def looks_numeric(text: str) -> bool:
    """Whether a cell is a number of any kind, a count or not."""
    number = text.strip().removesuffix("%").rstrip()
    return bool(_NUMBER.fullmatch(number) or _GROUPED.fullmatch(number))


def is_no_name(text: str) -> bool:
    """Whether a cell is a number, with its share beside it or without.

    Examples
    --------
    >>> is_no_name("-1.5%"), is_no_name("45 (90%)"), is_no_name("class 2")
    (True, True, False)
    """
    # 45/50 (90%) may as well be a rate of its own
    return looks_numeric(text) or ("/" not in text and _with_share(text.strip()) is not None)


def count_of(value: object) -> int:
    """Count in a cell of a table (text) or of JSON (a number).

    Examples
    --------
    >>> count_of(" 12 "), count_of("12.0"), count_of(3)
    (12, 12, 3)
    >>> count_of("1'234"), count_of("1.234.567"), count_of("1.00"), count_of("1234.000")
    (1234, 1234567, 1, 1234)
    >>> count_of("45 (90%)"), count_of("45/50 (90%)"), count_of("90.0% (45)")
    (45, 45, 45)
    >>> count_of("93%")
    Traceback (most recent call last):
    ...
    howsure.io.cells.NotACount: holds the percentage '93%'. Enter numbers of cases, or add a column n with the ...
    """
    if isinstance(value, str):
        text = _without_share(value.strip())
        if either := _EITHER.fullmatch(text):
            raise NotACount(say("decimals_or_thousands", text, either[1]))
        whole = _WHOLE.fullmatch(re.sub("[^0-9]", "", text) if _GROUPED.fullmatch(text) else text)
        if whole:
            digits = whole[1].lstrip("0") or "0"
            return _bounded(int(digits) if len(digits) <= 17 else LARGEST_COUNT + 1, value.strip())
        raise NotACount(_why_not(value.strip()))
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return _bounded(value, value)
    if isinstance(value, float) and value >= 0 and (value > LARGEST_COUNT or value.is_integer()):
        return _bounded(int(min(value, LARGEST_COUNT + 1)), value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise NotACount(_why_not(repr(value)))
    raise NotACount(say("no_number", value))


def billionths_of(value: object) -> int:
    """Share or percentage in a cell, in billionths of it; its per cent sign is taken off.

    Examples
    --------
    >>> billionths_of("0.75"), billionths_of("93.5%"), billionths_of(1)
    (750000000, 93500000000, 1000000000)
    """
    text = str(value).strip().removesuffix("%").rstrip()
    if not _SHARE.fullmatch(text) or float(text) > 100:
        raise NotACount(say("no_share", value))
    return round(float(text) * BILLION)


def cell_value(value: object, request: Request) -> int:
    """Count in a cell, or its billionths where shares are read; raises `NotACount`."""
    return billionths_of(value) if request.grid is not None and request.grid.shares else count_of(value)


def _without_share(text: str) -> str:
    """The count of a cell that has its percentage beside it; any other cell as it is."""
    found = _with_share(text)
    if found is None:
        return text
    of = found.groupdict().get("of")
    if of is not None:
        share = found["share"].replace(",", ".")
        rounding = 0.5001 * 10.0 ** -len(share.partition(".")[2])
        whole = found["count"].isdecimal() and int(of) > 0
        if not whole or abs(100 * int(found["count"]) / int(of) - float(share)) > rounding:
            raise NotACount(say("wrong_share", text))
    return found["count"]


def _with_share(text: str) -> re.Match[str] | None:
    return (_BESIDE.fullmatch(text) or _BEHIND.fullmatch(text)) if text[-1:] == ")" and len(text) < 60 else None


def _bounded(count: int, shown: object) -> int:
    if count > LARGEST_COUNT:
        raise NotACount(say("beyond", plain(str(shown), 30)))
    return count


def _why_not(text: str) -> str:
    if is_missing(text):
        return f"is missing{f' ({text})' if text else ' (a blank cell)'}. {_RULE}; write 0 where there were none."
    if text.endswith("%"):
        advice = "Enter numbers of cases, or add a column n with the cases of each row, or such a last row"
        return f"holds the percentage {excerpt(text)}. {advice}."
    if not looks_numeric(text):
        return f"holds {excerpt(text)}, not a number. {_RULE}."
    if text.startswith("-"):
        return f"holds {text[:30]}. {_RULE}."
    if "," in text:
        return f"holds {excerpt(text)}, with a decimal or grouping comma. {_RULE}, written with digits only."
    if text.startswith("+") or "e" in text.lower():
        return f"holds {excerpt(text)}. {_RULE}, written with digits only."
    return f"holds {text[:30]}, a fraction. {_RULE}; if these are shares, enter share times class size."


_ONE_GROUP = re.compile(r"[1-9][0-9]{0,2}([.,])[0-9]{3}")
_OTHERS = {sign: re.compile(rf"[0-9]{{1,3}}|[1-9][0-9]{{0,2}}({re.escape(sign)}[0-9]{{3}}){{2,}}") for sign in ",."}


def without_separators(table: TextTable, rows: Sequence[Row], request: Request, first: int = 0) -> list[Row]:
    """Rows of a matrix without its thousands separators, of which a note tells.

    ``1,245`` is 1245 where other cells show that the sign is no decimal one: they are whole numbers below 1,000 without
    it or of a million and more, and no number of 1,000 or more is without it. Where every cell has three digits behind
    one sign nobody knows, and nothing is changed.
    """
    if request.grid is not None and request.grid.shares:
        return list(rows)
    counts = [cell.strip() for _, row in rows for cell in row[first:] if cell.strip()]
    grouped = [cell for cell in counts if _ONE_GROUP.fullmatch(cell)]
    others = [cell for cell in counts if not _ONE_GROUP.fullmatch(cell)]
    signs = {sign for cell in grouped for sign in cell if not sign.isdigit()}
    if len(signs) != 1 or not others:
        return list(rows)
    sign = signs.pop()
    # the first line of a printed table without names was cleaned as names are, which makes 3 of 3.000
    if (sign == "." and not first) or not all(map(_OTHERS[sign].fullmatch, others)):
        return list(rows)
    kind = "comma" if sign == "," else "point"
    table.notes.append(say("thousands_apart", grouped[0], grouped[0].replace(sign, ""), kind))

    def whole(cell: str) -> str:
        return cell.replace(sign, "") if _ONE_GROUP.fullmatch(cell.strip()) else cell

    return [(line, [*row[:first], *map(whole, row[first:])]) for line, row in rows]


_OF = re.compile(r"([0-9]{1,15})\s?/\s?([0-9]{1,15})")
_PRINTED = re.compile(r"(?P<whole>[0-9]{1,3})(?:[.,](?P<part>[0-9]{1,9}))?(?P<sign>\s?%)?")
_SIZE = re.compile(r"[0-9]{1,15}")


class _Share(NamedTuple):
    """A share as it was printed: ``digits`` is the number without its point, of ``unit`` for all cases."""

    digits: int
    unit: int

    def counts(self, n: int) -> tuple[int, int]:
        """Fewest and most of ``n`` cases that are printed so, rounded to the nearest."""
        low = -((1 - 2 * self.digits) * n // (2 * self.unit))
        return max(low, 0), min((2 * self.digits + 1) * n // (2 * self.unit), n)


def counts_near(shares: Sequence[tuple[int, int]], n: int) -> list[int] | None:
    """Counts of a row that add up to ``n`` and are printed as these shares; None where none are, [] where several are.

    Examples
    --------
    >>> counts_near([(90, 100), (10, 100)], 50), counts_near([(90, 100), (10, 100)], 500), counts_near([(91, 100)], 7)
    ([45, 5], [], None)
    """
    limits = [_Share(*share).counts(n) for share in shares]
    low, high = sum(it[0] for it in limits), sum(it[1] for it in limits)
    if any(first > last for first, last in limits) or not low <= n <= high:
        return None
    if low == n:
        return [first for first, _ in limits]
    if high == n:
        return [last for _, last in limits]
    free = [i for i, (first, last) in enumerate(limits) if first < last]
    # with two that are free, one may have a case more and the other a case less
    return [first + (n - low if i in free else 0) for i, (first, _) in enumerate(limits)] if len(free) == 1 else []


def counted_rows(table: TextTable, rows: Sequence[Row], columns: Sequence[str]) -> list[Row]:
    """Rows of a matrix with counts where they had ``45/50``, or percentages with the cases of each row or column."""
    rows = list(rows)
    cells = [cell.strip() for _, row in rows for cell in row[1:]]
    if any(map(_OF.fullmatch, cells)):
        return _numerators(table, rows, columns)
    below = _of_sizes_below(table, rows, columns)
    if below is not None:
        return below
    # a class called n has shares in its row; with numbers of cases there n is what stands beside and below
    is_class = columns[-1] in {row[0].strip() for _, row in rows} and not _has_sizes(rows[-1])
    if len(columns) > 2 and is_total(columns[-1], surely=is_class):
        return _of_sizes(table, rows, columns)
    return rows


# -- 45/50 --------------------------------------------------------------------------------------------------


def _numerators(table: TextTable, rows: list[Row], columns: Sequence[str]) -> list[Row]:
    """The counts of cells over a total, which has to be that of their row, of their column, or of all."""
    size = len(columns) - (is_total(columns[-1]) and len(columns) > 2)
    body = [(line, table.fitted(row, line)) for line, row in rows if not (is_total(row[0]) and len(rows) > 2)]
    parts = [[_OF.fullmatch(cell.strip()) for cell in row[1 : size + 1]] for _, row in body]
    for (line, row), found in zip(body, parts, strict=True):
        for cell, part in zip(row[1:], found, strict=False):
            if part is None:
                raise table.fault(say("not_a", "each cell", "written as 45/50, as others are", cell.strip()), line)
    over = [[(int(part[1]), int(part[2])) for part in found if part] for found in parts]
    across = [_adds_up(row) for row in over]
    whole = {n for row in over for _, n in row} == {sum(k for row in over for k, _ in row)}
    if not all(across) and not all(map(_adds_up, zip(*over, strict=True))) and not whole:
        place = across.index(False)
        line, row = body[place]
        raise table.fault(say("over_totals", row[0], [it.strip() for it in row[1 : size + 1]]), line)
    done = {line: [row[0], *(str(k) for k, _ in row_over), *row[size + 1 :]]
            for (line, row), row_over in zip(body, over, strict=True)}  # fmt: skip
    return [(line, done.get(line, row)) for line, row in rows]


def _adds_up(cells: Sequence[tuple[int, int]]) -> bool:
    return {n for _, n in cells} == {sum(k for k, _ in cells)}


# -- percentages and n --------------------------------------------------------------------------------------


def _of_sizes(table: TextTable, rows: list[Row], columns: Sequence[str]) -> list[Row]:
    """Counts of rows of shares, whose last cell is the number of cases; other rows as they are."""
    body = [(line, table.fitted(row, line)) for line, row in rows if not is_total(row[0].strip())]
    made = _sized(table, "row", [(line, row[0], row[1:-1], row[-1].strip()) for line, row in body])
    if len(body) < 2 or made is None:
        return rows
    done = {line: [row[0], *counts, row[-1].strip()] for (line, row), counts in zip(body, made, strict=True)}
    note = f"The shares of each row and its {excerpt(columns[-1])} were read as the only counts that are printed so."
    table.notes.append(note)
    return [(line, done[line] if line in done else _sums(table, line, row, done)) for line, row in rows]


def _sized(table: TextTable, side: str, parts: Sequence[tuple[int, str, Sequence[str], str]]) -> list[list[str]] | None:
    """Counts of rows or columns of shares (line, name, shares, number of cases); None where they are no shares."""
    printed = [[_PRINTED.fullmatch(cell.strip()) for cell in cells] for _, _, cells, _ in parts]
    shares = _shares([[it for it in row if it] for row in printed]) if all(map(all, printed)) else None
    if shares is None:
        return None
    made = []
    for (line, name, cells, n), of in zip(parts, shares, strict=True):
        if not _SIZE.fullmatch(n):
            raise table.fault(say("size_of_shares", name, n), line)
        counts = counts_near(of, int(n))
        if not counts:
            raise table.fault(_why_none(side, [name, *cells, n], int(n), of, counts is None), line)
        made.append([*map(str, counts)])
    return made


def _shares(printed: Sequence[Sequence[re.Match[str]]]) -> list[list[tuple[int, int]]] | None:
    """Digits and unit of each cell of rows, or of columns; None where they are no shares."""
    flat = [it for row in printed for it in row]
    per_cent = any(it["sign"] or int(it["whole"]) > 1 for it in flat)
    shares = [[_share(it, per_cent) for it in row] for row in printed]
    if any(it["sign"] for it in flat):
        are_shares = all(it["sign"] or not int(it["whole"]) for it in flat)
    else:
        # counts beside a total are the usual case, also 1.234 beside one of 3.468
        are_shares = any(it["part"] for it in flat) and all(map(_is_whole, shares))
    return shares if are_shares else None


def _of_sizes_below(table: TextTable, rows: list[Row], columns: Sequence[str]) -> list[Row] | None:
    """Counts of columns of shares, below which stands the number of cases; None where there is no such row.

    Where a column of cases stands beside them as well, the shares say of what they are: they add up across, or down.
    """
    if len(rows) < 3 or not is_total(rows[-1][1][0].strip()) or not _has_sizes(rows[-1]):
        return None
    sized = is_total(columns[-1]) and len(columns) > 2
    *body, (last, sizes) = [(line, table.fitted(row, line)) for line, row in rows]
    width = len(columns) - sized
    cells = [[row[place + 1] for _, row in body] for place in range(width)]
    printed = [[_PRINTED.fullmatch(cell.strip()) for cell in column] for column in cells]
    down = _shares([[it for it in column if it] for column in printed]) if all(map(all, printed)) else None
    if down is None:
        return None
    whole_down, whole_across = all(map(_is_whole, down)), all(map(_is_whole, zip(*down, strict=True)))
    if sized and (whole_across or not whole_down):
        return None
    if whole_across:
        raise table.fault(say("shares_of_what", sizes[0]), last)
    parts = [(last, columns[place], cells[place], sizes[place + 1].strip()) for place in range(width)]
    made = _sized(table, "column", parts) or []
    note = f"The shares of each column and its {excerpt(sizes[0])} were read as the only counts that are printed so."
    table.notes.append(note)
    done = [
        (line, [row[0], *counts, *row[width + 1 :]])
        for (line, row), counts in zip(body, zip(*made, strict=True), strict=True)
    ]
    return [*done, (last, sizes)]


def _has_sizes(row: Row) -> bool:
    return any(map(_SIZE.fullmatch, row[1][1:]))


def _share(found: re.Match[str], per_cent: bool) -> tuple[int, int]:
    part = found["part"] or ""
    return int(found["whole"] + part), (100 if per_cent else 1) * 10 ** len(part)


def _is_whole(shares: Sequence[tuple[int, int]]) -> bool:
    """Whether shares add up to all, but for the rounding of each."""
    off = abs(sum((Fraction(*it) for it in shares), Fraction(-1)))
    return off <= sum((Fraction(1, 2 * unit) for _, unit in shares), Fraction())


def _why_none(side: str, row: Sequence[str], n: int, shares: Sequence[tuple[int, int]], none: bool) -> str:
    shown = f"the shares of {excerpt(row[0])}, {quoted([it.strip() for it in row[1:-1]])}"
    if none:
        return (
            f"{shown}, are those of no integers that add up to {integer(n)}. Are they shares of the {side}, and "
            f"is {integer(n)} its number of cases?"
        )
    open_cells = [(first, last) for first, last in (_Share(*it).counts(n) for it in shares) if first < last]
    first, last = open_cells[0]
    return (
        f"{shown}, are those of several counts of {integer(n)} cases ({integer(first)} to {integer(last)} for one of "
        "them). Print the counts, or more digits; howsure reconstruct --sizes --shares reports over all that fit"
    )


def _sums(table: TextTable, line: int, row: list[str], done: dict[int, list[str]]) -> list[str]:
    """A row of totals in counts: its percentages must be those of the sums."""
    row = table.fitted(row, line)
    sums = [sum(map(int, column)) for column in list(zip(*done.values(), strict=True))[1:]]
    for place, cell in enumerate(row[1:], start=1):
        found = _PRINTED.fullmatch(cell.strip())
        if found is None or not found["sign"]:
            continue
        first, last = _Share(*_share(found, True)).counts(sums[-1])
        if not first <= sums[place - 1] <= last:
            raise table.fault(say("not_the_sum", "cell", row[0], cell.strip(), cell.strip(), sums[place - 1]), line)
        row[place] = str(sums[place - 1])
    return row
