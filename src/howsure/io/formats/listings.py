"""What Weka, TensorFlow and R write of a matrix, and tables of HTML."""

from __future__ import annotations

import re
from html import unescape

from howsure.io.table import Row

__all__ = ["columns_of_four", "html_table", "tensorflow", "weka", "write_table"]

#: Characters of a printed tensor; the pattern is tried from every place in it.
MOST = 100_000

_TENSOR = re.compile(
    r"(?:<tf\.Tensor: .{0,100}?numpy=\s*(?:array\()?|tf\.Tensor\()\s*"
    r"(\[\s*\[.*\]\s*\])\s*(?:,\s*[a-z]+=.{0,100})?\)?>?",
    re.DOTALL,
)
_FOUR = frozenset(["tp", "fp", "fn", "tn"])
_WEKA_HEAD = re.compile(r"((?:[a-z]+\s+)+)<--\s*classified as\s*", re.IGNORECASE)
#: A tag, the beginning of a comment, or a declaration; nothing in it is tried twice, whatever the text.
_MARKUP = re.compile(
    r"""<!--|<[!?][^<>]*+>|<(?P<close>/?)(?P<name>[a-z][a-z0-9]*+)
    (?P<attributes>(?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+(?=>)|[^<>]*+)>""",
    re.IGNORECASE | re.VERBOSE,
)
_SPAN = re.compile(r"""(?:^|\s)(?:col|row)span\s*=\s*["']?([^"'\s]*)""", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"]*)"|([^\s",;]+)')
_QUOTED_LINE = re.compile(r'\s*(?:(?:"[^"]*"|[^\s",;]+)(?:\s+|$))+')
_WEKA_ROW = re.compile(r"([0-9][0-9.\s]*)\|\s*([a-z]+)\s*=\s*(\S.*)", re.IGNORECASE)


def weka(source: str, text: str) -> list[Row] | None:
    """What Weka prints: letters, `<-- classified as`, and the class of each letter behind its row, which is true."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    heads = [(place, _WEKA_HEAD.fullmatch(line)) for place, (_, line) in enumerate(lines)]
    found = [(place, head[1].split()) for place, head in heads if head]
    # a log may hold the matrix of the training set and that of the test set: which one is asked is not guessed
    if len(found) != 1:
        return None
    place, letters = found[0]
    body = lines[place + 1 : place + 1 + len(letters)]
    parts = [(number, _WEKA_ROW.fullmatch(line)) for number, line in body]
    rows = [(number, [part[3].strip(), *part[1].split()]) for number, part in parts if part]
    if [part[2] for _, part in parts if part] != letters or len(letters) < 2:
        return None
    return [(lines[place][0], ["true\\pred", *(row[0] for _, row in rows)]), *rows]


def tensorflow(source: str, text: str) -> list[Row] | None:
    """A tensor as it is printed: lists without commas, its shape and its type."""
    whole = text.strip()
    if len(whole) > MOST or not whole.startswith(("tf.Tensor(", "<tf.Tensor:")):
        return None
    found = _TENSOR.fullmatch(whole)
    if found is None:
        return None
    line = 1 + text.count("\n", 0, text.index(found[1]))
    rows = [(line + found[1].count("\n", 0, part.start()), part[1].replace(",", " ").split())
            for part in re.finditer(r"\[([^\[\]]+)\]", found[1])]  # fmt: skip
    return rows if len(rows) > 1 else None


def html_table(source: str, text: str) -> list[Row] | None:
    """The one table of a piece of HTML; cells that span others are left to those who can see them."""
    # a case in CSV may hold HTML as its text
    if text.lstrip()[:1] != "<" or "<table" not in text[:4000].lower():
        return None
    reader = _Cells(text)
    rows = [(number, [" ".join("".join(cell).split()) for cell in cells]) for number, cells in reader.rows if cells]
    return rows if reader.tables == 1 and not reader.spans else None


def columns_of_four(source: str, text: str) -> list[Row] | None:
    """A line `TP FP FN TN` in any order, and below it a line of four numbers, set apart by blanks."""
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) != 2 or len(lines[1][1]) != 4 or len(lines[0][1]) != 4:
        return None
    return lines if {name.lower() for name in lines[0][1]} == _FOUR else None


def write_table(source: str, text: str) -> list[Row] | None:
    """What `write.table` of R writes: names in quotes, blanks between cells, and no name above those of the rows."""
    if text.lstrip()[:1] != '"':
        return None
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not all(line.startswith('"') and _QUOTED_LINE.fullmatch(line) for _, line in lines):
        return None
    cells = [(number, [quoted or bare for quoted, bare in _QUOTED.findall(line)]) for number, line in lines]
    # where tabs set cells apart, a blank does not
    if any(line.count("\t") != len(row) - 1 for (_, line), (_, row) in zip(lines, cells, strict=True) if "\t" in text):
        return None
    (first, names), *rows = cells
    if len(names) < 2 or lines[0][1].count('"') != 2 * len(names) or any(len(row) != len(names) + 1 for _, row in rows):
        return None
    if [row[0] for _, row in rows] == [str(i) for i in range(1, len(rows) + 1)] and not set(names) & {"1", "2"}:
        return [(first, names), *((number, row[1:]) for number, row in rows)]  # rows of a list, which it numbers
    return [(first, ["", *names]), *rows]


class _Cells:
    """Rows of cells, each in pieces of text, with the line they begin in; in one pass.

    The parser of Python's library looks for the end of each unfinished tag anew, which takes minutes for 150 kB that
    are made for it, and stops at some declarations with an `AssertionError`.
    """

    def __init__(self, text: str) -> None:
        self.rows: list[tuple[int, list[list[str]]]] = []
        self.tables = 0
        self.spans = False
        self._inside = self._unseen = False
        self._line = 1
        done = 0
        while found := _MARKUP.search(text, done):
            self._data(text[done : found.start()])
            start, done = found.start(), found.end()
            if found[0] == "<!--":
                end = text.find("-->", done)
                done = len(text) if end < 0 else end + 3
            elif found["name"]:
                self._tag(found["name"].lower(), bool(found["close"]), found["attributes"])
            self._line += text.count("\n", start, done)
        self._data(text[done:])

    def _tag(self, tag: str, close: bool, attributes: str) -> None:
        if tag in ("script", "style"):
            self._unseen = not close
        elif tag in ("table", "tr"):
            self._inside = False  # a cell that is not closed ends where the next row begins
            if not close and tag == "table":
                self.tables += 1
            elif not close:
                self.rows.append((self._line, []))
        elif tag in ("td", "th"):
            self._inside = not close and bool(self.rows)
            if self._inside:
                self.spans |= any(value != "1" for value in _SPAN.findall(attributes))
                self.rows[-1][1].append([])

    def _data(self, text: str) -> None:
        self._line += text.count("\n")
        if self._inside and not self._unseen:
            self.rows[-1][1][-1].append(_unescaped(text))


def _unescaped(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:  # the number of a character, of thousands of digits
        return text
