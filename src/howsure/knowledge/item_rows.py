"""Items: their rows, the metrics of them by name, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from howsure.data.groups import Question
from howsure.data.labels import one_each
from howsure.errors import InvalidArgument, InvalidLabels, UnknownLabel, UnknownMetric, excerpt, listing
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import number, numbers
from howsure.knowledge.protocol import Better, Measured
from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.units import Figure, LabelMeans, OrderStatistic, OwnFigure, UnitSums, corpus_bleu
from howsure.text.formats import integer, several

# -- Metrics of items by name: what each needs of an item, which direction is better, and its figure -------------------


#: What is possible where nobody says.
ENDLESS = (-np.inf, np.inf)

#: Columns of an item: a score; a numerator and a denominator; counts by label; the counts and lengths of BLEU.
COUNTS, RATIO, BLEU = ("tp", "fp", "fn"), ("numerator", "denominator"), ("matches", "totals", "length", "reference")

#: UnitSums of the columns of each unit, by name, and ``count``, its items.
Parts = Mapping[str, Floats]


@dataclass(frozen=True)
class ItemMetric:
    """A metric of items: its name and direction, and what makes a figure of the sums of the units."""

    measured: Measured
    figure: Callable[[Parts], Figure]


def _mean(parts: Parts, column: str) -> Figure:
    return UnitSums(parts[column], parts["count"])


def _quantile(parts: Parts, level: float) -> Figure:
    if (parts["count"] != 1).any():
        raise InvalidArgument("a quantile is of items; of items in groups only the mean is available")
    return OrderStatistic(parts["score"], level)


def _ratio(parts: Parts) -> Figure:
    return UnitSums(parts["numerator"], parts["denominator"])


def _bleu(parts: Parts) -> Figure:
    return OwnFigure(corpus_bleu(*(parts[name] for name in BLEU)), len(parts["count"]))


def _top_and_bottom(parts: Parts, base: str) -> tuple[Floats, Floats]:
    tp, fp, fn = (parts[name] for name in COUNTS)
    return {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "dice": (2 * tp, 2 * tp + fp + fn),
        "iou": (tp, tp + fp + fn),
    }[base]


def _micro(parts: Parts, base: str) -> Figure:
    top, bottom = _top_and_bottom(parts, base)
    return UnitSums(top.sum(1), bottom.sum(1))


def _weighted(parts: Parts, base: str) -> Figure:
    """Labels count by their cases, as scikit-learn's weighted averages have them; one without any does not count."""
    tp, fn = parts["tp"], parts["fn"]
    return LabelMeans(*_top_and_bottom(parts, base), support=tp + fn)


def _macro(parts: Parts, base: str, zero_division: str) -> Figure:
    top, bottom = _top_and_bottom(parts, base)
    absent = bottom.sum(0) == 0
    if absent.any() and zero_division == "error":
        raise InvalidArgument(
            f"{int(absent.sum())} of {len(absent)} labels have no case and no answer, so their {base} is 0/0; say "
            "zero_division=0 to count it as 0, or zero_division='exclude' to leave them out of the mean"
        )
    if absent.any() and zero_division == "exclude":
        top, bottom = top[:, ~absent], bottom[:, ~absent]
    return LabelMeans(top, bottom)


def _of_label(parts: Parts, base: str, place: int) -> Figure:
    top, bottom = _top_and_bottom(parts, base)
    return UnitSums(top[:, place], bottom[:, place])


_LEVEL = re.compile(r"quantile\(\s*(?:q\s*=\s*)?(0?\.\d+)\s*\)|p(\d\d?)")


def item_metric(
    name: str,
    columns: Sequence[str],
    labels: Sequence[str],
    score: Measured,
    zero_division: str = "error",
) -> ItemMetric:
    """A metric by its name, for items that have these columns."""
    known = usual_metrics(columns)
    asked = name.strip()
    if "score" in columns:
        if asked in ("mean", score.name):
            return ItemMetric(
                score._replace(name="mean", called=f"mean of {score.called}"), partial(_mean, column="score")
            )
        at = _LEVEL.fullmatch(asked)
        if asked == "median" or at:
            level = 0.5 if at is None else float(at[1]) if at[1] else int(at[2]) / 100
            if not 0 < level < 1:
                raise InvalidArgument(f"the level of a quantile is between 0 and 1, not {excerpt(asked)}")
            word = "median" if level == 0.5 else f"{level:g} quantile"
            kept = "median" if level == 0.5 else f"quantile({level:g})"
            return ItemMetric(
                score._replace(name=kept, called=f"{word} of {score.called}"), partial(_quantile, level=level)
            )
    if asked in RATES and "numerator" in columns:
        limits = score.limits if score.limits != ENDLESS else (0.0, np.inf)
        better: Better = "lower" if asked in ("wer", "cer") else score.better
        return ItemMetric(Measured(asked, asked.upper() if asked != "ratio" else score.called, better, limits), _ratio)
    if asked == "bleu" and "matches" in columns:
        return ItemMetric(Measured("bleu", "BLEU", "higher", (0.0, 100.0)), _bleu)
    if "tp" in columns:
        base, _, where = asked.partition("@")
        if asked in known and where == "samples":
            return ItemMetric(Measured(asked, asked, "higher", (0.0, 1.0)), partial(_mean, column=asked))
        if asked == "exact_match":
            return ItemMetric(Measured(asked, "exact match", "higher", (0.0, 1.0)), partial(_mean, column=asked))
        if base in BASES:
            figures: dict[str, Any] = {
                "": partial(_micro, base=base), "micro": partial(_micro, base=base),
                "macro": partial(_macro, base=base, zero_division=zero_division),
                "weighted": partial(_weighted, base=base),
            }  # fmt: skip
            if where not in figures and where not in labels:
                raise UnknownLabel(where, [*labels, "micro", "macro", "weighted"])
            figure = figures.get(where) or partial(_of_label, base=base, place=list(labels).index(where))
            full = f"{base}@{where or 'micro'}"
            return ItemMetric(Measured(full, full, "higher", (0.0, 1.0)), figure)
    raise UnknownMetric(asked, known)


#: Rates of counts by label, and names of a ratio of sums.
BASES, RATES = ("f1", "precision", "recall", "iou", "dice"), ("ratio", "wer", "cer")


def usual_metrics(columns: Sequence[str]) -> tuple[str, ...]:
    """The metrics that items with these columns have; the first is meant where none is named."""
    names: list[str] = []
    if "score" in columns:
        names += ["mean", "median", "quantile(0.9)"]
    if "numerator" in columns:
        names += RATES
    if "matches" in columns:
        names.append("bleu")
    if "tp" in columns:
        names += [
            f"{base}@{where}" for where in ("micro", "macro", "weighted") for base in ("f1", "precision", "recall")
        ]
        names += [it for it in columns if it.endswith("@samples") or it == "exact_match"]
        names += [f"{base}@{where}" for base in ("iou", "dice") for where in ("micro", "macro")]
    return tuple(names)


# -- Rows of items and scores: gaps dealt with and said, items that systems share, groups ------------------------------


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
