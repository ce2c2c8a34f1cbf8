"""Several classifiers or sites: a leaderboard, a file of all answers, or a file each; two of them; a baseline."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from howsure.data.case_columns import Missing
from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.data.refusals import of_file, refusal, say
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt
from howsure.io.answers import (
    APART,
    UNPAIRED,
    Answers,
    CaseList,
    about_left_out,
    are_parts,
    case_list,
    chosen,
    common_key,
    pair_of_table,
    paired_in_files,
    read_answers,
)
from howsure.io.contents import content_of, holds, is_document_file
from howsure.io.counting.duck import begins_a_state
from howsure.io.counting.result import Counts
from howsure.io.formats.board import Collection, board_of, collection_of, is_collection, read_collection
from howsure.io.formats.written import case_document, matrix_document, read_state
from howsure.io.logs.log import contending_logs
from howsure.io.opening import located, opened
from howsure.io.reading import Contenders, Reading, Request
from howsure.io.replacing import replace_text
from howsure.io.roles import is_board, names_entries, rating_column
from howsure.io.stages import knowing_logs, read, read_content
from howsure.io.table import TextTable
from howsure.text.formats import integer, plain, several, unguarded

T = TypeVar("T")
#: What is made of a leaderboard.
OfBoard = Callable[[TextTable], T]


def read_contenders(paths: Sequence[str], *, n: int | None = None, separate: bool = False, **given: Any) -> Contenders:
    """Read classifiers to rank, paired where one file holds all answers or all files have ids in common."""
    request = Request.of_several(**given)
    found = contenders_of(paths, request, lambda table: board_of(table, n), separate=separate)
    if isinstance(found, Contenders):
        return found
    if isinstance(request.group, str):
        raise refusal(paths[0], "of_cases", "a group", request.group, "a leaderboard")
    return Contenders(board=found, notes=found.notes)


def contenders_of(
    paths: Sequence[str], request: Request, of_board: OfBoard[T], *, separate: bool = False
) -> Contenders | T:
    """The same, or what is made of a leaderboard."""
    if (states := _of_states(paths, request, separate=separate)) is not None:
        return states
    if (logs := contending_logs(paths, request, separate=separate)) is not None:
        return logs
    found = _gathered(_a_file_each(paths, request), request, of_board)
    if not isinstance(found, _Gathered):
        return found
    if len(found.members) < 2:
        raise refusal(paths[0], "one_classifier")
    joined = _joined(", ".join(paths), found, request, "ranks", separate=separate)
    if joined.predictions is not None or not all(isinstance(it, Answers) for it in found.members.values()):
        return joined
    return replace(joined, notes=(*joined.notes, APART if separate else UNPAIRED))


class _Gathered(NamedTuple):
    """Answers and matrices by the names of their classifiers, with what their readers had to say."""

    members: Mapping[str, Answers | ConfusionMatrix]
    notes: Sequence[str] = ()


def _joined(source: str, found: _Gathered, request: Request, does: str, *, separate: bool) -> Contenders:
    """All on the same cases where the files say so, else each on its own; ``does`` as in `paired_in_files`."""
    answers = {name: it for name, it in found.members.items() if isinstance(it, Answers)}
    notes = [*found.notes]
    if not separate and len(answers) == len(found.members):
        together = paired_in_files(source, answers, request.options, does)
        if together is not None:
            return Contenders(predictions=together, notes=(*notes, *about_left_out(answers, does)))
    matrices = {}
    for name, it in found.members.items():
        if isinstance(it, Answers):
            alone = it.alone(request.options)
            of = f"{plain(name, 40)}: " if does == "ranks" else ""
            notes += [of + note.replace(" of classifier 'it'", "") for note in alone.notes]
            it = alone.confusion("it")
        matrices[name] = it
    return Contenders(matrices=matrices, notes=tuple(dict.fromkeys(notes)))


def read_predictions(
    *paths: str | os.PathLike[str],
    labels: Sequence[str] | None = None,
    positive: str | None = None,
    missing: Missing = "error",
    group: str | Literal[True] | None = True,
) -> Predictions:
    r"""Read what classifiers answered to the same cases, for `compare` and `rank`.

    Parameters
    ----------
    *paths : str or path-like
        One file of all answers (``y_true,pred_A,pred_B``), or one file a classifier (``id,y_true,y_pred``), named for
        its file and paired by the ids that all have.
    labels, positive, missing : optional
        As in `Predictions`.
    group : str, True or None
        Column of the patient, document or question that each case belongs to; True: the column called ``group`` or
        ``cluster``, if there is one; None: cases are taken as separate, and a note says so.

    Raises
    ------
    InvalidFile
        Counts, which no case can be told from; no id in common; or as in `read`.
    InvalidArgument
        A list, a data frame: each file is a path of its own.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     new, old = (pathlib.Path(folder, f"{name}.csv") for name in ("new", "old"))
    ...     _ = new.write_text("id,y_true,y_pred\n1,cat,cat\n2,dog,dog\n")
    ...     _ = old.write_text("id,y_true,y_pred\n2,dog,cat\n1,cat,cat\n")
    ...     read_predictions(new, old).names
    ('new', 'old')
    """
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise InvalidArgument(say("not_a", "a file", "a path of its own", path))
    files = [os.fspath(path) for path in paths]
    request = Request.of_several(labels=labels, positive=positive, missing=missing, group=group)
    if not files:
        raise InvalidArgument("no file is given")
    logs = contending_logs(files, request, separate=False)
    if logs is not None and logs.predictions is not None:
        return logs.predictions
    found = _gathered(files, request, lambda _: None)
    if found is None:
        raise refusal(files[0], "no_cases", "a leaderboard")
    if counted := [name for name, it in found.members.items() if not isinstance(it, Answers)]:
        raise refusal(counted[0], "no_cases", "counts")
    source = ", ".join(files)
    named = {name or Path(files[0]).stem: it for name, it in found.members.items() if isinstance(it, Answers)}
    made = paired_in_files(source, named, {**request.options, "notes": tuple(found.notes)}, "ranks")
    if made is None:
        raise refusal(source, "no_id_shared")
    return made


def _a_file_each(paths: Sequence[str], request: Request) -> Sequence[str]:
    """Files of a folder or a pattern, where the first holds one classifier, which has no name but the file's."""
    files = located(paths[0])[0] if len(paths) == 1 and paths[0] != "-" else []
    if len(files) < 2:
        return paths
    first = read_answers(files[0], request)
    return files if isinstance(first, Reading) or set(first.classifiers) == {""} else paths


