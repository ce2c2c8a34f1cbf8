"""Two test sets of their own: one prior for both, and when a small one beside a large one is a verdict."""

from __future__ import annotations

import math

from scipy.special import ndtri

from howsure.metrics import Measure
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.compared_priors import under_one_default
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.named_priors import PRIORS
from howsure.posterior.priors import Prior
from howsure.questions.contender import Contender

__all__ = ["cases_of_the_smaller", "smaller_at_its_tail", "tail_of_the_smaller", "under_one_prior"]


def under_one_prior(first: Contender, second: Contender) -> tuple[Contender, Contender, tuple[str, ...]]:
    """Both under one default, and the sentence that says so where that of a table changes.

    Each has the prior of its report; only beside a table of three classes or more has one of two the prior of that.
    """
    if not (first.prior.defaulted and second.prior.defaulted) or first.prior.name == second.prior.name:
        return first, second, ()
    if any(isinstance(posterior, AccuracyPosterior) for posterior in (first, second)):
        one, other = under_one_default([first, second])
        return one, other, ()
    said = "no prior was named, so both are under 'learned', which a report of the one with more classes has."
    return _under(first), _under(second), (said,)


def _under(posterior: Contender) -> Contender:
    assert not isinstance(posterior, AccuracyPosterior)
    return posterior if posterior.prior.name == "learned" else posterior.under("learned")


#: Sets are of unlike size where the larger one has more than this times the cases of the smaller.
UNLIKE = 1.1
#: What stands for no pseudo-count at all, so that every law has a density.
NEXT_TO_NOTHING = 1e-6
#: Priors under which the posterior of a rate is the exact limit of Clopper and Pearson, its lower and its upper one.
LOWER, UPPER = (
    Prior(*pseudo, 4 / 3, name)
    for pseudo, name in (((NEXT_TO_NOTHING, 1.0), "lower"), ((1.0, NEXT_TO_NOTHING), "upper"))
)


def tail_of_the_smaller(
    posteriors: tuple[Contender, Contender], measures: tuple[Measure, Measure], threshold: float, *, first_better: bool,
    draws: int, seed: int,
) -> float | None:  # fmt: skip
    """P(A - B beyond a threshold) with the smaller of two separate test sets at its exact tail; None where none is due.

    The prior fades from a large set and stays in a small one. So that one of two equally good classifiers is better is
    said only where it holds with the recalls of the smaller set at the exact limits of Clopper and Pearson against it,
    Beta(k, n - k + 1) where it would be better and Beta(k + 1, n - k) where it would be worse, besides the posterior.
    Of one rate beside a known one that is the binomial test. For two classes, and right and wrong answers; about the
    cases as they are, under a prior that has a name.

    Parameters
    ----------
    posteriors, measures : pairs
        A and B, of separate test sets.
    threshold : float
        Of A - B, in units of the metric.
    first_better : bool
        Whether A would be better; otherwise B.
    draws, seed : int
        For what has no closed law.
    """
    at_tail = smaller_at_its_tail(posteriors, first_better=first_better)
    if at_tail is None:
        return None
    sides = [
        knowledge_of(each).of(measure, draws=draws, seed=seed) for each, measure in zip(at_tail, measures, strict=True)
    ]
    law = (sides[0] - sides[1]).law
    upwards = first_better == (measures[0].metric.better == "higher")
    return law.prob(above=threshold) if upwards else law.prob(below=threshold)


def smaller_at_its_tail(
    posteriors: tuple[Contender, Contender], *, first_better: bool
) -> tuple[Contender, Contender] | None:
    """Both, the smaller of two separate test sets at its exact limits; None where their sizes are alike."""
    sizes = [posterior.n for posterior in posteriors]
    if max(sizes) <= UNLIKE * min(sizes) or not all(map(_plain, posteriors)):
        return None
    one, other = posteriors
    if sizes[0] <= sizes[1]:
        return _at(one, LOWER if first_better else UPPER), other
    return one, _at(other, UPPER if first_better else LOWER)


def cases_of_the_smaller(posteriors: tuple[Contender, Contender], tail: float, wanted: float) -> int | None:
    """About how many more cases of the smaller set would bring its tail to what is asked; None where none would.

    By a normal approximation, in which the distance stays and the spread falls with the root of the cases.
    """
    now, then = float(ndtri(tail)), float(ndtri(wanted))
    if not 0 < now < then:
        return None
    return math.ceil(min(posterior.n for posterior in posteriors) * ((then / now) ** 2 - 1))


def _plain(posterior: Contender) -> bool:
    """Whether cases are independent, of two classes at most, with a truth each, under a prior that has a name."""
    if posterior.prior.name not in PRIORS or posterior.prior.told is not None:
        return False
    if isinstance(posterior, AccuracyPosterior):
        return True
    cm = posterior.confusion
    return len(posterior.labels) <= 2 and cm.verdicts is None and new_groups(cm) is None


def _at(posterior: Contender, prior: Prior) -> Contender:
    if isinstance(posterior, AccuracyPosterior):
        return AccuracyPosterior(correct=posterior.correct, n=posterior.n, prior=prior)
    return posterior.under(prior)
