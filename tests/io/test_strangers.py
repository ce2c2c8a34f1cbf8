"""Files such as people have (``strangers.txt``): each is read rightly, or refused by its kind."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from howsure.errors import InvalidFile
from howsure.io import read, read_scores
from howsure.io.contenders import read_contenders
from howsure.io.logs import read_log

_PARTS = re.split(r"^==== (.*)\n", (Path(__file__).parent / "strangers.txt").read_text("utf-8"), flags=re.MULTILINE)
EACH = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))


def answer(command: str, path: str) -> Any:
    """What a command reads of a file."""
    verb, *options = command.split()
    if verb == "report":
        return read(path).confusion.counts.tolist()
    if verb == "log":
        log = read_log(path, field=options[0])
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
