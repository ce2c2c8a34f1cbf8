"""Several test sets, sites, subjects or studies: one posterior of the population they come from, as an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

from howsure.answers.law_summary import interval_cells, law_row, summary
from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, OutOfReach
from howsure.errors.arguments import one_of, sentences
from howsure.laws import Kind
from howsure.laws.draw_settings import DRAWS, SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.metrics import Asked
from howsure.numerics.sites.site_population import site_population
from howsure.posterior.distribution import MOST_ROWS
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest
from howsure.units.site_counts import counts_by_site
from howsure.units.site_knowledge import FEW_SITES, PooledNumber, SiteKnowledge, Unit

__all__ = ["Pooled", "pool"]


#: The keys of the answer, and the columns of its CSV.
FIELDS = (
    "rates labels=_labels level interval=kind typical=_population.typical mean=_population.mean new=_population.new "
    "tau=_population.tau i2=_population.i2 correlation=_correlation sites=_sites draws seed "
    "draws_are_worth=population.worth verdict=sentence warnings notes"
)
CSV = "_lines[site rate k n *law(mean low high) about]"

#: Sites in a table that is read; the rest is in JSON and CSV.
SHOWN = 60

#: Draws that are worth fewer independent ones than this are told of.
FEW_DRAWS = 1000


@dataclass(frozen=True, repr=False, eq=False)
class Pooled(SiteKnowledge, Record, json="pool", fields=FIELDS, csv=CSV):
    """Posterior of the rates of several sites and of the population they come from; made by `pool`.

    Attributes
    ----------
    counts : SiteCounts
        What each site showed.
    population : SitePopulation
        Weighted draws of the means, sds and correlation of the logits.
    level, kind : float, "hdi" or "central"
        Of the intervals that are shown.
    draws, seed : int
    unit : "site" or "study"
        What each of them is called.

    Examples
    --------
    >>> from howsure.units.pooled import pool
    >>> pooled = pool({"Oslo": (82, 100), "Bergen": (75, 100), "Narvik": (92, 100)})
    >>> pooled.sites, pooled.rates
    (('Oslo', 'Bergen', 'Narvik'), ('rate',))
    >>> pooled.warnings[0].partition(":")[0]
    '3 sites tell little of how unlike sites are'
    """

    @property
    def _labels(self) -> tuple[str, ...] | None:
        return self.counts.labels or None

    @cached_property
    def _population(self) -> dict[str, dict[str, PooledNumber]] | None:
        """What is known of the population: about what, each rate."""
        if not self.tells_of_others:
            return None
        questions: dict[str, Callable[[str], PooledNumber]] = {
            "typical": self.of,
            "mean": lambda rate: self.of(rate, about="mean"),
            "new": lambda rate: self.of(rate, about="new"),
            "tau": self.tau,
            "i2": self.i2,
        }
        return {about: {rate: number(rate) for rate in self.rates} for about, number in questions.items()}

    @property
    def _correlation(self) -> PooledNumber | None:
        return self.correlation if self.tells_of_others else None

    @property
    def _lines(self) -> list[dict[str, Any]]:
        """A row for each site and rate, then the population without a name, for a site may be called anything."""
        lines: list[dict[str, Any]] = [
            {
                "site": site,
                "rate": rate,
                "k": int(self.counts.k[i, j]),
                "n": int(self.counts.n[i, j]),
                "law": self.of(rate, site=site),
                "about": "site",
            }
            for i, site in enumerate(self.sites)
            for j, rate in enumerate(self.rates)
        ]
        others = dict.fromkeys(("site", "rate", "k", "n"))
        population = self._population or {}
        lines += [
            {**others, "rate": rate, "law": population[about][rate], "about": about}
            for rate in self.rates
            for about in population
        ]
        if self._correlation is not None:
            lines.append({**others, "law": self._correlation, "about": "correlation"})
        return lines

    @property
    def _sites(self) -> list[dict[str, Any]]:
        sites: dict[str, dict[str, Any]] = {name: {"name": name} for name in self.sites}
        for line in self._lines:
            if line["about"] == "site":
                numbers = summary(line["law"], self.level, self.kind)
                sites[line["site"]][line["rate"]] = {"k": line["k"], "n": line["n"], **numbers}
        return list(sites.values())

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        sites = f"{formats.integer(len(self.sites))} {self._units}"
        if not self.tells_of_others:
            return f"{sites}: too few to say anything of others; each of them is below."
        kind = formats.interval_name(self.kind, self.level)
        typical = " and ".join(f"{formats.plain(rate)} is {self._words(self.of(rate))}" for rate in self.rates)
        new = " and ".join(self._ends(self.of(rate, about="new")) for rate in self.rates)
        both = "" if len(self.rates) == 1 else " each"
        return f"At a typical {self.unit} {typical}, {kind}; at a new one{both} within {new}. From {sites}."

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        found = []
        if self.tells_of_others and len(self.sites) < FEW_SITES:
            found.append(
                f"{len(self.sites)} {self._units} tell little of how unlike {self._units} are: the spread, and "
                f"with it the interval of a new {self.unit}, is mostly the prior's."
            )
        if self.population.worth < min(FEW_DRAWS, self.draws / 10):
            found.append(
                f"the {formats.integer(self.draws)} weighted draws are worth {self.population.worth:.0f} independent "
                "ones; take more (draws=)."
            )
        return tuple(found)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        both = len(self.rates) == 2
        between = f"between {self._units}, counts binomial, nothing added to"
        model = (
            f"Logits of sensitivity and specificity are bivariate normal {between} cells of 0 (Reitsma et al. 2005; "
            "Chu and Cole 2006)"
            if both
            else f"Logits of the rate are normal {between} counts of 0"
        )
        prior = "typical rates Beta(1/2, 1/2), sds of logits (tau) half-normal(1)" + (
            ", their correlation uniform" if both else ""
        )
        return (
            *self.counts.notes,
            *self._without_errors(),
            f"{model}. Priors: {prior}; all integrated. {formats.integer(self.draws)} weighted draws, worth "
            f"{formats.integer(round(self.population.worth))} independent ones.",
            f"Typical {self.unit}: the middle of the population, the summary point of a meta-analysis. I2: share of "
            f"the variance between {self._units} at their typical size. {self._units.capitalize()} are drawn towards "
            f"the rest by how little they show; all of it is about {self._units} like these.",
        )

    def _without_errors(self) -> tuple[str, ...]:
        """That the prior decides how near to 0 or 1 a rate is that was never seen away from it."""
        found = []
        for j, rate in enumerate(self.rates):
            k, n = self.counts.k[:, j].sum(), self.counts.n[:, j].sum()
            if n and k in (0, n):
                end = "1" if k else "0"
                found.append(
                    f"{formats.plain(rate)} is {end} in all {formats.several(int(n), 'case')} of all {self._units}: "
                    f"the prior decides how near {end} it is, and the cases how far it can be from there."
                )
        return tuple(found)

    def sheet(self) -> Sheet:
        """The population, and a row for each site."""
        kind = formats.interval_name(self.kind, self.level)
        header: list[str] = [self.unit]
        both = len(self.rates) == 2
        for rate, of in zip(self.rates, ("positives", "negatives"), strict=False):
            name = formats.plain(rate)
            header += [of, f"observed {name}", name, kind] if both else ["cases", "observed", name, kind]
        rows: list[tuple[str, ...]] = []
        if self.tells_of_others:
            for name, make in (
                (f"typical {self.unit}", self.of),
                (f"mean of {self._units}", lambda rate: self.of(rate, about="mean")),
                (f"new {self.unit}", lambda rate: self.of(rate, about="new")),
                ("tau (sd of logits)", self.tau),
                ("I2", self.i2),
            ):
                cells = [("", "", *interval_cells(make(rate), self.level, self.kind)) for rate in self.rates]
                rows.append((name, *(cell for each in cells for cell in each)))
            if self.correlation is not None:
                mean, ends = interval_cells(self.correlation, self.level, self.kind)
                rows.append(("correlation", "", "", mean, ends, "", "", "", ""))
        for i, name in enumerate(self.sites[:SHOWN]):
            line = [formats.plain(name)]
            for j, rate in enumerate(self.rates):
                k, n = int(self.counts.k[i, j]), int(self.counts.n[i, j])
                shown = f"{k / n:.3f}" if n else "none"
                line += [formats.integer(n), shown, *interval_cells(self.of(rate, site=name), self.level, self.kind)]
            rows.append(tuple(line))
        more = len(self.sites) - SHOWN
        return Sheet(
            self.sentence,
            tuple(header),
            tuple(rows),
            self.notes,
            left_out=f"{formats.integer(more)} more {self.unit if more == 1 else self._units} in --json."
            if more > 0
            else "",
            warnings=self.warnings,
        )

    def picture(self, *, width: float = 720) -> str:
        """Sites, a typical one and the interval of a new one as SVG, so many pixels wide."""
        kind = formats.interval_name(self.kind, self.level)
        rows = []
        for j, rate in enumerate(self.rates):
            if len(self.rates) > 1:
                rows.append(IntervalRow(formats.plain(rate), "", heading=True))
            if self.tells_of_others:
                new = self.of(rate, about="new").interval(self.level, self.kind)
                typical = law_row(f"typical {self.unit}", self.of(rate), self.level, self.kind)
                rows.append(typical._replace(outer=(new.low, new.high)))
            for i, name in enumerate(self.sites[: MOST_ROWS // len(self.rates)]):
                k, n = self.counts.k[i, j], self.counts.n[i, j]
                law = self.of(rate, site=name)
                rows.append(law_row(name, law, self.level, self.kind, observed=k / n if n else None))
        title = (
            f"{self._units.capitalize()} with their {kind}, drawn towards the rest (ticks: observed), and a typical "
            f"one; the thin line is the interval of a new {self.unit}"
        )
        return forest(rows, title=title, width=width)

    def _words(self, law: PooledNumber) -> str:
        mean, ends = interval_cells(law, self.level, self.kind)
        return f"{mean} ({ends})"

    def _ends(self, law: PooledNumber) -> str:
        return interval_cells(law, self.level, self.kind)[1]


#: Sites of a pool: their draws are held at once.
MOST_SITES = 500


def pool(
    sites: Any,
    *,
    metric: Asked | None = None,
    positive: object | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
    notes: Sequence[str] = (),
    unit: Unit = "site",
) -> Pooled:
    """Pool test sets of several sites, subjects or studies: how good at a typical one, and at a new one.

    Parameters
    ----------
    sites : mapping or sequence
        Of each site a ConfusionMatrix, Predictions of one classifier, or a pair (k, n): k of n cases. Or one
        ConfusionMatrix whose groups are the sites (``from_predictions(..., group=site)``).
    metric : str or Metric, optional
        A share of cases: accuracy, recall@, specificity@, precision@, prevalence@ and the like. Left out, sensitivity
        and specificity together of two classes, and accuracy of more. Of pairs, what to call the rate.
    positive : str, optional
        Of two classes the one that sensitivity is about.
    level, kind
        Of the intervals that are shown.
    draws, seed : int
        Weighted draws of the posterior.
    notes : sequence of str
        Sentences to carry along.
    unit : "site" or "study"
        What each of them is called in words.

    Returns
    -------
    Pooled

    Raises
    ------
    InvalidArgument, InvalidCounts, InvalidLabels
        No site, one site, a site without cases, sites of different classes, a case in two sites, a metric that is no
        share of cases, more than 500 sites.

    Notes
    -----
    Binomial counts, logits of the rates normal between sites: the bivariate model of Reitsma et al. 2005 with the exact
    likelihood of Chu and Cole 2006, and its margin for one rate. The typical rate is Beta(1/2, 1/2), sds of logits are
    half-normal(1), the correlation is uniform; all are integrated by importance sampling.

    Examples
    --------
    >>> from howsure.data.confusion import ConfusionMatrix
    >>> tables = [(47, 9, 101, 738), (126, 51, 272, 1543), (19, 10, 12, 192), (36, 3, 78, 276), (130, 19, 211, 959)]
    >>> studies = [ConfusionMatrix.from_counts(tp=a, fn=b, fp=c, tn=d) for a, b, c, d in tables]
    >>> pooled = pool(studies)
    >>> pooled.of("sensitivity")
    sensitivity 0.80 (0.68 to 0.92) 95 % HDI, typical site, drawn (Monte Carlo error 0.007)
    """
    level, kind = checked_level(level), checked_kind(kind)
    one_of(unit, get_args(Unit), "unit")
    draws, seed = checked_draws(draws), checked_seed(seed)
    counts = counts_by_site(sites, metric, positive)
    counts = replace(counts, notes=(*sentences(notes), *counts.notes))
    if len(counts.names) < 2:
        raise InvalidArgument("a pool is of two sites or more, and this is one; report it on its own (report, infer)")
    if len(counts.names) > MOST_SITES:
        raise OutOfReach(
            f"a pool is of {MOST_SITES} sites at most, and these are {len(counts.names)}; of so many, take each for a "
            "group of cases (ConfusionMatrix.from_predictions(..., group=site), infer)"
        )
    population = site_population(counts.k, counts.n, draws=draws, seed=seed)
    return Pooled(counts, population, level, kind, draws, seed, unit)
