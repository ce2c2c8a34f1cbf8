"""A pool in words, as a table and as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from howsure.answers.law_summary import interval_cells, law_row
from howsure.answers.sheet import Sheet
from howsure.posterior.density_picture import MOST_ROWS
from howsure.text import formats
from howsure.text.spreadsheet import guarded
from howsure.text.svg import IntervalRow, forest
from howsure.units.site_knowledge import FEW_SITES, SiteKnowledge

if TYPE_CHECKING:
    from howsure.units.pooled_number import PooledNumber

__all__ = ["csv_of", "notes", "picture", "sentence", "sheet", "warnings"]

#: Sites in a table that is read; the rest is in JSON and CSV.
SHOWN = 60

#: Draws that are worth fewer independent ones than this are told of.
FEW_DRAWS = 1000


def sentence(pooled: SiteKnowledge) -> str:
    """The answer in one sentence."""
    sites = f"{formats.integer(len(pooled.sites))} {pooled._units}"
    if not pooled.tells_of_others:
        return f"{sites}: too few to say anything of others; each of them is below."
    kind = formats.interval_name(pooled.kind, pooled.level)
    typical = " and ".join(f"{formats.plain(rate)} is {_words(pooled, pooled.of(rate))}" for rate in pooled.rates)
    new = " and ".join(_ends(pooled, pooled.of(rate, about="new")) for rate in pooled.rates)
    both = "" if len(pooled.rates) == 1 else " each"
    return f"At a typical {pooled.unit} {typical}, {kind}; at a new one{both} within {new}. From {sites}."


def warnings(pooled: SiteKnowledge) -> tuple[str, ...]:
    """What would mislead a reader."""
    found = []
    if pooled.tells_of_others and len(pooled.sites) < FEW_SITES:
        found.append(
            f"{len(pooled.sites)} {pooled._units} tell little of how unlike {pooled._units} are: the spread, and "
            f"with it the interval of a new {pooled.unit}, is mostly the prior's."
        )
    if pooled.population.worth < min(FEW_DRAWS, pooled.draws / 10):
        found.append(
            f"the {formats.integer(pooled.draws)} weighted draws are worth {pooled.population.worth:.0f} independent "
            "ones; take more (draws=)."
        )
    return tuple(found)


def notes(pooled: SiteKnowledge) -> tuple[str, ...]:
    """What the numbers rest on."""
    both = len(pooled.rates) == 2
    between = f"between {pooled._units}, counts binomial, nothing added to"
    model = (
        f"Logits of sensitivity and specificity are bivariate normal {between} cells of 0 (Reitsma et al. 2005; Chu "
        "and Cole 2006)"
        if both
        else f"Logits of the rate are normal {between} counts of 0"
    )
    prior = "typical rates Beta(1/2, 1/2), sds of logits (tau) half-normal(1)" + (
        ", their correlation uniform" if both else ""
    )
    return (
        *pooled.counts.notes,
        *_without_errors(pooled),
        f"{model}. Priors: {prior}; all integrated. {formats.integer(pooled.draws)} weighted draws, worth "
        f"{formats.integer(round(pooled.population.worth))} independent ones.",
        f"Typical {pooled.unit}: the middle of the population, the summary point of a meta-analysis. I2: share of the "
        f"variance between {pooled._units} at their typical size. {pooled._units.capitalize()} are drawn towards the "
        f"rest by how little they show; all of it is about {pooled._units} like these.",
    )


def _without_errors(pooled: SiteKnowledge) -> tuple[str, ...]:
    """That the prior decides how near to 0 or 1 a rate is that was never seen away from it."""
    found = []
    for j, rate in enumerate(pooled.rates):
        k, n = pooled.counts.k[:, j].sum(), pooled.counts.n[:, j].sum()
        if n and k in (0, n):
            end = "1" if k else "0"
            found.append(
                f"{formats.plain(rate)} is {end} in all {formats.several(int(n), 'case')} of all {pooled._units}: the "
                f"prior decides how near {end} it is, and the cases how far it can be from there."
            )
    return tuple(found)


def sheet(pooled: SiteKnowledge) -> Sheet:
    """The population, and a row for each site."""
    kind = formats.interval_name(pooled.kind, pooled.level)
    header: list[str] = [pooled.unit]
    both = len(pooled.rates) == 2
    for rate, of in zip(pooled.rates, ("positives", "negatives"), strict=False):
        name = formats.plain(rate)
        header += [of, f"observed {name}", name, kind] if both else ["cases", "observed", name, kind]
    rows: list[tuple[str, ...]] = []
    if pooled.tells_of_others:
        for name, make in (
            (f"typical {pooled.unit}", pooled.of),
            (f"mean of {pooled._units}", lambda rate: pooled.of(rate, about="mean")),
            (f"new {pooled.unit}", lambda rate: pooled.of(rate, about="new")),
            ("tau (sd of logits)", pooled.tau),
            ("I2", pooled.i2),
        ):
            cells = [("", "", *interval_cells(make(rate), pooled.level, pooled.kind)) for rate in pooled.rates]
            rows.append((name, *(cell for each in cells for cell in each)))
        if pooled.correlation is not None:
            mean, ends = interval_cells(pooled.correlation, pooled.level, pooled.kind)
            rows.append(("correlation", "", "", mean, ends, "", "", "", ""))
    for i, name in enumerate(pooled.sites[:SHOWN]):
        line = [formats.plain(name)]
        for j, rate in enumerate(pooled.rates):
            k, n = int(pooled.counts.k[i, j]), int(pooled.counts.n[i, j])
            shown = f"{k / n:.3f}" if n else "none"
            line += [formats.integer(n), shown, *interval_cells(pooled.of(rate, site=name), pooled.level, pooled.kind)]
        rows.append(tuple(line))
    more = len(pooled.sites) - SHOWN
    return Sheet(
        sentence(pooled),
        tuple(header),
        tuple(rows),
        notes(pooled),
        left_out=f"{formats.integer(more)} more {pooled.unit if more == 1 else pooled._units} in --json."
        if more > 0
        else "",
        warnings=warnings(pooled),
    )


def csv_of(pooled: SiteKnowledge) -> str:
    """A row for each site and rate, then the population; texts that a spreadsheet would run are guarded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("site", "rate", "k", "n", "mean", "low", "high", "about"))
    for i, name in enumerate(pooled.sites):
        for j, rate in enumerate(pooled.rates):
            law = pooled.of(rate, site=name)
            counts = int(pooled.counts.k[i, j]), int(pooled.counts.n[i, j])
            ends = law.interval(pooled.level, pooled.kind)
            writer.writerow((guarded(name), guarded(rate), *counts, law.mean, *ends, "site"))
    # without a name, for a site may be called anything
    for about, rate, law in _population(pooled):
        ends = law.interval(pooled.level, pooled.kind)
        writer.writerow(("", guarded(rate), "", "", law.mean, *ends, about))
    return out.getvalue()


