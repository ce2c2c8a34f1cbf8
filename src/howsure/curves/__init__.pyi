from howsure.curves.chosen_threshold import BestThreshold as BestThreshold
from howsure.curves.chosen_threshold import best_threshold as best_threshold
from howsure.curves.decision_curve import DecisionPoint as DecisionPoint
from howsure.curves.decision_curve import NetBenefit as NetBenefit
from howsure.curves.decision_curve import net_benefit as net_benefit
from howsure.curves.metric_curve import ThresholdCurve as ThresholdCurve
from howsure.curves.metric_curve import ThresholdPoint as ThresholdPoint
from howsure.curves.metric_curve import threshold_curve as threshold_curve
