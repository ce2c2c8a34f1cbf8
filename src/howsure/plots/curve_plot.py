"""A ROC or precision-recall curve with its bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.curves.curve import Curve
from howsure.plots.style import BLUE, GREY, caption, new_axes, plain_text
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["curve"]


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
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=across, ylabel=up)
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    plain_text(ax.xaxis.label, ax.yaxis.label)
    caption(ax, f"dark: {formats.level_words(x.level)} at each point; light: of all of the curve", size=7, inches=4.0)
    return ax
