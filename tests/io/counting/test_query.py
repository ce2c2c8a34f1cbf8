"""--query asks one SELECT of one database, and reaches nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, InvalidFile

duckdb = pytest.importorskip("duckdb")

ASK = {"y_true": "t", "y_pred": "p"}


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.duckdb"
    for name in ("x.duckdb", "y.duckdb"):
        with duckdb.connect(str(tmp_path / name)) as db:
            db.execute("CREATE TABLE answers AS SELECT i % 3 AS t, i % 2 AS p FROM range(1000) r(i)")
    (tmp_path / "local.csv").write_text("t,p\n1,1\n2,1\n")
    return path


@pytest.mark.sweep(3, full=16)
@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("SELECT * FROM answers; COPY answers TO 'out.csv'", "query must be one SELECT of DuckDB that gives"),
        (
            "SELECT * FROM answers) ; COPY answers TO 'out.csv'; SELECT * FROM (answers",
            "query must be one SELECT of DuckDB that gives",
        ),
        ("COPY (SELECT 1) TO 'out.csv'", "query must be one SELECT of DuckDB that gives"),
        ("ATTACH 'y.duckdb'", "query must be one SELECT of DuckDB that gives"),
        (
            "SET enable_external_access = true; SELECT * FROM 'local.csv'",
            "query must be one SELECT of DuckDB that gives",
        ),
        ("DELETE FROM answers", "query must be one SELECT of DuckDB that gives"),
        (" ; -- nothing", "query must be one SELECT of DuckDB that gives"),
        ("SELEC * FROM answers", "query must be one SELECT of DuckDB that gives"),
    ],
)
def test_what_is_not_one_select_is_refused(base: Path, query: str, sentence: str) -> None:
    before = sorted(p.name for p in base.parent.iterdir()), base.read_bytes()
    with pytest.raises(InvalidArgument, match=sentence):
        hs.count(base, query=query, **ASK)
    assert (sorted(p.name for p in base.parent.iterdir()), base.read_bytes()) == before


@pytest.mark.sweep(3, full=5)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM 'local.csv'",
        "SELECT content AS t, content AS p FROM read_text('/etc/hostname')",
        "SELECT file AS t, file AS p FROM glob('*')",
    ],
)
def test_files_beside_the_database_are_out_of_reach(base: Path, query: str) -> None:
    with pytest.raises(InvalidFile, match=r"the query cannot be run \(it reads something"):
        hs.count(base, query=query, **ASK)


def test_variables_of_python_and_writing_functions_are_out_of_reach(base: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"t": [1], "p": [1]})
    assert len(frame)
    for query in ("SELECT * FROM frame", "SELECT t, nextval('s') AS p FROM answers"):
        with pytest.raises(HowsureError):
            hs.count(base, query=query, **ASK)
    with pytest.raises(InvalidFile, match="Table with name nowhere does not exist"):
        hs.count(base, query="SELECT * FROM nowhere", **ASK)


@pytest.mark.full
def test_a_query_may_still_use_the_disk(base: Path) -> None:
    with duckdb.connect(str(base)) as db:
        db.execute(
            "CREATE TABLE wide AS SELECT i % 2 AS t, i % 2 AS p, repeat(i::VARCHAR, 9) AS id FROM range(800000) r(i)"
        )
    counts = hs.count(base, query="SELECT * FROM wide ORDER BY id", id="id", memory="60MB", **ASK)
    assert counts.n == 800_000
