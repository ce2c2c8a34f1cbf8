"""How sure the accuracy of a log is, as a sentence, a table and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from howsure.answers.sheet import Record, Sheet
from howsure.data.groups import FEWEST_GROUPS, Question
from howsure.errors import InvalidArgument, NoInformation, visible
from howsure.io.logs.outcomes import Outcomes
from howsure.laws import Kind
from howsure.laws.law import KIND, LEVEL, checked_level
from howsure.numerics.groups.design_effect import clustered_error
from howsure.posterior.distribution import Distribution
from howsure.posterior.named_priors import fixed_default
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.json_envelope import envelope
from howsure.text.text_table import csv_text

__all__ = ["LogAnswer", "LogReport", "log_report"]


@dataclass(frozen=True)
class LogAnswer:
    """What is known of the accuracy, or of several tries, about new items or groups, or about these again.

    Attributes
    ----------
    metric : str
        "accuracy", "pass@k" (any of k answers to a question is right) or "pass^k" (all are).
    about : str
        "new questions", "these questions again", "new groups", "these groups again"; "" where each answer is a unit.
    observed : float or None
        The share in the log itself; None where no question has k answers.
    mean, low, high : float
        With the level and kind of the report.
    prior, law : str
        What was supposed before, and how it was computed.
    """

    metric: str
    about: str
    observed: float | None
    mean: float
    low: float
    high: float
    prior: str
    law: str

    @property
    def row(self) -> tuple[str, ...]:
        """Cells of a table."""
        seen = "" if self.observed is None else formats.number(self.observed, max(3, self.places))
        name = f"{self.metric}, {self.about}" if self.about else self.metric
        return name, seen, self.middle, self.ends, self.law

    @property
    def ends(self) -> str:
        """The interval, with the digits that it supports."""
        return formats.interval(self.low, self.high, self.places)

    @property
    def middle(self) -> str:
        """The mean, with the same digits."""
        return formats.number(self.mean, self.places)

    @property
    def places(self) -> int:
        """Decimals that the interval supports."""
        return formats.decimals(self.low, self.high)


@dataclass(frozen=True, repr=False)
class LogReport(Record):
    """The accuracy that a log says something about; made by `log_report`.

    Attributes
    ----------
    source, scored : str
        The file, and what was scored.
    n, items, correct : int
        Answers, different items, right answers.
    units : str
        What the independent units are, in words.
    independent : int
        How many there are.
    effective_n : float
        As how many independent answers all of them count.
    correlation : (float, float, float) or None
        Of two answers of one unit (ICC): mean and 95 % interval; None of fewer than five, or of one answer each.
    answer, beside : LogAnswer, LogAnswer or None
        What the report is about, and the other question; the interval has the probability ``level`` and is of the kind
        ``interval``.
    tries : tuple of LogAnswer
        pass@k and pass^k, where they were asked for.
    clustered_error : float or None
        Clustered standard error of the share of right answers, which evaluation frameworks print.
    """

    source: str
    scored: str
    n: int
    items: int
    correct: int
    units: str
    independent: int
    effective_n: float
    correlation: tuple[float, float, float] | None
    answer: LogAnswer
    beside: LogAnswer | None
    tries: tuple[LogAnswer, ...]
    clustered_error: float | None
    level: float
    interval: Kind
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        repeats = f" to {formats.several(self.items, 'item')}" if self.items < self.n else ""
        scored = f" ({formats.plain(self.scored, 40)})" if self.scored else ""
        right = "is right" if self.correct == 1 else "are right"
        about = f" on {self.answer.about}" if self.answer.about else ""
        return (
            f"{formats.integer(self.correct)} of {formats.several(self.n, 'answer')}{repeats} {right}{scored}: the "
            f"accuracy{about} is {self.answer.middle}, {formats.interval_name(self.interval, self.level)} "
            f"{self.answer.ends}."
        )

    @property
    def answers(self) -> tuple[LogAnswer, ...]:
        """All that is answered, first that which the report is about."""
        return (self.answer, *([] if self.beside is None else [self.beside]), *self.tries)

    def sheet(self) -> Sheet:
        """The answer as cells of text."""
        header = ("", "observed", "mean", formats.interval_name(self.interval, self.level), "law")
        rows = tuple(each.row for each in self.answers)
        others = {each.prior for each in self.tries} - {self.answer.prior}
        apart = f"; of several tries {', '.join(map(formats.plain, others))}" if others else ""
        notes = [f"Prior {formats.plain(self.answer.prior)}{apart}.", *self._groups()]
        notes += [f"note: {visible(note)}" for note in self.notes]
        notes.append("The numbers cover the sampling of cases only; not label noise, leakage or drift.")
        return Sheet(self.verdict, header, rows, tuple(notes), warnings=self._warnings())

    def _warnings(self) -> tuple[str, ...]:
        """That too few units say nothing of new ones."""
        if not self.answer.about or self.independent >= FEWEST_GROUPS:
            return ()
        noun = "groups" if "groups" in self.answer.about else "questions"
        why = f"below {FEWEST_GROUPS} nothing but the prior says how unlike they are"
        return (f"Of new {noun} nothing can be said: {why}.",)

    def _groups(self) -> list[str]:
        """What is independent of what, and what answers are worth."""
        said = f"{self.units[0].upper()}{self.units[1:]}."
        if not self.answer.about:
            return [visible(said)]
        worth = self.effective_n
        about = formats.integer(int(float(f"{worth:.3g}")) if worth >= 1000 else round(worth))
        said += f" {formats.several(self.independent, 'independent unit')}"
        if self.correlation is None:
            said += ", too few to say how alike the answers of one are."
        else:
            mean, low, high = self.correlation
            places = formats.decimals(low, high)
            said += (
                f": the {formats.several(self.n, 'answer')} are worth about {about}; two of one unit agree beyond "
                f"chance by {formats.number(mean, places)} ({formats.interval(low, high, places)}, ICC)."
            )
        told = [visible(said)]
        if self.clustered_error is not None:
            told.append(
                f"Clustered standard error of the {self.correct / self.n:.3f}: {self.clustered_error:.4f}, as "
                "evaluation frameworks print it; with few units it is too narrow."
            )
        return told

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``log``."""
        icc = self.correlation
        return {
            **envelope("log"),
            "source": self.source,
            "metric": self.scored,
            "n": self.n,
            "items": self.items,
            "correct": self.correct,
            "units": self.units,
            "independent": self.independent,
            "effective_n": self.effective_n,
            "icc": None if icc is None else dict(zip(("mean", "low", "high"), icc, strict=True)),
            **{key: value for key, value in asdict(self.answer).items() if key != "metric"},
            "beside": None if self.beside is None else asdict(self.beside),
            "tries": [asdict(each) for each in self.tries],
            "clustered_error": self.clustered_error,
            "level": self.level,
            "interval": self.interval,
            "verdict": self.verdict,
            "notes": list(self.notes),
        }

    def to_csv(self) -> str:
        """A row an answer, numbers in full."""
        same = {k: getattr(self, k) for k in ("source", "scored", "n", "items", "correct", "independent")}
        rows = [
            {**same, "effective_n": self.effective_n, **asdict(each), "level": self.level, "interval": self.interval}
            for each in self.answers
        ]
        return csv_text(list(rows[0]), [list(row.values()) for row in rows])


