"""Entries of a board as a sample from a population learned from it: of one rate each, and of any metric.

The chain: the entries' own model (class prior, joint draws where cases are the same) gives draws of the metric; they go
to a working scale, the entries' own prior is taken out, the population is learned from what tells entries apart, and
the draws are moved by Matheron's rule (`howsure.numerics.populations.entries`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation
from howsure.errors.arguments import one_of
from howsure.laws import Beta, Draws, Law, Linear, Mixture
from howsure.laws.linear import single_beta
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import matched
from howsure.numerics.populations import ranks
from howsure.numerics.populations.entries import EntryPopulation, learned_population
from howsure.numerics.populations.joint_entries import NormalPopulation, WorkingScale, apart, scale_of, without_prior
from howsure.numerics.populations.ranks import Ranks, drawn_exceedance, drawn_ranks, population_ranks
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.posterior import Posterior, infer
from howsure.questions.contest import (
    Contest,
    Entrants,
    Learned,
    Ranked,
    checked_new_test,
    monte_carlo_error,
    shared,
    shown_again,
)
from howsure.questions.ranking import BoardPopulation

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


def learned_contest(entrants: Entrants) -> Contest | None:
    """Entries of separate test sets under a population learned from them; None where a score is not one rate."""
    found = tallies(entrants)
    if found is None:
        return None
    k, n = found
    nodes, up = learned_population(k, n), entrants.up
    laws = np.array([_beta(each.law) for each in entrants.known], float)  # each is a Beta, or there were no tallies
    alone = ranks.best_probabilities_beta(*(laws if up else laws[:, ::-1]).T)
    each = [_law(nodes, tally, up) for tally in range(len(nodes.k))]
    population = BoardPopulation(
        mean=nodes.mean if up else 1 - nodes.mean,
        sd=nodes.sd,
        second=nodes.second_share,
        sampling_error=nodes.sampling_error,
    )
    learned = Learned(tuple(each[i] for i in nodes.place.tolist()), alone, population, partial(_of_tallies, nodes))
    return Contest(population_ranks(nodes), "approximate", error=_error(n), learned=learned)


def _of_tallies(nodes: EntryPopulation, n: int, draws: int, seed: int) -> Floats:
    """P(entry i has rank r on a new test set of n cases): a node, scores of all entries, what the test shows."""
    n = checked_new_test(n)
    rng = np.random.default_rng([seed, 0xA6])
    shown = rng.binomial(n, np.clip(nodes.draws(draws, rng), 0.0, 1.0)) / n
    # entries of equal tallies are exchangeable, and share what was counted
    matrix = drawn_ranks(shown)
    for tally in np.unique(nodes.place).tolist():
        group = np.flatnonzero(nodes.place == tally)
        matrix[group] = matrix[group].mean(0)
    return matrix


def _error(n: Floats) -> float:
    """How far a rank probability may be off: a spike among wide laws asks more of few nodes than they give."""
    return ERROR if n.max() <= UNLIKE * n[n > 0].min() else ERROR_OF_UNLIKE


def _law(nodes: EntryPopulation, tally: int, upwards: bool) -> Law:
    right, wrong, weight = nodes.betas(tally)
    kept = weight > NO_PART
    law = Mixture.of_betas(right[kept], wrong[kept], weight[kept] / weight[kept].sum())
    return law if upwards else 1 - law


def tallies(entrants: Entrants) -> tuple[Floats, Floats] | None:
    """Successes and cases of each entry, more successes being better, without its prior; None if one is no rate.

    What the same counts would add once more is what they are worth, whatever the prior is.
    """
    both = zip(entrants.members, entrants.known, strict=True)
    found = [_tally(member, each, entrants) for member, each in both]
    if any(each is None for each in found):
        return None
    k, n = np.array(found, float).T
    return (k, n) if 0 < n.max() <= MOST_CASES else None


def _tally(member: Ranked, known: Distribution, entrants: Entrants) -> tuple[float, float] | None:
    now = _beta(known.law)
    if now is None:
        return None
    if isinstance(member, AccuracyPosterior):
        return float(member.correct), float(member.n)
    twice = _beta(_of_twice(member, entrants.measure))
    if twice is None:
        return None
    right, wrong = (after - before for after, before in zip(twice, now, strict=True))
    n = right + wrong
    score = known.observed
    if right < 0 or wrong < 0 or (score is not None and not (n > 0 and abs(right / n - score) < 1e-6)):
        return None
    return (right if entrants.up else wrong), n


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


#: Draws of a prior alone; its mean and variance are all that is asked.
PRIOR_DRAWS = 4_000

#: Error of a rank probability that the normal twin of a population adds; boards of accuracy by both engines are within
#: this, but for 0.03 where sizes are 40 beside 2,000, and more where entries are at the very top (docs/rank.md).
RECIPE = 0.02

#: How far apart tied draws are put, at random, beyond the end of a metric.
HAIR = 1e-9


@dataclass(frozen=True, eq=False)
class JointEntries:
    """Joint draws of entries under the population that they tell; made by `learned`."""

    #: Draws of the metric, shape (T, S).
    values: Floats
    #: The same on the working scale, to count ranks: entries at one end of the metric are in random order, shape (T,
    #: S).
    ranked: Floats
    #: What was learned, as it is shown; ``sampling_error`` is that of what tells an entry from the others.
    population: BoardPopulation

    @classmethod
    def learned(
        cls,
        members: Sequence[Ranked],
        measure: Measure,
        values: Floats,
        *,
        together: bool,
        alike: Sequence[Hashable],
        seed: int,
    ) -> JointEntries:
        """Move draws of the metric, shape (T, S), from the entries' own model to the learned population.

        ``together`` says that the draws of one column belong together, because the cases are the same. There entries
        that are ``alike`` are one: a copy says nothing more about the population.
        """
        scale = scale_of(*measure.metric.range)
        assert scale is not None
        keys = list(dict.fromkeys(alike)) if together else []
        if 1 < len(keys) < len(values):
            first = [list(alike).index(key) for key in keys]
            place = [keys.index(key) for key in alike]
            one = cls.learned([members[i] for i in first], measure, values[first], together=True, alike=keys, seed=seed)
            # copies in random order, as at the ends of the metric
            hair = HAIR * np.random.default_rng([seed, 0xB4]).random(values.shape)
            return cls(one.values[place], one.ranked[place] + hair, one.population)
        drawn = scale.forward(values)
        covariance = np.cov(drawn) if together else drawn.var(1, ddof=1)
        drawn, covariance = without_prior(drawn, covariance, *_own_priors(members, measure, scale, seed))
        means, noise = drawn.mean(1), apart(covariance)
        nodes = NormalPopulation.learned(means, noise, scale.broad)
        made = nodes.moved(drawn, covariance, [seed, 0xB0])
        slopes = scale.slope(nodes.centre)
        population = BoardPopulation(
            mean=float(nodes.weights @ scale.back(nodes.centre)),
            sd=float(nodes.weights @ (nodes.spread * slopes)),
            second=nodes.second,
            sampling_error=float(np.sqrt(1 / np.mean(1 / noise)) * (nodes.weights @ slopes)),
        )
        return cls(scale.back(made), _ordered(made, scale, seed), population)


def learned_jointly(entrants: Entrants, alone: Contest, draws: int, seed: int) -> Contest | str:
    """Entries by any metric under a population learned from them; a sentence where no scale fits the metric.

    ``alone`` is the contest of the same entries, each judged alone.
    """
    measure, members, joint = entrants.measure, entrants.members, entrants.joint
    if scale_of(*measure.metric.range) is None:
        return (
            f"{measure.name} does not lie between two ends, so there is no scale on which entries err alike, and no "
            "population of them can be learned"
        )
    if not any(member.n for member in members):
        return "no entry has a case, so no population of them can be learned"
    if joint is None and any(member.n > MOST_CASES for member in members):
        return f"an entry has more than {MOST_CASES:.0e} cases, where no population of entries is learned"
    values = alone.values
    if values is None:
        both = enumerate(zip(members, entrants.known, strict=True))
        values = np.array([_drawn(member, each, measure, draws, [seed, i]) for i, (member, each) in both])
    elif joint is not None and joint.about_new_groups:
        # the bootstrap says what they have in common; alone, each has the law of a report, whose prior is taken out
        margins = (joint.margin_of(t, measure, draws, seed) for t in range(len(values)))
        values = np.array([matched(x, margin) for x, margin in zip(values, margins, strict=True)])
    if not np.isfinite(values).all():
        return f"{measure.name} is undefined (0/0) in some draws, so no population of entries can be learned"
    made = JointEntries.learned(members, measure, values, together=joint is not None, alike=alone.alike, seed=seed)
    ranked = made.ranked if entrants.up else -made.ranked
    matrix, above = shared(drawn_ranks(ranked), drawn_exceedance(ranked), alone.alike)
    laws = _laws(made.values, alone.alike, measure)
    replay = partial(_of_draws, entrants, alone.alike, values, made.values)
    error = RECIPE + monte_carlo_error(ranked.shape[1])
    return Contest(
        Ranks.of(matrix, above, expected=0.5 + above.sum(0)), "simulated", error=error,
        values=made.values, alike=alone.alike, learned=Learned(laws, alone.ranks.top(1), made.population, replay),
    )  # fmt: skip


def _of_draws(
    entrants: Entrants, alike: Sequence[Hashable], own: Floats, learned: Floats, n: int, draws: int, seed: int
) -> Floats:
    """P(entry i has rank r on a new test set of n cases): true scores, and what a test of that size adds.

    ``own`` are draws of each entry alone, ``learned`` those under the population, shape (T, S) each.
    """
    n = checked_new_test(n)
    entrants.refuse_new_groups()
    low, high = entrants.measure.metric.range
    if entrants.joint is not None:
        rates = entrants.replayable
        true = rates.replayed(draws, seed)
        moved = JointEntries.learned(
            entrants.members, entrants.measure, true, together=True, alike=alike, seed=seed
        ).values
        # what the new cases add to a score is the same for all where they are alike
        shown = np.round(np.clip(moved + rates.replays(n, draws, seed) - true, low, high) * n) / n
    else:
        # learned scores with the variance that a test adds to each alone, on the working scale
        scale, alone = scale_of(low, high), shown_again(entrants, n, draws, seed)
        assert scale is not None
        spread = scale.forward(own).var(1)
        added = np.nanvar(scale.forward(alone), axis=1) - spread
        # below two standard errors of a difference of variances of draws nothing is seen to be added
        added = np.where(added > 4 / np.sqrt(alone.shape[1]) * spread, added, 0.0)
        noise = np.random.default_rng([seed, 0xB3]).standard_normal(learned.shape)
        shown = scale.back(scale.forward(learned) + np.sqrt(added)[:, None] * noise)
    matrix = drawn_ranks(shown if entrants.up else -shown)
    return shared(matrix, np.zeros_like(matrix), alike)[0]


def _drawn(member: Ranked, known: Distribution, measure: Measure, draws: int, seed: list[int]) -> Floats:
    """Draws of one of separate entries; of its tables, which cost less than the quantiles of an exact law."""
    if isinstance(known.law, Beta):
        return known.law.sample(draws, seed=seed)
    return knowledge_of(member).drawn([measure], draws, *seed)[0]


def _laws(values: Floats, alike: Sequence[Hashable], measure: Measure) -> tuple[Law, ...]:
    """Law of each entry; those that nothing tells apart have one law, of the draws of all of them."""
    groups: dict[Hashable, list[int]] = {}
    for i, key in enumerate(alike):
        groups.setdefault(key, []).append(i)
    made = {key: Draws(values[places].ravel(), support=measure.metric.support) for key, places in groups.items()}
    return tuple(made[key] for key in alike)


def _ordered(made: Floats, scale: WorkingScale, seed: int) -> Floats:
    """Draws that lie at an end of the metric, in random order there; ties would be shared evenly, one by one."""
    low, high = scale.ends
    beyond = (made < low) | (made > high)
    if not beyond.any():
        return made
    hair = HAIR * np.random.default_rng([seed, 0xB1]).random(made.shape)
    return np.where(made > high, high + hair, np.where(made < low, low - hair, made))


def _own_priors(members: Sequence[Ranked], measure: Measure, scale: WorkingScale, seed: int) -> tuple[Floats, Floats]:
    """Mean and variance of the metric on its scale under each entry's prior alone, shape (T,) each."""
    memory: dict[object, tuple[float, float]] = {}
    found = []
    for member in members:
        known = knowledge_of(member)
        shares = None if isinstance(member, AccuracyPosterior) else knowledge_of(member).shares
        key = (known.prior, known.labels, None if shares is None else shares.tobytes())
        if key not in memory:
            memory[key] = _moments(member, measure, scale, seed)
        found.append(memory[key])
    means, variances = np.array(found).T
    return means, variances


