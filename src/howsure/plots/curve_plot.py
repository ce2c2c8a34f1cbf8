"""A ROC or precision-recall curve with its bands, and the difference of two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.comparison.curve_comparison import AXES, CurveComparison
from howsure.curves.curve import Curve
from howsure.plots.style import BLUE, GREY, caption, new_axes, plain_text
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["curve"]


def curve(x: Curve | CurveComparison, *, ax: Axes | None = None) -> Axes:
    """The curve of the cases, the interval at each point (dark) and the band of all of the curve (light).

    Parameters
    ----------
    x : Curve or CurveComparison
        Of `howsure.curves.roc_curve` or `precision_recall_curve`; of `howsure.compare_curves`, the difference.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> from howsure.curves import roc_curve
    >>> curve(roc_curve(hs.Scores([0] * 9 + [1] * 9, range(18)), draws=200)).get_xlabel()
    'false positive rate'
    """
    if isinstance(x, CurveComparison):
        return _difference(x, ax)
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


def _difference(x: CurveComparison, ax: Axes | None) -> Axes:
    ax = new_axes(ax, 5.6, 3.6)
    across, up = AXES[x.what][:2]
    ax.axhline(0, color=GREY, lw=1.0, ls=(0, (4, 3)), zorder=1)
    ax.fill_between(x.x, x.band_low, x.band_high, color=BLUE, alpha=0.18, lw=0, zorder=2)
    ax.fill_between(x.x, x.low, x.high, color=BLUE, alpha=0.28, lw=0, zorder=2)
    ax.plot(x.x, x.observed, color=BLUE, lw=1.8, zorder=3)
    ax.set(xlim=(-0.02, 1.02), xlabel=across, ylabel=f"{up}, {x.names[0]} - {x.names[1]}")
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    plain_text(ax.xaxis.label, ax.yaxis.label)
    caption(
        ax, f"dark: {formats.level_words(x.level)} at each point; light: of all of the difference", size=7, inches=5.0
    )
    return ax
