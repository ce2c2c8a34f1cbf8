"""The commands by name; importing this module needs typer, and each command loads when it is called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.resources import files
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from howsure._version import __version__
from howsure.cli.options import built, option
from howsure.errors import InvalidArgument
from howsure.params import KIND

#: The file of each, in the order of the help; a report does not wait for what a ranking needs.
COMMANDS = {
    "report": "report",
    "count": "counts",
    "log": "logs",
    "repeats": "logs",
    "agree": "logs",
    "reconstruct": "counts",
    "compare": "compare",
    "rank": "compare",
    "gate": "gate",
    "post-test": "report",
    "frequencies": "report",
    "predict": "report",
    "sensitivity": "report",
    "survey": "counts",
    "pool": "slices",
    "slices": "slices",
    "fairness": "slices",
    "curve": "curves",
    "threshold": "curves",
    "calibration": "curves",
    "plan": "plan",
    "next-labels": "plan",
    "outlook": "plan",
    "stopping-rule": "plan",
    "digits": "plan",
    "serve": "page",
    "page": "page",
    "metrics": "page",
    "verify": "page",
    "cite": "page",
}

#: A command that takes the name of any metric as an option.
SETTINGS = {"reconstruct": {"ignore_unknown_options": True}}


def function_of(command: str) -> Callable[..., None]:
    """The function of a command for typer, which is loaded now."""
    from howsure.cli.output import refuse_two_forms  # the list of commands needs none

    module = import_module(f"howsure.cli.{COMMANDS[command]}")
    return built(getattr(module, _name(command)), refuse_two_forms)


def sentences() -> Iterator[tuple[str, str]]:
    """Each command with its first sentence, read from its file: to import all takes longer than most answers."""
    trees = {
        file: ast.parse(files("howsure.cli").joinpath(f"{file}.py").read_text("utf-8")) for file in {*COMMANDS.values()}
    }
    for command, file in COMMANDS.items():
        (function,) = (it for it in trees[file].body if isinstance(it, ast.FunctionDef) and it.name == _name(command))
        yield command, " ".join((ast.get_docstring(function) or "").partition("\n\n")[0].split())


def _name(command: str) -> str:
    return f"{command.replace('-', '_')}_command"


#: How an answer is made and where it goes, not what it is about: of an alias the person says the last word.
OVERRIDDEN = {"--level", "--kind", "--prior", "--seed", "--draws", "--out"}


#: Options of two values that may be repeated.
PAIRS = {"--between"}


class Command(TyperCommand):
    """A command that refuses an option given twice where it takes one value; the first was left out in silence.

    Settings that an alias or a script has already (`OVERRIDDEN`) are taken from the last.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for parameter in self.params:
            if PAIRS & {*parameter.opts}:
                parameter.nargs = 2

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse, and look at what was parsed."""
        left = super().parse_args(ctx, [*args])
        _, _, order = self.make_parser(ctx).parse_args(args=args)
        options = [it for it in order if isinstance(it, TyperOption)]
        single = [it for it in options if not (it.multiple or it.is_flag or it.count or OVERRIDDEN & {*it.opts})]
        doubled = next((it for it in single if single.count(it) > 1), None)
        if doubled is not None:
            raise InvalidArgument(f"{doubled.opts[0]} was given twice; give it once")
        if "kind" in ctx.params and not any("--kind" in it.opts for it in options):
            ctx.params["kind"] = KIND  # which says that nobody has named one
        return left


class Commands(TyperGroup):
    """A group whose commands are imported when they are asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        unloaded: Any = None
        self.commands = dict.fromkeys(COMMANDS, unloaded)  # names for the help and for "did you mean"

    def list_commands(self, ctx: Any) -> list[str]:
        """All names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, built by typer from its function."""
        if cmd_name not in COMMANDS:
            return None
        one = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        one.command(cmd_name, cls=Command, context_settings=SETTINGS.get(cmd_name))(function_of(cmd_name))
        return typer.main.get_command(one)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands with the whole first sentence of each, over several lines where it is long."""
        with formatter.section("Commands"):
            formatter.write_dl([*sentences()])


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
def options(version: Annotated[bool, option("version", callback=_version, is_eager=True)] = False) -> None:
    """Exact, honest knowledge from a confusion matrix."""
