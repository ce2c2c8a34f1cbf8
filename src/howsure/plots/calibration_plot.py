"""A reliability diagram with its bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.curves.reliability import CalibrationCurve
from howsure.plots.style import BLUE, GREY, caption, new_axes, plain_text
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["calibration"]


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
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="predicted probability", ylabel="observed share")
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    plain_text(ax.xaxis.label, ax.yaxis.label)
    name = formats.level_words(x.level)
    caption(
        ax,
        f"dark: {name} at each point; light: of all of the curve; grey: if calibrated; dots: bins",
        size=7,
        inches=4.0,
    )
    return ax
