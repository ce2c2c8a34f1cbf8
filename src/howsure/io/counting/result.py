"""What `howsure.count` gives: cells with a count, by group, and an account of every row that is not in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.case_columns import POLICIES, Missing
from howsure.data.confusion import ConfusionMatrix
from howsure.data.counts import summed
from howsure.data.groups import Groups
from howsure.data.labels import alike, in_order, label_text, label_texts
from howsure.data.predictions import Predictions
from howsure.data.refusals import say
from howsure.data.slices import Slices, slice_names
from howsure.errors import InvalidArgument, InvalidLabels, UnknownClassifier, listing, visible
from howsure.errors.arguments import flag, one_of
from howsure.numerics.arrays import Integers, repeat
from howsure.text.formats import cell, integer, plain, several

Group = tuple[str | None, ...]

#: Classifiers whose counts a notebook shows.
MOST_SHOWN = 3
#: Cases that are held one by one.
MOST_PREDICTIONS = 200_000_000


class CountedCells(NamedTuple):
    """Cells that are not empty, one a row.

    Parameters
    ----------
    truth : ndarray, shape (C,)
        Place of the true class among the labels.
    answers : ndarray, shape (C, M)
        Place of each answer; -1 where it is missing. One column where classifiers are counted apart.
    group, model : ndarray, shape (C,)
        Place of the group; of the classifier where they are counted apart, else -1.
    cases : ndarray, shape (C,)
    """

    truth: Integers
    answers: Integers
    group: Integers
    model: Integers
    cases: Integers

    @classmethod
    def of(cls, truth: Integers, answers: Integers, group: Integers, model: Integers, cases: Integers) -> CountedCells:
        """Cells that come again are added up; empty ones go."""
        keys, total = summed([truth, *answers.T, group, model], cases)
        return cls(keys[0], np.stack(keys[1:-2], axis=1), keys[-2], keys[-1], total)

    @classmethod
    def joined(cls, parts: Sequence[CountedCells]) -> CountedCells:
        """All cells of several parts."""
        return cls.of(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def moved(self, labels: Integers, groups: Integers) -> CountedCells:
        """Codes by another list of labels and of groups."""
        table = np.append(labels, -1)
        return self._replace(truth=table[self.truth], answers=table[self.answers], group=groups[self.group])


class SetAside(NamedTuple):
    """Rows that were read and not counted: why, how many, and where some of them are."""

    reason: str
    rows: int
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f" ({'; '.join(self.examples)})" if self.examples else ""
        return f"{several(self.rows, 'row')}: {self.reason}{where}"


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
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
        Sentences on what else was done, and on classes whose names are nearly the same.
    cells : CountedCells
        Cells that are not empty: codes of truth, answers, group and model, and counts.
    paired : bool
        Whether the answers of all classifiers to one case are known together.
    weighted : bool
        Whether rows count by a weight, so that there may be more cases than rows.
    said : tuple of str
        The notes without those on names.

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

    cells: CountedCells
    labels: tuple[str, ...]
    models: tuple[str, ...]
    by: tuple[str, ...]
    groups: tuple[Group, ...]
    read: int
    set_aside: tuple[SetAside, ...]
    paired: bool
    said: tuple[str, ...]
    weighted: bool

    def __post_init__(self) -> None:
        for array in self.cells:
            array.setflags(write=False)

    @property
    def n(self) -> int:
        """Cases counted."""
        return int(self.cells.cases[self._complete].sum())

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what else was done, and on classes whose names are nearly the same."""
        return tuple(dict.fromkeys((*self.said, *alike(self.labels))))

    @property
    def _complete(self) -> NDArray[np.bool_]:
        return np.asarray((self.cells.answers >= 0).all(axis=1))

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
        answers, there = self._of(self._model(model))
        names, place = self._order(labels)
        keep = np.flatnonzero(there & self._in_group(group))
        cells = self.cells
        (rows, columns), total = summed([place[cells.truth[keep]], place[answers[keep]]], cells.cases[keep])
        if len(names) < 2:
            raise InvalidLabels(say("one_class", names))
        return ConfusionMatrix.from_cells(rows, columns, total, labels=names, positive=positive)

    def _of(self, model: int) -> tuple[Integers, NDArray[np.bool_]]:
        """Answers of one classifier, and which cells are of it and complete."""
        cells = self.cells
        answers = cells.answers[:, model if self.paired else 0]
        return answers, self._complete & ((cells.model == model) | self.paired)

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
        if not self.paired and len(self.models) > 1:
            raise InvalidArgument(say("counted_apart", len(self.models)))
        keep = np.flatnonzero(self._in_group(group))
        cells, times = self.cells, self.cells.cases[keep]
        if times.sum() > MOST_PREDICTIONS:
            raise InvalidArgument(say("too_many", int(times.sum()), "cases", MOST_PREDICTIONS))
        truth = repeat(cells.truth[keep].astype(np.int32), times)
        answers = {m: repeat(cells.answers[keep, t].astype(np.int32), times) for t, m in enumerate(self.models)}
        names = None
        if flag(clusters, "clusters") and not self.by:
            raise InvalidArgument(say("no_groups"))
        if clusters:
            texts = np.array([", ".join("missing" if v is None else v for v in g) for g in self.groups])
            names = texts[repeat(cells.group[keep], times)]
        return Predictions.from_codes(
            truth, answers, self.labels, group=names, positive=positive, missing=missing, notes=self._account(missing)
        )

    def _account(self, missing: Missing) -> list[str]:
        """Notes on what is in no prediction; an answer that is missing is told by `Predictions`."""
        whole = one_of(missing, POLICIES, "missing") == "exclude"
        told = [aside for aside in self.set_aside if whole or "answer" not in aside.reason]
        return [*self.notes, *(f"Set aside: {aside}." for aside in told)]

    def _model(self, model: str | None) -> int:
        if model is None:
            if len(self.models) > 1:
                raise InvalidArgument(say("choose", "classifiers", self.models, "model="))
            return 0
        if not isinstance(model, str) or model not in self.models:
            raise UnknownClassifier(model, self.models)
        return self.models.index(model)

    def _in_group(self, group: Any) -> NDArray[np.bool_]:
        if group is None:
            return np.ones(len(self.cells.cases), dtype=bool)
        if not self.by:
            raise InvalidArgument(say("no_groups"))
        if getattr(group, "ndim", 0) or isinstance(group, type):
            raise InvalidArgument(say("not_a", "group", "a value, one for each column of by=, or a mapping", group))
        if isinstance(group, Mapping):
            odd = [c for c in group if c not in self.by]
            if odd:
                raise InvalidArgument(say("absent", "column of groups", odd[0], self.by))
            wanted = {self.by.index(c): label_text(v) for c, v in group.items()}
        else:
            values = list(group) if isinstance(group, tuple | list) else [group]
            if len(values) != len(self.by):
                raise InvalidArgument(say("not_a", "group", f"one value for each of {listing(self.by)}", group))
            wanted = {i: label_text(v) for i, v in enumerate(values)}
        fits = np.array([all(g[i] == v for i, v in wanted.items()) for g in self.groups], dtype=bool)
        if not fits.any():
            known = listing(" / ".join("missing" if v is None else v for v in g) for g in self.groups)
            raise InvalidArgument(say("absent", "group", group, known))
        return np.asarray(fits[self.cells.group])

    def _order(self, labels: Sequence[object] | None) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        if not len(self.cells.cases):
            raise InvalidLabels(say("none_counted", self.read, ""))
        if labels is None:
            return self.labels, np.arange(len(self.labels))
        names = label_texts(labels)
        odd = [name for name in self.labels if name not in set(names)]
        if odd:
            raise InvalidLabels(say("outside", odd[0], names))
        where = {name: i for i, name in enumerate(names)}
        return names, np.array([where[name] for name in self.labels])

    # -- as a value -----------------------------------------------------------------------------------------

    def __add__(self, other: object) -> Counts:
        """Cases of both: batches of a stream, shards, days. Classes and groups are matched by name."""
        if not isinstance(other, Counts):
            return NotImplemented
        for what, ours, theirs in (("classifiers", self.models, other.models), ("groups", self.by, other.by)):
            if ours != theirs:
                raise InvalidArgument(say("not_added", what, ours, theirs))
        if self.paired != other.paired:
            raise InvalidArgument(say("not_added", "pairing (count both with id=)", self.paired, other.paired))
        labels = in_order({*self.labels, *other.labels})
        groups = tuple(dict.fromkeys((*self.groups, *other.groups)))
        parts = [c.cells.moved(_places(c.labels, labels), _places(c.groups, groups)) for c in (self, other)]
        aside: dict[str, SetAside] = {}
        for one in (*self.set_aside, *other.set_aside):
            before = aside.get(one.reason, SetAside(one.reason, 0))
            aside[one.reason] = SetAside(one.reason, before.rows + one.rows, (*before.examples, *one.examples)[:3])
        said = tuple(dict.fromkeys((*self.said, *other.said)))
        read, weighted = self.read + other.read, self.weighted or other.weighted
        cells, asides = CountedCells.joined(parts), tuple(aside.values())
        return Counts(cells, tuple(labels), self.models, self.by, groups, read, asides, self.paired, said, weighted)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        names = np.array([*self.labels, ""], dtype=object)
        cells, models = self.cells, self.models
        rows = zip(
            names[cells.truth].tolist(),
            map(tuple, names[cells.answers].tolist()),
            (self.groups[g] for g in cells.group.tolist()),
            (models[m] if m >= 0 else "" for m in cells.model.tolist()),
            cells.cases.tolist(),
            strict=True,
        )
        return (self.by, self.models, self.paired, self.read, frozenset(rows))

    def __str__(self) -> str:
        return "\n".join([repr(self)[1:-1], *self._account("exclude")])

    def _repr_html_(self) -> str:
        said = "".join(f"<li>{escape(visible(line))}</li>" for line in self._account("exclude"))
        head = f"<p>{escape(repr(self)[1:-1])}</p>{f'<ul>{said}</ul>' if said else ''}"
        if not self.n:
            return head
        shown = self.models[:MOST_SHOWN]
        tables = (f"<p>{escape(plain(m))}</p>{self.confusion(model=m)._repr_html_()}" for m in shown)
        rest = len(self.models) - len(shown)
        return head + "".join(tables) + (f"<p>and {several(rest, 'more classifier')}</p>" if rest else "")

    def __repr__(self) -> str:
        groups = f", {several(len(self.groups), 'group')}" if self.by else ""
        aside = sum(a.rows for a in self.set_aside)
        return (
            f"<Counts: {several(self.n, 'case')} of {several(self.read, 'row')} read, "
            f"{several(len(self.labels), 'class')}, "
            f"classifiers {listing(self.models, 8)}{groups}{f', {integer(aside)} set aside' if aside else ''}>"
        )


