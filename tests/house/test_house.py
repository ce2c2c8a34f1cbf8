"""The house: its layers, its size, circles, what is declared once, and the words that users read."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import runpy
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.house.budget import BUDGET, sizes, weigh
from tests.patience import PATIENCE

import howsure
import howsure as hs
from howsure.cli.options import NAMES, Options, parameter_of
from howsure.cli.program import COMMANDS, function_of
from howsure.data import words
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.metrics import REGISTRY, names
from howsure.params import PARAMETERS
from howsure.posterior.priors import PRIORS

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
HEAVY = ("scipy.stats", "matplotlib", "pandas", "polars", "typer", "rich", "starlette", "sklearn", "narwhals")


@pytest.mark.full
def test_the_whole_library_imports_nothing_optional() -> None:
    code = f"import sys; from howsure import *; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=PATIENCE
    )
    assert done.stdout == "[]\n"


@pytest.mark.full
def test_a_name_loads_what_it_needs_and_no_more() -> None:
    code = (
        "import howsure, sys; assert 'numpy' not in sys.modules; howsure.infer; not_needed = "
        "('ranking', 'planning', 'comparison', 'io', 'publish', 'reporting');"
        "print([name for name in not_needed if f'howsure.{name}' in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=PATIENCE
    )
    assert done.stdout == "[]\n"


def test_no_room_bears_the_name_of_a_public_function() -> None:
    # importing howsure.rank would set the attribute `rank` to the module, where the function is meant
    rooms = {info.name for info in pkgutil.iter_modules(howsure.__path__)}
    shadowed = [name for name in howsure.__all__ if name in rooms and not inspect.ismodule(getattr(howsure, name))]
    assert not shadowed


@pytest.mark.full
def test_no_submodule_takes_the_name_of_a_function() -> None:
    code = (
        "import howsure.questions.rank, howsure.planning.plan, howsure.questions.gate_answer, howsure.reporting.report;"
        "print(all(callable(getattr(howsure, n)) for n in 'rank plan compare gate report classical'.split()),"
        "'plan' in dir(howsure), hasattr(howsure, 'nothing'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=PATIENCE
    )
    assert done.stdout == "True True False\n"


@pytest.mark.full
def test_counting_loads_no_law_and_no_scipy() -> None:
    code = (
        "import sys; from howsure.cli import main; main(['count', 'examples/digits.csv']);"
        "print([m for m in ('scipy', 'howsure.laws', 'howsure.posterior') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, cwd=ROOT, timeout=PATIENCE
    )
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.full
def test_a_report_as_json_imports_no_rich_and_no_statistics() -> None:
    code = (
        "import sys; from howsure.cli import main; main(['report', 'examples/cocaine.csv', '--json']);"
        f"print([m for m in {tuple(m for m in HEAVY if m != 'typer')!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, cwd=ROOT, timeout=PATIENCE
    )
    assert done.stderr == "[]\n"


def test_no_file_holds_two_ideas() -> None:
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES + TESTS
    }
    assert len(lines) > 500
    assert {name: many for name, many in lines.items() if many > 600} == {}
    vague = re.compile(r"(?:^|_)(?:utils?|helpers?|core|misc)(?:_|$)")
    assert [name for name in lines if vague.search(Path(name).stem)] == []


@pytest.mark.full
def test_a_class_name_exists_once() -> None:
    named = [
        node.name
        for path in SOURCES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert {name for name in named if named.count(name) > 1} == set()


def public_objects() -> list[tuple[str, object]]:
    found: dict[str, object] = {}
    for info in pkgutil.walk_packages(howsure.__path__, "howsure."):
        if info.name.endswith("__main__") or ".cli" in info.name:
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            here = getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
            if here and (inspect.isclass(value) or inspect.isfunction(value)):
                found[f"{module.__name__}.{name}"] = value
    return sorted(found.items())


def test_everything_public_says_what_it_is() -> None:
    first = {name: (inspect.getdoc(value) or "").partition("\n")[0] for name, value in public_objects()}
    assert len(first) > 1_500
    assert {name: said for name, said in first.items() if not said.endswith((".", ":", "?", "!"))} == {}


def test_the_public_surface_is_what_it_says() -> None:
    assert howsure.__all__ == sorted(howsure.__all__)
    for name in howsure.__all__:
        assert hasattr(howsure, name)
        if name not in ("__version__", "errors", "laws"):
            assert ">>>" in inspect.getdoc(getattr(howsure, name)) or name.endswith(("Error", "Warning")) or name in (
                "Metric", "Plan", "Posterior", "Ranking", "Report", "Classical",
                "Fairness", "NaturalFrequencies", "PostTest", "Prediction", "Sensitivity", "SliceReport", "Survey",
            ), f"{name} has no example"  # fmt: skip


def test_every_metric_declares_itself() -> None:
    metrics = {name: REGISTRY[name] for name in names()}
    assert [name for name, metric in metrics.items() if not metric.reference] == []
    assert [name for name, metric in metrics.items() if not metric.description.endswith(".")] == []
    assert [name for name, metric in metrics.items() if not metric.range[0] < metric.range[1]] == []
    assert [name for name, metric in metrics.items() if metric.better not in ("higher", "lower", "neither")] == []
    assert [(name, a) for name, metric in metrics.items() for a in metric.aliases if REGISTRY[a] is not metric] == []


@pytest.mark.full
def test_numerics_import_nothing_of_ours_and_no_slow_scipy() -> None:
    for path in (ROOT / "src/howsure/numerics").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for module in modules:
                assert not module.startswith("howsure") or module.startswith("howsure.numerics"), path
                if path.name == "calibration.py" and module == "scipy.optimize":
                    continue  # its isotonic regression, loaded inside the function that asks for it
                assert module not in ("scipy.stats", "scipy.optimize", "scipy.integrate"), path


def test_no_warning_is_silenced_for_everyone() -> None:
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert "filterwarnings" not in text, path
        assert "np.seterr(" not in text, path


def test_the_changelog_and_citation_know_the_version() -> None:
    assert "## Unreleased" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"version: {howsure.__version__}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_constraints_name_versions_and_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines if not line.startswith("#"))


@pytest.mark.full
def test_no_test_waits_for_a_process_without_a_limit() -> None:
    endless = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in [*TESTS, ROOT / "conftest.py"]
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("subprocess.run", "subprocess.check_output")
        if "timeout" not in {keyword.arg for keyword in call.keywords}
    ]
    assert not endless


# -- an answer is data, and its text and picture take it as their argument: no two modules need each other ------------

SOURCE = Path(__file__).parents[2] / "src"

#: Modules that still need each other; the list may only get shorter.
ALLOWED = {
    # an answer and its words, a file and what it is read into: each pair is to become one file or to lose an arrow
    frozenset({"howsure.posterior.distribution", "howsure.posterior.wrong_labels"}),
    frozenset({"howsure.questions.groups", "howsure.questions.comparison"}),
    frozenset({"howsure.metrics.measure", "howsure.metrics.metric"}),
    # a workbook is unpacked where files are opened, and is text of a table from there on
    frozenset(f"howsure.io.{name}" for name in ("opening", "table", "workbooks")),
    # a question is a function of a posterior, and its method as it stands
    frozenset(
        f"howsure.posterior.{name}"
        for name in (
            "carried",
            "judged",  # which of the two `infer` makes
            "knowledge",
            "paired",
            "posterior",
            "questions.frequencies",
            "questions.patient",
            "questions.predictive",
            "questions.prior_sensitivity",
            "questions.replication",
        )
    ),
}


def imported() -> dict[str, set[str]]:
    """Modules that each module imports anywhere: on top, for type checkers only, inside functions."""
    modules = {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in SOURCE.rglob("*.py")
    }
    found: dict[str, set[str]] = {}
    for module, path in modules.items():
        names: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inside = {f"{node.module}.{name.name}" for name in node.names}
                names |= inside & modules.keys() or {node.module}
        found[module] = (names & modules.keys()) - {module}
    return found


def circles(arrows: dict[str, set[str]]) -> set[frozenset[str]]:
    """Groups of modules that can be reached from each other."""
    reached: dict[str, set[str]] = {}
    for start in arrows:
        seen, waiting = set[str](), [start]
        while waiting:
            new = arrows[waiting.pop()] - seen
            seen |= new
            waiting += new
        reached[start] = seen
    return {frozenset(b for b in reached[a] if a in reached[b]) for a in arrows if a in reached[a]}


@pytest.mark.full
def test_no_two_modules_need_each_other() -> None:
    assert circles(imported()) <= ALLOWED


def test_a_circle_is_found() -> None:
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set[str]()}
    assert circles(arrows) == {frozenset("abc")}


# -- size is a defect: no room has more code than its budget, and a budget follows what was deleted -------------------


def test_no_room_is_above_its_budget_and_no_budget_far_above_its_room() -> None:
    budget = tomllib.loads(BUDGET.read_text(encoding="utf-8"))
    now = sizes()
    assert budget.keys() == now.keys(), "a new room brings a line of its own in tests/house/budget.toml"
    over = {name: f"{size} of {budget[name]}" for name, size in now.items() if size > budget[name]}
    assert not over, f"delete, or raise the line with its reason: {over}"
    slack = {name: f"{size} of {budget[name]}" for name, size in now.items() if size < 0.97 * budget[name] - 20}
    assert not slack, f"python -m tests.house.budget --lower: {slack}"


TEXT = '''"""Doc."""

import os
from a import (
    b,
)


def f(
    x,
):
    """One
    two."""
    # why
    return x
'''


def test_a_code_line_is_what_a_reader_has_to_understand() -> None:
    assert weigh(TEXT) == (4, 0)
    assert weigh(f"def f({', '.join('abcdefghij')}): ...") == (1, 1)


# -- the page of the architecture: its rooms are the layers, and what its walk names is there -------------------------

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src/howsure"
STEPS = re.findall(r"^\| \d+ \| `([\w/]+\.py)` `(\w+)` \|", PAGE, re.MULTILINE)


def test_the_diagram_shows_the_layers() -> None:
    diagram = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert diagram
    shown = [re.split(r"\s{2,}", line)[0] for line in diagram[1].splitlines() if not line.startswith(" ")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert shown == project["tool"]["importlinter"]["contracts"][0]["layers"]


def test_the_layers_are_all_rooms_there_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = {
        room for line in project["tool"]["importlinter"]["contracts"][0]["layers"] for room in re.findall(r"\w+", line)
    }
    there = {path.stem for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"} - {"__init__"}
    assert named == there - {"__pycache__"}


@pytest.mark.parametrize(("path", "name"), STEPS)
def test_each_step_of_the_walk_is_there(path: str, name: str) -> None:
    tree = ast.parse((PACKAGE / path).read_text(encoding="utf-8"))
    assert name in {getattr(node, "name", None) for node in tree.body}


def test_the_walk_has_no_step_without_a_file() -> None:
    assert len(re.findall(r"^\| \d+ \| `", PAGE, re.MULTILINE)) == len(STEPS)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:\w+/)+\w+\.py)`", PAGE))))
def test_every_file_that_it_names_is_there(path: str) -> None:
    assert (PACKAGE / path).is_file() or (ROOT / path).is_file()


def test_every_reader_has_a_row_that_leads_to_its_documentation() -> None:
    table = PAGE.partition("#### Readers")[2].partition("\n### ")[0]
    rows = dict(re.findall(r"^\| `(\w+)\.py` \| (.+) \|$", table, re.MULTILINE))
    assert set(rows) == {path.stem for path in (PACKAGE / "io/formats").glob("*.py")} - {"__init__"}
    headings = re.findall(r"^#+ (.+)$", (ROOT / "docs/files.md").read_text(encoding="utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    linked = {anchor for row in rows.values() for anchor in re.findall(r"\(files\.md#([\w-]+)\)", row)}
    assert linked <= anchors


def test_what_contributors_are_sent_to_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([\w./]+/[\w./]*)`", text) if not re.search(r"[A-Z]{3}|^\.venv", name)}
    places = (ROOT, PACKAGE, PACKAGE / "web")
    assert {name for name in named if not any((place / name).exists() for place in places)} == set()
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= set(targets)


# -- declared once: priors, defaults, options, words of columns; what quotes them is read from there, or

DOCS = ROOT / "docs"
#: The numerics take their numbers from whoever calls them.
SOURCES_OF_DECLARED_ONCE = [
    path for path in sorted((ROOT / "src/howsure").rglob("*.py")) if "numerics" not in path.parts
]

DEFAULTS = {"DRAWS": DRAWS, "SEED": SEED, "LEVEL": LEVEL, "KIND": KIND}
#: Another number of draws on purpose: chains of an export, the most that a request may ask for.
OTHER_DRAWS = {"exports.py", "limits.py"}

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
        for path in SOURCES_OF_DECLARED_ONCE
        for name, value in given(ast.parse(path.read_text(encoding="utf-8")))
        if name.upper() in DEFAULTS and name.islower()
        if isinstance(literal(value), int | float) or literal(value) in ("hdi", "central")
        if not (name == "draws" and path.name in OTHER_DRAWS)
    ]
    assert not found


def test_each_default_has_one_name_in_one_place() -> None:
    places = defaultdict(list)
    for path in SOURCES_OF_DECLARED_ONCE:
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
