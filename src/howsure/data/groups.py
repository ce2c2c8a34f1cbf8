"""Cases that come in groups: lesions in patients, questions on documents, answers to a question asked five times.

Two cases of one group are not two independent cases, so the counts are kept by group as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Never, TypedDict, get_args

import numpy as np

from howsure.data.case_columns import one_of_each, refuse_again
from howsure.data.counts import Cells, ReadOnly, summed
from howsure.data.labels import Column, label_texts, one_each
from howsure.data.refusals import say
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, excerpt
from howsure.errors.arguments import one_of
from howsure.numerics.arrays import Integers, bincount
from howsure.text.formats import integer, several

#: Whether numbers are about the groups that were seen, or about a new case from a new group.
Question = Literal["these", "new"]


class Units(TypedDict, total=False):
    """What each case belongs to, what it is called, and which fold of a cross-validation tested it."""

    group: Any
    id: Any
    folds: Any


#: From so many groups on numbers are about new groups, unless the question is named; with fewer than the second number,
#: or cases of a class in fewer than the third, nothing is said of new groups: how much they differ is then the prior's.
ENOUGH_GROUPS, FEWEST_GROUPS, FEWEST_OF_CLASS = 8, 5, 3


@dataclass(frozen=True, eq=False)
class Groups(ReadOnly):
    """Counts by group, or by slice: the cells that are not empty, in the order of groups, rows and columns; read-only.

    Parameters
    ----------
    names : tuple of str
        The G groups; each has a case, but for slices.
    size : int
        Number of classes.
    group, true, pred, count : ndarray, shape (cells,)
        Group, row, column and cases of each.
    asked : "these" or "new", optional
        What numbers are about; by the number of groups if left out.

    Examples
    --------
    >>> made = counted_groups(["p1", "p1", "p2"], [0, 0, 1], [0, 1, 1], 2)
    >>> made.names, made.cases.tolist(), made.correct.tolist(), made.question
    (('p1', 'p2'), [2, 1], [1, 1], 'these')
    """

    names: tuple[str, ...]
    size: int
    group: Integers
    true: Integers
    pred: Integers
    count: Integers
    asked: Question | None = None

    @classmethod
    def of(
        cls, names: Sequence[str], size: int, group: Integers, true: Integers, pred: Integers, count: Integers,
        *, asked: Question | None = None, empty: bool = False,
    ) -> Groups:  # fmt: skip
        """Put cells in order; those that come again add up, and empty ones go; so do groups, unless ``empty``."""
        (group, true, pred), count = summed([group, true, pred], count)
        if not empty:
            here, group = np.unique(group, return_inverse=True)
            names = [names[i] for i in here.tolist()]
        return cls(tuple(names), size, group.astype(np.int64), true, pred, count, asked)

    def __len__(self) -> int:
        return len(self.names)

    # -- what they add up to --------------------------------------------------------------------------------

    @property
    def question(self) -> Question:
        """What numbers are about: "new" groups, or "these" again."""
        return self.asked or ("new" if len(self) >= ENOUGH_GROUPS else "these")

    @property
    def cases(self) -> Integers:
        """Cases of each group, shape (G,)."""
        return self.sums(np.ones(len(self.group), dtype=bool))

    @property
    def correct(self) -> Integers:
        """Right cases of each group, shape (G,)."""
        return self.sums(self.true == self.pred)

    def tally(self, index: int, *, empty: bool = False) -> tuple[Integers, Integers]:
        """Right cases and cases of one true class in each group that has any, or in all (``empty``)."""
        here = self.true == index
        right, cases = self.sums(here & (self.pred == index)), self.sums(here)
        return (right, cases) if empty else (right[cases > 0], cases[cases > 0])

    @property
    def mixed(self) -> int:
        """Number of groups with cases of several true classes."""
        pairs = np.unique(self.group * self.size + self.true)
        return int(np.count_nonzero(bincount(pairs // self.size, minlength=len(self)) > 1))

    def sums(self, which: Any) -> Integers:
        """Cases of each group in some cells, shape (G,)."""
        counted = bincount(self.group[which], weights=self.count[which], minlength=len(self))
        return counted.astype(np.int64)

    # -- other records --------------------------------------------------------------------------------------

    def asking(self, question: Question) -> Groups:
        """The same counts, to answer another question."""
        one_of(question, get_args(Question), "groups")
        return replace(self, asked=question)

    def moved(self, place: Sequence[int] | Integers, size: int) -> Groups:
        """Row and column i become ``place[i]``; cases of those with -1 go, and groups without cases with them."""
        target = np.asarray(place, dtype=np.int64)
        true, pred = target[self.true], target[self.pred]
        stay = (true >= 0) & (pred >= 0)
        cells = self.group[stay], true[stay], pred[stay], self.count[stay]
        return Groups.of(self.names, size, *cells, asked=self.asked)

    def turned(self) -> Groups:
        """Exchange rows and columns."""
        return Groups.of(self.names, self.size, self.group, self.pred, self.true, self.count, asked=self.asked)

    def plus(self, other: Groups) -> Groups:
        """Cases of both; groups of one name are one group."""
        place = {name: i for i, name in enumerate(self.names)}
        for name in other.names:
            place.setdefault(name, len(place))
        at = np.array([place[name] for name in other.names], dtype=np.int64)
        group = np.concatenate((self.group, at[other.group]))
        true, pred = np.concatenate((self.true, other.true)), np.concatenate((self.pred, other.pred))
        count = np.concatenate((self.count, other.count))
        asked = self.asked if self.asked == other.asked else None
        return Groups.of(tuple(place), self.size, group, true, pred, count, asked=asked)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        cells = {name: getattr(self, name).tolist() for name in ("group", "true", "pred", "count")}
        return {"names": list(self.names), **cells, "asked": self.asked}

    def key(self) -> tuple[object, ...]:
        """What tells records apart, for equality and for a hash."""
        return (*super().key()[:-1], self.question)


def counted_groups(group: Any, true: Any, pred: Any, size: int, times: Any = None) -> Groups:
    """Count cases by group."""
    names, place = group_places(group, len(true))
    count = np.ones(len(place), dtype=np.int64) if times is None else np.asarray(times, dtype=np.int64)
    return groups_of_places(names, place, true, pred, size, count)


def group_places(group: Any, cases: int) -> tuple[tuple[str, ...], Integers]:
    """Names of the groups in order, and the place of each case's group among them, shape (n,)."""
    names, codes = one_each(group, "group", cases, "; a case that is alone is a group of its own, with its own name")
    return tuple(names), codes


