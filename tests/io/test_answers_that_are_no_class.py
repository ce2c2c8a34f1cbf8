"""Answers such as "inconclusive", nobody's true class: refused, set aside or counted as errors, never a class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from howsure.errors import HowsureError, InvalidFile
from howsure.io import read, read_predictions

#: Truth, answer and cases; most of the sure answers are right.
CELLS = [("ill", "ill", 9), ("ill", "well", 2), ("ill", "Inconclusive", 3), ("well", "well", 8), ("well", "unsure", 1)]
THREE = [("a", "a", 5), ("a", "b", 1), ("a", "no decision", 3), ("b", "b", 4), ("c", "c", 6), ("c", "abstain", 1)]


def cases(folder: Path, cells: list[tuple[str, str, int]]) -> Path:
    path = folder / "cases.csv"
    path.write_text("y_true,y_pred\n" + "".join(f"{true},{pred}\n" * n for true, pred, n in cells), encoding="utf-8")
    return path


def counts(folder: Path, cells: list[tuple[str, str, int]]) -> Path:
    path = folder / "counts.csv"
    path.write_text("true,pred,count\n" + "".join(f"{true},{pred},{n}\n" for true, pred, n in cells), encoding="utf-8")
    return path


def matrix(folder: Path, cells: list[tuple[str, str, int]]) -> Path:
    rows, columns = (list(dict.fromkeys(cell[side] for cell in cells)) for side in (0, 1))
    table = {(true, pred): n for true, pred, n in cells}
    lines = ["true\\pred," + ",".join([*rows, *(it for it in columns if it not in rows)])]
    for true in rows:
        shown = [str(table.get((true, pred), 0)) for pred in [*rows, *(it for it in columns if it not in rows)]]
        lines.append(",".join([true, *shown]))
    path = folder / "matrix.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("written", [cases, counts, matrix])
@pytest.mark.parametrize("cells", [CELLS, THREE])
def test_they_are_refused_set_aside_or_errors_in_every_form(written, cells, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = written(tmp_path, cells)
    with pytest.raises(InvalidFile, match="--missing wrong"):
        read(path)
    labels = list(dict.fromkeys(true for true, _, _ in cells))
    answered = {(true, pred): n for true, pred, n in cells if pred in labels}
    apart = read(path, missing="exclude", labels=None)
    assert any("Set aside" in note for note in apart.notes)
    place = {label: i for i, label in enumerate(apart.confusion.labels)}
    expected = np.zeros((len(labels), len(labels)), dtype=int)
    for (true, pred), n in answered.items():
        expected[place[true], place[pred]] = n
    assert apart.confusion.counts.tolist() == expected.tolist()
    wrong = read(path, missing="wrong").confusion
    assert wrong.labels == apart.confusion.labels
    assert np.diag(wrong.counts).tolist() == np.diag(expected).tolist()
    silent = dict.fromkeys(labels, 0)
    for true, pred, n in cells:
        silent[true] += n if pred not in labels else 0
    added = wrong.counts - expected
    assert added.sum(1).tolist() == [silent[label] for label in wrong.labels]
    off = added[~np.eye(len(labels), dtype=bool)].reshape(len(labels), -1)
    assert (off.max(1) - off.min(1) <= 1).all()


def test_of_two_classifiers_it_is_a_missing_answer(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("y_true,pred_A,pred_B\n" + "ill,ill,Inconclusive\nwell,well,well\nill,ill,ill\n" * 4)
    with pytest.raises(HowsureError, match="wrong"):
        read_predictions(path)
    made = read_predictions(path, missing="wrong").confusion("B")
    assert (made.n, made.counts.trace()) == (12, 8)
