"""The answers to "is A better than B?", as data: of tables, and of any kind of knowledge."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from howsure.answers.fields import summary
from howsure.answers.sheet import COVERS, Sheet, covered
from howsure.knowledge.protocol import NOTHING_BESIDE, Ask, Beside, Measured
from howsure.laws import Draws, Law, Linear
from howsure.metrics import Measure
from howsure.posterior.common_ground import only_right_or_wrong
from howsure.posterior.distribution import Distribution, moved_notes
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.priors import LearnedPrior
from howsure.questions import contenders
from howsure.questions.contenders import (
    ClassDifference,
    Contender,
    Discordant,
    cases,
    class_cells,
    class_differences,
    tail_of_the_smaller,
)
from howsure.questions.differences import (
    Loss,
    Side,
    TwoSided,
    losses,
    pairing,
)
from howsure.questions.groups import ComparedGroups, groups_of
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.text_table import csv_text

__all__ = ["Comparison", "Difference"]


FIELDS = """
about unit metric better=measure.better names paired prior? groups=_groups? level interval=kind rope draws seed
verdict=sentence a(name n observed *law) b(name n observed *law) difference=between(observed *law)
p_better p_equal p_worse expected_loss beside=_beside? warnings notes
"""

#: The column that holds words, the law.
WORDS = frozenset([5])

CSV = ("what", "metric", "observed", "mean", "low", "high", "p_better", "p_equal", "p_worse", "method", "level")


@dataclass(frozen=True, eq=False)
class Difference(TwoSided, json="difference", fields=FIELDS):
    """Two contenders by one metric; made by `compare` of a kind of knowledge.

    Attributes
    ----------
    about, unit, noise : str
        The data in a sentence, what is sampled, and what may be wrong with data besides.
    measure : Measured
        The metric.
    a, b, between : Side
        What is known of each, and of A minus B.
    paired : bool
        Whether both were seen on the same units.
    rope : float or None
        Differences up to this size count as equivalent.
    level, kind, draws, seed
        Of intervals and of what is drawn.
    prior : str or None
        Where one can pull a number.
    groups : tuple of int
        Groups of the units, where numbers are about new ones.
    alike : bool
        Whether nothing tells A and B apart.
    beside : Beside
        What a reader should know besides.
    notes : tuple of str

    Examples
    --------
    >>> import howsure as hs
    >>> rows = [(i, name, i % 5 + more) for name, more in (("new", 0.5), ("old", 0.0)) for i in range(20)]
    >>> item, system, score = zip(*rows)
    >>> made = hs.compare(hs.Items.from_columns(item, score, system=system, range=(0, 5)))
    >>> made.between.observed, made.p_better > 0.9
    (0.5, True)
    """

    about: str
    unit: str
    measure: Measured
    a: Side
    b: Side
    between: Side
    paired: bool
    rope: float | None
    ask: Ask
    notes: tuple[str, ...] = ()
    noise: str = "wrong scores"
    prior: str | None = None
    groups: tuple[int, ...] = ()
    alike: bool = False
    beside: Beside = NOTHING_BESIDE

    @property
    def difference(self) -> Law:
        """The law of A minus B."""
        return self.law

    @property
    def names(self) -> tuple[str, str]:  # type: ignore[override]  # of the two sides
        """What A and B are called."""
        return self.a.name, self.b.name

    @property
    def metric(self) -> str:
        """Name of the metric."""
        return self.measure.name

    @property
    def _called(self) -> str:
        """The word for the metric."""
        return self.measure.called

    @property
    def higher_is_better(self) -> bool:
        """Direction of the metric."""
        return self.measure.better == "higher"

    @property
    def law(self) -> Law:
        """Of A minus B."""
        return self.between.law

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return self.beside.warnings

    @property
    def observed(self) -> float | None:
        """Difference on the raw data."""
        return self.between.observed

    @property
    def _alike(self) -> bool:
        return self.alike

    @property
    def _units(self) -> str:
        return f"{self.unit}s"

    @property
    def _which_groups(self) -> str:
        return "new groups" if self.groups else ""

    def _seen(self, observed: float | None, digits: int) -> str:
        if observed is None and self.unit == "battle":
            return ""
        return formats.number(observed, max(digits, 3 if self.prior else 2))

    @property
    def _groups(self) -> tuple[int, ...] | None:
        return self.groups or None

    @property
    def _beside(self) -> dict[str, Any] | None:
        return dict(self.beside.keys) or None

    def sheet(self) -> Sheet:
        """Rows of A, of B and of the difference."""
        return Sheet(
            self.sentence, self._header, self._rows, (self._footnote(),), below=self.beside.below, remarks=self.notes,
            warnings=self.warnings, about=f"{self.about} {self._called}: {self.measure.better} is better.",
            words=WORDS, covers=covered(self.unit, self.noise),
        )  # fmt: skip

    def _footnote(self) -> str:
        line = "Loss: expected shortfall of the choice, in units of the metric."
        if drawn := [side.law.n for side in (self.a, self.b, self.between) if isinstance(side.law, Draws)]:
            drawing = f"{integer(min(drawn))} draws, seed {self.seed}"
            line += f" simulated: {drawing}, ± Monte Carlo error of the interval's ends."
        return line

    def to_csv(self) -> str:
        """One row for each contender and for the difference; numbers in full."""
        return csv_text(CSV, self._lines(self.level))


#: What a prior of pseudo-counts says of itself; a learned one has no such numbers.
PSEUDO_COUNTS = ("a", "b", "prevalence")

#: Above this many classes, only those with the surest differences are shown; JSON and CSV have all.
MOST_CLASSES_SHOWN = 20
SUREST = 10

CSV_OF_COMPARISON = (
    *("what", "metric", "observed", "mean", "low", "high"),
    *("p_better", "p_equal", "p_worse", "method", "prior", "paired", "level"),
)

#: What is said of a pair of three classes or more.
LEARNED = "Same cases: how often the two disagree, and in whose favour, is learned over the classes."


FIELDS_OF_COMPARISON = """
metric=measures.0.base average=measures.0.average label=measures.0.label better=measures.0.metric.better paired
prior=_prior level interval=kind rope seed draws verdict=sentence classifiers=_classifiers difference=_difference
ratio=_ratio p_better p_equal p_worse expected_loss discordant narrowing tail per_class groups? warnings notes
"""


@dataclass(frozen=True, eq=False)
class Comparison(TwoSided, json="compare", fields=FIELDS_OF_COMPARISON):
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
        Differences up to this size count as equivalent.
    level, kind : float, str
        Probability and kind of the intervals.
    draws, seed : int
        For what has no closed form.
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
    ask: Ask
    remarks: tuple[str, ...] = ()

    # -- the difference -------------------------------------------------------------------------------------

    @property
    def metric(self) -> str:
        """Name of the measure."""
        return self.measures[0].name

    @cached_property
    def _called(self) -> str:
        """The metric by the name that people know, where it has one."""
        return contenders.called(self.metric, self.posteriors[0])

    @property
    def higher_is_better(self) -> bool:
        """Direction of the metric."""
        return self.measures[0].metric.better == "higher"

    @property
    def prior(self) -> str:
        """Name of the prior of both."""
        return knowledge_of(self.posteriors[0]).prior_name

    @property
    def paired(self) -> bool:  # type: ignore[override]  # by the posteriors
        """Whether both answered the same cases; otherwise the test sets are separate."""
        return contenders.paired(self.posteriors)

    @cached_property
    def difference(self) -> Distribution:
        """A minus B."""
        return self.a - self.b

    @property
    def law(self) -> Law:
        """The same, as a law."""
        return self.difference.law

    @cached_property
    def _mean(self) -> float:
        """Mean of A minus B; infinite or undefined where the two means make it so, which draws cannot show."""
        means = self.a.mean, self.b.mean
        return self.difference.mean if all(map(math.isfinite, means)) else means[0] - means[1]

    @property
    def observed(self) -> float | None:
        """Difference on the raw counts."""
        a, b = self.a.observed, self.b.observed
        return None if a is None or b is None else a - b

    @property
    def prior_shift(self) -> float | None:
        """(mean - observed) / sd of the difference: how far the prior moved it."""
        sd = self.difference.sd
        if self.observed is None or not math.isfinite(self._mean - self.observed) or not sd > 0:
            return None
        return (self._mean - self.observed) / sd

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
            over, under = contenders.drawn(self.posteriors, self.measures, self.ask)
        values = np.divide(over, under, out=np.full(len(over), np.nan), where=under > 0)
        return Draws(values) if np.isfinite(values).sum() > 1 else None

    # -- which is better ------------------------------------------------------------------------------------

    @cached_property
    def expected_loss(self) -> Loss:
        """What choosing A, and choosing B, loses on average, in units of the metric."""
        found = losses(self.law, higher=self.higher_is_better, alike=self._alike)
        # what is lost by A is what B has and A has not; where that has an infinite mean, draws do not show it
        better = (self.b, self.a) if self.higher_is_better else (self.a, self.b)
        return Loss(*(math.inf if math.isinf(x.mean) else loss for x, loss in zip(better, found, strict=True)))

    @cached_property
    def discordant(self) -> Discordant | None:
        """Cases that both have right, only A, only B, neither; None for separate test sets."""
        return contenders.discordant(self.posteriors)

    @cached_property
    def narrowing(self) -> float | None:
        """Width of the interval as if the test sets were separate, over its width; None for separate ones."""
        width = self.difference.interval(self.level, self.kind).width
        if not self.paired or not width > 0:
            return None
        return contenders.width_apart(self.posteriors, self.measures, (self.a, self.b), self.ask) / width

    @cached_property
    def per_class(self) -> tuple[ClassDifference, ...]:
        """Difference of the recall of every class that both have; none of right and wrong, which are no classes."""
        if all(map(only_right_or_wrong, self.posteriors)):
            return ()
        return class_differences(self.posteriors, self.ask)

    @property
    def shown_classes(self) -> tuple[ClassDifference, ...]:
        """The same, from the one that is ahead."""
        return tuple(it.reverse for it in self.per_class) if self.turned else self.per_class

    @cached_property
    def groups(self) -> ComparedGroups | None:
        """Of cases in groups: what the numbers are about, the other answer, how many cases they are worth."""
        return groups_of(self)

    @cached_property
    def tail(self) -> float | None:
        """Where one is better with probability ``level``: the same with the smaller of two test sets at its tail.

        None elsewhere, and where sizes are alike; see `howsure.questions.contenders.tail_of_the_smaller`.
        """
        if self.paired or max(self.p_better, self.p_worse) < self.level:
            return None
        first = self.p_better > self.p_worse
        beyond = (self.rope or 0.0) * (1 if first == self.higher_is_better else -1)
        return tail_of_the_smaller(self.posteriors, self.measures, beyond, self.ask, first_better=first)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        small = () if self.tail is None else contenders.small_beside_large(self.tail, self.level)
        return (*small, *self.caveats)

    @cached_property
    def caveats(self) -> tuple[str, ...]:
        """The same of the data alone, without what decides."""
        asked = self.names, self.posteriors, (self.a, self.b), self.prior_shift
        return contenders.warnings(*asked)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What helps one: how the data were read, what the prior does."""
        sides, exact = (self.a, self.b), self.difference.route == "exact"
        found = moved_notes(self.names, sides, self.prior_shift, metric=self._called, prior=self.prior, exact=exact)
        learned = (LEARNED,) if contenders.learned(self.posteriors, self.measures[0]) else ()
        law = self.difference.law
        number = law.n if isinstance(law, Draws) else self.draws
        groups = () if self.groups is None else self.groups.sentences(number, self.names[0])
        absent = contenders.absent(self.names, self.posteriors, self.measures)
        return (*self.remarks, *groups, *learned, *absent, *found)

    # -- as a value -----------------------------------------------------------------------------------------

    @property
    def _which_groups(self) -> str:
        return contenders.which_groups(self.posteriors)

    @property
    def _prior(self) -> dict[str, Any]:
        prior = self.posteriors[0].prior
        learned = isinstance(prior, LearnedPrior)
        return {"name": self.prior, **{key: None if learned else getattr(prior, key) for key in PSEUDO_COUNTS}}

    @property
    def _classifiers(self) -> list[dict[str, Any]]:
        return [
            {"name": name, "n": cases(p), "observed": x.observed, **self._numbers(x.law)}
            for name, x, p in zip(self.names, (self.a, self.b), self.posteriors, strict=True)
        ]

    @property
    def _difference(self) -> dict[str, Any]:
        seen = {"observed": self.observed, "prior_effect": self.prior_shift, "prior_shift": self.prior_shift}
        return {**seen, **self._numbers(self.law), "mean": self._mean}

    @property
    def _ratio(self) -> Mapping[str, Any] | None:
        return None if self.ratio is None else self._numbers(self.ratio)

    def _numbers(self, law: Law) -> Mapping[str, Any]:
        ends, drawn = law.interval(self.level, self.kind), law if isinstance(law, Draws) else None
        error = drawn.interval_error(self.level, ends.kind) if drawn else law.error
        return {**summary(law, self.level, self.kind), "error": error, "draws": drawn.n if drawn else None}

    def to_csv(self) -> str:
        """CSV, one row for each classifier, for the difference, and for the recall of each class; numbers in full."""
        shared = (self.prior, "yes" if self.paired else "no", self.level)
        what, rows = " - ".join(self.names), self._lines(*shared)
        for it in self.per_class:
            said = (it.mean, it.low, it.high, it.p_better, None, it.p_worse, it.law)
            rows.append((what, f"recall@{it.label}", None, *said, *shared))
        return csv_text(CSV_OF_COMPARISON, rows)

    # -- for people -----------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """Rows of A, of B, of the difference, and of the recall of each class."""
        below = []
        listed = [it for it in self.shown_classes if it.p_better is not None]
        if (many := len(self.per_class)) > MOST_CLASSES_SHOWN:
            listed = sorted(listed, key=lambda it: -abs((it.p_better or 0.5) - 0.5))[:SUREST]
            below.append(f"The {SUREST} surest differences of {many} classes are shown; --json has the others.")
        return Sheet(
            self.sentence,
            self._header,
            (*self._rows, *(class_cells(it, self.kind, self.draws) for it in listed)),
            (self._footnote(),),
            about=self._about(),
            below=(*below, *pairing(self.names, self.discordant, self.narrowing)),
            warnings=self.warnings,
            remarks=self.notes,
            words=WORDS,
            covers=COVERS,
        )

    @cached_property
    def _alike(self) -> bool:
        return contenders.exchangeable(self.posteriors)

    def _about(self) -> str:
        """What was compared: cases, pairing, prior, and which direction of the metric is better."""
        sizes = [integer(cases(p)) for p in self.posteriors]
        apart = f"separate test sets of {' and '.join(sizes)} cases"
        what = f"Paired: {sizes[0]} cases answered by both" if self.paired else f"Not paired: {apart}"
        if self.groups is not None:
            many = " and ".join(map(integer, self.groups.groups))
            what += f", in {many} {'group' if many == '1' else 'groups'}"
        direction = self.measures[0].metric.better
        return f"{what}. Prior: {plain(self.prior)}. {self._called}: {direction} is better."

    def _footnote(self) -> str:
        """What the numbers mean, and what they do not cover."""
        line = "Loss: expected shortfall of the choice, in units of the metric. "
        if self.per_class:
            line += f"Rows of a class: difference of its recall{', without the rope' if self.rope else ''}. "
        drawn = any(isinstance(x.law, Draws) for x in (self.a, self.b, self.difference))
        if drawn or any(it.law == "simulated" for it in self.per_class):
            line += f"simulated: {integer(self.draws)} draws, seed {self.seed}, ± Monte Carlo error of the ends."
        return line.rstrip()

    def __repr__(self) -> str:
        return f"<Comparison: {self.sentence}>"
