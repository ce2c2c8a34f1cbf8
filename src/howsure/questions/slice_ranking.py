"""Who is best in which slice: of several classifiers on the same cases, and of battles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.answers.sheet import Sheet
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Answered, Ask
from howsure.knowledge.votes import Votes
from howsure.laws.law import SEED
from howsure.metrics import Measure, Metric
from howsure.numerics.arrays import Booleans, Floats, Integers, bincount
from howsure.numerics.populations.slices import FEWEST_BORROWING, PairedSlices, PatternShares
from howsure.questions.rank import rank_known
from howsure.questions.ranking import Ranking
from howsure.questions.slices_of_two import BySlice, sliced
from howsure.text import formats

#: Draws of the shares.
DRAWS = 2_000

#: Classifiers in a table; P(best) from which a classifier is said to be best.
COLUMNS, SURE = 5, 0.95


@dataclass(frozen=True)
class RankedSlice:
    """Who is best in one slice.

    Attributes
    ----------
    name : str
    cases : int
        Those that the metric is about.
    observed : tuple of float or None
        The metric of each classifier on the raw counts, in the order of the classifiers.
    p_best : tuple of float
        Probability of each that it is best here.
    """

    name: str
    cases: int
    observed: tuple[float | None, ...]
    p_best: tuple[float, ...]


FIELDS = """
names by metric higher_is_better n borrowed draws seed p_best_in_all best_in slices=rows sentence notes
"""
CSV = "_lines[slice=0 cases=1 classifier=2 observed=3 p_best=4]"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class SliceRanking(BySlice, json="rank_slices", fields=FIELDS, csv=CSV):
    """Who is best in which slice; made by `rank_slices`.

    Attributes
    ----------
    names, by, metric, borrowed, n, draws, seed, notes
        As in `howsure.questions.slices_of_two.BySlice`; the classifier first that is best in most slices.
    higher_is_better : bool
        Of the metric.
    rows : tuple of RankedSlice
        In the order of the slices.
    p_best_in_all : tuple of float
        Joint probability of each classifier that it is best in every slice.
    best_in : tuple of float
        In how many slices each is expected to be best.

    Examples
    --------
    >>> from howsure import Predictions, rank_slices
    >>> three = Predictions([1] * 80, {"a": [1] * 80, "b": [1, 0] * 40, "c": [0, 0, 1, 0] * 20})
    >>> made = rank_slices(three, by=["x", "x", "y", "z"] * 20)
    >>> made.names[0], made.p_best_in_all[0] > 0.9
    ('a', True)
    """

    higher_is_better: bool
    rows: tuple[RankedSlice, ...]
    p_best_in_all: tuple[float, ...]
    best_in: tuple[float, ...]

    @property
    def _lines(self) -> list[tuple[str, int, str, float | None, float]]:
        """A line of each classifier in each slice."""
        return [
            (row.name, row.cases, *each)
            for row in self.rows
            for each in zip(self.names, row.observed, row.p_best, strict=True)
        ]

    @property
    def sentence(self) -> str:
        """Who leads in how many slices, and whether in all."""
        one = formats.plain(self.names[0], 40)
        expected = formats.number(self.best_in[0], 1)
        sure = [sum(row.p_best[i] >= SURE for row in self.rows) for i in range(len(self.names))]
        surely = ", ".join(
            f"{formats.plain(name, 40)} in {many}" for name, many in zip(self.names, sure, strict=True) if many
        )
        found = (
            f"With probability {SURE:g} or more best: {surely}" if surely else f"Nobody is best anywhere with {SURE:g}"
        )
        return (
            f"{one} is best of {len(self.names)} in {self.metric} in about {expected} of {self._slices}, in every one "
            f"with P {formats.equals(self.p_best_in_all[0], self.draws)}. {found}."
        )

    def _sheet(self, most: int) -> Sheet:
        """P(best) of the leading classifiers in the first slices."""
        shown, more = range(min(COLUMNS, len(self.names))), len(self.rows) - most
        others = len(self.names) - COLUMNS
        left = [f"{formats.several(more, 'more slice')}"] if more > 0 else []
        left += [f"{formats.several(others, 'more classifier')}"] if others > 0 else []
        total = ("all", "", "", *(formats.probability(self.p_best_in_all[i], self.draws) for i in shown))
        borrow = "Slices borrow from each other. " if self.borrowed else "Each slice by its own cases. "
        return Sheet(
            self.sentence,
            ("slice", "cases", "observed best", *(f"P({formats.plain(self.names[i], 20)} best)" for i in shown)),
            (*(self._cells(row, shown) for row in self.rows[:most]), *([total] if len(self.rows) > 1 else [])),
            (
                f"{borrow}all: best in every slice. Cases that all have right or all wrong tell nothing; "
                f"{formats.integer(self.draws)} draws, seed {self.seed}, probabilities to 0.02. Cases are taken as "
                "independent.",
            ),
            about=f"Paired: {formats.several(self.n, 'case')} answered by all.",
            left_out=f"and {' and '.join(left)}; CSV and JSON have all." if left else "",
            remarks=self.notes,
            words=frozenset([2]),
        )

    def _cells(self, row: RankedSlice, shown: Sequence[int]) -> tuple[str, ...]:
        known = [(x, name) for x, name in zip(row.observed, self.names, strict=True) if x is not None]
        best = ""
        if known:
            top = max(x for x, _ in known) if self.higher_is_better else min(x for x, _ in known)
            leading = [formats.plain(name, 20) for x, name in known if x == top]
            best = f"{leading[0] if len(leading) == 1 else f'{len(leading)} alike'} {formats.number(top, 3)}"
        chances = (formats.probability(row.p_best[i], self.draws) for i in shown)
        return (formats.plain(row.name, 30), formats.integer(row.cases), best or "undefined", *chances)


def rank_slices(
    predictions: Predictions,
    *,
    by: Any,
    metric: str | Metric | Measure | None = None,
    seed: int = SEED,
    notes: Sequence[str] = (),
) -> SliceRanking:
    """Which of several classifiers on the same cases is best in which slice.

    Parameters
    ----------
    predictions : Predictions
        The cases, which are taken as independent, and two classifiers or more.
    by : array_like, shape (n,), or mapping of str to such
        The slice of each case, as in `compare_slices`.
    metric : str, Metric or Measure, optional
        "accuracy" if left out; recall, specificity, and what these leave of 1.
    seed : int
        Of the draws.
    notes : sequence of str
        Sentences to print with the answer.

    Raises
    ------
    InvalidArgument, InvalidLabels
        No predictions, one classifier, another metric, another number of values than cases.
    UnknownMetric, UnknownLabel
        A name that is not there.

    Notes
    -----
    The cases that tell classifiers apart have patterns (who is right), whose shares are a population over the slices,
    by Gibbs sampling; two classifiers are those of `compare_slices`.

    Examples
    --------
    >>> from howsure import Predictions
    >>> truth, place = [0, 1] * 150, ["north", "south", "west"] * 100
    >>> new = [1 - t if p == "west" and i % 4 else t for i, (t, p) in enumerate(zip(truth, place))]
    >>> said = {"new": new, "old": [1 - t if i % 10 == 0 else t for i, t in enumerate(truth)], "off": [1] * 300}
    >>> made = rank_slices(Predictions(truth, said), by=place)
    >>> [made.names[row.p_best.index(max(row.p_best))] for row in made.rows]
    ['new', 'new', 'old']
    """
    ask = Ask(draws=DRAWS, seed=seed)
    names = predictions.names if isinstance(predictions, Predictions) else ()
    if len(names) == 1:
        raise InvalidArgument("one classifier is the best of itself; rank_slices() takes two or more")
    found, measure, parts, sign = sliced(predictions, names, by, metric, "rank_slices")
    if len(parts) > 1:
        raise InvalidArgument(
            f"by slice classifiers are ranked by one rate, such as accuracy or recall; not {measure.name}"
        )
    asked, right = parts[0]
    place, right = found.place[asked], right[:, asked]
    slices = len(found.names)
    cases = bincount(place, minlength=slices)
    hit = np.stack([bincount(place, weights=row, minlength=slices) for row in right], axis=1)
    with np.errstate(invalid="ignore"):
        rates = hit / cases[:, None]
    observed = rates if sign > 0 else 1 - rates
    best, everywhere = _won(place, right, slices, ask.seed)
    expected = best.sum(axis=0)
    order = sorted(range(len(names)), key=lambda i: (-expected[i], names[i]))
    rows = tuple(
        RankedSlice(
            name,
            int(cases[s]),
            tuple(None if np.isnan(observed[s, i]) else float(observed[s, i]) for i in order),
            tuple(float(best[s, i]) for i in order),
        )
        for s, name in enumerate(found.names)
    )
    return SliceRanking(
        names=tuple(names[i] for i in order), by=found.by, metric=measure.name, higher_is_better=sign > 0, rows=rows,
        p_best_in_all=tuple(float(everywhere[i]) for i in order), best_in=tuple(float(expected[i]) for i in order),
        borrowed=slices >= FEWEST_BORROWING, n=predictions.n, ask=ask,
        notes=(*predictions.notes, *sentences(notes)),
    )  # fmt: skip


def _won(place: Integers, right: Booleans, slices: int, seed: int) -> tuple[Floats, Floats]:
    """How often each classifier is best in each slice, shape (S, T), and in all of them at once, shape (T,)."""
    count, borrowed = len(right), slices >= FEWEST_BORROWING
    best, everywhere = np.zeros((slices, count)), np.zeros(count)
    if count == 2:
        cells = bincount(place * 4 + 3 - 2 * right[0] - right[1], minlength=4 * slices).reshape(1, slices, 4)
        for block in PairedSlices(cells, borrowing=borrowed).draw(DRAWS, seed):
            best += np.stack([(block > 0).sum(axis=0), (block <= 0).sum(axis=0)], axis=1)
            everywhere += [(block > 0).all(axis=1).sum(), (block <= 0).all(axis=1).sum()]
        return best / DRAWS, everywhere / DRAWS
    apart = right.any(axis=0) & ~right.all(axis=0)
    patterns, which = np.unique(right[:, apart].T, axis=0, return_inverse=True)
    many = len(patterns)
    counts = bincount(place[apart] * max(many, 1) + which.ravel(), minlength=slices * many)
    shares = PatternShares(counts.reshape(slices, many), patterns.astype(np.int64).reshape(many, count))
    for values in shares.draw(DRAWS, seed, borrowing=borrowed):
        tied = values >= values.max(axis=1, keepdims=True) - 1e-12
        won = tied / tied.sum(axis=1, keepdims=True)
        best += won
        everywhere += won.min(axis=0) * (won.min(axis=0) >= 1)
    return best / DRAWS, everywhere / DRAWS


# -- Of battles, by a column -------------------------------------------------------------------------------------------

FIELDS_OF_VOTES = (
    "by level interval=kind draws seed verdict=sentence slices[name battles leader p_best best_set tier_size] notes"
)
CSV_OF_VOTES = "slices[name battles leader p_best best_set=best tier_size]"


@dataclass(frozen=True)
class SliceLeader:
    """Who is first among the battles of one value of a column."""

    name: str
    battles: int
    leader: str
    p_best: float
    best_set: tuple[str, ...]
    tier_size: int

    @property
    def best(self) -> str:
        """The best set as one text."""
        return "; ".join(self.best_set)


@dataclass(frozen=True, eq=False)
class VotesBy(Answered, json="votes_by", fields=FIELDS_OF_VOTES, csv=CSV_OF_VOTES):
    """Who is best in which slice of the battles; made by `rank_votes_by`.

    Attributes
    ----------
    by : str
        The column.
    slices : tuple of SliceLeader
    level, kind, draws, seed
    notes : tuple of str
        Slices that could not be ranked.
    boards : tuple of Ranking
        The leaderboard of each slice.
    """

    by: str
    slices: tuple[SliceLeader, ...]
    ask: Ask
    notes: tuple[str, ...]
    boards: tuple[Ranking, ...] = ()

    @property
    def sentence(self) -> str:
        """Who is first where."""
        leaders = list(dict.fromkeys(it.leader for it in self.slices))
        if len(leaders) == 1:
            where = "every slice" if len(self.slices) > 1 else "the only slice"
            return f"{formats.plain(leaders[0], 40)} comes first in {where} by {self.by}."
        return f"{len(leaders)} models come first in some slice by {self.by}: {listing(leaders, 6)}."

    def sheet(self) -> Sheet:
        """A row for each slice."""
        header = (self.by, "battles", "first", "P(best)", "the best is one of", "first tier")
        rows = tuple(
            (
                formats.plain(it.name, 40), formats.integer(it.battles), formats.plain(it.leader, 40),
                formats.probability(it.p_best, self.draws), listing(it.best_set, 4), str(it.tier_size),
            )
            for it in self.slices
        )  # fmt: skip
        about = f"Each slice is a leaderboard of its own; sets contain the best with probability {self.level:g}."
        return Sheet(self.sentence, header, rows, about=about, remarks=self.notes)

    def picture(self) -> str:
        """The leaderboard of the slice with most battles."""
        return max(self.boards, key=lambda it: sum(entry.n or 0 for entry in it.entries)).picture()


def rank_votes_by(
    slices: Mapping[str, Votes | str], *, by: str, asking: Mapping[str, Any] | None = None, **more: Any
) -> VotesBy:
    """Rank models in each slice, as `rank_known` does; a slice of which there is a sentence is left out, and noted."""
    boards = {
        name: rank_known(it, ask=it.ask(**(asking or {})), **more)
        for name, it in slices.items()
        if isinstance(it, Votes)
    }
    if not boards:
        raise InvalidLabels(f"no value of {excerpt(by)} has battles of two models")
    said = [f"{formats.plain(name, 40)} is left out: {it}." for name, it in slices.items() if isinstance(it, str)]
    rows = tuple(
        SliceLeader(
            name, sum(entry.n or 0 for entry in it.entries) // 2, it.entries[0].name, it.entries[0].p_best,
            it.best_set, len(it.leaders),
        )
        for name, it in boards.items()
    )  # fmt: skip
    first = next(iter(boards.values()))
    return VotesBy(by, rows, first.ask, tuple(said), tuple(boards.values()))
