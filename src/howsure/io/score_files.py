"""Files of scores, a case a row, to `Scores`: the true class and a number, or the probability of each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.data.scores import Scores
from howsure.data.words import PARTS, is_missing, is_score, names_a_case, role, word_of
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt
from howsure.errors.arguments import column_name
from howsure.io.contents import content_of
from howsure.io.formats.json_tables import table_of_document
from howsure.io.formats.json_text import Document
from howsure.io.names_in_files import quoted
from howsure.io.opening import opened
from howsure.io.table import TextTable
from howsure.io.typed import frame_table, is_frame
from howsure.text.formats import plain

__all__ = ["read_scores", "read_scores_of_several"]

_EXPECTED = "a row a case has the columns y_true,score (true class and one number), or y_true,p_cat,p_dog,p_owl"


def read_scores(
    data: Any,
    *,
    y_true: str | None = None,
    score: str | Sequence[str] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    group: str | None = None,
) -> Scores:
    r"""Read the true class and the score of each case.

    Parameters
    ----------
    data : str, path-like, stream, or data frame
        CSV, TSV, JSON Lines or Parquet with a row a case; or one JSON document, a list of objects or an object of
        lists: ``{"y_true": ["ill", "well"], "score": [0.9, 0.2]}``.
    y_true : str, optional
        Column of the true class; by the words of the header if left out.
    score : str or sequence of str, optional
        Column of the score, or one for each of several classifiers; by the words of the header if left out (score,
        probability, p_ill). Columns called for the classes (p_cat, p_dog) hold the probability of each.
    positive, labels : optional
        As in `howsure.Scores`.
    group : str, optional
        Column of the patient, document or question that each case belongs to.

    Raises
    ------
    InvalidFile
        Other columns, several that may be the score, a score that is none; with the file and the line.
    InvalidArgument
        A column that is named and not there.

    Examples
    --------
    >>> import io
    >>> read_scores(io.StringIO("y_true,score\nill,0.9\nwell,0.2\nill,0.7\n"))
    <Scores: 3 cases, 2 'ill' and 1 'well', score>
    """
    if is_frame(data):
        return _of_table(frame_table(data), y_true, score, positive, labels, group)
    with opened(data) as file:
        content = content_of(file)
        table = table_of_document(content, _EXPECTED) if isinstance(content, Document) else content
        return _of_table(table, y_true, score, positive, labels, group)


def read_scores_of_several(
    data: Any,
    names: Sequence[str] = (),
    *,
    y_true: str | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    group: str | None = None,
) -> Scores:
    r"""Read several classifiers' scores of the same cases, a column each.

    Parameters
    ----------
    data, y_true, positive, labels, group
        As in `read_scores`.
    names : sequence of str
        Columns of the classifiers; every column of scores if left out.

    Raises
    ------
    InvalidFile, InvalidArgument
        As in `read_scores`.

    Examples
    --------
    >>> import io
    >>> read_scores_of_several(io.StringIO("y_true,score_a,score_b\nill,0.9,0.6\nwell,0.2,0.3\n")).names
    ('score_a', 'score_b')
    """
    if is_frame(data):
        return _of_table(frame_table(data), y_true, list(names), positive, labels, group, several=True)
    with opened(data) as file:
        content = content_of(file)
        table = table_of_document(content, _EXPECTED) if isinstance(content, Document) else content
        return _of_table(table, y_true, list(names), positive, labels, group, several=True)


def _of_table(
    table: TextTable,
    y_true: str | None,
    score: str | Sequence[str] | None,
    positive: str | None,
    labels: Sequence[str] | None,
    group: str | None,
    *,
    several: bool = False,
) -> Scores:
    names = [score] if isinstance(score, str) else list(score or ())
    named = [_named_column(table, name, "the score") for name in names]
    true = _true_column(table, y_true, named)
    beside = None if group is None else _named_column(table, group, "the group")
    weights = [i for i, cell in enumerate(table.header) if word_of(cell) in PARTS["weight"] and i not in named]
    if weights:
        raise table.fault(
            f"it has a column of weights ({quoted([table.header[weights[0]]])}), and every case counts once here; "
            "drop the column, if cases are to count alike"
        )
    columns = named or _score_columns(table, true, beside)
    truths, groups = [], []
    values: list[list[float]] = [[] for _ in columns]
    for line, cells in table.rows:
        cells = table.fitted(cells, line)
        if not any(cell.strip() for cell in cells):
            continue
        label = table.clean(cells[true])
        if is_missing(label):
            raise table.fault("a case without a true class; drop the row, or look the truth up", line)
        truths.append(label)
        for at, column in enumerate(columns):
            values[at].append(_number(table, cells[column], line, table.header[column]))
        if beside is not None:
            groups.append(table.clean(cells[beside]))
    if not truths:
        raise table.fault("there is no row below the header")
    arrays = [np.array(each) for each in values]
    try:
        scored, order = _as_given(table, columns, arrays, sorted(set(truths)), positive, several or bool(named))
        return Scores(
            truths, scored, positive=positive, labels=order if labels is None else labels, groups=groups or None
        )
    except InvalidArgument:
        raise
    except HowsureError as error:
        raise InvalidFile(table.source, plain(str(error), 800)) from None


def _as_given(
    table: TextTable, columns: list[int], arrays: list[Any], classes: list[str], positive: str | None, named: bool
) -> tuple[Any, list[str] | None]:
    """What `Scores` takes, and the order of its columns where they are those of classes."""
    titles = [table.header[i] for i in columns]
    if len(columns) == 1:
        return arrays[0], None
    of_class = {name: title for title in titles for name in classes if _is_of_class(title, name)}
    if len(of_class) == len(columns) == len(classes):
        found = [titles.index(of_class[name]) for name in classes]
        return np.column_stack([arrays[i] for i in found]), classes
    if named:
        return dict(zip(titles, arrays, strict=True)), None
    raise table.fault(
        f"several columns may be the score: {quoted(titles)}; score= names the one, or several classifiers"
    )


def _is_of_class(title: str, name: str) -> bool:
    """Whether a column is the score of this class by its name: p_ill, or prob(ill)."""
    word, label = word_of(title), word_of(name)
    return word == label or word.endswith(("_" + label, f"({label})"))


def _true_column(table: TextTable, name: str | None, taken: Sequence[int]) -> int:
    if name is not None:
        return _named_column(table, name, "the true class")
    found = [i for i, cell in enumerate(table.header) if role(cell) == "true" and i not in taken]
    if len(found) != 1:
        problem = f"several columns may be the true class: {quoted(table.header[i] for i in found)}" if found else (
            f"no column of true classes; there are {quoted(table.header)}"
        )  # fmt: skip
        raise table.fault(f"{problem}. {_EXPECTED[0].upper()}{_EXPECTED[1:]}; y_true= says which column it is")
    return found[0]


def _score_columns(table: TextTable, true: int, beside: int | None) -> list[int]:
    free = [i for i, cell in enumerate(table.header) if i not in (true, beside) and not names_a_case(cell)]
    found = [i for i in free if is_score(table.header[i])]
    if not found:
        called = any(word_of(table.header[i]).startswith("pred") for i in free)
        raise table.fault(
            f"no column of scores; there are {quoted(table.header)}. {_EXPECTED[0].upper()}{_EXPECTED[1:]}; "
            "score= says which column it is"
            + (". Classes that were called have no curve: ask a metric such as balanced_accuracy" if called else "")
        )
    return found


def _named_column(table: TextTable, name: str, what: str) -> int:
    found = [i for i, cell in enumerate(table.header) if cell == column_name(name, what)]
    if len(found) != 1:
        many = "two columns are" if found else "no column is"
        raise InvalidArgument(f"{many} called {excerpt(name)} ({what}); there are {quoted(table.header)}")
    return found[0]


def _number(table: TextTable, cell: str, line: int, column: str) -> float:
    text = cell.strip()
    if is_missing(text):
        raise table.fault(f"a case without a score (column {excerpt(column)}); drop the row, or score it", line)
    try:
        value = float(text) if "_" not in text else np.nan
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        kind = "is infinite" if np.isinf(value) else "is no number"
        hint = "; write decimals with a point" if "," in text else ""
        raise table.fault(f"the score {excerpt(cell)} (column {excerpt(column)}) {kind}{hint}", line)
    return float(value)
