"""Forest plot: one row for each number, with its interval and the numbers in words; rows as other plots have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from howsure.answers.law_summary import law_row
from howsure.laws.law import KIND, LEVEL
from howsure.plots.style import (
    GREY,
    at_right,
    beside,
    caption,
    fits,
    ink,
    labelled,
    name,
    new_axes,
    plain_text,
    squared,
    width,
)
from howsure.posterior.distribution import Distribution
from howsure.reporting.report import Report
from howsure.reporting.report_row import drawn_row
from howsure.text import formats
from howsure.text.svg import IntervalRow
from howsure.units.over_data_sets import ComparedOver, RankedOver
from howsure.units.pooled import Pooled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Kind, Law
    from howsure.posterior.distribution import Distribution

__all__ = ["draw_rows", "estimate", "forest", "shared_metric"]


def estimate(title: str, known: Distribution, level: float, kind: Kind) -> IntervalRow:
    """A distribution as a row."""
    return law_row(title, known.law, level, kind, observed=known.observed, chance=known.chance)


def shared_metric(known: Iterable[Distribution]) -> str:
    """Name of the axis of several distributions: their metric, if they share one."""
    found = {each.metric for each in known}
    return (found.pop() if len(found) == 1 else None) or "value"


def draw_rows(
    rows: Sequence[IntervalRow],
    ax: Axes | None,
    xlabel: str,
    *,
    longest: int | None = None,
    words: Sequence[str] | None = None,
) -> Axes:
    """A line for each row, from the top: interval, mean, observed value, chance, and the numbers at the right."""
    ax = new_axes(ax, 6.4, 0.9 + 0.29 * len(rows))
    for y, row in enumerate(rows):
        if row.chance is not None:
            ax.plot([row.chance] * 2, [y - 0.38, y + 0.38], color=GREY, lw=1.3, ls=(0, (2, 1.5)), zorder=1)
        if row.mean is None or row.low is None or row.high is None:
            continue
        ax.plot([row.low, row.high], [y, y], color=row.colour, lw=2.6, solid_capstyle="butt", zorder=2)
        ax.plot(row.mean, y, "o", color=row.colour, ms=5.5, zorder=4)
        if row.observed is not None:
            ax.plot(row.observed, y, "|", color=ink(ax), ms=9, mew=1.4, zorder=5)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_yticks(range(len(rows)), [name(row.name, longest or fits(ax)) for row in rows])
    ax.tick_params(axis="y", length=0)
    plain_text(*ax.get_yticklabels())
    at_right(ax, range(len(rows)), words or [row.words for row in rows])
    marks = ["dot: mean"]
    marks += ["tick: observed"] if any(row.observed is not None for row in rows) else []
    marks += ["dashes: chance"] if any(row.chance is not None for row in rows) else []
    caption(ax, ", ".join(marks), size=7, inches=0.4 * width(ax))
    squared(ax, "x")
    labelled(ax, beside(ax, xlabel, 0.9 * width(ax)))
    return ax


#: Above this many classes only the lowest class rows are drawn.
MOST_ROWS, LOWEST = 45, 20


def forest(
    x: Report | Pooled | ComparedOver | RankedOver | Mapping[str, Distribution],
    *,
    ax: Axes | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
) -> Axes:
    """Means and intervals in rows; a tick is the observed value, a dashed line a classifier without skill.

    Parameters
    ----------
    x : Report, Pooled, ComparedOver, RankedOver, or mapping of name to Distribution
        Answers bring their own level and kind of interval; of a pool a typical and a new site come first, of two
        classifiers over data sets the mean and a new data set; of ranks over data sets it is the leads.
    ax : Axes, optional
        Those of a new figure if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals, for distributions.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> forest(hs.report(post)).get_xlabel()
    'mean and 95% HDI, prior calibrated'
    """
    if isinstance(x, Mapping):
        rows = [estimate(title, known, level, kind) for title, known in x.items()]
        priors = ", ".join(dict.fromkeys(known.prior for known in x.values()))
        return draw_rows(rows, ax, f"mean and {formats.interval_name(kind, level)}, prior {priors}")
    about = f"mean and {formats.interval_name(x.kind, x.level)}"
    if isinstance(x, Report):
        shown = list(x.rows)
        if len(shown) > MOST_ROWS:
            classes = sorted((row for row in shown if row.label), key=lambda row: (row.mean is None, row.mean))
            shown = [*(row for row in shown if not row.label), *classes[:LOWEST]]
        return draw_rows([drawn_row(row) for row in shown], ax, f"{about}, prior {x.prior.name}")
    laws, chance = _laws(x), None if isinstance(x, Pooled) else 0.0
    rows = [law_row(name, law, x.level, x.kind, observed=seen, chance=chance) for name, law, seen in laws]
    if isinstance(x, ComparedOver):
        about = f"{x.names[0]} less {x.names[1]}: {about}"
    return draw_rows(rows, ax, f"lead over the average, {about}" if isinstance(x, RankedOver) else about)


def _laws(x: Pooled | ComparedOver | RankedOver) -> list[tuple[str, Law, float | None]]:
    """Each row's name, law and observed value: of others first, then of those that were seen."""
    if isinstance(x, RankedOver):
        return [(row.name, row.lead, None) for row in x.rows]
    laws: list[tuple[str, Law, float | None]] = []
    if isinstance(x, ComparedOver):
        if x.tells_of_others:
            laws = [("mean of data sets", x.of(), None), ("new data set", x.of("new"), None)]
        seen = zip(x.data_sets[:MOST_ROWS], x.counts.observed.tolist(), strict=False)
        return [*laws, *((name, x.of(data_set=name), observed) for name, observed in seen)]
    for j, rate in enumerate(x.rates):
        lead = f"{rate}, " if len(x.rates) > 1 else ""
        if x.tells_of_others:
            laws += [(f"{lead}typical site", x.of(rate), None), (f"{lead}new site", x.of(rate, about="new"), None)]
        for i, site in enumerate(x.sites[: MOST_ROWS // len(x.rates)]):
            k, n = x.counts.k[i, j], x.counts.n[i, j]
            laws.append((f"{lead}{site}", x.of(rate, site=site), float(k / n) if n else None))
    return laws
