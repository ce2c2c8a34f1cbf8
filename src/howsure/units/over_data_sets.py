"""Classifiers over many data sets: which of two is better, which of several the best, and on the next data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Unpack, get_args

import numpy as np

from howsure.answers.asking import Ask, Asking, spelled
from howsure.answers.fields import interval_cells, law_row
from howsure.answers.sheet import Sheet
from howsure.errors import InvalidArgument, NoInformation, OutOfReach, UnknownName, excerpt
from howsure.errors.arguments import number, one_of, sentences
from howsure.knowledge.protocol import Answered
from howsure.laws import Draws
from howsure.metrics import Asked
from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.sites import (
    GainOverSites,
    LeadDraws,
    apart,
    contest,
    gain_over_sites,
    site_population,
    together,
    uniform_rates,
)
from howsure.posterior.distribution import MOST_ROWS
from howsure.questions.differences import Chances
from howsure.text import formats
from howsure.text.svg import forest
from howsure.units.site_counts import (
    FEWEST_SITES,
    MOST_SITES,
    SHOWN,
    AtDataSets,
    OverUnits,
    PooledNumber,
    counts_at_data_sets,
    few_units,
    refuse_number_of_units,
)

About = Literal["mean", "new"]


#: The keys of the answer, and the columns of its CSV.
CHANCES = "p_better=chances.better p_equal=chances.equal p_worse=chances.worse"
COUNTS = "a_right a_n b_right b_n"
FIELDS = (
    f"a=names.0 b=names.1 metric paired rope level interval=kind mean_difference=_mean(*law {CHANCES}) "
    f"new_data_set=_new(*law {CHANCES}) spread=_spread data_sets=_rows[name {COUNTS} only_a only_b observed *law "
    f"{CHANCES}] draws seed draws_are_worth=population.worth verdict=sentence warnings notes"
)
CSV = f"_lines[data_set=name {COUNTS} observed *law(mean low high) {CHANCES} about]"


class AtSameDataSets(Answered):
    """What is known of classifiers that were tested on the same data sets."""

    counts: AtDataSets

    @property
    def metric(self) -> str:
        """The share of right answers."""
        return self.counts.metric

    @property
    def paired(self) -> bool:
        """Whether all answered the same cases of each data set."""
        return self.counts.paired


#: The model of a difference over data sets, and its priors, in words.
PAIRED_MODEL = (
    "Paired: both answered the same cases. Logits of the share of cases that only one has right, and of the part of "
    "these that is A's, are bivariate normal between data sets",
    "sds half-normal(1), their correlation uniform",
)
SEPARATE_MODEL = (
    "Separate test sets of both, also where these were the same cases: then the intervals are too long. Logits of "
    "both accuracies are normal between data sets, a level of each and a difference",
    "both sds half-normal(1)",
)


@dataclass(frozen=True, repr=False, eq=False)
class ComparedOver(OverUnits, AtSameDataSets, json="compare_over", fields=FIELDS, csv=CSV):
    """Difference of two classifiers over many data sets, A less B; made by `compare_over`.

    Attributes
    ----------
    counts : AtDataSets
        What each data set showed.
    population : SitePopulation
        Weighted draws of the population of data sets.
    rope : float or None
        Differences up to this size count as equivalent.
    ask : Ask

    Examples
    --------
    >>> made = compare_over({name: {"A": (90 + i, 100), "B": (80, 100)} for i, name in enumerate("uvwxyz")}, draws=2000)
    >>> made.chances().better > 0.99, made.chances("new").better > 0.9
    (True, True)
    >>> made.names, made.data_sets[:2], made.paired
    (('A', 'B'), ('u', 'v'), False)
    """

    counts: AtDataSets
    rope: float | None = None
    _instead: ClassVar[str] = "data_set=), or give"

    @property
    def names(self) -> tuple[str, str]:
        """The classifiers A and B."""
        a, b = self.counts.classifiers
        return a, b

    @property
    def data_sets(self) -> tuple[str, ...]:
        """Names of the data sets."""
        return self.counts.names

    def of(self, about: About = "mean", *, data_set: str | None = None) -> PooledNumber:
        """What is known about the difference, A less B.

        Parameters
        ----------
        about : "mean" or "new"
            The mean over the population of data sets, or a new data set of it (its true difference).
        data_set : str, optional
            Instead: one of those that were seen, drawn towards the rest by how little it shows.

        Raises
        ------
        InvalidArgument, UnknownName
            Another word, a data set that is none of them.
        NoInformation
            Fewer than three data sets say nothing of others.

        Examples
        --------
        >>> made = compare_over({name: {"A": (90, 100), "B": (80, 100)} for name in "uvwxyz"}, draws=2000)
        >>> made.of("new").about
        'new data set'
        """
        if data_set is not None:
            if not isinstance(data_set, str) or data_set not in self.data_sets:
                raise UnknownName(data_set, self.data_sets)
            logits, weight = self._each[self.data_sets.index(data_set)]
            return self._difference(self._gain(logits), f"data set {data_set}", weight)
        self._need_others()
        if one_of(about, get_args(About), "about") == "new":
            logits, weight = self.population.new
            return self._difference(self._gain(logits), "new data set", weight)
        return self._difference(self._over.mean, "mean of data sets")

    @property
    def spread(self) -> PooledNumber:
        """Standard deviation of the difference between data sets."""
        self._need_others()
        return self._number(self._over.sd, (0.0, 1.0), "spread of the difference", "data sets")

    def chances(self, about: About = "mean", *, data_set: str | None = None) -> Chances:
        """Probabilities that A is better, practically equal and worse, as of `of`; never 0 or 1, for they are drawn.

        Examples
        --------
        >>> sets = {name: {"A": (90, 100), "B": (90, 100)} for name in "uvwxyz"}
        >>> chances = compare_over(sets, rope=0.05, draws=2000).chances("new")
        >>> chances.equal > max(chances.better, chances.worse)
        True
        """
        law = self.of(about, data_set=data_set)
        width = self.rope or 0.0
        above, below = float(law.prob(above=width)), float(law.prob(below=-width))
        least = 1 / max(self.population.worth, 2.0)
        better, worse = (min(max(p, least), 1 - least) for p in (above, below))
        equal = max(1 - above - below, least) if width else 0.0
        total = better + equal + worse
        return Chances(better / total, equal / total, worse / total)

    # -- as an answer ----------------------------------------------------------------------------------------

    @property
    def _mean(self) -> dict[str, Any] | None:
        return {"law": self.of(), "chances": self.chances()} if self.tells_of_others else None

    @property
    def _new(self) -> dict[str, Any] | None:
        return {"law": self.of("new"), "chances": self.chances("new")} if self.tells_of_others else None

    @property
    def _spread(self) -> PooledNumber | None:
        return self.spread if self.tells_of_others else None

    @property
    def _rows(self) -> list[dict[str, Any]]:
        """What is known of each data set."""
        (n, m), (k, j) = self.counts.n.T, self.counts.right.T
        counts = {"a_right": k, "a_n": n, "b_right": j, "b_n": m}
        only = dict(zip(("only_a", "only_b"), self.counts.cells.T[1:3], strict=True)) if self.paired else {}
        return [
            {
                "name": name,
                "only_a": None,
                "only_b": None,
                **{key: int(column[i]) for key, column in {**counts, **only}.items()},
                "observed": float(self.counts.observed[i]),
                "law": self.of(data_set=name),
                "chances": self.chances(data_set=name),
                "about": "data set",
            }
            for i, name in enumerate(self.data_sets)
        ]

    @property
    def _lines(self) -> list[dict[str, Any]]:
        """The data sets, then the population."""
        others = {"mean": self._mean, "new": self._new, "spread": {"law": self._spread, "chances": None}}
        empty = dict.fromkeys(("name", "a_right", "a_n", "b_right", "b_n", "observed"))
        population = others.items() if self.tells_of_others else ()
        return [*self._rows, *({**empty, **(row or {}), "about": about} for about, row in population)]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        a, b = (formats.plain(name, 40) for name in self.names)
        sets = formats.several(len(self.data_sets), "data set")
        if not self.tells_of_others:
            return f"{a} and {b} on {sets}: too few to say anything of others; each of them is below."
        kind = self._interval_name
        mean, ends = self._cells(self.of())
        metric = formats.plain(self.metric)
        average, new = self.chances(), self.chances("new")
        words = (
            f"Over data sets like these {len(self.data_sets)} {a} has {mean} ({ends}, {kind}) more {metric} than {b} "
            f"on average: better with probability {self._p(average.better)}, on a new data set with "
            f"{self._p(new.better)}"
        )
        if not self.rope:
            return f"{words}."
        equal = f"practically equal (within {self.rope:g}) with {self._p(new.equal)}"
        return f"{words}, {equal}, worse with {self._p(new.worse)}."

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        model, prior = PAIRED_MODEL if self.paired else SEPARATE_MODEL
        return (
            *self.counts.notes,
            f"{model}; counts binomial. Priors: mean rates uniform, {prior}; all integrated. {self._weighted}",
            "A new data set: the true difference on the next data set like these, each data set having one vote. Of "
            "the trained classifiers as they were tested, not of their training.",
        )

    def sheet(self) -> Sheet:
        a = formats.plain(self.names[0], 30)
        kind = self._interval_name
        header: tuple[str, ...] = ("data set", "cases", "observed", "difference", kind, f"P({a} better)")
        header = (*header, "P(equal)") if self.rope else header
        rows: list[tuple[str, ...]] = []
        if self.tells_of_others:
            rows.append(("mean of data sets", "", "", *self._cells(self.of()), *self._chances(self.chances())))
            rows.append(("new data set", "", "", *self._cells(self.of("new")), *self._chances(self.chances("new"))))
            blank = ("",) * (len(header) - 5)
            rows.append(("sd between data sets", "", "", *self._cells(self.spread), *blank))
        (n, m), observed = self.counts.n.T, self.counts.observed
        for i, name in enumerate(self.data_sets[:SHOWN]):
            size = formats.integer(int(n[i])) + ("" if n[i] == m[i] else f", {formats.integer(int(m[i]))}")
            law, chances = self.of(data_set=name), self.chances(data_set=name)
            cells = self._cells(law), self._chances(chances)
            rows.append((formats.plain(name, 30), size, f"{observed[i]:.3f}", *cells[0], *cells[1]))
        more = len(self.data_sets) - SHOWN
        return Sheet(
            self.sentence,
            header,
            tuple(rows),
            self.notes[-2:],
            below=self.notes[:-2],
            left_out=f"{formats.several(more, 'more data set')} in --json." if more > 0 else "",
            warnings=self.warnings,
        )

    def picture(self) -> str:
        rows = []
        if self.tells_of_others:
            new = self.of("new").interval(self.level, self.kind)
            rows.append(
                law_row("mean of data sets", self.of(), self.level, self.kind)._replace(outer=(new.low, new.high))
            )
        for i, name in enumerate(self.data_sets[:MOST_ROWS]):
            law, observed = self.of(data_set=name), float(self.counts.observed[i])
            rows.append(law_row(name, law, self.level, self.kind, observed=observed, chance=0.0))
        title = f"{formats.plain(self.names[0], 30)} less {formats.plain(self.names[1], 30)} by data set"
        return forest(rows, title=f"{title}; the thin line is the interval of a new data set")

    def _chances(self, chances: tuple[float, float, float]) -> tuple[str, ...]:
        shown = (self._p(chances[0]), self._p(chances[1]))
        return shown if self.rope else shown[:1]

    def _p(self, value: float) -> str:
        return formats.probability(value, int(self.population.worth))

    # -- inside ---------------------------------------------------------------------------------------------

    @cached_property
    def _over(self) -> GainOverSites:
        made = self.population
        return gain_over_sites(made.mean, made.sd, made.rho, paired=self.paired)

    def _gain(self, logits: Floats) -> Floats:
        return together(logits) if self.paired else apart(logits)

    def _difference(self, values: Floats, about: str, weight: Floats | None = None) -> PooledNumber:
        return self._number(values, (-1.0, 1.0), f"difference of {self.metric}", about, weight)


#: Scale of the half-normal prior of the sd between data sets of the difference of two logits, of separate test sets.
APART = 1.0


@spelled(Asking)
def compare_over(
    data_sets: Any,
    a: str | None = None,
    b: str | None = None,
    *,
    metric: Asked | None = None,
    rope: float | None = None,
    notes: Sequence[str] = (),
    **how: Unpack[Asking],
) -> ComparedOver:
    """Compare two classifiers over many data sets: the mean difference, its spread, and that on a new data set.

    Parameters
    ----------
    data_sets : mapping or Predictions
        Of each data set by name the Predictions of both classifiers (paired), or ``{classifier: (k, n)}``: k right
        answers to n cases, as papers print them (separate). Or Predictions whose groups are the data sets.
    a, b : str, optional
        The classifiers; where there are two, those.
    metric : str or Metric, optional
        A share of right answers: accuracy (if left out), or recall@ of a class.
    rope : float, optional
        Differences up to this size count as equivalent.
    level, kind
        Of the intervals that are shown.
    draws, seed : int
        Weighted draws of the posterior.
    notes : sequence of str
        Sentences to carry along.

    Raises
    ------
    InvalidArgument, InvalidCounts, InvalidLabels, UnknownClassifier
        One data set, one without cases, a case in two, a classifier that one has not, a metric that is no share of
        right answers, a rope outside of 0 to 1, more than 500 data sets.

    Notes
    -----
    Logits are normal between data sets and counts binomial, as in `pool`. Same cases: of the share of cases that only
    one of both has right, and the part of these that is A's. Separate test sets: of both accuracies, as the level of a
    data set and a difference (Corani et al. 2017, Mach Learn 106: 1817, have normal scores of folds instead of counts).

    Examples
    --------
    >>> counts = {"iris": ((141, 150), (143, 150)), "wine": ((170, 178), (165, 178)), "glass": ((150, 214), (141, 214))}
    >>> made = compare_over({name: {"forest": x, "tree": y} for name, (x, y) in counts.items()}, seed=3)
    >>> made.of()
    difference of accuracy 0.02 (-0.08 to 0.13) 95% HDI, mean of data sets, simulated (Monte Carlo error 0.004)
    """
    ask = Ask.of(how)
    counts = counts_at_data_sets(data_sets, metric, "compare_over", a, b)
    alone = "this is one data set; compare() compares two classifiers on it"
    refuse_number_of_units(len(counts.names), alone, f"{MOST_SITES} data sets at most are compared over")
    if rope is not None and not 0 <= number(rope) < 1:
        raise InvalidArgument(
            f"rope is the largest difference that counts as equivalent, from 0 to 1; not {excerpt(rope)}"
        )
    counts = replace(counts, notes=(*sentences(notes), *counts.notes))
    k, n = counts.rates
    population = site_population(
        k, n, draws=ask.draws, seed=ask.seed, middle=uniform_rates, shared=None if counts.paired else APART
    )
    return ComparedOver(counts, population, ask, None if rope is None else float(rope))


# -- Which of several is the best --------------------------------------------------------------------------------------


class RankOver(NamedTuple):
    """One classifier: its lead over the average one, probabilities of being the best, its rank on average."""

    name: str
    observed: float
    lead: Draws
    p_best: float
    p_best_new: float
    mean_rank: float
    low: int
    high: int

    @property
    def ranks(self) -> tuple[int, int]:
        return self.low, self.high


FIELDS_OF_RANKS = """
metric paired level interval=kind classifiers=rows[name observed lead p_best p_best_new mean_rank ranks]
data_sets=counts.names sd_between_data_sets=contest.tau draws seed verdict=sentence warnings notes
"""
CSV_OF_RANKS = """
rows[classifier=name observed lead(mean low high) p_best p_best_new mean_rank rank_low=low
rank_high=high]
"""


@dataclass(frozen=True, repr=False, eq=False)
class RankedOver(AtSameDataSets, json="rank_over", fields=FIELDS_OF_RANKS, csv=CSV_OF_RANKS):
    """Ranks of classifiers over many data sets; made by `rank_over`.

    Attributes
    ----------
    counts : AtDataSets
        What each data set showed.
    contest : LeadDraws
        Draws of the scores over data sets and on a new one, less the average classifier's.
    ask : Ask

    Examples
    --------
    >>> made = rank_over({name: {"A": (9, 10), "B": (5, 10), "C": (4, 10)} for name in "uvwxyz"})
    >>> [row.name for row in made.rows], made.rows[0].p_best > made.rows[0].p_best_new > 0.9
    (['A', 'B', 'C'], True)
    """

    counts: AtDataSets
    contest: LeadDraws
    ask: Ask

    @cached_property
    def rows(self) -> tuple[RankOver, ...]:
        """The classifiers, the best expected rank first."""
        average, new = self.contest.average, self.contest.new
        size = average.shape[1]
        ranks = (-average).argsort(axis=1, kind="stable").argsort(axis=1) + 1
        best, on_new = (bincount(x.argmax(axis=1), minlength=size) / len(x) for x in (average, new))
        tail = (1 - self.level) / 2
        ends = np.quantile(ranks, [tail, 1 - tail], axis=0, method="inverted_cdf").astype(int)
        shown = self.counts.shares.mean(axis=0)
        least = 1 / len(average)
        best, on_new = (np.clip(p, least, 1 - least) for p in (best, on_new))
        leads = [Draws(column, support=(-1.0, 1.0)) for column in average.T]
        columns = (x.tolist() for x in (best, on_new, ranks.mean(axis=0), *ends))
        rows = zip(self.counts.classifiers, shown.tolist(), leads, *columns, strict=True)
        made = [RankOver(*row) for row in rows]
        return tuple(sorted(made, key=lambda row: row.mean_rank))

    @property
    def best(self) -> str:
        """The classifier that is most probably the best on average."""
        return max(self.rows, key=lambda row: row.p_best).name

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        row = max(self.rows, key=lambda x: x.p_best)
        most = max(self.rows, key=lambda x: x.p_best_new)
        other = "" if most.name == row.name else f" ({formats.plain(most.name, 40)})"
        return (
            f"Over data sets like these {len(self.counts.names)} {formats.plain(row.name, 40)} has the best "
            f"{formats.plain(self.metric)} on average with probability {self._p(row.p_best)}; the most likely best on "
            f"a new data set{other} is it with {self._p(most.p_best_new)}."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return few_units(len(self.counts.names), "data sets")

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        how = (
            "Paired: all answered the same cases"
            if self.paired
            else "Separate test sets of all, also where these were the same cases: then too little is claimed"
        )
        learned = len(self.counts.classifiers) > 2
        sample = ", that of classifiers likewise (they are a sample from a population, learned)" if learned else ""
        return (
            *self.counts.notes,
            f"{how}. Shares are taken as normal, so probabilities are approximate; how hard a data set is drops out. "
            f"Priors: sd of the luck of a classifier on a data set half-normal(0.1){sample}. "
            f"{formats.integer(self.draws)} draws.",
            "Lead: over the average classifier of this list, on average over data sets, each having one vote. Of the "
            "trained classifiers as they were tested, not of their training.",
        )

    def sheet(self) -> Sheet:
        kind = self._interval_name
        header = (
            "classifier",
            f"mean {formats.plain(self.metric)}",
            "lead",
            kind,
            "P(best)",
            "P(best on a new)",
            "ranks",
        )
        rows = tuple(
            (
                formats.plain(row.name, 30),
                f"{row.observed:.3f}",
                *interval_cells(row.lead, self.level, self.kind),
                self._p(row.p_best),
                self._p(row.p_best_new),
                str(row.low) if row.low == row.high else f"{row.low} to {row.high}",
            )
            for row in self.rows
        )
        return Sheet(self.sentence, header, rows, self.notes[-2:], below=self.notes[:-2], warnings=self.warnings)

    def picture(self) -> str:
        rows = [law_row(row.name, row.lead, self.level, self.kind, chance=0.0) for row in self.rows]
        return forest(rows, title="Lead over the average classifier, on average over data sets")

    def _p(self, value: float) -> str:
        return formats.probability(value, self.draws)


#: Classifiers whose covariances are held at once.
MOST_CLASSIFIERS = 50


@spelled(Asking)
def rank_over(
    data_sets: Any,
    *,
    metric: Asked | None = None,
    notes: Sequence[str] = (),
    **how: Unpack[Asking],
) -> RankedOver:
    """Rank classifiers over many data sets: P(best on average), P(best on a new data set), and ranks.

    Parameters
    ----------
    data_sets, metric, level, kind, draws, seed, notes
        As in `compare_over`, of all classifiers.

    Raises
    ------
    InvalidArgument, InvalidCounts, InvalidLabels
        As `compare_over`; more than 50 classifiers.
    NoInformation
        Fewer than three data sets say nothing of others.

    Notes
    -----
    Shares are taken as normal with their covariance within a data set; how hard a data set is drops out. Every
    classifier is as lucky on a data set as every other (one sd, half-normal(0.1)). From three classifiers on the
    classifiers are a sample from a normal population that is learned, as in `rank`.

    Examples
    --------
    >>> one = {"forest": (92, 100), "tree": (84, 100), "bayes": (80, 100)}
    >>> counts = dict.fromkeys(["iris", "wine", "glass", "sonar"], one)
    >>> rank_over(counts).best
    'forest'
    """
    ask = Ask.of(how)
    counts = counts_at_data_sets(data_sets, metric, "rank_over")
    if len(counts.classifiers) < 2:
        raise InvalidArgument("this is one classifier; pool() pools its data sets")
    if len(counts.names) < FEWEST_SITES:
        raise NoInformation(
            f"{len(counts.names)} data sets say nothing of others; give {FEWEST_SITES} or more, or rank on each alone "
            "(rank)"
        )
    if len(counts.names) > MOST_SITES or len(counts.classifiers) > MOST_CLASSIFIERS:
        raise OutOfReach(
            f"{MOST_SITES} data sets and {MOST_CLASSIFIERS} classifiers at most are ranked over, and these are "
            f"{len(counts.names)} and {len(counts.classifiers)}"
        )
    counts = replace(counts, notes=(*sentences(notes), *counts.notes))
    made = contest(counts.shares, counts.cover, draws=ask.draws, seed=ask.seed)
    return RankedOver(counts, made, ask)
