"""Files as they are opened: paths, packed ones, bounds."""

from __future__ import annotations

import ast
import bz2
import gzip
import io
import json
import lzma
import os
import pickle
import subprocess
import sys
import zipfile
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.patience import PATIENCE

import howsure
import howsure as hs
from howsure.cli import main
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, InvalidLabels
from howsure.io import read, read_predictions, read_scores
from howsure.io.contenders import read_contenders
from howsure.io.logs import read_log
from howsure.io.logs.log import LIMITS
from howsure.web.answering import handle
from howsure.web.limits import PRIVATE

SQUARE = "true\\pred,high,low\nhigh,26,0\nlow,2,6\n"


def refusal(path: object) -> str:
    with pytest.raises(InvalidFile) as caught:
        read(path)  # type: ignore[arg-type]
    return str(caught.value)


def test_texts_of_numpy_are_paths(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text("true,pred\nhigh,high\nlow,high\n")
    text = np.str_(path)
    for given in (text, [text], np.array([str(path)])):
        assert read(given).confusion.n == 2
    for given in (np.eye(2), np.array(1), np.array([1])):
        with pytest.raises(InvalidArgument, match=r"a path|the name of a file"):
            read(given)


def test_paths_streams_and_standard_input_give_the_same(tmp_path, monkeypatch):
    path = tmp_path / "m.csv"
    path.write_text(SQUARE)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SQUARE.encode())))
    with path.open("rb") as raw, path.open() as text:
        readings = [
            read(given) for given in (path, str(path), raw, text, io.StringIO(SQUARE), io.BytesIO(SQUARE.encode()), "-")
        ]
    assert {reading.confusion for reading in readings} == {readings[0].confusion}
    assert readings[0].source == str(path)
    assert readings[4].source == "the stream"
    assert readings[6].source == "standard input"


def test_a_missing_file_offers_the_nearest_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("cocaine.csv").write_text(SQUARE)
    assert refusal("cocain.csv") == "cocain.csv: there is no such file. Did you mean 'cocaine.csv'?"
    assert refusal(["cocaine.csv", "zzz"]).startswith("zzz: there is no such file")
    assert "Check its name" in refusal("zzz")
    assert "no directory" in refusal("nowhere/x.csv")
    assert "no file name" in refusal("")
    assert "\x1b" not in refusal("\x1b[31m.csv")
    assert "cannot be opened" in refusal("a\0b")
    assert "cannot be opened" in refusal("x" * 5000)


def test_a_directory(tmp_path):
    assert "the folder holds no file that ends in .csv" in refusal(tmp_path)
    (tmp_path / "only.txt").write_text(SQUARE)
    assert read(tmp_path).confusion.n == 34
    (tmp_path / "notes.md").write_text("two files now")
    assert "'notes.md'" in read(tmp_path).notes[0] or "notes.md" in read(tmp_path).notes[0]


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
def test_permission_denied(tmp_path, monkeypatch):
    path = tmp_path / "m.csv"
    path.write_text(SQUARE)

    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    # root may read everything, so the refusal of the system is imitated
    monkeypatch.setattr("builtins.open", denied)
    assert "no permission" in refusal(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \n\n", "empty"),
        (SQUARE.encode("utf-16-le"), "NUL bytes"),
        (b"PAR1\x15\x04", "damaged"),
        (b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml", "damaged"),
        (b"PK\x03\x04....samples/1.json", "looks like a log of Inspect"),
        (b"PK\x03\x04....docs/1.txt", "looks like a zip archive"),
        (b"\x1f\x8b\x08\x00", "damaged"),
        (pickle.dumps({"counts": 1}), "looks like a Python pickle, and text was expected; pickles can run code"),
        (b"\x93NUMPY\x01\x00", "looks like a NumPy array file"),
        (b"a,b\n\0\n", "NUL bytes"),
        (SQUARE.replace("low", "löw").encode("latin-1"), "line 1: not_utf8"),
        (b"true\\pred,high,low\nhigh,1,2\nl\xff,2,6\n", "line 3: not_utf8"),
        (b"hello\nworld\n", "line 1: one column only ('hello')"),
        (b"hello,\n", "the header has 1 cell"),
        (b'true\\pred,a,"b\na,5,1\n', 'line 1: a quote (") is opened here and never closed'),
        (b'true\\pred,a,b\na,5,1\n"b,2,7\n', 'line 3: a quote (") is opened here and never closed'),
        (b'true\\pred,a,b\na,5,1\n"b"x,2,7\n', 'line 3: text follows a closing quote (")'),
        (b"true\\pred,a,b\n" + b"x" * 10_000_000, "line 2: long_line"),
    ],
)
def test_files_that_are_no_table(complaint, content, words):
    assert words in complaint(content)


