"""Forest plot: one row for each number, with its interval and the numbers in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from howsure.answers.law_summary import law_row
from howsure.laws.law import KIND, LEVEL
from howsure.plots.estimate_rows import draw_rows, estimate
from howsure.posterior.distribution import Distribution
from howsure.reporting.report import Report
from howsure.reporting.report_row import drawn_row
from howsure.text import formats
from howsure.units.compared_over import ComparedOver
from howsure.units.pooled import Pooled
from howsure.units.ranked_over import RankedOver

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Kind, Law

__all__ = ["forest"]

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
        for i, name in enumerate(x.sites[: MOST_ROWS // len(x.rates)]):
            k, n = x.counts.k[i, j], x.counts.n[i, j]
            laws.append((f"{lead}{name}", x.of(rate, site=name), float(k / n) if n else None))
    return laws
