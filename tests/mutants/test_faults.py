"""The list of seeded faults does not rot: every line is there once, and every test that is named."""

from __future__ import annotations

import re
from collections import Counter

from tests.mutants.faults import ROOT, SOURCE, faults, places
from tests.mutants.table import LISTED, table


def test_there_are_sixty_faults_in_all_rooms() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir()} - {"__pycache__"}
    named = {fault.file.split("/")[0] for fault in faults()}
    assert len(faults()) >= 60
    assert {
        "laws",
        "numerics",
        "metrics",
        "posterior",
        "io",
        "questions",
        "planning",
        "units",
        "curves",
    } <= named
    assert named <= rooms


def test_the_line_of_every_fault_is_in_its_file_once() -> None:
    odd = [(fault.file, fault.before) for fault in faults() if len(places(fault)) != 1]
    assert not odd, odd


def test_every_fault_changes_its_line_and_is_listed_once() -> None:
    assert not [fault for fault in faults() if fault.before == fault.after]
    changes = [(fault.file, fault.before, fault.after) for fault in faults()]
    assert len(set(changes)) == len(changes)


def test_every_fault_names_tests_that_are_there_or_says_why_none_can_notice() -> None:
    assert not [fault for fault in faults() if bool(fault.tests) == bool(fault.equivalent)]
    assert not {test for fault in faults() for test in fault.tests if not is_there(test)}


def is_there(test: str) -> bool:
    """Whether a file, and a function in it, are there."""
    file, _, name = test.partition("::")
    return (ROOT / file).exists() and f"def {name.partition('[')[0]}" in (ROOT / file).read_text(encoding="utf-8")


def test_the_table_says_of_every_fault_which_tests_catch_it() -> None:
    named = {f"{fault.file} | {fault.breaks}" for fault in faults() if not fault.equivalent}
    assert set(table()[LISTED]) == named, "python -m tests.mutants.table"
    outcomes = [outcome.partition(": ")[0].partition(" ")[0] for rows in table().values() for outcome in rows.values()]
    assert set(outcomes) <= {"fast", "full", "deep", "not", "survived", "survived;"}


def test_the_docs_have_the_number_of_faults_of_each_room() -> None:
    """Figures of a page that nobody counts again; whether all are caught, `make mutants` says."""
    _, _, told = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8").partition("## Whether the tests would")
    rooms = {room: int(number) for room, number in re.findall(r"\| `(\w+)` \| (\d+) \|", told)}
    assert rooms == Counter(fault.file.split("/")[0] for fault in faults())
    assert re.findall(r"makes (\d+)", told) == [str(len(faults()))]
