"""Which of several classifiers is the best over many data sets, and on the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Unpack

import numpy as np

from howsure.answers.asking import Ask, Asking, spelled
from howsure.answers.law_summary import interval_cells, law_row
from howsure.answers.sheet import Sheet
from howsure.errors import InvalidArgument, NoInformation, OutOfReach
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Answered
from howsure.laws import Draws
from howsure.metrics import Asked
from howsure.numerics.arrays import bincount
from howsure.numerics.sites import LeadDraws, contest
from howsure.text import formats
from howsure.text.svg import forest
from howsure.units.over_units import FEWEST_SITES, MOST_SITES, few_units
from howsure.units.site_counts import AtDataSets, counts_at_data_sets


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
        """Both ends of the interval of its rank."""
        return self.low, self.high


FIELDS = """
metric paired level interval=kind classifiers=rows[name observed lead p_best p_best_new mean_rank ranks]
data_sets=counts.names sd_between_data_sets=contest.tau draws seed verdict=sentence warnings notes
"""
CSV = """
rows[classifier=name observed lead(mean low high) p_best p_best_new mean_rank rank_low=low
rank_high=high]
"""


@dataclass(frozen=True, repr=False, eq=False)
class RankedOver(Answered, json="rank_over", fields=FIELDS, csv=CSV):
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
    >>> from howsure.units.ranked_over import rank_over
    >>> made = rank_over({name: {"A": (9, 10), "B": (5, 10), "C": (4, 10)} for name in "uvwxyz"})
    >>> [row.name for row in made.rows], made.rows[0].p_best > made.rows[0].p_best_new > 0.9
    (['A', 'B', 'C'], True)
    """

    counts: AtDataSets
    contest: LeadDraws
    ask: Ask

    @property
    def metric(self) -> str:
        """The share of right answers."""
        return self.counts.metric

    @property
    def paired(self) -> bool:
        """Whether all answered the same cases of each data set."""
        return self.counts.paired

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
        made = [
            RankOver(
                name=name,
                observed=float(shown[t]),
                lead=Draws(average[:, t], support=(-1.0, 1.0)),
                p_best=float(best[t]),
                p_best_new=float(on_new[t]),
                mean_rank=float(ranks[:, t].mean()),
                low=int(ends[0, t]),
                high=int(ends[1, t]),
            )
            for t, name in enumerate(self.counts.classifiers)
        ]
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
        """A row for each classifier."""
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
        """Leads with their intervals as SVG."""
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
    data_sets : mapping or Predictions
        Of each data set by name the Predictions of all classifiers (paired), or ``{classifier: (k, n)}``: k right
        answers to n cases, as papers print them (separate). Or Predictions whose groups are the data sets.
    metric : str or Metric, optional
        A share of right answers: accuracy (if left out), or recall@ of a class.
    level, kind
        Of the intervals that are shown.
    draws, seed : int
    notes : sequence of str
        Sentences to carry along.

    Returns
    -------
    RankedOver

    Raises
    ------
    InvalidArgument, InvalidCounts, InvalidLabels
        One classifier, one that a data set has not, a data set without cases, a metric that is no share of right
        answers, more than 500 data sets or 50 classifiers.
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
