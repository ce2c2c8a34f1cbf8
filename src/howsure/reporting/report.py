"""The report on one classifier: what was observed, what is known, and what the data do not tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Unpack, overload

from howsure.answers.asking import Ask, Asking, picked, spelled
from howsure.answers.sheet import COVERS, Record, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.counts import call
from howsure.data.labels import positive_or_last
from howsure.data.outcomes import Outcomes
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, listing
from howsure.errors.arguments import flag, items, sentences
from howsure.knowledge.protocol import Answered, Knowledge
from howsure.laws import Draws
from howsure.laws.law import DRAWS
from howsure.metrics import REGISTRY, Asked, Measure, parse, parse_each
from howsure.numerics.populations.population import PopulationSummary
from howsure.posterior.better_than_chance import OF_REPORT
from howsure.posterior.carried import CarriedRates, carried_rates
from howsure.posterior.distribution import Distribution, shift_note
from howsure.posterior.judged import judged_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.posterior.repeated_items import RepeatsPosterior
from howsure.posterior.shares import PrevalenceSource, Shares
from howsure.questions.estimates import Estimated, estimates
from howsure.questions.groups import GroupsSummary, notes_of_units, plain_counts, summary_of_groups
from howsure.questions.thresholds import NOTHING, Holding, Thresholds, thresholds
from howsure.reporting.classical import Classical, classical
from howsure.reporting.judged_summary import (
    JudgedSummary,
    checked_how_chosen,
    judged_about,
    judged_parts,
    without_chance,
)
from howsure.reporting.repeats import RepeatsReport, repeats_report
from howsure.reporting.report_row import (
    COLUMNS,
    Row,
    against_chance,
    cells,
    default_measures,
    distributions,
    drawn_row,
    headed,
    omissions,
    row_of,
    shown_rows,
)
from howsure.reporting.report_sentences import (
    UnderPapersPrior,
    WrongLabels,
    caveats,
    ranges,
    under_papers_prior,
    verdict,
)
from howsure.text import formats
from howsure.text.svg import forest
from howsure.text.text_table import csv_text

#: What stands before the shares of the classes.
PREVALENCES = {
    "chosen": "Class sizes were chosen, everything is at their shares",
    "stated": "Stated prevalence",
    "other cases": "Prevalence of other cases, on average",
    "verdicts elsewhere": "Prevalence behind the verdicts in the other population, on average",
}

#: Where the prevalence is from, behind the name of a metric that depends on it.
WHERE = {
    "test set": "that of the test set",
    "chosen": "that of the chosen class sizes",
    "stated": "stated",
    "other cases": "that of the other population",
    "verdicts elsewhere": "that behind the verdicts in the other population",
}

FIELDS = """
n=confusion.n class_sizes=confusion.class_sizes *counts=_counts prior=_prior learned? papers? judged? prevalence
prevalence_source carried? shares level interval=kind seed draws verdict metrics=_metrics warnings notes classical?
wrong_labels?
"""


@dataclass(frozen=True, eq=False)
class Report(Answered, json="report", fields=FIELDS):
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
    rows, distribution : tuple of Row, Distribution or None
        One row for each metric; and all that is known of the metric, where it is one.
    verdict : str
        The sentence on top.
    warnings, notes : tuple of str
        What would mislead a reader, and what helps one.
    classical : Classical or None
        Confidence intervals and tests, if they were asked for.
    learned : PopulationSummary or None
        What was learned of the population of classes: typical recall, correlation, slope, share of the broad part.
    papers : UnderPapersPrior or None
        Balanced accuracy under the papers' prior, next to that of 3 to 9 classes under the learned one.
    groups : GroupsSummary or None
        Cases in groups, where they come in such.
    carried : CarriedRates or None
        Verdicts of other cases that the rates were carried over to, and whether these explain them.
    wrong_labels : WrongLabels or None
        Ranges of the metrics while some reference labels may be wrong, if they were asked for.
    thresholds : Thresholds
        What each metric was held against; the answers are ``asked`` of each row, in the order of its heads.
    judged : JudgedSummary or None
        Where truths are missing: what was checked, what the judge adds, how the checked cases were chosen.
    """

    confusion: ConfusionMatrix
    prior: Prior
    prevalence: tuple[float, ...] | None
    prevalence_source: PrevalenceSource
    shares: Shares | None
    ask: Ask
    rows: tuple[Row, ...]
    verdict: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    classical: Classical | None = None
    thresholds: Thresholds = NOTHING
    learned: PopulationSummary | None = None
    papers: UnderPapersPrior | None = None
    groups: GroupsSummary | None = None
    judged: JudgedSummary | None = None
    carried: CarriedRates | None = None
    wrong_labels: WrongLabels | None = None
    distribution: Distribution | None = None

    def __getitem__(self, name: str) -> Row:
        """Row of a metric by its name."""
        rows = {row.name: row for row in self.rows}
        if name in rows:  # also one of a function, which no list of names has
            return rows[name]
        measure = parse(name, self.confusion.labels, self.confusion.positive)
        if measure.name in rows:
            return rows[measure.name]
        raise InvalidArgument(f"{measure.name} is not in this report; ask for it with report(posterior, [...])")

    @property
    def _counts(self) -> dict[str, Any]:
        return plain_counts(self.confusion, self.groups)

    @property
    def _prior(self) -> dict[str, Any]:
        learned, told = isinstance(self.prior, LearnedPrior), self.prior.told
        numbers = {key: None if learned else getattr(self.prior, key) for key in ("a", "b", "prevalence")}
        return {"name": self.prior.name, **numbers, **({} if told is None else {"table": told.table})}

    @property
    def _metrics(self) -> list[dict[str, Any]]:
        return [{**row.to_dict(), **self._asked(row)} for row in self.rows]

    def _asked(self, row: Row) -> dict[str, Any]:
        """Answers about thresholds, where any were asked for."""
        return {"asked": self.thresholds.to_list(row.asked)} if self.thresholds.heads else {}

    def sheet(self) -> Sheet:
        """The answer as cells of text; each number has the digits that its interval supports."""
        rows, left_out = shown_rows(self.rows)
        name = formats.interval_name(self.kind, self.level)
        heads = self.thresholds.heads
        header = ("metric", "observed", "mean", name, *heads, "MU", "P(> chance)", "prior effect", "method")
        shown = tuple(cells(row, self.kind, self.thresholds) for row in rows)
        if self.judged is not None:
            header, shown = without_chance(header, shown)
        small = footnote(self.rows, self.prevalence_source, self.draws, self.seed, held=bool(heads))
        return Sheet(
            self.verdict, header, shown, (small,), about=self._about(), left_out=left_out, warnings=self.warnings,
            remarks=self.notes, words=frozenset([len(header) - 1]), covers=COVERS,
        )  # fmt: skip

    def _about(self) -> str:
        if self.judged is not None:
            return judged_about(self.confusion, self.judged, self.prior.name)
        prior = prior_words(self.prior, self.learned, self.confusion)
        return about(self.confusion, prior, self.prevalence, self.prevalence_source)

    def picture(self) -> str:
        """The rows of the table with their intervals, as SVG."""
        listed = shown_rows(self.rows)[0]
        # ratios without an upper end would leave no room for shares
        shares = [row for row in listed if not _is_endless(row.metric)]
        rows = [drawn_row(row) for row in shares or listed]
        kind = formats.interval_name(self.kind, self.level)
        title = f"Mean (dot), {kind} (line), observed value (tick) and chance (dashes) of {len(rows)} metrics"
        return forest(rows, title=title)

    def to_markdown(self) -> str:
        """Markdown with a table, for a pull request or a README."""
        return "\n".join([super().to_markdown(), *(x.to_markdown() for x in self._beside)])

    @property
    def _beside(self) -> list[Record]:
        return [x for x in (self.classical, self.wrong_labels) if x is not None]

    def __str__(self) -> str:
        return "\n\n".join([super().__str__(), *map(str, self._beside)])

    def to_csv(self) -> str:
        """CSV, one line for each metric, numbers in full; texts that a spreadsheet would run are guarded."""
        asked, none = self.thresholds.columns, [None] * len(self.thresholds.columns)
        lines = [
            [*(it.of(row) for it in COLUMNS), self.prior.name, self.level, *(row.asked or none)] for row in self.rows
        ]
        return csv_text([*(it.key for it in COLUMNS), "prior", "level", *asked], lines)

    def _repr_html_(self) -> str:
        return "".join([super()._repr_html_(), *(x._repr_html_() for x in self._beside)])


