"""Who is above whom: rank probabilities and pairwise probabilities, of separate test sets or of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from howsure.errors import InvalidArgument, excerpt
from howsure.laws import Beta, Draws, Law, Linear
from howsure.laws.law import Route
from howsure.laws.rates import ranks_of
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.draws.pair_tables import HitPatterns
from howsure.numerics.draws.weighted_draws import matched
from howsure.numerics.populations.ranks import Ranks, drawn_exceedance, drawn_ranks
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import Distribution, measure_of
from howsure.posterior.grouped_rows import refuse_new_groups
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior
from howsure.posterior.paired_rows import two_coins
from howsure.posterior.posterior import Posterior
from howsure.progress import along
from howsure.questions.ranking import BoardPopulation


@dataclass(frozen=True, eq=False)
class JointRates:
    """A measure that is ``shift + sum_i w_i r_i`` of rates of right answers r_i: accuracy, recalls, and their means."""

    joint: PairedPosterior
    #: Weights of the recalls; None for the accuracy, one coin a case, shape (K,).
    weights: Floats | None
    #: What the weighted rate is multiplied by, and a constant.
    factor: float
    shift: float
    measure: Measure

    @classmethod
    def of(cls, joint: PairedPosterior, measure: Measure) -> JointRates | None:
        """Find the rates in a measure; None where it asks for more than right or wrong."""
        if joint.known_prevalence is None and measure.twin.metric.name in ("accuracy", "error_rate"):
            up = measure.twin.metric.name == "accuracy"
            return cls(joint, None, 1.0 if up else -1.0, 0.0 if up else 1.0, measure)
        found = joint.weights_of(measure)
        return None if found is None else cls(joint, found[0], 1.0, found[1], measure)

    @property
    def hits(self) -> NDArray[np.bool_]:
        """Whether each classifier is right on each case that the measure is about, shape (T, n)."""
        truth = self.joint.predictions.truth
        about = slice(None) if self.weights is None else self.weights[truth] != 0
        return np.array([self.joint.predictions.answers(name)[about] == truth[about] for name in self.joint.names])

    def draws(self, n: int, seed: int) -> Floats:
        """Joint draws, shape (T, n).

        Learned, two are drawn by what was learned about how they differ; of more, each has the law that it has alone,
        and what they have in common is that of the patterns.
        """
        if self.weights is None:
            return self.shift + self.factor * self._of_class(None).rates(n, [seed, 0])
        if self.joint.learned and len(self.joint.names) == 2:
            return self.shift + self.joint.pair(*self.joint.names).rates(self.weights, n, [seed, 0])
        total = np.full((len(self.joint.names), n), self.shift)
        for i in np.flatnonzero(self.weights).tolist():
            total += self.weights[i] * self._of_class(i).rates(n, [seed, 0, i])
        if self.joint.learned:
            margins = (self.joint.margin_of(t, self.measure, n, seed) for t in range(len(total)))
            return np.array([matched(x, margin) for x, margin in zip(total, margins, strict=True)])
        return total

    def replays(self, cases: int, n: int, seed: int) -> Floats:
        """Values of the accuracy on ``cases`` new cases, the same for all, shape (T, n)."""
        return self.shift + self.factor * self._of_class(None).replays(n, cases, [seed, 1])

    def replayed(self, n: int, seed: int) -> Floats:
        """The true values that `replays` replays, draw by draw, shape (T, n)."""
        return self.shift + self.factor * self._of_class(None).rates(n, [seed, 1])

    def exceedance(self) -> Floats | None:
        """P(entry i has the larger rate than entry j), shape (T, T), exact for the accuracy.

        I_1/2(n01 + q, n10 + q) with n10 cases that only i has right, n01 only j, and q pseudo-counts of either.
        """
        if self.weights is not None:
            return None
        right = self.hits.astype(float)
        only = right @ (1 - right).T
        q = float(two_coins(*self.joint.prior.coin)[1])
        above = betainc(only.T + q, only + q, 0.5)
        # the incomplete Beta function leaves a rounding of 1e-16, and more than one half is a win
        above[only == only.T] = 0.5
        return np.asarray(above if self.factor > 0 else above.T)

    @cached_property
    def _patterns(self) -> tuple[NDArray[np.int32], NDArray[np.bool_], NDArray[np.int64]]:
        truth, answers, counts = self.joint.predictions.patterns(*self.joint.names)
        return truth, answers == truth[:, None], counts

    def _of_class(self, index: int | None) -> HitPatterns:
        """Patterns of right and wrong of one true class, or of all cases."""
        truth, hit, counts = self._patterns
        prior = self.joint.prior
        if index is not None:
            hit, counts = hit[truth == index], counts[truth == index]
        distinct, of_pattern = np.unique(np.packbits(hit, axis=1), axis=0, return_inverse=True)
        right = np.unpackbits(distinct, axis=1, count=hit.shape[1]).astype(float)
        together = bincount(of_pattern.ravel(), counts, len(distinct)).astype(float)
        return HitPatterns(right, together, *(prior.coin if index is None else (prior.a, prior.b)))


def pair_law(joint: PairedPosterior, measure: Measure, first: str, second: str) -> Law | None:
    """Law of the difference of two of the classifiers; None where it would be drawn."""
    if joint.learned:
        return None
    pair = joint.of_these([first, second])
    one, other = (knowledge_of(pair[name]).exact_law(measure) for name in (first, second))
    return one - other if isinstance(one, Linear) and isinstance(other, Linear) else None


#: The largest new test that is replayed.
MOST_NEW = 10**12


#: Up to this many classifiers, the exact law of every paired difference is asked; above, all are drawn.
MOST_PAIRS_EXACT = 20


#: Error of a rank probability of Betas; what the numerical layer promises.
ROUNDING = 1e-10


#: What a ranking takes as one entry.
Ranked = Posterior | AccuracyPosterior


@dataclass(frozen=True, eq=False)
class Entrants:
    """Entries of a ranking in the order given."""

    names: Sequence[str]
    members: Sequence[Ranked]
    #: Of the metric of each.
    known: Sequence[Distribution]
    #: What pairs them, where they answered the same cases.
    joint: PairedPosterior | None

    @cached_property
    def measure(self) -> Measure:
        """The metric, of all the same."""
        measure = measure_of(self.known[0])
        assert measure is not None
        return measure

    @property
    def up(self) -> bool:
        """Whether more is better."""
        return self.measure.metric.better == "higher"

    @property
    def of_right(self) -> bool:
        """Whether the metric is the share of right, or of wrong, answers."""
        return self.measure.twin.metric.name in ("accuracy", "error_rate")

    @cached_property
    def rates(self) -> JointRates | None:
        """Of paired entries: the rates of right answers in the metric; None where it asks for more."""
        return None if self.joint is None else JointRates.of(self.joint, self.measure)

    @cached_property
    def keys(self) -> tuple[Hashable, ...]:
        """A key of each entry; nothing tells those of one key apart.

        Of separate test sets: equal counts, prior and prevalence. Of the same cases: what the metric sees of each, its
        answers, or where it is right.
        """
        if self.joint is None:
            return tuple(map(_identity, self.members))
        if self.rates is not None:
            return tuple(column.tobytes() for column in self.rates.hits)
        return tuple(self.joint.predictions.answers(name).tobytes() for name in self.joint.names)

    def refuse_new_groups(self) -> None:
        """Groups that will not come again are not replayed."""
        for member in self.members:
            if isinstance(member, Posterior):
                refuse_new_groups(knowledge_of(member).about_groups, "new_test=")

    @property
    def replayable(self) -> JointRates:
        """The rates of entries on the same cases that a new test can be drawn of."""
        if self.rates is None or self.rates.weights is not None:
            raise InvalidArgument(
                f"new_test= of paired classifiers replays accuracy or error_rate; not {excerpt(self.measure.name)}"
            )
        return self.rates


@dataclass(frozen=True, eq=False)
class Contest:
    """Rank probabilities of entries in the order given."""

    #: Who holds which rank, 1 the best, and who is better than whom.
    ranks: Ranks
    #: How they are known.
    route: Route
    #: Of paired entries: sd of the distance of each from the mean of all, and sd of that mean, shape (T,).
    noise: Floats | None = None
    common: float = 0.0
    #: Sentences for the user.
    notes: tuple[str, ...] = ()
    #: Bound or estimate of the error of any of these probabilities, or of a draw its largest standard error.
    error: float = ROUNDING
    #: The draws of the metric in which ranks were counted, shape (T, n).
    values: Floats | None = None
    #: A key of each entry; nothing tells entries of one key apart.
    alike: tuple[Hashable, ...] = ()
    learned: Learned | None = None


@dataclass(frozen=True, eq=False)
class Learned:
    """What a learned population says about a board, in the order given."""

    #: Law of each entry's score.
    laws: tuple[Law, ...]
    #: P(best) of each entry judged alone, shape (T,).
    p_best_alone: Floats
    #: What was learned, as it is shown.
    population: BoardPopulation
    #: From cases of a new test, draws and seed to P(entry i has rank r on it).
    replayed: Callable[[int, int, int], Floats]


def separate_contest(entrants: Entrants, draws: int, seed: int) -> Contest:
    """Entries of separate test sets: exact where every law is, else independent draws."""
    laws, alike = [x.law for x in entrants.known], entrants.keys
    # of a law whose mean is infinite (a likelihood ratio) ranks are counted; panels need its sd
    if all(law.route != "simulated" and np.isfinite(law.sd) for law in laws):
        found = ranks_of(laws)
        found = found if entrants.up else Ranks.of(found.rows[:, ::-1], found.pairs.T, found.place)
        route: Route = "exact" if all(law.route == "exact" for law in laws) else "approximate"
        error = ROUNDING + float(sum(law.error for law in laws))
        return Contest(found, route, error=error, alike=alike)
    each = along(enumerate(zip(entrants.members, entrants.known, strict=True)), len(laws))
    values = np.array([_values(member, x, draws, seed, i) for i, (member, x) in each])
    ranked, notes = _oriented(values, entrants.up)
    matrix, above = shared(drawn_ranks(ranked), drawn_exceedance(ranked), alike)
    error = monte_carlo_error(values.shape[1])
    return Contest(Ranks.of(matrix, above), "simulated", notes=notes, error=error, values=values, alike=alike)


def paired_contest(entrants: Entrants, draws: int, seed: int) -> Contest:
    """Entries that answered the same cases: joint draws; pairs are exact where only right and wrong count.

    About new groups all is drawn, by the bootstrap over groups.
    """
    joint, rates, measure, keys = entrants.joint, entrants.rates, entrants.measure, entrants.keys
    assert joint is not None
    new = joint.about_new_groups
    exact = None if rates is None or new else _exact_pairs(joint, rates, measure)
    if exact is not None and not entrants.up:
        exact = exact.T
    if exact is not None and len(joint.names) == 2:
        _, above = shared(exact.copy(), exact, keys)
        matrix = np.array([[above[0, 1], above[1, 0]], [above[1, 0], above[0, 1]]])
        return Contest(Ranks.of(matrix, above, expected=0.5 + above.sum(0)), "exact")
    values = np.array(joint.drawn([measure], draws, seed, 0)[0]) if rates is None or new else rates.draws(draws, seed)
    defined = values[:, np.isfinite(values).all(0)]
    noise, common = apart(defined) if defined.shape[1] > 1 else (None, 0.0)
    ranked, notes = _oriented(values, entrants.up)
    matrix, above = shared(drawn_ranks(ranked), drawn_exceedance(ranked) if exact is None else exact, keys)
    if exact is not None:
        notes = (*notes, "The probabilities of one being better than another (tiers, wins, expected ranks) are exact.")
    error = monte_carlo_error(values.shape[1])
    ranks = Ranks.of(matrix, above, expected=0.5 + above.sum(0))
    return Contest(ranks, "simulated", noise, common, notes, error, values, keys)


def replayed(entrants: Entrants, n: int, draws: int, seed: int) -> Floats:
    """P(entry i has rank r on a new test set of n cases): what is true is drawn, then what the test shows.

    Of paired entries the new cases are the same for all, and the metric is accuracy or error_rate.
    """
    n = checked_new_test(n)
    entrants.refuse_new_groups()
    if entrants.joint is not None:
        values = entrants.replayable.replays(n, draws, seed)
    else:
        values = shown_again(entrants, n, draws, seed)
    matrix = drawn_ranks(_oriented(values, entrants.up)[0])
    return shared(matrix, np.zeros_like(matrix), entrants.keys)[0]


def shown_again(entrants: Entrants, n: int, draws: int, seed: int) -> Floats:
    """What each of separate entries shows on a new test set of n cases, shape (T, draws)."""
    if entrants.of_right and all(isinstance(x.law, Beta) for x in entrants.known):
        rng = np.random.default_rng([seed, 0xA6])
        return (
            np.array([rng.binomial(n, x.law.sample(draws, seed=[seed, i])) for i, x in enumerate(entrants.known)]) / n
        )
    laws = [_predicted(member, entrants.measure, n, draws, seed) for member in entrants.members]
    return np.array([law.sample(draws, seed=[seed, 0xA6, i]) for i, law in enumerate(laws)])


def checked_new_test(n: int) -> int:
    """A number of new cases, or the sentence that says what one is."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_NEW:
        raise InvalidArgument(f"new_test is a number of cases, 1 to {MOST_NEW:,d}; not {excerpt(n)}")
    return int(n)