def _tries(
    log: Outcomes, prior: str | Prior | None, question: Question | None, k: int | None
) -> Iterator[tuple[Distribution, Question, str]]:
    """What is known of several tries, about the items that the report is about."""
    if k is None:
        return
    if log.grouped_by:
        raise InvalidArgument(
            "tries= are about questions, and the answers are grouped by something else; leave tries= or group= out"
        )
    known = infer(log.repeats, prior, groups=question)
    if prior is None and known.groups == "new":  # the same law as under "learned", and the prior of the accuracy
        known = infer(log.repeats, fixed_default(2), groups="new")
    for name in (f"pass@{k}", f"pass^{k}"):
        yield known.of(name), known.groups, name


def log_report(
    log: Outcomes,
    prior: str | Prior | None = None,
    *,
    groups: Question | None = None,
    tries: int | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
) -> LogReport:
    """What a log says about the accuracy.

    Where items are answered in several epochs, or groups were named, the answer is about new items or groups from 8 on,
    and that about these again stands beside it (`howsure.infer`).

    Parameters
    ----------
    log : Outcomes
        From `read_log`.
    prior : str or Prior, optional
        "calibrated" if left out.
    groups : "new" or "these", optional
        Which answer leads.
    tries : int, optional
        Also pass@k and pass^k for so many tries: whether any, and whether all, of k answers to a question are right.
    level, kind
        Of the intervals.

    Raises
    ------
    InvalidArgument
        A question about groups where each answer is of an item of its own; tries where groups were named, or more than
        any item has answers.
    NoInformation
        About new items or groups, of which there are fewer than five.

    Examples
    --------
    >>> print(log_report(Outcomes(["q1", "q2", "q3", "q4"], [True, True, False, True])).verdict)
    3 of 4 answers are right: the accuracy is 0.69, 95 % HDI 0.34 to 0.99.
    """
    checked_level(level)
    counts = log.confusion.groups
    noun = "groups" if log.grouped_by else "questions"
    words: dict[Question, str] = {"new": f"new {noun}", "these": f"these {noun} again"}

    def told(known: Distribution, question: Question | None, name: str) -> LogAnswer:
        ends = known.interval(level, kind=kind)
        about = "" if question is None else words[question]
        return LogAnswer(name, about, known.observed, known.mean, ends.low, ends.high, known.prior, known.route)

    def answered(question: Question | None) -> LogAnswer:
        return told(log.posterior(prior, groups=question).of("accuracy"), question, "accuracy")

    if groups is not None and counts is None:
        raise InvalidArgument(
            "groups= is about questions that are answered in several epochs, or that share a group= that is named; "
            "here each is answered once, and the accuracy is that of new ones"
        )
    beside = None
    question = groups
    if counts is not None:
        question = groups or counts.question
        try:
            beside = answered("these" if question == "new" else "new")
        except NoInformation:
            beside = None
    return LogReport(
        source=log.source,
        scored=log.metric,
        n=log.n,
        items=log.distinct,
        correct=log.correct,
        units=log.units,
        independent=log.independent,
        effective_n=log.effective,
        correlation=log.correlation,
        answer=answered(question),
        tries=tuple(told(known, asked, name) for known, asked, name in _tries(log, prior, question, tries)),
        beside=beside,
        clustered_error=None if counts is None or len(counts) < 2 else clustered_error(counts.correct, counts.cases),
        level=level,
        interval=kind,
        notes=log.notes,
    )