class Reporting(Asking, Holding, total=False):
    """Keywords of a report on any kind of data."""

    notes: Sequence[str]


@overload
def report(
    posterior: Posterior, metrics: Sequence[Asked] | None = None, *, companions: bool = ...,
    how_chosen: str | None = ..., wrong_labels: float | None = ...,
    **how: Unpack[Reporting],
) -> Report: ...  # fmt: skip
@overload
def report(
    posterior: Knowledge, metrics: Sequence[str] | None = None, **how: Unpack[Reporting]
) -> Estimated: ...  # fmt: skip
@overload
def report(
    posterior: RepeatsPosterior | Outcomes, metrics: Sequence[str] | None = None, **how: Unpack[Reporting]
) -> RepeatsReport: ...  # fmt: skip
@spelled(Reporting, draws=None, notes=(), above=(), below=(), between=(), quantiles=())
def report(
    posterior: Posterior | RepeatsPosterior | Outcomes | Knowledge,
    metrics: Sequence[Asked] | None = None,
    *,
    companions: bool = False,
    how_chosen: str | None = None,
    wrong_labels: float | None = None,
    **how: Unpack[Reporting],
) -> Report | RepeatsReport | Estimated:
    """Report on one classifier.

    Parameters
    ----------
    posterior : Posterior, RepeatsPosterior or Outcomes
        From `infer`; or a log of an evaluation, from `howsure.io.logs.read_log`; or `Items` and other kinds of
        knowledge.
    metrics : sequence of str, optional
        Names in the grammar of metrics (of repeats: ``mean_score``, ``pass@k``, ``pass^k``); the usual if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    draws, seed : int
        For metrics without a closed form; as in `Posterior.of`.
    notes : sequence of str
        Sentences to carry along, such as how a file was read.
    companions : bool
        Whether to add frequentist confidence intervals and tests of the same counts; see `howsure.classical`.
    above, below, between, quantiles : float or (float, float), or several
        Thresholds: also P(metric > above), P(metric < below), P(low <= metric <= high), and these quantiles of each.
    how_chosen : "random", "by-verdict" or "other", optional
        Where truths are missing: how the cases were chosen that have one. After ``other`` the worst case and the
        tipping point of a claim (the first of ``above`` and ``below``, or more than half) come first.
    wrong_labels : int or float, optional
        Also the range of each metric while so many reference labels, or this share, may be wrong.

    Returns
    -------
    Report
        Of repeats and of a log a `RepeatsReport`, of items `Estimated`.

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
    (0.44283, 0.95985, 'exact')
    """
    held, notes = thresholds(**picked(how, Holding)), how["notes"]
    names: Any = metrics  # of kinds of knowledge, and of repeats, checked there
    if isinstance(posterior, Knowledge):
        others = {"companions": companions, "how_chosen": how_chosen, "wrong_labels": wrong_labels}
        posterior.refuse_options(others)
        return estimates(posterior, names, ask=posterior.ask(**picked(how, Asking)), held=held, notes=notes)
    if isinstance(posterior, RepeatsPosterior | Outcomes):
        if held != NOTHING or companions or how_chosen is not None or wrong_labels is not None:
            raise InvalidArgument(
                "a report on repeats takes metrics, level, kind, draws, seed and notes; no other option"
            )
        log = posterior if isinstance(posterior, Outcomes) else None
        known = infer(posterior.repeats) if isinstance(posterior, Outcomes) else posterior
        return repeats_report(known, names, **vars(Ask.of(how, DRAWS)), notes=notes, log=log)
    if not isinstance(posterior, Posterior):
        raise _refusal(posterior, metrics)
    return answered(
        posterior, metrics, Ask.of(how, knowledge_of(posterior).usual_draws), notes=notes, companions=companions,
        held=held, how_chosen=how_chosen, wrong_labels=wrong_labels,
    )[0]  # fmt: skip


