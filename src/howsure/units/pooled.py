"""Several test sets, sites, subjects or studies: one posterior of the population they come from, as an answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np
from scipy import special

from howsure.answers.asking import Ask, Asking, picked, spelled
from howsure.answers.fields import law_row, summary
from howsure.answers.sheet import Sheet
from howsure.errors import InvalidArgument, UnknownName, excerpt, listing
from howsure.errors.arguments import number, one_of, sentences
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Knowledge
from howsure.laws.law import checked_level
from howsure.metrics import Asked, depends_on_prevalence, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import quantiles
from howsure.numerics.sites import site_population
from howsure.posterior.distribution import MOST_ROWS
from howsure.questions.estimates import MetricPool
from howsure.questions.estimates import pool as pool_of_kind
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest
from howsure.units.site_counts import (
    MOST_SITES,
    SHOWN,
    Hsroc,
    OverUnits,
    PooledNumber,
    SiteCounts,
    counts_by_site,
    refuse_number_of_units,
)

#: What a number of the population is about.
About = Literal["typical", "mean", "new"]

#: What each of those that are pooled is called.
Unit = Literal["site", "study"]

#: Points of a region's edge and of a curve.
EDGE, ALONG = 181, 61


#: The keys of the answer, and the columns of its CSV.
FIELDS = (
    "rates labels=_labels level interval=kind typical=_population.typical mean=_population.mean new=_population.new "
    "tau=_population.tau i2=_population.i2 correlation=_correlation sites=_sites draws seed "
    "draws_are_worth=population.worth verdict=sentence warnings notes"
)
CSV = "_lines[site rate k n *law(mean low high) about]"


@dataclass(frozen=True, repr=False, eq=False)
class Pooled(OverUnits, json="pool", fields=FIELDS, csv=CSV):
    """Posterior of the rates of several sites and of the population they come from; made by `pool`.

    Attributes
    ----------
    counts : SiteCounts
        What each site showed.
    population : SitePopulation
        Weighted draws of the means, sds and correlation of the logits.
    ask : Ask
    unit : "site" or "study"
        What each of them is called.

    Examples
    --------
    >>> from howsure.units.pooled import pool
    >>> pooled = pool({"Oslo": (82, 100), "Bergen": (75, 100), "Narvik": (92, 100)})
    >>> pooled.sites, pooled.rates
    (('Oslo', 'Bergen', 'Narvik'), ('rate',))
    >>> pooled.warnings[0].partition(":")[0]
    '3 sites tell little of how much sites differ'
    """

    counts: SiteCounts
    unit: Unit = "site"
    _instead: ClassVar[str] = "site=), or pool"

    @property
    def sites(self) -> tuple[str, ...]:
        """Names of the sites."""
        return self.counts.names

    @property
    def _units(self) -> str:
        return "studies" if self.unit == "study" else "sites"

    @property
    def rates(self) -> tuple[str, ...]:
        """The rate that is pooled, or "sensitivity" and "specificity"."""
        return self.counts.rates

    # -- numbers --------------------------------------------------------------------------------------------

    def of(
        self,
        metric: Asked | None = None,
        *,
        about: About = "typical",
        site: str | None = None,
        prevalence: float | None = None,
    ) -> PooledNumber:
        """What is known about one number.

        Parameters
        ----------
        metric : str, Metric or function, optional
            A rate of the pool; of sensitivity and specificity also a metric that they give. Left out where there is
            one rate.
        about : "typical", "mean" or "new"
            A site in the middle of the population (the summary point), the mean over its sites (of a rate), or a new
            site.
        site : str, optional
            Instead: one of the sites.
        prevalence : float, optional
            Share of the positive class, for metrics that depend on it (precision, accuracy, F1).

        Raises
        ------
        InvalidArgument, UnknownName
            A metric that the rates do not give, a site that is none of them.
        NoInformation
            Fewer than three sites say nothing of others.

        Examples
        --------
        >>> from howsure.units.pooled import pool
        >>> pooled = pool([(82, 100), (75, 100), (92, 100), (85, 100), (88, 100)])
        >>> pooled.of("rate", about="new")
        rate 0.83 (0.65 to 0.98) 95% HDI, new site, simulated (Monte Carlo error 0.001)
        """
        weight = self.population.weight
        if site is not None:
            if not isinstance(site, str) or site not in self.sites:
                raise UnknownName(site, self.sites)
            logits, weight = self._each[self.sites.index(site)]
            words = f"{self.unit} {site}"
        else:
            self._need_others()
            one_of(about, get_args(About), "about")
            logits, words = self.population.mean, f"typical {self.unit}"
            if about == "new":
                (logits, weight), words = self.population.new, f"new {self.unit}"
        rates = special.expit(logits)
        if site is None and about == "mean":
            rates, words = self.population.over_sites, f"mean of {self._units}"
        place = self._place(metric)
        if place is not None:
            return self._number(rates[:, place], (0.0, 1.0), self.rates[place], words, weight)
        if about == "mean" and site is None:
            raise InvalidArgument(
                f"the mean of {self._units} is known for {listing(self.rates)}; for {excerpt(metric)} use "
                "about='typical' or 'new'"
            )
        return self._of_both(metric, rates, weight, words, prevalence)

    def tau(self, rate: str | None = None) -> PooledNumber:
        """Spread between sites: the standard deviation of the logits of a rate."""
        j = self._rate(rate)
        return self._between(self.population.sd[:, j], (0.0, math.inf), f"tau of {self.rates[j]}")

    def i2(self, rate: str | None = None) -> PooledNumber:
        """Share of the variance of what sites show (on the logit scale) that is between sites.

        The variance within sites is that of the logit at a site of typical size and rate (Higgins and Thompson 2002,
        Stat Med 21: 1539, equation 9).
        """
        j = self._rate(rate)
        n = self.counts.n[:, j]
        n = n[n > 0]
        # of one site the equation says 0/0; it is as large as itself
        size = (n.sum() - (n @ n) / n.sum()) / (len(n) - 1) if len(n) > 1 else n.sum()
        mean, variance = self.population.mean[:, j], self.population.sd[:, j] ** 2
        ratio = variance * size * special.expit(mean) * special.expit(-mean)  # between over within
        return self._between(ratio / (ratio + 1), (0.0, 1.0), f"I2 of {self.rates[j]}")

    @property
    def correlation(self) -> PooledNumber | None:
        """Correlation of the logits of sensitivity and specificity between sites; None for one rate."""
        if len(self.rates) < 2:
            return None
        return self._between(self.population.rho, (-1.0, 1.0), "correlation of sensitivity and specificity")

    # -- regions and curves ---------------------------------------------------------------------------------

    def region(self, about: About = "typical", *, level: float | None = None) -> Floats:
        """Edge of the region that holds sensitivity and specificity, (181, 2): an ellipse of their logits.

        Parameters
        ----------
        about : "typical" or "new"
            The summary point (credible region), or a new site (prediction region).
        level : float, optional
            Probability inside.
        """
        self._need_both("a region")
        if not isinstance(about, str) or about not in ("typical", "new"):
            raise InvalidArgument(f"a region is about 'typical' or 'new', not {excerpt(about)}")
        level = checked_level(self.level if level is None else level)
        x, weight = self.population.new if about == "new" else (self.population.mean, self.population.weight)
        centre = weight @ x
        off = x - centre
        root = np.linalg.cholesky((off * weight[:, None]).T @ off)
        far = np.sqrt((np.linalg.solve(root, off.T) ** 2).sum(axis=0))
        order = np.argsort(far)
        radius = float(quantiles(far[order], np.array(level), np.cumsum(weight[order]) / weight.sum()))
        angle = np.linspace(0, 2 * np.pi, EDGE)
        return np.asarray(special.expit(centre + radius * np.stack((np.cos(angle), np.sin(angle)), axis=1) @ root.T))

    def hsroc(self, *, level: float | None = None) -> Hsroc:
        """Hierarchical summary ROC curve (Rutter and Gatsonis 2001; from the bivariate model: Harbord et al. 2007)."""
        self._need_both("an HSROC curve")
        level = checked_level(self.level if level is None else level)
        k, n = self.counts.k[:, 1], self.counts.n[:, 1]
        shown = ((n - k + 0.5) / (n + 1))[n > 0]
        at = np.linspace(special.logit(shown.min()), special.logit(shown.max()), ALONG)
        mean, sd, weight = self.population.mean, self.population.sd, self.population.weight
        slope = sd[:, 0] / sd[:, 1]
        tails = np.array([(1 - level) / 2, 0.5, (1 + level) / 2])
        found = np.empty((3, ALONG))
        for i, x in enumerate(at):
            y = mean[:, 0] + slope * (mean[:, 1] + x)
            order = np.argsort(y)
            found[:, i] = quantiles(y[order], tails, np.cumsum(weight[order]) / weight.sum())
        low, middle, high = special.expit(found)
        return Hsroc(special.expit(at), middle, low, high)

    # -- as an answer ----------------------------------------------------------------------------------------

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
        kind = self._interval_name
        each = [(formats.plain(rate), *self._cells(self.of(rate))) for rate in self.rates]
        typical = " and ".join(f"{rate} is {mean} ({ends})" for rate, mean, ends in each)
        new = " and ".join(self._cells(self.of(rate, about="new"))[1] for rate in self.rates)
        both = "" if len(self.rates) == 1 else " each"
        return f"At a typical {self.unit} {typical}, {kind}; at a new one{both} within {new}. From {sites}."

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
            f"{model}. Priors: {prior}; all integrated. {self._weighted}",
            f"Typical {self.unit}: the middle of the population, the summary point of a meta-analysis. I2: share of "
            f"the variance between {self._units} at their typical size. {self._units.capitalize()} are pulled towards "
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
        kind = self._interval_name
        header: list[str] = [self.unit]
        both = len(self.rates) == 2
        for rate, of in zip(self.rates, ("positives", "negatives"), strict=False):
            name = formats.plain(rate)
            header += [of, f"observed {name}", name, kind] if both else ["cases", "observed", name, kind]
        titles = {"typical": f"typical {self.unit}", "mean": f"mean of {self._units}", "new": f"new {self.unit}"}
        titles |= {"tau": "tau (sd of logits)", "i2": "I2"}
        rows: list[tuple[str, ...]] = []
        for about, numbers in (self._population or {}).items():
            cells = [("", "", *self._cells(numbers[rate])) for rate in self.rates]
            rows.append((titles[about], *(cell for each in cells for cell in each)))
        if self._correlation is not None:
            mean, ends = self._cells(self._correlation)
            rows.append(("correlation", "", "", mean, ends, "", "", "", ""))
        for i, name in enumerate(self.sites[:SHOWN]):
            line = [formats.plain(name)]
            for j, rate in enumerate(self.rates):
                k, n = int(self.counts.k[i, j]), int(self.counts.n[i, j])
                shown = f"{k / n:.3f}" if n else "none"
                line += [formats.integer(n), shown, *self._cells(self.of(rate, site=name))]
            rows.append(tuple(line))
        more = len(self.sites) - SHOWN
        return Sheet(
            self.sentence,
            tuple(header),
            tuple(rows),
            self.notes[-2:],
            below=self.notes[:-2],
            left_out=f"{formats.integer(more)} more {self.unit if more == 1 else self._units} in --json."
            if more > 0
            else "",
            warnings=self.warnings,
        )

    @property
    def _fewer(self) -> str:
        """What a page says below the picture, where it has not all sites."""
        most = MOST_ROWS // len(self.rates)
        return f" The first {most} sites." if len(self.sites) > most else ""

    def picture(self, *, width: float = 720) -> str:
        kind = self._interval_name
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
            f"{self._units.capitalize()} with their {kind}, pulled towards the rest (ticks: observed), and a typical "
            f"one; the thin line is the interval of a new {self.unit}"
        )
        return forest(rows, title=title, width=width)

    # -- inside ---------------------------------------------------------------------------------------------

    def _between(self, values: Floats, support: tuple[float, float], what: str) -> PooledNumber:
        self._need_others()
        return self._number(values, support, what, f"between {self._units}")

    def _need_both(self, what: str) -> None:
        self._need_others()
        if len(self.rates) < 2:
            raise InvalidArgument(f"{what} needs sensitivity and specificity; this is a pool of {self.rates[0]}")

    def _rate(self, rate: str | None) -> int:
        place = self._place(rate)
        if place is None:
            raise InvalidArgument(f"say of which rate: {listing(self.rates)}; not {excerpt(rate)}")
        return place

    def _place(self, metric: Asked | None) -> int | None:
        """Which of the rates is asked for; None for anything else."""
        if metric is None and len(self.rates) == 1:
            return 0
        known = [rate.partition("@")[0] for rate in self.rates]
        if isinstance(metric, str) and metric in (*self.rates, *known):
            return self.rates.index(metric) if metric in self.rates else known.index(metric)
        if len(self.rates) == 1:
            raise InvalidArgument(f"this is a pool of {self.rates[0]}, which does not give {excerpt(metric)}")
        return None

    def _of_both(
        self, metric: Asked | None, rates: Floats, weight: Floats, words: str, prevalence: float | None
    ) -> PooledNumber:
        """A metric of the table that sensitivity and specificity make."""
        if metric is None:
            raise InvalidArgument(f"say what of: {listing(self.rates)}, or a metric that they give")
        measure = parse(metric, self.counts.labels, self.counts.labels[1])
        if prevalence is None and depends_on_prevalence(measure, 2):
            raise InvalidArgument(
                f"{measure.name} depends on the prevalence, which differs between sites; state it: prevalence=0.1"
            )
        if prevalence is not None and not 0 < number(prevalence) < 1:
            raise InvalidArgument(f"prevalence= is a share strictly between 0 and 1, not {excerpt(prevalence)}")
        share = 0.5 if prevalence is None else float(prevalence)
        right = np.stack((rates[:, 1], rates[:, 0]), axis=1) * np.array([1 - share, share])
        whole = np.array([1 - share, share])
        tables = np.empty((len(rates), 2, 2))
        tables[:, [0, 1], [0, 1]], tables[:, [0, 1], [1, 0]] = right, whole - right
        low, high = measure.metric.range
        named = measure.name if prevalence is None else f"{measure.name} at prevalence {share:g}"
        return self._number(measure(tables), (low, high), named, words, weight)


@spelled(Asking)
def pool(
    sites: Any,
    *,
    metric: Asked | None = None,
    positive: object | None = None,
    notes: Sequence[str] = (),
    unit: Unit = "site",
    **how: Unpack[Asking],
) -> Pooled | MetricPool:
    """Pool test sets of several sites, subjects or studies: how good at a typical one, and at a new one.

    Parameters
    ----------
    sites : mapping or sequence
        Of each site a ConfusionMatrix, Predictions of one classifier, or a pair (k, n): k of n cases. Or one
        ConfusionMatrix whose groups are the sites (``from_predictions(..., group=site)``). Of items with scores, or
        of ratings, a mapping of site to `Items` or `Ratings`; or Items whose groups are the sites.
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
    Pooled, or MetricPool of items with scores

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
    sensitivity 0.80 (0.68 to 0.92) 95% HDI, typical site, simulated (Monte Carlo error 0.007)
    """
    ask = Ask.of(how)
    one_of(unit, get_args(Unit), "unit")
    if isinstance(sites, Items):
        sites = {name: own for name, (own, _) in sites.by_group().items()}
    if isinstance(sites, Mapping) and sites and all(isinstance(it, Knowledge) for it in sites.values()):
        first: Knowledge = next(iter(sites.values()))
        if positive is not None or not (metric is None or isinstance(metric, str)):
            raise InvalidArgument("positive= is about classes, and the metric of these data is a name; leave it out")
        return pool_of_kind(sites, metric, site=unit, ask=first.ask(**picked(how, Asking)), notes=sentences(notes))
    counts = counts_by_site(sites, metric, positive)
    counts = replace(counts, notes=(*sentences(notes), *counts.notes))
    refuse_number_of_units(
        len(counts.names),
        "a pool is of two sites or more, and this is one; report it on its own (report, infer)",
        f"a pool is of {MOST_SITES} sites at most (of more, take each for a group of cases: "
        "ConfusionMatrix.from_predictions(..., group=site), infer)",
    )
    population = site_population(counts.k, counts.n, draws=ask.draws, seed=ask.seed)
    return Pooled(counts, population, ask, unit)
