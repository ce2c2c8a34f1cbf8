"""A metric against the threshold, and decision curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.curves.chosen_threshold import BestThreshold
from howsure.curves.decision_curve import NetBenefit
from howsure.curves.metric_curve import ThresholdCurve
from howsure.plots.style import BLUE, GREY, ORANGE, caption, name, new_axes, plain_text
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["decision_curve", "threshold"]


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
    ax.set(xlabel="threshold", ylabel=name(x.metric))
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    plain_text(ax.xaxis.label, ax.yaxis.label)
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
    ax.set(xlabel="threshold probability", ylabel="net benefit", ylim=(-0.25 * top, 1.08 * top))
    ax.legend(frameon=False, fontsize=8, loc="upper right", labelcolor="linecolor")
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    plain_text(ax.xaxis.label, ax.yaxis.label)
    about = f"mean and {formats.interval_name(x.kind, x.level)} of each threshold, prior {x.prior}"
    caption(ax, about, size=7, inches=5.0)
    return ax
