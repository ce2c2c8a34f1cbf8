"""What rooms share of a posterior: one object behind its public face, with everything that the counts and a prior say.

A user asks a `howsure.Posterior`; metrics, distributions, questions and every other room ask the `TableKnowledge`
behind it, which `knowledge_of` gives. Metrics see it as `howsure.metrics.Knowledge`, distributions as
`MeasureKnowledge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import ArrayLike

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.frozen import kept
from howsure.laws import Beta, Companion, Draws, GroupMeans, Law, LearnedSum, Linear, Mixture
from howsure.laws.law import DRAWS, SEED, affordable, checked_draws, checked_seed, usual_draws
from howsure.metrics import Asked, Classes, Measure, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.population import Population
from howsure.posterior.distribution import Distribution, MeasureKnowledge, Term
from howsure.posterior.grouped_rows import GroupedRows, about_groups, new_groups
from howsure.posterior.priors import LearnedPrior, Prior, perks_by_size, resolve_prior
from howsure.posterior.rows import ClassRows, Drawn, LearnedRows, Rows, measured, tables_of
from howsure.posterior.shares import (
    Observed,
    PrevalenceSource,
    Shares,
    absent_of,
    counted_elsewhere,
    held_shares,
    is_mean_over_classes,
    named_positive,
    resolved_shares,
    stated_shares,
)
from howsure.progress import along

if TYPE_CHECKING:
    from howsure.posterior.accuracy import AccuracyKnowledge, AccuracyPosterior
    from howsure.posterior.paired import MemberKnowledge, PairedMember
    from howsure.posterior.posterior import Posterior

LEAST_WEIGHT = 1e-10  # components of the law of a share that are less probable are left out


@overload
def knowledge_of(posterior: PairedMember) -> MemberKnowledge: ...
@overload
def knowledge_of(posterior: Posterior) -> TableKnowledge: ...
@overload
def knowledge_of(posterior: AccuracyPosterior) -> AccuracyKnowledge: ...
def knowledge_of(posterior: Posterior | AccuracyPosterior) -> TableKnowledge | AccuracyKnowledge:
    """Knowledge behind the public face of a posterior, for the rooms of this package.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> knowledge_of(post).shares.round(2).tolist()
    [0.5, 0.5]
    """
    return posterior._knowledge


def defined(values: Floats, measure: Measure) -> Floats:
    """The same draws of a measure. Raises `NoInformation` where they make no law."""
    if np.count_nonzero(np.isfinite(values)) < 2:
        if np.isinf(values).any():
            raise NoInformation(f"{measure.name} is infinite in every draw, so it has no interval")
        raise NoInformation(f"{measure.name} is undefined (0/0) in every draw: too few counts and prior")
    return values


def rows_of(confusion: ConfusionMatrix, prior: Prior) -> Rows:
    """Rows of new groups, where numbers are about these; else learned together or each on its own, by the prior."""
    if new_groups(confusion) is not None:
        return GroupedRows(confusion, prior)
    return (LearnedRows if isinstance(prior, LearnedPrior) else ClassRows)(confusion, prior)


class TableKnowledge(MeasureKnowledge):
    """Knowledge of a whole table: one Dirichlet row for each true class, and a prevalence.

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    prior : Prior
        The prior, at this number of classes.
    known_prevalence : ndarray of shape (K,), optional
        The stated prevalence; learned from the counts if left out.
    shares : "test", "sampled" or "chosen", optional
        What the class shares of the test set are where no prevalence is stated; by the prior if left out.
    held : ndarray of shape (K,), optional
        Shares to hold in place of those of this test set: those of two test sets together.
    """

    _attributes: tuple[str, ...] = ("confusion", "prior", "known_prevalence", "labels", "size")

    def __init__(
        self,
        confusion: ConfusionMatrix,
        prior: Prior,
        known_prevalence: Floats | None = None,
        *,
        shares: Shares | None = None,
        held: Floats | None = None,
    ) -> None:
        self.labels, self.size = confusion.labels, len(confusion.labels)
        self._mode, self._classes_of_prior = resolved_shares(shares, prior, self.size), self.size
        self._pooled, self._held = held, held_shares(confusion, self._mode) if held is None else held
        self._stated = known_prevalence is not None
        chosen = self._held if self._mode == "chosen" else None
        self.confusion, self.known_prevalence = confusion, chosen if known_prevalence is None else known_prevalence
        self.prior = prior.aligned(confusion.labels, confusion.positive)
        self._rows: Rows = rows_of(confusion, self.prior)
        self._memory: dict[tuple[Measure, int, int, int], Floats] = {}

    @property
    def about_groups(self) -> str:
        return about_groups(self.confusion)

    @property
    def rows(self) -> ClassRows | None:
        """What the counts say about each true class on its own; None under the learned prior, which has no such."""
        return self._rows if isinstance(self._rows, ClassRows) else None

    @property
    def population(self) -> Population | None:
        """The population that the recalls of all classes are learned from; None under a prior of each on its own."""
        return self._rows.recalls if isinstance(self._rows, LearnedRows) else None

    @property
    def groups(self) -> GroupedRows | None:
        """What is known of new groups; None where numbers are about no new ones."""
        return self._rows if isinstance(self._rows, GroupedRows) else None

    @property
    def row_means(self) -> Floats:
        """Expected share of each call (column) among the cases of each class (row), shape (K, K), in closed form."""
        return self._rows.means

    @property
    def shares(self) -> Floats:
        """The prevalence, shape (K,): stated, or the mean of what the cases say."""
        return self._rows.share_means if self.known_prevalence is None else self.known_prevalence

    @property
    def prevalence_source(self) -> PrevalenceSource:
        """Where the prevalence comes from: the test set, the sizes that its classes were given, a statement, others."""
        if self._stated:
            return "stated"
        if self._rows.elsewhere is not None:
            return "other cases"
        return "test set" if self.known_prevalence is None else "chosen"

    @property
    def mode(self) -> Shares | None:
        """What the class shares of the test set are; None where the prevalence is stated, or of other cases."""
        return self._mode if self.prevalence_source in ("test set", "chosen") else None

    @property
    def held_shares(self) -> Floats | None:
        """Class shares, shape (K,), that means over classes are taken at; None where they are uncertain or stated."""
        return self._held if self.mode in ("test", "chosen") else None

    @property
    def held_at(self) -> str:
        own = self._pooled is None
        return "at this test set's class shares" if own else "at the class shares of the test sets together"

    def estimand(self, measure: Measure) -> Measure:
        """The measure as the counts define it: at which class shares, and what counts for classes without a value."""
        if measure.average is None:
            return measure
        held = self.held_shares is not None and is_mean_over_classes(measure, self.size)
        counted = self._observed_together if held else self._observed
        return replace(measure, held=held, classes=Classes(counted.undefined(measure)))

    def holding(self, shares: Floats) -> TableKnowledge:
        """The same knowledge about other shares of a test set than its own, such as those of two together."""
        return self._kept(TableKnowledge(self.confusion, self.prior, shares=self._mode, held=shares), self._rows)

    # -- the same cases seen otherwise --------------------------------------------------------------------------

    def at_prevalence(
        self,
        prevalence: ArrayLike | Mapping[str, float] | None = None,
        *,
        cases: Sequence[int] | Mapping[str, int] | None = None,
    ) -> TableKnowledge:
        if (prevalence is None) == (cases is None):
            raise InvalidArgument(
                "at_prevalence() takes shares, or cases= counted in another population; one of the two"
            )
        mass = self.prior.shares(self.size)
        rows = self._rows.moved(None if cases is None else counted_elsewhere(cases, self.confusion, mass))
        shares = None if prevalence is None else stated_shares(prevalence, self.confusion)
        confusion = named_positive(prevalence, self.confusion)
        # cases elsewhere say more about the shares there than how these cases were chosen
        mode: Shares = "sampled" if cases is not None and self._mode == "chosen" else self._mode
        return self._kept(TableKnowledge(confusion, self.prior, shares, shares=mode), rows)

    def with_positive(self, label: object) -> TableKnowledge:
        return self._kept(self.recounted(self.confusion.with_positive(label)), self._rows)

    def recounted(self, confusion: ConfusionMatrix, prior: Prior | None = None) -> TableKnowledge:
        """Knowledge of other counts, perhaps under another prior, about the same shares; a test set of its own."""
        stated, prior = self.known_prevalence if self._stated else None, self.prior if prior is None else prior
        return TableKnowledge(confusion, prior, stated, shares=self._mode, held=self._pooled)

    def _kept(self, made: TableKnowledge, rows: Rows) -> TableKnowledge:
        """Give another view of the same cases their rows, so that metrics of both move together."""
        made._rows, made.__dict__["test_set"] = rows, self.test_set
        return made

    def under(self, prior: str | Prior) -> TableKnowledge:
        """The same counts about the same shares, stated, of other cases or of the test set, under another prior."""
        made = self.recounted(self.confusion, resolve_prior(prior, self._classes_of_prior))
        if self._rows.elsewhere is not None:
            moved = made.prior.shares(self.size) - self.prior.shares(self.size)
            made._rows = made._rows.at_cases(self._rows.elsewhere + moved)
        return made

    @cached_property
    def expecting_chance(self) -> TableKnowledge:
        """The same under ``perks``, which expects the recall of every class to be 1/K, and the errors to be even."""
        made = self.under("perks")
        return self if (made.prior, made.prior_name) == (self.prior, self.prior_name) else made

    @cached_property
    def expecting_no_correlation(self) -> TableKnowledge:
        """The same under ``perks`` by class size, which expects all classes to be answered alike."""
        perks = self.expecting_chance
        prior = perks_by_size(self.confusion, perks.prior)
        return perks if prior is perks.prior else self.under(prior)

    # -- numbers ------------------------------------------------------------------------------------------------

    def of(self, metric: Asked, *, draws: int | None = None, seed: int = SEED) -> Distribution:
        """What is known about one metric: `Posterior.of` without its warning, for who prints `shift_note`."""
        measure = self.estimand(parse(metric, self.labels, self.confusion.positive))
        draws, seed = self.usual_draws if draws is None else checked_draws(draws), checked_seed(seed)
        law = self.exact_law(measure)
        if law is None:
            values = self.drawn([measure, parse("balanced_accuracy", self.labels)], draws, seed, 0)[0]
            beside = self.control_variate(draws, seed)
            law = Draws(defined(values, measure), support=measure.metric.support, control=beside)
        return Distribution([Term(1.0, self, measure)], draws=draws, seed=seed, law=law)

    def prepare(self, measures: Sequence[Measure], *, draws: int | None = None, seed: int = SEED) -> None:
        """Draw all measures without a closed form in one pass, so that `of` finds them ready."""
        if open_ended := [m for m in measures if self.exact_law(m) is None]:
            draws = self.usual_draws if draws is None else checked_draws(draws)
            self.drawn([*open_ended, parse("balanced_accuracy", self.labels)], draws, seed, 0)

    @property
    def recall_means(self) -> Floats:
        return self._rows.recall_means

    @property
    def recall_sds(self) -> Floats:
        return self._rows.recall_sds

    @property
    def numbers_per_draw(self) -> int:
        return self._rows.numbers_per_draw

    @property
    def usual_draws(self) -> int:
        """Draws of a metric without a closed form, when none are asked for."""
        return usual_draws(self.numbers_per_draw)

    @property
    def draws_are_affordable(self) -> bool:
        """Whether drawing takes a minute or two at most."""
        return affordable(self.numbers_per_draw)

    def tables(self, n: int = DRAWS, *, seed: int = SEED, stream: int = 0) -> Iterator[Floats]:
        """Joint probability tables in blocks of shape (m, K, K), so that no more than one is in memory."""
        for block in self.blocks(n, seed=seed, stream=stream):
            yield from block.whole()

    def blocks(self, n: int = DRAWS, *, seed: int = SEED, stream: int = 0, ordered: bool = False) -> Iterator[Drawn]:
        """The same tables as they are simulated: of many classes only the cells that are not empty.

        ``ordered``: as an ordinal metric asks for them, where a learned prior knows where errors go.
        """
        rows = self._rows.ordered if ordered and isinstance(self._rows, LearnedRows) else self._rows
        return tables_of(rows, self.known_prevalence, checked_draws(n), (checked_seed(seed), stream))

    # -- what a metric may ask (howsure.metrics.Knowledge) --------------------------------------------------

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear | None:
        return self._rows.linear(coefficients, shift, rows=rows)

    def of_recalls(
        self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | LearnedSum | GroupMeans:
        law = self._rows.of_recalls(weights, shift, rows=rows)
        assert law is not None
        return law

    def coin(self) -> Linear | GroupMeans | None:
        return None if self._rows.elsewhere is not None else self._rows.coin

    def extreme_of_recalls(self, *, largest: bool = False, wrong: bool = False) -> Law | None:
        return self._rows.extreme_of_recalls(self.known_prevalence, largest=largest, wrong=wrong)

    def two_class(self, name: str, positive: int, **parameters: float) -> Law | None:
        return self._rows.two_class(name, positive, self.known_prevalence, **parameters)

    def prevalence_of(self, index: int) -> Linear | Mixture:
        if self.known_prevalence is not None:
            return Linear(shift=float(self.known_prevalence[index]))
        a, b, weight = self._rows.shares.betas_of(index)
        if len(weight) == 1:
            return Beta(float(a[0]), float(b[0]))
        kept = weight > LEAST_WEIGHT
        return Mixture.of_betas(a[kept], b[kept], weight[kept] / weight[kept].sum())

    # -- what a distribution may ask (howsure.posterior.distribution.MeasureKnowledge) ------

    def exact_law(self, measure: Measure) -> Law | None:
        return self._closed(self.estimand(measure).twin)

    @kept
    def _closed(self, twin: Measure) -> Law | None:
        held = self.held_shares if twin.held else None
        if held is None:
            return twin.exact_law(self)
        if not np.all(held > 0):  # none leaves a class out
            return None
        return twin.exact_law(self._kept(TableKnowledge(self.confusion, self.prior, held), self._rows))

    def observed(self, measure: Measure) -> float | None:
        estimand = self.estimand(measure)
        return (self._observed_together if estimand.held else self._observed).value(estimand)

    def absent(self, measure: Measure) -> dict[int, float]:
        """Rows of classes never predicted, or never true, with what each counts in an average; NaN: left out."""
        estimand = self.estimand(measure)
        return (self._observed_together if estimand.held else self._observed).absent(estimand)

    def beside(self, measure: Measure) -> str:
        absent = absent_of(self.confusion, self.absent(measure))
        if not absent:
            return ""
        label, reason, worth = absent[0]
        if len(absent) > 1:
            how = "are left out" if np.isnan(worth) else f"count as {worth:g}"
            return f"{len(absent)} classes that were never predicted or never true {how}"
        how = "left out" if np.isnan(worth) else f"counted as {worth:g}"
        return f"{excerpt(label)} {reason}, {how}"

    def chance(self, measure: Measure) -> float | None:
        return measure.chance(self._observed.sizes)

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[Floats]:
        measures = [self.estimand(m) for m in measures]
        missing = [m for m in dict.fromkeys(measures) if (m, draws, seed, stream) not in self._memory]
        for ordinal in (False, True):
            asked = [m for m in missing if m.ordinal is ordinal]
            if not asked:
                continue
            tables = self.blocks(draws, seed=seed, stream=stream, ordered=ordinal)
            held = None if self.known_prevalence is not None else self.held_shares
            blocks = along(tables, draws, lambda block: len(block.margins.hits))
            for measure, values in zip(asked, measured(asked, blocks, draws, held), strict=True):
                self._memory[measure, draws, seed, stream] = values
        return [self._memory[m, draws, seed, stream] for m in measures]

    @kept
    def control_variate(self, draws: int, seed: int) -> Companion | None:
        """Balanced accuracy in the draws that `drawn` gives, by whose exact law they are weighted; None where not."""
        # a class that never comes has no recall in the draws, so the law of all recalls is not theirs
        if self.known_prevalence is not None and 0 in self.known_prevalence:
            return None
        beside = parse("balanced_accuracy", self.labels)
        known = self.exact_law(beside)
        return None if known is None else Companion(self.drawn([beside], draws, seed, 0)[0], known)

    @cached_property
    def _observed(self) -> Observed:
        as_counted = self.prevalence_source == "test set" or (self.mode == "chosen" and self._pooled is None)
        return Observed(self.confusion, None if as_counted else self.shares)

    @cached_property
    def _observed_together(self) -> Observed:
        return self._observed if self._pooled is None else Observed(self.confusion, self._pooled)
