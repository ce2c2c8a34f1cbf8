"""Any number of classifiers to rank: a leaderboard, one file of all answers, or a file each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from howsure.data.confusion import ConfusionMatrix
from howsure.data.missing_answers import Missing
from howsure.data.predictions import Predictions
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt
from howsure.io.answers import Answers, CaseList, are_parts, case_list, read_answers
from howsure.io.contents import content_of
from howsure.io.engines.table_files import are_counted
from howsure.io.formats.board import Board, board_of, is_board, rating_column
from howsure.io.logs.several import contending_logs
from howsure.io.opening import located, opened
from howsure.io.reading import Reading, Request
from howsure.io.several_classifiers import Contenders, about_left_out, paired_in_files
from howsure.io.stages import knowing_logs, read_content
from howsure.io.table import TextTable
from howsure.text.formats import plain

__all__ = ["read_contenders", "read_together"]


LEADERBOARD = (
    "A leaderboard has the columns name,correct,n or name,score,n (name may be team or model, score accuracy)."
)


def read_contenders(
    paths: Sequence[str],
    *,
    n: int | None = None,
    rows: Literal["true", "pred"] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    missing: Missing = "error",
    separate: bool = False,
    y_true: str | None = None,
    y_pred: Sequence[str] = (),
    id: str | None = None,  # noqa: A002  # the word that files have for it
    group: str | Literal[True] | None = None,
) -> Contenders:
    """Read classifiers to rank, paired where one file holds all answers or all files have ids in common.

    Parameters
    ----------
    paths : sequence of str
        One leaderboard or one list of cases with several classifiers; or one file a classifier, named for the file,
        also as a folder or a pattern.
    n : int, optional
        Cases of every entry of a leaderboard that has none.
    rows, positive, labels, missing, separate, y_true, y_pred, id, group
        As in `howsure.io.pairs.read_pair`.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
    unlike: Literal["error", "exclude"] = "exclude" if missing == "exclude" else "error"
    request = Request(rows, positive, labels, None, unlike, y_true, tuple(y_pred), id, group=group)
    if are_counted(paths):
        from howsure.io.counting.classifier_counts import counted_contenders

        return counted_contenders(paths, request, missing=missing, separate=separate)
    options = {"labels": request.labels, "positive": positive, "missing": missing}
    logs = contending_logs(paths, request, separate=separate)
    if logs is not None:
        return logs
    paths = _a_file_each(paths, request)
    one = _parts_of_one(paths, request)
    if len(paths) == 1 or one is not None:
        found = one or _one(paths[0], request, n)
        if isinstance(found, Board):
            if isinstance(group, str):
                problem = f"a group ({excerpt(group)}) is a column of a list of cases, and this is a leaderboard"
                raise InvalidFile(paths[0], problem)
            return Contenders(board=found, notes=found.notes)
        answers = _named(found)
        notes = tuple(found.notes)
    else:
        answers, matrices, notes = _several(paths, request)
        if matrices:
            matrices |= {name: _alone(name, it, options) for name, it in answers.items()}
            return Contenders(matrices={Path(p).stem: matrices[Path(p).stem] for p in paths}, notes=notes)
    if not separate:
        together = paired_in_files(", ".join(paths), answers, options, "ranks")
        if together is not None:
            return Contenders(predictions=together, notes=(*notes, *about_left_out(answers, "ranks")))
    said = (*notes, "Treated as separate test sets, as chosen.") if separate else notes
    return Contenders(matrices={name: _alone(name, it, options) for name, it in answers.items()}, notes=said)


def read_together(
    paths: Sequence[str],
    *,
    labels: Sequence[str] | None,
    positive: str | None,
    missing: Missing,
    group: str | Literal[True] | None,
) -> Predictions:
    """See `howsure.io.read_predictions`."""
    unlike: Literal["error", "exclude"] = "exclude" if missing == "exclude" else "error"
    request = Request(None, positive, labels, None, unlike, group=group)
    if not paths:
        raise InvalidArgument("no file is given")
    logs = contending_logs(paths, request, separate=False)
    if logs is not None and logs.predictions is not None:
        return logs.predictions
    if len(paths) == 1:
        found = _one(paths[0], request, None)
        if isinstance(found, Board):
            raise InvalidFile(paths[0], "it is a leaderboard, and says nothing case by case")
        answers, notes = {name or Path(paths[0]).stem: it for name, it in found.classifiers.items()}, tuple(found.notes)
    else:
        answers, matrices, notes = _several(paths, request)
        if matrices:
            raise InvalidFile(next(iter(matrices)), "it holds counts, and only answers case by case can be paired")
    source = ", ".join(paths)
    options = {"labels": request.labels, "positive": positive, "missing": missing, "notes": notes}
    made = paired_in_files(source, answers, options, "ranks")
    if made is None:
        raise InvalidFile(source, "no id in common says which answers are to the same case; give all a column id")
    return made


