"""A log of an evaluation, or any table of items and scores, to `Outcomes` by model; and to `Repeats`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from howsure.data.outcomes import Outcomes
from howsure.data.refusals import refusal
from howsure.data.repeat_rows import Absent
from howsure.data.repeats import Repeats
from howsure.io.contents import content_of, frame_table, is_frame
from howsure.io.formats.json_tables import Document, part_of
from howsure.io.logs.scored import LogAsk, of_table, outcomes_by_model
from howsure.io.logs.shapes import (
    LogAnswers,
    archived_samples,
    document_samples,
    inspect,
    lighteval,
    of_document,
    of_lines,
)
from howsure.io.opening import is_address, opened
from howsure.io.table import TextTable
from howsure.io.unpacking import BEGINNING, packing_of, unpacked
from howsure.text.formats import plain

#: Bytes of a log in JSON, which has to be held in memory as a whole; of JSON Lines, unpacked; and of one line.
LARGEST_DOCUMENT = 2**30
LARGEST_LINES = 4 * 2**30
LONGEST_LINE = 64 * 2**20


def read_log(
    path: str | os.PathLike[str],
    *,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002  # the word of lm-evaluation-harness
    field: str | None = None,
    threshold: float | None = None,
    group: str | None = None,
    item: str | None = None,
) -> Outcomes:
    """Read how the items of an evaluation were answered.

    Parameters
    ----------
    path : str or path-like
        Samples of lm-evaluation-harness, an ``.eval`` archive or JSON of Inspect, details of lighteval (Parquet), or
        JSON, JSON Lines or a table of one model, with a column of right and wrong or of scores.
    metric, field : str, optional
        The score to read, where there are several: a metric, or any column.
    filter : str, optional
        The filter of lm-evaluation-harness.
    threshold : float, optional
        Scores from here on are right; without it scores are scores.
    group : str, optional
        A field of each item that says what makes answers alike: the passage of a question, a subtask. Left out, the
        answers to one item in several epochs are a group.
    item : str, optional
        The column that names the item, where its word or its values do not show it.

    Raises
    ------
    InvalidFile
        With the file and the line or sample: what was expected, what came, what to do.
    MissingExtra
        Parquet, without DuckDB.
    """
    found = read_logs(path, metric=metric, filter=filter, field=field, threshold=threshold, group=group, item=item)
    if len(found) > 1:
        raise refusal(
            plain(os.fspath(path), 200),
            "choose",
            "models",
            found,
            "howsure log, which compares two and ranks more (read_logs reads all)",
        )
    return next(iter(found.values()))


def read_logs(
    path: str | os.PathLike[str],
    *,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002  # the word of lm-evaluation-harness
    field: str | None = None,
    threshold: float | None = None,
    group: str | None = None,
    item: str | None = None,
) -> dict[str, Outcomes]:
    """Read how each model of a file answered the items, for `paired`.

    Parameters
    ----------
    path, metric, filter, field, threshold, group, item
        As in `read_log`; also a table of several models (``item,model_a,model_b`` or ``item,model,correct``).

    Returns
    -------
    dict of str to Outcomes
        By model in the order of the file; "" where it does not name the model, as a log does not.

    Raises
    ------
    InvalidFile, MissingExtra
        As `read_log`.

    Examples
    --------
    >>> logs = read_logs("tests/reference/marks.csv")
    >>> [(model, log.correct, log.n) for model, log in logs.items()]
    [('llama', 8, 10), ('mistral', 6, 10)]
    """
    return logs_of(path, LogAsk(field or metric, filter, threshold, group, item))


def logs_of(data: Any, ask: LogAsk) -> dict[str, Outcomes]:
    """The same, of whatever holds answers: a path, "-" for standard input, a stream or a data frame."""
    if is_frame(data):
        return of_table(frame_table(data), ask)
    if hasattr(data, "read") or data == "-":
        with opened(data) as file:
            content = content_of(file)
            if not isinstance(content, Document):
                return of_table(content, ask)
            return outcomes_by_model(
                of_document(content.name, content.value, document_samples, ask.field, graded=ask.graded), ask
            )
    found = _read(os.fspath(data), ask)
    return of_table(found, ask) if isinstance(found, TextTable) else outcomes_by_model(found, ask)


def read_repeats(
    data: Any,
    *,
    item: str | None = None,
    run: str | None = None,
    score: str | None = None,
    outcomes: Sequence[float] | None = None,
    threshold: float | None = None,
    range: Sequence[float] | None = None,  # noqa: A002  # the word of the field
    missing: Absent = "error",
) -> Repeats:
    r"""Read items x runs.

    Parameters
    ----------
    data : str, path-like, stream, or data frame
        CSV, TSV, JSON Lines or Parquet with a row a run (``item,run,correct``, ``item,run,true,pred``) or a row an item
        (``item,1,2,3``); or a log of an evaluation, whose epochs are the runs.
    item, run, score : str, optional
        Columns by name; by the words of the header if left out.
    outcomes, threshold, range, missing
        As in `howsure.Repeats.from_columns`. Where a row is an item, a blank cell is a run that was not made.

    Raises
    ------
    InvalidFile
        Other columns, several models, an item twice in one run, a score that is none; with the file and the line where
        there is one.

    Examples
    --------
    >>> import io
    >>> read_repeats(io.StringIO("item,epoch,correct\na,1,true\na,2,false\nb,1,true\nb,2,true\n"))
    <Repeats: 2 items, 2 runs of each, outcomes 0, 1>
    >>> read_repeats(io.StringIO("task,1,2,3\na,1,0,1\nb,1,1,\n")).times.tolist()
    [3, 2]
    """
    ask = LogAsk(score, None, threshold, None, item, run, missing, outcomes, range)
    return of_one_model(logs_of(data, ask)).repeats


def of_one_model(logs: Mapping[str, Outcomes]) -> Outcomes:
    """The one log of a file; the answers of several models are no runs of one another."""
    log = next(iter(logs.values()))
    if len(logs) > 1:
        raise refusal(log.source, "models_no_runs", len(logs), logs)
    return log


def _read(text: str, ask: LogAsk) -> TextTable | LogAnswers:
    """What a file holds, by how it begins."""
    name, part = plain(text, 200), None
    if not os.path.isfile(text) and os.path.isfile(text.rpartition("#")[0]):
        text, _, part = text.rpartition("#")
    if not os.path.isfile(text):
        if os.path.lexists(text) or not is_address(text):
            with opened(text) as file:  # a folder, a pattern, or nothing
                return _table(file)
        raise refusal(name, "address")
    with open(text, "rb") as raw:
        head = raw.read(BEGINNING)
        packing = packing_of(head)
        raw.seek(0)
        start = (unpacked(name, packing, raw) if packing else raw).readline(LONGEST_LINE).lstrip()
    if head.startswith(b"PK") and not text.lower().endswith((".xlsx", ".xlsm")):
        return inspect(name, archived_samples(text))
    if head.startswith(b"PAR1"):
        with opened(text) as file:
            table = _table(file)
            if "metric" not in table.header:
                return table
        return lighteval(name, _parquet(text))
    if not head.strip():
        raise refusal(name, "empty")
    if start[:1] not in (b"{", b"[") and not text.lower().endswith((".json", ".jsonl", ".ndjson")):
        with opened(text) as file:
            return _table(file)
    if not packing and _is_document(text, start):
        value = _document(text, name)
        value = value if part is None else part_of(name, value, part)
        return of_document(name, value, document_samples, ask.field, graded=ask.graded)
    lines = list(_lines(text, name))
    if not lines:
        raise refusal(name, "empty")
    return of_lines(name, lines, ask.field, graded=ask.graded)


def _table(file: Any) -> TextTable:
    content = content_of(file)
    if isinstance(content, Document):
        raise refusal(content.name, "no_table", "one of items and scores is expected")
    return replace(content, rows=iter(list(content.rows)))


def _is_document(path: str, start: bytes) -> bool:
    """Whether a file is one document: its first line is no whole object with others below it, whatever its ending."""
    try:
        whole = isinstance(json.loads(start), dict)
    except (ValueError, RecursionError):
        return path.lower().endswith(".json") or start.strip() in (b"{", b"[") or start.startswith(b"[")
    with open(path, "rb") as file:
        file.readline()
        alone = not file.read(BEGINNING).strip()
    return not whole or (alone and not path.lower().endswith((".jsonl", ".ndjson")))


def _lines(path: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Objects of JSON Lines with their line numbers; deeper than those of a table, and with NaN, as the tools write."""
    with open(path, "rb") as file:
        packing = packing_of(file.read(BEGINNING))
        file.seek(0)
        stream = unpacked(name, packing, file) if packing else file
        number = size = 0
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            size += len(line)
            if size > LARGEST_LINES:
                raise refusal(name, "too_large", "a log", LARGEST_LINES // 2**20, line=number)
            if len(line) > LONGEST_LINE:
                raise refusal(name, "long_line", LONGEST_LINE, line=number)
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except UnicodeDecodeError:
                raise refusal(name, "not_utf8", "", line=number) from None
            except (ValueError, RecursionError) as error:
                raise refusal(name, "damaged", "the line is no JSON, and", plain(str(error), 80), line=number) from None
            if not isinstance(value, dict):
                raise refusal(name, "not_a", "a line", "one object a line", value, line=number)
            yield number, value


def _document(path: str, name: str) -> Any:
    if os.path.getsize(path) > LARGEST_DOCUMENT:
        raise refusal(name, "too_large", "a document", LARGEST_DOCUMENT // 2**20)
    try:
        return json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise refusal(name, "damaged", "it is no JSON, and", plain(str(error), 80)) from None


def _parquet(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    from howsure.io.engines.duck import check_parquet, parquet_rows

    name = plain(path, 200)
    check_parquet(path, name)
    for number, (row,) in enumerate(parquet_rows(path, name, as_json=True), start=1):
        yield number, row
