"""What tools write of an evaluation, to a table of answers: a row an answer, with what the tool itself says of it.

=========================  ============================================================================
lm-evaluation-harness      ``samples_TASK_DATE.jsonl``: an item by its ``doc_hash``, one row a filter
Inspect                    ``.eval`` archives and JSON: an item by its ``id``, several epochs
lighteval                  Parquet of details: an item by its document
reports of resolved ids    what was resolved, of all that is named (SWE-bench)
other JSON, JSON Lines     a list of objects, wherever it stands in the document
=========================  ============================================================================
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from howsure.data.refusals import refusal, say
from howsure.data.words import ITEM, OUTCOME, PASSED, TRIED, usual_range, word_of
from howsure.errors import InvalidFile, MissingExtra, excerpt
from howsure.io.formats.json_documents import flattened, tables_in
from howsure.io.opening import MOST_PACKED, is_out_of_proportion
from howsure.io.table import TextTable
from howsure.text.formats import integer, plain, several

try:
    from lzma import LZMAError
except ImportError:  # a Python that was built without it unpacks no such sample, and says so
    LZMAError = RuntimeError  # type: ignore[assignment,misc]


#: Bytes of one sample, of all of them, and their number.
LARGEST_SAMPLE = 256 * 2**20
LARGEST_ARCHIVE = 16 * 2**30
MOST_SAMPLES = 2_000_000

#: Method of a zip entry that Inspect packs with, and Python knows from 3.14 on only.
ZSTANDARD = 93

#: What `zipfile` and its decompressors raise where bytes are not what they should be: names that are no UTF-8 and
#: places before the file are a `ValueError`, a sample that ends early an `EOFError`, a password a `RuntimeError`.
_DAMAGE = (zipfile.BadZipFile, ValueError, EOFError, RuntimeError, struct.error, zlib.error, LZMAError)


def archived_samples(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Samples of an ``.eval`` archive with the names they have in it; nothing is written to the disk."""
    name = plain(path, 200)
    try:
        with zipfile.ZipFile(path) as archive:
            parts = [
                p for p in archive.infolist() if p.filename.startswith("samples/") and p.filename.endswith(".json")
            ]
            if not parts:
                raise refusal(name, "no_samples", "the archive holds none")
            _check_sizes(name, parts, os.path.getsize(path))
            for part in parts:
                yield part.filename, _sample(name, archive, part)
    except NotImplementedError as error:
        raise refusal(
            name, "cannot", "it", "unpacked by this Python", f"{plain(str(error))}; inspect log convert --to json"
        ) from None
    except InvalidFile:
        raise
    except _DAMAGE as error:
        raise refusal(name, "damaged", "it is no whole .eval archive, and", _reason(error)) from None
    except OSError as error:
        raise refusal(name, "cannot", "it", "opened", plain(error.strerror or str(error))) from None


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "the name of a file in it is no text"
    if isinstance(error, EOFError):
        return "a sample ends early"
    return plain(str(error), 120)


def _check_sizes(name: str, parts: list[zipfile.ZipInfo], there: int) -> None:
    total = sum(p.file_size for p in parts)
    packed = min(sum(p.compress_size for p in parts), there)  # samples may lie over each other
    if total > LARGEST_ARCHIVE or len(parts) > MOST_SAMPLES:
        raise refusal(name, "too_many", len(parts), f"samples of {integer(total)} bytes", MOST_SAMPLES)
    if is_out_of_proportion(packed, total):
        raise refusal(name, "grows", packed, total, MOST_PACKED)


