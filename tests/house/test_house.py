"""The house rules, held by the tests."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

import howsure
from howsure.metrics import REGISTRY, names

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
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                found[f"{value.__module__}.{name}"] = value
    return sorted(found.items())


def test_everything_public_says_what_it_is() -> None:
    first = {name: (inspect.getdoc(value) or "").partition("\n")[0] for name, value in public_objects()}
    assert len(first) > 500
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
                if path.name == "honest_band.py" and module == "scipy.optimize":
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
