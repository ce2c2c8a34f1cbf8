"""May one stop? What further cases could change in a decision about one classifier, or between two."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias, overload

import numpy as np
from scipy.special import betaincc

from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.laws import Draws
from howsure.laws.law import LEVEL, SEED, checked_level, checked_seed
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.populations.beta_laws import exceedance
from howsure.numerics.populations.error_shares import tables_learned_together
from howsure.numerics.trials.assurance import paired_later, separate_later
from howsure.numerics.trials.simulated_tests import (
    beta_binomial_pmf,
    halved_noise,
    posterior_margins,
    posterior_tables,
    simulated_tests,
)
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import measure_of
from howsure.posterior.grouped_rows import refuse_new_groups
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior
from howsure.posterior.paired_rows import two_coins
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import LearnedPrior
from howsure.questions.comparison import Comparison, Contender, cases, smaller_at_its_tail
from howsure.text import formats

#: Simulated continuations, and draws from the posterior of each; fewer where each learns a hierarchy of its own.
FUTURES, LEARNED_FUTURES, EACH_DRAWN = 1_000, 200, 1_000
#: Further cases of which every outcome is counted out, for a single rate.
MOST_COUNTED = 1_000_000
#: Numbers that the draws of all continuations may hold.
LARGEST = 2_000_000_000


class Later(NamedTuple):
    """Predictive probability of being sure of the one, and of the other; and simulated futures, 0 if counted out."""

    better: float
    worse: float
    futures: int


def _sure(better: Floats, worse: Floats, level: float, weights: Floats | Integers | None = None) -> Later:
    """After many continuations, simulated, or all of them with their probabilities."""
    for_one, for_other = (float(np.average(p >= level, weights=weights)) for p in (better, worse))
    return Later(for_one, for_other, len(better) if weights is None else 0)


def later_of_one(
    posterior: Contender, measure: Measure, above: float, more: int, level: float, seed: int
) -> Later:  # fmt: skip
    """What ``more`` cases will make sure of: that the metric is above a threshold, or below."""
    rng, coin, weights = np.random.default_rng([seed, 5]), coin_of(posterior, measure), None
    if coin is None:
        assert isinstance(posterior, Posterior)
        blocks = tables_later(posterior, measure, more, futures_of(posterior), seed, rng)
        up = positive_shares(np.concatenate([measure(block) - above for block in blocks]))
        return _sure(up, 1 - up, level)
    a, b = coin
    if more <= MOST_COUNTED:
        right, weights = np.arange(more + 1), beta_binomial_pmf(more, a, b)
    else:
        right = rng.binomial(more, rng.beta(a, b, FUTURES))
    up = np.asarray(betaincc(a + right, b + more - right, above))
    return _sure(up, 1 - up, level, weights)


def positive_shares(values: Floats) -> Floats:
    """P(value > 0) after each continuation, from its draws (R, S), ties split; shape (R,).

    What a finite number of draws adds to the spread of the probabilities is taken out. That is done for their
    arcsin sqrt, whose noise is the same everywhere.
    """

    def angle(part: Floats) -> Floats:
        return np.asarray(np.arcsin(np.sqrt(((part > 0).mean(axis=1) + (part >= 0).mean(axis=1)) / 2)))

    half = values.shape[1] // 2
    angles = halved_noise(angle(values), angle(values[:, :half]), angle(values[:, half:]))
    return np.asarray(np.sin(np.clip(angles, 0, np.pi / 2)) ** 2)


def coin_of(posterior: Contender, measure: Measure) -> tuple[float, float] | None:
    """The Beta(a, b) of a metric that is one coin a case, accuracy or error rate; None of any other."""
    knowledge = knowledge_of(posterior)
    if isinstance(posterior, Posterior) and (
        knowledge.known_prevalence is not None or measure.twin.metric.name not in ("accuracy", "error_rate")
    ):
        return None
    law = knowledge.of(measure).law
    mass = law.mean * (1 - law.mean) / law.sd**2 - 1
    return law.mean * mass, (1 - law.mean) * mass


def futures_of(posterior: Contender) -> int:
    """How many continuations are simulated."""
    return LEARNED_FUTURES if isinstance(posterior.prior, LearnedPrior) else FUTURES


def tables_later(
    posterior: Posterior, measure: Measure, more: int, many: int, seed: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Joint tables learned from each of ``many`` continuations, blocks of shape (r, draws, K, K).

    A truth is drawn from the posterior, further cases from the truth, and both tests are read as one.
    """
    knowledge = knowledge_of(posterior)
    size, prior, known = knowledge.size, knowledge.prior, knowledge.known_prevalence
    if knowledge.prevalence_source in ("other cases", "verdicts elsewhere"):
        raise InvalidArgument("the prevalence is of other cases, which further ones do not add to; state it instead")
    if size**2 * many * EACH_DRAWN > LARGEST:
        raise InvalidArgument(f"{size} classes are too many to simulate continuations of {measure.name}")
    sizes = posterior.confusion.class_sizes
    if knowledge.estimand(measure).held:  # about the class shares of the test set, also after further cases
        known = knowledge.held_shares
    shares = None if known is None else sizes / sizes.sum()
    counts = simulated_tests(posterior.draw(many, seed=seed), more, rng, shares) + posterior.confusion.counts
    if isinstance(prior, LearnedPrior):
        return tables_learned_together(counts, known, EACH_DRAWN, rng, ordered=measure.ordinal)
    return posterior_tables(counts, prior.row(size), prior.prevalence / size, known, EACH_DRAWN, rng)


