"""What several posteriors have in common: one default prior, pooled class shares, answers that are right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from howsure.errors import InvalidArgument, listing
from howsure.metrics import Measure, Metric, depends_on_prevalence, parse
from howsure.numerics.arrays import Floats
from howsure.posterior.accuracy import KNOWN, AccuracyPosterior
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.means_over_classes import is_mean_over_classes
from howsure.posterior.paired import PairedMember
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import FEWEST_LEARNED
from howsure.text.formats import plain


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


Known = TypeVar("Known", bound=Posterior | AccuracyPosterior)


def at_pooled_shares(posteriors: Sequence[Known], measure: Measure) -> tuple[list[Known], tuple[str, ...]]:
    """The same posteriors about the class shares of all test sets together, and a sentence where that changes anything.

    Only a metric at the class shares of a test set is concerned: a mean over classes under ``shares="test"``, every one
    that depends on the prevalence under ``shares="chosen"``. Of unlike test sets it would be a difference of the sets.
    """
    tables = [knowledge_of(p) for p in posteriors if isinstance(p, Posterior) and not isinstance(p, PairedMember)]
    if len(tables) < max(2, len(posteriors)) or not depends_on_prevalence(measure, tables[0].size):
        return list(posteriors), ()
    modes = {known.mode for known in tables}
    concerned = "chosen" in modes or ("test" in modes and is_mean_over_classes(measure, tables[0].size))
    if None in modes or not concerned:
        return list(posteriors), ()
    if len(modes) > 1:
        raise InvalidArgument(
            f"{plain(measure.name)} of one is about {listing(sorted(f'shares={mode!r}' for mode in modes if mode))} of "
            "another: a difference would be partly that of the questions. Infer all with one shares="
        )
    if len({frozenset(known.labels) for known in tables}) > 1:
        return list(posteriors), (
            f"{plain(measure.name)} is taken at the class shares of each test set, because their classes differ.",
        )
    cases = sum(_by_label(known, tables[0].labels) for known in tables)
    if not np.sum(cases):
        return list(posteriors), ()
    pooled = dict(zip(tables[0].labels, np.asarray(cases / np.sum(cases)).tolist(), strict=True))
    moved = [np.array([pooled[label] for label in known.labels]) for known in tables]
    own = [known.confusion.class_sizes / max(known.confusion.n, 1) for known in tables]
    if all(np.allclose(here, there, rtol=0, atol=1e-12) for here, there in zip(own, moved, strict=True)):
        return list(posteriors), ()
    made = [Posterior(known.holding(shares)) for known, shares in zip(tables, moved, strict=True)]
    every = "both" if len(made) == 2 else "all"
    said = f"{plain(measure.name)} of {every} is at the class shares of {every} test sets together."
    return made, (said,)  # type: ignore[return-value]  # tables only, as they came


def _by_label(known: TableKnowledge, labels: Sequence[str]) -> Floats:
    """Cases of each class in the order of these labels."""
    sizes = dict(zip(known.labels, known.confusion.class_sizes.tolist(), strict=True))
    return np.array([float(sizes[label]) for label in labels])


#: Classes of a log that says which answers are right (`howsure.io.logs.paired`); the truth is "right" throughout.
RIGHT_OR_WRONG = ("wrong", "right")


def only_right_or_wrong(posterior: Posterior | AccuracyPosterior) -> bool:
    """Whether it is of a log of right and wrong answers, of which nothing but the accuracy means anything."""
    if isinstance(posterior, AccuracyPosterior) or tuple(posterior.labels) != RIGHT_OR_WRONG:
        return False
    confusion = posterior.confusion
    return confusion.verdicts is None and not confusion.class_sizes[0]


def asked_or_usual(
    metric: str | Metric | Measure | None, posteriors: Sequence[Posterior | AccuracyPosterior]
) -> str | Metric | Measure:
    """The metric that was asked for; balanced accuracy if none was, and of logs of right and wrong the accuracy.

    Examples
    --------
    >>> from howsure import ConfusionMatrix, infer
    >>> log = infer(ConfusionMatrix.from_predictions(["right"] * 3, ["right", "wrong", "right"]))
    >>> asked_or_usual(None, [log])
    'balanced_accuracy'
    >>> asked_or_usual(None, [infer(ConfusionMatrix([[0, 0], [1, 2]], labels=RIGHT_OR_WRONG))])
    'accuracy'
    """
    if not all(map(only_right_or_wrong, posteriors)):
        return "balanced_accuracy" if metric is None else metric
    if metric is None:
        return "accuracy"
    named = parse(metric, RIGHT_OR_WRONG, RIGHT_OR_WRONG[1]).metric.name
    if named not in KNOWN:
        raise InvalidArgument(
            f"logs say which answers are right, and no classes; their metric is {' or '.join(KNOWN)}, not {named}"
        )
    return metric
