"""Two test sets of their own, whose prior nobody named: one prior for both that does not favour the larger one.

The two invented cases of ``flat`` weigh more in a small test set than in a large one, so of two equally good
classifiers the one with more cases looks better. `howsure.compare` therefore reads two sets of two classes, or of right
and wrong answers alone, under ``jeffreys``; from three classes on the prior of a report is learned, which favours none.
"""

from __future__ import annotations

from howsure.comparison.contender import Contender
from howsure.posterior.accuracy import AccuracyPosterior

__all__ = ["FEW_CLASSES", "under_one_prior"]

#: The prior of two separate test sets of two classes, or of right and wrong answers.
FEW_CLASSES, TWO = "jeffreys", 2


def under_one_prior(first: Contender, second: Contender) -> tuple[Contender, Contender, tuple[str, ...]]:
    """Both under the prior of separate test sets, and the sentence that says so; as they are where one was named.

    Notes
    -----
    Of equally good classifiers with 10 and 100 cases of each of two classes, recall 0.85 to 0.98, P(better) reaches
    0.95 for either in 12 to 23 % of the tests under ``flat``, and in 8 to 12 % under ``jeffreys``
    (tests/validation/test_separate_sets.py).
    """
    if not (first.prior.defaulted and second.prior.defaulted):
        return first, second, ()
    if max(len(first.labels), len(second.labels)) <= TWO:  # right answers alone have no labels, and are one rate
        said = (
            f"no prior was named, so both are under '{FEW_CLASSES}': 'flat' would favour the larger of two separate "
            "test sets; name it to keep it."
        )
        return _under(first, FEW_CLASSES), _under(second, FEW_CLASSES), (said,)
    # the accuracy of a table is one coin a case, as right answers alone are, and has one prior with them
    alone = any(isinstance(posterior, AccuracyPosterior) for posterior in (first, second))
    if alone or first.prior.name == second.prior.name:
        return first, second, ()
    said = "no prior was named, so both are under 'learned', which a report of the one with more classes has."
    return _under(first, "learned"), _under(second, "learned"), (said,)


def _under(posterior: Contender, prior: str) -> Contender:
    if posterior.prior.name == prior:
        return posterior
    if isinstance(posterior, AccuracyPosterior):
        return AccuracyPosterior(correct=posterior.correct, n=posterior.n, prior=prior)
    return posterior.under(prior)
