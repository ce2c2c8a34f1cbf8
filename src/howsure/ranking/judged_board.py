"""Models under one judge, ranked: by each model's own labels, or on request by one judge who errs alike with all."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from howsure.data.judged_answers import JudgedAnswers
from howsure.errors import InvalidArgument, listing
from howsure.laws import Draws
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.shared_judge import alike, shared_rates
from howsure.numerics.ranks import rank_matrix
from howsure.numerics.ranks.rank_matrix import drawn_exceedance, drawn_ranks
from howsure.posterior.distribution import Distribution
from howsure.posterior.paired_verdicts import PRIOR, PairedVerdicts, alone, pass_rate
from howsure.posterior.posterior import Posterior
from howsure.posterior.tipping_point import tipping_sentence
from howsure.ranking.rank_probabilities import Contest, monte_carlo_error

__all__ = ["JudgedBoard", "judged_board"]

SEPARATE = (
    "Three models or more are each judged by their own labels, as if each had items of its own. Where they share "
    "items, what is hard for all is not taken out; compare() does so for two of them."
)
ALONE = "Each model is judged alone; a population of judged models is not learned."
OWN = "Assumes that the labelled items were chosen at random given the verdicts, and that people are right."

#: Least Bayes factor at which one judge for all models is believed on request, and least share of possible draws.
LEAST_FACTOR, LEAST_KEPT = 1 / 3, 0.05


class JudgedBoard(NamedTuple):
    """What `howsure.rank` needs of a board of judged models, in the order given."""

    names: list[str]
    members: list[Posterior]
    known: list[Distribution]
    contest: Contest
    prior: str
    paired: bool
    notes: tuple[str, ...]


def judged_board(judged: JudgedAnswers, metric: Any, *, shared: bool, draws: int, seed: int) -> JudgedBoard:
    """Rank probabilities of models by their share of right answers.

    Raises
    ------
    InvalidArgument
        One model, another metric; or a shared judge who does not treat the models alike.
    """
    names = list(judged.names)
    if len(names) < 2:
        raise InvalidArgument("rank() takes judged answers of two models or more; these are of one")
    measure = pass_rate(judged, metric)
    members, known = (list(x) for x in zip(*(alone(judged, name, measure, draws, seed) for name in names), strict=True))
    notes: tuple[str, ...] = judged.notes
    prior, paired = ", ".join(dict.fromkeys(x.prior for x in known)), False
    if shared:
        known, said = _under_one_judge(judged, measure, known, draws, seed)
        values = np.array([x.law.values for x in known if isinstance(x.law, Draws)])
        notes, prior = (*notes, *said), "one judge, flat"
    elif len(names) == 2:
        pair = PairedVerdicts(judged, names[0], names[1], measure)
        values, paired, prior = np.array(pair.rates(draws, seed)), True, PRIOR
        # the difference has the mean and sd that are known
        values[0] = values[1] + _gaps(pair, draws, seed)
    else:
        values = np.array([_drawn(*each, draws, seed, i) for i, each in enumerate(zip(members, known, strict=True))])
        notes = (*notes, SEPARATE)
    ranked = values if measure.metric.better == "higher" else -values
    matrix, above = drawn_ranks(ranked), drawn_exceedance(ranked)
    noise = (values - values.mean(0)).std(1) if shared else None
    contest = Contest(
        matrix, above, rank_matrix.expected_rank(matrix), "drawn", noise=noise, common=float(values.mean(0).std()),
        error=monte_carlo_error(values.shape[1]), values=values, alike=tuple(range(len(names))),
    )  # fmt: skip
    first, second = np.argsort(contest.expected, kind="stable")[:2].tolist()
    tips = _tips(judged, measure, (first, second), known, own=not shared)
    more = (ALONE,) if len(names) > 2 and not shared else ()
    return JudgedBoard(names, members, known, contest, prior, paired, (*notes, tips, *more, OWN))


def _gaps(pair: PairedVerdicts, draws: int, seed: int) -> Floats:
    law = pair.difference(draws, seed).law
    assert isinstance(law, Draws)
    return law.values


def _drawn(member: Posterior, known: Distribution, draws: int, seed: int, stream: int) -> Floats:
    """Draws of one model, in an order of its own: those of two models are of one seed."""
    if isinstance(known.law, Draws):
        values = known.law.values
    else:
        term = known._terms[0]
        values = term.source.drawn([term.measure], draws, seed, 0)[0]
    return np.random.default_rng([seed, stream, 0x52]).permutation(values)


def _under_one_judge(
    judged: JudgedAnswers, measure: Measure, known: list[Distribution], draws: int, seed: int
) -> tuple[list[Distribution], tuple[str, ...]]:
    """Rates of all models with the same sensitivity and specificity of the judge, and what that rests on."""
    if len(judged.verdicts) > 2:
        raise InvalidArgument(
            f"shared_judge=True is for two verdicts, not {len(judged.verdicts)} ({listing(judged.verdicts)})"
        )
    label = str(measure.label)
    target = judged.labels.index(label)
    tables = np.zeros((len(judged.names), 2, 2), dtype=np.int64)
    for table, name in zip(tables, judged.names, strict=True):
        said, seen = judged.codes(name)
        there = seen >= 0
        np.add.at(table, ((seen[there] == target).astype(int), (said[there] == target).astype(int)), 1)
    factor = math.exp(min(alike(tables), 50.0))
    if factor < LEAST_FACTOR:
        raise InvalidArgument(
            f"the judge does not treat these models alike (against one judge for all: {1 / factor:,.3g} to 1), so "
            "their order by its verdicts says little; leave shared_judge out, and each model is ranked by its own "
            "labels"
        )
    counts = np.array([judged.passed(name, label) for name in judged.names])
    made = shared_rates(counts[:, 0], counts[:, 1], tables.sum(0), draws, [seed, 0x53])
    if made.kept < LEAST_KEPT:
        raise InvalidArgument(
            f"the judge's verdicts contradict its labels: in {100 * (1 - made.kept):.3g} % of what the labels allow, "
            "the rate of some model would be below 0 or above 1; leave shared_judge out"
        )
    laws = [Draws(values, support=(0.0, 1.0)) for values in made.values]
    moved = [
        Distribution(x._terms, draws=draws, seed=seed, law=law) for x, law in zip(known, laws, strict=True)
    ]  # fmt: skip
    word = "for" if factor > 3 else "cannot tell"
    notes: tuple[str, ...] = (
        f"One judge for all models, as asked: the order is that of the judge, and labels only set the scale. That it "
        f"errs alike with all of them: {word}, {_odds(factor)}. Preference for answers of its own family is not "
        "measured by labels of other models.",
    )
    if made.kept < 0.95:
        notes = (*notes, f"{100 * (1 - made.kept):.0f} % of the draws were impossible (a rate below 0 or above 1).")
    return moved, notes


def _odds(factor: float) -> str:
    return f"{factor:,.3g} to 1" if factor >= 1 else f"1 to {1 / factor:,.3g}"


def _tips(
    judged: JudgedAnswers, measure: Measure, places: tuple[int, int], known: list[Distribution], *, own: bool
) -> str:
    """Where the judge's lead of one of the first two over the other tips."""
    label = str(measure.label)
    names = judged.names[places[0]], judged.names[places[1]]
    (a, n), (b, m) = (judged.passed(name, label) for name in names)
    rate = (known[places[0]].mean + known[places[1]].mean) / 2
    return tipping_sentence(names, (a / n, b / m), label, rate, good=measure.metric.better == "higher", own=own)