def _gathered(paths: Sequence[str], request: Request, of_board: OfBoard[T]) -> _Gathered | T:
    if len(paths) == 1:
        found = _one(paths[0], request, of_board)
        if isinstance(found, Collection):
            return _Gathered(found)
        return _Gathered(found.classifiers, found.notes) if isinstance(found, CaseList) else found
    found_each = [read_answers(path, request) for path in paths]
    if len(request.pred) > 1 or are_parts(found_each):
        together = read_answers(list(paths), request)
        if isinstance(together, CaseList):
            return _Gathered(together.classifiers, together.notes)
    key = common_key(found_each)
    notes = [] if key is None else [_BY_KEY.format(excerpt(key, 40))]
    members: dict[str, Answers | ConfusionMatrix] = {}
    for path, name, it in zip(paths, _names_of_files(paths), found_each, strict=True):
        if key is not None:
            it = read_answers(path, replace(request, id=key))
        notes += [f"{plain(name, 40)}: {note}" for note in it.notes]
        if isinstance(it, CaseList) and len(it.classifiers) > 1:
            raise refusal(it.source, "choose", "classifiers", it.classifiers, "one a file, or it alone")
        members[name] = it.confusion if isinstance(it, Reading) else next(iter(it.classifiers.values()))
    return _Gathered(members, notes)


