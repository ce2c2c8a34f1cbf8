"""Results in tidy long form: one row for each classifier and metric."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal

from howsure.answers.sheet import Record
from howsure.errors import InvalidArgument, MissingExtra, excerpt
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import Distribution
from howsure.questions.comparison import Comparison
from howsure.questions.ranking import Ranking
from howsure.reporting.report import Report

__all__ = ["tidy", "to_frame"]

COLUMNS = ("classifier", "metric", "n", "observed", "mean", "low", "high", "level", "interval", "prior", "method")


def tidy(result: Record) -> list[dict[str, Any]]:
    """Rows of a result as plain data: classifier, metric, n, observed, mean, low, high, level, interval, prior, method.

    Examples
    --------
    >>> import howsure as hs
    >>> made = hs.report(hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]])), ["accuracy", "mcc"])
    >>> [(row["metric"], row["n"], round(row["mean"], 2)) for row in tidy(made)]
    [('accuracy', 100, 0.87), ('mcc', 100, 0.72)]
    """
    rows: list[tuple[Any, ...]]
    if isinstance(result, Report):
        rows = [
            (None, row.name, result.confusion.n, row.observed, row.mean, row.low, row.high, result.level, row.interval,
             result.prior.name, row.law)
            for row in result.rows
        ]  # fmt: skip
    elif isinstance(result, Comparison):
        sides = zip(result.names, result.posteriors, (result.a, result.b), strict=True)
        known: list[tuple[str, int | None, float | None, Distribution]] = []
        known = [
            (name, p.n if isinstance(p, AccuracyPosterior) else p.confusion.n, x.observed, x) for name, p, x in sides
        ]
        known.append((" - ".join(result.names), None, result.observed, result.difference))
        ends = [x.interval(result.level, result.kind) for *_, x in known]
        rows = [
            (name, result.metric, n, observed, x.mean, end.low, end.high, result.level, end.kind, result.prior, x.route)
            for (name, n, observed, x), end in zip(known, ends, strict=True)
        ]
    elif isinstance(result, Ranking):
        rows = [
            (each.name, result.metric, each.n, each.observed, each.mean, each.low, each.high, result.level,
             each.interval, result.prior, result.route)
            for each in result.entries
        ]  # fmt: skip
    else:
        raise InvalidArgument(f"a frame is made of a Report, a Comparison or a Ranking, not {type(result).__name__}")
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def to_frame(result: Record, library: Literal["pandas", "polars"] = "pandas") -> Any:
    """The rows of `tidy` as a data frame.

    Parameters
    ----------
    result : Report, Comparison or Ranking
        What to show.
    library : "pandas" or "polars"
        Whose frame.

    Raises
    ------
    InvalidArgument
        Another library.
    MissingExtra
        The library is not installed.
    """
    if library not in ("pandas", "polars"):
        raise InvalidArgument(f"library is 'pandas' or 'polars', not {excerpt(library)}")
    try:
        frames = import_module(library)
    except ModuleNotFoundError:
        raise MissingExtra(f"A {library} frame", "frames") from None
    return frames.DataFrame(tidy(result))
