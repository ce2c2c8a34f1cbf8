"""Sensitivity and specificity of several studies: summary point, regions and the summary curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.plots.style import BLUE, GREY, ORANGE, caption, ink, new_axes, plain_text
from howsure.text import formats
from howsure.units.pooled import Pooled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["hsroc"]

#: Area of the largest circle, in square points.
LARGEST = 220.0


def hsroc(x: Pooled, *, ax: Axes | None = None) -> Axes:
    """Studies as circles by their size, a typical one with its region, the region of a new one, and the HSROC curve.

    Parameters
    ----------
    x : Pooled
        Of sensitivity and specificity.
    ax : Axes, optional
        Those of a new figure if left out.

    Raises
    ------
    InvalidArgument, NoInformation
        A pool of one rate, or of fewer than three studies.

    Examples
    --------
    >>> import howsure as hs
    >>> studies = [hs.ConfusionMatrix.from_counts(tp=45, fn=k, fp=2 * k, tn=80) for k in (3, 5, 9)]
    >>> hsroc(hs.pool(studies, draws=1000)).get_xlabel()
    '1 - specificity'
    """
    region, new, curve = x.region(), x.region("new"), x.hsroc()
    ax = new_axes(ax, 4.6, 4.4)
    whole = x.counts.n.sum(axis=1)
    both = (x.counts.n > 0).all(axis=1)
    seen = x.counts.k[both] / x.counts.n[both]
    size = LARGEST * whole[both] / whole.max()
    ax.scatter(1 - seen[:, 1], seen[:, 0], s=np.maximum(size, 6), facecolors="none", edgecolors=GREY, lw=1.1, zorder=2)
    ax.plot(curve.false_positive_rate, curve.sensitivity, color=ORANGE, lw=1.8, zorder=3)
    ax.plot(1 - new[:, 1], new[:, 0], color=BLUE, lw=1.1, ls=(0, (4, 3)), zorder=3)
    ax.fill(1 - region[:, 1], region[:, 0], color=BLUE, alpha=0.25, lw=0, zorder=3)
    at = 1 - x.of("specificity").mean, x.of("sensitivity").mean
    ax.plot(*at, "o", color=BLUE, ms=6, mec=ink(ax), zorder=4)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="1 - specificity", ylabel="sensitivity")
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    plain_text(ax.xaxis.label, ax.yaxis.label)
    caption(ax, f"dot: typical site, regions {formats.level_words(x.level)}: typical, new (dashed)", size=7, inches=4.0)
    text = ax.annotate(
        f"{formats.several(int(both.sum()), 'site')}; HSROC curve",
        (1, 0),
        (-4, 6),
        xycoords="axes fraction",
        textcoords="offset points",
        color=ORANGE,
        fontsize=8,
        ha="right",
    )
    plain_text(text)
    return ax