def groups_of_places(
    names: tuple[str, ...], place: Integers, true: Any, pred: Any, size: int, count: Integers | None = None
) -> Groups:
    """The same of cases whose groups have places among their names."""
    times = np.ones(len(place), dtype=np.int64) if count is None else count
    return Groups.of(names, size, place, np.asarray(true), np.asarray(pred), times)


def refuse_both() -> Never:
    """Refuse groups of cases some of which have no truth."""
    raise InvalidArgument(say("groups_and_judged"))


def together(one: Groups | None, other: Groups | None, place: Sequence[int]) -> Groups | None:
    """Groups of the cases of two matrices, of which class i of the other has ``place[i]`` in the first."""
    if one is None and other is None:
        return None
    if one is None or other is None:
        raise InvalidArgument(say("groups_of_one"))
    return one.plus(other.moved(place, one.size))


def asked(groups: Groups | None, question: Question, *, judged: bool = False) -> Groups:
    """The same groups, to answer another question; see `ConfusionMatrix.about_groups`."""
    if groups is None:
        if judged:
            refuse_both()
        raise InvalidArgument(say("no_group_known", question))
    return groups.asking(question)


def groups_of_dict(data: Any, cells: Cells) -> Groups | None:
    """Rebuild from `Groups.to_dict`, for the matrix with these cells; None where there are none."""
    if data is None:
        return None
    fields = ("group", "true", "pred", "count")
    if not isinstance(data, Mapping) or not {"names", *fields} <= set(data):
        raise InvalidArgument(f'"groups" needs the lists names, {", ".join(fields)}, not {excerpt(data)}')
    columns = [np.asarray(data[name]) for name in fields]
    whole = all(x.ndim == 1 and x.dtype.kind in "iu" and len(x) == len(columns[0]) for x in columns)
    if whole:
        group, true, pred, count = (x.astype(np.int64) for x in columns)
        names, size = label_texts(data["names"]), cells.size
        whole = bool(np.all((count > 0) & (group >= 0) & (group < len(names)))) and bool(
            np.all((true >= 0) & (true < size) & (pred >= 0) & (pred < size))
        )
        if whole and Cells.added(true, pred, count, size).same(cells):
            made = Groups.of(names, size, group, true, pred, count)
            return made if data.get("asked") is None else made.asking(data["asked"])
    raise InvalidArgument('the counts in "groups" are not those of the matrix, cell by cell')


