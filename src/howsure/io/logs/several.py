"""Several logs: compared on the answers that all have, held to a floor, or by slice."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from howsure.data.outcomes import RIGHT, WRONG, Outcomes
from howsure.data.predictions import Predictions
from howsure.data.refusals import of_file, refusal, say
from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.logs.log import read_log
from howsure.io.reading import Contenders, Reading, Request
from howsure.text.formats import plain, several


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
    """The unit of the items that all have, as a sentence."""
    items = set.intersection(*(set(log.items) for log in logs.values()))
    of = {group for log in logs.values() for item, group in zip(log.items, log.group or (), strict=False)
          if log.grouped_by and item in items}  # fmt: skip
    questions = several(len(items), "question")
    named = f"{several(len(of), 'value')} of {excerpt(by, 40)}, with " if by else ""
    said = f"Groups: the {named}{questions}"
    return said + ("; epochs of a question are paired by their numbers." if repeated else ".")


#: Bytes at the beginning of a file that show what wrote it.
BEGINNING = 2**16
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
        head = file.read(BEGINNING)
    if head.startswith(b"PK"):
        return any(part in head for part in _PARTS)
    return bool(_INSPECT.match(head) or _HARNESS.match(head))


def contending_logs(
    paths: Sequence[str], request: Request, *, separate: bool, names: Sequence[str | None] = ()
) -> Contenders | None:
    """Logs side by side; None where a file is none.

    Parameters
    ----------
    paths : sequence of str
    request : Request
        ``pred`` names the score, and of lm-evaluation-harness the filter after a comma; ``group`` the field that says
        what makes answers alike.
    separate : bool
        Do not pair what could be paired.
    names : sequence of str or None
        What to call them, where not by the file.

    Raises
    ------
    InvalidFile, InvalidArgument
        A log that is damaged, several scores and none chosen, options about classes, a log among other files, nothing
        in common.
    """
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
    """Logs by name: as asked, else by the file's, or by the whole path where two files have one name.

    Raises
    ------
    InvalidArgument
        One file twice.
    """
    stems = [Path(path).stem for path in paths]
    titles = stems if len(set(stems)) == len(stems) else [os.fspath(path) for path in paths]
    chosen = [*names, *[None] * len(titles)]
    titles = [name or title for name, title in zip(chosen, titles, strict=False)]
    if len(set(titles)) < len(titles):
        twice = next(title for title in titles if titles.count(title) > 1)
        raise InvalidArgument(say("twice", "the log", twice))
    return dict(zip(titles, logs, strict=True))


def logs_by_model(paths: Sequence[str], found: Sequence[Mapping[str, Outcomes]]) -> dict[str, Outcomes]:
    """What files hold, by the models that they name, else by the file.

    Raises
    ------
    InvalidArgument
        One file, or one model, twice.
    """
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
    """Right and wrong by slice, and what is to be said of the reading.

    Parameters
    ----------
    paths : sequence of str
        Logs of Inspect or samples of lm-evaluation-harness, of one model: of several each answer counts.
    by : sequence of str
        Fields of the questions; of several logs left out, each log is a slice and named for its file.
    score : str, optional
        A metric, and of lm-evaluation-harness the filter after a comma, where there are several.

    Raises
    ------
    InvalidArgument
        One log and no field; an answer in several epochs, because answers to one question are not independent.
    InvalidFile
        A file that is no log, a field that a question lacks, a log that is damaged.
    """
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