def _a_file_each(paths: Sequence[str], request: Request) -> Sequence[str]:
    """Files of a folder or a pattern, where the first holds one classifier, which has no name but the file's."""
    files = located(paths[0])[0] if len(paths) == 1 and paths[0] != "-" else []
    if len(files) < 2:
        return paths
    first = read_answers(files[0], request)
    return files if isinstance(first, Reading) or set(first.classifiers) == {""} else paths


def _parts_of_one(paths: Sequence[str], request: Request) -> CaseList | None:
    """Several files as one table, if each holds the answers of the same classifiers; None where they do not."""
    if len(paths) < 2 or not (len(request.pred) > 1 or are_parts(paths, request)):
        return None
    together = read_answers(list(paths), request)
    return together if isinstance(together, CaseList) else None


def _one(path: str, request: Request, n: int | None) -> Board | CaseList:
    """A leaderboard by its header, or a list of cases."""
    found: Board | Reading | CaseList
    with opened(path) as file, knowing_logs(file):
        content = content_of(file)
        if isinstance(content, TextTable) and is_board(content.header) and request.true is None:
            return board_of(content, n)
        if isinstance(content, TextTable) and request.true is None and (rating := rating_column(content.header)):
            raise content.fault(
                f"{excerpt(rating)} is a rating by votes and no accuracy, so that no number of cases says how sure it "
                "is; the votes do (model_a,model_b,winner). A ranking here is of right answers: name,correct,n"
            )
        try:
            found = read_content(content, request, case_list)
        except InvalidFile as error:
            if "is no header that is known" not in str(error) or not isinstance(content, TextTable):
                raise
            raise InvalidFile(content.source, f"{error.problem} {LEADERBOARD}", content.line) from None
    if isinstance(found, Reading):
        problem = (
            "it holds one matrix; a ranking needs several files, a leaderboard (name,correct,n), or one file of cases"
        )
        raise InvalidFile(found.source, f"{problem} (y_true,pred_A,pred_B,...)")
    return found


def _named(found: CaseList) -> dict[str, Answers]:
    if len(found.classifiers) < 2:
        problem = "it holds the answers of one classifier; a ranking needs two or more"
        raise InvalidFile(found.source, f"{problem} (columns y_true,pred_A,pred_B, or several files)")
    return found.classifiers


def _several(
    paths: Sequence[str], request: Request
) -> tuple[dict[str, Answers], dict[str, ConfusionMatrix], tuple[str, ...]]:
    answers: dict[str, Answers] = {}
    matrices: dict[str, ConfusionMatrix] = {}
    notes: list[str] = []
    for path in paths:
        name = Path(path).stem
        if name in answers or name in matrices:
            raise InvalidArgument(f"two files are called {excerpt(name)}; rename one, their names name the entries")
        found = read_answers(path, request)
        notes += [f"{plain(name, 40)}: {note}" for note in found.notes]
        if isinstance(found, Reading):
            matrices[name] = found.confusion
        elif len(found.classifiers) > 1:
            raise InvalidFile(
                found.source, f"it holds {len(found.classifiers)} classifiers; give one a file, or it alone"
            )
        else:
            answers[name] = next(iter(found.classifiers.values()))
    return answers, matrices, tuple(notes)


def _alone(name: str, answers: Answers, options: Mapping[str, Any]) -> ConfusionMatrix:
    try:
        columns = {name: answers.pred}
        return Predictions(answers.true, columns, id=answers.id, group=answers.group, **options).confusion(name)
    except HowsureError as error:
        raise InvalidFile(name, plain(str(error), 1000)) from None
