"""How a goal is met the better, the more cases are tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from numpy.typing import ArrayLike

from howsure import formats
from howsure.errors import InvalidArgument
from howsure.planning.record import Plan
from howsure.plots.style import BLUE, GREY, caption, ink, name, new_axes, on, plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["planning"]


def planning(
    x: Plan | ArrayLike,
    y: ArrayLike | None = None,
    *,
    ax: Axes | None = None,
    goal: float | None = None,
    chosen: int | None = None,
    ylabel: str = "assurance",
) -> Axes:
    """What more cases buy: the width of the interval, or a probability, with the goal and the number chosen.

    Parameters
    ----------
    x : Plan, or array_like of numbers of cases
        Of a plan, the curve with a band that holds nine simulated tests of ten; the other arguments are its own.
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
        return _plan(x, ax)
    cases, values = np.asarray(x, dtype=float), np.asarray([] if y is None else y, dtype=float)
    if cases.shape != values.shape or cases.ndim != 1 or not len(cases):
        raise InvalidArgument(f"a curve needs as many values as numbers of cases; got {values.shape} and {cases.shape}")
    ax = new_axes(ax, 6.0, 3.4)
    ax.plot(cases, values, color=BLUE, lw=1.8, marker="o" if len(cases) <= 15 else "", ms=4)
    if goal is not None:
        ax.axhline(goal, color=GREY, lw=1.1, ls=(0, (4, 3)))
        ax.annotate(
            f"goal {goal:g}",
            (0, goal),
            (4, 3),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            color=GREY,
            fontsize=8,
        )
    if chosen is not None:
        ax.axvline(chosen, color=ink(ax), lw=1.1)
        right = chosen > (cases.min() + cases.max()) / 2
        ax.annotate(
            f"{formats.integer(int(chosen))} cases",
            (chosen, 0.88 if values[0] > values[-1] else 0.08),  # where the curve is not
            (-5 if right else 5, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            weight="bold",
            fontsize=9,
            ha="right" if right else "left",
        )
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
    ax.set_xlabel("cases")
    ax.set_ylabel(name(ylabel, 60))
    plain_text(ax.yaxis.label)
    return ax


def _plan(plan: Plan, ax: Axes | None) -> Axes:
    """The curve of a plan with its band; the goal is a width, or a certainty."""
    if not plan.curve:
        raise InvalidArgument("this plan has no curve: its number of cases was counted without one")
    ax = new_axes(ax, 6.0, 3.4)
    cases = [point.n for point in plan.curve]
    low, high = [point.low for point in plan.curve], [point.high for point in plan.curve]
    ax.fill_between(cases, low, high, color=on(ax, BLUE, 0.25), lw=0)
    width = plan.goal.kind == "width"
    what = f"width of the interval of {plan.metric}" if width else "probability of the claim"
    planning(
        cases,
        [point.middle for point in plan.curve],
        ax=ax,
        goal=plan.goal.target if width else plan.goal.level,
        chosen=plan.n,
        ylabel=what,
    )
    if max(cases) > 12 * min(cases):
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: formats.integer(round(value))))
        ax.xaxis.set_minor_locator(NullLocator())
    caption(ax, f"median and 5 to 95 % of simulated tests; prior {plan.prior}", "right")
    return ax
