"""Counts as a CSV file, which `howsure.io.read` reads back."""

from __future__ import annotations

from howsure.io.counting.counted_cells import merged
from howsure.io.counting.result import Counts
from howsure.io.formats.writers import cell

__all__ = ["counts_csv"]


def counts_csv(counts: Counts) -> str:
    r"""Counts as CSV, one cell of a matrix a line: groups, the classifier where there are several, true, pred, count.

    Parameters
    ----------
    counts : Counts

    Examples
    --------
    >>> import howsure as hs
    >>> print(counts_csv(hs.count(y_true=["a", "b", "b"], y_pred=["a", "a", "b"])), end="")
    true,pred,count
    a,a,1
    b,a,1
    b,b,1
    """
    several = len(counts.models) > 1
    header = [*counts.by, *(["model"] if several else []), "true", "pred", "count"]
    lines = [",".join(map(cell, header))]
    cells = counts.cells
    complete = (cells.answers >= 0).all(axis=1)
    labels = [cell(label) for label in counts.labels]
    for m, model in enumerate(counts.models):
        chosen = complete if counts.paired else complete & (cells.model == m)
        column = cells.answers[chosen, m if counts.paired else 0]
        (group, true, pred), total = merged([cells.group[chosen], cells.truth[chosen], column], cells.cases[chosen])
        for g, t, p, n in zip(group.tolist(), true.tolist(), pred.tolist(), total.tolist(), strict=True):
            about = [cell("" if v is None else v) for v in counts.groups[g]]
            lines.append(",".join([*about, *([cell(model)] if several else []), labels[t], labels[p], str(n)]))
    return "\n".join(lines) + "\n"
