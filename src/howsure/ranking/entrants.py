"""Entries of a ranking of any kind: classifiers whose cases all have a truth, models under one judge, scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.groups import Question
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.knowledge.protocol import Ask
from howsure.metrics import Measure, Metric
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
from howsure.posterior.priors import Prior
from howsure.progress import along
from howsure.questions.entries import checked_questions
from howsure.questions.rank import possible_best
from howsure.ranking.contest import Contest, Ranked, paired_contest, separate_contest
from howsure.ranking.learned_entries import (
    EntryModel,
    Learned,
    LearnedJointly,
    checked_entries,
    learned_contest,
    learned_jointly,
)

__all__ = ["contested"]

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
    means, sds = (np.array([getattr(x, number) for x in known]) for number in ("mean", "sd"))
    values = None if contest.noise is None else contest.values
    stay = possible_best(measure.metric.better, means, sds, Ask(level, draws=draws, seed=seed), values, contest.alike)
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