def _refusal(given: object, metrics: Sequence[Asked] | None) -> InvalidArgument:
    if isinstance(given, Scores):
        return InvalidArgument(
            "report() is about one confusion matrix, and scores have one at each threshold: howsure.curves."
            "curve_report(scores) is about all of them, report(infer(scores.confusion_at(0.5))) about one"
        )
    said = call(given, metrics)
    return InvalidArgument(f"report() takes a Posterior, not {type(given).__name__}; say report(infer({said}))")


def answered(
    posterior: Posterior,
    metrics: Sequence[Asked] | None,
    ask: Ask,
    *,
    notes: Sequence[str] = (),
    companions: bool = False,
    held: Thresholds = NOTHING,
    how_chosen: str | None = None,
    wrong_labels: float | None = None,
) -> tuple[Report, dict[str, Distribution]]:
    """The report, and what is known about each of its metrics by its name, for those who draw it."""
    if isinstance(metrics, str | Measure) or callable(metrics):
        metrics = [metrics]
    elif metrics is not None:
        metrics = items(metrics, "metrics", "a list of names of metrics")
        if not metrics:
            raise InvalidArgument("no metric is asked for; leave metrics out to get the usual ones")
    flag(companions, "companions")
    notes = sentences(notes)
    confusion, known = posterior.confusion, knowledge_of(posterior)
    source, judged = known.prevalence_source, judged_of(known)
    chosen = checked_how_chosen(how_chosen, judged=judged is not None)
    asked = [it for m in metrics or () for it in parse_each(m, confusion.labels, confusion.positive)]
    measures = default_measures(posterior) if metrics is None else list(dict.fromkeys(asked))
    silent: dict[str, list[str]] = {}
    answers = distributions(posterior, measures, ask, silent)
    held.refuse_percentages({measure.name: answer.law for measure, answer in answers.items()})
    skill = against_chance(posterior, list(answers), ask)
    rows = tuple(row_of(posterior, m, answers.get(m), skill.get(m), ask, held) for m in measures)
    moved = [note for d in answers.values() if (note := shift_note(d))]
    undefined = [
        f"{formats.plain(m.name)} is undefined (0/0) in {d.law.undefined} of {ask.draws} draws, which are left out."
        for m, d in answers.items()
        if isinstance(d.law, Draws) and d.law.undefined
    ]
    if judged is None:
        parts, said = None, caveats(posterior, moved, measures)
        first, title = headed(posterior, measures, metrics, {m: it.law for m, it in answers.items()})
        headline = verdict(posterior, first, ask, held=held, title=title)
    else:
        parts, headline, said = judged_parts(judged, measures[0] if metrics else None, chosen, held, moved, ask)
    population = known.population
    papers = under_papers_prior(posterior, measures, ask)
    groups = summary_of_groups(posterior, measures, ask)
    drawn = any(row.law == "simulated" for row in rows)
    extra = [*notes_of_units(confusion, groups, drawn=drawn), *notes]
    extra += omissions(posterior) if metrics is None else []
    made = Report(
        confusion, posterior.prior, None if source == "test set" else tuple(known.shares.tolist()), source,
        posterior.shares, ask, rows, headline,
        warnings=(
            *said.first, *(f"No answer for {listing(names)}: {why}" for why, names in silent.items()), *undefined,
            *said.warnings,
        ),
        notes=(*extra, *([] if papers is None else [f"{papers.sentence}."]), *said.notes),
        classical=classical(confusion, level=ask.level) if companions else None, thresholds=held,
        learned=None if population is None else population.summary(), papers=papers, groups=groups, judged=parts,
        carried=carried_rates(known), wrong_labels=ranges(answers, confusion.n, wrong_labels, ask),
        distribution=next(iter(answers.values())) if len(rows) == len(answers) == 1 else None,
    )  # fmt: skip
    return made, {measure.name: answer for measure, answer in answers.items()}


