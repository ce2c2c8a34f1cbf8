"""``pool`` and ``slices``: many tables of two classes, as a sample of a population of sites, or each for itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from howsure.answers.sheet import Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.slices import Slices
from howsure.metrics.measure import spoken_name
from howsure.reporting.slice_report import SliceReport, slice_report
from howsure.units.pooled import Pooled, pool
from howsure.web import code
from howsure.web.choices import metrics_of, titles
from howsure.web.limits import Limits
from howsure.web.schema import InvalidRequest
from howsure.web.subjects import how_of, prior_of, width_of
from howsure.web.words import answer_words, page

__all__ = ["made_pool", "made_slices", "pooled", "sliced"]

#: The classes of tables that have four cells.
NAMES = ("negative", "positive")

#: Rates that can be pooled alone, and both together, which has no name.
POOLED = ("", "accuracy", "recall@positive", "recall@negative", "precision@positive", "precision@negative")


def pooled(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """What is known of a typical site, of the spread between sites and of a new one."""
    made = made_pool(request, limits)
    shown, drawn = _shown(made.sheet(), POOLED), made.picture(width=width_of(request))
    return page(made, shown, code.of_pool(request), picture=drawn)


def sliced(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """A metric of each table, the worst first, and which stand out from the rest."""
    made = made_slices(request, limits)
    name = spoken_name(made.metric, NAMES[1])
    spoken = replace(made, metric=name[0].upper() + name[1:])  # which begins the sentence and the title of the picture
    shown, drawn = _shown(spoken._sheet(len(made.rows)), metrics_of(NAMES)), spoken.picture(width=width_of(request))
    return page(made, shown, code.of_slices(request), picture=drawn)


def made_pool(request: Mapping[str, Any], limits: Limits) -> Pooled:
    """The pool that is asked for."""
    made = pool(_tables(request), metric=request.get("metric"), unit=request.get("unit", "site"), **how_of(request))
    return cast("Pooled", made)  # of tables


def made_slices(request: Mapping[str, Any], limits: Limits) -> SliceReport:
    """The report by slice that is asked for."""
    # in the order in which the command line finds them in a file, so that draws are the same
    slices = Slices(dict(sorted(_tables(request).items())), by="name")
    return slice_report(slices, request.get("metric"), prior_of(request), **how_of(request))


def _tables(request: Mapping[str, Any]) -> dict[str, ConfusionMatrix]:
    found: dict[str, ConfusionMatrix] = {}
    place: dict[str, int] = {}
    for i, given in enumerate(request["tables"]):
        cells = {name: given[name] for name in ("tp", "fn", "fp", "tn")}
        if given["name"] in found:
            rows = f"in rows {place[given['name']]} and {i + 1}"
            raise InvalidRequest(
                f"the name {given['name']!r} comes twice, {rows}; each table has its own", f"tables[{i}].name"
            )
        if not sum(cells.values()):
            raise InvalidRequest(f"{given['name']!r} in row {i + 1} has no cases; leave it out", f"tables[{i}]")
        place[given["name"]] = i + 1
        found[given["name"]] = ConfusionMatrix.from_counts(**cells)
    return found


def _shown(sheet: Sheet, choices: tuple[str, ...]) -> dict[str, Any]:
    *notes, footer = sheet.small_print
    below = {"about": " ".join(sheet.below), "note": [*sheet.warnings, *notes], "footer": footer}
    return {**answer_words(sheet), **below, "titles": titles(choices, NAMES[1])}
