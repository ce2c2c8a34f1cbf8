"""Plots for papers: each takes a result, and gives matplotlib axes (``f(x, *, ax=None) -> Axes``).

Colours are told apart by everybody and fit light and dark figures; labels are direct; text stays text in SVG and PDF
when saved inside ``with theme():``.
"""

from howsure.errors import MissingExtra

try:
    import matplotlib as _matplotlib
except ModuleNotFoundError as absent:
    if absent.name != "matplotlib":
        raise
    raise MissingExtra("howsure.plots", "plot") from None

from howsure.plots.confusion_plot import confusion, worst_confusions
from howsure.plots.difference_plot import difference
from howsure.plots.forest_plot import forest
from howsure.plots.planning_plot import planning, replication
from howsure.plots.pooled_plot import funnel, hsroc
from howsure.plots.posterior_plot import posterior, ridge, violin
from howsure.plots.prevalence_plot import post_test, predictive_values, sensitivity, survey
from howsure.plots.ranks_plot import rank_matrix, tiers
from howsure.plots.style import theme
from howsure.plots.threshold_plot import calibration, curve, decision_curve, threshold

__all__ = [
    "calibration",
    "confusion",
    "curve",
    "decision_curve",
    "difference",
    "forest",
    "funnel",
    "hsroc",
    "planning",
    "post_test",
    "posterior",
    "predictive_values",
    "rank_matrix",
    "replication",
    "ridge",
    "sensitivity",
    "survey",
    "theme",
    "threshold",
    "tiers",
    "violin",
    "worst_confusions",
]

del _matplotlib
