"""What stands on the page of a threshold, of a metric against it, and of a decision curve."""

from __future__ import annotations

from howsure.curves.chosen_threshold import BestThreshold
from howsure.curves.decision_curve import NetBenefit
from howsure.curves.metric_curve import ThresholdCurve
from howsure.publish.document import document, figure, top
from howsure.publish.linked_points import SCRIPT, beside

__all__ = ["CutAnswer", "cut_page"]

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
