"""The plan of the house in figures: ``python -m tests.house.measure [folder of the package]``.

Prints one line for each figure that `docs/architecture.md` quotes; `tests/house/test_plan.py` keeps their bounds. The
folder of another checkout can be given, so that before and after come from one script.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

__all__ = ["WALKED", "measured", "walk"]

SOURCE = Path(__file__).parents[2] / "src" / "howsure"
#: The path on the command line that is followed to its count.
WALKED = "examples/cocaine.csv"

#: Follows every call between rooms while one file is read; run in a process of its own, in the tree that is measured.
_FOLLOW = """
import json, sys
from pathlib import Path
source = str(Path(sys.argv[1]).resolve()) + "/"
from howsure.cli import main
trail = []
def room(code):
    if not code.co_filename.startswith(source):
        return None
    parts = code.co_filename[len(source):].removesuffix(".py").split("/")
    return parts[0] if parts[0] not in ("io", "files", "counting") else ".".join(parts[:2]) if len(parts) > 2 else "io"
def follow(frame, event, arg):
    if event == "call" and (at := room(frame.f_code)) and (not trail or trail[-1] != at):
        trail.append(at)
try:
    from howsure.io import read
except ImportError:
    from howsure.io import read_any as read
sys.setprofile(follow)
read(sys.argv[2])
sys.setprofile(None)
print(json.dumps(trail))
"""


def measured(source: Path = SOURCE) -> dict[str, object]:
    """Return the figures of one tree: rooms, layers, doubled names, the face of a posterior, lines."""
    modules = sorted(path for path in source.rglob("*.py"))
    top = sorted(
        path.stem
        for path in source.iterdir()
        if not path.name.startswith(("_", ".")) and (path.suffix == ".py" or path.is_dir())
    )
    files: dict[str, list[str]] = defaultdict(list)
    classes: dict[str, list[str]] = defaultdict(list)
    for path in modules:
        at = str(path.relative_to(source))
        if path.name != "__init__.py":
            files[path.name].append(at)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(at)
    layers = tomllib.loads((source.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    scripts = [path for path in source.rglob("*.js") if path.is_file()]
    return {
        "rooms": top,
        "layers": len(layers["tool"]["importlinter"]["contracts"][0]["layers"]),
        "doubled_files": {name: found for name, found in sorted(files.items()) if len(found) > 1},
        "doubled_classes": {name: found for name, found in sorted(classes.items()) if len(found) > 1},
        "posterior": _names_of_a_posterior(source),
        "python_lines": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in modules),
        "script_lines": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in scripts),
    }


def walk(source: Path = SOURCE, path: str = WALKED) -> list[str]:
    """Return the rooms that a file passes on its way from a path to a count, in the order in which they are entered."""
    return list(json.loads(_python(source, _FOLLOW, str(source), path)))


def _names_of_a_posterior(source: Path) -> list[str]:
    code = "import howsure, json; print(json.dumps([n for n in dir(howsure.Posterior) if not n.startswith('_')]))"
    return list(json.loads(_python(source, code)))


def _python(source: Path, code: str, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(source.parent)!r})\n{code}", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
        cwd=source.parents[1],
    ).stdout


def main(source: Path) -> None:
    """Print the figures of a tree."""
    figures = measured(source)
    for name, value in figures.items():
        print(f"{name:16}", len(value) if isinstance(value, list | dict) else value)
    for name in ("rooms", "posterior"):
        print(f"{name}:", ", ".join(figures[name]))  # type: ignore[arg-type]
    for name in ("doubled_files", "doubled_classes"):
        for each, found in figures[name].items():  # type: ignore[attr-defined]
            print(f"{name}: {each} in {', '.join(found)}")
    passed = walk(source)
    returns = sum(room in passed[:at] for at, room in enumerate(passed))
    print(f"walk: {len(set(passed))} rooms, {len(passed)} steps, {returns} returns: {' > '.join(passed)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SOURCE)
