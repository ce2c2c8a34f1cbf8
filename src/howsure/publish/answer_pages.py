"""Pages of answers other than reports."""

from __future__ import annotations

from html import escape

from howsure.comparison.slice_comparison import SliceComparison
from howsure.comparison.slice_gate import SliceGate
from howsure.curves.chosen_threshold import BestThreshold
from howsure.curves.curve import Curve
from howsure.curves.curve_report import CurveReport
from howsure.curves.decision_curve import NetBenefit
from howsure.curves.held_probabilities import CalibrationReport
from howsure.curves.metric_curve import ThresholdCurve
from howsure.curves.reliability import CalibrationCurve
from howsure.errors import visible
from howsure.posterior.distribution import MOST_ROWS
from howsure.publish.document import document, figure, top
from howsure.publish.linked_points import SCRIPT, beside
from howsure.ranking.slice_ranking import SliceRanking
from howsure.reporting.fairness import Fairness
from howsure.reporting.slice_report import DRAWN, SliceReport
from howsure.reporting.stratified import Stratified
from howsure.text import formats
from howsure.units.compared_over import ComparedOver
from howsure.units.pooled import Pooled
from howsure.units.ranked_over import RankedOver

__all__ = [
    "CutAnswer",
    "calibration_page",
    "classifiers_by_slice_page",
    "curve_page",
    "cut_page",
    "fairness_page",
    "over_page",
    "pool_page",
    "slices_page",
    "strata_page",
]


# -- What stands on the page of the calibration of probabilities -------------------------------------------------------


CAPTION = (
    "Line: share of the event, by isotonic regression. Dark: interval at each probability. Light: band of all of the "
    "true curve. Grey: where that of calibrated probabilities would lie. Dots: bins with intervals. Dashed: right."
)


def calibration_page(result: CalibrationCurve | CalibrationReport, title: str = "", comment: str = "") -> str:
    """Numbers, the reliability diagram, and the bins as rows."""
    curve = result if isinstance(result, CalibrationCurve) else result.curve
    body = [top(title or "Are the probabilities well calibrated?", comment), result.sheet().html()]
    if curve is not None:
        body.append(figure(curve.picture(), CAPTION))
        if curve is not result:
            body.append(curve.sheet().html())
    return document(title or f"howsure: {result.sentence}", "\n".join(body))


# -- What stands on the page of a curve of scores ----------------------------------------------------------------------


def curve_page(result: Curve | CurveReport, title: str = "", comment: str = "") -> str:
    """Numbers of scores, the curves with their bands, and what they rest on; a threshold on the curves of a report."""
    caption = "Line: the cases. Dark: interval at each point. Light: band of all of the curve. Dashed: chance."
    curves = [result] if isinstance(result, Curve) else [result.roc, result.precision_recall]
    linked, data = ("", "") if isinstance(result, Curve) else beside(result)
    body = [
        top(title or "How well do the scores tell the classes apart?", comment),
        result.sheet().html(),
        linked or "\n".join(figure(curve.picture(), caption) for curve in curves if curve is not None),
    ]
    return document(title or f"howsure: {result.sentence}", "\n".join(body), data=data, script=SCRIPT if linked else "")


# -- What stands on the page of a threshold, of a metric against it, and of a decision curve ---------------------------


#: Answers about thresholds.
CutAnswer = NetBenefit | ThresholdCurve | BestThreshold


def cut_page(result: CutAnswer, title: str = "", comment: str = "") -> str:
    """The answer, its curve, and what the numbers rest on; of a best threshold, a slider that starts there."""
    if isinstance(result, NetBenefit):
        question = "Whom does it pay to treat?"
        caption = "Line: mean. Band: interval of each threshold. Dashed: treating everybody, and nobody."
    elif isinstance(result, ThresholdCurve):
        question, caption = "What does the threshold change?", "Line: mean. Band: interval of each threshold."
    else:
        question, caption = "Where is the best threshold?", "Line: observed. Dotted: the best threshold."
    sheet, drawn = result.sheet(), result.picture()
    linked, data = beside(result) if isinstance(result, BestThreshold) else ("", "")
    body = [top(title or question, comment), sheet.html(), figure(drawn, caption) if drawn else "", linked]
    return document(title or f"howsure: {sheet.headline}", "\n".join(body), data=data, script=SCRIPT if linked else "")


