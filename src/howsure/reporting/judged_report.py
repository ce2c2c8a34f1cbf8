"""The parts of a report that are its own where truths are missing."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.laws import Kind
from howsure.metrics import Measure, parse
from howsure.posterior.judged_knowledge import JudgedKnowledge
from howsure.posterior.prior_shift import ShiftNote
from howsure.questions.thresholds import Thresholds
from howsure.reporting.judged_summary import HowChosen, JudgedSummary, judged_summary
from howsure.reporting.judged_words import judged_caveats, judged_sentence
from howsure.reporting.report_caveats import Caveats
from howsure.reporting.verdict import threshold_sentence
from howsure.text import formats

__all__ = ["judged_parts"]


def judged_parts(
    known: JudgedKnowledge,
    asked: Measure | None,
    how_chosen: HowChosen | None,
    held: Thresholds,
    moved: Sequence[ShiftNote],
    level: float,
    kind: Kind,
    draws: int,
    seed: int,
) -> tuple[JudgedSummary, str, Caveats]:
    """Summary, headline, warnings and notes."""
    summary = judged_summary(known, asked, how_chosen or "random", held, level, kind, draws, seed)
    share = known.of(parse(summary.metric, known.labels), draws=draws, seed=seed)
    sentence = judged_sentence(known, summary, share, level, kind)
    if summary.not_at_random is None:  # it answers the same of all cases, whatever is true of the others
        title = formats.plain(summary.metric)
        places = formats.decimals(*share.interval(level, kind), error=share.error if share.route == "drawn" else 0.0)
        sentence = f"{threshold_sentence(title, share.law, held, places)} {sentence}".lstrip()
    return summary, sentence, judged_caveats(known, summary, moved)
