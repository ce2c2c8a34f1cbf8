"""Results in the hands of other tools: tidy rows and frames, trackers (MLflow, W&B or one like them), ArviZ."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from howsure.answers.sheet import Record
from howsure.errors import InvalidArgument, MissingExtra, excerpt
from howsure.laws.law import SEED
from howsure.metrics import parse
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.publish import page
from howsure.questions.comparison import Comparison
from howsure.questions.ranking import Ranking
from howsure.reporting.report import Report

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

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


#: What trackers refuse in a part of a name; a stroke is theirs, for folders.
ODD = re.compile(r"[^\w\-. ]")
#: Characters of a part of a name.
LONGEST = 100


def logged_metrics(result: Record, prefix: str = "") -> dict[str, float]:
    """Numbers by name: ``m`` (mean), ``m_lo``, ``m_hi``; of a comparison also ``m_p_better``.

    Characters that trackers refuse become ``_``; a row without information is left out.

    Examples
    --------
    >>> import howsure as hs
    >>> made = hs.report(hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]])), ["recall@1"])
    >>> {name: round(value, 2) for name, value in logged_metrics(made).items()}
    {'recall_1': 0.83, 'recall_1_lo': 0.73, 'recall_1_hi': 0.93}
    """
    found: dict[str, float] = {}
    for row in tidy(result):
        if row["mean"] is None:
            continue
        parts = [row["metric"]] if isinstance(result, Report) else [row["classifier"], row["metric"]]
        base = name = prefix + "/".join(map(_allowed, parts))
        again = 2
        while name in found:  # names that differ in refused characters only
            name, again = f"{base}_{again}", again + 1
        found |= {name: row["mean"], f"{name}_lo": row["low"], f"{name}_hi": row["high"]}
    if isinstance(result, Comparison):
        found[f"{prefix}{_allowed(result.metric)}_p_better"] = result.p_better
    return found


def _allowed(part: str) -> str:
    """A part of a name that trackers take; a folder called . or .. would be another one."""
    cut = ODD.sub("_", part)[:LONGEST]
    return cut if cut.strip(".") else "_" * len(cut) or "_"


def log_to(tracker: Any, result: Record, *, prefix: str = "") -> dict[str, float]:
    """Log the numbers of a result, and the result itself as ``report.html`` and ``result.json``.

    Parameters
    ----------
    tracker : module or object
        With ``log_metrics`` (the module ``mlflow``, inside a run), or ``log`` (the module ``wandb``, or a run of it).
        Files go through ``log_text``, or ``Html`` and ``log``, where the tracker has them.
    result : Report, Comparison or Ranking
        What to log.
    prefix : str
        Put before every name.

    Returns
    -------
    dict of str to float
        What was logged.

    Raises
    ------
    InvalidArgument
        Something that logs neither way.
    """
    found = logged_metrics(result, prefix)
    if hasattr(tracker, "log_metrics"):
        tracker.log_metrics(found)
        if hasattr(tracker, "log_text"):
            tracker.log_text(page(result), "report.html")
            tracker.log_text(json.dumps(result.to_dict(), allow_nan=False, indent=1), "result.json")
    elif hasattr(tracker, "log"):
        made = getattr(tracker, "Html", None)
        tracker.log({**found, **({} if made is None else {f"{prefix}report": made(page(result))})})
    else:
        raise InvalidArgument(
            f"{type(tracker).__name__} has neither log_metrics() nor log(); give the module mlflow or wandb, or a run"
        )
    return found


#: Draws are independent; four equal chains are what the diagnostics of ArviZ expect.
CHAINS = 4


def to_arviz(posterior: Posterior, metrics: Sequence[str], *, draws: int = 4_000, seed: int = SEED) -> Any:
    """Joint draws of metrics as an ``xarray.DataTree`` with the group ``posterior``, as ArviZ 1 reads it.

    Parameters
    ----------
    posterior : Posterior
        From `howsure.infer`.
    metrics : sequence of str
        In the grammar of metrics.
    draws, seed : int
        Draws in all, in four chains; a multiple of four.

    Raises
    ------
    InvalidArgument
        No metric, or draws that four chains cannot share.
    MissingExtra
        xarray (which comes with ArviZ) is not installed.
    """
    if draws % CHAINS or not len(metrics):
        raise InvalidArgument(f"to_arviz() takes one metric or more, and a multiple of {CHAINS} draws; got {draws}")
    try:
        xarray = import_module("xarray")
    except ModuleNotFoundError:
        raise MissingExtra("The export to ArviZ", "arviz") from None
    measures = [parse(metric, posterior.labels, posterior.confusion.positive) for metric in metrics]
    known = knowledge_of(posterior)
    values = known.drawn(measures, draws, seed, 0)
    shaped = {
        measure.name: (("chain", "draw"), np.asarray(each).reshape(CHAINS, -1))
        for measure, each in zip(measures, values, strict=True)
    }
    coordinates = {"chain": np.arange(CHAINS), "draw": np.arange(draws // CHAINS)}
    data = xarray.Dataset(shaped, coordinates, attrs={"prior": known.prior_name, "inference_library": "howsure"})
    return xarray.DataTree.from_dict({"/posterior": data})
