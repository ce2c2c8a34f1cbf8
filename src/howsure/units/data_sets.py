"""Classifiers over several data sets: counts of the same cases, or of a test set each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.count_checks import LARGEST_COUNT
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, UnknownClassifier, excerpt, listing
from howsure.metrics import Asked, parse
from howsure.numerics.arrays import Floats
from howsure.units.site_counts import refuse_shared_cases

__all__ = ["ManyAtSites", "TwoAtSites", "counted", "many_at_sites", "two_at_sites"]

WANTED = (
    "data sets by name, each the Predictions of both classifiers or {classifier: (k, n)}; or Predictions whose groups "
    "are the data sets"
)


@dataclass(frozen=True, eq=False)
class TwoAtSites:
    """Counts of two classifiers on each of S data sets.

    Attributes
    ----------
    names : tuple of str
        The data sets.
    a, b : str
        The classifiers.
    metric : str
        The share of right answers that is compared.
    paired : bool
        Whether both answered the same cases.
    cells : ndarray, shape (S, 4)
        Paired: cases that both, only A, only B and neither have right. Else right answers and cases of A, then of B.
    notes : tuple of str
    """

    names: tuple[str, ...]
    a: str
    b: str
    metric: str
    paired: bool
    cells: Floats
    notes: tuple[str, ...] = ()

    @property
    def rates(self) -> tuple[Floats, Floats]:
        """Counts k and n, (S, 2), whose probabilities are those of two rates."""
        c = self.cells
        if self.paired:
            apart = c[:, 1] + c[:, 2]
            return np.stack((apart, c[:, 1]), axis=1), np.stack((c.sum(axis=1), apart), axis=1)
        return c[:, [0, 2]], c[:, [1, 3]]

    @property
    def cases(self) -> tuple[Floats, Floats]:
        """Cases of A and of B."""
        if self.paired:
            return self.cells.sum(axis=1), self.cells.sum(axis=1)
        return self.cells[:, 1], self.cells[:, 3]

    @property
    def right(self) -> tuple[Floats, Floats]:
        """Right answers of A and of B."""
        c = self.cells
        return (c[:, 0] + c[:, 1], c[:, 0] + c[:, 2]) if self.paired else (c[:, 0], c[:, 2])

    @property
    def observed(self) -> Floats:
        """Difference of the shares that were seen."""
        (n, m), (k, j) = self.cases, self.right
        return np.asarray(k / n - j / m)


def two_at_sites(sites: Any, a: str | None, b: str | None, metric: Asked | None) -> TwoAtSites:
    """Take counts from what `compare_over` takes; see there.

    Raises
    ------
    InvalidArgument, InvalidLabels, InvalidCounts, UnknownClassifier
        No data set, a classifier that one of them has not, a metric that is no share of right answers, a case in two
        data sets, counts that are none, a data set without cases to count.
    """
    given = data_sets_by_name(sites, "compare_over")
    if not isinstance(given, Predictions) and not isinstance(next(iter(given.values())), Predictions):
        return _of_counts(given, a, b, metric)
    parts, shown, notes = _cases_by_set(given, metric)
    a, b = _named(next(iter(parts.values()))[0].names, a, b)
    for name, (cases, _) in parts.items():
        for one in (a, b):
            _known(one, cases.names, None if isinstance(given, Predictions) else name)
    rows = [_four(cases, a, b, chosen, name, shown) for name, (cases, chosen) in parts.items()]
    return TwoAtSites(tuple(parts), a, b, shown, True, np.array(rows, dtype=float), notes)


def _cases_by_set(
    given: Predictions | dict[str, Any], metric: Asked | None
) -> tuple[dict[str, tuple[Predictions, NDArray[np.bool_]]], str, tuple[str, ...]]:
    """Cases of each data set and which of them count, the name of their share of right answers, and notes."""
    if isinstance(given, Predictions):
        assert given.group is not None
        chosen, shown = chosen_cases(given, metric)
        texts = np.array([str(x) for x in given.group.tolist()], dtype=object)
        parts = {name: (given, chosen & (texts == name)) for name in dict.fromkeys(texts.tolist())}
        return parts, shown, given.notes
    refuse_shared_cases(given, "data set")
    found = {name: (x, *chosen_cases(x, metric)) for name, x in given.items()}
    notes = tuple(f"{name}: {note}" for name, x in given.items() for note in x.notes)
    return {name: it[:2] for name, it in found.items()}, next(iter(found.values()))[2], notes


def data_sets_by_name(sites: Any, call: str) -> Predictions | dict[str, Any]:
    """Predictions with groups as they are, or data sets by name: all of cases, or all of counts."""
    if isinstance(sites, Predictions):
        if sites.group is None:
            raise InvalidArgument(f"no data set is known of these cases; {call}() takes {WANTED}")
        return sites
    if not isinstance(sites, Mapping) or not sites:
        raise InvalidArgument(f"{call}() takes {WANTED}; not {excerpt(sites)}")
    given = {str(name): x for name, x in sites.items()}
    if len(given) < len(sites) or not all(name.strip() for name in given):
        raise InvalidArgument(f"{call}() needs a name of its own for every data set, none of them blank")
    kind = Predictions if isinstance(next(iter(given.values())), Predictions) else Mapping
    for name, x in given.items():
        if not isinstance(x, kind) or not isinstance(x, Predictions | Mapping):
            raise InvalidArgument(f"data set {excerpt(name)} is {excerpt(x)}; {call}() takes {WANTED}")
    return given


def chosen_cases(cases: Predictions, metric: Asked | None) -> tuple[NDArray[np.bool_], str]:
    """Which cases count, and the name of their share of right answers."""
    measure = parse("accuracy" if metric is None else metric, cases.labels, cases.confusion(cases.names[0]).positive)
    name, i = measure.metric.name, measure.index
    if name == "accuracy" and not measure.parameters:
        return np.ones(cases.n, dtype=bool), measure.name
    if name == "recall" and i is not None:
        return np.asarray(cases.truth == i), measure.name
    if name == "specificity" and i is not None and len(cases.labels) == 2:
        return np.asarray(cases.truth != i), measure.name
    raise InvalidArgument(
        f"over data sets a share of right answers is compared, and {excerpt(measure.name)} is none; take accuracy, or "
        "recall@ and the name of a class"
    )


def _four(cases: Predictions, a: str, b: str, chosen: NDArray[np.bool_], name: str, shown: str) -> list[int]:
    if not chosen.any():
        raise InvalidCounts(f"no case to count {shown} from in data set {excerpt(name)}; leave it out")
    one, two = (cases.answers(x)[chosen] == cases.truth[chosen] for x in (a, b))
    return [int(x.sum()) for x in (one & two, one & ~two, ~one & two, ~one & ~two)]


def _of_counts(given: dict[str, Any], a: str | None, b: str | None, metric: Asked | None) -> TwoAtSites:
    if metric is not None and not isinstance(metric, str):
        raise InvalidArgument("of pairs (k, n), metric= is what to call the share, a text")
    a, b = _named(list(next(iter(given.values()))), a, b)
    rows = []
    for name, table in given.items():
        row: list[int] = []
        for one in (a, b):
            _known(one, list(table), name)
            row += counted(table[one], f"classifier {excerpt(one)} in data set {excerpt(name)}")
        rows.append(row)
    return TwoAtSites(tuple(given), a, b, metric or "accuracy", False, np.array(rows, dtype=float))


def counted(pair: Any, whose: str) -> tuple[int, int]:
    """Right answers and cases, of which there is one at least."""
    if not isinstance(pair, tuple | list | np.ndarray) or len(pair) != 2:
        raise InvalidArgument(f"{whose} is {excerpt(pair)}; give a pair (k, n): k right answers to n cases")
    k, n = pair
    whole = all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in (k, n))
    if not whole or not 0 <= k <= n <= LARGEST_COUNT or n < 1:
        raise InvalidCounts(f"{whose} has {excerpt(k)} of {excerpt(n)}; two integers with 0 <= k <= n, n from 1")
    return int(k), int(n)


def _named(names: Any, a: str | None, b: str | None) -> tuple[str, str]:
    known = list(names)
    if a is None and b is None:
        if len(known) != 2:
            raise InvalidArgument(f"{len(known)} classifiers, {listing(map(excerpt, known))}; say which two: a=, b=")
        return str(known[0]), str(known[1])
    if not isinstance(a, str) or not isinstance(b, str):
        raise InvalidArgument("a= and b= name two classifiers; give both, or none where there are two")
    if a == b:
        raise InvalidArgument(f"a and b are the same classifier, {excerpt(a)}")
    return a, b


def _known(one: str, names: Any, where: str | None) -> None:
    if one in names:
        return
    if where is None or not any(True for _ in names):
        raise UnknownClassifier(one, list(names))
    raise InvalidLabels(
        f"data set {excerpt(where)} has no answers of {excerpt(one)}; it has {listing(map(excerpt, names))}. Leave the "
        "data set out, or compare classifiers that all data sets have"
    )


#: Cases added for the covariance of scores, half right and half wrong: no score is certain.
ADDED = 2.0


@dataclass(frozen=True, eq=False)
class ManyAtSites:
    """Counts of T classifiers on each of S data sets.

    Attributes
    ----------
    names : tuple of str
        The data sets.
    classifiers : tuple of str
    metric : str
        The share of right answers.
    paired : bool
        Whether all answered the same cases.
    right, n : ndarray, shape (S, T)
        Right answers and cases.
    cover : ndarray, shape (S, T, T)
        Covariance of the shares within data sets.
    notes : tuple of str
    """

    names: tuple[str, ...]
    classifiers: tuple[str, ...]
    metric: str
    paired: bool
    right: Floats
    n: Floats
    cover: Floats
    notes: tuple[str, ...] = ()


def many_at_sites(sites: Any, metric: Asked | None) -> ManyAtSites:
    """Take counts from what `rank_over` takes; see there.

    Raises
    ------
    InvalidArgument, InvalidLabels, InvalidCounts
        As of `compare_over`.
    """
    given = data_sets_by_name(sites, "rank_over")
    if isinstance(given, Predictions):
        parts, shown, notes = _cases_by_set(given, metric)
        return _of_cases(parts, given.names, shown, notes)
    first = next(iter(given.values()))
    names = tuple(map(str, first.names if isinstance(first, Predictions) else first))
    for name, x in given.items():
        here = set(x.names if isinstance(x, Predictions) else x)
        if here != set(names):
            odd = listing(map(excerpt, sorted(map(str, here ^ set(names)))))
            raise InvalidLabels(
                f"data set {excerpt(name)} has other classifiers than the first one ({odd}); ranks need all of them on "
                "every data set. Leave out the data set, or the classifier"
            )
    if isinstance(first, Predictions):
        parts, shown, notes = _cases_by_set(given, metric)
        return _of_cases(parts, names, shown, notes)
    if metric is not None and not isinstance(metric, str):
        raise InvalidArgument("of pairs (k, n), metric= is what to call the share, a text")
    pairs = [
        [counted(x[one], f"classifier {excerpt(one)} in data set {excerpt(name)}") for one in names]
        for name, x in given.items()
    ]
    k, n = np.moveaxis(np.array(pairs, dtype=float), 2, 0)
    own = (k + ADDED / 2) * (n - k + ADDED / 2) / (n + ADDED) ** 2 / n
    cover = own[:, :, None] * np.eye(len(names))
    return ManyAtSites(tuple(given), names, metric or "accuracy", False, k, n, cover)


def _of_cases(
    parts: Mapping[str, tuple[Predictions, Any]], names: tuple[str, ...], shown: str, notes: tuple[str, ...]
) -> ManyAtSites:
    right, sizes, cover = [], [], []
    for name, (cases, chosen) in parts.items():
        if not chosen.any():
            raise InvalidCounts(f"no case to count {shown} from in data set {excerpt(name)}; leave it out")
        hits = np.stack([cases.answers(x)[chosen] == cases.truth[chosen] for x in names], axis=1).astype(float)
        n = len(hits)
        share = hits.mean(axis=0)
        # counts are whole, so that their products are exact however they are added
        both = (hits.T @ hits) / n - share[:, None] * share
        right.append(hits.sum(axis=0))
        sizes.append([n] * len(names))
        cover.append((n * both + ADDED / 4 * np.eye(len(names))) / (n + ADDED) / n)
    k, n_each, apart = (np.array(x, dtype=float) for x in (right, sizes, cover))
    return ManyAtSites(tuple(parts), names, shown, True, k, n_each, apart, notes)