Coin: TypeAlias = tuple[float, float]

#: Further cases of which every outcome is counted out, of separate test sets and of the same cases; above,
#: so many outcomes are drawn, each of which is read exactly.
MOST_SEPARATE, MOST_PAIRED, OUTCOMES = 3_000, 50_000, 20_000
#: Classes up to which the pairs of answers to the same cases are simulated.
MOST_CLASSES = 10


def later(comparison: Comparison, more: int, level: float, seed: int) -> Later:
    """What ``more`` cases (of each, or the same for both) will make sure of, with the probability ``level``."""
    (first, second), (a, b) = comparison.posteriors, comparison.measures
    rng = np.random.default_rng([seed, 6])
    one, other = coin_of(first, a), coin_of(second, b)
    pair = comparison._pair
    joint = None if pair is None else pair[0].joint.of_these([member.name for member in pair])
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
    return _sure(better, worse, level, times)._replace(futures=OUTCOMES)


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


#: Said of separate test sets of unlike size, where further cases are simulated.
LATER_ALONE = (
    "today's verdict also needs the exact tail of the smaller test set; the verdicts after further cases are those of "
    "the posterior alone."
)


#: Said of the same cases for both, of three classes or more.
FLAT_PAIRS = (
    "the further cases are read with the pairs of 'flat', class by class, because each of a thousand continuations "
    "would have to be learned from; the probability of today is learned over the classes."
)


FORESEEN = "metric level more now p_now later change error futures verdict=sentence"


@dataclass(frozen=True, kw_only=True, eq=False)
class Foreseen(Record):
    """What more cases would change in a decision.

    Attributes
    ----------
    metric, level
        What the decision is about, and its certainty.
    more : int
        Further cases.
    now : str
        The decision today.
    p_now : float
        The probability that it rests on.
    later : dict of decision to float
        Predictive probability of each decision after the further cases.
    change : float
        Probability that the decision will be another one.
    error : float
        Monte Carlo error of ``change``; 0 where every continuation was counted out.
    futures : int
        Continuations that were simulated; 0 where all were counted out.
    """

    metric: str
    level: float
    more: int
    now: str
    p_now: float
    later: dict[str, float]
    change: float
    error: float
    futures: int

    #: The two decisions besides "open".
    sides: ClassVar[tuple[str, str]]

    @classmethod
    def of(cls, p_now: float, later: Later, level: float, more: int, tail: float | None = None, **told: Any) -> Self:
        """The decision today, its probability later, and that of a change with its Monte Carlo error."""
        up, down = cls.sides
        now = up if p_now >= level else down if 1 - p_now >= level else "open"
        if tail is not None and tail < level:
            now = "open"
        chances = {up: later.better, down: later.worse, "open": max(0.0, 1 - later.better - later.worse)}
        change, many = min(1.0, max(0.0, 1 - chances[now])), later.futures
        error = float(np.sqrt(max(change * (1 - change), 1 / many) / many)) if many else 0.0
        return cls(
            level=level, more=more, now=now, p_now=p_now, later=chances, change=change, error=error, futures=many,
            **told,
        )  # fmt: skip

    @property
    @abstractmethod
    def sentence(self) -> str:
        """What holds today, and what further cases would do."""

    def sheet(self) -> Sheet:
        """The sentence says it all."""
        return Sheet(self.sentence)

    def _ahead(self, further: str, shown: Mapping[str, str]) -> str:
        """What the further cases would do, each with its probability; ``shown``: what they show, by decision."""
        chance = {
            key: f"with probability {formats.probability(p, self.futures or None)}" for key, p in self.later.items()
        }
        does = {"open": "reopen the question"} | {key: f"show {what}" for key, what in shown.items()}
        kept = "leave it open" if self.now == "open" else "leave it at that"
        first, second = (f"{does[key]} {chance[key]}" for key in does if key != self.now)
        return f"{further} would {kept} {chance[self.now]}, {first}, and {second}."


