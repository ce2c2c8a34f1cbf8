"""Results as files for papers, pull requests and colleagues: HTML, Markdown, LaTeX, CSV, JSON, pictures."""

from howsure.publish.latex import latex
from howsure.publish.saving import page, save

__all__ = ["latex", "page", "save"]
