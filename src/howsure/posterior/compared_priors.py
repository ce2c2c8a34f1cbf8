"""Which priors classifiers are compared under."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.named_priors import FEWEST_LEARNED
from howsure.posterior.posterior import Posterior

__all__ = ["prior_names", "under_one_default"]


def under_one_default(posteriors: Sequence[Posterior | AccuracyPosterior]) -> list[Posterior | AccuracyPosterior]:
    """The same, bare counts under the prior of the tables beside them, where nobody named one.

    Right and wrong are two outcomes, so alone they have the default of two classes; beside a table of three, whose
    accuracy is one coin under "learned", they have that coin.
    """
    defaulted = all(posterior.prior.defaulted for posterior in posteriors)
    if not (defaulted and any(len(posterior.labels) >= FEWEST_LEARNED for posterior in posteriors)):
        return list(posteriors)
    return [
        AccuracyPosterior(correct=each.correct, n=each.n, prior="learned")
        if isinstance(each, AccuracyPosterior)
        else each
        for each in posteriors
    ]


def prior_names(posteriors: Sequence[Posterior | AccuracyPosterior]) -> list[str]:
    """Names of the priors that classifiers are compared under, each once.

    Bare counts know the accuracy alone, which is one coin a case, Beta(1, 1) under "flat" and "learned" alike: beside
    a table whose accuracy has the same coin they have no other prior. `under_one_default` gives them that coin.

    Examples
    --------
    >>> import howsure as hs
    >>> table = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [1, 8, 1], [0, 2, 8]]))
    >>> prior_names(under_one_default([table, hs.Posterior.from_accuracy(correct=24, n=30)]))
    ['learned']
    """
    every = [knowledge_of(posterior) for posterior in posteriors]
    names = list(dict.fromkeys(known.prior_name for known in every))
    tables = [known for known in every if isinstance(known, TableKnowledge)]
    coins = {posterior.prior.coin for posterior in posteriors}
    if len(tables) < len(every) and len(coins) == 1 and all(it.prevalence_source == "test set" for it in tables):
        return list(dict.fromkeys(known.prior_name for known in tables))[:1] or names[:1]
    return names
