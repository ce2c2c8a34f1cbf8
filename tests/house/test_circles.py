"""An answer is data, and its text and picture take it as their argument: no two modules need each other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"

#: Modules that still need each other; the list may only get shorter.
ALLOWED = {
    # an answer and its words, a file and what it is read into: each pair is to become one file or to lose an arrow
    frozenset({"howsure.posterior.distribution", "howsure.posterior.wrong_labels"}),
    frozenset({"howsure.questions.groups", "howsure.questions.comparison"}),
    frozenset(f"howsure.metrics.{name}" for name in ("averages", "measure", "metric", "own")),
    frozenset({"howsure.posterior.priors"}),
    # a question is a function of a posterior, and its method as it stands
    frozenset(
        f"howsure.posterior.{name}"
        for name in (
            "carried",
            "judged_knowledge",  # which of the two `infer` makes
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