def _population(pooled: SiteKnowledge) -> Iterator[tuple[str, str, PooledNumber]]:
    """What is known of the population: about what, of which rate, the number."""
    if not pooled.tells_of_others:
        return
    for rate in pooled.rates:
        yield "typical", rate, pooled.of(rate)
        yield "mean", rate, pooled.of(rate, about="mean")
        yield "new", rate, pooled.of(rate, about="new")
        yield "tau", rate, pooled.tau(rate)
        yield "i2", rate, pooled.i2(rate)
    if pooled.correlation is not None:
        yield "correlation", "", pooled.correlation


def picture(pooled: SiteKnowledge, *, width: float = 720) -> str:
    """Sites, a typical one and the interval of a new one as SVG, so many pixels wide."""
    kind = formats.interval_name(pooled.kind, pooled.level)
    rows = []
    for j, rate in enumerate(pooled.rates):
        if len(pooled.rates) > 1:
            rows.append(IntervalRow(formats.plain(rate), "", heading=True))
        if pooled.tells_of_others:
            new = pooled.of(rate, about="new").interval(pooled.level, pooled.kind)
            typical = law_row(f"typical {pooled.unit}", pooled.of(rate), pooled.level, pooled.kind)
            rows.append(typical._replace(outer=(new.low, new.high)))
        for i, name in enumerate(pooled.sites[: MOST_ROWS // len(pooled.rates)]):
            k, n = pooled.counts.k[i, j], pooled.counts.n[i, j]
            law = pooled.of(rate, site=name)
            rows.append(law_row(name, law, pooled.level, pooled.kind, observed=k / n if n else None))
    title = (
        f"{pooled._units.capitalize()} with their {kind}, drawn towards the rest (ticks: observed), and a typical one; "
        f"the thin line is the interval of a new {pooled.unit}"
    )
    return forest(rows, title=title, width=width)


def _words(pooled: SiteKnowledge, law: PooledNumber) -> str:
    mean, ends = interval_cells(law, pooled.level, pooled.kind)
    return f"{mean} ({ends})"


def _ends(pooled: SiteKnowledge, law: PooledNumber) -> str:
    return interval_cells(law, pooled.level, pooled.kind)[1]
