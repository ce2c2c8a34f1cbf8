"""Models whose answers one judge has judged, and people some of them: two as a pair, more each by its own labels.

Each model has its own truth (is its answer right?), so what tells two apart is a pair of truths in a cell of two
verdicts; the model, and its draws, are those of `howsure.numerics.draws.pair_tables`. A judge who prefers one of the
two costs nothing: rates given a verdict are each model's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from howsure.answers.fields import summary
from howsure.data.groups import refuse_both
from howsure.data.judged_answers import JudgedAnswers
from howsure.errors import InvalidArgument, NoInformation, OutOfReach, excerpt, listing
from howsure.frozen import Frozen, kept
from howsure.knowledge.protocol import Ask, Asked, Beside, Gap, Knowledge, Measured, Of
from howsure.laws import Beta, Draws, Law
from howsure.metrics import REGISTRY, Measure, directed, parse
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.draws.pair_tables import LabelledApart, LabelledPairs, matched_to
from howsure.posterior.distribution import Distribution, Term, moved_notes, moved_warnings
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.formats import integer, plain, several


def tipping_points(lead: float, rate: float) -> tuple[float, float]:
    """How much more often a judge would have to pass wrong answers, or right ones, for a lead to be preference alone.

    A judge that passes a share se of right answers and 1 - sp of wrong ones passes rate se + (1 - rate)(1 - sp) of all.

    Examples
    --------
    >>> [round(x, 6) for x in tipping_points(0.05, 0.8)]
    [0.25, 0.0625]
    """
    size = abs(lead)
    return (size / (1 - rate) if rate < 1 else float("inf")), (size / rate if rate > 0 else float("inf"))


def tipping_sentence(
    names: tuple[str, str], shares: tuple[float, float], label: str, rate: float, *, good: bool
) -> str:
    """What the judge alone says of two models, and where that tips."""
    (x, y), (a, b), what = shares, (plain(name, 40) for name in names), plain(label, 40)
    said = f"The judge alone says {what} of {a} in {100 * x:.1f}% and of {b} in {100 * y:.1f}%"
    if x == y:
        return f"{said}: no lead of either."
    ahead, behind = (a, b) if x > y else (b, a)
    wrong, right = tipping_points(x - y, rate)
    other, same = ("wrong answers right", "right answers") if good else ("right answers wrong", "wrong answers")
    parts = [f"{ahead}'s {other} {_points(wrong)} more often than {behind}'s"] if wrong <= 1 else []
    if right <= 1:
        parts.append(f"{ahead}'s {same} {_points(right)} more often" + ("" if parts else f" than {behind}'s"))
    lead = f"{said}. That lead of {_points(abs(x - y))}"
    if not parts:
        return f"{lead} is more than a preference among right or among wrong answers alone could make."
    where = f"at a rate of {formats.number(rate, 2)}"
    rests = "the numbers here do not rest on it, because rates given a verdict are each model's own"
    return f"{lead} vanishes if the judge calls {', or '.join(parts)} ({where}); {rests}."


def _points(share: float) -> str:
    return f"{100 * share:.1f} points"


#: What outputs call the prior of a pair: every label given a verdict is Beta(1/2, 1/2).
PRIOR = "paired jeffreys"

#: Components that the mixture of one cell may have, where one of the two answers has a label.
MOST_COMPONENTS = 4_000_000

#: Most verdicts that a pair is asked about; cells are their square.
MOST_VERDICTS = 3


def pass_rate(judged: JudgedAnswers, metric: str | None) -> Measure:
    """The share of right answers, which is what judged models are compared by, with its direction.

    A share of right answers is better high; of wrong answers, where their name tells, better low.

    Examples
    --------
    >>> judged = JudgedAnswers({"A": [1, 0], "B": [0, 1]}, {"A": [1, None], "B": [0, None]})
    >>> asked = pass_rate(judged, None)
    >>> asked.name, asked.metric.better
    ('prevalence@1', 'higher')
    """
    if metric is None:
        if judged.right is None:
            one = judged.labels[-1]
            raise InvalidArgument(
                f"which of {listing(judged.labels)} says that an answer is right? Name it: metric='prevalence@{one}'"
            )
        metric = f"prevalence@{judged.right}"
    asked = parse(metric, judged.labels, judged.right)
    if asked.metric.name != "prevalence" or asked.label is None:
        raise InvalidArgument(
            f"models under a judge are compared by the share of right answers, "
            f"metric='prevalence@{judged.right or judged.labels[-1]}'; {plain(asked.name)} is about the judge. Of one "
            "model infer(judged.confusion(name)) has it"
        )
    better: Literal["higher", "lower"] = "higher" if judged.right in (asked.label, None) else "lower"
    return replace(asked, metric=directed("prevalence", better))


def alone(judged: JudgedAnswers, name: str, asked: Measure, draws: int, seed: int) -> Distribution:
    """What is known of the share of right answers of one model, whoever else is there."""
    confusion = judged.confusion(name)
    known = knowledge_of(infer(confusion, "jeffreys") if confusion.verdicts is None else infer(confusion))
    assert asked.label is not None
    place = confusion.index(asked.label)
    if confusion.verdicts is None:  # every answer has a label, so the judge adds nothing: theta ~ Beta(1, 1) beforehand
        cases = confusion.class_sizes
        law: Law = Beta(float(cases[place] + 1), float(cases.sum() - cases[place] + 1))
    else:
        law = known.of(replace(asked, metric=REGISTRY["prevalence"]), draws=draws, seed=seed).law
    placed = replace(asked, index=place)
    return Distribution([Term(1.0, known, placed)], draws=draws, seed=seed, law=law)


class PairedVerdicts(Frozen):
    """What is known of two models that one judge judged on the same items.

    Raises
    ------
    InvalidArgument
        One model twice, more than three verdicts.
    NoInformation
        One of the two without a label among the items in common.

    Notes
    -----
    Cells of verdicts Dirichlet(items + 1/2), in each the four outcomes Dirichlet(labels + 1/4), all independent. Mean
    and sd of the difference are closed; its law is drawn, and the draws are moved to that mean and sd. Where no item
    is labelled for both, the rate of right answers given a verdict is Beta(labels + 1/2), each model's own.

    Examples
    --------
    >>> judged = JudgedAnswers(
    ...     {"A": [1] * 60 + [0] * 40, "B": [1] * 50 + [0] * 50},
    ...     {"A": [1] * 20 + [None] * 35 + [1] * 5 + [0] * 40, "B": [1] * 18 + [0] * 2 + [None] * 40 + [0] * 40},
    ... )
    >>> pair = PairedVerdicts(judged, "A", "B", pass_rate(judged, None))
    >>> pair.counts.labels_of_a, pair.apart, [round(x, 4) for x in pair.moments]
    (65, False, [0.09, 0.0568])
    """

    _attributes = ("counts",)

    def __init__(self, judged: JudgedAnswers, a: str, b: str, asked: Measure) -> None:
        if judged.index(a) == judged.index(b):
            raise InvalidArgument(f"two different models are compared, not {excerpt(a)} twice")
        assert asked.label is not None
        self._judged, self._names, self._asked = judged, (a, b), asked
        self.counts = judged.pairs(a, b, asked.label)
        kinds = round(len(self.counts.totals) ** 0.5)
        if kinds > MOST_VERDICTS:
            raise InvalidArgument(
                f"two models are compared by up to {MOST_VERDICTS} verdicts, not {kinds} ({listing(judged.verdicts)}): "
                "their cells would be too many for the labels; join some verdicts first"
            )
        for name, labels in zip((a, b), (self.counts.labels_of_a, self.counts.labels_of_b), strict=True):
            if not labels:
                raise NoInformation(f"no item that both models answered has a label of {excerpt(name)}; label some")

    @property
    def apart(self) -> bool:
        return not self.counts.both.sum()

    @cached_property
    def model(self) -> LabelledPairs | LabelledApart:
        c = self.counts
        if not self.apart:
            made = LabelledPairs(c.totals, c.both, c.only_a, c.only_b)
            if made.components > MOST_COMPONENTS:
                raise OutOfReach(
                    "labels of one answer alone are too many to be added up next to labels of both (some thousands "
                    "with "
                    "the same two verdicts); label the other answer of these items, too, or leave either kind out"
                )
            return made
        return LabelledApart(c.totals, c.of_a, c.of_b, _by(c.of_a, c.only_a), _by(c.of_b, c.only_b))

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and sd of the difference, closed."""
        return self.model.moments()

    @cached_property
    def observed(self) -> float | None:
        """Difference on the raw counts, by cells; None where a cell that occurs has no label of both."""
        c = self.counts
        there, labels = c.totals > 0, c.both.sum(1)
        if self.apart or (labels[there] == 0).any():
            return None
        gain = (c.both[there, 2] - c.both[there, 1]) / labels[there]
        return float(c.totals[there] @ gain / c.totals.sum())

    @kept
    def rates(self, draws: int, seed: int, stream: int = 0) -> tuple[Floats, Floats]:
        """Joint draws of both shares of right answers, shape (draws,) each."""
        return self.model.draws(draws, np.random.default_rng([seed, stream, 0x51]))

    def difference(self, draws: int, seed: int) -> Draws:
        """The share of the first minus that of the second, with its closed mean and sd."""
        a, b = self.rates(draws, seed)
        return Draws(np.clip(matched_to(a - b, *self.moments), -1.0, 1.0), support=(-1.0, 1.0))

    def ratio(self, draws: int, seed: int) -> Draws:
        a, b = self.rates(draws, seed)
        return Draws(np.divide(a, b, out=np.full(draws, np.nan), where=b > 0))


