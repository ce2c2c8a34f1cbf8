"""Counts and a prior give knowledge: one Dirichlet row for each true class, and a prevalence."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from howsure.answers.fields import law_row
from howsure.data.confusion import ConfusionMatrix
from howsure.data.counts import call
from howsure.data.groups import Question
from howsure.data.repeats import Repeats
from howsure.data.scores import Scores
from howsure.errors import CarriedRatesWarning, InvalidArgument, NoInformation, PriorShiftWarning
from howsure.frozen import Frozen
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED, checked_draws
from howsure.metrics import Asked, Measure, of_class, parse
from howsure.numerics.arrays import Floats
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.carried import CarriedKnowledge, counted_verdicts
from howsure.posterior.distribution import Distribution, shift_note
from howsure.posterior.judged import judged_knowledge
from howsure.posterior.knowledge import TableKnowledge
from howsure.posterior.priors import Prior, resolve_prior
from howsure.posterior.questions import frequencies, patient, predictive, replication
from howsure.posterior.questions import prior_sensitivity as sensitivity
from howsure.posterior.repeated_items import RepeatsPosterior, learned_from_runs
from howsure.posterior.scored_cases import ScoresPosterior, learned_from_scores
from howsure.posterior.shares import Shares, shares_to_be_met
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest
from howsure.text.text_table import MOST_DRAWN


@overload
def infer(
    confusion: ConfusionMatrix,
    prior: str | Prior | None = None,
    *,
    shares: Shares | None = None,
    groups: Question | None = None,
) -> Posterior: ...
@overload
def infer(
    confusion: Repeats, prior: str | Prior | None = None, *, shares: None = None, groups: Question | None = None
) -> RepeatsPosterior: ...
@overload
def infer(
    confusion: Scores, prior: str | Prior | None = None, *, shares: None = None, groups: Question | None = None
) -> ScoresPosterior: ...
def infer(
    confusion: ConfusionMatrix | Repeats | Scores,
    prior: str | Prior | None = None,
    *,
    shares: Shares | None = None,
    groups: Question | None = None,
) -> Posterior | RepeatsPosterior | ScoresPosterior:
    """Learn from counts: the posterior of everything a confusion matrix is about.

    Parameters
    ----------
    confusion : ConfusionMatrix, Repeats or Scores
        Counts, rows truth, columns prediction; items that were tried several times; or true classes and scores.
    prior : str or Prior, optional
        "calibrated" (the default of two classes, or items), "flat" (the papers'), "learned" (from three classes on),
        "jeffreys", "perks", "haldane", "dirichlet1", "caelen". Of a matrix in which truths are missing it is the prior
        of what is true of each verdict: ``jeffreys``, or ``learned`` for two true classes and three verdicts or more.
    shares : str, optional
        The shares of the classes where no prevalence is stated. ``test``: means, minima and maxima over classes of
        metrics that depend on the prevalence (F1, precision) are about the class shares of this test set.
        ``sampled``: every such metric has uncertain shares. ``chosen``: class sizes were chosen, and every metric is
        about their shares. Left out: ``test`` under the learned prior from three classes on, else ``sampled``.
    groups : str, optional
        Where cases come in groups (``ConfusionMatrix.from_predictions(..., group=)``), and of repeats, whose groups are
        the items: about a new case from ``new`` groups, or about ``these`` groups again. Left out: ``new`` from 8
        groups on, else ``these``.

    Returns
    -------
    Posterior
        Of repeats a `RepeatsPosterior`, of scores a `ScoresPosterior`.

    Raises
    ------
    UnknownPrior
        With the nearest name.
    InvalidArgument
        Other shares than these three; another question, or one about groups where there are none.
    NoInformation
        Chosen class sizes, and no case at all.

    Notes
    -----
    Recall i is Beta(a + k_i, b + n_i - k_i), the errors of a class share b evenly, and the prevalence is
    Dirichlet(n_i + m/K); all independent (Brodersen et al. 2010; Carrillo et al. 2013; Toetsch and Hoffmann 2021).
    With many classes those pseudo-counts add up; "learned" takes (a, b) from the data, see
    `howsure.numerics.populations.population`. Where truths are missing, at random given the verdict, the shares of the
    verdicts are Dirichlet(N_v + 1) and what is true of each Dirichlet(n_vh + alpha_vh), independent.

    Examples
    --------
    >>> cm = ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"])
    >>> infer(cm).of("recall@low")
    recall@low 0.71 (0.44 to 0.96) 95% HDI, prior calibrated, exact
    """
    if isinstance(confusion, Repeats):
        if shares is not None:
            raise InvalidArgument("shares= are those of classes, and runs of items have none; leave it out")
        return learned_from_runs(confusion, prior, groups=groups)
    if isinstance(confusion, Scores):
        if shares is not None:
            raise InvalidArgument("shares= are those of a matrix; of scores say infer(scores).at_prevalence(0.1)")
        return learned_from_scores(confusion, prior, groups)
    if not isinstance(confusion, ConfusionMatrix):
        raise InvalidArgument(
            f"infer() takes a ConfusionMatrix, not {type(confusion).__name__}; make one with {call(confusion, prior)}; "
            "rows are truth"
        )
    if groups is not None:
        confusion = confusion.about_groups(groups)
    if confusion.verdicts is not None:
        return Posterior(judged_knowledge(confusion, prior, shares))
    return Posterior(TableKnowledge(confusion, resolve_prior(prior, len(confusion.labels)), shares=shares))


class Posterior(Frozen):
    """What counts and a prior say about a classifier; made by `infer`, immutable.

    Attributes
    ----------
    confusion : ConfusionMatrix
        The counts.
    prior : Prior
        The prior, at this number of classes.
    labels : tuple of str
        Class names.
    n : int
        Number of cases.
    shares : str or None
        "test", "sampled" or "chosen", as in `infer`; None where the prevalence is stated or of other cases.
    """

    def __init__(self, knowledge: TableKnowledge) -> None:
        self._knowledge = knowledge

    @staticmethod
    def from_accuracy(*, correct: int, n: int, prior: str | Prior | None = None) -> AccuracyPosterior:
        """Posterior of the accuracy alone, where only the number of right answers is known; see `AccuracyPosterior`."""
        return AccuracyPosterior(correct=correct, n=n, prior=prior)

    @property
    def confusion(self) -> ConfusionMatrix:
        """The counts."""
        return self._knowledge.confusion

    @property
    def prior(self) -> Prior:
        """The prior, at this number of classes."""
        return self._knowledge.prior

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names."""
        return self._knowledge.labels

    @property
    def n(self) -> int:
        """Number of cases."""
        return self._knowledge.confusion.n

    @property
    def shares(self) -> Shares | None:
        """Which class shares: "test", "sampled" or "chosen"; None where the prevalence is stated or of other cases."""
        return self._knowledge.mode

    def at_prevalence(
        self,
        prevalence: ArrayLike | Mapping[str, float] | None = None,
        *,
        cases: Sequence[int] | Mapping[str, int] | None = None,
        verdicts: Sequence[int] | Mapping[str, int] | None = None,
    ) -> Posterior:
        """The same classifier where the classes come in other shares: the clinic, not the study; both move together.

        Parameters
        ----------
        prevalence : array_like of shape (K,), or mapping of label to share
            Stated shares of the true classes, adding to 1. Classes that a mapping leaves out share the rest in
            proportion to their counts; the one of two that it names is the positive class, unless that is known.
        cases : sequence of K counts, or mapping of label to count
            Instead of shares: cases of each class found elsewhere; the prevalence is then learned from them, with
            the prior's mass, and is as uncertain as they are few.
        verdicts : sequence of K counts, or mapping of label to count
            Instead of either: cases elsewhere of which only what they were called was counted. The rates of the
            classifier are carried over to them, and the prevalence there is learned from how it called them.

        Examples
        --------
        >>> post = infer(ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
        >>> post.at_prevalence({"ill": 0.02}).of("precision")
        precision@ill 0.15 (0.06 to 0.26) 95% HDI, prior calibrated, exact
        >>> post.at_prevalence(cases={"healthy": 490, "ill": 10}).of("precision")
        precision@ill 0.16 (0.04 to 0.30) 95% HDI, prior calibrated, exact
        >>> post.at_prevalence(verdicts={"healthy": 700, "ill": 300}).of("prevalence@ill")
        prevalence@ill 0.26 (0.14 to 0.37) 95% HDI, prior calibrated, exact, rates carried over
        """
        if verdicts is None:
            moved = self._knowledge.at_prevalence(prevalence, cases=cases)
            if prevalence is not None:
                shares_to_be_met(prevalence, moved.confusion)
            return Posterior(moved)
        if prevalence is not None or cases is not None:
            raise InvalidArgument(
                "at_prevalence() takes shares, cases= or verdicts= counted in another population; one of the three"
            )
        if isinstance(self._knowledge, CarriedKnowledge):
            self._knowledge.at_prevalence()
        return Posterior(CarriedKnowledge(self._knowledge, counted_verdicts(verdicts, self.confusion)))

    def under(self, prior: str | Prior) -> Posterior:
        """The same counts about the same shares, stated, of other cases or of the test set, under another prior."""
        return Posterior(self._knowledge.under(prior))

    def of(self, metric: Asked, *, draws: int | None = None, seed: int = SEED) -> Distribution:
        """What is known about one metric.

        Parameters
        ----------
        metric : str, Metric or function
            ``name``, ``name@macro``, ``name@class``, ``fbeta(beta=2)@macro``, or a function of shares ``(..., K, K)``.
        draws, seed : int
            For metrics without a closed form; 20,000 draws, or fewer (and said) where each takes over 10**5 numbers.

        Raises
        ------
        UnknownMetric, UnknownLabel
            With the nearest name.
        NoInformation
            The prior has no mass and the class was all right, all wrong or never tested.

        Warns
        -----
        PriorShiftWarning
            The prior moved an average over classes by more than its own uncertainty.
        CarriedRatesWarning
            Verdicts of other cases that the rates carried over to them do not explain.

        Examples
        --------
        >>> post = infer(ConfusionMatrix([[9, 1, 0], [2, 7, 1], [0, 1, 9]], labels=["a", "b", "c"]))
        >>> post.of("balanced_accuracy")
        balanced_accuracy 0.81 (0.68 to 0.93) 95% HDI, prior learned, exact
        """
        made = self._knowledge.of(metric, draws=draws, seed=seed)
        note = shift_note(made)
        if note and note.warning:
            warnings.warn(note.text, PriorShiftWarning, stacklevel=2)
        for text in self._knowledge.carried.warnings if isinstance(self._knowledge, CarriedKnowledge) else ():
            warnings.warn(text, CarriedRatesWarning, stacklevel=2)
        return made

    def draw(self, n: int = DRAWS, *, seed: int = SEED) -> Floats:
        """Joint probability tables from the posterior, shape (n, K, K); each adds to 1, rows are truth.

        Raises
        ------
        InvalidArgument
            More than 10**8 numbers; ask for metrics with `of`, which never holds all tables.
        """
        if checked_draws(n) * len(self.labels) ** 2 > 10**8:
            raise InvalidArgument(
                f"{n} tables of {len(self.labels)} x {len(self.labels)} do not fit; draw fewer, or use of(metric)"
            )
        return np.concatenate(list(self._knowledge.tables(n, seed=seed)))

    # -- questions: each is one function of a posterior, with its text where it is answered -------------------------

    predict = replication.predict
    post_test = patient.post_test_of_one
    natural_frequencies = frequencies.natural_frequencies
    predictive_values = predictive.predictive_values
    prior_sensitivity = sensitivity.prior_sensitivity

    def _repr_html_(self) -> str:
        head = f"<p>{escape(repr(self)[1:-1])}</p>"
        if len(self.labels) > MOST_DRAWN:
            return head
        return head + self.confusion._repr_html_() + _recalls(self._knowledge)

    def __repr__(self) -> str:
        where = {
            "test set": "",
            "chosen": ", chosen class sizes",
            "stated": ", stated prevalence",
            "other cases": ", prevalence of other cases",
            "verdicts elsewhere": ", rates carried over to another population",
        }
        cases = formats.several(self.n, "case")
        if (verdicts := self.confusion.verdicts) is not None:
            cases = f"{formats.several(verdicts.n, 'case')}, {formats.integer(verdicts.n_labelled)} with a label"
        known = where[self._knowledge.prevalence_source]
        return f"<Posterior: {len(self.labels)} classes, {cases}, prior {self.prior.name}{known}>"


#: Recalls that are drawn; with more classes, the lowest of them.
MOST_RECALLS = 10


def _recalls(known: TableKnowledge) -> str:
    """Balanced accuracy and recalls with their intervals as SVG."""
    if (verdicts := known.confusion.verdicts) is not None:
        classes = [of_class("prevalence", known.labels, i) for i in range(verdicts.truths)][:MOST_RECALLS]
        title = f"Mean (dot) and {formats.interval_name('hdi', 0.95)} of the shares of the true classes"
        return forest([_row(known, measure) for measure in classes], title=title)
    confusion = known.confusion
    shares = confusion.correct / np.maximum(confusion.class_sizes, 1)
    lowest = sorted(np.argsort(shares, kind="stable")[:MOST_RECALLS].tolist())
    measures = [parse("balanced_accuracy", confusion.labels)]
    measures += [of_class("recall", confusion.labels, i) for i in lowest]
    rows = [_row(known, measure) for measure in measures]
    return forest(rows, title=f"Mean (dot) and {formats.interval_name('hdi', 0.95)} of balanced accuracy and recalls")


def _row(known: TableKnowledge, measure: Measure) -> IntervalRow:
    try:
        found = known.of(measure)
    except NoInformation:
        return IntervalRow(measure.name, "no information")
    return law_row(measure.name, found.law, LEVEL, KIND, observed=found.observed, chance=found.chance)
