r"""Matrices among the lines of a text: what NumPy, R, Stata, SAS, SPSS, Weka, LaTeX, Markdown, HTML and people write.

A text becomes lines of cells, whatever sets them apart. Each run of lines with as many counts is a block; the lines
above it name its columns, the cells before the counts its rows. The one block that fits is read.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Callable, Sequence
from html import unescape

from howsure.data.refusals import refusal
from howsure.data.words import cleaned, role
from howsure.io.assembly import sides_of
from howsure.io.cells import looks_numeric
from howsure.io.formats.blocks import MOST_TITLES, PrintedLine, blocks, framed
from howsure.io.formats.sentences import sentence
from howsure.io.opening import LONGEST_LINE, Opened
from howsure.io.roles import is_board
from howsure.io.table import Row, TextTable
from howsure.text.formats import unguarded

#: Characters of a print-out.
MOST_CHARACTERS = 200_000

_DRAWN = str.maketrans(
    dict.fromkeys("\u2502\u2503\u2551\u2506\u250a\u254e", "|")
    | dict.fromkeys("\u2500\u2501\u2550\u250c\u252c\u2510\u251c\u253c\u2524\u2514\u2534\u2518\u255e\u256a\u2561", "-")
)
_RULE = re.compile(r"[\s|:+=_-]*")
_GROUPS = "[1-9][0-9]{0,2}(?:(?P<sign>[,.'\u2019 \u00a0\u202f\u2009])[0-9]{3})(?:(?P=sign)[0-9]{3})*"
_SHARE = r"[0-9]{1,3}(?:[.,][0-9]{1,9})? ?%"
_COUNT = re.compile(rf"(?:[0-9]+(?:\.0*)?|{_GROUPS})(?: ?\( ?{_SHARE} ?\))?|{_SHARE} ?\([0-9]+\)")
_FIGURE = re.compile(
    rf"{_COUNT.pattern}|-?[0-9.,]+ ?%?|=?\(?[0-9.,]+/[0-9.,]+\)?(?: ?\( ?{_SHARE} ?\))?|[0-9.]+e[+-]?[0-9]+",
    re.IGNORECASE,
)
_PER_CENT = re.compile(r"(?<=\d)[ ]?\([0-9]{1,3}(?:\.[0-9]{1,9})?[ ]?%\)")
_THOUSANDS = re.compile(r"(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})+(?![\w.,])")
_FINE = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")
#: A rate with its name, beside the counts of a row or below them.
_RATES = r"(?:\b(?:PPV|NPV|sens(?:itivity|\.)?|spec(?:ificity|\.)?|precision|recall|accuracy|prevalence)|\bLR ?[+-])"
RATE = re.compile(
    rf"{_RATES}\s*[=:]?\s*\(?[0-9]+(?:[.,][0-9]+)?\s?%?\)?(?:\s*\([^()]*\))?(?=\s|[|,;]|$)", re.IGNORECASE
)
RATE_NAME = re.compile(_RATES, re.IGNORECASE)
_PROMPT = re.compile(r"\s*(?:> |>>> ?|\.\.\. |In ?\[\d+\]:|Out ?\[\d+\]:|julia> ?|\. (?=\w+ ))")
#: What a cell counts, behind the count: "45 (True Positives)".
_COUNT_OF = re.compile(r"^([0-9][0-9,.]*) \((?:(?:true|false) (?:positives?|negatives?)|[tf][pn]s?)\)$", re.IGNORECASE)
#: Squares of numbers in brackets, of Python, NumPy, Julia and MATLAB.
_NUMBERS = r"[0-9\s.,eE+-]*"
_NESTED = re.compile(rf"([\[(])\s*[\[(]{_NUMBERS}[\])](?:\s*,?\s*[\[(]{_NUMBERS}[\])])*\s*,?\s*[\])]")
_FLAT = re.compile(r"^\s*(?:[A-Za-z_]\w*\s*=\s*)?\[([0-9\s.,;eE+-]*)\]\s*;?\s*$")
_DENSE = re.compile(r"DenseMatrix\(\s*(\d{1,4}),\s*(\d{1,4}),\s*\[([0-9\s.,eE+-]*)\](?:,\s*(\w+))?\s*\)")
_NAME_LIST = re.compile(
    r"\[\s*('[^'\n]{1,80}'|\"[^\"\n]{1,80}\")(?:\s*,?\s*(?:'[^'\n]{1,80}'|\"[^\"\n]{1,80}\"))+\s*\]"
)
_QUOTED = re.compile(r'"([^"]*)"|([^\s",;]+)')
_QUOTED_LINE = re.compile(r'\s*(?:(?:"[^"]*"|[^\s",;]+)(?:\s+|$))+')

#: Texts without the counts that their programs have; what to print instead.
WITHOUT_COUNTS = [
    (r"NormalizedValues: \[", "the size of a confusion chart, without its counts: print cm.NormalizedValues and "
     "cm.ClassLabels, and copy both"),
    (r"\bmAP50\b", "averages of a detector, without counts: read the confusion matrix that it saves (confusion_matrix."
     "matrix), without its row and column of background"),
    (r"\[[^\[\]]*\.\.\.[^\[\]]*\]", "a matrix with cells left out (...): print all of it, with "
     "numpy.set_printoptions(threshold=10**6)"),
    (r"^\s*[\[(]\s*(?:np\.int64\()?\d+\)?(?:[\s,]+(?:np\.int64\()?\d+\)?){3}\s*[\])]\s*$",
     "four numbers without names: say which they are, such as tn, fp, fn, tp = 204, 36, 7, 63"),
    (r"^structure\(c\(", "an object as dput of R writes it: write.csv(as.data.frame(TABLE)) is read"),
    (r"(?m)^\s*(?:\.{2,3}|\u2026|\u22ee)(?:\s+(?:\.{2,3}|\u2026|\u22ee))+\s*$|\d+ more rows", "a table with rows left "
     "out (...): write it as a CSV file, and read that"),
]  # fmt: skip


def printed(file: Opened) -> TextTable | None:
    r"""Table of a text that a program or a person wrote; None where it is CSV, JSON, or unlike any of them.

    Examples
    --------
    >>> import io
    >>> from howsure.io.opening import opened
    >>> with opened(io.StringIO("[[ 6  2]\n [ 0 26]]")) as file:
    ...     table = printed(file)
    >>> table.header, list(table.rows)
    (['6', '2'], [(2, ['0', '26'])])
    """
    if len(file.head) > LONGEST_LINE or b"\0" in file.head:
        return None
    try:
        text = file.head.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return table_in_text(file.name, text)


def table_in_text(source: str, text: str) -> TextTable | None:
    """The same of a text."""
    rows, notes = sentence(source, text) or (None, [])
    if rows is None and len(text) <= MOST_CHARACTERS:
        rows = _wrapped_lines(source, text)
        if rows is None:
            rows = _table_of_lines(source, text)
        if rows is None and (not _delimiter(text) or text.startswith(("structure(", "("))):
            for pattern, advice in WITHOUT_COUNTS:
                if re.search(pattern, text):
                    raise refusal(source, "this_is", advice)
        if rows is not None:
            there = [number for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
            first, last = rows[0][0], rows[-1][0]
            if first > there[0] or last < there[-1]:
                notes = [f"Read from lines {first} to {last}."]
    if not rows or all(len(row) < 2 for _, row in rows):
        return None
    (line, header), *rest = rows
    return TextTable(source, [*map(cleaned, header)], line, iter(rest), notes=notes, written=tuple(header))


# -- brackets and markup -----------------------------------------------------------------------------------------


def _wrapped_lines(source: str, text: str) -> list[Row] | None:
    """Rows of a square in brackets, or of `write.table`; names beside it in the text are those of its classes."""
    begins = text.lstrip()[:1]
    if begins in ("{", "["):
        value = _value(text)
        square = _dict_of_dicts(value)
        if square is not None or isinstance(value, dict) or _value(text, python=False) is not None:
            return square
        if _value(text.lstrip().partition("\n")[0], python=False) is not None:
            return None
    if begins == '"':
        return _write_table(text)
    if _delimiter(text) and not re.match(r"\s*(?:[\w.]+\s*=\s*)?[\w.]*[\[(]", text):
        return None
    found: dict[str, tuple[int, list[Row]]] = {}
    for dense in _DENSE.finditer(text):
        high, wide, cells = int(dense[1]), int(dense[2]), dense[3].replace(",", " ").split()
        turned = (dense[4] or "").lower() in ("true", "1")  # Spark lists columns, unless it says the contrary
        if len(cells) == high * wide:
            each = [cells[i * wide : (i + 1) * wide] if turned else cells[i::high] for i in range(high)]
            line = 1 + text.count("\n", 0, dense.start())
            found.setdefault(repr(each), (line, [(line, row) for row in each]))
    for it in _NESTED.finditer(text):
        line = 1 + text.count("\n", 0, it.start())
        rows = []
        for part in re.finditer(r"[^\[\]()]*[0-9][^\[\]()]*", it[0]):
            at = line + it[0].count("\n", 0, part.start() + len(part[0]) - len(part[0].lstrip()))
            rows.append((at, part[0].replace(",", " ").split()))
        found.setdefault(repr([row for _, row in rows]), (line, rows))
    if flat := _FLAT.match(text):  # MATLAB has one bracket around rows that end with semicolons or lines
        line, rows = 1 + text[: text.index("[")].count("\n"), []
        for piece in re.split("(?<=[;\n])", flat[1]):
            if cells := piece.replace(",", " ").replace(";", " ").split():
                rows.append((line, cells))
            line += piece.count("\n")
        if len(rows) > 1:
            found[repr(rows)] = (line, rows)
    if len(found) > 1:
        raise refusal(source, "several_matrices", len(found), [f"line {line}" for line, _ in found.values()])
    if not found:
        if re.match(r"\s*(?:[\w.]+\s*=\s*)?[\w.]*[\[(][\[(\s]*[0-9]", text) and text.count("[") > text.count("]"):
            raise refusal(source, "open_bracket")
        return None
    ((line, rows),) = found.values()
    lists = [ast.literal_eval(it[0]) for it in _NAME_LIST.finditer(text)]
    names = next((names for names in lists if len({*names}) == len(rows)), None)
    if names is None or any(len(row) != len(rows) for _, row in rows):
        return rows
    return [(rows[0][0], ["", *names]), *((n, [name, *row]) for name, (n, row) in zip(names, rows, strict=True))]


def _value(text: str, *, python: bool = True) -> object:
    """What a text of JSON, or of Python, stands for; None where it is neither."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text.strip()) if python and text.lstrip()[:1] == "{" else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _dict_of_dicts(value: object) -> list[Row] | None:
    """Counts by two names, as a dict of rows or of columns, of which nothing says which."""
    if not isinstance(value, dict) or len(value) < 2 or not all(isinstance(row, dict) for row in value.values()):
        return None
    rows = [*value.values()]
    names = [*rows[0]]
    cells = [it for row in rows for it in row.values()]
    if any({*row} != {*names} for row in rows) or abs(len(names) - len(rows)) > 1 or len(names) < 2:
        return None
    if not all(isinstance(it, int | float) and not isinstance(it, bool) and float(it).is_integer() for it in cells):
        return None
    body = [(1, [str(name), *(str(int(row[it])) for it in names)]) for name, row in value.items()]
    return [(1, ["", *map(str, names)]), *body]


def _write_table(text: str) -> list[Row] | None:
    """What `write.table` of R writes: names in quotes, blanks between cells, and no name above those of the rows."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not all(line.startswith('"') and _QUOTED_LINE.fullmatch(line) for _, line in lines):
        return None
    cells = [(number, [quoted or bare for quoted, bare in _QUOTED.findall(line)]) for number, line in lines]
    # where tabs set cells apart, a blank does not
    if "\t" in text and any(line.count("\t") != len(row) - 1 for (_, line), (_, row) in zip(lines, cells, strict=True)):
        return None
    (first, names), *rows = cells
    if len(names) < 2 or lines[0][1].count('"') != 2 * len(names) or any(len(row) != len(names) + 1 for _, row in rows):
        return None
    if [row[0] for _, row in rows] == [str(i) for i in range(1, len(rows) + 1)] and not set(names) & {"1", "2"}:
        return [(first, names), *((number, row[1:]) for number, row in rows)]  # rows of a list, which it numbers
    return [(first, ["", *names]), *rows]


def _latex(text: str) -> list[Row] | None:
    """Rows of a tabular, array or matrix, without rules and comments; cells that span others stand in the first."""
    if "&" not in text or not re.search(r"\\begin\{|\\\\\s*(?:$|\[|\\hline|\n)", text):
        return None
    text = re.sub(r"(?<!\\)%.*", "", text)
    inside = re.search(r"\\begin\{(tabular[x*]?|array|longtable|[a-z]?matrix)\}([\s\S]*?)(?:\\end\{\1\}|$)", text)
    text = re.sub(r"\A\s*(?:\[[^\[\]]*\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})*", "", inside[2]) if inside else text
    text = re.sub(
        r"\\(?:hline|toprule|midrule|bottomrule|c(?:mid)?rule(?:\([^()]*\))?\{[^{}]*\}|cline\{[^{}]*\})", "", text
    )
    text = re.sub(r"\\multirow(?:\[[^\[\]]*\])?\{[^{}]*\}(?:\[[^\[\]]*\])?\{[^{}]*\}", "", text)
    text = re.sub(
        r"\\multicolumn\{(\d{1,2})\}\{[^{}]*\}(\{(?:[^{}]|\{[^{}]*\})*\})",
        lambda it: it[2] + "&" * (int(it[1]) - 1),
        text,
    )
    lines = re.split(r"\\\\(?:\[[^\[\]]*\])?", text)
    # where a line was in the source is lost with the commands
    return [
        (number, [_latex_cell(cell) for cell in re.split(r"(?<!\\)&", line)])
        for number, line in enumerate((line for line in lines if line.strip()), start=1)
    ]


def _latex_cell(cell: str) -> str:
    cell = re.sub(r"\\(?:textbackslash|backslash)\b\s*(?:\{\})?", "\0", cell)
    cell = re.sub(r"\\([%&_#$])", r"\1", cell)
    cell = re.sub(r"\\[a-zA-Z]+\s*|\\[,;! ]|[{}$]", "", cell)
    return " ".join(cell.replace("\0", "\\").split())


_TAGS = re.compile(r"(?:</t[dhr]|<script)\b[\s\S]*|<[^<>]*>", re.IGNORECASE)
_SPAN = re.compile(r"""(?:^|\s)(col|row)span\s*=\s*["']?(\d{1,2})\b""", re.IGNORECASE)


def _html(text: str) -> list[Row] | None:
    """Rows of the one table of a piece of HTML; whatever the text, no part of it is looked at twice."""
    # a case in CSV may hold HTML as its text
    if text.lstrip()[:1] != "<" or "<table" not in text[:4000].lower():
        return None
    first, *commented = text.split("<!--")
    seen = first + "".join(("\n" * it.count("\n", 0, end := it.find("-->") + 3) + it[end:]) if "-->" in it else ""
                           for it in commented)  # fmt: skip
    if len(re.findall(r"<table\b", seen, re.IGNORECASE)) != 1:
        return None
    rows = []
    line = 1
    before, *parts = re.split(r"<tr\b[^<>]*>", seen, flags=re.IGNORECASE)
    for part in parts:
        line += before.count("\n")
        before = part
        _, *cells = re.split(r"<t[dh]\b([^<>]*)>", part, flags=re.IGNORECASE)
        spans = [{kind.lower(): int(size) for kind, size in _SPAN.findall(it)} for it in cells[::2]]
        texts = [_unescaped(_TAGS.sub("", it)) for it in cells[1::2]]
        rows.append((line, [([it], of.get("col", 1), of.get("row", 1)) for it, of in zip(texts, spans, strict=True)]))
    return _spread(rows)


def _unescaped(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:  # the number of a character, of thousands of digits
        return text


def _spread(rows: Sequence[tuple[int, list[tuple[list[str], int, int]]]]) -> list[Row]:
    """Cells in their places, blank where the one before or above spans them."""
    taken: set[tuple[int, int]] = set()
    spread: list[Row] = []
    for down, (line, cells) in enumerate(rows):
        row: list[str] = []
        for parts, wide, high in cells:
            while (down, len(row)) in taken:
                row.append("")
            taken |= {(down + i, len(row) + j) for i in range(1, high) for j in range(wide)}
            row += [" ".join("".join(parts).split()), *[""] * (wide - 1)]
        if row:
            spread.append((line, row))
    return spread


# -- lines of cells ----------------------------------------------------------------------------------------------


def _delimiter(text: str) -> str:
    """What sets cells apart in CSV or TSV, as many in nearly all lines; "" where nothing does."""
    lines = [line for line in text.splitlines() if line.strip()] or [""]
    times = {sign: [line.count(sign) for line in lines] for sign in "\t,;"}
    for sign, them in times.items():
        headed = them[0] and {*them[1:]} == {them[-1]} and "[" not in text  # by names without a corner cell
        if them[-1] and (headed or 4 * them.count(them[-1]) >= 3 * len(them)):
            return sign
    return ""


def _titled(text: str, delimiter: str) -> list[PrintedLine]:
    """Lines of CSV or TSV that begins with titles, of the columns or of both sides; none where it begins with names."""
    reader = csv.reader(text.splitlines(), delimiter=delimiter)
    try:
        cells = [(reader.line_num, [unguarded(cell).strip() for cell in row]) for row in reader]
    except csv.Error:
        return []
    rows = [(number, row) for number, row in cells if any(row)]
    first, second = (row for _, row in rows[:2]) if len(rows) > 2 else ([], [])
    if text.startswith("sep="):  # a spreadsheet's word to itself
        return []
    if all(first[1:]) and sum(map(bool, second)) > 1 and len(first) >= len(second):
        return []
    return [it for number, row in rows if (it := _line(number, "\t".join(" ".join(cell.split()) for cell in row)))]


def _table_of_lines(source: str, text: str) -> list[Row] | None:
    """Rows of the one table of counts in a text, with a line of names above, or of a list of cases."""
    markup = _html(text) or _latex(text)
    delimiter = _delimiter(text) if markup is None else ""
    titled = _titled(text, delimiter) if delimiter else None
    if titled == []:
        return None
    if titled is not None:
        lines = titled
    elif markup is not None:
        lines = [line_of(number, row) for number, row in markup]
    else:
        lines = [it for number, line in enumerate(text.splitlines(), start=1) if (it := _line(number, line))]
    lines = [line for line in lines if not _is_type(line)]
    if not lines:
        return None
    cases = None if titled else (_aligned(text) if markup is None else None) or _cases(lines)
    if cases is not None:
        return cases
    for kind in (_is_count, lambda cell, _: looks_numeric(cell)):
        found: dict[bool, dict[str, list[Row]]] = {True: {}, False: {}}
        for rows, above in blocks([_counted(line, kind) for line in lines]):
            frame = framed(rows, above, text)
            if frame is not None:
                found[_is_named(frame)].setdefault(repr([row for _, row in frame]), frame)
        frames = [*(found[True] or found[False]).values()]
        if len(frames) > 1:
            raise refusal(
                source, "several_matrices", len(frames), [f"lines {rows[0][0]} to {rows[-1][0]}" for rows in frames]
            )
        if frames:
            return frames[0]
    return markup


def _is_named(frame: Sequence[Row]) -> bool:
    """Whether rows and columns have the same names, or those of two sides, or a corner cell says what they are."""
    rows, columns = [row[0] for _, row in frame[1:]], frame[0][1][1:]
    return "\\" in frame[0][1][0] or bool({*rows} & {*columns}) or sides_of(rows, columns) is not None


def line_of(number: int, cells: Sequence[str]) -> PrintedLine:
    """A line whose cells are known."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return _counted(PrintedLine(number, [], [], filled, not (cells and cells[0].strip()), []), _is_count)


def _is_count(cell: str, first: str) -> bool:
    """Whether a cell is a count; behind counts 90.0 is a percentage, unless all of them are written so."""
    return bool(_COUNT.fullmatch(cell)) and ("." not in cell or "." in first)


def _line(number: int, text: str) -> PrintedLine | None:
    """A line of a text, its cells set apart by bars, tabs or blanks; None for a rule, a prompt or a blank line."""
    text = RATE.sub("", _FINE.sub("", text.translate(_DRAWN)))
    if _RULE.fullmatch(text) or _PROMPT.match(text):
        return None
    if "|" in text or "\t" in text:
        parts = [it.strip() for it in (text.split("|") if "|" in text else text.split("\t"))]
        first = parts[0] or (parts[1] if "|" in text else "")
        if "<--" in text:  # of Weka, whose letters stand in front
            return PrintedLine(number, [], [], text.partition("<--")[0].split(), True, [])
        if weka := re.fullmatch(r"([0-9\s.]+)\|\s*[a-z]+\s*=\s*(\S.*)", text.strip()):
            return PrintedLine(number, [], [], [weka[2].strip(), *weka[1].split()], False, [], named=True)
        cells = [cell for part in parts for cell in re.split(r"\s{2,}", part) if cell]
        cells = [_COUNT_OF.sub(r"\1", cell.strip(" *`")) or cell for cell in cells]
        return PrintedLine(number, [], [], cells, not first, []) if cells else None
    if "<--" in text:
        return PrintedLine(number, [], [], text.partition("<--")[0].split(), True, [])
    text = re.sub(r"(?<=\d) / (?=\d)", "/", _PER_CENT.sub("", text))
    text = _THOUSANDS.sub(lambda count: count[0].replace(",", ""), text)
    words = text.split()
    at = len(words)
    while at and _FIGURE.fullmatch(words[at - 1]):
        at -= 1
    # before figures a name may have several words; a line of names has them two blanks apart, or one each
    name = re.split(r"\s{2,}", text.strip())
    cells = [*([" ".join(words[:at])] if at else []), *words[at:]] if at < len(words) else name
    if at == len(words) and (len(name) == 1 or words[-2:] == ["Error", "Rate"]):
        cells = words
    return PrintedLine(number, [], [], cells, text[:1].isspace(), words)


def _counted(line: PrintedLine, is_count: Callable[[str, str], object]) -> PrintedLine:
    """The line with the cells before its figures, and its counts."""
    cells = line.cells
    at = next((i for i, cell in enumerate(cells) if _FIGURE.fullmatch(cell) and i >= line.named), len(cells))
    end = at
    while end < len(cells) and is_count(cells[end], cells[at]):
        end += 1
    if not all(map(_FIGURE.fullmatch, cells[end:])):  # words behind figures: a line of names
        at = end = len(cells)
    return line._replace(head=cells[:at], counts=cells[at:end])


#: What pandas prints below a series of counts.
_SERIES = re.compile(r"\n(?:Name: [^\n]*, )?(?:Length: \d+, )?dtype: \w+\s*$")


def _aligned(text: str) -> list[Row] | None:
    """Rows of a list of cases whose cells stand below their names, blank ones too; None where it is none.

    Of a series of counts of pandas the last column has no name, and what is blank at the beginning is as above.
    """
    series = _SERIES.search(text)
    lines = text[: series.start() if series else None].splitlines()
    at = next((i for i, it in enumerate(lines[:MOST_TITLES]) if {"true", "pred"} <= {*map(role, it.split())}), None)
    if at is None or any(sign in lines[at] for sign in "|,;\t"):
        return None
    wide = max(map(len, lines))
    titles = lines[at] + (" count".rjust(max(wide - len(lines[at]), 6)) if series else "")
    names = [(it[0], it.start(), it.end()) for it in re.finditer(r"\S+", titles)]
    body = [(n, line) for n, line in enumerate(lines[at + 1 :], start=at + 2) if line.strip()]
    sizes = {len(line.split()) for _, line in body}
    if not sizes or max(sizes) != len(names) or (len(sizes) == 1 and not series):
        return None
    rows: list[Row] = []
    for number, line in body:
        cells = [""] * len(names)
        for word in re.finditer(r"\S+", line):
            near = min(range(len(names)), key=lambda i: max(names[i][1] - word.end(), word.start() - names[i][2]))
            if cells[near]:
                return None
            cells[near] = word[0]
        # only an index is left out where it is as above
        first = next(i for i, cell in enumerate(cells) if cell) if series else 0
        rows.append((number, [*(rows[-1][1][:first] if rows else cells[:first]), *cells[first:]]))
    return [(at + 1, [name for name, *_ in names]), *rows]


def _cases(lines: Sequence[PrintedLine]) -> list[Row] | None:
    """Rows of a list of cases or of counts that a program has drawn; None where no line names truth and prediction.

    A leaderboard is such a list, too.
    """
    for at, line in enumerate(lines[:MOST_TITLES]):
        names = line.words if line.words and " ".join(line.words) == " ".join(line.cells) else line.cells
        sides = {"true", "pred"} <= {*map(role, names)} and all(role(name) is not None for name in names[:2])
        if not sides and not is_board(names):
            continue
        rows = [(it.number, it.words or it.cells) for it in lines[at + 1 :]]
        rows = [(n, row) for n, row in rows if len(row) > 1]
        size = len(rows[0][1]) if rows else 0
        if len(rows) < 2 or size - len(names) not in (0, 1) or any(len(row) != size for _, row in rows):
            continue
        if all(map(looks_numeric, rows[0][1])) and len(names) == 2:
            continue  # two titles above a matrix
        return [(line.number, names), *((n, row[size - len(names) :]) for n, row in rows)]
    return None


def _is_type(line: PrintedLine) -> bool:
    return all(re.fullmatch(r"<\w+>|---|str|cat|i64|u32|u64|f64|enum", cell) for cell in line.words or line.cells) or (
        line.cells[0][:1] == "(" or line.cells[0][:1] == "["
    )
