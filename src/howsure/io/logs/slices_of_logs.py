"""Answers of one or several logs by slice: a field of the questions, or the log itself, such as a subtask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, InvalidFile, listing
from howsure.io.logs.outcomes import RIGHT, WRONG, Outcomes
from howsure.io.logs.several_logs import is_log, named_logs, read_by_score

__all__ = ["LOG", "slices_of_logs"]

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
        raise InvalidFile(odd[0], "it is no log of an evaluation, and the others are; give logs, or tables of cases")
    if not by and len(paths) == 1:
        raise InvalidArgument(
            "name the field of the questions that makes the slices, such as --by category; or give several logs, and "
            "each is a slice"
        )
    fields: Sequence[str | None] = by or [None]
    read = [[_read(path, score, field) for path in paths] for field in fields]
    for path, log in zip(paths, read[0], strict=True):
        if log.distinct < log.n:
            raise InvalidArgument(
                f"{path} has several epochs, and by slice answers are taken as independent, which those to one "
                f"question are not; howsure log {path} --group {by[0] if by else 'FIELD'} is about its questions"
            )
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
        raise InvalidArgument(f"the logs are scored by {listing(metrics)}; name one that all have with --pred")
    notes = dict.fromkeys(note for log in read[0] for note in log.notes)
    return made, (f"Right and wrong by {listing(metrics)}.", *notes)


def _read(path: str, score: str | None, field: str | None) -> Outcomes:
    try:
        return read_by_score(path, score, field)
    except InvalidFile as error:
        raise InvalidFile(
            error.source, error.problem.replace("to name its group", "to name its slice"), error.line
        ) from None
