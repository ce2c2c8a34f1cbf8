"""What a pilot may be: knowledge of one classifier, or the answers of two on the same cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.named_priors import fixed_default, resolve_prior
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, Prior

__all__ = ["Pilot", "PilotPair", "known_of"]

Pilot: TypeAlias = Posterior | AccuracyPosterior | ConfusionMatrix | Predictions | Scores


@dataclass(frozen=True, eq=False)
class PilotPair:
    """Two classifiers that answered the same cases in a pilot; the first is the new one, the second the old one."""

    predictions: Predictions

    @property
    def names(self) -> tuple[str, str]:
        """The new one, and the old one."""
        new, old = self.predictions.names
        return new, old

    def apart(self, index: int | None = None) -> tuple[int, int]:
        """Cases that only one of the two got right, and all cases; of one true class, or of all."""
        truth = self.predictions.truth
        here = slice(None) if index is None else truth == index
        new, old = (self.predictions.answers(name)[here] == truth[here] for name in self.names)
        return int(np.count_nonzero(new != old)), len(new)


def known_of(
    pilot: Pilot | None, prior: str | Prior | None
) -> tuple[Posterior | AccuracyPosterior | None, PilotPair | None]:
    """What a pilot says of the (old) classifier, and the pair that it holds.

    Raises
    ------
    InvalidArgument
        Something else, more than two classifiers.
    """
    if isinstance(pilot, ConfusionMatrix):
        pilot = infer(pilot, prior)
    if pilot is None or isinstance(pilot, Posterior | AccuracyPosterior):
        return pilot, None
    if isinstance(pilot, Scores):
        raise InvalidArgument("a pilot of Scores is for roc_auc; of other metrics it is scores.confusion_at(0.5)")
    if not isinstance(pilot, Predictions):
        raise InvalidArgument(
            "pilot is a posterior, a ConfusionMatrix, or the Predictions of two classifiers; "
            f"not {excerpt(type(pilot).__name__)}"
        )
    if len(pilot.names) == 1:
        return infer(pilot.confusion(pilot.names[0]), prior), None
    if len(pilot.names) > 2:
        raise InvalidArgument(
            f"the pilot holds {len(pilot.names)} classifiers ({', '.join(map(excerpt, pilot.names[:4]))}, ...); "
            "make Predictions of two, the new one first"
        )
    pair = PilotPair(pilot)
    # pairs are read with priors of fixed mass
    chosen = resolve_prior(prior, len(pilot.labels))
    fixed = fixed_default(len(pilot.labels)) if isinstance(chosen, LearnedPrior) else chosen
    return infer(pilot.confusion(pair.names[1]), fixed), pair
