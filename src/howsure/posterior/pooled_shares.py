"""Separate test sets whose classes come in unlike shares, asked about one mixture of classes: both sets together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from howsure.errors import InvalidArgument, listing
from howsure.metrics import Measure, depends_on_prevalence
from howsure.numerics.arrays import Floats
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.means_over_classes import is_mean_over_classes
from howsure.posterior.paired import PairedMember
from howsure.posterior.posterior import Posterior
from howsure.text.formats import plain

__all__ = ["at_pooled_shares"]

Known = TypeVar("Known", bound=Posterior | AccuracyPosterior)


def at_pooled_shares(posteriors: Sequence[Known], measure: Measure) -> tuple[list[Known], tuple[str, ...]]:
    """The same posteriors about the class shares of all test sets together, and a sentence where that changes anything.

    Only a metric at the class shares of a test set is concerned: a mean over classes under ``shares="test"``, every one
    that depends on the prevalence under ``shares="chosen"``. Of unlike test sets it would be a difference of the sets.

    Raises
    ------
    InvalidArgument
        Posteriors about different kinds of shares, such as those of the test set and uncertain ones.
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
