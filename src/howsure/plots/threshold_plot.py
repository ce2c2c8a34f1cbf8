"""Curves: ROC, metric against a threshold, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.curves.chosen_threshold import BestThreshold
from howsure.curves.curve_report import Curve
from howsure.curves.decision_curve import NetBenefit
from howsure.curves.metric_curve import ThresholdCurve
from howsure.curves.reliability import CalibrationCurve
from howsure.plots.style import BLUE, GREY, ORANGE, caption, in_unit_square, labelled, name, new_axes, squared
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "calibration",
    "curve",
    "decision_curve",
    "threshold",
]


# -- A metric against the threshold, and decision curves ---------------------------------------------------------------


def threshold(x: ThresholdCurve | BestThreshold, *, ax: Axes | None = None) -> Axes:
    """A metric against the threshold with its pointwise band; of a best threshold what was observed, and where it is.

    Parameters
    ----------
    x : ThresholdCurve or BestThreshold
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> from howsure.curves import threshold_curve
    >>> scores = hs.Scores(["ill"] * 3 + ["well"] * 4, [0.9, 0.8, 0.4, 0.5, 0.3, 0.2, 0.1])
    >>> threshold(threshold_curve(scores, "recall")).get_xlabel()
    'threshold'
    """
    ax = new_axes(ax)
    if isinstance(x, BestThreshold):
        cuts, seen = (np.array(row) for row in x.tried)
        ax.plot(cuts, seen, color=BLUE, lw=1.6)
        ax.axvspan(*x.location, color=ORANGE, alpha=0.2, lw=0)
        ax.axvline(x.threshold, color=ORANGE, lw=1.4)
        about = f"observed; line: best, {x.threshold:.4g}; shaded: where the best may lie, 95%"
    else:
        rows = [(p.threshold, p.low, p.mean, p.high) for p in x.points if p.mean is not None]
        cuts, low, mean, high = np.array(rows, dtype=float).reshape(-1, 4).T
        ax.fill_between(cuts, low, high, color=BLUE, alpha=0.25, lw=0)
        ax.plot(cuts, mean, color=BLUE, lw=1.8)
        about = f"mean and {formats.interval_name(x.kind, x.level)} of each threshold, prior {x.prior}"
    labelled(ax, "threshold", name(x.metric))
    squared(ax)
    caption(ax, about, size=7, inches=5.0)
    return ax


def decision_curve(x: NetBenefit, *, ax: Axes | None = None) -> Axes:
    """Net benefit against the threshold probability with its band, next to treating everybody and nobody.

    Parameters
    ----------
    x : NetBenefit
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> from howsure.curves import net_benefit
    >>> scores = hs.Scores(["ill"] * 3 + ["well"] * 4, [0.9, 0.8, 0.4, 0.5, 0.3, 0.2, 0.1])
    >>> decision_curve(net_benefit(scores)).get_xlabel()
    'threshold probability'
    """
    ax = new_axes(ax)
    cuts, low, mean, high, everybody = np.array([(p.threshold, p.low, p.mean, p.high, p.treat_all) for p in x.points]).T
    top = max(float(high.max()), 1e-3)
    ax.fill_between(cuts, low, high, color=BLUE, alpha=0.25, lw=0)
    ax.plot(cuts, mean, color=BLUE, lw=1.8, label="by the score")
    ax.plot(cuts, everybody, color=ORANGE, lw=1.3, ls=(0, (5, 3)), label="treat all")
    ax.axhline(0, color=GREY, lw=1.1, label="treat none")
    labelled(ax, "threshold probability", "net benefit", ylim=(-0.25 * top, 1.08 * top))
    ax.legend(frameon=False, fontsize=8, loc="upper right", labelcolor="linecolor")
    squared(ax)
    about = f"mean and {formats.interval_name(x.kind, x.level)} of each threshold, prior {x.prior}"
    caption(ax, about, size=7, inches=5.0)
    return ax


# -- A ROC or precision-recall curve with its bands --------------------------------------------------------------------


def curve(x: Curve, *, ax: Axes | None = None) -> Axes:
    """The curve of the cases, the interval at each point (dark) and the band of all of the curve (light).

    Parameters
    ----------
    x : Curve
        Of `howsure.curves.roc_curve` or `precision_recall_curve`.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> from howsure.curves import roc_curve
    >>> curve(roc_curve(hs.Scores([0] * 9 + [1] * 9, range(18)), draws=200)).get_xlabel()
    'false positive rate'
    """
    ax = new_axes(ax, 4.6, 4.4)
    across, up = x.axes
    share = x.sizes[1] / sum(x.sizes) if x.prevalence is None else x.prevalence
    ax.plot([0, 1], [0, 1] if x.what == "roc" else [share, share], color=GREY, lw=1.0, ls=(0, (4, 3)), zorder=1)
    ax.fill_between(x.x, x.band_low, x.band_high, color=BLUE, alpha=0.18, lw=0, zorder=2)
    ax.fill_between(x.x, x.low, x.high, color=BLUE, alpha=0.28, lw=0, zorder=2)
    ax.plot(x.x, x.observed, color=BLUE, lw=1.8, zorder=3)
    in_unit_square(ax, across, up)
    caption(ax, f"dark: {formats.level_words(x.level)} at each point; light: of all of the curve", size=7, inches=4.0)
    return ax


# -- A reliability diagram with its bands ------------------------------------------------------------------------------


def calibration(x: CalibrationCurve, *, ax: Axes | None = None) -> Axes:
    """The isotonic curve in its bands, where that of calibrated probabilities would lie (grey), and bins (dots).

    Parameters
    ----------
    x : CalibrationCurve
        Of `howsure.curves.calibration_curve`.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> from howsure.curves import calibration_curve
    >>> scores = hs.Scores([0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.1, 0.4, 0.4, 0.6, 0.6, 0.9, 0.9])
    >>> calibration(calibration_curve(scores, bins=2, draws=100)).get_ylabel()
    'observed share'
    """
    ax = new_axes(ax, 4.6, 4.4)
    ax.plot([0, 1], [0, 1], color=GREY, lw=1.0, ls=(0, (4, 3)), zorder=1)
    ax.fill_between(x.x, x.calibrated_low, x.calibrated_high, color=GREY, alpha=0.3, lw=0, zorder=1.5)
    ax.fill_between(x.x, x.band_low, x.band_high, color=BLUE, alpha=0.18, lw=0, zorder=2)
    ax.fill_between(x.x, x.low, x.high, color=BLUE, alpha=0.28, lw=0, zorder=2)
    ax.plot(x.x, x.observed, color=BLUE, lw=1.8, zorder=3)
    at, seen, low, high = np.array([(row.predicted, row.observed, row.low, row.high) for row in x.bins]).T
    ax.vlines(at, low, high, color="black", lw=0.9, alpha=0.7, zorder=4)
    ax.plot(at, seen, "o", color="black", ms=3.2, zorder=4)
    in_unit_square(ax, "predicted probability", "observed share")
    about = f"dark: {formats.level_words(x.level)} at each point; light: of all of the curve; grey: if calibrated"
    caption(ax, f"{about}; dots: bins", size=7, inches=4.0)
    return ax