# -- cases of a cross-validation: a pass tests every case once, and counts of several passes are divided by them --


@dataclass(frozen=True)
class Folds:
    """Folds of a cross-validation that counts come from.

    Parameters
    ----------
    classifiers : int
        How many were trained, one a fold; 0 where that is not known.
    passes : int
        How often each case was tested; counts are tests divided by it.

    Examples
    --------
    >>> print(Folds(5).sentence)
    5 classifiers, one pass of a cross-validation: how much training sets differ is not wholly in the intervals.
    """

    classifiers: int = 0
    passes: int = 1

    @property
    def sentence(self) -> str:
        """What a report says."""
        by = f" ({integer(self.classifiers)} classifiers)" if self.classifiers else ""
        differ = "how much training sets differ is not wholly in the intervals"
        if self.passes == 1:
            whose = f"{integer(self.classifiers)} classifiers, one" if self.classifiers else "one"
            return f"{whose} pass of a cross-validation: {differ}."
        return say("in_passes", self.passes, by, self.passes, differ)

    def to_dict(self) -> dict[str, int]:
        """Plain data, ready for JSON."""
        return {"classifiers": self.classifiers, "passes": self.passes}


def counted_folds(true: Column, ids: Any, folds: Any, group: Any = None) -> Folds | None:
    """Passes and classifiers of cases; None where nobody names folds, or there is one."""
    cases = None if ids is None else one_each(ids, "id", len(true.codes))
    if folds is None:
        if cases is not None and group is None:
            refuse_again(cases, say("repeated_id"))
        if cases is not None and group is not None:
            one_of_each(cases, one_each(group, "group", len(true.codes)), "group")
        return None
    fold = one_each(folds, "fold", len(true.codes))
    trained, passes = len(fold.texts), 1
    if cases is not None:
        one_of_each(cases, true, "true class")
        refuse_again(cases, "name the folds of each pass differently, such as 2.3", fold)
        times = bincount(cases.codes)
        passes, least = int(times.max()), int(times.min())
        if least < passes:
            most, rarest = (cases.texts[int(at)] for at in (times.argmax(), times.argmin()))
            raise InvalidLabels(say("uneven_passes", most, several(passes, "time"), rarest, several(least, "time")))
    if passes > 1 and group is not None:
        raise InvalidArgument(say("groups_in_passes", passes))
    return None if trained == 1 and passes == 1 else Folds(trained, passes)


def refuse_passes(folds: Folds | None, what: str) -> None:
    """Refuse what needs whole numbers of cases, where counts are tests divided by passes."""
    if folds is not None and folds.passes > 1:
        raise InvalidArgument(say("needs_cases", what, integer(folds.passes)))


def folds_together(one: Folds | None, other: Folds | None) -> Folds | None:
    """Folds of the cases of two matrices, which are other cases."""
    passes = [1 if folds is None else folds.passes for folds in (one, other)]
    if passes[0] != passes[1]:
        raise InvalidArgument(say("unlike_passes", several(passes[0], "pass"), passes[1]))
    if one is None or other is None:
        return one if passes[0] > 1 else None
    known = one.classifiers and other.classifiers
    return Folds(one.classifiers + other.classifiers if known else 0, passes[0])


def folds_of_dict(data: Any) -> Folds | None:
    """Rebuild from `Folds.to_dict`; None where there are none."""
    if data is None:
        return None
    given = data if isinstance(data, Mapping) else {}
    classifiers, passes = given.get("classifiers"), given.get("passes")
    whole = all(isinstance(x, int) and not isinstance(x, bool) for x in (classifiers, passes))
    if not isinstance(classifiers, int) or not isinstance(passes, int) or not whole or classifiers < 0 or passes < 1:
        expected = '"folds" needs the integers classifiers and passes (1 or more)'
        raise InvalidArgument(f"{expected}, not {excerpt(data)}")
    return Folds(classifiers, passes)


def refuse_uneven_rows(sizes: Sequence[Integers], names: Sequence[str], what: Sequence[str]) -> None:
    """Refuse passes that do not test the same numbers of cases of each class."""
    for title, rows in zip(what[1:], sizes[1:], strict=True):
        odd = np.flatnonzero(rows != sizes[0])
        if len(odd):
            i = int(odd[0])
            raise InvalidCounts(
                say("uneven_rows", what[0], several(int(sizes[0][i]), "case"), names[i], title, int(rows[i]))
            )
