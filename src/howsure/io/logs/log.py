"""A log of an evaluation, of whichever tool, to `Outcomes`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from howsure.data.words import OUTCOME, word_of
from howsure.errors import InvalidFile, excerpt, listing
from howsure.io.formats.json_tables import flattened, tables_in
from howsure.io.logs.answer_tables import AnswerRow, answers_by_model, table_logs
from howsure.io.logs.inspect_archive import archived_samples, document_samples
from howsure.io.logs.log_rows import (
    ScoreChoice,
    ScoredAnswer,
    gathered,
    harness_rows,
    inspect_rows,
    lighteval_rows,
)
from howsure.io.logs.outcomes import Outcomes
from howsure.io.opening import NOT_FETCHED, is_address
from howsure.io.unpacking import BEGINNING, packing_of, unpacked
from howsure.text.formats import integer, plain, several

__all__ = ["read_log", "read_logs"]

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
    """Read which items were answered rightly.

    Parameters
    ----------
    path : str or path-like
        Samples of lm-evaluation-harness, an ``.eval`` archive or JSON of Inspect, details of lighteval (Parquet), or
        JSON Lines with a field of true and false; or a table of one model (``item,correct``).
    metric, filter : str, optional
        The score to read, and of lm-evaluation-harness the filter, where there are several.
    field : str, optional
        For other JSON Lines and tables, the field that says right or wrong.
    threshold : float, optional
        Scores from here on are right; without it partial credit is refused.
    group : str, optional
        A field of each item that says what makes answers alike: the passage of a question, a subtask. Left out, the
        answers to one item in several epochs are a group.
    item : str, optional
        For other JSON and tables, the field that names the item, where its word or its values do not show it.

    Raises
    ------
    InvalidFile
        With the file and the line or sample: what was expected, what came, what to do.
    MissingExtra
        Parquet, without DuckDB.
    """
    found = read_logs(path, metric=metric, filter=filter, field=field, threshold=threshold, group=group, item=item)
    if len(found) > 1:
        problem = f"it holds {len(found)} models, {listing(map(excerpt, found))}, and one is read"
        advice = "howsure log FILE compares two and ranks more, read_logs reads all of them"
        raise InvalidFile(plain(os.fspath(path), 200), f"{problem}; {advice}")
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
    """Read which items each model of a file answered rightly, for `paired`.

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
    text = os.fspath(path)
    ask = ScoreChoice(metric=metric, filter=filter, field=field, threshold=threshold, group=group, item=item)
    name = plain(text, 200)
    if not os.path.isfile(text):
        raise InvalidFile(name, NOT_FETCHED if is_address(text) else "there is no such file")
    return table_logs(text, ask) or _logs(text, name, ask)


def _logs(text: str, name: str, ask: ScoreChoice) -> dict[str, Outcomes]:
    with open(text, "rb") as file:
        head = file.read(4)
    if head.startswith(b"PK") or head == b"PAR1":
        _known_tool(name, ask)
    if head.startswith(b"PK"):
        return {"": gathered(name, inspect_rows(archived_samples(text)), ask)}
    if head == b"PAR1":
        return {"": gathered(name, lighteval_rows(_parquet(text)), ask)}
    if text.lower().endswith(".json"):
        return _of_document(name, _document(text, name), ask)
    lines = list(_lines(text, name))
    if not lines:
        raise InvalidFile(name, "the file is empty; was the evaluation cut short?")
    first = lines[0][1]
    if ask.field is None and ("doc_id" in first or "doc_hash" in first):
        _known_tool(name, ask)
        return {"": gathered(name, harness_rows(lines), ask)}
    rows = [AnswerRow(number, f"line {number}", flattened(row)) for number, row in lines]
    return answers_by_model(name, rows, ask)


def _known_tool(name: str, ask: ScoreChoice) -> None:
    """Refuse what a log of a known tool says itself."""
    if ask.field is not None:
        raise InvalidFile(name, "a log of a known tool says what is right; leave --field out, or choose with --metric")
    if ask.item is not None:
        raise InvalidFile(name, "a log of a known tool names its items; leave --item out")


