"""From scores to decisions: curves over all thresholds, and what they are worth."""

from __future__ import annotations

from howsure.curves.at_thresholds import (
    OperatingPoint,
    OperatingPoints,
    PointMetric,
    ThresholdCurve,
    ThresholdPoint,
    operating_points,
    threshold_curve,
)
from howsure.curves.calibration import (
    CalibrationBin,
    CalibrationCurve,
    CalibrationReport,
    calibration_curve,
    calibration_report,
)
from howsure.curves.chosen_threshold import BestThreshold, best_threshold
from howsure.curves.curve_report import (
    Curve,
    CurveReport,
    DeLong,
    curve_report,
    delong,
    precision_recall_curve,
    roc_curve,
)
from howsure.curves.decision_curve import DecisionPoint, NetBenefit, net_benefit

__all__ = [
    "BestThreshold",
    "CalibrationBin",
    "CalibrationCurve",
    "CalibrationReport",
    "Curve",
    "CurveReport",
    "DeLong",
    "DecisionPoint",
    "NetBenefit",
    "OperatingPoint",
    "OperatingPoints",
    "PointMetric",
    "ThresholdCurve",
    "ThresholdPoint",
    "best_threshold",
    "calibration_curve",
    "calibration_report",
    "curve_report",
    "delong",
    "net_benefit",
    "operating_points",
    "precision_recall_curve",
    "roc_curve",
    "threshold_curve",
]