def _sample(name: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> dict[str, Any]:
    where = excerpt(part.filename, 100)
    # the size that the archive states may be wrong
    if part.compress_type == ZSTANDARD:
        data = _unpacked(name, archive, part)
    else:
        with archive.open(part) as file:
            data = file.read(LARGEST_SAMPLE + 1)
    if len(data) > LARGEST_SAMPLE:
        raise refusal(name, "too_large", f"the sample {where}", LARGEST_SAMPLE // 2**20)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise refusal(name, "damaged", f"the sample {where} is", plain(str(error), 80)) from None
    return _checked(name, f"the sample {where}", value)


def _unpacked(name: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """An entry that is packed with Zstandard: its bytes in the archive, behind a header of their own."""
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("An .eval log packed with Zstandard", "logs") from None
    raw = archive.fp
    assert raw is not None  # the archive is open
    raw.seek(part.header_offset + 26)
    name_length, extra_length = (int.from_bytes(raw.read(2), "little") for _ in range(2))
    raw.seek(name_length + extra_length, 1)
    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw.read(part.compress_size)) as stream:
            data: bytes = stream.read(min(part.file_size, LARGEST_SAMPLE) + 1)
    except zstandard.ZstdError:
        data = b""
    if len(data) <= LARGEST_SAMPLE and zlib.crc32(data) != part.CRC:
        raise refusal(name, "damaged", f"the sample {excerpt(part.filename, 100)} is", "its check sum")
    return data


def document_samples(name: str, document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Samples of a log in JSON."""
    samples = document.get("samples")
    if not isinstance(samples, list) or not samples:
        raise refusal(name, "no_samples", "the log holds none")
    for number, sample in enumerate(samples, start=1):
        yield f"sample {number}", _checked(name, f"sample {number}", sample)


def _checked(name: str, where: str, sample: object) -> dict[str, Any]:
    if not isinstance(sample, dict):
        raise refusal(name, "not_a", where, "an object", sample)
    scores = sample.get("scores")
    if scores and not isinstance(scores, dict):
        raise refusal(name, "not_a", f"scores of {where}", "an object", scores)
    return sample


#: Metrics of lm-evaluation-harness that are right or wrong.
RIGHT_OR_WRONG = ("acc", "exact_match", "acc_norm", "pass@1", "em")
#: Where one answer is scored several times by name: a list of objects with a name and a value, or an object of them.
SCORES = ("metricsdata", "metrics_data", "scores", "results", "evaluations", "componentresults", "feedback", "stats")
_NAMES, _VALUES = ("name", "metric", "key", "scorer", "grader"), ("success", "passed", "pass", "score", "value", "mean")
_PARTS = re.compile(r"[./]")
#: What DeepEval calls its cases, beside summaries of them.
_CASES = ("testCases", "conversationalTestCases")
#: What promptfoo writes of an answer that never came.
_ERROR = 2


class LogRow(NamedTuple):
    """An answer by column: its line where there are lines, where it stands, and what it holds.

    Of the item, the run, the model and the filter (or the scorer) as far as the tool says them.
    """

    line: int | None
    where: str
    cells: Mapping[str, Any]
    item: Any = None
    run: Any = None
    model: str = ""
    filter: str | None = None


@dataclass
class LogAnswers:
    """Rows of answers, and what the tool that wrote the file ``name`` says of all of them.

    ``itemed`` says whether the rows know their items; ``marks`` are the columns of scores, found by their names where
    the tool names none; ``fault`` makes the error of a sentence, and a line.
    """

    name: str
    rows: list[LogRow]
    notes: list[str] = field(default_factory=list)
    itemed: bool = False
    marks: tuple[str, ...] | None = None
    fault: Any = None

    def refusal(self, problem: str, line: int | None = None) -> InvalidFile:
        """The error for a row, or for all."""
        refusal: InvalidFile = (self.fault or (lambda said, at=None: InvalidFile(self.name, said, at)))(problem, line)
        return refusal


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]


def harness(name: str, lines: Iterable[tuple[int, dict[str, Any]]]) -> LogAnswers:
    """Rows of lm-evaluation-harness; ``doc_hash`` is the item, because ``doc_id`` moves with the selection.

    One text under two ``doc_id`` is a question that a data set holds twice: answered again, and no new item.
    """
    marks: dict[str, None] = {}
    seen: dict[str, dict[str, int]] = {}
    found = []
    for line, row in lines:
        names = row.get("metrics")
        known = [m for m in names if isinstance(m, str) and m in row] if isinstance(names, list) else []
        marks |= dict.fromkeys(known or [m for m in RIGHT_OR_WRONG if m in row])
        item = str(row.get("doc_hash") or f"doc_id {row.get('doc_id')}")
        times = seen.setdefault(item, {})
        run = str(times.setdefault(str(row.get("doc_id")), len(times) + 1))
        document = row.get("doc")
        cells = {**(document if isinstance(document, dict) else {}), **row}
        found.append(LogRow(line, f"line {line}", cells, item, run, filter=str(row.get("filter", "none"))))
    return LogAnswers(name, found, itemed=True, marks=tuple(marks))


def inspect(name: str, samples: Iterable[tuple[str, dict[str, Any]]]) -> LogAnswers:
    """Samples of Inspect: an item in several epochs."""
    marks: dict[str, None] = {}
    found = []
    for where, sample in samples:
        scores: dict[str, Any] = {}
        for key, score in (sample.get("scores") or {}).items():
            value = score.get("value") if isinstance(score, dict) else score
            scores |= {f"{key}/{k}": v for k, v in value.items()} if isinstance(value, dict) else {key: value}
        item = f"input {_digest(sample.get('input'))}" if sample.get("id") is None else str(sample["id"])
        metadata = sample.get("metadata")
        cells = {**(metadata if isinstance(metadata, dict) else {}), **scores}
        found.append(LogRow(None, where, cells, item, str(sample.get("epoch", 1))))
        marks |= dict.fromkeys(scores)
    return LogAnswers(name, found, itemed=True, marks=tuple(marks))


def lighteval(name: str, rows: Iterable[tuple[int, dict[str, Any]]]) -> LogAnswers:
    """Rows of lighteval's details: the document is the item; one without a name is known by its prompt.

    A row holds ``doc``, ``metric`` and ``model_response`` as structures, since 2025.
    """
    marks: dict[str, None] = {}
    seen: dict[str, int] = {}
    found = []
    for number, row in rows:
        doc: Any = row.get("doc") if isinstance(row.get("doc"), dict) else {}
        item = doc.get("id")
        if item in (None, ""):
            item = "query " + _digest(doc.get("query") or row)
            seen[item] = seen.get(item, 0) + 1  # the same prompt again is the same item again
        metrics = row.get("metric")
        scores = {str(k): v for k, v in metrics.items() if v is not None} if isinstance(metrics, dict) else {}
        specific = doc.get("specific")
        cells = {**(specific if isinstance(specific, dict) else {}), **row, **doc, **scores}
        found.append(LogRow(None, f"row {number}", cells, str(item), str(seen.get(str(item), 1))))
        marks |= dict.fromkeys(scores)
    return LogAnswers(name, found, itemed=True, marks=tuple(marks))


def of_lines(
    name: str, lines: list[tuple[int, dict[str, Any]]], field: str | None = None, *, graded: bool = False
) -> LogAnswers:
    """JSON Lines: of lm-evaluation-harness, which says so, or of anything else."""
    first = lines[0][1]
    if ("doc_id" in first or "doc_hash" in first) and (field is None or "filter" in first):
        return harness(name, lines)
    if graded:  # what OpenAI evals writes before and behind its events
        lines = [(number, row) for number, row in lines if not {"spec", "final_report"} & row.keys()] or lines
    return LogAnswers(name, [LogRow(number, f"line {number}", _flat(row, graded=graded)) for number, row in lines])


def of_document(
    name: str, value: Any, samples: Any, field: str | None = None, *, graded: bool = False
) -> LogAnswers:  # fmt: skip
    """What a document in JSON holds: samples of Inspect, names of what was resolved, or a table anywhere in it.

    ``graded`` asks for scores rather than for what passed.
    """
    if isinstance(value, dict):
        if "eval" in value and ("version" in value or "samples" in value):
            return inspect(name, samples(name, value))
        if isinstance(value.get("resolved_ids"), list):
            return _resolved(name, value)
        first = next(iter(them), None) if isinstance(them := value.get("samples"), list) else None
        if isinstance(first, dict) and {"scores", "epoch"} & first.keys():
            return inspect(name, samples(name, value))
        if "results" in value and {"n-samples", "versions", "configs"} & value.keys():
            raise refusal(name, "no_samples", "it holds the results of whole tasks")
    tables = [(path, [_flat(row, graded=graded) for row in rows]) for path, rows in tables_in(value, keyed=True)]
    found: list[tuple[str, list[dict[str, Any]]]] = []
    plain_tables = [(path, [_flat(row, graded=graded) for row in rows]) for path, rows in tables_in(value)]
    for some in (tables, plain_tables, [*_inner(plain_tables)]):
        found = found or [it for it in some if field in it[1][0] or (field is None and _says_right(it[1][0]))]
    found = found or tables
    if not found:
        raise refusal(name, "no_answers", value)
    found = [it for it in found if it[0].rpartition(".")[2] in _CASES] or found
    found = [it for it in found if len(it[1]) > 1] or found  # one row beside a table is a summary
    if len(found) > 1:
        there = [f"{path} ({several(len(rows), 'row')})" for path, rows in found]
        raise refusal(name, "choose", "tables that may be the answers", there, f"{name}#{found[0][0]}")
    ((path, rows),) = found
    notes = [f"Read from {excerpt(path, 60)} in the document."] if path else []
    return LogAnswers(name, [LogRow(None, f"row {number}", row) for number, row in enumerate(rows, start=1)], notes)


def _inner(tables: list[tuple[str, list[dict[str, Any]]]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Tables within the rows of tables: a list of objects in each row, beside the single values of that row."""
    for path, rows in tables:
        for key, value in rows[0].items():
            if not isinstance(value, list) or not value or word_of(key) in SCORES:
                continue
            inner = []
            for row in rows:
                single = {k: v for k, v in row.items() if not isinstance(v, list | dict)}
                inner += [{**single, **_flat(each)} for each in row.get(key) or [] if isinstance(each, dict)]
            if inner:
                yield f"{path}.{key}", inner


def is_scored(field: str) -> bool:
    """Whether a column says by its name, or by that of the object it is in, that it is a score."""
    parts = [word_of(part) for part in _PARTS.split(field)]
    return parts[-1] in OUTCOME or (
        len(parts) > 1 and parts[0] in SCORES and parts[-1] not in ("name", "metric", "key")
    )


#: What stands before and behind the name of a score: scores.NAME, metricsData.NAME.score, NAME/v1/score, NAME/value.
_BEHIND = re.compile(r"(?<=.)[./](v\d+[./])?(score|value|mean)$")


def named_alone(key: str) -> str:
    """Name of a score without the objects that it is in.

    Examples
    --------
    >>> [named_alone(key) for key in ("scores.Factuality", "metricsData.Bias.score", "toxicity/v1/score", "score")]
    ['Factuality', 'Bias', 'toxicity', 'score']
    """
    return _BEHIND.sub("", key).rsplit(".", 1)[-1]


def is_graded(field: str) -> bool:
    """Whether a column is a score by its name, also one with a name of its own, such as nDCG or judge_score."""
    name = named_alone(field)
    return is_scored(field) or usual_range(name) is not None or word_of(name).endswith(("_score", "_rating", "_grade"))


def _says_right(row: Mapping[str, Any]) -> bool:
    return any(is_scored(key) and not isinstance(value, list | dict) for key, value in row.items())


def _flat(row: Mapping[str, Any], *, graded: bool = False) -> dict[str, Any]:
    """A row with the values of objects in it as columns, and scores that have a name each as columns of these names."""
    cells = flattened(row)
    if "testIdx" in row:  # promptfoo gives a test that is repeated new numbers
        asked = {key: value for key, value in cells.items() if key.startswith("vars.")}
        named = cells.get("testCase.description") or json.dumps(asked, sort_keys=True, default=str)
        cells = {"item": row["testIdx"] if named == "{}" else named, **cells}
        if graded and row.get("failureReason") == _ERROR:
            cells["score"] = None
    for key, value in list(cells.items()):
        if not isinstance(value, list) or word_of(key.rsplit(".", 1)[-1]) not in SCORES:
            continue
        for each in value:
            if not isinstance(each, Mapping):
                continue
            names = [it.get("name") if isinstance(it, Mapping) else it for it in map(each.get, _NAMES)]
            title = next((it for it in names if isinstance(it, str)), None)
            scored = [it for it in _VALUES if isinstance(each.get(it), bool | int | float)]
            if graded and "score" in each:
                scored = ["score"]
            if title is not None and scored:
                cells[f"{key}.{title}.{scored[0]}"] = each[scored[0]]
    return cells


def _resolved(name: str, value: dict[str, Any]) -> LogAnswers:
    """A report of what was resolved: the instances that were, of all that are named in it."""
    named = {
        str(it): None for key, ids in value.items() if key.endswith("_ids") and isinstance(ids, list) for it in ids
    }
    right = set(map(str, value["resolved_ids"]))
    total = value.get("total_instances", len(named))
    if not isinstance(total, int) or total < len(named):
        raise refusal(name, "unlike_n", total, len(named))
    rest = [f"instance {i} that is not named" for i in range(1, total - len(named) + 1)]
    notes = [] if not rest else [f"{integer(len(rest))} instances are not named, and count as not resolved."]
    items = [*named, *rest]
    rows = [LogRow(None, f"instance {plain(item, 60)}", {"resolved": item in right}, item) for item in items]
    return LogAnswers(name, rows, notes, itemed=True, marks=("resolved",))


# -- measure, query and value in some order, without a header -----------------------------------------------------

#: Scores by query, each of some metric.
MEASURED = ("item", "metric", "value")


def with_header(table: TextTable) -> TextTable:
    """Scores by query as trec_eval and ir_measures print them, measure, query and value, which have no header.

    The rows of all queries are no query.
    """
    first = table.header
    if len(first) != 3 or not (is_number(first[2]) or first[0] == "runid"):
        return table
    rows = [(table.line, first), *((line, table.fitted(cells, line)) for line, cells in table.rows)]
    cells = [[cell.strip() for cell in row] for _, row in rows]
    at = 0 if any(row[1] == "all" for row in cells) or usual_range(cells[0][0]) else 1
    if not (at == 0 and any(row[1] == "all" for row in cells)) and usual_range(cells[0][at]) is None:
        return replace(table, rows=iter(rows[1:]))
    kept = [
        (line, [row[1 - at], row[at], row[2]])
        for (line, _), row in zip(rows, cells, strict=True)
        if row[1 - at] not in ("all", "amean") and is_number(row[2])
    ]
    names = {row[1] for _, row in kept}
    if len(names) == 1:
        return replace(
            table, header=["item", *names], rows=((line, [row[0], row[2]]) for line, row in kept), origin=None
        )
    return replace(table, header=[*MEASURED], rows=iter(kept), origin=None)


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


#: Tries that a table with a row an item may stand for.
MOST_TRIES = 5_000_000


def tries_apart(table: TextTable) -> TextTable:
    """A row a try, of a table that says of each item how many of its tries were right, and of how many."""
    words = [word_of(cell) for cell in table.header]
    items, right, tried = ([i for i, it in enumerate(words) if it in known] for known in (ITEM, PASSED, TRIED))
    if not items or len(right) != 1 or len(tried) != 1:
        return table
    rows = list(table.filled())
    table = replace(table, rows=iter(rows), head=None)
    (k, n), numbers = (right[0], tried[0]), list[tuple[int, int]]()
    for _, row in rows:
        if not (row[k].strip().isdecimal() and row[n].strip().isdecimal() and max(len(row[k]), len(row[n])) < 10):
            return table
        numbers.append((int(row[k]), int(row[n])))
    if any(one > all_ for one, all_ in numbers) or max((it for _, it in numbers), default=0) < 2:
        return table
    if words[k] != "c" and words[n] not in ("num_samples", "n_samples") and max(one for one, _ in numbers) < 2:
        return table  # right or wrong, beside a number of something else
    if sum(it for _, it in numbers) > MOST_TRIES:
        raise table.fault(say("too_many", sum(it for _, it in numbers), "tries", MOST_TRIES))
    table.notes.append(
        f"{excerpt(table.header[k], 40)} of {excerpt(table.header[n], 40)} were read as that many tries of each item."
    )
    made = (
        (line, [*(cell for i, cell in enumerate(row) if i not in (k, n)), str(at + 1), str(int(at < one))])
        for (line, row), (one, all_) in zip(rows, numbers, strict=True)
        for at in range(all_)
    )
    rest = [cell for i, cell in enumerate(table.header) if i not in (k, n)]
    return replace(table, header=[*rest, "run", "correct"], rows=iter(made), origin=None)
