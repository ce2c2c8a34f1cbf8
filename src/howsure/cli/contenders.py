"""Several classifiers: battles, items with scores, scores of cases, classes that were called, slices, data sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from howsure.cli.numbers import scores_of
from howsure.cli.options import CASES, ITEMS, VOTES, Options
from howsure.cli.progress import watched
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidFile, listing
from howsure.io.reading import Contenders

if TYPE_CHECKING:
    from howsure.data.judged_answers import JudgedAnswers
    from howsure.data.scores import Scores
    from howsure.io.contenders import OverDataSets
    from howsure.knowledge.items import Items
    from howsure.knowledge.votes import Votes

#: What is said of scores in files of their own.
APART = (
    "Treated as independent test sets. Scores of the same cases in one file, a column each, are paired and need fewer "
    "cases.",
)

#: Metrics of matrices that items with several labels have as well, and metrics that only items have.
OF_LABELS = re.compile(r"(f1|precision|recall|iou|dice)(@.*)?")
OF_ITEMS = re.compile(r"mean|median|quantile\(.*\)|p\d\d?|wer|cer|ratio|bleu|map|map50|map75|exact_match|\w+@samples")

#: Options that say nothing of each kind of data.
WITH_CLASSES = "prior shares classical update_baseline"
NOT_OF_ITEMS = (
    f"{WITH_CLASSES} wrong_labels how_chosen folds n entries strict separate true preds pred case rows positive labels "
    "model order labels_from tp fn fp tn table prevalence cases verdicts weights cost strata empty in_time cut"
)
NOT_OF_VOTES = f"{WITH_CLASSES} group groups site n repeat entries new_test strict baseline {ITEMS} {CASES}"
NOT_OF_SCORES = f"{WITH_CLASSES} groups by site n new_test preds case rows separate missing"
NOT_OVER_SITES = "prizes top new_test entries prior shares group groups classical"
NOT_BY_SLICE = (
    "rope prizes n new_test entries prior shares group groups site draws top classical floor strict update_baseline "
    "separate"
)


def names_of(ask: Options) -> list[str]:
    """The classifiers that are named."""
    return [name for name in (ask.a, ask.b) if name is not None]


def as_readers_take(ask: Options) -> dict[str, Any]:
    """How files of several classifiers are read."""
    return {**ask.given("separate rows positive labels missing y_true=true id=case"), "y_pred": tuple(ask.preds)}


def read_two(ask: Options, files: Sequence[str], group: str | Literal[True] | None = None) -> Contenders:
    """Two classifiers, from one table or two."""
    from howsure.io.contenders import read_pair

    return read_pair(*files, a=ask.a, b=ask.b, group=group, **as_readers_take(ask))


def are_votes(ask: Options, files: Sequence[str]) -> bool:
    """Whether the file holds battles: by an option or its header."""
    from howsure.io.vote_files import is_votes

    return bool(ask.used(VOTES)) or (len(files) == 1 and is_votes(files[0]))


def read_votes_of(ask: Options, files: Sequence[str], also: str = "") -> Votes:
    """The battles of one file; options that say nothing about them are refused."""
    from howsure.io.vote_files import read_votes

    how = _battles(ask, files, also)
    return watched("reading")(read_votes)(files[0], **how)


def read_votes_by(ask: Options, files: Sequence[str]) -> dict[str, Votes | str]:
    """The battles of each value of a column."""
    from howsure.io.vote_files import votes_by

    how = _battles(ask, files)
    if len(ask.by) != 1:
        raise InvalidArgument("battles are ranked by one column (--by category)")
    return watched("reading")(votes_by)(files[0], ask.by[0], **how)


def _battles(ask: Options, files: Sequence[str], also: str = "") -> dict[str, Any]:
    from howsure.io.vote_files import VoteColumns

    if len(files) != 1:
        raise InvalidArgument(f"battles are one file, got {len(files)}")
    ask.refuse(f"{NOT_OF_VOTES} {also}", "leave {} out: of battles there is nothing to say about that")
    columns = VoteColumns(winner=ask.winner, voter=ask.voter)
    return {"columns": columns, "both_bad": ask.both_bad, "control": ask.control}


def are_items(ask: Options, files: Sequence[str], metrics: Sequence[str | None] = ()) -> bool:
    """Whether the files hold items with scores: by an option, a metric, or the file where no classes are named."""
    from howsure.io.items import looks_like_items

    names = [name.strip() for name in metrics if name is not None]
    if ask.used(ITEMS):
        return True
    if not files or any(map(OF_ITEMS.fullmatch, names)):
        return bool(files)
    if ask.used("true pred preds"):
        return False
    # a metric that no item has, and the file need not be opened
    return looks_like_items(files[0]) if not names or any(map(OF_LABELS.fullmatch, names)) else False


def read_items(ask: Options, files: Sequence[str], *, also: str = "", group: str | None = None) -> Items:
    """The items of one file, or of one for each system; options that say nothing about them are refused."""
    from howsure.io.items import ItemsAsk, items_in

    ask.refuse(f"{NOT_OF_ITEMS} {also}", "leave {} out: of items with scores there is nothing to say about that")
    gaps: dict[str, Any] = {"error": "error", "exclude": "exclude", "wrong": "worst"}
    if ask.missing not in gaps:
        raise InvalidArgument(
            f"--missing {ask.missing} is not for scores: error, exclude, or wrong (the worse end of --range)"
        )
    limits = scores_of(ask.range, "range")
    how = ItemsAsk(ask.score, ask.item, ask.repeat, group or ask.group, limits, gaps[ask.missing], ask.better)
    read = watched("reading")(items_in)(files, how)
    return read.but(far=ask.far is not None, **ask.given("about=groups"))


def refuse_beside_scores(ask: Options, words: str = NOT_OF_SCORES) -> None:
    """Refuse options that are about classes that were called."""
    ask.refuse(words, "leave {} out: the metric is a number of scores, before any threshold")


def read_scores_of(ask: Options, files: Sequence[str]) -> Scores | dict[str, Scores]:
    """Scores of the same cases from one file, or of separate test sets by the name of the file."""
    from howsure.io.score_files import read_scores

    refuse_beside_scores(ask)
    how, names = ask.given("y_true=true positive labels"), names_of(ask)
    if len(files) == 1:
        return read_scores(files[0], score=names, group=ask.group, **how)
    columns: Sequence[str | None] = names or [None] * len(files)
    if len(columns) != len(files):
        raise InvalidArgument(f"{len(files)} files have a column of scores each, and {len(columns)} are named")
    found = {}
    for file, column in zip(files, columns, strict=True):
        name = "standard input" if file == "-" else Path(file).stem
        if name in found:
            raise InvalidArgument(f"two files are called {name}; a file each is named for its classifier")
        found[name] = read_scores(file, score=column, group=ask.group, **how)
    return found


def two_of(scores: Mapping[str, Scores]) -> tuple[str, str]:
    """The names of two files, or a refusal of more."""
    names = list(scores)
    if len(names) != 2:
        raise InvalidArgument(f"two classifiers are compared, and there are {len(names)} files; howsure rank has room")
    return names[0], names[1]


def read_judgements(ask: Options, files: Sequence[str]) -> JudgedAnswers | None:
    """Models under one judge, with --missing estimate."""
    if ask.missing != "estimate":
        return None
    from howsure.data.groups import refuse_both
    from howsure.io.stages import read_judged

    if ask.used("group groups"):
        refuse_both()
    ask.refuse(
        "true preds case rows separate positive",
        "leave {} out with --missing estimate: its columns are item,model,verdict,label, and the "
        "metric names the class that is right, such as prevalence@pass",
    )
    if len(files) != 1:
        raise InvalidArgument(f"--missing estimate reads one FILE of all models, not {len(files)}")
    return read_judged(files[0], labels=ask.labels)


def read_over(ask: Options, files: Sequence[str]) -> OverDataSets:
    """Classifiers over many data sets."""
    from howsure.io import contenders

    ask.refuse(NOT_OVER_SITES, "leave {} out with --site, which is about the population of data sets")
    return contenders.read_over(files, ask.site or "", n=ask.n, **as_readers_take(ask))


def refuse_beside_by(ask: Options, also: str = "") -> None:
    """Refuse options that mean nothing by slice."""
    odd = ask.used(f"{NOT_BY_SLICE} {also}") + ["--missing estimate"] * (ask.missing == "estimate")
    if odd:
        verb = "goes" if len(odd) == 1 else "go"
        raise InvalidArgument(f"{listing(odd)} {verb} with the whole test set, not with --by; leave it out")


def by_slice(
    ask: Options, read: Callable[[str | None], Contenders], files: Sequence[str]
) -> tuple[Contenders, Predictions, dict[str, Any], tuple[str, ...]]:
    """Read classifiers on the same cases, the values of the --by columns of each case, and what is to be said of them.

    ``read`` reads the files with one column beside the cases, or with none.
    """
    from howsure.data.refusals import say
    from howsure.io.logs.log import is_log

    if len(set(ask.by)) < len(ask.by):
        raise InvalidArgument(f"--by names a column twice: {listing(ask.by)}")
    if len(ask.by) > 1 and "-" in files:
        raise InvalidArgument("standard input is read once, and several --by read a file several times; give a file")
    if is_log(files[0]) and (whole := read(None).predictions) is not None and whole.group is not None:
        raise InvalidArgument(
            "the logs have several epochs, and by slice answers are taken as independent, which those to one question "
            "are not; give logs of one epoch, or compare them without --by"
        )
    columns: dict[str, Any] = {}
    for name in ask.by:
        try:
            found = read(name)
        except InvalidFile as error:  # what is said of a column of groups is said of one of slices
            kind = {"no_group": "no_slice", "group_lacking": "slice_lacking"}.get(error.kind or "")
            if kind is None:
                raise
            raise InvalidFile(error.source, say(kind, *error.fields), error.line) from None
        if found.predictions is None or found.predictions.group is None:
            raise InvalidArgument(
                "--by compares classifiers on the same cases, and these are separate test sets; give one file with "
                f"the columns y_true,pred_A,pred_B,{name}, or files with ids in common"
            )
        columns[name] = found.predictions.group
    assert found.predictions is not None
    # of several columns each is unused while another is read
    notes = tuple(note for note in found.notes if len(ask.by) == 1 or not note.startswith("Not used:"))
    return found, found.predictions, columns, notes
