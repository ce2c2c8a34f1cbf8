"""Any number of classifiers over several data sets: their scores, and how surely each is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, excerpt, listing
from howsure.metrics import Asked
from howsure.numerics.arrays import Floats
from howsure.units.site_counts import refuse_shared_cases
from howsure.units.two_at_sites import chosen_cases, counted, data_sets_by_name

__all__ = ["ManyAtSites", "many_at_sites"]

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
        chosen, shown = chosen_cases(given, metric)
        assert given.group is not None
        texts = np.array([str(x) for x in given.group.tolist()], dtype=object)
        parts = {name: (given, chosen & (texts == name)) for name in dict.fromkeys(texts.tolist())}
        return _of_cases(parts, given.names, shown, given.notes)
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
        refuse_shared_cases(given, "data set")
        found = {name: chosen_cases(x, metric) for name, x in given.items()}
        parts = {name: (x, found[name][0]) for name, x in given.items()}
        notes = tuple(f"{name}: {note}" for name, x in given.items() for note in x.notes)
        return _of_cases(parts, names, next(iter(found.values()))[1], notes)
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
