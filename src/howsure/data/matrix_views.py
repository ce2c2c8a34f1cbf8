"""Other views of the same cases: turned, joined, some of them, of two matrices; or why there is no such view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from howsure.data.count_checks import LARGEST_COUNT
from howsure.data.folds import Folds, folds_together, refuse_passes, refuse_uneven_rows
from howsure.data.groups import Groups, together
from howsure.data.labels import label_texts, merged_labels
from howsure.data.matrix_makers import Held
from howsure.data.refusals import say
from howsure.data.sparse_counts import Cells, Counted
from howsure.data.verdicts import Verdicts, verdicts_of_table
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, excerpt, listing
from howsure.errors.arguments import one_of
from howsure.numerics.arrays import Floats, Integers
from howsure.text.formats import integer, several

__all__ = ["added", "all_passes", "merged", "one_and_rest", "shares", "subset", "turned"]


def _refuse_unlabelled(verdicts: Verdicts | None, so: str) -> None:
    """Refuse a view that needs the truth of every case."""
    if verdicts is not None:
        rest, n = integer(int(verdicts.unlabelled.sum())), several(verdicts.n, "case")
        known = f"the truth of {rest} of {n} is not known" if rest != "0" else "not every verdict can be true"
        raise InvalidArgument(f"{known}, so {so}")


def turned(held: Held) -> Held:
    """Truth and prediction exchanged."""
    so = "truth and prediction cannot be exchanged; orientation= turns a table on its way in"
    _refuse_unlabelled(held.verdicts, so)
    refuse_passes(held.folds, "an exchange of truth and prediction")
    return Held(held.cells.turned(), held.labels, groups=held.groups and held.groups.turned(), folds=held.folds)


def shares(counts: Counted, verdicts: Verdicts | None, by: str) -> Floats:
    """Shares of each row ("true"), of each column ("pred"), or of all."""
    one_of(by, ("true", "pred", "all"), "by")
    _refuse_unlabelled(verdicts, "shares of the labelled cases are not those of all; infer() of this matrix has them")
    total = counts.sum(axis={"true": 1, "pred": 0, "all": None}[by], keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(counts / total)


def merged(held: Held, groups: Mapping[str, Sequence[str]], index: Callable[[str], int]) -> Held:
    """Classes joined under new names."""
    names, place = merged_labels(held.labels, groups, index)
    if held.verdicts is not None:
        return _regrouped(held.verdicts, held.labels, [names[i] for i in place])
    return _moved(held, place, names)


def one_and_rest(held: Held, i: int) -> Held:
    """Two classes: not number ``i``, and number ``i``."""
    name = held.labels[i]
    names = (f"not {name}", name)
    if held.verdicts is not None:
        if i >= held.verdicts.truths:
            raise InvalidLabels(f"{excerpt(name)} is a verdict only, and no true class")
        return _regrouped(held.verdicts, held.labels, [names[j == i] for j in range(len(held.labels))], names)
    place = [int(j == i) for j in range(len(held.labels))]
    if held.folds is not None:
        return _moved(held, place, names)
    cells = held.cells
    hit, size, called = (int(sums[i]) for sums in (cells.diagonal, cells.row_sums, cells.column_sums))
    n = held.n
    table = Cells.of_table(np.array([[n - size - called + hit, called - hit], [size - hit, hit]]))
    return Held(table, names, groups=held.groups and held.groups.moved(place, 2))


def subset(held: Held, labels: Sequence[str], index: Callable[[str], int]) -> Held:
    """The cases whose truth and prediction are among some classes."""
    _refuse_unlabelled(held.verdicts, "no subset can be taken; merge() joins the classes that are not wanted")
    refuse_passes(held.folds, "a subset")
    names = label_texts([labels] if isinstance(labels, str) else labels)
    keep = [index(label) for label in names]
    if len(names) < 2:
        raise InvalidCounts("a confusion matrix needs two or more classes; the subset has one")
    place = np.full(len(held.labels), -1)
    place[keep] = np.arange(len(keep))
    return _moved(held, place, names)


def added(one: Held, other: Held) -> Held:
    """All cases of both; classes, and verdicts, are matched by name.

    Raises
    ------
    InvalidLabels
        Other classes or true classes, an audit and none, or verdicts in another order.
    InvalidCounts
        Too many cases.
    InvalidArgument
        Only one of them has groups; not as many passes of a cross-validation in both.
    """
    if set(one.labels) != set(other.labels):
        odd = sorted(set(one.labels) ^ set(other.labels))
        raise InvalidLabels(f"matrices with different classes cannot be added; only one of them has {listing(odd)}")
    if sum(held.n for held in (one, other)) > LARGEST_COUNT:
        raise InvalidCounts(f"the counts add up to more than 2**53 - 1 = {LARGEST_COUNT}")
    at = {label: i for i, label in enumerate(one.labels)}
    place = [at[label] for label in other.labels]
    groups, folds = together(one.groups, other.groups, place), folds_together(one.folds, other.folds)
    if one.verdicts is None and other.verdicts is None:
        return Held(one.cells.plus(other.cells.moved(place, len(place))), one.labels, groups=groups, folds=folds)
    first, second = _as_verdicts(one, other), _as_verdicts(other, one)
    (truths, here), (rows, there) = first, second
    if set(truths) != set(rows):
        odd = [excerpt(name) for name in sorted(set(truths) ^ set(rows))]
        raise InvalidLabels(say("unlike_truths", odd))
    if here.audit != there.audit:
        raise InvalidLabels("an audit cannot be added to cases that have not the verdicts of its judge")
    if here.order and there.order and here.order != there.order:
        orders = " and ".join(excerpt(", ".join(each.order or ())) for each in (here, there))
        raise InvalidLabels(f"the verdicts have two orders, {orders}; choose one")
    columns: list[Any] = list(dict.fromkeys([*here.columns, *there.columns]))
    table = np.zeros((len(truths), len(columns)), dtype=np.int64)
    rest = np.zeros(len(columns), dtype=np.int64)
    for names, verdicts in (first, second):
        row = np.array([truths.index(name) for name in names])
        where = np.array([columns.index(each) for each in verdicts.columns])
        table[np.ix_(row, where)] += verdicts.labelled
        rest[where] += verdicts.unlabelled
    return Held(*verdicts_of_table(table, truths, columns, rest.tolist(), here.order or there.order, turned=False))


def _moved(held: Held, place: Sequence[int] | Integers, names: tuple[str, ...]) -> Held:
    """Class i becomes ``names[place[i]]``, or goes where that is -1; the groups of its cases as well."""
    groups: Groups | None = held.groups and held.groups.moved(place, len(names))
    return Held(held.cells.moved(place, len(names)), names, groups=groups, folds=held.folds)


def all_passes(passes: Sequence[Held], many: int) -> Held:
    """All passes of a cross-validation of the same cases, each of one matrix or several; counts divided by ``many``.

    Raises
    ------
    InvalidArgument
        Not whole passes, cases without a truth, in groups, or of several passes already.
    InvalidCounts
        Passes that test other numbers of cases.
    """
    if len(passes) % many and len(passes) != 1:
        raise InvalidArgument(f"{len(passes)} matrices are not {many} whole passes, as many matrices in each")
    for held in passes:
        refuse_passes(held.folds, "a pass")
        if held.verdicts is not None or held.groups is not None:
            raise InvalidArgument("passes of a cross-validation are of cases with a truth each, and in no groups")
    total = reduce(added, passes)
    sizes, each = total.cells.row_sums, max(1, len(passes) // many)
    if len(passes) == 1:
        if np.any(sizes % many):
            i = int(np.flatnonzero(sizes % many)[0])
            raise InvalidCounts(say("uneven_class", total.labels[i], several(int(sizes[i]), "test"), many))
    else:
        parts = [reduce(added, passes[k : k + each]) for k in range(0, len(passes), each)]
        places = [np.array([part.labels.index(name) for name in total.labels]) for part in parts]
        rows = [part.cells.row_sums[place] for part, place in zip(parts, places, strict=True)]
        refuse_uneven_rows(rows, total.labels, [f"pass {k + 1}" for k in range(len(parts))])
    trained = 0 if len(passes) == many or len(passes) == 1 else len(passes)
    return Held(total.cells.divided(many), total.labels, folds=Folds(trained, many))


def _as_verdicts(held: Held, like: Held) -> tuple[tuple[str, ...], Verdicts]:
    """True classes and cases by verdict; an ordinary matrix has the true classes of the other, unless it has more."""
    if held.verdicts is not None:
        return held.labels[: held.verdicts.truths], held.verdicts
    there = like.verdicts
    assert there is not None  # one of two has verdicts
    counts = held.cells.table()
    sizes = dict(zip(held.labels, counts.sum(axis=1).tolist(), strict=True))
    truths = like.labels[: there.truths]
    truths = (*truths, *(name for name in held.labels if sizes[name] and name not in truths))
    # of grades and right or wrong answers the true classes are no columns
    calls = dict(zip(held.labels, counts.sum(axis=0).tolist(), strict=True))
    names = tuple(name for name in held.labels if name in there.names or calls[name])
    place = np.array([held.labels.index(name) for name in names])
    rows = [held.labels.index(name) for name in truths]
    return truths, Verdicts(len(truths), names, place, counts[rows][:, place], 0 * place)


def _regrouped(
    verdicts: Verdicts, labels: Sequence[str], into: Sequence[str], truths: Sequence[str] | None = None
) -> Held:
    """The matrix whose classes have new names, some of them the same; an order stays where no verdicts are joined."""
    of_truth = into[: verdicts.truths]
    truths = list(dict.fromkeys(of_truth)) if truths is None else truths
    if len(truths) < 2:
        raise InvalidCounts("a confusion matrix needs two or more true classes; the groups leave one")
    new = dict(zip(labels, into, strict=True))
    columns: list[Any] = [new[labels[at]] for at in verdicts.column]
    if verdicts.audit:
        columns = [(said, new.get(judged, judged)) for said, judged in zip(columns, verdicts.judged, strict=True)]
    kept = list(dict.fromkeys(columns))
    place = np.array([kept.index(each) for each in columns])
    row = np.array([truths.index(name) for name in of_truth])
    table = np.zeros((len(truths), len(kept)), dtype=np.int64)
    np.add.at(table, (row[:, None], place[None, :]), verdicts.labelled)
    rest = np.zeros(len(kept), dtype=np.int64)
    np.add.at(rest, place, verdicts.unlabelled)
    order = None
    if verdicts.order is not None and len(kept) == len(columns):
        order = [kept[place[verdicts.names.index(name)]] for name in verdicts.order]
    return Held(*verdicts_of_table(table, truths, kept, rest.tolist(), order, turned=False))
