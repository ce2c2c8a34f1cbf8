"""Ratings of items by several raters, none of whom is the truth: a kind of knowledge about how well they agree.

Items are a sample, raters are these or a sample too. The distribution of a coefficient is that of
`howsure.numerics.agreement`. The contenders are all raters together, each rater with the others, and sets of raters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, get_args

import numpy as np

from howsure.data.labels import group_text, in_order, one_each
from howsure.errors import InvalidArgument, InvalidLabels, NoInformation, UnknownMetric, excerpt, listing
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import one_of
from howsure.frozen import kept
from howsure.knowledge.protocol import Ask, Asked, Gap, Knowledge, Measured, Of
from howsure.laws import Law
from howsure.laws.law import usual_draws
from howsure.numerics.agreement import (
    COEFFICIENTS,
    Pairing,
    RatedItems,
    Scale,
    Weighting,
    agreement_weights,
    every_pair,
    rater_spread,
    with_others,
)
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.units import FEWEST_UNITS
from howsure.params import spelled
from howsure.text.formats import several

Raters: TypeAlias = Literal["fixed", "sample"]

#: What all raters together are called.
ALL = "all raters"

#: Different ratings that are read, and raters from which on they can be a sample.
MOST_CATEGORIES, FEWEST_RATERS = 100, 5

#: Which weights a scale has where nobody says.
USUAL_WEIGHTS: dict[Scale, Weighting] = {
    "nominal": "identity", "ordinal": "linear", "interval": "quadratic", "ratio": "ratio",
}  # fmt: skip

_ALIASES = {
    "alpha": "krippendorff_alpha", "ac1": "gwet_ac1", "ac2": "gwet_ac2", "agreement": "percent_agreement",
    "fleiss": "fleiss_kappa", "bp": "brennan_prediger", "scott_pi": "fleiss_kappa",
}  # fmt: skip


class RatingTerms(TypedDict, total=False):
    """What categories are and how far two agree, and whom answers are about."""

    scale: Scale
    weights: Any
    sampled: Raters
    sets: Mapping[str, Sequence[str]] | None
    notes: tuple[str, ...]


class Ratings(Knowledge):
    """Items by raters; a rating may be missing. Immutable; made by `from_columns` or `from_table`.

    Parameters
    ----------
    items, raters, labels : tuple of str
        Names of the items, the raters, and the categories in their order.
    codes : ndarray of int, shape (items, raters)
        Place of each rating among the labels; -1 where there is none.
    scale : "nominal", "ordinal", "interval" or "ratio"
        What the categories are; where they lie is their number (interval, ratio) or their place (ordinal).
    weights : str or array_like, shape (K, K), optional
        How far two categories agree: identity, linear, quadratic, ordinal, ratio, or a matrix with ones on its
        diagonal. By the scale if left out; Krippendorff's alpha has the distance of its scale always.
    sampled : "fixed" or "sample"
        Whether answers are about these raters, or about raters like these; the latter needs five.
    sets : mapping of str to sequence of str
        Sets of raters by their names.
    notes : tuple of str

    Examples
    --------
    >>> from howsure.knowledge.protocol import Ask, Of
    >>> ratings = Ratings.from_table([[1, 1], [2, 2], [1, 1], [1, 2], [2, 2], [1, 1], [2, 2], [1, 1], [2, 1], [2, 2]])
    >>> round(ratings.observed(Of("gwet_ac1", "all raters")), 3)
    0.6
    """

    items: tuple[str, ...]
    raters: tuple[str, ...]
    labels: tuple[str, ...]
    codes: Integers
    scale: Scale
    sampled: Raters
    sets: Mapping[str, tuple[str, ...]]
    values: Floats
    weighting: str
    weights: Floats
    rated: RatedItems

    @spelled(RatingTerms, scale="nominal", sampled="fixed")
    def __init__(
        self,
        items: tuple[str, ...],
        raters: tuple[str, ...],
        labels: tuple[str, ...],
        codes: Integers,
        **terms: Unpack[RatingTerms],
    ) -> None:
        self._notes = terms["notes"]
        one_of(scale := terms["scale"], get_args(Scale), "scale")
        one_of(sampled := terms["sampled"], get_args(Raters), "raters")
        self.__dict__.update(
            items=items, raters=raters, labels=labels, codes=codes, scale=scale, sampled=sampled,
            sets={str(name): tuple(members) for name, members in (terms["sets"] or {}).items()},
        )  # fmt: skip
        values = _places(scale, labels)
        weighting, table = _weights(terms["weights"], scale, values)
        self.__dict__.update(values=values, weighting=weighting, weights=table)
        if len(raters) < 2:
            raise InvalidLabels(f"agreement needs at least two raters, got {several(len(raters), 'rater')}")
        if sampled == "sample" and len(raters) < FEWEST_RATERS:
            raise InvalidArgument(
                f"raters as a sample need at least {FEWEST_RATERS} of them, got {len(raters)}; leave --raters out for "
                "an answer about these raters"
            )
        if not (rated := int(((codes >= 0).sum(1) > 1).sum())):
            raise InvalidLabels("no item has two ratings, so nothing tells how far raters agree")
        if len(items) - rated:
            lone = [name for name, row in zip(items, codes, strict=True) if (row >= 0).sum() < 2]
            self._notes += (
                f"{several(len(lone), 'item')} with fewer than two ratings ({listing(map(excerpt, lone), 3)}): they "
                "count towards the shares of categories only.",
            )
        self.__dict__["rated"] = RatedItems.of(codes, len(values), None if scale == "nominal" else values)
        for members in self.sets.values():
            if len({self._rater(name) for name in members}) < 2:
                raise InvalidArgument(f"a set has at least two raters, got {listing(map(excerpt, members))}")

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def from_columns(
        cls, item: Any, rater: Any, label: Any, *, labels: Any = None, **terms: Unpack[RatingTerms]
    ) -> Ratings:
        """One row a rating, in any order; a missing label is None, NaN or blank.

        Examples
        --------
        >>> Ratings.from_columns([1, 1, 2, 2], ["ann", "bob", "ann", "bob"], ["yes", "yes", "no", "yes"])
        <Ratings: 2 items, 2 raters>
        """
        texts = _texts(label)
        items, item_of = one_each(item, "item", len(texts))
        raters, rater_of = one_each(rater, "rater", len(texts))
        there = np.array([text is not None for text in texts], dtype=bool)
        cells, times = np.unique(item_of[there] * len(raters) + rater_of[there], return_counts=True)
        if (times > 1).any():
            cell = int(cells[np.argmax(times > 1)])
            raise InvalidLabels(
                f"rater {excerpt(raters[cell % len(raters)])} has rated item {excerpt(items[cell // len(raters)])} "
                f"{times[times > 1][0]} times; keep one rating of each item"
            )
        names, place = _categories(texts, labels)
        codes = np.full((len(items), len(raters)), -1, dtype=np.int64)
        codes[item_of[there], rater_of[there]] = [place[text] for text in texts if text is not None]
        return cls(tuple(items), tuple(raters), names, codes, **terms)

    @classmethod
    def from_table(
        cls, table: Any, *, raters: Sequence[str] | None = None, items: Sequence[str] | None = None,
        labels: Any = None, **terms: Unpack[RatingTerms],
    ) -> Ratings:  # fmt: skip
        """One row an item, one column a rater.

        Examples
        --------
        >>> Ratings.from_table([["yes", "yes"], ["no", None], ["no", "yes"]], raters=["ann", "bob"])
        <Ratings: 3 items, 2 raters>
        """
        rows = [listed(row, "a row", "the ratings of an item") for row in listed(table, "table", "rows of ratings")]
        wide = len(rows[0]) if rows else 0
        if not rows or any(len(row) != wide for row in rows):
            raise InvalidLabels("a table of ratings has a row for each item, and as many ratings in each")
        names = tuple(f"rater {i + 1}" for i in range(wide)) if raters is None else tuple(map(str, raters))
        called = tuple(str(i + 1) for i in range(len(rows))) if items is None else tuple(map(str, items))
        if len(names) != wide or len(called) != len(rows) or len(set(names)) < wide:
            raise InvalidArgument(f"{len(rows)} items and {wide} raters need as many different names")
        texts = _texts([cell for row in rows for cell in row])
        categories, place = _categories(texts, labels)
        codes = np.array([-1 if text is None else place[text] for text in texts], dtype=np.int64)
        return cls(called, names, categories, codes.reshape(len(rows), wide), **terms)

    def without(self, rater: str) -> Ratings:
        """The same without a rater, such as a model."""
        kept = [i for i in range(len(self.raters)) if i != self._rater(rater)]
        return Ratings(
            self.items, tuple(self.raters[i] for i in kept), self.labels, self.codes[:, kept], scale=self.scale,
            weights=self.weights if self.weighting == "own" else self.weighting, sampled=self.sampled, sets=self.sets,
        )  # fmt: skip

    # -- the protocol ---------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        return (ALL, *(self.raters if len(self.raters) > 2 else ()), *self.sets)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self._coefficients)

    @property
    def _coefficients(self) -> dict[str, tuple[str, str]]:
        plain = self.weighting == "identity"
        kappa = ("cohen_kappa", "Cohen's kappa") if len(self.raters) == 2 else ("conger_kappa", "Conger's kappa")
        return {
            "krippendorff_alpha": ("alpha", "Krippendorff's alpha"),
            "gwet_ac1" if plain else "gwet_ac2": ("gwet", "Gwet's AC1" if plain else "Gwet's AC2"),
            "fleiss_kappa": ("fleiss", "Fleiss' kappa"),
            kappa[0]: ("kappa", kappa[1]),
            "brennan_prediger": ("brennan_prediger", "Brennan-Prediger"),
            "percent_agreement": ("percent", "percent agreement" if plain else "weighted agreement"),
        }

    def measured(self, metric: str) -> Measured:
        name = _ALIASES.get(metric, metric)
        if name == "kappa":
            name = "cohen_kappa" if len(self.raters) == 2 else "conger_kappa"
        if name not in self._coefficients:
            raise UnknownMetric(metric, self.metrics)
        limits = (0.0, 1.0) if name == "percent_agreement" else (-1.0, 1.0)
        return Measured(name, self._coefficients[name][1], "higher", limits)

    @property
    def about(self) -> str:
        some = listing([excerpt(name) for name in self.labels], 7)
        gaps = int((self.codes < 0).sum())
        kinds = "1 category" if len(self.labels) == 1 else f"{len(self.labels)} categories"
        missing = f"; {several(gaps, 'rating')} missing" if gaps else ""
        weights = "" if self.weighting == "identity" else f", {self.weighting} weights"
        return (
            f"{several(len(self.items), 'item')}, {several(len(self.raters), 'rater')}, "
            f"{kinds} ({some}), {self.scale} scale{weights}{missing}."
        )

    @property
    def method(self) -> str:
        who = "these raters" if self.sampled == "fixed" else "new raters like these"
        return f"mean and interval: of {who} on new items like these."

    @property
    def notes(self) -> tuple[str, ...]:
        numbers = self.scale == "nominal" and len(self.labels) > 2 and all(map(_is_number, self.labels))
        more = ("The ratings are numbers and were compared as names; --scale ordinal or interval counts how far "
                "they are apart.",) if numbers else ()  # fmt: skip
        return (*self._notes, *more)

    def one(self, name: str | None) -> str:
        return super().one(ALL if name is None else name)

    def size(self, name: str) -> int:
        pairing = self.pairing_of(name)
        return int(pairing.rated.times @ pairing.paired)

    def _rater(self, name: str) -> int:
        if not isinstance(name, str) or name not in self.raters:
            raise InvalidArgument(f"no rater is called {excerpt(name)}; there are {listing(self.raters, 12)}")
        return self.raters.index(name)

    @kept
    def pairing_of(self, name: str) -> Pairing:
        """Who is compared with whom in a contender."""
        self.place(name)
        raters = len(self.raters)
        if name == ALL:
            return self.pairing(every_pair(raters))
        if name in self.sets:
            return self.pairing(every_pair(raters, [self._rater(one) for one in self.sets[name]]))
        return self.pairing(with_others(raters, self._rater(name), range(raters)))

    def pairing(self, pairs: Any) -> Pairing:
        """Pairs of raters, shape (raters, raters), over the items."""
        return Pairing(self.rated, pairs, self.weights, self.scale, self.values)

    def seen(self, asked: Of) -> float | None:
        pairing = self.pairing_of(asked.name)
        weights = pairing.rated.times[None]
        place = self.place_of(asked.metric)
        if not (weights @ pairing.paired).any() or (len(self.labels) < 2 and place):
            return None
        value = float(pairing.coefficients(weights, float(pairing.ratings @ weights[0]))[0, place])
        return None if np.isnan(value) else value

    def shared_by_others(self, rater: int) -> bool:
        """Whether two other raters share an item."""
        return bool((((np.delete(self.codes, rater, axis=1)) >= 0).sum(1) > 1).any())

    def place_of(self, metric: str) -> int:
        """Place of a coefficient among those that are computed."""
        return COEFFICIENTS.index(self._coefficients[self.measured(metric).name][0])

    def refuse(self, asked: Of) -> None:
        """Refuse what these ratings do not tell."""
        if (items := self.size(asked.name)) < FEWEST_UNITS:
            raise NoInformation(
                f"{several(items, 'item')} with two ratings; from {FEWEST_UNITS} on there is an interval"
            )
        if len(self.labels) < 2 and self.place_of(asked.metric):
            raise NoInformation(
                f"every rating is {excerpt(self.labels[0])}, so agreement beyond chance is 0/0; ask percent_agreement"
            )

    def simulated(self, names: Sequence[str], draws: int, rng: np.random.Generator) -> Floats:
        """Joint draws of all coefficients of contenders, shape (draws, len(names), 6)."""
        pairings = [self.pairing_of(name) for name in names]
        blocks = [
            np.stack([one.coefficients(weights) for one in pairings], axis=1)
            for weights in self.rated.drawn(draws, rng)
        ]
        found = np.concatenate(blocks)
        if self.sampled == "sample":
            for at, name in enumerate(names):
                if name == ALL:
                    found[:, at] = rater_spread(pairings[at], found[:, at], rng)
        return found

    @kept
    def _simulated(self, names: Sequence[str], draws: int, seed: int) -> Floats:
        return self.simulated(names, draws, np.random.default_rng(seed))

    def law(self, asked: Asked, ask: Ask) -> Law:
        both = (asked.a, asked.b) if isinstance(asked, Gap) else (asked,)
        for one in both:
            self.refuse(one)
        names = tuple(dict.fromkeys(one.name for one in both))
        draws = min(ask.draws, usual_draws(len(self.rated.mass)))
        found = self._simulated(names, draws, ask.seed)
        columns = [found[:, names.index(one.name), self.place_of(one.metric)] for one in both]
        return self._drawn_law(asked, columns)

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        for one in asked:
            self.refuse(one)
        names = tuple(dict.fromkeys(one.name for one in asked))
        found = self.simulated(names, count, rng)
        return np.column_stack([found[:, names.index(one.name), self.place_of(one.metric)] for one in asked])

    def future(self, asked: Sequence[Of], n: int, count: int, rng: np.random.Generator) -> Floats:
        for one in asked:
            self.refuse(one)
        blocks = []
        for weights in self.rated.drawn(count, rng):
            items = rng.multinomial(n, weights / weights.sum(1, keepdims=True)).astype(float)
            blocks.append(np.column_stack([
                self.pairing_of(one.name).coefficient(COEFFICIENTS[self.place_of(one.metric)], items) for one in asked
            ]))  # fmt: skip
        return np.concatenate(blocks)

    def __repr__(self) -> str:
        return f"<Ratings: {several(len(self.items), 'item')}, {several(len(self.raters), 'rater')}>"


def _places(scale: Scale, labels: Sequence[str]) -> Floats:
    """Where the categories lie; a second one where only one was seen, so that an item may disagree."""
    size = max(len(labels), 2)
    if scale in ("nominal", "ordinal"):
        return np.arange(1.0, size + 1)
    if odd := [text for text in labels if not _is_number(text)]:
        raise InvalidLabels(
            f"the rating {excerpt(odd[0])} is not a number, and the scale is {scale}; correct it, or use --scale "
            "ordinal with --labels in order"
        )
    values = np.array([float(text) for text in labels])
    if scale == "ratio" and (values < 0).any():
        raise InvalidLabels(f"the rating {values.min():g} is below 0; a ratio scale begins at 0 (--scale interval)")
    if (np.diff(values) <= 0).any():
        raise InvalidLabels("the labels of an interval or ratio scale are listed from low to high")
    return np.append(values, values[-1] + 1) if len(values) < 2 else values


def _weights(weights: Any, scale: Scale, values: Floats) -> tuple[str, Floats]:
    """What the weights are called, and how far two categories agree."""
    if weights is None or isinstance(weights, str):
        kind = one_of(weights or USUAL_WEIGHTS[scale], get_args(Weighting), "weights")
        return kind, agreement_weights(kind, values)  # type: ignore[arg-type]  # one of them
    matrix, size = np.asarray(weights, dtype=float), len(values)
    whole = matrix.shape == (size, size) and bool(np.isfinite(matrix).all())
    if not whole or (matrix != matrix.T).any() or (np.diag(matrix) != 1).any() or matrix.min() < 0 or matrix.max() > 1:
        raise InvalidArgument(
            f"weights are a symmetric matrix of {size} by {size} numbers from 0 to 1 with ones on its diagonal"
        )
    return "own", matrix


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def _texts(values: Any) -> list[str | None]:
    """The text of each rating; a rating may be a fraction."""
    return [group_text(value) for value in listed(values, "label", "the ratings")]


def _categories(texts: Sequence[str | None], labels: Any) -> tuple[tuple[str, ...], dict[str, int]]:
    """The categories in order: as stated, else by size if they are numbers, else by name."""
    seen = list(dict.fromkeys(text for text in texts if text is not None))
    if not seen:
        raise InvalidLabels("there is no rating, so there is nothing to learn from")
    if labels is None:
        order = sorted(seen, key=float) if all(map(_is_number, seen)) else in_order(seen)
    else:
        order = [str(group_text(it)) for it in listed(labels, "labels", "the categories in their order")]
        if odd := [text for text in seen if text not in order]:
            where = next(i for i, text in enumerate(texts) if text == odd[0])
            raise InvalidLabels(f"the rating {excerpt(odd[0])} (number {where + 1}) is not among {listing(order, 12)}")
        if len(set(order)) < len(order):
            raise InvalidLabels("a category is listed twice")
    if len(order) > MOST_CATEGORIES:
        raise InvalidLabels(
            f"{len(order)} different ratings; at most {MOST_CATEGORIES} are read: round them to fewer values"
        )
    return tuple(order), {name: i for i, name in enumerate(order)}
