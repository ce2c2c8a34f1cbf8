"""Agreement of raters: coefficients of items with weights, and draws of them where the weights are uncertain.

A coefficient is a function of sums over items, whose weights are Dirichlet. Imaginary items stand for what was not
seen: the mass of one for perfect agreement, evenly over the categories, and of one for a disagreement, half of it one
rater against all others, half an even split: the Dirichlet prior of the table of two raters, for any number of them.
Items of many patterns have less mass, as Student's factor has it (`howsure.numerics.units`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.special import ndtri

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount
from howsure.numerics.units import tied_share

Scale: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
Weighting: TypeAlias = Literal["identity", "linear", "quadratic", "ordinal", "ratio"]

#: What is computed of each draw, in this order.
COEFFICIENTS = ("percent", "kappa", "fleiss", "alpha", "gwet", "brennan_prediger")

#: Mass of the imaginary items that agree, and of those that do not.
AGREEING, DISAGREEING = 1.0, 1.0

#: Mass that is taken off the items where no two are alike.
TAKEN = 4.0

#: Categories, and raters, that imaginary items take part of at most.
MOST_CATEGORIES, MOST_RATERS = 8, 12

#: Spread of how well raters agree with others: the scale of its prior, its least and its largest value.
SPREAD, SPREADS = 0.05, (0.002, 0.5)

#: Numbers that are held at once.
BLOCK = 4_000_000


def agreement_weights(kind: Weighting, values: Floats) -> Floats:
    """How far two categories agree, 1 on the diagonal, shape (K, K); as irrCAC has them."""
    size = len(values)
    off = np.abs(np.subtract.outer(values, values))
    if kind == "identity" or size < 2:
        return np.eye(size)
    if kind == "ordinal":
        steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) + 1.0
        return np.asarray(1 - steps * (steps - 1) / (size * (size - 1)))
    if kind == "ratio":
        total = np.add.outer(values, values)
        off = np.divide(off, total, out=np.zeros_like(off), where=total != 0)
    power = 1 if kind == "linear" else 2
    return np.asarray(1 - (off / off.max()) ** power)


class RatedItems(NamedTuple):
    """Patterns of ratings, each with the mass of the items that have it; imaginary ones last."""

    codes: Integers  # (patterns, raters), category of each rating, -1 where there is none
    times: Floats  # (patterns,), items that were seen; 0 of imaginary ones
    mass: Floats  # (patterns,), of the Dirichlet distribution of the weights
    size: int  # number of categories

    @classmethod
    def of(cls, codes: Integers, size: int, values: Floats | None = None) -> RatedItems:
        """Items with ratings, shape (n, raters); of categories with ``values`` near ones are confused more often."""
        patterns, place, times = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
        rated = (codes >= 0).sum(1)
        several = int((rated > 1).sum())
        mean = int(np.clip(round(float(rated[rated > 1].mean())) if several else 2, 2, codes.shape[1]))
        unlike = 1 - (tied_share(place.ravel().astype(float)) if len(codes) > 1 else 1.0)
        left = max(len(codes) - TAKEN * unlike, 1.0) / len(codes)
        rows, mass = _imaginary(size, codes.shape[1], mean, values)
        return cls(
            np.concatenate([patterns, rows]), np.concatenate([times.astype(float), np.zeros(len(rows))]),
            np.concatenate([times * left, mass]), size,
        )  # fmt: skip

    def drawn(self, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
        """Weights of the patterns, shape (draws, patterns), in blocks; they need not add up to one."""
        wide = max(1, BLOCK // max(len(self.mass), self.codes.shape[1] * self.size))
        for first in range(0, draws, wide):
            yield rng.standard_gamma(self.mass, (min(wide, draws - first), len(self.mass)))


def _imaginary(size: int, raters: int, rated: int, values: Floats | None) -> tuple[Integers, Floats]:
    """Imaginary items and their mass: those that agree, and those where one, or half of the raters, disagree."""
    some = np.unique(np.linspace(0, size - 1, min(size, MOST_CATEGORIES)).round().astype(np.int64))
    first = np.unique(np.linspace(0, raters, min(raters, MOST_RATERS), endpoint=False).astype(np.int64))
    place = np.arange(len(some), dtype=float)
    off = np.abs(np.subtract.outer(place, place))
    near = np.divide(1.0, off if values is None else off**2, out=np.zeros_like(off), where=off > 0)
    if values is None:
        near = np.asarray(off > 0, dtype=float)
    near /= max(near.sum(), 1e-300)
    rows, mass = [], []

    def add(most: int, other: int, many: int, weight: float) -> None:
        for at in first.tolist():
            row = np.full(raters, -1)
            who = (at + np.arange(rated)) % raters
            row[who], row[who[:many]] = some[most], some[other]
            rows.append(row)
            mass.append(weight / len(first))

    for k in range(len(some)):
        add(k, k, 0, AGREEING / len(some))
        for other in range(len(some)):
            if other != k:
                for many in (1, max(1, rated // 2)):
                    add(k, other, many, DISAGREEING * float(near[k, other]) / 2)
    found, where = np.unique(np.array(rows, dtype=np.int64), axis=0, return_inverse=True)
    return found, bincount(where.ravel(), weights=np.array(mass))


class Pairing:
    """Who is compared with whom, over patterns of ratings: the sums over items that coefficients are made of.

    ``pairs`` (raters, raters) is symmetric, ``weights`` (K, K) say how far two categories agree; ``scale`` and
    ``values`` are of alpha: how far categories are apart, and where they lie.
    """

    def __init__(self, rated: RatedItems, pairs: Booleans, weights: Floats, scale: Scale, values: Floats) -> None:
        self.rated, self.pairs, self.weights, self.scale, self.values = rated, pairs, weights, scale, values
        there = rated.codes >= 0
        degree = pairs.sum(1).astype(float)
        counts = np.zeros((len(rated.codes), rated.size))
        for rater in np.flatnonzero(degree).tolist():
            counts[there[:, rater], rated.codes[there[:, rater], rater]] += degree[rater]
        many = counts.sum(1, keepdims=True)
        #: of each pattern, the mean of each rater's category
        self.shares = np.divide(counts, many, out=np.zeros_like(counts), where=many > 0)
        #: pairs of raters that are there
        self.many = self._over_pairs(np.ones((rated.size, rated.size)))
        self.paired = (self.many > 0).astype(float)
        self.agreement = self._over_pairs(weights) / np.maximum(self.many, 1)
        #: ratings with a partner
        self.ratings = np.where(self.many > 0, (there & ((there.astype(float) @ pairs) > 0)).sum(1), 0).astype(float)

    def _over_pairs(self, table: Floats) -> Floats:
        """Sum of a table of two categories over the pairs of each pattern, shape (patterns,)."""
        codes, total = self.rated.codes, np.zeros(len(self.rated.codes))
        for rater, other in np.argwhere(np.triu(self.pairs, 1)).tolist():
            both = (codes[:, rater] >= 0) & (codes[:, other] >= 0)
            total[both] += table[codes[both, rater], codes[both, other]]
        return total

    @cached_property
    def tables(self) -> Floats:
        """Share of the pairs of each pattern that hold two categories, in either order, shape (patterns, K, K)."""
        codes, size = self.rated.codes, self.rated.size
        found = np.zeros((len(codes), size, size))
        for rater, other in np.argwhere(np.triu(self.pairs, 1)).tolist():
            both = np.flatnonzero((codes[:, rater] >= 0) & (codes[:, other] >= 0))
            one, two = codes[both, rater], codes[both, other]
            found[both, one, two] += 0.5
            found[both, two, one] += 0.5
        return found / np.maximum(self.many, 1)[:, None, None]

    def coefficients(self, weights: Floats, ratings: float | None = None) -> Floats:
        """The `COEFFICIENTS` (draws, 6) at weights (draws, patterns), NaN where 0/0; ``ratings`` have a partner."""
        return np.column_stack([self.coefficient(name, weights, ratings) for name in COEFFICIENTS])

    def coefficient(self, name: str, weights: Floats, ratings: float | None = None) -> Floats:
        """One of the coefficients, shape (draws,)."""
        size, total = self.rated.size, float(self.weights.sum())
        with np.errstate(divide="ignore", invalid="ignore"):
            if name == "alpha":
                found = self._alpha(weights, ratings)
            else:
                found = (weights @ (self.agreement * self.paired)) / (weights @ self.paired)
            if name == "kappa":
                chance = self._chance_of_raters(weights)
            elif name in ("fleiss", "gwet"):
                shares = weights @ self.shares
                shares /= shares.sum(1, keepdims=True)
                if name == "fleiss":
                    chance = ((shares @ self.weights) * shares).sum(1)
                else:
                    chance = total * (shares * (1 - shares)).sum(1) / (size * (size - 1))
            else:
                chance = np.full(len(weights), total / size**2 if name == "brennan_prediger" else 0.0)
            if name not in ("alpha", "percent"):
                found = (found - chance) / (1 - chance)
        return np.where(np.isfinite(found), found, np.nan)

    def _chance_of_raters(self, weights: Floats) -> Floats:
        """Agreement by chance of raters who keep their own shares of categories (Cohen, Conger)."""
        margins = np.zeros((len(weights), len(self.pairs), self.rated.size))
        for rater, column in enumerate(self.rated.codes.T):
            if self.pairs[rater].any():
                one = np.eye(self.rated.size + 1)[column, :-1]
                margins[:, rater] = weights @ one
        margins /= np.maximum(margins.sum(2, keepdims=True), 1e-300)
        partners = np.einsum("rs,bsk->brk", self.pairs.astype(float), margins)
        return np.asarray(((partners @ self.weights) * margins).sum((1, 2)) / self.pairs.sum())

    def _alpha(self, weights: Floats, ratings: float | None) -> Floats:
        """1 minus the disagreement that was seen over that of ratings at random; ordinal ranks depend on the shares."""
        kept = (weights @ self.ratings)[:, None]
        shares = weights @ (self.ratings[:, None] * self.shares) / kept
        more = 1.0 if ratings is None else ratings / (ratings - 1)
        if self.scale == "ordinal":
            place = np.cumsum(shares, axis=1) - shares / 2
            expected = 2 * ((shares * place**2).sum(1) - (shares * place).sum(1) ** 2)
            one, two = np.triu_indices(self.rated.size, 1)
            pairs = weights @ (2 * self.ratings[:, None] * self.tables[:, one, two]) / kept
            return np.asarray(1 - (pairs * (place[:, one] - place[:, two]) ** 2).sum(1) / (expected * more))
        apart, unlike = self.apart
        expected = ((shares @ apart) * shares).sum(1)
        return np.asarray(1 - weights @ (self.ratings * unlike) / (kept[:, 0] * expected * more))

    @cached_property
    def apart(self) -> tuple[Floats, Floats]:
        """How far categories are apart in alpha, and the ratings of each pattern."""
        apart = 1 - agreement_weights(ALPHA[self.scale], self.values)
        return apart, self._over_pairs(apart) / np.maximum(self.many, 1)


#: The distance of categories in alpha; of an ordinal scale it is that of mean ranks.
ALPHA: dict[Scale, Weighting] = {"nominal": "identity", "interval": "quadratic", "ratio": "ratio"}


def every_pair(raters: int, among: Sequence[int] | None = None) -> Booleans:
    """Every pair of raters, or of some of them, shape (raters, raters)."""
    some = np.isin(np.arange(raters), np.arange(raters) if among is None else np.asarray(among))
    return np.outer(some, some) & ~np.eye(raters, dtype=bool)


def with_others(raters: int, one: int, others: Sequence[int]) -> Booleans:
    """Pairs of one rater with others, shape (raters, raters)."""
    pairs = np.zeros((raters, raters), dtype=bool)
    pairs[one, list(others)] = pairs[list(others), one] = True
    pairs[one, one] = False
    return pairs


def model_gains(rated: RatedItems, weights: Floats, model: int, people: Sequence[int]) -> tuple[Floats, Floats, Floats]:
    """How far the model and each person agree with the others, where all are there: (patterns, people).

    Agreement of the model, of the person, with a rater taken at random from the other people; and whether the model,
    the person and another one have rated the item.
    """
    there, safe = rated.codes >= 0, np.where(rated.codes >= 0, rated.codes, 0)
    ours, theirs, whether = (np.zeros((len(safe), len(people))) for _ in range(3))
    for at, person in enumerate(people):
        others = [other for other in people if other != person]
        many = there[:, others].sum(1)
        whether[:, at] = (there[:, model] & there[:, person] & (many > 0)).astype(float)
        for found, one in ((ours, model), (theirs, person)):
            alike = weights[safe[:, [one]], safe[:, others]] * there[:, others]
            found[:, at] = alike.sum(1) / np.maximum(many, 1)
    return ours, theirs, whether


def alike_gains(gains: Floats, rng: np.random.Generator) -> Floats:
    """Draws of what a model gains over each person, shape (draws, people), drawn together as far as raters are alike.

    How well the model and the people do is a sample of a Normal population, whose spread has a half-Cauchy prior; what
    looks best or worst among raters who are alike is mostly chance.
    """
    mean, people = gains.mean(0), gains.shape[1]
    noise = np.cov(gains.T).reshape(people, people) + 1e-12 * np.eye(people)
    shape = np.eye(people) + 1
    spread = np.geomspace(*SPREADS, 40)
    log = np.empty(len(spread))
    for at, tau in enumerate(spread):
        whole = tau**2 * shape + noise
        log[at] = -0.5 * (np.linalg.slogdet(whole)[1] + mean @ np.linalg.solve(whole, mean))
    log += np.log(spread) - np.log1p((spread / SPREAD) ** 2)
    chance = np.exp(log - log.max())
    number, made = rng.multinomial(len(gains), chance / chance.sum()), []
    order = rng.permutation(len(gains))
    for tau, some in zip(spread, np.split(order, np.cumsum(number)[:-1]), strict=True):
        before = tau * rng.standard_normal((len(some), people + 1))
        before = before[:, [0]] - before[:, 1:]
        share = tau**2 * shape @ np.linalg.inv(tau**2 * shape + noise)
        made.append(before + (gains[some] - before) @ share.T)
    return np.asarray(np.clip(np.concatenate(made), -1.0, 1.0))


def rater_spread(of: Pairing, draws: Floats, rng: np.random.Generator) -> Floats:
    """Draws of coefficients, shape (draws, 6), for other raters like these: with what leaving out one of them changes.

    The spread over raters is that of the jackknife, Student's t with one degree less than raters, on the axis of
    Fisher's z, which ends at 1.
    """
    some = np.flatnonzero(of.pairs.any(1)).tolist()
    mass = of.rated.mass[None]
    left = np.concatenate([
        Pairing(
            of.rated, of.pairs & every_pair(len(of.pairs), [it for it in some if it != one]), of.weights, of.scale,
            of.values,
        ).coefficients(mass)
        for one in some
    ])  # fmt: skip
    count = len(some)
    sd = np.sqrt((count - 1) / count * ((left - left.mean(0)) ** 2).sum(0))
    scale = np.array([2.0 if name == "percent" else 1.0 for name in COEFFICIENTS])
    middle = np.clip(scale * of.coefficients(mass)[0] - (scale - 1), -0.999, 0.999)
    z = np.arctanh(np.clip(scale * draws - (scale - 1), -1 + 1e-12, 1 - 1e-12))
    shift = rng.standard_t(count - 1, size=(len(draws), 1)) * (scale * sd / (1 - middle**2))
    return np.asarray((np.tanh(z + shift) + scale - 1) / scale)


#: Populations that are drawn, sets of raters of one size that are tried, and the step of a derivative.
POPULATIONS, RATER_SETS, STEP = 60, 3, 1e-4


def items_for_width(
    codes: Integers, name: str, like: Pairing, width: float, level: float, rng: np.random.Generator
) -> dict[int, tuple[float, float]]:
    """Items for an interval of a coefficient that is no wider, by the number of raters, who are some of these.

    The variance is that of the influence of an item, in populations drawn from what the ratings tell: of half, and of
    95%, of them the items that need no more.
    """
    raters, found = codes.shape[1], {}
    for many in sorted({min(many, raters) for many in (2, 3, 5, raters)}):
        needed = []
        sets = [rng.permutation(raters)[:many] for _ in range(1 if many == raters else RATER_SETS)]
        for some in sets:
            kept = codes[:, some]
            if not ((kept >= 0).sum(1) > 1).any():
                continue
            rated = RatedItems.of(kept, like.rated.size, None if like.scale == "nominal" else like.values)
            pairing = Pairing(rated, every_pair(many), like.weights, like.scale, like.values)
            shares = rng.standard_gamma(rated.mass, (POPULATIONS // len(sets) + 1, len(rated.mass)))
            for share in shares / shares.sum(1, keepdims=True):
                up, down = (pairing.coefficient(name, (1 - e) * share + e * np.eye(len(share))) for e in (STEP, -STEP))
                spread = float(share @ np.nan_to_num((up - down) / (2 * STEP)) ** 2)
                needed.append((2 * float(ndtri((1 + level) / 2)) / width) ** 2 * spread - 3)
        if needed:
            half, most = np.quantile(needed, [0.5, 0.95])
            found[many] = max(float(half), 6.0), max(float(most), 6.0)
    return found
