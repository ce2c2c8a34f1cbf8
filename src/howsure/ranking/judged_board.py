"""Models under one judge, ranked: by each model's own labels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from howsure.data.judged_answers import JudgedAnswers
from howsure.errors import InvalidArgument
from howsure.laws import Draws
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
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


class JudgedBoard(NamedTuple):
    """What `howsure.rank` needs of a board of judged models, in the order given."""

    names: list[str]
    members: list[Posterior]
    known: list[Distribution]
    contest: Contest
    prior: str
    paired: bool
    notes: tuple[str, ...]


def judged_board(judged: JudgedAnswers, metric: Any, *, draws: int, seed: int) -> JudgedBoard:
    """Rank probabilities of models by their share of right answers.

    Raises
    ------
    InvalidArgument
        One model, another metric.
    """
    names = list(judged.names)
    if len(names) < 2:
        raise InvalidArgument("rank() takes judged answers of two models or more; these are of one")
    measure = pass_rate(judged, metric)
    members, known = (list(x) for x in zip(*(alone(judged, name, measure, draws, seed) for name in names), strict=True))
    notes: tuple[str, ...] = judged.notes
    prior, paired = ", ".join(dict.fromkeys(x.prior for x in known)), False
    if len(names) == 2:
        pair = PairedVerdicts(judged, names[0], names[1], measure)
        values, paired, prior = np.array(pair.rates(draws, seed)), True, PRIOR
        # the difference has the mean and sd that are known
        values[0] = values[1] + _gaps(pair, draws, seed)
    else:
        values = np.array([_drawn(*each, draws, seed, i) for i, each in enumerate(zip(members, known, strict=True))])
        notes = (*notes, SEPARATE)
    ranked = values if measure.metric.better == "higher" else -values
    matrix, above = drawn_ranks(ranked), drawn_exceedance(ranked)
    contest = Contest(
        matrix, above, rank_matrix.expected_rank(matrix), "simulated", common=float(values.mean(0).std()),
        error=monte_carlo_error(values.shape[1]), values=values, alike=tuple(range(len(names))),
    )  # fmt: skip
    first, second = np.argsort(contest.expected, kind="stable")[:2].tolist()
    tips = _tips(judged, measure, (first, second), known)
    more = (ALONE,) if len(names) > 2 else ()
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


def _tips(judged: JudgedAnswers, measure: Measure, places: tuple[int, int], known: list[Distribution]) -> str:
    """Where the judge's lead of one of the first two over the other tips."""
    label = str(measure.label)
    names = judged.names[places[0]], judged.names[places[1]]
    (a, n), (b, m) = (judged.passed(name, label) for name in names)
    rate = (known[places[0]].mean + known[places[1]].mean) / 2
    return tipping_sentence(names, (a / n, b / m), label, rate, good=measure.metric.better == "higher")
