"""``howsure compare``: which of two classifiers is better."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

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
from howsure.cli.inputs import Cases, Ends, PriorOption, RopeOption, Sampling, SharesOption
from howsure.cli.item_options import ItemOptions
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.over_data_sets import over_data_sets
from howsure.cli.progress_line import watched
from howsure.cli.published_table import PairedCounts
from howsure.cli.scores_of_files import APART, scores_of_files, two_of
from howsure.cli.slice_columns import predictions_by, refuse_beside_by
from howsure.cli.vote_options import VoteOptions
from howsure.comparison.comparing import compare
from howsure.data.groups import refuse_both
from howsure.errors import InvalidArgument
from howsure.laws.draw_settings import DRAWS
from howsure.posterior.posterior import infer
from howsure.posterior.score_measures import is_about_scores
from howsure.reporting.classical import classical_pair

__all__ = ["compare_command"]


@flat
def compare_command(
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE [FILE]",
            help="Two files, or one that holds both, or - for standard input; or the parts of one table (Parquet).",
        ),
    ] = None,
    a: Annotated[str | None, option("a", "compare")] = None,
    b: Annotated[str | None, option("b", "compare")] = None,
    metric: Annotated[str | None, option("metric", "compare")] = None,
    counted: PairedCounts,
    rope: RopeOption = None,
    prior: PriorOption = None,
    shares: SharesOption = None,
    group: GroupOption = None,
    groups: GroupsOption = None,
    by: ByOption = None,
    site: SiteOption = None,
    repeat: RepeatOption = None,
    items: ItemOptions,
    votes: VoteOptions,
    ends: Ends,
    cases: Cases,
    sampling: Sampling,
    classical: Annotated[bool, option("classical", "compare")] = False,
    form: FileForm,
) -> None:
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
    files = files or []
    form.spare(*files)
    if counted.given:
        typed = counted.pair(a or "A", b or "B", files)
        assert typed.predictions is not None  # both are of the same cases
        chosen: dict[str, Any] = {"metric": metric, "rope": rope, **vars(ends), **vars(sampling)}
        made = watched("comparing")(compare)(typed.predictions, *typed.names, prior=prior, **chosen)
        form.show(_with_mcnemar(made) if classical else made)
        return
    if not files:
        raise InvalidArgument("name two FILES, or one of both; or four counts: --both, --only-a, --only-b, --neither")
    if votes.asked(files):
        battles = votes.read(files, {
            "--prior": prior, "--shares": shares, "--group": group, "--groups": groups, "--by": by, "--site": site,
            "--repeat": repeat, "--classical": classical, **items.used,
        }, cases)  # fmt: skip
        pair = battles.two(a, b)
        notes = [battles.next_battle(*pair, battles.ask(draws=sampling.draws, seed=sampling.seed))]
        form.show(watched("comparing")(compare)(
            battles, *pair, metric=metric, rope=rope, notes=notes, **vars(ends), **vars(sampling),
        ))  # fmt: skip
        return
    about_scores = is_about_scores(metric)
    if not about_scores and (repeat is not None or items.asked(files, [] if metric is None else [metric])):
        items.refuse({"--prior": prior, "--shares": shares, "--by": by, "--site": site}, cases)
        read = items.read(files, cases.missing, group=group, run=repeat, groups=groups)
        form.show(watched("comparing")(compare)(read, a, b, metric=metric, rope=rope, **vars(ends), **vars(sampling)))
        return
    if about_scores:
        _by_scores(files, a, b, metric, group, cases, sampling, {**vars(ends), "rope": rope}, form, {
            "--prior": prior, "--shares": shares, "--groups": groups, "--by": by, "--site": site,
            "--classical": classical,
        })  # fmt: skip
        return
    if by:
        _by_slice(files, a, b, by, metric, vars(ends), cases, sampling.seed, form, {
            "--rope": rope, "--prior": prior, "--shares": shares, "--group": group, "--groups": groups,
            "--site": site, "--draws": sampling.draws != DRAWS, "--classical": classical,
        })  # fmt: skip
        return
    if site is not None:
        from howsure.units.compared_over import compare_over

        others: dict[str, object] = {"--prior": prior, "--shares": shares, "--group": group, "--groups": groups}
        others["--classical"] = classical
        over = over_data_sets(files, site, cases, others)
        asked = {"metric": metric, "rope": rope, **vars(ends), **vars(sampling), "notes": over.notes}
        form.show(watched("comparing")(compare_over)(over.data_sets, a, b, **asked))
        return
    if cases.missing == "estimate" and (group is not None or groups is not None):
        refuse_both()
    judged = cases.judged(files)
    if judged is not None:
        if classical:
            raise InvalidArgument(
                "--classical is McNemar's test where all truths are known, not with --missing estimate"
            )
        options = {"metric": metric, "rope": rope, **vars(ends), **vars(sampling)}
        call: Any = watched("comparing")(compare)
        form.show(call(judged, a, b, prior=prior, shares=shares, **options))
        return
    found = cases.pair(files, a, b, group or True)
    refuse_groupless(groups, known=found.in_groups)
    asked = {"metric": metric, "rope": rope, **vars(ends), **vars(sampling), "notes": found.notes}
    comparing = watched("comparing")(compare)
    if found.predictions is not None:
        made = comparing(found.predictions, *found.names, prior=prior, shares=shares, groups=groups, **asked)
    else:
        assert found.matrices is not None
        one, two = (infer(matrix, prior, shares=shares, groups=groups) for matrix in found.matrices)
        made = comparing(one, two, names=found.names, **asked)
    form.show(_with_mcnemar(made) if classical else made)


def _with_mcnemar(made: Any) -> Any:
    """The comparison with what a reviewer may ask for among its notes."""
    both = getattr(made, "discordant", None)
    if both is None:
        raise InvalidArgument("--classical is McNemar's test of two classifiers on the same cases; these are not")
    said = classical_pair(made.names, both.only_a, both.only_b)
    if made.groups is not None:
        said = (*said, "McNemar's test takes all cases for independent, which those of a group are not.")
    return replace(made, remarks=(*made.remarks, *said))


def _by_scores(
    files: list[str], a: str | None, b: str | None, metric: str | None, group: str | None,
    cases: Cases, sampling: Sampling, asked: dict[str, Any], form: FileForm, others: dict[str, Any],
) -> None:  # fmt: skip
    """Scores by a number of all thresholds."""
    options = {**asked, "metric": metric, **vars(sampling)}
    scores = scores_of_files(files, [name for name in (a, b) if name is not None], cases, group, others)
    call: Any = watched("comparing")(compare)
    if isinstance(scores, dict):
        titles = two_of(scores)
        form.show(call(*(scores[title] for title in titles), names=titles, notes=APART, **options))
        return
    form.show(call(scores, a, b, **options))


def _by_slice(
    files: list[str], a: str | None, b: str | None, by: list[str], metric: str | None, ends: dict[str, Any],
    cases: Cases, seed: int, form: FileForm, others: dict[str, Any],
) -> None:  # fmt: skip
    """In which slices A is better than B."""
    from howsure.comparison.slice_comparison import compare_slices

    refuse_beside_by({**others, "--missing estimate": cases.missing == "estimate", "--separate": cases.separate})
    found, predictions, columns, notes = predictions_by(lambda name: cases.pair(files, a, b, name), by, files)
    comparing = watched("comparing")(compare_slices)
    form.show(comparing(predictions, *found.names, by=columns, metric=metric, seed=seed, notes=notes, **ends))
