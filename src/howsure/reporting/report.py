"""The report on one classifier: what was observed, what is known, and what the data do not tell."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.count_checks import call
from howsure.errors import InvalidArgument, NoInformation, OutOfReach, excerpt, listing
from howsure.errors.arguments import items, sentences
from howsure.laws import Draws, Kind
from howsure.laws.draw_settings import SEED
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.metrics import Asked, Measure, depends_on_prevalence, parse
from howsure.numerics.learned.population import PopulationSummary
from howsure.posterior.better_than_chance import ChanceStatement, better_than_chance, prepare_chance
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.means_over_classes import Shares, untested
from howsure.posterior.posterior import Posterior
from howsure.posterior.prevalence import PrevalenceSource
from howsure.posterior.prior_shift import shift_note
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.reporting.classical import Classical, classical
from howsure.reporting.groups import GroupsSummary, notes_of_groups, plain_counts, summary_of_groups
from howsure.reporting.odd_classes import unlike_the_rest
from howsure.reporting.papers_prior import UnderPapersPrior, under_papers_prior
from howsure.reporting.report_caveats import caveats
from howsure.reporting.report_row import Row, cells, drawn_row, shown_rows
from howsure.reporting.report_text import about, footnote, prior_words
from howsure.reporting.thresholds import Thresholds, thresholds
from howsure.reporting.usual import default_measures, omissions
from howsure.reporting.verdict import verdict
from howsure.text import formats
from howsure.text.json_envelope import envelope
from howsure.text.sheet import Record, Sheet
from howsure.text.svg import forest
from howsure.text.text_table import csv_text

__all__ = ["Report", "Row", "answered", "default_measures", "report"]


NOTHING = Thresholds()


@dataclass(frozen=True, eq=False)
class Report(Record):
    """Everything a report says, as data; `print` shows it as text.

    Attributes
    ----------
    confusion, prior, prevalence, prevalence_source
        What it is about: the counts, the prior, and the prevalence (its mean, where it was counted elsewhere; None
        while it is that of the test set).
    shares : str or None
        Which class shares of the test set: "test", "sampled" or "chosen", as in `howsure.infer`; None where the
        prevalence is stated or of other cases.
    level, kind : float, str
        Probability and kind of the intervals.
    rows : tuple of Row
        One for each metric.
    verdict : str
        The sentence on top.
    warnings, notes : tuple of str
        What would mislead a reader, and what helps one.
    classical : Classical or None
        Confidence intervals and tests, if they were asked for.
    learned : PopulationSummary or None
        What was learned of the population of classes: typical recall, correlation, slope, share of the broad part.
    papers : UnderPapersPrior or None
        Balanced accuracy under the papers' prior, beside that of 3 to 9 classes under the learned one.
    groups : GroupsSummary or None
        Cases in groups, where they come in such.
    thresholds : Thresholds
        What each metric was held against; the answers are ``asked`` of each row, in the order of its heads.
    """

    confusion: ConfusionMatrix
    prior: Prior
    prevalence: tuple[float, ...] | None
    prevalence_source: PrevalenceSource
    shares: Shares | None
    level: float
    kind: Kind
    seed: int
    draws: int
    rows: tuple[Row, ...]
    verdict: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    classical: Classical | None = None
    thresholds: Thresholds = NOTHING
    learned: PopulationSummary | None = None
    papers: UnderPapersPrior | None = None
    groups: GroupsSummary | None = None

    def __getitem__(self, name: str) -> Row:
        """Row of a metric by its name."""
        for row in self.rows:  # also one of a function, which no list of names has
            if row.name == name:
                return row
        measure = parse(name, self.confusion.labels, self.confusion.positive)
        for row in self.rows:
            if row.name == measure.name:
                return row
        raise InvalidArgument(f"{measure.name} is not in this report; ask for it with report(posterior, [...])")

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``report``; see its JSON Schema."""
        return {
            **envelope("report"),
            "n": self.confusion.n,
            "class_sizes": self.confusion.class_sizes.tolist(),
            **plain_counts(self.confusion, self.groups),
            "prior": {
                "name": self.prior.name,
                "a": None if isinstance(self.prior, LearnedPrior) else self.prior.a,
                "b": None if isinstance(self.prior, LearnedPrior) else self.prior.b,
                "prevalence": None if isinstance(self.prior, LearnedPrior) else self.prior.prevalence,
                **({} if self.prior.told is None else {"table": [list(row) for row in self.prior.told.table]}),
            },
            **({} if self.learned is None else {"learned": asdict(self.learned)}),
            **({} if self.papers is None else {"papers": asdict(self.papers)}),
            "prevalence": None if self.prevalence is None else list(self.prevalence),
            "prevalence_source": self.prevalence_source,
            "shares": self.shares,
            "level": self.level,
            "interval": self.kind,
            "seed": self.seed,
            "draws": self.draws,
            "verdict": self.verdict,
            "metrics": [{**row.to_dict(), **self._asked(row)} for row in self.rows],
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            **({} if self.classical is None else {"classical": self.classical.to_dict()}),
        }

    def _asked(self, row: Row) -> dict[str, Any]:
        """Answers about thresholds, where any were asked for."""
        return {"asked": self.thresholds.to_list(row.asked)} if self.thresholds.heads else {}

    def sheet(self) -> Sheet:
        """The answer as cells of text; each number has the digits that its interval supports."""
        rows, left_out = shown_rows(self.rows)
        name = formats.interval_name(self.kind, self.level)
        header = ("metric", "observed", "mean", name, *self.thresholds.heads, "MU", "P(> chance)", "shift", "law")
        held, empty = bool(self.thresholds.heads), untested(self.confusion)
        return Sheet(
            self.verdict,
            header,
            tuple(cells(row, self.kind, self.thresholds) for row in rows),
            (footnote(self.rows, self.prevalence_source, self.draws, self.seed, held=held, untested=empty),),
            about=about(
                self.confusion,
                prior_words(self.prior, self.learned, self.confusion),
                self.prevalence,
                self.prevalence_source,
            ),
            left_out=left_out,
            warnings=self.warnings,
            remarks=self.notes,
            words=frozenset([len(header) - 1]),
        )

    def picture(self) -> str:
        """The rows of the table with their intervals, as SVG."""
        rows = [drawn_row(row) for row in shown_rows(self.rows)[0]]
        kind = formats.interval_name(self.kind, self.level)
        title = f"Mean (dot), {kind} (line), observed value (tick) and chance (dashes) of {len(rows)} metrics"
        return forest(rows, title=title)

    def to_markdown(self) -> str:
        """Markdown with a table, for a pull request or a README."""
        return super().to_markdown() + ("" if self.classical is None else f"\n{self.classical.to_markdown()}")

    def __str__(self) -> str:
        return super().__str__() + ("" if self.classical is None else f"\n\n{self.classical}")

    def to_csv(self) -> str:
        """CSV, one line for each metric, numbers in full; texts that a spreadsheet would run are guarded."""
        columns, rows = self.thresholds.columns, [row.cells() for row in self.rows]
        lines = [
            [*cells.values(), self.prior.name, self.level, *(row.asked or [None] * len(columns))]
            for cells, row in zip(rows, self.rows, strict=True)
        ]
        return csv_text([*rows[0], "prior", "level", *columns], lines)

    def _repr_html_(self) -> str:
        return super()._repr_html_() + ("" if self.classical is None else self.classical._repr_html_())