def _one(path: str, request: Request, of_board: OfBoard[T]) -> T | CaseList | Collection:
    with opened(path) as file, knowing_logs(file):
        content = content_of(file)
        if isinstance(content, TextTable) and is_board(content.header) and request.true is None:
            return of_board(content)
        if isinstance(content, TextTable) and request.true is None and (rating := rating_column(content.header)):
            raise content.fault(say("rating", rating))
        if isinstance(content, TextTable) and is_collection(content.header):
            return collection_of(content)
        if isinstance(content, TextTable) and request.true is None and names_entries(content.header):
            return of_board(content)
        try:
            found = read_content(content, request, case_list)
        except InvalidFile as error:
            if error.kind != "unrecognised" or not isinstance(content, TextTable):
                raise
            raise InvalidFile(content.source, f"{error.problem} {say('leaderboard')}", content.line) from None
    if isinstance(found, Reading):
        raise refusal(found.source, "one_matrix")
    return found


# -- two classifiers -----------------------------------------------------------------------------------------------


def read_pair(
    *files: str | os.PathLike[str], a: str | None = None, b: str | None = None, separate: bool = False, **given: Any
) -> Contenders:
    """Read two classifiers, paired if one file holds the answers of both or two files have ids in common."""
    request = Request.of_several(**given)
    paths = [os.fspath(path) for path in files]
    columns = [it for it in (a, b, request.true, *request.pred) if it is not None]
    if not separate and not columns and (counted := pair_of_table(paths)) is not None:
        return counted
    if (logs := contending_logs(paths, request, separate=separate, names=(a, b))) is not None:
        return logs.two()
    if (states := _of_states(paths, request, separate=separate)) is not None:
        return states.two(a, b)
    if len(paths) == 1 and "-" not in paths and not columns and (rows := _rows_of_counts(paths[0])) is not None:
        return rows.two()
    unnamed = a is None and b is None and "-" not in paths
    whole = len(paths) == 1 or len(request.pred) > 1
    whole = whole or (unnamed and are_parts([read_answers(path, replace(request, group=None)) for path in paths]))
    if not whole and len(paths) > 2:
        raise InvalidArgument(say("two_compared", len(paths)))
    sources: list[str | list[str]] = [paths[0] if len(paths) == 1 else paths] * 2 if whole else [*paths]
    models = [] if request.pred else [name for name in (a, b) if name is not None]
    first = read_answers(sources[0], replace(request, model=a), models)
    second = first if whole and isinstance(first, CaseList) else _other(sources, request, b, models, whole=whole)
    if second is first and isinstance(first, CaseList) and a is None and b is None:
        a, b = _both(first)
    if whole and (a is None or b is None):
        raise InvalidArgument(say("name_two"))
    said: list[str] = []
    if not separate and not whole and (key := common_key([first, second])) is not None:
        request, said = replace(request, id=key), [_BY_KEY.format(excerpt(key, 40))]
        first, second = (
            read_answers(it, replace(request, model=name), models) for it, name in zip(sources, (a, b), strict=True)
        )
    sides = [_side(first, a), _side(second, b)]
    if sides[0][1] is sides[1][1]:
        raise InvalidArgument(say("twice", "the classifier", sides[0][0]))
    titles = _titles(paths[0], None if whole else paths[1], a or sides[0][0] or None, b or sides[1][0] or None)
    members = dict(zip(titles, (side[1] for side in sides), strict=True))
    source = first.source if whole else f"{first.source} and {second.source}"
    notes = dict.fromkeys((*first.notes, *said, *second.notes))
    joined = replace(
        _joined(source, _Gathered(members, [*notes]), request, "compares", separate=separate), names=titles
    )
    one, two = members.values()
    if not isinstance(one, Answers) or not isinstance(two, Answers):
        return joined
    if joined.predictions is None:
        advice = [APART] if separate else _advice((first, second), (one, two), titles)
        return replace(joined, notes=(*joined.notes, *advice))
    here = set(one.id or ())
    return replace(joined, lacking=tuple(case for case in two.id or () if case not in here))


def _rows_of_counts(path: str) -> Contenders | None:
    """The matrices of a table with a row of four counts for each; None where it is another."""
    with opened(path) as file, knowing_logs(file):
        content = content_of(file)
        if not isinstance(content, TextTable) or not is_collection(content.header):
            return None
        return Contenders(matrices=dict(collection_of(content)), notes=tuple(content.notes))


_BY_KEY = "The cases are paired by the column {}, which names them."


