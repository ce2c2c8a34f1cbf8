"""Files that are refused (``refusals.txt``): the line and the kind of the refusal, or its words, in every form."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.io.forms import told

from howsure.errors import HowsureError
from howsure.io import read, read_judged, read_ratings, read_scores
from howsure.io.formats.board import read_board
from howsure.io.logs.log import read_logs, read_repeats
from howsure.io.vote_files import read_votes

_PARTS = re.split(r"^==== (.*)\n", (Path(__file__).parent / "refusals.txt").read_text("utf-8"), flags=re.MULTILINE)
EACH = list(zip(_PARTS[1::2], _PARTS[2::2], strict=True))
READERS: dict[str, Callable[..., object]] = {
    it.__name__: it
    for it in (read, read_board, read_judged, read_logs, read_ratings, read_repeats, read_scores, read_votes)
}
NAME = "x" * 10_001
BEYOND = "9" * 5000
CHECKED = "item,verdict,label\n" + "".join(f"{i},t{i},\n" for i in range(5001)) + "x,a,a\n"

#: What is too long to be printed, or holds what no text does.
LONG: list[tuple[str | bytes, str]] = [
    (f"y_true,y_pred\n{NAME},a\n", "line 2: a label of 10,001 characters"),
    ("y_true,y_pred\n" + "x" * 140_000 + ",a\n", "line 2: a label of 140,000 characters"),
    ("y_true,y_pred\n" + "".join(f"{i},t{i}\n" for i in range(2600)), "too_many_classes"),
    (f'{{"classes": ["a", "b"], "orientation": "pred-rows", "counts": [[45, {BEYOND}], [8, 42]]}}', "not_a"),
    ("[" * 200_000 + "]" * 200_000, "too_deep"),
    ('{"a":' * 100_000 + "1" + "}" * 100_000, "too_deep"),
    (f'{{"classes": ["a", "{NAME}"], "orientation": "true-rows", "counts": [[4, 5], [8, 2]]}}', "label 2 has 10001"),
    ('{"classes": ["é", "b"]}'.encode("latin-1"), "line 1: not_utf8"),
    (f"true\\pred,a,{NAME}\n", "line 1: a label of 10,001 characters"),
    ("true\\pred," + ",".join(map(str, range(5001))) + "\n0\n", "too_many"),
    (f"pred\\true,high,low\nhigh,26,{BEYOND}\nlow,2,6\n", "line 2: true 'low' predicted 'high' holds 999"),
    ("pred\\true,high,low\nhigh,26,\x1b[31m\nlow,2,6\n", "'\\x1b[31m', not a number"),
]


@pytest.mark.sweep(100, full=300)
@pytest.mark.parametrize(
    ("head", "text"), EACH, ids=[f"{i} {head.split('|')[-1].strip()}" for i, (head, _) in enumerate(EACH)]
)
def test_a_file_is_refused_in_these_words(head: str, text: str, complaint: Callable[..., str]) -> None:
    name, arguments, words = (part.strip() for part in head.split("|", 2))
    text, keywords = text.replace("→", "\t"), ast.literal_eval(f"{{{arguments}}}")
    reader, _, name = name.rpartition(" ")
    if not reader:
        assert words in complaint(text, name, **keywords)
        return
    Path(name).write_text(text, encoding="utf-8")  # in the folder of the fixture
    with pytest.raises(HowsureError) as caught:
        READERS[reader](name, **keywords)
    assert words in told(caught.value)


@pytest.mark.sweep(3, full=20)
@pytest.mark.parametrize(("content", "words"), LONG, ids=lambda value: repr(value[:30]))
def test_what_is_too_long_or_no_text_is_refused(
    content: str | bytes, words: str, complaint: Callable[..., str]
) -> None:
    assert words in complaint(content)


def test_a_list_of_too_many_verdicts_is_refused(complaint: Callable[..., str]) -> None:
    assert "too_many_classes" in complaint(CHECKED, missing="estimate")
