"""Predictive values over the prevalence, and the probability after a test over the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from howsure.plots.style import BLUE, GREY, ORANGE, SHARE, caption, fits, name, new_axes, on, plain_text, width
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.posterior.questions import PredictiveValues

__all__ = ["post_test", "predictive_values"]

#: Marks of the logit axis, and those that stay where it is short.
MARKS, FEW_MARKS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999), (0.001, 0.1, 0.9, 0.999)
#: Inches of axes below which letters are smaller and marks fewer.
NARROW = 4.0
#: Inches of a bold letter of a label.
LETTER = 0.078


def predictive_values(x: PredictiveValues, *, ax: Axes | None = None) -> Axes:
    """Probability that a call is right, at every prevalence, with bands; the dotted line is where the cases were.

    Parameters
    ----------
    x : PredictiveValues
        From ``posterior.predictive_values()``.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> predictive_values(post.predictive_values()).get_xlabel()
    'prevalence of ill'
    """
    ax = new_axes(ax, 6.4, 3.6)
    label = name(x.label, round(0.6 * fits(ax)))
    calls = (
        (x.positive, BLUE, "-", f'predicted "{label}"'),
        (x.negative, ORANGE, (0, (5, 1.5)), "predicted otherwise"),
    )
    for values, colour, style, _ in calls:
        ax.fill_between(x.prevalence, values[0], values[2], color=on(ax, colour, 0.3), lw=0)
        ax.plot(x.prevalence, values[1], color=colour, lw=1.8, ls=style)
    _logit_axis(ax, x.prevalence)
    ax.plot([x.here] * 2, [0, 1], color=GREY, lw=1, ls=(0, (1, 1.5)))
    ax.set_ylim(0, 1.02)
    places = [_beside_curve(ax, words, values) for values, _, _, words in calls]
    for number, ((values, colour, _, words), place) in enumerate(zip(calls, places, strict=True)):
        if None in places:
            _above(ax, words, number, colour)
        else:
            _label(ax, words, (float(x.prevalence[place]), float(values[2][place])), colour, values)
    ax.set_ylabel("probability that it is right")
    ax.set_xlabel(f"prevalence of {label}")
    plain_text(ax.xaxis.label)
    caption(ax, f"mean and {formats.interval_name(x.kind, x.level)}, prior {x.prior}", "right")
    return ax


def _beside_curve(ax: Axes, words: str, values: Any) -> int | None:
    """Where the curve is at half its height, if there is room for its name outside of it."""
    count = len(values[1])
    middle = int(np.argmin(np.abs(values[1] - 0.5)))
    outside = middle / count if values[1][-1] > values[1][0] else 1 - middle / count
    return middle if outside * SHARE * width(ax) > LETTER * len(words) + 0.2 else None


def _label(ax: Axes, words: str, at: tuple[float, float], colour: str, values: Any) -> None:
    """Name of a curve, outside of it."""
    rising = values[1][-1] > values[1][0]
    side, away = ("right", -10) if rising else ("left", 10)
    place: dict[str, Any] = {"xytext": (away, 4), "textcoords": "offset points", "ha": side, "va": "bottom"}
    plain_text(ax.annotate(words, at, color=colour, weight="bold", fontsize=9, **place))


def _above(ax: Axes, words: str, number: int, colour: str) -> None:
    """Name of a curve, above all of them, where there is no room beside it."""
    bottom, _ = ax.get_ylim()
    ax.set_ylim(bottom, 1.35)
    ax.set_yticks(np.linspace(0, 1, 6))
    place: dict[str, Any] = {"xytext": (3, -2 - 12 * number), "textcoords": "offset points", "ha": "left", "va": "top"}
    plain_text(ax.annotate(words, (0, 1), xycoords="axes fraction", color=colour, weight="bold", fontsize=9, **place))


def post_test(x: PredictiveValues, *, ax: Axes | None = None) -> Axes:
    """Probability of the class after the test over that before it; further from the diagonal is more informative.

    Parameters
    ----------
    x : PredictiveValues
        From ``posterior.predictive_values()``.
    ax : Axes, optional
        Those of a new figure if left out.
    """
    ax = new_axes(ax, 4.6, 4.2)
    label = name(x.label, round(0.6 * fits(ax)))
    ax.plot([0, 1], [0, 1], color=GREY, lw=1, ls=(0, (4, 3)))
    for values, colour, style, words, (at, height, side, edge) in (
        (x.positive, BLUE, "-", f'predicted "{label}"', (0.02, 0.98, "left", "top")),
        (1 - x.negative[::-1], ORANGE, (0, (5, 1.5)), "predicted otherwise", (0.98, 0.02, "right", "bottom")),
    ):
        ax.fill_between(x.prevalence, values[0], values[2], color=on(ax, colour, 0.3), lw=0)
        ax.plot(x.prevalence, values[1], color=colour, lw=1.8, ls=style)
        size = 9 if width(ax) > NARROW else 7
        plain_text(ax.text(at, height, words, color=colour, weight="bold", fontsize=size, ha=side, va=edge))
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal")
    ax.set_xlabel(f"probability of {label} before the test")
    ax.set_ylabel("after the test")
    plain_text(ax.xaxis.label)
    caption(ax, f"mean and {formats.interval_name(x.kind, x.level)}", "right")
    return ax


def _logit_axis(ax: Axes, shares: Any) -> None:
    """Odds in even steps, labelled as shares."""
    marks = MARKS if width(ax) > NARROW else FEW_MARKS
    ax.set_xscale("logit")
    ax.set_xlim(float(shares[0]), float(shares[-1]))
    ax.xaxis.set_major_locator(FixedLocator([mark for mark in marks if shares[0] * 0.99 <= mark <= shares[-1] * 1.01]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.grid(color=GREY, alpha=0.25, lw=0.6)
