"""Cases without an answer, left out by the word that the command line has for it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import howsure as hs
from howsure.cli import main
from howsure.errors import HowsureError, InvalidArgument

TRUE = ["a", None, "b", "b", "c", "a"]
PRED = ["a", "b", "b", "a", None, "b"]


def test_excluded_cases_are_those_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = hs.ConfusionMatrix.from_predictions(TRUE, PRED, missing="exclude")
    file = tmp_path / "cases.csv"
    file.write_text("y_true,y_pred\n" + "\n".join(f"{t or ''},{p or ''}" for t, p in zip(TRUE, PRED, strict=True)))
    assert main(["report", str(file), "--missing", "exclude", "--json", "-m", "accuracy"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert made.counts.tolist() == said["counts"] == [[1, 1, 0], [1, 1, 0], [0, 0, 0]]
    assert made.labels == ("a", "b", "c")


def test_groups_go_with_their_cases() -> None:
    columns = pd.Series([1.0, np.nan, 2.0, 2.0]), np.array([1, 2, 2, 1])
    made = hs.ConfusionMatrix.from_predictions(*columns, missing="exclude", group=["x", "y", "x", "z"])
    assert made.n == 3
    assert made.groups is not None
    assert len(made.groups) == 2


def test_without_the_word_it_is_offered() -> None:
    with pytest.raises(HowsureError, match="missing='exclude'"):
        hs.ConfusionMatrix.from_predictions(TRUE, PRED)
    with pytest.raises(HowsureError):
        hs.ConfusionMatrix.from_predictions([None, "a"], ["a", None], missing="exclude")
    with pytest.raises(HowsureError):
        hs.ConfusionMatrix.from_predictions(TRUE, PRED[:-1], missing="exclude")


def test_counts_alone_are_no_matrix() -> None:
    with pytest.raises(InvalidArgument, match=r"ConfusionMatrix\(.*rows are truth"):
        hs.infer([[45, 5], [8, 42]])  # type: ignore[call-overload]