def _by(place: Integers, counts: Integers) -> Integers:
    """Counts of cells added up by the verdict on one model, shape (V, 2)."""
    total = np.zeros((int(place.max()) + 1, 2), dtype=np.int64)
    np.add.at(total, place, counts)
    return total


# -- Two models or more, as a kind of knowledge ------------------------------------------------------------------------

MARGINS = (
    "The difference uses the pairs of verdicts, the rates of each model only its own verdicts; so the difference of "
    "the two means is not exactly the mean difference."
)
APART = (
    "No item is labelled for both models, so what is right of the one given a verdict is taken as independent of the "
    "other: the items are the same, the labels are not paired."
)
SEPARATE = (
    "Three models or more are each judged by their own labels, as if each had items of its own. Where they share "
    "items, what is hard for all is not taken out; compare() does so for two of them."
)
ALONE = "Each model is judged alone; a population of judged models is not learned."
ASSUMED = "Assumes that the labelled items were chosen at random given the verdicts, and that people are right."


class Judged(Knowledge):
    """What verdicts and labels say of models, by their share of right answers.

    Examples
    --------
    >>> both = Judged(JudgedAnswers(
    ...     {"A": [1] * 60 + [0] * 40, "B": [1] * 50 + [0] * 50},
    ...     {"A": [1] * 20 + [None] * 35 + [1] * 5 + [0] * 40, "B": [1] * 18 + [0] * 2 + [None] * 40 + [0] * 40},
    ... ))
    >>> both.metric(None).name, round(both.law(Of("prevalence@1", "A") - Of("prevalence@1", "B"), Ask()).mean, 4)
    ('prevalence@1', 0.09)
    """

    unit, usual_kind, noise = "item", "hdi", "label noise"
    more = "More items are items with verdicts, and labels of as large a share of them as now."

    def __init__(self, judged: JudgedAnswers, chosen: Sequence[str] = ()) -> None:
        self._judged, self._names = judged, tuple(chosen) or tuple(judged.names)
        for name in self._names:
            judged.index(name)

    @classmethod
    def pair(cls, given: Sequence[Any], names: Sequence[str] | None) -> tuple[Judged, str, str]:
        """The judged answers, and the names of two models, which may be left out where there are just two."""
        judged, *asked = given
        chosen = [name for name in asked if name is not None] or list(judged.names)
        if len(chosen) != 2 or names is not None:
            raise InvalidArgument(f"compare(judged, a, b) takes the names of two models, of {listing(judged.names)}")
        return cls(judged, chosen), chosen[0], chosen[1]

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(f"prevalence@{label}" for label in self._judged.labels)

    @property
    def paired(self) -> bool:
        return len(self._names) == 2

    @property
    def prior(self) -> str:  # type: ignore[override]  # by the number of models
        """That of a pair, or those of each."""
        if self.paired:
            return PRIOR
        metric = f"prevalence@{self._judged.right or self._judged.labels[-1]}"
        return ", ".join(dict.fromkeys(self._of(Of(metric, name), Ask()).prior for name in self._names))

    @property
    def about(self) -> str:
        one, other = self._names[:2]
        counts = self._judged.pairs(one, other, self._judged.right or self._judged.labels[-1])
        both, a, b = int(counts.both.sum()), int(counts.only_a.sum()), int(counts.only_b.sum())
        parts = [f"{integer(both)} labelled for both"] if both else []
        parts += [f"{integer(k)} only for {plain(name, 40)}" if both else f"{integer(k)} labelled for {plain(name, 40)}"
                  for k, name in ((a, one), (b, other)) if k]  # fmt: skip
        items = several(int(counts.totals.sum()), "item")
        return f"Paired: {items} judged for both, {', '.join(parts)}. Prior: {self.prior}."

    @property
    def notes(self) -> tuple[str, ...]:
        return self._judged.notes

    def measured(self, metric: str | None) -> Measured:
        asked = pass_rate(self._judged, metric)
        return Measured(asked.name, asked.name, asked.metric.better, asked.metric.range)

    def metric(self, name: str | None) -> Measured:
        return self.measured(name)

    def size(self, name: str) -> int:
        confusion = self._judged.confusion(name)
        return confusion.n if confusion.verdicts is None else confusion.verdicts.n

    def refuse_options(self, options: Mapping[str, object]) -> None:
        if options.get("groups") is not None:
            refuse_both()
        idle = {"entries": "independent", "prior": "jeffreys"}
        odd = [
            f"{name}=" for name, value in options.items()
            if value and (value.name if isinstance(value, Prior) else value) != idle.get(name)
        ]  # fmt: skip
        if odd:
            raise InvalidArgument(
                "models under a judge have the prior jeffreys of a label given a verdict, under which intervals hold "
                f"what they say, and are each known by their own; leave {listing(odd)} out"
            )

    @kept
    def _of(self, asked: Of, ask: Ask) -> Distribution:
        return alone(self._judged, asked.name, pass_rate(self._judged, asked.metric), ask.draws, ask.seed)

    @kept
    def _pair(self, metric: str, one: str, other: str) -> PairedVerdicts:
        return PairedVerdicts(self._judged, one, other, pass_rate(self._judged, metric))

    def seen(self, asked: Of) -> float | None:
        return self._of(asked, Ask()).observed

    def observed(self, asked: Asked) -> float | None:
        pair = None if isinstance(asked, Of) else self._pair(asked.a.metric, asked.a.name, asked.b.name)
        return super().observed(asked) if pair is None or pair.apart else pair.observed

    def law(self, asked: Asked, ask: Ask) -> Law:
        if isinstance(asked, Of):
            return self._of(asked, ask).law
        return self._pair(asked.a.metric, asked.a.name, asked.b.name).difference(ask.draws, ask.seed)

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        return self.joint(asked, Ask(draws=count, seed=int(rng.integers(2**31)))).T

    def joint(self, asked: Sequence[Of], ask: Ask) -> Floats:
        if len(asked) == 2:
            pair = self._pair(asked[0].metric, asked[0].name, asked[1].name)
            values = np.array(pair.rates(ask.draws, ask.seed))
            values[0] = values[1] + pair.difference(ask.draws, ask.seed).values
            return values
        return np.array([
            np.random.default_rng([ask.seed, i, 0x52]).permutation(self._drawn(self._of(of, ask), ask))
            for i, of in enumerate(asked)
        ])  # fmt: skip

    def _drawn(self, known: Distribution, ask: Ask) -> Floats:
        if isinstance(known.law, Draws):
            return known.law.values
        term = known._terms[0]
        return term.source.drawn([term.measure], ask.draws, ask.seed, 0)[0]

    def alike(self, one: str, other: str) -> bool:
        return all(map(np.array_equal, self._judged.codes(one), self._judged.codes(other)))

    def _tips(self, asked: Gap, ask: Ask) -> tuple[tuple[float, float], float, str]:
        """Shares that the judge calls the class, about how often both are right, and where that lead tips."""
        measure, names = pass_rate(self._judged, asked.a.metric), (asked.a.name, asked.b.name)
        (a, n), (b, m) = (self._judged.passed(name, str(measure.label)) for name in names)
        rate, good = (self._of(asked.a, ask).mean + self._of(asked.b, ask).mean) / 2, measure.metric.better == "higher"
        return (a / n, b / m), rate, tipping_sentence(names, (a / n, b / m), str(measure.label), rate, good=good)

    def beside(self, asked: Gap, ask: Ask) -> Beside:
        names, sides = (asked.a.name, asked.b.name), (self._of(asked.a, ask), self._of(asked.b, ask))
        pair, (shares, rate, tips) = self._pair(asked.a.metric, *names), self._tips(asked, ask)
        counts, law, seen = pair.counts, self.law(asked, ask), self.observed(asked)
        shift = None if seen is None or not law.sd > 0 else (law.mean - seen) / law.sd
        wrong, right = tipping_points(shares[0] - shares[1], rate)
        items = int(counts.totals.sum())
        keys = {
            "label": str(pass_rate(self._judged, asked.a.metric).label),
            "items": items,
            "labelled_both": int(counts.both.sum()),
            "labelled_only_a": int(counts.only_a.sum()),
            "labelled_only_b": int(counts.only_b.sum()),
            "judged": list(shares),
            "rate": rate,
            "tips_at_other": wrong if wrong <= 1 else None,
            "tips_at_label": right if right <= 1 else None,
            "ratio": summary(pair.ratio(ask.draws, ask.seed), ask.level, ask.kind),
        }
        notes = [*self._unshared(names, items), tips, *([APART] if pair.apart else []), MARGINS, ASSUMED]
        notes += moved_notes(names, sides, shift, metric=asked.a.metric, prior=PRIOR, exact=law.route == "exact")
        return Beside(tuple(moved_warnings(names, sides, shift)), (), keys, tuple(notes))

    def _unshared(self, names: tuple[str, str], items: int) -> list[str]:
        """A note on items that only one of the two answered."""
        left = [(plain(name, 40), self._judged.passed(name, self._judged.labels[-1])[1] - items) for name in names]
        others = ", ".join(f"{integer(n)} of {name}" for name, n in left if n)
        return [] if not others else [
            f"{integer(items)} items are judged for both models and tell them apart; the others ({others}) count for "
            "the rate of each alone.",
        ]  # fmt: skip

    def leading(self, asked: Gap, ask: Ask) -> tuple[str, ...]:
        apart, single = ((SEPARATE,), (ALONE,)) if len(self._names) > 2 else ((), ())
        return (*apart, self._tips(asked, ask)[2], *single, ASSUMED)
