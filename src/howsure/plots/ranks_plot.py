"""A ranking as a picture: how probable each rank is, and which entries the data do not separate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from howsure.plots.forest_plot import draw_rows
from howsure.plots.style import BLUE, GREY, ORANGE, at_right, caption, fits, name, new_axes, note, on, plain_text
from howsure.questions.ranking import expected_prize
from howsure.text import formats
from howsure.text.svg import IntervalRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.questions.ranking import Ranking

__all__ = ["rank_matrix", "tiers"]

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
    rows = [
        IntervalRow(
            it.name, formats.estimate(it.mean, it.low, it.high), it.mean, it.low, it.high, it.observed,
            colour=BLUE if it.tier % 2 else ORANGE,
        )
        for it in shown
    ]  # fmt: skip
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
