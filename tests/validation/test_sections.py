"""Every section of docs/validity.md can be written: its first row of results, from as few runs as it takes."""

from __future__ import annotations

import warnings

import pytest
from tests.validation.tables import SECTIONS, tables_of


@pytest.mark.deep
@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_the_first_row_of_a_section_is_a_row_of_its_table(name: str) -> None:
    head, rule = "", ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in SECTIONS[name](1):
            if rule:
                assert line.count("|") == head.count("|"), line
                return
            head, rule = (head, line) if line.startswith("| ---") else (line, "")
    raise AssertionError(f"the section {name} has no table")


def test_a_table_of_a_page_is_a_file_with_the_words_before_it() -> None:
    page = [
        "# Top",
        "",
        "## One",
        "",
        "Said.",
        "",
        "| a | b |",
        "| --- | --- |",
        "| **x** | 1 |",
        "",
        "### K = 2 (d)",
        "",
        "| c |",
    ]
    made = list(tables_of([*page, "| --- |", "| 2 |"]))
    assert made == [("one", "Said.", [["a", "b"], ["x", "1"]]), ("one-k-2", "Said.", [["c"], ["2"]])]
