"""Metrics of units, as functions of rows of weights of them: their laws, or draws of them and of their differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import betainc

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount
from howsure.numerics.units import (
    BLOCK,
    FEWEST_UNITS,
    REACH,
    TAKEN,
    UnitRatio,
    imaginary_units,
    own_values,
    ratio_of_units,
    tied_share,
)

# -- Metrics that are no ratio of sums, as functions of rows of weights of units: BLEU, average precision --------------


#: Rows of weights at once.
ROWS = 500

#: Recalls at which COCO reads precision.
RECALLS = 101


class Detections(NamedTuple):
    """Detections of one class: image and score of each, whether it is a hit, and the true objects of each image.

    ``hit`` has a row for each overlap that counts, or is one row. A detection that is neither a hit nor a miss there,
    of a crowd, is ``aside``.
    """

    image: Integers
    score: Floats
    hit: Floats
    positives: Floats
    aside: Floats | None = None


def corpus_bleu(matches: Floats, totals: Floats, lengths: Floats, references: Floats) -> Callable[[Floats], Floats]:
    """BLEU of a corpus, 0 to 100, from clipped matches and totals of n-grams (n, 4) and the two lengths (n,)."""

    def bleu(weights: Floats) -> Floats:
        precision = np.maximum(weights @ matches, 1e-300) / (weights @ totals)
        short = 1 - (weights @ references) / (weights @ lengths)
        return np.asarray(100 * np.exp(np.log(precision).mean(1) + np.minimum(0.0, short)))

    return bleu


def average_precision(found: Detections, points: int | None = RECALLS) -> Callable[[Floats], Floats]:
    """Average precision of a class, ties in their order as in pycocotools; without points, of the smooth envelope."""
    return mean_average_precision([found], points)


def _of_class(found: Detections, points: int | None) -> Callable[[Floats], Floats]:
    """The same of weights with a row an image, shape (n, rows): the mean over overlaps."""
    order = np.argsort(-found.score, kind="stable")
    image, positives = found.image[order], found.positives
    each = [
        (hits, image[hits], gone, np.searchsorted(gone, hits))
        for hits, gone in (
            (np.flatnonzero(hit > 0), np.flatnonzero(aside > 0))
            for hit, aside in zip(*_overlaps_of(found, order), strict=True)
        )
    ]

    def some(weights: Floats) -> Floats:
        every = np.cumsum(weights[image], axis=0)
        there = np.maximum(positives @ weights, 1e-300)
        total = np.zeros(weights.shape[1])
        for hits, true_image, gone, before in each:
            if not len(hits):
                continue
            # precision is largest where a hit was the last to come
            true, all_there = np.cumsum(weights[true_image], axis=0), every[hits]
            if len(gone):
                left = np.cumsum(weights[image[gone]], axis=0)
                all_there -= np.where(before[:, None] > 0, left[before - 1], 0.0)
            precision = np.maximum.accumulate((true / np.maximum(all_there, 1e-300))[::-1], axis=0)[::-1]
            recall = true / there
            if points is not None and weights.shape[1] == 1:  # to the last bit as pycocotools compares them
                recall = np.searchsorted(np.linspace(0, 1, points), recall, side="right") / points
            elif points is not None:  # how many of the points come up to here
                recall = (np.floor((points - 1) * (recall + 1e-12)) + 1) / points
            total += precision[0] * recall[0] + ((recall[1:] - recall[:-1]) * precision[1:]).sum(0)
        return total / len(each)

    return some


def _overlaps_of(found: Detections, order: Integers) -> tuple[Floats, Floats]:
    """Hits by overlap in an order, and detections that are set aside."""
    hit = np.atleast_2d(found.hit)[:, order]
    return hit, np.zeros_like(hit) if found.aside is None else np.atleast_2d(found.aside)[:, order]


def slopes(found: Detections) -> Floats:
    """Derivative of the area under the envelope by each image's weight, at equal weights; the mean over overlaps."""
    order = np.argsort(-found.score, kind="stable")
    return np.asarray(np.mean([
        _slopes(found.image[order][aside == 0], np.flatnonzero(hit[aside == 0] > 0), found.positives)
        for hit, aside in zip(*_overlaps_of(found, order), strict=True)
    ], axis=0))  # fmt: skip


