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
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import Question
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, excerpt
from howsure.frozen import Frozen, kept
from howsure.laws import Draws, GroupMeans, LearnedSum, Linear
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import quantiles_at_ranks
from howsure.posterior.distribution import Term
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.means_over_classes import Shares, resolved_shares
from howsure.posterior.paired_groups import PairedGroups
from howsure.posterior.paired_rows import (
    COINS,
    LearnedPair,
    PairedDraws,
    PairedRows,
    confusion_about,
    counted_cells,
    pair_prior,
    paired_names,
    weighted_recalls,
)
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.prevalence import shares_to_be_met
from howsure.posterior.priors import PRIORS, LearnedPrior, Prior
from howsure.text import formats

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
        """Class shares of these cases."""
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
        """Its name among them."""
        return self.joint.names[self._place]

    @property
    def prior_name(self) -> str:
        """What outputs call the prior."""
        return f"paired {self.prior.name}"

    def at_prevalence(
        self,
        prevalence: ArrayLike | Mapping[str, float] | None = None,
        *,
        cases: Sequence[int] | Mapping[str, int] | None = None,
    ) -> MemberKnowledge:
        """The same classifier, and with it all others, where the classes come in other shares."""
        if cases is not None or prevalence is None:
            raise InvalidArgument("classifiers on the same cases take a stated prevalence, such as {'ill': 0.02}")
        return knowledge_of(self.joint.at_prevalence(prevalence)[self.name])

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear | None:
        """Law of ``shift + sum c_ij p_ij`` over the class rows; on rows shared with the other one, where exact."""
        both = None if self.joint.by_differences else self.joint.rows
        shared = None if both is None else both.linear(self._place, coefficients, shift, rows=rows)
        return super().linear(coefficients, shift, rows=rows) if shared is None else shared

    def of_recalls(
        self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | LearnedSum | GroupMeans:
        """Law of ``shift + sum w_i recall_i``; on rows shared with the other one, where exact."""
        both = None if self.joint.by_differences else self.joint.rows
        if both is None:
            return super().of_recalls(weights, shift, rows=rows)
        return both.of_recalls(self._place, weights, shift, rows=rows)

    def coin(self) -> Linear | GroupMeans | None:
        """Law of the accuracy as one coin per case."""
        both = self.joint.rows
        return super().coin() if both is None else both.coin(self._place)

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[Floats]:
        """Draws that move with those of all other members; where differences have laws of their own, of this one."""
        if self.joint.by_differences:
            return super().drawn(measures, draws, seed, stream)
        asked = [self.estimand(m) for m in measures]
        return [values[self._place] for values in self.joint.drawn(asked, draws, seed, stream)]


def separate(posterior: Posterior) -> Posterior:
    """The same counts, prior and stated prevalence as a test set of its own."""
    known = knowledge_of(posterior)
    made = infer(posterior.confusion, posterior.prior, shares=known.mode)
    return made.at_prevalence(known.known_prevalence) if known.prevalence_source == "stated" else made
