"""Examples in Markdown files are tests: Python sessions by Sybil, console sessions by running them.

A command runs inside this process, which has loaded the library already (tests/golden); one that goes on until it is
stopped has a process of its own.
"""

from __future__ import annotations

import gc
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Example, Region, Sybil
from sybil.document import Document
from sybil.parsers.markdown import PythonCodeBlockParser
from tests.golden.consoles import CONSOLE, CommandFails, rewritten

# before NumPy is loaded: workers share the processors already, and small sums are slower when split
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# thousands of tests that are collected are no garbage, and looking through them takes a fifth of the time
gc.disable()

ROOT = Path(__file__).parent

#: The four tiers of tests, and the marks of those that a tier leaves out; a test without a mark is fast.
TIERS = {
    "fast": ("full", "deep", "validate"),
    "full": ("deep", "validate"),
    "deep": ("validate",),
    "validate": (),
}
#: What needs more than Python: each has a target of its own in the Makefile.
ENVIRONMENTS = ("browser", "latex", "spark", "modin", "mlflow", "inspect", "pyodide")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The tier is an option, so that every tier is collected by one command."""
    parser.addoption("--tier", choices=TIERS, help="the tests of this tier and of those before it")


def pytest_configure(config: pytest.Config) -> None:
    """Select the tier's tests; -m selects among them, and names an environment that is meant."""
    asked_tier = config.option.tier
    config.option.tier = tier = asked_tier or "fast"
    os.environ["HOWSURE_TIER"] = tier  # of commands that tests run, and of `tries`
    asked = config.option.markexpr
    left_out = [*TIERS[tier], *(name for name in ENVIRONMENTS if name not in asked)]
    if asked_tier is None and any("::" in argument for argument in config.args):
        return  # a test that is named is run
    wanted = [f"({asked})"] if asked else []
    config.option.markexpr = " and ".join(wanted + [f"not {mark}" for mark in left_out])


def pytest_collection_finish(session: pytest.Session) -> None:
    """From here on garbage is that of the tests alone."""
    gc.freeze()
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no file whose tests the tier leaves out anyway: examples of documents are full, pages need a browser."""
    if collection_path.suffix == ".md" and config.getoption("tier") == "fast" and not named(collection_path, config):
        return True
    if collection_path == ROOT / "tests" / "browser" and "browser" not in config.option.markexpr.split(" and ")[0]:
        return not named(collection_path, config) or None
    return None


def named(path: Path, config: pytest.Config) -> bool:
    """Whether the command line names this path, or one below it."""
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        return False
    asked = [Path(config.invocation_params.dir, argument.partition("::")[0]) for argument in config.args]
    return any(path == one or path in one.parents for one in asked)


@pytest.hookimpl(tryfirst=True)  # before the marks of the command line are looked for
def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the examples of documents, unless one of them is asked for."""
    if item.path.suffix == ".md" and not named(item.path, item.config):
        item.add_marker("full")


@pytest.hookimpl(trylast=True)  # of what was selected
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give workers the dearest files first: else one waits for the other at the end."""
    if not hasattr(config, "workerinput"):
        return
    price: Counter[Path] = Counter()
    for item in items:
        price[item.path] += 200 if item.get_closest_marker("deep") else 20 if item.get_closest_marker("full") else 1
    items.sort(key=lambda item: (-price[item.path], item.path))


@pytest.fixture(autouse=True)
def figures_are_closed() -> Iterator[None]:
    """Examples that draw leave no figure open: matplotlib warns from the 21st on, in whatever test comes next."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def console(document: Document) -> Iterator[Region]:
    """Blocks of ``console``, each a region that runs."""
    for match in CONSOLE.finditer(document.text):
        yield Region(match.start(), match.end(), match.group(1), run_console)


def run_console(example: Example) -> str | None:
    """Run every howsure command of a block, which must show what they print."""
    try:
        now = rewritten(example.parsed, served)
    except CommandFails as failure:
        return str(failure)
    if now.splitlines() != [line.rstrip() for line in example.parsed.splitlines()]:
        return f"the block does not show what its commands print; make golden writes it:\n{now}"
    return None


def served(command: str) -> None:
    """Start a command that goes on until it is stopped, and stop it when it says where it listens."""
    with subprocess.Popen(
        [sys.executable, "-m", *shlex.split(command), "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            said = process.stdout.readline() if process.stdout else ""
            assert "http://" in said, f"{command!r} says {said!r} instead of where it listens"
        finally:
            process.kill()


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=0), console], patterns=["*.md"], excludes=["tests/**"]
).pytest()
