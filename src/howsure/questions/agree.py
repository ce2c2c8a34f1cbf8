"""``agree``: how well raters agree, who stands out, what is confused, and whether a model is as good as a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack

import numpy as np

from howsure.answers.asking import Asking, picked, spelled
from howsure.answers.fields import interval_cells
from howsure.answers.sheet import Sheet
from howsure.errors import InvalidArgument, InvalidLabels, NoInformation, excerpt, listing
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import number
from howsure.knowledge.protocol import Ask, Of
from howsure.knowledge.ratings import ALL, Ratings
from howsure.laws import Draws, Law
from howsure.laws.law import usual_draws
from howsure.numerics.agreement import COEFFICIENTS, alike_gains, every_pair, items_for_width, model_gains
from howsure.numerics.arrays import Floats
from howsure.numerics.units import FEWEST_UNITS
from howsure.questions.estimates import MetricRow, OfMetrics, read_off
from howsure.text import formats
from howsure.text.formats import integer, plain, several
from howsure.text.svg import forest

Section: TypeAlias = Literal["coefficient", "rater", "category", "confusion", "model", "set"]

#: Categories up to which each one is listed, and pairs of them that are.
MOST_LISTED, MOST_CONFUSED = 20, 3

#: Raters up to which each is simulated as often as asked for, and the fewest simulations of one of many.
FULLY_DRAWN, FEWEST_DRAWS = 10, 2_000

#: Items on which the model and a person were both rated by another, from which on they are compared (Calderon et al.).
FEWEST_SHARED = FEWEST_UNITS


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementRow(MetricRow):
    """One number of agreement.

    Attributes
    ----------
    name : str
        The coefficient, the rater, the category, two categories, or the set.
    n, observed, law, why_not
        As in `howsure.questions.estimates.MetricRow`; units are items.
    section : str
        coefficient (of all raters), rater (with the others), category (given that one rater names it, another one
        does), confusion (share of the disagreements), model (minus a person, agreement with the other people) or set.
    probability : float or None
        rater: that the others agree better without this one; model: that it is at least as good as this person; the
        last set: that it agrees better than the first.
    """

    section: Section
    probability: float | None = None


_KEYS = "name n observed *law? probability? why_not?"
FIELDS = f"""
about metric scale weights raters=who margin level interval=kind draws seed verdict=sentence
coefficients[{_KEYS}] by_rater[{_KEYS}] standing_out categories[{_KEYS}] confusions[{_KEYS}]
model? by_person[{_KEYS}] as_good_as_share? as_good_as_most? sets[{_KEYS}] width? planned[raters items items_sure] notes
"""
CSV = "rows[section name n observed *law(mean median sd low high interval law error) probability why_not]"


class PlannedItems(NamedTuple):
    """Items that an interval of a stated width takes, of so many of the raters.

    Attributes
    ----------
    raters, items, items_sure : int
        The items that are enough with probability one half, and with 0.95.
    """

    raters: int
    items: int
    items_sure: int


@dataclass(frozen=True, eq=False)
class Agreement(OfMetrics, json="agreement", fields=FIELDS, csv=CSV):
    """How well raters agree; made by `agree`.

    Attributes
    ----------
    about, metric, scale, weights : str
        The data in a sentence, the coefficient of raters and sets, the scale, and how far two categories agree.
    who : "fixed" or "sample"
        Whether it is about these raters or raters like these.
    level, kind, draws, seed, margin
        Of intervals and simulations; how much worse than a person still counts as good.
    rows : tuple of AgreementRow
    called : dict of str to str
        The word for each coefficient.
    model : str or None
        The rater that is compared with people.
    as_good_as_share : Law or None
        Of the people that the model is at least as good as.
    as_good_as_most : float or None
        Probability that these are half of them or more.
    width : float or None
        Of the interval that is planned for.
    planned : tuple of PlannedItems
        Items for that, by the number of raters.
    notes : tuple of str

    Examples
    --------
    >>> import howsure as hs
    >>> rows = [["yes", "yes"]] * 14 + [["no", "no"]] * 9 + [["yes", "no"]] * 3
    >>> print(hs.agree(rows).sentence)
    Krippendorff's alpha of 2 raters: 0.69 (95% central 0.36 to 0.91); observed 0.76.
    """

    about: str
    metric: str
    scale: str
    weights: str
    who: str
    margin: float
    ask: Ask
    rows: tuple[AgreementRow, ...]
    called: dict[str, str]
    method: str
    raters: int
    model: str | None = None
    as_good_as_share: Law | None = None
    as_good_as_most: float | None = None
    width: float | None = None
    planned: tuple[PlannedItems, ...] = ()
    notes: tuple[str, ...] = ()

    def _of(self, section: Section) -> tuple[AgreementRow, ...]:
        return tuple(row for row in self.rows if row.section == section)

    @property
    def coefficients(self) -> tuple[AgreementRow, ...]:
        """Coefficients of all raters."""
        return self._of("coefficient")

    @property
    def by_rater(self) -> tuple[AgreementRow, ...]:
        """Each rater with the others."""
        return self._of("rater")

    @property
    def categories(self) -> tuple[AgreementRow, ...]:
        """Agreement about each category."""
        return self._of("category")

    @property
    def confusions(self) -> tuple[AgreementRow, ...]:
        """The pairs of categories that are confused most often."""
        return self._of("confusion")

    @property
    def by_person(self) -> tuple[AgreementRow, ...]:
        """The model minus each person."""
        return self._of("model")

    @property
    def sets(self) -> tuple[AgreementRow, ...]:
        """Sets of raters."""
        return self._of("set")

    @property
    def standing_out(self) -> tuple[str, ...]:
        """Raters whom the others agree better without, at the level, which accounts for looking at every rater."""
        limit = 1 - (1 - self.level) / max(len(self.by_rater), 1)
        return tuple(row.name for row in self.by_rater if (row.probability or 0) > limit)

    @property
    def sentence(self) -> str:
        """The first coefficient in words."""
        row = next(it for it in self.coefficients if it.law is not None)
        what = f"{self.called[row.name]} of {several(self.raters, 'rater')}"
        return self._said(what[:1].upper() + what[1:], row)

    def _label(self, row: AgreementRow) -> str:
        name = self.called.get(row.name, plain(row.name, 40))
        before: dict[str, str] = {
            "coefficient": "", "rater": "rater ", "category": "category ", "confusion": "confused: ",
            "model": f"{plain(self.model or '', 30)} minus ", "set": "set ",
        }  # fmt: skip
        return before[row.section] + name + (" with the others" if row.section == "rater" else "")

    def sheet(self) -> Sheet:
        """A row for each number."""
        asked = any(row.probability is not None for row in self.rows)
        header = ("agreement", "items", "observed", "mean", formats.interval_name(self.kind, self.level),
                  *(("P",) if asked else ()))  # fmt: skip
        rows = []
        for row in self.rows:
            if row.section == "coefficient" and row.law is None:
                continue
            mean, ends = self._known(row)
            draws = row.law.n if isinstance(row.law, Draws) else None
            shown = "" if row.probability is None else formats.probability(row.probability, draws)
            rows.append(
                (self._label(row), integer(row.n), self._observed(row), mean, ends, *((shown,) if asked else ()))
            )
        return Sheet(
            self.sentence, header, tuple(rows), tuple(self._footnotes()), about=self.about,
            below=tuple(self._findings()), remarks=self.notes,
            covers="No rater is the truth: raters may agree and be wrong.",
        )  # fmt: skip

    def _findings(self) -> list[str]:
        found = []
        if self.by_rater:
            who = listing([plain(name, 40) for name in self.standing_out]) or "nobody"
            verb = "stand" if len(self.standing_out) > 1 else "stands"
            found.append(
                f"{who[:1].upper()}{who[1:]} {verb} out from the others (this accounts for looking at every rater). P "
                "of a rater: the others agree better among themselves than with this one."
            )
        if self.model is not None and self.as_good_as_share is not None:
            share, ends = interval_cells(self.as_good_as_share, self.level, self.kind)
            draws = self.as_good_as_share.n if isinstance(self.as_good_as_share, Draws) else None
            found.append(
                f"{plain(self.model, 40)} is at least as good as half or more of the people with probability "
                f"{formats.probability(self.as_good_as_most or 0.0, draws)} (share of people {share}, {ends}; margin "
                f"{self.margin:g}). P of a row with minus: it agrees with other people at least as well as this person."
            )
        if len(self.sets) > 1 and self.sets[-1].probability is not None:
            draws = self.sets[-1].law.n if isinstance(self.sets[-1].law, Draws) else None
            found.append(f"{plain(self.sets[-1].name, 40)} agree better than {plain(self.sets[0].name, 40)} with "
                         f"probability {formats.probability(self.sets[-1].probability, draws)}.")  # fmt: skip
        if self.planned:
            each = ", ".join(
                f"{integer(it.items)} items with {it.raters} raters (95% sure: {integer(it.items_sure)})"
                for it in self.planned
            )
            found.append(f"An interval of {self.called[self.metric]} no wider than {self.width:g} takes about {each}.")
        return found

    def _footnotes(self) -> list[str]:
        parts = [f"observed: as everybody computes it. {self.method}"]
        if self.categories:
            parts.append("category: where one rater chooses it, another one does.")
        if self.confusions:
            parts.append("confused: share of the disagreements.")
        parts.append(f"Simulated: {integer(self.draws)} draws, seed {self.seed}.")
        return [" ".join(parts)]

    def picture(self, *, width: float = 720) -> str:
        """Coefficients, and each rater with the others, with their intervals, as SVG."""
        rows = self._marks((*self.coefficients, *self.by_rater, *self.sets), self._label)
        return forest(
            rows,
            title=f"Mean (dot), {formats.interval_name(self.kind, self.level)} and observed value (tick)",
            width=width,
        )


@spelled(Asking, draws=None)
def agree(
    ratings: Ratings | Sequence[Sequence[Any]],
    metrics: str | Sequence[str] | None = None,
    *,
    model: str | None = None,
    margin: float = 0.0,
    width: float | None = None,
    **how: Unpack[Asking],
) -> Agreement:
    """Report on how well raters agree.

    Parameters
    ----------
    ratings : Ratings or sequence of rows
        `Ratings`, or a row an item with a rating of each rater.
    metrics : str or sequence of str, optional
        Coefficients; all if left out. Raters and sets are held against each other by the first one.
    model : str, optional
        The rater that is a model: whether it agrees with people as well as each of them does with the others.
    margin : float
        How much less the model may agree with the others than a person, and still be as good.
    width : float, optional
        Also how many items, and raters of these, an interval of the first coefficient takes that is no wider.
    level, kind, draws, seed
        Of the intervals (central, where no kind is named) and the simulation.

    Raises
    ------
    InvalidArgument
        An unknown rater or coefficient; a model and fewer than two people.
    NoInformation
        Fewer than six items with two ratings.

    Examples
    --------
    >>> import howsure as hs
    >>> rows = [["yes", "yes", "yes"]] * 9 + [["no", "no", "yes"]] * 5 + [["no", "yes", "no"]] * 2
    >>> [row.name for row in hs.agree(rows, "gwet_ac1").by_rater]
    ['rater 1', 'rater 2', 'rater 3']
    """
    if model is not None and not isinstance(model, str):
        raise InvalidArgument(f"model is the name of a rater, not {excerpt(model)}")
    if not abs(number(margin)) <= 1:
        raise InvalidArgument(f"margin is a number, -1 to 1, not {excerpt(margin)}")
    whole = ratings if isinstance(ratings, Ratings) else Ratings.from_table(ratings)
    if model is not None and len(whole.raters) < 3:
        raise InvalidArgument(f"a model is compared with at least two people, and there are {len(whole.raters)} raters")
    people = whole if model is None else whole.without(model)
    ask = whole.ask(**picked(how, Asking))
    chosen = list(people.metrics) if metrics is None else [metrics] if isinstance(metrics, str) else listed(
        metrics, "metrics", "names")  # fmt: skip
    if not chosen:
        raise InvalidArgument("no coefficient is asked for; leave metrics out to get all of them")
    if not all(isinstance(name, str) for name in chosen):
        raise InvalidArgument(f"metrics are names of coefficients, not {excerpt(chosen)}")
    asked = [people.measured(name) for name in dict.fromkeys(chosen)]
    first = asked[0].name
    count, seed = min(ask.draws, usual_draws(len(whole.rated.mass))), ask.seed
    ask = replace(ask, draws=count)
    rows = [
        AgreementRow(section="coefficient", **read_off(people, Of(measure.name, ALL), ask, measure.name))
        for measure in asked
    ]
    if all(row.law is None for row in rows):
        raise NoInformation(rows[0].why_not or "")
    if len(people.labels) > 1:
        rows += [
            *_raters(people, first, count, seed),
            *_categories(people, count, seed),
            *_sets(people, first, count, seed),
        ]
    share, most = None, None
    planned = () if width is None else _planned(people, first, number(width), ask.level, seed)
    if model is not None:
        more, shares = _model(whole, model, margin, count, seed)
        rows += more
        share, most = Draws(shares, support=(0.0, 1.0)), float((shares >= 0.5).mean())
    return Agreement(
        about=people.about, metric=first, scale=people.scale, weights=people.weighting, who=people.sampled,
        margin=number(margin), ask=ask, rows=tuple(rows),
        called={name: people.measured(name).called for name in people.metrics}, method=people.method,
        raters=len(people.raters), model=model, as_good_as_share=share, as_good_as_most=most,
        width=width, planned=planned,
        notes=(*people.notes, *dict.fromkeys(f"{row.why_not}." for row in rows if row.why_not)),
    )  # fmt: skip


def _raters(people: Ratings, metric: str, count: int, seed: int) -> list[AgreementRow]:
    """Each rater with the others, and the probability that these agree better among themselves."""
    everyone = people.raters
    if len(everyone) < 3:
        return []
    name = COEFFICIENTS[people.place_of(metric)]
    own = [people.pairing_of(name) for name in everyone]
    rest = [people.pairing(every_pair(len(everyone), [i for i in range(len(everyone)) if i != at]))
            for at in range(len(everyone))]  # fmt: skip
    parts: list[list[Floats]] = [[], []]
    count = min(count, max(FEWEST_DRAWS, count * FULLY_DRAWN // len(everyone)))
    for weights in people.rated.drawn(count, np.random.default_rng(seed)):
        for found, pairings in zip(parts, (own, rest), strict=True):
            found.append(np.column_stack([it.coefficient(name, weights) for it in pairings]))
    ours, theirs = (np.concatenate(part) for part in parts)
    rows = []
    for at, rater in enumerate(everyone):
        of = Of(metric, rater)
        row = AgreementRow(section="rater", name=rater, n=people.size(rater), observed=people.observed(of))
        try:
            people.refuse(of)
        except NoInformation as refusal:
            rows.append(replace(row, why_not=str(refusal)))
            continue
        below = float(np.mean(ours[:, at] < theirs[:, at])) if people.shared_by_others(at) else None
        law = Draws(ours[:, at], support=people.measured(metric).limits)
        rows.append(replace(row, law=law, probability=below))
    return rows


def _categories(people: Ratings, count: int, seed: int) -> list[AgreementRow]:
    """Agreement about each category, and the pairs that are confused most often."""
    size = len(people.labels)
    if size > MOST_LISTED:
        return []
    pairing = people.pairing_of(ALL)
    flat = (pairing.tables * pairing.paired[:, None, None]).reshape(len(pairing.paired), -1)

    def shares(weights: Floats) -> tuple[Floats, Floats]:
        table = (weights @ flat).reshape(-1, pairing.rated.size, pairing.rated.size)
        own = np.diagonal(table, axis1=1, axis2=2)
        apart = table.sum((1, 2)) - own.sum(1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return own / table.sum(2), 2 * table / apart[:, None, None]

    seen = shares(pairing.rated.times[None])
    drawn = [shares(weights) for weights in people.rated.drawn(count, np.random.default_rng(seed))]
    specific, confused = (np.concatenate(part) for part in zip(*drawn, strict=True))
    n = people.size(ALL)
    rows = [
        AgreementRow(
            section="category",
            name=name,
            n=n,
            observed=_number(seen[0][0, k]),
            law=Draws(specific[:, k], support=(0.0, 1.0)),
        )
        for k, name in enumerate(people.labels)
    ]
    pairs = [(k, other) for k in range(size) for other in range(k + 1, size) if seen[1][0, k, other] > 0]
    pairs.sort(key=lambda it: -seen[1][0, it[0], it[1]])
    if size > 2:
        rows += [
            AgreementRow(
                section="confusion", name=f"{people.labels[k]} and {people.labels[other]}", n=n,
                observed=_number(seen[1][0, k, other]), law=Draws(confused[:, k, other], support=(0.0, 1.0)),
            )
            for k, other in pairs[:MOST_CONFUSED]
        ]  # fmt: skip
    return rows


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _sets(people: Ratings, metric: str, count: int, seed: int) -> list[AgreementRow]:
    """Agreement within each set of raters, and whether the last one agrees better than the first."""
    if not people.sets:
        return []
    names, place = list(people.sets), people.place_of(metric)
    for name in names:
        people.refuse(Of(metric, name))
    found = people.simulated(names, count, np.random.default_rng(seed))[:, :, place]
    better = float(np.mean(found[:, -1] > found[:, 0])) if len(names) > 1 else None
    return [
        AgreementRow(
            section="set", name=name, n=people.size(name), observed=people.observed(Of(metric, name)),
            law=Draws(found[:, at], support=people.measured(metric).limits),
            probability=better if at == len(names) - 1 else None,
        )
        for at, name in enumerate(names)
    ]  # fmt: skip


def _planned(people: Ratings, metric: str, width: float, level: float, seed: int) -> tuple[PlannedItems, ...]:
    """Items for an interval of so much width, by the number of raters."""
    if not 0 < width < 1:
        raise InvalidArgument(f"width= is that of an interval, between 0 and 1; not {width:g}")
    found = items_for_width(
        people.codes, COEFFICIENTS[people.place_of(metric)], people.pairing_of(ALL), width, level,
        np.random.default_rng(seed),
    )  # fmt: skip
    return tuple(PlannedItems(raters, ceil(items), ceil(sure)) for raters, (items, sure) in found.items())


def _model(whole: Ratings, model: str, margin: float, count: int, seed: int) -> tuple[list[AgreementRow], Floats]:
    """The model beside each person on the items that both have rated, by agreement with the other people."""
    place = whole.raters.index(model)
    people = [i for i in range(len(whole.raters)) if i != place]
    ours, theirs, whether = model_gains(whole.rated, whole.weights, place, people)
    shared = whole.rated.times @ whether
    kept = np.flatnonzero(shared >= FEWEST_SHARED)
    if not len(kept):
        raise InvalidLabels(
            f"no person shares {FEWEST_SHARED} items with {plain(model, 40)} and another person; rate more items"
        )
    gains = (ours - theirs) * whether
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = (whole.rated.times @ gains) / shared
        drawn = np.concatenate([
            (weights @ gains) / (weights @ whether) for weights in whole.rated.drawn(count, np.random.default_rng(seed))
        ])  # fmt: skip
    drawn[:, kept] = alike_gains(drawn[:, kept], np.random.default_rng([seed, 1]))
    good = drawn >= -number(margin)
    rows = []
    for at, person in enumerate(people):
        name, n = whole.raters[person], int(shared[at])
        row = AgreementRow(section="model", name=name, n=n, observed=_number(seen[at]))
        if n < FEWEST_SHARED:
            rows.append(replace(row, why_not=f"fewer than {FEWEST_SHARED} items"))
            continue
        law = Draws(drawn[:, at], support=(-1.0, 1.0))
        rows.append(replace(row, law=law, probability=float(good[:, at].mean())))
    return rows, good[:, kept].mean(1)
