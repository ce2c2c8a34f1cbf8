"""A request as code that gives the same numbers: a few lines of Python, and a shell command with its input."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from howsure.confusion import ConfusionMatrix
from howsure.drawing import DRAWS, SEED
from howsure.errors import InvalidLabels
from howsure.files.words import cleaned, guarded
from howsure.files.writers import matrix_csv

__all__ = ["Code", "call", "matrix_text", "options", "piped", "python_matrix", "python_prior", "settings", "shell"]

#: The two texts, "python" and "command"; the second is None where the command line cannot say it.
Code = dict[str, str | None]

Checked = Mapping[str, Any]


def python_matrix(given: Checked) -> str:
    """A matrix as an expression, one row a line."""
    rows = "".join(f"        {row!r},\n" for row in given["counts"])
    positive = "" if given.get("positive") is None else f", positive={given['positive']!r}"
    return f"hs.ConfusionMatrix(\n    [\n{rows}    ],\n    labels={given['classes']!r}{positive},\n)"


def python_prior(request: Checked) -> str:
    """The prior as the second argument of ``infer``, with its comma; empty for the default."""
    prior = request.get("prior")
    if prior is None:
        return ""
    return f", hs.Prior({prior['a']!r}, {prior['b']!r})" if isinstance(prior, dict) else f", {prior!r}"


def settings(request: Checked, draws: int | None = None) -> dict[str, Any]:
    """Level, kind, draws and seed where they are not the usual ones."""
    usual = {"level": 0.95, "kind": "hdi", "draws": DRAWS, "seed": SEED}
    given = {key: request[key] for key in usual if key in request}
    if draws is not None:
        given["draws"] = draws
    return {key: value for key, value in given.items() if value != usual[key]}


def call(function: str, positional: Sequence[str], keywords: Mapping[str, Any]) -> str:
    """A call as text."""
    named = [f"{key}={value!r}" for key, value in keywords.items() if value is not None]
    return f"{function}({', '.join([*positional, *named])})"


def options(given: Mapping[str, Any]) -> list[str]:
    """Options of the command line; a list is repeated, true stands alone, nothing is left out."""
    words = []
    for key, value in given.items():
        name = f"--{key.replace('_', '-')}"
        for each in value if isinstance(value, list) else [value]:
            if each is None or each is False:
                continue
            words.append(name if each is True else f"{name}={each}")
    return words


def shell(words: Sequence[str]) -> str:
    """Words as a command of a POSIX shell."""
    return shlex.join(words)


def matrix_text(confusion: ConfusionMatrix) -> str:
    """A matrix as CSV, or as JSON where CSV would not give its labels back."""
    try:
        if all(cleaned(guarded(label)) == label for label in confusion.labels):
            return matrix_csv(confusion)
    except InvalidLabels:
        pass
    return json.dumps(confusion.to_dict(), ensure_ascii=True) + "\n"


def piped(text: str, command: Sequence[str]) -> str:
    """A command that reads a text from its standard input."""
    lines = text.removesuffix("\n").split("\n")
    return f"printf '%s\\n' {shlex.join(lines)} | {shell(command)}"