def _side(found: Reading | CaseList, name: str | None) -> tuple[str, Answers | ConfusionMatrix]:
    if isinstance(found, Reading):
        return name or "", found.confusion
    key = chosen(found, name)
    return key, found.classifiers[key]


def _other(
    sources: list[str | list[str]], request: Request, b: str | None, models: Sequence[str], *, whole: bool
) -> Reading | CaseList:
    first, second = sources
    if whole and (b is None or first == "-"):
        raise refusal("standard input" if first == "-" else str(first), "no_cases", "one classifier")
    if not whole and first == second == "-":
        raise InvalidArgument(say("twice", "the file", "-"))
    try:
        return read_answers(second, replace(request, model=b), models)
    except InvalidArgument:
        # groups of the same cases may stand in the first file alone, as beside a baseline
        if whole or not isinstance(request.group, str) or second == "-":
            raise
    return read_answers(second, replace(request, model=b, group=True), models)


def _both(found: CaseList) -> tuple[str, str]:
    names = list(found.classifiers)
    if len(names) != 2:
        choose = say("choose", "classifiers", names, "--a and --b (of a gate: --baseline)")
        raise InvalidFile(found.source, choose if len(names) > 1 else say("one_classifier"))
    return names[0], names[1]


def _advice(
    found: tuple[Reading | CaseList, Reading | CaseList], both: tuple[Answers, Answers], titles: tuple[str, str]
) -> list[str]:
    one, two = both
    if one.id is not None and two.id is not None:
        return ["The files have no id in common, so they are separate test sets.", *_spelled_unlike(one.id, two.id)]
    if one.id is not None or two.id is not None:
        which, lacking = titles if one.id is not None else titles[::-1]
        problem = f"Only {excerpt(which)} has ids, so they are separate test sets"
        return [f"{problem}. If they are the same cases, give {excerpt(lacking)} a column id as well."]
    known, there = (it.once if isinstance(it, CaseList) else {} for it in found)
    for column, values in known.items():
        shared = values & there.get(column, set())
        if 2 * len(shared) > min(len(values), len(there.get(column, values))):
            how = "the same" if shared == values == there[column] else f"{integer(len(shared))} equal"
            return [say("equal_columns", excerpt(column, 40), how, excerpt(column, 40))]
    return [say("equal_truths")] if one.true.cells() == two.true.cells() else []


def _spelled_unlike(one: Sequence[str], two: Sequence[str]) -> list[str]:
    """Say that ids would be in common if zeros, capitals and kinds of numbers were alike."""
    known = {_bare_id(name): name for name in one}
    alike = [(known[_bare_id(name)], name) for name in two if _bare_id(name) in known]
    return [say("ids_spelled_unlike", len(alike), *alike[0])] if alike else []


def _bare_id(name: str) -> str:
    """An id without what programs add to it: zeros before a number, a decimal point behind it, capitals, a folder."""
    text = name.casefold().replace("\\", "/").rsplit("/", 1)[-1].strip()
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"^(\d+)\.0+$", r"\1", text))


def _titles(first: str, second: str | None, a: str | None, b: str | None) -> tuple[str, str]:
    """Names of the classifiers: as asked for, else the files' names, whichever tell them apart."""
    files = [first, first if second is None else second]
    for known in ([Path(name).stem if name != "-" else "standard input" for name in files], files):
        one, two = a or known[0], b or known[1]
        if one != two:
            return one, two
    return f"{files[0]} (A)", f"{files[1]} (B)"


# -- what a gate remembers -----------------------------------------------------------------------------------------


