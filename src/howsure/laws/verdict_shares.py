"""What is known of a class from many verdicts and few labels: a share, an accuracy, the judge's own rates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from howsure.laws.computed_law import EXACT, EstimatedLaw, in_words
from howsure.laws.draw_settings import SEED, generator
from howsure.numerics.arrays import Floats
from howsure.numerics.verdicts.density_law import TwoVerdicts
from howsure.numerics.verdicts.share_law import GammaFactors, RatioNumbers, ShareNumbers

__all__ = ["VerdictRatio", "VerdictShare"]

#: Least parameter of two verdicts from which and up to which their law is a double integral.
LEAST_ROUGH, ROUGH = 0.4, 4.0


class VerdictShare(EstimatedLaw):
    """Law of ``sum_v q_v (w_v0 r_v + w_v1 (1 - r_v))``: q Dirichlet over verdicts, r_v independent Betas.

    Parameters
    ----------
    masses : array_like, shape (V,)
        Parameters of the Dirichlet of the shares of the verdicts, above 0.
    a, b : array_like, shape (V,)
        Beta parameters of the share of the class among the cases of each verdict, above 0.
    weights : array_like, shape (V, 2), optional
        What a case is worth, for each verdict, if it is of the class and if it is not; (1, 0) for every verdict
        makes the number the share of the class. With (0, 1) for one of two verdicts it is the judge's accuracy.

    Raises
    ------
    ValueError
        Lengths that differ, and parameters that are not above 0: a verdict about which nothing is known.

    Notes
    -----
    Labels that are missing at random given the verdict (Little and Rubin) leave both factors independent. Mean and sd
    are closed; every probability is one of a sum of independent terms (`howsure.numerics.verdicts.share_law`).

    Examples
    --------
    2,000 verdicts, 1,400 of them "pass", of which 72 and 28 were checked:

    >>> law = VerdictShare([1401, 601], [65.5, 6.5], [7.5, 22.5])
    >>> low, high = law.interval(kind="central")
    >>> round(law.mean, 4), round(low, 4), round(high, 4), law.route
    (0.6952, 0.626, 0.7615, 'exact')
    """

    def __init__(self, masses: ArrayLike, a: ArrayLike, b: ArrayLike, weights: ArrayLike | None = None) -> None:
        self._factors = _factors(masses, a, b)
        count = len(self._factors.masses)
        self._weights = np.tile([1.0, 0.0], (count, 1)) if weights is None else np.array(weights, dtype=float)
        if self._weights.shape != (count, 2) or not np.isfinite(self._weights).all():
            raise ValueError(f"weights must be numbers of shape ({count}, 2); they have {self._weights.shape}")

    @cached_property
    @in_words()
    def _numbers(self) -> ShareNumbers | TwoVerdicts:
        two = self._of_two_rough()
        return ShareNumbers(self._factors, self._weights) if two is None or two.residual > EXACT else two

    def _of_two_rough(self) -> TwoVerdicts | None:
        """Two verdicts, one of them with (nearly) no label of one kind: a sum of Gammas takes long there."""
        masses, a, b = self._factors.masses, self._factors.a, self._factors.b
        if len(masses) != 2 or np.sort(self._weights).tolist() != [[0, 1], [0, 1]]:
            return None
        if not LEAST_ROUGH <= min(a.min(), b.min()) <= ROUGH:
            return None
        first, second = (
            (float(b[v]), float(a[v])) if self._weights[v, 0] == 0 else (float(a[v]), float(b[v])) for v in (0, 1)
        )
        return TwoVerdicts((float(masses[0]), float(masses[1])), first, second)

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing shares and rates."""
        q, r = _drawn(self._factors, n, seed)
        return np.asarray((q * (self._weights[:, 1] + (self._weights[:, 0] - self._weights[:, 1]) * r)).sum(axis=1))

    def __repr__(self) -> str:
        return f"<VerdictShare: {len(self._weights)} verdicts, mean {self.mean:.4g}, sd {self.sd:.2g}>"


class VerdictRatio(EstimatedLaw):
    """Law of ``sum_v part_v q_v r_v / sum_v q_v r_v``: which verdicts the cases of a class were given.

    Parameters
    ----------
    masses, a, b : array_like, shape (V,)
        As for `VerdictShare`.
    part : array_like, shape (V,)
        From 0 to 1: 1 for the verdicts that are counted. The judge's recall is that of its own verdict; its
        specificity is the same law of the other verdict with ``a`` and ``b`` exchanged.

    Raises
    ------
    ValueError
        Lengths that differ, parameters that are not above 0, parts outside [0, 1].

    Notes
    -----
    The correction for partial verification of Begg and Greenes (1983), as a posterior.

    Examples
    --------
    Drum and Christacopoulos (1972), where 344 of 650 scans were verified:

    >>> law = VerdictRatio([430, 222], [231.5, 27.5], [32.5, 54.5], part=[1, 0])
    >>> low, high = law.interval(kind="central")
    >>> round(low, 3), round(high, 3), law.route
    (0.786, 0.881, 'exact')
    """

    def __init__(self, masses: ArrayLike, a: ArrayLike, b: ArrayLike, part: ArrayLike) -> None:
        self._factors = _factors(masses, a, b)
        self._part = np.atleast_1d(np.array(part, dtype=float))
        if self._part.shape != self._factors.masses.shape or not ((self._part >= 0) & (self._part <= 1)).all():
            raise ValueError("part must be a number from 0 to 1 for every verdict")

    @cached_property
    def _numbers(self) -> RatioNumbers:
        return RatioNumbers(self._factors, self._part)

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing shares and rates."""
        q, r = _drawn(self._factors, n, seed)
        return np.asarray(((q * r) @ self._part) / (q * r).sum(axis=1))

    def __repr__(self) -> str:
        return f"<VerdictRatio: {len(self._part)} verdicts, mean {self.mean:.4g}, sd {self.sd:.2g}>"


def _factors(masses: ArrayLike, a: ArrayLike, b: ArrayLike) -> GammaFactors:
    arrays = [np.atleast_1d(np.array(x, dtype=float)) for x in (masses, a, b)]
    if arrays[0].ndim != 1 or not len(arrays[0]) or any(x.shape != arrays[0].shape for x in arrays):
        raise ValueError(f"masses, a and b must be of one length; got {', '.join(str(x.shape) for x in arrays)}")
    if not all(bool(((x > 0) & np.isfinite(x)).all()) for x in arrays):
        raise ValueError("masses and the parameters a and b of every verdict must be above 0")
    return GammaFactors(*arrays)


def _drawn(factors: GammaFactors, n: int, seed: int | Sequence[int]) -> tuple[Floats, Floats]:
    rng = generator(n, seed)
    return rng.dirichlet(factors.masses, n), rng.beta(factors.a, factors.b, (n, len(factors.a)))
