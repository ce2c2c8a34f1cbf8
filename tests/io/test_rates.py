"""Rates in place of counts: a classification report, sensitivity 42/50."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st
from tests.conftest import tries
from tests.print_outs import OF_CASES, REPORT

import howsure as hs
from howsure.errors import InvalidFile
from howsure.io import Reading, read
from howsure.io.formats.sentences import Printed, tables_of_report


def test_a_report_of_two_classes_is_its_matrix(given: Callable[..., Reading]) -> None:
    found = given(REPORT, "x.txt")
    assert found.confusion.counts.tolist() == [[45, 5], [8, 42]]
    assert found.confusion.labels == ("healthy", "very ill")
    assert "the only ones whose rates are printed as in this classification report" in found.notes[0]


@settings(max_examples=tries(40), deadline=None)
@for_all(st.lists(st.integers(0, 40), min_size=4, max_size=4))
def test_what_scikit_learn_prints_is_the_matrix_or_refused(cells: list[int]) -> None:
    report = pytest.importorskip("sklearn.metrics").classification_report
    counts = np.array(cells).reshape(2, 2)
    if not counts.sum(axis=1).all():
        return
    true = np.repeat(["no", "no", "yes", "yes"], cells)
    text = report(true, np.repeat(["no", "yes", "no", "yes"], cells), zero_division=0)
    found = answer(text)
    assert found == str(counts.tolist()) or "rounded rates fit" in found


def answer(text: str) -> str:
    try:
        return str(read(io.StringIO(text)).confusion.counts.tolist())
    except InvalidFile as refused:
        return refused.problem


@pytest.mark.parametrize("n", [50, 500])
def test_the_tables_are_those_that_reconstruct_finds(n: int) -> None:
    first, second = Printed("a", "0.85", "0.90", "0.87", n), Printed("b", "0.89", "0.84", "0.87", n)
    published = {
        f"{rate}@{it.name}": getattr(it, rate) for it in (first, second) for rate in ("precision", "recall", "f1")
    }
    found = hs.reconstruct(published | {"accuracy": "0.87"}, sizes=[n, n], labels=["a", "b"])
    tables = tables_of_report(first, second, "0.87")
    assert tables is not None
    assert sorted(tables) == sorted((int(it.counts[0, 0]), int(it.counts[1, 1])) for it in found.candidates)


@pytest.mark.parametrize(
    "text",
    [
        OF_CASES,
        "Sensitivity: 42/50 (84%)\nSpecificity: 45/50\n",
        "spec. 45/50, sens. 42/50",
        "sensitivity 42/50, specificity 45/50, accuracy 0.87",
        "Sensitivity\t42/50\nSpecificity\t45/50\n",
        "sensitivity was 84,0 % (42 / 50) and specificity was 90,0 % (45 / 50).",
    ],
)
def test_right_answers_of_both_classes_are_the_four_cells(text: str, given: Callable[..., Reading]) -> None:
    found = given(text, "x.txt").confusion
    assert found.counts.tolist() == [[45, 5], [8, 42]]
    assert found.positive == "positive"


@pytest.mark.parametrize("text", ["sens 1/" * 140, "precision recall f1-score support\n" + " " * 90_000 + "1"])
def test_long_texts_end_soon(text: str) -> None:
    with pytest.raises(InvalidFile):
        read(io.StringIO(text))