@pytest.mark.full
def test_a_nul_byte_far_into_the_file(complaint):
    assert "a NUL byte" in complaint("y_true,y_pred\n" + "a,b\n" * 600_000 + "a,\0\n")


def test_a_file_that_is_too_large(complaint, monkeypatch):
    monkeypatch.setattr("howsure.io.opening.LARGEST_FILE", 20)
    with pytest.raises(InvalidFile, match="a file above 0 MiB is not read as text"):
        read(io.BytesIO(SQUARE.encode()))


def test_a_stream_that_is_closed():
    stream = io.StringIO(SQUARE)
    stream.close()
    assert "the stream cannot be read" in refusal(stream)


def test_a_stream_that_breaks(monkeypatch):
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            if size:
                raise OSError(5, "Input/output error")
            return b""

    assert refusal(Broken()) == "the stream: the stream cannot be read (Input/output error)"
    monkeypatch.setattr("sys.stdin", None)
    assert refusal("-") == "standard input: there is no such file, or none is named; name one that is there"


def test_arguments_outside_their_lists():
    for keywords in ({"rows": "truth"}, {"missing": "drop"}, {"labels": "ab"}, {"model": 3}, {"positive": 1}):
        with pytest.raises(InvalidArgument):
            read(io.StringIO(SQUARE), **keywords)  # type: ignore[arg-type]
    with pytest.raises(InvalidLabels):
        read(io.StringIO(SQUARE), labels=["a", "a"])
    assert issubclass(InvalidFile, HowsureError)


@pytest.mark.full
def test_no_pickle_and_no_data_frame_is_ever_loaded():
    heavy = "('pandas', 'polars', 'pyarrow', 'yaml', 'joblib')"
    code = f"import sys, howsure.io; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout
    assert out.strip() == "[]"


@pytest.mark.full
def test_nothing_in_the_package_unpickles_or_runs_text():
    running = {"eval", "exec", "compile", "__import__"}
    loading = {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle", "yaml", "runpy"}
    found = []
    for source in Path(howsure.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in running:
                    found.append((source.name, name))
                case ast.Import(names=names):
                    found += [(source.name, each.name) for each in names if each.name.split(".")[0] in loading]
                case ast.ImportFrom(module=str(name)) if name.split(".")[0] in loading:
                    found.append((source.name, name))
                case ast.keyword(arg="allow_pickle"):
                    found.append((source.name, "allow_pickle"))
    assert found == []


def test_a_file_under_two_names_is_read_once_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("y_true,y_pred\na,a\nb,a\n", encoding="utf-8")
    Path("b.csv").write_text("y_true,y_pred\nb,b\n", encoding="utf-8")
    Path("link.csv").symlink_to("a.csv")
    for names in (["a.csv", "a.csv", "b.csv"], ["a.csv", "./a.csv", "b.csv"], ["a.csv", "b.csv", "link.csv"], ["."]):
        found = read(names)
        assert found.confusion.n == 3
        assert any("and read once: " in note for note in found.notes)
        assert hs.count(names).n == 3
    assert read(["a.csv", "b.csv"]).confusion.n == 3


# -- what a small file may cost: unpacked sizes, parts of a document, blank lines; and that nothing is fetched --------


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
    monkeypatch.setattr("howsure.io.opening.SMALL", 100_000)
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
    monkeypatch.setattr("howsure.io.opening.PATIENCE", -1)
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
    monkeypatch.setattr("howsure.io.opening.SMALL", 10_000)
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
            patch.setattr("howsure.io.formats.json_documents._DECODER", None)  # it is not asked
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


# -- classes whose names are nearly the same: one note that names them, wherever the cases are ------------------------

COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"


def test_a_pattern_in_a_folder_with_brackets(tmp_path: Path) -> None:
    folder = tmp_path / "[x]"
    folder.mkdir()
    (folder / "a.csv").write_text("y_true,y_pred\na,a\nb,b\n")
    assert read(f"{folder}/*.csv").confusion.n == 2
