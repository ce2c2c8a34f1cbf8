"""One metric of a report: what is known of it and of its skill, its numbers, and the same in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from howsure.answers.fields import Keyed, layout
from howsure.data.labels import positive_or_last
from howsure.errors import NoInformation, OutOfReach
from howsure.knowledge.protocol import Ask
from howsure.laws import Draws, Kind, Law
from howsure.metrics import Asked, Measure, depends_on_prevalence, named, of_class, parse, parse_each
from howsure.metrics.measure import plain_name
from howsure.posterior.better_than_chance import ChanceStatement, better_than_chance, prepare_chance
from howsure.posterior.distribution import Distribution
from howsure.posterior.judged import judged_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.questions.thresholds import Thresholds
from howsure.reporting.judged_summary import judged_measures
from howsure.text import formats
from howsure.text.svg import IntervalRow

#: Above this many rows about classes, only the lowest ones are shown to people; JSON has all.
MOST_ROWS_SHOWN = 40
WORST = 10

#: Error of the distribution function of an approximate law from which on the table says it.
TOLD = 0.01

#: Behind the name of a metric that depends on the prevalence, and of one that is taken at the shares of the test set.
PREVALENCE_MARK, SHARES_MARK = " *", " **"


#: The keys of a row, and its columns of CSV, where the measure is one name.
FIELDS = """
metric average label observed depends_on_prevalence mean median mode sd low high interval mu prior_shift
chance=above_chance p_above_chance law error draws at_test_shares
"""
COLUMNS = layout(
    "metric=name observed depends_on_prevalence mean median mode sd low high interval mu prior_effect=prior_shift "
    "chance p_above_chance chance_prior=above_chance.prior chance_rule=above_chance.rule method=law error draws "
    "at_test_shares"
)


@dataclass(frozen=True)
class Row(Keyed, fields=FIELDS):
    """One metric in a report; numbers are None where there is no information."""

    metric: str
    average: str | None
    label: str | None
    observed: float | None
    depends_on_prevalence: bool = False
    mean: float | None = None
    median: float | None = None
    mode: float | None = None
    sd: float | None = None
    low: float | None = None
    high: float | None = None
    interval: str | None = None
    mu: float | None = None
    prior_shift: float | None = None
    above_chance: ChanceStatement | None = None
    law: str | None = None
    error: float | None = None
    draws: int | None = None
    asked: tuple[float, ...] | None = None
    at_test_shares: bool = False

    @property
    def name(self) -> str:
        """The measure in the grammar of metrics."""
        return named(self.metric, self.average, self.label)

    @property
    def chance(self) -> float | None:
        """What a classifier without skill reaches, where the metric declares it."""
        return None if self.above_chance is None else self.above_chance.value

    @property
    def p_above_chance(self) -> float | None:
        """Probability of being better than that."""
        return None if self.above_chance is None else self.above_chance.probability


class Words(NamedTuple):
    """One row as text; everything that has digits is cut to those that its interval supports."""

    observed: str
    mean: str
    interval: str = ""
    low: str = ""
    high: str = ""
    mu: str = ""
    above_chance: str = ""
    prior_shift: str = ""
    law: str = ""
    asked: tuple[str, ...] = ()


def words(row: Row, kind: Kind, thresholds: Thresholds) -> Words:
    """The numbers of a row in words; a row without an answer says so."""
    if row.mean is None or row.low is None or row.high is None or row.mu is None:
        return Words(formats.number(row.observed, 3), "no answer", asked=thresholds.words(None, 0, None))
    better, places = row.above_chance, _places(row, row.low, row.high)
    ends = formats.interval(row.low, row.high, places)
    mean, low, high, mu = (formats.number(it, places) for it in (row.mean, row.low, row.high, row.mu))
    law = f"simulated ±{row.error:.1g}" if row.law == "simulated" else str(row.law)
    if row.law == "approximate" and (row.error or 0.0) > TOLD:
        law += f", cdf ±{row.error:.1g}"
    return Words(
        formats.number(row.observed, max(places, 3)), mean,
        ends if row.interval == kind else f"{ends} ({row.interval})", low, high, mu,
        "" if better is None else formats.probability(better.probability, better.draws),
        "" if row.prior_shift is None else formats.number(row.prior_shift, 1), law,
        thresholds.words(row.asked, places, row.draws),
    )  # fmt: skip


def cells(row: Row, kind: Kind, thresholds: Thresholds) -> tuple[str, ...]:
    """A row in the order of the header of a report."""
    it = words(row, kind, thresholds)
    mark = SHARES_MARK if row.at_test_shares else PREVALENCE_MARK if row.depends_on_prevalence else ""
    name = formats.plain(row.name) + mark
    return (name, it.observed, it.mean, it.interval, *it.asked, it.mu, it.above_chance, it.prior_shift, it.law)


def drawn_row(row: Row) -> IntervalRow:
    """A row of a picture."""
    if row.mean is None or row.low is None or row.high is None:
        return IntervalRow(row.name, "no information")
    places = _places(row, row.low, row.high)
    said = f"{formats.number(row.mean, places)} ({formats.interval(row.low, row.high, places)})"
    return IntervalRow(row.name, said, row.mean, row.low, row.high, row.observed, row.chance)


def _places(row: Row, low: float, high: float) -> int:
    error = (row.error or 0.0) if row.law == "simulated" else 0.0
    return formats.decimals(low, high, error, near=row.chance)


def shown_rows(rows: Sequence[Row]) -> tuple[Sequence[Row], str]:
    """All rows, or with many classes the overall ones and the classes with the lowest means, and a sentence on that."""
    overall = [row for row in rows if row.label is None]
    classes = [row for row in rows if row.label is not None]
    if len(classes) <= MOST_ROWS_SHOWN:
        return rows, ""
    worst, rest = sorted(classes, key=lambda row: (row.mean is None, row.mean))[:WORST], len(classes) - WORST
    said = f"The {WORST} lowest of {len(classes)} class rows are shown; --json or .to_dict() has the other {rest}."
    return overall + worst, said


def distributions(
    posterior: Posterior, measures: Sequence[Measure], ask: Ask, silent: dict[str, list[str]]
) -> dict[Measure, Distribution]:
    """Distribution of every measure; all that must be drawn come from one pass over the same tables."""
    answers: dict[Measure, Distribution] = {}
    with suppress(NoInformation):  # said below, for each measure that it concerns
        knowledge_of(posterior).prepare(measures, draws=ask.draws, seed=ask.seed)
    for measure in measures:
        try:
            known = knowledge_of(posterior).of(measure, draws=ask.draws, seed=ask.seed)
            known.law.median  # noqa: B018  # a law that is beyond all methods says so when it is asked
        except (NoInformation, OutOfReach) as error:
            silent.setdefault(str(error), []).append(measure.name)
        else:
            answers[measure] = known
    return answers


def against_chance(
    posterior: Posterior, measures: Sequence[Measure], ask: Ask
) -> dict[Measure, ChanceStatement | None]:
    """What is said of chance, for the measures that have an answer; again one pass for all that must be drawn."""
    known = knowledge_of(posterior)
    prepare_chance(known, measures, draws=ask.draws, seed=ask.seed)
    return {m: better_than_chance(known, m, draws=ask.draws, seed=ask.seed) for m in measures}


def row_of(
    posterior: Posterior,
    measure: Measure,
    known: Distribution | None,
    better: ChanceStatement | None,
    ask: Ask,
    held: Thresholds,
) -> Row:
    """One metric of a report, with its answer if it has one."""
    depends = depends_on_prevalence(measure, len(posterior.labels))
    bare = Row(
        measure.base, measure.average, measure.label, knowledge_of(posterior).observed(measure), depends,
        at_test_shares=knowledge_of(posterior).estimand(measure).held,
    )  # fmt: skip
    if known is None:
        return bare
    law = known.law
    ends = law.interval(ask.level, ask.kind)
    drawn = law if isinstance(law, Draws) else None
    return replace(
        bare, observed=known.observed, mean=law.mean, median=law.median, mode=law.mode, sd=law.sd, low=ends.low,
        high=ends.high, interval=ends.kind, mu=known.interval().width, prior_shift=known.prior_shift,
        above_chance=better, law=law.route, error=drawn.interval_error(ask.level, ends.kind) if drawn else known.error,
        draws=drawn.n if drawn else None, asked=held.answers(law) if held.heads else None,
    )  # fmt: skip


# -- What a report shows where no metric is named ----------------------------------------------------------------------

#: Above this many classes the default report lists some only: those with the lowest and the highest recall.
MOST_CLASSES_LISTED = 50
LOWEST, HIGHEST = 10, 5


def default_measures(posterior: Posterior) -> list[Measure]:
    """What a report shows when nothing is asked: overall, F1, MCC and kappa, and per class (of many, some)."""
    if (judged := judged_of(knowledge_of(posterior))) is not None:
        return judged_measures(judged)
    names = ["accuracy", "balanced_accuracy"]
    first: list[Measure] = []
    if knowledge_of(posterior).prevalence_source == "verdicts elsewhere":
        first = [of_class("prevalence", posterior.labels, i) for i in _forward_first(posterior)]
    drawn = knowledge_of(posterior).draws_are_affordable
    if drawn:
        names += ["f1" if len(posterior.labels) == 2 else "f1@macro", "mcc", "kappa"]
    forward = positive_or_last(posterior.labels, posterior.confusion.positive)
    measures = [*first, *(parse(name, posterior.labels, forward) for name in names)]
    for name in ("recall", "precision") if drawn else ("recall",):
        measures += [of_class(name, posterior.labels, i) for i in _listed(posterior)]
    return measures


def headed(
    posterior: Posterior, measures: Sequence[Measure], asked: Sequence[Asked] | None, answers: Mapping[Measure, Law]
) -> tuple[Measure | None, str]:
    """The measure of the sentence on top, and its name there: the first that was asked for, of each class the worst.

    Balanced accuracy where nothing was asked, or the prevalence behind verdicts.
    """
    if not asked:
        unsaid = knowledge_of(posterior).prevalence_source != "verdicts elsewhere"
        return (None, "Balanced accuracy") if unsaid else (measures[0], formats.plain(measures[0].name))
    confusion = posterior.confusion
    first = parse_each(asked[0], confusion.labels, confusion.positive)
    if len(first) > 1:
        falling = first[0].metric.better == "lower"
        known = [measure for measure in first if measure in answers]
        worst = min(known, key=lambda it: answers[it].mean * (-1 if falling else 1), default=first[0])
        side = "highest" if falling else "lowest"
        return worst, f"{formats.plain(worst.name)}, the {side} of {formats.integer(len(first))} classes,"
    return measures[0], _as_asked(asked[0], measures[0], confusion.positive)


def _as_asked(asked: Asked, measure: Measure, positive: str | None) -> str:
    """The measure by the name that was asked for, and by ours where that is another one."""
    name = formats.plain(measure.name)
    word = asked.partition("@")[0].strip() if isinstance(asked, str) else ""
    if not word or "(" in word or word.lower() == measure.metric.name:
        return "Balanced accuracy" if name == "balanced_accuracy" else name
    title = plain_name(measure.name, positive)
    return f"{title if title.lower() == word.replace('_', ' ').lower() else formats.plain(word)} ({name})"


def _forward_first(posterior: Posterior) -> list[int]:
    """The positive one of two classes, then the other; of more classes those that are listed."""
    forward = positive_or_last(posterior.labels, posterior.confusion.positive)
    places = _listed(posterior)
    return places if forward is None else sorted(places, key=lambda i: posterior.labels[i] != forward)


def _listed(posterior: Posterior) -> list[int]:
    """Classes that a report lists by itself."""
    known = knowledge_of(posterior)
    if known.size <= MOST_CLASSES_LISTED:
        return list(range(known.size))
    order = np.argsort(np.nan_to_num(known.recall_means, nan=-1.0), kind="stable").tolist()
    return [*order[:LOWEST], *order[-HIGHEST:]]


def omissions(posterior: Posterior) -> list[str]:
    """Sentences on what the default report leaves out, and how to get it."""
    said, known = [], knowledge_of(posterior)
    if not known.draws_are_affordable:
        said.append(
            f"with {formats.integer(known.size)} classes the metrics that need draws are left out; "
            f"name them to get them from {formats.integer(known.usual_draws)} draws "
            "(f1@macro, mcc, kappa, precision@...)"
        )
    if known.size > MOST_CLASSES_LISTED and judged_of(known) is None:
        said.append(
            f"of {formats.integer(known.size)} classes the {LOWEST} with the lowest recall and the {HIGHEST} with "
            "the highest are listed; name others to get them (recall@..., precision@...)"
        )
    return said
