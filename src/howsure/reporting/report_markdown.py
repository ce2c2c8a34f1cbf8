"""A report as Markdown, safe to paste into a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.reporting.report_cells import table
from howsure.reporting.report_text import about, footnote
from howsure.text.formats import isolated
from howsure.text.text_table import escaped

if TYPE_CHECKING:
    from howsure.reporting.report import Report

__all__ = ["markdown"]


def markdown(report: Report) -> str:
    """Verdict, one table, warnings and notes."""
    shown = table(report)
    keep = [i for i in range(len(shown.header)) if i == 0 or any(row[i] for row in shown.rows)]
    lines = [f"**{escaped(report.verdict)}**", "", escaped(about(report)), ""]
    lines.append("| " + " | ".join(shown.header[i] for i in keep) + " |")
    lines.append("|" + "|".join(" --- " if i in (0, keep[-1]) else " ---: " for i in keep) + "|")
    lines += ["| " + " | ".join(escaped(row[i]) for i in keep) + " |" for row in shown.rows]
    lines.append("")
    if shown.left_out:
        lines += [shown.left_out, ""]
    for heading, sentences in (("Warning", report.warnings), ("Note", report.notes)):
        for sentence in sentences:
            lines += [f"> **{heading}:** {escaped(sentence)}", ""]
    lines.append(footnote(report))
    return isolated("\n".join(lines) + "\n")
