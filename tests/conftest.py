"""What all tests share: how long they take, Hypothesis settings and matrices."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

import howsure as hs
from howsure.laws import Law
from howsure.posterior.knowledge import knowledge_of


def tries(all_of_them: int) -> int:
    """How many examples a property is tried with: all of them in a deep run, else a quarter, and ten at least."""
    deep = os.environ.get("HOWSURE_TIER") in {"deep", "validate"}
    return all_of_them if deep else max(min(10, all_of_them), all_of_them // 4)


# Hypothesis draws literals of the local modules that happen to be loaded, so that an edit anywhere, or another order
# of tests, gives every property other examples; without them the same property is the same everywhere
providers._get_local_constants = Constants

deep = os.environ.get("HOWSURE_TIER") in {"deep", "validate"}
hypothesis.settings.register_profile("howsure", deadline=None, max_examples=tries(60), derandomize=not deep)
hypothesis.settings.load_profile("howsure")


def recalls_of(post: hs.Posterior) -> tuple[Law, ...]:
    """Law of the recall of each class."""
    return tuple(knowledge_of(post).of_recalls(np.ones(1), rows=[i]) for i in range(len(post.labels)))


REFERENCE = Path(__file__).parent / "reference"

#: Scripts that made reference data need the tools that they ask.
collect_ignore_glob = ["reference/make_*.py"]


@pytest.fixture(scope="session")
def published() -> dict[str, Any]:
    """Published cases by name."""
    cases = json.loads((REFERENCE / "published.json").read_text(encoding="utf-8"))["cases"]
    return {case["name"]: case for case in cases}


@pytest.fixture
def cocaine() -> hs.ConfusionMatrix:
    """The forensic classifier of Toetsch and Hoffmann 2021."""
    return hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"])


@st.composite
def matrices(draw: Any, min_classes: int = 2, max_classes: int = 6, max_count: int = 40) -> hs.ConfusionMatrix:
    """Confusion matrices with empty classes, empty columns and perfect rows among them."""
    size = draw(st.integers(min_classes, max_classes))
    cell = st.one_of(st.just(0), st.integers(0, max_count))
    counts = draw(st.lists(st.lists(cell, min_size=size, max_size=size), min_size=size, max_size=size))
    return hs.ConfusionMatrix(np.array(counts), labels=[f"c{i}" for i in range(size)])


def of_a_sweep(cases: list[pytest.Item], kept: tuple[int | str, ...]) -> list[pytest.Item]:
    """Cases that are fast: as many as a number says, spread over the list, or those of the names."""
    if isinstance(kept[0], int):
        return [cases[i] for i in np.unique(np.linspace(0, len(cases) - 1, kept[0]).round().astype(int))]
    found = [case for case in cases if any(str(part) in case.name for part in kept)]
    if not found:
        raise pytest.UsageError(f"no case of {cases[0].nodeid} has {' or '.join(map(str, kept))} in its name")
    return found


@pytest.hookimpl(tryfirst=True)  # before the marks of the command line are looked for
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as `deep` what a sweep does not keep for every day, unless its test is asked for by name."""
    if any("::" in asked for asked in config.args):
        return
    sweeps: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sweep"):
            sweeps[item.nodeid.partition("[")[0]].append(item)
    for cases in sweeps.values():
        mark = cases[0].get_closest_marker("sweep")
        assert mark is not None
        every_day = of_a_sweep(cases, mark.args)
        for case in cases:
            if case not in every_day:
                case.add_marker("deep")


#: Skips that continuous integration may have, by the beginning of their reason.
FAIR_SKIPS = ("dask: ",)
SKIPPED: list[str] = []


def _note(report: Any) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        if not reason.startswith(FAIR_SKIPS):
            SKIPPED.append(f"{report.nodeid}: {reason}")


pytest_runtest_logreport = _note
pytest_collectreport = _note


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A test that needs something absent is skipped on a user's machine, and fails in continuous integration."""
    if "CI" in os.environ and SKIPPED and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name what was skipped where nothing may be."""
    if "CI" in os.environ and SKIPPED:
        terminalreporter.section("skipped, which continuous integration does not allow")
        for line in SKIPPED:
            terminalreporter.line(line)
