"""``howsure repeats``: items that were tried several times, new ones and these again."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from howsure.cli.column_options import GroupsOption, ItemOption, RepeatOption, ScoreOption
from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, PriorOption, Sampling
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched

__all__ = ["repeats_command"]


TriesOption = Annotated[list[int] | None, option("k")]
ThresholdOption = Annotated[float | None, option("threshold", "repeats")]
OutcomesOption = Annotated[str | None, option("outcomes")]
RangeOption = Annotated[str | None, option("range")]


@flat
def repeats_command(
    *,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="item,run,correct: a row a run; item,1,2,3: a row an item; or a log; - for standard input.",
        ),
    ],
    item: ItemOption = None,
    repeat: RepeatOption = None,
    score: ScoreOption = None,
    k: TriesOption = None,
    threshold: ThresholdOption = None,
    outcomes: OutcomesOption = None,
    limits: RangeOption = None,
    missing: Annotated[Literal["error", "wrong", "class", "exclude"], option("missing", "repeats")] = "error",
    groups: GroupsOption = None,
    prior: PriorOption = None,
    sampling: Sampling,
    ends: Ends,
    form: FileForm,
) -> None:
    """Items that were tried several times: mean score, pass@k, pass^k, and what more runs or more items are worth.

    The same answer as howsure log gives of one model. Without --prior: learned, from three items on; of scores that are
    more than right and wrong, items have uncertain weights.
    """
    from howsure.io.logs.log import logs_of, of_one_model
    from howsure.io.logs.scored import LogAsk
    from howsure.reporting.repeats import log_report

    form.spare(file)
    ask = LogAsk(score, None, threshold, None, item, repeat, missing, scores_of(outcomes, "outcomes"),
              scores_of(limits, "range"))  # fmt: skip
    read = watched("reading")(logs_of)(file, ask)
    report = watched("inferring")(log_report)
    form.show(report(of_one_model(read), prior, groups=groups, tries=k or (), **vars(sampling), **vars(ends)))


def scores_of(text: str | None, option: str) -> list[float] | None:
    """Read ``0,0.5,1``."""
    from howsure.errors import InvalidArgument, excerpt
    from howsure.errors.arguments import written

    try:
        return None if text is None else [written(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"--{option} are numbers, comma separated (0,0.5,1); not {excerpt(text)}") from None
