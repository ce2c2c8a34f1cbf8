"""What is known of a table of which the truth of some cases is missing: the same questions, answered from verdicts."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.verdicts import Verdicts
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.frozen import kept
from howsure.laws import Law
from howsure.laws.draw_settings import SEED, checked_seed
from howsure.metrics import Asked, Classes, Measure, named, parse
from howsure.metrics.margins import Margins
from howsure.numerics.arrays import Floats
from howsure.posterior.distribution import Distribution
from howsure.posterior.judged_distribution import JudgedDistribution
from howsure.posterior.judged_rows import JudgedRows, Tilt, default_judged_prior, judged_law, required_verdicts
from howsure.posterior.knowledge import TableKnowledge
from howsure.posterior.means_over_classes import Observed
from howsure.posterior.priors import PRIORS, Prior, resolve_prior
from howsure.text import formats

__all__ = ["JudgedKnowledge", "judged_knowledge", "judged_of"]

#: Metrics of a class that are about what it is called, not about who is right.
OF_CALLS = ("bias",)

#: Metrics of a class, or of the table, that need no verdict of its name.
WITHOUT_NAMES = ("prevalence", "bias", "no_information_rate")


class JudgedKnowledge(TableKnowledge):
    """Knowledge of a table whose cases all have a verdict, and some a truth; rows are verdicts, not true classes.

    Parameters
    ----------
    confusion : ConfusionMatrix
        With verdicts.
    prior : Prior
        Of what is true of each verdict.
    tilt : Tilt, optional
        How unlike the unlabelled cases are.
    """

    def __init__(self, confusion: ConfusionMatrix, prior: Prior, *, tilt: Tilt | None = None) -> None:
        self._judged = JudgedRows(confusion, prior, tilt=tilt)
        super().__init__(confusion, prior, shares="sampled")
        self._rows = self._judged

    @property
    def judged(self) -> JudgedRows:
        """The rows: shares of the verdicts, and what is true of each."""
        return self._judged

    @property
    def verdicts(self) -> Verdicts:
        """The counts by verdict."""
        return self._judged.verdicts

    @property
    def truths(self) -> tuple[str, ...]:
        """Names of the true classes."""
        return self.labels[: self.verdicts.truths]

    # -- the same cases seen otherwise --------------------------------------------------------------------------

    def tilted(self, index: int, odds: float) -> JudgedKnowledge:
        """The same counts, if the odds of a true class are other ones among the cases without a label."""
        return JudgedKnowledge(self.confusion, self.prior, tilt=Tilt(index, odds))

    def with_positive(self, label: object) -> JudgedKnowledge:
        """The same knowledge with a positive class, one of two."""
        made = JudgedKnowledge(self.confusion.with_positive(label), self.prior, tilt=self._judged.tilt)
        made._rows = made._judged = self._judged
        made.__dict__["test_set"] = self.test_set
        return made

    def under(self, prior: str | Prior) -> JudgedKnowledge:
        """The same counts under another prior."""
        return JudgedKnowledge(self.confusion, named_prior(prior, self.confusion), tilt=self._judged.tilt)

    # -- numbers ------------------------------------------------------------------------------------------------

    def of(self, metric: Asked, *, draws: int | None = None, seed: int = SEED) -> Distribution:
        """What is known about one metric. Raises `InvalidArgument` where verdicts have no such number."""
        measure = parse(metric, self.labels, self.confusion.positive)
        self.require(measure)
        made = super().of(measure, draws=draws, seed=seed)
        many = self.usual_draws if draws is None else draws
        return JudgedDistribution(self, measure, draws=many, seed=checked_seed(seed), law=made.law)

    def require(self, measure: Measure) -> None:
        """Refuse a measure that these verdicts do not have, and say which they have."""
        name, verdicts = measure.metric.name, self.verdicts
        shares = f"{named('prevalence', None, self.truths[-1])} (how many there are)"
        if measure.label is not None and measure.label not in self.truths and name not in OF_CALLS:
            raise InvalidArgument(
                f"{excerpt(measure.label)} is a verdict only, and no true class, so it has no {name}; ask for "
                f"{named('bias', None, measure.label)} (how often it is said) or {shares}"
            )
        if measure.metric.family == "ordinal" and len(self.labels) > len(self.truths):
            only = listing(map(excerpt, self.labels[len(self.truths) :]))
            raise InvalidArgument(
                f"{name} counts ranks between true classes, and {only} has no rank among them; give every cell "
                f"its cost with expected_cost, or ask for {shares}"
            )
        reads = measure.metric.reference and name not in WITHOUT_NAMES and not name.startswith("expected_cost")
        if reads and not np.any(verdicts.column < verdicts.truths) and measure.metric.by_margins:
            raise InvalidArgument(
                f"no verdict carries the name of a true class ({listing(map(excerpt, self.truths))}), so none is right "
                f"or wrong and {name} has no meaning; ask for {shares}, "
                f"{named('bias', None, verdicts.names[0])} (how often a verdict is said), or an expected_cost"
            )

    def exact_law(self, measure: Measure) -> Law | None:
        """Law in closed form, or None; kept."""
        return self._closed(measure.twin)

    @kept
    def _closed(self, twin: Measure) -> Law | None:
        return judged_law(self._judged, twin)

    def estimand(self, measure: Measure) -> Measure:
        """An average over the classes that cases belong to: what is only ever a verdict is none."""
        if measure.average is None:
            return measure
        size = len(self.truths)
        undefined = tuple(i for i in super().estimand(measure).classes.undefined if i < size)
        return replace(measure, classes=Classes(undefined, left_out=tuple(range(size, self.size))))

    def chance(self, measure: Measure) -> None:
        """None: skill is a question to the judge, not to the cases."""
        return

    @cached_property
    def _observed(self) -> Observed:
        return JudgedObserved(self.confusion, self._judged)


class JudgedObserved(Observed):
    """The labelled cases of each verdict, scaled to all cases with it; NaN where nobody checked one."""

    def __init__(self, confusion: ConfusionMatrix, rows: JudgedRows) -> None:
        super().__init__(confusion)
        self._judged = rows

    @cached_property
    def table(self) -> Floats:
        """All cells, shape (L, L)."""
        verdicts = self._judged.verdicts
        checked = verdicts.labelled.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = verdicts.labelled / checked
        cells = np.where((checked == 0) & (verdicts.totals == 0), 0.0, rates * verdicts.totals)
        made = np.zeros((self._judged.size, self._judged.size))
        for v, column in enumerate(verdicts.column.tolist()):
            made[: verdicts.truths, column] += cells[:, v]
        return made

    @cached_property
    def margins(self) -> Margins:
        """Diagonal, row and column sums."""
        return Margins.of(self.table)

    @property
    def sizes(self) -> Floats:
        """Estimated cases of each class, shape (L,)."""
        return np.asarray(self.table.sum(axis=1))


def named_prior(prior: str | Prior | None, confusion: ConfusionMatrix) -> Prior:
    """The prior of what is true of each verdict, by its name or by default."""
    verdicts = required_verdicts(confusion)
    if prior is None:
        return replace(PRIORS[default_judged_prior(verdicts)].at(verdicts.truths), defaulted=True)
    return resolve_prior(prior, verdicts.truths)


def judged_knowledge(
    confusion: ConfusionMatrix, prior: str | Prior | None, shares: str | None = None
) -> JudgedKnowledge:
    """Knowledge of a matrix with verdicts.

    Raises
    ------
    NoInformation
        No case has a label.
    InvalidArgument
        Shares of the classes, which are what is to be learned.
    """
    verdicts = required_verdicts(confusion)
    if shares not in (None, "sampled"):  # uncertain shares are what is learned
        raise InvalidArgument(
            f"shares={excerpt(shares)} is about the true classes of a test set, and here the truth of "
            f"{formats.integer(int(verdicts.unlabelled.sum()))} cases is missing: their shares are what is learned; "
            "leave shares out"
        )
    return JudgedKnowledge(confusion, named_prior(prior, confusion))


def judged_of(known: object) -> JudgedKnowledge | None:
    """Knowledge from verdicts, or None where every case has its truth."""
    return known if isinstance(known, JudgedKnowledge) else None
