"""What is known of several sites and of the population they come from: numbers, regions and a curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from scipy import special

from howsure.errors import InvalidArgument, NoInformation, UnknownName, excerpt, listing
from howsure.errors.arguments import number, one_of
from howsure.laws import Draws
from howsure.laws.law import Kind, checked_level
from howsure.metrics import Asked, depends_on_prevalence, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import quantiles
from howsure.numerics.sites.importance_weights import ImportanceWeights
from howsure.numerics.sites.site_population import SitePopulation
from howsure.text import formats
from howsure.units.site_counts import SiteCounts

__all__ = ["FEWEST_SITES", "FEW_SITES", "About", "PooledNumber", "SiteKnowledge", "Unit"]

#: What a number of the population is about.
About = Literal["typical", "mean", "new"]

#: What each of those that are pooled is called.
Unit = Literal["site", "study"]

#: With fewer sites nothing is said of others; with fewer than the second number that is mostly the prior's.
FEWEST_SITES, FEW_SITES = 3, 5

#: Points of a region's edge and of a curve.
EDGE, ALONG = 181, 61


class PooledNumber(Draws):
    """What is known about one number of a pool, with the vocabulary of every law; made by `Pooled.of`.

    Its Monte Carlo errors are those of independent weighted draws; the draws are more even, so errors are smaller.

    Examples
    --------
    >>> import howsure as hs
    >>> hs.pool([(82, 100), (75, 100), (92, 100), (85, 100), (88, 100)]).of("rate")
    rate 0.84 (0.76 to 0.92) 95 % HDI, typical site, drawn (Monte Carlo error 0.001)
    """

    def __init__(
        self, values: Floats, weight: Floats, *, support: tuple[float, float], metric: str, about: str
    ) -> None:
        super().__init__(values, support=support, strata=ImportanceWeights(weight))
        self._metric, self._about = metric, about

    @property
    def metric(self) -> str:
        """The number, as it was asked for."""
        return self._metric

    @property
    def about(self) -> str:
        """What it is about: a typical site, the mean of sites, a new site, or one that was seen."""
        return self._about

    def __repr__(self) -> str:
        ends = self.interval()
        places = formats.decimals(*ends, error=self.error)
        kind = "HDI" if ends.kind == "hdi" else "central (not unimodal)"
        name = formats.isolated(formats.plain(self._metric))
        return (
            f"{name} {formats.number(self.mean, places)} ({formats.interval(*ends, places)}) 95 % {kind}, "
            f"{formats.plain(self._about)}, drawn (Monte Carlo error {self.error:.1g})"
        )


@dataclass(frozen=True, eq=False)
class Hsroc:
    """Hierarchical summary ROC curve with pointwise intervals, over the range of what sites showed.

    Attributes
    ----------
    false_positive_rate, sensitivity, low, high : ndarray, shape (m,)
        Sensitivity is the median of the curve, low and high the ends of its central interval.
    """

    false_positive_rate: Floats
    sensitivity: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, repr=False, eq=False)
class SiteKnowledge:
    """What `Pooled` can be asked; its fields are explained there."""

    counts: SiteCounts
    population: SitePopulation
    level: float
    kind: Kind
    draws: int
    seed: int
    unit: Unit = "site"

    @property
    def sites(self) -> tuple[str, ...]:
        """Names of the sites."""
        return self.counts.names

    @property
    def _units(self) -> str:
        """What they are called where there are many: sites or studies."""
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
        rate 0.83 (0.65 to 0.98) 95 % HDI, new site, drawn (Monte Carlo error 0.001)
        """
        weight = self.population.weight
        if site is not None:
            if not isinstance(site, str) or site not in self.sites:
                raise UnknownName(site, self.sites)
            logits, weight = self._at_sites[self.sites.index(site)]
            words = f"{self.unit} {site}"
        else:
            self._need_sites()
            one_of(about, get_args(About), "about")
            logits, words = self.population.mean, f"typical {self.unit}"
            if about == "new":
                (logits, weight), words = self.population.new, f"new {self.unit}"
        rates = special.expit(logits)
        if site is None and about == "mean":
            rates, words = self.population.over_sites, f"mean of {self._units}"
        place = self._place(metric)
        if place is not None:
            return PooledNumber(rates[:, place], weight, support=(0.0, 1.0), metric=self.rates[place], about=words)
        if about == "mean" and site is None:
            raise InvalidArgument(
                f"the mean of {self._units} is told of {listing(self.rates)}; of {excerpt(metric)} ask "
                "about='typical' or 'new'"
            )
        return self._of_both(metric, rates, weight, words, prevalence)

    def tau(self, rate: str | None = None) -> PooledNumber:
        """Spread between sites: the standard deviation of the logits of a rate."""
        j = self._rate(rate)
        return self._number(self.population.sd[:, j], (0.0, math.inf), f"tau of {self.rates[j]}")

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
        return self._number(ratio / (ratio + 1), (0.0, 1.0), f"I2 of {self.rates[j]}")

    @property
    def correlation(self) -> PooledNumber | None:
        """Correlation of the logits of sensitivity and specificity between sites; None for one rate."""
        if len(self.rates) < 2:
            return None
        return self._number(self.population.rho, (-1.0, 1.0), "correlation of sensitivity and specificity")

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

    @property
    def tells_of_others(self) -> bool:
        """Whether there are sites enough to say anything of others."""
        return len(self.sites) >= FEWEST_SITES

    # -- inside ---------------------------------------------------------------------------------------------

    @cached_property
    def _at_sites(self) -> list[tuple[Floats, Floats]]:
        return [self.population.site(i) for i in range(len(self.sites))]

    def _number(self, values: Floats, support: tuple[float, float], what: str) -> PooledNumber:
        self._need_sites()
        return PooledNumber(
            values, self.population.weight, support=support, metric=what, about=f"between {self._units}"
        )

    def _need_sites(self) -> None:
        if not self.tells_of_others:
            raise NoInformation(
                f"{len(self.sites)} {self._units} say nothing of others: how unlike they are would be the prior's. Ask "
                f"about one of them (site=), or pool {FEWEST_SITES} or more"
            )

    def _need_both(self, what: str) -> None:
        self._need_sites()
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
        return PooledNumber(measure(tables), weight, support=(low, high), metric=named, about=words)
