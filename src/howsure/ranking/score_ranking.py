"""``rank`` of scores: several classifiers on the same cases, by a number of all thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.laws.draw_settings import DRAWS
from howsure.numerics.ranks.rank_matrix import drawn_exceedance, drawn_ranks
from howsure.posterior.asked_of_scores import asked_measure
from howsure.posterior.distribution import Distribution, Term
from howsure.posterior.scored_cases import CENTRED, ScoresKnowledge, ScoresPosterior
from howsure.posterior.scores_together import ScoresTogether
from howsure.ranking.contested import Entered
from howsure.ranking.rank_probabilities import Contest, monte_carlo_error

__all__ = ["are_scores", "scored_entries"]

#: Arguments that leave nothing else to say.
LEFT_OUT: tuple[object, ...] = (None, False, (), [], "independent")


def are_scores(classifiers: object) -> bool:
    """Whether scores are ranked: one object of several classifiers, or a mapping of names to separate test sets."""
    if isinstance(classifiers, Scores):
        return True
    return isinstance(classifiers, Mapping) and any(
        isinstance(x, Scores | ScoresPosterior) for x in classifiers.values()
    )


def scored_entries(
    classifiers: Any, metric: Any, draws: int, seed: int, refused: Mapping[str, object], notes: Sequence[str]
) -> Entered:
    """Joint draws of a number of all classifiers, and ranks counted in them.

    Raises
    ------
    InvalidArgument
        Fewer than two classifiers, other classes, or what is asked of predictions only.
    """
    groups = refused.get("groups")
    odd = [f"{name}=" for name, value in refused.items() if value not in LEFT_OUT and name != "groups"]
    if groups not in (None, "new"):
        odd.append("groups=")
    if odd:
        raise InvalidArgument(
            f"leave {listing(odd)} out: scores are judged each alone, about new groups where cases come in groups"
        )
    if isinstance(classifiers, Scores):
        if len(classifiers.names) < 2:
            raise InvalidArgument(
                f"classifiers are ranked, two or more, and these are the scores of {excerpt(classifiers.names[0])} "
                "alone; say howsure.Scores(y_true, {'A': ..., 'B': ...})"
            )
        together = ScoresTogether(classifiers)
        names, members = list(together.names), list[ScoresKnowledge](together.members)
    else:
        if len(classifiers) < 2 or not all(isinstance(x, Scores | ScoresPosterior) for x in classifiers.values()):
            kinds = listing(dict.fromkeys(type(x).__name__ for x in classifiers.values()))
            raise InvalidArgument(f"two classifiers or more are ranked, all of them Scores; not {kinds}")
        names = [str(name) for name in classifiers]
        known = [ScoresKnowledge(x) if isinstance(x, Scores) else x._knowledge for x in classifiers.values()]
        members = [ScoresKnowledge(x.scores, x.prevalence) for x in known]
        if len({x.scores.labels for x in members}) > 1:
            raise InvalidArgument("the test sets have different classes; rank scores of the same ones")
    labels = members[0].scores.labels
    measure = asked_measure(metric, labels)
    if draws == DRAWS:
        draws = (
            together.usual_draws(measure)
            if isinstance(classifiers, Scores)
            else min(member.usual_draws for member in members)
        )
    laws = [Distribution([Term(1.0, x, measure)], draws=draws, seed=seed) for x in members]
    paired = isinstance(classifiers, Scores)
    streams = [0] * len(members) if paired else range(len(members))
    values = np.array([x.drawn([measure], draws, seed, s)[0] for x, s in zip(members, streams, strict=True)])
    ranked = values if measure.metric.better == "higher" else -values
    above = drawn_exceedance(ranked)
    noise = (values - values.mean(0)).std(1) if paired else None
    common = float(values.mean(0).std()) if paired else 0.0
    contest = Contest(
        drawn_ranks(ranked), above, 0.5 + above.sum(0), "simulated", noise, common, (), monte_carlo_error(draws), values
    )
    about = "one weight a case for all classifiers" if paired else "test sets are independent"
    if members[0].scores.group is not None:
        about = "weights are those of groups, and numbers are about new groups"
    said = f"Bayesian bootstrap of the scores, two pseudo-cases a class; {about}."
    tests: Any = [x.scores for x in members]
    return Entered(names, tests, laws, None, contest, None, np.empty(0, np.intp), CENTRED, paired, (*notes, said))
