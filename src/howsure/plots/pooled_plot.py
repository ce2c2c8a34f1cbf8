"""Pooled sites: funnel and hierarchical ROC."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from howsure.errors import InvalidArgument, excerpt, listing
from howsure.metrics import parse
from howsure.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    caption,
    in_unit_square,
    ink,
    labelled,
    name,
    new_axes,
    note,
    squared,
)
from howsure.reporting.slice_report import SliceReport
from howsure.text import formats
from howsure.units.pooled import Pooled
from howsure.units.slice_answers import rates_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.numerics.arrays import Floats

    Shares = tuple[list[str], Floats, Floats, str]

__all__ = [
    "funnel",
    "hsroc",
]


# -- Funnel plot: shares by the number of their cases, and where they would lie if nothing but luck told them apart ----


#: Probability inside of the two funnels (Spiegelhalter 2005, Stat Med 24: 1185).
INNER, OUTER = 0.95, 0.998

#: Names that are written beside their points: the farthest outside.
NAMED = 5


def funnel(x: Pooled | SliceReport, *, rate: str | None = None, ax: Axes | None = None) -> Axes:
    """Observed shares of sites or slices by their cases, with binomial limits around that of all together.

    A point outside of the funnel is more than the luck of its cases; many of them say that they differ, which `pool`
    and `slice_report` put in numbers.

    Parameters
    ----------
    x : Pooled or SliceReport
        A report by slice of one share of cases: accuracy, recall@ and the like.
    rate : str, optional
        Of a pool of two rates, which.
    ax : Axes, optional
        Those of a new figure if left out.

    Raises
    ------
    InvalidArgument
        Something else, a rate that a pool has not or none of two, slices of a metric that is no share of cases.

    Examples
    --------
    >>> import howsure as hs
    >>> sites = {"Oslo": (82, 100), "Bergen": (30, 50), "Narvik": (190, 200)}
    >>> funnel(hs.pool(sites, draws=500)).get_xlabel()
    'cases'
    """
    names, k, n, shown = _of_slices(x, rate) if isinstance(x, SliceReport) else _of_sites(x, rate)
    share = float(k.sum() / n.sum())
    ax = new_axes(ax, 5.2, 3.8)
    along = np.geomspace(max(1.0, 0.8 * n.min()), 1.25 * n.max(), 200)
    for level, style in ((INNER, "-"), (OUTER, (0, (4, 3)))):
        low, high = limits(along, share, level)
        ax.plot(along, low, color=GREY, lw=1.1, ls=style)
        ax.plot(along, high, color=GREY, lw=1.1, ls=style)
    ax.axhline(share, color=GREY, lw=1.1)
    seen = k / n
    low, high = limits(n, share, OUTER)
    out = (seen < low) | (seen > high)
    ax.plot(n[~out], seen[~out], "o", color=BLUE, ms=4.5, zorder=3)
    ax.plot(n[out], seen[out], "D", color=ORANGE, ms=5, zorder=4)
    far = np.abs(seen - share) / np.sqrt(np.maximum(share * (1 - share), 1e-12) / n)
    for i in np.argsort(-far, kind="stable")[:NAMED]:
        if out[i]:
            left = n[i] > np.sqrt(along[0] * along[-1])
            shift, side = ((-6, 4), "right") if left else ((6, 4), "left")
            note(ax, name(names[i], 24), (n[i], seen[i]), shift, coords="data", fontsize=7, ha=side)
    ax.set_xscale("log")
    labelled(ax, "cases", formats.plain(shown), xlim=(along[0], along[-1]))
    ax.margins(y=0.08)
    squared(ax)
    inner, outer = (f"{100 * level:g}%" for level in (INNER, OUTER))
    caption(ax, f"lines: all together, {inner}, {outer} (dashed)", size=7, inches=3.6)
    return ax


def _of_sites(x: Pooled, rate: str | None) -> Shares:
    if not isinstance(x, Pooled):
        raise InvalidArgument(f"funnel() takes what pool() or slice_report() gives, not {type(x).__name__}")
    if rate is None and len(x.rates) == 1:
        rate = x.rates[0]
    if not isinstance(rate, str) or rate not in x.rates:
        raise InvalidArgument(f"rate is one of {listing(x.rates)}, not {excerpt(rate)}")
    j = x.rates.index(rate)
    known = x.counts.n[:, j] > 0
    names = [site for site, there in zip(x.sites, known, strict=True) if there]
    return names, x.counts.k[known, j], x.counts.n[known, j], rate


def _of_slices(x: SliceReport, rate: str | None) -> Shares:
    if rate is not None and rate != x.metric:
        raise InvalidArgument(f"this is a report of {x.metric}, not of {excerpt(rate)}")
    measure = parse(x.metric, x.slices.labels, x.slices.positive)
    rates = rates_of(x.slices, measure)
    if rates is None or len(rates.k) > 1:
        raise InvalidArgument(f"a funnel is of a share of cases, and {x.metric} is none; report accuracy, recall@, ...")
    # of a metric that is what is left of 1 the counts are turned already
    known = rates.n[0] > 0
    names = [name for name, there in zip(x.slices.names, known, strict=True) if there]
    return names, rates.k[0][known].astype(float), rates.n[0][known].astype(float), x.metric


def limits(n: Floats, share: float, level: float) -> tuple[Floats, Floats]:
    """Ends between which a share of n cases lies with this probability, if its true one is ``share``.

    Quantiles of the binomial distribution, read between its steps, so that the funnel has no teeth.

    Examples
    --------
    >>> [round(float(x[0]), 2) for x in limits(np.array([100.0]), 0.8, 0.95)]
    [0.72, 0.88]
    """
    tail = (1 - level) / 2
    # P(X <= k) = I_{1 - p}(n - k, k + 1): bisected in k, half a case towards the middle of each step
    ends = []
    for wanted in (tail, 1 - tail):
        low, high = np.full(len(n), -0.5), n - 1e-9
        for _ in range(60):
            k = 0.5 * (low + high)
            below = special.betainc(n - k, k + 1, 1 - share) < wanted
            low, high = np.where(below, k, low), np.where(below, high, k)
        ends.append(np.clip((low + 0.5) / n, 0.0, 1.0))
    return ends[0], ends[1]


# -- Sensitivity and specificity of several studies: summary point, regions and the summary curve ----------------------


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
    in_unit_square(ax, "1 - specificity", "sensitivity")
    caption(ax, f"dot: typical site, regions {formats.level_words(x.level)}: typical, new (dashed)", size=7, inches=4.0)
    words = f"{formats.several(int(both.sum()), 'site')}; HSROC curve"
    note(ax, words, (1, 0), (-4, 6), color=ORANGE, fontsize=8, ha="right")
    return ax
