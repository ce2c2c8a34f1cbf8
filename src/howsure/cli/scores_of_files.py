"""Files of scores for compare, rank, gate and plan: one table with a column a classifier, or a file each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from howsure.cli.column_options import label_names
from howsure.errors import InvalidArgument, listing

if TYPE_CHECKING:
    from howsure.cli.inputs import Cases
    from howsure.data.scores import Scores

__all__ = ["APART", "refuse_beside_scores", "scores_of_files", "two_of"]

#: What is said of scores in files of their own.
APART = (
    "Treated as independent test sets. Scores of the same cases in one file, a column each, are paired and need fewer "
    "cases.",
)


def refuse_beside_scores(others: Mapping[str, object]) -> None:
    """Refuse options that are about classes that were called: None, False or empty where they were left out."""
    if odd := [name for name, value in others.items() if value]:
        raise InvalidArgument(f"leave {listing(odd)} out: the metric is a number of scores, before any threshold")


def scores_of_files(
    files: Sequence[str], names: Sequence[str], cases: Cases, group: str | None, others: Mapping[str, object]
) -> Scores | dict[str, Scores]:
    """Scores of the same cases from one file, or of separate test sets by the name of the file.

    Parameters
    ----------
    files : sequence of str
    names : sequence of str
        Columns of the classifiers in one file; all columns of scores if empty.
    cases, group
        Options of columns.
    others : mapping of str to object
        Options that must have been left out.
    """
    from howsure.io.score_files import read_scores

    refuse_beside_scores({
        **others, "--pred": cases.pred, "--id": cases.case, "--rows": cases.rows, "--separate": cases.separate,
        "--missing": cases.missing != "error",
    })  # fmt: skip
    told: dict[str, Any] = {"y_true": cases.true, "positive": cases.positive, "labels": label_names(cases.labels)}
    if len(files) == 1:
        return read_scores(files[0], score=list(names), group=group, **told)
    columns = list(names) if names else [None] * len(files)
    if len(columns) != len(files):
        raise InvalidArgument(f"{len(files)} files have a column of scores each, and {len(columns)} are named")
    found = {}
    for file, column in zip(files, columns, strict=True):
        name = "standard input" if file == "-" else Path(file).stem
        if name in found:
            raise InvalidArgument(f"two files are called {name}; a file each is named for its classifier")
        found[name] = read_scores(file, score=column, group=group, **told)
    return found


def two_of(scores: Mapping[str, Scores]) -> tuple[str, str]:
    """The names of two files, or a refusal of more."""
    names = list(scores)
    if len(names) != 2:
        raise InvalidArgument(f"two classifiers are compared, and there are {len(names)} files; howsure rank has room")
    return names[0], names[1]
