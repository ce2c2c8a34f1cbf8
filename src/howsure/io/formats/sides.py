"""Tables whose row and column names say themselves which side is truth: test+ and test- by disease+ and disease-."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from howsure.data.words import (
    BESIDE,
    LETTERS,
    NEGATIVE,
    OF_TEST,
    OF_TRUTH,
    POSITIVE,
    SAID_PRED,
    SAID_TRUE,
    Role,
    is_total,
)

__all__ = ["Sides", "sides_of"]

_SIGN = re.compile(r"(.*?)[\s_:=(]*([+\-\u2212\u2013])(?:ve)?\)?")

#: Longer names are none of these; a pattern need not look at them.
_LONGEST = 100
_PLAIN = frozenset(["positive", "positives", "pos", "negative", "negatives", "neg"])


@dataclass(frozen=True)
class Sides:
    """How the rows and columns of a printed table are meant.

    Parameters
    ----------
    rows : "true", "pred" or None
        What a row is; None where no name says it.
    classes : tuple of str
        Names of the classes; of two with a sign the negative one comes first.
    row_order, column_order : tuple of int
        For each class, its row and its column.
    positive : str or None
        The positive class, where the names have signs.
    """

    rows: Role | None
    classes: tuple[str, ...]
    row_order: tuple[int, ...]
    column_order: tuple[int, ...]
    positive: str | None


@dataclass(frozen=True)
class _Name:
    """One name: the side that it says, its sign, what is left of it, and its text without the words of a side."""

    role: Role | None
    sign: bool | None
    rest: frozenset[str]
    plain: bool
    text: str


def sides_of(rows: Sequence[str], columns: Sequence[str], told: Role | None = None) -> Sides | None:
    """Read the sides of a table from its names, totals at their end left aside; None if they say nothing.

    Parameters
    ----------
    rows, columns : sequence of str
    told : "true" or "pred", optional
        What a row is by other words, where the names do not say; the classes are called as the truth is.

    Examples
    --------
    >>> sides_of(["Test+", "Test-"], ["D+", "D-"])
    Sides(rows='pred', classes=('negative', 'positive'), row_order=(1, 0), column_order=(1, 0), positive='positive')
    >>> sides_of(["predicted cat", "predicted dog"], ["actual dog", "actual cat"]).classes
    ('cat', 'dog')
    >>> sides_of(["cat", "dog"], ["cat", "dog"]) is None
    True
    """
    rows, columns = _without_total(rows), _without_total(columns)
    if len(rows) != len(columns) or len(rows) < 2 or set(rows) == set(columns):
        return None
    across, down = [_name(text) for text in rows], [_name(text) for text in columns]
    of_rows, of_columns = _role(across), _role(down)
    if of_rows is not None and of_rows == of_columns:
        return None
    opposite: dict[Role | None, Role | None] = {"true": "pred", "pred": "true", None: None}
    meaning = of_rows or opposite[of_columns]
    if len(rows) == 2:
        first, second = _signs(across), _signs(down)
        if first and second:
            order = (first.index(False), first.index(True)), (second.index(False), second.index(True))
            truth, places = (columns, order[1]) if (meaning or told) == "pred" else (rows, order[0])
            names = [_name(truth[i]) for i in places]
            classes = ("negative", "positive") if all(it.plain for it in names) else tuple(it.text for it in names)
            return Sides(meaning, classes, *order, classes[1])
    named, heads = tuple(it.text for it in across), [it.text for it in down]
    if of_rows is None or of_columns is None or set(named) != set(heads) or len(set(named)) < len(named):
        return None
    return Sides(meaning, named, tuple(range(len(named))), tuple(map(heads.index, named)), None)


def _without_total(names: Sequence[str]) -> list[str]:
    return list(names[:-1] if len(names) > 2 and is_total(names[-1]) else names)


def _name(text: str) -> _Name:
    if len(text) > _LONGEST:
        return _Name(None, None, frozenset([text]), False, text)
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    signed = _SIGN.fullmatch(folded)
    if signed:
        folded = f"{signed[1]} {'positive' if signed[2] == '+' else 'negative'}"
    words = re.findall(r"[^\W_]+", folded)
    if signed and len(words) == 2:
        words[0] = LETTERS.get(words[0], words[0])
    found = set(words)
    # "predicted disease" is a prediction, although a disease alone is the truth
    sides = {role for role, said in (("true", SAID_TRUE), ("pred", SAID_PRED)) if found & said}
    sides = sides or {role for role, said in (("true", OF_TRUTH), ("pred", OF_TEST)) if found & said}
    role: Role | None = None if len(sides) != 1 else "true" if "true" in sides else "pred"
    sign = False if found & NEGATIVE else True if found & POSITIVE else None
    explicit = SAID_TRUE | SAID_PRED
    rest = found - explicit - OF_TRUTH - OF_TEST - POSITIVE - NEGATIVE - BESIDE
    plain = bool(found & _PLAIN) and not rest
    return _Name(role, sign, frozenset(rest), plain, _without(text.strip(), explicit))


def _without(text: str, words: frozenset[str]) -> str:
    """The name without a word of its side before it or, in brackets, behind it."""
    one = "|".join(sorted(words, key=len, reverse=True))
    bare = re.sub(rf"^(?:{one})(?:\.?\s*[:=_-]\s*|\.?\s+)|\s*\((?:{one})\)$", "", text, flags=re.IGNORECASE)
    return bare.strip() or text


def _role(names: Sequence[_Name]) -> Role | None:
    """What all of them are that say it."""
    said = {it.role for it in names if it.role is not None}
    return said.pop() if len(said) == 1 else None


def _signs(names: Sequence[_Name]) -> list[bool] | None:
    """Which of two is positive; None where the names do not say."""
    one, two = (it.sign for it in names)
    if one is two or len({it.rest for it in names}) > 1:
        return None
    # "disease" is the positive of "no disease"
    signs = [two is False if one is None else one, one is False if two is None else two]
    return signs if sorted(signs) == [False, True] else None
