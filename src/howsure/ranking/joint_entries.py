"""Entries by any metric as a sample from a population that the board tells: joint draws under the learned population.

The chain: the entries' own model (class prior, joint draws where cases are the same) gives draws of the metric; they go
to a working scale, the entries' own prior is taken out, the population is learned from what tells entries apart, and
the draws are moved by Matheron's rule (`howsure.numerics.ranks.joint_population`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import NoInformation
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.joint_population import NormalPopulation, apart
from howsure.numerics.ranks.working_scale import WorkingScale, scale_of, without_prior
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior, infer

__all__ = ["JointEntries", "why_not"]

#: Draws of a prior alone; its mean and variance are all that is asked.
PRIOR_DRAWS = 4_000

#: How far apart tied draws are put, at random, beyond the end of a metric.
HAIR = 1e-9


def why_not(measure: Measure, values: Floats) -> str | None:
    """Sentence that says why entries by this metric have no learned population; None where they have."""
    low, high = measure.metric.range
    if scale_of(low, high) is None:
        return (
            f"{measure.name} has no two ends, so there is no scale on which its error is alike for all entries, and no "
            "population of entries is learned; each is judged alone (independent)"
        )
    if not np.isfinite(values).all():
        return (
            f"{measure.name} is undefined (0/0) in some draws, so no population of entries is learned; each is judged "
            "alone (independent)"
        )
    return None


@dataclass(frozen=True, eq=False)
class JointEntries:
    """Joint draws of entries under the population that they tell; made by `learned`.

    Attributes
    ----------
    values : ndarray, shape (T, S)
        Draws of the metric.
    ranked : ndarray, shape (T, S)
        The same on the working scale, to count ranks: entries at one end of the metric are in random order.
    mean, sd, second : float
        Where the true scores lie, how far apart, and the share of entries that are unlike the rest.
    """

    values: Floats
    ranked: Floats
    mean: float
    sd: float
    second: float

    @classmethod
    def learned(
        cls,
        members: Sequence[Posterior | AccuracyPosterior],
        measure: Measure,
        values: Floats,
        *,
        together: bool,
        seed: int,
    ) -> JointEntries:
        """Move draws of the metric, shape (T, S), from the entries' own model to the learned population.

        ``together`` says that the draws of one column belong together, because the cases are the same.
        """
        scale = scale_of(*measure.metric.range)
        assert scale is not None
        drawn = scale.forward(values)
        covariance = np.cov(drawn) if together else drawn.var(1, ddof=1)
        drawn, covariance = without_prior(drawn, covariance, *_own_priors(members, measure, scale, seed))
        population = NormalPopulation.learned(drawn.mean(1), apart(covariance), scale.broad)
        made = population.moved(drawn, covariance, [seed, 0xB0])
        return cls(
            scale.back(made),
            _ordered(made, scale, seed),
            float(population.weights @ scale.back(population.centre)),
            float(population.weights @ (population.spread * scale.slope(population.centre))),
            population.second,
        )


def _ordered(made: Floats, scale: WorkingScale, seed: int) -> Floats:
    """Draws that lie at an end of the metric, in random order there; ties would be shared evenly, one by one."""
    low, high = scale.ends
    beyond = (made < low) | (made > high)
    if not beyond.any():
        return made
    hair = HAIR * np.random.default_rng([seed, 0xB1]).random(made.shape)
    return np.where(made > high, high + hair, np.where(made < low, low - hair, made))


def _own_priors(
    members: Sequence[Posterior | AccuracyPosterior], measure: Measure, scale: WorkingScale, seed: int
) -> tuple[Floats, Floats]:
    """Mean and variance of the metric on its scale under each entry's prior alone, shape (T,) each."""
    memory: dict[object, tuple[float, float]] = {}
    found = []
    for member in members:
        known = knowledge_of(member)
        shares = None if isinstance(member, AccuracyPosterior) else knowledge_of(member).shares
        key = (known.prior, known.labels, None if shares is None else shares.tobytes())
        if key not in memory:
            memory[key] = _moments(member, measure, scale, seed)
        found.append(memory[key])
    means, variances = np.array(found).T
    return means, variances


def _moments(
    member: Posterior | AccuracyPosterior, measure: Measure, scale: WorkingScale, seed: int
) -> tuple[float, float]:
    """Mean and variance of one metric under a prior alone; an infinite variance where the prior has no law of its own.

    The class shares are those of the entry: its prior of them is not what its cases are judged by.
    """
    try:
        if isinstance(member, AccuracyPosterior):
            made = AccuracyPosterior(correct=0, n=0, prior=member.prior).of(measure).law.sample(PRIOR_DRAWS, seed=[seed, 0xB2])
        else:
            known = knowledge_of(member)
            none = ConfusionMatrix(np.zeros((known.size, known.size), dtype=int), labels=known.labels)
            alone = knowledge_of(infer(none, known.prior))
            if measure.twin.metric.name in ("accuracy", "error_rate") and known.known_prevalence is None:
                made = alone.of(measure.twin.metric.name).law.sample(PRIOR_DRAWS, seed=[seed, 0xB2])
            else:
                made = alone.at_prevalence(known.shares).drawn([measure], PRIOR_DRAWS, seed, 0xB2)[0]
    except NoInformation:
        return 0.0, np.inf
    made = made[np.isfinite(made)]
    if len(made) < 2:
        return 0.0, np.inf
    on_scale = scale.forward(np.asarray(made))
    return float(on_scale.mean()), float(on_scale.var(ddof=1))
