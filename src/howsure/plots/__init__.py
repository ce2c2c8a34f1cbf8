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

from howsure.plots.curve_plot import (
    calibration,
    curve,
    decision_curve,
    funnel,
    hsroc,
    planning,
    post_test,
    predictive_values,
    threshold,
)
from howsure.plots.density_plot import difference, posterior, replication, ridge, survey, violin
from howsure.plots.row_plot import confusion, forest, rank_matrix, sensitivity, tiers, worst_confusions
from howsure.plots.style import theme

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