def _slopes(image: Integers, hits: Integers, positives: Floats) -> Floats:
    true_image, n = image[hits], len(positives)
    if not len(hits):
        return np.zeros(n)
    total = positives.sum() / n
    true, every = np.arange(1, len(hits) + 1) / n, (hits + 1) / n
    precision = true / every
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    # the hit whose precision stands at each, and how much recall it stands at
    best = (
        len(hits)
        - 1
        - np.maximum.accumulate(np.where(precision[::-1] == envelope[::-1], np.arange(len(hits)), 0))[::-1]
    )
    weight = bincount(best, weights=np.full(len(hits), 1 / n / total), minlength=len(hits))
    up = np.cumsum((weight / every)[::-1])[::-1]
    down = np.cumsum((weight * true / every**2)[::-1])[::-1]
    # a detection moves what comes after it
    after = np.searchsorted(hits, np.arange(len(image)))
    inside = after < len(hits)
    area = float(envelope.sum() / n / total)
    made = bincount(true_image, weights=envelope / total + up, minlength=n)
    made -= bincount(image[inside], weights=down[after[inside]], minlength=n)
    return np.asarray(made - area * positives / total)


def mean_average_precision(classes: Sequence[Detections], points: int | None = RECALLS) -> Callable[[Floats], Floats]:
    """Mean over classes, each with all its overlaps."""
    each = [_of_class(found, points) for found in classes]
    most = max((len(found.image) for found in classes), default=0)

    def all_rows(weights: Floats) -> Floats:
        rows = min(ROWS, max(1, BLOCK // max(1, most)))
        blocks = [np.ascontiguousarray(weights[at : at + rows].T) for at in range(0, len(weights), rows)]
        if len(weights) == 1:  # equal weights count
            blocks = [blocks[0] / blocks[0].max()]
        return np.concatenate([np.mean([function(block) for function in each], axis=0) for block in blocks])

    return all_rows if each else lambda weights: np.zeros(len(weights))


# -- Metrics of units --------------------------------------------------------------------------------------------------

# A `Figure` is one metric of one system: its value on rows of weights, what each unit contributes (the metric plus its
# derivative towards the unit), and the values among which ties are counted. The rule is that of means.


Limits: TypeAlias = tuple[float, float] | None

#: Units from which on single precision serves their gammas, at half the price.
SINGLE = 50

#: Step of a derivative towards a unit, in shares of its weight.
NUDGE = 1e-4


@dataclass(frozen=True, eq=False)
class UnitSums:
    """A ratio of sums of two numbers of each unit: errors over words; a mean where the denominators are 1."""

    numerator: Floats
    denominator: Floats

    @property
    def n(self) -> int:
        """Units."""
        return len(self.numerator)

    @cached_property
    def observed(self) -> float:
        """With equal weights."""
        return float(self.numerator.sum() / self.denominator.sum())

    @property
    def contributions(self) -> Floats:
        """The metric plus its derivative towards each unit."""
        return self.observed + (self.numerator - self.observed * self.denominator) / float(self.denominator.mean())

    @property
    def values(self) -> Floats:
        """What ties are counted among."""
        return own_values(self.numerator, self.denominator)

    def at(self, weights: Floats) -> Floats:
        """With other weights, a row each."""
        return np.asarray((weights @ self.numerator) / (weights @ self.denominator))


@dataclass(frozen=True, eq=False)
class OwnFigure:
    """A function from rows of weights to values.

    ``smooth`` stands in for its derivatives, where it has none, or ``slopes`` are these; ``cost`` is how many numbers a
    row takes, where these are more than its weights.
    """

    function: Callable[[Floats], Floats]
    n: int
    smooth: Callable[[Floats], Floats] | None = None
    slopes: Floats | None = None
    cost: int = 0

    @cached_property
    def observed(self) -> float:
        """With equal weights."""
        return float(self.at(np.full((1, self.n), 1 / self.n))[0])

    @cached_property
    def contributions(self) -> Floats:
        """The metric plus its derivative towards each unit."""
        if self.slopes is not None:
            return self.observed + self.slopes
        function, n = self.smooth or self.function, self.n
        step, slopes = NUDGE / n, np.empty(n)
        rows = max(1, BLOCK // n)
        for first in range(0, n, rows):
            some = np.arange(first, min(n, first + rows))
            towards = np.zeros((len(some), n))
            towards[np.arange(len(some)), some] = step
            up = function((1 - step) / n + towards)
            slopes[some] = (up - function((1 + step) / n - towards)) / (2 * step)
        return self.observed + slopes

    @property
    def values(self) -> Floats:
        """What ties are counted among."""
        return self.contributions

    def at(self, weights: Floats) -> Floats:
        """With other weights, a row each."""
        return np.asarray(self.function(weights), dtype=float)


@dataclass(frozen=True, eq=False)
class LabelMeans:
    """The mean over labels of a ratio of sums each: macro F1, macro recall, mean IoU over classes; shape (n, L).

    With ``support`` labels count by the sums of it. Every label has two imaginary units of the mean size of those that
    it concerns, whose masses are 1 - p and p, the low and the high one, p being the level of all labels together.
    """

    numerator: Floats
    denominator: Floats
    limits: tuple[float, float] = (0.0, 1.0)
    support: Floats | None = None

    @property
    def n(self) -> int:
        """Units."""
        return len(self.numerator)

    def _mean(self, ratios: Floats, weights: Floats) -> Floats:
        """Over labels, of rows of weights of units that need not add up to one."""
        if self.support is None:
            return np.asarray(ratios.mean(1))
        shares = weights @ self.support[:, self._some]
        return np.asarray((ratios * shares).sum(1) / np.maximum(shares.sum(1), 1e-300))

    @cached_property
    def _some(self) -> Booleans:
        """Labels that some unit has, or all where there is an average of all."""
        return np.asarray(self.denominator.sum(0) > 0)

    @cached_property
    def by_label(self) -> Floats:
        """The ratio of each label; NaN where no unit has it."""
        top, bottom = self.numerator.sum(0), self.denominator.sum(0)
        return np.asarray(np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0))

    @property
    def observed(self) -> float:
        """Mean over the labels that some unit has."""
        return float(self._mean(self.by_label[None, self._some], np.ones((1, self.n)))[0])

    @property
    def contributions(self) -> Floats:
        """The metric plus its derivative towards each unit."""
        size = self.denominator.mean(0)
        some = size > 0
        slopes = (self.numerator[:, some] - self.by_label[some] * self.denominator[:, some]) / size[some]
        if self.support is None:
            return np.asarray(self.observed + slopes.mean(1))
        support, known = self.support[:, some], self.by_label[some]
        whole = max(float(support.sum(1).mean()), 1e-300)
        moved = (support * known).sum(1) - self.observed * support.sum(1)  # as labels count more, or less
        return np.asarray(self.observed + (slopes @ support.mean(0) + moved) / whole)

    @property
    def values(self) -> Floats:
        """What ties are counted among."""
        return self.contributions

    def at(self, weights: Floats) -> Floats:
        """With other weights, a row each, and without imaginary units."""
        some = self._some
        bottom = np.maximum(weights @ self.denominator[:, some], 1e-300)
        return self._mean(weights @ self.numerator[:, some] / bottom, weights)

    @cached_property
    def level(self) -> float:
        """Where labels are in their range, so that imaginary units pull none of them to the middle."""
        known = self.by_label[~np.isnan(self.by_label)]
        low, high = self.limits
        return float(((known - low).sum() / (high - low) + 0.5) / (len(known) + 1))

    @cached_property
    def imaginary(self) -> Floats:
        """The low and the high imaginary unit of each label, and their size, shape (L, 3)."""
        rows = np.array([[*self.limits, 1.0]] * self.numerator.shape[1])
        for row, top, bottom in zip(rows, self.numerator.T, self.denominator.T, strict=True):
            has = bottom > 0
            if not has.any():
                continue
            own = UnitSums(top[has], bottom[has])
            row[2] = own.denominator.mean()
            ends = imaginary_units(own.contributions, self.limits, values=own.values) if has.sum() > 1 else None
            if ends is not None:
                row[:2] = ends
        return rows

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """With Dirichlet weights, shape (count,)."""
        low, high, size = self.imaginary.T
        made = []
        for rows in _blocks(count, self.n):
            gammas = _gammas(self.n, rows, rng)
            below = rng.standard_gamma(1 - self.level, (rows, len(size))) * size
            above = rng.standard_gamma(self.level, (rows, len(size))) * size
            top = gammas @ self.numerator + below * low + above * high
            ratios = top / (gammas @ self.denominator + below + above)
            made.append(ratios.mean(1) if self.support is None else self._mean(ratios[:, self._some], gammas))
        return np.concatenate(made)


@dataclass(frozen=True, eq=False)
class OrderStatistic:
    """A quantile of the units' scores, such as their median."""

    scores: Floats
    level: float

    @property
    def n(self) -> int:
        """Units."""
        return len(self.scores)

    @cached_property
    def observed(self) -> float:
        """As NumPy has it."""
        return float(np.quantile(self.scores, self.level))

    @property
    def contributions(self) -> Floats:
        """The scores: a quantile has no derivative, and is drawn without imaginary units."""
        return self.scores

    values = contributions

    def at(self, weights: Floats) -> Floats:
        """With other weights, a row each."""
        order = np.argsort(self.scores, kind="stable")
        below = np.cumsum(weights[:, order], axis=1) / weights.sum(axis=1, keepdims=True)
        return np.asarray(self.scores[order][np.minimum((below < self.level).sum(1), self.n - 1)])


Figure: TypeAlias = UnitSums | OwnFigure | LabelMeans | OrderStatistic


class OrderLaw:
    """Distribution of a quantile of new units: the share of them below the k-th smallest is Beta(k, n + 1 - k).

    P(quantile <= x) = P(Beta(k, n + 1 - k) >= level), k being the scores up to x. Intervals go from one score, or an
    end of what is possible, to another, with at least their probability whatever the distribution of scores is.
    """

    def __init__(self, scores: Floats, level: float, limits: Limits = None) -> None:
        self.level = level
        self.points, times = np.unique(scores, return_counts=True)
        n, k = len(scores), np.cumsum(times)
        #: P(quantile <= x) at each different score
        self.steps = 1 - betainc(k, n + 1 - k, level)
        self.support = (-np.inf, np.inf) if limits is None else limits
        inside = np.clip(np.diff(self.steps, prepend=0.0), 0.0, None)
        places = np.append(self.points, self.points[-1] if np.isinf(self.support[1]) else self.support[1])
        chance = np.append(inside, max(0.0, 1 - inside.sum()))
        self.mean = float(chance @ places)
        self.sd = float((chance @ (places - self.mean) ** 2) ** 0.5)
        self._mode = float(self.points[int(np.argmax(inside))])

    residual = 0.0

    def cdf(self, x: Floats) -> Floats:
        """Distribution function."""
        place = np.searchsorted(self.points, x, side="right")
        below = np.append(0.0, self.steps)[place]
        return np.where(np.asarray(x) >= self.support[1], 1.0, below)

    def sf(self, x: Floats) -> Floats:
        """Probability of more than x."""
        return 1 - self.cdf(x)

    def pdf(self, x: Floats) -> Floats:
        """Density of a histogram between the scores, for pictures."""
        edges = self.points
        if len(edges) < 2:
            return np.zeros(np.shape(x))
        height = np.diff(self.steps) / np.diff(edges)
        place = np.searchsorted(edges, x, side="right") - 1
        return np.where((place >= 0) & (place < len(height)), height[np.clip(place, 0, len(height) - 1)], 0.0)

    def quantile(self, p: Floats) -> Floats:
        """Below one half the largest score with at most ``p`` below or at it, else the smallest with at least ``p``."""
        goal = np.asarray(p, dtype=float)
        under = np.searchsorted(self.steps, goal, side="right") - 1
        over = np.searchsorted(self.steps, goal, side="left")
        least = np.append(self.support[0], self.points)[under + 1]
        most = np.append(self.points, self.support[1])[over]
        return np.where(goal < 0.5, least, most)

    def highest_density(self, level: float) -> tuple[float, float] | None:
        """None: a discrete distribution is shown by its central interval."""

    def mode(self) -> float:
        """Most probable score."""
        return self._mode

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent values, shape (n,), among the scores."""
        place = np.searchsorted(self.steps, rng.random(n))
        return np.asarray(self.points[np.minimum(place, len(self.points) - 1)])


def law_of(figure: Figure, limits: Limits, *, far: bool = False) -> UnitRatio | OrderLaw | None:
    """The exact distribution of a figure; None where it is drawn, or where there is none."""
    if isinstance(figure, OrderStatistic):
        return OrderLaw(figure.scores, figure.level, limits) if figure.n >= FEWEST_UNITS else None
    if isinstance(figure, UnitSums):
        return ratio_of_units(figure.numerator, figure.denominator, limits, far=far)
    return None


def difference_law(a: Figure, b: Figure, limits: Limits, *, far: bool = False) -> UnitRatio | None:
    """The exact distribution of a minus b on the same units; None where it is drawn."""
    if not isinstance(a, UnitSums) or not isinstance(b, UnitSums) or not np.array_equal(a.denominator, b.denominator):
        return None
    return ratio_of_units(a.numerator - b.numerator, a.denominator, _gap(limits), difference=True, far=far)


def drawn(figure: Figure, limits: Limits, count: int, rng: np.random.Generator, *, far: bool = False) -> Floats | None:
    """Draws of a figure of new units like these; None where all are equal and no limits are known."""
    if isinstance(figure, LabelMeans):
        return figure.draws(count, rng) if figure.n >= FEWEST_UNITS else None
    if isinstance(figure, OrderStatistic):
        return _drawn_quantiles([figure], count, rng)[:, 0]
    ends = imaginary_units(figure.contributions, limits, values=figure.values, far=far)
    return None if ends is None else _drawn(figure.at, figure.n, ends, count, rng)


def drawn_difference(
    a: Figure, b: Figure, limits: Limits, count: int, rng: np.random.Generator, *, far: bool = False
) -> Floats | None:
    """Draws of a minus b on the same units; None where no unit differs and no limits are known."""
    if isinstance(a, OrderStatistic) and isinstance(b, OrderStatistic):
        both = _drawn_quantiles([a, b], count, rng)
        return both[:, 0] - both[:, 1]
    contributions = a.contributions - b.contributions
    ends = imaginary_units(contributions, _gap(limits), difference=True, far=far)
    return None if ends is None else _drawn(lambda w: a.at(w) - b.at(w), a.n, ends, count, rng)


def drawn_together(
    figures: Sequence[Figure], count: int, rng: np.random.Generator, *, width: float | None = None
) -> Floats:
    """Joint draws of several systems on the same units, shape (count, k): common weights, about their mean.

    Each has an imaginary part of its own, up to the mean over rivals of where a pair's imaginary unit lies over
    sqrt(2). Differences of two are those of `drawn_difference` but for 0.01 in P(better), 0.05 at most. With a
    ``width``, that of the range, an unseen unit of a pair may differ by that much.
    """
    if all(isinstance(it, OrderStatistic) for it in figures):
        return _drawn_quantiles([it for it in figures if isinstance(it, OrderStatistic)], count, rng)
    n, k = figures[0].n, len(figures)
    observed = np.array([it.observed for it in figures])
    contributions = np.column_stack([it.contributions for it in figures])
    reach = np.array([_reach(contributions, j) if width is None else width / 2**0.5 for j in range(k)])
    centre = observed - observed.mean()
    made = []
    linear = all(isinstance(it, UnitSums) and (it.denominator == 1).all() for it in figures)
    for rows in _blocks(count, n):
        weights, share, _ = _weights(n, rows, rng)
        values = weights @ contributions if linear else np.column_stack([it.at(weights) for it in figures])
        share = share[:, None]
        own = centre + (2 * rng.beta(0.5, 0.5, (rows, k)) - 1) * reach
        common = values.mean(1, keepdims=True)
        made.append(common + (1 - share) * (values - common) + share * own)
    return np.concatenate(made)


def _reach(contributions: Floats, j: int) -> float:
    """Where the imaginary unit of a pair with each rival lies, on average."""
    gaps = contributions[:, [j]] - np.delete(contributions, j, axis=1)
    tied = np.array([tied_share(gap) for gap in gaps.T])
    return float((REACH * gaps.std(0) * (1 - tied) + np.abs(gaps).max(0) * tied).mean() / 2**0.5)


def _gap(limits: Limits) -> Limits:
    return None if limits is None else (limits[0] - limits[1], limits[1] - limits[0])


def _blocks(count: int, n: int) -> Iterator[int]:
    rows = max(1, BLOCK // n)
    for first in range(0, count, rows):
        yield min(rows, count - first)


def _gammas(n: int, rows: int, rng: np.random.Generator) -> Floats:
    shape = (n - TAKEN) / n
    if n < SINGLE:
        return rng.standard_gamma(shape, (rows, n)) + 1e-300
    return np.asarray(rng.standard_gamma(shape, (rows, n), dtype=np.float32).astype(float))


def _weights(n: int, rows: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Weights of real units, adding to 1, the share of both imaginary ones, the high one's part of it; a row a draw."""
    gammas = _gammas(n, rows, rng)
    total = gammas.sum(1)
    low, high = rng.standard_gamma(0.5, rows), rng.standard_gamma(0.5, rows)
    return gammas / total[:, None], (low + high) / (total + low + high), high / (low + high)


def _drawn(
    at: Callable[[Floats], Floats], n: int, ends: tuple[float, float], count: int, rng: np.random.Generator
) -> Floats:
    made = []
    for rows in _blocks(count, n):
        weights, share, part = _weights(n, rows, rng)
        made.append((1 - share) * at(weights) + share * (ends[0] + part * (ends[1] - ends[0])))
    return np.concatenate(made)


def _drawn_quantiles(figures: Sequence[OrderStatistic], count: int, rng: np.random.Generator) -> Floats:
    """Quantiles with the plain Bayesian bootstrap: they are not smooth, and have no imaginary units."""
    made = []
    for rows in _blocks(count, figures[0].n):
        weights = rng.standard_exponential((rows, figures[0].n))
        made.append(np.column_stack([it.at(weights) for it in figures]))
    return np.concatenate(made)


def drawn_tests(
    figures: Sequence[Figure], limits: Limits, size: int, count: int, rng: np.random.Generator
) -> Floats | None:
    """What figures come out as on ``size`` new units, (count, k); an imaginary unit that comes counts as its place."""
    n = figures[0].n
    places = [imaginary_units(it.contributions, limits, values=it.values) for it in figures]
    if any(ends is None for ends in places):
        return None
    made = []
    for rows in _blocks(count, n):
        weights, share, part = _weights(n, rows, rng)
        chances = np.column_stack([weights * (1 - share[:, None]), share * (1 - part), share * part])
        came = rng.multinomial(size, chances / chances.sum(1, keepdims=True)) / size
        real = came[:, :n].sum(1)
        mixture = np.where(real[:, None] > 0, came[:, :n] / np.where(real > 0, real, 1.0)[:, None], 1 / n)
        columns = []
        for it, ends in zip(figures, places, strict=True):
            assert ends is not None
            columns.append(real * it.at(mixture) + came[:, n] * ends[0] + came[:, n + 1] * ends[1])
        made.append(np.column_stack(columns))
    return np.concatenate(made)
