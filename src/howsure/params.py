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
from functools import wraps
from inspect import Parameter as Keyword
from inspect import signature
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, cast

__all__ = ["DRAWS", "KIND", "LEVEL", "PARAMETERS", "SEED", "Parameter", "Usual", "spelled"]

Function = TypeVar("Function", bound=Callable[..., Any])


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


# -- keywords that functions of the library take together --

#: What stands for a keyword that is left out; None for all others.
LEFT_OUT = {"level": LEVEL, "kind": KIND, "draws": DRAWS, "seed": SEED, "missing": "error", "notes": ()}


def spelled(keywords: type, **left_out: Any) -> Callable[[Function], Function]:
    """Write out the keywords of a typed dict, in the signature of a function that takes them together as its last one.

    So ``help()`` shows them with what stands for them where they are left out, and others are refused.

    Examples
    --------
    >>> from typing import TypedDict
    >>> @spelled(TypedDict("Asking", {"level": float, "draws": int}), draws=None)
    ... def size(n, **how):
    ...     return n * how["level"]
    >>> size(100), size(100, level=0.5)
    (95.0, 50.0)
    >>> size(100, alpha=0.05)
    Traceback (most recent call last):
    TypeError: size() got an unexpected keyword argument 'alpha'
    """
    words = keywords.__annotations__
    usual = {name: left_out.get(name, LEFT_OUT.get(name)) for name in words}

    def spell(function: Function) -> Function:
        own = list(signature(function).parameters.values())[:-1]
        rest = [
            Keyword(name, Keyword.KEYWORD_ONLY, default=usual[name], annotation=getattr(kind, "__forward_arg__", kind))
            for name, kind in words.items()
        ]
        taken = {each.name for each in own} | usual.keys()

        @wraps(function)
        def called(*given: Any, **how: Any) -> Any:
            __tracebackhide__ = True
            for name in how:
                if name not in taken:
                    raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}")
            return function(*given, **{**usual, **how})

        called.__signature__ = signature(function).replace(parameters=[*own, *rest])  # type: ignore[attr-defined]
        return called  # type: ignore[return-value]  # takes what the function takes

    return spell
