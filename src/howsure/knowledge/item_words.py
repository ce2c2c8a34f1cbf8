"""What is said of items: why there is no interval, and what helps a reader of one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.errors import NoInformation, listing
from howsure.knowledge.protocol import Ask, Asked, Gap, Of
from howsure.laws.item_laws import UnitScores
from howsure.numerics.unit_metrics import LabelMeans, OrderStatistic, UnitSums, law_of
from howsure.numerics.unit_weights import FEWEST_UNITS
from howsure.text.formats import decimals, integer, interval, number, plain, several

if TYPE_CHECKING:
    from howsure.knowledge.items import Items

__all__ = ["remarks", "too_few", "why_nothing"]

#: Units below which a far interval is printed as well, where the range is known.
FEW_FOR_FAILURES = 50

#: Units that have a label, below which a note says that the answer rests on them.
FEW_OF_A_LABEL = 5

#: Times as many runs of an item as of another, from which on that is said.
UNLIKE_RUNS = 5


def too_few(items: Items) -> str:
    """Why so few units have no interval."""
    return f"{several(items.size(), items.unit)}; from {FEWEST_UNITS} on there is an interval"


def why_nothing(items: Items, asked: Asked, limits: tuple[float, float]) -> str:
    """Why there is no interval where all units are equal."""
    many = several(items.size(), items.unit)
    end = "an upper end (--range 0,1)" if np.isfinite(limits[0]) else "--range"
    if items.far and not np.isfinite(limits).all():
        return "failures that no item shows lie at an end of the range, which is not known; state it with --range"
    if isinstance(asked, Gap):
        return (
            f"{plain(asked.a.name, 40)} and {plain(asked.b.name, 40)} agree on all {many}; without {end} nothing "
            "tells how far they may differ on an unseen one"
        )
    return (
        f"all {many} have {items.noun} {items.observed(asked):g}; without {end} nothing tells how different an unseen "
        "one may be"
    )


def remarks(items: Items, asked: Of, ask: Ask) -> tuple[str, ...]:
    """What helps a reader of one number: ties without a range, rare labels, unlike runs, failures that do not show."""
    lines = []
    figure, limits, many = items.figure(asked), items.measured(asked.metric).limits, several(items.size(), items.unit)
    bounded = bool(np.isfinite(limits).all())
    if isinstance(figure, UnitSums | OrderStatistic) and not bounded:
        times = np.unique(np.round(figure.values, 12), return_counts=True)[1]
        if 2 * times.max() >= figure.n and len(times) > 1:
            lines.append(
                f"{integer(int(times.max()))} of {many} have the same {items.noun}; with --range the interval would "
                "know how far the others can be."
            )
    if isinstance(figure, LabelMeans):
        few = (figure.denominator > 0).sum(0).tolist()
        rare = [
            f"{several(k, items.unit)} of {plain(label, 30)}"
            for label, k in zip(items.labels, few, strict=False)
            if 0 < k < FEW_OF_A_LABEL
        ]
        if rare:
            lines.append(f"The answer rests on {listing(rare, 4)}.")
    if items.runs is not None and (most := items.runs.times.max()) >= UNLIKE_RUNS * items.runs.times.min():
        lines.append(f"Items have {items.runs.times.min()} to {most} runs; every item counts alike.")
    few_units = items.size() < FEW_FOR_FAILURES and not items.far and items.question == "new"
    if few_units and isinstance(figure, UnitSums) and bounded:
        law = law_of(figure, limits, far=True)
        if law is not None:
            low, high = UnitScores(law).interval(ask.level, "central")
            lines.append(
                f"If there are failures that these {many} do not show: {interval(low, high, decimals(low, high))} "
                "(--far range)."
            )
    return (*lines, *_runs(items, asked, ask))


def _runs(items: Items, asked: Of, ask: Ask) -> tuple[str, ...]:
    """These items again, and what more runs or more items are worth; nothing where items were run once."""
    if items.runs is None or items.question != "new" or items.measured(asked.metric).name != "mean":
        return ()
    try:
        law = items.but(about="these").law(asked, ask)
    except NoInformation as refusal:
        return (f"Same {items.unit}s, new runs: {refusal}.",)
    ends = law.interval(ask.level, ask.kind)
    places = decimals(*ends)
    lines = [f"Same {items.unit}s, new runs: {number(law.mean, places)} ({interval(*ends, places)})."]
    parts = _variances(items, asked.name)
    if parts is not None and items.unit == "item":
        between, within, runs = parts
        total = between + within / runs
        more = 1 - ((between + within / (runs + 1)) / total) ** 0.5
        lines.append(
            f"Of the variance of a run's score {between / (between + within):.2f} lies between items: one more run of "
            f"every item narrows the interval by {100 * more:.0f}%, 20% more items by {100 * (1 - 1.2**-0.5):.0f}%."
        )
    return tuple(lines)


def _variances(items: Items, name: str) -> tuple[float, float, float] | None:
    """Variance of a run's score between items and within one, and the harmonic mean of runs; None where unknown."""
    if items.runs is None or items.size() < 2:
        return None
    times, within = (it[items.place(name)] for it in items.runs)
    df = int((times - 1).sum())
    runs = len(times) / float((1 / times).sum())
    if df < 1:
        return None
    inside = float(within.sum()) / df
    between = max(float(items.scores(name).var(ddof=1)) - inside / runs, 0.0)
    return (between, inside, runs) if between + inside > 0 else None
