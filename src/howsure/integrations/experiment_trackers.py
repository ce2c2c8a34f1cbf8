"""Results in a tracker of experiments, MLflow or W&B or one that looks like them."""

from __future__ import annotations

import json
import re
from typing import Any

from howsure.answers.sheet import Record
from howsure.errors import InvalidArgument
from howsure.integrations.data_frames import tidy
from howsure.publish import page
from howsure.questions.comparison import Comparison
from howsure.reporting.report import Report

__all__ = ["log_to", "logged_metrics"]

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
