"""The population that entries are a sample from, on joint draws of any metric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Floats, Integers, repeat
from howsure.numerics.populations.entries import (
    HERMITE,
    LOG_HERMITE,
    QUANTILES,
    STARTS,
    STRETCH,
    WIDER,
    centres_from,
    log_menu_of,
    main_odds,
    mixed_groups,
    part_shares,
)

# -- Scales on which the error of a score hardly depends on the score, and an entry's own prior taken out there --------

# A population of scores is learned on such a scale: arcsin(sqrt(x)) of a rate in [0, 1], the same of (1 + x)/2 in [-1,
# 1]. Numbers without two finite ends have none here.


#: Largest factor by which taking a prior out widens a variance.
MOST_WIDENED = 20.0


@dataclass(frozen=True)
class WorkingScale:
    """A scale g of a metric."""

    name: str  # what notes call it
    forward: Callable[[Floats], Floats]  # metric to g
    back: Callable[[Floats], Floats]  # g to metric; a g beyond an end of the metric is that end
    slope: Callable[[Floats], Floats]  # change of the metric with g, at g
    ends: tuple[float, float]  # g at the ends of the metric
    broad: float  # standard deviation of g where the metric is uniform over its range


def _sine_squared(g: Floats) -> Floats:
    return np.asarray(np.sin(np.clip(g, 0.0, np.pi / 2)) ** 2)


#: Of rates in [0, 1]: the variance of g is about 1 / (4 n), whatever the rate.
ARCSINE = WorkingScale(
    "arcsine of the square root",
    lambda x: np.asarray(np.arcsin(np.sqrt(np.clip(x, 0.0, 1.0)))),
    _sine_squared,
    lambda g: np.asarray(np.sin(2 * np.clip(g, 0.0, np.pi / 2))),
    (0.0, np.pi / 2),
    0.35,
)

#: Of coefficients in [-1, 1]: the same of (1 + x) / 2. Fisher's arctanh has no ends, and draws beside 1 are lost on it.
ARCSINE_OF_BOTH_SIDES = WorkingScale(
    "arcsine of the square root of (1 + x) / 2",
    lambda x: ARCSINE.forward((1 + np.asarray(x)) / 2),
    lambda g: 2 * _sine_squared(g) - 1,
    lambda g: 2 * ARCSINE.slope(g),
    ARCSINE.ends,
    ARCSINE.broad,
)


def scale_of(lowest: float, largest: float) -> WorkingScale | None:
    """Scale of a metric by its range; None where none fits."""
    return {(0.0, 1.0): ARCSINE, (-1.0, 1.0): ARCSINE_OF_BOTH_SIDES}.get((float(lowest), float(largest)))


def without_prior(draws: Floats, covariance: Floats, means: Floats, variances: Floats) -> tuple[Floats, Floats]:
    """Take each entry's own prior out of joint draws (T, S) on the working scale, and out of their covariance.

    A normal posterior N(m, c) under a prior N(m0, c0) is that of an observation (m - m0 c / c0) f with variance c f, f
    = 1 / (1 - c / c0); an infinite c0 leaves nothing to take out. Draws are moved and widened to it; what ties entries
    together is scaled with them. The covariance is (T, T), or (T,) of independent entries.
    """
    own = np.diagonal(covariance) if covariance.ndim == 2 else covariance
    share = own / variances
    factor = 1 / np.maximum(1 - share, 1 / MOST_WIDENED)
    root = np.sqrt(factor)
    centre = draws.mean(1)
    moved = (centre - np.where(share > 0, means, 0.0) * share) * factor
    made = moved[:, None] + (draws - centre[:, None]) * root[:, None]
    return made, covariance * (np.outer(root, root) if covariance.ndim == 2 else factor)


# -- Entries of a board as a sample from a population that the board itself tells, on joint draws of any metric --------

# The normal twin of the population of tallies: scores g_e lie around a common centre,
#
#     g_e ~ (1 - eps) N(mu, t^2) + eps G2,   mu flat,   t / s0 ~ half-Cauchy(1),   eps ~ Beta(1, 9),
#
# where s0 is the usual standard error of what tells entries apart, and the second group G2, one for the whole board,
# is N(mu, 16 t^2), or broad, or a narrow or wide cluster at one of the board's own quantiles. The hyperparameters are
# integrated over nodes, never plugged in. At a node the entries' joint draws are moved by Matheron's rule, which is
# exact for normal draws and keeps the skewness and the correlation of others.


#: Nodes of log(t / s0): from 33 standard errors to 0.03 of one.
LOG_SPREADS = -0.5 * np.arange(-7, 7.01, 0.8)

#: Nodes of less weight are left out.
LEAST_WEIGHT = 1e-4


def apart(covariance: Floats) -> Floats:
    """Variance of what tells each entry from the others, shape (T,), of a covariance (T, T) or of variances (T,).

    v_e = (C_ee - 2 mean_f C_ef + mean C) / (1 - 1/T): that of the distance to the mean of all, scaled so that
    independent entries of one variance keep it.
    """
    size = len(covariance)
    if covariance.ndim == 2:
        own, shared, whole = np.diagonal(covariance), covariance.mean(1), float(covariance.mean())
    else:
        own, shared, whole = covariance, covariance / size, float(covariance.mean()) / size
    left = (own - 2 * shared + whole) / (1 - 1 / size)
    # entries that all move together are told apart by next to nothing, not by less
    return np.asarray(np.maximum(left, np.maximum(1e-9 * own, 1e-15)))


@dataclass(frozen=True, eq=False)
class NormalPopulation:
    """Nodes of the population of a board; made by `learned`."""

    weights: Floats  # (G,), posterior
    centre: Floats  # (G,), mu
    spread: Floats  # (G,), t
    parts: Floats  # (G, P, T), P(entry is of the part): main, around the same centre, broad, clusters
    part_means: Floats  # (G, P)
    part_variances: Floats  # (G, P)

    @classmethod
    def learned(cls, means: Floats, variances: Floats, broad: float) -> NormalPopulation:
        """Learn the population from scores (T,) and what varies between them; ``broad`` is the sd of the broad part."""
        order = float(np.sqrt(1 / np.mean(1 / variances)))
        spreads = order * np.exp(LOG_SPREADS)
        square, middle = spreads[:, None] ** 2, float(np.median(means))
        of_broad = _log_normal(means, middle, broad**2 + variances)

        def towards(mu: Floats) -> tuple[Floats, Floats]:
            beside = np.logaddexp(of_broad, _log_normal(means, mu, WIDER * square + variances))
            weight = main_odds(_log_normal(means, mu, square + variances), beside) / (square + variances)
            information = weight.sum(1) + 1e-12
            return (weight @ means / information)[:, None], information

        at = centres_from(np.quantile(means, STARTS).tolist(), len(spreads), towards, np.asarray)
        step, start = np.nonzero(at.new)
        sds = 1 / np.sqrt(at.h[step, start])
        mu = (at.a[step, start, None] + STRETCH * HERMITE * sds[:, None]).ravel()
        t = repeat(spreads[step], len(HERMITE))
        # half-Cauchy of t / s0 over even nodes of its logarithm
        x = np.log(t / order)
        log_weight = x - np.log1p(np.exp(2 * x)) + (LOG_HERMITE + np.log(sds)[:, None]).ravel()
        around = np.unique(np.quantile(means, QUANTILES))
        menu_means = np.r_[middle, repeat(around, 2)]
        menu_sds = np.r_[broad, np.tile([order / 2, 2 * order], len(around))]
        main = _log_normal(means, mu[:, None], t[:, None] ** 2 + variances)
        same = _log_normal(means, mu[:, None], WIDER * t[:, None] ** 2 + variances)
        menu = _log_normal(means, menu_means[:, None], menu_sds[:, None] ** 2 + variances)
        second = np.concatenate([same[:, None], np.broadcast_to(menu, (len(mu), *menu.shape))], axis=1)
        log, *rest = mixed_groups(main, second, np.ones(len(means)), log_menu_of(len(around)))
        weights = np.exp(log_weight + log - (log_weight + log).max())
        weights /= weights.sum()
        kept = weights > LEAST_WEIGHT
        of_main, of_second = part_shares(*(each[kept] for each in rest))
        mu, t = mu[kept, None], t[kept, None]
        fixed = np.ones(mu.shape)
        return cls(
            weights[kept] / weights[kept].sum(),
            mu[:, 0],
            t[:, 0],
            np.concatenate([of_main[:, None], of_second], axis=1),
            np.concatenate([mu, mu, menu_means * fixed], axis=1),
            np.concatenate([t**2, WIDER * t**2, menu_sds**2 * fixed], axis=1),
        )

    @property
    def second(self) -> float:
        """Share of the entries that come from the second group."""
        return float(1 - self.weights @ self.parts[:, 0].mean(1))

    def moved(self, draws: Floats, covariance: Floats, seed: list[int]) -> Floats:
        """Joint draws of the entries under the population, shape (T, S), from those of each judged alone.

        At a node, given its part, an entry has a normal prior; parts are averaged to their pooled precision 1 / D_e and
        mean M_e, with a common shift s that is flat: eta = M + s + sqrt(D) z is a draw of the prior, with s from what
        the data say about it, and

            draw* = draw + C (C + D)^-1 (eta - draw).

        Matheron's rule: Journel and Huijbregts (1978), Mining Geostatistics; Doucet (2010).
        """
        rng = np.random.default_rng(seed)
        count = draws.shape[1]
        node = self._nodes_of(count, rng)
        made = np.empty_like(draws)
        means = draws.mean(1)
        for g in np.unique(node).tolist():
            here = np.flatnonzero(node == g)
            precision = (self.parts[g] / self.part_variances[g, :, None]).sum(0)
            prior = (self.parts[g] * (self.part_means[g] / self.part_variances[g])[:, None]).sum(0) / precision
            shift = _Shift.at(covariance, 1 / precision, means - prior)
            eta = prior[:, None] + shift.mean + rng.standard_normal(len(here)) / np.sqrt(shift.precision)
            eta = eta + rng.standard_normal((len(prior), len(here))) / np.sqrt(precision)[:, None]
            made[:, here] = draws[:, here] + shift.gain_of(eta - draws[:, here])
        return made

    def _nodes_of(self, count: int, rng: np.random.Generator) -> Integers:
        """Node of each draw: shares of the draws as near to the weights as whole numbers are."""
        ends = np.cumsum(self.weights)
        places = np.searchsorted(ends / ends[-1], (rng.random() + np.arange(count)) / count, side="right")
        return np.asarray(rng.permutation(np.minimum(places, len(ends) - 1)))


@dataclass(frozen=True, eq=False)
class _Shift:
    """What the data say about a common shift of all priors, and the gain C (C + D)^-1 at a node."""

    mean: float
    precision: float
    gain: Floats

    @classmethod
    def at(cls, covariance: Floats, prior_variances: Floats, ahead: Floats) -> _Shift:
        if covariance.ndim == 1:
            weight = 1 / (covariance + prior_variances)
            gain, precision, mean = np.multiply(covariance, weight), weight.sum(), weight @ ahead
        else:
            whole = covariance + np.diag(prior_variances)
            solved = np.linalg.solve(whole, np.column_stack([covariance, np.ones(len(ahead)), ahead]))
            gain, precision, mean = np.asarray(solved[:, :-2].T, dtype=float), solved[:, -2].sum(), solved[:, -1].sum()
        return cls(float(mean / precision), float(precision), gain)

    def gain_of(self, distance: Floats) -> Floats:
        return np.asarray(self.gain[:, None] * distance if self.gain.ndim == 1 else self.gain @ distance)


def _log_normal(x: Floats, mean: Floats | float, variance: Floats) -> Floats:
    return np.asarray(-0.5 * np.log(2 * np.pi * variance) - (x - mean) ** 2 / (2 * variance))
