"""Joint draws of the metrics of several classifiers on the same cases, about a new case from a new group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from howsure.data.groups import group_places
from howsure.errors import InvalidArgument
from howsure.frozen import kept
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.numerics.populations.group_bootstrap import (
    BLOCK,
    MOST_GROUPS,
    dealt_out,
    design_effect,
    group_weights,
    joint_rates,
    membership_correlation,
    of_fewer_groups,
)
from howsure.posterior.paired_rows import COINS, JointDraws
from howsure.posterior.priors import LearnedPrior
from howsure.progress import along

#: Recalls that are kept.
MOST_KEPT = 20_000_000


class PairedGroups(JointDraws):
    """Rates and tables of all classifiers that move together from one draw of the groups to the next.

    Same question as `howsure.posterior.paired_rows.PairedDraws`, of the same shapes. Accuracy is that of all cases;
    metrics that are sums of recalls take each class from the groups that hold it; others are those of tables with these
    recalls. Nothing pulls a difference to 0; the prior is that of each classifier alone, and here only of the class
    shares and of wrong answers that nobody saw.
    """

    def _all_drawn(self, measures: Sequence[Measure], draws: int, seed: list[int]) -> dict[Measure, list[Floats]]:
        found = {}
        for measure in measures:
            blocks = [np.asarray(block) for block in along(self._drawn(measure, draws, seed), draws, len)]
            found[measure] = list(np.concatenate(blocks).T)
        return found

    def _drawn(self, measure: Measure, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        """Draws of a measure of every classifier, in blocks of shape (some, T)."""
        if self._known is None and measure.twin.metric.name in COINS:
            wrong = measure.metric.name != "accuracy"
            yield from (1 - rates if wrong else rates for rates in self._accuracies(n, seed))
            return
        found = self._joint.weights_of(measure)
        if found is not None:
            weights, shift = found
            asked = np.flatnonzero(weights)
            for recalls in self._kept_recalls(asked, n, seed):
                yield shift + np.einsum("k,mkt->mt", weights[asked], recalls)
            return
        yield from self._of_tables(measure, n, seed)

    # -- rates ----------------------------------------------------------------------------------------------

    def _accuracies(self, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        place, many = self._places
        cases = bincount(place, minlength=many)
        hits = np.stack([bincount(place, weights=right, minlength=many) for right in self._right], axis=1)
        rng = np.random.default_rng([*seed, 1])
        for weight in group_weights(many, 1, n, np.random.default_rng([*seed, 0])):
            yield joint_rates(weight, hits, cases, rng)[0]

    def _kept_recalls(self, asked: Integers, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        """Blocks of the recalls of some classes; where those of all fit, they are drawn once."""
        tested = np.unique(self._predictions.truth).astype(np.int64)
        if len(tested) * len(self._names) * n > MOST_KEPT:
            yield from (recalls for recalls, _ in self._recalls(asked, n, seed, 1))
            return
        yield self._recalls_of_all(n, *seed)[:, np.searchsorted(tested, asked)]

    @kept
    def _recalls_of_all(self, n: int, *seed: int) -> Floats:
        tested = np.unique(self._predictions.truth).astype(np.int64)
        return np.concatenate([recalls for recalls, _ in self._recalls(tested, n, seed, 1)])

    def _recalls(
        self, asked: Integers, n: int, seed: Sequence[int], wide: int
    ) -> Iterator[tuple[Floats, list[tuple[Floats, Floats, Floats]]]]:
        """Recalls of some classes, shape (m, some, T); and weights, seen and unseen cases of each class."""
        _, many = self._places
        held = [self._held(int(c)) for c in asked]
        # classes have sources of their own, so that a recall does not depend on which others are asked for
        rngs = [np.random.default_rng([*seed, 2, int(c)]) for c in asked]
        for weight in group_weights(many, wide, n, np.random.default_rng([*seed, 0])):
            recalls, sums = np.empty((len(weight), len(asked), len(self._names))), []
            for at, ((here, hits, cases), rng) in enumerate(zip(held, rngs, strict=True)):
                own = of_fewer_groups(weight[:, here], many)
                recalls[:, at], seen, unseen = joint_rates(own, hits, cases, rng)
                sums.append((own, seen, unseen))
            yield recalls, sums

    # -- tables ---------------------------------------------------------------------------------------------

    def _of_tables(self, measure: Measure, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        size, many = self._size, self._places[1]
        if many * size * size > BLOCK:
            raise InvalidArgument(
                f"tables of {size} classes in {many} groups do not fit; ask about accuracy and recalls, or say "
                "groups='these'"
            )
        rng = np.random.default_rng([*seed, 3])
        wide = size * size * 4
        for recalls, sums in self._recalls(np.arange(size), n, seed, wide):
            share = self._shares(np.stack([seen for _, seen, _ in sums], axis=1), rng)
            values = np.empty((len(recalls), len(self._names)))
            for t in range(len(self._names)):
                tables = np.empty((len(recalls), size, size))
                for c, (weight, _, unseen) in enumerate(sums):
                    right = recalls[:, c, t]
                    errors = weight @ self._errors(c, t) + unseen[:, None] * self._usual_errors[c]
                    errors /= np.maximum(errors.sum(axis=1, keepdims=True), 1e-300)
                    tables[:, c] = (1 - right)[:, None] * errors
                    tables[:, c, c] = right
                values[:, t] = measure(share[..., None] * tables, {})
            yield values

    def _shares(self, seen: Floats, rng: np.random.Generator) -> Floats:
        """Class shares: stated, or those of the weighed groups with the prior's cases, shape (m, K)."""
        if self._known is not None:
            return np.broadcast_to(self._known, seen.shape)
        prior = self._prior.shares(seen.shape[1])
        found = seen + self._effect_of_shares * rng.standard_gamma(prior, seen.shape)
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    @cached_property
    def _effect_of_shares(self) -> float:
        place, many = self._places
        size = self._size
        counts = bincount(place * size + self._predictions.truth, minlength=many * size).reshape(many, size)
        return design_effect(membership_correlation(counts), counts.sum(axis=1))

    @kept
    def _errors(self, c: int, t: int) -> Floats:
        """Wrong answers of one classifier to the cases of one class, in the groups that hold it, shape (G_c, K)."""
        size = self._size
        here, at = self._groups_of(c)
        told = self._answers[t][self._predictions.truth == c]
        counts = bincount(at * size + told, minlength=len(here) * size).reshape(len(here), size).astype(float)
        counts[:, c] = 0.0
        return counts

    @cached_property
    def _usual_errors(self) -> Floats:
        """Where wrong answers go in groups that nobody saw, of all classifiers together, shape (K, K)."""
        size = self._size
        spread = np.empty((size, size))
        for c in range(size):
            spread[c] = np.mean([self._errors(c, t).sum(axis=0) for t in range(len(self._names))], axis=0)
        if isinstance(self._prior, LearnedPrior):
            spread += 1 / max(size - 1, 1)
        else:
            spread += self._prior.row(size)
        np.fill_diagonal(spread, 0.0)
        return np.asarray(spread / spread.sum(axis=1, keepdims=True))

    # -- counts ---------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> tuple[Integers, int]:
        """Place of each case's group, and how many there are; very many are dealt out to fewer by chance."""
        names, place = group_places(self._predictions.group, self._predictions.n)
        return dealt_out(place, len(names), np.random.default_rng(MOST_GROUPS))

    @cached_property
    def _answers(self) -> list[Integers]:
        return [self._predictions.answers(name).astype(np.int64) for name in self._names]

    @cached_property
    def _right(self) -> Floats:
        return np.array([told == self._predictions.truth for told in self._answers], dtype=float)

    def _groups_of(self, c: int) -> tuple[Integers, Integers]:
        """Groups that hold a case of one class, and which of them each of its cases is in."""
        here, at = np.unique(self._places[0][self._predictions.truth == c], return_inverse=True)
        return here, at.ravel()

    def _held(self, c: int) -> tuple[Integers, Floats, Integers]:
        """Groups of one class, right answers of every classifier in each, shape (G_c, T), and cases."""
        here, at = self._groups_of(c)
        right = self._right[:, self._predictions.truth == c]
        hits = np.stack([bincount(at, weights=one, minlength=len(here)) for one in right], axis=1).astype(float)
        return here, hits, bincount(at, minlength=len(here)).astype(np.int64)
