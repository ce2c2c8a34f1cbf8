"""``threshold``: scores of two classes, the point of a threshold on their curve, its matrix and its metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from howsure.curves.at_thresholds import (
    METRICS,
    NET_BENEFIT,
    OperatingPoint,
    OperatingPoints,
    point_sentence,
    points_notes,
    points_of,
)
from howsure.curves.chosen_threshold import BestThreshold, best_threshold
from howsure.curves.cut_tables import CutTables, cut_tables
from howsure.curves.score_curves import Curve, precision_recall_curve, roc_curve
from howsure.data.scores import Scores
from howsure.knowledge.protocol import Ask
from howsure.metrics.measure import plain_name, put_plainly, spoken_name
from howsure.numerics.arrays import Floats, repeat
from howsure.numerics.curves.curve_numbers import even_in_both
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.web import code
from howsure.web.limits import Limits
from howsure.web.schema import InvalidRequest
from howsure.web.subjects import how_of, prior_of
from howsure.web.words import page

#: Places of the slider, and of a file that is made of them: a place has laws of its own, some hundredths of a second.
STOPS, STOPS_OF_A_FILE = 100, 60

#: Pixels of the curve, which stands beside its matrix.
SQUARE = 312

#: What is said of a threshold that is chosen by eye.
CHOSEN = (
    "Each interval is about its threshold by itself, as if it had been given. A threshold that is chosen on these "
    "cases looks better than it is; 'Best for' says by how much."
)

#: Curves are kept for the next step of a hand.
_roc, _precision_recall = lru_cache(8)(roc_curve), lru_cache(8)(precision_recall_curve)

Key = tuple[tuple[float, float, float], ...]


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request."""
    scores = _scores(request, limits)
    metrics = _metrics(request)
    best = _best(request, scores)
    here = request.get("at", None if best is None else best.threshold)
    cuts = even_in_both(scores.scores, scores.truth == 1, STOPS)
    cuts = cuts if here is None else np.unique(np.append(cuts, here))
    tables = _tables(request, scores, cuts)
    stops = points_of(tables, (), Ask())
    place = _farthest(stops) if here is None else int(np.argmin(np.abs(cuts - here)))
    made = _points(request, scores, cuts[[place]], metrics)
    curve = _curve(request, scores)
    shown = {
        "verdict": point_sentence(made.labels, made.points[0]),
        "about": _about(scores, curve),
        "header": ["metric", "observed", "mean", formats.interval_name(made.kind, made.level)],
        "rows": _rows(made.points[0], made),
        "matrix_header": ["true class", *(f"predicted {formats.plain(name)}" for name in made.labels)],
        "stops": [_words(point, made) for point in stops.points],
        "best": None if best is None else _best_words(best),
        "note": [*curve.warnings, CHOSEN],
        "warnings": list(curve.warnings),
        "footer": f"{points_notes(made)[0]} Curve: {curve.notes[0]} {curve.notes[-1]}",
    }
    return page(
        made,
        shown,
        code.of_points(request, made),
        picture=None,
        stops=cuts.tolist(),
        here=place,
        best=None if best is None else int(np.argmin(np.abs(cuts - best.threshold))),
        points=[_place(point, request.get("curve", "roc"), tables.observed_share) for point in stops.points],
        curve=curve.picture(width=SQUARE),
    )


def made_points(request: Mapping[str, Any], limits: Limits) -> OperatingPoints:
    """The points that a file is made of: along the curve, and the one that is shown."""
    scores = _scores(request, limits)
    cuts = even_in_both(scores.scores, scores.truth == 1, STOPS_OF_A_FILE)
    cuts = np.unique(np.append(cuts, request["at"])) if "at" in request else cuts
    return _points(request, scores, cuts, _metrics(request))


def _scores(request: Mapping[str, Any], limits: Limits) -> Scores:
    given = request["scores"]
    for i, (_, *counts) in enumerate(given["cells"]):
        if any(count != int(count) or count < 0 for count in counts):
            problem = "a cell is [score, cases of the first class, cases of the second], with counts of cases"
            raise InvalidRequest(problem, f"scores.cells[{i}]")
    if given["classes"][0] == given["classes"][1]:
        raise InvalidRequest("the two classes have different names", "scores.classes")
    cells = tuple(map(tuple, given["cells"]))
    total = sum(cell[1] + cell[2] for cell in cells)
    if total > limits.cases:
        raise InvalidRequest(
            f"{total:,.0f} cases, and the page takes {limits.cases:,}; howsure threshold has no limit", "scores.cells"
        )
    return _made(cells, tuple(given["classes"]), given.get("positive"))


