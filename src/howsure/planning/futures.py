"""What is known after further cases: every continuation of a test, counted out or simulated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincc

from howsure.accuracy import AccuracyPosterior
from howsure.errors import InvalidArgument
from howsure.metrics import Measure
from howsure.numerics.beta_binomial import beta_binomial_pmf
from howsure.numerics.learned_trials import tables_learned_together
from howsure.numerics.trials import posterior_tables, simulated_tests
from howsure.posterior import Posterior
from howsure.priors import LearnedPrior

__all__ = ["FUTURES", "futures"]

Floats = NDArray[np.float64]

#: Simulated continuations, and draws from the posterior of each; fewer where each learns a hierarchy of its own.
FUTURES, LEARNED_FUTURES, DRAWS = 1_000, 200, 1_000
#: Further cases of which every outcome is counted out, for a single rate.
MOST_COUNTED = 1_000_000
#: Numbers that the draws of all continuations may hold.
LARGEST = 2_000_000_000


def futures(
    posterior: Posterior | AccuracyPosterior, measure: Measure, above: float, more: int, seed: int
) -> tuple[Floats, Floats | None]:
    """P(metric > above) after each of many continuations, simulated, or all of them with their probabilities."""
    rng = np.random.default_rng([seed, 5])
    coin = measure.twin.metric.name in ("accuracy", "error_rate") and isinstance(posterior, Posterior)
    if isinstance(posterior, AccuracyPosterior) or (coin and posterior.known_prevalence is None):
        law = posterior.quietly(measure).law
        mass = law.mean * (1 - law.mean) / law.sd**2 - 1
        a, b = law.mean * mass, (1 - law.mean) * mass
        weights = None
        if more <= MOST_COUNTED:
            right, weights = np.arange(more + 1), beta_binomial_pmf(more, a, b)
        else:
            right = rng.binomial(more, rng.beta(a, b, FUTURES))
        return np.asarray(betaincc(a + right, b + more - right, above)), weights
    size, prior, known = posterior.size, posterior.prior, posterior.known_prevalence
    if posterior.prevalence_source == "other cases":
        raise InvalidArgument("the prevalence is of other cases, which further ones do not add to; state it instead")
    learned = isinstance(prior, LearnedPrior)
    many = LEARNED_FUTURES if learned else FUTURES
    if size**2 * many * DRAWS > LARGEST:
        raise InvalidArgument(f"{size} classes are too many to simulate continuations of {measure.name}")
    sizes = posterior.confusion.class_sizes
    shares = None if known is None else sizes / sizes.sum()
    counts = simulated_tests(posterior.draw(many, seed=seed), more, rng, shares) + posterior.confusion.counts
    if learned:
        blocks = tables_learned_together(counts, prior.prevalence / size, known, DRAWS, rng)
    else:
        blocks = posterior_tables(counts, prior.row(size), prior.prevalence / size, known, DRAWS, rng)
    return np.concatenate([(measure(block) > above).mean(axis=1) for block in blocks]), None