@dataclass(frozen=True, kw_only=True, eq=False)
class Outlook(Foreseen, json="outlook", fields=f"{FORESEEN} threshold n"):
    """What more cases would change in a decision about a threshold; made by `outlook`.

    Attributes
    ----------
    threshold : float
        The question: is the metric above the threshold, or below, with probability ``level``?
    n : int
        Cases so far.
    now : "above", "below" or "open"
        The decision today.
    p_now : float
        P(metric > threshold) today.

    The others as in `Foreseen`.
    """

    threshold: float
    n: int

    sides = ("above", "below")

    @property
    def sentence(self) -> str:
        """What holds today, and what further cases would do."""
        name = formats.plain(self.metric)
        shown = {side: f"{name} {side} {self.threshold:g}" for side in ("above", "below")}
        state = f"{name} is {self.now} {self.threshold:g}"
        if self.now == "open":
            state = f"it is open whether {name} is above {self.threshold:g}"
        return (
            f"After {formats.several(self.n, 'case')} {state} (P(above) {formats.equals(self.p_now)}). "
            f"{self._ahead(formats.several(self.more, 'more case'), shown)}"
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparisonOutlook(Foreseen, json="comparison_outlook", fields=f"{FORESEEN} names n paired draws notes"):
    """What more cases would change in who of two is better; made by `outlook`.

    Attributes
    ----------
    names : (str, str)
        The classifiers A and B.
    n : (int, int)
        Cases of each so far.
    paired : bool
        Whether these are, and the further cases will be, the same for both; else there are ``more`` of each.
    now : "better", "worse" or "open"
        The decision today: A is better, or is worse, with probability ``level``.
    p_now : float
        P(A is better) today.
    draws : int
        Draws that ``p_now`` is from; 0 where it is exact.
    notes : tuple of str
        What the further cases are read with, where that is not what reads those so far.

    The others as in `Foreseen`.
    """

    names: tuple[str, str]
    n: tuple[int, int]
    paired: bool
    draws: int
    notes: tuple[str, ...] = ()

    sides = ("better", "worse")

    @property
    def sentence(self) -> str:
        """What holds today, and what further cases would do."""
        a, b = (formats.plain(name, 40) for name in self.names)
        metric = formats.plain(self.metric)
        state = {
            "better": f"{a} is better than {b} in {metric}",
            "worse": f"{b} is better than {a} in {metric}",
            "open": f"it is open whether {a} is better than {b} in {metric}",
        }[self.now]
        one, other = (formats.integer(n) for n in self.n)
        now = f"the same {one}" if self.paired else one if one == other else f"{one} and {other}"
        further = (
            formats.several(self.more, "more case") if self.paired else f"{formats.integer(self.more)} more of each"
        )
        return (
            f"After {now} cases {state} (P({a} better) {formats.equals(self.p_now, self.draws or None)}). "
            f"{self._ahead(further, {'better': f'{a} better', 'worse': f'{b} better'})}"
        )

    def sheet(self) -> Sheet:
        """The sentence, and what has to be said of it."""
        return Sheet(self.sentence, remarks=self.notes)


@overload
def outlook(
    known: Posterior | AccuracyPosterior,
    metric: str | Measure,
    *,
    above: float,
    more: int,
    level: float = ...,
    seed: int = ...,
) -> Outlook: ...
@overload
def outlook(known: Comparison, *, more: int, level: float = ..., seed: int = ...) -> ComparisonOutlook: ...
def outlook(
    known: Posterior | AccuracyPosterior | Comparison,
    metric: str | Measure | None = None,
    *,
    above: float | None = None,
    more: int,
    level: float = LEVEL,
    seed: int = SEED,
) -> Outlook | ComparisonOutlook:
    """Say with what probability further cases would change the decision about a threshold, or between two classifiers.

    Parameters
    ----------
    known : Posterior, AccuracyPosterior or Comparison
        What is known so far: of one classifier, or of two, as `howsure.compare` says it.
    metric : str
        As in `Posterior.of`; a comparison has its own.
    above : float
        The threshold, of one classifier. The decision is "above" if P(metric > above) is at least ``level``, "below" if
        P(metric < above) is, and else "open". Between two it is "better" if P(A is better than B) is at least
        ``level``, "worse" if P(B is better than A) is, and else "open".
    more : int
        Further cases, which come as the ones so far: of each of two classifiers, or the same for both of a pair.
    level : float
        Certainty of a decision, above 0.5.
    seed : int
        Of the simulated continuations, and of a metric without a closed form.

    Returns
    -------
    Outlook or ComparisonOutlook

    Raises
    ------
    InvalidArgument
        Anything but a posterior, a metric and a threshold, or a comparison; too many classes to be simulated.
    NoInformation
        A metric that is undefined after some continuations.

    Notes
    -----
    Predictive probability (Spiegelhalter, Freedman and Blackburn 1986): truths are drawn from the posterior, further
    cases from each truth, and the decision is taken anew. For the accuracy every continuation is counted out.

    Examples
    --------
    >>> from howsure.posterior.accuracy import AccuracyPosterior
    >>> far = outlook(AccuracyPosterior(correct=95, n=100), "accuracy", above=0.8, more=100)
    >>> far.now, far.change < 0.02
    ('above', True)
    >>> from howsure import compare
    >>> new, old = (AccuracyPosterior(correct=k, n=100) for k in (90, 85))
    >>> print(outlook(compare(new, old, metric="accuracy", names=("new", "old")), more=200))
    After 100 cases it is open whether new is better than old in accuracy (P(new better) = 0.856). 200 more of each \
would leave it open with probability 0.440, show new better with probability 0.553, and show old better with \
probability 0.007.
    """
    level, seed = checked_level(level), checked_seed(seed)
    if level <= 0.5:
        raise InvalidArgument(f"level is the certainty of a decision, above 0.5; not {level:g}")
    if isinstance(more, bool) or not isinstance(more, int | np.integer) or not 1 <= more <= 10**9:
        raise InvalidArgument(f"more is an integer number of further cases, 1 or more; not {excerpt(more)}")
    if isinstance(known, Comparison):
        if metric is not None or above is not None:
            raise InvalidArgument("a comparison has its metric and no threshold; leave metric and above= out")
        return _of_two(known, int(more), level, seed)
    if not isinstance(known, Posterior | AccuracyPosterior):
        raise InvalidArgument(
            f"outlook() takes a posterior, made by infer(), or two, compared by compare(); not {type(known).__name__}"
        )
    if metric is None:
        raise InvalidArgument(
            "outlook() of one classifier takes a metric and a threshold: outlook(posterior, 'f1', above=0.8)"
        )
    return _of_one(known, metric, above, int(more), level, seed)


def _of_one(
    posterior: Contender, metric: str | Measure, above: float | None, more: int, level: float, seed: int
) -> Outlook:  # fmt: skip
    refuse_new_groups(knowledge_of(posterior).about_groups, "an outlook")
    known = knowledge_of(posterior).of(metric, seed=seed)
    measure = measure_of(known)
    assert measure is not None
    low, high = measure.metric.range
    if not isinstance(above, int | float) or not low < above < high:
        raise InvalidArgument(
            f"above is a threshold between {low:g} and {high:g} for {measure.name}, not {excerpt(above)}"
        )
    future = later_of_one(posterior, measure, float(above), more, level, seed)
    told: dict[str, Any] = {"metric": measure.name, "threshold": float(above), "n": cases(posterior)}
    return Outlook.of(known.prob(above=above), future, level, more, **told)


def _of_two(comparison: Comparison, more: int, level: float, seed: int) -> ComparisonOutlook:
    if comparison.rope:
        raise InvalidArgument("an outlook asks who is better, by however little; compare() without rope=")
    for each in comparison.posteriors:
        refuse_new_groups(knowledge_of(each).about_groups, "an outlook")
    made, posteriors, now = later(comparison, more, level, seed), comparison.posteriors, comparison.p_better
    alike = comparison.paired or smaller_at_its_tail(posteriors, first_better=True) is None
    notes = [FLAT_PAIRS] if comparison._learned else []
    if not (alike or all(map(coin_of, posteriors, comparison.measures))):
        notes.append(LATER_ALONE)
    tail = None if alike else comparison._tail_beyond(0.0, first_better=now > comparison.p_worse)
    draws = comparison.law.n if isinstance(comparison.law, Draws) else 0
    return ComparisonOutlook.of(
        now, made, level, more, tail, metric=comparison.metric, names=comparison.names, n=comparison.cases,
        paired=comparison.paired, draws=draws, notes=tuple(notes),
    )  # fmt: skip
