"""Matrices as programs print them: NumPy, Python, MATLAB, LaTeX, Markdown, R, pandas, and TP=45 FN=5 FP=8 TN=92."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence

from howsure.data.words import NEGATION, cleaned, is_total, role, word_of
from howsure.errors import InvalidFile
from howsure.io.cells import looks_numeric
from howsure.io.formats.blocks import block, described
from howsure.io.formats.listings import columns_of_four, html_table, tensorflow, weka, write_table
from howsure.io.formats.rates import (
    REPORT_NOTE,
    classification_report,
    nameless_rates,
    rates_in_a_sentence,
    rates_of_cases,
    report_of_dict,
)
from howsure.io.formats.sides import sides_of
from howsure.io.names_in_files import MOST_CLASSES
from howsure.io.opening import LONGEST_LINE, Opened
from howsure.io.table import Row, TextTable

__all__ = ["printed"]

_ASSIGNED = re.compile(r"^[A-Za-z_][\w.]*\s*=\s*(?=[\w.]*[(\[])")
_CALL = re.compile(r"^(?:[\w.]*\b(?:array|matrix|tensor|ConfusionMatrix)\s*\()")
#: All that may stand in a list of numbers.
_OF_LISTS = frozenset("[]() \t\r\n0123456789.,;+-eE")
_DTYPE = re.compile(r"dtype=[\w.'\"]{1,20}\s*\)\s*")
#: Said where rates and sizes were read.
SENTENCE_NOTE = "The counts are the only ones whose sensitivity and specificity are printed so."
#: Characters around and in a matrix of a program.
MOST_WRAPPED = 100_000
#: Lines of the largest matrix, with its names, titles and totals.
_MOST_LINES = MOST_CLASSES + 5
_PAIR = re.compile(r"\s*([A-Za-z][A-Za-z _-]*?)[ ]*[:=,;\t][ \t]*([^\s,;]+)[ \t]*[,;]?(?=\s|$)")
#: The four in a sentence, each once.
_FOUR_IN_WORDS = re.compile(
    r"\b(TP|FN|FP|TN)\s*[:=]\s*([0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?![0-9]|\.[0-9])", re.IGNORECASE
)
#: What stands around the brackets of a matrix: names of functions and keys before it, a device or a type behind it.
_WRAPPED = re.compile(r"[\w.\s={}'\":(]*(\[\s*\[[^\[\]]*\](?:\s*,?\s*\[[^\[\]]*\])*\s*,?\s*\])[\w\s,='\":.)}]*")
#: A dict of Python, named or not; JSON is read as JSON.
_DICT = re.compile(r"\s*(?:\w+\s*=\s*)?(?:dict\s*\(|\{)((?:[^{}\"]|\"[^{}\"]*\")*)[})]\s*")
_UNPACKED = re.compile(
    r"\s*\(?\s*((?:\w+\s*,\s*){3}\w+)\s*\)?\s*=\s*[(\[]?\s*((?:[0-9]+\s*,?\s+|[0-9]+\s*,\s*){3}[0-9]+)\s*[)\]]?\s*"
)
_WORDED = re.compile(
    r"([a-z][a-z -]*?)s?\s+([0-9]+)\s*(?:[,;.]\s*(?:and\s)?|\band\s|\n|$|(?<=\s)(?=[a-z]))\s*", re.IGNORECASE
)
_FOUR = frozenset(["tp", "fn", "fp", "tn", *(f"{a}_{b}" for a in ("true", "false")
                   for b in ("positive", "positives", "negative", "negatives"))])  # fmt: skip
_SHARE = re.compile(r"(?<=\d)[ ]?\([0-9]{1,3}(?:\.[0-9]{1,9})?[ ]?%\)")
_THOUSANDS = re.compile(r"(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})+(?![\w.,])")
#: "45 (True Positives)": what a cell counts stands behind the count.
_COUNT_OF = re.compile(r"^([0-9][0-9,.]*) \((?:(?:true|false) (?:positives?|negatives?)|[tf][pn]s?)\)$", re.IGNORECASE)
_RULE = re.compile(r"[\s|:+=-]+")


def printed(file: Opened) -> TextTable | None:
    r"""Table of a text that a program printed; None where it is CSV, JSON, or unlike any of them.

    Parameters
    ----------
    file : Opened
        Only its beginning is looked at; what is longer than a line may be was printed for no reader.

    Raises
    ------
    InvalidFile
        A bracket that is not closed, rows of unlike length in a matrix of LaTeX.

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
    for kind in KINDS:
        rows = kind(file.name, text)
        if rows and any(len(row) > 1 for _, row in rows):
            (line, header), *rest = rows
            notes = ["The percentages in brackets are left out."] if kind is _blanks and _SHARE.search(text) else []
            notes += [REPORT_NOTE] if kind in (classification_report, _report_dict) else []
            notes += [SENTENCE_NOTE] if kind is rates_in_a_sentence else []
            notes += described(rows, text) if kind is block else []
            named = [cleaned(cell) for cell in header]
            return TextTable(file.name, named, line, iter(rest), notes=notes, written=tuple(header))
    return None


