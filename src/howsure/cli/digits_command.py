"""``howsure digits``: how many decimals are known by now."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.cases_so_far import CasesSoFar, print_json
from howsure.cli.flat import flat
from howsure.cli.inputs import MetricArgument, SeedOption
from howsure.cli.options import option
from howsure.cli.output import JsonOption
from howsure.cli.terminal import say
from howsure.laws.draw_settings import SEED

__all__ = ["digits_command"]

MaybeFile = Annotated[
    str | None, typer.Argument(metavar="[FILE]", help="A file, or - for standard input; or --correct and --n.")
]


@flat
def digits_command(
    *,
    metric: MetricArgument,
    file: MaybeFile = None,
    assurance: Annotated[float, option("assurance", "digits")] = 0.95,
    so_far: CasesSoFar,
    seed: SeedOption = SEED,
    as_json: JsonOption = False,
) -> None:
    """How many decimals of a metric are known (one is where the interval is narrower), and the cases one more needs."""
    from howsure.planning.digits import digits

    known = so_far.known(file)
    made = digits(known, metric, assurance=assurance, seed=seed)
    if as_json:
        print_json(made.to_dict())
    else:
        say(made)
