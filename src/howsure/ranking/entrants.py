"""Entries of a ranking of any kind: classifiers whose cases all have a truth, models under one judge, scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.groups import Question, refuse_both
from howsure.data.judged_answers import JudgedAnswers
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.laws import Draws
from howsure.metrics import Measure, Metric
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks import rank_matrix
from howsure.numerics.ranks.rank_matrix import drawn_exceedance, drawn_ranks
from howsure.posterior.common_ground import (
    asked_or_usual,
    at_pooled_shares,
    only_right_or_wrong,
    prior_names,
    under_one_default,
)
from howsure.posterior.distribution import Distribution, measure_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.means_over_classes import Shares
from howsure.posterior.paired import PairedMember, PairedPosterior, separate
from howsure.posterior.paired_verdicts import PRIOR, PairedVerdicts, alone, pass_rate, tipping_sentence
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import Prior
from howsure.progress import along
from howsure.questions.entries import checked_questions
from howsure.ranking.contest import Contest, Ranked, monte_carlo_error, paired_contest, possible_best, separate_contest
from howsure.ranking.learned_entries import (
    EntryModel,
    Learned,
    LearnedJointly,
    checked_entries,
    learned_contest,
    learned_jointly,
)

__all__ = ["contested", "judged_entries"]

#: What is said where nobody named a metric and all classes are known.
UNASKED = (
    "ranked by balanced accuracy, the mean recall of the classes, because no metric was named and no class should "
    "count more for being frequent; metric accuracy ranks by the share of right answers."
)


class Entered(NamedTuple):
    """Entries in the order given, who is above whom, and what is said of them."""

    names: list[str]
    members: list[Ranked]
    known: list[Distribution]
    joint: PairedPosterior | None
    contest: Contest
    learned: Learned | LearnedJointly | None
    stay: NDArray[np.intp]
    prior: str
    paired: bool
    notes: tuple[str, ...]


def contested(
    classifiers: Mapping[str, Ranked] | Predictions,
    metric: str | None,
    entries: EntryModel | None,
    prior: str | Prior | None,
    shares: Shares | None,
    level: float,
    draws: int,
    seed: int,
    *,
    groups: Question | None,
    notes: tuple[str, ...],
) -> Entered:
    """Classifiers of which every case has a truth."""
    names, members, joint = _entrants(classifiers, prior, shares, groups)
    checked_questions(names, members)
    members = under_one_default(members)
    priors = prior_names(members)
    if len(priors) > 1:
        problem = f"one ranking uses one prior; these have {listing(priors)}"
        raise InvalidArgument(f"{problem}. Name one for all of them: prior='flat'.")
    if metric is None:
        whole = all(hasattr(member, "confusion") and not only_right_or_wrong(member) for member in members)
        asked: str | Metric | Measure = "balanced_accuracy" if whole else "accuracy"
        notes = (*notes, UNASKED) if whole else notes
    else:
        asked = asked_or_usual(metric, members)
    if isinstance(asked, Metric):
        asked = asked.name
    known = [knowledge_of(member).of(asked, draws=draws, seed=seed) for member in along(members, len(members))]
    measure = measure_of(known[0])
    assert measure is not None
    if measure.metric.better == "neither":
        raise InvalidArgument(f"{measure.name} has no better or worse, so it ranks nothing")
    named = (each.name for each in map(measure_of, known) if each is not None)
    other = next((name for name in named if name != measure.name), None)
    if other is not None:
        raise InvalidArgument(
            f"the metric is {measure.name} of one and {other} of another, because their positive classes differ; "
            f"name the class, {measure.name}"
        )
    if joint is None:
        members, pooled = at_pooled_shares(members, measure)
        if pooled:
            known, notes = [knowledge_of(x).of(measure, draws=draws, seed=seed) for x in members], (*notes, *pooled)
    wanted = checked_entries(entries, len(names))
    learned: Learned | LearnedJointly | None = learned_contest(members, known) if wanted and joint is None else None
    if learned is not None:
        contest = learned.contest
    elif joint is None:
        contest = separate_contest(members, known, draws, seed)
    else:
        contest = paired_contest(joint, known, draws, seed)
    stay = possible_best(known, contest, level, draws, seed)
    if wanted and learned is None:
        found = learned_jointly(members, known, joint, contest, draws, seed)
        if not isinstance(found, str):
            learned, contest = found, found.contest
        elif entries == "learned":
            raise InvalidArgument(f"{found}. Leave entries='learned' out, or say entries='independent'.")
        else:
            notes = (*notes, f"{found}; each is judged alone.")
    if joint is not None:
        notes = (*joint.predictions.notes, *notes)
    return Entered(names, members, known, joint, contest, learned, stay, priors[0], joint is not None, notes)


def judged_entries(
    judged: JudgedAnswers,
    metric: str | None,
    entries: EntryModel | None,
    prior: str | Prior | None,
    shares: Shares | None,
    level: float,
    draws: int,
    seed: int,
    *,
    groups: Question | None,
    new_test: int | None,
    notes: tuple[str, ...],
) -> Entered:
    """Models under one judge."""
    if groups is not None:
        refuse_both()
    odd = {
        "prior": prior,
        "shares": shares,
        "new_test": new_test,
        "entries": None if entries == "independent" else entries,
    }
    if given := [f"{name}=" for name, value in odd.items() if value is not None]:
        raise InvalidArgument(
            "judged models are each ranked by their own verdicts and labels, under jeffreys; leave "
            f"{listing(given)} out"
        )
    made = judged_board(judged, metric, draws=draws, seed=seed)
    stay = possible_best(made.known, made.contest, level, draws, seed)
    members: list[Ranked] = [*made.members]
    return Entered(
        made.names, members, made.known, None, made.contest, None, stay, made.prior, made.paired, (*notes, *made.notes)
    )  # fmt: skip


def _entrants(
    classifiers: Mapping[str, Ranked] | Predictions,
    prior: str | Prior | None,
    shares: Shares | None,
    groups: Question | None,
) -> tuple[list[str], list[Ranked], PairedPosterior | None]:
    """Names, posteriors, and what pairs them if they answered the same cases."""
    if isinstance(classifiers, Predictions):
        if len(classifiers.names) < 2:
            raise InvalidArgument("rank() takes predictions of two classifiers or more; these have one")
        joint = PairedPosterior(classifiers, prior=prior, shares=shares, groups=groups)
        return list(joint.names), [joint[name] for name in joint.names], joint
    if prior is not None:
        raise InvalidArgument("posteriors have their prior; name it in infer(), not in rank()")
    if shares is not None:
        raise InvalidArgument("posteriors have their class shares; say shares= in infer(), not in rank()")
    if groups is not None:
        raise InvalidArgument("posteriors have their question; say groups= in infer(), not in rank()")
    if not isinstance(classifiers, Mapping) or len(classifiers) < 2:
        raise InvalidArgument(
            "rank() takes predictions, or a mapping of at least two names to posteriors, such as {'a': ..., 'b': ...}"
        )
    odd = [x for x in classifiers.values() if not isinstance(x, Ranked)]
    if odd:
        raise InvalidArgument(f"rank() takes posteriors, not {type(odd[0]).__name__}; make one with infer(matrix)")
    names, members = [str(name) for name in classifiers], list(classifiers.values())
    if any(not name.strip() for name in names) or len(set(names)) < len(names):
        raise InvalidArgument(f"classifiers have names, each its own; not {listing(map(excerpt, names))}")
    paired = [knowledge_of(x) for x in members if isinstance(x, PairedMember)]
    places, joints = [x.name for x in paired], {id(x.joint): x.joint for x in paired}
    if len(places) == len(set(places)) == len(members) and len(joints) == 1:
        whole = next(iter(joints.values()))
        joint = whole.of_these(places)
        return names, [joint[place] for place in places], joint
    return names, [separate(x) if isinstance(x, PairedMember) else x for x in members], None


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
        matrix, above, rank_matrix.expected_rank(matrix), "drawn", common=float(values.mean(0).std()),
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
