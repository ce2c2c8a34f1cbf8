"""What can be asked of items that are tried several times: ``mean_score``, ``pass@k`` and ``pass^k``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from howsure.data.repeats import Repeats
from howsure.errors import InvalidArgument, UnknownMetric, excerpt
from howsure.metrics import Measure, Metric
from howsure.numerics.arrays import Floats
from howsure.text.formats import integer

__all__ = ["MEAN", "TryMeasure", "observed_tries", "try_measure"]

#: Name of the mean score of a run.
MEAN = "mean_score"

GRAMMAR = re.compile(r"\s*pass\s*(?P<how>[@^])\s*(?P<k>\d{1,9})\s*")


class TryMeasure(Measure):
    """A measure of repeats: of how many runs, and whether any or all of them are right.

    Attributes
    ----------
    how : "mean", "any" or "all"
        The mean score of a run, ``pass@k`` or ``pass^k``.
    k : int
        Number of runs.
    """

    how: Literal["mean", "any", "all"]
    k: int

    def __init__(self, how: Literal["mean", "any", "all"], k: int, ends: tuple[float, float]) -> None:
        name = {"mean": MEAN, "any": f"pass@{k}", "all": f"pass^{k}"}[how]
        super().__init__(Metric(name, _no_table, "table", ends, "higher", REFERENCES[how]))
        object.__setattr__(self, "how", how)
        object.__setattr__(self, "k", k)


#: Where each is from.
REFERENCES: dict[str, str] = {"mean": "", "any": "Chen et al. 2021", "all": "Yao et al. 2024 (tau-bench)"}


def _no_table(tables: Any) -> Any:
    raise InvalidArgument("runs of items have no confusion matrix; ask infer(repeats).of(...)")


@lru_cache(maxsize=1024)
def _made(how: Literal["mean", "any", "all"], k: int, low: float, high: float) -> TryMeasure:
    return TryMeasure(how, k, (low, high))


def try_measure(asked: Any, repeats: Repeats) -> TryMeasure:
    """Read ``mean_score``, ``pass@k`` (any of k runs is right) or ``pass^k`` (all are).

    Raises
    ------
    UnknownMetric
        Anything else.
    InvalidArgument
        k of 0, or more than any item has runs; scores of a rubric, which are neither right nor wrong.

    Examples
    --------
    >>> made = try_measure("pass^2", Repeats.from_array([[1, 0], [1, 1]]))
    >>> made.name, made.how, made.k
    ('pass^2', 'all', 2)
    """
    if isinstance(asked, TryMeasure):
        asked = asked.name
    found = GRAMMAR.fullmatch(asked) if isinstance(asked, str) else None
    if isinstance(asked, str) and asked.strip() == MEAN:
        return _made("mean", 1, *(repeats.limits or (-np.inf, np.inf)))
    if found is None:
        raise UnknownMetric(asked, (MEAN, "pass@5", "pass^5"))
    k = int(found["k"])
    right = "at least one run of 5 is right" if found["how"] == "@" else "all runs of 5 are right"
    if k < 1:
        raise InvalidArgument(
            f"k of {excerpt(asked)} is a number of runs, 1 or more: pass{found['how']}5 asks if {right}"
        )
    if not repeats.binary:
        raise InvalidArgument(
            f"{asked.strip()} is about right and wrong runs, and these have scores of a rubric; say from which score "
            f"on a run is right (threshold=), or ask for {MEAN}"
        )
    most = int(repeats.times.max())
    if k > most:
        raise InvalidArgument(
            f"{asked.strip()} is about {integer(k)} runs of an item, and no item has more than {integer(most)}; ask "
            f"for k up to {integer(most)}, or run the items more often"
        )
    return _made("any" if found["how"] == "@" else "all", k, 0.0, 1.0)


def observed_tries(measure: TryMeasure, repeats: Repeats) -> float | None:
    """Value on the runs themselves, over the items with k runs or more; None where there are none.

    ``pass@k`` is ``1 - C(n - c, k) / C(n, k)`` (Chen et al. 2021, equation 1) and ``pass^k`` is ``C(c, k) / C(n, k)``
    (tau-bench), averaged over items: the share of all choices of k of the n runs.

    Examples
    --------
    >>> runs = Repeats.from_array([[1, 0, 0, 1], [1, 1, 1, 1]])
    >>> [round(observed_tries(try_measure(name, runs), runs), 4) for name in ("mean_score", "pass@2", "pass^2")]
    [0.75, 0.9167, 0.5833]
    """
    if measure.how == "mean":
        return repeats.mean
    times, right = repeats.times, repeats.right
    enough = times >= measure.k
    if not enough.any():
        return None
    n = times[enough].astype(float)
    if measure.how == "any":
        return float(1 - _chosen(n - right[enough], n, measure.k).mean())
    return float(_chosen(right[enough].astype(float), n, measure.k).mean())


def _chosen(c: Floats, n: Floats, k: int) -> Floats:
    """``C(c, k) / C(n, k)``, without the numbers in it."""
    share = np.ones(len(n))
    for j in range(k):
        share *= np.maximum(c - j, 0.0) / (n - j)
    return share
