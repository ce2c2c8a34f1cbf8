"""``howsure compare`` and ``howsure rank``: which of two classifiers is better, and how sure the rank of each is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from howsure.cli.contenders import (
    APART,
    are_items,
    are_votes,
    as_readers_take,
    by_slice,
    read_items,
    read_judgements,
    read_over,
    read_scores_of,
    read_two,
    read_votes_by,
    read_votes_of,
    refuse_beside_by,
    two_of,
)
from howsure.cli.numbers import several_of
from howsure.cli.options import CASES, ENDS, FORMS, ITEMS, SAMPLING, VOTES, Options, command
from howsure.cli.output import show
from howsure.cli.progress import watched
from howsure.cli.sources import refuse_groupless
from howsure.errors import InvalidArgument
from howsure.errors.arguments import written
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.score_measures import is_about_scores


@command(
    "files:compare a b metric both only_a only_b neither rope prior shares group groups by site repeat",
    ITEMS, VOTES, ENDS, CASES, SAMPLING, "classical", FORMS,
)  # fmt: skip
def compare_command(ask: Options) -> None:
    """Compare two classifiers: whether A is better than B, how surely, and what a wrong choice loses.

    Paired, and said to be, where one file holds the answers of both (y_true,pred_A,pred_B) or two files have ids in
    common; separate test sets otherwise. With --missing estimate two models are compared whose answers one judge has
    judged and people some of (item,model,verdict,label), by the share of right answers. Where cases come in groups (a
    column group, or --group), the answer is about new groups from 8 groups on. With --by language: in which slices A is
    better. With --site it is about the mean over data sets, and a new one (dataset,y_true,pred_A,pred_B or
    dataset,model,correct,n). By a number of all thresholds (roc_auc, average_precision, tpr@fpr=0.1) one FILE holds a
    column of scores for each (y_true,score_A,score_B; --a and --b name two), or two FILES are separate test sets.
    Items with scores (item,model,score) are compared by their mean, median, WER and others, paired by item.
    Battles (model_a,model_b,winner) are compared by Elo, --a and --b naming two models.
    Four counts do for accuracy: --both 80 --only-a 12 --only-b 5 --neither 3.
    """
    made = _compared(ask)
    show(ask, _with_mcnemar(made) if ask.classical else made)


def _compared(ask: Options) -> Any:
    """The comparison, by what the files hold."""
    from howsure.questions.compare import compare

    files, settings = ask.files, ask.given("metric rope", ENDS, SAMPLING)
    comparing: Any = watched("comparing")(compare)
    if counts := [it for it in (ask.both, ask.only_a, ask.only_b, ask.neither) if it is not None]:
        from howsure.io.answers import pair_of_counts

        if files or len(counts) < 4:
            raise InvalidArgument(
                "a pair is typed as four counts, --both, --only-a, --only-b and --neither, and without a FILE"
            )
        typed = pair_of_counts((ask.a or "A", ask.b or "B"), *counts)
        return comparing(typed.predictions, *typed.names, **ask.given("prior"), **settings)
    if not files:
        raise InvalidArgument("name two FILES, or one of both; or four counts: --both, --only-a, --only-b, --neither")
    if are_votes(ask, files):
        battles = read_votes_of(ask, files, "by")
        pair = battles.two(ask.a, ask.b)
        note = battles.next_battle(*pair, battles.ask(**ask.given(SAMPLING)))
        return comparing(battles, *pair, notes=[note], **settings)
    if is_about_scores(ask.metric):
        scores = read_scores_of(ask, files)
        if not isinstance(scores, dict):
            return comparing(scores, ask.a, ask.b, **settings)
        names = two_of(scores)
        return comparing(*(scores[name] for name in names), names=names, notes=APART, **settings)
    if ask.repeat is not None or are_items(ask, files, [ask.metric]):
        return comparing(read_items(ask, files, also="by site"), ask.a, ask.b, **settings)
    if ask.by:
        from howsure.questions.slices_of_two import compare_slices

        refuse_beside_by(ask)
        found, predictions, by, notes = by_slice(ask, lambda name: read_two(ask, files, name), files)
        slices = watched("comparing")(compare_slices)
        return slices(predictions, *found.names, by=by, notes=notes, **ask.given("metric seed", ENDS))
    if ask.site is not None:
        from howsure.units.over_data_sets import compare_over

        over = read_over(ask, files)
        return watched("comparing")(compare_over)(over.data_sets, ask.a, ask.b, notes=over.notes, **settings)
    if (judged := read_judgements(ask, files)) is not None:
        if ask.classical:
            raise InvalidArgument(
                "--classical is McNemar's test where all truths are known, not with --missing estimate"
            )
        return comparing(judged, ask.a, ask.b, **ask.given("prior shares"), **settings)
    found, counted = read_two(ask, files, ask.group or True), ask.given("prior shares groups")
    refuse_groupless(ask, known=found.in_groups)
    if found.predictions is not None:
        return comparing(found.predictions, *found.names, notes=found.notes, **counted, **settings)
    sides = [infer(matrix, **counted) for matrix in (found.matrices or {}).values()]
    return comparing(*sides, names=found.names, notes=found.notes, **settings)


def _with_mcnemar(made: Any) -> Any:
    """The comparison with what a reviewer may ask for among its notes."""
    from howsure.reporting.classical import classical_pair

    both = getattr(made, "discordant", None)
    if both is None:
        raise InvalidArgument("--classical is McNemar's test of two classifiers on the same cases; these are not")
    said = classical_pair(made.names, both.only_a, both.only_b)
    if made.groups is not None:
        said = (*said, "McNemar's test takes all cases for independent, which those of a group are not.")
    return replace(made, remarks=(*made.remarks, *said))


@command(
    "files:rank metric prizes n top new_test entries prior shares group groups by site repeat",
    ITEMS, VOTES, "simultaneous", ENDS, CASES, SAMPLING, FORMS,
)  # fmt: skip
def rank_command(ask: Options) -> None:
    """Rank classifiers and say how sure each rank is: P(best), rank intervals, tiers, expected prizes.

    Paired, and said to be, where one FILE holds the answers of all (y_true,pred_A,pred_B,pred_C) or several files of
    cases have ids in common. Otherwise test sets are separate: a leaderboard, or one FILE a classifier, named for it.
    With --missing estimate models are ranked whose answers one judge has judged and people some of.
    Where cases come in groups (a column group, or --group), the answer is about new groups from 8 groups on.
    With --by language: who is best in which slice. With --site ranks are over data sets
    (dataset,y_true,pred_A,pred_B or dataset,model,correct,n). By a number of all thresholds (roc_auc) one FILE holds a
    column of scores for each (y_true,score_A,score_B), or every FILE is a separate test set.
    Battles (model_a,model_b,winner) are a leaderboard of Elo by votes.
    """
    show(ask, _ranked(ask))


def _ranked(ask: Options) -> Any:
    """The ranking, by what the files hold."""
    from howsure.questions.rank import rank

    files, settings, asking = ask.files, ask.given("metric top"), ask.given(ENDS, SAMPLING)
    if ask.prizes is not None:
        settings["prizes"] = several_of(ask.prizes, written, "--prizes are numbers such as 10000,2000,1000")
    ranking: Any = watched("ranking")(rank)
    if are_votes(ask, files):
        return _of_votes(ask, settings, asking)
    settings |= asking
    if ask.simultaneous:
        raise InvalidArgument("--simultaneous is for battles (model_a,model_b,winner)")
    if is_about_scores(ask.metric):
        scores = read_scores_of(ask, files)
        notes = APART if isinstance(scores, dict) else ()
        return ranking(scores, notes=notes, **ask.given("entries"), **settings)
    if ask.repeat is not None or are_items(ask, files, [ask.metric]):
        return ranking(read_items(ask, files, also="by site"), **ask.given("new_test"), **settings)
    if ask.by:
        return _by_slice(ask)
    if ask.site is not None:
        from howsure.units.over_data_sets import rank_over

        over = read_over(ask, files)
        told = ask.given("metric", ENDS, SAMPLING)
        return watched("ranking")(rank_over)(over.data_sets, notes=over.notes, **told)
    settings |= ask.given("entries new_test")
    if (judged := read_judgements(ask, files)) is not None:
        return ranking(judged, **ask.given("prior shares"), **settings)
    return _of_classes(ask, ranking, settings)


def _of_votes(ask: Options, settings: dict[str, Any], asking: dict[str, Any]) -> Any:
    """A ranking of battles, or one of each value of a column."""
    from howsure.questions.rank import rank_known
    from howsure.questions.slice_ranking import rank_votes_by

    settings["simultaneous"] = ask.simultaneous
    if ask.by:
        slices = read_votes_by(ask, ask.files)
        return watched("ranking")(rank_votes_by)(slices, by=ask.by[0], asking=asking, **settings)
    battles = read_votes_of(ask, ask.files)
    return watched("ranking")(rank_known)(battles, ask=battles.ask(**asking), **settings)


def _of_classes(ask: Options, ranking: Any, settings: dict[str, Any]) -> Any:
    """A ranking of what was called, on the same cases, on others, or as a leaderboard has counted it."""
    from howsure.io.contenders import read_contenders

    found = read_contenders(ask.files, n=ask.n, group=ask.group or True, **as_readers_take(ask))
    if ask.n is not None and found.board is None:
        raise InvalidArgument(
            "--n is for a leaderboard without numbers of cases; these cases are counted: leave it out"
        )
    refuse_groupless(ask, known=found.in_groups)
    counted = ask.given("prior shares groups")
    if found.predictions is not None:
        return ranking(found.predictions, notes=found.notes, **counted, **settings)
    if found.board is not None:
        ranked: Any = {
            x.name: Posterior.from_accuracy(correct=x.correct, n=x.n, prior=ask.prior) for x in found.board.standings
        }
    else:
        ranked = {name: infer(matrix, **counted) for name, matrix in (found.matrices or {}).items()}
    return ranking(ranked, notes=found.notes, **settings)


def _by_slice(ask: Options) -> Any:
    """Who is best in which slice."""
    from howsure.io.contenders import read_contenders
    from howsure.questions.slice_ranking import rank_slices

    refuse_beside_by(ask, ENDS)
    how, files = as_readers_take(ask), ask.files
    _, predictions, by, notes = by_slice(ask, lambda name: read_contenders(files, group=name, **how), files)
    return watched("ranking")(rank_slices)(predictions, by=by, notes=notes, **ask.given("metric seed"))
