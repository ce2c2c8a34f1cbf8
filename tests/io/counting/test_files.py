"""Files and folders: every format gives the same counts, and every row is accounted for."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.patience import PATIENCE

import howsure as hs
from howsure.errors import InvalidFile

duckdb = pytest.importorskip("duckdb")

ROWS = [("a", "a", "01"), ("a", "b", "1"), ("b", "b", "01"), ("b", "b", "1"), (None, "b", "1"), ("a", None, "1")]


def write_csv(path: Path, delimiter: str = ",") -> Path:
    lines = [delimiter.join(("y_true", "y_pred", "site"))]
    lines += [delimiter.join(x or "NA" for x in row) for row in ROWS]
    path.write_text("\ufeff" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_jsonl(path: Path) -> Path:
    path.write_text("".join(json.dumps(dict(zip(("y_true", "y_pred", "site"), r, strict=True))) + "\n" for r in ROWS))
    return path


def write_gzip(path: Path) -> Path:
    plain = write_csv(path.with_suffix(""))
    path.write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    return path


def write_sql(path: Path) -> Path:
    with duckdb.connect() as db:
        db.execute("CREATE TABLE t (y_true VARCHAR, y_pred VARCHAR, site VARCHAR)")
        db.executemany("INSERT INTO t VALUES (?, ?, ?)", ROWS)
        kind = "FORMAT parquet" if path.suffix == ".parquet" else "FORMAT csv, COMPRESSION zstd"
        db.execute(f"COPY t TO '{path}' ({kind})")
    return path


def write_semicolons(path: Path) -> Path:
    return write_csv(path, ";")


WRITERS: dict[str, Callable[[Path], Path]] = {
    "x.csv": write_csv,
    "semicolons.csv": write_semicolons,
    "x.csv.gz": write_gzip,
    "x.csv.zst": write_sql,
    "x.jsonl": write_jsonl,
    "x.parquet": write_sql,
}


@pytest.mark.sweep(6, full=7)
@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_counts(tmp_path: Path, name: str) -> None:
    path = WRITERS[name](tmp_path / name)
    counts = hs.count(path, by="site", memory="200MB")
    assert (counts.n, counts.read) == (4, 6)
    assert counts.groups == (("1",), ("01",)) or counts.groups == (("01",), ("1",))
    assert counts.confusion(group="01").counts.tolist() == [[1, 0], [0, 1]]
    assert counts.confusion().counts.tolist() == [[1, 1], [0, 2]]
    assert [(a.reason, a.rows) for a in counts.set_aside] == [("no true class", 1), ("no predicted class", 1)]
    assert counts.set_aside[0].examples == (f"{path}, row 5",)
    assert counts.set_aside[1].examples == (f"{path}, row 6",)


@pytest.mark.full
def test_folders_patterns_and_partitions(tmp_path: Path) -> None:
    for region in ("01", "1"):
        folder = tmp_path / f"region={region}"
        folder.mkdir()
        write_sql(folder / "part.parquet")
    for source in (tmp_path, f"{tmp_path}/*/*.parquet", sorted(tmp_path.rglob("*.parquet"))):
        counts = hs.count(source, by=["region"])
        assert counts.n == 8
        assert set(counts.groups) == {("01",), ("1",)}
        assert counts.confusion(group="1").n == 4


def test_weights_of_files(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("y_true,y_pred,w\na,a,2\na,b,3\nb,b,\n")
    counts = hs.count(path, weight="w")
    assert counts.confusion().counts.tolist() == [[2, 3], [0, 0]]
    assert counts.set_aside == (hs.io.counting.result.SetAside("no weight", 1, (f"{path}, row 3",)),)
    path.write_text("y_true,y_pred,w\na,a,2\na,b,x\nb,b,1\n")
    with pytest.raises(InvalidFile, match="the weight must be a number, not"):
        hs.count(path, weight="w")


@pytest.mark.parametrize("large", [-1, 2**30], ids=["engine", "rows"])
def test_columns_of_several_files_are_matched_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int
) -> None:
    monkeypatch.setattr("howsure.io.table.LARGE", large)
    (tmp_path / "a.csv").write_text("y_true,y_pred\na,b\nb,b\n")
    (tmp_path / "b.csv").write_text("y_pred;y_true\na;b\n")
    counts = hs.count(tmp_path)
    assert counts.confusion().counts.tolist() == [[0, 1], [1, 1]]
    (tmp_path / "b.csv").write_text("y_true,y_pred\na,b\n")
    assert hs.count(tmp_path).confusion().counts.tolist() == [[0, 2], [0, 1]]
    (tmp_path / "b.csv").write_text("y_true,answered\na,b\n")
    with pytest.raises(InvalidFile, match=r"b\.csv, line 1: its header"):
        hs.count(tmp_path)


LIMITED = """
import os, resource, sys
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])  # DuckDB takes some memory for each core
resource.setrlimit(resource.RLIMIT_DATA, (384 * 2**20,) * 2)
import howsure as hs
print(hs.count(sys.argv[1], memory="100MB").n)
"""


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
def test_a_folder_larger_than_the_memory_of_the_process_is_counted(tmp_path: Path) -> None:
    first = tmp_path / "00.csv"
    line = "a class with a long name {},a class with a long name {}\n"
    first.write_text("y_true,y_pred\n" + "".join(line.format(i % 7, i % 5) for i in range(300_000)))
    for part in range(1, 30):  # the same text thirty times, once on the disk
        os.link(first, tmp_path / f"{part:02d}.csv")
    assert 30 * first.stat().st_size > 384 * 2**20
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path)], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (ran.returncode, ran.stdout) == (0, "9000000\n"), ran.stderr
