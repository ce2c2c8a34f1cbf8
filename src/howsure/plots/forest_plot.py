"""Forest plot: one row for each number, with its interval and the numbers in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from howsure.laws.law import KIND, LEVEL
from howsure.plots.estimate_rows import EstimateRow, draw_rows, estimate
from howsure.posterior.distribution import Distribution
from howsure.reporting.report import Report
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
    if isinstance(x, Report):
        rows = _of_report(x)
        about = f"mean and {formats.interval_name(x.kind, x.level)}, prior {x.prior.name}"
    elif isinstance(x, Pooled):
        rows = _of_pool(x)
        about = f"mean and {formats.interval_name(x.kind, x.level)}"
    elif isinstance(x, ComparedOver):
        rows = _of_differences(x)
        about = f"{x.names[0]} less {x.names[1]}: mean and {formats.interval_name(x.kind, x.level)}"
    elif isinstance(x, RankedOver):
        ends = [(row.name, row.lead, row.lead.interval(x.level, x.kind)) for row in x.rows]
        rows = [EstimateRow(name, law.mean, *end, None, 0.0, law.error) for name, law, end in ends]
        about = f"lead over the average, mean and {formats.interval_name(x.kind, x.level)}"
    else:
        rows = [estimate(title, known, level, kind) for title, known in x.items()]
        priors = ", ".join(dict.fromkeys(known.prior for known in x.values()))
        about = f"mean and {formats.interval_name(kind, level)}, prior {priors}"
    return draw_rows(rows, ax, about)


def _of_pool(pooled: Pooled) -> list[EstimateRow]:
    rows = []
    for j, rate in enumerate(pooled.rates):
        lead = f"{rate}, " if len(pooled.rates) > 1 else ""
        laws: list[tuple[str, Law, float | None]] = []
        if pooled.tells_of_others:
            laws = [("typical site", pooled.of(rate), None), ("new site", pooled.of(rate, about="new"), None)]
        for i, name in enumerate(pooled.sites[: MOST_ROWS // len(pooled.rates)]):
            k, n = pooled.counts.k[i, j], pooled.counts.n[i, j]
            laws.append((name, pooled.of(rate, site=name), float(k / n) if n else None))
        for name, law, observed in laws:
            low, high = law.interval(pooled.level, pooled.kind)
            rows.append(EstimateRow(f"{lead}{name}", law.mean, low, high, observed, None, law.error))
    return rows


def _of_differences(made: ComparedOver) -> list[EstimateRow]:
    laws: list[tuple[str, Law, float | None]] = []
    if made.tells_of_others:
        laws = [("mean of data sets", made.of(), None), ("new data set", made.of("new"), None)]
    for i, name in enumerate(made.data_sets[:MOST_ROWS]):
        laws.append((name, made.of(data_set=name), float(made.counts.observed[i])))
    return [
        EstimateRow(name, law.mean, *law.interval(made.level, made.kind), seen, 0.0, law.error)
        for name, law, seen in laws
    ]


def _of_report(report: Report) -> list[EstimateRow]:
    rows = [
        EstimateRow(
            row.name,
            row.mean,
            row.low,
            row.high,
            row.observed,
            row.chance,
            (row.error or 0.0) if row.law == "simulated" else 0.0,
        )
        for row in report.rows
    ]
    if len(rows) <= MOST_ROWS:
        return rows
    overall = [row for row, made in zip(rows, report.rows, strict=True) if made.label is None]
    classes = [row for row, made in zip(rows, report.rows, strict=True) if made.label is not None]
    return overall + sorted(classes, key=lambda row: (row.mean is None, row.mean))[:LOWEST]
