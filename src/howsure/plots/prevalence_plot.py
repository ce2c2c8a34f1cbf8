"""What depends on the prevalence or on the prior, and a survey of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from howsure.laws.law import KIND, LEVEL
from howsure.plots.forest_plot import draw_rows, estimate
from howsure.plots.posterior_plot import shade, shape
from howsure.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    SHARE,
    at_right,
    caption,
    fits,
    ink,
    labelled,
    name,
    new_axes,
    note,
    on,
    plain_text,
    squared,
    width,
)
from howsure.reporting.survey import SUSPECT, Survey
from howsure.text import formats
from howsure.text.svg import IntervalRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.posterior.questions import PredictiveValues, Sensitivity

__all__ = [
    "post_test",
    "predictive_values",
    "sensitivity",
    "survey",
]


# -- Predictive values over the prevalence, and the probability after a test over the one before it --------------------


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
    labelled(ax, f"prevalence of {label}", "probability that it is right")
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
    look = {"color": colour, "weight": "bold", "fontsize": 9, "ha": side, "va": "bottom"}
    note(ax, words, at, (away, 4), coords="data", **look)


def _above(ax: Axes, words: str, number: int, colour: str) -> None:
    """Name of a curve, above all of them, where there is no room beside it."""
    bottom, _ = ax.get_ylim()
    ax.set_ylim(bottom, 1.35)
    ax.set_yticks(np.linspace(0, 1, 6))
    look = {"color": colour, "weight": "bold", "fontsize": 9, "ha": "left", "va": "top"}
    note(ax, words, (0, 1), (3, -2 - 12 * number), **look)


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
    labelled(ax, f"probability of {label} before the test", "after the test")
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


# -- One metric under several priors -----------------------------------------------------------------------------------


def sensitivity(x: Sensitivity, *, ax: Axes | None = None) -> Axes:
    """A row for each prior; the tick is the value on the counts alone.

    Parameters
    ----------
    x : Sensitivity
        From ``posterior.prior_sensitivity(metric)``.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))
    >>> sensitivity(post.prior_sensitivity("recall@low")).get_xlabel()
    'recall@low, mean and 95% HDI'
    """
    rows = [
        IntervalRow(f"prior {answer.prior}", "no information", observed=x.observed)
        if answer.known is None
        else estimate(f"prior {answer.prior}", answer.known, x.level, x.kind)
        for answer in x.answers
    ]
    return draw_rows(rows, ax, f"{name(x.metric)}, mean and {formats.interval_name(x.kind, x.level)}")


# -- Many classifiers at a glance: cases, the posterior of informedness, and the probability that each deceives --------


#: Rows that are legible on one figure.
MOST_ROWS = 60


def survey(x: Survey, *, ax: Axes | None = None) -> Axes:
    """Cases (left), posterior of informedness (its part below chance orange) and P(deceptive) (right), in rows.

    Parameters
    ----------
    x : Survey
        From `howsure.survey`.
    ax : Axes, optional
        Those of a new figure if left out.

    Notes
    -----
    The main figure of Toetsch and Hoffmann 2021 (3 C), turned so that names stand upright.

    Examples
    --------
    >>> import howsure as hs
    >>> published = {"a": hs.ConfusionMatrix.from_counts(tp=28, fn=9, fp=4, tn=3)}
    >>> survey(hs.survey(published)).get_yticklabels()[0].get_text()
    'a  n = 44'
    """
    rows = x.rows[:MOST_ROWS]
    ax = new_axes(ax, 6.4, 1.2 + 0.3 * len(rows))
    for y, row in enumerate(rows):
        drawn, order = shape(row.informedness, LEVEL, KIND), 2 * y
        edge = y - 0.84 * drawn.height
        shade(ax, drawn, edge, y, BLUE, zorder=order)
        below = drawn.at <= -x.margin
        if below.any() and len(drawn.at) > 1:
            ax.fill_between(
                drawn.at, edge, y, where=below.tolist(), color=on(ax, ORANGE, 0.75), lw=0, zorder=order + 0.5
            )
        ax.plot([row.informedness.mean], [y], "o", ms=4, color=ink(ax), zorder=order + 1)
    ax.axvline(-x.margin, color=GREY, lw=1.2, ls=(0, (4, 3)), zorder=0)
    ax.set_ylim(len(rows) - 0.7, -1.0)
    ax.set_yticks(range(len(rows)), [f"{name(row.name, fits(ax))}  n = {formats.integer(row.n)}" for row in rows])
    plain_text(*ax.get_yticklabels())
    right = at_right(ax, range(len(rows)), [formats.probability(row.deceptive) for row in rows])
    right.set_ylabel("P(deceptive)", color=ORANGE)
    for label, row in zip(right.get_yticklabels(), rows, strict=True):
        if row.deceptive >= SUSPECT:
            label.set(color=ORANGE, weight="bold")
    ax.tick_params(axis="y", length=0, labelsize="small")
    squared(ax, "x")
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("informedness (TPR + TNR - 1)")
    marks = f"dot: mean, dark: {formats.interval_name(KIND, LEVEL)}, dashes: guessing, orange: worse than guessing"
    more = f"; the first {len(rows)} of {len(x.rows)}" if len(rows) < len(x.rows) else ""
    caption(ax, f"{marks}; prior {x.prior}{more}", size=7, inches=0.8 * width(ax))
    return ax
