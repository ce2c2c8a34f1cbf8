"""Rows of items, runs and scores, to outcomes: names in order, gaps dealt with and said, doubles refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from howsure.data.refusals import say
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import number, one_of, sentences
from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.text.formats import several

#: What is done with a run that has no score.
Absent = Literal["error", "wrong", "class", "exclude"]


class RunsAndScores(NamedTuple):
    """What `howsure.data.repeats.Repeats` is made of."""

    items: tuple[str, ...]
    runs: tuple[str, ...]
    scores: Floats
    item: Integers
    run: Integers
    outcome: Integers
    no_answer: bool
    notes: list[str]
    limits: tuple[float, float] | None


def place_in_item(item: Integers, size: int) -> Integers:
    """Return how many rows of the same item stand before each row."""
    order = np.argsort(item, kind="stable")
    first = np.concatenate(([0], np.cumsum(bincount(item, minlength=size))))[:-1]
    place = np.empty(len(item), dtype=np.int64)
    place[order] = np.arange(len(item)) - first[item[order]]
    return place


def refuse_doubles(items: Sequence[str], runs: Sequence[str], item: Integers, run: Integers) -> None:
    """Refuse an item that comes twice in a run."""
    cells = item * len(runs) + run
    distinct, first, times = np.unique(cells, return_index=True, return_counts=True)
    if len(distinct) < len(cells):
        i = int(first[times > 1].min())
        raise InvalidLabels(say("twice_in_run", items[item[i]], times[times > 1][0], runs[run[i]]))


def outcomes_of(
    items: Sequence[str],
    runs: Sequence[str],
    item: Integers,
    run: Integers,
    values: Floats,
    outcomes: Sequence[float] | None,
    threshold: float | None,
    missing: str,
    notes: Sequence[str],
    *,
    absent: bool = True,
    limits: Sequence[float] | None = None,
) -> RunsAndScores:
    """Scores to outcomes; items without an answer and runs without a score are dealt with and said."""
    one_of(missing, ("error", "wrong", "class", "exclude"), "missing")
    gaps = np.isnan(values)
    said = list(sentences(notes))
    if not len(values) or gaps.all():
        raise InvalidLabels("there is no score, so there is nothing to learn from")
    if gaps.any() and missing == "error":
        i = int(np.argmax(gaps))
        raise InvalidLabels(say("without_score", several(int(gaps.sum()), "run"), items[item[i]], runs[run[i]]))
    if threshold is not None:
        if not np.isfinite(number(threshold)):
            raise InvalidArgument(f"threshold= is a score, not {excerpt(threshold)}")
        values = np.where(gaps, np.nan, (values >= threshold).astype(float))
    ends = None if limits is None else _limits(limits, values[~gaps])
    scores = _possible(values[~gaps], outcomes, ends)
    if ends is None and outcomes is not None:
        ends = (float(scores[0]), float(scores[-1]))
    outcome = np.searchsorted(scores, values)
    if missing == "class" and gaps.any():
        outcome[gaps] = len(scores)
        scores = np.append(scores, scores[0])
    elif missing == "wrong":
        outcome[gaps] = 0
    elif gaps.any():
        item, run, outcome = item[~gaps], run[~gaps], outcome[~gaps]
        if absent:
            said.append(f"{several(int(gaps.sum()), 'run')} without a score left out.")
    if gaps.any() and missing in ("class", "wrong"):
        how = "are wrong" if missing == "wrong" else "are an outcome of their own"
        said.append(f"{several(int(gaps.sum()), 'run')} without a score {how}.")
    here, item = np.unique(item, return_inverse=True)
    if len(here) < len(items):
        gone = len(items) - len(here)
        said.append(f"{several(gone, 'item')} without any score left out.")
    there, run = np.unique(run, return_inverse=True)
    return RunsAndScores(
        tuple(items[i] for i in here.tolist()),
        tuple(runs[i] for i in there.tolist()),
        scores, item.ravel(), run.ravel(), outcome,
        missing == "class" and bool(gaps.any()),
        said,
        ends,
    )  # fmt: skip


def _limits(limits: Sequence[float], values: Floats) -> tuple[float, float]:
    """The range of the scores, which holds every one of them."""
    ends = [number(x) for x in listed(limits, "range", "the least and the largest possible score")]
    if len(ends) != 2 or not ends[0] < ends[1] or not np.isfinite(ends).all():
        raise InvalidArgument(say("range_of_scores", limits))
    odd = values[(values < ends[0]) | (values > ends[1])]
    if len(odd):
        raise InvalidArgument(f"score {odd[0]:g} is outside of the range {ends[0]:g} to {ends[1]:g}")
    return ends[0], ends[1]


def _possible(values: Floats, outcomes: Sequence[float] | None, limits: tuple[float, float] | None) -> Floats:
    """Scores that are possible, ascending."""
    seen = np.unique(values)
    if outcomes is None:
        scores = np.array([0.0, 1.0]) if set(seen.tolist()) <= {0.0, 1.0} and limits in (None, (0, 1)) else seen
        scores = scores if limits is None else np.union1d(scores, limits)
    else:
        given = [number(x) for x in listed(outcomes, "outcomes", "a list of the possible scores")]
        scores = np.unique(given)
        if len(scores) < 2 or len(scores) < len(given) or not np.isfinite(scores).all():
            raise InvalidArgument(f"outcomes= are two different scores or more, not {excerpt(outcomes)}")
        odd = seen[~np.isin(seen, scores)]
        if len(odd):
            raise InvalidArgument(f"score {odd[0]:g} is not among the outcomes {listing(f'{x:g}' for x in scores)}")
    if len(scores) < 2:
        raise InvalidLabels(say("one_score", f"{scores[0]:g}"))
    return scores
