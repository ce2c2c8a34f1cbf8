"""A threshold that moves on a page without a server: the dot on the curves, the matrix and the numbers follow it."""

from __future__ import annotations

from html import escape
from typing import Any

from howsure.answers.asking import Showing
from howsure.curves.at_thresholds import OperatingPoint, OperatingPoints, point_sentence, points_notes
from howsure.curves.chosen_threshold import BestThreshold
from howsure.curves.score_curves import Curve, CurveReport, precision_recall_curve, roc_curve
from howsure.errors import visible
from howsure.metrics.measure import plain_name
from howsure.publish.document import embedded, heading, paragraph
from howsure.text import formats
from howsure.text.svg import spot
from howsure.text.text_table import CAPTION as MATRIX

#: Its script.
SCRIPT = "points.js"

CAPTION = (
    "Line: the cases. Dark: interval at each point. Light: band of all of the curve. Dashed: chance. Dot: the "
    "threshold; drag it."
)


def beside(result: CurveReport | BestThreshold | OperatingPoints) -> tuple[str, str]:
    """The slider of points, of a report of curves or of a best threshold, and its data; nothing of more classes."""
    points = result if isinstance(result, OperatingPoints) else result.operating_points()
    if points is None or len(points.points) < 2:
        return "", ""
    here = _middle(points)
    if isinstance(result, BestThreshold):
        here = min(range(len(points.points)), key=lambda i: abs(points.points[i].threshold - result.threshold))
    both = (result.roc, result.precision_recall) if isinstance(result, CurveReport) else _curves(points)
    return linked_points(points, [curve for curve in both if curve is not None], here)


def linked_points(made: OperatingPoints, curves: list[Curve], here: int) -> tuple[str, str]:
    """HTML with the point of a place already in it, and all points as JSON for the script."""
    negative, positive = (escape(visible(formats.plain(label, 30))) for label in made.labels)
    points = [_plain(made, point) for point in made.points]
    one = points[here]
    metrics = [plain_name(it.metric, made.labels[1]) for it in made.points[0].metrics]
    names = {"roc": "roc", "precision_recall": "pr"}
    drawn = "".join(
        f'<div data-curve="{names[curve.what]}">{_dotted(curve, one[names[curve.what]])}</div>' for curve in curves
    )
    cells = [f'<td data-cell="{i}">{count}</td>' for i, count in enumerate(one["cells"])]
    numbers = "".join(
        f'<tr data-row="{i}"><th scope="row">{escape(visible(name))}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row)
        + "</tr>"
        for i, (name, row) in enumerate(zip(metrics, one["rows"], strict=True))
    )
    ends = formats.interval_name(made.kind, made.level)
    html = (
        f'<section class="linked">{heading("At each threshold")}'
        '<div class="slider"><label>Threshold'
        f'<input type="range" id="threshold" min="0" max="{len(points) - 1}" step="1" value="{here}" '
        f'aria-valuetext="{escape(one["short"])}"></label></div>'
        f'<p class="verdict" id="said">{escape(one["said"])}</p>'
        f'<div class="curves">{drawn}</div>{paragraph(CAPTION, "small") if curves else ""}<div class="tables">'
        f"<table><caption>{MATRIX}</caption>"
        f'<thead><tr><td></td><th scope="col">{negative}</th><th scope="col">{positive}</th></tr></thead>'
        f'<tbody><tr><th scope="row">{negative}</th>{cells[0]}{cells[1]}</tr>'
        f'<tr><th scope="row">{positive}</th>{cells[2]}{cells[3]}</tr></tbody></table>'
        "<table><caption>Numbers at this threshold</caption>"
        f'<thead><tr><th scope="col">metric</th><th scope="col">observed</th><th scope="col">mean</th>'
        f'<th scope="col">{ends}</th></tr></thead><tbody>{numbers}</tbody></table></div>'
        + "".join(paragraph(note, "small") for note in points_notes(made))
        + "</section>"
    )
    return html, embedded({"points": points})


def _plain(made: OperatingPoints, point: OperatingPoint) -> dict[str, Any]:
    """One point as the script needs it: text, and pixels."""
    found = point.tp / (point.tp + point.fn)
    alarms = point.fp / (point.fp + point.tn)
    share = made.tables.observed_share
    hits, false = share * found, (1 - share) * alarms
    first = ", ".join(f"{plain_name(it.metric, made.labels[1])} {it.shown[1]}" for it in point.metrics[:2])
    return {
        "said": visible(point_sentence(made.labels, point)),
        "short": visible(f"{point.threshold:.6g}: {first}"),
        "cells": [formats.integer(count) for count in (point.tn, point.fp, point.fn, point.tp)],
        "rows": [[visible(cell) for cell in it.shown] for it in point.metrics],
        "roc": _pixels(alarms, found),
        "pr": _pixels(found, hits / (hits + false) if hits + false else 0.0),
    }


def _pixels(x: float, y: float) -> list[float]:
    return [round(pixel, 1) for pixel in spot(x, y)]


def _dotted(curve: Curve, at: list[float]) -> str:
    place = f'class="here" cx="{at[0]}" cy="{at[1]}"'
    dot = f'<circle {place} r="7" fill="#e08214" stroke="currentColor"/><circle {place} r="22" fill-opacity="0"/>'
    return f"<figure>{curve.picture().replace('</svg>', f'{dot}</svg>')}</figure>"


def _curves(made: OperatingPoints) -> list[Curve]:
    scores, given = made.tables.scores, Showing(level=made.level, kind=made.kind, seed=made.seed)
    share = made.prevalence if made.source == "stated" else None
    return [roc_curve(scores, **given), precision_recall_curve(scores, share, **given)]


def _middle(made: OperatingPoints) -> int:
    """Where to begin: the point that is farthest from chance."""
    return max(
        range(len(made.points)), key=lambda i: made.points[i].tp / made.sizes[1] - made.points[i].fp / made.sizes[0]
    )
