"""Items that were tried several times: questions x epochs, tasks x attempts, cases x seeds.

The answers to one item are more alike than those to two items, so they are kept by item: how often each had which
outcome, right or wrong, or a score of a rubric.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import Any, Literal, NamedTuple, TypedDict, Unpack

import numpy as np

from howsure.data.case_columns import place_in_item
from howsure.data.labels import label_text, label_texts, one_each
from howsure.data.refusals import say
from howsure.data.scores import score_values
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.errors.arguments import flag, number, numbers, one_of, sentences
from howsure.errors.arguments import items as listed
from howsure.frozen import Frozen
from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.params import spelled
from howsure.text.formats import integer, several

#: Name of the outcome of runs without an answer, where that is an outcome of its own.
NO_ANSWER = "no answer"
#: Outcomes that are listed one by one.
FEW_OUTCOMES = 12


#: What is done with a run that has no score.
Absent = Literal["error", "wrong", "class", "exclude"]


class ScoreRange(TypedDict, total=False):
    """Which scores are possible, and what is done with a run that has none."""

    outcomes: Sequence[float] | None
    range: Sequence[float] | None
    missing: Absent


class Noting(TypedDict, total=False):
    """What is known of scores besides those that came."""

    no_answer: bool
    notes: Sequence[str]
    limits: tuple[float, float] | None


class Repeats(Frozen):
    """How often each item had which outcome, run by run; immutable.

    Made by `from_columns` (one row a run of an item) or `from_array` (items x runs).

    Parameters
    ----------
    items : tuple of str
        The I items, each with a run at least.
    runs : tuple of str
        The R runs (epochs, attempts, seeds).
    scores : ndarray, shape (L,)
        What each outcome is worth, ascending; 0 and 1 for wrong and right. With ``no_answer`` the last is that of runs
        without an answer, and is worth as much as the first.
    item, run, outcome : ndarray of int, shape (n,)
        Of each answer.
    no_answer : bool
        Whether the last outcome is "no answer".
    notes : sequence of str
        Sentences to carry along.
    limits : (float, float), optional
        The least and the largest possible score, where they are known.

    Attributes
    ----------
    items : tuple of str
        Names of the items.
    runs : tuple of str
        Names of the runs.
    scores : ndarray
        What each outcome is worth, shape (L,), read-only.
    notes : tuple of str
        What was chosen or left out, in sentences.

    Examples
    --------
    >>> made = Repeats.from_array([[1, 1, 0], [0, 1, None], [1, 1, 1]])
    >>> made
    <Repeats: 3 items, 2 to 3 runs of each, outcomes 0, 1>
    >>> made.right.tolist(), made.times.tolist()
    ([2, 1, 3], [3, 2, 3])
    """

    _attributes = ("items", "runs", "scores", "notes")

    @spelled(Noting, no_answer=False)
    def __init__(
        self,
        items: tuple[str, ...],
        runs: tuple[str, ...],
        scores: Floats,
        item: Integers,
        run: Integers,
        outcome: Integers,
        **known: Unpack[Noting],
    ) -> None:
        self.items = label_texts(listed(items, "items", "names"))
        self.runs = label_texts(listed(runs, "runs", "names"))
        self.notes, self.scores = sentences(known["notes"]), numbers(scores, "scores")
        if self.scores.ndim != 1 or len(self.scores) < 2 or not np.isfinite(self.scores).all():
            raise InvalidArgument(f"scores are one number for each outcome, two or more; not {excerpt(scores)}")
        self._no_answer, self._limits = flag(known["no_answer"], "no_answer"), known["limits"]
        sizes = (len(self.items), len(self.runs), len(self.scores))
        self._item, self._run, self._outcome = (
            _places(given, what, size)
            for given, what, size in zip((item, run, outcome), ("item", "run", "outcome"), sizes, strict=True)
        )
        if not len(self._item) == len(self._run) == len(self._outcome) or len(np.unique(self._item)) < sizes[0]:
            raise InvalidArgument("item, run and outcome are places of each answer, and every item has one or more")
        refuse_doubles(self.items, self.runs, self._item, self._run)
        for array in (self.scores, self._item, self._run, self._outcome):
            array.setflags(write=False)

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def from_columns(
        cls,
        item: Any,
        run: Any,
        score: Any,
        *,
        outcomes: Sequence[float] | None = None,
        threshold: float | None = None,
        range: Sequence[float] | None = None,  # noqa: A002  # the word of the field
        missing: Absent = "error",
        notes: Sequence[str] = (),
    ) -> Repeats:
        """One row a run of an item, in any order.

        Parameters
        ----------
        item : array_like, shape (n,)
            What was asked: text or integers.
        run : array_like, shape (n,), or None
            Which run (epoch, attempt, seed); None: the rows of an item are its runs in their order.
        score : array_like, shape (n,)
            True and false, 0 and 1, or the scores of a rubric; missing (None, NaN, "") where there is no answer.
        outcomes : sequence of float, optional
            All scores that are possible. Left out: those that come, and 0 and 1 where no other comes.
        threshold : float, optional
            Scores from here on are right (1) and others wrong (0).
        range : (float, float), optional
            The least and the largest possible score.
        missing : str
            Runs without a score: ``error``, ``wrong`` (the least score), ``class`` (an outcome of its own, "no answer",
            worth the least score) or ``exclude`` (and say so).
        notes : sequence of str
            Sentences to carry along.

        Raises
        ------
        InvalidLabels
            Columns of different lengths, an item or run without a name, an item twice in one run, a score that is none,
            missing ones.
        InvalidArgument
            A score that is not among the outcomes or not in the range.

        Examples
        --------
        >>> Repeats.from_columns(["a", "a", "b", "b"], [1, 2, 1, 2], [0, 0.5, 1, 1]).mean
        0.625
        """
        values = score_values(score)
        item_names, item_code = one_each(item, "item", len(values))
        if run is None:
            run_code = place_in_item(item_code, len(item_names))
            run_names = [str(i + 1) for i in np.arange(int(run_code.max(initial=-1)) + 1).tolist()]
        else:
            run_names, run_code = one_each(run, "run", len(values))
        refuse_doubles(item_names, run_names, item_code, run_code)
        rows = RunRows(item_names, run_names, item_code, run_code, values)
        return rows.repeats(Possible(outcomes, threshold, range, missing), notes)

    @classmethod
    def from_array(
        cls,
        scores: Any,
        *,
        items: Sequence[object] | None = None,
        runs: Sequence[object] | None = None,
        outcomes: Sequence[float] | None = None,
        threshold: float | None = None,
        range: Sequence[float] | None = None,  # noqa: A002
        notes: Sequence[str] = (),
    ) -> Repeats:
        """Items x runs; None (or NaN) where an item was not run.

        Parameters
        ----------
        scores : array_like, shape (I, R)
            True and false, 0 and 1, or the scores of a rubric.
        items, runs : sequence, optional
            Names of rows and columns; counted from 1 if left out.
        outcomes, threshold, range, notes
            As in `from_columns`.

        Raises
        ------
        InvalidLabels
            Rows of different lengths, names that are not as many, an item without any run.

        Examples
        --------
        >>> Repeats.from_array([[True, False], [True, True]]).right.tolist()
        [1, 2]
        """
        rows = [
            listed(row.tolist() if hasattr(row, "tolist") else row, "a row of scores", "one score for each run")
            for row in listed(scores, "scores", "items x runs, a row for each item")
        ]
        widths = sorted({len(row) for row in rows})
        if not rows or widths[0] == 0:
            raise InvalidLabels("scores are items x runs; there is no run in them")
        if len(widths) > 1:
            raise InvalidLabels(say("unlike_rows", widths[0], widths[-1]))
        names = []
        for given, size, what in ((items, len(rows), "items"), (runs, widths[0], "runs")):
            expected = f"a name for each of the {size} {what}"
            titles = np.arange(1, size + 1).tolist() if given is None else listed(given, f"{what}=", expected)
            counted = [label_text(x) for x in titles]
            if len(counted) != size or None in counted or len(set(counted)) != size:
                raise InvalidLabels(say("names_of_each", what, size, what, titles))
            names.append([str(x) for x in counted])
        values = score_values([value for row in rows for value in row])
        item, run = (x.ravel() for x in np.indices((len(rows), widths[0])))
        of_runs = RunRows(names[0], names[1], item, run, values)
        return of_runs.repeats(Possible(outcomes, threshold, range, "exclude"), notes, absent=False)

    # -- what it holds --------------------------------------------------------------------------------------

    @property
    def limits(self) -> tuple[float, float] | None:
        """The least and the largest possible score; None where they are unknown."""
        return (0.0, 1.0) if self.binary else self._limits

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What the outcomes are called: their scores, and "no answer"."""
        named = [f"{score:g}" for score in self.scores.tolist()]
        return (*named[:-1], NO_ANSWER) if self._no_answer else tuple(named)

    @property
    def n(self) -> int:
        """Number of answers."""
        return len(self._item)

    @property
    def binary(self) -> bool:
        """Whether every answer is right (1) or wrong (0), and no other score is possible."""
        whole = self.scores.tolist() in ([0.0, 1.0], [0.0, 1.0, 0.0])
        return whole and (self._limits is None or tuple(self._limits) == (0.0, 1.0))

    @cached_property
    def counts(self) -> Integers:
        """How often each item had each outcome, shape (I, L), read-only."""
        size = len(self.scores)
        cells = bincount(self._item * size + self._outcome, minlength=len(self.items) * size)
        made = cells.astype(np.int64).reshape(-1, size)
        made.setflags(write=False)
        return made

    @property
    def times(self) -> Integers:
        """Runs of each item, shape (I,)."""
        return bincount(self._item, minlength=len(self.items)).astype(np.int64)

    @property
    def right(self) -> Integers:
        """Runs of each item that were right, shape (I,).

        Raises
        ------
        InvalidArgument
            Scores of a rubric.
        """
        if not self.binary:
            raise InvalidArgument(say("right_of_scores", listing(self.outcomes)))
        return np.asarray(self.counts[:, 1])

    @property
    def means(self) -> Floats:
        """Mean score of each item, shape (I,)."""
        return np.asarray(bincount(self._item, self.scores[self._outcome]) / self.times)

    @property
    def variances(self) -> Floats:
        """Variance of the runs of each item, shape (I,); NaN where it was run once."""
        apart = bincount(self._item, (self.scores[self._outcome] - self.means[self._item]) ** 2)
        return np.where(self.times > 1, apart / np.maximum(self.times - 1, 1), np.nan)

    @property
    def mean(self) -> float:
        """Mean score, of which every item has the same share."""
        return float(self.means.mean())

    @property
    def incomplete(self) -> int:
        """Number of items that some run left out."""
        return int(np.count_nonzero(self.times < len(self.runs)))

    @cached_property
    def answers(self) -> Floats:
        """Score of every item in every run, shape (I, R); NaN where it was not run."""
        table = np.full((len(self.items), len(self.runs)), np.nan)
        table[self._item, self._run] = self.scores[self._outcome]
        table.setflags(write=False)
        return table

    # -- as text and data -----------------------------------------------------------------------------------

    @property
    def shape_words(self) -> str:
        """How many items and runs, in words."""
        low, high = int(self.times.min()), int(self.times.max())
        runs = several(high, "run") if low == high else f"{integer(low)} to {several(high, 'run')}"
        return f"{several(len(self.items), 'item')}, {runs} of each"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "items": list(self.items),
            "runs": list(self.runs),
            "scores": self.scores.tolist(),
            "no_answer": self._no_answer,
            "limits": None if self.limits is None else list(self.limits),
            "item": self._item.tolist(),
            "run": self._run.tolist(),
            "outcome": self._outcome.tolist(),
        }

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Repeats) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.items, self.runs, self._item.tobytes(), self._run.tobytes(), self._outcome.tobytes()))

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"

    def __repr__(self) -> str:
        few = len(self.scores) <= FEW_OUTCOMES
        scores = f"outcomes {listing(self.outcomes)}" if few else f"scores {self.scores[0]:g} to {self.scores[-1]:g}"
        return f"<Repeats: {self.shape_words}, {scores}>"


