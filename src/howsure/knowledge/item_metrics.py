"""Metrics of items by name: what each needs of an item, which direction is better, and its figure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from howsure.errors import InvalidArgument, UnknownLabel, UnknownMetric, excerpt
from howsure.knowledge.protocol import Better, Measured
from howsure.numerics.arrays import Floats
from howsure.numerics.unit_formulas import corpus_bleu
from howsure.numerics.unit_metrics import Figure, LabelMeans, OrderStatistic, OwnFigure, UnitSums

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
    """A metric by its name, for items that have these columns.

    Parameters
    ----------
    name : str
    columns : sequence of str
        What is there of each item.
    labels : sequence of str
        Of counts.
    score : Measured
        What a score, or a ratio, is called, its better direction and its range.
    zero_division : "error", "0" or "exclude"
        A label that nobody has, in a mean over labels.

    Raises
    ------
    UnknownMetric, UnknownLabel
        With what there is.
    """
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
