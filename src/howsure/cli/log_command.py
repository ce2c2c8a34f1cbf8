"""``howsure log``: how sure the accuracy of an evaluation log is, and which of two models is better."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, PriorOption, RopeOption
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.errors import InvalidArgument, excerpt

__all__ = ["log_command"]


@flat
def log_command(
    *,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE [FILE]", help="Samples of lm-evaluation-harness, logs of Inspect or lighteval, JSON Lines."
        ),
    ],
    metric: Annotated[str | None, typer.Option("--metric", "-m", help="The score to read.", metavar="NAME")] = None,
    chosen_filter: Annotated[
        str | None, typer.Option("--filter", help="The filter of lm-evaluation-harness.", metavar="NAME")
    ] = None,
    field: Annotated[
        str | None,
        typer.Option("--field", help="The field of other JSON Lines that says right or wrong.", metavar="NAME"),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="Scores from here on are right.", metavar="SCORE")
    ] = None,
    rope: RopeOption = None,
    prior: PriorOption = None,
    ends: Ends,
    form: FileForm,
) -> None:
    """Accuracy from logs that say right or wrong; two of them are compared on the items they share."""
    from howsure.io.logs import log_report, paired, read_log

    form.spare(*files)
    if len(files) > 2:
        raise InvalidArgument(f"one log, or two to compare; {len(files)} are given")
    logs = [
        watched("reading")(read_log)(f, metric=metric, filter=chosen_filter, field=field, threshold=threshold)
        for f in files
    ]
    if len(logs) == 1:
        if rope is not None:
            raise InvalidArgument("--rope is about a difference, and one log is given; name two")
        form.show(log_report(logs[0], prior, **vars(ends)))
        return
    from howsure.comparison.comparing import compare

    names = [Path(f).stem for f in files]
    names = names if names[0] != names[1] else files
    if names[0] == names[1]:
        raise InvalidArgument(f"{excerpt(names[0])} is given twice; name the logs of two models")
    both = paired(dict(zip(names, logs, strict=True)))
    form.show(watched("comparing")(compare)(both, metric="accuracy", rope=rope, prior=prior, **vars(ends)))
