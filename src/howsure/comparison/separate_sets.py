"""Two test sets of their own, whose prior nobody named: one prior for both."""

from __future__ import annotations

from howsure.comparison.contender import Contender
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.compared_priors import under_one_default

__all__ = ["under_one_prior"]


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
