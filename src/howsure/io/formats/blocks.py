"""Blocks among lines of cells: rows with as many counts each, and the names that stand above and beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from howsure.data.words import NEGATION, Role, corner_rows, is_total, role
from howsure.io.assembly import MOST_CLASSES, sides_of
from howsure.io.cells import looks_numeric
from howsure.io.table import Row

#: Lines of names above a block.
MOST_TITLES = 4

_CELL_ARRAY = re.compile(r"\{'([^']*)'\s*\}")
#: Words of a line above numbers that names no classes.
_PROSE = re.compile(r"[:{}=]|^(?:confusion|matrix|table|counts)$", re.IGNORECASE)
_OTHER: dict[Role | None, str] = {"true": "predicted", "pred": "true", None: ""}

#: What programs say elsewhere of their rows; the corner cell that says it.
PROGRAMS = [
    (re.compile(r"Error\s+Rate\b|Row labels: Actual|<--\s*classified as|Classification Table"), r"true\pred"),
    (re.compile(r"\bD\s+~D\b"), r"pred\true"),  # Stata calls them so, of whom the truth is known
    (re.compile(r"\$table[^$]*\$overall|\$table[\s\S]*\$byClass|^True:\t", re.MULTILINE), r"pred\true"),
]


class PrintedLine(NamedTuple):
    """A line: what stands before its counts, the counts, all cells, whether a blank one or a name is first."""

    number: int
    head: list[str]
    counts: list[str]
    cells: list[str]
    blank: bool
    words: list[str]
    named: bool = False

    @property
    def figures(self) -> int:
        """Cells behind those that name the row."""
        return len(self.cells) - len(self.head)


def blocks(lines: Sequence[PrintedLine]) -> Iterator[tuple[list[PrintedLine], list[PrintedLine]]]:
    """Runs of rows with as many counts each, or one fewer, with what stands above."""
    at = 0
    while at < len(lines):
        rows = [lines[at]]
        wide = len(rows[0].counts)
        end = at + 1
        while wide > 1 and end < len(lines) and end - at < 2 * MOST_CLASSES:
            line = lines[end]
            total = bool(line.head) and any(map(is_total, line.head[:2]))
            shares = not line.head and (bool(rows[0].head) or line.figures < rows[0].figures)
            if line.figures == rows[0].figures and len(line.counts) > 1 and not shares:
                rows.append(line)
                wide = min(wide, len(line.counts))
            elif total and len(line.counts) in (wide, wide - 1):
                rows.append(line)
            # figures without a name, or that are no counts, are shares of the row above
            elif not shares and (line.counts or not line.figures or line.figures > rows[0].figures):
                break
            end += 1
        if wide > 1 and len(rows) > 1:
            cut = [row._replace(counts=row.counts[:wide]) if len(row.counts) > wide else row for row in rows]
            yield cut, [*lines[max(at - MOST_TITLES, 0) : at]]
            at = end
        else:
            at += 1


def framed(rows: Sequence[PrintedLine], above: Sequence[PrintedLine], text: str = "") -> list[Row] | None:
    """A block with its names: a line of names with a corner cell, and rows that begin with a name."""
    wide = len(rows[0].counts)
    above = list(above)
    beside = ""
    if len(above) > 1 and len(above[-1].cells) == 1 and role(above[-1].cells[0]) and not above[-1].counts:
        beside = above.pop().cells[0]  # pandas and ftable print the title of the rows below the names
    names_of = above[-1] if above else None
    heads = [line.head for line in rows]
    if not heads[0]:
        named = _CELL_ARRAY.findall(text)
        if len(rows) == wide == len(named):
            return _frame(rows[0].number, "", named, [[name] for name in named], rows)
        if names_of is not None and {line.counts[0] for line in rows[:2]} <= {*names_of.cells}:
            rows = [row if row.head else row._replace(head=row.counts[:1], counts=row.counts[1:]) for row in rows]
            wide, heads = wide - 1, [line.head for line in rows]
        elif names_of is not None and len(rows) in (wide, wide + 1) and _by_order(names_of, rows):
            names = names_of.cells[:wide]
            body = rows[:wide]
            return _frame(names_of.number, _program(text), names, [[name] for name in names], body)
        elif len(rows) == wide:
            return [(line.number, line.counts) for line in rows]
        else:
            return None
    if not all(heads) or wide < 2 or not 0 <= len(rows) - wide + 1 <= 2:
        return None
    if all(head[-1].casefold() in ("count", "frequency", "n") for head in heads) and all(len(h) > 1 for h in heads):
        heads = [head[:-1] for head in heads]
    # a title of the rows stands beside some of their names
    titles = {head[0] for head in heads if len(head) > 1 and len(head) > min(map(len, heads))}
    if len(titles) > 1:
        return None
    if titles:
        longest = max(heads, key=len)
        beside, heads = longest[-2], [head[-1:] for head in heads]
    fits = _names(names_of, wide, rows, heads, above[:-1]) if names_of is not None else None
    if fits is None:
        if len(rows) != wide or beside or (names_of and len(names_of.cells) == wide + len(heads[0])):
            return None
        return [(line.number, [_name(" ".join(head)), *line.counts]) for head, line in zip(heads, rows, strict=True)]
    corner, names = fits
    if "<--" in text:  # Weka heads columns with the letters of the rows
        names = [" ".join(head) for head in heads]
    title = _title(above[:-1])
    if role(beside or corner) is not None and role(beside or corner) == role(title):
        return None
    called = [" ".join(head) for head in heads]
    if (
        role(title) is not None
        and not any(role(name.partition(" ")[0]) for name in names)
        and any(role(name.partition(" ")[0]) for name in called)
    ):
        names = [name if is_total(name) else f"{title} {_name(name)}" for name in names]
        title = ""
    said = _program(text)
    assert names_of is not None
    return _frame(names_of.number, said or corner_cell(beside or corner, title, text), names, heads, rows)


def _frame(
    line: int, corner: str, names: Sequence[str], heads: Sequence[list[str]], rows: Sequence[PrintedLine]
) -> list[Row]:
    cells = [[_name(" ".join(head)), *row.counts] for head, row in zip(heads, rows, strict=True)]
    size = len(names) + 1
    body = [(row.number, [*it, *[""] * (size - len(it))]) for it, row in zip(cells, rows, strict=True)]
    return [(line, [corner, *map(_name, names)]), *body]


def _by_order(names: PrintedLine, rows: Sequence[PrintedLine]) -> bool:
    """Whether names above are those of rows without any: no number among them, and as many."""
    behind = rows[0].figures - len(rows[0].counts)
    wide = len(rows[0].counts)
    prose = any(looks_numeric(name) or _PROSE.search(name) for name in names.cells)
    return wide <= len(names.cells) <= wide + behind and not prose


def _names(
    line: PrintedLine, wide: int, rows: Sequence[PrintedLine], heads: Sequence[list[str]], above: Sequence[PrintedLine]
) -> tuple[str, list[str]] | None:
    called = dict.fromkeys(" ".join(head) for head in heads if not is_total(head[0]))
    # names of more columns than counts are those of the errors or shares behind the counts
    behind = min(row.figures - len(row.counts) for row in rows if len(row.counts) == wide)
    halves = _halves(line.words, wide)
    halved = halves is not None and sides_of([*called], halves[: len(called)]) is not None
    for cells in (line.cells, line.words):
        corner, names = "", cells
        if len(cells) > wide and not (line.blank and len(cells) != wide + 1 and line.words):
            corner, names = ("", cells) if line.blank and not line.words else (cells[0], cells[1:])
        if len(names) == wide - 1 and above and is_total(above[-1].cells[-1]):
            names = [*names, "Total"]
        fits = wide <= len(names) <= wide + max(behind, 0)
        if fits and called.keys() <= {*names}:
            return corner, list(names[:wide])
        by_words = len(line.words) in (wide, wide + 1) and len(cells) < len(line.words)
        if fits and cells is line.cells and not by_words and not halved:
            return corner, list(names[:wide])
    return ("", halves) if halved and halves else None


def _halves(words: Sequence[str], width: int) -> list[str] | None:
    """Two names, and a total where there is one, of a line whose words single blanks set apart."""
    total = list(words[-1:]) if width == 3 and words and is_total(words[-1]) else []
    rest = words[: len(words) - len(total)]
    half, odd = divmod(len(rest), 2)
    if width != 2 + len(total) or half < 1 or (half == 1 and not odd):
        return None
    negated = [word.casefold() in NEGATION for word in rest]
    at = half if not odd or negated[half] else half + 1 if negated[0] else 0
    shared = {word.casefold() for word in rest[:at]} & {word.casefold() for word in rest[at:]}
    return [" ".join(rest[:at]), " ".join(rest[at:]), *total] if shared else None


def _title(above: Sequence[PrintedLine]) -> str:
    for line in reversed(above):
        cells = [cell for cell in line.cells if not is_total(cell)]
        if len({*cells}) == 1 and not line.counts:
            return cells[0].strip("- ")
    return ""


def _name(text: str) -> str:
    """A name without what programs put before or around it."""
    bare = text.strip(" *`\"'#").removesuffix(":")
    return f"no {bare[1:]}" if bare.startswith("~") else bare


def _program(text: str) -> str:
    if found := re.search(r"\bTable of (\S+) by (\S+)", text, re.IGNORECASE):
        return f"{found[1]}\\{found[2]}"
    return next((corner for pattern, corner in PROGRAMS if pattern.search(text)), "")


def corner_cell(beside: str, above: str, text: str = "") -> str:
    """What the rows and the columns are, of their titles."""
    sides = role(beside), role(above)
    if corner_rows(beside) is not None:
        return beside
    if sides[0] is not None and sides[1] is None and (above or sides[0]) and "\\" not in beside:
        return f"{beside}\\{_OTHER[sides[0]]}" if above or text else beside
    if sides[1] is not None and sides[0] is None:
        return f"{_OTHER[sides[1]]}\\{above}"
    return f"{beside}\\{above}" if beside and above else beside
