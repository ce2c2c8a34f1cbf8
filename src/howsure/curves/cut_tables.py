"""Scores cut at many thresholds: a confusion matrix at each, under one prior and at one prevalence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.data.confusion import ConfusionMatrix
from howsure.data.scores import Scores, one_score
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.errors.arguments import number, numbers
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.curves.chosen_cut import tables_of
from howsure.numerics.curves.cut_counts import called_at
from howsure.numerics.curves.cut_draws import drawn_rates
from howsure.posterior.prevalence import counted_elsewhere, stated_shares
from howsure.posterior.priors import LearnedPrior, Prior, resolve_prior

__all__ = ["CutTables", "Prevalence", "checked_scores", "checked_thresholds", "cut_tables", "even_cuts"]

Prevalence = float | Mapping[str, float] | Sequence[float]

#: Thresholds of one answer at most, and draws of tables that are held at once.
MOST, BLOCK = 2_000, 1_000_000


@dataclass(frozen=True, eq=False)
class CutTables:
    """Confusion matrices of T thresholds, increasing.

    Attributes
    ----------
    labels : (str, str)
        The negative class and the positive one.
    thresholds : ndarray, shape (T,)
    called : ndarray of int, shape (T, 2)
        Cases of the negative and of the positive class that are called positive.
    sizes : ndarray of int, shape (2,)
        Cases of both classes.
    prior : Prior
    share : float or (float, float)
        Of the positive class: stated, or the parameters of its Beta.
    source : "test set", "stated" or "other cases"
        Where the share comes from.
    """

    labels: tuple[str, str]
    thresholds: Floats
    called: Integers
    sizes: Integers
    prior: Prior
    share: float | tuple[float, float]
    source: str

    def __len__(self) -> int:
        return len(self.thresholds)

    @property
    def counts(self) -> Integers:
        """Cases in the cells, shape (T, 2, 2), rows truth."""
        return np.stack([self.sizes - self.called, self.called], axis=-1)

    @property
    def mean_share(self) -> float:
        """Share of the positive class: stated, or its mean."""
        return self.share if isinstance(self.share, float) else self.share[0] / sum(self.share)

    @property
    def observed_share(self) -> float:
        """Share of the positive class that observed values are about: that of the test set, or that asked for."""
        if self.source == "test set":
            return float(self.sizes[1] / self.sizes.sum())
        return self.mean_share

    @property
    def observed(self) -> Floats:
        """Shares in the cells as they were seen, shape (T, 2, 2)."""
        return tables_of(self.called / self.sizes, self.observed_share)

    @property
    def alphas(self) -> Floats:
        """Parameters of the rates: hit, missed, false alarm, kept, shape (T, 4)."""
        cells = self.counts + self.prior.row(2)
        return np.stack([cells[:, 1, 1], cells[:, 1, 0], cells[:, 0, 1], cells[:, 0, 0]], axis=-1)

    def confusion(self, row: int) -> ConfusionMatrix:
        """Confusion matrix at one of the thresholds."""
        return ConfusionMatrix(self.counts[row], labels=self.labels, positive=self.labels[1])

    def draws(self, n: int, seed: int) -> Iterator[Floats]:
        """Joint draws of the tables at all thresholds, shapes (some, T, 2, 2), n in all."""
        rng = np.random.default_rng(seed)
        row = self.prior.row(2)
        step = max(1, BLOCK // (4 * len(self)))
        for start in range(0, n, step):
            many = min(step, n - start)
            negative = drawn_rates(self.called[:, 0], int(self.sizes[0]), row[0, 1], row[0, 0], many, rng)
            positive = drawn_rates(self.called[:, 1], int(self.sizes[1]), row[1, 1], row[1, 0], many, rng)
            share = self.share if isinstance(self.share, float) else rng.beta(*self.share, many)
            yield tables_of(np.stack([negative, positive], axis=-1), share)

    def at(self, thresholds: ArrayLike, scores: Scores) -> CutTables:
        """The same cases cut elsewhere."""
        cuts = np.asarray(thresholds, dtype=float)
        return replace(self, thresholds=cuts, called=_called(scores, cuts))


def cut_tables(
    scores: Scores,
    thresholds: Floats,
    prior: str | Prior | None,
    prevalence: Prevalence | None,
    cases: Sequence[int] | Mapping[str, int] | None,
) -> CutTables:
    """Cut the scores of one classifier, checked by `checked_scores`, at increasing thresholds.

    Raises
    ------
    InvalidArgument
        A learned prior, a prevalence and cases together, or what is none of them.
    NoInformation
        A prior without mass.
    """
    labels = (scores.labels[0], scores.labels[1])
    sizes = scores.class_sizes
    table = ConfusionMatrix([[sizes[0], 0], [0, sizes[1]]], labels=labels, positive=labels[1])
    chosen = resolve_prior(prior, 2).aligned(labels, labels[1])
    if isinstance(chosen, LearnedPrior):
        raise InvalidArgument(
            "prior 'learned' learns from the classes of one table; at every threshold there are the same two, so name "
            "a prior such as 'flat' or 'jeffreys'"
        )
    if not np.all(chosen.row(2) > 0):
        raise NoInformation(
            f"under prior {chosen.name!r} the highest and the lowest thresholds, where all cases of a class are on one "
            "side, have no posterior; use prior 'flat' or 'jeffreys'"
        )
    if prevalence is not None and cases is not None:
        raise InvalidArgument("prevalence= and cases= exclude each other; choose one")
    share: float | tuple[float, float]
    if prevalence is not None:
        share, source = _stated(prevalence, table), "stated"
    elif cases is not None:
        mass = counted_elsewhere(cases, table, chosen.shares(2))
        share, source = (float(mass[1]), float(mass[0])), "other cases"
    else:
        mass = sizes + chosen.shares(2)
        share, source = (float(mass[1]), float(mass[0])), "test set"
    return CutTables(labels, thresholds, _called(scores, thresholds), sizes, chosen, share, source)


def checked_scores(scores: Any, asked: str) -> Scores:
    """Scores of one classifier for two classes whose cases are separate."""
    one = one_score(scores, asked)
    if one.group is not None:
        raise InvalidArgument(
            f"{asked} takes separate cases, and these are in groups; howsure.infer(scores.confusion_at(t)) knows "
            "groups at one threshold"
        )
    return one


def checked_thresholds(thresholds: Any) -> Floats:
    """Thresholds in increasing order, each once.

    Raises
    ------
    InvalidArgument
        None, too many, or what is no finite number.
    """
    found = np.unique(np.atleast_1d(numbers(thresholds, "thresholds")))
    if not len(found) or not np.all(np.isfinite(found)):
        raise InvalidArgument(f"thresholds are finite numbers on the scale of the scores, not {excerpt(thresholds)}")
    if len(found) > MOST:
        raise InvalidArgument(f"at most {MOST} thresholds are answered at once, and {len(found)} were given")
    return np.asarray(found)


def even_cuts(scores: Floats, most: int) -> Floats:
    """Scores to cut at, increasing: all different ones, or so many even in rank.

    Examples
    --------
    >>> even_cuts(np.array([0.3, 0.1, 0.3, 0.9]), 10).tolist()
    [0.1, 0.3, 0.9]
    """
    values = np.unique(scores)
    if len(values) <= most:
        return np.asarray(values)
    ordered = np.sort(scores)
    return np.unique(ordered[np.linspace(0, len(ordered) - 1, most).round().astype(np.int64)])


def _called(scores: Scores, cuts: Floats) -> Integers:
    return np.stack([called_at(scores.scores[scores.truth == i], cuts) for i in (0, 1)], axis=-1)


def _stated(prevalence: Any, table: ConfusionMatrix) -> float:
    alone = number(prevalence)
    given = prevalence if np.isnan(alone) else {table.labels[1]: alone}
    share = float(stated_shares(given, table)[1])
    if not 0 < share < 1:
        raise InvalidArgument(
            f"a prevalence is strictly between 0 and 1, not {excerpt(prevalence)}; a class that nobody or everybody "
            "belongs to needs no test"
        )
    return share
