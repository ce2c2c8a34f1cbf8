"""Scores cut at many thresholds: the tables there, the laws of what they are asked, and what answers share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from howsure.answers.asking import Asking
from howsure.answers.fields import Keyed
from howsure.data.confusion import ConfusionMatrix
from howsure.data.scores import Scores, one_score
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.errors.arguments import number, numbers
from howsure.knowledge.protocol import Answered, Ask
from howsure.laws import Law
from howsure.laws.law import Kind
from howsure.laws.many import BetaSums
from howsure.metrics import Measure, expected_cost
from howsure.metrics.cost import MeanCost
from howsure.metrics.margins import Margins
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.curves.cell_worth import CellWorth
from howsure.numerics.curves.curve_numbers import called_at, drawn_rates, placements, tables_of
from howsure.numerics.populations.slices import ends_in_order
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, Prior, resolve_prior
from howsure.posterior.shares import counted_elsewhere, stated_shares
from howsure.text import formats

# -- The warning that the positive class has the lower scores ----------------------------------------------------------


def turned_words(positive: str) -> str:
    """What to do where cases of the positive class have the lower scores."""
    name = formats.plain(repr(positive))
    return (
        f"cases of {name} have the lower scores. Nothing is turned round; if low scores stand for {name}, change their "
        "sign, and if the class is the wrong one, name the other (positive)."
    )


def lower_scores(scores: Scores) -> tuple[str, ...]:
    """The warning, where the area under the ROC curve of two classes is below one half.

    Examples
    --------
    >>> lower_scores(Scores(["ill", "ill", "well"], [0.1, 0.2, 0.9], positive="ill"))[0][:46]
    "cases of 'ill' have the lower scores. Nothing "
    >>> lower_scores(Scores(["ill", "ill", "well"], [0.9, 0.2, 0.1], positive="ill"))
    ()
    """
    of_positives, _ = placements(scores.truth == 1, scores.scores)
    return (turned_words(scores.labels[1]),) if float(of_positives.mean()) < 0.5 else ()


# -- Scores cut at many thresholds: a confusion matrix at each, under one prior and at one prevalence ------------------


Prevalence = float | Mapping[str, float] | Sequence[float]

#: Thresholds of one answer at most, and draws of tables that are held at once.
MOST, BLOCK = 2_000, 1_000_000


@dataclass(frozen=True, eq=False)
class CutTables:
    """Confusion matrices of T thresholds, increasing.

    Attributes
    ----------
    scores : Scores
    thresholds : ndarray, shape (T,)
    prior : Prior
    share : float or (float, float)
        Of the positive class: stated, or the parameters of its Beta.
    source : "test set", "stated" or "other cases"
        Where the share comes from.
    """

    scores: Scores
    thresholds: Floats
    prior: Prior
    share: float | tuple[float, float]
    source: str

    def __len__(self) -> int:
        return len(self.thresholds)

    @property
    def labels(self) -> tuple[str, str]:
        """The negative class and the positive one."""
        negative, positive = self.scores.labels
        return negative, positive

    @cached_property
    def sizes(self) -> Integers:
        """Cases of both classes, shape (2,)."""
        return self.scores.class_sizes

    @cached_property
    def called(self) -> Integers:
        """Cases of the negative and of the positive class that are called positive, shape (T, 2)."""
        of_class = (self.scores.scores[self.scores.truth == i] for i in (0, 1))
        return np.stack([called_at(values, self.thresholds) for values in of_class], axis=-1)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """The warning that the positive class has the lower scores, where it has."""
        return lower_scores(self.scores)

    @property
    def cells(self) -> list[tuple[float, int, int, int, int]]:
        """Each threshold with its true positives, false negatives, false positives and true negatives."""
        (tn, fp), (fn, tp) = self.counts.transpose(1, 2, 0).tolist()
        return list(zip(self.thresholds.tolist(), tp, fn, fp, tn, strict=True))

    @cached_property
    def counts(self) -> Integers:
        """Cases in the cells, shape (T, 2, 2), rows truth."""
        return np.stack([self.sizes - self.called, self.called], axis=-1)

    @property
    def mean_share(self) -> float:
        """Share of the positive class: stated, or its mean."""
        return self.share if isinstance(self.share, float) else self.share[0] / sum(self.share)

    @property
    def observed_share(self) -> float:
        """Share of the positive class that observed values are about: that of the test set, or that asked for."""
        if self.source == "test set":
            return float(self.sizes[1] / self.sizes.sum())
        return self.mean_share

    @property
    def observed(self) -> Floats:
        """Shares in the cells as they were seen, shape (T, 2, 2)."""
        return tables_of(self.called / self.sizes, self.observed_share)

    @property
    def alphas(self) -> Floats:
        """Parameters of the rates: hit, missed, false alarm, kept, shape (T, 4)."""
        cells = self.counts + self.prior.row(2)
        return np.stack([cells[:, 1, 1], cells[:, 1, 0], cells[:, 0, 1], cells[:, 0, 0]], axis=-1)

    def confusion(self, row: int) -> ConfusionMatrix:
        """Confusion matrix at one of the thresholds."""
        return ConfusionMatrix(self.counts[row], labels=self.labels, positive=self.labels[1])

    def draws(self, n: int, seed: int) -> Iterator[Floats]:
        """Joint draws of the tables at all thresholds, shapes (some, T, 2, 2), n in all."""
        rng = np.random.default_rng(seed)
        row = self.prior.row(2)
        step = max(1, BLOCK // (4 * len(self)))
        for start in range(0, n, step):
            many = min(step, n - start)
            negative = drawn_rates(self.called[:, 0], int(self.sizes[0]), row[0, 1], row[0, 0], many, rng)
            positive = drawn_rates(self.called[:, 1], int(self.sizes[1]), row[1, 1], row[1, 0], many, rng)
            share = self.share if isinstance(self.share, float) else rng.beta(*self.share, many)
            yield tables_of(np.stack([negative, positive], axis=-1), share)

    def at(self, thresholds: ArrayLike) -> CutTables:
        """The same cases cut elsewhere."""
        return replace(self, thresholds=np.asarray(thresholds, dtype=float))


class Elsewhere(TypedDict, total=False):
    """Keywords of tables at thresholds: their prior, and the prevalence of another population."""

    prevalence: Prevalence | None
    cases: Sequence[int] | Mapping[str, int] | None
    prior: str | Prior | None


class Cutting(Elsewhere, Asking, total=False):
    """Keywords of what cuts scores, besides its own."""


def cut_tables(scores: Scores, thresholds: Floats, **how: Unpack[Elsewhere]) -> CutTables:
    """Cut the scores of one classifier, checked by `checked_scores`, at increasing thresholds."""
    labels = (scores.labels[0], scores.labels[1])
    sizes = scores.class_sizes
    table = ConfusionMatrix([[sizes[0], 0], [0, sizes[1]]], labels=labels, positive=labels[1])
    prevalence, cases = how.get("prevalence"), how.get("cases")
    chosen = resolve_prior(how.get("prior"), 2).aligned(labels, labels[1])
    if isinstance(chosen, LearnedPrior):
        raise InvalidArgument(
            "prior 'learned' learns from the classes of one table; at every threshold there are the same two, so name "
            "a prior such as 'flat' or 'jeffreys'"
        )
    if not np.all(chosen.row(2) > 0):
        raise NoInformation(
            f"under prior {chosen.name!r} the highest and the lowest thresholds, where all cases of a class are on one "
            "side, have no posterior; use prior 'flat' or 'jeffreys'"
        )
    if prevalence is not None and cases is not None:
        raise InvalidArgument("prevalence= and cases= exclude each other; choose one")
    share: float | tuple[float, float]
    if prevalence is not None:
        share, source = _stated(prevalence, table), "stated"
    elif cases is not None:
        mass = counted_elsewhere(cases, table, chosen.shares(2))
        share, source = (float(mass[1]), float(mass[0])), "other cases"
    else:
        mass = sizes + chosen.shares(2)
        share, source = (float(mass[1]), float(mass[0])), "test set"
    return CutTables(scores, thresholds, chosen, share, source)


def checked_scores(scores: Any, asked: str) -> Scores:
    """Scores of one classifier for two classes whose cases are separate."""
    one = one_score(scores, asked)
    if one.group is not None:
        raise InvalidArgument(
            f"{asked} takes separate cases, and these are in groups; howsure.infer(scores.confusion_at(t)) knows "
            "groups at one threshold"
        )
    return one


def checked_thresholds(thresholds: Any) -> Floats:
    """Thresholds in increasing order, each once."""
    found = np.unique(np.atleast_1d(numbers(thresholds, "thresholds")))
    if not len(found) or not np.all(np.isfinite(found)):
        raise InvalidArgument(f"thresholds are finite numbers on the scale of the scores, not {excerpt(thresholds)}")
    if len(found) > MOST:
        raise InvalidArgument(f"at most {MOST} thresholds are answered at once, and {len(found)} were given")
    return np.asarray(found)


def even_cuts(scores: Floats, most: int) -> Floats:
    """Scores to cut at, increasing: all different ones, or so many even in rank.

    Examples
    --------
    >>> even_cuts(np.array([0.3, 0.1, 0.3, 0.9]), 10).tolist()
    [0.1, 0.3, 0.9]
    """
    values = np.unique(scores)
    if len(values) <= most:
        return np.asarray(values)
    ordered = np.sort(scores)
    return np.unique(ordered[np.linspace(0, len(ordered) - 1, most).round().astype(np.int64)])


def _stated(prevalence: Any, table: ConfusionMatrix) -> float:
    alone = number(prevalence)
    given = prevalence if np.isnan(alone) else {table.labels[1]: alone}
    share = float(stated_shares(given, table)[1])
    if not 0 < share < 1:
        raise InvalidArgument(
            f"a prevalence is strictly between 0 and 1, not {excerpt(prevalence)}; a class that nobody or everybody "
            "belongs to needs no test"
        )
    return share


# -- What is known of a number at every threshold: its law in closed form for all rows at once, or joint draws ---------


#: Metrics that are one rate of one class: whether of the class itself, and whether it is what is left of 1.
ONE_RATE = {
    "recall": (True, False),
    "false_negative_rate": (True, True),
    "specificity": (False, False),
    "false_positive_rate": (False, True),
}


@dataclass(frozen=True, eq=False)
class CutEnds:
    """Means and ends of intervals, shape (T,) each, how they are known, and the Monte Carlo error of the means."""

    mean: Floats
    low: Floats
    high: Floats
    route: str = "exact"
    error: float = 0.0


def ends_of(tables: CutTables, measure: Measure, ask: Ask) -> CutEnds:
    """A metric at every threshold.

    Recall, specificity, their complements, balanced accuracy, informedness, accuracy, its complement and costs are
    exact; all others come from joint draws of the tables at all thresholds.
    """
    laws = _rates(tables, measure.twin)
    if laws is not None:
        return CutEnds(laws.mean, *laws.interval(ask.level, ask.kind))
    if isinstance(measure.metric.formula, MeanCost):
        costs = measure.metric.formula.table(2)
        by_cell = np.array([costs[1, 1], costs[1, 0], costs[0, 1], costs[0, 0]])
        worth = worth_laws(tables, np.tile(by_cell, (len(tables), 1)))
        return CutEnds(worth.mean, *worth.ends(ask.level, ask.kind))
    values = np.concatenate([value_of(measure)(part) for part in tables.draws(ask.draws, ask.seed)])
    return _drawn(values, ask.level, ask.kind)


def value_of(measure: Measure) -> Callable[[Floats], Floats]:
    """The metric as a function of tables (..., 2, 2)."""
    return lambda part: np.asarray(measure(Margins.around(part)), dtype=float)


class WorthLaws(NamedTuple):
    """Laws of a mean worth of a case, one a threshold, whatever the prevalence is known from."""

    mean: Floats
    ends: Callable[[float, Kind], tuple[Floats, Floats]]
    below: Callable[[Floats], Floats]


def benefits_of(tables: CutTables) -> tuple[Floats, WorthLaws, Floats]:
    """Odds of thresholds that are risks, laws of the net benefit of a case there, and what was observed, (T,) each."""
    odds = tables.thresholds / (1 - tables.thresholds)
    zero = np.zeros(len(odds))
    laws = worth_laws(tables, np.stack([zero + 1, zero, -odds, zero], axis=-1))
    return odds, laws, tables.observed[:, 1, 1] - odds * tables.observed[:, 0, 1]


def worth_laws(tables: CutTables, values: Floats) -> WorthLaws:
    """The laws at all thresholds."""
    if isinstance(tables.share, float):
        phi, alphas = tables.share, tables.alphas
        weights = np.stack([phi * (values[:, 0] - values[:, 1]), (1 - phi) * (values[:, 2] - values[:, 3])], axis=1)
        shift = phi * values[:, 1] + (1 - phi) * values[:, 3]
        sums = BetaSums(alphas[:, ::2], alphas[:, 1::2], weights, shift=shift)
        return WorthLaws(sums.mean, lambda level, kind: tuple(sums.interval(level, kind)), sums.cdf)  # type: ignore[arg-type, return-value]
    positive, negative = (float(part.sum()) for part in (tables.alphas[0, :2], tables.alphas[0, 2:]))
    if tables.share[0] <= positive and tables.share[1] <= negative and tables.source == "test set":
        cells = CellWorth(values, tables.alphas, tables.share)
        return WorthLaws(
            cells.mean,
            lambda level, kind: cells.shortest(level) if kind == "hdi" else cells.central(level),
            cells.below,
        )
    costs = (expected_cost([[kept, false], [missed, hit]]) for hit, missed, false, kept in values.tolist())
    return _one_by_one([posterior_at(tables, row).of(cost).law for row, cost in enumerate(costs)])


def _one_by_one(laws: Sequence[Law]) -> WorthLaws:
    def ends(level: float, kind: Kind) -> tuple[Floats, Floats]:
        found = np.array([tuple(law.interval(level, kind)) for law in laws])
        return found[:, 0], found[:, 1]

    def below(x: Floats) -> Floats:
        places = np.broadcast_to(np.asarray(x, dtype=float), (len(laws),)).tolist()
        return np.array([float(law.prob(below=at)) for law, at in zip(laws, places, strict=True)])

    return WorthLaws(np.array([law.mean for law in laws]), ends, below)


def posterior_at(tables: CutTables, row: int) -> Posterior:
    """The posterior at one threshold, as `howsure.infer` makes it."""
    post = infer(tables.confusion(row), tables.prior)
    if isinstance(tables.share, float):
        return post.at_prevalence({tables.labels[1]: tables.share})
    if tables.source == "other cases":
        mass = tables.prior.shares(2)
        return post.at_prevalence(cases=[round(tables.share[1] - mass[0]), round(tables.share[0] - mass[1])])
    return post


def _rates(tables: CutTables, measure: Measure) -> BetaSums | None:
    """The sums of rates that a metric is, or None."""
    name, alphas = measure.metric.name, tables.alphas
    a, b = alphas[:, [0, 3]], alphas[:, [1, 2]]  # recall and specificity of the positive class
    if measure.average is None and not measure.parameters and name in ONE_RATE and measure.index is not None:
        own, left = ONE_RATE[name]
        at = [0] if own == (measure.index == 1) else [1]
        return BetaSums(b[:, at], a[:, at], [1.0]) if left else BetaSums(a[:, at], b[:, at], [1.0])
    if name == "balanced_accuracy":
        return BetaSums(a, b)
    if name == "informedness" and measure.average is None:
        return BetaSums(a, b, [1.0, 1.0], shift=-1.0)
    if name in ("accuracy", "error_rate"):
        return _accuracy(tables, a, b, right=name == "accuracy")
    return None


def _accuracy(tables: CutTables, a: Floats, b: Floats, *, right: bool) -> BetaSums | None:
    if isinstance(tables.share, float):
        a, b = (a, b) if right else (b, a)
        return BetaSums(a, b, [tables.share, 1 - tables.share])
    if tables.source != "test set":
        return None
    correct = np.trace(tables.counts, axis1=1, axis2=2)
    first, second = tables.prior.coin
    hits, misses = (correct + first)[:, None], (tables.sizes.sum() - correct + second)[:, None]
    return BetaSums(hits, misses, [1.0]) if right else BetaSums(misses, hits, [1.0])


def _drawn(values: Floats, level: float, kind: Kind) -> CutEnds:
    """Means and intervals of draws, shape (draws, T); undefined ones are left out."""
    ordered = np.sort(values, axis=0)
    known = (~np.isnan(ordered)).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(ordered, axis=0) / known
        sd = np.sqrt(np.nansum((ordered - mean) ** 2, axis=0) / known)
        error = float(np.nanmax(sd / np.sqrt(known)))
    return CutEnds(mean, *ends_in_order(ordered, level, kind), "simulated", error)


# -- What answers about scores that are cut have in common -------------------------------------------------------------

#: Thresholds in a table.
SHOWN = 20

#: How the prevalence is known, in words.
SOURCES = {"test set": "as in these cases (uncertain)", "stated": "stated", "other cases": "of other cases (uncertain)"}


@dataclass(frozen=True)
class CutPoint(Keyed):
    """The matrix at one threshold.

    Attributes
    ----------
    threshold : float
        Cases with this score or more are called positive.
    tp, fn, fp, tn : int
        Cases in the cells.
    """

    threshold: float
    tp: int
    fn: int
    fp: int
    tn: int

    @property
    def named_cells(self) -> tuple[str, ...]:
        """The threshold and its cells as text."""
        return f"{self.threshold:.6g}", *map(formats.integer, (self.tp, self.fn, self.fp, self.tn))


Point = TypeVar("Point", bound=Any)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AtCuts(Answered, Generic[Point]):
    """What is known of scores that are cut at thresholds.

    Attributes
    ----------
    ask : Ask
    points
        By threshold, increasing.
    """

    ask: Ask
    points: tuple[Point, ...] = ()
    tables: CutTables = field(repr=False)

    @property
    def labels(self) -> tuple[str, str]:
        """The negative class and the positive one."""
        return self.tables.labels

    @property
    def sizes(self) -> tuple[int, int]:
        """Cases of both classes."""
        negative, positive = self.tables.sizes.tolist()
        return negative, positive

    @property
    def prevalence(self) -> float:
        """Share of the positive class: stated, or its posterior mean."""
        return self.tables.mean_share

    @property
    def source(self) -> str:
        """Where the prevalence comes from: "test set", "stated" or "other cases"."""
        return self.tables.source

    @property
    def prior(self) -> str:
        """Name of the prior."""
        return self.tables.prior.name

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return self.tables.warnings

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return self.sheet().headline

    def at(self, threshold: float) -> Point:
        """The point of a threshold that was asked for.

        Raises
        ------
        InvalidArgument
            Another threshold.
        """
        for point in self.points:
            if math.isclose(point.threshold, number(threshold), rel_tol=1e-12, abs_tol=1e-12):
                return point
        raise InvalidArgument(f"no point at {excerpt(threshold)}; name it: thresholds={excerpt(threshold)}")

    @property
    def prevalence_words(self) -> str:
        """The prevalence and how it is known."""
        return f"prevalence {100 * self.prevalence:.3g}% {SOURCES[self.source]}"

    @property
    def shown(self) -> list[int]:
        """Which points a table shows: even, with the first and the last."""
        count = len(self.points)
        if count <= SHOWN:
            return list(range(count))
        return sorted({round(i * (count - 1) / (SHOWN - 1)) for i in range(SHOWN)})

    def left_out(self, where: str) -> str:
        """How many points a table leaves out, and ``where`` they are."""
        more = len(self.points) - len(self.shown)
        return f"and {formats.several(more, 'threshold')} between{where}" if more else ""
