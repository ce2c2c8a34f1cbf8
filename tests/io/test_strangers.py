"""Files such as people have (``strangers.txt``): each is read rightly, or refused by its kind."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from howsure.cli.contenders import are_items
from howsure.cli.options import Options
from howsure.errors import InvalidFile
from howsure.io import read, read_scores
from howsure.io.contenders import read_contenders
from howsure.io.items import read_items
from howsure.io.logs import read_log
from howsure.io.rating_files import read_ratings
from howsure.io.vote_files import read_votes

_PARTS = re.split(r"^==== (.*)\n", (Path(__file__).parent / "strangers.txt").read_text("utf-8"), flags=re.MULTILINE)
EACH = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))


def answer(command: str, path: str) -> Any:
    """What a command reads of a file."""
    verb, *options = command.split()
    if verb == "report" and options[:1] == ["--missing"]:
        return read(path, missing=options[1]).confusion.counts.tolist()  # type: ignore[arg-type]  # of the file
    if verb == "report" and options:
        return read_items(path).names
    if verb == "report":
        return read(path).confusion.counts.tolist()
    if verb == "votes":
        return list(read_votes(path).names)
    if verb == "agree":
        return list(read_ratings(path).raters)
    if verb == "log":
        log = read_log(path, field=options[0] if options else None)
        return [log.distinct, log.correct]
    if verb == "curve":
        made = read_scores(path)
        score, positive = made.scores.ravel(), made.truth == made.labels.index(str(made.positive))
        return float((score[positive][:, None] > score[~positive]).mean())
    found = read_contenders([path])
    if found.board is not None:
        return {it.name: [it.correct, it.n] for it in found.board.standings}
    matrices = found.matrices
    if found.predictions is not None:
        matrices = {name: found.predictions.confusion(name) for name in found.predictions.names}
    assert matrices is not None
    return {name: [int(np.trace(it.counts)), it.n] for name, it in matrices.items()}


@pytest.mark.parametrize("head", EACH)
def test_a_file_is_read_rightly_or_refused(head: str, tmp_path: Path) -> None:
    name, command, expected = (part.strip() for part in head.split("|"))
    file = tmp_path / name
    file.write_text(EACH[head].replace("\\t", "\t"), encoding="utf-8")
    value = ast.literal_eval(expected)
    if isinstance(value, str):
        with pytest.raises(InvalidFile) as caught:
            answer(command, str(file))
        assert caught.value.kind == value
        return
    assert answer(command, str(file)) == value


def test_text_of_a_spreadsheet_in_utf_16_is_the_same_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("y_true\ty_pred\nj\u00e4\tj\u00e4\nnein\tj\u00e4\n", encoding="utf-16")
    assert read(tmp_path / "a.txt").confusion.counts.tolist() == [[1, 0], [1, 0]]


def test_samples_that_are_drawn_again_are_told(tmp_path: Path) -> None:
    rows = [f"{i // 20},{7 * i * i % 13},{'ab'[i % 2]},{'ab'[i % 3 % 2]}" for i in range(60)]
    (tmp_path / "a.csv").write_text("bootstrap,idx,y_true,y_pred\n" + "\n".join(rows))
    notes = " ".join(read(tmp_path / "a.csv").notes)
    assert "Each 'idx' comes" in notes
    assert "all repeats are added up" in notes


@pytest.mark.parametrize(("missing", "counts"), [("wrong", [[1, 1], [0, 1]]), ("exclude", [[1, 0], [0, 1]])])
def test_a_word_for_missing_answers_takes_what_is_never_the_truth(
    missing: Any, counts: list[list[int]], tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("y_true,y_pred\nno,no\nyes,yes\nno,ERROR\n")
    assert read(tmp_path / "a.csv", missing=missing).confusion.counts.tolist() == counts
    as_class = read(tmp_path / "a.csv", labels=["no", "yes", "ERROR"]).confusion
    assert as_class.counts.tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 0]]


def test_a_sign_for_no_truth_is_one_beside_two_classes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("y_true,y_pred\n-,+\n+,+\n-,-\n")
    assert read(tmp_path / "a.csv").confusion.counts.tolist() == [[1, 0], [1, 1]]
    (tmp_path / "b.csv").write_text("y_true,y_pred\nno,no\nyes,yes\n.,no\n")
    assert read(tmp_path / "b.csv", missing="exclude").confusion.counts.tolist() == [[1, 0], [0, 1]]


def test_classes_that_are_named_win_over_scores(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(EACH[next(head for head in EACH if head.startswith("MLflow's classes"))])
    ask = Options(files=[str(tmp_path / "a.csv")], true="targets", pred="outputs")
    assert are_items(Options(files=ask.files), ask.files)
    assert not are_items(ask, ask.files)
