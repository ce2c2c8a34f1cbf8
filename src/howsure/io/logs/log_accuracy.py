"""How sure the accuracy of a log is, as a sentence, a table and data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.errors import visible
from howsure.io.logs.outcomes import Outcomes
from howsure.laws import Kind
from howsure.laws.law import KIND, LEVEL, checked_level
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.json_envelope import envelope
from howsure.text.sheet import Record, Sheet
from howsure.text.text_table import csv_text

__all__ = ["LogReport", "log_report"]


@dataclass(frozen=True, repr=False)
class LogReport(Record):
    """The accuracy that a log says something about; made by `log_report`.

    Attributes
    ----------
    source, scored : str
        The file, and what was scored.
    n, items, effective_n, correct : int
        Answers, different items, answers that are worth a case each, right answers.
    mean, low, high : float
        Of the accuracy; the interval has the probability ``level`` and is of the kind ``interval``.
    prior, law : str
        What was supposed before, and how it was computed.
    """

    source: str
    scored: str
    n: int
    items: int
    effective_n: int
    correct: int
    mean: float
    low: float
    high: float
    level: float
    interval: Kind
    prior: str
    law: str
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        repeats = f" to {formats.several(self.items, 'item')}" if self.items < self.n else ""
        scored = f" ({formats.plain(self.scored, 40)})" if self.scored else ""
        right = "is right" if self.correct == 1 else "are right"
        return (
            f"{formats.integer(self.correct)} of {formats.several(self.n, 'answer')}{repeats} {right}{scored}: "
            f"the accuracy is {self._mean}, {formats.interval_name(self.interval, self.level)} {self._ends}."
        )

    @property
    def _places(self) -> int:
        return formats.decimals(self.low, self.high)

    @property
    def _mean(self) -> str:
        return formats.number(self.mean, self._places)

    @property
    def _ends(self) -> str:
        return formats.interval(self.low, self.high, self._places)

    def sheet(self) -> Sheet:
        """The answer as cells of text."""
        header = ("", "observed", "mean", formats.interval_name(self.interval, self.level), "law")
        observed = formats.number(self.correct / self.n, max(self._places, 3))
        notes = [f"Prior {formats.plain(self.prior)}."]
        if self.effective_n < self.n:
            counted = f"{formats.several(self.effective_n, 'case')} of {formats.integer(self.n)} answers"
            notes.append(f"note: repeats count as far as they say something new: {counted}.")
        notes += [f"note: {visible(note)}" for note in self.notes]
        notes.append("The numbers cover the sampling of cases only; not label noise, leakage or drift.")
        return Sheet(self.verdict, header, (("accuracy", observed, self._mean, self._ends, self.law),), tuple(notes))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``log``."""
        named = {key: getattr(self, key) for key in self.__dataclass_fields__ if key not in ("scored", "notes")}
        return {**envelope("log"), "metric": self.scored, **named, "verdict": self.verdict, "notes": list(self.notes)}

    def to_csv(self) -> str:
        """One row, numbers in full."""
        data = {k: v for k, v in self.to_dict().items() if k not in ("format", "kind", "version", "verdict", "notes")}
        return csv_text(list(data), [list(data.values())])


def log_report(
    log: Outcomes, prior: str | Prior | None = None, *, level: float = LEVEL, kind: Kind = KIND
) -> LogReport:
    """What a log says about the accuracy.

    Parameters
    ----------
    log : Outcomes
        From `read_log`.
    prior : str or Prior, optional
        "flat" if left out.
    level, kind
        Of the interval.

    Examples
    --------
    >>> print(log_report(Outcomes(["q1", "q2", "q3", "q4"], [True, True, False, True])).verdict)
    3 of 4 answers are right: the accuracy is 0.67, 95 % HDI 0.33 to 0.97.
    """
    known = log.posterior(prior)
    accuracy = known.of("accuracy")
    ends = accuracy.interval(checked_level(level), kind=kind)
    return LogReport(
        source=log.source,
        scored=log.metric,
        n=log.n,
        items=log.distinct,
        effective_n=log.effective,
        correct=log.correct,
        mean=accuracy.mean,
        low=ends.low,
        high=ends.high,
        level=level,
        interval=ends.kind,
        prior=knowledge_of(known).prior_name,
        law=accuracy.route,
        notes=log.notes,
    )