def _of_document(name: str, value: Any, ask: ScoreChoice) -> dict[str, Outcomes]:
    """What a document in JSON holds: samples of Inspect, names of what was resolved, or a table anywhere in it."""
    if isinstance(value, dict):
        if "samples" in value or ("eval" in value and "version" in value):
            _known_tool(name, ask)
            return {"": gathered(name, inspect_rows(document_samples(name, value)), ask)}
        if isinstance(value.get("resolved_ids"), list):
            return {"": _resolved(name, value, ask)}
        if "results" in value and {"n-samples", "versions", "configs"} & value.keys():
            raise InvalidFile(
                name, "it holds the results of whole tasks and no sample; was it written with log_samples?"
            )
    tables = list(tables_in(value, keyed=True))
    marked = [it for it in tables if ask.field in it.rows[0] or any(map(_says_right, it.rows[0]))]
    found = marked or tables
    if not found:
        keys = listing(map(excerpt, value), 20) if isinstance(value, dict) else excerpt(value)
        raise InvalidFile(name, f"no answers of single items in it; it has {keys}")
    if len(found) > 1:
        shown = listing(f"{excerpt(it.path, 60)} ({several(len(it.rows), 'row')})" for it in found)
        raise InvalidFile(name, f"it holds {len(found)} tables that may be the answers, {shown}; keep one of them")
    ((path, rows),) = found
    answers = [AnswerRow(None, f"row {number}", row) for number, row in enumerate(rows, start=1)]
    return answers_by_model(
        name, answers, ask, notes=[f"Read from {excerpt(path, 60)} in the document."] if path else []
    )


def _says_right(field: str) -> bool:
    return word_of(field.rsplit(".", 1)[-1]) in OUTCOME


def _resolved(name: str, value: dict[str, Any], ask: ScoreChoice) -> Outcomes:
    """A report of SWE-bench: the instances that were resolved, of all that are named in it."""
    named = {
        str(it): None for key, ids in value.items() if key.endswith("_ids") and isinstance(ids, list) for it in ids
    }
    right = set(map(str, value["resolved_ids"]))
    total = value.get("total_instances", len(named))
    if not isinstance(total, int) or total < len(named):
        raise InvalidFile(name, f"it names {len(named)} instances, and total_instances is {excerpt(total)}")
    rest = [f"instance {i} that is not named" for i in range(1, total - len(named) + 1)]
    notes = [] if not rest else [f"{integer(len(rest))} instances are not named, and count as not resolved."]
    rows = [
        ScoredAnswer(item, {"resolved": item in right}, "", "1", None, f"instance {item}", {})
        for item in [*named, *rest]
    ]
    return gathered(name, rows, ScoreChoice(group=ask.group), notes)


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
                problem = f"the log has more than {LARGEST_LINES // 2**30} GiB, unpacked"
                raise InvalidFile(name, f"{problem}; read a file for each task, or leave the prompts out", number)
            if len(line) > LONGEST_LINE:
                raise InvalidFile(name, f"the line is longer than {LONGEST_LINE // 2**20} MiB", number)
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except UnicodeDecodeError:
                raise InvalidFile(name, "the line is not UTF-8", number) from None
            except (ValueError, RecursionError) as error:
                problem = f"the line is no JSON ({plain(str(error), 80)}); was the writing cut short?"
                raise InvalidFile(name, problem, number) from None
            if not isinstance(value, dict):
                raise InvalidFile(name, f"{excerpt(value)} is no object", number)
            yield number, value


def _document(path: str, name: str) -> Any:
    if os.path.getsize(path) > LARGEST_DOCUMENT:
        raise InvalidFile(name, "the document has more than 1 GiB; convert it: inspect log convert --to eval")
    try:
        value = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise InvalidFile(name, f"no JSON ({plain(str(error), 80)}); was the writing cut short?") from None
    return value


def _parquet(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    from howsure.io.engines.duck import parquet_rows
    from howsure.io.engines.table_files import check_parquet

    name = plain(path, 200)
    check_parquet(path, name)
    for number, (row,) in enumerate(parquet_rows(path, name, as_json=True), start=1):
        yield number, row
