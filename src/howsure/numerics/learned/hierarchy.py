"""The learned prior: how good a typical class is, and how unlike classes are, come from the data.

    theta_i | a, b, kappa ~ Beta(mu_i kappa, (1 - mu_i) kappa),    logit mu_i = a + b t_i

with the hyperprior of `howsure.numerics.learned.evidence`. Given the hyperparameters all recalls are independent Betas
(conjugacy), so everything about them is a mixture over the nodes of one box.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.evidence import Tallies, size_scores
from howsure.numerics.learned.hyperparameters import HyperparameterDraws, hyperparameter_box
from howsure.numerics.learned.recall_sums import FittedMixture, Summands, mixture_from_moments, sum_moments

__all__ = ["LearnedRecalls", "LearnedSummary"]

#: Nodes with less probability are left out of a law.
LEAST = 1e-10

#: Least concentration that is drawn; smaller ones give the same 0 or 1.
FLOOR = 1e-200

#: Which recalls, if none are chosen.
ALL = slice(None)

#: Recalls drawn at a time.
BLOCK = 1_000_000


@dataclass(frozen=True)
class LearnedSummary:
    """What was learned: posterior means of the typical recall, of rho = 1/(1 + kappa) and of the slope b."""

    recall: float
    correlation: float
    slope: float


class LearnedRecalls:
    """Joint posterior of the recalls of K classes under the learned prior.

    Parameters
    ----------
    k, n : array_like, shape (K,)
        Right answers and cases of each class; ``0 <= k <= n``. A class without cases takes part as the smallest
        tested class would.
    nodes : (int, int, int), optional
        Nodes in log kappa, b and a; by default enough for 1e-3 standard deviations.

    Raises
    ------
    ValueError
        Shapes that differ, or ``k`` outside ``0..n``.

    Examples
    --------
    >>> recalls = LearnedRecalls([30, 3, 8], [32, 4, 10])
    >>> law = recalls.mixture_of([1 / 3, 1 / 3, 1 / 3])
    >>> round(law.mean, 3), round(law.sd, 3)
    (0.808, 0.074)
    """

    def __init__(self, k: ArrayLike, n: ArrayLike, *, nodes: tuple[int, int, int] | None = None) -> None:
        self.k, self.n = np.array(k, dtype=float), np.array(n, dtype=float)
        if self.k.shape != self.n.shape or self.k.ndim != 1 or not len(self.k):
            raise ValueError(f"k and n must be of one length; got {self.k.shape}, {self.n.shape}")
        if not np.all((self.k >= 0) & (self.k <= self.n) & np.isfinite(self.n)):
            raise ValueError("k must lie between 0 and n")
        self.t = size_scores(self.n)
        self._box = hyperparameter_box(Tallies.of(self.k, self.n), nodes)
        self._kept = self._box.weight > LEAST

    def __len__(self) -> int:
        return len(self.k)

    def nodes(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Nodes ``a, b, y`` that matter and their probabilities, each of shape (G,)."""
        box, kept = self._box, self._kept
        weight = box.weight[kept]
        b = np.broadcast_to(box.b[..., None], kept.shape)[kept]
        y = np.broadcast_to(box.y[:, None, None], kept.shape)[kept]
        return box.a[kept], b, y, weight / weight.sum()

    def concentrations(self, a: Floats, b: Floats, y: Floats, only: Integers | slice = ALL) -> tuple[Floats, Floats]:
        """Parameters of the Betas of all recalls, or of some, given G nodes, shapes (G, K)."""
        k, n = self.k[only], self.n[only]
        eta, kappa = a[:, None] + b[:, None] * self.t[only], np.exp(y)[:, None]
        return special.expit(eta) * kappa + k, special.expit(-eta) * kappa + n - k

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """Mean and sd of every recall, shape (K,) each, over the nodes; classes of one (k, n) are computed once."""
        pairs, place = np.unique(np.column_stack((self.k, self.n, self.t)), axis=0, return_inverse=True)
        a, b, y, weight = self.nodes()
        means, squares = np.empty(len(pairs)), np.empty(len(pairs))
        step = max(1, BLOCK // len(a))
        for start in range(0, len(pairs), step):
            k, n, t = (column[None] for column in pairs[start : start + step].T)
            eta, kappa = a[:, None] + b[:, None] * t, np.exp(y)[:, None]
            alpha, beta = special.expit(eta) * kappa + k, special.expit(-eta) * kappa + n - k
            mass = alpha + beta
            mean = alpha / mass
            means[start : start + step] = weight @ mean
            squares[start : start + step] = weight @ (mean**2 + mean * (beta / mass) / (mass + 1))
        return means[place.ravel()], np.sqrt(np.maximum(squares - means**2, 0.0))[place.ravel()]

    def mixture_of(self, coefficients: ArrayLike, shift: float = 0.0) -> FittedMixture:
        """Law of ``shift + sum_i w_i theta_i``, a mixture of Betas with right moments up to the fourth.

        The mean and the variance are those of the nodes. A difference of recalls has weights of both signs.

        Parameters
        ----------
        coefficients : array_like, shape (K,)
            The weights, at least one of them not 0.
        shift : float
            A constant.
        """
        w = np.asarray(coefficients, dtype=float)
        if w.shape != self.k.shape or not np.isfinite(w).all() or not w.any():
            raise ValueError(f"{len(self)} recalls need as many finite weights, not all 0; got shape {w.shape}")
        a, b, y, _ = self.nodes()
        cumulants = sum_moments(a, b, y, Summands.of(self.k, self.n, self.t, w))
        cumulants[0] += shift
        support = shift + float(np.minimum(w, 0).sum()), shift + float(np.maximum(w, 0).sum())
        return self._mixture(cumulants, support)

    def typical_recall(self) -> FittedMixture:
        """Law of ``expit(a)``: the mean recall of the population of classes, at the average log size."""
        recall = special.expit(self.nodes()[0])
        return self._mixture(np.stack([recall, *(0 * recall for _ in range(3))]), (0.0, 1.0))

    def _mixture(self, cumulants: Floats, support: tuple[float, float]) -> FittedMixture:
        in_box = np.zeros((4, *self._kept.shape))
        in_box[:, self._kept] = cumulants
        return mixture_from_moments(np.where(self._kept, self._box.weight, 0.0), in_box, support)

    @cached_property
    def _draws(self) -> HyperparameterDraws:
        return HyperparameterDraws(self._box)

    def draw_recalls(self, n: int, rng: np.random.Generator, only: Integers | slice = ALL) -> Floats:
        """Joint draws of all recalls, or of some, shape (n, K); hyperparameters are shared within a draw."""
        alpha, beta = self.concentrations(*self._draws(n, rng), only)
        return np.asarray(rng.beta(np.maximum(alpha, FLOOR), np.maximum(beta, FLOOR)))

    def draw_sum(self, weights: Floats, n: int, rng: np.random.Generator) -> Floats:
        """Draws of ``sum_i w_i theta_i``, shape (n,), without holding all recalls; those of weight 0 are not drawn."""
        used = np.flatnonzero(weights)
        step = max(1, BLOCK // max(1, len(used)))
        blocks = (self.draw_recalls(min(step, n - i), rng, used) for i in range(0, n, step))
        parts = [np.einsum("nk,k->n", block, weights[used]) for block in blocks]
        return np.concatenate(parts)

    def summary(self) -> LearnedSummary:
        """Posterior means of the hyperparameters."""
        a, b, y, weight = self.nodes()
        return LearnedSummary(float(weight @ special.expit(a)), float(weight @ special.expit(-y)), float(weight @ b))
