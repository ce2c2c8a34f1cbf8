"""What counts by group say about a new case from a new group: recalls, accuracy, and joint tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import FEWEST_GROUPS, FEWEST_OF_CLASS, Groups
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.laws import GroupMeans
from howsure.numerics.arrays import Floats, repeat
from howsure.numerics.draws.weighted_draws import matched, quantiles_at_ranks
from howsure.numerics.populations.error_shares import DirichletShares
from howsure.numerics.populations.group_bootstrap import (
    dealt_out,
    design_effect,
    intraclass_correlation,
    membership_correlation,
    weighted_cells,
)
from howsure.numerics.populations.groups import MeanBySize, PopulationMean, population_of
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.posterior.rows import MOST_CELLS, Drawn, Rows, WholeTables
from howsure.text import formats

#: What numbers about new groups are about.
NEW = "new groups"

#: From this probability on larger groups are said to be better, or worse.
GOES_WITH_SIZE = 0.975

#: Pseudo-cases of a recall under the learned prior: as many as under the flat one, but centred at the mean recall.
MASS = 2.0


def new_groups(confusion: ConfusionMatrix) -> Groups | None:
    """Groups of a matrix whose numbers are about new ones; None where they are about its cases or these groups."""
    groups = confusion.groups
    return groups if groups is not None and groups.question == "new" else None


def about_groups(confusion: ConfusionMatrix) -> str:
    """Which groups numbers of a matrix are about, in words; "" where its cases come in none."""
    groups = confusion.groups
    return "" if groups is None else NEW if groups.question == "new" else "new cases of the same groups"


def refuse_new_groups(about: str, what: str) -> None:
    """Refuse what counts further cases, where numbers are about new groups (as `about_groups` says)."""
    if about == NEW:
        raise InvalidArgument(
            f"{what} counts cases, and what new groups show depends on how many groups there are and how large they are"
            "; groups='these' answers for further cases of these groups"
        )


class GroupedRows(Rows):
    """Rows of a posterior about a new case from a new group.

    Same questions as `howsure.posterior.rows.ClassRows`. Accuracy and each recall are means of populations of groups,
    each of which counts alike, also of unlike sizes (`howsure.numerics.populations.groups`), a recall that of the
    groups that hold a case of its class; classes are
    taken apart. Joint tables, for metrics that need them, are drawn by the Bayesian bootstrap over groups
    with the prior's pseudo-cases added, each as heavy as the design effect says that a case is; the recalls in them
    have their own laws, put in at the ranks of the bootstrap.

    Raises
    ------
    NoInformation
        By every use of fewer than five groups, of a class with cases in fewer than three, or of a prior without mass.
    """

    _same = "_typical"

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        super().__init__(confusion, prior)
        assert confusion.groups is not None
        self._groups = confusion.groups
        self._means: dict[int, PopulationMean] = {}
        #: recalls of one posterior have one token, so that they are not taken for independent of each other
        self._token: object = object()

    # -- means of populations -------------------------------------------------------------------------------

    def population(self, index: int) -> PopulationMean:
        """Population of the groups that hold a case of one class."""
        if index not in self._means:
            right, cases = self._groups.tally(index)
            self._checked(len(cases), f"cases of class {excerpt(self._confusion.labels[index])}", self._typical[index])
            self._means[index] = population_of(right, cases, tuple(self._typical[index].tolist()))
        return self._means[index]

    @cached_property
    def whole(self) -> PopulationMean:
        """Population of all groups, for the accuracy."""
        typical = np.array(self._prior.coin, dtype=float)
        self._checked(len(self._groups), "", typical)
        return population_of(self._groups.correct, self._groups.cases, tuple(typical.tolist()))

    @cached_property
    def by_cases(self) -> PopulationMean:
        """The same where a group counts as its cases."""
        whole = self.whole
        if not isinstance(whole, MeanBySize):
            return whole
        return MeanBySize(whole.k, whole.n, whole.model.typical, by_cases=True)

    @property
    def rises(self) -> float | None:
        """Probability that the accuracy of a group rises with its size; None where groups are of one size."""
        return self.whole.rises if isinstance(self.whole, MeanBySize) else None

    @property
    def goes_with_size(self) -> bool:
        """Whether that is next to certain, or next to impossible."""
        try:
            rises = self.rises
        except NoInformation:
            return False
        return rises is not None and max(rises, 1 - rises) >= GOES_WITH_SIZE

    def _checked(self, groups: int, what: str, typical: Floats) -> None:
        if len(self._groups) < FEWEST_GROUPS:
            what, groups, fewest = "the cases", len(self._groups), FEWEST_GROUPS
        else:
            fewest = FEWEST_OF_CLASS if what else FEWEST_GROUPS
        if groups < fewest:
            raise NoInformation(
                f"{what} come from {formats.several(groups, 'group')}, and below {fewest} nothing but the prior says "
                "how much groups differ, so a new one has no interval; groups='these' answers for new cases of the "
                "same groups"
            )
        if typical.min() <= 0:
            raise NoInformation(
                f"prior {self._prior.name!r} adds no case, and the mean of a population needs a proper prior. "
                "Use prior 'flat' or 'jeffreys'."
            )

    @cached_property
    def _typical(self) -> Floats:
        """Beta parameters of the mean of each class, shape (K, 2)."""
        if not isinstance(self._prior, LearnedPrior):
            return np.stack(self._prior.recalls(self.size), axis=1)
        # K flat priors add up and pull an average to one half; at the mean of the recalls they do not. Half a group
        # right and half a group wrong keep it from the ends
        sizes, groups = self._confusion.class_sizes, len(self._groups)
        seen = sizes > 0
        centre = (groups * float((self._confusion.correct[seen] / sizes[seen]).mean()) + 0.5) / (groups + 1)
        return np.tile([MASS * centre, MASS * (1 - centre)], (self.size, 1))

    def require(self) -> None:
        for index in range(self.size):
            self.population(index)

    @property
    def recall_means(self) -> Floats:
        return self._of_each("mean")

    @property
    def recall_sds(self) -> Floats:
        self.require()
        return self._of_each("sd")

    def _of_each(self, what: str) -> Floats:
        found = np.full(self.size, np.nan)
        for index in range(self.size):
            try:
                found[index] = getattr(self.population(index).law, what)
            except NoInformation:
                continue
        return found

    @property
    def means(self) -> Floats:
        self.require()
        pseudo, effects = self._pseudo_cases
        errors = self._confusion.counts + effects[:, None] * pseudo
        np.fill_diagonal(errors, 0.0)
        errors /= errors.sum(axis=1, keepdims=True)
        return np.asarray((1 - self.recall_means)[:, None] * errors + np.diag(self.recall_means))

    # -- laws -----------------------------------------------------------------------------------------------

    def of_recalls(self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> GroupMeans:
        index = range(self.size) if rows is None else rows
        parts = [(self.population(i), float(w)) for i, w in zip(index, weights, strict=True) if w]
        return GroupMeans(parts, shift, rows=self._token)

    @property
    def coin(self) -> GroupMeans:
        return GroupMeans([(self.whole, 1.0)])

    @cached_property
    def shares(self) -> DirichletShares:
        if self._elsewhere is not None:
            return DirichletShares(self._elsewhere)
        alphas = self._confusion.class_sizes / self._effect_of_shares + self._prior.shares(self.size)
        if not np.all(alphas > 0):
            raise NoInformation(f"prior {self._prior.name!r} adds no case to classes that were not tested")
        return DirichletShares(alphas)

    @cached_property
    def _effect_of_shares(self) -> float:
        groups = self._groups
        if len(groups) * self.size > MOST_CELLS:
            raise InvalidArgument(
                f"{len(groups)} groups by {self.size} classes do not fit; ask about accuracy and recalls, or say "
                "groups='these'"
            )
        counts = np.zeros((len(groups), self.size))
        np.add.at(counts, (groups.group, groups.true), groups.count)
        return design_effect(membership_correlation(counts), groups.cases)

    # -- joint tables ---------------------------------------------------------------------------------------

    @property
    def numbers_per_draw(self) -> int:
        return self.size**2 + min(len(self._groups), 2_000)

    @cached_property
    def _pseudo_cases(self) -> tuple[Floats, Floats]:
        """Pseudo-counts of every cell (K, K), and how much a case of each class weighs (K,)."""
        pseudo = self._prior.row(self.size)
        if isinstance(self._prior, LearnedPrior):
            pseudo = repeat(self._typical[:, 1:] / (self.size - 1), self.size, axis=1)
            np.fill_diagonal(pseudo, self._typical[:, 0])
        effects = np.empty(self.size)
        for index in range(self.size):
            right, cases = self._groups.tally(index)
            effects[index] = design_effect(intraclass_correlation(right, cases), cases)
        return pseudo, effects

    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Drawn]:
        self.require()
        if self.size**2 > MOST_CELLS:
            raise InvalidArgument(f"tables of {self.size} classes do not fit; groups='these' draws their margins alone")
        rng, rng_shares = self._generators(seed)
        groups, size = self._groups, self.size
        pseudo, effects = self._pseudo_cases
        place, many = dealt_out(groups.group, len(groups), rng)
        cell = groups.true * size + groups.pred
        margins: dict[int, list[Floats]] = {}
        for block in weighted_cells(place, cell, groups.count, many, size**2, n, rng):
            counts = block.reshape(-1, size, size)
            rows = counts + effects[:, None] * rng.standard_gamma(pseudo, counts.shape)
            if known is not None:
                share = np.broadcast_to(known, (len(rows), size))
            elif self._elsewhere is not None:
                share = self.shares.draw(len(rows), rng_shares)
            else:
                mass = self._effect_of_shares * rng_shares.standard_gamma(self._prior.shares(size), (len(rows), size))
                share = counts.sum(axis=2) + mass
                share = share / share.sum(axis=1, keepdims=True)
            if len(rows) not in margins:
                laws = [self.population(i).law for i in range(size)]
                margins[len(rows)] = [quantiles_at_ranks(law.quantile, len(rows)) for law in laws]
            ranked = rows.diagonal(axis1=1, axis2=2) / rows.sum(axis=2)
            recall = np.stack([matched(ranked[:, i], margin) for i, margin in enumerate(margins[len(rows)])], axis=1)
            rows[:, np.arange(size), np.arange(size)] = 0.0
            rows /= np.maximum(rows.sum(axis=2, keepdims=True), 1e-300)
            rows *= (1 - recall)[..., None]
            rows[:, np.arange(size), np.arange(size)] = recall
            yield WholeTables(share[..., None] * rows)
