"""Algorithms by their scores in the same folds of a cross-validation, where any two training sets share cases.

A matrix says how good fitted classifiers are. Whether an algorithm is better than another one is asked of its scores in
several folds. These are not independent, because any two training sets overlap: a t-test that does not know of it
finds differences where there are none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.errors.arguments import number
from howsure.knowledge.protocol import Ask, Asked, Knowledge, Measured, Of
from howsure.laws import Law, Linear
from howsure.laws.transformed import Student
from howsure.numerics.arrays import Floats
from howsure.text.formats import several

#: Key of the scores in what scikit-learn's ``cross_validate`` gives.
SCORE = "test_score"


class FoldScores(Knowledge):
    """Scores of algorithms in the same splits: differences are Student's, with the variance of overlapping splits.

    Examples
    --------
    >>> known = FoldScores({"A": [0.82, 0.85, 0.80, 0.88], "B": [0.80, 0.84, 0.80, 0.85]}, folds=4)
    >>> round(known.law(Of("score", "A") - Of("score", "B"), Ask()).mean, 3)
    0.015
    """

    unit, usual_kind = "split", "hdi"

    def __init__(self, scores: Mapping[str, Any], *, folds: int | None = None, test_share: float | None = None) -> None:
        self._scores = {name: _scores(values, name) for name, values in scores.items()}
        sizes = {name: len(values) for name, values in self._scores.items()}
        if len(set(sizes.values())) > 1:
            has = listing(f"{name} has {many}" for name, many in sizes.items())
            raise InvalidArgument(f"all algorithms need a score in every split; {has}")
        self._many = min(sizes.values())
        self._folds, self._share = _share(self._many, folds, test_share)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._scores)

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("score",)

    @property
    def about(self) -> str:
        how = f"{several(self._many // self._folds, 'pass')} of {self._folds} folds" if self._folds else "splits"
        return (
            f"{self._many} scores ({how}), whose correlation is taken to be {self._share:.3g}, the share of the cases "
            "that one of them tests."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            "The Bayesian correlated t-test (Nadeau and Bengio 2003; Corani and Benavoli 2015), exact. It is about "
            "algorithms on data of this kind and size, not about one fitted classifier; no estimate of the variance "
            "of a cross-validation is unbiased (Bengio and Grandvalet 2004).",
            *(
                f"{excerpt(name)} has the same score in every split; how much it varies is not known."
                for name, values in self._scores.items()
                if np.ptp(values) == 0
            ),
        )

    def measured(self, metric: str) -> Measured:
        return Measured("score", "score", "higher", (-math.inf, math.inf))

    def size(self, name: str) -> int:
        return self._many

    def seen(self, asked: Of) -> float:
        return float(self._scores[asked.name].mean())

    @property
    def _factor(self) -> float:
        return 1 / self._many + self._share / (1 - self._share)

    def law(self, asked: Asked, ask: Ask) -> Law:
        first = self._scores[asked.name if isinstance(asked, Of) else asked.a.name]
        values = first if isinstance(asked, Of) else first - self._scores[asked.b.name]
        spread = float(values.var(ddof=1))
        # means of equal numbers differ by rounding
        if spread <= 1e-24 * max(1.0, float(np.abs(first).max()) ** 2):
            if isinstance(asked, Of):
                return Linear(shift=float(values[0]))
            raise NoInformation(
                f"{asked.a.name} - {asked.b.name} is {values[0]:g} in every split, so the scores say nothing of how "
                "much it varies; compare the answers case by case instead (howsure.compare)"
            )
        return Student(self._many - 1, float(values.mean()), math.sqrt(self._factor * spread))

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        scores = np.stack([self._scores[it.name] for it in asked])
        cover = np.atleast_2d(self._factor * np.cov(scores))
        shocks = rng.multivariate_normal(np.zeros(len(asked)), cover, count)
        scale = np.sqrt((self._many - 1) / rng.chisquare(self._many - 1, count))
        return np.asarray(scores.mean(axis=1) + shocks * scale[:, None])


def _scores(given: Any, what: str) -> Floats:
    """Scores as numbers, from an array or from what ``cross_validate`` gives."""
    if isinstance(given, Mapping):
        keys = [key for key in given if str(key).startswith("test_")]
        if SCORE not in given and len(keys) != 1:
            held = listing(map(str, given)) if given else "nothing"
            raise InvalidArgument(f"{what} has no {SCORE!r} of cross_validate; it holds {held}. Give one list")
        given = given[SCORE if SCORE in given else keys[0]]
    try:
        values = np.array(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{what} are scores, one number for each split, not {excerpt(given)}") from None
    if values.ndim != 1 or len(values) < 2:
        raise InvalidArgument(f"{what} are scores of two splits or more, one number each; not shape {values.shape}")
    if not np.isfinite(values).all():
        raise InvalidArgument(f"score {int(np.argmin(np.isfinite(values))) + 1} of {what} is missing or infinite")
    return values


def _share(count: int, folds: int | None, test_share: float | None) -> tuple[int, float]:
    """Folds of a pass (0 if unknown), and the share of the cases that one split tests."""
    if (folds is None) == (test_share is None):
        raise InvalidArgument(
            "say how the cases were split: folds= of one pass of a k-fold cross-validation, or test_share= of each "
            "split; one of the two"
        )
    if test_share is not None:
        if not 0 < number(test_share) < 1:
            raise InvalidArgument(f"test_share= lies between 0 and 1, not {excerpt(test_share)}")
        return 0, float(test_share)
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise InvalidArgument(f"folds= is an integer, 2 or more; not {excerpt(folds)}")
    if count % folds:
        raise InvalidArgument(f"{count} scores are not whole passes of {folds} folds")
    return folds, 1 / folds
