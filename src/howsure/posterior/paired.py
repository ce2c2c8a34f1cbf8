"""Several classifiers on the same cases: one joint posterior, whose margins are the posteriors of each alone.

Per true class, the answers of all classifiers to a case are a pattern; patterns have a Dirichlet process prior of the
mass and mean that the class row has in the model of one classifier (`howsure.numerics.draws.pair_tables`). For two
classifiers right or wrong, with the flat prior, it is Dirichlet(1/2, 1/2, 1/2, 1/2) over both right, only A, only B,
neither. From three classes on what tells two classifiers apart is learned over the classes, unless a prior is named
(`howsure.posterior.paired_rows`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import Question
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.frozen import Frozen, kept
from howsure.laws import Draws, GroupMeans, LearnedSum, Linear
from howsure.metrics import Measure, Metric, depends_on_prevalence, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import quantiles_at_ranks
from howsure.posterior.accuracy import KNOWN, AccuracyPosterior
from howsure.posterior.distribution import Term
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.paired_rows import (
    LearnedPair,
    PairedDraws,
    PairedGroups,
    PairedRows,
    confusion_about,
    counted_cells,
    pair_prior,
    paired_names,
    weighted_recalls,
)
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import FEWEST_LEARNED, PRIORS, LearnedPrior, Prior
from howsure.posterior.shares import COINS, Shares, is_mean_over_classes, resolved_shares, shares_to_be_met
from howsure.text import formats
from howsure.text.formats import plain

__all__ = ["MemberKnowledge", "PairedMember", "PairedPosterior", "separate"]


class PairedPosterior(Frozen):
    """What predictions and a prior say about several classifiers that answered the same cases.

    Ask a member, ``joint["A"]``, as you ask any posterior; differences of members are paired.

    Parameters
    ----------
    predictions : Predictions
        The cases.
    names : sequence of str, optional
        Two or more of its classifiers; all if left out.
    prior : str or Prior, optional
        Pseudo-counts of a class row, above 0 on both sides. If left out, "calibrated" for one or two classes, "learned"
        for more.
    shares : str, optional
        Which class shares, as in `infer`; all classifiers have those of the same test set.
    groups : "new" or "these", optional
        Of predictions with groups: which these are about, as in `infer`.

    Raises
    ------
    InvalidArgument
        Fewer than two classifiers, or a prior that no pair can have.

    Notes
    -----
    Each member alone has the law that `infer` gives under that prior, whoever else is there. Learned, the difference
    of two is drawn from what was learned about how they differ; with pseudo-counts, right or wrong is exact, and other
    metrics are drawn, jointly.

    Examples
    --------
    >>> both = Predictions([0] * 20 + [1] * 20, {"A": [0] * 18 + [1] * 22, "B": [0] * 15 + [1] * 25})
    >>> joint = PairedPosterior(both)
    >>> joint["A"].of("accuracy") - joint["B"].of("accuracy")
    difference 0.073 (-0.003 to 0.168) 95% HDI, prior paired calibrated, exact
    """

    _attributes = ("predictions", "names", "prior", "known_prevalence")

    def __init__(
        self,
        predictions: Predictions,
        names: Sequence[str] | None = None,
        prior: str | Prior | None = None,
        *,
        known_prevalence: Floats | None = None,
        shares: Shares | None = None,
        groups: Question | None = None,
    ) -> None:
        self.predictions, self.names = predictions, paired_names(predictions, names)
        self.prior, self._question = pair_prior(prior, len(predictions.labels)), groups
        self._stated, self._mode = known_prevalence, resolved_shares(shares, self.prior, len(predictions.labels))
        own = self._class_shares if self._mode == "chosen" else None
        self.known_prevalence = own if known_prevalence is None else known_prevalence
        self._pairs: dict[tuple[str, str], LearnedPair] = {}
        #: the latest of these at stated prevalences: members that are moved one by one stay on the same cases
        self._elsewhere: dict[bytes, PairedPosterior] = {}

    # -- what it is made of ---------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> PairedMember:
        """Posterior of one classifier, which moves with the others."""
        self.predictions.index(name)
        if name not in self.names:
            raise InvalidArgument(f"classifier {excerpt(name)} is not in this pairing of {', '.join(self.names)}")
        return self._members[self.names.index(name)]

    def at_prevalence(self, prevalence: ArrayLike | Mapping[str, float]) -> PairedPosterior:
        """The same classifiers where the classes come in other shares; see `Posterior.at_prevalence`."""
        return self._moved(shares_to_be_met(prevalence, self._members[0].confusion))

    def _moved(self, stated: Floats) -> PairedPosterior:
        if (key := stated.tobytes()) not in self._elsewhere:
            moved = self._elsewhere[key] = self.of_these(self.names, stated)
            moved._elsewhere, moved._pairs = self._elsewhere, self._pairs
        return self._elsewhere[key]

    def of_these(
        self, names: Sequence[str], known_prevalence: Floats | None = None, groups: Question | None = None
    ) -> PairedPosterior:
        """Some of the classifiers on the same cases; about the same shares and groups, or others that are stated."""
        about: Any = {"shares": self._mode, "groups": self._question if groups is None else groups}
        about["known_prevalence"] = self._stated if known_prevalence is None else known_prevalence
        return PairedPosterior(self.predictions, names, self.prior, **about)

    def __repr__(self) -> str:
        shown = ", ".join(formats.plain(name, 40) for name in self.names[:8])
        more = f" and {len(self.names) - 8} more" if len(self.names) > 8 else ""
        cases = formats.several(self.predictions.n, "case")
        return f"<PairedPosterior: {shown}{more} on the same {cases}, prior paired {self.prior.name}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.predictions._repr_html_()}"

    # -- what members ask -----------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> PairedRows | None:
        """Rows that two classifiers share; None of more than two."""
        if len(self.names) != 2 or self.about_new_groups:
            return None
        return PairedRows(self.predictions, self.names, self.prior, self.both_right_or_wrong(*self.names))

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[list[Floats]]:
        """Joint draws of measures, for each its draws of every classifier, in one pass.

        Means over tested classes are drawn from the same rows at the class shares of these cases. Learned, the draws
        of three or more have the copula of the Dirichlet process and the margin of each alone.
        """
        held = [m for m in measures if m.held and self.known_prevalence is None]
        if held:
            there, rest = self._moved(self._class_shares), [m for m in measures if m not in held]
            pairs = ((held, there.drawn(held, draws, seed, stream)), (rest, self.drawn(rest, draws, seed, stream)))
            found = {m: values for asked, drawn in pairs for m, values in zip(asked, drawn, strict=True)}
            return [found[m] for m in measures]
        return self._draws.of(measures, draws, seed, stream)

    def combined(
        self, terms: Sequence[Term], constant: float, support: tuple[float, float], draws: int, seed: tuple[int, int]
    ) -> Draws | None:
        """Law of a combination of measures of several of the classifiers where it has one of its own, else None.

        Two are as they would be without the others; ``seed`` is a seed and a stream.
        """
        names = list(dict.fromkeys(member_of(term).name for term in terms))
        if not self.by_differences or len(names) == 1:
            return None
        if len(names) == 2 and self.learned:
            one, other = (self._weights([t for t in terms if member_of(t).name == name]) for name in names)
            if one is not None and other is not None and np.array_equal(one[0], -other[0]):
                return self.pair(*names).difference(one[0], constant + one[1] + other[1], draws, seed)
        joint = self.only(*names) if len(names) == 2 else self
        total = np.full(draws, constant)
        for term in terms:
            place = joint.names.index(member_of(term).name)
            total += term.coefficient * joint.drawn([term.measure], draws, *seed)[0][place]
        return Draws(total, support=support)

    # -- what was learned -----------------------------------------------------------------------------------

    @property
    def learned(self) -> bool:
        """Whether what tells two of them apart is learned over the classes."""
        return isinstance(self.prior, LearnedPrior) and not self.about_new_groups

    @cached_property
    def about_new_groups(self) -> bool:
        """Whether differences are about a new case from a new group."""
        return new_groups(self.confusion(self.names[0])) is not None

    @property
    def by_differences(self) -> bool:
        """Whether differences have laws of their own, next to those of each alone."""
        return self.learned or self.about_new_groups

    def confusion(self, name: str) -> ConfusionMatrix:
        """Confusion matrix of one classifier, about the groups that these numbers are about."""
        return confusion_about(self.predictions, name, self._question)

    def pair(self, first: str, second: str) -> LearnedPair:
        """What was learned about two of them; kept, also for other prevalences."""
        if (first, second) not in self._pairs:
            self._pairs[first, second] = LearnedPair(self.predictions, first, second)
        return self._pairs[first, second]

    def margin_of(self, place: int, measure: Measure, draws: int, seed: int) -> Floats:
        """Sorted draws, or even quantiles, of a measure of one classifier alone, shape (n,)."""
        alone = knowledge_of(self._members[place])
        law = alone.exact_law(measure)
        if law is None:
            return np.sort(alone.drawn([measure], draws, seed, 0)[0])
        return quantiles_at_ranks(law.quantile, draws)

    @cached_property
    def independent(self) -> TableKnowledge:
        """Of the first classifier under independent rows: its closed forms say what a measure asks of the recalls."""
        flat = PRIORS["flat"].at(len(self.predictions.labels))
        counts = self.confusion(self.names[0])
        counts = counts if counts.groups is None else counts.about_groups("these")
        return TableKnowledge(counts, flat, self._stated, shares=self._mode)

    def weights_of(self, measure: Measure) -> tuple[Floats, float] | None:
        """Weights of the recalls, shape (K,), and a constant, of a measure that is their sum; None of any other."""
        if self.known_prevalence is None and measure.twin.metric.name in COINS:
            return None
        return weighted_recalls(self.independent.exact_law(measure), len(self.predictions.labels))

    # -- counts ---------------------------------------------------------------------------------------------

    def both_right_or_wrong(self, first: str, second: str) -> NDArray[np.int64]:
        """Cases of each class that both have right, only the first, only the second, neither; shape (K, 4)."""
        return counted_cells(self.predictions.patterns(first, second), len(self.predictions.labels))

    @cached_property
    def _members(self) -> list[PairedMember]:
        return [PairedMember(MemberKnowledge(self, i)) for i in range(len(self.names))]

    @cached_property
    def _draws(self) -> PairedDraws | PairedGroups:
        return (PairedGroups if self.about_new_groups else PairedDraws)(self)

    @kept
    def only(self, first: str, second: str) -> PairedPosterior:
        """Two of the classifiers, without the others."""
        if self.names == (first, second):
            return self
        two = self.of_these([first, second])
        two._pairs = self._pairs
        return two

    def _weights(self, terms: Sequence[Term]) -> tuple[Floats, float] | None:
        """Weights of the recalls, and a constant, in terms of one classifier; None where more than hits is asked."""
        total, shift = np.zeros(len(self.predictions.labels)), 0.0
        for term in terms:
            found = self.weights_of(term.measure)
            if found is None:
                return None
            total, shift = total + term.coefficient * found[0], shift + term.coefficient * found[1]
        return total, shift

    @cached_property
    def _class_shares(self) -> Floats:
        return self.predictions.confusion(self.names[0]).class_sizes / self.predictions.n


def member_of(term: Term) -> MemberKnowledge:
    """Whose measure it is."""
    assert isinstance(term.source, MemberKnowledge)
    return term.source


class PairedMember(Posterior):
    """Posterior of one of several classifiers on the same cases; made by `PairedPosterior`.

    Alone it says what `infer` says; differences with another member are paired.
    """

    _knowledge: MemberKnowledge

    def at_prevalence(
        self,
        prevalence: ArrayLike | Mapping[str, float] | None = None,
        *,
        cases: Sequence[int] | Mapping[str, int] | None = None,
        verdicts: Sequence[int] | Mapping[str, int] | None = None,
    ) -> PairedMember:
        """The same classifier, and with it all others, where the classes come in other shares."""
        moved = self._knowledge.at_prevalence(prevalence, cases=verdicts if cases is None else cases)
        return moved.joint[moved.name]


class MemberKnowledge(TableKnowledge):
    """What modules share of a member: its distributions and draws, on the rows that it shares with the others."""

    _attributes = ("joint",)

    def __init__(self, joint: PairedPosterior, place: int) -> None:
        super().__init__(joint.confusion(joint.names[place]), joint.prior, joint._stated, shares=joint._mode)
        self.joint, self._place = joint, place
        self.__dict__["test_set"] = joint

    @property
    def name(self) -> str:
        return self.joint.names[self._place]

    @property
    def prior_name(self) -> str:
        return f"paired {self.prior.name}"

    def at_prevalence(
        self,
        prevalence: ArrayLike | Mapping[str, float] | None = None,
        *,
        cases: Sequence[int] | Mapping[str, int] | None = None,
    ) -> MemberKnowledge:
        if cases is not None or prevalence is None:
            raise InvalidArgument("classifiers on the same cases take a stated prevalence, such as {'ill': 0.02}")
        return knowledge_of(self.joint.at_prevalence(prevalence)[self.name])

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear | None:
        both = None if self.joint.by_differences else self.joint.rows
        shared = None if both is None else both.linear(self._place, coefficients, shift, rows=rows)
        return super().linear(coefficients, shift, rows=rows) if shared is None else shared

    def of_recalls(
        self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | LearnedSum | GroupMeans:
        both = None if self.joint.by_differences else self.joint.rows
        if both is None:
            return super().of_recalls(weights, shift, rows=rows)
        return both.of_recalls(self._place, weights, shift, rows=rows)

    def coin(self) -> Linear | GroupMeans | None:
        both = self.joint.rows
        return super().coin() if both is None else both.coin(self._place)

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[Floats]:
        if self.joint.by_differences:
            return super().drawn(measures, draws, seed, stream)
        asked = [self.estimand(m) for m in measures]
        return [values[self._place] for values in self.joint.drawn(asked, draws, seed, stream)]


def separate(posterior: Posterior) -> Posterior:
    """The same counts, prior and stated prevalence as a test set of its own."""
    known = knowledge_of(posterior)
    made = infer(posterior.confusion, posterior.prior, shares=known.mode)
    return made.at_prevalence(known.known_prevalence) if known.prevalence_source == "stated" else made


# -- What several posteriors have in common, whether their cases are the same or not -----------------------------------


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