def _places(values: Any, what: str, size: int) -> Integers:
    places = numbers(values, what)
    if places.ndim != 1 or not np.all((places >= 0) & (places < size) & (places == np.floor(places))):
        raise InvalidArgument(f"{what} is a place from 0 to {size - 1} for each answer, not {excerpt(values)}")
    return places.astype(np.int64)


# -- from rows of items, runs and scores to outcomes --


def refuse_doubles(items: Sequence[str], runs: Sequence[str], item: Integers, run: Integers) -> None:
    """Refuse an item that comes twice in a run."""
    cells = item * len(runs) + run
    distinct, first, times = np.unique(cells, return_index=True, return_counts=True)
    if len(distinct) < len(cells):
        i = int(first[times > 1].min())
        raise InvalidLabels(say("twice_in_run", items[item[i]], times[times > 1][0], runs[run[i]]))


class Possible(NamedTuple):
    """What scores are possible: all of them, a threshold that makes two, the least and the largest; what a gap is."""

    outcomes: Sequence[float] | None = None
    threshold: float | None = None
    limits: Sequence[float] | None = None
    missing: str = "error"

    def ends(self, values: Floats) -> tuple[float, float] | None:
        """The range of the scores, which holds every one of them."""
        if self.limits is None:
            return None
        ends = [number(x) for x in listed(self.limits, "range", "the least and the largest possible score")]
        if len(ends) != 2 or not ends[0] < ends[1] or not np.isfinite(ends).all():
            raise InvalidArgument(say("range_of_scores", self.limits))
        odd = values[(values < ends[0]) | (values > ends[1])]
        if len(odd):
            raise InvalidArgument(f"score {odd[0]:g} is outside of the range {ends[0]:g} to {ends[1]:g}")
        return ends[0], ends[1]

    def scores(self, values: Floats, ends: tuple[float, float] | None) -> Floats:
        """Scores that are possible, ascending."""
        seen = np.unique(values)
        if self.outcomes is None:
            scores = np.array([0.0, 1.0]) if set(seen.tolist()) <= {0.0, 1.0} and ends in (None, (0, 1)) else seen
            scores = scores if ends is None else np.union1d(scores, ends)
        else:
            given = [number(x) for x in listed(self.outcomes, "outcomes", "a list of the possible scores")]
            scores = np.unique(given)
            if len(scores) < 2 or len(scores) < len(given) or not np.isfinite(scores).all():
                raise InvalidArgument(f"outcomes= are two different scores or more, not {excerpt(self.outcomes)}")
            odd = seen[~np.isin(seen, scores)]
            if len(odd):
                raise InvalidArgument(f"score {odd[0]:g} is not among the outcomes {listing(f'{x:g}' for x in scores)}")
        if len(scores) < 2:
            raise InvalidLabels(say("one_score", f"{scores[0]:g}"))
        return scores


