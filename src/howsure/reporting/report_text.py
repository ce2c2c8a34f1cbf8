"""A report as plain text, the way it is printed and piped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.data.positive import positive_or_last
from howsure.reporting.report_cells import table
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.reporting.report import Report

__all__ = ["about", "footnote", "text"]


def about(report: Report) -> str:
    """What the report is about: cases, class sizes, orientation, positive class, prior."""
    confusion = report.confusion
    size = len(confusion.labels)
    sizes = [
        f"{formats.plain(label, 30)} {formats.integer(cases)}"
        for label, cases in zip(confusion.labels[:12], confusion.class_sizes[:12].tolist(), strict=True)
    ]
    shown = ", ".join(sizes) + (f" and {formats.integer(size - 12)} more" if size > 12 else "")
    line = f"{formats.several(confusion.n, 'case')}: {shown}. Rows are truth, columns are prediction"
    forward = positive_or_last(confusion.labels, confusion.positive)
    if forward is not None:
        line += f"; positive class: {formats.plain(forward, 30)}"
    line += f". Prior: {report.prior.name}."
    if report.prevalence is not None:
        shares = ", ".join(
            f"{formats.plain(label, 30)} {share:.4g}"
            for label, share in list(zip(confusion.labels, report.prevalence, strict=True))[:12]
        )
        what = "Stated prevalence" if report.prevalence_source == "stated" else "Prevalence of other cases, on average"
        line += f" {what}: {shares}{', ...' if len(confusion.labels) > 12 else ''}."
    return line


def footnote(report: Report) -> str:
    """What the columns mean, in one breath."""
    line = (
        "MU: width of the 95 % HDI. shift: (mean - observed) / sd, the pull of the prior. "
        f"{_chances(report)}{_marked(report)}"
        "The numbers cover the sampling of cases only; not label noise, leakage or drift."
    )
    if report.thresholds.heads:
        line += " P(...): probability that the metric lies there."
    if any(row.law == "drawn" for row in report.rows):
        line += (
            f" drawn: {formats.integer(report.draws)} draws, seed {report.seed}, "
            "± Monte Carlo error of the interval's ends."
        )
    return line


def _marked(report: Report) -> str:
    """What the mark behind a name means."""
    if not any(row.depends_on_prevalence for row in report.rows):
        return ""
    where = {"test set": "that of the test set", "stated": "stated", "other cases": "that of the other cases"}
    return f"*: depends on the prevalence, here {where[report.prevalence_source]}. "


def _chances(report: Report) -> str:
    """What chance is, for each metric that has one."""
    by_value: dict[str, list[str]] = {}
    for row in report.rows:
        if row.chance is not None:
            by_value.setdefault(f"{row.chance:.2g}", []).append(formats.plain(row.name))
    if not by_value:
        return ""
    shown = ", ".join(f"{value} for {' and '.join(names)}" for value, names in by_value.items())
    return f"P(> chance): probability of being better than a classifier without skill ({shown}). "


def text(report: Report) -> str:
    """Plain text, columns aligned, lines of sentences unwrapped (a terminal wraps them)."""
    shown = table(report)
    columns = [[head, *(row[i] for row in shown.rows)] for i, head in enumerate(shown.header)]
    # a column that says nothing costs the reader a glance
    keep = [i for i, column in enumerate(columns) if i == 0 or any(column[1:])]
    widths = {i: max(map(len, columns[i])) for i in keep}
    lines = [report.verdict, about(report), ""]
    for number in range(len(shown.rows) + 1):
        cells = [
            columns[i][number].ljust(widths[i]) if i in (0, keep[-1]) else columns[i][number].rjust(widths[i])
            for i in keep
        ]
        lines.append("  ".join(cells).rstrip())
    if shown.left_out:
        lines.append(shown.left_out)
    lines.append("")
    lines += [f"WARNING: {warning}" for warning in report.warnings]
    lines += [f"note: {note}" for note in report.notes]
    lines.append(footnote(report))
    return formats.isolated("\n".join(lines))
