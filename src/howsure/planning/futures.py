"""What is known after further cases: every continuation of a test, counted out or simulated."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import betaincc

from howsure.errors import InvalidArgument
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.learned.hierarchical_draws import tables_learned_together
from howsure.numerics.trials.simulated_tests import beta_binomial_pmf, halved_noise, posterior_tables, simulated_tests
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import LearnedPrior

__all__ = ["EACH_DRAWN", "FUTURES", "coin_of", "futures", "futures_of", "positive_shares", "tables_later"]


#: Simulated continuations, and draws from the posterior of each; fewer where each learns a hierarchy of its own.
FUTURES, LEARNED_FUTURES, EACH_DRAWN = 1_000, 200, 1_000
#: Further cases of which every outcome is counted out, for a single rate.
MOST_COUNTED = 1_000_000
#: Numbers that the draws of all continuations may hold.
LARGEST = 2_000_000_000


def futures(
    posterior: Posterior | AccuracyPosterior, measure: Measure, above: float, more: int, seed: int
) -> tuple[Floats, Floats | None]:
    """P(metric > above) after each of many continuations, simulated, or all of them with their probabilities."""
    rng = np.random.default_rng([seed, 5])
    coin = coin_of(posterior, measure)
    if coin is not None:
        a, b = coin
        weights = None
        if more <= MOST_COUNTED:
            right, weights = np.arange(more + 1), beta_binomial_pmf(more, a, b)
        else:
            right = rng.binomial(more, rng.beta(a, b, FUTURES))
        return np.asarray(betaincc(a + right, b + more - right, above)), weights
    assert isinstance(posterior, Posterior)
    many = futures_of(posterior)
    blocks = tables_later(posterior, measure, more, many, seed, rng)
    return positive_shares(np.concatenate([measure(block) - above for block in blocks])), None


def positive_shares(values: Floats) -> Floats:
    """P(value > 0) after each continuation, from its draws (R, S), ties split; shape (R,).

    What a finite number of draws adds to the spread of the probabilities is taken out. That is done for their
    arcsin sqrt, whose noise is the same everywhere.
    """

    def angle(part: Floats) -> Floats:
        return np.asarray(np.arcsin(np.sqrt(((part > 0).mean(axis=1) + (part >= 0).mean(axis=1)) / 2)))

    half = values.shape[1] // 2
    angles = halved_noise(angle(values), angle(values[:, :half]), angle(values[:, half:]))
    return np.asarray(np.sin(np.clip(angles, 0, np.pi / 2)) ** 2)


def coin_of(posterior: Posterior | AccuracyPosterior, measure: Measure) -> tuple[float, float] | None:
    """The Beta(a, b) of a metric that is one coin a case, accuracy or error rate; None of any other."""
    knowledge = knowledge_of(posterior)
    if isinstance(posterior, Posterior) and (
        knowledge.known_prevalence is not None or measure.twin.metric.name not in ("accuracy", "error_rate")
    ):
        return None
    law = knowledge.of(measure).law
    mass = law.mean * (1 - law.mean) / law.sd**2 - 1
    return law.mean * mass, (1 - law.mean) * mass


def futures_of(posterior: Posterior | AccuracyPosterior) -> int:
    """How many continuations are simulated."""
    return LEARNED_FUTURES if isinstance(posterior.prior, LearnedPrior) else FUTURES


def tables_later(
    posterior: Posterior, measure: Measure, more: int, many: int, seed: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Joint tables learned from each of ``many`` continuations, blocks of shape (r, draws, K, K).

    A truth is drawn from the posterior, further cases from the truth, and both tests are read as one.
    """
    knowledge = knowledge_of(posterior)
    size, prior, known = knowledge.size, knowledge.prior, knowledge.known_prevalence
    if knowledge.prevalence_source in ("other cases", "verdicts elsewhere"):
        raise InvalidArgument("the prevalence is of other cases, which further ones do not add to; state it instead")
    if size**2 * many * EACH_DRAWN > LARGEST:
        raise InvalidArgument(f"{size} classes are too many to simulate continuations of {measure.name}")
    sizes = posterior.confusion.class_sizes
    if knowledge.estimand(measure).held:  # about the class shares of the test set, also after further cases
        known = knowledge.held_shares
    shares = None if known is None else sizes / sizes.sum()
    counts = simulated_tests(posterior.draw(many, seed=seed), more, rng, shares) + posterior.confusion.counts
    if isinstance(prior, LearnedPrior):
        return tables_learned_together(counts, known, EACH_DRAWN, rng, ordered=measure.ordinal)
    return posterior_tables(counts, prior.row(size), prior.prevalence / size, known, EACH_DRAWN, rng)