def _pairs(source: str, text: str) -> list[Row] | None:
    """``TP=45 FN=5 FP=8 TN=92``, on one line or on four."""
    if len(text) > 1000:
        return None
    held = _DICT.fullmatch(text)
    text = re.sub("[\"']", " ", held[1]).replace(" :", ":") if held else text
    found = list(_PAIR.finditer(text))
    named = [(it[1].lower(), it[2].replace(",", "")) for it in _FOUR_IN_WORDS.finditer(text)]
    if sorted(name for name, _ in named) == ["fn", "fp", "tn", "tp"]:
        return [(1, [name for name, _ in named]), (1, [count for _, count in named])]
    if "".join(it[0] for it in found).strip() != text.strip():
        return None
    names = [it[1].strip() for it in found]
    if not names or not all(word_of(name) in _FOUR for name in names):
        return None
    line = 1 + text[: len(text) - len(text.lstrip())].count("\n")
    return [(line, names), (line, [it[2] for it in found])]


def _unpacked(source: str, text: str) -> list[Row] | None:
    """``tn, fp, fn, tp = 42, 5, 8, 45``, as a matrix of two classes is unpacked in Python."""
    found = _UNPACKED.fullmatch(text) if len(text) <= 200 else None
    if found is None:
        return None
    names = [name.strip() for name in found[1].split(",")]
    return [(1, names), (1, re.findall("[0-9]+", found[2]))] if {word_of(name) for name in names} <= _FOUR else None


def _worded(source: str, text: str) -> list[Row] | None:
    """``true positives 45, false positives 5``: words and numbers with nothing between them."""
    if len(text) > 300:
        return None
    found = list(_WORDED.finditer(text.strip()))
    names = [it[1].strip() for it in found]
    if "".join(it[0] for it in found) != text.strip() or not names or not all(word_of(name) in _FOUR for name in names):
        return None
    return [(1, names), (1, [it[2] for it in found])]


def _report_dict(source: str, text: str) -> list[Row] | None:
    """A report of scikit-learn as a dict of Python or as JSON."""
    if not text.lstrip().startswith("{") or "avg" not in text or len(text) > MOST_WRAPPED:
        return None
    try:
        return report_of_dict(source, ast.literal_eval(text.strip()))
    except InvalidFile:
        raise
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _latex(source: str, text: str) -> list[Row] | None:
    """Rows of a tabular, array or matrix, without rules and comments."""
    if "&" not in text or not re.search(r"\\begin\{|\\\\\s*(?:$|\[|\\hline|\n)", text):
        return None
    text = re.sub(r"(?<!\\)%.*", "", text)
    text = re.sub(r"\\(?:begin|end)\{[^{}]*\}(?:\[[^\[\]]*\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})?", "", text)
    text = re.sub(
        r"\\(?:hline|toprule|midrule|bottomrule|c(?:mid)?rule(?:\([^()]*\))?\{[^{}]*\}|cline\{[^{}]*\})", "", text
    )
    lines = re.split(r"\\\\(?:\[[^\[\]]*\])?", text)
    rows = [[_latex_cell(cell) for cell in re.split(r"(?<!\\)&", line)] for line in lines if line.strip()]
    # where a line was in the source is lost with the commands
    return [(number, row) for number, row in enumerate(rows, start=1)]


