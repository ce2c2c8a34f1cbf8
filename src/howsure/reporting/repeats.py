"""The report on items that were tried several times: new items and these again, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.data.groups import Question
from howsure.data.repeats import NO_ANSWER
from howsure.errors import InvalidArgument, NoInformation, visible
from howsure.errors.arguments import items, sentences
from howsure.laws import Draws, Kind
from howsure.laws.draw_settings import DRAWS, SEED
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.posterior.questions.variance_split import VarianceSplit, split_of_variance
from howsure.posterior.repeated_items import ABOUT, RepeatsPosterior
from howsure.posterior.try_measures import MEAN, TryMeasure, try_measure
from howsure.text import formats
from howsure.text.json_envelope import envelope
from howsure.text.text_table import csv_text

__all__ = ["RepeatsReport", "TryRow", "repeats_report"]


@dataclass(frozen=True)
class TryRow:
    """What is known of one measure about new items, or about these again.

    Attributes
    ----------
    metric : str
        ``mean_score``, ``pass@k`` or ``pass^k``.
    about : "new" or "these"
        Which items.
    observed : float or None
        On the runs themselves, over the items with k runs.
    mean, sd, low, high : float or None
        Of the posterior; None where there is none.
    interval, law : str or None
        Kind of the interval, and how it was computed.
    error : float or None
        Error of the distribution function, or Monte Carlo error of the ends where it was drawn.
    why_not : str or None
        Why there are no numbers.
    """

    metric: str
    about: Question
    observed: float | None
    mean: float | None = None
    sd: float | None = None
    low: float | None = None
    high: float | None = None
    interval: Kind | None = None
    law: str | None = None
    error: float | None = None
    why_not: str | None = None

    @property
    def places(self) -> int:
        """Decimals that the interval supports."""
        if self.low is None or self.high is None:
            return 3
        return formats.decimals(self.low, self.high, error=(self.error or 0.0) if self.law == "drawn" else 0.0)

    @property
    def mean_words(self) -> str:
        """The mean, with the digits that the interval supports."""
        return "" if self.mean is None else formats.number(self.mean, self.places)

    @property
    def ends_words(self) -> str:
        """The ends of the interval."""
        return "" if self.low is None or self.high is None else formats.interval(self.low, self.high, self.places)


@dataclass(frozen=True, repr=False)
class RepeatsReport(Record):
    """What runs of items say, as data; made by `howsure.report`.

    Attributes
    ----------
    items, n, fewest, most, incomplete : int
        Items, runs of all of them, the least and the most runs of an item, items that some run left out.
    outcomes : tuple of str
        What a run may come out as.
    about : "new" or "these"
        Which answer comes first.
    rows : tuple of TryRow
        Two of each measure: about new items and about these again.
    split : VarianceSplit or None
        Where the variance comes from; None where every item was run once.
    prior : str
        What was supposed before.
    level, kind, draws, seed
        Of intervals and of what is drawn.
    """

    items: int
    n: int
    fewest: int
    most: int
    incomplete: int
    outcomes: tuple[str, ...]
    about: Question
    rows: tuple[TryRow, ...]
    split: VarianceSplit | None
    prior: str
    level: float
    kind: Kind
    draws: int
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        shown = [row for row in self.rows if row.about == self.about]
        whose = "a new item" if self.about == "new" else "these items"
        said = [f"{_meaning(row.metric, whose, self.outcomes)} {_numbers(row, self)}" for row in shown[:1]]
        if row := next((row for row in shown[1:] if row.metric.startswith("pass^")), None):
            said.append(f"{_meaning(row.metric, whose, self.outcomes)} {_numbers(row, self)}")
        made = "; ".join(said)
        return f"{made[0].upper()}{made[1:]}."

    def sheet(self) -> Sheet:
        """The answer as cells of text."""
        other: Question = "these" if self.about == "new" else "new"
        kind = formats.interval_name(self.kind, self.level)
        header = ["metric", "observed"]
        for about in (self.about, other):
            header += [ABOUT[about], kind, "law"]
        by_name: dict[str, dict[Question, TryRow]] = {}
        for row in self.rows:
            by_name.setdefault(row.metric, {})[row.about] = row
        rows = []
        for name, both in by_name.items():
            observed = both[self.about].observed
            cells = [name, "" if observed is None else formats.number(observed, max(3, both[self.about].places))]
            for about in (self.about, other):
                cells += [both[about].mean_words, both[about].ends_words, both[about].law or "no answer"]
            rows.append(tuple(cells))
        runs = formats.several(self.most, "run")
        runs = runs if self.fewest == self.most else f"{formats.integer(self.fewest)} to {runs}"
        about_runs = (
            f"{formats.several(self.items, 'item')}, {runs} of each, {formats.integer(self.n)} in all; outcomes "
            f"{', '.join(self.outcomes[:12])}. Prior: {formats.plain(self.prior)}."
        )
        below = () if self.split is None else (self.split.sentence,)
        why = dict.fromkeys(row.why_not for row in self.rows if row.why_not)
        notes = [visible(note) for note in (*(text for text in why if text), *self.notes)]
        small = (
            "New items: another draw from the population that these are from. These items again: further runs of the "
            f"same ones. {self._legend}Every item counts alike. The numbers cover the sampling of items and runs only; "
            "not wrong marks, leakage or drift.",
        )
        return Sheet(
            self.verdict, tuple(header), tuple(rows), small, about=about_runs, below=below, remarks=tuple(notes)
        )

    @property
    def _legend(self) -> str:
        if not any(row.metric.startswith("pass") for row in self.rows):
            return ""
        return "pass@k: at least one of k runs of an item is right; pass^k: all k are. "

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``repeats``."""
        fields = ("items", "n", "fewest", "most", "incomplete", "about", "prior", "level", "draws", "seed")
        return {
            **envelope("repeats"),
            **{name: getattr(self, name) for name in fields},
            "interval": self.kind,
            "outcomes": list(self.outcomes),
            "metrics": [vars(row) for row in self.rows],
            "variance": None if self.split is None else self.split.to_dict(),
            "verdict": self.verdict,
            "notes": list(self.notes),
        }

    def to_csv(self) -> str:
        """One row a measure and question, numbers in full."""
        header = list(TryRow.__dataclass_fields__)
        return csv_text(header, [[getattr(row, name) for name in header] for row in self.rows])


