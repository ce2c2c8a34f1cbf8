"""Two classifiers over many data sets, in words, as a table and as a picture."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from howsure.answers.law_summary import interval_cells, law_row
from howsure.answers.sheet import Sheet
from howsure.posterior.density_picture import MOST_ROWS
from howsure.text import formats
from howsure.text.spreadsheet import guarded
from howsure.text.svg import forest
from howsure.units.difference_over import DifferenceOver
from howsure.units.pooled_words import FEW_DRAWS, SHOWN
from howsure.units.site_knowledge import FEW_SITES

if TYPE_CHECKING:
    from howsure.units.pooled_number import PooledNumber

__all__ = ["csv_of", "notes", "picture", "sentence", "sheet", "warnings"]


def sentence(made: DifferenceOver) -> str:
    """The answer in one sentence."""
    a, b = (formats.plain(name, 40) for name in made.names)
    sets = formats.several(len(made.data_sets), "data set")
    if not made.tells_of_others:
        return f"{a} and {b} on {sets}: too few to say anything of others; each of them is below."
    kind = formats.interval_name(made.kind, made.level)
    mean, ends = interval_cells(made.of(), made.level, made.kind)
    metric = formats.plain(made.metric)
    average, new = made.chances(), made.chances("new")
    words = (
        f"Over data sets like these {len(made.data_sets)} {a} has {mean} ({ends}, {kind}) more {metric} than {b} on "
        f"average: better with probability {_p(made, average.better)}, on a new data set with {_p(made, new.better)}"
    )
    if not made.rope:
        return f"{words}."
    equal = f"practically equal (within {made.rope:g}) with {_p(made, new.equal)}"
    return f"{words}, {equal}, worse with {_p(made, new.worse)}."


def warnings(made: DifferenceOver) -> tuple[str, ...]:
    """What would mislead a reader."""
    found = []
    if made.tells_of_others and len(made.data_sets) < FEW_SITES:
        found.append(
            f"{len(made.data_sets)} data sets tell little of how unlike data sets are: the spread, and with it what is "
            "said of a new one, is mostly the prior's."
        )
    if made.population.worth < min(FEW_DRAWS, made.draws / 10):
        found.append(
            f"the {formats.integer(made.draws)} weighted draws are worth {made.population.worth:.0f} independent ones; "
            "take more (draws=)."
        )
    return tuple(found)


def notes(made: DifferenceOver) -> tuple[str, ...]:
    """What the numbers rest on."""
    if made.paired:
        model = (
            "Paired: both answered the same cases. Logits of the share of cases that only one has right, and of the "
            "part of these that is A's, are bivariate normal between data sets"
        )
        prior = "sds half-normal(1), their correlation uniform"
    else:
        model = (
            "Separate test sets of both, also where these were the same cases: then the intervals are too long. Logits "
            "of both accuracies are normal between data sets, a level of each and a difference"
        )
        prior = "both sds half-normal(1)"
    return (
        *made.counts.notes,
        f"{model}; counts binomial. Priors: mean rates uniform, {prior}; all integrated. "
        f"{formats.integer(made.draws)} weighted draws, worth {formats.integer(round(made.population.worth))} "
        "independent ones.",
        "A new data set: the true difference on the next data set like these, each data set having one vote. Of the "
        "trained classifiers as they were tested, not of their training.",
    )


def sheet(made: DifferenceOver) -> Sheet:
    """The mean, a new data set, and a row for each data set."""
    a = formats.plain(made.names[0], 30)
    kind = formats.interval_name(made.kind, made.level)
    header: tuple[str, ...] = ("data set", "cases", "observed", "difference", kind, f"P({a} better)")
    header = (*header, "P(equal)") if made.rope else header
    rows: list[tuple[str, ...]] = []
    if made.tells_of_others:
        rows.append(("mean of data sets", "", "", *_cells(made, made.of()), *_chances(made, made.chances())))
        rows.append(("new data set", "", "", *_cells(made, made.of("new")), *_chances(made, made.chances("new"))))
        blank = ("",) * (len(header) - 5)
        rows.append(("sd between data sets", "", "", *_cells(made, made.spread), *blank))
    (n, m), observed = made.counts.cases, made.counts.observed
    for i, name in enumerate(made.data_sets[:SHOWN]):
        size = formats.integer(int(n[i])) + ("" if n[i] == m[i] else f", {formats.integer(int(m[i]))}")
        law, chances = made.of(data_set=name), made.chances(data_set=name)
        cells = _cells(made, law), _chances(made, chances)
        rows.append((formats.plain(name, 30), size, f"{observed[i]:.3f}", *cells[0], *cells[1]))
    more = len(made.data_sets) - SHOWN
    return Sheet(
        sentence(made),
        header,
        tuple(rows),
        notes(made),
        left_out=f"{formats.several(more, 'more data set')} in --json." if more > 0 else "",
        warnings=warnings(made),
    )


def csv_of(made: DifferenceOver) -> str:
    """A row for each data set, then the population; texts that a spreadsheet would run are guarded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ("data_set", "a_right", "a_n", "b_right", "b_n", "observed", "mean", "low", "high")
    writer.writerow((*names, "p_better", "p_equal", "p_worse", "about"))
    (n, m), (k, j) = made.counts.cases, made.counts.right
    for i, name in enumerate(made.data_sets):
        law, chances = made.of(data_set=name), made.chances(data_set=name)
        counts = (int(x[i]) for x in (k, n, j, m))
        ends = law.interval(made.level, made.kind)
        observed = float(made.counts.observed[i])
        writer.writerow((guarded(name), *counts, observed, law.mean, *ends, *chances, "data set"))
    if made.tells_of_others:
        for about, law, told in (
            ("mean", made.of(), tuple(made.chances())),
            ("new", made.of("new"), tuple(made.chances("new"))),
            ("spread", made.spread, ("", "", "")),
        ):
            writer.writerow((*[""] * 6, law.mean, *law.interval(made.level, made.kind), *told, about))
    return out.getvalue()


def picture(made: DifferenceOver) -> str:
    """Data sets, their mean and a new one as SVG."""
    rows = []
    if made.tells_of_others:
        new = made.of("new").interval(made.level, made.kind)
        rows.append(law_row("mean of data sets", made.of(), made.level, made.kind)._replace(outer=(new.low, new.high)))
    for i, name in enumerate(made.data_sets[:MOST_ROWS]):
        law, observed = made.of(data_set=name), float(made.counts.observed[i])
        rows.append(law_row(name, law, made.level, made.kind, observed=observed, chance=0.0))
    title = f"{formats.plain(made.names[0], 30)} less {formats.plain(made.names[1], 30)} by data set"
    return forest(rows, title=f"{title}; the thin line is the interval of a new data set")


def _cells(made: DifferenceOver, law: PooledNumber) -> tuple[str, str]:
    return interval_cells(law, made.level, made.kind)


def _chances(made: DifferenceOver, chances: tuple[float, float, float]) -> tuple[str, ...]:
    shown = (_p(made, chances[0]), _p(made, chances[1]))
    return shown if made.rope else shown[:1]


def _p(made: DifferenceOver, value: float) -> str:
    return formats.probability(value, int(made.population.worth))
