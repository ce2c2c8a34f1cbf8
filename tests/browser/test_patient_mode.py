"""One patient or sample in a real browser: before, after, again, and in whole people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import REFUSED, expect, printed

pytestmark = [pytest.mark.browser, pytest.mark.deep]


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    path = tmp_path / "test.csv"
    path.write_text("true\\pred,healthy,ill\nhealthy,190,10\nill,5,45\n")
    return path


def headline(*arguments: object) -> str:
    return printed("post-test", *arguments).splitlines()[0]


def test_a_second_test_warns_that_it_may_err_alike(opened: Any, matrix: Path) -> None:
    tab = opened.at("patient")
    warning = tab.locator(".results .warning")
    expect(warning).to_have_count(0)
    tab.push("+ Another test")
    expect(warning).to_contain_text("often errs in the same way")
    results = ("--result", "positive", "--result", "positive")
    assert tab.value("verdict") == headline(matrix, "--positive", "ill", "--pre-test", 0.02, *results)
    # what was known after the first stays in the table
    assert tab.value("positive.2") != tab.value("positive, positive.2")
    tab.push("Remove result 2")
    expect(warning).to_have_count(0)


def test_people_add_up(opened: Any) -> None:
    tab = opened.at("patient")
    people = [int(tab.value(f"frequencies.{i}").split()[0].replace(",", "")) for i in range(4)]
    assert (sum(people), people[0] + people[1]) == (10_000, 200)
    expect(tab.locator('[data-picture="frequencies"] path.icon')).to_have_count(8)  # four kinds, each with its key


def test_another_class_other_counts_and_three_classes(opened: Any, matrix: Path) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("patient")
    tab.choose("Is it", "healthy")
    tab.enter("Probability of healthy before the test", "98")
    options = ("--positive", "healthy", "--pre-test", 0.98, "--result", "positive")
    assert tab.value("verdict") == headline(matrix, *options)
    tab.get_by_text("How good the test is").click()
    tab.enter("true ill, predicted healthy", "0")
    matrix.write_text(matrix.read_text().replace("ill,5,45", "ill,0,45"))
    assert tab.value("verdict") == headline(matrix, *options)
    tab.paste("x,a,b,c\na,30,0,2\nb,0,3,1\nc,1,1,8", tab.cell(0, 0))
    tab.choose("Is it", "b")
    tab.choose("Result 1", "b")
    tab.enter("Probability of b before the test", "2")
    matrix.write_text("true\\pred,a,b,c\na,30,0,2\nb,0,3,1\nc,1,1,8\n")
    assert tab.value("verdict") == headline(matrix, "--pre-test", "b=0.02", "--result", "b")
    expect(tab.locator(".answer .wrong")).to_have_count(0)
    tab.settle()
