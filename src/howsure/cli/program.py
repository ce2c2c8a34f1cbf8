"""The commands by name; importing this module needs typer, and each command loads when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from howsure._version import __version__

__all__ = ["app"]

#: Where each command lives, in the order of the help: a report should not wait for what a ranking needs.
PLACES = {
    "report": "report_command.report_command",
    "count": "count_command.count_command",
    "log": "log_command.log_command",
    "reconstruct": "reconstruct_command.reconstruct_command",
    "compare": "compare_command.compare_command",
    "rank": "rank_command.rank_command",
    "gate": "gate_command.gate_command",
    "post-test": "post_test_command.post_test_command",
    "frequencies": "post_test_command.frequencies_command",
    "predict": "survey_command.predict_command",
    "sensitivity": "survey_command.sensitivity_command",
    "survey": "survey_command.survey_command",
    "plan": "plan_command.plan_command",
    "outlook": "sequential_commands.outlook_command",
    "stopping-rule": "sequential_commands.stopping_rule_command",
    "digits": "sequential_commands.digits_command",
    "serve": "serve_command.serve_command",
    "metrics": "metrics_command.metrics_command",
    "cite": "cite_command.cite_command",
}

#: A command that takes the name of any metric as an option.
SETTINGS = {"reconstruct": {"ignore_unknown_options": True}}


class Commands(TyperGroup):
    """A group whose commands are imported when they are asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        unloaded: Any = None
        self.commands = dict.fromkeys(PLACES, unloaded)  # names for the help and for "did you mean"

    def list_commands(self, ctx: Any) -> list[str]:
        """All names, in the order of the help."""
        return list(PLACES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, built by typer from its function."""
        if cmd_name not in PLACES:
            return None
        module, function = PLACES[cmd_name].split(".")
        one = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        one.command(cmd_name, context_settings=SETTINGS.get(cmd_name))(
            getattr(import_module(f"howsure.cli.{module}"), function)
        )
        return typer.main.get_command(one)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands with the whole first sentence of each, over several lines where it is long."""
        with formatter.section("Commands"):
            # no sentence is longer; the formatter breaks it between words
            formatter.write_dl([(name, self.get_command(ctx, name).get_short_help_str(1000)) for name in PLACES])


app = typer.Typer(
    name="howsure",
    cls=Commands,
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
