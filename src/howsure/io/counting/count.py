"""The verb `count`: from columns, wherever they are, to `Counts`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from howsure.data.labels import label_text, label_texts, one_spelling
from howsure.errors import InvalidArgument, InvalidFile, excerpt
from howsure.io.contents import document_of, frame_table, is_frame, table_of
from howsure.io.counting.result import Counts
from howsure.io.counting.tally import CountColumns, Weights, asked, names_of, resolved, settled
from howsure.io.engines.duck import names_there, source_of
from howsure.io.engines.grouping import engine_of_frame
from howsure.io.engines.tallying import Arrays, tally, tally_rows
from howsure.io.formats.written import case_table, is_case_document
from howsure.io.opening import LARGEST_FILE, Opened, opened
from howsure.io.refusals import refusal, say
from howsure.io.roles import ROWS_LOOKED_AT, settled_columns
from howsure.io.table import TextTable, class_text, value_text
from howsure.text.formats import plain

Text = Callable[[Any], str | None]

_SIZE = re.compile(r"[0-9]+(\.[0-9]+)?\s*([KMGT]i?)?B", re.IGNORECASE)


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
    query: str | None = None,
    memory: str | None = None,
    progress: Callable[[float], None] | None = None,
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
    if not isinstance(memory, str | None):
        raise InvalidArgument(say("not_a", "memory", "a size such as 200MB", memory))
    if progress is not None and not callable(progress):
        raise InvalidArgument(say("not_a", "progress", "a function of the share that is done", progress))
    about = (y_true, y_pred, by, id, model, weight, weights)
    if query is not None:
        if not isinstance(data, str | os.PathLike):
            raise InvalidArgument(say("not_a", "data", "the path of the one DuckDB database that query= asks", data))
        from howsure.io.engines.duck import tally_query

        ask = asked("y_true" if y_true is None else y_true, "y_pred" if y_pred is None else y_pred, *about[2:])
        ask, found = tally_query(os.fspath(data), query, ask, memory=memory, progress=progress)
        return settled(found, ask, labels, plain(os.fspath(data), 200))
    if _is_path(data) or (not is_frame(data) and hasattr(data, "read")):
        with opened(data) as file:
            return _of_file(file, about, labels, memory, progress)
    if isinstance(data, Mapping):
        return _of_columns(data, about, labels)
    table = frame_table(data)
    assert table.origin is not None  # that of a frame
    data = table.origin.frame
    ask = _ask(table, about, labels)
    ask, found = tally(engine_of_frame(data, ask.columns), ask)
    made = settled(replace(found, notes=(*table.notes, *found.notes)), ask, labels)
    return _unheaded(made, table.source, ask)


def _ask(
    table: TextTable, about: Sequence[Any], labels: Sequence[object] | None, text: Text | None = None
) -> CountColumns:
    """The question to a table: columns by name, by the words of the header, or by what they hold."""
    ask, columns = resolved(table, *about)
    supposed, names = columns.supposed, names_of(table)
    if ask.id is None and columns.id is not None and ask.model is None:  # by its word, which nobody asked for
        columns = replace(columns, id=None, unused=(*columns.unused, columns.id))
    said: dict[str | None, str] = {ask.id: "id of a case", ask.model: "classifier", ask.weight: "weight"}
    said.update(dict.fromkeys(ask.by, "slice"))
    others = {i: said[name] for i, name in enumerate(names) if name in said}
    columns = settled_columns(table, columns, apart=True, grouped=False, others=others)
    if supposed:
        ask = replace(ask, answers={name: names[i] for name, i in columns.pred.items()})
    if columns.group is not None and (name := names_of(table)[columns.group]) not in ask.columns:
        shown = excerpt(name, 40)
        table.notes.append(f"The cases of all groups are added up (column {shown}); by={shown} (--by) keeps them.")
    given = None if labels is None else label_texts(labels)
    return replace(ask, text=text or class_text(given, clean=table.clean))


def _of_columns(data: Mapping[str, Any], about: Sequence[Any], labels: Sequence[object] | None) -> Counts:
    """Columns that are in memory; their values are classes as they are."""
    Arrays(data).check(list(data))
    header = [str(name) for name in data]
    some = zip(*(values[:ROWS_LOOKED_AT] for values in data.values()), strict=False)
    table = TextTable(
        "the table", header, 1, ((i, [*map(value_text, row)]) for i, row in enumerate(some, start=1)), unit="row"
    )
    ask, found = tally(Arrays(data), _ask(table, about, labels, label_text))
    return settled(replace(found, notes=(*table.notes, *found.notes)), ask, labels)


def _of_file(
    file: Opened,
    about: Sequence[Any],
    labels: Sequence[object] | None,
    memory: str | None,
    progress: Callable[[float], None] | None,
) -> Counts:
    """Cases or counts of a file: grouped by DuckDB where it is large, else read row by row."""
    if memory is not None and not _SIZE.fullmatch(memory.strip()):
        raise InvalidArgument(say("not_a", "memory", "a size such as 200MB", memory))
    document = document_of(file)
    if document is not None and not is_case_document(document.value):
        raise refusal(file.name, "no_table", "cases are JSON Lines, one object a line; howsure report reads a matrix")
    table = table_of(file) if document is None else case_table(file.name, document.value)
    ask = _ask(table, about, labels)
    if table.is_grouped:
        from howsure.io.engines.duck import tally_files

        try:
            source = source_of(table)
            there = dict(zip(names_of(table), names_there(table), strict=True))
            wide, found = tally_files(source, ask.called(there), memory=memory, progress=progress)
            found = replace(found, notes=(*table.notes, *found.notes))
            made = settled(found, replace(wide, by=ask.by), labels, table.source)
            return _unheaded(made, table.source, ask)
        except InvalidFile:
            # the rows tell where it is, unless they are too many
            if table.origin is None or table.origin.size > LARGEST_FILE:
                raise
    ask, found = tally_rows(table, ask)
    made = settled(found, ask, labels, table.source)
    if progress is not None:
        progress(1.0)
    return made


def _unheaded(counts: Counts, name: str, ask: CountColumns) -> Counts:
    """Give the counts back, unless a header was counted as a case."""
    header = [one_spelling(column) for column in ask.labels]
    if set(header) <= set(counts.labels):
        true, *answers = map(counts.labels.index, header)
        cells = counts.cells
        if ((cells.truth == true) & (cells.answers == answers[: cells.answers.shape[1]]).all(axis=1)).any():
            raise refusal(name, "header_again")
    return counts


def _columns(y_true: Any, y_pred: Any) -> tuple[Mapping[str, Any], str, Any]:
    """Arrays given as arguments, as columns by name."""
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
