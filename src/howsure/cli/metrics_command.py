"""``howsure metrics``: what can be asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.terminal import say
from howsure.metrics import AVERAGES, FAMILIES, names
from howsure.reporting.metric_cards import by_family, dependence, explanation, lookup

__all__ = ["metrics_command"]


def metrics_command(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One metric, to be explained.")] = None,
) -> None:
    """List the metrics by family, or explain one."""
    if name is not None:
        metric = lookup(name)
        say(f"{metric.name}, of the family {metric.family}")
        for what, text in explanation(metric).items():
            say(f"  {what}: {text}")
        return
    width = max(map(len, names()))
    for family, meaning in FAMILIES.items():
        say(f"{family}: {meaning}")
        for each in by_family(family):
            marks = ("* " if dependence(each) else "  ") + ("@" if each.per == "class" else " ")
            say(f"  {each.name:<{width}} {marks}  {each.description}")
        typer.echo()
    say("*: depends on the prevalence, at least above two classes; howsure metrics NAME says when.")
    say("@: a metric of each class, asked for with @class, or averaged:")
    for average, meaning in AVERAGES.items():
        say(f"  @{average:<{width}}    {meaning}")
