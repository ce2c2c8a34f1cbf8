"""What stands on the page of a curve of scores."""

from __future__ import annotations

from howsure.curves.curve import Curve
from howsure.curves.curve_report import CurveReport
from howsure.publish.document import document, figure, top
from howsure.publish.linked_points import SCRIPT, beside

__all__ = ["curve_page"]


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
