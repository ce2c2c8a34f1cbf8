"""The answer to "is A better than B?", as data; `print` shows it as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from howsure._version import __version__
from howsure.comparison import comparison_caveats, comparison_text
from howsure.comparison.chances import Chances, Loss, chances, losses
from howsure.comparison.comparison_picture import picture
from howsure.comparison.comparison_sentence import sentence
from howsure.comparison.contender import Contender, cases, class_sizes
from howsure.errors import NoInformation
from howsure.frozen import Answer
from howsure.laws import Draws, Kind, Law, LearnedSum, Linear
from howsure.metrics import Measure, of_class
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedMember, separate

#: Classes of a log that says which answers are right (`howsure.io.logs.paired`); the truth is "right" throughout.
RIGHT_OR_WRONG = ("wrong", "right")

__all__ = ["ClassDifference", "Comparison", "Discordant", "Loss"]


class Discordant(NamedTuple):
    """Cases that both have right, only A, only B, neither."""

    both_right: int
    only_a: int
    only_b: int
    both_wrong: int


@dataclass(frozen=True)
class ClassDifference:
    """Recall of one class, A minus B; numbers are None where there is no information.

    ``law`` is "exact", or "drawn" under the prior `learned`; ``error`` is that of the distribution function, or the
    Monte Carlo error of the interval's ends.
    """

    label: str
    n_a: int
    n_b: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    interval: str | None = None
    p_better: float | None = None
    law: str | None = None
    error: float | None = None

    @property
    def p_worse(self) -> float | None:
        """Probability that the recall of A is the lower one."""
        return None if self.p_better is None else 1 - self.p_better


@dataclass(frozen=True, eq=False)
class Comparison(Answer):
    """Two classifiers by one metric; made by `compare`.

    Attributes
    ----------
    names : (str, str)
        What A and B are called.
    posteriors, measures : pairs
        What is known about each classifier, and the metric as each has it.
    a, b : Distribution
        What is known about the metric of each alone.
    rope : float or None
        Differences up to this size are practically nil.
    level, kind : float, str
        Probability and kind of the intervals.
    draws, seed : int
        For what has no closed law.
    remarks : tuple of str
        Sentences about the data, which become notes.

    Examples
    --------
    >>> from howsure import Predictions, compare
    >>> both = Predictions([0] * 40 + [1] * 40, {"new": [0] * 40 + [1] * 40, "old": [0] * 34 + [1] * 46})
    >>> compare(both, metric="accuracy").discordant
    Discordant(both_right=74, only_a=6, only_b=0, both_wrong=0)
    """

    names: tuple[str, str]
    posteriors: tuple[Contender, Contender]
    measures: tuple[Measure, Measure]
    a: Distribution
    b: Distribution
    rope: float | None
    level: float
    kind: Kind
    draws: int
    seed: int
    remarks: tuple[str, ...] = ()

    # -- the difference -------------------------------------------------------------------------------------

    @property
    def metric(self) -> str:
        """Name of the measure."""
        return self.measures[0].name

    @property
    def higher_is_better(self) -> bool:
        """Direction of the metric."""
        return self.measures[0].metric.better == "higher"

    @property
    def prior(self) -> str:
        """Name of the prior of both."""
        return knowledge_of(self.posteriors[0]).prior_name

    @property
    def paired(self) -> bool:
        """Whether both answered the same cases; otherwise the test sets are separate."""
        return isinstance(self.posteriors[0], PairedMember)

    @cached_property
    def difference(self) -> Distribution:
        """A minus B."""
        return self.a - self.b

    @property
    def observed(self) -> float | None:
        """Difference on the raw counts."""
        a, b = self.a.observed, self.b.observed
        return None if a is None or b is None else a - b

    @property
    def prior_shift(self) -> float | None:
        """(mean - observed) / sd of the difference: how far the prior moved it."""
        sd = self.difference.sd
        return None if self.observed is None or not sd > 0 else (self.difference.mean - self.observed) / sd

    @cached_property
    def ratio(self) -> Law | None:
        """A divided by B, drawn jointly; None for a metric that can be negative."""
        if self.measures[0].metric.range[0] < 0:
            return None
        laws = [knowledge_of(p).exact_law(m) for p, m in zip(self.posteriors, self.measures, strict=True)]
        streams = (0, 0) if self.paired else (0, 1)
        if all(isinstance(law, Linear) for law in laws):
            # one seed for laws on the same rows: they draw the same rows
            over, under = (
                law.sample(self.draws, seed=[self.seed, stream])
                for law, stream in zip(laws, streams, strict=True)
                if law is not None
            )
        else:
            over, under = (
                knowledge_of(p).drawn([m], self.draws, self.seed, stream)[0]
                for p, m, stream in zip(self.posteriors, self.measures, streams, strict=True)
            )
        values = np.divide(over, under, out=np.full(len(over), np.nan), where=under > 0)
        return Draws(values) if np.isfinite(values).sum() > 1 else None

    # -- which is better ------------------------------------------------------------------------------------

    @cached_property
    def chances(self) -> Chances:
        """Probabilities that A is better than, practically equal to, and worse than B."""
        made = chances(self.difference.law, self.rope, higher=self.higher_is_better)
        if not self.exchangeable:
            return made
        even = (1 - made.equal) / 2
        return Chances(even, made.equal, even)

    @property
    def p_better(self) -> float:
        """Probability that A is better than B (by more than ``rope``, if there is one; ties split)."""
        return self.chances.better

    @property
    def p_equal(self) -> float:
        """Probability that the difference is at most ``rope``; 0 without one."""
        return self.chances.equal

    @property
    def p_worse(self) -> float:
        """Probability that A is worse than B (by more than ``rope``, if there is one; ties split)."""
        return self.chances.worse

    @cached_property
    def expected_loss(self) -> Loss:
        """What choosing A, and choosing B, loses on average, in units of the metric."""
        made = losses(self.difference.law, higher=self.higher_is_better)
        return Loss(*[(made.a + made.b) / 2] * 2) if self.exchangeable else made

    @cached_property
    def exchangeable(self) -> bool:
        """Whether nothing tells A and B apart: the same answers, or equal counts of separate test sets."""
        a, b = self.posteriors
        if isinstance(a, PairedMember) and isinstance(b, PairedMember) and self.paired:
            one, other = (x.joint.predictions.answers(x.name) for x in map(knowledge_of, (a, b)))
            return np.array_equal(one, other)
        if isinstance(a, AccuracyPosterior) or isinstance(b, AccuracyPosterior):
            return (
                isinstance(a, AccuracyPosterior)
                and isinstance(b, AccuracyPosterior)
                and (a.correct, a.n) == (b.correct, b.n)
            )
        known, beside = knowledge_of(a), knowledge_of(b)
        here, there = known.known_prevalence, beside.known_prevalence
        stated = here is there is None or (here is not None and there is not None and np.array_equal(here, there))
        learned = {known.prevalence_source, beside.prevalence_source} <= {"test set", "stated"}
        return stated and learned and a.confusion == b.confusion and a.prior == b.prior

    @cached_property
    def discordant(self) -> Discordant | None:
        """Cases that both have right, only A, only B, neither; None for separate test sets."""
        a, b = self.posteriors
        if not (isinstance(a, PairedMember) and isinstance(b, PairedMember) and self.paired):
            return None
        one, other = knowledge_of(a), knowledge_of(b)
        return Discordant(*one.joint.both_right_or_wrong(one.name, other.name).sum(axis=0).tolist())

    @cached_property
    def narrowing(self) -> float | None:
        """Width of the interval as if the test sets were separate, over its width; None for separate ones."""
        if not self.paired:
            return None
        apart = [knowledge_of(separate(p)) for p in self.posteriors if isinstance(p, PairedMember)]
        alone = [p.of(m, draws=self.draws, seed=self.seed) for p, m in zip(apart, self.measures, strict=True)]
        width = self.difference.interval(self.level, self.kind).width
        return (alone[0] - alone[1]).interval(self.level, self.kind).width / width if width > 0 else None

    @cached_property
    def only_right_or_wrong(self) -> bool:
        """Whether logs of right and wrong answers are compared, of which nothing but the accuracy means anything."""
        return all(
            tuple(p.labels) == RIGHT_OR_WRONG and class_sizes(p)[RIGHT_OR_WRONG[0]] == 0 for p in self.posteriors
        )

    @cached_property
    def per_class(self) -> tuple[ClassDifference, ...]:
        """Difference of the recall of every class that both have; none of right and wrong, which are no classes."""
        if self.only_right_or_wrong:
            return ()
        sizes = [class_sizes(p) for p in self.posteriors]
        found = [{label: i for i, label in enumerate(p.labels)} for p in self.posteriors]
        return tuple(
            self._of_class(label, (found[0][label], found[1][label]), (sizes[0][label], sizes[1][label]))
            for label in self.posteriors[0].labels
            if label in found[1]
        )

    def _of_class(self, label: str, places: tuple[int, int], sizes: tuple[int, int]) -> ClassDifference:
        try:
            both = zip(self.posteriors, places, strict=True)
            a, b = (knowledge_of(p).of(of_class("recall", p.labels, i)) for p, i in both)
        except NoInformation:
            return ClassDifference(label, *sizes)
        law = (a - b).law
        if isinstance(law, LearnedSum):
            # learned recalls: drawing two of them is right, and a hundred times as quick as their mixtures
            over, under = (
                x.law.sample(self.draws, seed=[self.seed, side, place])
                for side, (x, place) in enumerate(zip((a, b), places, strict=True))
            )
            law = Draws(over - under, support=(-1.0, 1.0))
        ends = law.interval(self.level, self.kind)
        better = chances(law, None, higher=True).better
        error = law.interval_error(self.level, ends.kind) if isinstance(law, Draws) else law.error
        return ClassDifference(label, *sizes, law.mean, ends.low, ends.high, ends.kind, better, law.route, error)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return comparison_caveats.warnings(self)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What helps one: how the data were read, what the prior does."""
        return (*self.remarks, *comparison_caveats.notes(self))

    # -- as a value -----------------------------------------------------------------------------------------

    @cached_property
    def sentence(self) -> str:
        """The answer in plain words."""
        return sentence(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``compare``; see its JSON Schema."""
        prior = self.posteriors[0].prior
        measure = self.measures[0]
        return {
            "format": "howsure/1",
            "kind": "compare",
            "version": __version__,
            "metric": measure.base,
            "average": measure.average,
            "label": measure.label,
            "better": measure.metric.better,
            "paired": self.paired,
            "prior": {"name": self.prior, "a": prior.a, "b": prior.b, "prevalence": prior.prevalence},
            "level": self.level,
            "interval": self.kind,
            "rope": self.rope,
            "seed": self.seed,
            "draws": self.draws,
            "verdict": self.sentence,
            "classifiers": [
                {"name": name, "n": cases(p), "observed": x.observed, **self._numbers(x.law)}
                for name, p, x in zip(self.names, self.posteriors, (self.a, self.b), strict=True)
            ],
            "difference": {
                "observed": self.observed,
                "prior_shift": self.prior_shift,
                **self._numbers(self.difference.law),
            },
            "ratio": None if self.ratio is None else self._numbers(self.ratio),
            "p_better": self.p_better,
            "p_equal": self.p_equal,
            "p_worse": self.p_worse,
            "expected_loss": self.expected_loss._asdict(),
            "discordant": None if self.discordant is None else self.discordant._asdict(),
            "narrowing": self.narrowing,
            "per_class": [vars(row) for row in self.per_class],
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }

    def _numbers(self, law: Law) -> Mapping[str, Any]:
        ends = law.interval(self.level, self.kind)
        drawn = law if isinstance(law, Draws) else None
        return {
            "mean": law.mean,
            "median": law.median,
            "sd": law.sd,
            "low": ends.low,
            "high": ends.high,
            "interval": ends.kind,
            "law": law.route,
            "error": drawn.interval_error(self.level, ends.kind) if drawn else law.error,
            "draws": drawn.n if drawn else None,
        }

    def to_markdown(self) -> str:
        """Markdown with a table, for a pull request or a README."""
        return comparison_text.markdown(self)

    def to_csv(self) -> str:
        """CSV, one row for each classifier, for the difference, and for the recall of each class."""
        return comparison_text.csv(self)

    def __str__(self) -> str:
        return comparison_text.text(self)

    def __repr__(self) -> str:
        return f"<Comparison: {self.sentence}>"

    def _repr_html_(self) -> str:
        return comparison_text.html(self) + picture(self)
