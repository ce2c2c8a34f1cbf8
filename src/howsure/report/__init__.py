"""Reports: the answers about one classifier, as data, text, Markdown and HTML."""

from howsure.report.report import Report, Row, report

__all__ = ["Report", "Row", "report"]
