"""What a comparison says after further cases: every continuation of the tests, counted out or simulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import betaincc

from howsure.comparison.comparison import Comparison
from howsure.comparison.separate_sets import smaller_at_its_tail
from howsure.errors import InvalidArgument, NoInformation
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.exceedance import exceedance
from howsure.numerics.trials.simulated_tests import posterior_margins, simulated_tests
from howsure.numerics.trials.two_rates import paired_later, separate_later
from howsure.planning.futures import EACH_DRAWN, FUTURES, coin_of, futures_of, positive_shares, tables_later
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedMember, PairedPosterior
from howsure.posterior.paired_rows import two_coins
from howsure.questions.contender import Contender

__all__ = ["Later", "later"]

Coin: TypeAlias = tuple[float, float]

#: Further cases of which every outcome is counted out, of separate test sets and of the same cases; above,
#: so many outcomes are drawn, each of which is read exactly.
MOST_SEPARATE, MOST_PAIRED, OUTCOMES = 3_000, 50_000, 20_000
#: Classes up to which the pairs of answers to the same cases are simulated.
MOST_CLASSES = 10


class Later(NamedTuple):
    """Predictive probability of being sure that A, and that B, is better; and simulated futures, 0 if counted out."""

    better: float
    worse: float
    futures: int


def later(comparison: Comparison, more: int, level: float, seed: int) -> Later:
    """What ``more`` cases (of each, or the same for both) will make sure of, with the probability ``level``."""
    (first, second), (a, b) = comparison.posteriors, comparison.measures
    rng = np.random.default_rng([seed, 6])
    one, other = coin_of(first, a), coin_of(second, b)
    joint = _pair(first, second) if comparison.paired else None
    if one is not None and other is not None:
        if joint is not None:
            return _of_right_and_wrong(joint, more, level, rng)
        pairs = [(one, other)]
        for first_better in (True, False):
            at_tail = smaller_at_its_tail(comparison.posteriors, first_better=first_better)
            tail = () if at_tail is None else (coin_of(at_tail[0], a), coin_of(at_tail[1], b))
            if tail and tail[0] is not None and tail[1] is not None:
                pairs.append((tail[0], tail[1]))
        if not comparison.higher_is_better:
            pairs = [(x[::-1], y[::-1]) for x, y in pairs]
        return _of_coins(pairs, more, level, rng)
    if joint is not None:
        gains = np.concatenate([a(new) - b(old) for new, old in _tables_together(joint, a, more, rng)])
    else:
        many = min(futures_of(first), futures_of(second))
        gains = _values(first, a, more, many, seed, rng) - _values(second, b, more, many, seed + 1, rng)
    if not np.all(np.isfinite(gains)):
        raise NoInformation(
            f"{comparison.metric} is undefined (0/0) in some draws; a prior with more mass, such as 'flat', or more "
            "cases would define it"
        )
    better = positive_shares(gains if comparison.higher_is_better else -gains)
    return _sure(better, 1 - better, level)


# -- one coin a case ------------------------------------------------------------------------------------------


def _of_coins(pairs: Sequence[tuple[Coin, Coin]], more: int, level: float, rng: np.random.Generator) -> Later:
    """Rates of right answers on test sets of their own, Beta each.

    Of sets of unlike size the pairs after the first have the smaller one at its exact limits: a verdict needs it, too.
    """
    (one, other), *at_tail = pairs
    if more <= MOST_SEPARATE and not at_tail:
        return Later(separate_later(one, other, more, level), separate_later(other, one, more, level), 0)
    outcomes = np.stack([rng.binomial(more, rng.beta(*coin, OUTCOMES)) for coin in (one, other)])
    right, times = np.unique(outcomes, axis=1, return_counts=True)

    def sure(pair: tuple[Coin, Coin]) -> tuple[Floats, Floats]:
        ((a, b), (c, d)), (k, m) = pair, right
        first, second = (a + k, b + more - k), (c + m, d + more - m)
        return exceedance(first, second), exceedance(second, first)

    better, worse = sure(pairs[0])
    if at_tail:
        better, worse = np.minimum(better, sure(at_tail[0])[0]), np.minimum(worse, sure(at_tail[1])[1])
    shares = [float(times[p >= level].sum()) / OUTCOMES for p in (better, worse)]
    return Later(shares[0], shares[1], OUTCOMES)


def _of_right_and_wrong(joint: PairedPosterior, more: int, level: float, rng: np.random.Generator) -> Later:
    """Rates of right answers to the same cases: Dirichlet over both right, only A, only B, neither."""
    both, one, other, neither = (
        joint.both_right_or_wrong(*joint.names).sum(axis=0) + two_coins(*joint.prior.coin)
    ).tolist()
    alike = both + neither
    if more <= MOST_PAIRED:
        return Later(paired_later(one, other, alike, more, level), paired_later(other, one, alike, more, level), 0)
    wins, losses, _ = rng.multinomial(more, rng.dirichlet([one, other, alike], OUTCOMES)).T
    return _sure(betaincc(one + wins, other + losses, 0.5), betaincc(other + losses, one + wins, 0.5), level)


def _sure(better: Floats, worse: Floats, level: float) -> Later:
    return Later(float(np.mean(better >= level)), float(np.mean(worse >= level)), len(better))


# -- any other metric -----------------------------------------------------------------------------------------


def _values(
    posterior: Contender, measure: Measure, more: int, many: int, seed: int, rng: np.random.Generator
) -> Floats:
    """Draws of a metric after each of many continuations of one test, shape (many, draws)."""
    coin = coin_of(posterior, measure)
    if coin is not None:
        right = rng.binomial(more, rng.beta(*coin, many))[:, None]
        return rng.beta(coin[0] + right, coin[1] + more - right, (many, EACH_DRAWN))
    assert not isinstance(posterior, AccuracyPosterior)
    return np.concatenate([measure(block) for block in tables_later(posterior, measure, more, many, seed, rng)])


def _pair(first: Contender, second: Contender) -> PairedPosterior:
    """The two on their cases, without others beside them."""
    assert isinstance(first, PairedMember)
    assert isinstance(second, PairedMember)
    joint = knowledge_of(first).joint
    names = [knowledge_of(member).name for member in (first, second)]
    return joint.of_these(names)


def _tables_together(
    joint: PairedPosterior, measure: Measure, more: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """Joint tables of both learned from each continuation, blocks of shape (r, draws, K, K) each.

    Each true class is a Dirichlet over the K x K pairs of answers, as in `PairedPosterior`.
    """
    size, prior, known = len(joint.predictions.labels), joint.prior, joint.known_prevalence
    if measure.held and known is None:
        known = knowledge_of(joint[joint.names[0]]).held_shares
    if size > MOST_CLASSES:
        raise InvalidArgument(
            f"the same cases for both: continuations of {measure.name} are simulated up to {MOST_CLASSES} classes, "
            f"not {size}; of the accuracy they are counted out"
        )
    counts = np.zeros((size, size, size), dtype=np.int64)
    truth, answers, cases = joint.predictions.patterns(*joint.names)
    np.add.at(counts, (truth, answers[:, 0], answers[:, 1]), cases)
    row, share, sizes = prior.row(size), prior.prevalence / size, counts.sum((1, 2))
    base = row[:, :, None] * row[:, None, :] / row.sum(axis=1)[:, None, None]
    truths = rng.standard_gamma(counts + base, (FUTURES, size, size, size))
    prevalence = rng.dirichlet(sizes + share, FUTURES) if known is None else known
    truths *= (prevalence / truths.sum((-2, -1)))[..., None, None]
    later_counts = counts + simulated_tests(truths, more, rng, None if known is None else sizes / sizes.sum())
    return posterior_margins(later_counts, base, share, known, EACH_DRAWN, rng)
