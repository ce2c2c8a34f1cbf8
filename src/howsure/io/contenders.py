"""Several classifiers or sites: a leaderboard, a file of all answers, or a file each; two of them; a baseline."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from howsure.data.confusion import ConfusionMatrix
from howsure.data.missing_answers import Missing
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
from howsure.io.contents import content_of, is_document_file
from howsure.io.counting.duck import begins_a_state
from howsure.io.counting.result import Counts
from howsure.io.formats.board import Collection, board_of, collection_of, is_collection, read_collection
from howsure.io.formats.printed import printed
from howsure.io.formats.written import case_document, matrix_document, read_state
from howsure.io.logs.log import contending_logs
from howsure.io.opening import located, opened
from howsure.io.reading import Contenders, Pair, Reading, Request, two_of
from howsure.io.replacing import replace_text
from howsure.io.roles import is_board, rating_column
from howsure.io.stages import knowing_logs, read, read_content
from howsure.io.table import TextTable, delimited
from howsure.text.formats import integer, plain, several
from howsure.text.spreadsheet import unguarded

T = TypeVar("T")
#: What is made of a leaderboard.
OfBoard = Callable[[TextTable], T]

LEADERBOARD = (
    "A leaderboard has the columns name,correct,n or name,score,n (name may be team or model, score accuracy)."
)


def read_contenders(paths: Sequence[str], *, n: int | None = None, separate: bool = False, **given: Any) -> Contenders:
    """Read classifiers to rank, paired where one file holds all answers or all files have ids in common.

    Parameters
    ----------
    paths : sequence of str
        One leaderboard or one list of cases with several classifiers; or one file a classifier, named for the file,
        also as a folder or a pattern.
    n : int, optional
        Cases of every entry of a leaderboard that has none.
    separate : bool
        Do not pair what could be paired.
    **given
        As `Request.of_several` takes them: rows, positive, labels, missing, y_true, y_pred, id, group.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
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
    logs = contending_logs(paths, request, separate=separate)
    if logs is not None:
        return logs
    found = _gathered(_a_file_each(paths, request), request, of_board)
    if not isinstance(found, tuple):
        return found
    answers, matrices, notes = found
    if len(answers) + len(matrices) < 2:
        raise refusal(paths[0], "one_classifier")
    if not separate and not matrices:
        together = paired_in_files(", ".join(paths), answers, request.options, "ranks")
        if together is not None:
            return Contenders(predictions=together, notes=(*notes, *about_left_out(answers, "ranks")))
    said = notes if matrices else (*notes, APART if separate else UNPAIRED)
    alone = {name: it.alone(name, request.options).confusion("it") for name, it in answers.items()} | matrices
    order = [Path(path).stem for path in paths]
    names = order if set(order) == set(alone) else list(alone)
    return Contenders(matrices={name: alone[name] for name in names}, notes=said)


def read_together(paths: Sequence[str], **given: Any) -> Predictions:
    """See `howsure.io.read_predictions`."""
    request = Request.of_several(**given)
    if not paths:
        raise InvalidArgument("no file is given")
    logs = contending_logs(paths, request, separate=False)
    if logs is not None and logs.predictions is not None:
        return logs.predictions
    found = _gathered(paths, request, lambda _: None)
    if found is None:
        raise refusal(paths[0], "no_cases", "a leaderboard")
    answers, matrices, notes = found
    if matrices:
        raise refusal(next(iter(matrices)), "no_cases", "counts")
    source = ", ".join(paths)
    named = {name or Path(paths[0]).stem: it for name, it in answers.items()}
    made = paired_in_files(source, named, {**request.options, "notes": notes}, "ranks")
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


