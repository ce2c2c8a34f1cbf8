"""Metrics with numbers of your own: what each class weighs, what each error costs."""

from __future__ import annotations

import os
import re

from howsure.cli.numbers import by_class
from howsure.cli.options import Options
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.errors.arguments import written
from howsure.io.contents import table_from
from howsure.metrics import (
    Metric,
    class_weighted_accuracy,
    class_weighted_informedness,
    class_weighted_markedness,
    expected_cost,
)

#: Metrics with a weight for each class; the first one is meant where none is named.
BY_CLASS = {
    "class_weighted_accuracy": class_weighted_accuracy,
    "class_weighted_informedness": class_weighted_informedness,
    "class_weighted_markedness": class_weighted_markedness,
}

#: Costs that are written as cells, and not the name of a file.
_NUMBERS = re.compile(r"[\d.]+([,:/; ]+[\d.]+)*$")
_CELLS = re.compile(r"\s*(tp|fn|fp|tn)\s*=", re.IGNORECASE)


def own_metrics(ask: Options, confusion: ConfusionMatrix) -> list[str | Metric]:
    """The metrics asked for by name; at the end those of --weights and --cost that are not."""
    made: dict[str, Metric] = {}
    named = ask.metrics
    if ask.weights is not None:
        weights = weights_of(ask.weights, confusion)
        for name in [name for name in BY_CLASS if name in named] or list(BY_CLASS)[:1]:
            made[name] = BY_CLASS[name](weights)
    if ask.cost is not None:
        made["expected_cost"] = expected_cost(costs_of(ask.cost, confusion))
    for name, said in (*dict.fromkeys(BY_CLASS, "--weights").items(), ("expected_cost", "--cost")):
        if name in named and name not in made:
            raise InvalidArgument(f"{name} needs numbers of your own: {said} (see howsure report --help)")
    return [*(made.get(name, name) for name in named), *(it for name, it in made.items() if name not in named)]


def weights_of(text: str, confusion: ConfusionMatrix) -> list[float]:
    """Weight of each class, in the order of the labels."""
    given = by_class(text, confusion.labels, "--weights", "weights", 2)
    weights = {confusion.labels[confusion.index(label)]: weight for label, weight in given.items()}
    missing = [label for label in confusion.labels if label not in weights]
    if missing:
        raise InvalidArgument(f"--weights has none for {listing(map(excerpt, missing))}; give every class one, or 0")
    return [weights[label] for label in confusion.labels]


def costs_of(path: str, confusion: ConfusionMatrix) -> list[list[float]]:
    """Cost of each cell, rows truth, in the order of the labels.

    Raises
    ------
    InvalidFile
        Not a table with every class once as a row and once as a column, or a cell that is no number.
    InvalidArgument
        Cells by name of more than two classes, what is no number, or numbers without a name.
    """
    if _CELLS.match(path):
        return _costs_of_cells(path, confusion)
    if _NUMBERS.match(path) and not os.path.exists(path):
        raise InvalidArgument(f"--cost {path} does not say which cell costs which; name them, such as fp=1,fn=5")
    with table_from(path, "A table of costs has the classes on both sides; its rows are true ones") as content:
        corner, *across = map(content.clean, content.header)
        rows = [(line, list(map(content.clean, cells))) for line, cells in content.filled()]
    if corner.lower().replace(" ", "").startswith("pred"):
        raise content.fault(f"its corner says {excerpt(corner)}; the rows of costs are true classes")
    for names, what in ((across, "columns"), ([cells[0] for _, cells in rows], "rows")):
        if sorted(names) != sorted(confusion.labels):
            raise InvalidFile(
                path,
                f"its {what} are {listing(map(excerpt, names)) or 'none'}, and the classes "
                f"{listing(map(excerpt, confusion.labels))}; costs have one row and one column for each class, with "
                "their names first",
            )
    found: dict[tuple[str, str], float] = {}
    for line, (true, *cells) in rows:
        for pred, cell in zip(across, cells, strict=True):
            try:
                found[true, pred] = float(cell)
            except ValueError:
                problem = f"the cost of true {excerpt(true)} predicted {excerpt(pred)} is {excerpt(cell)}, no number"
                raise content.fault(problem, line) from None
    return [[found[true, pred] for pred in confusion.labels] for true in confusion.labels]


def _costs_of_cells(text: str, confusion: ConfusionMatrix) -> list[list[float]]:
    """Costs of two classes from ``fp=1,fn=5``."""
    if len(confusion.labels) != 2 or confusion.positive is None:
        raise InvalidArgument(
            f"--cost {excerpt(text)} names cells of a positive and a negative class; say --positive, or with more than "
            "two classes give a CSV"
        )
    at = list(confusion.labels).index(confusion.positive)
    places = {"tp": (at, at), "fn": (at, 1 - at), "fp": (1 - at, at), "tn": (1 - at, 1 - at)}
    made = [[0.0, 0.0], [0.0, 0.0]]
    seen: set[str] = set()
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        name = name.lower()
        if name not in places or not equals or name in seen:
            raise InvalidArgument(f"--cost takes tp, fn, fp and tn once each, such as fp=1,fn=5; not {excerpt(part)}")
        seen.add(name)
        try:
            row, column = places[name]
            made[row][column] = written(value)
        except ValueError:
            raise InvalidArgument(f"the cost of {name} is {excerpt(value)}, no number") from None
    return made
