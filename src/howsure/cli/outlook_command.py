"""``howsure outlook``: whether to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from howsure.cli.cases_so_far import CasesSoFar, TwoClassifiers, print_json, whole_numbers
from howsure.cli.flat import flat
from howsure.cli.inputs import CertaintyOption, MetricArgument, SeedOption
from howsure.cli.options import option
from howsure.cli.output import JsonOption
from howsure.cli.terminal import say
from howsure.laws.draw_settings import SEED
from howsure.laws.law import LEVEL

if TYPE_CHECKING:
    from howsure.comparison.outlook import Foreseen

__all__ = ["outlook_command"]

MaybeFiles = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE]...",
        help="A file, or - for standard input; or --correct and --n. Two classifiers: one file of both, or two.",
    ),
]

#: Characters of a bar that stands for probability 1.
BAR = 40


@flat
def outlook_command(
    *,
    metric: MetricArgument,
    files: MaybeFiles = None,
    above: Annotated[float | None, option("above", "outlook")] = None,
    more: Annotated[str, option("more", "outlook")] = "100",
    level: CertaintyOption = LEVEL,
    so_far: CasesSoFar,
    two: TwoClassifiers,
    seed: SeedOption = SEED,
    as_json: JsonOption = False,
) -> None:
    """Whether to go on: how probably further cases change what is decided.

    With --above about one classifier and a threshold; without it about which of two classifiers is better, on the same
    cases where one file holds the answers of both or two files have ids in common.
    """
    from howsure.comparison.outlook import ComparisonOutlook, outlook
    from howsure.text.formats import integer, probability
    from howsure.text.text_table import Table

    sizes, given = whole_numbers("--more", more), files or []
    found: list[Foreseen] = []
    if above is None:
        comparison = so_far.compared(given, two, metric)
        found += [outlook(comparison, more=size, level=level, seed=seed) for size in sizes]
    else:
        two.refuse(given)
        known = so_far.known(given[0] if given else None)
        found += [outlook(known, metric, above=above, more=size, level=level, seed=seed) for size in sizes]
    if as_json:
        print_json(found[0].to_dict() if len(found) == 1 else [each.to_dict() for each in found])
        return
    for each in found:
        say(each.sentence)
    of_two = [each for each in found if isinstance(each, ComparisonOutlook)]
    for note in dict.fromkeys(note for each in of_two for note in each.notes):
        say(f"note: {note}")
    names = list(found[0].later)
    cells = [
        (integer(each.more), *(probability(each.later[x], each.futures or None) for x in names), _bar(each.change))
        for each in found
    ]
    typer.echo()
    say(Table(("more", *(f"then {x}" for x in names), "changed"), tuple(cells), frozenset([4])))


def _bar(share: float) -> str:
    return f"{'#' * round(BAR * share)} {100 * share:.0f}%".strip()
