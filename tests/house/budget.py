"""The size of the package, room by room, and the most that each may have: ``python -m tests.house.budget``.

A code line is neither blank nor a comment, and part of neither a docstring nor an import: what a reader has to
understand, however it is spread over files. `budget.toml` has the most that each room may have. A number there may only
go down: ``python -m tests.house.budget --lower`` writes what is reached. A new capability raises the number of its room
by hand, in the commit that brings it, with its reason in a comment.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

__all__ = ["BUDGET", "SOURCE", "sizes", "weigh"]

SOURCE = Path(__file__).parents[2] / "src" / "howsure"
BUDGET = Path(__file__).with_name("budget.toml")
#: A function of more parameters than this lacks a noun.
PARAMETERS = 9


def weigh(text: str) -> tuple[int, int]:
    """Code lines of a module, and its functions of too many parameters."""
    code = {n for n, line in enumerate(text.splitlines(), 1) if line.strip() and not line.strip().startswith("#")}
    wide = 0
    for node in statements(ast.parse(text)):
        aside: ast.stmt | None = None
        if isinstance(node, ast.Import | ast.ImportFrom):
            aside = node
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                aside = first
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                wide += len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs) > PARAMETERS
        if aside is not None:
            code -= set(range(aside.lineno, (aside.end_lineno or aside.lineno) + 1))
    return len(code), wide


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """A module, class or function and all statements in it; of expressions none, which are most of a tree."""
    yield node
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, name, ()):
            yield from statements(each)


def sizes() -> dict[str, int]:
    """Code lines of each room, of all, of the page's scripts; files; functions with too many parameters."""
    rooms: Counter[str] = Counter()
    files = sorted(SOURCE.rglob("*.py"))
    wide = 0
    for path in files:
        place = path.relative_to(SOURCE)
        lines, too_wide = weigh(path.read_text(encoding="utf-8"))
        rooms[place.parts[0] if len(place.parts) > 1 else "top"] += lines
        wide += too_wide
    scripts = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCE.rglob("*.js"))
    totals = {"all": sum(rooms.values()), "files": len(files), "javascript": scripts, "wide_functions": wide}
    return {**dict(sorted(rooms.items())), **totals}


def main(lower: bool) -> None:
    """Print what is there beside the budget; with ``lower``, write what is less."""
    budget = tomllib.loads(BUDGET.read_text(encoding="utf-8")) if BUDGET.exists() else {}
    now = sizes()
    for name, size in now.items():
        print(f"{name:16}{size:8,} of {budget.get(name, 0):8,}{'  over' if size > budget.get(name, 0) else ''}")
    if lower:
        lines = BUDGET.read_text(encoding="utf-8").splitlines() if BUDGET.exists() else []
        kept = [line for line in lines if not (name := line.split(" = ")[0]) or name not in budget or name in now]
        for at, line in enumerate(kept):
            name, _, rest = line.partition(" = ")
            if name in budget and now[name] < budget[name]:
                kept[at] = f"{name} = {now[name]}{rest[len(str(budget[name])) :]}"
        BUDGET.write_text("\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main("--lower" in sys.argv[1:])
