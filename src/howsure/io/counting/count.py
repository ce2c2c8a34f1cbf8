"""The verb `count`: from columns, wherever they are, to `Counts`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

from howsure.data.labels import label_text, label_texts, one_spelling
from howsure.data.refusals import refusal, say
from howsure.errors import InvalidArgument, InvalidFile, excerpt
from howsure.io.contents import document_of, frame_table, is_frame, table_of
from howsure.io.counting.duck import Progress, names_there, queried
from howsure.io.counting.engines import Arrays, engine_of
from howsure.io.counting.result import Counts
from howsure.io.counting.tally import CountColumns, Weights, asked, counted, counted_rows
from howsure.io.formats.written import case_table, is_case_document
from howsure.io.opening import LARGEST_FILE, opened
from howsure.io.roles import ROWS_LOOKED_AT
from howsure.io.table import TextTable, class_text, value_text
from howsure.params import spelled

_SIZE = re.compile(r"[0-9]+(\.[0-9]+)?\s*([KMGT]i?)?B", re.IGNORECASE)


class OfEngine(TypedDict, total=False):
    """What DuckDB is asked, with how much memory, and whom it tells how far it is."""

    query: str | None
    memory: str | None
    progress: Progress | None


@spelled(OfEngine)
def count(
    data: Any = None,
    *,
    y_true: Any = None,
    y_pred: Any = None,
    by: str | Sequence[str] = (),
    id: str | None = None,  # noqa: A002  # the word that files and frames have for it
    model: str | None = None,
    weight: str | None = None,
    weights: Weights = "frequency",
    labels: Sequence[object] | None = None,
    **engine: Unpack[OfEngine],
) -> Counts:
    """Count cases by true class, predicted class and group, where the data are.

    Only the cells come back: a lazy frame, a database or a cluster counts in its own engine, files are read by DuckDB
    without being held in memory.

    Parameters
    ----------
    data : optional
        A data frame or relation of any engine that narwhals knows; a path, a pattern (``"data/*.parquet"``), a folder
        or several of them; a mapping of columns; or nothing, with arrays in ``y_true`` and ``y_pred``.
    y_true : str or array_like
        Column of the true class (by the words of the header if left out), or the values.
    y_pred : str, sequence or mapping of str to str, or array_like
        Column of the answers (likewise), or of each classifier: names, or ``{classifier: column}``.
    by : str or sequence of str
        Columns whose values are counted apart. A missing value is a group of its own.
    id : str, optional
        Column of the case's name: refused if it comes twice; with ``model`` it pairs the answers of the classifiers.
    model : str, optional
        Column of the classifier's name, where a row is a case and classifier.
    weight : str, optional
        Column of weights, counts of cases.
    weights : "frequency" or "effective"
        With "effective" any weights are read, and the effective number of cases (sum w)^2 / sum w^2 is counted.
    labels : sequence, optional
        All classes, in order; anything else is refused.
    query : str, optional
        SQL whose rows are the cases; ``data`` is then a DuckDB database, opened for reading only.
    memory : str, optional
        Memory limit for files, such as "200MB"; beyond it DuckDB uses the disk.
    progress : callable, optional
        For files, called now and then with the share that is done.

    Returns
    -------
    Counts

    Raises
    ------
    InvalidArgument
        A column that is not there, or a table that is none.
    InvalidLabels
        Scores instead of classes, ids that come twice, weights that are no numbers of cases, no class in common.
    InvalidFile
        A file that cannot be read as it stands, with the line where there is one.
    MissingExtra
        The engine is not installed.

    Notes
    -----
    A label is its text: strings as they are, integers without a decimal point (1 and 1.0 are "1", "01" is another
    class), booleans "true" and "false"; null, NaN, NaT and blank text are missing, and in files and data frames, which
    may have been text once, also NA, N/A, nan, null, NULL and None. A row without a true class, or without an answer,
    is set aside. A column ``count`` counts: a row stands for so many cases. A column ``weight`` is refused unless all
    weights are 1 or ``weight=`` asks for it.

    Examples
    --------
    >>> import howsure as hs
    >>> counts = hs.count(y_true=["cat", "dog", "dog", "dog"], y_pred=["cat", "cat", "dog", None])
    >>> counts
    <Counts: 3 cases of 4 rows read, 2 classes, classifiers y_pred, 1 set aside>
    >>> hs.infer(counts.confusion()).of("accuracy")
    accuracy 0.6 (0.2 to 1.0) 95% HDI, prior calibrated, exact
    """
    if data is None:
        data, y_true, y_pred = _columns(y_true, y_pred)
    query, memory, progress = engine["query"], engine["memory"], engine["progress"]
    if not isinstance(memory, str | None):
        raise InvalidArgument(say("not_a", "memory", "a size such as 200MB", memory))
    if progress is not None and not callable(progress):
        raise InvalidArgument(say("not_a", "progress", "a function of the share that is done", progress))
    about = {"y_true": y_true, "y_pred": y_pred, "by": by, "id": id, "model": model, "weight": weight}
    about["weights"] = weights
    if query is not None:
        if not isinstance(data, str | os.PathLike):
            raise InvalidArgument(say("not_a", "data", "the path of the one DuckDB database that query= asks", data))
        with queried(os.fspath(data), query, memory=memory, progress=progress) as rows_of:
            table = TextTable(rows_of.name, list(rows_of.names()), 1, iter([]), unit="row")
            ask = asked(table, about, table.names, _rule(table, labels))
            return counted(rows_of, ask, labels, notes=table.notes)
    if _is_path(data) or (not is_frame(data) and hasattr(data, "read")):
        with opened(data) as file:
            if memory is not None and not _SIZE.fullmatch(memory.strip()):
                raise InvalidArgument(say("not_a", "memory", "a size such as 200MB", memory))
            document = document_of(file)
            if document is not None and not is_case_document(document.value):
                expected = "cases are JSON Lines, one object a line; howsure report reads a matrix"
                raise refusal(file.name, "no_table", expected)
            table = table_of(file) if document is None else case_table(file.name, document.value)
            return _of_table(table, about, labels, memory, progress)
    if isinstance(data, Mapping):
        here = Arrays(data)
        here.check(list(data))
        some = zip(*(values[:ROWS_LOOKED_AT] for values in data.values()), strict=False)
        rows = ((i, [*map(value_text, row)]) for i, row in enumerate(some, start=1))
        table = TextTable("the table", [*map(str, data)], 1, rows, unit="row")
        ask = asked(table, about, table.names, label_text)  # the values are classes as they are
        return counted(here, ask, labels, notes=table.notes)
    return _of_table(frame_table(data), about, labels)


def _rule(table: TextTable, labels: Sequence[object] | None) -> Callable[[Any], str | None]:
    return class_text(None if labels is None else label_texts(labels), clean=table.clean)


def _of_table(
    table: TextTable,
    about: Mapping[str, Any],
    labels: Sequence[object] | None,
    memory: str | None = None,
    progress: Progress | None = None,
) -> Counts:
    """Cases or counts: grouped by an engine where they are in a frame or large, else read row by row."""
    origin = table.origin
    grouped = origin is not None and (table.is_grouped or origin.format == "frame")
    ask = asked(table, about, names_there(table) if grouped else table.names, _rule(table, labels))
    if origin is not None and grouped:
        by = [table.names[ask.names.index(column)] for column in ask.by]
        try:
            with engine_of(table, ask.columns, memory=memory, progress=progress) as engine:
                made = counted(engine, ask, labels, notes=table.notes, by=by)
            return _unheaded(made, table, ask)
        except InvalidFile:
            # the rows tell where it is, unless they are too many
            if origin.format == "frame" or origin.size > LARGEST_FILE:
                raise
    made = counted_rows(table, ask, labels)
    if progress is not None:
        progress(1.0)
    return made


def _unheaded(counts: Counts, table: TextTable, ask: CountColumns) -> Counts:
    """Give the counts back, unless a header was counted as a case."""
    header = [one_spelling(table.names[ask.names.index(column)]) for column in ask.labels]
    if set(header) <= set(counts.labels):
        true, *answers = map(counts.labels.index, header)
        cells = counts.cells
        if ((cells.truth == true) & (cells.answers == answers[: cells.answers.shape[1]]).all(axis=1)).any():
            raise refusal(table.source, "header_again")
    return counts


def _columns(y_true: Any, y_pred: Any) -> tuple[Mapping[str, Any], str, Any]:
    if y_true is None or y_pred is None or isinstance(y_true, str):
        raise InvalidArgument(say("no_values"))
    if isinstance(y_pred, Mapping):
        names = {str(name): f"y_pred of {excerpt(name)}" for name in y_pred}
        columns = {names[str(name)]: values for name, values in y_pred.items()}
        return {"y_true": y_true, **columns}, "y_true", names
    return {"y_true": y_true, "y_pred": y_pred}, "y_true", "y_pred"


def _is_path(data: Any) -> bool:
    if isinstance(data, str | os.PathLike):
        return True
    return isinstance(data, list | tuple) and len(data) > 0 and all(isinstance(x, str | os.PathLike) for x in data)