def _latex_cell(cell: str) -> str:
    """What the cell prints: no commands, no braces, no dollars."""
    cell = re.sub(r"\\(?:textbackslash|backslash)\b\s*(?:\{\})?", "\0", cell)
    cell = re.sub(r"\\multi(?:column|row)(?:\[[^\[\]]*\])?\{[^{}]*\}\{[^{}]*\}", "", cell)
    cell = re.sub(r"\\([%&_#$])", r"\1", cell)
    cell = re.sub(r"\\[a-zA-Z]+\s*|\\[,;! ]|[{}$]", "", cell)
    return " ".join(cell.replace("\0", "\\").split())


def _brackets(source: str, text: str) -> list[Row] | None:
    """Nested lists and tuples, NumPy with or without commas, MATLAB with semicolons or lines."""
    wrapped = _WRAPPED.fullmatch(text) if len(text) < MOST_WRAPPED and text.count("[") <= _MOST_LINES else None
    bare = wrapped is None or _is_json(text)
    text = text if wrapped is None or bare else "\n" * text.count("\n", 0, wrapped.start(1)) + wrapped[1]
    whole = text.strip()
    inner = _CALL.sub("", _ASSIGNED.sub("", whole)).rstrip("; \t\r\n")
    line = 1 + text[: text.index(whole)].count("\n")
    at = inner.rfind("dtype=")
    if at > 0 and _DTYPE.fullmatch(inner, at):
        inner = inner[:at].rstrip(", \t\r\n") + ")"
    if (
        inner[:1] not in ("[", "(")
        or not _OF_LISTS.issuperset(inner)
        or (bare and whole[:1] == "[" and _is_json(whole))
    ):
        return None
    square, round_ = (inner.count(it[0]) - inner.count(it[1]) for it in ("[]", "()"))
    # the bracket of array(...) was cut off with its name
    if square or round_ > 0:
        raise InvalidFile(source, "a bracket is not closed; copy the whole matrix")
    if inner.count("[") + inner.count("(") > _MOST_LINES:
        return None
    rows: list[Row] = []
    for part in re.finditer(r"[^\[\]()]+", inner):
        # MATLAB has one bracket around rows that end with semicolons or lines
        for end, row in _rows_inside(part[0], nested=inner[1:].lstrip()[:1] in ("[", "(")):
            if row:
                rows.append((line, row))
            line += end
    return rows if len(rows) > 1 or (rows and len(rows[0][1]) > 1) else None


def _rows_inside(text: str, *, nested: bool) -> Iterator[tuple[int, list[str]]]:
    """Ends of line behind each row of a bracket, and its cells."""
    parts = [text] if nested else re.split("(?<=[;\n])", text)
    for part in parts:
        yield part.count("\n"), part.replace(",", " ").replace(";", " ").split()


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _markdown(source: str, text: str) -> list[Row] | None:
    """A table of Markdown: bars, and a line of dashes."""
    if "|" not in text or "--" not in text:
        return None
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    ruled = any("-" in line and "|" in line and _RULE.fullmatch(line) for _, line in lines)
    if not ruled or not all("|" in line or _RULE.fullmatch(line) for _, line in lines):
        return None
    kept = [(number, line.removeprefix("|").removesuffix("|")) for number, line in lines if not _RULE.fullmatch(line)]
    return [(number, [_COUNT_OF.sub(r"\1", cell.strip(" *`")) for cell in line.split("|")]) for number, line in kept]