def write_baseline(path: str, candidate: str, *, model: str | None = None, **given: Any) -> str:
    """Write the classifier of one file as the next baseline, whole or not at all; give a sentence that says what.

    Case by case where the cases have ids, else as a matrix.
    """
    if Path(path).suffix.lower() != ".json":
        raise refusal(path, "not_a", "a baseline", "JSON (baseline.json)", Path(path).suffix)
    if candidate == "-":
        raise refusal("standard input", "not_both", "standard input", "--update-baseline, which reads it again")
    request = replace(Request.of_several(**given), model=model)
    found = read_answers(candidate, request, [] if model is None else [model])
    name = model or Path(candidate).stem
    if isinstance(found, Reading):
        replace_text(path, matrix_document(found.confusion, name))
        return f"{path} now holds the matrix of {plain(name, 40)}."
    alone = found.classifiers[chosen(found, model)].alone(request.options)
    if alone.id is None:
        replace_text(path, matrix_document(alone.confusion("it"), name))
        return say("matrix_for_cases", path, plain(name, 40))
    replace_text(path, case_document(alone, name))
    return f"{path} now holds the {several(alone.n, 'case')} of {plain(name, 40)}."


# -- counts that grow ----------------------------------------------------------------------------------------------


def is_state_file(path: str) -> bool:
    """Whether a file holds counts that grow."""
    try:
        with opened(path) as file:
            return is_document_file(file) and begins_a_state(file.head)
    except HowsureError:
        return False  # whoever reads it says why not


def _of_states(paths: Sequence[str], request: Request, *, separate: bool = False) -> Contenders | None:
    found = [read_state(path)[0] for path in paths if path != "-" and is_state_file(path)]
    if not found:
        return None
    name = plain(paths[0], 200) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
    if len(found) < len(paths):
        raise InvalidArgument(say("not_both", "counts (JSON)", "tables of cases"))
    for counts in found:
        _refuse_gaps(name, counts, request.policy)
        if counts.by and request.group is not None and any(None in key for key in counts.groups):
            raise refusal(name, "group_lacking", "group", counts.by[0])
    with of_file(name):
        (first, *others) = found
        if not others and len(first.models) > 1 and first.paired and not separate:
            together = first.predictions(missing=request.policy, positive=request.positive, clusters=bool(first.by))
            return Contenders(predictions=together, notes=together.notes)
        if (len(first.models) < 2 and not others) or any(len(counts.models) > 1 for counts in found if others):
            there = max((counts.models for counts in found), key=len)
            raise refusal(name, "choose", "classifiers", there, "one table of all, or one classifier a table")
        titles = _names_of_files(paths) if others else first.models
        parts = [(counts, model) for counts in found for model in counts.models]
        classes = {"labels": request.labels, "positive": request.positive}
        made = [counts.confusion(model=model, **classes) for counts, model in parts]
        matrices = dict(zip(titles, made, strict=True))
    notes = [note for counts in found for note in counts.notes]
    notes += [f"Set aside: {one}." for counts in found for one in counts.set_aside]
    return Contenders(matrices=matrices, notes=tuple(dict.fromkeys([*notes, APART if separate else UNPAIRED])))


def _names_of_files(paths: Sequence[str]) -> list[str]:
    for names in ([Path(path).stem for path in paths], [Path(path).parent.name or path for path in paths]):
        if len(set(names)) == len(names):
            return names
    twice = [Path(path).stem for path in paths]
    raise InvalidArgument(say("twice", "the file name", next(name for name in twice if twice.count(name) > 1)))


def _refuse_gaps(name: str, counts: Counts, missing: Missing) -> None:
    """Rows that are in no count need a word from the user."""
    lost = [one for one in counts.set_aside if not one.reason.startswith("no answer")]
    gaps = counts.set_aside if missing == "error" else () if missing == "exclude" else lost
    if gaps:
        others = " --missing wrong counts missing answers as errors." if missing == "error" else ""
        raise refusal(name, "set_aside", "; ".join(map(str, gaps)), others)


# -- test sets of several sites, and several classifiers over many data sets --

#: Data sets of a table, so many as no answer takes.
MOST = 10_000


class Sites(NamedTuple):
    """What `howsure.pool` takes, and what was said on the way."""

    sites: dict[str, ConfusionMatrix | Predictions] | ConfusionMatrix
    notes: tuple[str, ...] = ()
    unit: Literal["site", "study"] = "site"


@dataclass(frozen=True)
class OverDataSets:
    """What `compare_over` and `rank_over` take, and what was said on the way.

    Parameters
    ----------
    data_sets : Predictions or dict
        Predictions whose groups are the data sets, or of each data set ``{classifier: (k, n)}``.
    notes : tuple of str
    """

    data_sets: Predictions | dict[str, dict[str, tuple[int, int]]]
    notes: tuple[str, ...] = ()


