"""One random table as lists, frames, relations, text, JSON Lines and Parquet: one count, or a refusal everywhere."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.io.engines.hard import database

import howsure as hs
from howsure.errors import HowsureError

pl = pytest.importorskip("polars")
pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

Columns = dict[str, list[Any]]

LABELS = ["a", "b", "cat 2", "01", None]
NAMES = ("y_true", "y_pred", "g", "w", "case", "classifier")
OPTIONS = {"by": "g", "weight": "w", "id": "case", "model": "classifier"}


def ways(columns: Columns, folder: Path) -> dict[str, Callable[[], Any]]:
    """The same table in every way that it can be given."""
    frame = pl.DataFrame(columns, schema={c: pl.Int64 if c == "w" else pl.String for c in columns})

    def text() -> Path:
        out = io.StringIO()
        csv.writer(out).writerows([list(columns), *zip(*columns.values(), strict=True)])
        (folder / "x.csv").write_text(out.getvalue())
        return folder / "x.csv"

    def lines() -> Path:
        rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
        (folder / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return folder / "x.jsonl"

    def parquet() -> Path:
        frame.write_parquet(folder / "x.parquet")
        return folder / "x.parquet"

    return {
        "lists": lambda: columns,
        "polars": lambda: frame,
        "polars lazy": frame.lazy,
        "pyarrow": frame.to_arrow,
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(columns),
        "duckdb": lambda: database(frame.to_arrow()).table("cases"),
        "CSV": text,
        "JSON Lines": lines,
        "Parquet": parquet,
    }


def said(given_: Any, options: dict[str, Any]) -> Any:
    """What is counted, or that it is refused."""
    try:
        counts = hs.count(given_, y_true="y_true", y_pred="y_pred", **options)
    except HowsureError:
        return "refused"
    aside = sorted((one.reason, one.rows) for one in counts.set_aside)
    return counts._key(), counts.labels, counts.models, set(counts.groups), aside, counts.n


def table(random: Random) -> list[tuple[Any, ...]]:
    """Some rows, now and then with ids that come twice."""
    ids = random.choice([6, 400])
    return [
        (
            random.choice(LABELS),
            random.choice(LABELS),
            random.choice(["x", "y", None]),
            random.choice([1, 2, 3, 1, 1, None]),
            str(random.randint(1, ids)),
            random.choice(["m1", "m2"]),
        )
        for _ in range(random.randint(1, 14))
    ]


@pytest.mark.full
def test_every_way_counts_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(4)
    refused = 0
    for _ in range(12):
        options = {name: column for name, column in OPTIONS.items() if random.random() < 0.4}
        used = ("y_true", "y_pred", *options.values())
        rows = zip(*table(random), strict=True)
        columns = {n: list(values) for n, values in zip(NAMES, rows, strict=True) if n in used}
        with monkeypatch.context() as patch:
            answers = {name: said(make(), options) for name, make in ways(columns, tmp_path).items()}
            patch.setattr("howsure.io.table.LARGE", -1)
            for name in ("x.csv", "x.jsonl"):
                answers[f"{name} by the engine"] = said(tmp_path / name, options)
        first = answers.pop("lists")
        refused += first == "refused"
        for name, answer in answers.items():
            assert answer == first, f"{name}: {answer}, and lists: {first}, of {columns} with {options}"
    assert 0 < refused < 9
