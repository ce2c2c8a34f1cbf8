"""A log of an evaluation, or any table of items and scores, to `Outcomes` by model and to `Repeats`; several logs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from howsure.data.outcomes import RIGHT, WRONG, Outcomes
from howsure.data.predictions import Predictions
from howsure.data.refusals import of_file, refusal, say
from howsure.data.repeats import Absent, Repeats
from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.contents import frame_table, has_lines_of_json, is_document_file, is_frame, table_of
from howsure.io.formats.json_documents import objects, part_of
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
from howsure.io.opening import Opened, ReadLimits, opened
from howsure.io.reading import Contenders, Reading, Request
from howsure.io.table import TextTable
from howsure.text.formats import plain, several

#: Characters of a line, bytes of all lines unpacked, and of a log in one document, which is held in memory as a whole.
LIMITS = ReadLimits(64 * 2**20, 4 * 2**30, 2**30)


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
        advice = "howsure log, which compares two and ranks more (read_logs reads all)"
        raise refusal(plain(os.fspath(path), 200), "choose", "models", found, advice)
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
    if isinstance(data, str | os.PathLike) and _is_archive(os.fspath(data)):
        return outcomes_by_model(inspect(plain(os.fspath(data), 200), archived_samples(os.fspath(data))), ask)
    with opened(data, LIMITS) as file:
        found = _answers(file, ask)
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


def _is_archive(path: str) -> bool:
    if not os.path.isfile(path) or path.lower().endswith((".xlsx", ".xlsm")):
        return False
    with open(path, "rb") as file:
        return file.read(2) == b"PK"


def _answers(file: Opened, ask: LogAsk) -> TextTable | LogAnswers:
    if file.is_parquet:
        table = table_of(file)
        return lighteval(file.name, _parquet(file)) if "metric" in table.header else table
    if is_document_file(file):
        value = _loosely(file.name, file.text())
        value = value if file.part is None else part_of(file.name, value, file.part)
        return of_document(file.name, value, document_samples, ask.field, graded=ask.graded)
    if has_lines_of_json(file) and not file.others:
        return of_lines(file.name, list(objects(file, _loosely)), ask.field, graded=ask.graded)
    return table_of(file)


def _loosely(name: str, text: str, line: int | None = None) -> Any:
    """JSON deeper than that of a table, and with NaN, as the tools write it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        what = "it" if line is None else "the line"
        raise refusal(name, "damaged", f"{what} is no JSON, and", plain(str(error), 80), line=line) from None


def _parquet(file: Opened) -> Iterator[tuple[int, dict[str, Any]]]:
    from howsure.io.counting.duck import parquet_rows

    for number, (row,) in enumerate(parquet_rows(file.on_disk(), file.name, as_json=True), start=1):
        yield number, row


def paired(logs: Mapping[str, Outcomes]) -> Predictions:
    """Several logs on the items that all of them have, for `howsure.compare`, `gate` and `rank` by accuracy.

    The classes are "right" and "wrong" and the truth is "right" throughout, so that the accuracy of a classifier is its
    share of right answers; no other metric means anything. An item that is answered in several epochs is a group of
    cases, as are those that share a group that was named; epochs are paired by their numbers.

    Parameters
    ----------
    logs : mapping of str to Outcomes
        By the name of the classifier.

    Raises
    ------
    InvalidArgument
        Fewer than two logs.
    InvalidLabels
        No item in common, or an item that two logs put in different groups.

    Examples
    --------
    >>> both = paired({"A": Outcomes(["1", "2"], [True, False]), "B": Outcomes(["2", "1"], [True, True])})
    >>> both.patterns("A", "B").counts.tolist()
    [1, 1]
    """
    if len(logs) < 2:
        raise InvalidArgument(say("one_classifier"))
    repeated = any(log.distinct < log.n for log in logs.values())
    by = next((log.grouped_by for log in logs.values() if log.grouped_by), "")
    rows: list[tuple[str, str, str, str | None]] = []
    for name, log in logs.items():
        group = log.group if log.grouped_by else [None] * log.n if by else log.items
        for item, epoch, right, of in zip(log.items, log.epochs, log.right.tolist(), group or (), strict=True):
            rows.append((f"{item}, epoch {epoch}" if repeated else item, name, RIGHT if right else WRONG, of))
    ids, names, answers, groups = zip(*rows, strict=True)
    said = notes_of(logs)
    shared = set.intersection(*(set(zip(log.items, log.epochs, strict=True)) for log in logs.values()))
    again = len({item for item, _ in shared}) < len(shared)
    if by or again:
        said[_units(logs, by, repeated=again)] = None
    group = groups if by or again else None
    truth = [RIGHT] * len(ids)
    return Predictions.from_long(ids, names, truth, answers, group=group, labels=[WRONG, RIGHT], notes=[*said])


