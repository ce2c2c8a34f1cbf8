"""``howsure log``: how sure the accuracy of an evaluation log is, and which of two models is better."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.column_options import GroupOption, GroupsOption, ItemOption, RepeatOption
from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, PriorOption, RopeOption, Sampling
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.repeats_command import OutcomesOption, RangeOption, ThresholdOption, TriesOption, scores_of
from howsure.errors import InvalidArgument

__all__ = ["log_command"]


@flat
def log_command(
    *,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Samples of lm-evaluation-harness, logs of Inspect or lighteval, JSON, JSON Lines, or a table: "
            "item,model_a,model_b or item,model,correct.",
        ),
    ],
    metric: Annotated[str | None, option("metric", "log")] = None,
    chosen_filter: Annotated[str | None, option("filter")] = None,
    field: Annotated[str | None, option("field")] = None,
    item: ItemOption = None,
    repeat: RepeatOption = None,
    threshold: ThresholdOption = None,
    outcomes: OutcomesOption = None,
    limits: RangeOption = None,
    group: GroupOption = None,
    groups: GroupsOption = None,
    k: TriesOption = None,
    rope: RopeOption = None,
    prior: PriorOption = None,
    sampling: Sampling,
    ends: Ends,
    form: FileForm,
) -> None:
    """Accuracy or mean score from logs and tables of items; two models are compared on shared items, more are ranked.

    An item that is answered in several epochs is one independent unit, unless --group names another field of the items:
    from 8 units on the accuracy is that of new ones, and that of the same ones follows.
    """
    from howsure.io.logs.log import logs_of
    from howsure.io.logs.scored import LogAsk
    from howsure.io.logs.several import logs_by_model, paired
    from howsure.reporting.repeats import log_report

    form.spare(*files)
    ask = LogAsk(field or metric, chosen_filter, threshold, group, item, repeat, "exclude",
              scores_of(outcomes, "outcomes"), scores_of(limits, "range"))  # fmt: skip
    read = [watched("reading")(logs_of)(file, ask) for file in files]
    logs = logs_by_model(files, read)
    if len(logs) != 2 and rope is not None:
        raise InvalidArgument(f"--rope is about a difference, and {len(logs)} logs are given; name two")
    if len(logs) == 1:
        (log,) = logs.values()
        form.show(log_report(log, prior, groups=groups, tries=k or (), **vars(sampling), **vars(ends)))
        return
    if k:
        raise InvalidArgument(f"--k is about one log, and {len(logs)} are given; leave it out")
    together = paired(logs)
    if len(logs) == 2:
        from howsure.comparison.comparing import compare

        form.show(watched("comparing")(compare)(together, rope=rope, prior=prior, groups=groups, **vars(ends)))
        return
    from howsure.ranking.rank import rank

    form.show(watched("ranking")(rank)(together, prior=prior, **vars(ends)))
