"""Who is asked about: a kind of knowledge, posteriors under one prior, and a small test set beside a large one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from scipy.special import ndtri

from howsure.answers.asking import Asking
from howsure.data.groups import Question
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.knowledge.protocol import Knowledge
from howsure.knowledge.separate import Separate
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.common_ground import under_one_default
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.means_over_classes import Shares
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import PRIORS, Prior

__all__ = [
    "Contender",
    "Contending",
    "Inferring",
    "are_known",
    "board_of",
    "cases",
    "cases_of_the_smaller",
    "class_sizes",
    "pair_of",
    "refuse_inferred",
    "smaller_at_its_tail",
    "under_one_prior",
]


Contender = Posterior | AccuracyPosterior


class Inferring(TypedDict, total=False):
    """Keywords of `howsure.infer`, for questions that infer posteriors from predictions."""

    prior: str | Prior | None
    shares: Shares | None
    groups: Question | None


class Contending(Inferring, Asking, total=False):
    """Keywords of what compares, ranks and gates, besides its own."""


def cases(posterior: Contender) -> int:
    """Number of cases, with and without a truth."""
    if isinstance(posterior, AccuracyPosterior):
        return posterior.n
    verdicts = posterior.confusion.verdicts
    return posterior.confusion.n if verdicts is None else verdicts.n


def class_sizes(posterior: Contender) -> dict[str, int]:
    """Cases of each class; empty where only the right answers are known."""
    if isinstance(posterior, AccuracyPosterior):
        return {}
    return dict(zip(posterior.labels, posterior.confusion.class_sizes.tolist(), strict=True))


def are_known(given: Any) -> bool:
    """Whether a question is asked of a kind of knowledge: one, or a mapping of names to several."""
    if isinstance(given, Mapping):
        return bool(given) and all(isinstance(it, Knowledge) for it in given.values())
    return isinstance(given, Knowledge)


def pair_of(given: Sequence[Any], names: Sequence[str] | None = None) -> tuple[Knowledge, str | None, str | None]:
    """One kind and the names of two contenders, or two kinds on data of their own.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> one = Items.from_columns(["a", "b"], [1, 2])
    >>> pair_of([one, one], ("new", "old"))[1:]
    ('new', 'old')
    """
    first, *others = given
    if len(others) == 1 and isinstance(others[0], Knowledge):
        a, b = names or ("A", "B")
        return Separate({a: first, b: others[0]}), a, b
    if names is not None or len(others) > 2 or not all(it is None or isinstance(it, str) for it in others):
        raise InvalidArgument(
            f"after {type(first).__name__} come the names of two contenders, of {listing(first.names)}, or the same of "
            f"another test set; not {excerpt(others)}"
        )
    a, b = [*others, None, None][:2]
    return first, a, b


def board_of(given: Any) -> Knowledge:
    """All contenders of one kind, or of a mapping of names to several."""
    return Separate(given) if isinstance(given, Mapping) else given


def refuse_inferred(call: str, *, prior: object, shares: object, groups: object) -> None:
    """Refuse beside posteriors what was said when they were inferred."""
    if prior is not None:
        raise InvalidArgument(f"posteriors have their prior; name it in infer(), not in {call}()")
    if shares is not None:
        raise InvalidArgument(f"posteriors have their class shares; say shares= in infer(), not in {call}()")
    if groups is not None:
        raise InvalidArgument("posteriors are about the groups that infer() made them for; say groups= there")


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