def repeats_report(
    posterior: RepeatsPosterior,
    metrics: Sequence[str] | None = None,
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
    notes: Sequence[str] = (),
) -> RepeatsReport:
    """Report on items that were tried several times; see `howsure.report`.

    Examples
    --------
    >>> import howsure as hs
    >>> runs = hs.Repeats.from_array([[1, 1, 1, 0], [1, 1, 1, 1], [0, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 1]] * 4)
    >>> repeats_report(hs.infer(runs), ["pass^2"]).verdict
    'All 2 runs of a new item are right with probability 0.50 (95 % HDI 0.35 to 0.65).'
    """
    level = checked_level(level)
    checked_kind(kind)
    repeats, known = posterior.repeats, posterior._knowledge
    times = repeats.times
    fewest, most = int(times.min()), int(times.max())
    if metrics is None:
        several = sorted({min(2, fewest), fewest} - {1}) if repeats.binary else []
        metrics = [MEAN, *(f"pass{sign}{k}" for k in several for sign in "@^")]
    elif isinstance(metrics, str):
        metrics = [metrics]
    names = items(metrics, "metrics", "a list of names of metrics")
    asked = list(dict.fromkeys(try_measure(name, repeats) for name in names))
    if not asked:
        raise InvalidArgument("no metric is asked for; leave metrics out to get the usual ones")
    said = [*repeats.notes, *sentences(notes)]
    rows = []
    questions: tuple[Question, Question] = ("new", "these") if posterior.groups == "new" else ("these", "new")
    for measure in asked:
        rows += [_row(known.asking(question), measure, level, kind, draws, seed) for question in questions]
        few = int(np.count_nonzero(times < measure.k))
        if few:
            said.append(
                f"{formats.several(few, 'item')} {'has' if few == 1 else 'have'} fewer than {measure.k} runs and "
                f"{'is' if few == 1 else 'are'} not in the observed {measure.name}."
            )
    if all(row.why_not for row in rows if row.about == posterior.groups):
        raise NoInformation(next(row.why_not for row in rows if row.about == posterior.groups and row.why_not))
    if repeats.incomplete:
        said.append(
            f"{formats.integer(repeats.incomplete)} of {formats.several(len(repeats.items), 'item')} "
            f"{'was' if repeats.incomplete == 1 else 'were'} left out by some run; the others' runs count as they are."
        )
    split = None
    try:
        split = split_of_variance(posterior, level=level, kind=kind, draws=draws, seed=seed)
    except NoInformation as error:
        said.append(f"{error}.")
    return RepeatsReport(
        len(repeats.items), repeats.n, fewest, most, repeats.incomplete, repeats.outcomes, posterior.groups,
        tuple(rows), split, posterior.prior.name, level, kind, draws, seed, tuple(dict.fromkeys(said)),
    )  # fmt: skip


def _row(known: Any, measure: TryMeasure, level: float, kind: Kind, draws: int, seed: int) -> TryRow:
    observed = known.observed(measure)
    try:
        made = known.of(measure, draws=draws, seed=seed)
    except NoInformation as refusal:
        return TryRow(measure.name, known.question, observed, why_not=f"{refusal}.")
    ends = made.interval(level, kind)
    error = made.error if isinstance(made.law, Draws) else None
    return TryRow(
        measure.name, known.question, observed, made.mean, made.sd, ends.low, ends.high, ends.kind, made.route, error
    )


def _meaning(metric: str, whose: str, outcomes: tuple[str, ...]) -> str:
    if metric == MEAN:
        # a third one that is no score is that of a run without an answer; one that is (0, 1, 2) is a grade
        if outcomes in (("0", "1"), ("0", "1", NO_ANSWER)):
            return f"a run of {whose} is right with probability"
        return f"the mean score of a run of {whose} is"
    every = f"{whose}" if whose.startswith("a ") else "one of these items"
    if metric.startswith("pass@"):
        return f"at least one of {metric[5:]} runs of {every} is right with probability"
    return f"all {metric[5:]} runs of {every} are right with probability"


def _numbers(row: TryRow, report: RepeatsReport) -> str:
    if row.mean is None:
        return "unknown"
    return f"{row.mean_words} ({formats.interval_name(row.interval or report.kind, report.level)} {row.ends_words})"
