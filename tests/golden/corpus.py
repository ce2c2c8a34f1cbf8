"""The corpus of golden files: command lines of calls.toml, and everything that each of them answers.

A call runs in this process, which has loaded the library already, in a folder that holds copies of `examples/` and of
`inputs/`, so that no answer names a place of this machine.
"""

from __future__ import annotations

import io
import math
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from difflib import unified_diff
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from tests.golden.numbers import number_of
from tests.house.leaves import leaves

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ANSWERS = HERE / "answers"

#: What changes how an answer looks: the terminal, colours, and what a service of continuous integration sets.
ENVIRONMENT = {"COLUMNS": "80", "LINES": "40", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
LEFT_OUT = ("HOWSURE_DEBUG", "FORCE_COLOR", "CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "PYTHONUTF8")

#: Numbers that are printed in full may differ from processor to processor in their last digits.
NUMBER = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.])")
IN_FULL, RELATIVE, ABSOLUTE = 12, 1e-9, 1e-13


class Call(NamedTuple):
    """A named row of the corpus: command lines that run one after another in one folder."""

    command: str
    name: str
    lines: tuple[str, ...]
    full: bool

    @property
    def path(self) -> Path:
        """The golden file."""
        return ANSWERS / self.command / f"{self.name}.txt"


def calls() -> Iterator[Call]:
    """All of the corpus."""
    tables = tomllib.loads((HERE / "calls.toml").read_text(encoding="utf-8"))
    dear = set(tables.pop("full"))
    for command, rows in tables.items():
        for name, lines in rows.items():
            several = (lines,) if isinstance(lines, str) else tuple(lines)
            yield Call(command, name, several, f"{command}/{name}" in dear)


def furnish(folder: Path) -> Path:
    """A folder with everything that the corpus reads."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copytree(HERE / "inputs", folder / "inputs")
    return folder


def called(command: str, folder: Path = ROOT) -> tuple[int, str, str]:
    """Exit status of a command, what it prints and what it complains about.

    Its standard input is empty, or a file (``< FILE``), or a text (``<<< 'TEXT'``, in which ``\\n`` ends a line).
    """
    from howsure.cli import main  # once Sybil collects, and not for every run of pytest

    words = shlex.split(command)[1:]
    source = b""
    if words[-2:-1] == ["<"]:
        source = (folder / words[-1]).read_bytes()
    elif words[-2:-1] == ["<<<"]:
        source = words[-1].replace("\\n", "\n").encode() + b"\n"
    words = words[:-2] if source else words
    out, err, entered = (io.TextIOWrapper(io.BytesIO(part), "utf-8") for part in (b"", b"", source))
    with (
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "stdin", entered),
        mock.patch.dict(os.environ, ENVIRONMENT),
    ):
        for name in LEFT_OUT:
            os.environ.pop(name, None)
        status = main(words)
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
    return status, out.read(), err.read()


@contextmanager
def overheard() -> Iterator[dict[str, Any]]:
    """What commands show inside, before it is rounded and put into words: places of answers, and what stands there."""
    from howsure.cli import output
    from howsure.cli.program import COMMANDS, function_of

    for command in COMMANDS:
        function_of(command)
    real, shown = output.show, dict[str, Any]()

    def show(ask: Any, made: Any, *notes: str, **how: Any) -> None:
        shown.update({f"{len(shown)} {place}": value for place, value in leaves(made.to_dict()).items()})
        real(ask, made, *notes, **how)

    modules = [
        it for name, it in sys.modules.items() if name.startswith("howsure.cli") and vars(it).get("show") is real
    ]
    with ExitStack() as patches:
        for module in modules:
            patches.enter_context(mock.patch.object(module, "show", show))
        yield shown


def answer(call: Call, folder: Path) -> tuple[str, str]:
    """The text of a golden file, and the number of what was shown; of each command its exit status, its output, its
    complaint, and the files it wrote."""
    with overheard() as shown:
        text = _answered(call, folder)
    return text, number_of(shown)


def _answered(call: Call, folder: Path) -> str:
    parts = []
    there: dict[Path, bytes] = {}
    for line in call.lines:
        status, printed, complaint = called(f"howsure {line}", folder)
        parts.append(f"$ howsure {line}\nexit status {status}\n")
        parts += [_part("output", printed), _part("complaint", complaint)]
        for path in sorted(folder.iterdir()):
            if path.is_file() and there.get(path) != path.read_bytes():
                there[path] = path.read_bytes()
                parts.append(_part(path.name, contents(path)))
    for path in there:
        path.unlink()
    return "".join(parts)


def _part(title: str, text: str) -> str:
    from howsure import __version__

    text = re.sub(rf"(?<![\w.]){re.escape(__version__)}(?![\w.]*\d)", "VERSION", text)
    text = re.sub(r'"[0-9a-f]{32}"', '"DIGEST"', text)  # of a file, its place and its time
    text = text.replace("\r", "\\r")  # reading a file loses it
    return f"----- {title}\n{text}{'' if text.endswith(chr(10)) else chr(10)}" if text else ""


def contents(path: Path) -> str:
    """What a file says: of a page all but its scripts and styles, of a drawing its words and about where it draws."""
    data = path.read_bytes()
    if path.suffix in (".png", ".pdf"):
        return f"(begins with {data[:4]!r})"
    text = data.decode("utf-8")
    if path.suffix == ".svg":
        return _words_of(text).replace(" | ", "\n")
    if path.suffix == ".html":
        text = re.sub(r"<(style|script)\b[^>]*>.*?</\1>", r"<\1>...</\1>", text, flags=re.DOTALL)
        text = re.sub(r"sha256-[^']+", "sha256-...", text)
        text = re.sub(r"<svg\b.*?</svg>", lambda drawn: _words_of(drawn[0]), text, flags=re.DOTALL)
        text = re.sub(r"(</(?:p|tr|table|h\d|li|figure|caption|thead|head)>)(?=<)", r"\1\n", text)
    return text


def _words_of(drawing: str) -> str:
    """Its words, and how many numbers draw it and their mean, which tells where something moved."""
    words = re.findall(r"<(?:title|desc|text|tspan)\b[^>]*>([^<]+)<", drawing)
    placed = re.findall(r"\b(?:x|y|x1|x2|y1|y2|cx|cy|width|d|points|transform)=\"([^\"]*)\"", drawing)
    numbers = [float(it) for it in re.findall(r"-?[0-9]+(?:\.[0-9]+)?", " ".join(placed))]
    drawn = f"({len(numbers)} numbers, mean {sum(numbers) / max(len(numbers), 1):.1f})"
    return f"<svg>{' | '.join([*words, drawn])}</svg>"


def agree(one: str, other: str) -> bool:
    """Whether two texts are the same, byte for byte but for the last digits of numbers in full."""
    if one == other:
        return True
    parts, others = NUMBER.split(one), NUMBER.split(other)
    return len(parts) == len(others) and all(
        a == b or (i % 2 and (max(len(a), len(b)) >= IN_FULL or "e-" in a + b) and _close(float(a), float(b)))
        for i, (a, b) in enumerate(zip(parts, others, strict=True))
    )


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def difference(golden: str, now: str) -> str:
    """Lines that differ, as a diff from the golden file to what is answered now."""
    return "\n".join(unified_diff(golden.splitlines(), now.splitlines(), "golden file", "now", lineterm="", n=1))
