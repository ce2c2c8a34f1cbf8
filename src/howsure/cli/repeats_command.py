"""``howsure repeats``: items that were tried several times, new ones and these again."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from howsure.cli.column_options import GroupsOption, ItemOption, RepeatOption, ScoreOption
from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, PriorOption, Sampling
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched

__all__ = ["repeats_command"]


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
    k: Annotated[
        list[int] | None,
        typer.Option("--k", help="Runs that pass@k and pass^k are about; repeated for several.", metavar="K"),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="Scores of a rubric from here on are right.", metavar="SCORE")
    ] = None,
    outcomes: Annotated[
        str | None, typer.Option("--outcomes", help="All scores that are possible (0,0.5,1).", metavar="A,B,...")
    ] = None,
    missing: Annotated[
        Literal["error", "wrong", "class", "exclude"],
        typer.Option(
            "--missing",
            help="Runs without a score: error, wrong (the least score), class (an outcome of its own), or exclude.",
            metavar="error|wrong|class|exclude",
        ),
    ] = "error",
    groups: GroupsOption = None,
    prior: PriorOption = None,
    sampling: Sampling,
    ends: Ends,
    form: FileForm,
) -> None:
    """Items that were tried several times: mean score, pass@k, pass^k, and what more runs or more items are worth.

    Without --prior: learned, from three items on.
    """
    from howsure.io.repeated_runs import read_repeats
    from howsure.posterior.posterior import infer
    from howsure.reporting.repeats import repeats_report

    form.spare(file)
    possible = None if outcomes is None else scores_of(outcomes)
    repeats = watched("reading")(read_repeats)(
        file, item=item, run=repeat, score=score, outcomes=possible, threshold=threshold, missing=missing
    )
    asked = None if not k else ["mean_score", *(f"pass{sign}{each}" for each in k if each != 1 for sign in "@^")]
    posterior = infer(repeats, prior, groups=groups)
    form.show(watched("inferring")(repeats_report)(posterior, asked, **vars(sampling), **vars(ends)))


def scores_of(text: str) -> list[float]:
    """Read ``0,0.5,1``."""
    from howsure.errors import InvalidArgument, excerpt
    from howsure.errors.arguments import written

    try:
        return [written(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"--outcomes are numbers, comma separated (0,0.5,1); not {excerpt(text)}") from None