def _gathered(
    paths: Sequence[str], request: Request, of_board: OfBoard[T]
) -> tuple[dict[str, Answers], dict[str, ConfusionMatrix], tuple[str, ...]] | T:
    """Answers and matrices by the names of their classifiers, with notes; or what is made of a leaderboard."""
    if len(paths) == 1:
        found = _one(paths[0], request, of_board)
        if isinstance(found, Collection):
            return {}, dict(found), ()
        return (found.classifiers, {}, tuple(found.notes)) if isinstance(found, CaseList) else found
    found_each = [read_answers(path, request) for path in paths]
    if len(request.pred) > 1 or are_parts(found_each):
        together = read_answers(list(paths), request)
        if isinstance(together, CaseList):
            return together.classifiers, {}, tuple(together.notes)
    answers: dict[str, Answers] = {}
    matrices: dict[str, ConfusionMatrix] = {}
    lists = [it for it in found_each if isinstance(it, CaseList)]
    key = common_key(lists) if len(lists) == len(paths) else None
    notes = [] if key is None else [_BY_KEY.format(excerpt(key, 40))]
    for path, name, it in zip(paths, _names_of_files(paths), found_each, strict=True):
        if key is not None:
            it = read_answers(path, replace(request, id=key))
        notes += [f"{plain(name, 40)}: {note}" for note in it.notes]
        if isinstance(it, Reading):
            matrices[name] = it.confusion
        elif len(it.classifiers) > 1:
            raise refusal(it.source, "choose", "classifiers", it.classifiers, "one a file, or it alone")
        else:
            answers[name] = next(iter(it.classifiers.values()))
    return answers, matrices, tuple(notes)


def _one(path: str, request: Request, of_board: OfBoard[T]) -> T | CaseList | Collection:
    """A leaderboard or a matrix a row by its header, or a list of cases."""
    with opened(path) as file, knowing_logs(file):
        content = content_of(file)
        if isinstance(content, TextTable) and is_board(content.header) and request.true is None:
            return of_board(content)
        if isinstance(content, TextTable) and request.true is None and (rating := rating_column(content.header)):
            raise content.fault(say("rating", rating))
        if isinstance(content, TextTable) and is_collection(content.header):
            return collection_of(content)
        try:
            found = read_content(content, request, case_list)
        except InvalidFile as error:
            if error.kind != "unrecognised" or not isinstance(content, TextTable):
                raise
            raise InvalidFile(content.source, f"{error.problem} {LEADERBOARD}", content.line) from None
    if isinstance(found, Reading):
        raise refusal(found.source, "one_matrix")
    return found


# -- two classifiers -----------------------------------------------------------------------------------------------


def read_pair(
    *files: str | os.PathLike[str], a: str | None = None, b: str | None = None, separate: bool = False, **given: Any
) -> Pair:
    """Read two classifiers, paired if one file holds the answers of both or two files have ids in common.

    Parameters
    ----------
    *files : str or path-like
        One of both classifiers, one each, or several that are one table of both.
    a, b : str, optional
        The classifiers: a column of the file (``NAME`` or ``pred_NAME``) or a value of its column of classifiers.
    separate, **given
        As in `read_contenders`; two columns ``y_pred`` of one file are the two classifiers.

    Raises
    ------
    InvalidFile
        With the file, what came, and what to do.
    InvalidArgument, InvalidLabels
        An argument that no file could agree with.
    """
    request = Request.of_several(**given)
    paths = [os.fspath(path) for path in files]
    columns = [it for it in (a, b, request.true, *request.pred) if it is not None]
    if not separate and not columns and (counted := pair_of_table(paths)) is not None:
        return counted
    logs = contending_logs(paths, request, separate=separate, names=(a, b))
    if logs is not None:
        return two_of(logs, ())
    if (states := _of_states(paths, request, separate=separate)) is not None:
        return two_of(states, (a, b))
    models = [] if request.pred else [name for name in (a, b) if name is not None]
    first: str | list[str] = paths[0]
    second = paths[1] if len(paths) > 1 else None
    unnamed = a is None and b is None and "-" not in paths
    if len(paths) > 1 and (
        len(request.pred) > 1
        or (unnamed and are_parts([read_answers(path, replace(request, group=None)) for path in paths]))
    ):
        first, second = paths, None
    elif len(paths) > 2:
        raise InvalidArgument(say("two_compared", len(paths)))
    found = read_answers(first, replace(request, model=a), models)
    other = found if second is None and isinstance(found, CaseList) else _other(first, second, request, b, models)
    if isinstance(found, CaseList) and second is None and a is None and b is None:
        a, b = _both(found)
    if second is None and (a is None or b is None):
        raise InvalidArgument(say("name_two"))
    if not isinstance(found, CaseList) or not isinstance(other, CaseList):
        return _apart((found, other), _titles(first, second, a, b), request, (a, b))
    if not separate and other is not found and (key := common_key([found, other])) is not None:
        request, by_key = replace(request, id=key), [_BY_KEY.format(excerpt(key, 40))]
        found, other = (
            read_answers(it, replace(request, model=name), models) for it, name in ((first, a), (second, b))
        )
        assert isinstance(found, CaseList)
        assert isinstance(other, CaseList)
        found.notes += by_key
    keys = chosen(found, a), chosen(other, b)
    titles = _titles(first, second, a or keys[0] or None, b or keys[1] or None)
    one, two = found.classifiers[keys[0]], other.classifiers[keys[1]]
    if one is two:
        raise InvalidArgument(say("twice", "the classifier", keys[0]))
    notes = tuple(dict.fromkeys((*found.notes, *other.notes)))
    if not separate:
        source = found.source if other is found else f"{found.source} and {other.source}"
        both = dict(zip(titles, (one, two), strict=True))
        together = paired_in_files(source, both, request.options, "compares")
        if together is not None:
            here = set(one.id or ())
            lacking = tuple(case for case in two.id or () if case not in here)
            return Pair(titles, together, None, (*notes, *about_left_out(both, "compares")), lacking)
    advice = [APART] if separate else _advice((found, other), (one, two), titles)
    return _apart((found, other), titles, request, keys, (*notes, *advice))


