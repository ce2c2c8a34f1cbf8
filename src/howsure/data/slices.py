"""Slices of a table by columns, and in the order of time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from html import escape
from typing import Any, Literal, NamedTuple

import numpy as np

from howsure.data.confusion import ConfusionMatrix, need_truths
from howsure.data.groups import Groups
from howsure.data.labels import code_answers, distinct_answers, in_order, label_text, one_each
from howsure.data.refusals import say
from howsure.errors import InvalidArgument, InvalidLabels, UnknownLabel, excerpt, listing
from howsure.errors.arguments import items, mapping, one_of
from howsure.frozen import Frozen
from howsure.numerics.arrays import Integers, bincount
from howsure.text.formats import several

# -- Which slice each case is of: the values of one column, or the combinations of several that occur ------------------


#: Between the values of several columns, in the name of a slice; and a value that is missing.
BETWEEN, MISSING = " / ", "(missing)"


class SlicePlaces(NamedTuple):
    """Names of the slices, which of them each case is of, and the names of the columns."""

    names: tuple[str, ...]
    place: Integers
    by: tuple[str, ...]


def slice_places(by: Any, cases: int) -> SlicePlaces:
    """Slices of cases by the values of columns, in the order of their values.

    Examples
    --------
    >>> found = slice_places({"os": ["b", "a", None], "day": [1, 1, 1]}, 3)
    >>> found.names, found.place.tolist(), found.by
    (('a / 1', 'b / 1', '(missing) / 1'), [1, 0, 2], ('os', 'day'))
    """
    names = by if isinstance(by, Mapping) else getattr(by, "column_names", getattr(by, "columns", None))
    columns = {"": by} if names is None else {name: by[name] for name in names}
    if not columns:
        raise InvalidArgument("by= needs a column: one value a case, or a mapping of names to columns")
    coded = []
    for name, values in columns.items():
        texts, codes = distinct_answers(values, f"by {excerpt(name)}" if name else "by")
        if len(codes) != cases:
            raise InvalidLabels(f"every case needs a slice: there are {cases} cases and {len(codes)} values of by")
        coded.append((texts, codes))
    values, place = combined(coded)
    return SlicePlaces(tuple(slice_names(values)), place, tuple(str(name) for name in columns if name))


def slice_names(values: Sequence[Sequence[str | None]]) -> list[str]:
    """Names of slices from the values of their columns.

    Examples
    --------
    >>> slice_names([("de", "phone"), ("de", None)])
    ['de / phone', 'de / (missing)']
    """
    names = [BETWEEN.join(MISSING if value is None else value for value in each) for each in values]
    if len(set(names)) < len(names):
        seen: set[str] = set()
        double = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InvalidLabels(say("slice_names_alike", double, f"{BETWEEN!r}", f"{MISSING!r}"))
    return names


def combined(columns: Sequence[tuple[Sequence[str], Integers]]) -> tuple[list[tuple[str | None, ...]], Integers]:
    """Combinations of values that occur, in order, and which of them each case is of; -1 is a missing value."""
    values: list[tuple[str | None, ...]] = [()]
    place = np.zeros(len(columns[0][1]), dtype=np.int64)
    for texts, codes in columns:  # numbered again after each column, so that no product of sizes grows too large
        ordered = [*in_order(texts), None]  # a missing value comes last
        rank = {text: i for i, text in enumerate(ordered)}
        codes = np.array([rank[text] for text in (*texts, None)], dtype=np.int64)[codes]
        distinct, place = np.unique(place * len(ordered) + codes, return_inverse=True)
        values = [(*values[i // len(ordered)], ordered[i % len(ordered)]) for i in distinct.tolist()]
        place = place.ravel().astype(np.int64)
    return values, place


# -- Cases by slice: a language, a device, a week, a hospital, or all combinations of them that occur ------------------


class Slices(Frozen):
    """Confusion matrices of many slices of one test set, or of several test sets with the same classes; immutable.

    Parameters
    ----------
    matrices : mapping of str to ConfusionMatrix
        One for each slice, with the same classes; a slice, or a class in it, may be without a case. No case may be
        in two of them.
    by : str or sequence of str, optional
        What the slices are: the names of the columns.

    Attributes
    ----------
    names : tuple of str
        The S slices, in the order of their values; of several columns "de / phone".
    labels : tuple of str
        The K classes.
    positive : str or None
        The positive one of two classes.
    by : tuple of str
        Columns that the slices are made of, if they are known.
    n : int
        Number of cases.

    Raises
    ------
    InvalidArgument
        No matrix, something else than a matrix, or classes that differ.

    Examples
    --------
    >>> made = Slices.from_predictions(["ill", "well", "ill", "well"], ["ill", "well", "well", "well"],
    ...                                by={"site": ["north", "north", "south", "south"]})
    >>> made
    <Slices: 4 cases in 2 slices by site, 2 classes>
    >>> made.confusion("south").counts.tolist()
    [[0, 1], [0, 1]]
    """

    _attributes = ("names", "labels", "positive", "by")

    by: tuple[str, ...]

    def __init__(self, matrices: Mapping[str, ConfusionMatrix], *, by: str | Sequence[str] = ()) -> None:
        mapping(matrices, "matrices", "a mapping of the names of slices to confusion matrices")
        if not matrices:
            raise InvalidArgument("Slices() takes a confusion matrix for each slice, one or more")
        first: ConfusionMatrix | None = None
        parts = []
        for i, (name, confusion) in enumerate(matrices.items()):
            if not isinstance(name, str) or not isinstance(confusion, ConfusionMatrix):
                raise InvalidArgument(say("slice_of_matrix", name, confusion))
            need_truths(confusion, "slices")
            first = first or confusion
            if set(confusion.labels) != set(first.labels):
                here, there = listing(map(excerpt, first.labels)), listing(map(excerpt, confusion.labels))
                raise InvalidArgument(say("slice_classes", here, name, there))
            place = np.array([first.labels.index(label) for label in confusion.labels], dtype=np.int64)
            seen = confusion._held.cells
            parts.append((np.full(len(seen.count), i), place[seen.true], place[seen.pred], seen.count))
        assert first is not None
        where, true, pred, count = (np.concatenate(column) for column in zip(*parts, strict=True))
        columns_by = (by,) if isinstance(by, str) else tuple(items(by, "by", "a list of columns"))
        if not all(isinstance(column, str) for column in columns_by):
            raise InvalidArgument(f"by is the names of columns, not {excerpt(by)}")
        cells = Groups.of(tuple(matrices), len(first.labels), where, true, pred, count, empty=True)
        self._take(cells, first, columns_by)

    def _take(self, cells: Groups, like: ConfusionMatrix, by: Sequence[str]) -> None:
        self.names, self.labels, self.positive, self.by = cells.names, like.labels, like.positive, tuple(by)
        self._cells = cells

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        by: Any,
        id: Any = None,  # noqa: A002  # the word that files and frames have for it
        labels: Sequence[object] | None = None,
        positive: object | None = None,
    ) -> Slices:
        """Count cases by slice.

        Parameters
        ----------
        y_true, y_pred : array_like, shape (n,)
            As in `ConfusionMatrix.from_predictions`.
        by : array_like, shape (n,), or mapping of str to such, or data frame
            The slice of each case; or several columns by name, whose combinations are the slices. A missing value is
            a slice of its own.
        id : array_like, shape (n,), optional
            What each case is called. One that comes twice is refused: a case in two slices would count twice.
        labels, positive : optional
            As in `ConfusionMatrix.from_predictions`.

        Raises
        ------
        InvalidLabels
            Different lengths, missing answers, an id that comes twice.

        Examples
        --------
        >>> made = Slices.from_predictions([0, 1, 1], [0, 1, 0], by={"os": ["a", "b", "b"], "day": [1, 1, 2]})
        >>> made.names
        ('a / 1', 'b / 1', 'b / 2')
        """
        true, pred, names = code_answers(y_true, y_pred, labels)
        found = slice_places(by, len(true))
        if id is not None:
            _refuse_doubles(id, len(true))
        cells = Groups.of(found.names, len(names), found.place, true, pred, np.ones(len(true), dtype=np.int64))
        like = ConfusionMatrix.from_cells(cells.true, cells.pred, cells.count, labels=names, positive=positive)
        return cls._of_cells(cells, like, by=found.by)

    @classmethod
    def _of_cells(cls, cells: Groups, like: ConfusionMatrix, *, by: Sequence[str] = ()) -> Slices:
        """Slices whose cells were counted elsewhere, with the classes of a matrix."""
        made = cls.__new__(cls)
        made._take(cells, like, by)
        return made

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """Number of cases."""
        return int(self._cells.count.sum())

    def __len__(self) -> int:
        return len(self.names)

    @property
    def cases(self) -> Integers:
        """Cases of each slice, shape (S,)."""
        return self._cells.cases

    @property
    def correct(self) -> Integers:
        """Right cases of each slice, shape (S,)."""
        return self._cells.correct

    def tally(self, label: str) -> tuple[Integers, Integers]:
        """Right cases and cases of one true class in each slice, shape (S,) each; raises `UnknownLabel`."""
        return self._cells.tally(self._index(label), empty=True)

    def _called(self, label: str) -> Integers:
        return self._cells.sums(self._cells.pred == self._index(label))

    def _index(self, label: object) -> int:
        name = label_text(label) or ""
        if name not in self.labels:
            raise UnknownLabel(name, self.labels)
        return self.labels.index(name)

    def confusion(self, name: str | None = None) -> ConfusionMatrix:
        """Confusion matrix of a slice, or of all of them.

        Raises
        ------
        InvalidArgument
            No such slice.
        """
        cells = self._cells
        if name is None:
            here = np.ones(len(cells.count), dtype=bool)
        elif isinstance(name, str) and name in self.names:
            here = cells.group == self.names.index(name)
        else:
            raise InvalidArgument(say("no_slice_called", name, listing(map(excerpt, self.names), 8)))
        return ConfusionMatrix.from_cells(
            cells.true[here], cells.pred[here], cells.count[here], labels=self.labels, positive=self.positive
        )

    def _tables(self, start: int, end: int) -> Integers:
        cells, size = self._cells, len(self.labels)
        first, last = np.searchsorted(cells.group, [start, end])
        made = np.zeros((end - start, size, size), dtype=np.int64)
        made[cells.group[first:last] - start, cells.true[first:last], cells.pred[first:last]] = cells.count[first:last]
        return made

    # -- as a value -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Slices) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (self.labels, self.positive, self.by, self._cells.key())

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}; all of them:</p>{self.confusion()._repr_html_()}"

    def __repr__(self) -> str:
        by = f" by {listing(self.by)}" if self.by else ""
        return (
            f"<Slices: {several(self.n, 'case')} in {several(len(self), 'slice')}{by}, "
            f"{several(len(self.labels), 'class')}>"
        )


def _refuse_doubles(id: Any, cases: int) -> None:  # noqa: A002
    texts, codes = one_each(id, "id", cases)
    times = bincount(codes, minlength=len(texts))
    if (times > 1).any():
        raise InvalidLabels(say("id_in_two_slices", texts[int(times.argmax())]))


# -- Slices in the order of time: names that are dates or numbers, and dates cut to weeks, months or years -------------


Cut = Literal["week", "month", "year"]

_DIGITS = re.compile(r"(\d+)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?=$|[T ])")


def in_time(slices: Slices, cut: Cut | None = None) -> Slices:
    """Slices in the order of time, dates cut to larger spans where that is asked for.

    Examples
    --------
    >>> days = Slices.from_predictions([1, 1, 1], [1, 0, 1], by=["2024-03-10", "2024-03-04", "2024-03-11"])
    >>> in_time(days).names, in_time(days, "week").names
    (('2024-03-04', '2024-03-10', '2024-03-11'), ('2024-W10', '2024-W11'))
    """
    if len(slices.by) > 1:
        raise InvalidArgument(f"time is one column, not {len(slices.by)}; slice by one")
    if MISSING in slices.names:
        missing = int(slices.cases[slices.names.index(MISSING)])
        raise InvalidArgument(f"{missing} of {slices.n} cases have no time; give them one, or leave them out")
    names = [name.strip() for name in slices.names]
    if cut is not None:
        one_of(cut, ("week", "month", "year"), "cut")
        names = [_cut(name, cut) for name in names]
    patterns: dict[str, str] = {}
    for name in names:
        patterns.setdefault(_DIGITS.sub("0", name), name)
    backwards = [name for name in names if re.fullmatch(r"\d{1,2}\D\d{1,2}\D\d{2,4}", name)]
    if len(patterns) > 1 or "0" not in next(iter(patterns)) or backwards:
        shown = " and ".join(excerpt(name) for name in (backwards or list(patterns.values()))[:2])
        raise InvalidArgument(say("slices_in_time", shown))
    ordered = sorted(set(names), key=lambda name: [int(part) for part in _DIGITS.findall(name)])
    rank = {name: i for i, name in enumerate(ordered)}
    cells = slices._cells
    place = np.array([rank[name] for name in names], dtype=np.int64)[cells.group]
    moved = Groups.of(ordered, cells.size, place, cells.true, cells.pred, cells.count, empty=True)
    return Slices._of_cells(moved, slices.confusion(), by=slices.by)


def _cut(name: str, cut: Cut) -> str:
    found = _DATE.match(name)
    try:
        day = date.fromisoformat(found[0]) if found else None
    except ValueError:
        day = None
    if day is None:
        raise InvalidArgument(f"a {cut} is cut from dates such as 2024-03-08, not {excerpt(name)}")
    year, week, _ = day.isocalendar()
    return {"week": f"{year}-W{week:02d}", "month": f"{day.year}-{day.month:02d}", "year": f"{day.year}"}[cut]
