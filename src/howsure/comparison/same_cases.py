"""What two classifiers have in common: the cases that both answered, or everything."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from howsure.laws import Draws, Kind, LearnedSum
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.hit_weights import COINS
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedMember, separate
from howsure.questions.contender import Contender

__all__ = [
    "Discordant",
    "discordant",
    "drawn",
    "exchangeable",
    "learned",
    "paired",
    "width_apart",
]

Two = tuple[Contender, Contender]


class Discordant(NamedTuple):
    """Cases that both have right, only A, only B, neither."""

    both_right: int
    only_a: int
    only_b: int
    both_wrong: int


def paired(posteriors: Two) -> bool:
    """Whether both answered the same cases; otherwise the test sets are separate."""
    return isinstance(posteriors[0], PairedMember)


def learned(posteriors: Two, measure: Measure) -> bool:
    """Whether what tells A and B apart in this measure is learned over the classes; the accuracy is pooled."""
    a = posteriors[0]
    return isinstance(a, PairedMember) and knowledge_of(a).joint.learned and measure.twin.metric.name not in COINS


def discordant(posteriors: Two) -> Discordant | None:
    """Cases that both have right, only A, only B, neither; None for separate test sets."""
    a, b = posteriors
    if not (isinstance(a, PairedMember) and isinstance(b, PairedMember)):
        return None
    one, other = knowledge_of(a), knowledge_of(b)
    return Discordant(*one.joint.both_right_or_wrong(one.name, other.name).sum(axis=0).tolist())


def exchangeable(posteriors: Two) -> bool:
    """Whether nothing tells A and B apart: the same answers, or equal counts of separate test sets."""
    a, b = posteriors
    if isinstance(a, PairedMember) and isinstance(b, PairedMember):
        one, other = (x.joint.predictions.answers(x.name) for x in map(knowledge_of, (a, b)))
        return np.array_equal(one, other)
    if isinstance(a, AccuracyPosterior) or isinstance(b, AccuracyPosterior):
        return (
            isinstance(a, AccuracyPosterior)
            and isinstance(b, AccuracyPosterior)
            and (a.correct, a.n) == (b.correct, b.n)
        )
    known, beside = knowledge_of(a), knowledge_of(b)
    here, there = known.known_prevalence, beside.known_prevalence
    stated = here is there is None or (here is not None and there is not None and np.array_equal(here, there))
    learned = {known.prevalence_source, beside.prevalence_source} <= {"test set", "chosen", "stated"}
    return stated and learned and a.confusion == b.confusion and a.prior == b.prior


def drawn(posteriors: Two, measures: tuple[Measure, Measure], draws: int, seed: int) -> tuple[Floats, Floats]:
    """Draws of the metric of A and of B, joint where both answered the same cases."""
    a, b = posteriors
    if isinstance(a, PairedMember) and isinstance(b, PairedMember) and knowledge_of(a).joint.by_differences:
        joint = knowledge_of(a).joint.only(knowledge_of(a).name, knowledge_of(b).name)
        one, other = joint.drawn([measures[0]], draws, seed, 0)[0]
        return one, other
    streams = (0, 0) if paired(posteriors) else (0, 1)
    one, other = (
        knowledge_of(p).drawn([m], draws, seed, stream)[0]
        for p, m, stream in zip(posteriors, measures, streams, strict=True)
    )
    return one, other


def width_apart(
    posteriors: Two, measures: tuple[Measure, Measure], level: float, kind: Kind, draws: int, seed: int
) -> float:
    """Width of the interval of the difference as if the test sets of a pair were separate."""
    apart = [knowledge_of(separate(p)) for p in posteriors if isinstance(p, PairedMember)]
    a, b = (p.of(m, draws=draws, seed=seed) for p, m in zip(apart, measures, strict=True))
    if isinstance(a.law, LearnedSum) and isinstance(b.law, LearnedSum):  # for one sentence draws are enough
        one, other = (x.law.sample(draws, seed=[seed, i]) for i, x in enumerate((a, b)))
        return Draws(one - other).interval(level, kind).width
    return (a - b).interval(level, kind).width
