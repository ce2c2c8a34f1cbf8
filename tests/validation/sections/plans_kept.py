"""Plans: how often a test of the planned size reaches the goal, beside the assurance that was stated."""

from __future__ import annotations

from collections.abc import Iterator

from tests.validation.plans import ASKED, CLASSES, KINDS, Case, kept
from tests.validation.sections import text_of

#: Metrics of each kind; `make validate` tries more.
METRICS = ("accuracy", "recall", "balanced_accuracy", "precision", "f1", "mcc")

GOALS = {
    "width": "an interval of at most a given width",
    "separate": "P(better) >= 0.95, test sets of their own",
    "paired": "P(better) >= 0.95, the same cases",
}


def lines(runs: int) -> Iterator[str]:
    """Stated and achieved assurance of each plan."""
    tests = max(20, runs)
    yield from text_of("plans_kept 1", 100 * ASKED)
    for kind in KINDS:
        for metric in METRICS:
            for classes in CLASSES:
                found = kept(Case(metric, classes, kind), tests)
                error = f" ± {found.plan.n_error:.1f}" if found.plan.n_error else ""
                yield (
                    f"| {GOALS[kind]} | {found.case.name} | {classes} | {found.plan.n:,}{error} | "
                    f"{100 * found.plan.assurance:.1f} | {100 * found.share:.1f} | {found.score:+.1f} | {tests} |"
                )