# -- What stands on the page of pooled sites, of classifiers over data sets, of slices and strata, and of fairness -----


#: The script that sorts and filters tables.
SORTING = "sorting.js"

#: Slices of a table that can be sorted and filtered; CSV has all.
MOST_ON_A_PAGE = 1000


def pool_page(pooled: Pooled, title: str = "", comment: str = "") -> str:
    """Pooled sites with the population they come from, and what the numbers rest on."""
    fits = MOST_ROWS // len(pooled.rates)
    fewer = f" The first {fits} sites." if len(pooled.sites) > fits else ""
    caption = f"Dot: mean. Line: interval; the thin one is that of a new site. Tick: observed.{fewer} Numbers above."
    body = [
        top(title or "How good is it at a typical site, and at the next?", comment),
        pooled.sheet().html(),
        figure(pooled.picture(), caption),
    ]
    return document(title or f"howsure: {pooled.sentence}", "\n".join(body), script=SORTING)


def over_page(result: ComparedOver | RankedOver, title: str = "", comment: str = "") -> str:
    """Classifiers over many data sets, and what the numbers rest on."""
    two = isinstance(result, ComparedOver)
    caption = "Dot: mean. Line: interval. Numbers above."
    if two:
        caption = "Dot: mean. Line: interval; the thin one is that of a new data set. Tick: observed. Numbers above."
    asked = "Which is better over data sets, and on the next one?" if two else "Which is the best over data sets?"
    body = [top(title or asked, comment), result.sheet().html(), figure(result.picture(), caption)]
    return document(title or f"howsure: {result.sentence}", "\n".join(body), script=SORTING)


def slices_page(report: SliceReport, title: str = "", comment: str = "") -> str:
    """A metric by slice, the worst first, and what the numbers rest on."""
    sheet, drawn = report._sheet(MOST_ON_A_PAGE), report.picture()
    fewer = f" The worst {formats.integer(DRAWN)} slices." if len(report.rows) > DRAWN else ""
    caption = f"Dot: mean. Line: interval. Tick: observed.{fewer} Numbers above."
    body = [
        top(title or "Where is it worse?", comment),
        sheet.html(),
        figure(drawn, caption) if drawn else "",
    ]
    return document(title or f"howsure: {sheet.headline}", "\n".join(body), script=SORTING)


def classifiers_by_slice_page(
    result: SliceComparison | SliceGate | SliceRanking, title: str = "", comment: str = ""
) -> str:
    """Two or more classifiers by slice, and what the numbers rest on."""
    sheet, drawn = result._sheet(MOST_ON_A_PAGE), result.picture()
    asked = {SliceComparison: "Where is which one better?", SliceGate: "Is it worse anywhere?"}
    caption = "Dot: mean difference. Line: interval. The worst slices; numbers above."
    body = [
        top(title or asked.get(type(result), "Which one is the best, and where?"), comment),
        sheet.html(),
        figure(drawn, caption) if drawn else "",
    ]
    return document(title or f"howsure: {sheet.headline}", "\n".join(body), script=SORTING)


def strata_page(result: Stratified, title: str = "", comment: str = "") -> str:
    """Balanced accuracy over class and stratum: its sentence, its cells, and what the numbers rest on."""
    sheet = result.sheet()
    body = [top(title or "How good is it if the strata are balanced?", comment), sheet.html()]
    return document(title or f"howsure: {sheet.headline}", "\n".join(body))


def fairness_page(result: Fairness, title: str = "", comment: str = "") -> str:
    """Rates of groups of people, the largest gaps between them, and a paragraph to copy."""
    sheet, drawn = result.sheet(), result.picture()
    body = [
        top(title or "Is it as good for everybody?", comment),
        sheet.html(),
        f"<section><h2>In sentences</h2><p>{escape(visible(result.paragraph))}</p></section>",
        figure(drawn, "Dot: mean. Line: interval. Tick: observed. Numbers above.") if drawn else "",
    ]
    return document(title or f"howsure: {sheet.headline}", "\n".join(body))