def _places(ours: Sequence[Any], all_: Sequence[Any]) -> NDArray[np.int64]:
    where = {name: i for i, name in enumerate(all_)}
    return np.array([where[name] for name in ours], dtype=np.int64)


# -- to other forms -----------------------------------------------------------------------------------------


def counts_csv(counts: Counts) -> str:
    r"""Counts as CSV, one cell of a matrix a line: groups, the classifier where there are several, true, pred, count.

    Examples
    --------
    >>> import howsure as hs
    >>> print(counts_csv(hs.count(y_true=["a", "b", "b"], y_pred=["a", "a", "b"])), end="")
    true,pred,count
    a,a,1
    b,a,1
    b,b,1
    """
    several = len(counts.models) > 1
    header = [*counts.by, *(["model"] if several else []), "true", "pred", "count"]
    lines = [",".join(map(cell, header))]
    cells = counts.cells
    labels = [cell(label) for label in counts.labels]
    for m, model in enumerate(counts.models):
        answers, there = counts._of(m)
        keys = [cells.group[there], cells.truth[there], answers[there]]
        (group, true, pred), total = summed(keys, cells.cases[there])
        for g, t, p, n in zip(group.tolist(), true.tolist(), pred.tolist(), total.tolist(), strict=True):
            about = [cell("" if v is None else v) for v in counts.groups[g]]
            lines.append(",".join([*about, *([cell(model)] if several else []), labels[t], labels[p], str(n)]))
    return "\n".join(lines) + "\n"


