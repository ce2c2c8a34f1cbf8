"""``howsure log``: how sure the accuracy of an evaluation log is, and which of two models is better."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from howsure.cli.column_options import GroupOption, GroupsOption, ItemOption
from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, PriorOption, RopeOption
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.errors import InvalidArgument

__all__ = ["log_command"]


@flat
def log_command(
    *,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Samples of lm-evaluation-harness, logs of Inspect or lighteval, JSON Lines, or a table: "
            "item,model_a,model_b or item,model,correct.",
        ),
    ],
    metric: Annotated[str | None, typer.Option("--metric", "-m", help="The score to read.", metavar="NAME")] = None,
    chosen_filter: Annotated[
        str | None, typer.Option("--filter", help="The filter of lm-evaluation-harness.", metavar="NAME")
    ] = None,
    field: Annotated[
        str | None,
        typer.Option(
            "--field",
            help="The field of other JSON Lines, or the column of a table, that says right or wrong.",
            metavar="NAME",
        ),
    ] = None,
    item: ItemOption = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="Scores from here on are right.", metavar="SCORE")
    ] = None,
    group: GroupOption = None,
    groups: GroupsOption = None,
    tries: Annotated[
        int | None,
        typer.Option(
            "--tries",
            help="Also pass@K and pass^K: whether any, and whether all, of K answers to a question are right.",
            metavar="K",
        ),
    ] = None,
    rope: RopeOption = None,
    prior: PriorOption = None,
    ends: Ends,
    form: FileForm,
) -> None:
    """Accuracy from logs that say right or wrong; two are compared on the answers they share, and more are ranked.

    An item that is answered in several epochs is one independent unit, unless --group names another field of the items:
    from 8 units on the accuracy is that of new ones, and that of these again stands beside it.
    """
    from howsure.io.logs import log_report, paired
    from howsure.io.logs.log import read_logs
    from howsure.io.logs.several_logs import logs_by_model

    form.spare(*files)
    options: dict[str, Any] = {"metric": metric, "filter": chosen_filter, "field": field, "group": group, "item": item}
    read = [watched("reading")(read_logs)(file, threshold=threshold, **options) for file in files]
    logs = logs_by_model(files, read)
    if len(logs) != 2 and rope is not None:
        raise InvalidArgument(f"--rope is about a difference, and {len(logs)} logs are given; name two")
    if len(logs) == 1:
        form.show(log_report(next(iter(logs.values())), prior, groups=groups, tries=tries, **vars(ends)))
        return
    if tries is not None:
        raise InvalidArgument(f"--tries is about one log, and {len(logs)} are given; leave it out")
    together = paired(logs)
    if len(logs) == 2:
        from howsure.comparison.comparing import compare

        form.show(watched("comparing")(compare)(together, rope=rope, prior=prior, groups=groups, **vars(ends)))
        return
    from howsure.ranking.rank import rank

    form.show(watched("ranking")(rank)(together, prior=prior, **vars(ends)))
