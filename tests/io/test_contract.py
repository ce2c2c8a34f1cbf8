"""No column is passed over in silence: for every command that reads a table, and every role of a column.

To a good file a column is added. Then it is used (and the answer says as what), or it is named as not used and the
answer is the same number for number, or the file is refused with the name of the column.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from howsure.cli import main
from howsure.errors import InvalidFile
from howsure.io.column_values import repeated_units
from howsure.io.table import TextTable
from howsure.text.columns_taken import UNUSED

ROWS = 36
TRUE = ["ill" if i % 3 else "well" for i in range(ROWS)]
PRED = ["ill" if (i * 7) % 5 > 1 else "well" for i in range(ROWS)]
OTHER = ["ill" if (i * 5) % 7 > 2 else "well" for i in range(ROWS)]
SCORE = [round(((i * 11) % 29) / 30 + 0.02, 3) for i in range(ROWS)]
SITE = [f"site{i // 9}" for i in range(ROWS)]
RIGHT = [int(a == b) for a, b in zip(TRUE, PRED, strict=True)]

CASES = {"y_true": TRUE, "y_pred": PRED}
BOTH = {"y_true": TRUE, "pred_A": PRED, "pred_B": OTHER}
SCORES = {"y_true": TRUE, "score": SCORE}

#: What is typed, and the columns of its file.
COMMANDS: dict[str, tuple[str, dict[str, list[Any]]]] = {
    "report": ("report FILE --draws 200", CASES),
    "count": ("count FILE", CASES),
    "predict": ("predict FILE --n 20", CASES),
    "compare": ("compare FILE --draws 200", BOTH),
    "rank": ("rank FILE --draws 200", BOTH),
    "slices": ("slices FILE --by site --draws 200", {**CASES, "site": SITE}),
    "fairness": ("fairness FILE --by site --draws 200", {**CASES, "site": SITE}),
    "pool": ("pool FILE --site site --draws 200", {**CASES, "site": SITE}),
    "curve": ("curve FILE --draws 200", SCORES),
    "threshold": ("threshold FILE --draws 200", SCORES),
    "calibration": ("calibration FILE --draws 200", SCORES),
    "log": ("log FILE", {"item": [f"q{i}" for i in range(ROWS)], "correct": RIGHT}),
    "repeats": (
        "repeats FILE --draws 200",
        {"item": [f"q{i // 3}" for i in range(ROWS)], "run": [i % 3 for i in range(ROWS)], "correct": RIGHT},
    ),
}  # fmt: skip

#: A column of each role by one of its names, and its values.
ROLES: dict[str, tuple[str, list[Any]]] = {
    "weight": ("sample_weight", [1 + i % 2 for i in range(ROWS)]),
    "counts": ("count", [1 + i % 4 for i in range(ROWS)]),
    "counts by another name": ("cnt", [1 + i % 4 for i in range(ROWS)]),
    "several classifiers": ("model", ["m1" if i % 2 else "m2" for i in range(ROWS)]),
    "one classifier": ("model", ["m1"] * ROWS),
    "provider": ("provider", ["p1" if i % 2 else "p2" for i in range(ROWS)]),
    "classifier by another name": ("algorithm", ["a1" if i % 2 else "a2" for i in range(ROWS)]),
    "weight by another name": ("fnlwgt", [100 + i % 7 for i in range(ROWS)]),
    "training and test": ("split", ["train" if i < 20 else "test" for i in range(ROWS)]),
    "run": ("epoch", [i % 2 for i in range(ROWS)]),
    "fold": ("fold", [i % 4 for i in range(ROWS)]),
    "id": ("case_id", [f"c{i}" for i in range(ROWS)]),
    "repeated id": ("case_id", [f"c{i // 2}" for i in range(ROWS)]),
    "patient": ("patient", [f"p{i // 3}" for i in range(ROWS)]),
    "group": ("group", [f"g{i // 3}" for i in range(ROWS)]),
    "reader": ("reader", [f"r{i % 4}" for i in range(ROWS)]),
    "time": ("date", [f"2024-01-{1 + i % 28:02}" for i in range(ROWS)]),
    "score": ("probability", [round(((i * 13) % 31) / 32 + 0.01, 3) for i in range(ROWS)]),
    "verdict": ("verdict", OTHER),
    "person's label": ("human", OTHER),
    "grade": ("rating", [1 + i % 5 for i in range(ROWS)]),
    "text": ("comment", [f"text {i * i}" for i in range(ROWS)]),
    "a category": ("sex", ["f" if i % 2 else "m" for i in range(ROWS)]),
    "a measure": ("age", [20 + (i * 17) % 60 for i in range(ROWS)]),
}

#: Keys that say how, not what.
TOLD = ("columns", "notes", "warnings", "source", "layout", "version", "elapsed")


def written(path: Path, columns: dict[str, list[Any]]) -> str:
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[dict[str, Any] | None, str]]:
    """The answer to a command on a file of columns, and what stands on standard error; None where it is refused."""

    def make(words: str, columns: dict[str, list[Any]]) -> tuple[dict[str, Any] | None, str]:
        path = written(tmp_path / "x.csv", columns)
        status = main([*words.replace("FILE", path).split(), "--json"])
        said = capsys.readouterr()
        assert status in (0, 2), said.err
        return (json.loads(said.out) if status == 0 else None), said.err

    return make


def numbers(answer: dict[str, Any]) -> dict[str, Any]:
    """What an answer says, without how it was read."""
    return {key: value for key, value in answer.items() if key not in TOLD}


#: Commands that are tried at every turn; the others share their readers.
AT_ONCE = ("report", "curve", "log")
#: Answers to the files as they are.
BEFORE: dict[str, dict[str, Any]] = {}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "command", [it if it in AT_ONCE else pytest.param(it, marks=pytest.mark.full) for it in COMMANDS]
)
def test_a_column_is_used_or_named_or_refused(
    command: str, role: str, answer: Callable[..., tuple[dict[str, Any] | None, str]]
) -> None:
    words, columns = COMMANDS[command]
    name, values = ROLES[role]
    if command not in BEFORE:
        found, said = answer(words, columns)
        assert found is not None, said
        BEFORE[command] = found
    before = BEFORE[command]
    after, said = answer(words, {**columns, name: values})
    if after is None:
        assert name in said or any(f"'{value}'" in said or f"{value}," in said for value in set(values)), said
        return
    roles: dict[str, str] = {}
    for taken in after.get("columns", ()):
        roles |= taken["roles"]
    told = roles.get(name)
    same = numbers(before) == numbers(after)
    assert told is not None, f"{name} is not spoken of"
    assert same or told != UNUSED, f"{name} changes the answer, and is said not to be used"
    notes = [*after.get("notes", ()), *(note for taken in after["columns"] for note in taken["notes"])]
    if role in ("patient", "reader", "repeated id"):
        assert not same or told == "as the item" or any(name in note for note in notes)
    if role in (
        *("weight", "several classifiers", "provider", "classifier by another name", "weight by another name"),
        "training and test",
    ):
        assert told != UNUSED, f"{name} would change the answer, and is passed over"


def test_a_table_that_is_refused_as_it_is_looked_at_is_refused_as_it_is_read() -> None:
    def rows() -> Iterator[tuple[int, list[str]]]:
        yield 2, ["a", "a", "p1"]
        raise InvalidFile("x.csv", "damaged")

    table = TextTable("x.csv", ["y_true", "y_pred", "patient"], 1, rows())
    assert repeated_units(table, [2]) == []
    with pytest.raises(InvalidFile, match="damaged"):
        list(table.rows)
