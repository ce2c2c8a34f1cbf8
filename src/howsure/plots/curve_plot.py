"""Curves: of scores, against a threshold, the prevalence or the number of cases; funnels and hierarchical ROC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator
from scipy import special

from howsure.curves.at_thresholds import ThresholdCurve
from howsure.curves.calibration import CalibrationCurve
from howsure.curves.chosen_threshold import BestThreshold
from howsure.curves.decision_curve import NetBenefit
from howsure.curves.score_curves import Curve
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.metrics import parse
from howsure.numerics.arrays import Floats
from howsure.planning.plan import Plan, thumb_rule
from howsure.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    SHARE,
    beside,
    caption,
    figure_of,
    fits,
    in_unit_square,
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
from howsure.reporting.slice_report import SliceReport
from howsure.text import formats
from howsure.units.pooled import Pooled
from howsure.units.slice_answers import rates_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.numerics.arrays import Floats
    from howsure.posterior.questions import PredictiveValues

    Shares = tuple[list[str], Floats, Floats, str]


# -- A metric against the threshold, and decision curves ---------------------------------------------------------------


def threshold(x: ThresholdCurve | BestThreshold, *, ax: Axes | None = None) -> Axes:
    """A metric against the threshold with its pointwise band; of a best threshold what was observed, and where it is.

    Parameters
    ----------
    x : ThresholdCurve or BestThreshold
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> from howsure.curves import threshold_curve
    >>> scores = hs.Scores(["ill"] * 3 + ["well"] * 4, [0.9, 0.8, 0.4, 0.5, 0.3, 0.2, 0.1])
    >>> threshold(threshold_curve(scores, "recall")).get_xlabel()
    'threshold'
    """
    ax = new_axes(ax)
    if isinstance(x, BestThreshold):
        cuts, seen = (np.array(row) for row in x.tried)
        ax.plot(cuts, seen, color=BLUE, lw=1.6)
        ax.axvspan(*x.location, color=ORANGE, alpha=0.2, lw=0)
        ax.axvline(x.threshold, color=ORANGE, lw=1.4)
        about = f"observed; line: best, {x.threshold:.4g}; shaded: where the best may lie, 95%"
    else:
        rows = [(p.threshold, p.low, p.mean, p.high) for p in x.points if p.mean is not None]
        cuts, low, mean, high = np.array(rows, dtype=float).reshape(-1, 4).T
        ax.fill_between(cuts, low, high, color=BLUE, alpha=0.25, lw=0)
        ax.plot(cuts, mean, color=BLUE, lw=1.8)
        about = f"mean and {formats.interval_name(x.kind, x.level)} of each threshold, prior {x.prior}"
    labelled(ax, "threshold", name(x.metric))
    squared(ax)
    caption(ax, about, size=7, inches=5.0)
    return ax


def decision_curve(x: NetBenefit, *, ax: Axes | None = None) -> Axes:
    """Net benefit against the threshold probability with its band, next to treating everybody and nobody.

    Parameters
    ----------
    x : NetBenefit
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> from howsure.curves import net_benefit
    >>> scores = hs.Scores(["ill"] * 3 + ["well"] * 4, [0.9, 0.8, 0.4, 0.5, 0.3, 0.2, 0.1])
    >>> decision_curve(net_benefit(scores)).get_xlabel()
    'threshold probability'
    """
    ax = new_axes(ax)
    cuts, low, mean, high, everybody = np.array([(p.threshold, p.low, p.mean, p.high, p.treat_all) for p in x.points]).T
    top = max(float(high.max()), 1e-3)
    ax.fill_between(cuts, low, high, color=BLUE, alpha=0.25, lw=0)
    ax.plot(cuts, mean, color=BLUE, lw=1.8, label="by the score")
    ax.plot(cuts, everybody, color=ORANGE, lw=1.3, ls=(0, (5, 3)), label="treat all")
    ax.axhline(0, color=GREY, lw=1.1, label="treat none")
    labelled(ax, "threshold probability", "net benefit", ylim=(-0.25 * top, 1.08 * top))
    ax.legend(frameon=False, fontsize=8, loc="upper right", labelcolor="linecolor")
    squared(ax)
    about = f"mean and {formats.interval_name(x.kind, x.level)} of each threshold, prior {x.prior}"
    caption(ax, about, size=7, inches=5.0)
    return ax


# -- A ROC or precision-recall curve with its bands --------------------------------------------------------------------


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
    in_unit_square(ax, across, up)
    caption(ax, f"dark: {formats.level_words(x.level)} at each point; light: of all of the curve", size=7, inches=4.0)
    return ax


# -- A reliability diagram with its bands ------------------------------------------------------------------------------


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
    in_unit_square(ax, "predicted probability", "observed share")
    about = f"dark: {formats.level_words(x.level)} at each point; light: of all of the curve; grey: if calibrated"
    caption(ax, f"{about}; dots: bins", size=7, inches=4.0)
    return ax


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
