"""Cells of class by stratum and their weights: the balanced accuracy that no second variable can buy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.errors.arguments import number, one_of
from howsure.laws import BetaSum, Law, LearnedSum
from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.populations.population import Population
from howsure.posterior.priors import LearnedPrior, Prior

#: What is done about a class without a case in a stratum.
EMPTY_CELLS = ("keep", "drop", "error")


@dataclass(frozen=True, eq=False)
class StratumCells:
    """Right cases, cases and weight of every class in every stratum, shape (K, S) each; made by `of`.

    Attributes
    ----------
    k, n : ndarray
    weight : ndarray
        They add to 1, and to 1/K in each class.
    left : ndarray of bool
        Cells without a case that left the estimand.
    """

    k: Integers
    n: Integers
    weight: Floats
    left: Booleans

    @classmethod
    def of(cls, slices: Slices, weights: Any, empty: Any) -> StratumCells:
        """The cells of slices, and their weights.

        Examples
        --------
        >>> made = StratumCells.of(Slices.from_predictions([0, 0, 1], [0, 1, 1], by=["a", "b", "b"]), "equal", "drop")
        >>> made.weight.tolist()
        [[0.25, 0.25], [0.0, 0.5]]
        """
        one_of(empty, EMPTY_CELLS, "empty")
        tallies = [slices.tally(label) for label in slices.labels]
        k, n = (np.stack(column) for column in zip(*tallies, strict=True))
        share = _shares(slices, weights)
        weight = np.tile(share, (len(n), 1))
        bare = (n == 0) & (weight > 0)
        for label, cells in zip(slices.labels, (n > 0) & (weight > 0), strict=True):
            if not cells.any():
                raise NoInformation(
                    f"class {excerpt(label)} has no case in any stratum that has a weight, so nothing is known of its "
                    "recall; leave the class out, or give weight to a stratum where it occurs"
                )
        if bare.any() and empty == "error":
            named = listing((f"{excerpt(slices.labels[i])} in {excerpt(slices.names[j])}" for i, j in _places(bare)), 5)
            raise InvalidArgument(
                f"there is no case of {named}; with empty 'keep' the prior stands for these recalls, with 'drop' the "
                "other strata of the class do"
            )
        left = bare & (empty == "drop")
        weight[left] = 0.0
        weight /= weight.sum(axis=1, keepdims=True) * len(weight)
        return cls(k, n, weight, left)

    @property
    def empty(self) -> Booleans:
        """Cells without a case that have a weight, shape (K, S)."""
        return np.asarray((self.n == 0) & (self.weight > 0))

    @property
    def observed(self) -> float:
        """Weighted mean of the observed recalls, cells without a case left out."""
        seen = np.where(self.n > 0, self.weight, 0.0)
        rates = self.k / np.maximum(self.n, 1)
        return float(((seen * rates).sum(axis=1) / seen.sum(axis=1)).mean())

    def law(self, prior: Prior, recall: float | None = None) -> Law:
        """Law of the weighted sum of recalls."""
        known = self.weight > 0 if recall is None else (self.weight > 0) & ~self.empty
        rest = 0.0 if recall is None else recall * float(self.weight[self.empty].sum())
        used = np.where(known, self.weight, 0.0)
        if isinstance(prior, LearnedPrior):
            parts = [(Population(k, n), w) for k, n, w in zip(self.k, self.n, used, strict=True)]
            learned = LearnedSum(parts)
            return learned + rest if rest else learned
        a, b = (self.k + prior.a)[known], (self.n - self.k + prior.b)[known]
        if min(a.min(), b.min()) <= 0:
            raise NoInformation(
                f"prior {prior.name} adds no case, and a class in a stratum has none, or only right or only wrong "
                "ones, so there is no posterior; use prior 'flat' or 'jeffreys'"
            )
        exact = BetaSum(a, b, used[known])
        return exact + rest if rest else exact


def _shares(slices: Slices, weights: Any) -> Floats:
    """Share of each stratum, the same for all classes, shape (S,)."""
    if not isinstance(weights, Mapping):
        one_of(weights, ("equal", "pooled"), "weights, unless it is a mapping of every stratum to a number,")
        cases = slices.cases.astype(float)
        if not cases.sum():
            raise NoInformation("there is no case in any stratum")
        return np.full(len(slices), 1 / len(slices)) if weights == "equal" else np.asarray(cases / cases.sum())
    others = [name for name in weights if name not in slices.names]
    missing = [name for name in slices.names if name not in weights]
    if others or missing:
        wrong = f"{excerpt(others[0])} is no stratum" if others else f"{excerpt(missing[0])} has no weight"
        raise InvalidArgument(
            f"{wrong}; weights name each of the strata {listing(map(excerpt, slices.names), 8)}, and a stratum "
            "that does not count gets 0"
        )
    given = np.array([number(weights[name]) for name in slices.names])
    if not (np.isfinite(given) & (given >= 0)).all() or not 0 < given.sum() < np.inf:
        raise InvalidArgument(
            "weights of strata are numbers of 0 or more, one of them above 0, in any unit: only proportions matter"
        )
    return np.asarray(given / given.sum())


def _places(cells: Booleans) -> list[tuple[int, int]]:
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(cells), strict=True)]
