"""What is known of each metric of a report, of its skill, and the row that both make."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from howsure.errors import NoInformation, OutOfReach
from howsure.laws import Draws, Kind
from howsure.metrics import Measure, depends_on_prevalence
from howsure.posterior.better_than_chance import ChanceStatement, better_than_chance, prepare_chance
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.questions.thresholds import Thresholds
from howsure.reporting.report_row import Row

__all__ = ["against_chance", "distributions", "row_of"]


def distributions(
    posterior: Posterior, measures: Sequence[Measure], draws: int, seed: int, silent: dict[str, list[str]]
) -> dict[Measure, Distribution]:
    """Distribution of every measure; all that must be drawn come from one pass over the same tables."""
    answers: dict[Measure, Distribution] = {}
    with suppress(NoInformation):  # said below, for each measure that it concerns
        knowledge_of(posterior).prepare(measures, draws=draws, seed=seed)
    for measure in measures:
        try:
            known = knowledge_of(posterior).of(measure, draws=draws, seed=seed)
            known.law.median  # noqa: B018  # a law that is beyond all methods says so when it is asked
        except (NoInformation, OutOfReach) as error:
            silent.setdefault(str(error), []).append(measure.name)
        else:
            answers[measure] = known
    return answers


def against_chance(
    posterior: Posterior, measures: Sequence[Measure], draws: int, seed: int
) -> dict[Measure, ChanceStatement | None]:
    """What is said of chance, for the measures that have an answer; again one pass for all that must be drawn."""
    known = knowledge_of(posterior)
    prepare_chance(known, measures, draws=draws, seed=seed)
    return {m: better_than_chance(known, m, draws=draws, seed=seed) for m in measures}


def row_of(
    posterior: Posterior,
    measure: Measure,
    known: Distribution | None,
    better: ChanceStatement | None,
    level: float,
    kind: Kind,
    held: Thresholds,
) -> Row:
    """One metric of a report, with its answer if it has one."""
    base, average, label = measure.base, measure.average, measure.label
    observed = knowledge_of(posterior).observed(measure) if known is None else known.observed
    depends = depends_on_prevalence(measure, len(posterior.labels))
    held_here = knowledge_of(posterior).estimand(measure).held
    if known is None:
        return Row(base, average, label, observed, depends, at_test_shares=held_here)
    law = known.law
    ends = law.interval(level, kind)
    drawn = law if isinstance(law, Draws) else None
    return Row(
        base,
        average,
        label,
        observed,
        depends,
        mean=law.mean,
        median=law.median,
        mode=law.mode,
        sd=law.sd,
        low=ends.low,
        high=ends.high,
        interval=ends.kind,
        mu=known.interval().width,
        prior_shift=known.prior_shift,
        above_chance=better,
        law=law.route,
        error=drawn.interval_error(level, ends.kind) if drawn else known.error,
        draws=drawn.n if drawn else None,
        asked=held.answers(law) if held.heads else None,
        at_test_shares=held_here,
    )