def prior_words(prior: Prior, learned: PopulationSummary | None, confusion: ConfusionMatrix) -> str:
    """The name of a prior, and of a learned one what from, and how many of such classes stand out from the rest.

    Examples
    --------
    >>> from howsure.posterior.priors import resolve_prior
    >>> table = ConfusionMatrix([[9, 1, 0], [1, 8, 1], [0, 2, 8]])
    >>> prior_words(resolve_prior("learned", 3), PopulationSummary(0.9, 0.1, 0.0, 0.02), table)
    'learned from all 3 classes; about 2% of such classes stand out from the rest'
    """
    if learned is None:
        return prior.name
    percent = 100 * learned.broad
    share = f"{percent:.0f}" if percent >= 1 else f"{percent:.1g}"
    return (
        f"{prior.name} from all {formats.integer(len(confusion.labels))} classes; "
        f"about {share}% of such classes stand out from the rest"
    )


def _is_endless(metric: str) -> bool:
    name = metric.partition("@")[0]
    return name in REGISTRY and not isfinite(REGISTRY[name].range[1])


def about(confusion: ConfusionMatrix, prior: str, prevalence: Sequence[float] | None, source: PrevalenceSource) -> str:
    """What the report is about: cases, class sizes, orientation, positive class, prior."""
    shown = formats.counted(confusion.labels, confusion.class_sizes.tolist())
    folds = "" if confusion.folds is None or confusion.folds.passes == 1 else f" in {confusion.folds.passes} passes"
    line = f"{formats.several(confusion.n, 'case')}{folds}: {shown}. Rows are truth, columns are prediction"
    forward = positive_or_last(confusion.labels, confusion.positive)
    if forward is not None:
        line += f"; positive class: {formats.plain(forward)}"
    line += f". Prior: {prior}."
    if prevalence is not None:
        shares = [f"{formats.plain(x)} {share:.4g}" for x, share in zip(confusion.labels, prevalence, strict=True)]
        line += f" {PREVALENCES[source]}: {', '.join(shares[:12])}{', ...' if len(shares) > 12 else ''}."
    return line