def notes_of(logs: Mapping[str, Outcomes]) -> dict[str, None]:
    """What the readers said, once what is said of all, and else with the name of the log."""
    told: dict[str, None] = {}
    for name, log in logs.items():
        for note in log.notes:
            of_all = all(note in other.notes for other in logs.values())
            told[note if of_all else f"{excerpt(name)}: {note[0].lower()}{note[1:]}"] = None
    return told


def _units(logs: Mapping[str, Outcomes], by: str, *, repeated: bool) -> str:
    items = set.intersection(*(set(log.items) for log in logs.values()))
    of = {group for log in logs.values() for item, group in zip(log.items, log.group or (), strict=False)
          if log.grouped_by and item in items}  # fmt: skip
    questions = several(len(items), "question")
    named = f"{several(len(of), 'value')} of {excerpt(by, 40)}, with " if by else ""
    said = f"Groups: the {named}{questions}"
    return said + ("; epochs of a question are paired by their numbers." if repeated else ".")


#: Bytes at the beginning of a file that show what wrote it.
HEAD = 2**16
#: Parts of an archive of Inspect; beginning of its JSON; rows of lm-evaluation-harness, which a table of cases with a
#: column doc_id is not.
_PARTS = (b"_journal/", b"samples/", b"header.json")
_INSPECT = re.compile(rb'\s*\{\s*"version"\s*:.*?"eval"\s*:\s*\{', re.DOTALL)
_HARNESS = re.compile(rb'\s*\{(?=.*"doc_id"\s*:)(?=.*"(doc_hash|resps|filtered_resps|arguments)"\s*:)')


def is_log(path: str) -> bool:
    """Whether a file is a log of Inspect or samples of lm-evaluation-harness, by how it begins."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        head = file.read(HEAD)
    if head.startswith(b"PK"):
        return any(part in head for part in _PARTS)
    return bool(_INSPECT.match(head) or _HARNESS.match(head))


def contending_logs(
    paths: Sequence[str], request: Request, *, separate: bool, names: Sequence[str | None] = ()
) -> Contenders | None:
    """Logs side by side; None where a file is none."""
    logs = [path for path in paths if is_log(path)]
    if not logs:
        return None
    if len(logs) < len(paths):
        other = next(path for path in paths if path not in logs)
        raise refusal(other, "log_among_others", plain(logs[0], 100))
    if len(paths) == 1:
        raise refusal(plain(paths[0], 200), "one_log")
    if odd := [
        option
        for option, value in (
            ("rows", request.rows), ("true", request.true), ("id", request.id), ("labels", request.labels),
            ("positive", request.positive),
        )
        if value is not None
    ]:  # fmt: skip
        raise InvalidArgument(
            say("not_both", "a log, which says right or wrong and no class", listing(f"--{o}" for o in odd))
        )
    if len(request.pred) > 1:
        raise InvalidArgument(say("choose", "scores", request.pred, "--pred, one of them"))
    group = None if request.group is True else request.group
    asked = request.pred[0] if request.pred else None
    found = named_logs(paths, [read_by_score(path, asked, group) for path in paths], names)
    if separate:
        matrices = {name: log.confusion for name, log in found.items()}
        return Contenders(matrices=matrices, notes=(*notes_of(found), "Treated as separate test sets, as chosen."))
    with of_file(", ".join(plain(path, 100) for path in paths)):
        return Contenders(predictions=paired(found))


def log_alone(path: str, score: str | None, group: str | None = None) -> Reading | None:
    """Right and wrong of one log, to be held to a floor; None where the file is none."""
    if not is_log(path):
        return None
    log = read_by_score(path, score, group)
    notes = (*log.notes, *([] if log.group is None else [f"{log.units[0].upper()}{log.units[1:]}."]))
    return Reading(log.confusion, log.source, "log of an evaluation", notes)


def named_logs(paths: Sequence[str], logs: Sequence[Outcomes], names: Sequence[str | None] = ()) -> dict[str, Outcomes]:
    """Logs by name: as asked, else by the file's, or by the whole path where two files have one name."""
    stems = [Path(path).stem for path in paths]
    titles = stems if len(set(stems)) == len(stems) else [os.fspath(path) for path in paths]
    chosen = [*names, *[None] * len(titles)]
    titles = [name or title for name, title in zip(chosen, titles, strict=False)]
    if len(set(titles)) < len(titles):
        twice = next(title for title in titles if titles.count(title) > 1)
        raise InvalidArgument(say("twice", "the log", twice))
    return dict(zip(titles, logs, strict=True))


