"""A gate by scores: whether the candidate may replace the baseline, by a number of all thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.comparison.gate_arguments import (
    checked_floor,
    checked_margin,
    refuse_doubled,
    refuse_strict,
    refuse_wide_margin,
)
from howsure.comparison.gate_rows import floor_row, settled, tests_of
from howsure.comparison.score_comparing import compare_scores, refuse_for_scores
from howsure.comparison.score_comparison import ScoreComparison
from howsure.data.groups import ENOUGH_GROUPS
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.laws import Kind
from howsure.laws.draw_settings import DRAWS, checked_draws, checked_seed
from howsure.laws.law import checked_kind, checked_level
from howsure.posterior.score_measures import asked_measure
from howsure.posterior.scored_cases import ScoresKnowledge
from howsure.questions.gate_answer import Gate, GateRow, Mode, estimate_of
from howsure.questions.gate_rule import GateGroups, cases_to_settle, prior_decides, uncertain, verdict

__all__ = ["gate_scores"]


def gate_scores(
    given: Sequence[Any],
    metrics: Sequence[Any],
    names: tuple[str, str] | None,
    refused: dict[str, object],
    *,
    mode: Mode,
    margin: float,
    floor: float | None,
    min_prob: float,
    level: float,
    kind: Kind,
    draws: int,
    seed: int,
    notes: Sequence[str],
) -> Gate:
    """Gate of scores; see `howsure.gate`.

    Parameters
    ----------
    given : as for `howsure.compare` of scores, or one classifier's `Scores` for a floor
    metrics : sequence of str or None
    refused : mapping of str to object
        What is asked of predictions only.
    """
    if refused.pop("strict", None):
        refuse_strict()
    if mode == "floor":
        refuse_for_scores(dict(refused))
        return _floor(given, metrics, names, floor, min_prob, level, kind, draws, seed, notes)
    margin = checked_margin(margin)
    told: dict[str, Any] = {"rope": None, "level": level, "kind": kind, "draws": draws, "seed": seed}
    made = [compare_scores(given, m, names, dict(refused), **told, notes=notes) for m in metrics]
    for c in made:
        refuse_wide_margin(margin, c.measure)
    groups = _groups(made[0].groups)
    threshold = margin if mode == "superiority" else 0.0 - margin  # never a negative zero
    rows = [_row(c, threshold, min_prob, groups) for c in made]
    refuse_doubled(rows)
    first = made[0]
    return Gate(
        names=first.names,
        rows=tuple(rows),
        mode=mode,
        margin=margin,
        floor=None,
        min_prob=min_prob,
        paired=first.paired,
        cases=first.sizes if len(first.sizes) > 1 else first.sizes * 2,
        prior=first.prior,
        level=first.level,
        kind=first.kind,
        draws=first.draws,
        seed=first.seed,
        warnings=tuple(dict.fromkeys(w for c in made for w in c.warnings)),
        notes=tuple(dict.fromkeys(note for c in made for note in c.notes)),
        groups=groups,
    )


def _row(c: ScoreComparison, threshold: float, min_prob: float, groups: GateGroups | None) -> GateRow:
    law, up = c.difference.law, c.higher_is_better
    sign = 1.0 if up else -1.0
    above, below = law.prob(above=sign * threshold), law.prob(below=sign * threshold)
    p_pass, p_fail = (above, below) if up else (below, above)
    if c.alike and threshold == 0:
        p_pass = p_fail = 0.5
    p_pass, p_fail = uncertain(law, p_pass), uncertain(law, p_fail)
    tests = tests_of(c, c.groups or c.sizes, sign)
    distance, pull = sign * law.mean - threshold, sum(test.pull for test in tests)
    found = verdict(p_pass, p_fail, min_prob)
    by_prior = not c.paired and found != "inconclusive" and prior_decides(distance, pull)
    found = "inconclusive" if by_prior else found
    more = cases_to_settle(distance - pull, tests, min_prob)
    found, more_cases, more_groups = settled(found, more, groups)
    return GateRow(
        metric=c.metric,
        better="higher" if up else "lower",
        verdict=found,
        p_pass=p_pass,
        p_fail=p_fail,
        threshold=threshold,
        strict=None,
        candidate=estimate_of(c.a.law, c.a.observed, c.level, c.kind),
        baseline=estimate_of(c.b.law, c.b.observed, c.level, c.kind),
        difference=estimate_of(law, c.observed, c.level, c.kind),
        by_prior=by_prior,
        more_cases=more_cases,
        more_groups=more_groups,
        draws=c.draws,
    )


def _floor(
    given: Sequence[Any],
    metrics: Sequence[Any],
    names: tuple[str, str] | None,
    floor: float | None,
    min_prob: float,
    level: float,
    kind: Kind,
    draws: int,
    seed: int,
    notes: Sequence[str],
) -> Gate:
    """One classifier's scores against a fixed value."""
    level, kind, draws, seed = checked_level(level), checked_kind(kind), checked_draws(draws), checked_seed(seed)
    known = _candidate(given)
    name = "the candidate" if not names else names[0]
    groups = _groups(() if known.scores.group is None else (len(known.scores.group_names),))
    draws = known.usual_draws if draws == DRAWS else draws
    rows = []
    for metric in metrics:
        x = known.of(asked_measure(metric, known.scores.labels), draws=draws, seed=seed)
        size = groups.groups[0] if groups else known.scores.n
        rows.append(floor_row(x, checked_floor(floor, x), min_prob, size, groups, level, kind, ours=True))
    refuse_doubled(rows)
    assert floor is not None
    return Gate(
        names=(name, ""),
        rows=tuple(rows),
        mode="floor",
        margin=0.0,
        floor=float(floor),
        min_prob=min_prob,
        paired=None,
        cases=(known.scores.n,),
        prior=known.prior_name,
        level=level,
        kind=kind,
        draws=draws,
        seed=seed,
        notes=tuple(notes),
        groups=groups,
    )


def _candidate(given: Sequence[Any]) -> ScoresKnowledge:
    """The one classifier that is held against a floor; a baseline beside it is not looked at."""
    first, named = given[0], [name for name in given[1:] if isinstance(name, str)]
    if not isinstance(first, Scores):
        return ScoresKnowledge(first.scores, first.prevalence)
    if len(first.names) > 1 and not named:
        raise InvalidArgument(
            f"a floor is for one classifier, of {listing(map(excerpt, first.names))}; say "
            f"scores.of({excerpt(first.names[0])})"
        )
    return ScoresKnowledge(first.of(named[0]) if named else first)


def _groups(counted: tuple[int, ...]) -> GateGroups | None:
    """Groups of a gate, which is about new ones."""
    return GateGroups("new", counted, min(counted) < ENOUGH_GROUPS) if counted else None
