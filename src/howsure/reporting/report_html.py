"""A report as an HTML fragment, for notebooks; no style, no script, everything escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from howsure.reporting.report_cells import table
from howsure.reporting.report_text import about, footnote
from howsure.text.formats import isolated_html

if TYPE_CHECKING:
    from howsure.reporting.report import Report

__all__ = ["html"]


def html(report: Report) -> str:
    """Verdict, one table, warnings and notes."""
    shown = table(report)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in shown.header)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in shown.rows
    )
    parts = [f"<p><strong>{escape(report.verdict)}</strong></p>", f"<p>{escape(about(report))}</p>"]
    parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    parts += [f"<p>{escape(shown.left_out)}</p>"] if shown.left_out else []
    parts += [f"<p><strong>Warning:</strong> {escape(x)}</p>" for x in report.warnings]
    parts += [f"<p>Note: {escape(x)}</p>" for x in report.notes]
    parts.append(f"<p><small>{escape(footnote(report))}</small></p>")
    return isolated_html(f"<section>{''.join(parts)}</section>")
