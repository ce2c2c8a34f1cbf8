"""Statements about several metrics at once, and their probability: a small grammar, never `eval`.

::

    statement   = conjunction { "or" conjunction }
    conjunction = term { "and" term }
    term        = "not" term | "(" statement ")" | comparison
    comparison  = side ( "<" | "<=" | ">" | ">=" ) side { ... }     chained: 0.7 < recall@ill < 0.9
    side        = number | measure, such as recall@ill, f1@macro, fbeta(beta=2)@"not ill"
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument, excerpt
from howsure.metrics import Measure, parse
from howsure.text.formats import exactly

__all__ = ["Compound", "Inequality", "Reader", "Statement"]

Truth = NDArray[np.bool_]
Side = float | Measure
Values = Mapping[Measure, NDArray[np.float64]]

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
LABEL = r"""[^\s<>()="]+"""
TOKEN = re.compile(
    rf"""\s*(?:
        (?P<compare><=|>=|<|>)
      | (?P<bracket>[()])
      | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.%@])
      | (?P<word>and|or|not)(?![\w@+-])
      | (?P<measure>[A-Za-z][\w+-]*(?:\([^()]*\))?(?:@(?:"[^"]*"|{LABEL}))?)
    )""",
    re.VERBOSE,
)
#: How deeply brackets and "not" may be nested.
DEEPEST = 50


@dataclass(frozen=True)
class Inequality:
    """Sides joined by comparisons; true where all of them hold."""

    sides: tuple[Side, ...]
    signs: tuple[str, ...]

    def __call__(self, values: Values) -> Truth:
        """Where it holds, one truth for each value of the measures."""
        there = [values[side] if isinstance(side, Measure) else np.float64(side) for side in self.sides]
        holds = [COMPARE[sign](a, b) for sign, (a, b) in zip(self.signs, pairwise(there), strict=True)]
        return np.asarray(np.logical_and.reduce(np.broadcast_arrays(*holds)))

    @property
    def comparisons(self) -> list[Inequality]:
        """Itself alone."""
        return [self]

    def __str__(self) -> str:
        names = [spelled(side) for side in self.sides]
        return names[0] + "".join(f" {sign} {name}" for sign, name in zip(self.signs, names[1:], strict=True))


@dataclass(frozen=True)
class Compound:
    """Statements joined by "and" or "or", or one after "not"."""

    word: str
    parts: tuple[Inequality | Compound, ...]

    def __call__(self, values: Values) -> Truth:
        """Where it holds, one truth for each value of the measures."""
        holds = [part(values) for part in self.parts]
        if self.word == "not":
            return ~holds[0]
        return np.asarray((np.logical_and if self.word == "and" else np.logical_or).reduce(holds))

    @property
    def comparisons(self) -> list[Inequality]:
        """All comparisons in it, from left to right."""
        return [found for part in self.parts for found in part.comparisons]

    def __str__(self) -> str:
        inner = [f"({part})" if isinstance(part, Compound) and part.word != "not" else str(part) for part in self.parts]
        return f" {self.word} ".join(inner) if self.word != "not" else f"not ({self.parts[0]})"


Statement = Inequality | Compound


def spelled(side: Side) -> str:
    """A side as it can be read again: a label with blanks or signs in quotes."""
    if not isinstance(side, Measure):
        return exactly(side)
    if side.label is None or re.fullmatch(LABEL, side.label):
        return side.name
    return f'{side.base}@"{side.label}"'


class Reader:
    """Reads one statement, token by token, for the classes of one matrix."""

    def __init__(self, text: str, labels: Sequence[str], positive: str | None) -> None:
        if not isinstance(text, str):
            raise InvalidArgument(f'a statement is text such as "recall@ill > 0.8", not {excerpt(text)}')
        self._text, self._labels, self._positive = text, labels, positive
        self._tokens = list(self._split())
        self._next = 0
        self._depth = 0

    def statement(self) -> Statement:
        """The whole text as a statement."""
        found = self._either()
        if self._next < len(self._tokens):
            self._refuse("and, or, or the end")
        return found

    def _split(self) -> list[tuple[str, str, int]]:
        """Kind, text and place of each token."""
        tokens, place = [], 0
        end = len(self._text.rstrip())
        while place < end:
            match = TOKEN.match(self._text, place)
            if match is None or match.lastgroup is None:
                raise self._complaint("a metric, a number, a comparison, and, or, not, or a bracket", place)
            tokens.append((match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            place = match.end()
        return tokens

    def _take(self, kind: str, *texts: str) -> str | None:
        """The next token, if it is of that kind (and one of the texts)."""
        if self._next == len(self._tokens):
            return None
        found, text, _ = self._tokens[self._next]
        if found != kind or (texts and text not in texts):
            return None
        self._next += 1
        return text

    def _either(self) -> Statement:
        return self._joined("or", self._both)

    def _both(self) -> Statement:
        return self._joined("and", self._term)

    def _joined(self, word: str, part: Callable[[], Statement]) -> Statement:
        parts = [part()]
        while self._take("word", word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Compound(word, tuple(parts))

    def _term(self) -> Statement:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._complaint(f"at most {DEEPEST} brackets inside each other", self._place)
        try:
            if self._take("word", "not"):
                return Compound("not", (self._term(),))
            if self._take("bracket", "("):
                inner = self._either()
                if not self._take("bracket", ")"):
                    self._refuse(") or and, or")
                return inner
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> Inequality:
        start = self._place
        sides, signs = [self._side()], []
        while sign := self._take("compare"):
            signs.append(sign)
            sides.append(self._side())
        if not signs:
            self._refuse("<, <=, > or >=")
        if not any(isinstance(side, Measure) for side in sides):
            raise self._complaint("a metric on one side at least", start)
        return Inequality(tuple(sides), tuple(signs))

    def _side(self) -> Side:
        if number := self._take("number"):
            return float(number)
        measure = self._take("measure")
        if measure is None:
            self._refuse("a metric or a number")
        return parse(measure, self._labels, self._positive)

    @property
    def _place(self) -> int:
        return self._tokens[self._next][2] if self._next < len(self._tokens) else len(self._text.rstrip())

    def _refuse(self, wanted: str) -> NoReturn:
        raise self._complaint(wanted, self._place)

    def _complaint(self, wanted: str, place: int) -> InvalidArgument:
        rest = self._text[place:].lstrip()
        place = len(self._text) - len(rest) if rest else place
        came = f"at {excerpt(rest, 40)}" if rest else "where the statement ends"
        return InvalidArgument(f"in {excerpt(self._text, 120)}, position {place + 1}: expected {wanted} {came}")
