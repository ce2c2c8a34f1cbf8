"""What a small file may cost: unpacked sizes, parts of a document, blank lines; and that nothing is fetched."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import zipfile
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidFile
from howsure.io import read, read_predictions, read_scores
from howsure.io.contenders import read_contenders
from howsure.io.logs import read_log
from howsure.io.logs.log import LIMITS
from howsure.web.handle import handle
from howsure.web.limits import PRIVATE


def zstandard(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").compress(data)
    return packed


PACKINGS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "Zstandard": zstandard}
READERS: dict[str, Callable[[Path], Any]] = {
    "read": read,
    "count": lambda path: hs.count(path, y_true="y_true", y_pred="y_pred"),
    "count by id": lambda path: hs.count(path, y_true="y_true", y_pred="y_pred", id="y_pred"),
}


@pytest.mark.full
@pytest.mark.parametrize("packing", PACKINGS)
def test_a_table_of_one_row_over_and_over_is_read_where_it_is_small(tmp_path: Path, packing: str) -> None:
    path = tmp_path / "x.csv.packed"
    path.write_bytes(PACKINGS[packing](b"y_true,y_pred\na,b\n" + b"a,a\n" * 100_000))
    assert read(path).confusion.n == 100_001


@pytest.mark.sweep(2, full=24)
@pytest.mark.parametrize("engine", ["rows", "engine"])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("packing", PACKINGS)
def test_what_unpacks_to_far_more_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packing: str, reader: str, engine: str
) -> None:
    monkeypatch.setattr("howsure.io.unpacking.SMALL", 100_000)
    if engine == "engine":
        pytest.importorskip("duckdb")
        monkeypatch.setattr("howsure.io.table.LARGE", 0)
    path = tmp_path / "x.csv.packed"
    path.write_bytes(PACKINGS[packing](b"y_true,y_pred\n" + b"a,a\n" * 500_000))
    with pytest.raises(InvalidFile, match="bytes have become"):
        READERS[reader](path)


@pytest.mark.full
def test_a_server_unpacks_no_more_than_it_takes(tmp_path: Path) -> None:
    table = b"y_true,y_pred\na,b\n" + b"a,a\n" * 100_000
    request = {"verb": "import", "ending": ".xlsx", "text": b64encode(lzma.compress(table)).decode()}
    small, large = (replace(PRIVATE, upload=size) for size in (len(table) - 1, len(table)))
    with pytest.raises(InvalidFile, match="an unpacked file above 0 MiB is not read; give"):
        handle(request, limits=small)
    assert handle(request, limits=large)["matrix"]["counts"] == [[100_000, 1], [0, 0]]


@pytest.mark.full
def test_what_takes_long_to_unpack_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv.xz").write_bytes(lzma.compress(b"y_true,y_pred\na,b\nb,b\n" + b"a,a\n" * 100_000))
    assert main(["report", "x.csv.xz"]) == 0
    assert "unpacking" not in capsys.readouterr().err
    monkeypatch.setattr("howsure.io.unpacking.PATIENCE", -1)
    assert main(["report", "x.csv.xz"]) == 0
    assert "unpacking" not in capsys.readouterr().err, "nobody sits there"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["report", "x.csv.xz"]) == 0
    assert capsys.readouterr().err.count("unpacking x.csv.xz ...\n") == 1


@pytest.mark.full
def test_a_packed_log_is_bounded_in_the_same_way_and_by_all_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"ok": true}\n' * 100_000))
    assert read_log(path, field="ok").n == 100_000
    monkeypatch.setattr("howsure.io.logs.log.LIMITS", LIMITS._replace(text=2**20))
    with pytest.raises(InvalidFile, match="a log above 1 MiB is not read"):
        read_log(path, field="ok")
    monkeypatch.setattr("howsure.io.unpacking.SMALL", 10_000)
    with pytest.raises(InvalidFile, match="bytes have become"):
        read_log(path, field="ok")


def test_samples_of_an_archive_that_lie_over_each_other_do_not_count_as_packed_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    sample = json.dumps({"id": 1, "text": [str(i**3) for i in range(80_000)]})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/0.json", sample)
        (one,) = archive.filelist
        for number in range(1, 300):
            again = zipfile.ZipInfo(f"samples/{number}.json")
            for name in ("compress_type", "CRC", "compress_size", "file_size", "header_offset"):
                setattr(again, name, getattr(one, name))
            archive.filelist.append(again)
    assert 300 * one.file_size < 200 * 300 * one.compress_size
    with pytest.raises(InvalidFile, match=r"585,787 bytes have become 430,017,900 already, more than 200 times as"):
        read_log(path)


def test_a_document_of_many_lists_is_refused_before_they_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.json"
    sentence = "lists and objects in one JSON document, and at"
    for part, number in (("[],", 4_000_001), ("{},", 500_001)):
        path.write_text("[" + part * number + "[]]")
        with monkeypatch.context() as patch:
            patch.setattr("howsure.io.formats.json_tables._DECODER", None)  # it is not asked
            with pytest.raises(InvalidFile, match=sentence):
                read(path)
    path.write_text(json.dumps([[1] * 300] * 300))
    assert read(path, rows="true", labels=[*range(300)]).confusion.n == 90_000


def test_blank_lines_in_succession_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howsure.io.table.MOST_BLANK", 3)
    path = tmp_path / "x.csv"
    path.write_text("y_true,y_pred\n" + "a,a\n\n\nb,b\n\n\n" * 3)
    assert read(path).confusion.n == 6
    path.write_text("y_true,y_pred\na,a\n" + "\n" * 9 + "b,b\n")
    with pytest.raises(InvalidFile, match="line 3: 4 blank lines in succession, and at"):
        read(path)


ADDRESSES = ("https://127.0.0.1:9/x.csv", "https://127.0.0.1:9/*.parquet", "s3://b/x.duckdb", "file:///etc/hostname")


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "reader",
    [
        read,
        read_scores,
        read_predictions,
        read_log,
        hs.count,
        lambda path: read_contenders([path]),
        lambda path: hs.count([path]),
        lambda path: hs.count(path, y_true="t", y_pred="p", query="SELECT 1 AS t, 1 AS p"),
    ],
    ids=["read", "scores", "predictions", "log", "count", "contenders", "several", "query"],
)
def test_nothing_is_fetched_from_an_address(reader: Callable[[str], Any], address: str) -> None:
    pytest.importorskip("duckdb")
    with pytest.raises(InvalidFile, match="this is a URL; howsure does not download files:"):
        reader(address)


@pytest.mark.parametrize("name", ["md:x", "sqlite:x.db", "postgres:host=127.0.0.1"])
def test_a_database_of_another_kind_is_no_file(name: str) -> None:
    pytest.importorskip("duckdb")
    with pytest.raises(InvalidFile, match="there is no such file"):
        hs.count(name, y_true="t", y_pred="p", query="SELECT 1 AS t, 1 AS p")


def test_the_engine_loads_nothing_that_reaches_a_network() -> None:
    duckdb = pytest.importorskip("duckdb")
    from howsure.io.counting.duck import connected

    with connected(None) as db:
        for what in ("autoload", "autoinstall"):
            assert db.execute(f"SELECT current_setting('{what}_known_extensions')").fetchone() == (False,)
        with pytest.raises(duckdb.Error, match="httpfs"):
            db.execute("SELECT * FROM read_csv('https://127.0.0.1:9/x.csv')")
