"""A table of counts among other lines: each block of rows is tried, with the names above it; one that fits is read.

What statistics programs print around their tables (titles, rules, percentages, errors, totals) is left aside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from howsure.data.words import Role, is_total, role
from howsure.errors import InvalidFile, listing
from howsure.io.names_in_files import MOST_CLASSES
from howsure.io.table import Row

__all__ = ["block", "described"]

#: Characters of a print-out, and lines of names above a block.
MOST_CHARACTERS = 200_000
MOST_TITLES = 4

_BARS, _RULES = "\u2502\u2503\u2551", "\u2500\u2501\u2550\u250c\u252c\u2510\u251c\u253c\u2524\u2514\u2534\u2518"
_DRAWN = str.maketrans({**dict.fromkeys(_BARS, "|"), **dict.fromkeys(_RULES, "-")})
_RULE = re.compile(r"[\s|:+=_-]*")
_COUNT = re.compile(r"[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_FIGURE = re.compile(r"[0-9.,]+ ?%?|=?\(?[0-9.,]+/[0-9.,]+\)?|[0-9.]+e[+-]?[0-9]+", re.IGNORECASE)
_BY = re.compile(r"\bTable of (\S+) by (\S+)", re.IGNORECASE)
_NAMED = re.compile(r"\{'([^']*)'\s*\}")
#: How a line begins: with blanks, or with a cell that is blank.
_INDENTED, _BLANK = "blanks", "blank cell"
_OTHER: dict[Role | None, str] = {"true": "predicted", "pred": "true", None: ""}


class _Line(NamedTuple):
    """A line: what stands before its counts, the counts, all of its cells, and whether it begins with a blank one."""

    number: int
    head: list[str]
    counts: list[str]
    cells: list[str]
    begins: str
    words: list[str]


@dataclass
class _Block:
    """Rows of as many counts each, the lines above them, and where they stand."""

    rows: list[_Line]
    above: list[_Line]


def block(source: str, text: str) -> list[Row] | None:
    r"""Rows of the one table of counts in a text, with a line of names above; None where there is none.

    Raises
    ------
    InvalidFile
        Several tables that differ.

    Examples
    --------
    >>> block("x.txt", "The classifier on our test set:\n\n        low  high\nlow    6     2\nhigh   0    26\n")
    [(3, ['', 'low', 'high']), (4, ['low', '6', '2']), (5, ['high', '0', '26'])]
    """
    if len(text) > MOST_CHARACTERS or _is_delimited(text):
        return None
    found: dict[str, list[Row]] = {}
    for it in _blocks(text):
        rows = _table(it, text)
        if rows is not None:
            found.setdefault(repr([row for _, row in rows]), rows)
    if len(found) > 1:
        where = listing(f"lines {rows[0][0]} to {rows[-1][0]}" for rows in found.values())
        raise InvalidFile(source, f"it holds {len(found)} tables of counts, {where}; copy the one that is meant")
    return next(iter(found.values()), None)


def _is_delimited(text: str) -> bool:
    """Whether it is CSV or TSV: as many commas, semicolons or tabs in nearly all lines, and a full first line."""
    lines = [line for line in text.splitlines() if line.strip()]
    for sign in "\t,;":
        times = [line.count(sign) for line in lines]
        if times and times[0] and 10 * times.count(times[0]) >= 8 * len(times):
            return all(cell.strip() for cell in lines[0].split(sign)[1:]) or sign != "\t"
    return False


def _line(number: int, text: str) -> _Line | None:
    """A line of a table; None for a rule or a blank one."""
    text = text.translate(_DRAWN)
    if _RULE.fullmatch(text):
        return None
    parts = text.split("|") if "|" in text else text.split("\t") if "\t" in text else [text]
    if len(parts) > 1:
        cells = [cell for part in parts for cell in re.split(r"\s{2,}", part.strip()) if cell]
    else:
        words = text.split()
        at = len(words)
        while at and _FIGURE.fullmatch(words[at - 1]):
            at -= 1
        # before figures a name may have several words; a line of names has them two blanks apart, or one each
        name = re.split(r"\s{2,}", text.strip())
        cells = [*([" ".join(words[:at])] if at else []), *words[at:]] if at < len(words) else name
        cells = words if at == len(words) and len(name) == 1 else cells
    at = next((i for i, cell in enumerate(cells) if _FIGURE.fullmatch(cell)), len(cells))
    end = at
    while end < len(cells) and _COUNT.fullmatch(cells[end]):
        end += 1
    if not all(map(_FIGURE.fullmatch, cells[end:])):  # words behind figures: a line of names
        at = end = len(cells)
    if cells[-2:] == ["Error", "Rate"]:  # H2O sets its names apart by one blank
        cells = text.split()
    if len(parts) == 1:
        begins = _INDENTED if text[:1].isspace() else ""
        return _Line(number, cells[:at], cells[at:end], cells, begins, text.split())
    first = parts[0] or (parts[1] if "|" in text else "")
    return _Line(number, cells[:at], cells[at:end], cells, "" if first.strip() else _BLANK, [])


def _blocks(text: str) -> list[_Block]:
    """Runs of rows with as many counts each, or one fewer, with what stands above."""
    lines = [(number, _line(number, line)) for number, line in enumerate(text.splitlines(), start=1)]
    there = [line for _, line in lines if line is not None]
    found: list[_Block] = []
    at = 0
    while at < len(there):
        rows = [there[at]]
        wide = len(rows[0].counts)
        end = at + 1
        while wide > 1 and end < len(there) and end - at < MOST_CLASSES:
            line = there[end]
            if len(line.counts) == wide or (len(line.counts) == wide - 1 and line.head and is_total(line.head[0])):
                rows.append(line)
            elif line.head or len(line.counts) == len(line.cells):  # figures without a name are shares of the row above
                break
            end += 1
        if wide > 1 and len(rows) > 1:
            found.append(_Block(rows, there[max(at - MOST_TITLES, 0) : at]))
            at = end
        else:
            at += 1
    return found


def _table(it: _Block, text: str) -> list[Row] | None:
    """Rows with names, if there are about as many as counts in each, and names above for all."""
    wide = len(it.rows[0].counts)
    heads = [line.head for line in it.rows]
    above = it.above[-1] if it.above else None
    if not heads[0]:
        names = _NAMED.findall(text)
        if len(it.rows) == wide == len(names):
            named = [(line.number, [name.strip(), *line.counts]) for name, line in zip(names, it.rows, strict=True)]
            return [(it.rows[0].number, ["", *map(str.strip, names)]), *named]
        if above is None or not {line.counts[0] for line in it.rows[:2]} <= {*above.cells}:
            return [(line.number, line.counts) for line in it.rows] if len(it.rows) == wide else None
        headed = [row if row.head else row._replace(head=row.counts[:1], counts=row.counts[1:]) for row in it.rows]
        it = _Block(headed, it.above)
        wide, heads = wide - 1, [line.head for line in it.rows]
    if above is None or not all(heads) or wide < 2 or not 0 <= len(it.rows) - wide + 1 <= 2:
        return None
    names = above.cells
    # names that one blank sets apart: those that the rows have as well
    called = {" ".join(head) for head in heads if not is_total(head[0])}
    if len(above.words) in (wide, wide + 1) and len(names) <= wide and called <= {*above.words}:
        names = above.words
    corner = ""
    if len(names) > wide and above.begins != _BLANK and not (above.begins and len(names) != wide + 1):
        corner, names = names[0], names[1:]
    titles = [" ".join(line.cells).strip("- ") for line in it.above[:-1] if len(line.cells) == 1 and not line.counts]
    if len(names) == wide - 1 and any(is_total(line.cells[-1]) for line in it.above[-2:-1]):
        titles = [" ".join(line.cells[:-1]) for line in it.above[-2:-1] if len(line.cells) == 2] or titles
        names = [*names, "Total"]
    # names of more columns than counts are those of the errors or shares behind the counts
    behind = min(len(line.cells) - len(line.head) - len(line.counts) for line in it.rows if len(line.counts) == wide)
    if not wide <= len(names) <= wide + max(behind, 0):
        return None
    names = names[:wide]
    # a title of the rows stands beside the first of their names
    if len(heads[0]) == 2 and all(len(head) == 1 for head in heads[1:]):
        corner, heads = heads[0][0], [heads[0][1:], *heads[1:]]
    title = titles[-1] if titles else ""
    if (
        role(title) is not None
        and not any(role(name.partition(" ")[0]) for name in names)
        and any(role(head[0].partition(" ")[0]) for head in heads)
    ):
        names = [name if is_total(name) else f"{title} {_name(name)}" for name in names]
        title = ""
    corner = _corner(corner, title, text)
    rows = [(line.number, [_name(" ".join(head)), *line.counts]) for head, line in zip(heads, it.rows, strict=True)]
    blank = [[*row, *[""] * (wide + 1 - len(row))] for _, row in rows]
    return [(above.number, [corner, *map(_name, names)]), *((n, row) for (n, _), row in zip(rows, blank, strict=True))]


def _name(text: str) -> str:
    """A name without what programs put before or around it."""
    bare = text.strip(" *`\"'#")
    return f"no {bare[1:]}" if bare.startswith("~") else bare


def _corner(beside: str, above: str, text: str) -> str:
    """What the rows and the columns are, of their titles."""
    if found := _BY.search(text):
        return f"{found[1]}\\{found[2]}"
    if re.search(r"Error\s+Rate\b", text):  # of H2O, whose rows are actual classes
        return "true\\pred"
    if "$byClass" in text and "$table" in text:  # of R's caret, whose rows are predictions
        return "pred\\true"
    sides = role(beside), role(above)
    if sides[0] is not None and sides[1] is None:
        return f"{beside}\\{_OTHER[sides[0]]}"
    if sides[1] is not None and sides[0] is None:
        return f"{_OTHER[sides[1]]}\\{above}"
    return f"{beside}\\{above}" if beside and above else beside


def described(rows: Sequence[Row], text: str) -> list[str]:
    """Which lines were read, where there are others."""
    there = [number for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    first, last = rows[0][0], rows[-1][0]
    return [] if not there or (first <= there[0] and last >= there[-1]) else [f"Read from lines {first} to {last}."]
