"""Two classifiers or more on the same cases: who is right, their rows, what is learned over classes, and draws.

The factors are those of `howsure.numerics.populations.population`; what is called inside a wrong cell has the Dirichlet
process of `howsure.numerics.draws.pair_tables`, restricted to the cell.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import Question, group_places
from howsure.data.predictions import Patterns, Predictions
from howsure.errors import InvalidArgument, listing
from howsure.frozen import Frozen, kept
from howsure.laws import DirichletRows, Draws, Law, Linear, Part
from howsure.metrics import Measure
from howsure.metrics.margins import Margins, Table
from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
from howsure.numerics.draws.pair_tables import FactoredClass, PairedClass, paired_margins, paired_tables
from howsure.numerics.draws.weighted_draws import matched
from howsure.numerics.populations.group_bootstrap import (
    BLOCK,
    MOST_GROUPS,
    dealt_out,
    design_effect,
    group_weights,
    joint_rates,
    membership_correlation,
    of_fewer_groups,
)
from howsure.numerics.populations.population import PairedFactors
from howsure.posterior.priors import LearnedPrior, Prior, resolve_prior
from howsure.posterior.shares import COINS, share_of_cases
from howsure.progress import along
from howsure.text import formats


def hit_weights(coefficients: Floats, index: NDArray[np.int64]) -> tuple[Floats, float] | None:
    """Weight of being right in each class row, and a constant, where all wrong answers of a class count alike."""
    own = np.arange(len(index)), index
    wrong = coefficients.copy()
    wrong[own] = np.nan
    low, high = np.nanmin(wrong, axis=1), np.nanmax(wrong, axis=1)
    return (coefficients[own] - low, float(low.sum())) if np.array_equal(low, high) else None


def weighted_recalls(law: Law | None, size: int) -> tuple[Floats, float] | None:
    """Weights of the recalls, shape (K,), and a constant, read from the law of their sum under independent rows.

    None of a law of anything else.
    """
    if not isinstance(law, Linear) or len(law.parts) != 1 or len(law.parts[0].block.alphas) != size:
        return None  # such as the accuracy, a coin of its own
    part = law.parts[0]
    found: tuple[Floats, float] | None = None
    if part.lumped:  # right against the rest, as recalls are
        found = part.table[:, 0] - part.table[:, 1], float(part.table[:, 1].sum())
    elif part.table.shape[1] == size:
        found = hit_weights(part.table, part.index)
    if found is None:
        return None
    weights = np.zeros(size)
    weights[part.index] = found[0]
    return weights, law.shift + found[1]


#: The metrics, and what they leave of 1.
RATES = ("accuracy", "balanced_accuracy", "recall", "specificity")
LEFT = {"error_rate": "accuracy", "false_negative_rate": "recall", "false_positive_rate": "specificity"}


def who_is_right(
    predictions: Predictions, names: Sequence[str], measure: Measure
) -> tuple[list[tuple[Booleans, Booleans]], float]:
    """Which cases each rate of a metric is about, and which classifiers have them right.

    Returns
    -------
    list of (ndarray of shape (n,), ndarray of shape (T, n))
        For each rate of the mean.
    float
        -1 where the metric is what is left of 1.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> both = Predictions([0, 1, 1], {"a": [0, 1, 0], "b": [1, 1, 1]})
    >>> [(asked, right)], sign = who_is_right(both, ["a", "b"], parse("recall@1", both.labels))
    >>> asked.tolist(), right.tolist(), sign
    ([False, True, True], [[True, True, False], [False, True, True]], 1.0)
    """
    twin = measure.twin
    kind = LEFT.get(twin.metric.name, twin.metric.name)
    if kind not in RATES or twin.average is not None or twin.parameters:
        raise InvalidArgument(
            f"by slice classifiers are compared in {listing((*RATES, *LEFT))}, whose differences can be learned from "
            f"the other slices; not in {measure.name}"
        )
    place = None if twin.label is None else predictions.labels.index(twin.label)
    places = range(len(predictions.labels)) if kind == "balanced_accuracy" else [place]
    rate = "recall" if kind == "balanced_accuracy" else kind
    parts = []
    for own in places:
        each = [share_of_cases(rate, own, predictions.truth, predictions.answers(name)) for name in names]
        parts.append((each[0][0], np.stack([right for _, right in each])))
    return parts, -1.0 if twin.metric.name in LEFT else 1.0


#: Up to this many classes, linear functionals of all answers of a pair are exact; its class rows have K x K cells.
MOST_CLASSES_EXACT = 12

#: Coefficients of "A is right" and "B is right" on: both, only A, only B, neither.
RIGHT = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]])


class PairedRows(Frozen):
    """Rows of a pair under a prior of pseudo-counts."""

    def __init__(self, predictions: Predictions, names: Sequence[str], prior: Prior, cells: Integers) -> None:
        self._predictions, self._names, self._prior, self._cells = predictions, tuple(names), prior, cells

    def linear(
        self, member: int, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | None:
        size = len(self._cells)
        index = np.arange(size) if rows is None else np.asarray(rows)
        found = hit_weights(coefficients, index)
        if found is not None:
            hit, base = found
            return self.of_recalls(member, hit, shift + base, rows=rows)
        if size > MOST_CLASSES_EXACT:
            return None
        spread = repeat(coefficients, size, axis=1) if member == 0 else np.tile(coefficients, size)
        return Linear.of_parts([Part(self.answers, index, spread)], shift)

    def of_recalls(
        self, member: int, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear:
        index = np.arange(len(self._cells)) if rows is None else np.asarray(rows)
        return Linear.of_parts([Part(self._right_or_wrong, index, np.outer(weights, RIGHT[member]))], shift)

    def coin(self, member: int) -> Linear:
        return Linear.of_parts([Part(self._coins, np.arange(1), RIGHT[member][None])])

    @cached_property
    def _right_or_wrong(self) -> DirichletRows:
        return DirichletRows(self._cells + two_coins(self._prior.a, self._prior.b))

    @cached_property
    def _coins(self) -> DirichletRows:
        return DirichletRows(self._cells.sum(axis=0) + two_coins(*self._prior.coin))

    @cached_property
    def answers(self) -> DirichletRows:
        """Both answers, first times K plus second, of each class."""
        size = len(self._cells)
        rows = self._prior.row(size)
        mass = rows.sum(axis=1)
        cells = (rows[:, :, None] * rows[:, None, :] / mass[:, None, None]).reshape(size, size * size)
        truth, answers, counts = self._predictions.patterns(*self._names)
        cells[truth, answers[:, 0].astype(np.int64) * size + answers[:, 1]] += counts
        return DirichletRows(cells)


def two_coins(a: float, b: float) -> Floats:
    """Pseudo-counts of both right, only A, only B, neither: mass a + b on two independent coins of mean a / (a + b)."""
    p = a / (a + b)
    return (a + b) * np.array([p * p, p * (1 - p), (1 - p) * p, (1 - p) ** 2])


#: Pseudo-count of each of the four cells inside which calls are spread: two cases of a class row, on two fair coins.
BASE = 0.5

#: From this many classes on pairs are learned; one or two classes are no population.
FEWEST_CLASSES = 3


def counted_cells(patterns: Patterns, size: int) -> Integers:
    """Cases of each class that both have right, only the first, only the second, neither; shape (K, 4)."""
    truth, answers, counts = patterns
    hit = answers == truth[:, None]
    cells = np.zeros((size, 4), dtype=np.int64)
    np.add.at(cells, (truth, 3 - 2 * hit[:, 0] - hit[:, 1]), counts)
    return cells


class LearnedPair(Frozen):
    """What the same cases say about two classifiers, learned over the classes.

    The answer about B and A is that about A and B with the opposite sign, to the last digit: who comes first inside
    is decided by the data.

    """

    def __init__(self, predictions: Predictions, first: str, second: str) -> None:
        self._size = len(predictions.labels)
        patterns = predictions.patterns(first, second)
        cells = counted_cells(patterns, self._size)
        ahead = np.flatnonzero(cells[:, 1] != cells[:, 2])
        if len(ahead):
            self._swapped = bool(cells[ahead[0], 1] < cells[ahead[0], 2])
        else:
            self._swapped = predictions.answers(first).tobytes() > predictions.answers(second).tobytes()
        if self._swapped:
            patterns = predictions.patterns(second, first)
            cells = cells[:, [0, 2, 1, 3]]
        self._patterns, self._cells = patterns, cells

    @cached_property
    def factors(self) -> PairedFactors:
        """Discordance, direction and agreement of each class."""
        return PairedFactors(self._cells)

    def difference(self, weights: Floats, shift: float, draws: int, seed: Sequence[int]) -> Draws:
        """Law of ``shift + sum_i w_i (recall_i of the first - recall_i of the second)``; mean and sd are closed."""
        reach = float(np.abs(weights).sum())
        values = self.factors.draw_difference(weights, draws, seed)
        return Draws(shift + (-values if self._swapped else values), support=(shift - reach, shift + reach))

    def rates(self, weights: Floats, draws: int, seed: Sequence[int]) -> Floats:
        """Joint draws of ``sum_i w_i recall_i`` of both, shape (2, n)."""
        return self._ordered(self.factors.draw_rates(weights, draws, seed))

    def tables(
        self, shares: Floats | None, known: Floats | None, n: int, seed: Sequence[int], *, margins: bool
    ) -> Iterator[list[Table]]:
        """Joint tables of both, whole or by their margins, in blocks that are together ``n``.

        The prevalence is Dirichlet(shares), or ``known``.
        """
        masses = in_portions(self._masses(n, [*seed, self._size + 1]))
        asked = self._classes, shares, known, n, seed, masses
        if not margins:
            for tables in paired_tables(*asked):
                yield list(self._ordered(tables))
            return
        for hits, actual, called in paired_margins(*asked):
            yield [
                Margins(diagonal, actual, columns)
                for diagonal, columns in zip(self._ordered(hits), self._ordered(called), strict=True)
            ]

    def _ordered(self, both: Floats) -> Floats:
        return both[::-1] if self._swapped else both

    def _masses(self, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        """Shares of the four cells of each class, in blocks of shape (m, K, 4)."""
        for d, s, c in self.factors.draw(n, seed):
            yield np.stack([(1 - d) * c, d * s, d * (1 - s), (1 - d) * (1 - c)], axis=2)

    @cached_property
    def _classes(self) -> list[FactoredClass]:
        truth, answers, counts = self._patterns
        of_class = [truth == i for i in range(self._size)]
        return [
            FactoredClass(answers[here].astype(np.int64), counts[here].astype(float), self._size, i, BASE)
            for i, here in enumerate(of_class)
        ]


def in_portions(blocks: Iterator[Floats]) -> Callable[[int], Floats]:
    """Rows of blocks one after the other, as many as are asked for each time."""
    left: list[Floats] = []

    def take(many: int) -> Floats:
        while sum(map(len, left)) < many:
            left.append(next(blocks))
        held = np.concatenate(left) if len(left) > 1 else left[0]
        left[:] = [held[many:]]
        return held[:many]

    return take


class JointDraws(Frozen):
    """Draws of the metrics of all classifiers that move together, kept."""

    def __init__(self, joint: Any) -> None:
        self._joint, self._memory = joint, dict[tuple[Measure, int, int, int], list[Floats]]()
        self._predictions, self._names, self._prior = joint.predictions, joint.names, joint.prior
        self._known, self._size = joint.known_prevalence, len(joint.predictions.labels)

    def of(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[list[Floats]]:
        missing = [m for m in dict.fromkeys(measures) if (m, draws, seed, stream) not in self._memory]
        if missing:
            for measure, values in self._all_drawn(missing, draws, [seed, stream]).items():
                self._memory[measure, draws, seed, stream] = values
        return [self._memory[m, draws, seed, stream] for m in measures]

    @abstractmethod
    def _all_drawn(self, measures: Sequence[Measure], draws: int, seed: list[int]) -> dict[Measure, list[Floats]]: ...


class PairedDraws(JointDraws):
    """Tables of all classifiers that move together, and the metrics in them.

    Where two were learned over the classes, tables are theirs, and what asks only who is right is drawn without any;
    of three or more learned ones the draws have the margins of each alone.
    """

    def _all_drawn(self, measures: Sequence[Measure], draws: int, seed: list[int]) -> dict[Measure, list[Floats]]:
        found: dict[Measure, list[Floats]] = {}
        for measure in measures if self._pair is not None else ():
            weights = self._joint.weights_of(measure)
            if self._pair is not None and weights is not None:
                found[measure] = list(weights[1] + self._pair.rates(weights[0], draws, seed))
        missing = [m for m in measures if m not in found]
        if not missing:
            return found
        parts: dict[Measure, list[list[Floats]]] = {m: [[] for _ in self._names] for m in missing}
        drawn = self.tables(draws, seed, margins=all(m.metric.by_margins for m in missing))
        for tables in along(drawn, draws, _draws_of):
            for t, table in enumerate(tables):
                shared: dict[object, Floats] = {}
                for measure in missing:
                    parts[measure][t].append(measure(table, shared))
        for measure, blocks in parts.items():
            values = [np.concatenate(b) for b in blocks]
            if self._joint.learned and self._pair is None:
                values = [matched(x, self._joint.margin_of(t, measure, draws, seed[0])) for t, x in enumerate(values)]
            found[measure] = values
        return found

    @property
    def _pair(self) -> LearnedPair | None:
        if not self._joint.learned or len(self._names) != 2:
            return None
        pair: LearnedPair = self._joint.pair(*self._names)
        return pair

    def tables(self, n: int, seed: Sequence[int], *, margins: bool) -> Iterator[list[Table]]:
        """Tables of every classifier, whole or by their margins, in blocks that are together ``n``."""
        if self._pair is not None:
            yield from self._pair.tables(self._shares, self._known, n, seed, margins=margins)
            return
        asked = (self._classes, self._shares, self._known, n, seed)
        if not margins:
            yield from map(list, paired_tables(*asked))
            return
        for hits, actual, called in paired_margins(*asked):
            yield [Margins(diagonal, actual, columns) for diagonal, columns in zip(hits, called, strict=True)]

    @cached_property
    def _classes(self) -> list[PairedClass]:
        truth, answers, counts = self._predictions.patterns(*self._names)
        size, prior = self._size, self._prior
        of_class = [truth == i for i in range(size)]
        return [
            PairedClass(answers[here].astype(np.int64), counts[here].astype(float), size, i, prior.a, prior.b)
            for i, here in enumerate(of_class)
        ]

    @cached_property
    def _shares(self) -> Floats:
        cases = bincount(self._predictions.truth, minlength=self._size)
        return np.asarray(cases + self._prior.prevalence / self._size)


def _draws_of(tables: list[Table]) -> int:
    first = tables[0]
    return len(first.hits if isinstance(first, Margins) else first)


def pair_prior(prior: str | Prior | None, size: int) -> Prior:
    """The prior that is named, or the usual one of so many classes."""
    found = resolve_prior(prior, size)
    if isinstance(found, LearnedPrior) and size < FEWEST_CLASSES:
        raise InvalidArgument(
            "prior 'learned' learns over three classes or more; classifiers on the same cases of "
            f"{formats.several(size, 'class')} have no prior to learn; leave it out"
        )
    if not (found.a > 0 and found.b > 0 and found.prevalence > 0):
        raise InvalidArgument(
            f"prior {found.name!r} has no case on one side, so classifiers that agree so far would agree "
            "for certain; use 'flat' or 'jeffreys'"
        )
    if found.told is not None:
        raise InvalidArgument(
            f"prior {found.name!r} is of single classes or cells, and classifiers on the same cases take one "
            "for all: a name, or a Beta of every recall (beta(2,2))"
        )
    return found


def paired_names(predictions: Predictions, names: Sequence[str] | None) -> tuple[str, ...]:
    """Two or more different classifiers; all if left out."""
    chosen = tuple(predictions.names if names is None else names)
    places = [predictions.index(name) for name in chosen]
    if len(set(places)) < max(2, len(places)):
        raise InvalidArgument("pairing needs two or more different classifiers, not " + ", ".join(map(repr, chosen)))
    return chosen


def confusion_about(predictions: Predictions, name: str, question: Question | None) -> ConfusionMatrix:
    """Matrix of one classifier, about "new" groups or "these"; left out, as the number of groups says."""
    made = predictions.confusion(name)
    if question is None:
        return made
    if made.groups is None:
        raise InvalidArgument(
            f"groups={question!r} is about cases that come in groups, and no group is known of these; say "
            "Predictions(y_true, y_pred, group=...)"
        )
    return made.about_groups(question)


# -- The same about a new case from a new group ------------------------------------------------------------------------

#: Recalls that are kept.
MOST_KEPT = 20_000_000


class PairedGroups(JointDraws):
    """Rates and tables of all classifiers that move together from one draw of the groups to the next.

    Same question as `howsure.posterior.paired_rows.PairedDraws`, of the same shapes. Accuracy is that of all cases;
    metrics that are sums of recalls take each class from the groups that hold it; others are those of tables with these
    recalls. Nothing pulls a difference to 0; the prior is that of each classifier alone, and here only of the class
    shares and of wrong answers that nobody saw.
    """

    def _all_drawn(self, measures: Sequence[Measure], draws: int, seed: list[int]) -> dict[Measure, list[Floats]]:
        found = {}
        for measure in measures:
            blocks = [np.asarray(block) for block in along(self._drawn(measure, draws, seed), draws, len)]
            found[measure] = list(np.concatenate(blocks).T)
        return found

    def _drawn(self, measure: Measure, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        """Draws of a measure of every classifier, in blocks of shape (some, T)."""
        if self._known is None and measure.twin.metric.name in COINS:
            wrong = measure.metric.name != "accuracy"
            yield from (1 - rates if wrong else rates for rates in self._accuracies(n, seed))
            return
        found = self._joint.weights_of(measure)
        if found is not None:
            weights, shift = found
            asked = np.flatnonzero(weights)
            for recalls in self._kept_recalls(asked, n, seed):
                yield shift + np.einsum("k,mkt->mt", weights[asked], recalls)
            return
        yield from self._of_tables(measure, n, seed)

    # -- rates ----------------------------------------------------------------------------------------------

    def _accuracies(self, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        place, many = self._places
        cases = bincount(place, minlength=many)
        hits = np.stack([bincount(place, weights=right, minlength=many) for right in self._right], axis=1)
        rng = np.random.default_rng([*seed, 1])
        for weight in group_weights(many, 1, n, np.random.default_rng([*seed, 0])):
            yield joint_rates(weight, hits, cases, rng)[0]

    def _kept_recalls(self, asked: Integers, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        """Blocks of the recalls of some classes; where those of all fit, they are drawn once."""
        tested = np.unique(self._predictions.truth).astype(np.int64)
        if len(tested) * len(self._names) * n > MOST_KEPT:
            yield from (recalls for recalls, _ in self._recalls(asked, n, seed, 1))
            return
        yield self._recalls_of_all(n, *seed)[:, np.searchsorted(tested, asked)]

    @kept
    def _recalls_of_all(self, n: int, *seed: int) -> Floats:
        tested = np.unique(self._predictions.truth).astype(np.int64)
        return np.concatenate([recalls for recalls, _ in self._recalls(tested, n, seed, 1)])

    def _recalls(
        self, asked: Integers, n: int, seed: Sequence[int], wide: int
    ) -> Iterator[tuple[Floats, list[tuple[Floats, Floats, Floats]]]]:
        """Recalls of some classes, shape (m, some, T); and weights, seen and unseen cases of each class."""
        _, many = self._places
        held = [self._held(int(c)) for c in asked]
        # classes have sources of their own, so that a recall does not depend on which others are asked for
        rngs = [np.random.default_rng([*seed, 2, int(c)]) for c in asked]
        for weight in group_weights(many, wide, n, np.random.default_rng([*seed, 0])):
            recalls, sums = np.empty((len(weight), len(asked), len(self._names))), []
            for at, ((here, hits, cases), rng) in enumerate(zip(held, rngs, strict=True)):
                own = of_fewer_groups(weight[:, here], many)
                recalls[:, at], seen, unseen = joint_rates(own, hits, cases, rng)
                sums.append((own, seen, unseen))
            yield recalls, sums

    # -- tables ---------------------------------------------------------------------------------------------

    def _of_tables(self, measure: Measure, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        size, many = self._size, self._places[1]
        if many * size * size > BLOCK:
            raise InvalidArgument(
                f"tables of {size} classes in {many} groups do not fit; ask about accuracy and recalls, or say "
                "groups='these'"
            )
        rng = np.random.default_rng([*seed, 3])
        wide = size * size * 4
        for recalls, sums in self._recalls(np.arange(size), n, seed, wide):
            share = self._shares(np.stack([seen for _, seen, _ in sums], axis=1), rng)
            values = np.empty((len(recalls), len(self._names)))
            for t in range(len(self._names)):
                tables = np.empty((len(recalls), size, size))
                for c, (weight, _, unseen) in enumerate(sums):
                    right = recalls[:, c, t]
                    errors = weight @ self._errors(c, t) + unseen[:, None] * self._usual_errors[c]
                    errors /= np.maximum(errors.sum(axis=1, keepdims=True), 1e-300)
                    tables[:, c] = (1 - right)[:, None] * errors
                    tables[:, c, c] = right
                values[:, t] = measure(share[..., None] * tables, {})
            yield values

    def _shares(self, seen: Floats, rng: np.random.Generator) -> Floats:
        """Class shares: stated, or those of the weighed groups with the prior's cases, shape (m, K)."""
        if self._known is not None:
            return np.broadcast_to(self._known, seen.shape)
        prior = self._prior.shares(seen.shape[1])
        found = seen + self._effect_of_shares * rng.standard_gamma(prior, seen.shape)
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    @cached_property
    def _effect_of_shares(self) -> float:
        place, many = self._places
        size = self._size
        counts = bincount(place * size + self._predictions.truth, minlength=many * size).reshape(many, size)
        return design_effect(membership_correlation(counts), counts.sum(axis=1))

    @kept
    def _errors(self, c: int, t: int) -> Floats:
        """Wrong answers of one classifier to the cases of one class, in the groups that hold it, shape (G_c, K)."""
        size = self._size
        here, at = self._groups_of(c)
        told = self._answers[t][self._predictions.truth == c]
        counts = bincount(at * size + told, minlength=len(here) * size).reshape(len(here), size).astype(float)
        counts[:, c] = 0.0
        return counts

    @cached_property
    def _usual_errors(self) -> Floats:
        """Where wrong answers go in groups that nobody saw, of all classifiers together, shape (K, K)."""
        size = self._size
        spread = np.empty((size, size))
        for c in range(size):
            spread[c] = np.mean([self._errors(c, t).sum(axis=0) for t in range(len(self._names))], axis=0)
        if isinstance(self._prior, LearnedPrior):
            spread += 1 / max(size - 1, 1)
        else:
            spread += self._prior.row(size)
        np.fill_diagonal(spread, 0.0)
        return np.asarray(spread / spread.sum(axis=1, keepdims=True))

    # -- counts ---------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> tuple[Integers, int]:
        """Place of each case's group, and how many there are; very many are dealt out to fewer by chance."""
        names, place = group_places(self._predictions.group, self._predictions.n)
        return dealt_out(place, len(names), np.random.default_rng(MOST_GROUPS))

    @cached_property
    def _answers(self) -> list[Integers]:
        return [self._predictions.answers(name).astype(np.int64) for name in self._names]

    @cached_property
    def _right(self) -> Floats:
        return np.array([told == self._predictions.truth for told in self._answers], dtype=float)

    def _groups_of(self, c: int) -> tuple[Integers, Integers]:
        """Groups that hold a case of one class, and which of them each of its cases is in."""
        here, at = np.unique(self._places[0][self._predictions.truth == c], return_inverse=True)
        return here, at.ravel()

    def _held(self, c: int) -> tuple[Integers, Floats, Integers]:
        """Groups of one class, right answers of every classifier in each, shape (G_c, T), and cases."""
        here, at = self._groups_of(c)
        right = self._right[:, self._predictions.truth == c]
        hits = np.stack([bincount(at, weights=one, minlength=len(here)) for one in right], axis=1).astype(float)
        return here, hits, bincount(at, minlength=len(here)).astype(np.int64)
