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
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["WALKED", "measured", "returns", "walk"]

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "howsure"
#: Texts that are followed from the command line to their count, besides files of the examples.
_TEXTS = {
    "matrix.json": '{"classes": ["ill", "healthy"], "orientation": "true-rows", "counts": [[26, 0], [2, 6]]}',
    "cases.jsonl": '{"y_true": "ill", "y_pred": "ill"}\n{"y_true": "healthy", "y_pred": "ill"}\n',
    "printed.txt": "         healthy  ill\nhealthy        6    2\nill            0   26\n",
    "cells.csv": "name,tp,fn,fp,tn\nA,26,0,2,6\n",
}
#: What is followed, and the options of its command: a matrix, cases, cases of several classifiers, and the texts.
WALKED: dict[str, tuple[str, ...]] = {
    "examples/cocaine.csv": (),
    "examples/digits.csv": (),
    "examples/digits_pair.csv": ("--model", "knn3"),
    **{name: ("--rows", "true") if name == "printed.txt" else () for name in _TEXTS},
}

#: Follows every call while a command reads its file; run in a process of its own, in the tree that is measured.
_FOLLOW = """
import contextlib, io, json, sys
from pathlib import Path
source = str(Path(sys.argv[1]).resolve()) + "/"
from howsure.cli import main
FORMS = {"Opened", "Table", "TextTable", "Document", "ListOfCases", "OneMatrix", "Tally", "CellTally"}
FORMS |= {"Reading", "ConfusionMatrix", "Counts", "ndarray"}
seen, calls, over = {}, [], 0
def module(frame):
    while frame is not None and not frame.f_code.co_filename.startswith(source):
        frame = frame.f_back
    name = "" if frame is None else frame.f_code.co_filename[len(source):]
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
def carried(value):
    if isinstance(value, dict):
        return any(isinstance(key, tuple) for key in value)
    if type(value) in (tuple, list):
        return any(map(carried, value[:5]))
    return type(value).__name__ in FORMS
def follow(frame, event, arg):
    global over
    code = frame.f_code
    if event not in ("call", "return") or not code.co_filename.startswith((source + "io/", source + "cli/")):
        return
    if event == "call" and frame not in seen:
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given = [frame.f_locals.get(name) for name in names if name != "self"]
        seen[frame] = len(calls)
        calls.append([module(frame.f_back), module(frame), carried(given), False])
    if event == "return" and carried(arg):
        calls[seen[frame]][3] = True
        if type(arg).__name__ == "Reading":
            over = len(calls)
sys.setprofile(follow)
with contextlib.redirect_stdout(io.StringIO()):
    main(["report", *sys.argv[2:], "--json"])
sys.setprofile(None)
print(json.dumps([call for call in calls[:over] if call[0] != call[1]]))
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


def walk(path: str, *options: str, source: Path = SOURCE) -> list[str]:
    """Return the stages that a file passes on its way from the command line to its count, in the order of their work.

    The command is ``howsure report PATH --json``, followed by the profiler. What is carried is what the file becomes:
    opened, a table of text or a document, its layout, a tally, an array of counts, a matrix, a reading (`FORMS`), or
    cells and their counts as a dictionary. A *stage* is a module of ``io`` or ``cli`` that gives the carried value to
    another module, which called it. A *helper* is shown the carried value and gives something else back (a name, the
    places of columns, whether it is a number): it is no stage, and going to it and back is no step. Nor is what a
    module does within itself, or a generator that is resumed.

    A stage works when it is called, and whenever it shows the carried value to another module or is given it by one. A
    stage that works again after another did stands in the list again, and `returns` counts that. One thing is let pass:
    a *front*, which shows the carried value to no helper and so does nothing but hand it on, stands there once for all
    its handing on; called again, it stands there again.
    """
    with TemporaryDirectory() as folder:
        for name, text in _TEXTS.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        there = str(Path(folder if path in _TEXTS else ROOT, path))
        calls: list[tuple[str, str, bool, bool]] = json.loads(_python(source, _FOLLOW, str(source), there, *options))
    stages = {called for _, called, _, gives in calls if gives}
    fronts = stages - {caller for caller, _, shown, gives in calls if shown and not gives}
    passed: list[str] = []
    for caller, called, shown, gives in calls:
        if (shown or gives) and caller in stages and not (caller in fronts and caller in passed):
            passed.append(caller)
        if gives:
            passed.append(called)
    return [stage for at, stage in enumerate(passed) if not at or passed[at - 1] != stage]


def returns(passed: Sequence[str]) -> int:
    """How often a walk comes back to a stage that it had left."""
    return sum(stage in passed[:at] for at, stage in enumerate(passed))


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
    for path, options in WALKED.items():
        passed = walk(path, *options, source=source)
        print(f"walk of {path}: {len(set(passed))} stages, {returns(passed)} returns: {' > '.join(passed)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SOURCE)