# -- inside ---------------------------------------------------------------------------------------------------


def monte_carlo_error(draws: int) -> float:
    """Largest standard error of a share of so many draws."""
    return 0.5 / float(np.sqrt(max(draws, 1)))


def apart(values: Floats) -> tuple[Floats, float]:
    """Of joint draws (T, n): sd of the distance of each entry from the mean of all, and sd of that mean."""
    return (values - values.mean(0)).std(1), float(values.mean(0).std())


def _oriented(values: Floats, upwards: bool) -> tuple[Floats, tuple[str, ...]]:
    """Draws of which more is better; what is undefined comes last, and is said."""
    undefined = int(np.isnan(values).sum())
    made = np.where(np.isnan(values), -np.inf, values if upwards else -values)
    return made, (f"{undefined} draws are undefined (0/0) and count as last.",) if undefined else ()


def _values(member: Ranked, known: Distribution, draws: int, seed: int, stream: int) -> Floats:
    """Draws of one entry, independent of those of the others, because test sets are separate."""
    measure = measure_of(known)
    assert measure is not None
    if isinstance(known.law, Draws):
        # the tables that its mean is from, in an order of its own: building them again costs as much as the answer
        made: Floats = knowledge_of(member).drawn([measure], draws, seed, 0)[0]
        return made if not stream else np.random.default_rng([seed, stream]).permutation(made)
    values: Floats = known.law.sample(draws, seed=[seed, stream])
    return values


