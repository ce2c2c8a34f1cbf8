"""Rows of items and scores: gaps dealt with and said, items that systems share, groups, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from howsure.data.groups import Question
from howsure.data.labels import one_each
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import number, numbers
from howsure.knowledge.item_metrics import ENDLESS
from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.text.formats import integer, several


class Runs(NamedTuple):
    """Runs of each item, and the sum of squares about their mean, shape (systems, items) each."""

    times: Integers
    within: Floats


class Terms(NamedTuple):
    """What answers of items are about, and how.

    Attributes
    ----------
    labels : tuple of str
        Of counts.
    about : "new" or "these"
        New items like these, or these again with fresh runs.
    far : bool
        Whether imaginary units lie at the ends of the range, for failures that no item shows.
    zero_division : "error", "0" or "exclude"
        A label that nobody has, in a mean over labels.
    groups : tuple of str
        Names of groups.
    first : str
        The metric that is meant where none is named; "" for the first that there is.
    notes : tuple of str
        Sentences to carry along.
    """

    labels: tuple[str, ...] = ()
    about: Question = "new"
    far: bool = False
    zero_division: str = "error"
    groups: tuple[str, ...] = ()
    first: str = ""
    notes: tuple[str, ...] = ()


def refuse_outside(values: Floats, limits: tuple[float, float], where: Callable[[int], str]) -> None:
    """Refuse a score outside the range: it is never widened, scores are never clipped."""
    outside = np.flatnonzero((values < limits[0]) | (values > limits[1]))
    if len(outside):
        row = int(outside[0])
        raise InvalidLabels(
            f"the score of {where(row)} (row {row + 1}) is {values[row]:g}, outside the range {limits[0]:g} to "
            f"{limits[1]:g}; correct the range or the score"
        )


def limits_of(limits: Sequence[float] | None) -> tuple[float, float]:
    """The least and the largest possible score; infinite where nobody said."""
    if limits is None:
        return ENDLESS
    ends = [number(x) for x in listed(limits, "range", "the least and the largest possible score")]
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise InvalidArgument(
            f"range= is the least and the largest possible score, such as (1, 5); not {excerpt(limits)}"
        )
    return ends[0], ends[1]


def filled(
    values: Floats, items: Sequence[str], item_of: Integers, missing: str, worst: float
) -> tuple[Floats, list[str]]:
    """Scores without those that are missing, and what is said of these."""
    gaps = np.isnan(values)
    if gaps.all():
        raise InvalidLabels("there is no score, so there is nothing to learn from")
    if not gaps.any():
        return values, []
    many = int(gaps.sum())
    if missing == "error":
        row = int(np.argmax(gaps))
        raise InvalidLabels(
            f"{several(many, 'row')} without a score (first: row {row + 1}, item {excerpt(items[item_of[row]])}); say "
            "what that means: --missing exclude leaves them out, --missing worst takes the worse end of --range"
        )
    if missing == "exclude":
        return values, [f"{several(many, 'row')} without a score left out (--missing exclude)."]
    return np.where(gaps, worst, values), [f"{several(many, 'row')} without a score count as {worst:g}."]


def shared(items: Sequence[str], systems: Sequence[str], there: Booleans, missing: str) -> tuple[Integers, list[str]]:
    """Items that all systems have; others are refused, or left out and said."""
    kept = np.flatnonzero(there.all(axis=0))
    if len(kept) == len(items):
        return kept, []
    lacking = [
        f"{integer(int((~row).sum()))} by {name}" for name, row in zip(systems, there, strict=True) if not row.all()
    ]
    if len(systems) == 1:
        return kept, [f"{several(len(items) - len(kept), 'item')} without any score set aside."]
    gone = several(len(items) - len(kept), "item")
    if missing == "error":
        raise InvalidLabels(
            f"{gone} of {integer(len(items))} are not answered by all ({listing(lacking)}); "
            "--missing exclude takes the items of all, --missing worst takes the worse end of --range for the others"
        )
    if not len(kept):
        raise InvalidLabels("no item is answered by all systems, so they cannot be paired")
    absent = f"{listing(lacking)} not answered, set aside: --missing exclude"
    return kept, [f"{several(len(kept), 'item')} that all have answered ({absent})."]


def refuse_runs_twice(
    items: Sequence[str], systems: Sequence[str], item: Integers, system: Integers, run: Integers
) -> None:
    """Refuse an item that a system has twice in one run."""
    cell = (system * len(items) + item) * (int(run.max(initial=0)) + 1) + run
    cells, times = np.unique(cell, return_counts=True)
    if (times > 1).any():
        place = int(cells[np.argmax(times)]) // (int(run.max()) + 1)
        whose = of_system(systems, place // len(items))
        raise InvalidLabels(f"item {excerpt(items[place % len(items)])} has {times.max()} scores in one run{whose}")


def of_system(systems: Sequence[str], place: int) -> str:
    """Which system, in words; nothing where there is one without a name."""
    return f" of {excerpt(systems[place])}" if systems[place] else ""


def groups_of(group: Any, *, item_of_all: Integers, items: Sequence[str]) -> tuple[Integers, list[str]]:
    """Group of each item; an item belongs to one."""
    names, codes = one_each(group, "group", len(item_of_all))
    of = np.full(len(items), -1, dtype=np.int64)
    of[item_of_all] = codes
    odd = np.flatnonzero(of[item_of_all] != codes)
    if len(odd):
        at = int(item_of_all[odd[0]])
        raise InvalidLabels(
            f"item {excerpt(items[at])} is in two groups, {excerpt(names[codes[odd[0]]])} is one of them"
        )
    return of, names


def indicators(values: Any, what: str) -> Floats:
    """0 and 1 of items x labels, as scikit-learn has them, dense or sparse."""
    array = numbers(values.toarray() if hasattr(values, "toarray") else values, what)
    if array.ndim != 2 or not np.isin(array, (0.0, 1.0)).all():
        raise InvalidLabels(f"{what} is an array of 0 and 1, items x labels; not of shape {array.shape}")
    return array
