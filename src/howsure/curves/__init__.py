"""From scores to decisions: curves over all thresholds, and what they are worth."""

from __future__ import annotations

from howsure.curves.curve import Curve
from howsure.curves.curve_making import precision_recall_curve, roc_curve
from howsure.curves.curve_report import CurveReport, curve_report
from howsure.curves.delong_interval import DeLong, delong

__all__ = [
    "Curve",
    "CurveReport",
    "DeLong",
    "curve_report",
    "delong",
    "precision_recall_curve",
    "roc_curve",
]
