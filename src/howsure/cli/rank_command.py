"""``howsure rank``: from a leaderboard, or from several matrices, to rank probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from howsure.cli.column_options import (
    ByOption,
    GroupOption,
    GroupsOption,
    RepeatOption,
    SiteOption,
    refuse_groupless,
)
from howsure.cli.flat import flat
from howsure.cli.inputs import Cases, Ends, PriorOption, Sampling, SharesOption
from howsure.cli.item_options import ItemOptions
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.over_data_sets import over_data_sets
from howsure.cli.progress_line import watched
from howsure.cli.scores_of_files import APART, scores_of_files
from howsure.cli.slice_columns import predictions_by, refuse_beside_by
from howsure.cli.vote_options import VoteOptions
from howsure.data.groups import refuse_both
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import written
from howsure.laws.draw_settings import DRAWS
from howsure.laws.law import KIND, LEVEL
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.score_measures import is_about_scores

if TYPE_CHECKING:
    from howsure.data.predictions import Predictions
    from howsure.ranking.contest import Ranked

__all__ = ["rank_command"]

#: k of P(among the best k) where none is named.
TOP = 3


@flat
def rank_command(
    *,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A leaderboard (name,correct,n or name,score,n), one table of all answers, or a file each.",
        ),
    ],
    metric: Annotated[str | None, option("metric", "rank")] = None,
    prizes: Annotated[str | None, option("prizes")] = None,
    n: Annotated[int | None, option("n", "rank")] = None,
    top: Annotated[int, option("top")] = TOP,
    new_test: Annotated[int | None, option("new-test")] = None,
    entries: Annotated[Literal["learned", "independent"] | None, option("entries")] = None,
    prior: PriorOption = None,
    shares: SharesOption = None,
    group: GroupOption = None,
    groups: GroupsOption = None,
    by: ByOption = None,
    site: SiteOption = None,
    repeat: RepeatOption = None,
    items: ItemOptions,
    votes: VoteOptions,
    simultaneous: Annotated[bool, option("simultaneous")] = False,
    ends: Ends,
    cases: Cases,
    sampling: Sampling,
    form: FileForm,
) -> None:
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
    from howsure.io.contenders import read_contenders
    from howsure.ranking.rank import rank

    form.spare(*files)
    if votes.asked(files):
        of_votes = {"metric": metric, "prizes": _numbers(prizes), "top": top, "simultaneous": simultaneous}
        _by_votes(files, votes, by, {
            "--prior": prior, "--shares": shares, "--group": group, "--groups": groups, "--site": site, "--n": n,
            "--repeat": repeat, "--entries": entries, "--new-test": new_test,
            **items.used,
        }, cases, {**of_votes, **vars(ends), **vars(sampling)}, form)  # fmt: skip
        return
    if simultaneous:
        raise InvalidArgument("--simultaneous is for battles (model_a,model_b,winner)")
    about_scores = is_about_scores(metric)
    if not about_scores and (repeat is not None or items.asked(files, [] if metric is None else [metric])):
        items.refuse({
            "--prior": prior, "--shares": shares, "--by": by, "--site": site, "--n": n,
            "--entries": entries,
        }, cases)  # fmt: skip
        read = items.read(files, cases.missing, group=group, run=repeat, groups=groups)
        form.show(watched("ranking")(rank)(
            read, metric=metric, prizes=_numbers(prizes), top=top, new_test=new_test,
            **vars(ends), **vars(sampling),
        ))  # fmt: skip
        return
    if about_scores:
        beside = {"--prior": prior, "--shares": shares, "--groups": groups, "--by": by, "--site": site, "--n": n}
        beside |= {"--new-test": new_test}
        scores = scores_of_files(files, [], cases, group, beside)
        told: dict[str, Any] = {"metric": metric, "prizes": _numbers(prizes), "top": top, "entries": entries}
        notes = APART if isinstance(scores, dict) else ()
        form.show(watched("ranking")(rank)(scores, **told, **vars(ends), **vars(sampling), notes=notes))
        return
    if by:
        refuse_beside_by({
            "--prizes": prizes, "--n": n, "--new-test": new_test, "--entries": entries,
            "--prior": prior, "--shares": shares, "--group": group, "--groups": groups, "--separate": cases.separate,
            "--missing estimate": cases.missing == "estimate", "--site": site, "--draws": sampling.draws != DRAWS,
            "--top": top != TOP, "--level": ends.level != LEVEL, "--kind": ends.kind != KIND,
        })  # fmt: skip
        _by_slice(files, by, metric, cases, sampling.seed, form)
        return
    if site is not None:
        from howsure.units.ranked_over import rank_over

        others = {"--prizes": prizes, "--top": top != TOP, "--new-test": new_test, "--entries": entries}
        others |= {"--prior": prior, "--shares": shares}
        others |= {"--group": group, "--groups": groups}
        over = over_data_sets(files, site, cases, others, n=n)
        told = {"metric": metric, **vars(ends), **vars(sampling), "notes": over.notes}
        form.show(watched("ranking")(rank_over)(over.data_sets, **told))
        return
    judged = cases.judged(files)
    asked: dict[str, Any] = {
        "metric": metric,
        "entries": entries,
        "prizes": _numbers(prizes),
        "top": top,
        "new_test": new_test,
    }
    asked |= {**vars(ends), **vars(sampling)}
    if judged is not None:
        if group is not None or groups is not None:
            refuse_both()
        form.show(watched("ranking")(rank)(judged, prior=prior, shares=shares, **asked))
        return
    found = read_contenders(files, n=n, group=group or True, **cases.given)
    if n is not None and found.board is None:
        raise InvalidArgument(
            "--n is for a leaderboard without numbers of cases; these cases are counted: leave it out"
        )
    refuse_groupless(groups, known=found.in_groups)
    classifiers: Predictions | dict[str, Ranked]
    if found.predictions is not None:
        classifiers = found.predictions
    elif found.board is not None:
        classifiers = {
            x.name: Posterior.from_accuracy(correct=x.correct, n=x.n, prior=prior) for x in found.board.standings
        }
    else:
        classifiers = {
            name: infer(matrix, prior, shares=shares, groups=groups) for name, matrix in (found.matrices or {}).items()
        }
    made = watched("ranking")(rank)(
        classifiers,
        prior=prior if found.predictions is not None else None,
        shares=shares if found.predictions is not None else None,
        groups=groups if found.predictions is not None else None,
        **asked,
        notes=found.notes,
    )
    form.show(made)


def _by_slice(files: list[str], by: list[str], metric: str | None, cases: Cases, seed: int, form: FileForm) -> None:
    """Who is best in which slice."""
    from howsure.io.contenders import read_contenders
    from howsure.ranking.slice_ranking import rank_slices

    _, predictions, columns, notes = predictions_by(
        lambda name: read_contenders(files, group=name, **cases.given), by, files
    )
    made = watched("ranking")(rank_slices)(predictions, by=columns, metric=metric, seed=seed, notes=notes)
    form.show(made)


def _by_votes(
    files: list[str], votes: VoteOptions, by: list[str] | None, others: dict[str, object], cases: Cases,
    told: dict[str, Any], form: FileForm,
) -> None:  # fmt: skip
    """A leaderboard from battles, or one for each value of a column."""
    from howsure.questions.votes import rank_votes, rank_votes_by

    if by:
        form.show(watched("ranking")(rank_votes_by)(votes.read_by(files, by, others, cases), by=by[0], **told))
        return
    form.show(watched("ranking")(rank_votes)(votes.read(files, others, cases), **told))


def _numbers(text: str | None) -> list[float]:
    if text is None:
        return []
    try:
        return [written(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"--prizes are numbers such as 10000,2000,1000; not {excerpt(text)}") from None
