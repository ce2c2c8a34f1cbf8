"""Entries of separate test sets whose scores are one rate each: a sample from a population learned from the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation
from howsure.errors.arguments import one_of
from howsure.laws import Law, Linear, Mixture
from howsure.laws.components import single_beta
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks import rank_matrix
from howsure.numerics.ranks.entry_panels import population_ranks
from howsure.numerics.ranks.entry_population import EntryPopulation, learned_population
from howsure.numerics.ranks.rank_matrix import drawn_ranks
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import Distribution, measure_of
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.questions.entry import BoardPopulation
from howsure.ranking.rank_probabilities import Contest, Ranked, checked_new_test

__all__ = ["FEWEST_LEARNED", "EntryModel", "Learned", "checked_entries", "learned_contest", "tallies"]

#: How the entries of a board are taken: as a sample from a population learned from it, or each alone.
EntryModel = Literal["learned", "independent"]

#: From so many entries on a population is learned; two say too little about one.
FEWEST_LEARNED = 3

#: Any rank probability of a learned board is within this of the model's; on ten boards all were within 0.0036.
ERROR = 0.005

#: The same where one entry has more than so many times the cases of another: of 10,000 cases beside 100 it was 0.0194.
UNLIKE, ERROR_OF_UNLIKE = 50, 0.02

#: With more cases than this the evidence of a population is lost in rounding.
MOST_CASES = 1e12

#: Parts of an entry's law that weigh less are left out.
NO_PART = 1e-6


@dataclass(frozen=True, eq=False)
class Learned:
    """What a learned population says about a board, in the order given.

    Attributes
    ----------
    contest : Contest
        Rank probabilities of the population.
    laws : tuple of Law
        Law of each entry's score.
    p_best_alone : ndarray, shape (T,)
        P(best) of each entry judged alone.
    population : BoardPopulation
        What was learned, as it is shown.
    """

    contest: Contest
    laws: tuple[Law, ...]
    p_best_alone: Floats
    population: BoardPopulation
    _nodes: EntryPopulation
    _upwards: bool

    def replayed(self, n: int, draws: int, seed: int) -> Floats:
        """P(entry i has rank r on a new test set of n cases): a node, scores of all entries, what the test shows."""
        n = checked_new_test(n)
        rng = np.random.default_rng([seed, 0xA6])
        shown = rng.binomial(n, np.clip(self._nodes.draws(draws, rng), 0.0, 1.0)) / n
        # entries of equal tallies are exchangeable, and share what was counted
        matrix = drawn_ranks(shown)
        for tally in np.unique(self._nodes.place).tolist():
            group = np.flatnonzero(self._nodes.place == tally)
            matrix[group] = matrix[group].mean(0)
        return matrix


def checked_entries(entries: str | None, count: int) -> bool:
    """Whether a population is learned: from three entries on, unless each is to be judged alone."""
    if entries is None:
        return count >= FEWEST_LEARNED
    one_of(entries, get_args(EntryModel), "entries")
    if entries == "learned" and count < FEWEST_LEARNED:
        raise InvalidArgument(
            f"a population is learned from three entries or more; these are {count}. Leave entries='learned' out, or "
            "say entries='independent'."
        )
    return entries == "learned"


def learned_contest(members: Sequence[Ranked], known: Sequence[Distribution]) -> Learned | None:
    """Entries of separate test sets under a population learned from them; None where a score is not one rate."""
    found = tallies(members, known)
    if found is None:
        return None
    measure = measure_of(known[0])
    assert measure is not None
    upwards = measure.metric.better == "higher"
    k, n = found
    nodes = learned_population(k, n)
    matrix, above = population_ranks(nodes)
    laws = np.array([_beta(each.law) for each in known], float)  # each is a Beta, or there were no tallies
    alone = rank_matrix.best_probabilities_beta(*(laws if upwards else laws[:, ::-1]).T)
    each = [_law(nodes, tally, upwards) for tally in range(len(nodes.k))]
    contest = Contest(matrix, above, rank_matrix.expected_rank(matrix), "approximate", error=_error(n))
    population = BoardPopulation(
        mean=nodes.mean if upwards else 1 - nodes.mean,
        sd=nodes.sd,
        second=nodes.second_share,
        sampling_error=nodes.sampling_error,
    )
    return Learned(contest, tuple(each[i] for i in nodes.place.tolist()), alone, population, nodes, upwards)


def _error(n: Floats) -> float:
    """How far a rank probability may be off: a spike among wide laws asks more of few nodes than they give."""
    return ERROR if n.max() <= UNLIKE * n[n > 0].min() else ERROR_OF_UNLIKE


def _law(nodes: EntryPopulation, tally: int, upwards: bool) -> Law:
    right, wrong, weight = nodes.betas(tally)
    kept = weight > NO_PART
    law = Mixture.of_betas(right[kept], wrong[kept], weight[kept] / weight[kept].sum())
    return law if upwards else 1 - law


def tallies(members: Sequence[Ranked], known: Sequence[Distribution]) -> tuple[Floats, Floats] | None:
    """Successes and cases of each entry, more successes being better, without its prior; None if one is no rate.

    What the same counts would add once more is what they are worth, whatever the prior is.
    """
    found = [_tally(member, each) for member, each in zip(members, known, strict=True)]
    if any(each is None for each in found):
        return None
    k, n = np.array(found, float).T
    return (k, n) if 0 < n.max() <= MOST_CASES else None


def _tally(member: Ranked, known: Distribution) -> tuple[float, float] | None:
    measure = measure_of(known)
    assert measure is not None
    now = _beta(known.law)
    if now is None:
        return None
    up = measure.metric.better == "higher"
    if isinstance(member, AccuracyPosterior):
        return float(member.correct), float(member.n)
    twice = _beta(_of_twice(member, measure))
    if twice is None:
        return None
    right, wrong = (after - before for after, before in zip(twice, now, strict=True))
    n = right + wrong
    score = known.observed
    if right < 0 or wrong < 0 or (score is not None and not (n > 0 and abs(right / n - score) < 1e-6)):
        return None
    return (right if up else wrong), n


def _beta(law: Law | None) -> tuple[float, float] | None:
    """(a, b) of a law that is a single Beta on (0, 1)."""
    row = single_beta(law) if isinstance(law, Linear) else None
    return None if row is None or row[2:] != (0.0, 1.0) else row[:2]


def _of_twice(member: Posterior, measure: Measure) -> Law | None:
    """Law of the measure if every case had come twice."""
    table = member.confusion
    doubled = ConfusionMatrix(2 * np.asarray(table.counts), labels=table.labels)
    if table.positive is not None and len(table.labels) == 2:
        doubled = doubled.with_positive(table.positive)
    before = knowledge_of(member)
    try:
        return TableKnowledge(doubled, before.prior, before.known_prevalence).exact_law(measure)
    except NoInformation:
        return None
