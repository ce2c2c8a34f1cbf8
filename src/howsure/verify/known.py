"""Closed forms and published numbers, a line each in `known.json`: what is asked, what comes out, and from where.

``of`` is a path: a function with its arguments, then attributes, methods with arguments, and places. The function is a
law of `howsure.laws`, or one of those here.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from typing import Any

from howsure import laws
from howsure.curves import delong, net_benefit, roc_curve
from howsure.data.confusion import ConfusionMatrix
from howsure.data.scores import Scores
from howsure.errors import HowsureError
from howsure.io.stages import read
from howsure.posterior.posterior import Posterior, infer
from howsure.questions.compare import compare
from howsure.questions.rank import rank
from howsure.reporting.frequentist import clopper_pearson, mcnemar, wilson
from howsure.reporting.slice_report import slice_report
from howsure.verify.checks import Check, close, same

__all__ = ["accuracies", "board", "known_checks", "table"]


def table(counts: list[list[int]], prior: str, positive: str | None = None) -> Posterior:
    """What is known of a table, rows truth."""
    return infer(ConfusionMatrix(counts, positive=positive), prior)


def accuracies(right: Sequence[int], n: int) -> list[Any]:
    """What is known of so many right answers, each of a test set of its own."""
    return [Posterior.from_accuracy(correct=k, n=n, prior="flat") for k in right]


def board(right: Sequence[int], n: int, entries: Any) -> Any:
    """Probability of each rank for each entry."""
    members = {f"entry {i}": known for i, known in enumerate(accuracies(right, n))}
    return rank(members, metric="accuracy", entries=entries).probabilities


def _counts(text: str, options: dict[str, Any]) -> str:
    """Counts of a text as a reader takes it, the well ones first; or that it was refused."""
    try:
        confusion = read(io.StringIO(text), **({"order": None} | options if options else {})).confusion
    except HowsureError:
        return "refused"
    order = [confusion.labels.index(label) for label in ("well", "ill")]
    return str(confusion.counts[order][:, order].tolist())


def _twice(counts: list[list[int]], metric: str) -> Any:
    known = table(counts, "flat")
    return compare(known, known, metric=metric)


def _slices(tables: dict[str, list[list[int]]]) -> Any:
    return slice_report({name: ConfusionMatrix(counts) for name, counts in tables.items()}, "accuracy", "flat")


def _scores(truth: list[int], values: list[float]) -> Scores:
    return Scores(truth, values, positive=1)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "table": table,
    "board": board,
    "counts": _counts,
    "compare_twice": _twice,
    "slices": _slices,
    "wilson": wilson,
    "clopper_pearson": clopper_pearson,
    "mcnemar": mcnemar,
    "largest": partial(laws.Extreme, largest=True),
    "roc_area": lambda truth, values: roc_curve(_scores(truth, values), draws=500).area,
    "delong_of": lambda truth, values: delong(_scores(truth, values)),
    "benefit": lambda truth, values, at: net_benefit(_scores(truth, values), [at], draws=500).points[0],
}


def known_checks(group: str) -> Iterator[Check]:
    """The lines of a group."""
    rows = json.loads(files("howsure.verify").joinpath("known.json").read_text("utf-8"))
    started: dict[str, Any] = {}
    for row in rows:
        if row["group"] != group:
            continue
        (name, *given), *steps = row["of"]
        if (start := json.dumps(row["of"][0])) not in started:
            started[start] = (FUNCTIONS[name] if name in FUNCTIONS else getattr(laws, name))(*given)
        got = started[start]
        for step in steps:
            if isinstance(step, list):
                got = getattr(got, step[0])(*step[1:])
            else:
                got = got[step] if isinstance(step, int) else getattr(got, step)
        if row["tolerance"] is None:
            yield same(row["what"], got, row["expected"], row["source"])
        else:
            yield close(row["what"], got, row["expected"], row["tolerance"], row["source"])
