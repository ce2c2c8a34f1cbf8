"""Plans against the number of cases, and a second test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from howsure.errors import InvalidArgument, excerpt
from howsure.laws.draws import CountShare
from howsure.numerics.arrays import Floats
from howsure.planning.plan import Plan, thumb_rule
from howsure.plots.posterior_plot import shade, shape
from howsure.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    beside,
    caption,
    figure_of,
    fits,
    ink,
    labelled,
    name,
    new_axes,
    note,
    on,
)
from howsure.posterior.knowledge import knowledge_of
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Law
    from howsure.posterior.questions import Prediction

__all__ = [
    "planning",
    "replication",
]


# -- How a goal is met the better, the more cases are tested; of a plan with its band, or of plain numbers -------------


def planning(
    x: Any,
    y: Any = None,
    *,
    ax: Axes | None = None,
    goal: float | None = None,
    chosen: int | None = None,
    ylabel: str = "assurance",
) -> Axes:
    """Width of the interval, or a probability, over the number of cases, with the goal and the number chosen.

    Of a plan: the middle of the simulated tests and the band of their middle 90%, the target, n, and dashed the rule
    2/√n where it is a bound.

    Parameters
    ----------
    x : Plan, or array_like of numbers of cases
        Numbers of cases come with ``y``.
    y : array_like, optional
        The values, where ``x`` holds numbers of cases.
    ax : Axes, optional
        Those of a new figure if left out.
    goal : float, optional
        Drawn as a line across.
    chosen : int, optional
        Number of cases that meets the goal, drawn as a line down.
    ylabel : str
        What the values are.

    Raises
    ------
    InvalidArgument
        Not as many values as numbers of cases, or none.

    Examples
    --------
    >>> planning([50, 100, 200], [0.2, 0.7, 0.97], goal=0.95, chosen=190).get_ylabel()
    'assurance'
    """
    if isinstance(x, Plan):
        return _planned(x, ax)
    if y is None:
        raise InvalidArgument(f"planning() draws a Plan, or numbers of cases with their values, not {excerpt(x)}")
    cases, values = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if cases.shape != values.shape or cases.ndim != 1 or not len(cases):
        raise InvalidArgument(f"a curve needs as many values as numbers of cases; got {values.shape} and {cases.shape}")
    ax = new_axes(ax, 6.0, 3.4)
    ax.plot(cases, values, color=BLUE, lw=1.8, marker="o" if len(cases) <= 15 else "", ms=4)
    _marked(ax, goal, chosen, float(cases.min() + cases.max()) / 2, falls=values[0] > values[-1])
    _upright(ax, ylabel)
    return ax


def _planned(plan: Plan, ax: Axes | None) -> Axes:
    """A plan on a logarithmic axis."""
    if not plan.curve:
        raise InvalidArgument("this plan has no curve: its number of cases was counted without one")
    ax = new_axes(ax, 6.0, 3.4)
    cases = np.array([p.n for p in plan.curve], dtype=float)
    band, middle = ([p.low for p in plan.curve], [p.high for p in plan.curve]), [p.middle for p in plan.curve]
    ax.fill_between(cases, *band, color=on(ax, BLUE, 0.25), lw=0)
    ax.plot(cases, middle, color=BLUE, lw=1.8)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: formats.integer(round(value))))
    ax.xaxis.set_minor_locator(NullLocator())
    if rule := thumb_rule(plan):
        ax.plot(cases, rule, color=ORANGE, lw=1.3, ls=(0, (6, 3)), label="2/√n")
        ax.legend(frameon=False, fontsize=8)
    _marked(ax, plan.mark, plan.n, float(np.sqrt(cases[0] * cases[-1])), falls=middle[0] > middle[-1])
    _upright(ax, f"{plan.measured} of {plan.metric}")
    caption(ax, f"median and 5 to 95% of simulated tests; prior {plan.prior}", "right")
    return ax


def _upright(ax: Axes, what: str) -> None:
    """Name of the upright axis, in the height of the figure."""
    room = figure_of(ax).get_figheight() * ax.get_position(original=True).height
    labelled(ax, "", beside(ax, name(what, 60), room))


def _marked(ax: Axes, goal: float | None, chosen: int | None, middle: float, *, falls: bool) -> None:
    """The goal across, and the number of cases down, in words where the curve is not."""
    if goal is not None:
        ax.axhline(goal, color=GREY, lw=1.1, ls=(0, (4, 3)))
        note(ax, f"goal {goal:g}", (0, goal), (4, 3), coords=("axes fraction", "data"), color=GREY, fontsize=8)
    if chosen is not None:
        ax.axvline(chosen, color=ink(ax), lw=1.1)
        right = chosen > middle
        place, shift = (chosen, 0.88 if falls else 0.08), (-5 if right else 5, 0)
        look = {"weight": "bold", "fontsize": 9, "ha": "right" if right else "left"}
        note(ax, f"{formats.integer(int(chosen))} cases", place, shift, coords=("data", "axes fraction"), **look)
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
    ax.set_xlabel("cases")


# -- What is known about a metric, beside what a new test would show ---------------------------------------------------


#: Up to so many cases every value that a new test can give has a bar of its own.
MOST_BARS = 60


def replication(x: Prediction, metric: str, *, ax: Axes | None = None) -> Axes:
    """What is known of a metric (above) and the values that a new test will give (below), on one axis.

    Each to its own height; what lies in the interval is darker.

    Parameters
    ----------
    x : Prediction
        From ``posterior.predict()``.
    metric : str
        In the grammar of metrics.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> replication(post.predict([50, 50]), "recall@ill").get_xlabel()
    'recall@ill'
    """
    ax = new_axes(ax, 6.2, 3.2)
    known = knowledge_of(x.asked).of(metric, draws=x.draws, seed=x.seed)
    new, cases = x.of(metric), formats.integer(x.n)
    seen, before = _bars(new), shape(known.law, x.level, x.kind)
    shade(ax, before, before.height, 0, BLUE)
    low, high = new.interval(x.level, x.kind)
    inside = (seen.middle >= low) & (seen.middle <= high)
    colours = [on(ax, ORANGE, 0.75 if dark else 0.3) for dark in inside]
    ax.bar(seen.left, -seen.height / seen.height.max(), seen.width, align="edge", color=colours, lw=0)
    left, right = min(before.at[0], seen.left[0]), max(before.at[-1], seen.left[-1] + seen.width)
    at_right = known.mean < (left + right) / 2
    room = 0.35 * (right - left)
    first, last = known.law.support
    ax.set_xlim(max(first, left - (0 if at_right else room)), min(last, right + (room if at_right else 0)))
    for side, law, colour, words in (
        (1, known.law, BLUE, "what is known"),
        (-1, new, ORANGE, f"seen in {cases} new case{'s' if x.n != 1 else ''}"),
    ):
        ends = law.interval(x.level, x.kind)
        places = formats.decimals(ends.low, ends.high)
        numbers = f"{formats.number(law.mean, places)} ({formats.interval(ends.low, ends.high, places)})"
        place, shift = (1 if at_right else 0, 0.5 + 0.48 * side), (-2 if at_right else 2, 0)
        aligned = {"ha": "right" if at_right else "left", "va": "top" if side > 0 else "bottom"}
        note(ax, f"{words}\n{numbers}", place, shift, color=colour, weight="bold", fontsize=9, **aligned)
    ax.axhline(0, color=GREY, lw=0.8)
    ax.set_ylim(-1.12, 1.12)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    labelled(ax, name(known.title, 2 * fits(ax)))
    caption(ax, formats.interval_name(x.kind, x.level), "right")
    return ax


class Bars(NamedTuple):
    """Where the values of a new test lie: bars of one width, each as high as it is probable."""

    left: Floats
    middle: Floats
    height: Floats
    width: float


def _bars(law: Law) -> Bars:
    """A bar for each value of a share of so many cases, where they are few, or for a stretch of values; all inside."""
    first, last = law.support
    if isinstance(law, CountShare) and law.n <= MOST_BARS:
        shown = np.flatnonzero(law.pmf > 1e-4 * law.pmf.max())
        shown = np.arange(shown[0], shown[-1] + 1)
        middle, width = shown / law.n, min(0.6 / law.n, 0.04)
        return Bars(np.clip(middle - width / 2, first, last - width), middle, law.pmf[shown], width)
    low, high = (float(x) for x in law.quantile([1e-3, 1 - 1e-3]))
    low, high = (low, high) if high > low else (low - 0.5, high + 0.5)
    edges = np.linspace(low, high, MOST_BARS // 2 + 1)
    # an atom on an edge belongs to one bar: that on its left, and the first edge to the first bar
    cdf = np.asarray(law.cdf(edges))
    cdf[0] = 0.0
    return Bars(edges[:-1], (edges[:-1] + edges[1:]) / 2, np.diff(cdf), float(edges[1] - edges[0]))
