"""Declared once: priors, defaults, options, words of columns; what quotes them is read from there, or compared."""

from __future__ import annotations

import ast
import inspect
import re
import runpy
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

import howsure as hs
from howsure.cli.options import NAMES, Options, parameter_of
from howsure.cli.program import COMMANDS, function_of
from howsure.data import words
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.params import PARAMETERS
from howsure.posterior.priors import PRIORS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: The numerics take their numbers from whoever calls them.
SOURCES = [path for path in sorted((ROOT / "src/howsure").rglob("*.py")) if "numerics" not in path.parts]

DEFAULTS = {"DRAWS": DRAWS, "SEED": SEED, "LEVEL": LEVEL, "KIND": KIND}
#: Another number of draws on purpose: chains of an export, the most that a request may ask for.
OTHER_DRAWS = {"arviz.py", "limits.py"}

#: Options that say something else in another command, and so have more than one text.
HOMONYMS = {
    "--a", "--b", "--above", "--assurance", "--below", "--classical", "--draws", "--id", "--json", "--kind", "--label",
    "--level", "--margin", "--metric", "--missing", "--mode", "--model", "--more", "--verdicts", "--n", "--out",
    "--pred", "--prior", "--shares", "--threshold", "--weights", "--width",
}  # fmt: skip


def given(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Every parameter and every field of a class with its default."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            every = [*node.args.posonlyargs, *node.args.args]
            yield from zip(
                (each.arg for each in every[len(every) - len(node.args.defaults) :]), node.args.defaults, strict=True
            )
            for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
                if default is not None:
                    yield each.arg, default
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value


def literal(value: ast.expr) -> object:
    return value.value if isinstance(value, ast.Constant) else None


@pytest.mark.full
def test_defaults_are_written_where_they_are_declared_and_nowhere_else() -> None:
    found = [
        f"{path.name}:{value.lineno} {name}={ast.unparse(value)}"
        for path in SOURCES
        for name, value in given(ast.parse(path.read_text(encoding="utf-8")))
        if name.upper() in DEFAULTS and name.islower()
        if isinstance(literal(value), int | float) or literal(value) in ("hdi", "central")
        if not (name == "draws" and path.name in OTHER_DRAWS)
    ]
    assert not found


def test_each_default_has_one_name_in_one_place() -> None:
    places = defaultdict(list)
    for path in SOURCES:
        for name in DEFAULTS:
            for written in re.findall(rf"^(?:.*, )?{name}(?:, .*|: .*)? = (.*)", path.read_text("utf-8"), re.MULTILINE):
                if str(DEFAULTS[name]) in re.sub(r".*Usual[(](.*?)[)]+", r"\1", written).replace("_", "").replace(
                    '"', ""
                ).split(", "):
                    places[name].append(path.name)
    assert places == {name: ["params.py"] for name in DEFAULTS}


@pytest.mark.parametrize("name", ["README.md", "docs/model.md", "docs/rank.md", "docs/compare.md"])
def test_documents_say_how_many_draws_there_are(name: str) -> None:
    text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
    said = re.findall(r"([\d,]{5,}) (?:joint )?draws", text)
    assert {int(each.replace(",", "")) for each in said} - {1_000} == {DRAWS}


def test_the_table_of_priors_is_the_list_of_priors() -> None:
    table = (DOCS / "model.md").read_text(encoding="utf-8").partition("| prior | recall |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(PRIORS)
    described = inspect.getdoc(hs.infer) or ""
    assert re.findall(r'"(\w+)"', described.partition("prior : ")[2].partition("Returns")[0]) == list(PRIORS)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "sensitivity"])
def test_the_help_names_every_prior(command: str) -> None:
    for option in options_of(command):
        if "--prior" in option.opts:
            assert re.findall(r"\w+", re.sub(r"\(.*?\)", "", option.help.partition(";")[0])) == list(PRIORS)


def test_every_word_that_a_file_may_use_is_in_the_docs() -> None:
    section = (DOCS / "files.md").read_text(encoding="utf-8").partition("## Words\n")[2].partition("\n## ")[0]
    shown = set(re.findall(r"`([^`]+)`", section))
    groups: dict[str, Any] = {
        name: value for name, value in vars(words).items() if name.isupper() and not name.startswith("_")
    }
    groups |= groups.pop("PARTS")
    unsaid = {
        name: sorted(set(group) - shown - {""})
        for name, group in groups.items()
        if isinstance(group, frozenset | tuple)
    }
    assert {name: missing for name, missing in unsaid.items() if missing} == {}


@pytest.mark.parametrize(("page", "made"), [("commands.md", "commands_page"), ("files.md", "files_page")])
def test_lists_in_the_docs_are_made_from_the_code(page: str, made: str) -> None:
    script = runpy.run_path(str(DOCS / "make_lists.py"))
    assert (DOCS / page).read_text(encoding="utf-8") == script[made](), "run: make lists"


def options_of(command: str) -> list[Any]:
    app = typer.Typer(add_completion=False)
    app.command(command)(function_of(command))
    return [parameter for parameter in typer.main.get_command(app).params if parameter.param_type_name == "option"]


def test_an_option_says_the_same_in_every_command() -> None:
    said = defaultdict(set)
    for command in COMMANDS:
        for option in options_of(command):
            said[max(option.opts, key=len)].add((option.help, option.default, option.metavar))
    assert {name for name, texts in said.items() if len(texts) > 1} == HOMONYMS


def test_every_option_stands_in_the_list_of_parameters_and_nowhere_else() -> None:
    asked = {("version", "")}
    for command, file in COMMANDS.items():
        module = import_module(f"howsure.cli.{file}")
        words = getattr(module, f"{command.replace('-', '_')}_command").words.split()
        assert len({*words}) == len(words), command
        asked |= {parameter_of(word, command) for word in words}
    declared = [
        (path.name, ast.unparse(node.func))
        for path in (ROOT / "src/howsure/cli").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("typer.Option", "typer.Argument")
    ]
    assert asked == set(PARAMETERS)
    assert sorted(declared) == [("options.py", "typer.Argument"), ("options.py", "typer.Option")]


def test_what_a_command_reads_is_an_option_of_a_command() -> None:
    words = {
        word.partition(":")[0]
        for command, file in COMMANDS.items()
        for word in getattr(import_module(f"howsure.cli.{file}"), f"{command.replace('-', '_')}_command").words.split()
    }
    read = {
        node.attr
        for path in (ROOT / "src/howsure/cli").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ask"
    }
    assert read - {"given", "used", "refuse"} <= words
    assert {*NAMES} <= words
    with pytest.raises(AttributeError):
        _ = Options().nothing
