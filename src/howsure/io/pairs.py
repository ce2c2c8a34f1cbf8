"""Two classifiers to compare, from one file or two: on the same cases where the files say so."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from howsure.data.missing_answers import Missing
from howsure.data.predictions import Predictions
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt
from howsure.io.answers import Answers, CaseList, are_parts, chosen, read_answers
from howsure.io.engines.table_files import are_counted
from howsure.io.logs.several import contending_logs
from howsure.io.names_in_files import quoted
from howsure.io.paired_counts import pair_of_table
from howsure.io.reading import Reading, Request
from howsure.io.several_classifiers import Contenders, Pair, about_left_out, paired_in_files
from howsure.text.formats import integer, plain

__all__ = ["read_pair"]

PathLike = str | os.PathLike[str]


def read_pair(
    *files: PathLike,
    a: str | None = None,
    b: str | None = None,
    separate: bool = False,
    rows: Literal["true", "pred"] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    missing: Missing = "error",
    y_true: str | None = None,
    y_pred: Sequence[str] = (),
    id: str | None = None,  # noqa: A002  # the word that files have for it
    group: str | Literal[True] | None = None,
) -> Pair:
    """Read two classifiers, paired if one file holds the answers of both or two files have ids in common.

    Parameters
    ----------
    *files : str or path-like
        One of both classifiers, one each, or several that are one table of both.
    a, b : str, optional
        The classifiers: a column of the file (``NAME`` or ``pred_NAME``) or a value of its column of classifiers.
    separate : bool
        Do not pair what could be paired.
    rows, positive, labels : optional
        As in `howsure.io.read`.
    missing : str
        As in `Predictions`; files of counts know "error" and "exclude".
    y_true, id : str, optional
        Columns of the truth and of the case's name; by the words of the header if left out.
    y_pred : sequence of str
        Columns of the answers, likewise; two of one file are the two classifiers.
    group : str or True, optional
        Column of the group that each case belongs to, as in `howsure.io.read`.

    Raises
    ------
    InvalidFile
        With the file, what came, and what to do.
    InvalidArgument, InvalidLabels
        An argument that no file could agree with.
    """
    unlike: Literal["error", "exclude"] = "exclude" if missing == "exclude" else "error"
    request = Request(rows, positive, labels, None, unlike, y_true, tuple(y_pred), id, group=group)
    paths = [os.fspath(path) for path in files]
    if not separate and a is b is y_true is None and not y_pred and (counted := pair_of_table(paths)) is not None:
        return counted
    logs = contending_logs(paths, request, separate=separate, names=(a, b))
    if logs is not None:
        return _pair_of_logs(logs)
    if are_counted(paths):
        from howsure.io.counting.classifier_counts import counted_contenders, counted_pair

        return counted_pair(counted_contenders(paths, request, missing=missing, separate=separate), (a, b))
    models = [] if y_pred else [name for name in (a, b) if name is not None]
    first: PathLike | list[str] = paths[0]
    second = paths[1] if len(paths) > 1 else None
    unnamed = a is None and b is None and "-" not in paths
    if len(paths) > 1 and (len(y_pred) > 1 or (unnamed and are_parts(paths, replace(request, group=None)))):
        first, second = paths, None
    elif len(paths) > 2:
        raise InvalidArgument(f"{len(paths)} files are given, and two are compared; howsure rank takes any number")
    found = _read(first, request, a, models)
    other = found if second is None and isinstance(found, CaseList) else _other(first, second, request, b, models)
    if isinstance(found, CaseList) and second is None and a is None and b is None:
        a, b = _both(found)
    if second is None and (a is None or b is None):
        raise InvalidArgument("one file holds both classifiers: name them with --a and --b")
    if not isinstance(found, CaseList) or not isinstance(other, CaseList):
        return _apart(found, other, _titles(first, second, a, b), request, missing, a, b)
    keys = chosen(found, a), chosen(other, b)
    titles = _titles(first, second, a or keys[0] or None, b or keys[1] or None)
    one, two = found.classifiers[keys[0]], other.classifiers[keys[1]]
    if one is two:
        raise InvalidArgument(f"--a and --b are the same classifier, {excerpt(keys[0])}")
    notes = tuple(dict.fromkeys((*found.notes, *other.notes)))
    source = found.source if other is found else f"{found.source} and {other.source}"
    if not separate:
        options = {"labels": request.labels, "positive": request.positive, "missing": missing}
        both = dict(zip(titles, (one, two), strict=True))
        together = paired_in_files(source, both, options, "compares")
        if together is not None:
            here = set(one.id or ())
            lacking = tuple(case for case in two.id or () if case not in here)
            return Pair(titles, together, None, (*notes, *about_left_out(both, "compares")), lacking)
    advice = ["Treated as separate test sets, as chosen."] if separate else _advice(found, other, one, two, titles)
    return _apart(found, other, titles, request, missing, keys[0], keys[1], (*notes, *advice))


def _pair_of_logs(logs: Contenders) -> Pair:
    """Two logs of right and wrong."""
    names = tuple(logs.matrices or ()) if logs.predictions is None else logs.predictions.names
    if len(names) != 2:
        raise InvalidArgument(f"{len(names)} files are given, and two are compared; howsure rank takes any number")
    matrices = None if logs.matrices is None else (logs.matrices[names[0]], logs.matrices[names[1]])
    return Pair((names[0], names[1]), logs.predictions, matrices, logs.notes)


def _read(path: PathLike | list[str], request: Request, model: str | None, models: Sequence[str]) -> Reading | CaseList:
    return read_answers(path, replace(request, model=model), models)


def _other(
    first: PathLike | list[str], second: PathLike | None, request: Request, b: str | None, models: Sequence[str]
) -> Reading | CaseList:
    """The second file, or the second classifier of a file of counts."""
    if second is not None:
        if str(first) == str(second) == "-":
            raise InvalidArgument("standard input can be one of the two files, not both")
        try:
            return _read(second, request, b, models)
        except InvalidArgument:
            # groups of the same cases may stand in the first file alone, as beside a baseline
            if not isinstance(request.group, str) or second == "-":
                raise
        return _read(second, replace(request, group=True), b, models)
    if b is None or str(first) == "-":
        name = "standard input" if str(first) == "-" else str(first)
        problem = "it holds no answers of two classifiers case by case"
        raise InvalidFile(name, f"{problem}; give two files, or one with the columns y_true,pred_A,pred_B")
    return _read(first, request, b, models)


def _both(found: CaseList) -> tuple[str, str]:
    names = list(found.classifiers)
    if len(names) != 2:
        what = f"{len(names)} classifiers, {quoted(names)}" if len(names) > 1 else "one classifier"
        raise InvalidFile(
            found.source, f"it holds {what}; name two with --a and --b, or give two files (of a gate: --baseline)"
        )
    return names[0], names[1]


def _apart(
    found: Reading | CaseList,
    other: Reading | CaseList,
    names: tuple[str, str],
    request: Request,
    missing: Missing,
    a: str | None,
    b: str | None,
    notes: Sequence[str] = (),
) -> Pair:
    """Two matrices, each with what its reader had to say."""
    matrices, said = [], list(notes)
    for it, name in ((found, a), (other, b)):
        if isinstance(it, Reading):
            matrices.append(it.confusion)
            said += it.notes
            continue
        answers = it.classifiers[chosen(it, name)]
        options = {"labels": request.labels, "positive": request.positive, "missing": missing}
        try:
            alone = Predictions(answers.true, {"it": answers.pred}, id=answers.id, group=answers.group, **options)  # type: ignore[arg-type]
        except HowsureError as error:
            raise InvalidFile(it.source, plain(str(error), 1000).replace(" of classifier 'it'", "")) from None
        matrices.append(alone.confusion("it"))
        said += [note.replace(" of classifier 'it'", "") for note in alone.notes]
    return Pair(names, None, (matrices[0], matrices[1]), tuple(dict.fromkeys(said)))


def _advice(found: CaseList, other: CaseList, one: Answers, two: Answers, titles: tuple[str, str]) -> list[str]:
    """How to pair what looks like a pair."""
    if one.id is not None and two.id is not None:
        return ["The files have no id in common, so they are separate test sets.", *_spelled_unlike(one.id, two.id)]
    if one.id is not None or two.id is not None:
        which, lacking = titles if one.id is not None else titles[::-1]
        problem = f"Only {excerpt(which)} has ids, so they are separate test sets"
        return [f"{problem}. If they are the same cases, give {excerpt(lacking)} a column id as well."]
    for column, values in found.once.items():
        shared = values & other.once.get(column, set())
        if 2 * len(shared) > min(len(values), len(other.once.get(column, values))):
            how = "the same" if shared == values == other.once[column] else f"{integer(len(shared))} equal"
            said = (
                f"The column {excerpt(column, 40)} holds {how} values in both files, each once, and is not known as ids"
            )
            return [f"{said}; if it names the cases, pair them by it: --id {excerpt(column, 40)}."]
    if one.true == two.true:
        return [
            "Both hold the same true classes in the same order, which is not enough to pair them. If they are the same "
            "cases, give both a column id, or put both answers into one file (y_true,pred_A,pred_B)."
        ]
    return []


def _spelled_unlike(one: Sequence[str], two: Sequence[str]) -> list[str]:
    """Say that ids would be in common if zeros, capitals and kinds of numbers were alike."""
    known = {_bare_id(name): name for name in one}
    alike = [(known[_bare_id(name)], name) for name in two if _bare_id(name) in known]
    if not alike:
        return []
    first, second = map(excerpt, alike[0])
    return [
        f"{integer(len(alike))} of them are alike, as {first} and {second} are; write them in one way to pair them."
    ]


def _bare_id(name: str) -> str:
    """An id without what programs add to it: zeros before a number, a decimal point behind it, capitals, a folder."""
    text = name.casefold().replace("\\", "/").rsplit("/", 1)[-1].strip()
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"^(\d+)\.0+$", r"\1", text))


def _titles(first: PathLike | list[str], second: PathLike | None, a: str | None, b: str | None) -> tuple[str, str]:
    """Names of the classifiers: as asked for, else the files' names, whichever tell them apart."""
    one = first[0] if isinstance(first, list) else str(first)
    files = [str(one), str(one if second is None else second)]
    stems = [Path(name).stem if name != "-" else "standard input" for name in files]
    for known in (stems, files):
        one, two = a or known[0], b or known[1]
        if one != two:
            return one, two
    return f"{files[0]} (A)", f"{files[1]} (B)"
