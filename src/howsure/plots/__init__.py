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

from howsure.plots.calibration_plot import calibration
from howsure.plots.confusion_plot import confusion, worst_confusions
from howsure.plots.curve_plot import curve
from howsure.plots.difference_plot import difference
from howsure.plots.forest_plot import forest
from howsure.plots.funnel_plot import funnel
from howsure.plots.hsroc_plot import hsroc
from howsure.plots.planning_plot import planning
from howsure.plots.posterior_plot import posterior
from howsure.plots.prevalence_plot import post_test, predictive_values
from howsure.plots.ranks_plot import rank_matrix, tiers
from howsure.plots.replication_plot import replication
from howsure.plots.ridge_plot import ridge
from howsure.plots.sensitivity_plot import sensitivity
from howsure.plots.style import theme
from howsure.plots.survey_plot import survey
from howsure.plots.threshold_plot import decision_curve, threshold
from howsure.plots.violin_plot import violin

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
