"""Metrics that ask only who is right: joint draws of all classifiers on the same cases, and exact answers for pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from howsure.laws import Law, Linear
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.draws.paired_tables import HitPatterns
from howsure.numerics.draws.rank_matching import matched
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior
from howsure.posterior.paired_rows import two_coins

__all__ = ["JointRates", "pair_law"]


@dataclass(frozen=True, eq=False)
class JointRates:
    """A measure that is ``shift + sum_i w_i r_i`` of rates of right answers r_i: accuracy, recalls, and their means.

    Attributes
    ----------
    joint : PairedPosterior
        The classifiers.
    weights : ndarray, shape (K,) or None
        Weights of the recalls; None for the accuracy, one coin a case.
    factor, shift : float
        What the weighted rate is multiplied by, and a constant.
    measure : Measure
        The measure.
    """

    joint: PairedPosterior
    weights: Floats | None
    factor: float
    shift: float
    measure: Measure

    @classmethod
    def of(cls, joint: PairedPosterior, measure: Measure) -> JointRates | None:
        """Find the rates in a measure; None where it asks for more than right or wrong."""
        if joint.known_prevalence is None and measure.twin.metric.name in ("accuracy", "error_rate"):
            up = measure.twin.metric.name == "accuracy"
            return cls(joint, None, 1.0 if up else -1.0, 0.0 if up else 1.0, measure)
        found = joint.weights_of(measure)
        return None if found is None else cls(joint, found[0], 1.0, found[1], measure)

    @property
    def hits(self) -> NDArray[np.bool_]:
        """Whether each classifier is right on each case that the measure is about, shape (T, n)."""
        truth = self.joint.predictions.truth
        about = slice(None) if self.weights is None else self.weights[truth] != 0
        return np.array([self.joint.predictions.answers(name)[about] == truth[about] for name in self.joint.names])

    def draws(self, n: int, seed: int) -> Floats:
        """Joint draws, shape (T, n).

        Learned, two are drawn by what was learned about how they differ; of more, each has the law that it has alone,
        and what they have in common is that of the patterns.
        """
        if self.weights is None:
            return self.shift + self.factor * self._of_class(None).rates(n, [seed, 0])
        if self.joint.learned and len(self.joint.names) == 2:
            return self.shift + self.joint.pair(*self.joint.names).rates(self.weights, n, [seed, 0])
        total = np.full((len(self.joint.names), n), self.shift)
        for i in np.flatnonzero(self.weights).tolist():
            total += self.weights[i] * self._of_class(i).rates(n, [seed, 0, i])
        if self.joint.learned:
            margins = (self.joint.margin_of(t, self.measure, n, seed) for t in range(len(total)))
            return np.array([matched(x, margin) for x, margin in zip(total, margins, strict=True)])
        return total

    def replays(self, cases: int, n: int, seed: int) -> Floats:
        """Values of the accuracy on ``cases`` new cases, the same for all, shape (T, n)."""
        return self.shift + self.factor * self._of_class(None).replays(n, cases, [seed, 1])

    def replayed(self, n: int, seed: int) -> Floats:
        """The true values that `replays` replays, draw by draw, shape (T, n)."""
        return self.shift + self.factor * self._of_class(None).rates(n, [seed, 1])

    def exceedance(self) -> Floats | None:
        """P(entry i has the larger rate than entry j), shape (T, T), exact for the accuracy.

        I_1/2(n01 + q, n10 + q) with n10 cases that only i has right, n01 only j, and q pseudo-counts of either.
        """
        if self.weights is not None:
            return None
        right = self.hits.astype(float)
        only = right @ (1 - right).T
        q = float(two_coins(*self.joint.prior.coin)[1])
        above = betainc(only.T + q, only + q, 0.5)
        # the incomplete Beta function leaves a rounding of 1e-16, and more than one half is a win
        above[only == only.T] = 0.5
        return np.asarray(above if self.factor > 0 else above.T)

    @cached_property
    def _patterns(self) -> tuple[NDArray[np.int32], NDArray[np.bool_], NDArray[np.int64]]:
        truth, answers, counts = self.joint.predictions.patterns(*self.joint.names)
        return truth, answers == truth[:, None], counts

    def _of_class(self, index: int | None) -> HitPatterns:
        """Patterns of right and wrong of one true class, or of all cases."""
        truth, hit, counts = self._patterns
        prior = self.joint.prior
        if index is not None:
            hit, counts = hit[truth == index], counts[truth == index]
        distinct, of_pattern = np.unique(np.packbits(hit, axis=1), axis=0, return_inverse=True)
        right = np.unpackbits(distinct, axis=1, count=hit.shape[1]).astype(float)
        together = bincount(of_pattern.ravel(), counts, len(distinct)).astype(float)
        return HitPatterns(right, together, *(prior.coin if index is None else (prior.a, prior.b)))


def pair_law(joint: PairedPosterior, measure: Measure, first: str, second: str) -> Law | None:
    """Law of the difference of two of the classifiers; None where it would be drawn."""
    if joint.learned:
        return None
    pair = joint.of_these([first, second])
    one, other = (knowledge_of(pair[name]).exact_law(measure) for name in (first, second))
    return one - other if isinstance(one, Linear) and isinstance(other, Linear) else None