class RunRows(NamedTuple):
    """Rows of items, runs and scores: names, the place of each row's item and run among them, its score or NaN."""

    items: Sequence[str]
    runs: Sequence[str]
    item: Integers
    run: Integers
    values: Floats

    def repeats(self, possible: Possible, notes: Sequence[str], *, absent: bool = True) -> Repeats:
        """The runs of each item; items without an answer and runs without a score are dealt with and said."""
        items, runs, item, run, values = self
        missing = one_of(possible.missing, ("error", "wrong", "class", "exclude"), "missing")
        gaps, said = np.isnan(values), list(sentences(notes))
        without = several(int(gaps.sum()), "run")
        if gaps.all():
            raise InvalidLabels("there is no score, so there is nothing to learn from")
        if gaps.any() and missing == "error":
            i = int(np.argmax(gaps))
            raise InvalidLabels(say("without_score", without, items[item[i]], runs[run[i]]))
        if possible.threshold is not None:
            if not np.isfinite(number(possible.threshold)):
                raise InvalidArgument(f"threshold= is a score, not {excerpt(possible.threshold)}")
            values = np.where(gaps, np.nan, (values >= possible.threshold).astype(float))
        ends = possible.ends(values[~gaps])
        scores = possible.scores(values[~gaps], ends)
        if ends is None and possible.outcomes is not None:
            ends = (float(scores[0]), float(scores[-1]))
        outcome = np.searchsorted(scores, values)
        no_answer = missing == "class" and bool(gaps.any())
        if no_answer:
            outcome[gaps] = len(scores)
            scores = np.append(scores, scores[0])
            said.append(f"{without} without a score are an outcome of their own.")
        elif gaps.any() and missing == "wrong":
            outcome[gaps] = 0
            said.append(f"{without} without a score are wrong.")
        elif gaps.any():
            item, run, outcome = item[~gaps], run[~gaps], outcome[~gaps]
            said += [f"{without} without a score left out."] if absent else []
        here, item = np.unique(item, return_inverse=True)
        if len(here) < len(items):
            said.append(f"{several(len(items) - len(here), 'item')} without any score left out.")
        there, run = np.unique(run, return_inverse=True)
        items, runs = (tuple(them[i] for i in some.tolist()) for them, some in ((items, here), (runs, there)))
        return Repeats(items, runs, scores, item, run, outcome, no_answer=no_answer, notes=said, limits=ends)
