"""The prior of several classifiers on the same cases, and which groups of cases they are about."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import Question
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument
from howsure.posterior.named_priors import resolve_prior
from howsure.posterior.paired_learned import FEWEST_CLASSES
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.text import formats

__all__ = ["confusion_about", "pair_prior", "paired_names"]


def pair_prior(prior: str | Prior | None, size: int) -> Prior:
    """The prior that is named, or the usual one of so many classes.

    Raises
    ------
    InvalidArgument
        One that no pair can have.
    """
    found = resolve_prior(prior, size)
    if isinstance(found, LearnedPrior) and size < FEWEST_CLASSES:
        raise InvalidArgument(
            "prior 'learned' learns over three classes or more; classifiers on the same cases of "
            f"{formats.several(size, 'class')} have no prior to learn; leave it out"
        )
    if not (found.a > 0 and found.b > 0 and found.prevalence > 0):
        raise InvalidArgument(
            f"prior {found.name!r} has no case on one side, so classifiers that agree so far would agree "
            "for certain; use 'flat' or 'jeffreys'"
        )
    if found.told is not None:
        raise InvalidArgument(
            f"prior {found.name!r} is of single classes or cells, and classifiers on the same cases take one "
            "for all: a name, or a Beta of every recall (beta(2,2))"
        )
    return found


def paired_names(predictions: Predictions, names: Sequence[str] | None) -> tuple[str, ...]:
    """Two or more different classifiers; all if left out.

    Raises
    ------
    InvalidArgument
        Fewer, or one twice.
    """
    chosen = tuple(predictions.names if names is None else names)
    places = [predictions.index(name) for name in chosen]
    if len(set(places)) < max(2, len(places)):
        raise InvalidArgument("pairing needs two or more different classifiers, not " + ", ".join(map(repr, chosen)))
    return chosen


def confusion_about(predictions: Predictions, name: str, question: Question | None) -> ConfusionMatrix:
    """Matrix of one classifier, about "new" groups or "these"; left out, as the number of groups says.

    Raises
    ------
    InvalidArgument
        A question about groups where there are none.
    """
    made = predictions.confusion(name)
    if question is None:
        return made
    if made.groups is None:
        raise InvalidArgument(
            f"groups={question!r} is about cases that come in groups, and no group is known of these; say "
            "Predictions(y_true, y_pred, group=...)"
        )
    return made.about_groups(question)
