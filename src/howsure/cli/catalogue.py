"""``howsure metrics``: what can be asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.errors import UnknownMetric
from howsure.metrics import AVERAGES, REGISTRY, Measure, Metric, depends_on_prevalence, names

__all__ = ["metrics_command"]


def metrics_command(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One metric, to be explained.")] = None,
) -> None:
    """List the metrics, or explain one."""
    if name is not None:
        typer.echo(explanation(name))
        return
    shown = names()
    width = max(map(len, shown))
    for each in shown:
        metric = REGISTRY[each]
        mark = "*" if dependence(metric) else ""
        per = "each class" if metric.per == "class" else ""
        typer.echo(f"{each:<{width}} {mark:<1}  {per:<10}  {metric.description}")
    averages = ", ".join(f"@{average} ({meaning})" for average, meaning in AVERAGES.items())
    typer.echo(f"\nA metric of each class is asked for with @class, or averaged: {averages}.")
    typer.echo("*: depends on the prevalence, at least above two classes; howsure metrics NAME says when.")


def explanation(name: str) -> str:
    """All that a metric declares, in lines."""
    metric = REGISTRY.get(name.lower())
    if metric is None:
        raise UnknownMetric(name, REGISTRY, names())
    low, high = metric.range
    lines = [
        f"{metric.name}: {metric.description}",
        f"  of: {'each class (@class or an average)' if metric.per == 'class' else 'the whole table'}",
        f"  range: {low:g} to {high:g}; better: {metric.better}",
        f"  reference: {metric.reference}",
    ]
    lines += [f"  depends on the prevalence: {dependence(metric) or 'no'}"]
    if metric.parameters:
        lines.append("  parameters: " + ", ".join(f"{key}={value:g}" for key, value in metric.parameters.items()))
    if metric.aliases:
        lines.append("  also called: " + ", ".join(metric.aliases))
    lines += [f"  @{average} is {other}" for average, other in metric.same_as.items()]
    if metric.sklearn:
        lines.append(f"  scikit-learn: {metric.sklearn}")
    return "\n".join(lines)


def dependence(metric: Metric) -> str:
    """When the metric depends on the prevalence, in words; empty where it never does."""
    asked = Measure(metric) if metric.per == "table" else Measure(metric, label="0", index=0)
    if depends_on_prevalence(asked, 2):
        return "yes"
    return "above two classes" if depends_on_prevalence(asked, 3) else ""
