"""A leaderboard whose columns are set apart by blanks, as it is copied from a page or a terminal: as CSV."""

from __future__ import annotations

import re

from howsure.data.words import COUNT
from howsure.io.formats.board import ASKED
from howsure.io.roles import CORRECT, NAME, SCORE
from howsure.text.text_table import csv_text

__all__ = ["with_commas"]

#: A rank or none, a name that may have blanks in it, and one or two numbers.
_ROW = re.compile(
    r"(?:#?\d{1,4}[.)]?\s+)?(?P<name>\S+(?:\s+\S+)*?)\s+(?P<first>\d[\d.,]*\s?%?)(?:\s+(?P<second>\d[\d.,]*))?"
)

#: Words of a header, a unit behind them or not.
_WORDS = {
    kind: re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, words), key=len)[::-1]).replace('_', '[ _]')})\b")
    for kind, words in (("name", NAME), ("correct", CORRECT), ("score", SCORE), ("n", COUNT | ASKED))
}


def with_commas(text: str) -> str:
    r"""Write such a leaderboard as name, score or correct, n; any other text stays as it is.

    Examples
    --------
    >>> print(with_commas("Rank Team Accuracy (%) Test cases\n1 Alpha One 91.2 2000\n2 Beta 90.5 2000\n"), end="")
    name,score,n
    Alpha One,91.2,2000
    Beta,90.5,2000
    >>> with_commas("name,score,n\na,0.9,50\n")
    'name,score,n\na,0.9,50\n'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or any(re.search(r"[\t;|]|,(?!\d)", line) for line in lines):
        return text
    titles = _titles(lines[0])
    rows = [_ROW.fullmatch(line) for line in (lines[1:] if titles else lines)]
    if not all(rows) or len({row["second"] is None for row in rows if row}) > 1:
        return text
    cells = [[row["name"], row["first"], *filter(None, [row["second"]])] for row in rows if row]
    if titles and len(titles) != len(cells[0]):
        return text
    return csv_text(titles or cells[0], cells if titles else cells[1:])


def _titles(line: str) -> list[str]:
    """The columns that a header names, in their order; none where it is no header of a leaderboard."""
    lower = line.casefold()
    places = {kind: match.start() for kind, words in _WORDS.items() if (match := words.search(lower))}
    found = sorted(places, key=lambda kind: places[kind])
    return found if found[:1] == ["name"] and ("score" in found) != ("correct" in found) else []
