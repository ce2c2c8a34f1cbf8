"""``howsure next-labels``: which cases to label next, where a judge has answered all of them."""

from __future__ import annotations

from typing import Annotated

from howsure.cli.cases_so_far import print_json
from howsure.cli.flat import flat
from howsure.cli.inputs import InputOptions, LevelOption
from howsure.cli.options import option
from howsure.cli.output import JsonOption
from howsure.cli.terminal import say
from howsure.laws.law import LEVEL

__all__ = ["next_labels_command"]


@flat
def next_labels_command(
    *,
    more: Annotated[int, option("more", "next-labels")],
    label: Annotated[str | None, option("label")] = None,
    level: LevelOption = LEVEL,
    source: InputOptions,
    as_json: JsonOption = False,
) -> None:
    """Say which cases to label next, by their verdicts, so that the share of a class is known as well as can be.

    FILE holds cases with a verdict each, of which some have no truth; --missing estimate says that the labelled ones
    were chosen at random given it.
    """
    from howsure.planning.next_labels import next_labels

    made = next_labels(source.read().confusion, more, label=label, level=level)
    if as_json:
        print_json(made.to_dict())
    else:
        say(made)
