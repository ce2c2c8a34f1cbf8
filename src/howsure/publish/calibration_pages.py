"""What stands on the page of the calibration of probabilities."""

from __future__ import annotations

from howsure.curves.held_probabilities import CalibrationReport
from howsure.curves.reliability import CalibrationCurve
from howsure.publish.document import document, figure, top

__all__ = ["calibration_page"]

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
