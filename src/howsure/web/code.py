"""Pieces of code that reproduces an answer: expressions of Python, and commands of a POSIX shell with their input."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from howsure.data.confusion import ConfusionMatrix
from howsure.data.words import cleaned
from howsure.errors import InvalidLabels
from howsure.io.formats.written import matrix_csv
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.text.spreadsheet import cell, guarded
from howsure.web.subjects import prior_word

__all__ = [
    "Code",
    "are_kept",
    "call",
    "counts_text",
    "groups_text",
    "made",
    "matrix_text",
    "of_files",
    "options",
    "paired_command",
    "piped",
    "prior_and_positive",
    "python_groups",
    "python_matrix",
    "python_pairs",
    "python_prior",
    "python_tables",
    "scores_text",
    "settings",
    "shell",
    "tables_text",
]

#: The two texts, "python" and "command"; the second is None where the command line cannot say it.
Code = dict[str, str | None]

Checked = Mapping[str, Any]

#: Above this many classifiers a command that writes a file for each is no help.
MOST_FILES = 50


def made(python: Sequence[str], command: str | None) -> Code:
    """Both texts."""
    return {"python": "\n".join(["import howsure as hs", "", *python]) + "\n", "command": command}


#: The four cells, and what is true and what is called in them.
CELLS = {
    "tp": "positive,positive",
    "fn": "positive,negative",
    "fp": "negative,positive",
    "tn": "negative,negative",
}

#: Lines of a table of scores that a command holds; of more, Python alone.
MOST_LINES = 2_000


# -- Python ---------------------------------------------------------------------------------------------------


def python_matrix(given: Checked, unlabelled: Sequence[int] | None = None) -> str:
    """A matrix as an expression, one row a line; with its cases without a truth."""
    rows = "".join(f"        {row!r},\n" for row in given["counts"])
    positive = "" if given.get("positive") is None else f", positive={given['positive']!r}"
    rest = "" if unlabelled is None else f", unlabelled={unlabelled!r}"
    return f"hs.ConfusionMatrix(\n    [\n{rows}    ],\n    labels={given['classes']!r}{positive}{rest},\n)"


def python_groups(confusion: ConfusionMatrix) -> list[str]:
    """Statements that make ``matrix`` of counts by group; none where cases come in no groups."""
    groups = confusion.groups
    if groups is None:
        return []
    names = confusion.labels
    columns = groups.group.tolist(), groups.true.tolist(), groups.pred.tolist(), groups.count.tolist()
    rows = [(groups.names[g], names[i], names[j], n) for g, i, j, n in zip(*columns, strict=True)]
    positive = "" if confusion.positive is None else f", positive={confusion.positive!r}"
    return [
        "# group, true class, predicted class, cases",
        "cells = [",
        *(f"    {row!r}," for row in rows),
        "]",
        "who, truth, said = zip(*[cell[:-1] for cell in cells for _ in range(cell[-1])])",
        f"matrix = hs.ConfusionMatrix.from_predictions(truth, said, group=who, labels={list(names)!r}{positive})",
    ]


def groups_text(confusion: ConfusionMatrix) -> str | None:
    """Counts by group as CSV; None where a label would come back changed, or is no item of a list."""
    groups = confusion.groups
    if groups is None:
        return None
    names = confusion.labels
    columns = groups.group.tolist(), groups.true.tolist(), groups.pred.tolist(), groups.count.tolist()
    rows = [f"{groups.names[g]},{cell(names[i])},{cell(names[j])},{n}" for g, i, j, n in zip(*columns, strict=True)]
    return _listed("group,y_true,y_pred,count", rows, names) if "," not in "".join(names) else None


def python_pairs(given: Checked) -> str:
    """Statements that make ``predictions``."""
    names = given["classes"]
    rows = [(names[true], *(names[k] for k in said), count) for true, said, count in given["cells"] if count]
    positive = "" if given.get("positive") is None else f", positive={given['positive']!r}"
    return "\n".join([
        f"# true class, answers of {', '.join(map(repr, given['models']))}, cases",
        "cells = [",
        *(f"    {row!r}," for row in rows),
        "]",
        "cases = [cell[:-1] for cell in cells for _ in range(cell[-1])]",
        "truth, *answers = zip(*cases)",
        f"names = {given['models']!r}",
        f"predictions = hs.Predictions(truth, dict(zip(names, answers)), labels={names!r}{positive})",
    ])  # fmt: skip


def python_tables(tables: Sequence[Checked]) -> list[str]:
    """Statements that make ``tables`` of their four cells."""
    calls = {it["name"]: ", ".join(f"{cell}={it[cell]}" for cell in CELLS) for it in tables}
    rows = [f"    {name!r}: hs.ConfusionMatrix.from_counts({cells})," for name, cells in calls.items()]
    return ["tables = {", *rows, "}"]


def python_prior(request: Checked) -> str:
    """The prior as the second argument of ``infer``, with its comma; empty for the default."""
    word = prior_word(request)
    return "" if word is None else f", {word!r}"


def settings(request: Checked, draws: int | None = None) -> dict[str, Any]:
    """Level, kind, draws and seed where they are not the usual ones."""
    usual = {"level": LEVEL, "kind": KIND, "draws": DRAWS, "seed": SEED}
    given = {key: request[key] for key in usual if key in request}
    if draws is not None:
        given["draws"] = draws
    return {key: value for key, value in given.items() if value != usual[key]}


def call(function: str, positional: Sequence[str], keywords: Checked) -> str:
    """A call as text; what is positional is written already, and None is left out."""
    named = [f"{key}={value!r}" for key, value in keywords.items() if value is not None]
    return f"{function}({', '.join([*positional, *named])})"


# -- the command line -----------------------------------------------------------------------------------------


def options(given: Checked) -> list[str]:
    """Options of the command line; a list is repeated, None is left out."""
    words = []
    for key, value in given.items():
        name = f"--{key.replace('_', '-')}"
        words += [f"{name}={each}" for each in (value if isinstance(value, list) else [value]) if each is not None]
    return words


def prior_and_positive(request: Checked, matrix: Checked) -> dict[str, Any]:
    """The two options that most commands have."""
    return {"prior": prior_word(request), "positive": matrix.get("positive")}


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


def printed(text: str) -> str:
    """A command that prints a text, line by line."""
    return f"printf '%s\\n' {shlex.join(text.removesuffix(chr(10)).split(chr(10)))}"


def piped(text: str, command: Sequence[str]) -> str:
    """A command that reads a text from its standard input."""
    return f"{printed(text)} | {shell(command)}"


def of_files(matrices: Mapping[str, ConfusionMatrix], command: Sequence[str], given: Sequence[str]) -> str | None:
    """A command on a file for each matrix, in a folder of their own; None where a name is no file's name."""
    lines, names = ['cd "$(mktemp -d)"'], []
    for name, matrix in matrices.items():
        text = matrix_text(matrix)
        file = f"{name}{'.json' if text.startswith('{') else '.csv'}"
        path = PurePosixPath(file)
        if path.name != file or path.stem != name or len(file.encode()) > 250 or not name.isprintable():
            return None
        names.append(f"./{file}" if file.startswith("-") else file)
        lines.append(f"{printed(text)} > {shlex.quote(names[-1])}")
    if len(names) > MOST_FILES:
        return None
    return " &&\n".join([*lines, shell([*command, *names, *given])])