def report(
    posterior: Posterior,
    metrics: Sequence[Asked] | None = None,
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int | None = None,
    seed: int = SEED,
    notes: Sequence[str] = (),
    companions: bool = False,
    above: float | Sequence[float] = (),
    below: float | Sequence[float] = (),
    between: tuple[float, float] | Sequence[tuple[float, float]] = (),
    quantiles: float | Sequence[float] = (),
) -> Report:
    """Report on one classifier.

    Parameters
    ----------
    posterior : Posterior
        From `infer`.
    metrics : sequence of str, optional
        Names in the grammar of metrics; a sensible set if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    draws, seed : int
        For metrics without a closed law; as in `Posterior.of`.
    notes : sequence of str
        Sentences to carry along, such as how a file was read.
    companions : bool
        Whether to add frequentist confidence intervals and tests of the same counts; see `howsure.classical`.
    above, below, between, quantiles : float or (float, float), or several
        Thresholds: also P(metric > above), P(metric < below), P(low <= metric <= high), and these quantiles of each.

    Returns
    -------
    Report

    Raises
    ------
    UnknownMetric, UnknownLabel, InvalidArgument
        A metric or an option that does not exist.

    Examples
    --------
    >>> import howsure as hs
    >>> cm = hs.ConfusionMatrix([[26, 0], [2, 6]], labels=["high", "low"])
    >>> row = report(hs.infer(cm), ["recall@low"]).rows[0]
    >>> round(row.low, 5), round(row.high, 5), row.law
    (0.43237, 0.94576, 'exact')
    """
    if not isinstance(posterior, Posterior):
        raise InvalidArgument(
            f"report() takes a Posterior, not {type(posterior).__name__}; say report(infer({call(posterior, metrics)}))"
        )
    held = thresholds(above, below, between, quantiles)
    options: dict[str, Any] = {"level": level, "kind": kind, "draws": draws, "seed": seed}
    return answered(posterior, metrics, **options, notes=notes, companions=companions, held=held)[0]