_BY_KEY = "The cases are paired by the column {}, which names them."


def _other(
    first: str | list[str], second: str | None, request: Request, b: str | None, models: Sequence[str]
) -> Reading | CaseList:
    """The second file, or the second classifier of a file of counts."""
    if second is not None:
        if first == second == "-":
            raise InvalidArgument(say("twice", "the file", "-"))
        try:
            return read_answers(second, replace(request, model=b), models)
        except InvalidArgument:
            # groups of the same cases may stand in the first file alone, as beside a baseline
            if not isinstance(request.group, str) or second == "-":
                raise
        return read_answers(second, replace(request, model=b, group=True), models)
    if b is None or first == "-":
        name = "standard input" if first == "-" else str(first)
        raise refusal(name, "no_cases", "one classifier")
    return read_answers(first, replace(request, model=b), models)


def _both(found: CaseList) -> tuple[str, str]:
    names = list(found.classifiers)
    if len(names) != 2:
        choose = say("choose", "classifiers", names, "--a and --b (of a gate: --baseline)")
        raise InvalidFile(found.source, choose if len(names) > 1 else say("one_classifier"))
    return names[0], names[1]


def _apart(
    found: tuple[Reading | CaseList, Reading | CaseList],
    names: tuple[str, str],
    request: Request,
    keys: tuple[str | None, str | None],
    notes: Sequence[str] = (),
) -> Pair:
    """Two matrices, each with what its reader had to say."""
    matrices, said = [], list(notes)
    for it, name in zip(found, keys, strict=True):
        if isinstance(it, Reading):
            matrices.append(it.confusion)
            said += it.notes
        else:
            alone = it.classifiers[chosen(it, name)].alone(it.source, request.options)
            matrices.append(alone.confusion("it"))
            said += [note.replace(" of classifier 'it'", "") for note in alone.notes]
    return Pair(names, None, (matrices[0], matrices[1]), tuple(dict.fromkeys(said)))


def _advice(found: tuple[CaseList, CaseList], both: tuple[Answers, Answers], titles: tuple[str, str]) -> list[str]:
    """How to pair what looks like a pair."""
    one, two = both
    if one.id is not None and two.id is not None:
        return ["The files have no id in common, so they are separate test sets.", *_spelled_unlike(one.id, two.id)]
    if one.id is not None or two.id is not None:
        which, lacking = titles if one.id is not None else titles[::-1]
        problem = f"Only {excerpt(which)} has ids, so they are separate test sets"
        return [f"{problem}. If they are the same cases, give {excerpt(lacking)} a column id as well."]
    there = found[1].once
    for column, values in found[0].once.items():
        shared = values & there.get(column, set())
        if 2 * len(shared) > min(len(values), len(there.get(column, values))):
            how = "the same" if shared == values == there[column] else f"{integer(len(shared))} equal"
            said = (
                f"The column {excerpt(column, 40)} holds {how} values in both files, each once, and is not known as ids"
            )
            return [f"{said}; if it names the cases, pair them by it: --id {excerpt(column, 40)}."]
    if one.true.cells() == two.true.cells():
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


def _titles(first: str | list[str], second: str | None, a: str | None, b: str | None) -> tuple[str, str]:
    """Names of the classifiers: as asked for, else the files' names, whichever tell them apart."""
    one = first[0] if isinstance(first, list) else first
    files = [one, one if second is None else second]
    stems = [Path(name).stem if name != "-" else "standard input" for name in files]
    for known in (stems, files):
        one, two = a or known[0], b or known[1]
        if one != two:
            return one, two
    return f"{files[0]} (A)", f"{files[1]} (B)"


