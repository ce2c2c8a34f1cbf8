"""A small confusion matrix on a page: as aligned text, and as an HTML table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from howsure.errors import visible

__all__ = ["html_grid", "text_grid"]


def text_grid(labels: Sequence[str], counts: NDArray[np.int64]) -> str:
    """Rows of truth, columns of prediction, aligned."""
    names = [visible(label) for label in labels]
    table = [["true\\pred", *names]]
    table += [[label, *map(str, row)] for label, row in zip(names, counts.tolist(), strict=True)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)] for row in table
    ]
    return "\n".join("  ".join(line).rstrip() for line in lines)


def html_grid(labels: Sequence[str], counts: NDArray[np.int64]) -> str:
    """The same as a table with headers and a caption, everything escaped."""
    head = "".join(f'<th scope="col">{escape(visible(label))}</th>' for label in labels)
    body = "".join(
        f'<tr><th scope="row">{escape(visible(label))}</th>' + "".join(f"<td>{count}</td>" for count in row) + "</tr>"
        for label, row in zip(labels, counts.tolist(), strict=True)
    )
    caption = "Confusion matrix: rows are the true class, columns the predicted class"
    return f"<table><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