def answered(
    posterior: Posterior,
    metrics: Sequence[Asked] | None,
    *,
    level: float,
    kind: Kind,
    draws: int | None,
    seed: int,
    notes: Sequence[str] = (),
    companions: bool = False,
    held: Thresholds = NOTHING,
) -> tuple[Report, dict[str, Distribution]]:
    """The report, and what is known about each of its metrics by its name, for those who draw it."""
    if not isinstance(posterior, Posterior):
        raise InvalidArgument(
            f"report() takes a Posterior, not {type(posterior).__name__}; say report(infer(confusion))"
        )
    level = checked_level(level)
    checked_kind(kind)
    if isinstance(metrics, str | Measure) or callable(metrics):
        metrics = [metrics]
    elif metrics is not None:
        metrics = items(metrics, "metrics", "a list of names of metrics")
        if not metrics:
            raise InvalidArgument("no metric is asked for; leave metrics out to get the usual ones")
    if not isinstance(companions, bool | np.bool_):
        raise InvalidArgument(f"companions is True or False, not {excerpt(companions)}")
    notes = sentences(notes)
    confusion, source = posterior.confusion, knowledge_of(posterior).prevalence_source
    if metrics is None:
        measures = default_measures(posterior)
    else:
        measures = list(dict.fromkeys(parse(m, confusion.labels, confusion.positive) for m in metrics))
    draws = knowledge_of(posterior).usual_draws if draws is None else draws
    silent: dict[str, list[str]] = {}
    answers = _answers(posterior, measures, draws, seed, silent)
    skill = _skill(posterior, list(answers), draws, seed)
    rows = tuple(_row(posterior, m, answers.get(m), skill.get(m), level, kind, held) for m in measures)
    moved = [note for d in answers.values() if (note := shift_note(d))]
    undefined = [
        f"{formats.plain(m.name)} is undefined (0/0) in {d.law.undefined} of {draws} draws; its law is of the others."
        for m, d in answers.items()
        if isinstance(d.law, Draws) and d.law.undefined
    ]
    said = caveats(posterior, moved, measures)
    population = knowledge_of(posterior).population
    papers = under_papers_prior(posterior, measures, level, kind)
    groups = summary_of_groups(posterior, measures, level, kind)
    extra = [*notes_of_groups(groups, rows), *notes, *(omissions(posterior) if metrics is None else [])]
    made = Report(
        confusion=confusion,
        prior=posterior.prior,
        prevalence=None if source == "test set" else tuple(knowledge_of(posterior).shares.tolist()),
        prevalence_source=source,
        shares=posterior.shares,
        level=level,
        kind=kind,
        seed=seed,
        draws=draws,
        rows=rows,
        verdict=verdict(posterior, measures[0] if metrics else None, level, kind, draws=draws, seed=seed),
        warnings=(
            *(f"No answer for {listing(names)}: {why}" for why, names in silent.items()),
            *undefined,
            *said.warnings,
        ),
        notes=(*extra, *([] if papers is None else [f"{papers.sentence}."]), *said.notes),
        classical=classical(confusion, level=level) if companions else None,
        thresholds=held,
        learned=None if population is None else population.summary(),
        papers=papers,
        groups=groups,
    )
    return made, {measure.name: known for measure, known in answers.items()}


def _answers(
    posterior: Posterior, measures: Sequence[Measure], draws: int, seed: int, silent: dict[str, list[str]]
) -> dict[Measure, Distribution]:
    """Distribution of every measure; all that must be drawn come from one pass over the same tables."""
    answers: dict[Measure, Distribution] = {}
    with suppress(NoInformation):  # said below, for each measure that it concerns
        knowledge_of(posterior).prepare(measures, draws=draws, seed=seed)
    for measure in measures:
        try:
            known = knowledge_of(posterior).of(measure, draws=draws, seed=seed)
            known.law.median  # noqa: B018  # a law that is beyond all methods says so when it is asked
        except (NoInformation, OutOfReach) as error:
            silent.setdefault(str(error), []).append(measure.name)
        else:
            answers[measure] = known
    return answers


def _skill(
    posterior: Posterior, measures: Sequence[Measure], draws: int, seed: int
) -> dict[Measure, ChanceStatement | None]:
    """What is said of chance, for the measures that have an answer; again one pass for all that must be drawn."""
    known = knowledge_of(posterior)
    prepare_chance(known, measures, draws=draws, seed=seed)
    return {m: better_than_chance(known, m, draws=draws, seed=seed) for m in measures}


def _row(
    posterior: Posterior,
    measure: Measure,
    known: Distribution | None,
    better: ChanceStatement | None,
    level: float,
    kind: Kind,
    held: Thresholds,
) -> Row:
    base, average, label = measure.base, measure.average, measure.label
    observed = knowledge_of(posterior).observed(measure) if known is None else known.observed
    depends = depends_on_prevalence(measure, len(posterior.labels))
    held_here = knowledge_of(posterior).estimand(measure).tested
    if known is None:
        return Row(base, average, label, observed, depends, at_test_shares=held_here)
    law = known.law
    ends = law.interval(level, kind)
    drawn = law if isinstance(law, Draws) else None
    return Row(
        base,
        average,
        label,
        observed,
        depends,
        mean=law.mean,
        median=law.median,
        mode=law.mode,
        sd=law.sd,
        low=ends.low,
        high=ends.high,
        interval=ends.kind,
        mu=known.interval().width,
        prior_shift=known.prior_shift,
        above_chance=better,
        law=law.route,
        error=drawn.interval_error(level, ends.kind) if drawn else known.error,
        draws=drawn.n if drawn else None,
        broad=unlike_the_rest(posterior, measure),
        asked=held.answers(law) if held.heads else None,
        at_test_shares=held_here,
    )
