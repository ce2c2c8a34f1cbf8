"""What stands above the table of a report and below it."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.data.confusion import ConfusionMatrix
from howsure.data.positive import positive_or_last
from howsure.numerics.learned.population import PopulationSummary
from howsure.posterior.better_than_chance import OF_REPORT
from howsure.posterior.prevalence import PrevalenceSource
from howsure.posterior.priors import Prior
from howsure.reporting.report_row import Row
from howsure.text import formats

__all__ = ["about", "footnote", "prior_words"]


def prior_words(prior: Prior, learned: PopulationSummary | None, confusion: ConfusionMatrix) -> str:
    """The name of a prior, and of a learned one what from, and how many of such classes are unlike the rest.

    Examples
    --------
    >>> from howsure.posterior.named_priors import resolve_prior
    >>> table = ConfusionMatrix([[9, 1, 0], [1, 8, 1], [0, 2, 8]])
    >>> prior_words(resolve_prior("learned", 3), PopulationSummary(0.9, 0.1, 0.0, 0.02), table)
    'learned from all 3 classes; about 2 % of such classes are unlike the rest'
    """
    if learned is None:
        return prior.name
    percent = 100 * learned.broad
    share = f"{percent:.0f}" if percent >= 1 else f"{percent:.1g}"
    return (
        f"{prior.name} from all {formats.integer(len(confusion.labels))} classes; "
        f"about {share} % of such classes are unlike the rest"
    )


#: What stands before the shares of the classes.
PREVALENCES = {
    "chosen": "Class sizes were chosen, everything is at their shares",
    "stated": "Stated prevalence",
    "other cases": "Prevalence of other cases, on average",
    "verdicts elsewhere": "Prevalence behind the verdicts elsewhere, on average",
}


def about(confusion: ConfusionMatrix, prior: str, prevalence: Sequence[float] | None, source: PrevalenceSource) -> str:
    """What the report is about: cases, class sizes, orientation, positive class, prior."""
    size = len(confusion.labels)
    sizes = [
        f"{formats.plain(label)} {formats.integer(cases)}"
        for label, cases in zip(confusion.labels[:12], confusion.class_sizes[:12].tolist(), strict=True)
    ]
    shown = ", ".join(sizes) + (f" and {formats.integer(size - 12)} more" if size > 12 else "")
    folds = "" if confusion.folds is None or confusion.folds.passes == 1 else f" in {confusion.folds.passes} passes"
    line = f"{formats.several(confusion.n, 'case')}{folds}: {shown}. Rows are truth, columns are prediction"
    forward = positive_or_last(confusion.labels, confusion.positive)
    if forward is not None:
        line += f"; positive class: {formats.plain(forward)}"
    line += f". Prior: {prior}."
    if prevalence is not None:
        shares = ", ".join(
            f"{formats.plain(label)} {share:.4g}"
            for label, share in list(zip(confusion.labels, prevalence, strict=True))[:12]
        )
        line += f" {PREVALENCES[source]}: {shares}{', ...' if len(confusion.labels) > 12 else ''}."
    return line


def footnote(rows: Sequence[Row], source: PrevalenceSource, draws: int, seed: int, *, held: bool) -> str:
    """What the columns mean, in one breath."""
    line = (
        "MU: width of the 95 % HDI. shift: (mean - observed) / sd, the pull of the prior. "
        f"{_chances(rows)}{_marked(rows, source)}{_held(rows)}"
        "The numbers cover the sampling of cases only; not label noise, leakage or drift."
    )
    if held:
        line += " P(...): probability that the metric lies there."
    if any(row.law == "drawn" for row in rows):
        line += f" drawn: {formats.integer(draws)} draws, seed {seed}, ± Monte Carlo error of the interval's ends."
    return line


def _marked(rows: Sequence[Row], source: PrevalenceSource) -> str:
    """What the mark behind a name means."""
    if not any(row.depends_on_prevalence and not row.at_test_shares for row in rows):
        return ""
    where = {
        "test set": "that of the test set",
        "chosen": "that of the chosen class sizes",
        "stated": "stated",
        "other cases": "that of the other cases",
        "verdicts elsewhere": "that behind the verdicts elsewhere",
    }
    return f"*: depends on the prevalence, here {where[source]}. "


def _held(rows: Sequence[Row]) -> str:
    """What the other mark means."""
    if not any(row.at_test_shares for row in rows):
        return ""
    return "**: over the classes, at this test set's class shares. "


def _chances(rows: Sequence[Row]) -> str:
    """What chance is, for each metric that has one, and by which rule it is held against it."""
    by_rule: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if (said := row.above_chance) is not None:
            how = "" if said.rule == OF_REPORT else f", {said.how}"
            by_rule.setdefault(how, {}).setdefault(f"{said.value:.2g}", []).append(formats.plain(row.name))
    if not by_rule:
        return ""
    shown = "; ".join(
        ", ".join(f"{value} for {' and '.join(names)}" for value, names in by_value.items()) + how
        for how, by_value in by_rule.items()
    )
    return f"P(> chance): probability of being better than a classifier without skill ({shown}). "
