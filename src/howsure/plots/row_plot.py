"""Rows and cells: forest plots, priors, tiers and ranks, a confusion matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from howsure.answers.fields import law_row
from howsure.data.confusion import commonest
from howsure.laws import Draws, Law
from howsure.laws.law import KIND, LEVEL
from howsure.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    at_right,
    beside,
    caption,
    drawn,
    figure_of,
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
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.questions.ranking import expected_prize
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
    from howsure.posterior.posterior import Posterior
    from howsure.posterior.questions import Sensitivity
    from howsure.questions.ranking import Ranking


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


#: Up to this many entries a cell has room for its number.
MOST_WITH_NUMBERS = 14
#: Names that are legible on one figure.
MOST_NAMES = 40


def rank_matrix(x: Ranking, *, ax: Axes | None = None) -> Axes:
    """Probability of each rank (columns) for each entry (rows, best first).

    Parameters
    ----------
    x : Ranking
        From `howsure.rank`.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> board = {f"m{k}": hs.Posterior.from_accuracy(correct=80 + k, n=100) for k in range(3)}
    >>> rank_matrix(hs.rank(board)).get_xlabel()
    'rank'
    """
    size = len(x.entries)
    side = min(size, 24)
    ax = new_axes(ax, 2.6 + 0.42 * side, 1.1 + 0.34 * side)
    colours = LinearSegmentedColormap.from_list("ranks", [on(ax, BLUE, 0), on(ax, BLUE, 1)])
    shown = np.asarray(x.probabilities)
    ax.imshow(shown, cmap=colours, vmin=0, vmax=max(0.5, float(shown.max())), aspect="auto")
    top = max(0.5, float(shown.max()))
    if size <= MOST_WITH_NUMBERS:
        for (i, j), p in np.ndenumerate(shown):
            if p >= 0.005:
                colour = "#222222" if sum(on(ax, BLUE, p / top)) > 1.35 else "#ffffff"
                ax.text(j, i, f"{100 * p:.0f}", ha="center", va="center", fontsize=8, color=colour)
    step = max(1, -(-size // MOST_NAMES))
    ticks = list(range(0, size, step))
    ax.set_yticks(ticks, [name(x.entries[i].name, min(24, fits(ax))) for i in ticks])
    ranks = list(range(0, size, max(1, size // 12)))
    ax.set_xticks(ranks, [str(i + 1) for i in ranks])
    plain_text(*ax.get_yticklabels())
    ax.tick_params(length=0, labelsize=9 if size <= 20 else 7)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlabel("rank")
    if x.prizes and step == 1:
        at_right(ax, ticks, _prizes(x)).set_ylabel("expected prize")
    unit = "numbers: probability in %" if size <= MOST_WITH_NUMBERS else "darker is more probable"
    taken = f"prior {x.prior}" if x.population is None else "entries learned"
    caption(ax, f"{unit}; by {name(x.metric)}, {taken}")
    return ax


def tiers(x: Ranking, *, ax: Axes | None = None) -> Axes:
    """Entries, best first, with their intervals; a line where a new tier begins.

    Parameters
    ----------
    x : Ranking
        From `howsure.rank`.
    ax : Axes, optional
        Those of a new figure if left out.
    """
    shown = x.entries[:MOST_NAMES]
    bare = [IntervalRow.of(it.name, (it.mean, it.low, it.high), it.observed) for it in shown]
    rows = [row._replace(colour=BLUE if it.tier % 2 else ORANGE) for row, it in zip(bare, shown, strict=True)]
    drawn = draw_rows(
        rows,
        ax,
        f"{name(x.metric)}, mean and {formats.interval_name(x.kind, x.level)}",
        words=[f"{row.words}  {prize}".rstrip() for row, prize in zip(rows, _prizes(x), strict=False)],
    )
    starts = [0] + [i for i in range(1, len(shown)) if shown[i].tier != shown[i - 1].tier]
    for start in starts:
        if start:
            drawn.axhline(start - 0.5, color=GREY, lw=0.9)
        look = {"va": "top", "fontsize": 7, "color": GREY}
        note(drawn, f"tier {shown[start].tier}", (0, start - 0.42), (3, 0), coords=("axes fraction", "data"), **look)
    if x.prizes:
        caption(drawn, "right: expected prize", "right", size=7)
    if len(x.entries) > len(shown):
        caption(drawn, f"the first {len(shown)} of {len(x.entries)} entries", "right")
    return drawn


def _prizes(x: Ranking) -> list[str]:
    """What each entry can expect of the prizes; no words where there are none."""
    return [expected_prize(x, entry.expected_prize) for entry in x.entries]


# -- What is known about single cells of a confusion matrix ------------------------------------------------------------


#: Tables for cells whose law does not close.
TABLES = 4_000


def share_laws(posterior: Posterior, cells: Sequence[tuple[int, int]]) -> list[Law]:
    """Law of the share of true class i that is called j, for each cell (i, j).

    Exact where a row of the posterior is a Dirichlet; from joint tables where it is a mixture of them.
    """
    knowledge = knowledge_of(posterior)
    exact: list[Law | None] = [knowledge.linear(np.eye(knowledge.size)[[j]], rows=[i]) for i, j in cells]
    known = [law for law in exact if law is not None]
    if len(known) == len(cells):
        return known
    index = np.array(cells).reshape(-1, 2)
    parts = []
    for tables in knowledge.tables(TABLES):
        with np.errstate(invalid="ignore"):
            parts.append(tables[:, index[:, 0], index[:, 1]] / tables.sum(axis=2)[:, index[:, 0]])
    shares = np.concatenate(parts)
    return [Draws(column, support=(0.0, 1.0)) for column in shares.T]


# -- The confusion matrix: counts, shares of the true class, and how uncertain each share is ---------------------------


#: Above this many classes cells are too small for numbers.
MOST_CLASSES = 20
#: Up to this many classes a cell has room for its share and its interval, if it is so many inches wide and high.
ROOMY, WIDE_CELL, TALL_CELL = 8, 0.45, 0.5
#: Inches of a class below which its name is cut, and its size left out.
SMALLEST = 0.62
#: Letters of either name of a confusion.
LONGEST_PART, SHORTEST_PART = 12, 6


def confusion(x: Posterior, *, ax: Axes | None = None, level: float = LEVEL, kind: Kind = KIND) -> Axes:
    """Counts in their table, rows truth; the colour is the share of the true class, blue right and orange wrong.

    In a cell: the count, its share of the true class, and a bar from 0 to 1 that shows the interval of that share.
    Above 20 classes a heat map, with the ten commonest confusions next to it if the figure is a new one.

    Parameters
    ----------
    x : Posterior
        From `howsure.infer`.
    ax : Axes, optional
        Those of a new figure if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> confusion(post).get_ylabel()
    'true class'
    """
    size = len(x.labels)
    large = size > MOST_CLASSES
    if ax is None and large:
        _, (ax, beside) = plt.subplots(1, 2, figsize=(11.5, 5.2), layout="constrained", width_ratios=[1.15, 1])
        worst_confusions(x, ax=beside, level=level, kind=kind)
        caption(beside, "the commonest confusions; dot: mean, tick: observed")
    ax = new_axes(ax, 1.6 + 1.05 * min(size, 9), 1.2 + 0.9 * min(size, 9))
    counts = x.confusion.counts.astype(float)
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(counts / counts.sum(axis=1, keepdims=True))
    signed = np.where(np.eye(size, dtype=bool), shares, -shares)
    colours = LinearSegmentedColormap.from_list("cells", [on(ax, ORANGE, 0.85), on(ax, ORANGE, 0), on(ax, BLUE, 0.85)])
    ax.imshow(signed, cmap=colours, vmin=-1, vmax=1, aspect="auto")
    for side in ax.spines.values():
        side.set_visible(False)
    _class_names(ax, x)
    wide, _ = drawn(ax)
    note = "counts and shares of the true class"
    bars = f"{note}; bars: {formats.interval_name(kind, level)} of the share, prior {knowledge_of(x).prior_name}"
    caption(ax, bars, inches=wide)
    wide, high = drawn(ax)
    roomy = size <= ROOMY and wide > WIDE_CELL * size and high > TALL_CELL * size
    if not roomy:
        caption(ax, note, inches=wide)
    if not large:
        cells = [(i, j) for i in range(size) for j in range(size)]
        laws = share_laws(x, cells) if roomy else [None] * len(cells)
        for (i, j), law in zip(cells, laws, strict=True):
            _cell(ax, x, i, j, share=shares[i, j], law=law, level=level, kind=kind)
    return ax


def _class_names(ax: Axes, x: Posterior) -> None:
    """Names of the classes on both axes, with the sizes of the true ones where there is room."""
    size, sizes = len(x.labels), x.confusion.class_sizes
    large = size > MOST_CLASSES
    ticks = list(range(0, size, max(1, size // 15) if large else 1))
    cramped = large or min(width(ax), 1.3 * figure_of(ax).get_figheight()) < SMALLEST * size
    longest = fits(ax) if size <= 6 and not cramped else 14
    names = [name(x.labels[i], longest) for i in ticks]
    ax.set_yticks(
        ticks, names if cramped else [f"{each}\nn = {sizes[i]:,d}" for each, i in zip(names, ticks, strict=True)]
    )
    ax.set_xticks(ticks, names)
    if max(map(len, names)) > (11 if size <= 4 else 6):
        plt.setp(ax.get_xticklabels(), rotation=40, ha="right", rotation_mode="anchor")
    plain_text(*ax.get_xticklabels(), *ax.get_yticklabels())
    ax.tick_params(length=0, labelsize=7 if large else "medium")
    ax.set_xlabel("predicted class")
    ax.set_ylabel("true class")


def _cell(ax: Axes, x: Posterior, i: int, j: int, *, share: float, law: Law | None, level: float, kind: Kind) -> None:
    """Count and, where there is room, share and interval of one cell."""
    count = int(x.confusion.counts[i, j])
    # the cell's colour, not the page's, decides what can be read on it
    dark = "#222222" if sum(on(ax, BLUE if i == j else ORANGE, 0.85 * share)) > 1.35 else "#ffffff"
    look: dict[str, Any] = {"ha": "center", "va": "center", "color": dark}
    weight, size = "bold" if i == j else "normal", 7 if law is None else 11
    ax.text(j, i - (0 if law is None else 0.17), formats.integer(count), weight=weight, fontsize=size, **look)
    if law is None:
        return
    ax.text(j, i + 0.1, f"{100 * share:.0f}%", fontsize=8, **look)
    low, high = law.interval(level, kind)
    left, width, y = j - 0.38, 0.76, i + 0.31
    ax.add_patch(Rectangle((left, y), width, 0.06, fc="none", ec=dark, lw=0.6))
    ax.add_patch(Rectangle((left + width * low, y), max(width * (high - low), 0.008), 0.06, fc=dark, lw=0))


def worst_confusions(
    x: Posterior, *, ax: Axes | None = None, most: int = 10, level: float = LEVEL, kind: Kind = KIND
) -> Axes:
    """The commonest confusions, as shares of their true class with intervals.

    Parameters
    ----------
    x : Posterior
        From `howsure.infer`.
    ax : Axes, optional
        Those of a new figure if left out.
    most : int
        How many.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    """
    worst = commonest(x.confusion, most)
    part = LONGEST_PART if ax is None else max(SHORTEST_PART, (fits(ax) - 8) // 2)
    rows = []
    for (i, j, count), law in zip(worst, share_laws(x, [(i, j) for i, j, _ in worst]), strict=True):
        title = f"{formats.plain(x.labels[i], part)} predicted {formats.plain(x.labels[j], part)}"
        rows.append(law_row(title, law, level, kind, observed=count / int(x.confusion.class_sizes[i]), colour=ORANGE))
    about = f"share of the true class, {formats.interval_name(kind, level)}"
    return draw_rows(rows, ax, about, longest=2 * LONGEST_PART + 8)


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