@lru_cache(8)
def _made(cells: Key, classes: tuple[str, str], positive: str | None) -> Scores:
    """The cases one by one; kept for the next step of a hand."""
    values = np.array([cell[0] for cell in cells])
    counts = np.array([cell[1:] for cell in cells]).astype(np.int64)
    truth = np.concatenate([repeat([name], counts[:, i].sum()) for i, name in enumerate(classes)])
    score = np.concatenate([repeat(values, counts[:, i]) for i in (0, 1)])
    return Scores(truth, score, positive=positive)


def _metrics(request: Mapping[str, Any]) -> tuple[str, ...]:
    return (*METRICS, NET_BENEFIT) if request.get("net_benefit") else METRICS


def _tables(request: Mapping[str, Any], scores: Scores, cuts: Floats) -> CutTables:
    return cut_tables(scores, cuts, prior=prior_of(request), prevalence=request.get("prevalence"))


def _points(request: Mapping[str, Any], scores: Scores, cuts: Floats, metrics: tuple[str, ...]) -> OperatingPoints:
    return points_of(_tables(request, scores, cuts), metrics, Ask(**how_of(request)))


def _best(request: Mapping[str, Any], scores: Scores) -> BestThreshold | None:
    asked = request.get("best")
    if asked is None:
        return None
    cost = request.get("cost", {"fp": 1.0, "fn": 1.0})
    chosen = (None, tuple(sorted(cost.items()))) if asked == "cost" else (asked, None)
    return _chosen(scores, *chosen, prior_of(request), request.get("prevalence"), Ask(**how_of(request)))


@lru_cache(16)
def _chosen(
    scores: Scores,
    metric: str | None,
    cost: tuple[tuple[str, float], ...] | None,
    prior: str | Prior | None,
    prevalence: float | None,
    ask: Ask,
) -> BestThreshold:
    costs = None if cost is None else dict(cost)
    how: dict[str, Any] = {"level": ask.level, "kind": ask.kind, "seed": ask.seed}
    return best_threshold(scores, metric, cost=costs, prior=prior, prevalence=prevalence, **how)


def _best_words(best: BestThreshold) -> list[str]:
    """The best threshold in sentences, with its metric by the name that people know."""
    positive = best.labels[1]
    sheet = replace(best, metric=spoken_name(best.metric, positive)).sheet()
    return [sheet.headline, *sheet.below[1:], *(put_plainly(it, [best.metric], positive) for it in best.remarks)]


def _curve(request: Mapping[str, Any], scores: Scores) -> Curve:
    if request.get("curve", "roc") == "roc":
        return _roc(scores, **how_of(request))
    return _precision_recall(scores, request.get("prevalence"), **how_of(request))


def _farthest(stops: OperatingPoints) -> int:
    """The point that is farthest from chance."""
    negative, positive = stops.sizes
    away = [point.tp / positive - point.fp / negative for point in stops.points]
    return away.index(max(away))


def _words(point: OperatingPoint, made: OperatingPoints) -> dict[str, Any]:
    """What is said of a stop without any law: its sentence, and its matrix."""
    found, alarms = 100 * point.tp / made.sizes[1], 100 * point.fp / made.sizes[0]
    return {
        "said": point_sentence(made.labels, point),
        "short": f"{point.threshold:.6g}: {found:.0f}% found, {alarms:.0f}% false alarms",
        "cells": [[point.tn, point.fp], [point.fn, point.tp]],
        "rows": [
            [formats.plain(name), *map(formats.integer, row)]
            for name, row in zip(made.labels, ((point.tn, point.fp), (point.fn, point.tp)), strict=True)
        ],
    }


def _rows(point: OperatingPoint, made: OperatingPoints) -> list[list[str]]:
    """The metrics at a point, by the names that people know."""
    shown = ((it, *it.shown) for it in point.metrics)
    return [[plain_name(it.metric, made.labels[1]), seen, mean, ends or "none"] for it, seen, mean, ends in shown]


def _place(point: OperatingPoint, what: str, share: float) -> list[float]:
    """Where a point lies in the plane of the curve."""
    found, alarms = point.tp / (point.tp + point.fn), point.fp / (point.fp + point.tn)
    hits, false = share * found, (1 - share) * alarms
    place = [alarms, found] if what == "roc" else [found, hits / (hits + false) if hits + false else 0.0]
    return [round(at, 5) for at in place]  # which no screen tells from the full ones


def _about(scores: Scores, curve: Curve) -> str:
    sizes = scores.class_sizes.tolist()
    negative, positive = (formats.plain(label) for label in scores.labels)
    return (
        f"{formats.several(scores.n, 'case')}: {negative} {formats.integer(sizes[0])}, {positive} "
        f"{formats.integer(sizes[1])}; high scores stand for {positive}. {curve.sentence}"
    )
