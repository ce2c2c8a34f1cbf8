"""Print-outs of programs and people (``print_outs.txt``): each is read rightly, or refused with what to type."""

from __future__ import annotations

import ast
import io
import re
from pathlib import Path

import pytest

from howsure.errors import InvalidFile
from howsure.io import read

_PARTS = re.split(r"^==== (.*)\n", (Path(__file__).parent / "print_outs.txt").read_text("utf-8"), flags=re.MULTILINE)
EACH = {
    name.strip(): (arguments.strip(), ast.literal_eval(answer.strip()), text)
    for (name, arguments, answer), text in (
        (head.split("|"), text) for head, text in zip(_PARTS[1::2], _PARTS[2::2], strict=True)
    )
}


@pytest.mark.parametrize("name", EACH)
def test_it_is_read_rightly_or_refused_with_what_to_type(name: str) -> None:
    arguments, answer, text = EACH[name]
    rows = arguments.removeprefix("rows=") or None
    if isinstance(answer, str):
        with pytest.raises(InvalidFile, match=re.escape(answer)):
            read(io.StringIO(text), rows=rows)  # type: ignore[arg-type]  # "true", "pred" or nothing
        return
    assert read(io.StringIO(text), rows=rows).confusion.counts.tolist() == answer  # type: ignore[arg-type]


def test_none_is_named_twice() -> None:
    assert len(EACH) == len(_PARTS[1::2])
