"""Several classifiers from tables that are counted: one table of all answers, or a table each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from howsure.data.missing_answers import Missing
from howsure.data.words import bare_name
from howsure.errors import InvalidArgument
from howsure.io.answers import APART, UNPAIRED
from howsure.io.contents import is_document_file, table_of
from howsure.io.counting.count import count
from howsure.io.counting.result import Counts
from howsure.io.counting.tally import names_of
from howsure.io.engines.duck import begins_a_state
from howsure.io.formats.written import read_state
from howsure.io.opening import opened
from howsure.io.reading import Contenders, Request
from howsure.io.refusals import of_file, refusal, say
from howsure.io.roles import columns_of, settled_columns
from howsure.text.formats import plain


def counted_contenders(paths: Sequence[str], request: Request, *, separate: bool = False) -> Contenders:
    """Classifiers from tables too large to be kept case by case, or from counts that grow.

    Parameters
    ----------
    paths : sequence of str
        Together one table with the answers of several classifiers; or, with one column of answers, a table each.
    request : Request
    separate : bool
        As in `howsure.io.contenders.read_contenders`.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
    name = plain(paths[0], 200) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
    found = [read_state(path)[0] for path in paths if is_state_file(path)]
    if found and len(found) < len(paths):
        raise InvalidArgument(say("not_both", "counts (JSON)", "tables of cases"))
    found = found or _counted(paths, request)
    for counts in found:
        _refuse_gaps(name, counts, request.policy)
        if counts.by and request.group is not None and any(None in key for key in counts.groups):
            raise refusal(name, "group_lacking", "group", counts.by[0])
    with of_file(name):
        if len(found) == 1 and len(found[0].models) > 1 and found[0].paired and not separate:
            grouped = bool(found[0].by)
            made = found[0].predictions(missing=request.policy, positive=request.positive, clusters=grouped)
            return Contenders(predictions=made, notes=made.notes)
        titled = [(m, found[0], m) for m in found[0].models] if len(found) == 1 else [
            (title, counts, counts.models[0]) for title, counts in zip(_titles(paths), found, strict=True)
        ]  # fmt: skip
        several = next((counts for counts in found if len(found) > 1 and len(counts.models) > 1), None)
        if several is not None or len(titled) < 2:
            there = (several or found[0]).models
            raise refusal(name, "choose", "classifiers", there, "one table of all, or one classifier a table")
        classes = {"labels": request.labels, "positive": request.positive}
        matrices = {title: counts.confusion(model=model, **classes) for title, counts, model in titled}
    notes = [note for counts in found for note in counts.notes]
    notes += [f"Set aside: {one}." for counts in found for one in counts.set_aside]
    return Contenders(matrices=matrices, notes=tuple(dict.fromkeys([*notes, APART if separate else UNPAIRED])))


def is_state_file(path: str) -> bool:
    """Whether a file holds counts that grow."""
    with opened(path) as file:
        return is_document_file(file) and begins_a_state(file.head)


def _counted(paths: Sequence[str], request: Request) -> list[Counts]:
    """Counts of all tables together, which have the columns of the first, or of each."""
    with opened(paths[0]) as file:
        table = table_of(file)
        names = names_of(table)
        found = columns_of(table, request)
        if found is None:
            raise table.unrecognised()
        found = settled_columns(table, found)
    model, ids, group = (None if at is None else names[at] for at in (found.model, found.id, found.group))
    truth, answers = names[found.true], {key or bare_name(names[at]): names[at] for key, at in found.pred.items()}
    if len(answers) == 1 and model is None and len(paths) > 1:
        if request.group is not None and group is not None:
            raise InvalidArgument(say("not_both", "tables this large, each of a classifier", f"groups ({group})"))
        column = next(iter(answers.values()))
        return [count(path, y_true=truth, y_pred=column, labels=request.labels) for path in paths]
    # without a classifier's column every row is a case, and its id says nothing more
    options: dict[str, Any] = {} if model is None else {"model": model} | ({} if ids is None else {"id": ids})
    if request.group is not None and group is not None:
        options["by"] = group
    return [count(list(paths), y_true=truth, y_pred=answers, labels=request.labels, **options)]


def _titles(paths: Sequence[str]) -> list[str]:
    """Names of tables: of the files, or of the folders where these are alike."""
    names = [Path(path.rstrip("/")).name.split(".")[0] or path for path in paths]
    if len(set(names)) < len(names):
        names = [Path(path).parent.name or path for path in paths]
    if len(set(names)) < len(names):
        raise InvalidArgument(say("twice", "the table name", names[0]))
    return names


def _refuse_gaps(name: str, counts: Counts, missing: Missing) -> None:
    """Rows that are in no count need a word from the user."""
    lost = [one for one in counts.set_aside if not one.reason.startswith("no answer")]
    gaps = counts.set_aside if missing == "error" else () if missing == "exclude" else lost
    if gaps:
        others = " --missing wrong counts missing answers as errors." if missing == "error" else ""
        raise refusal(name, "set_aside", "; ".join(map(str, gaps)), others)
