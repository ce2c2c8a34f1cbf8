"""Every row is accounted for once: what is set aside, what is added up, and what weights make of it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidFile
from howsure.io.contenders import read_contenders
from howsure.io.formats.written import append


def test_a_row_without_any_answer_is_set_aside_once_not_once_for_each_classifier() -> None:
    data = {
        "y_true": ["a", "b", "a", None, "b", None, "a"],
        "pred_one": ["a", None, None, "a", "b", None, "b"],
        "pred_two": ["a", None, "a", "b", None, None, "a"],
        "pred_three": ["b", None, "a", "b", None, None, "a"],
    }
    counts = hs.count(data, y_pred=["pred_one", "pred_two", "pred_three"])
    told = {aside.reason: aside.rows for aside in counts.set_aside}
    assert told == {"no true class": 2, "no answer of one": 2, "no answer of two": 1}
    assert counts.read == 7
    assert counts.n == 2 == counts.read - sum(told.values())


def test_an_effective_number_is_shared_out_to_the_largest_remainders() -> None:
    rng = np.random.default_rng(0)
    true, pred, weight = rng.integers(0, 4, 60), rng.integers(0, 4, 60), rng.integers(1, 30, 60) / 8
    counts = hs.count(
        {"y_true": true, "y_pred": pred, "w": weight}, weight="w", weights="effective", labels=range(4)
    ).confusion()
    exact = [Fraction(x) for x in weight]
    whole = int(sum(exact) ** 2 / sum(x * x for x in exact))
    assert counts.n == whole
    share: Counter[tuple[int, int]] = Counter()
    for i, j, x in zip(true.tolist(), pred.tolist(), exact, strict=True):
        share[i, j] += x * whole / sum(exact)  # type: ignore[assignment]  # fractions of a case
    rests = {up: [] for up in (True, False)}
    for cell, wanted in share.items():
        given = int(counts.counts[cell])
        assert given - wanted < 1 > wanted - given
        rests[given > wanted].append(wanted - wanted.__floor__())
    assert len(rests[True]) > 2 < len(rests[False])
    assert min(rests[True]) >= max(rests[False])


def test_combinations_between_63_and_64_bits_are_counted_as_they_are() -> None:
    # 3**40 combinations of two answers or none: the last ones are negative as numbers of 64 bits with a sign
    assert 2**63 < 3**40 < 2**64
    rows = np.array([[0] * 40, [1] * 40, [1] * 39 + [0], [1] * 40])
    answers = {f"m{i}": rows[:, i] for i in range(1, 40)}
    counts = hs.count({"y_true": rows[:, 0], **answers}, y_pred=list(answers))
    cells = np.column_stack([counts.cells.truth, counts.cells.answers])
    found = {tuple(row): n for row, n in zip(cells.tolist(), counts.cells.cases.tolist(), strict=True)}
    assert found == Counter(map(tuple, rows.tolist()))


def test_classes_that_are_numbers_of_64_bits_without_a_sign() -> None:
    far = np.array([2**64 - 1, 2**64 - 2, 2**64 - 1], dtype=np.uint64)
    counts = hs.count(y_true=far, y_pred=far[::-1].copy())
    assert counts.labels == (str(2**64 - 2), str(2**64 - 1))
    assert counts.confusion().counts.tolist() == [[1, 0], [0, 2]]


def test_two_files_of_counts_say_once_what_both_set_aside(tmp_path: Path) -> None:
    for name in ("old", "new"):
        counts = hs.count(y_true=["a", "b", "b", None], y_pred=["a", "a", "b", "b"])
        append(tmp_path / f"{name}.json", counts, "monday")
    found = read_contenders([str(tmp_path / f"{name}.json") for name in ("old", "new")], missing="exclude")
    assert [note for note in found.notes if note.startswith("Set aside")] == [
        "Set aside: 1 row: no true class (row 4)."
    ]
    assert found.matrices is not None
    assert [matrix.counts.tolist() for matrix in found.matrices.values()] == [[[1, 0], [1, 1]]] * 2
    with pytest.raises(InvalidFile, match="no true class"):
        read_contenders([str(tmp_path / f"{name}.json") for name in ("old", "new")], missing="wrong")


def test_a_row_without_a_weight_was_read() -> None:
    data = {"y_true": ["a", "b", "b", "a"], "y_pred": ["a", "a", "b", "b"], "w": [1, 2, None, 4]}
    counts = hs.count(data, weight="w")
    assert (counts.read, counts.n) == (4, 7)
    assert [(one.reason, one.rows) for one in counts.set_aside] == [("no weight", 1)]


def test_of_one_classifier_a_case_without_an_answer_is_in_no_cell() -> None:
    counts = hs.count(y_true=["a", "b", "a", "b"], y_pred=["a", "b", None, "a"])
    assert counts.cells.answers.tolist() == [[0], [0], [1]]
    assert (counts.n, counts.read, counts.set_aside[0].rows) == (3, 4, 1)
    assert counts.predictions(missing="wrong").n == 3
