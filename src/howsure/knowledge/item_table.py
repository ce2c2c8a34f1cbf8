"""Items with scores, or with sums of which a metric is made: what is there of each, and how it is brought there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from howsure.data.groups import Question
from howsure.data.labels import label_texts, one_each
from howsure.data.scores import score_values
from howsure.errors import InvalidArgument, InvalidLabels, NoInformation, excerpt, listing
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import number, numbers, one_of
from howsure.frozen import Frozen
from howsure.knowledge.protocol import Better, Measured
from howsure.numerics.arrays import Booleans, Floats, Integers, bincount
from howsure.numerics.figures import Figure, OwnFigure
from howsure.text.formats import integer, several

#: What is possible where nobody says.
ENDLESS = (-np.inf, np.inf)

#: Columns of counts by label.
COUNTS = ("tp", "fp", "fn")

# -- Rows of items and scores: gaps dealt with and said, items that systems share, groups ------------------------------


class Runs(NamedTuple):
    """Runs of each item, and the sum of squares about their mean, shape (systems, items) each."""

    times: Integers
    within: Floats


class Terms(NamedTuple):
    """What answers of items are about, and how.

    Attributes
    ----------
    labels : tuple of str
        Of counts.
    about : "new" or "these"
        New items like these, or these again with fresh runs.
    far : bool
        Whether imaginary units lie at the ends of the range, for failures that no item shows.
    zero_division : "error", "0" or "exclude"
        A label that nobody has, in a mean over labels.
    groups : tuple of str
        Names of groups.
    first : str
        The metric that is meant where none is named; "" for the first that there is.
    notes : tuple of str
        Sentences to carry along.
    """

    labels: tuple[str, ...] = ()
    about: Question = "new"
    far: bool = False
    zero_division: str = "error"
    groups: tuple[str, ...] = ()
    first: str = ""
    notes: tuple[str, ...] = ()


def refuse_outside(values: Floats, limits: tuple[float, float], where: Callable[[int], str]) -> None:
    """Refuse a score outside the range: it is never widened, scores are never clipped."""
    outside = np.flatnonzero((values < limits[0]) | (values > limits[1]))
    if len(outside):
        row = int(outside[0])
        raise InvalidLabels(
            f"the score of {where(row)} (row {row + 1}) is {values[row]:g}, outside the range {limits[0]:g} to "
            f"{limits[1]:g}; correct the range or the score"
        )


def limits_of(limits: Sequence[float] | None) -> tuple[float, float]:
    """The least and the largest possible score; infinite where nobody said."""
    if limits is None:
        return ENDLESS
    ends = [number(x) for x in listed(limits, "range", "the least and the largest possible score")]
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise InvalidArgument(
            f"range= is the least and the largest possible score, such as (1, 5); not {excerpt(limits)}"
        )
    return ends[0], ends[1]


def filled(
    values: Floats, items: Sequence[str], item_of: Integers, missing: str, worst: float
) -> tuple[Floats, list[str]]:
    """Scores without those that are missing, and what is said of these."""
    gaps = np.isnan(values)
    if gaps.all():
        raise InvalidLabels("there is no score, so there is nothing to learn from")
    if not gaps.any():
        return values, []
    many = int(gaps.sum())
    if missing == "error":
        row = int(np.argmax(gaps))
        raise InvalidLabels(
            f"{several(many, 'row')} without a score (first: row {row + 1}, item {excerpt(items[item_of[row]])}); say "
            "what that means: --missing exclude leaves them out, --missing worst takes the worse end of --range"
        )
    if missing == "exclude":
        return values, [f"{several(many, 'row')} without a score left out (--missing exclude)."]
    return np.where(gaps, worst, values), [f"{several(many, 'row')} without a score count as {worst:g}."]


def shared(items: Sequence[str], systems: Sequence[str], there: Booleans, missing: str) -> tuple[Integers, list[str]]:
    """Items that all systems have; others are refused, or left out and said."""
    kept = np.flatnonzero(there.all(axis=0))
    if len(kept) == len(items):
        return kept, []
    lacking = [
        f"{integer(int((~row).sum()))} by {name}" for name, row in zip(systems, there, strict=True) if not row.all()
    ]
    if len(systems) == 1:
        return kept, [f"{several(len(items) - len(kept), 'item')} without any score set aside."]
    gone = several(len(items) - len(kept), "item")
    if missing == "error":
        raise InvalidLabels(
            f"{gone} of {integer(len(items))} are not answered by all ({listing(lacking)}); "
            "--missing exclude takes the items of all, --missing worst takes the worse end of --range for the others"
        )
    if not len(kept):
        raise InvalidLabels("no item is answered by all systems, so they cannot be paired")
    absent = f"{listing(lacking)} not answered, set aside: --missing exclude"
    return kept, [f"{several(len(kept), 'item')} that all have answered ({absent})."]


def refuse_runs_twice(
    items: Sequence[str], systems: Sequence[str], item: Integers, system: Integers, run: Integers
) -> None:
    """Refuse an item that a system has twice in one run."""
    cell = (system * len(items) + item) * (int(run.max(initial=0)) + 1) + run
    cells, times = np.unique(cell, return_counts=True)
    if (times > 1).any():
        place = int(cells[np.argmax(times)]) // (int(run.max()) + 1)
        whose = of_system(systems, place // len(items))
        raise InvalidLabels(f"item {excerpt(items[place % len(items)])} has {times.max()} scores in one run{whose}")


def of_system(systems: Sequence[str], place: int) -> str:
    """Which system, in words; nothing where there is one without a name."""
    return f" of {excerpt(systems[place])}" if systems[place] else ""


def groups_of(group: Any, *, item_of_all: Integers, items: Sequence[str]) -> tuple[Integers, list[str]]:
    """Group of each item; an item belongs to one."""
    names, codes = one_each(group, "group", len(item_of_all))
    of = np.full(len(items), -1, dtype=np.int64)
    of[item_of_all] = codes
    odd = np.flatnonzero(of[item_of_all] != codes)
    if len(odd):
        at = int(item_of_all[odd[0]])
        raise InvalidLabels(
            f"item {excerpt(items[at])} is in two groups, {excerpt(names[codes[odd[0]]])} is one of them"
        )
    return of, names


def indicators(values: Any, what: str) -> Floats:
    """0 and 1 of items x labels, as scikit-learn has them, dense or sparse."""
    array = numbers(values.toarray() if hasattr(values, "toarray") else values, what)
    if array.ndim != 2 or not np.isin(array, (0.0, 1.0)).all():
        raise InvalidLabels(f"{what} is an array of 0 and 1, items x labels; not of shape {array.shape}")
    return array


# -- What is there of each item, and how it is brought there -----------------------------------------------------------

#: Units of a metric of one's own at most: the weights of one draw are as many.
MOST_UNITS = 10_000_000

Missing = Literal["error", "exclude", "worst"]

#: Means over items of what each has for itself; 0/0 is 0, as scikit-learn has it.
SAMPLES = ("f1@samples", "precision@samples", "recall@samples")

#: What lists of names are, in refusals.
NAMES = "a list of names"

#: What a score is where nobody says more.
SCORE = Measured("score", "score", "higher", ENDLESS)


class ItemTable(Frozen):
    """What is there of items, of one system or of several; `Items` says what is known.

    Parameters
    ----------
    items, names : tuple of str
        The n items, and the systems; one system may have no name.
    columns : mapping of str to ndarray, shape (systems, n) or (systems, n, labels)
        What is there of each item: ``score``, ``numerator`` and ``denominator``, or counts by label.
    score : Measured
        What a score, or the ratio, is called, which are better, and its range, infinite where nobody said.
    group : ndarray of int, shape (n,), optional
        Groups of items, which are the units then.
    runs : Runs, optional
        Where items were run several times.
    own : mapping of str to figures, optional
        Metrics that are functions of weights, a figure a system.
    terms : Terms
        Labels, and what answers are about.
    """

    _attributes = ("items", "runs", "limits", "labels", "question", "far")

    def __init__(
        self,
        items: tuple[str, ...],
        names: tuple[str, ...],
        columns: Mapping[str, Floats],
        *,
        score: Measured = SCORE,
        group: Integers | None = None,
        runs: Runs | None = None,
        own: Mapping[str, tuple[Measured, Sequence[Figure]]] | None = None,
        terms: Terms = Terms(),  # noqa: B008  # cannot be changed
    ) -> None:
        self._names, self._columns = names, dict(columns)
        self._score, self._group, self._own, self._terms = score, group, dict(own or {}), terms
        self.items, self.runs, self.limits = items, runs, score.limits
        self.labels, self.question, self.far = terms.labels, terms.about, terms.far

    def but(self, *, score: Measured | None = None, **terms: Any) -> Self:
        """The same items on other terms (``about``, ``far``, ``zero_division``, ``notes``), or another ``score``."""
        return type(self)(
            self.items, self._names, self._columns, score=score or self._score, group=self._group, runs=self.runs,
            own=self._own, terms=self._terms._replace(**terms),
        )  # fmt: skip

    def called(self, name: str) -> Self:
        return self.but(score=self._score._replace(name=name, called=name))

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def from_columns(
        cls,
        item: Any,
        score: Any,
        *,
        system: Any = None,
        run: Any = None,
        group: Any = None,
        range: Sequence[float] | None = None,  # noqa: A002  # the word of the field
        missing: Missing = "error",
        better: Better = "higher",
    ) -> Self:
        """One row an answer, in any order.

        Parameters
        ----------
        item, score : array_like, shape (rows,)
            What was answered, and how well.
        system : array_like, optional
            Which system answered; one if left out.
        run : array_like, optional
            Which run (epoch, seed, rater); without it an item has one row of a system.
        group : array_like, optional
            Groups of items (documents, patients), which are the units then.
        range : (float, float), optional
            The least and the largest possible score. Nothing is assumed where it is left out.
        missing : "error", "exclude" or "worst"
            What is done with rows without a score, and with items that a system lacks: refused; left out, and said; or
            taken as the worse end of the range.
        better : "higher" or "lower"
            Which scores are better.

        Examples
        --------
        >>> from howsure.knowledge.items import Items
        >>> from howsure.knowledge.protocol import Of
        >>> rows = [("q1", "new", 5), ("q1", "old", 4), ("q2", "new", 3), ("q2", "old", 3)]
        >>> item, system, score = zip(*rows)
        >>> Items.from_columns(item, score, system=system, range=(1, 5))
        <Items: 2 items, systems new, old>
        """
        values = score_values(score)
        limits = limits_of(range)
        one_of(missing, ("error", "exclude", "worst"), "missing")
        one_of(better, ("higher", "lower"), "better")
        items, item_of = one_each(item, "item", len(values))
        systems, system_of = (
            ([""], np.zeros(len(values), dtype=np.int64)) if system is None else one_each(system, "system", len(values))
        )
        worst = limits[0] if better == "higher" else limits[1]
        if missing == "worst" and not np.isfinite(worst):
            raise InvalidArgument(
                "missing='worst' takes the worse end of the range, which needs to be stated (--range)"
            )
        values, carried = filled(values, items, item_of, missing, worst)
        refuse_outside(values, limits, lambda row: f"item {excerpt(items[item_of[row]])}")
        there = ~np.isnan(values)
        item_of, system_of, values = item_of[there], system_of[there], values[there]
        if run is not None:
            refuse_runs_twice(items, systems, item_of, system_of, one_each(run, "run", len(there))[1][there])
        elif (most := bincount(system_of * len(items) + item_of)).max(initial=0) > 1:
            place = int(np.argmax(most))
            whose = of_system(systems, place // len(items))
            raise InvalidLabels(
                f"item {excerpt(items[place % len(items)])} comes {most[place]} times{whose}; "
                "if these are runs, name the column that numbers them (--repeat, run=)"
            )
        shape = (len(systems), len(items))
        cell = system_of * len(items) + item_of
        times = bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
        total = bincount(cell, weights=values, minlength=times.size).reshape(shape)
        mean = np.divide(total, times, out=np.full(shape, np.nan), where=times > 0)
        squares = bincount(cell, weights=(values - mean.ravel()[cell]) ** 2, minlength=times.size).reshape(shape)
        if (times == 0).any() and missing == "worst":
            mean[times == 0] = worst
            carried.append(f"{several(int((times == 0).sum()), 'answer')} that are not there count as {worst:g}.")
            times = np.maximum(times, 1)
        kept, more = shared(items, systems, times > 0, missing)
        groups, names_of_groups = None, list[str]()
        if group is not None:
            of_all, names_of_groups = groups_of(group, item_of_all=one_each(item, "item", len(there))[1], items=items)
            some, groups = np.unique(of_all[kept], return_inverse=True)
            names_of_groups = [names_of_groups[i] for i in some.tolist()]
        return cls(
            tuple(items[i] for i in kept.tolist()),
            tuple(systems),
            {"score": mean[:, kept]},
            score=Measured("score", "score", better, limits),
            group=None if groups is None else groups.ravel(),
            runs=Runs(times[:, kept], squares[:, kept]) if run is not None else None,
            terms=Terms(groups=tuple(names_of_groups), notes=(*carried, *more)),
        )

    @classmethod
    def from_ratios(
        cls,
        item: Any,
        numerator: Any,
        denominator: Any,
        *,
        system: Any = None,
        group: Any = None,
        range: Sequence[float] | None = None,  # noqa: A002  # the word of the field
        missing: Missing = "error",
        better: Better = "higher",
    ) -> Self:
        """One row an item (and system) with a numerator and a denominator: errors and words, hits and tries.

        The metrics are ``ratio``, and ``wer`` and ``cer``, of which lower is better.

        Examples
        --------
        >>> from howsure.knowledge.items import Items
        >>> from howsure.knowledge.protocol import Of
        >>> Items.from_ratios(["u1", "u2"], [1, 0], [7, 12]).observed(Of("wer"))
        0.05263157894736842
        """
        one_of(better, ("higher", "lower"), "better")
        numerator, denominator = (listed(it, "a column", "numbers in a row") for it in (numerator, denominator))
        tops = cls.from_columns(item, numerator, system=system, group=group, missing=missing)
        bottoms = cls.from_columns(item, denominator, system=system, missing=missing)
        top, bottom = tops._columns["score"], bottoms._columns["score"]
        if tops.items != bottoms.items:
            raise InvalidLabels("some items have a numerator and no denominator, or the reverse")
        if (bottom < 0).any():
            raise InvalidLabels("a denominator is below 0")
        if (bottom.sum(1) <= 0).any():
            raise NoInformation("the denominators add up to zero, so there is no ratio")
        empty = int((bottom == 0).sum())
        more = (
            [f"{several(empty, 'item')} with a denominator of 0: what is counted there stays in the sum."]
            if empty
            else []
        )
        return cls(
            tops.items, tops._names, {"numerator": top, "denominator": bottom}, group=tops._group,
            score=Measured("ratio", "ratio", better, limits_of(range)), terms=Terms(notes=(*tops.notes, *more)),
        )  # fmt: skip

    @classmethod
    def from_counts(
        cls,
        items: Sequence[str],
        labels: Sequence[str],
        counts: Mapping[str, tuple[Any, Any, Any]],
        *,
        group: Any = None,
        zero_division: Literal["error", "0", "exclude"] = "error",
    ) -> Self:
        """True positives, false positives and false negatives of each item and label, shape (n, labels), by system.

        Examples
        --------
        >>> from howsure.knowledge.items import Items
        >>> from howsure.knowledge.protocol import Of
        >>> import numpy as np
        >>> tp, fp, fn = np.array([[1, 1], [0, 2]]), np.array([[0, 1], [0, 0]]), np.array([[1, 0], [0, 0]])
        >>> made = Items.from_counts(["d1", "d2"], ["PER", "LOC"], {"tagger": (tp, fp, fn)})
        >>> round(made.observed(Of("f1@micro", "tagger")), 3)
        0.8
        """
        ids, names = label_texts(listed(items, "items", NAMES)), label_texts(listed(labels, "labels", NAMES))
        one_of(zero_division, ("error", "0", "exclude"), "zero_division")
        columns: dict[str, list[Floats]] = {name: [] for name in (*COUNTS, *SAMPLES, "exact_match")}
        for three in counts.values():
            tp, fp, fn = (numbers(it, "counts") for it in three)
            if not tp.shape == fp.shape == fn.shape == (len(ids), len(names)):
                raise InvalidLabels(f"counts are of {len(ids)} items x {len(names)} labels, not of shape {tp.shape}")
            hits, said, there = tp.sum(1), (tp + fp).sum(1), (tp + fn).sum(1)
            own = (
                *(tp, fp, fn),
                *(
                    np.where(of > 0, top / np.where(of > 0, of, 1), 0.0)
                    for top, of in ((2 * hits, said + there), (hits, said), (hits, there))
                ),
                ((fp.sum(1) == 0) & (fn.sum(1) == 0)).astype(float),
            )
            for name, array in zip(columns, own, strict=True):
                columns[name].append(array)
        return cls(
            ids, tuple(counts), {name: np.array(rows) for name, rows in columns.items()},
            score=Measured("f1", "f1", "higher", (0.0, 1.0)), terms=Terms(names, zero_division=zero_division),
            group=None if group is None else one_each(group, "group", len(ids))[1],
        )  # fmt: skip

    @classmethod
    def from_labels(
        cls,
        y_true: Any,
        y_pred: Any,
        labels: Sequence[str] | None = None,
        *,
        items: Sequence[str] | None = None,
        group: Any = None,
        zero_division: Literal["error", "0", "exclude"] = "error",
    ) -> Self:
        """Several labels of an item: indicator arrays (items x labels) of the truth and of answers, as scikit-learn's.

        Parameters
        ----------
        y_true : array_like of 0 and 1, shape (n, labels)
        y_pred : array_like, or mapping of system to array_like
        labels : sequence of str, optional
            Names of the columns; their numbers if left out.
        items : sequence of str, optional
        group, zero_division
            As in `from_counts`.

        Examples
        --------
        >>> from howsure.knowledge.items import Items
        >>> from howsure.knowledge.protocol import Of
        >>> made = Items.from_labels([[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [0, 1]], ["cat", "dog"])
        >>> round(made.observed(Of("f1@macro")), 3), made.observed(Of("exact_match"))
        (0.833, 0.6666666666666666)
        """
        truth = indicators(y_true, "y_true")
        answers = y_pred if isinstance(y_pred, Mapping) else {"": y_pred}
        names: Sequence[Any] = np.arange(truth.shape[1]).tolist() if labels is None else listed(labels, "labels", NAMES)
        counts = {}
        for name, given in answers.items():
            answer = indicators(given, f"y_pred of {name}" if name else "y_pred")
            if answer.shape != truth.shape or truth.shape[1] != len(names):
                raise InvalidLabels(
                    f"y_true has shape {truth.shape}, answers {answer.shape}, and {len(names)} labels are named; all "
                    "are items x labels"
                )
            counts[str(name)] = (truth * answer, (1 - truth) * answer, truth * (1 - answer))
        ids = [str(i + 1) for i in np.arange(len(truth)).tolist()] if items is None else items
        return cls.from_counts(ids, names, counts, group=group, zero_division=zero_division)

    @classmethod
    def from_function(
        cls,
        function: Callable[[Floats], Floats] | Mapping[str, Callable[[Floats], Floats]],
        n: int,
        *,
        range: Sequence[float] | None = None,  # noqa: A002  # the word of the field
        name: str = "metric",
        better: Better = "higher",
        smooth: Callable[[Floats], Floats] | None = None,
    ) -> Self:
        """Any metric of n units: a function from rows of weights, shape (rows, n), each adding to 1, to values.

        Parameters
        ----------
        function : callable, or mapping of system to callable
            Equal weights give the metric as everybody prints it.
        n : int
            Units; all systems are about the same ones.
        range : (float, float), optional
            The least and the largest possible value.
        name, better
            What the metric is called, and its direction.
        smooth : callable, optional
            A stand-in with derivatives, for a metric that jumps.

        Examples
        --------
        >>> from howsure.knowledge.items import Items
        >>> from howsure.knowledge.protocol import Of
        >>> import numpy as np
        >>> squares = np.arange(12.0) ** 2
        >>> made = Items.from_function(lambda weights: np.sqrt(weights @ squares), 12, range=(0, 20), name="rms")
        >>> round(made.observed(Of("rms")), 3)
        6.494
        """
        functions = dict(function) if isinstance(function, Mapping) else {"": function}
        stand_ins = [] if smooth is None else [smooth]
        if not functions or not all(map(callable, [*functions.values(), *stand_ins])):
            raise InvalidArgument(
                "function and smooth are functions of weights, or function a mapping of them by system"
            )
        if not isinstance(name, str) or not all(isinstance(each, str) for each in functions):
            raise InvalidArgument(f"name is the name of the metric, not {excerpt(name)}; systems have names, too")
        one_of(better, ("higher", "lower"), "better")
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_UNITS:
            raise InvalidArgument(f"n is a number of units, 1 to {MOST_UNITS:,}; not {excerpt(n)}")
        measured = Measured(name, name, better, limits_of(range))
        figures = tuple(OwnFigure(it, int(n), smooth) for it in functions.values())
        names = tuple(str(i + 1) for i in np.arange(n).tolist())
        return cls(names, tuple(functions), {}, score=measured, own={name: (measured, figures)})

    # -- the data -------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def notes(self) -> tuple[str, ...]:
        return self._terms.notes

    @property
    def unit(self) -> str:
        return "item" if self._group is None else "group"

    @property
    def noun(self) -> str:
        return "score" if "score" in self._columns else "value"

    @cached_property
    def _units(self) -> int:
        return len(self.items) if self._group is None else int(self._group.max()) + 1

    def by_group(self) -> dict[str, tuple[Self, Self]]:
        """Each group by its name: its items alone, and those of all others."""
        if self._group is None:
            raise InvalidArgument("the items are in no groups; name them by group=")
        return {
            name: (self._some(self._group == i), self._some(self._group != i))
            for i, name in enumerate(self._terms.groups)
        }

    def _some(self, kept: Booleans) -> Self:
        """Some of the items, in no groups."""
        runs = None if self.runs is None else Runs(self.runs.times[:, kept], self.runs.within[:, kept])
        return type(self)(
            tuple(name for name, there in zip(self.items, kept.tolist(), strict=True) if there), self._names,
            {name: column[:, kept] for name, column in self._columns.items()}, score=self._score, runs=runs,
            terms=self._terms._replace(groups=(), notes=()),
        )  # fmt: skip

    def __repr__(self) -> str:
        systems = f", systems {listing(self._names, 6)}" if self._names != ("",) else ""
        return f"<Items: {several(len(self.items), 'item')}{systems}>"
