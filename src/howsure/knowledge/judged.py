"""Models whose answers one judge has judged, and people some of them: two as a pair, more each by its own labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.answers.fields import summary
from howsure.data.groups import refuse_both
from howsure.data.judged_answers import JudgedAnswers
from howsure.errors import InvalidArgument, listing
from howsure.frozen import kept
from howsure.knowledge.protocol import Ask, Asked, Beside, Gap, Knowledge, Measured, Of
from howsure.laws import Draws, Law
from howsure.numerics.arrays import Floats
from howsure.posterior.distribution import Distribution, moved_notes, moved_warnings
from howsure.posterior.paired_verdicts import PRIOR, PairedVerdicts, alone, pass_rate, tipping_points, tipping_sentence
from howsure.posterior.priors import Prior
from howsure.text.formats import integer, plain, several

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

    Parameters
    ----------
    judged : JudgedAnswers
    chosen : sequence of str, optional
        The models that are asked about; all if left out.

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
        """The models."""
        return self._names

    @property
    def metrics(self) -> tuple[str, ...]:
        """Shares of the classes."""
        return tuple(f"prevalence@{label}" for label in self._judged.labels)

    @property
    def paired(self) -> bool:
        """Two are a pair."""
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
        """Items and labels of a pair."""
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
        """What the data say of themselves."""
        return self._judged.notes

    def measured(self, metric: str | None) -> Measured:
        """A share of right answers, or of wrong ones, with its direction."""
        asked = pass_rate(self._judged, metric)
        return Measured(asked.name, asked.name, asked.metric.better, asked.metric.range)

    def metric(self, name: str | None) -> Measured:
        """The same; the share of right answers if left out."""
        return self.measured(name)

    def size(self, name: str) -> int:
        """Answers of a model."""
        confusion = self._judged.confusion(name)
        return confusion.n if confusion.verdicts is None else confusion.verdicts.n

    def refuse_options(self, options: Mapping[str, object]) -> None:
        """Groups, another prior, and what else says nothing here."""
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
        """By the cells of verdicts."""
        return self._of(asked, Ask()).observed

    def observed(self, asked: Asked) -> float | None:
        """The same; of a difference by the cells of the pair, where items are labelled for both."""
        pair = None if isinstance(asked, Of) else self._pair(asked.a.metric, asked.a.name, asked.b.name)
        return super().observed(asked) if pair is None or pair.apart else pair.observed

    def law(self, asked: Asked, ask: Ask) -> Law:
        """Of a model by its own verdicts; of a difference by the pair."""
        if isinstance(asked, Of):
            return self._of(asked, ask).law
        return self._pair(asked.a.metric, asked.a.name, asked.b.name).difference(ask.draws, ask.seed)

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        """Joint draws of two, independent ones of more."""
        return self.joint(asked, Ask(draws=count, seed=int(rng.integers(2**31)))).T

    def joint(self, asked: Sequence[Of], ask: Ask) -> Floats:
        """The same; two with the mean and sd of their difference, more each in an order of its own."""
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
        """Whether both have the same verdicts and labels of every item."""
        return all(map(np.array_equal, self._judged.codes(one), self._judged.codes(other)))

    def _tips(self, asked: Gap, ask: Ask) -> tuple[tuple[float, float], float, str]:
        """Shares that the judge calls the class, about how often both are right, and where that lead tips."""
        measure, names = pass_rate(self._judged, asked.a.metric), (asked.a.name, asked.b.name)
        (a, n), (b, m) = (self._judged.passed(name, str(measure.label)) for name in names)
        rate, good = (self._of(asked.a, ask).mean + self._of(asked.b, ask).mean) / 2, measure.metric.better == "higher"
        return (a / n, b / m), rate, tipping_sentence(names, (a / n, b / m), str(measure.label), rate, good=good)

    def beside(self, asked: Gap, ask: Ask) -> Beside:
        """The judge's own lead and where it tips, what the pair is, and what the prior moves."""
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
        """What the judge alone says of the first two of a board, and what more than two are known by."""
        apart, single = ((SEPARATE,), (ALONE,)) if len(self._names) > 2 else ((), ())
        return (*apart, self._tips(asked, ask)[2], *single, ASSUMED)
