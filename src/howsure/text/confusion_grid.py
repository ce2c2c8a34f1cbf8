"""A confusion matrix on a page: as aligned text, as an HTML table, and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.text import formats
from howsure.text.svg import grid

__all__ = ["MOST_DRAWN", "MOST_IN_FULL", "html_grid", "picture_grid", "text_grid"]

#: Above this many classes nobody reads the numbers; above the second, nobody sees the cells.
MOST_IN_FULL, MOST_DRAWN = 20, 100
#: Characters of a name.
LONGEST = 40


def text_grid(rows: Sequence[str], columns: Sequence[str], counts: NDArray[Any]) -> str:
    """Rows of truth, columns of prediction, aligned."""
    down, across = ([formats.plain(label, LONGEST) for label in labels] for labels in (rows, columns))
    table = [["true\\pred", *across]]
    table += [[label, *map(formats.cases, row)] for label, row in zip(down, counts.tolist(), strict=True)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)] for row in table
    ]
    return formats.isolated("\n".join("  ".join(line).rstrip() for line in lines))


def html_grid(rows: Sequence[str], columns: Sequence[str], counts: NDArray[Any]) -> str:
    """The same as a table with headers and a caption, everything escaped."""
    head = "".join(f'<th scope="col">{escape(formats.plain(label, LONGEST))}</th>' for label in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(formats.plain(label, LONGEST))}</th>'
        + "".join(f"<td>{formats.cases(count)}</td>" for count in row)
        + "</tr>"
        for label, row in zip(rows, counts.tolist(), strict=True)
    )
    caption = "Confusion matrix: rows are the true class, columns the predicted class"
    return f"<table><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"


def picture_grid(labels: Sequence[str], counts: NDArray[Any]) -> str:
    """The same as SVG: blue is right, orange wrong, darker a larger share of its row."""
    names = [formats.plain(label, 22) for label in labels]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return grid(
        shares.tolist(),
        [[formats.cases(n, grouped=True) if n else "" for n in row] for row in counts.tolist()],
        names,
        names,
        down="true class",
        across="predicted class",
        title="Confusion matrix: rows are the true class, columns the predicted class",
    )