def read_sites(paths: Sequence[str], *, site: str | None = None, y_pred: str | None = None, **given: Any) -> Sites:
    """Read the test sets of several sites."""
    if site is not None:
        try:
            found = read(list(paths) if len(paths) > 1 else paths[0], group=site, y_pred=y_pred, **given)
        except InvalidFile:
            if len(paths) > 1 or paths[0] == "-" or not holds(paths[0], lambda table: is_collection(table.header)):
                raise
            return _of_collection(read_collection(paths[0], named_by=site))
        return Sites(found.confusion, found.notes)
    files = located(paths[0])[0] if len(paths) == 1 and paths[0] != "-" else list(paths)
    if len(files) < 2:
        try:
            return _of_collection(read_collection(paths[0]))
        except InvalidFile as error:
            if error.kind not in ("no_column", "two_columns"):
                raise
            raise InvalidFile(
                error.source, f"it is no table of sites: {error.problem}. {say('several_sites')}", error.line
            ) from None
    request = Request.of_several(y_pred=() if y_pred is None else (y_pred,), **given)
    sites: dict[str, ConfusionMatrix | Predictions] = {}
    notes: list[str] = []
    for path in files:
        name = Path(path).stem
        if name in sites:
            raise InvalidArgument(say("twice", "the file name", name))
        one = read_answers(path, request)
        notes += [f"{plain(name, 40)}: {note}" for note in one.notes]
        if isinstance(one, Reading):
            sites[name] = one.confusion
        elif len(one.classifiers) != 1:
            raise refusal(one.source, "choose", "classifiers", one.classifiers, "--pred")
        else:
            sites[name] = next(iter(one.classifiers.values())).alone(request.options)
    return Sites(sites, tuple(notes))


def _of_collection(found: Collection) -> Sites:
    return Sites(dict(found), unit="study" if found.are_studies else "site")


def read_over(paths: Sequence[str], site: str, *, n: int | None = None, **given: Any) -> OverDataSets:
    """Read classifiers over data sets."""
    if given.get("missing") == "estimate" or given.pop("separate", False):
        option = "--missing estimate" if given.get("missing") == "estimate" else "--separate"
        raise InvalidArgument(say("not_both", "--site", option))
    request = Request.of_several(group=site, **given)
    try:
        found = contenders_of(paths, request, lambda table: _of_board(table, site, n))
    except InvalidFile as error:
        if error.kind not in ("one_matrix", "one_classifier"):
            raise
        raise InvalidFile(error.source, f"{error.problem}. {say('over_data_sets')}", error.line) from None
    if not isinstance(found, Contenders):
        return found
    if found.predictions is None or found.predictions.group is None:
        raise InvalidFile(", ".join(paths), f"{say('no_id_shared')}. {say('over_data_sets')}")
    return OverDataSets(found.predictions, found.notes)


def _of_board(table: TextTable, site: str, n: int | None) -> OverDataSets:
    if table.header.count(site) != 1:
        raise table.fault(say("absent", "column", site, table.header))
    place = table.header.index(site)
    parts: dict[str, list[tuple[int, list[str]]]] = {}
    for line, row in table.filled():
        name = unguarded(row[place]).strip()
        if not name:
            raise table.fault(say("lacking", f"the data set of a row (column {excerpt(site)})"), line)
        parts.setdefault(name, []).append((line, row))
        if len(parts) > MOST:
            raise table.fault(say("too_many", len(parts), "data sets", MOST), line)
    made: dict[str, dict[str, tuple[int, int]]] = {}
    notes: list[str] = []
    for name, rows in parts.items():
        if len(rows) < 2:
            raise table.fault(say("one_classifier"), rows[0][0])
        board = board_of(replace(table, rows=iter(rows)), n)
        made[name] = {x.name: (x.correct, x.n) for x in board.standings}
        notes += [f"{plain(name, 40)}: {note}" for note in board.notes]
    if not made:
        raise table.fault(say("no_rows", "row"))
    return OverDataSets(made, tuple(notes))
