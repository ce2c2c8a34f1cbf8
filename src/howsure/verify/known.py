"""Closed forms and published numbers, a line each in `known.json`: what is asked, what comes out, and from where.

``of`` is a path: a function with its arguments, then attributes, methods with arguments, and places. The function is a
law of `howsure.laws`, or one of those here.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from math import isfinite, nan, sqrt
from typing import Any, SupportsFloat

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

#: Standard errors that a simulated number may be off; one in 16,000 sound ones is further off, and seeds are fixed.
SIGMAS = 4.0


@dataclass(frozen=True)
class Check:
    """A number, or a few words, beside what it ought to be.

    Parameters
    ----------
    what : str
        What is checked, in the words of the field.
    expected, got : str
        As printed.
    tolerance : str
        How far off it may be, in the unit of the number; ``exact`` for words and counts.
    passed : bool
        The verdict.
    source : str
        Where the expected value comes from: a closed form, a second route, a paper and its table.
    group : str
        The noun it is about; set by the front.
    """

    what: str
    expected: str
    got: str
    tolerance: str
    passed: bool
    source: str
    group: str = ""


#: The checks of one noun, made one after the other.
Checker = Callable[[], Iterator[Check]]


def close(what: str, got: SupportsFloat | None, expected: SupportsFloat, tolerance: float, source: str) -> Check:
    """A number that is known, to a tolerance that the source or the method justifies; NaN and None never pass."""
    got, expected = nan if got is None else float(got), float(expected)
    passed = isfinite(got) and abs(got - expected) <= tolerance
    places = 17 if tolerance < 1e-12 else 12
    return Check(what, f"{expected:.{places}g}", f"{got:.{places}g}", f"{tolerance:.2g}", passed, source)


def same(what: str, got: object, expected: object, source: str) -> Check:
    """Words, counts or lists that have to be the same."""
    return Check(what, str(expected), str(got), "exact", got == expected, source)


def within_draws(what: str, got: float, expected: float, sd: float, runs: int, source: str) -> Check:
    """A mean of ``runs`` independent runs of standard deviation ``sd``: the tolerance is `SIGMAS` standard errors."""
    tolerance = SIGMAS * sd / sqrt(runs)
    return Check(
        what,
        f"{expected:.6g}",
        f"{float(got):.6g}",
        f"{tolerance:.2g}",
        isfinite(float(got)) and abs(float(got) - expected) <= tolerance,
        f"{source}; {SIGMAS:g} standard errors of {runs:,} runs",
    )


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
