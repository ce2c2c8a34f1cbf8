"""What `howsure.count` gives: cells with a count, by group, and an account of every row that is not in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import alike, in_order, label_text, label_texts
from howsure.data.missing_answers import POLICIES, Missing
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidLabels, UnknownClassifier, excerpt, listing, visible
from howsure.errors.arguments import flag, one_of
from howsure.frozen import Frozen
from howsure.io.counting.counted_cells import CountedCells, merged
from howsure.numerics.arrays import repeat
from howsure.text.formats import integer, plain, several

__all__ = ["Counts", "SetAside"]

Group = tuple[str | None, ...]

#: Classifiers whose counts a notebook shows.
MOST_SHOWN = 3
#: Cases that are held one by one.
MOST_PREDICTIONS = 200_000_000


class SetAside(NamedTuple):
    """Rows that were read and not counted: why, how many, and where some of them are."""

    reason: str
    rows: int
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f" ({'; '.join(self.examples)})" if self.examples else ""
        return f"{several(self.rows, 'row')}: {self.reason}{where}"


class Counts(Frozen):
    """Counts of cases by true class, predicted class and group; what `howsure.count` gives. Immutable.

    Attributes
    ----------
    n : int
        Cases counted (with weights: the sum of the weights).
    read : int
        Rows read; each is counted or set aside.
    set_aside : tuple of SetAside
        Rows that are in no count: the reason, how many, examples.
    labels : tuple of str
        All classes, in order: numbers by size, texts by alphabet.
    models : tuple of str
        The classifiers.
    by : tuple of str
        The columns of the groups.
    groups : tuple of tuple
        Every group that occurs, as texts (None where the value is missing).
    notes : tuple of str
        Sentences on what else was done.

    Examples
    --------
    >>> import howsure as hs
    >>> counts = hs.count(
    ...     {"truth": ["ill", "ill", "well", None], "new": ["ill", "well", "well", "ill"], "site": [1, 1, 2, 2]},
    ...     y_true="truth", y_pred="new", by="site")
    >>> counts.n, counts.read, counts.groups
    (3, 4, (('1',), ('2',)))
    >>> print(counts.set_aside[0])
    1 row: no true class (row 4)
    >>> counts.confusion(group="1").counts.tolist()
    [[1, 1], [0, 0]]
    """

    def __init__(
        self,
        cells: CountedCells,
        *,
        labels: Sequence[str],
        models: Sequence[str],
        by: Sequence[str] = (),
        groups: Sequence[Group] = ((),),
        read: int,
        set_aside: Sequence[SetAside] = (),
        paired: bool = True,
        notes: Sequence[str] = (),
        weighted: bool = False,
    ) -> None:
        self._cells, self._labels, self._models, self._by = cells, tuple(labels), tuple(models), tuple(by)
        self._groups, self._read, self._paired = tuple(groups), read, paired
        self._set_aside, self._notes, self._weighted = tuple(set_aside), tuple(notes), weighted
        for array in cells:
            array.setflags(write=False)

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """Cases counted."""
        return int(self._cells.cases[self._complete].sum())

    @property
    def read(self) -> int:
        """Rows read."""
        return self._read

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        """Rows that are in no count, with their reasons."""
        return self._set_aside

    @property
    def labels(self) -> tuple[str, ...]:
        """All classes, in order."""
        return self._labels

    @property
    def models(self) -> tuple[str, ...]:
        """The classifiers."""
        return self._models

    @property
    def by(self) -> tuple[str, ...]:
        """Columns of the groups."""
        return self._by

    @property
    def groups(self) -> tuple[Group, ...]:
        """Every group that occurs."""
        return self._groups

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what else was done, and on classes whose names are nearly the same."""
        return tuple(dict.fromkeys((*self._notes, *alike(self._labels))))

    @property
    def cells(self) -> CountedCells:
        """Cells that are not empty: codes of truth, answers (cells, models), group and model, and counts."""
        return self._cells

    @property
    def paired(self) -> bool:
        """Whether the answers of all classifiers to one case are known together."""
        return self._paired

    @property
    def weighted(self) -> bool:
        """Whether rows count by a weight, so that there may be more cases than rows."""
        return self._weighted

    @property
    def _complete(self) -> NDArray[np.bool_]:
        return np.asarray((self._cells.answers >= 0).all(axis=1))

    # -- to the other nouns ---------------------------------------------------------------------------------

    def confusion(
        self,
        group: object | Sequence[object] | Mapping[str, object] | None = None,
        model: str | None = None,
        *,
        labels: Sequence[object] | None = None,
        positive: object | None = None,
    ) -> ConfusionMatrix:
        """Confusion matrix of one classifier, of all groups together or of some.

        Parameters
        ----------
        group : value, sequence or mapping, optional
            A value of the one column of groups, one value for each column, or ``{column: value}`` for some of them.
        model : str, optional
            The classifier; may be left out where there is one.
        labels, positive : optional
            As in `ConfusionMatrix.from_predictions`.

        Raises
        ------
        UnknownClassifier, InvalidArgument
            No such classifier or group.
        InvalidLabels
            Nothing was counted, or a class is outside ``labels``.
        """
        which = self._model(model)
        cells = self._cells
        answers = cells.answers[:, which if self._paired else 0]
        chosen = self._complete & self._in_group(group)
        if not self._paired:
            chosen &= cells.model == which
        names, place = self._order(labels)
        keep = np.flatnonzero(chosen)
        rows, columns = place[cells.truth[keep]], place[answers[keep]]
        made = merged([rows, columns], cells.cases[keep])
        return _matrix(made[0][0], made[0][1], made[1], names, positive)

    def predictions(
        self,
        group: object | Sequence[object] | Mapping[str, object] | None = None,
        *,
        missing: Missing = "exclude",
        positive: object | None = None,
        clusters: bool = False,
    ) -> Predictions:
        """Cases and the answers of all classifiers to them, for paired comparisons.

        Parameters
        ----------
        group : optional
            As in `confusion`.
        missing : str
            What becomes of cases with a true class to which a classifier has no answer; see `Predictions`.
        positive : str, optional
            As in `Predictions`.
        clusters : bool
            Whether what was counted ``by`` are patients, documents and the like, of which others could have come:
            comparisons are then about new ones. Languages or devices are none.

        Raises
        ------
        InvalidArgument
            Clusters where nothing was counted ``by``. The answers of several classifiers were counted apart: count them
            with ``id=``. Or too many cases.
        """
        if not self._paired and len(self._models) > 1:
            raise InvalidArgument(
                f"{len(self._models)} classifiers were counted row by row, so nothing says which rows are one case; "
                "count with id= to pair them"
            )
        keep = np.flatnonzero(self._in_group(group))
        cells, times = self._cells, self._cells.cases[keep]
        if times.sum() > MOST_PREDICTIONS:
            raise InvalidArgument(
                f"{integer(int(times.sum()))} cases are too many to be held one by one; take a group, or compare the "
                "matrices of confusion(model=...) as separate test sets"
            )
        truth = repeat(cells.truth[keep].astype(np.int32), times)
        answers = {m: repeat(cells.answers[keep, t].astype(np.int32), times) for t, m in enumerate(self._models)}
        names = None
        if flag(clusters, "clusters") and not self._by:
            raise InvalidArgument("nothing was counted by group; name the column of patients or documents with by=")
        if clusters:
            texts = np.array([", ".join("missing" if v is None else v for v in g) for g in self._groups])
            names = texts[repeat(cells.group[keep], times)]
        return Predictions.from_codes(
            truth, answers, self._labels, group=names, positive=positive, missing=missing, notes=self._said(missing)
        )

    def _said(self, missing: Missing) -> list[str]:
        """Notes on what is in no prediction; an answer that is missing is told by `Predictions`."""
        whole = one_of(missing, POLICIES, "missing") == "exclude"
        told = [aside for aside in self._set_aside if whole or "answer" not in aside.reason]
        return [*self.notes, *(f"Set aside: {aside}." for aside in told)]

    def _model(self, model: str | None) -> int:
        if model is None:
            if len(self._models) > 1:
                raise InvalidArgument(f"there are several classifiers, {listing(self._models)}; choose one with model=")
            return 0
        if not isinstance(model, str) or model not in self._models:
            raise UnknownClassifier(model, self._models)
        return self._models.index(model)

    def _in_group(self, group: Any) -> NDArray[np.bool_]:
        """Which cells are of the group asked for."""
        if group is None:
            return np.ones(len(self._cells.cases), dtype=bool)
        if not self._by:
            raise InvalidArgument("nothing was counted by group; name the columns of groups with by=")
        if getattr(group, "ndim", 0) or isinstance(group, type):
            raise InvalidArgument(f"a group is a value, one for each column of by=, or a mapping; not {excerpt(group)}")
        if isinstance(group, Mapping):
            odd = [c for c in group if c not in self._by]
            if odd:
                raise InvalidArgument(f"no column of groups {excerpt(odd[0])}; there are {listing(self._by)}")
            wanted = {self._by.index(c): label_text(v) for c, v in group.items()}
        else:
            values = list(group) if isinstance(group, tuple | list) else [group]
            if len(values) != len(self._by):
                raise InvalidArgument(f"a group is one value for each of {listing(self._by)}, not {excerpt(group)}")
            wanted = {i: label_text(v) for i, v in enumerate(values)}
        fits = np.array([all(g[i] == v for i, v in wanted.items()) for g in self._groups], dtype=bool)
        if not fits.any():
            known = listing(" / ".join("missing" if v is None else v for v in g) for g in self._groups)
            raise InvalidArgument(f"no case is in the group {excerpt(group)}; there are {known}")
        return np.asarray(fits[self._cells.group])

    def _order(self, labels: Sequence[object] | None) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """Classes of a matrix, and the place of each of ours among them."""
        if not len(self._cells.cases):
            raise InvalidLabels(f"no case was counted of {several(self._read, 'row')} read")
        if labels is None:
            return self._labels, np.arange(len(self._labels))
        names = label_texts(labels)
        odd = [name for name in self._labels if name not in set(names)]
        if odd:
            raise InvalidLabels(f"the class {excerpt(odd[0])} occurs and is not among labels {listing(names)}")
        where = {name: i for i, name in enumerate(names)}
        return names, np.array([where[name] for name in self._labels])

    # -- as a value -----------------------------------------------------------------------------------------

    def __add__(self, other: object) -> Counts:
        """Cases of both: batches of a stream, shards, days. Classes and groups are matched by name."""
        if not isinstance(other, Counts):
            return NotImplemented
        for what, ours, theirs in (("classifiers", self.models, other.models), ("groups", self.by, other.by)):
            if ours != theirs:
                raise InvalidArgument(f"counts with different {what} do not add up: {listing(ours)}; {listing(theirs)}")
        if self._paired != other._paired:
            raise InvalidArgument("counts of pairs and counts of single answers do not add up; count both with id=")
        labels = in_order({*self._labels, *other._labels})
        groups = tuple(dict.fromkeys((*self._groups, *other._groups)))
        parts = [c._cells.moved(_places(c._labels, labels), _places(c._groups, groups)) for c in (self, other)]
        aside: dict[str, SetAside] = {}
        for one in (*self._set_aside, *other._set_aside):
            before = aside.get(one.reason, SetAside(one.reason, 0))
            aside[one.reason] = SetAside(one.reason, before.rows + one.rows, (*before.examples, *one.examples)[:3])
        return Counts(
            CountedCells.joined(parts),
            labels=labels,
            models=self._models,
            by=self._by,
            groups=groups,
            read=self._read + other._read,
            set_aside=list(aside.values()),
            paired=self._paired,
            notes=tuple(dict.fromkeys((*self._notes, *other._notes))),
            weighted=self._weighted or other._weighted,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        names = np.array([*self._labels, ""], dtype=object)
        cells, models = self._cells, self._models
        rows = zip(
            names[cells.truth].tolist(),
            map(tuple, names[cells.answers].tolist()),
            (self._groups[g] for g in cells.group.tolist()),
            (models[m] if m >= 0 else "" for m in cells.model.tolist()),
            cells.cases.tolist(),
            strict=True,
        )
        return (self._by, self._models, self._paired, self._read, frozenset(rows))

    def __str__(self) -> str:
        return "\n".join([repr(self)[1:-1], *self._said("exclude")])

    def _repr_html_(self) -> str:
        said = "".join(f"<li>{escape(visible(line))}</li>" for line in self._said("exclude"))
        head = f"<p>{escape(repr(self)[1:-1])}</p>{f'<ul>{said}</ul>' if said else ''}"
        if not self.n:
            return head
        shown = self._models[:MOST_SHOWN]
        tables = (f"<p>{escape(plain(m))}</p>{self.confusion(model=m)._repr_html_()}" for m in shown)
        rest = len(self._models) - len(shown)
        return head + "".join(tables) + (f"<p>and {several(rest, 'more classifier')}</p>" if rest else "")

    def __repr__(self) -> str:
        groups = f", {several(len(self._groups), 'group')}" if self._by else ""
        aside = sum(a.rows for a in self._set_aside)
        return (
            f"<Counts: {several(self.n, 'case')} of {several(self._read, 'row')} read, "
            f"{several(len(self._labels), 'class')}, "
            f"classifiers {listing(self._models, 8)}{groups}{f', {integer(aside)} set aside' if aside else ''}>"
        )


def _places(ours: Sequence[Any], all_: Sequence[Any]) -> NDArray[np.int64]:
    where = {name: i for i, name in enumerate(all_)}
    return np.array([where[name] for name in ours], dtype=np.int64)


def _matrix(
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    counts: NDArray[np.int64],
    names: Sequence[str],
    positive: object | None,
) -> ConfusionMatrix:
    if len(names) < 2:
        raise InvalidLabels(
            f"all answers are {listing(map(excerpt, names))}; name the other classes with labels=, two at the least"
        )
    return ConfusionMatrix.from_cells(rows, columns, counts, labels=names, positive=positive)