def footnote(rows: Sequence[Row], source: PrevalenceSource, draws: int, seed: int, *, held: bool) -> str:
    """What the columns mean, in one breath."""
    said = ["MU: width of the 95% HDI. prior effect: (mean - observed) / sd.", _chances(rows)]
    if any(row.depends_on_prevalence and not row.at_test_shares for row in rows):
        said.append(f"*: depends on the prevalence, here {WHERE[source]}.")
    if any(row.at_test_shares for row in rows):
        said.append("**: over the classes, at this test set's class shares.")
    if held:
        said.append("P(...): probability that the metric lies there.")
    if any(row.law == "simulated" for row in rows):
        said.append(
            f"simulated: {formats.integer(draws)} draws, seed {seed}, ± Monte Carlo error of the interval's ends."
        )
    return " ".join(filter(None, said))


def _chances(rows: Sequence[Row]) -> str:
    """What chance is, for each metric that has one, and by which rule it is held against it."""
    by_rule: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if (said := row.above_chance) is not None:
            how = "" if said.rule == OF_REPORT else f", {said.how}"
            by_rule.setdefault(how, {}).setdefault(f"{said.value:.2g}", []).append(formats.plain(row.name))
    if not by_rule:
        return ""
    shown = "; ".join(
        ", ".join(f"{value} for {' and '.join(names)}" for value, names in by_value.items()) + how
        for how, by_value in by_rule.items()
    )
    return f"P(> chance): probability of being better than a classifier without skill ({shown})."
