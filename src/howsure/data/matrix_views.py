"""Other views of the same cases: turned, joined, some of them, of two matrices; or why there is no such view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import numpy as np

from howsure.data.count_checks import LARGEST_COUNT
from howsure.data.folds import Folds, folds_together, refuse_passes, refuse_uneven_rows
from howsure.data.groups import Groups, together
from howsure.data.labels import label_texts, merged_labels
from howsure.data.matrix_makers import Held
from howsure.data.refusals import say
from howsure.data.sparse_counts import Cells, Counted
from howsure.data.verdicts import Verdicts
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, listing
from howsure.errors.arguments import one_of
from howsure.numerics.arrays import Floats, Integers
from howsure.text.formats import integer, several


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
    _refuse_unlabelled(held.verdicts, "no classes can be joined; join them in the cases, before they are counted")
    names, place = merged_labels(held.labels, groups, index)
    return _moved(held, place, names)


def one_and_rest(held: Held, i: int) -> Held:
    """Two classes: not number ``i``, and number ``i``."""
    _refuse_unlabelled(held.verdicts, "no classes can be joined; join them in the cases, before they are counted")
    name = held.labels[i]
    names = (f"not {name}", name)
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
    """All cases of both; classes are matched by name."""
    for held in (one, other):
        _refuse_unlabelled(held.verdicts, "it cannot be added to another; count the cases of both together")
    if set(one.labels) != set(other.labels):
        odd = sorted(set(one.labels) ^ set(other.labels))
        raise InvalidLabels(f"matrices with different classes cannot be added; only one of them has {listing(odd)}")
    if sum(held.n for held in (one, other)) > LARGEST_COUNT:
        raise InvalidCounts(f"the counts add up to more than 2**53 - 1 = {LARGEST_COUNT}")
    at = {label: i for i, label in enumerate(one.labels)}
    place = [at[label] for label in other.labels]
    groups, folds = together(one.groups, other.groups, place), folds_together(one.folds, other.folds)
    return Held(one.cells.plus(other.cells.moved(place, len(place))), one.labels, groups=groups, folds=folds)


def _moved(held: Held, place: Sequence[int] | Integers, names: tuple[str, ...]) -> Held:
    """Class i becomes ``names[place[i]]``, or goes where that is -1; the groups of its cases as well."""
    groups: Groups | None = held.groups and held.groups.moved(place, len(names))
    return Held(held.cells.moved(place, len(names)), names, groups=groups, folds=held.folds)


def all_passes(passes: Sequence[Held], many: int) -> Held:
    """All passes of a cross-validation of the same cases, each of one matrix or several; counts divided by ``many``."""
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
