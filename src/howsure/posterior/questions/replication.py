"""A new test: joint draws of what is true, then of who comes to it; of the same groups or of new ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.answers.fields import interval_cells, law_row
from howsure.answers.sheet import Answered, Ask, Sheet
from howsure.data.groups import Groups
from howsure.data.labels import positive_or_last
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.laws import Beta, BetaBinomial, CountShare, Draws, Kind, Law
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.metrics import Classes, Measure, of_class, parse
from howsure.metrics.measure import plain_name
from howsure.numerics.arrays import Floats, repeat
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.trials.simulated_tests import sum_pmf
from howsure.posterior.grouped_rows import NEW, GroupedRows, refuse_new_groups
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.rows import Drawn, WholeTables, measured
from howsure.posterior.shares import COINS, counts_by_class
from howsure.text import formats
from howsure.text.svg import forest

if TYPE_CHECKING:
    from howsure.posterior.distribution import Distribution
    from howsure.posterior.posterior import Posterior

#: The keys of the answer.
FIELDS = (
    "n classes=_known.confusion.labels class_sizes level interval=kind prior=_known.prior.name seed draws "
    "metrics=_tested[metric observed true new_test]"
)

#: Cases of a new test; the largest number whose law is worth its memory.
MOST_CASES = 10_000_000
#: Above this many cases the sum of several classes is drawn, because a direct convolution takes too long.
MOST_CONVOLVED = 20_000
#: Binomials that a prediction is worth unasked (half a second), and the fewest draws: the ends of an interval are then
#: known to a twentieth of the sd.
NUMBERS, FEWEST_DRAWS = 5_000_000, 3_000
#: Above this many classes the table shows no row for each.
MOST_CLASSES_SHOWN = 10


@dataclass(frozen=True, repr=False, eq=False)
class Prediction(Answered, json="prediction", fields=FIELDS):
    """What a new test would show; made by `Posterior.predict`.

    Attributes
    ----------
    asked : Posterior
        What is known.
    n : int
        Cases of the new test.
    class_sizes : tuple of int or None
        Cases of each class, if they are chosen; None if the new test takes cases as they come.
    draws, seed : int
        For metrics without a closed predictive law.
    """

    asked: Posterior
    n: int
    class_sizes: tuple[int, ...] | None
    ask: Ask
    _memory: dict[Measure, Law] = field(default_factory=dict, compare=False)

    def of(self, metric: str) -> Law:
        """Predictive law of a metric: the value that the counts of the new test will give.

        "Empirical" uncertainty (Toetsch and Hoffmann 2021, Figure 2), wider than the "true" one, which is
        `Posterior.of`, because the new counts are random too. Exact, with an atom at each possible value, for the
        accuracy of cases as they come, and for accuracy and recalls of chosen class sizes; drawn elsewhere.
        """
        measure = self._measure(metric)
        if measure not in self._memory:
            self._fill([measure])
        return self._memory[measure]

    @property
    def about(self) -> str:
        """The new test in words."""
        return formats.several(self.n, "case")

    def sheet(self) -> Sheet:
        measures, rows, first = self._ready(), [], ""
        for measure in measures:
            law, known = self._memory[measure], self._true(measure)
            _, true_ends = interval_cells(known.law, self.level, self.kind)
            mean, ends = interval_cells(law, self.level, self.kind)
            wider = f"{law.sd / known.sd:.2f}" if known.sd > 0 else ""
            rows.append((formats.plain(measure.name), mean, true_ends, ends, wider, law.route))
            place = f"between {ends.replace(' to ', ' and ')}" if " to " in ends else f"at {ends}"
            first = first or f"{formats.plain(measure.name)} will come out {place}"
        name, size = self._interval_name, self.about
        if self.class_sizes is not None:
            sizes = zip(self._known.confusion.labels, self.class_sizes, strict=True)
            shown = [f"{formats.plain(label, 30)} {formats.integer(many)}" for label, many in sizes]
            size += f" ({', '.join(shown[:8])}{', ...' if len(shown) > 8 else ''})"
        note = (
            f"true: {name} of the metric itself. new test: {name} of the value on its counts, which is uncertain for "
            "two reasons, the classifier and the new sample. wider: ratio of their standard deviations (about 1.4 "
            f"where the new test is as large as the old). Prior {self._known.prior.name}."
        )
        drawn = any(row[-1] == "simulated" for row in rows)
        notes = (note, f"simulated: {formats.integer(self.draws)} draws, seed {self.seed}.") if drawn else (note,)
        header = ("metric", "mean", "true", "new test", "wider", "method")
        return Sheet(f"In a new test of {size}, {first} ({name}).", header, tuple(rows), notes)

    def picture(self, *, width: float = 720) -> str:
        rows, confusion = [], self._known.confusion
        positive = confusion.positive if len(confusion.labels) == 2 else None
        for measure in self._ready():
            known, new = self._true(measure), self._memory[measure]
            (low, high), outer = known.law.interval(self.level, self.kind), new.interval(self.level, self.kind)
            row = law_row(plain_name(measure.name, positive), new, self.level, self.kind, observed=known.observed)
            rows.append(row._replace(low=low, high=high, outer=outer if math.isfinite(outer.width) else None))
        return forest(rows, title="Intervals of what is true and of what a new test will show", width=width)

    # -- inside ---------------------------------------------------------------------------------------------

    @property
    def _known(self) -> TableKnowledge:
        return knowledge_of(self.asked)

    def _true(self, measure: Measure) -> Distribution:
        return self._known.of(measure, draws=self.draws, seed=self.seed)

    def _measure(self, metric: str) -> Measure:
        confusion = self._known.confusion
        return self._known.estimand(parse(metric, confusion.labels, confusion.positive))

    def _default(self) -> list[Measure]:
        labels = self._known.confusion.labels
        names = ["accuracy", "balanced_accuracy", "f1" if len(labels) == 2 else "f1@macro", "mcc"]
        forward = positive_or_last(labels, self._known.confusion.positive)
        measures = [self._known.estimand(parse(name, labels, forward)) for name in names]
        if len(labels) <= MOST_CLASSES_SHOWN:
            tested = (i for i in range(len(labels)) if self.class_sizes is None or self.class_sizes[i])
            measures += [of_class("recall", labels, i) for i in tested]
        return measures

    def _ready(self) -> list[Measure]:
        """The usual measures, with all that must be drawn drawn in one pass for each of the two laws."""
        measures = self._default()
        self._known.prepare(measures, draws=self.draws, seed=self.seed)
        self._fill([m for m in measures if m not in self._memory])
        return measures

    @property
    def _tested(self) -> list[dict[str, Any]]:
        """The usual measures: on the counts, of the classifier, and in a new test."""
        return [
            {
                "metric": measure.name,
                "observed": self._known.observed(measure),
                "true": self._true(measure).law,
                "new_test": self._memory[measure],
            }
            for measure in self._ready()
        ]

    def _cases_of(self, index: int) -> int:
        assert self.class_sizes is not None
        if not self.class_sizes[index]:
            label = self._known.confusion.labels[index]
            raise NoInformation(f"the new test has no case of class {excerpt(label)}, so it says nothing about it")
        return self.class_sizes[index]

    def _fill(self, measures: Sequence[Measure]) -> None:
        """Keep the laws of measures; all that must be drawn come from one pass over the same tables."""
        open_ended = []
        for measure in map(self._known.estimand, measures):
            law = self._exact(measure)
            if law is None:
                open_ended.append(measure)
            else:
                self._memory[measure] = law
        if not open_ended:
            return
        for asked in ([m for m in open_ended if m.held], [m for m in open_ended if not m.held]):
            tests = self._new_tests(held=any(m.held for m in asked))
            # a new test has its own classes that are never predicted
            anew = [replace(m, classes=Classes(left_out=m.classes.left_out)) for m in asked]
            for measure, drawn in zip(asked, measured(anew, tests, self.draws) if asked else (), strict=True):
                if np.isfinite(drawn).sum() < 2:
                    raise NoInformation(
                        f"{measure.name} is undefined (0/0) in every draw of a new test of {self.about}"
                    )
                self._memory[measure] = Draws(drawn, support=measure.metric.range)

    def _new_tests(self, *, held: bool = False) -> Iterator[Drawn]:
        """Counts of the new test, a multinomial sample from each drawn table, or from it at the held class shares."""
        rng = np.random.default_rng([self.seed, 0, 2])
        size = len(self._known.confusion.labels)
        known = self._known if self.class_sizes is None else self._known.at_prevalence(np.full(size, 1 / size))
        cases = self.n if self.class_sizes is None else self.class_sizes
        shares = self._known.held_shares if self.class_sizes is None else None
        for block in known.blocks(self.draws, seed=self.seed):
            moved = block.at(shares) if held and shares is not None else block
            yield moved.new_test(cases, rng)

    def _exact(self, measure: Measure) -> CountShare | None:
        """Beta-binomial of one rate, or the sum of those of all classes; None where only draws will do."""
        name, known = measure.twin.metric.name, self._known
        if name in ("accuracy", "error_rate"):
            law = self._accuracy()
            return law if law is None or name == "accuracy" else CountShare(law.pmf[::-1])
        if self.class_sizes is None or measure.index is None:
            return None
        two = len(self.class_sizes) == 2
        if name in ("recall", "false_negative_rate"):
            index = measure.index
        elif two and name in ("specificity", "false_positive_rate"):
            index = 1 - measure.index
        else:
            return None
        cases = self._cases_of(index)
        if known.rows is None:
            return None
        a, b = known.rows.recall(index)
        mirrored = name.startswith("false")
        return BetaBinomial(cases, *((b, a) if mirrored else (a, b)))

    def _accuracy(self) -> CountShare | None:
        if self.class_sizes is None:
            if self._known.prevalence_source != "test set":
                return None
            coin = self._known.coin()
            return BetaBinomial(self.n, coin.a, coin.b) if isinstance(coin, Beta) else None
        tested = [i for i, many in enumerate(self.class_sizes) if many]
        rows = self._known.rows
        if rows is None or (self.n > MOST_CONVOLVED and len(tested) > 1):
            return None
        parts = [BetaBinomial(self.class_sizes[i], *rows.recall(i)) for i in tested]
        return parts[0] if len(parts) == 1 else CountShare(sum_pmf([part.pmf for part in parts]))


def predict(
    posterior: Posterior,
    n: int | Sequence[int] | Mapping[str, int] | None = None,
    *,
    groups: int | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int | None = None,
    seed: int = SEED,
) -> Prediction:
    """What a new test of the same classifier would show.

    Parameters
    ----------
    n : int, or K integers, or mapping of label to one
        One number: that many cases as they come, whose classes are random. A number for each class: cases chosen by
        class. Left out: as many cases as there were.
    groups : int, optional
        Of a posterior about new groups: so many of them, each with the cases of one that was seen; all is drawn. Left
        out: as many as there were.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    draws, seed : int
        For metrics without a closed predictive law; 20,000 draws, or fewer (and said) of more than 250 cells.

    Returns
    -------
    Prediction
        ``prediction.of(metric)`` is the law of the value that the new counts will give.

    Raises
    ------
    InvalidArgument
        Numbers that are no test; cases of a posterior about new groups, or groups of any other.

    Notes
    -----
    The counts are Dirichlet-multinomial; one rate of a fixed number of cases is beta-binomial. The variance of a
    replicated rate is (N + n) / n times that of the rate itself, where N counts the old cases and the prior's:
    about 2 for n = N, which is why replications scatter more than intervals suggest (Caelen 2017 reports the
    former; Toetsch and Hoffmann 2021, Figure 2, show both).

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> new = post.predict([50, 50])
    >>> tuple(new.of("recall@ill").interval()), new.of("recall@ill").route
    ((0.68, 0.96), 'exact')
    >>> round(new.of("recall@ill").sd / post.of("recall@ill").sd, 2)
    1.42
    """
    known = knowledge_of(posterior)
    if draws is None:
        draws = min(DRAWS, max(FEWEST_DRAWS, NUMBERS // known.numbers_per_draw // 100 * 100))
    ask = Ask(level, kind, draws, seed)
    if groups is not None or known.about_groups == NEW:
        return grouped_prediction(posterior, n, groups, ask)
    sizes: tuple[int, ...] | None = None
    cases: Any = known.confusion.n if n is None else n
    if not isinstance(cases, int | np.integer | float | str):
        sizes = tuple(counts_by_class(cases, known.confusion, "a new test"))
        cases = sum(sizes)
    whole = isinstance(cases, int | np.integer) and not isinstance(cases, bool)
    if not whole or not 1 <= cases <= MOST_CASES:
        raise InvalidArgument(f"a new test has an integer number of cases, 1 to {MOST_CASES:,}; not {excerpt(cases)}")
    return Prediction(posterior, int(cases), sizes, ask)


#: The largest number of new groups, and random numbers that are held at once.
MOST_GROUPS, BLOCK = 100_000, 4_000_000

#: A correlation of a drawn population is held inside of 0 to 1 by this much.
INSIDE = 1e-9


@dataclass(frozen=True, repr=False, eq=False)
class GroupedPrediction(Prediction):
    """What a new test of new groups would show; made by `Posterior.predict`.

    Each new group has as many cases of each class as one that was seen, by chance which. Its recalls are draws of the
    populations, Beta around a drawn mean with a drawn correlation, its wrong answers spread as in the drawn table. The
    accuracy is drawn in the same way, of the population of all groups.

    Attributes
    ----------
    groups : int
        Groups of the new test; ``n`` is about how many cases they have.
    """

    groups: int = 0

    @property
    def about(self) -> str:
        return f"{formats.several(self.groups, 'group')}, about {formats.several(self.n, 'case')}"

    def _exact(self, measure: Measure) -> CountShare | None:
        return None

    def _fill(self, measures: Sequence[Measure]) -> None:
        coins = [m for m in map(self._known.estimand, measures) if m.twin.metric.name in COINS]
        coins = [m for m in coins if self._known.known_prevalence is None]
        if coins:
            values = self._accuracies()
            for measure in coins:
                up = measure.twin.metric.name == "accuracy"
                self._memory[measure] = Draws(values if up else 1 - values, support=(0.0, 1.0))
        super()._fill([m for m in measures if m not in coins])

    @property
    def _seen(self) -> tuple[Groups, GroupedRows]:
        groups, rows = self._known.confusion.groups, self._known.groups
        assert groups is not None
        assert rows is not None
        return groups, rows

    def _accuracies(self) -> Floats:
        """Share of right cases of the new test, of the population of all groups."""
        groups, rows = self._seen
        rng = np.random.default_rng([self.seed, 0x68])
        mean = rows.by_cases.law.draw(self.draws, rng)  # a new test counts cases
        kappa = _kappa(rows.whole, self.draws, rng)
        found = np.empty(self.draws)
        for part in self._parts(self.groups):
            sizes = rng.choice(groups.cases, (len(mean[part]), self.groups))
            right = _drawn_right(sizes, mean[part], kappa[part], rng)
            found[part] = right.sum(axis=1) / sizes.sum(axis=1)
        return found

    def _new_tests(self, *, held: bool = False) -> Iterator[Drawn]:
        groups, rows = self._seen
        size = rows.size
        rng = np.random.default_rng([self.seed, 0x69])
        cases = np.zeros((len(groups), size), dtype=np.int64)
        np.add.at(cases, (groups.group, groups.true), groups.count)
        for block in self._known.blocks(self.draws, seed=self.seed):
            for tables in block.whole():
                shares = tables / np.maximum(tables.sum(axis=2, keepdims=True), 1e-300)
                kappas = [_kappa(rows.population(i), len(tables), rng) for i in range(size)]
                counts = np.zeros(tables.shape)
                for part in self._parts(self.groups, len(tables)):
                    drawn = rng.integers(0, len(groups), (len(tables[part]), self.groups))
                    for i in range(size):
                        sizes = cases[drawn, i]
                        right = _drawn_right(sizes, shares[part, i, i], kappas[i][part], rng).sum(axis=1)
                        wrong = shares[part, i].copy()
                        wrong[:, i] = 0.0
                        wrong /= np.maximum(wrong.sum(axis=1, keepdims=True), 1e-300)
                        counts[part, i] = rng.multinomial(sizes.sum(axis=1) - right, wrong)
                        counts[part, i, i] = right
                yield WholeTables(counts)

    def _parts(self, numbers: int, draws: int | None = None) -> Iterator[slice]:
        """Draws in blocks that fit, where each takes so many numbers."""
        many, step = self.draws if draws is None else draws, max(1, BLOCK // max(numbers, 1))
        for start in range(0, many, step):
            yield slice(start, min(many, start + step))


def grouped_prediction(posterior: Posterior, n: object, groups: object, ask: Ask) -> GroupedPrediction:
    """What so many new groups would show, or as many as there were."""
    known = posterior.confusion.groups
    if known is None or known.question != "new":
        raise InvalidArgument("groups= counts new groups, and this posterior is about cases; say n=")
    if n is not None:
        refuse_new_groups(NEW, "a new test by n= instead of groups=")
    many = len(known) if groups is None else groups
    whole = isinstance(many, int | np.integer) and not isinstance(many, bool)
    if not whole or not 1 <= many <= MOST_GROUPS:  # type: ignore[operator]  # whole says so
        raise InvalidArgument(f"groups= is an integer number of new groups, 1 to {MOST_GROUPS:,}; not {excerpt(many)}")
    counted = int(many)  # type: ignore[call-overload]  # likewise
    cases = round(posterior.n * counted / len(known))
    return GroupedPrediction(posterior, cases, None, ask, groups=counted)


def _kappa(population: PopulationMean, n: int, rng: np.random.Generator) -> Floats:
    """Draws of the concentration of the rates of groups, shape (n,)."""
    correlation = np.clip(population.correlation.draw(n, rng), INSIDE, 1 - INSIDE)
    return np.asarray(1 / correlation - 1)


def _drawn_right(sizes: Any, mean: Floats, kappa: Floats, rng: np.random.Generator) -> Any:
    """Right cases of each group, shape (m, G), whose rates are Beta with these means and concentrations, (m,) each."""
    inside = np.clip(mean, INSIDE, 1 - INSIDE)
    a, b = (repeat((kappa * share)[:, None], sizes.shape[1], axis=1) for share in (inside, 1 - inside))
    return rng.binomial(sizes, rng.beta(a, b))
