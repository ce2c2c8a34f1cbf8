"""Classifiers by their scores, before any threshold: on the same cases, or each on a test set of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.knowledge.protocol import Ask, Asked, Beside, Gap, Knowledge, Measured, Of
from howsure.laws import Law
from howsure.laws.law import DRAWS
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.curve_numbers import AreaTest, area_test, separate_area_test
from howsure.posterior.distribution import Distribution
from howsure.posterior.forecast_knowledge import refuse_together
from howsure.posterior.score_measures import SCORE_KINDS, ScoreMeasure, asked_measure
from howsure.posterior.scored_cases import CENTRED, ScoresPosterior, ScoresTogether
from howsure.text import formats
from howsure.text.formats import integer, plain, several

#: With fewer cases of a class than this a note is due.
FEW = 30


def are_scores(given: object) -> TypeGuard[Any]:
    """Whether a question is asked of scores: one object of several classifiers, or a mapping of names to several."""
    if isinstance(given, Mapping):
        return any(isinstance(it, Scores | ScoresPosterior) for it in given.values())
    return isinstance(given, Scores | ScoresPosterior)


class Scored(Knowledge):
    """What scores say of classifiers, by the Bayesian bootstrap.

    Examples
    --------
    >>> both = Scored(Scores([0] * 30 + [1] * 30, {"new": range(60), "old": [*range(20, 50), *range(30, 60)]}))
    >>> both.law(Of("roc_auc", "new") - Of("roc_auc", "old"), both.ask(draws=2000)).prob(above=0) > 0.99
    True
    """

    unit, usual_kind, prior, noise = "case", "hdi", CENTRED, "label noise"

    def __init__(self, given: Any, chosen: Sequence[str] = ()) -> None:
        self._members: dict[str, ScoresPosterior] = {}
        self._together = None
        if isinstance(given, Scores):
            self._together = ScoresTogether(given, chosen or None)
            self._members.update(zip(self._together.names, self._together.members, strict=True))
        else:
            odd = dict.fromkeys(type(it).__name__ for it in given.values())
            if not all(isinstance(it, Scores | ScoresPosterior) for it in given.values()):
                raise InvalidArgument(f"the contenders of a board of scores are all of them Scores; not {listing(odd)}")
            for name, it in given.items():
                scores, share = (it, None) if isinstance(it, Scores) else (it.scores, it.prevalence)
                self._members[str(name)] = ScoresPosterior(scores, share)
        classes = dict.fromkeys(it.scores.labels for it in self._members.values())
        if len(classes) > 1:
            shown = " and ".join(listing(map(excerpt, labels)) for labels in classes)
            raise InvalidArgument(f"the test sets have different classes: {shown}")

    @classmethod
    def pair(cls, given: Sequence[Any], names: Sequence[str] | None) -> tuple[Scored, str, str]:
        """One object and two of its classifiers, or two test sets; and what they are called."""
        if len(given) == 2 and all(isinstance(x, Scores | ScoresPosterior) for x in given):
            a, b = titles = ("A", "B") if names is None else tuple(names)
            if len(titles) != 2 or not all(isinstance(x, str) and x for x in titles) or a == b:
                raise InvalidArgument(f"names are two different texts, not {excerpt(names)}")
            return cls({a: given[0], b: given[1]}), a, b
        scores, chosen = given[0], [name for name in given[1:] if name is not None]
        if not isinstance(scores, Scores) or names is not None:
            raise InvalidArgument(
                "compare() of scores takes one Scores of several classifiers and two of their names, or two Scores of "
                "separate test sets (and names=)"
            )
        if len(scores.names) < 2:
            raise InvalidArgument(
                f"two classifiers are compared, and these are the scores of {excerpt(scores.names[0])} alone; say "
                "howsure.Scores(y_true, {'A': ..., 'B': ...})"
            )
        chosen = chosen or list(scores.names)
        if len(chosen) != 2 or not all(isinstance(name, str) for name in chosen):
            shown = listing(map(excerpt, scores.names))
            raise InvalidArgument(f"compare(scores, a, b) takes the names of two classifiers, of {shown}")
        return cls(scores, chosen), chosen[0], chosen[1]

    @classmethod
    def alone(cls, given: Sequence[Any], names: Sequence[str] | None) -> tuple[Scored, str]:
        """The classifier that is held against a floor, and what it is called; a baseline beside it is not looked at."""
        first, chosen = given[0], [name for name in given[1:] if isinstance(name, str)]
        if isinstance(first, Scores) and len(first.names) > 1:
            if not chosen:
                raise InvalidArgument(
                    f"a floor is for one classifier, of {listing(map(excerpt, first.names))}; say "
                    f"scores.of({excerpt(first.names[0])})"
                )
            first = first.of(chosen[0])
        name = names[0] if names else "the candidate"
        return cls({name: first}), name

    @property
    def _scores(self) -> list[Scores]:
        """The scores of each, or once where the cases are the same."""
        return [it.scores for it in self._members.values()]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._members)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(SCORE_KINDS)

    @property
    def paired(self) -> bool:
        return self._together is not None

    @property
    def about(self) -> str:
        sizes = [integer(it.n) for it in self._scores]
        if self.paired:
            who = "both" if len(sizes) == 2 else "all"
            what = f"Paired: {several(self._scores[0].n, 'case')} scored by {who}"
        else:
            what = f"Not paired: separate test sets of {' and '.join(sizes)} cases"
        if counted := self.groups(self.names):
            what += f", in {' and '.join(map(integer, counted))} groups"
        return f"{what}. Prior: {self.prior}."

    @property
    def notes(self) -> tuple[str, ...]:
        about = "one weight a case for all classifiers" if self.paired else "test sets are independent"
        if self.groups(self.names):
            about = "weights are those of groups, and numbers are about new groups"
        return (
            f"Bayesian bootstrap of the scores, two pseudo-cases a class; {about}. Nothing covers a threshold or model "
            "that was chosen on these cases.",
        )

    def measured(self, metric: str) -> Measured:
        made = self._measure(metric)
        return Measured(made.name, made.name, made.metric.better, made.metric.range)

    def metric(self, name: str | None) -> Measured:
        return self.measured(asked_measure(name, self._scores[0].labels).name)

    def _measure(self, metric: str) -> ScoreMeasure:
        return asked_measure(metric, self._scores[0].labels)

    def size(self, name: str) -> int:
        self.place(name)
        return self._members[name].scores.n

    def groups(self, names: Sequence[str]) -> tuple[int, ...]:
        found = [self._members[name].scores for name in names]
        return tuple(len(it.group_names) for it in (found[:1] if self.paired else found) if it.group is not None)

    def asking(self, measure: Measured, ask: Ask) -> Ask:
        if ask.draws != DRAWS:
            return ask
        if self._together is not None:
            return replace(ask, draws=self._together.usual_draws(self._measure(measure.name)))
        return replace(ask, draws=min(it.usual_draws for it in self._members.values()))

    def refuse_options(self, options: Mapping[str, object]) -> None:
        groups = options.get("groups")
        if groups not in (None, "new"):
            raise InvalidArgument(
                f"numbers of scores in groups are about new groups; leave groups={excerpt(groups)} out, or ask "
                "about these groups at a threshold: infer(scores.confusion_at(t), groups='these')"
            )
        idle: dict[str, object] = {"prior": CENTRED, "entries": "independent", "groups": groups}
        odd = [f"{name}=" for name, value in options.items() if value and value != idle.get(name)]
        if odd:
            raise InvalidArgument(f"leave {listing(odd)} out: it is about predicted classes, and these are scores")

    def _of(self, asked: Of, ask: Ask) -> Distribution:
        self.place(asked.name)
        return self._members[asked.name].of(asked.metric, draws=ask.draws, seed=ask.seed)

    def seen(self, asked: Of) -> float | None:
        return self._of(asked, Ask()).observed

    def law(self, asked: Asked, ask: Ask) -> Law:
        return (self._of(asked.a, ask) - self._of(asked.b, ask) if isinstance(asked, Gap) else self._of(asked, ask)).law

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        return self.joint(asked, Ask(draws=count, seed=int(rng.integers(2**31)))).T

    def joint(self, asked: Sequence[Of], ask: Ask) -> Floats:
        measures = [self._measure(of.metric) for of in asked]
        if self.paired and len(asked) > 1:
            refuse_together(measures)
        return np.array([
            self._members[of.name].drawn([measure], ask.draws, ask.seed, 0 if self.paired else i)[0]
            for i, (of, measure) in enumerate(zip(asked, measures, strict=True))
        ])  # fmt: skip

    def alike(self, one: str, other: str) -> bool:
        first, second = self._members[one], self._members[other]
        a, b = first.scores, second.scores
        same = np.array_equal(a.truth, b.truth) and np.array_equal(a.scores, b.scores)
        return same and first.prevalence == second.prevalence and (a.group is None) == (b.group is None)

    def beside(self, asked: Gap, ask: Ask) -> Beside:
        pair, measure = (asked.a.name, asked.b.name), self._measure(asked.a.metric)
        a, b = (self._of(of, ask) for of in (asked.a, asked.b))
        below, keys = [], dict[str, Any]()
        sd = (a - b).sd
        if self.paired and sd > 0:
            keys["narrowing"] = float(np.hypot(a.sd, b.sd)) / sd
            below.append(f"As separate test sets the interval would be {keys['narrowing']:.1f} times as wide.")
        if (
            test := _classical(measure, *(self._members[name].scores for name in pair), paired=self.paired)
        ) is not None:
            keys["delong"] = {x: getattr(test, x) for x in ("difference", "standard_error", "z", "p_value", "df")}
            keys["delong"]["interval"] = test.interval(ask.level)
            below.append(_sentence(test, ask.level, paired=self.paired))
        return Beside((*self._worse(asked, (a, b)), *self._few(pair)), tuple(below), keys)

    def _worse(self, asked: Gap, known: tuple[Distribution, Distribution]) -> list[str]:
        """Warnings on scores that do worse than none."""
        found = []
        for of, x in zip((asked.a, asked.b), known, strict=True):
            below = None if x.chance is None or x.observed is None else x.observed - x.chance
            if below and (below < 0) == (self.measured(of.metric).better == "higher"):
                worse = f"{plain(of.name, 40)} does worse than scores that say nothing ({of.metric} {x.observed:.3f})."
                turn = " Nothing is turned round; if its low scores stand for the positive class, change their sign."
                found.append(worse + (turn if self._measure(of.metric).kind.family == "order" else ""))
        return found

    def _few(self, names: Sequence[str]) -> list[str]:
        """A warning on a class of few cases, or of few groups that have one of it."""
        least = min(_least(self._members[name].scores) for name in names)
        if least >= FEW:
            return []
        what = "groups that have a case of it" if self.groups(names) else "cases"
        return [
            f"the smallest class has {least} {what}: with fewer than {FEW} an interval of skewed scores says somewhat "
            "more than it should."
        ]


def _least(scores: Scores) -> int:
    if scores.group is None:
        return int(scores.class_sizes.min())
    return min(len(np.unique(scores.group[scores.truth == k])) for k in range(len(scores.labels)))


def _classical(measure: ScoreMeasure, one: Scores, two: Scores, *, paired: bool) -> AreaTest | None:
    """DeLong's test, where it is one: areas of separate cases of two classes, two of each class or more."""
    if measure.kind.name != "roc_auc" or measure.over is not None:
        return None
    if measure.label is not None:
        one, two = one.one_vs_rest(measure.label), two.one_vs_rest(measure.label)
    if one.group is not None or two.group is not None or min(*one.class_sizes, *two.class_sizes) < 2:
        return None
    if paired:
        return area_test(one.truth == 1, np.array([one.scores, two.scores]))
    return separate_area_test(((one.truth == 1, one.scores), (two.truth == 1, two.scores)))


def _sentence(test: AreaTest, level: float, *, paired: bool) -> str:
    name = "Paired DeLong test" if paired else "DeLong test"
    if test.z is None or test.p_value is None:
        return f"{name}: the difference of the observed areas has no variance, so there is no z."
    ends = formats.interval(*test.interval(level), 3)
    statistic = f"z {test.z:.2f}" if test.df is None else f"t {test.z:.2f} (df {test.df:.1f})"
    return (
        f"{name}: {statistic}, p {formats.probability(test.p_value, None)} (two-sided), difference "
        f"{test.difference:.3f} ({formats.level_words(level)} confidence {ends})."
    )
