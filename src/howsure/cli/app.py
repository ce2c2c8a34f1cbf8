"""The commands, one function each; importing this module needs typer."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure._version import __version__
from howsure.citation import citation
from howsure.cli.asking import frequencies_command, post_test_command
from howsure.cli.catalogue import metrics_command
from howsure.cli.comparing import compare_command
from howsure.cli.counts import count_command
from howsure.cli.gating import gate_command
from howsure.cli.logs import log_command
from howsure.cli.planning import plan_command
from howsure.cli.ranks import rank_command
from howsure.cli.reporting import report_command
from howsure.cli.sequential import digits_command, outlook_command, stopping_rule_command
from howsure.cli.surveying import predict_command, sensitivity_command, survey_command

__all__ = ["app"]

app = typer.Typer(
    name="howsure",
    help="How sure are you that your classifier is good? Rows are truth, columns are prediction, everywhere.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"howsure {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Exact, honest knowledge from a confusion matrix."""


app.command("report")(report_command)
app.command("count")(count_command)
app.command("log")(log_command)
app.command("compare")(compare_command)
app.command("rank")(rank_command)
app.command("gate")(gate_command)
app.command("post-test")(post_test_command)
app.command("frequencies")(frequencies_command)
app.command("predict")(predict_command)
app.command("sensitivity")(sensitivity_command)
app.command("survey")(survey_command)
app.command("plan")(plan_command)
app.command("outlook")(outlook_command)
app.command("stopping-rule")(stopping_rule_command)
app.command("digits")(digits_command)
app.command("metrics")(metrics_command)


@app.command()
def cite(
    bibtex: Annotated[bool, typer.Option("--bibtex", help="BibTeX instead of text.")] = False,
) -> None:
    """Print how to cite howsure and the papers whose models it computes."""
    typer.echo(citation(bibtex=bibtex))