def logs_by_model(paths: Sequence[str], found: Sequence[Mapping[str, Outcomes]]) -> dict[str, Outcomes]:
    """What files hold, by the models that they name, else by the file."""
    titles = list(named_logs(paths, [next(iter(logs.values())) for logs in found]))
    logs: dict[str, Outcomes] = {}
    for title, models in zip(titles, found, strict=True):
        for model, log in models.items():
            name = model or title
            if name in logs:
                raise InvalidArgument(say("twice", "the log", name))
            logs[name] = log
    return logs


def read_by_score(path: str, asked: str | None, group: str | None, what: str = "group") -> Outcomes:
    """A log by the score that --pred names: a metric, and of lm-evaluation-harness its filter after a comma."""
    metric, _, chosen = (asked or "").partition(",")
    try:
        return read_log(path, metric=metric or None, filter=chosen or None, group=group)
    except InvalidFile as error:
        if error.kind == "no_group":
            problem = error.problem if what == "group" else say("no_slice", *error.fields)
            raise InvalidFile(error.source, problem, error.line) from None
        problem = error.problem.replace("--filter ", f"--pred {metric or 'METRIC'},").replace("--metric", "--pred")
        raise InvalidFile(error.source, f"{problem.rstrip('.')}.", error.line) from None


#: What slices are by where each log is one.
LOG = "log"


def slices_of_logs(
    paths: Sequence[str], by: Sequence[str] = (), score: str | None = None
) -> tuple[Slices, tuple[str, ...]]:
    """Right and wrong by slice, and what is to be said of the reading."""
    if odd := [path for path in paths if not is_log(path)]:
        raise refusal(odd[0], "log_among_others", "another")
    if not by and len(paths) == 1:
        raise InvalidArgument(say("no_slices"))
    fields: Sequence[str | None] = by or [None]
    read = [[read_by_score(path, score, field, "slice") for path in paths] for field in fields]
    for path, log in zip(paths, read[0], strict=True):
        if log.distinct < log.n:
            raise InvalidArgument(say("epochs_by_slice", path, by[0] if by else "FIELD"))
    columns: dict[str, list[str]] = {}
    for field, logs in zip(by, read, strict=False):
        columns[field] = [name for log in logs for name in log.group or ()]
    if not by:
        columns[LOG] = [name for name, log in named_logs(paths, read[0]).items() for _ in range(log.n)]
    right = np.concatenate([log.right for log in read[0]])
    made = Slices.from_predictions(
        [RIGHT] * len(right), np.where(right, RIGHT, WRONG), by=columns, labels=[WRONG, RIGHT]
    )
    metrics = dict.fromkeys(log.metric for log in read[0])
    if len(metrics) > 1:
        raise InvalidArgument(say("choose", "scores of these logs", metrics, "--pred, one that all have"))
    notes = dict.fromkeys(note for log in read[0] for note in log.notes)
    return made, (f"Right and wrong by {listing(metrics)}.", *notes)
