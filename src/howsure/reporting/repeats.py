"""The report on items that were answered once or several times: new items and these again, side by side.

Right and wrong, and scores; the log of an evaluation, and any table of items. `log_report` is the same of a log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from howsure.answers.asking import Ask, Asking, spelled
from howsure.answers.sheet import Sheet
from howsure.data.groups import Question
from howsure.data.repeats import FEW_OUTCOMES
from howsure.errors import InvalidArgument, NoInformation, visible
from howsure.errors.arguments import items, sentences
from howsure.knowledge.protocol import Answered
from howsure.laws import Draws, Kind
from howsure.numerics.populations.group_bootstrap import clustered_error
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.posterior.repeated_items import (
    MEAN,
    RepeatsPosterior,
    TryMeasure,
    VarianceSplit,
    split_of_variance,
    try_measure,
)
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.data.outcomes import Outcomes


#: Numbers of a row, and the keys of the answer.
ROW = "metric about observed mean sd low high interval law error why_not"
FIELDS = (
    "source scored items n fewest most incomplete correct grouped_by least largest about clustered_error prior level "
    "draws seed interval=kind outcomes observed=answer.observed mean=answer.mean low=answer.low high=answer.high "
    "metrics=rows variance=_variance verdict notes"
)


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
    def shown(self) -> tuple[str, str, str]:
        """Observed value, mean and interval, with the digits that the interval supports; blank where there are none."""
        seen, low, high = self.observed, self.low, self.high
        if low is None or high is None:
            return "" if seen is None else formats.number(seen, 3), "", ""
        error = (self.error or 0.0) if self.law == "simulated" else 0.0
        places = max(3, formats.decimals(low, high, error))
        return "" if seen is None else formats.number(seen, places), *formats.parts(self.mean, low, high, error)


@dataclass(frozen=True, repr=False)
class RepeatsReport(Answered, json="repeats", fields=FIELDS, csv=f"rows[{ROW}]"):
    """What answers to items say, as data; made by `howsure.report`, and by `log_report` of a log.

    Attributes
    ----------
    source, scored : str
        The file, and what was scored; "" where that is unknown.
    items, n, fewest, most, incomplete : int
        Items (or groups of them), runs of all of them, the least and the most runs of an item, items that some run left
        out.
    correct : int or None
        Right answers; None of scores that are more than right and wrong.
    grouped_by : str
        What makes answers alike, where that is not the item: then it stands for the item throughout.
    outcomes : tuple of str
        What a run may come out as, where these are few.
    least, largest : float
        Of the scores that are possible, as far as they are known.
    about : "new" or "these"
        Which answer comes first.
    rows : tuple of TryRow
        Two of each measure: about new items and about these again.
    split : VarianceSplit or None
        Where the variance comes from; None where every item was run once.
    clustered_error : float or None
        Clustered standard error of the share of right answers, which evaluation frameworks print.
    prior : str
        What was supposed before.
    level, kind, draws, seed
        Of intervals and of what is drawn.
    """

    source: str
    scored: str
    items: int
    n: int
    fewest: int
    most: int
    incomplete: int
    correct: int | None
    grouped_by: str
    outcomes: tuple[str, ...]
    least: float
    largest: float
    about: Question
    rows: tuple[TryRow, ...]
    split: VarianceSplit | None
    clustered_error: float | None
    prior: str
    ask: Ask
    notes: tuple[str, ...] = ()

    @property
    def noun(self) -> str:
        """What the units are."""
        return "group" if self.grouped_by else "item"

    @property
    def _same(self) -> str:
        return "new cases of the same groups" if self.grouped_by else "new runs of the same items"

    @property
    def answer(self) -> TryRow:
        """The mean about what the report is about."""
        return next(row for row in self.rows if row.about == self.about)

    @property
    def effective_n(self) -> float:
        """As how many independent answers all of them count."""
        return float(self.items) if self.split is None else self.split.worth

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        shown = [row for row in self.rows if row.about == self.about]
        told = [row for row in shown[1:] if row.metric.startswith("pass^")]
        words = "; ".join(f"{self._meaning(row.metric)} {self._numbers(row)}" for row in (*shown[:1], *told[:1]))
        if self.correct is None:
            return f"{words[0].upper()}{words[1:]}."
        answers = formats.several(self.n, "answer")
        of = f" to {formats.several(self.items, 'item')}" if self.items < self.n and not self.grouped_by else ""
        scored = f" ({formats.plain(self.scored, 40)})" if self.scored else ""
        are = "is right" if self.correct == 1 else "are right"
        return f"{formats.integer(self.correct)} of {answers}{of} {are}{scored}: {words}."

    def _meaning(self, metric: str) -> str:
        """What a measure is, up to its number."""
        new = self.about == "new"
        whose = f"{'a new' if new else 'one of these'} {self.noun}{'' if new else 's'}"
        if metric == MEAN:
            of = f"new {self.noun}s" if new else self._same
            return f"the {'accuracy' if self.correct is not None else 'mean score'} on {of} is"
        many = f"at least one of {metric[5:]} runs" if metric.startswith("pass@") else f"all {metric[5:]} runs"
        return f"{many} of {whose} {'is' if metric.startswith('pass@') else 'are'} right with probability"

    def _numbers(self, row: TryRow) -> str:
        if row.mean is None:
            return "unknown"
        _, mean, ends = row.shown
        return f"{mean} ({formats.interval_name(row.interval or self.kind, self.level)} {ends})"

    def sheet(self) -> Sheet:
        """The answer as cells of text."""
        titles: dict[Question, str] = {"new": f"new {self.noun}s", "these": self._same}
        known = {row.about for row in self.rows if row.mean is not None}
        abouts = sorted(known, key=lambda about: about != self.about)
        header = ["metric", "observed"]
        for about in abouts:
            header += [titles[about], self._interval_name, "method"]
        rows = []
        for first in (row for row in self.rows if row.about == self.about):
            cells = [first.metric, first.shown[0]]
            for about in abouts:
                row = next(row for row in self.rows if (row.metric, row.about) == (first.metric, about))
                cells += [*row.shown[1:], row.law or "no answer"]
            rows.append(tuple(cells))
        why = dict.fromkeys(row.why_not for row in self.rows if row.why_not and self.most > 1)
        notes = [visible(note) for note in (*(text for text in why if text), *self.notes)]
        return Sheet(
            self.verdict, tuple(header), tuple(rows), (self._small,), about=self._about, below=self._below,
            remarks=tuple(notes),
            covers="The numbers cover the sampling of items and runs only; not wrong marks, leakage or drift.",
        )  # fmt: skip

    @property
    def _about(self) -> str:
        runs = formats.several(self.most, "answer" if self.grouped_by else "run")
        runs = runs if self.fewest == self.most else f"{formats.integer(self.fewest)} to {runs}"
        units = formats.several(self.items, self.noun)
        units += f" (values of {formats.plain(self.grouped_by, 40)})" if self.grouped_by else ""
        scores = f"outcomes {', '.join(self.outcomes)}"
        if not self.outcomes:
            scores = f"scores {self.least:g} to {self.largest:g}"
        return visible(f"{units}, {runs} of each, {formats.integer(self.n)} in all; {scores}. Prior: {self.prior}.")

    @property
    def _below(self) -> tuple[str, ...]:
        told = () if self.split is None or self.grouped_by else (self.split.sentence,)
        if self.clustered_error is None or self.correct is None:
            return told
        error = f"Clustered standard error of the {self.correct / self.n:.3f}: {self.clustered_error:.4f}"
        return (*told, f"{error}, as evaluation frameworks print it; with few units it is too narrow.")

    @property
    def _variance(self) -> dict[str, Any] | None:
        """An answer of its own."""
        return None if self.split is None else self.split.to_dict()

    @property
    def _small(self) -> str:
        """What the words mean."""
        said = [f"New {self.noun}s: another draw from the population that these are from."]
        if any(row.metric.startswith("pass") for row in self.rows):
            said.append("pass@k: at least one of k runs of an item is right; pass^k: all k are.")
        return " ".join([*said, f"Every {self.noun} counts alike."])


@spelled(Asking)
def log_report(
    log: Outcomes,
    prior: str | Prior | None = None,
    *,
    groups: Question | None = None,
    tries: Sequence[int] = (),
    **how: Unpack[Asking],
) -> RepeatsReport:
    """What the log of an evaluation says about the accuracy, or the mean score.

    Examples
    --------
    >>> from howsure.io.logs import Outcomes
    >>> print(log_report(Outcomes(["q1", "q2", "q3", "q4"], [True, True, False, True])).verdict)
    3 of 4 answers are right: the accuracy on new items is 0.69 (95% HDI 0.34 to 0.99).
    """
    if tries and log.grouped_by:
        raise InvalidArgument("several runs are of items, and the answers are grouped by something else; leave k out")
    names = [MEAN, *(f"pass{sign}{k}" for k in tries if k != 1 for sign in "@^")] if tries else None
    return repeats_report(infer(log.repeats, prior, groups=groups), names, log=log, **how)


@spelled(Asking)
def repeats_report(
    posterior: RepeatsPosterior,
    metrics: Sequence[str] | None = None,
    *,
    notes: Sequence[str] = (),
    log: Outcomes | None = None,
    **how: Unpack[Asking],
) -> RepeatsReport:
    """Report on items that were answered once or several times; see `howsure.report`.

    Examples
    --------
    >>> import howsure as hs
    >>> runs = hs.Repeats.from_array([[1, 1, 1, 0], [1, 1, 1, 1], [0, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 1]] * 4)
    >>> repeats_report(hs.infer(runs), ["mean_score"]).verdict
    '56 of 80 answers to 20 items are right: the accuracy on new items is 0.69 (95% HDI 0.58 to 0.80).'
    """
    ask = Ask.of(how)
    repeats = posterior.repeats
    times = repeats.times
    fewest, most = int(times.min()), int(times.max())
    grouped_by = "" if log is None else log.grouped_by
    if metrics is None:
        several = sorted({min(2, fewest), fewest} - {1}) if repeats.binary and not grouped_by else []
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
        rows += [_row(posterior.asking(question), measure, ask) for question in questions]
        if few := int(np.count_nonzero(times < measure.k)):
            have, are = ("has", "is") if few == 1 else ("have", "are")
            name, runs = measure.name, f"fewer than {measure.k} runs"
            said.append(f"{formats.several(few, 'item')} {have} {runs} and {are} not in the observed {name}.")
    if all(row.why_not for row in rows if row.about == posterior.groups):
        raise NoInformation(next(row.why_not for row in rows if row.about == posterior.groups and row.why_not))
    if repeats.incomplete and not grouped_by:
        said.append(
            f"{formats.integer(repeats.incomplete)} of {formats.several(len(repeats.items), 'item')} "
            f"{'was' if repeats.incomplete == 1 else 'were'} left out by some run; the others' runs count as they are."
        )
    split = error_of_groups = None
    right = repeats.right if repeats.binary else None
    if most > 1:
        try:
            split = split_of_variance(posterior, **vars(ask))
        except NoInformation as error:
            said.append(f"{error}.")
        if right is not None and len(repeats.items) > 1:
            error_of_groups = clustered_error(right, times)
    return RepeatsReport(
        source="" if log is None else log.source, scored="" if log is None else log.metric, items=len(repeats.items),
        n=repeats.n, fewest=fewest, most=most, incomplete=repeats.incomplete,
        correct=None if right is None else int(right.sum()), grouped_by=grouped_by,
        outcomes=repeats.outcomes if len(repeats.scores) <= FEW_OUTCOMES else (), least=float(repeats.scores.min()),
        largest=float(repeats.scores.max()),
        about=posterior.groups, rows=tuple(rows), split=split, clustered_error=error_of_groups,
        prior=posterior.prior_name, ask=ask, notes=tuple(dict.fromkeys(said)),
    )  # fmt: skip


def _row(known: RepeatsPosterior, measure: TryMeasure, ask: Ask) -> TryRow:
    observed = known.observed(measure)
    try:
        made = known.of(measure, draws=ask.draws, seed=ask.seed)
    except NoInformation as refusal:
        return TryRow(measure.name, known.groups, observed, why_not=f"{refusal}.")
    ends = made.interval(ask.level, ask.kind)
    error = made.error if isinstance(made.law, Draws) else None
    return TryRow(
        measure.name, known.groups, observed, made.mean, made.sd, ends.low, ends.high, ends.kind, made.route, error
    )
