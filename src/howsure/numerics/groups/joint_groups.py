"""Classifiers on the same cases in groups: rates of all of them on a new group, drawn together.

The Bayesian bootstrap over groups (`howsure.numerics.groups.group_bootstrap`) weighs a group alike for all classifiers.
Beside the groups that were seen stand two that nobody saw. Each shows what one of the others showed, but for one case:
a half of the classifiers, by chance, has one more right than the other half. So classifiers that never differed are not
equal for certain, and no difference is pulled to 0; its variance is that of `paired_difference`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv

from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.groups.group_bootstrap import BLOCK, PSEUDO_GROUPS, exponent_beside_unseen, unseen_mass

__all__ = ["clustered_error_of_sum", "group_weights", "joint_rates", "of_fewer_groups", "worth_of_difference"]

#: From so many groups on the weights of all groups serve those of a class: their exponents differ by 0.13 at the most.
MANY = 30

#: Weights below this are nothing.
LEAST = 1e-300


def group_weights(groups: int, wide: int, n: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Weights Gamma(`exponent_beside_unseen`) of so many groups, in blocks of shape (some, G), together ``n``.

    Blocks are smaller where as many as ``wide`` numbers are made of each draw.
    """
    step = max(1, BLOCK // max(groups, wide))
    for start in range(0, n, step):
        yield rng.standard_gamma(exponent_beside_unseen(groups), (min(step, n - start), groups))


def of_fewer_groups(weight: Floats, groups: int) -> Floats:
    """Weights of all groups, shape (m, G), as those of some of them, shape (m, some), by their quantiles.

    A class that G_i of G groups hold needs the weights of G_i groups; quantile by quantile they move with the
    weights of all groups as far as any can.
    """
    some = weight.shape[1]
    if some >= MANY or some == groups:
        return weight
    logs, mapped = _quantile_by_quantile(exponent_beside_unseen(groups), exponent_beside_unseen(some))
    return np.asarray(np.exp(np.interp(np.log(np.maximum(weight, LEAST)), logs, mapped)))


@lru_cache(maxsize=64)
def _quantile_by_quantile(a: float, b: float) -> tuple[Floats, Floats]:
    """Logarithms of Gamma(a) weights, and of the Gamma(b) weights of the same probability."""
    logs = np.concatenate([np.linspace(np.log(LEAST), -10, 200), np.linspace(-10, 5, 4_001)[1:]])
    w = np.exp(logs)
    low, high = w <= 1, w > 1
    mapped = np.empty_like(w)
    mapped[low] = gammaincinv(b, gammainc(a, w[low]))
    mapped[high] = gammainccinv(b, gammaincc(a, w[high]))
    return logs, np.log(np.maximum(mapped, LEAST))


def joint_rates(
    weight: Floats, hits: ArrayLike, cases: ArrayLike, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Share of right cases of T classifiers on a new group, in m draws.

    Parameters
    ----------
    weight : ndarray, shape (m, G)
        Weights of the groups that hold such a case.
    hits : array_like, shape (G, T)
        Right cases of each classifier.
    cases : array_like, shape (G,)
        Cases of each group, 1 or more.
    rng : numpy Generator
        Source of what the groups that nobody saw show.

    Returns
    -------
    rates : ndarray, shape (m, T)
    seen, unseen : ndarray, shape (m,)
        Weighed cases of the groups that were seen, and of those that were not.

    Notes
    -----
    ``(sum_g W_g hits_gt + sum_u E_u (hits_ut + e_ut)) / (sum_g W_g n_g + sum_u E_u n_u)``: u a group that nobody saw,
    which has the hits of a group that was, at random, but for e: one half of a case more for a half of the
    classifiers, one half less for the others, and where that is no number of cases, the same lead within it.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> hits = np.array([[5, 4], [4, 4], [5, 3], [4, 3], [3, 3], [5, 4], [4, 3], [2, 2]])
    >>> (weight,) = group_weights(8, 1, 4000, rng)
    >>> rates, _, _ = joint_rates(weight, hits, np.full(8, 5), rng)
    >>> round(float((rates[:, 0] > rates[:, 1]).mean()), 2)
    0.96
    """
    hits, cases = np.array(hits, dtype=float), np.array(cases, dtype=float)
    draws, many = len(weight), hits.shape[1]
    mass = rng.standard_gamma(unseen_mass(len(cases)) / PSEUDO_GROUPS, (draws, PSEUDO_GROUPS))
    like = rng.integers(0, len(cases), (draws, PSEUDO_GROUPS))
    halves = np.where(np.arange(many) < many / 2, 0.5, -0.5)
    if many == 2:
        coin = rng.choice([-0.5, 0.5], (draws, PSEUDO_GROUPS, 1))
        case = np.concatenate([coin, -coin], axis=2)
    else:
        case = rng.permuted(np.broadcast_to(halves, (draws, PSEUDO_GROUPS, many)), axis=2)
    size = cases[like]
    shown = hits[like] + case
    shown -= np.maximum(shown.max(axis=2) - size, 0.0)[..., None]
    shown += np.maximum(-shown.min(axis=2), 0.0)[..., None]
    seen, unseen = weight @ cases, (mass * size).sum(axis=1)
    top = weight @ hits + (mass[..., None] * np.minimum(shown, size[..., None])).sum(axis=1)
    return np.clip(top / (seen + unseen)[:, None], 0.0, 1.0), seen, unseen


def worth_of_difference(gain: ArrayLike, group: ArrayLike) -> float:
    """As many independent cases as cases in groups are worth for a mean, as a share of their number, 1 at the most.

    Parameters
    ----------
    gain : array_like, shape (n,)
        What each case adds to the difference, less its mean: the sum is 0.
    group : array_like of int, shape (n,)
        Number of the group of each.

    Notes
    -----
    The square of the standard error that takes cases for independent over that of `clustered_error_of_sum`, both with
    the correction for finitely many; 1 where the cases of a group do not go together.

    Examples
    --------
    >>> worth_of_difference(np.array([0.5, 0.5, -0.5, -0.5]), np.array([0, 0, 1, 1]))
    0.3333333333333333
    """
    gain = np.array(gain, dtype=float)
    clustered = clustered_error_of_sum(gain, group)
    alone = float((gain**2).sum()) * len(gain) / max(len(gain) - 1, 1)
    return min(1.0, alone / clustered**2) if clustered > 0 else 1.0


def clustered_error_of_sum(gain: ArrayLike, group: ArrayLike) -> float:
    """Clustered standard error of a sum over cases, shape (n,), whose terms have mean 0; 0 of a single group.

    ``sqrt(G/(G - 1) sum_g (sum of the terms of group g)^2)``; of a mean the terms are ``(x - mean) / n``, and of a
    paired difference x is that of a case (Miller 2024, arXiv:2411.00640; with the correction for finitely many groups).

    Examples
    --------
    >>> round(clustered_error_of_sum(np.array([0.2, 0.2, -0.2, -0.2]) / 4, np.array([0, 0, 1, 1])), 4)
    0.2
    """
    sums = bincount(np.asarray(group), np.array(gain, dtype=float))
    groups = len(sums)
    return float(np.sqrt((sums**2).sum() * groups / (groups - 1))) if groups > 1 else 0.0