def slices_of(counts: Counts, model: str | None = None, *, positive: object | None = None) -> Slices:
    """The slices of counts by the values of their columns of groups.

    Examples
    --------
    >>> from howsure import count
    >>> cases = {"t": [0, 1, 1], "p": [0, 1, 0], "os": ["a", "a", "b"]}
    >>> made = slices_of(count(cases, y_true="t", y_pred="p", by="os"))
    >>> made.names, made.correct.tolist()
    (('a', 'b'), [2, 0])
    """
    if not counts.by:
        raise InvalidArgument(say("no_groups"))
    (answers, kept), cells = counts._of(counts._model(model)), counts.cells
    made = Groups.of(
        slice_names(counts.groups), len(counts.labels), cells.group[kept], cells.truth[kept], answers[kept],
        cells.cases[kept], empty=True,
    )  # fmt: skip
    return Slices._of_cells(made, counts.confusion(model=model, positive=positive), by=counts.by)


def held_slices(slices: Any, call: str) -> Slices:
    """Slices of whatever holds them: themselves, counts by group, or a confusion matrix for each.

    Examples
    --------
    >>> from howsure.data.confusion import ConfusionMatrix
    >>> held_slices({"a": ConfusionMatrix([[3, 1], [0, 2]])}, "slice_report").names
    ('a',)
    """
    if isinstance(slices, Counts):
        return slices_of(slices)
    if isinstance(slices, Slices):
        return slices
    if isinstance(slices, Mapping):
        return Slices(slices)
    raise InvalidArgument(
        say("not_a", f"the argument of {call}()", "Slices, Counts or a mapping of confusion matrices", slices)
    )
