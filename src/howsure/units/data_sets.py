"""Classifiers over several data sets: counts of the same cases, or of a test set each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, UnknownClassifier, excerpt, listing
from howsure.metrics import Asked, parse
from howsure.numerics.arrays import Booleans, Floats
from howsure.units.site_counts import counted_pair, named_sites, refuse_shared_cases

WANTED = (
    "data sets by name, each the Predictions of both classifiers or {classifier: (k, n)}; or Predictions whose groups "
    "are the data sets"
)

#: Cases added for the covariance of scores, half right and half wrong: no score is certain.
ADDED = 2.0


@dataclass(frozen=True, eq=False)
class AtDataSets:
    """Counts of T classifiers on each of S data sets.

    Attributes
    ----------
    names : tuple of str
        The data sets.
    classifiers : tuple of str
    metric : str
        The share of right answers.
    right, n : ndarray, shape (S, T)
        Right answers and cases.
    both : ndarray, shape (S, T, T), or None
        Cases that two have right; None where each has a test set of its own.
    notes : tuple of str
    """

    names: tuple[str, ...]
    classifiers: tuple[str, ...]
    metric: str
    right: Floats
    n: Floats
    both: Floats | None = None
    notes: tuple[str, ...] = ()

    @property
    def paired(self) -> bool:
        """Whether all answered the same cases."""
        return self.both is not None

    @property
    def shares(self) -> Floats:
        """Observed shares of right answers, shape (S, T)."""
        return np.asarray(self.right / self.n)

    @property
    def cover(self) -> Floats:
        """Covariance of the shares within data sets, shape (S, T, T)."""
        each = np.eye(len(self.classifiers))
        if self.both is None:
            k, n = self.right, self.n
            own = (k + ADDED / 2) * (n - k + ADDED / 2) / (n + ADDED) ** 2 / n
            return np.asarray(own[:, :, None] * each)
        n = self.n[:, :1, None]
        apart = self.both / n - self.shares[:, :, None] * self.shares[:, None]
        return np.asarray((n * apart + ADDED / 4 * each) / (n + ADDED) / n)

    # -- of two ---------------------------------------------------------------------------------------------

    @property
    def cells(self) -> Floats:
        """Cases that both, only the first, only the second and neither have right, shape (S, 4); of paired ones."""
        assert self.both is not None
        both, (a, b), n = self.both[:, 0, 1], self.right.T, self.n[:, 0]
        return np.stack((both, a - both, b - both, n - a - b + both), axis=1)

    @property
    def rates(self) -> tuple[Floats, Floats]:
        """Counts k and n, (S, 2), whose probabilities are those of two rates."""
        if not self.paired:
            return self.right, self.n
        cells = self.cells
        apart = cells[:, 1] + cells[:, 2]
        return np.stack((apart, cells[:, 1]), axis=1), np.stack((self.n[:, 0], apart), axis=1)

    @property
    def observed(self) -> Floats:
        """Difference of the shares that were seen."""
        return np.asarray(self.shares[:, 0] - self.shares[:, 1])


def counts_at_data_sets(
    sites: Any, metric: Asked | None, call: Literal["compare_over", "rank_over"], a: str | None = None,
    b: str | None = None,
) -> AtDataSets:  # fmt: skip
    """Take counts from what `compare_over` takes, of two classifiers, or `rank_over`, of all; see there.

    Raises
    ------
    InvalidArgument, InvalidLabels, InvalidCounts, UnknownClassifier
        No data set, a classifier that one of them has not, a metric that is no share of right answers, a case in two
        data sets, counts that are none, a data set without cases to count.
    """
    given = _data_sets_by_name(sites, call)
    whole = isinstance(given, Predictions)
    each = {"": given} if isinstance(given, Predictions) else given
    there = {name: [*map(str, x.names if isinstance(x, Predictions) else x)] for name, x in each.items()}
    first = next(iter(there.values()))
    names = _two(first, a, b) if call == "compare_over" else tuple(first)
    for name, here in there.items():
        for one in names if call == "compare_over" else ():
            _known(one, here, None if whole else name)
        if call == "rank_over" and (odd := set(here) ^ set(first)):
            raise InvalidLabels(
                f"data set {excerpt(name)} has other classifiers than the first one "
                f"({listing(map(excerpt, sorted(odd)))}); ranks need all of them on every data set. Leave out the data "
                "set, or the classifier"
            )
    if isinstance(given, Predictions) or isinstance(next(iter(given.values())), Predictions):
        return _of_cases(given, names, metric)
    if metric is not None and not isinstance(metric, str):
        raise InvalidArgument("of pairs (k, n), metric= is what to call the share, a text")
    pairs = [
        [counted_pair(x[one], f"classifier {excerpt(one)} in data set {excerpt(name)}", least=1) for one in names]
        for name, x in given.items()
    ]
    k, n = np.moveaxis(np.array(pairs, dtype=float), 2, 0)
    return AtDataSets(tuple(given), names, metric or "accuracy", k, n)


def _of_cases(given: Predictions | dict[str, Any], names: tuple[str, ...], metric: Asked | None) -> AtDataSets:
    """Counts of classifiers that answered the same cases."""
    parts: dict[str, tuple[Predictions, Booleans]]
    if isinstance(given, Predictions):
        chosen, shown = _chosen_cases(given, metric)
        texts = np.array([str(x) for x in np.asarray(given.group).tolist()], dtype=object)
        parts = {name: (given, chosen & (texts == name)) for name in dict.fromkeys(texts.tolist())}
        notes = given.notes
    else:
        refuse_shared_cases(given, "data set")
        counted = {name: _chosen_cases(x, metric) for name, x in given.items()}
        parts, shown = {name: (x, counted[name][0]) for name, x in given.items()}, next(iter(counted.values()))[1]
        notes = tuple(f"{name}: {note}" for name, x in given.items() for note in x.notes)
    both = []
    for name, (cases, chosen) in parts.items():
        if not chosen.any():
            raise InvalidCounts(f"no case to count {shown} from in data set {excerpt(name)}; leave it out")
        hits = np.stack([cases.answers(x)[chosen] == cases.truth[chosen] for x in names], axis=1).astype(float)
        both.append(hits.T @ hits)  # counts are whole, so that their products are exact however they are added
    table = np.array(both)
    n = np.array([[chosen.sum()] * len(names) for _, chosen in parts.values()], dtype=float)
    return AtDataSets(tuple(parts), names, shown, np.diagonal(table, axis1=1, axis2=2).copy(), n, table, notes)


def _data_sets_by_name(sites: Any, call: str) -> Predictions | dict[str, Any]:
    """Predictions with groups as they are, or data sets by name: all of cases, or all of counts."""
    if isinstance(sites, Predictions):
        if sites.group is None:
            raise InvalidArgument(f"no data set is known of these cases; {call}() takes {WANTED}")
        return sites
    if not isinstance(sites, Mapping) or not sites:
        raise InvalidArgument(f"{call}() takes {WANTED}; not {excerpt(sites)}")
    given = named_sites(sites, call, "data set")
    kind = Predictions if isinstance(next(iter(given.values())), Predictions) else Mapping
    for name, x in given.items():
        if not isinstance(x, kind) or not isinstance(x, Predictions | Mapping):
            raise InvalidArgument(f"data set {excerpt(name)} is {excerpt(x)}; {call}() takes {WANTED}")
    return given


def _chosen_cases(cases: Predictions, metric: Asked | None) -> tuple[NDArray[np.bool_], str]:
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


def _two(known: Sequence[str], a: str | None, b: str | None) -> tuple[str, str]:
    if a is None and b is None:
        if len(known) != 2:
            raise InvalidArgument(f"{len(known)} classifiers, {listing(map(excerpt, known))}; say which two: a=, b=")
        return known[0], known[1]
    if not isinstance(a, str) or not isinstance(b, str):
        raise InvalidArgument("a= and b= name two classifiers; give both, or none where there are two")
    if a == b:
        raise InvalidArgument(f"a and b are the same classifier, {excerpt(a)}")
    return a, b


def _known(one: str, names: Sequence[str], where: str | None) -> None:
    if one in names:
        return
    if where is None or not names:
        raise UnknownClassifier(one, names)
    raise InvalidLabels(
        f"data set {excerpt(where)} has no answers of {excerpt(one)}; it has {listing(map(excerpt, names))}. Leave the "
        "data set out, or compare classifiers that all data sets have"
    )