def _blanks(source: str, text: str) -> list[Row] | None:
    """Columns that blanks set apart, as R and pandas print them."""
    # beside a number papers print its share, and set thousands apart; where a comma is left it is no such table
    text = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), _SHARE.sub("", text))
    if re.search(r"[,;\t{]", text):
        return None
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not 2 <= len(lines) <= _MOST_LINES:
        return None
    titles = [it for it in lines[:2] if role(it[1]) is not None]
    rest = [it for it in lines if it not in titles]
    if len(rest) < 2:
        return None
    rows = _square(rest) or _named(rest) or _headed(rest)
    if rows is None:
        return None
    # each title stays where it was, a row with one cell
    return sorted([*rows, *((number, [line.strip()]) for number, line in titles)], key=lambda row: row[0])


def _square(lines: Sequence[tuple[int, str]]) -> list[Row] | None:
    """Numbers alone, or below a line of names."""
    rows = [(number, line.split()) for number, line in lines]
    size = len(rows[-1][1])
    body = rows if len(rows) == size else rows[1:]
    fits = len(body) == size > 1 and all(len(row) == size and all(map(looks_numeric, row)) for _, row in body)
    return rows if fits and len(rows[0][1]) == size else None


def _headed(lines: Sequence[tuple[int, str]]) -> list[Row] | None:
    """A line of names, with a corner or without, and rows that begin with a name."""
    (first, head), *body = lines
    found: list[list[Row]] = []
    halved: list[list[Row]] = []
    for names in (re.split(r"\s{2,}", head.strip()), head.split()):
        for width in (len(names) - 1, len(names)):
            rows = _split(body, width)
            if width > 1 and rows is not None and abs(len(rows) - width) <= 1:
                found.append([(first, names if len(names) > width else ["", *names]), *rows])
    for width in (2, 3):
        halves, rows = _halves(head.split(), width), _split(body, width)
        if halves is not None and rows is not None and abs(len(rows) - width) <= 1:
            halved.append([(first, ["", *halves]), *rows])
    # a name of two words or two names: those that the rows have as well, or that say which side is the truth
    alike = (rows for rows in found if {row[0] for _, row in rows[1:-1]}.issubset(rows[0][1]))
    sided = (
        rows for rows in [*found, *halved] if sides_of([row[0] for _, row in rows[1:]], rows[0][1][1:]) is not None
    )
    return next(alike, None) or next(sided, found[0] if found else None)


def _halves(words: Sequence[str], width: int) -> list[str] | None:
    """Two names, and a total where there is one, of a line whose words single blanks set apart."""
    total = list(words[-1:]) if width == 3 and is_total(words[-1]) else []
    rest = words[: len(words) - len(total)]
    half, odd = divmod(len(rest), 2)
    if width != 2 + len(total) or half < 1 or (half == 1 and not odd):
        return None
    negated = [word.casefold() in NEGATION for word in rest]
    at = half if not odd or negated[half] else half + 1 if negated[0] else 0
    return [" ".join(rest[:at]), " ".join(rest[at:]), *total] if at else None


def _named(lines: Sequence[tuple[int, str]]) -> list[Row] | None:
    """Rows that begin with a name, and no line of names above."""
    return _split(lines, len(lines))


def _split(lines: Sequence[tuple[int, str]], width: int) -> list[Row] | None:
    """Name and so many numbers of each line; None where a line has no name or fewer numbers."""
    rows: list[Row] = []
    for number, line in lines:
        words = line.split()
        cells = words[len(words) - width :] if 0 < width < len(words) else []
        if not cells or not all(map(looks_numeric, cells)):
            return None
        rows.append((number, [" ".join(words[:-width]), *cells]))
    return rows


#: Each knows its own by what it prints around the numbers; the last one is what any program prints.
KINDS = (
    _pairs, _unpacked, _worded, classification_report, _report_dict, rates_in_a_sentence, rates_of_cases,
    nameless_rates, weka, tensorflow, html_table, columns_of_four, _latex, _brackets, _markdown, write_table, _blanks,
    block,
)  # fmt: skip
