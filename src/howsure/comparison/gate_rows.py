"""The rows of a gate: what one metric says, and whether the cases or the prior say it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from howsure.comparison.comparison import Comparison
from howsure.comparison.gate_arguments import refuse_strict
from howsure.comparison.overlap import cases_of_the_smaller, exchangeable, tail_of_the_smaller
from howsure.comparison.score_comparison import ScoreComparison
from howsure.errors import InvalidArgument
from howsure.laws import Draws, Kind, Law
from howsure.posterior.distribution import Distribution, measure_of
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import PRIORS
from howsure.questions.contenders import Contender, cases
from howsure.questions.gate_answer import GateRow, estimate_of
from howsure.questions.gate_rule import (
    GateGroups,
    OneSet,
    Verdict,
    cases_to_settle,
    gate_groups,
    prior_decides,
    strict_probability,
    strict_to_settle,
    uncertain,
    verdict,
)

__all__ = ["floor_row", "floor_row_of", "row_of", "settled", "tests_of"]


def row_of(c: Comparison, threshold: float, min_prob: float, strict: bool | None) -> GateRow:
    """What a gate with this threshold says of a comparison."""
    law = c.difference.law
    up = c.higher_is_better
    above, below = law.prob(above=threshold if up else -threshold), law.prob(below=threshold if up else -threshold)
    p_pass, p_fail = (above, below) if up else (below, above)
    alike = exchangeable(c.posteriors) if c.judge is None else c.judge.pair.alike
    if alike and threshold == 0:
        p_pass = p_fail = (p_pass + p_fail) / 2
    p_pass, p_fail = uncertain(law, p_pass), uncertain(law, p_fail)
    discordant = c.discordant
    groups = gate_groups(c.posteriors, paired=c.paired)
    new = groups is not None and groups.question == "new"
    possible = discordant is not None and threshold == 0 and _is_accuracy(c) and not new
    if strict and not possible:
        refuse_strict(new_groups=new)
    sign = 1.0 if up else -1.0
    tests, distance = tests_of(c, [_size(posterior) for posterior in c.posteriors], sign), sign * law.mean - threshold
    pull = sum(test.pull for test in tests)
    value, found = None, verdict(p_pass, p_fail, min_prob)
    # the same cases have one prior of both, which pulls their difference to 0 and so towards no verdict of margin 0
    by_prior = not c.paired and found != "inconclusive" and prior_decides(distance, pull)
    found = "inconclusive" if by_prior else found
    more, tail = cases_to_settle(distance - pull, tests, min_prob), None
    if found != "inconclusive" and not c.paired and c.judge is None:
        turned = threshold if up else -threshold
        tail = tail_of_the_smaller(
            c.posteriors, c.measures, turned, first_better=found == "pass", draws=c.draws, seed=c.seed
        )
        if tail is not None and tail < min_prob:
            found, more = "inconclusive", cases_of_the_smaller(c.posteriors, tail, min_prob)
    if possible and strict is not False:
        assert discordant is not None
        ahead, behind = discordant.only_a, discordant.only_b
        passing, failing = strict_probability(ahead, behind), strict_probability(behind, ahead)
        value, found = max(passing, failing), verdict(passing, failing, min_prob)
        more = strict_to_settle(ahead, behind, tests[0].n, min_prob)
    found, more_cases, more_groups = settled(found, more, groups)
    return GateRow(
        metric=c.metric,
        better="higher" if up else "lower",
        verdict=found,
        p_pass=p_pass,
        p_fail=p_fail,
        threshold=threshold,
        strict=value,
        candidate=estimate_of(c.a.law, c.a.observed, c.level, c.kind),
        baseline=estimate_of(c.b.law, c.b.observed, c.level, c.kind),
        difference=estimate_of(law, c.observed, c.level, c.kind),
        by_prior=by_prior,
        more_cases=more_cases,
        more_groups=more_groups,
        draws=law.n if isinstance(law, Draws) else None,
        tail=tail,
    )


def settled(found: Verdict, more: int | None, groups: GateGroups | None) -> tuple[Verdict, int | None, int | None]:
    """The verdict where too few groups decide nothing, and how many more cases, or groups, would settle it."""
    if groups is not None and groups.few:
        return "inconclusive", None, None
    if found != "inconclusive":
        return found, None, None
    return (found, None, more) if groups is not None and groups.question == "new" else (found, more, None)


def _size(posterior: Contender) -> int:
    """Units of a test set: its groups where numbers are about new ones, else its cases."""
    groups = new_groups(posterior.confusion) if isinstance(posterior, Posterior) else None
    return cases(posterior) if groups is None else len(groups)


def tests_of(c: Comparison | ScoreComparison, sizes: Sequence[int], sign: float) -> tuple[OneSet, ...]:
    """The test sets of a comparison, and what the prior does in each to d, which grows with the quality of A."""
    if c.paired:
        return (OneSet(sizes[0], c.difference.law.sd, sign * _pull(c.difference.law, c.observed)),)
    sides = zip(sizes, (c.a, c.b), (sign, -sign), strict=True)
    return tuple(OneSet(n, x.law.sd, turn * _pull(x.law, x.observed)) for n, x, turn in sides)


def _pull(law: Law, observed: float | None) -> float:
    """By how much the prior moves a mean; 0 where nothing was observed that it could be held against."""
    return 0.0 if observed is None or not math.isfinite(observed) else law.mean - observed


def floor_row_of(
    known: Distribution, floor: float, min_prob: float, candidate: Contender, level: float, kind: Kind
) -> GateRow:
    """What a gate with this floor says of the candidate alone."""
    # a prior of one's own is knowledge, which may decide about the one classifier that it is about
    groups, ours = gate_groups([candidate], paired=True), candidate.prior.name in PRIORS
    return floor_row(known, floor, min_prob, _size(candidate), groups, level, kind, ours=ours)


def floor_row(
    known: Distribution,
    floor: float,
    min_prob: float,
    size: int,
    groups: GateGroups | None,
    level: float,
    kind: Kind,
    *,
    ours: bool,
) -> GateRow:
    """The same of what is known by so many cases, or groups; ``ours`` where the prior is one that howsure names."""
    measure = measure_of(known)
    assert measure is not None
    if measure.metric.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so it has no floor")
    up = measure.metric.better == "higher"
    law = known.law
    p_pass, p_fail = law.prob(above=floor), law.prob(below=floor)
    p_pass, p_fail = (p_pass, p_fail) if up else (p_fail, p_pass)
    p_pass, p_fail = uncertain(law, p_pass), uncertain(law, p_fail)
    found: Verdict = verdict(p_pass, p_fail, min_prob)
    sign = 1.0 if up else -1.0
    distance, pull = sign * (law.mean - floor), sign * _pull(law, known.observed)
    by_prior = found != "inconclusive" and ours and prior_decides(distance, pull)
    found = "inconclusive" if by_prior else found
    more = cases_to_settle(distance - pull, [OneSet(size, law.sd, pull)], min_prob)
    found, more_cases, more_groups = settled(found, more, groups)
    return GateRow(
        metric=measure.name,
        better="higher" if up else "lower",
        verdict=found,
        p_pass=p_pass,
        p_fail=p_fail,
        threshold=0.0,
        strict=None,
        candidate=estimate_of(law, known.observed, level, kind),
        baseline=None,
        difference=None,
        by_prior=by_prior,
        more_cases=more_cases,
        more_groups=more_groups,
        draws=law.n if isinstance(law, Draws) else None,
    )


def _is_accuracy(c: Comparison) -> bool:
    stated = any(knowledge_of(p).known_prevalence is not None for p in c.posteriors)
    return not stated and c.measures[0].twin.metric.name in ("accuracy", "error_rate")
