"""Logs that are compared, gated or ranked together, each named for its file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.logs.log import read_log
from howsure.io.logs.outcomes import Outcomes
from howsure.io.logs.pairing import notes_of, paired
from howsure.io.reading import Reading, Request
from howsure.io.several_classifiers import Contenders
from howsure.text.formats import plain

__all__ = ["contending_logs", "is_log", "log_alone", "logs_by_model", "named_logs", "read_by_score"]

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
        raise InvalidFile(
            other, f"it is no log of an evaluation, and {plain(logs[0], 100)} is one; give logs, or files of classes"
        )
    if len(paths) == 1:
        raise InvalidFile(
            plain(paths[0], 200),
            "it is the log of one model; name another beside it (of a gate --baseline, or a --floor), or ask howsure "
            "log how sure its accuracy is",
        )
    if odd := [
        option
        for option, value in (
            ("rows", request.rows), ("true", request.true), ("id", request.id), ("labels", request.labels),
            ("positive", request.positive),
        )
        if value is not None
    ]:  # fmt: skip
        raise InvalidArgument(f"logs say right or wrong, and no class; leave {listing(f'--{o}' for o in odd)} out")
    if len(request.pred) > 1:
        raise InvalidArgument(f"--pred names {len(request.pred)} scores, and one is compared; choose one")
    group = None if request.group is True else request.group
    asked = request.pred[0] if request.pred else None
    found = named_logs(paths, [read_by_score(path, asked, group) for path in paths], names)
    if separate:
        matrices = {name: log.confusion for name, log in found.items()}
        return Contenders(matrices=matrices, notes=(*notes_of(found), "Treated as separate test sets, as chosen."))
    try:
        return Contenders(predictions=paired(found))
    except HowsureError as error:
        raise InvalidFile(", ".join(plain(path, 100) for path in paths), plain(str(error), 1000)) from None


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
        raise InvalidArgument(f"{excerpt(twice)} is given twice; name the logs of different models")
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
                raise InvalidArgument(f"{excerpt(name)} is given twice; name the logs of different models")
            logs[name] = log
    return logs


def read_by_score(path: str, asked: str | None, group: str | None) -> Outcomes:
    """A log by the score that --pred names: a metric, and of lm-evaluation-harness its filter after a comma."""
    metric, _, chosen = (asked or "").partition(",")
    try:
        return read_log(path, metric=metric or None, filter=chosen or None, group=group)
    except InvalidFile as error:
        problem = error.problem.replace("--filter ", f"--pred {metric or 'METRIC'},").replace("--metric", "--pred")
        problem = problem.rstrip(".")
        if "--threshold" in problem:
            problem += " (howsure log FILE FILE reads logs with this option)"
        raise InvalidFile(error.source, f"{problem}.", error.line) from None
