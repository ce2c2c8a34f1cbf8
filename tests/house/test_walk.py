"""A file goes from the command line to its count by a line of stages, and what reads it has no circle."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from tests.house.measure import ROOT, WALKED, returns, walk

SOURCE = ROOT / "src"


@pytest.mark.parametrize("path", WALKED)
def test_a_file_passes_eight_stages_at_most_and_comes_back_to_none(path: str) -> None:
    passed = walk(path, *WALKED[path])
    assert passed[:3] == ["cli.inputs", "io.stages", "io.opening"]
    assert passed[-1] == "io.assembly"
    assert len(passed) <= 8, passed
    assert returns(passed) == 0, passed


def test_a_return_is_counted() -> None:
    assert returns(["io.opening", "io.table", "io.opening", "io.table"]) == 2


def test_no_module_of_io_needs_itself() -> None:
    """Imports for types and within functions included; `TopologicalSorter` names the circle."""
    graph = _graph()
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph) > 50


@pytest.mark.parametrize("layout", ["matrix", "cases", "collection", "json_document"])
def test_a_stage_knows_nothing_of_those_before_it(layout: str) -> None:
    """What was opened is known below, where its lines are read; who reads it further knows a table."""
    graph = _graph()
    passed: set[str] = set()
    for stage in ("stages", "contents", "recognition", f"formats.{layout}", "assembly"):
        assert not passed & _needed(f"howsure.io.{stage}", graph), stage
        passed.add(f"howsure.io.{stage}")


def _graph() -> dict[str, set[str]]:
    files = {_module(path): path for path in (SOURCE / "howsure" / "io").rglob("*.py")}
    return {name: _imported(path) & files.keys() - {name} for name, path in files.items()}


def _needed(name: str, graph: dict[str, set[str]]) -> set[str]:
    """What a module imports, and what that imports."""
    return graph[name].union(*(_needed(other, graph) for other in graph[name]))


def _module(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def _imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            # a name of a package may be a module of it
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found
