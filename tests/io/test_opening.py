from __future__ import annotations

import ast
import io
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.patience import PATIENCE

import howsure
import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, InvalidLabels
from howsure.io import read

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
