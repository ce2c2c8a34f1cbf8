"""Tables that programs write: columns by their names, and what is used, named or refused."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from howsure.cli import main
from howsure.errors import InvalidFile
from howsure.io import read, read_scores
from howsure.io.roles import repeated_units
from howsure.io.table import TextTable
from howsure.text.columns_taken import UNUSED

_DICE = random.Random(3)
_RIGHT = [1 if i % 3 == 0 else 0 for i in range(60)]
_SCORE = [round(min(0.99, max(0.01, (0.6 if t else 0.4) + _DICE.uniform(-0.3, 0.3))), 4) for t in _RIGHT]
_CALLED = [int(score >= 0.5) for score in _SCORE]
#: What a column holds.
VALUES: dict[str, Sequence[Any]] = {
    "true": _RIGHT,
    "pred": _CALLED,
    "true name": ["yes" if t else "no" for t in _RIGHT],
    "pred name": ["yes" if p else "no" for p in _CALLED],
    "score": _SCORE,
    "score of no": [round(1 - score, 4) for score in _SCORE],
    "confidence": [max(score, round(1 - score, 4)) for score in _SCORE],
    "id": [f"r{i}" for i in range(60)],
    "number": range(60),
    "measure": [round(_DICE.gauss(0, 1), 3) for _ in _RIGHT],
    "text": [f"text {i}" for i in range(60)],
    "train or test": ["train" if i < 40 else "test" for i in range(60)],
    "one of two": ["a" if i % 2 else "b" for i in range(60)],
    "1 to 3": [1 + i % 3 for i in range(60)],
    "pairs": [i // 2 for i in range(60)],
}

EXPORTS = [
    [part.strip() for part in line.split(" | ")]
    for line in Path(__file__).with_name("exports.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def written(columns: Sequence[tuple[str, str]]) -> io.StringIO:
    """A table of text of columns by name and by what they hold."""
    values = [VALUES.get(kind, [kind.removeprefix("constant ")] * len(_RIGHT)) for _, kind in columns]
    titles = ['"' + title.replace('"', '""') + '"' for title, _ in columns]
    return io.StringIO("\n".join([",".join(titles), *(",".join(map(str, row)) for row in zip(*values, strict=True))]))


def area(score: Any) -> float:
    right = np.array(_RIGHT, dtype=bool)
    pairs = np.subtract.outer(np.asarray(score)[right], np.asarray(score)[~right])
    return float(((pairs > 0) + 0.5 * (pairs == 0)).mean())


@pytest.mark.parametrize(("program", "report", "curve", "holds"), EXPORTS, ids=[it[0] for it in EXPORTS])
def test_an_export_is_read_rightly_or_asked_about(program: str, report: str, curve: str, holds: str) -> None:
    columns = [(title, kind) for title, _, kind in (it.partition(" = ") for it in holds.split("; "))]
    if report == "right":
        counts = read(written(columns)).confusion.counts
        wanted = [
            [sum(t == i and p == j for t, p in zip(_RIGHT, _CALLED, strict=True)) for j in (0, 1)] for i in (0, 1)
        ]
        assert counts.tolist() == wanted
    else:
        with pytest.raises(InvalidFile):
            read(written(columns))
    if curve == "right":
        assert area(read_scores(written(columns)).scores.ravel()) == pytest.approx(area(_SCORE), abs=1e-12)
    else:
        with pytest.raises(InvalidFile):
            read_scores(written(columns))


@pytest.mark.parametrize(
    ("title", "kind", "words"),
    [
        ("split", "train or test", "of 60 rows are training data"),
        ("partition", "train or test", "of 60 rows are training data"),
        ("wflow_id", "one of two", r"': 'b', 'a'\. Choose"),
        ("algorithm", "one of two", r"': 'b', 'a'\. Choose"),
        ("llm", "one of two", r"': 'b', 'a'\. Choose"),
        ("perwt", "1 to 3", "the weight"),
        ("fnlwgt", "1 to 3", "the weight"),
        (".case_weights", "1 to 3", "the weight"),
        ("importance_weight", "1 to 3", "the weight"),
    ],
)
def test_a_column_that_changes_the_answer_is_refused(title: str, kind: str, words: str) -> None:
    with pytest.raises(InvalidFile, match=words):
        read(written([("y_true", "true"), ("y_pred", "pred"), (title, kind)]))


def test_a_score_that_is_never_low_is_asked_about_where_another_column_may_be_the_prediction() -> None:
    columns = [("true_class", "true name"), ("top1", "pred name"), ("top1_conf", "confidence")]
    with pytest.raises(InvalidFile, match="'top1' is, call it y_pred"):
        read_scores(written(columns))
    assert read_scores(written(columns), score="top1_conf").n == 60


@pytest.mark.parametrize("sexes", [(), ("f", "m")])
@pytest.mark.parametrize(
    ("title", "known"),
    [
        *(
            (it, True)
            for it in ("cnt", "Freq", "f0_", "nPredictions", "count_star()", "value", "Count of id", "_count")
        ),
        *((it, True) for it in ("Anzahl", "records", "case_count", "Number of cases", "sum_of_n")),
        *((it, False) for it in ("zzz", "#", "0", "hits", "quantity")),
    ],
)
def test_counts_by_other_names_are_counts_or_asked_about(title: str, known: bool, sexes: tuple[str, ...]) -> None:
    pairs = [(s, t, p) for s in sexes or ("",) for t in ("ill", "well") for p in ("ill", "well")]
    rows = [",".join([*([sex] if sexes else []), t, p, str(10 + i)]) for i, (sex, t, p) in enumerate(pairs)]
    text = "\n".join([",".join([*(["sex"] if sexes else []), "true", "pred", title]), *rows])
    if known:
        assert read(io.StringIO(text)).confusion.n == sum(range(10, 10 + len(rows)))
    else:
        with pytest.raises(InvalidFile, match="If they are counts, name the column count"):
            read(io.StringIO(text))


@pytest.mark.parametrize(
    ("title", "truth"),
    [
        (".pred_{}", "truth"),
        ("prob.{}", "truth"),
        ("P (Class={})", "Class"),
        ("confidence({})", "label"),
        ("{}", "class"),
        ("{}_prob", "truth"),
        ('Scored Probabilities for Class ""{}""', "Label"),
        ("target_{}_score", "target"),
        ("Forest ({})", "class"),
        ("logit_{}", "truth"),
    ],
)
def test_scores_of_three_classes_are_told_apart_by_their_names(title: str, truth: str) -> None:
    names, order = ["ant", "bee", "cow"], [2, 0, 1]
    rows = [[0.1 + i / 10, 0.6, 0.3 - i / 10] for i in range(3)]
    lines = [f"{name},{','.join(str(row[k]) for k in order)}" for name, row in zip(names, rows, strict=True)]
    heads = ",".join(f'"{title.format(names[k])}"' for k in order)
    found = read_scores(io.StringIO("\n".join([f"{truth},{heads}", *lines])))
    assert found.labels == tuple(names)
    assert found.scores == pytest.approx(np.array(rows))


# -- no column is passed over in silence: for every command that reads a table, and every role of a column ------------

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


def written_of_contract(path: Path, columns: dict[str, list[Any]]) -> str:
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[dict[str, Any] | None, str]]:
    """The answer to a command on a file of columns, and what stands on standard error; None where it is refused."""

    def make(words: str, columns: dict[str, list[Any]]) -> tuple[dict[str, Any] | None, str]:
        path = written_of_contract(tmp_path / "x.csv", columns)
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
