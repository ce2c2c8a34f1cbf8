"""Balanced accuracy under the prior of the papers, beside a report of a few classes under the default one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from howsure.errors import NoInformation, OutOfReach
from howsure.laws import Kind, Linear
from howsure.metrics import Measure
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.named_priors import default_prior
from howsure.posterior.posterior import Posterior, infer
from howsure.text import formats

__all__ = ["UnderPapersPrior", "under_papers_prior"]

#: Up to this many classes the papers print numbers; beyond it the flat prior is harmful, and nobody looks for them.
MOST_CLASSES = 9

#: The published values have three decimals, which are there to be compared with.
DECIMALS = 3


@dataclass(frozen=True)
class UnderPapersPrior:
    """What is known of a metric under the flat prior, in the level and the kind of the report."""

    metric: str
    prior: str
    reference: str
    mean: float
    low: float
    high: float
    interval: str

    @property
    def sentence(self) -> str:
        """The line of the report, with the option that gives the rest."""
        ends = formats.interval(self.low, self.high, DECIMALS)
        mean = formats.number(self.mean, DECIMALS)
        return f"{self.metric} under the {self.prior} prior of {self.reference}: {mean} ({ends}), --prior {self.prior}"


def under_papers_prior(
    posterior: Posterior, measures: Sequence[Measure], level: float, kind: Kind
) -> UnderPapersPrior | None:
    """Balanced accuracy under the papers' prior, where it is asked for under the default one of 2 to 9 classes.

    None elsewhere; without cases it says nothing.
    """
    measure = next((it for it in measures if it.name == "balanced_accuracy"), None)
    size = len(posterior.labels)
    if measure is None or not 2 <= size <= MOST_CLASSES or not posterior.n:
        return None
    own = knowledge_of(posterior)
    if posterior.prior.name != default_prior(size):
        return None
    try:
        rows_alone = size == 2 and isinstance(own.of(measure).law, Linear)  # not of new groups, nor of verdicts
        if not rows_alone and own.population is None:
            return None
        law = knowledge_of(infer(posterior.confusion, "flat")).of(measure).law
        ends = law.interval(level, kind)
    except (NoInformation, OutOfReach):  # the row says so
        return None
    return UnderPapersPrior(measure.name, "flat", "Carrillo et al. 2013", law.mean, ends.low, ends.high, ends.kind)
