"""``howsure metrics``: what can be asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.catalogue import by_family, dependence, explanation, lookup
from howsure.metrics import AVERAGES, FAMILIES, names

__all__ = ["metrics_command"]


def metrics_command(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One metric, to be explained.")] = None,
) -> None:
    """List the metrics by family, or explain one."""
    if name is not None:
        metric = lookup(name)
        typer.echo(f"{metric.name}, of the family {metric.family}")
        for what, text in explanation(metric).items():
            typer.echo(f"  {what}: {text}")
        return
    width = max(map(len, names()))
    for family, meaning in FAMILIES.items():
        typer.echo(f"{family}: {meaning}")
        for each in by_family(family):
            marks = ("* " if dependence(each) else "  ") + ("@" if each.per == "class" else " ")
            typer.echo(f"  {each.name:<{width}} {marks}  {each.description}")
        typer.echo("")
    typer.echo("*: depends on the prevalence, at least above two classes; howsure metrics NAME says when.")
    typer.echo("@: a metric of each class, asked for with @class, or averaged:")
    for average, meaning in AVERAGES.items():
        typer.echo(f"  @{average:<{width}}    {meaning}")