def _moments(member: Ranked, measure: Measure, scale: WorkingScale, seed: int) -> tuple[float, float]:
    """Mean and variance of one metric under a prior alone; an infinite variance where the prior has no law of its own.

    The class shares are those of the entry: its prior of them is not what its cases are judged by.
    """
    try:
        if isinstance(member, AccuracyPosterior):
            made = (
                AccuracyPosterior(correct=0, n=0, prior=member.prior)
                .of(measure)
                .law.sample(PRIOR_DRAWS, seed=[seed, 0xB2])
            )
        else:
            known = knowledge_of(member)
            empty = ConfusionMatrix(np.zeros((known.size, known.size), dtype=int), labels=known.labels)
            alone = knowledge_of(infer(empty, known.prior))
            if measure.twin.metric.name in ("accuracy", "error_rate") and known.known_prevalence is None:
                made = alone.of(measure.twin.metric.name).law.sample(PRIOR_DRAWS, seed=[seed, 0xB2])
            else:
                made = alone.at_prevalence(known.shares).drawn([measure], PRIOR_DRAWS, seed, 0xB2)[0]
    except NoInformation:
        return 0.0, np.inf
    made = made[np.isfinite(made)]
    if len(made) < 2:
        return 0.0, np.inf
    on_scale = scale.forward(np.asarray(made))
    return float(on_scale.mean()), float(on_scale.var(ddof=1))