def _predicted(member: Ranked, measure: Measure, n: int, draws: int, seed: int) -> Law:
    predict = getattr(member, "predict", None)
    if predict is None:
        raise InvalidArgument(f"new_test= needs a confusion matrix to replay {excerpt(measure.name)}")
    law: Law = predict(n, draws=draws, seed=seed).of(measure.name)
    return law


def _exact_pairs(joint: PairedPosterior, rates: JointRates, measure: Measure) -> Floats | None:
    """P(entry i has the larger value than entry j); None above `MOST_PAIRS_EXACT` classifiers."""
    found = rates.exceedance()
    if found is not None:
        return found
    count = len(joint.names)
    if count > MOST_PAIRS_EXACT:
        return None
    above = np.full((count, count), 0.5)
    for i, j in combinations(range(count), 2):
        law = pair_law(joint, measure, joint.names[i], joint.names[j])
        if law is None:
            return None
        more, less = law.prob(above=0), law.prob(below=0)
        above[i, j] = more + (1 - more - less) / 2
        above[j, i] = 1 - above[i, j]
    return above


def shared(matrix: Floats, above: Floats, keys: Sequence[Hashable]) -> tuple[Floats, Floats]:
    """Entries that nothing tells apart are exchangeable: they share ranks, and beat each other evenly."""
    groups: dict[Hashable, list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    for group in groups.values():
        if len(group) > 1:
            matrix[group] = matrix[group].mean(0)
            above[group], above[:, group] = above[group].mean(0), above[:, group].mean(1)[:, None]
            above[np.ix_(group, group)] = 0.5
    return matrix, above


def _identity(member: Ranked) -> Hashable:
    """The same counts, prior and prevalence give the same law."""
    if isinstance(member, AccuracyPosterior):
        return id(member)
    known = knowledge_of(member).known_prevalence
    return member.confusion, member.prior, None if known is None else known.tobytes()
