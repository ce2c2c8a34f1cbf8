"""Every option of the command line, said once in ``params.txt``: its short form, its value, bounds, and a sentence.

A line is ``name -short (where) | what stands for it | kind | sentence``; further lines of it are set in. ``where``
tells apart what one name means in several commands. ``*`` in place of a short form is an argument without a name, which
may be left out where what stands for it begins with a bracket. A kind is text where there is none, a switch where
nothing stands for a value, ``number`` (0.02, 2% or 1/50), ``real``, ``names`` (a,b,c), ``choice`` of the words that are
shown or listed, ``integer``, or ``whole`` with bounds that the command line checks; bounds of other kinds the library
checks in sentences of its own, and the page reads them here. Before it stands ``each`` of what may be repeated, behind
it ``required``, or a default; without one a switch is off, and all others are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

__all__ = ["DRAWS", "KIND", "LEVEL", "PARAMETERS", "SEED", "Parameter", "Usual"]


class Usual(str):
    """A word that nobody has said, so that it may mean another one where that is usual.

    Examples
    --------
    >>> KIND == "hdi", isinstance(KIND, Usual), isinstance("hdi", Usual)
    (True, True, False)
    """

    __slots__ = ()


#: Draws of a metric whose law does not close, and their seed.
DRAWS, SEED = 20_000, 0

#: The interval that is meant where none is named.
LEVEL = 0.95
KIND = cast(Literal["hdi", "central"], Usual("hdi"))


class Parameter(NamedTuple):
    """One parameter as users meet it."""

    name: str
    short: str
    where: str
    shown: str
    each: bool
    kind: str
    choices: tuple[str, ...]
    low: float | None
    high: float | None
    required: bool
    default: Any
    sentence: str


_LINE = re.compile(
    r"(\S+)(?: (--?\w+|\*))?(?: \(([\w-]+)\))? \| (.*?) ?\| (each\b)? ?(number|names|whole|integer|real|flag|choice)? ?"
    r"(\w+[|]\S+)? ?(?:(\d+) to ?(\d+)?)? ?(required)?(?:= (\S+))? ?\| (.*)"
)

#: Types of what is no text.
TYPES: dict[str, Callable[[str], Any]] = {"number": float, "real": float, "whole": int, "integer": int}
NAMED = {"LEVEL": LEVEL, "KIND": KIND, "DRAWS": DRAWS, "SEED": SEED}


def _read(line: str) -> Parameter:
    found = _LINE.fullmatch(line)
    assert found is not None, line
    name, short, where, shown, each, kind, words, low, high, required, usual, sentence = found.groups("")
    kind = kind or ("" if shown else "flag")
    choices = tuple((words or shown).split("|")) if kind == "choice" else ()
    first, last = (float(end) if end else None for end in (low, high))
    if usual in NAMED:
        default: Any = NAMED[usual]
    elif kind == "flag":
        default = None if usual else False
    else:
        default = TYPES.get(kind, str)(usual) if usual else None
    return Parameter(
        name, short, where, shown, bool(each), kind, choices, first, last, bool(required), default, sentence
    )


#: By name, and by where it means something else.
LINES = re.sub(r"\n    +", " ", Path(__file__).with_name("params.txt").read_text(encoding="utf-8")).splitlines()
PARAMETERS = {(it.name, it.where): it for it in map(_read, LINES)}
