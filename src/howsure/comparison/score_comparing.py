"""``compare`` of scores: two classifiers on the same cases, or on separate test sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.comparison.score_comparison import ScoreComparison
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import sentences
from howsure.laws import Kind
from howsure.laws.draw_settings import DRAWS, checked_draws, checked_seed
from howsure.laws.law import checked_kind, checked_level
from howsure.numerics.curves.area_difference import AreaTest, area_test, separate_area_test
from howsure.posterior.distribution import Distribution, Term
from howsure.posterior.score_measures import ScoreMeasure, asked_measure
from howsure.posterior.scored_cases import CENTRED, ScoresKnowledge, ScoresPosterior
from howsure.posterior.scores_together import ScoresTogether
from howsure.questions.differences import checked_rope

__all__ = ["compare_scores", "refuse_for_scores"]


def compare_scores(
    given: Sequence[Any],
    metric: Any,
    names: tuple[str, str] | None,
    refused: dict[str, object],
    *,
    rope: float | None,
    level: float,
    kind: Kind,
    draws: int,
    seed: int,
    notes: Sequence[str],
) -> ScoreComparison:
    """Compare two classifiers by a number of their scores; see `howsure.compare`.

    Parameters
    ----------
    given : (Scores, str, str) or two Scores or ScoresPosterior
        One object of several classifiers and two of their names, which are paired; or two, which are separate.
    metric : str
        A number of scores; ``roc_auc`` of two classes and ``roc_auc@ovr`` of more if left out.
    refused : mapping of str to object
        What is asked of predictions only.
    """
    refuse_for_scores(refused)
    level, kind, seed = checked_level(level), checked_kind(kind), checked_seed(seed)
    checked_draws(draws)
    sources, titles = sources_of(given, names)
    labels = sources[0].scores.labels
    measure = asked_measure(metric, labels)
    paired = sources[0].test_set is sources[1].test_set
    if paired and draws == DRAWS:  # nobody asked for more: many cases or classes take fewer
        together = sources[0].test_set
        assert isinstance(together, ScoresTogether)
        draws = together.usual_draws(measure)
    elif draws == DRAWS:
        draws = min(x.usual_draws for x in sources)
    a, b = (Distribution([Term(1.0, x, measure)], draws=draws, seed=seed) for x in sources)
    one, two = (x.scores for x in sources)
    return ScoreComparison(
        names=titles,
        measure=measure,
        a=a,
        b=b,
        difference=a - b,
        paired=paired,
        sizes=(one.n,) if paired else (one.n, two.n),
        least=min(map(_least, (one, two))),
        groups=tuple(len(x.group_names) for x in ((one,) if paired else (one, two)) if x.group is not None),
        rope=checked_rope(rope, measure.metric.range),
        level=level,
        kind=kind,
        draws=draws,
        seed=seed,
        classical=_classical(measure, one, two, paired=paired),
        alike=_alike(sources),
        remarks=sentences(notes),
    )


def refuse_for_scores(given: dict[str, object]) -> None:
    """Arguments that are about matrices and predictions; and groups, which have one meaning here."""
    groups = given.pop("groups", None)
    if groups not in (None, "new"):
        raise InvalidArgument(
            f"numbers of scores in groups are about new groups; leave groups={excerpt(groups)} out, or ask "
            "about these groups at a threshold: infer(scores.confusion_at(t), groups='these')"
        )
    if given.get("prior") == CENTRED:
        given.pop("prior")
    if odd := [f"{name}=" for name, value in given.items() if value]:
        raise InvalidArgument(f"leave {listing(odd)} out: it is about classes that were called, and these are scores")


def sources_of(
    given: Sequence[Any], names: tuple[str, str] | None
) -> tuple[tuple[ScoresKnowledge, ScoresKnowledge], tuple[str, str]]:
    """What is known of both, joint where they scored the same cases, and their names."""
    if len(given) == 2 and all(isinstance(x, Scores | ScoresPosterior) for x in given):
        first, second = (ScoresKnowledge(x) if isinstance(x, Scores) else x._knowledge for x in given)
        if first.scores.labels != second.scores.labels:
            raise InvalidArgument(
                f"the classes are {listing(map(excerpt, first.scores.labels))} of the one and "
                f"{listing(map(excerpt, second.scores.labels))} of the other"
            )
        titles = ("A", "B") if names is None else tuple(names)
        if len(titles) != 2 or not all(isinstance(x, str) and x for x in titles) or titles[0] == titles[1]:
            raise InvalidArgument(f"names are two different texts, not {excerpt(names)}")
        apart = ScoresKnowledge(first.scores, first.prevalence), ScoresKnowledge(second.scores, second.prevalence)
        return apart, (titles[0], titles[1])
    scores, chosen = given[0], [name for name in given[1:] if name is not None]
    if not isinstance(scores, Scores) or names is not None:
        raise InvalidArgument(
            "compare() of scores takes one Scores of several classifiers and two of their names, or two Scores of "
            "separate test sets (and names=)"
        )
    if len(scores.names) < 2:
        raise InvalidArgument(
            f"two classifiers are compared, and these are the scores of {excerpt(scores.names[0])} alone; say "
            "howsure.Scores(y_true, {'A': ..., 'B': ...})"
        )
    if not chosen and len(scores.names) == 2:
        chosen = list(scores.names)
    if len(chosen) != 2 or not all(isinstance(name, str) for name in chosen):
        raise InvalidArgument(
            f"compare(scores, a, b) takes the names of two classifiers, of {listing(map(excerpt, scores.names))}"
        )
    together = ScoresTogether(scores, chosen)
    one, two = together.members
    return (one, two), (chosen[0], chosen[1])


def _least(scores: Scores) -> int:
    """Cases of the smallest class, or groups that have one of it."""
    if scores.group is None:
        return int(scores.class_sizes.min())
    return min(len(np.unique(scores.group[scores.truth == k])) for k in range(len(scores.labels)))


def _alike(sources: tuple[ScoresKnowledge, ScoresKnowledge]) -> bool:
    a, b = sources
    one, two = a.scores, b.scores
    same = np.array_equal(one.truth, two.truth) and np.array_equal(one.scores, two.scores)
    return same and a.prevalence == b.prevalence and (one.group is None) == (two.group is None)


def _classical(measure: ScoreMeasure, one: Scores, two: Scores, *, paired: bool) -> AreaTest | None:
    """DeLong's test, where it is one: areas of separate cases of two classes, two of each class or more."""
    if measure.kind.name != "roc_auc" or measure.over is not None:
        return None
    if measure.label is not None:
        one, two = one.one_vs_rest(measure.label), two.one_vs_rest(measure.label)
    if one.group is not None or two.group is not None or min(*one.class_sizes, *two.class_sizes) < 2:
        return None
    if paired:
        return area_test(one.truth == 1, np.array([one.scores, two.scores]))
    return separate_area_test(((one.truth == 1, one.scores), (two.truth == 1, two.scores)))