def paired_command(request: Checked, command: Sequence[str], given: Checked) -> str | None:
    """A command on pairs, each kind repeated as often as it comes; None where a text would come back changed."""
    pairs, labels = request["paired"], request["paired"]["classes"]
    texts = [*labels, *pairs["models"]]
    if not are_kept(texts) or "," in "".join(texts):
        return None
    header = ",".join(["y_true", *(cell(f"pred_{name}") for name in pairs["models"])])
    lines = [f"echo {shlex.quote(header)}"]
    for true, said, count in pairs["cells"]:
        if count:
            line = ",".join(cell(labels[k]) for k in (true, *said))
            lines.append(f"yes -- {shlex.quote(line)} | head -n {count}")
    words = {**given, "labels": ",".join(labels), "prior": prior_word(request), "positive": pairs.get("positive")}
    return "{ " + "; ".join(lines) + "; } | " + shell([*command, *options(words)])


def scores_text(given: Checked) -> str | None:
    """Scores as CSV, a case a line; None where they are too many, or a label would come back changed."""
    names = given["classes"]
    if sum(first + second for _, first, second in given["cells"]) > MOST_LINES or "," in "".join(names):
        return None
    rows = [
        f"{cell(names[i])},{value!r}"
        for value, *counts in given["cells"]
        for i, count in enumerate(counts)
        for _ in range(int(count))
    ]
    return _listed("y_true,score", rows, names)


def tables_text(tables: Sequence[Checked], unit: str) -> str | None:
    """Four cells a row as CSV; None where a name would come back changed."""
    rows = [",".join([cell(it["name"]), *(str(it[name]) for name in CELLS)]) for it in tables]
    return _listed(",".join([unit, *CELLS]), rows, [it["name"] for it in tables])


def counts_text(tables: Sequence[Checked]) -> str | None:
    """The same as counts by slice."""
    rows = [f"{cell(it['name'])},{CELLS[name]},{it[name]}" for it in tables for name in CELLS]
    return _listed("name,y_true,y_pred,count", rows, [it["name"] for it in tables])


def _listed(header: str, rows: Sequence[str], names: Sequence[str]) -> str | None:
    return "\n".join([header, *rows]) + "\n" if are_kept(names) else None


def are_kept(names: Iterable[str]) -> bool:
    """Whether names in a file are read as they are."""
    return all(cleaned(guarded(name)) == name and name.isprintable() for name in names)
