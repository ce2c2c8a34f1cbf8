"""How a goal is met the better, the more cases are tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure import formats
from howsure.errors import InvalidArgument
from howsure.plots.style import BLUE, GREY, ink, name, new_axes, plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["planning"]


def planning(
    x: Any,
    y: Any = None,
    *,
    ax: Axes | None = None,
    goal: float | None = None,
    chosen: int | None = None,
    ylabel: str = "assurance",
) -> Axes:
    """Assurance (or the width of the interval) over the number of cases, with the goal and the number chosen.

    Parameters
    ----------
    x : array_like of numbers of cases, or a plan
        A plan has ``curve``, pairs of a number of cases and a value, and may have ``assurance`` and ``n``.
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
    if y is None:
        curve = np.asarray([tuple(point)[:2] for point in x.curve], dtype=float).reshape(-1, 2)
        cases, values = curve[:, 0], curve[:, 1]
        goal = getattr(x, "assurance", None) if goal is None else goal
        chosen = getattr(x, "n", None) if chosen is None else chosen
    else:
        cases, values = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
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
            (chosen, 0.08),
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