# -- what a gate remembers -----------------------------------------------------------------------------------------


def write_baseline(path: str, candidate: str, *, model: str | None = None, **given: Any) -> str:
    """Write the classifier of one file as the next baseline, whole or not at all; give a sentence that says what.

    Case by case where the cases have ids, else as a matrix.

    Parameters
    ----------
    path : str
        The baseline, JSON.
    candidate : str
        File with the candidate.
    model : str, optional
        Its column.
    **given
        As in `read_contenders`.

    Raises
    ------
    InvalidFile
        What cannot be read or written.
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
    alone = found.classifiers[chosen(found, model)].alone(found.source, request.options)
    if alone.id is None:
        replace_text(path, matrix_document(alone.confusion("it"), name))
        return (
            f"{path} now holds the matrix of {plain(name, 40)}; with a column id it would hold the cases, to be paired."
        )
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
    """Classifiers of counts that grow; None where no file holds such.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
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
    """Names of files, or of their folders where these are alike."""
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


LAYOUTS = (
    "Several sites are a file with a row each (study,tp,fn,fp,tn), cases with a column that names the site "
    "(--site COLUMN), or a file each"
)
OVER = (
    "Classifiers over data sets are a table of cases with a column of the data set (dataset,y_true,pred_A,pred_B), or "
    "a row for each data set and classifier (dataset,model,correct,n or dataset,model,score,n)"
)
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
    """Read the test sets of several sites.

    Parameters
    ----------
    paths : sequence of str
        One table with the columns ``study,tp,fn,fp,tn``; with ``site`` a table of cases or counts; or a file a site.
    site : str, optional
        Column of the site of each case, or of the names of studies.
    y_pred, **given
        As in `howsure.io.read`: rows, positive, labels, missing, y_true.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
    if site is not None:
        try:
            found = read(list(paths) if len(paths) > 1 else paths[0], group=site, y_pred=y_pred, **given)
        except InvalidFile:
            if len(paths) > 1 or paths[0] == "-" or not _has_studies(paths[0]):
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
                error.source, f"it is no table of sites: {error.problem}. {LAYOUTS}", error.line
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
            sites[name] = next(iter(one.classifiers.values())).alone(one.source, request.options)
    return Sites(sites, tuple(notes))


def _has_studies(path: str) -> bool:
    """Whether a file is a table with a row a study; what is no table at all has been told of already."""
    try:
        with opened(path) as file:
            return is_collection((printed(file) or delimited(file)).header)
    except InvalidFile:
        return False


def _of_collection(found: Collection) -> Sites:
    return Sites(dict(found), unit="study" if found.are_studies else "site")


def read_over(paths: Sequence[str], site: str, *, n: int | None = None, **given: Any) -> OverDataSets:
    """Read classifiers over data sets.

    Parameters
    ----------
    paths : sequence of str
        A table of cases or of counts; or files that `read_contenders` pairs.
    site : str
        Column of the data set.
    n : int, optional
        Cases of each classifier on each data set, where a table of scores has none.
    **given
        As `read_contenders` takes them.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
    if given.get("missing") == "estimate" or given.pop("separate", False):
        option = "--missing estimate" if given.get("missing") == "estimate" else "--separate"
        raise InvalidArgument(say("not_both", "--site", option))
    request = Request.of_several(group=site, **given)
    try:
        found = contenders_of(paths, request, lambda table: _of_board(table, site, n))
    except InvalidFile as error:
        if error.kind not in ("one_matrix", "one_classifier"):
            raise
        raise InvalidFile(error.source, f"{error.problem}. {OVER}", error.line) from None
    if not isinstance(found, Contenders):
        return found
    if found.predictions is None or found.predictions.group is None:
        raise InvalidFile(", ".join(paths), f"{say('no_id_shared')}. {OVER}")
    return OverDataSets(found.predictions, found.notes)


def _of_board(table: TextTable, site: str, n: int | None) -> OverDataSets:
    """A leaderboard for each value of the column."""
    if table.header.count(site) != 1:
        raise table.fault(say("absent", "column", site, table.header))
    place = table.header.index(site)
    parts: dict[str, list[tuple[int, list[str]]]] = {}
    for line, raw in table.rows:
        row = table.fitted(raw, line)
        if not any(cell.strip() for cell in row):
            continue
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
