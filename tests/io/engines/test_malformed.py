"""A corpus of malformed files: each is refused with a sentence that names the file and line, and exit status 2."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from howsure.cli import main
from howsure.errors import InvalidFile
from howsure.io.counting.count import count

duckdb = pytest.importorskip("duckdb")
zstandard = pytest.importorskip("zstandard")

HEAD = b"id,y_true,y_pred\n"
GOOD = HEAD + b"1,a,a\n2,b,a\n"
LINE = b'{"id": 1, "y_true": "a", "y_pred": "a"}\n'
OBJECTS = b"".join(LINE.replace(b"1", b"%d" % i) for i in range(9999))
ROWS = HEAD + b"".join(b"%d,a,b\n" % i for i in range(50_000))
PACKED = gzip.compress(ROWS, mtime=0)
SQUEEZED = zstandard.ZstdCompressor(write_checksum=True).compress(ROWS)  # as the command zstd does


def parquet(select: str, cut: Callable[[bytes], bytes] = lambda data: data) -> Callable[[Path], bytes]:
    def make(path: Path) -> bytes:
        with duckdb.connect() as db:
            db.execute(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
        return cut(path.read_bytes())

    return make


CASES = "SELECT i AS id, 'c' || (hash(i) % 3) AS y_true, 'c' || (hash(i + 7) % 3) AS y_pred FROM range(50000) r(i)"


def damaged(codec: str, place: str, column: int, group: int = 3) -> Callable[[Path], bytes]:
    """Five row groups, the bytes of one page overwritten: its head, or the data behind it."""

    def make(path: Path) -> bytes:
        with duckdb.connect() as db:
            db.execute(f"COPY ({CASES}) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 10240, COMPRESSION {codec})")
            chunk = f"FROM parquet_metadata('{path}') WHERE row_group_id = {group} AND column_id = {column}"
            ((data, dictionary),) = db.execute(f"SELECT data_page_offset, dictionary_page_offset {chunk}").fetchall()
        content = path.read_bytes()
        start, length = (dictionary or data, 12) if place == "head" else (data + 40, 100)
        return content[:start] + b"\xff" * length + content[start + length :]

    return make


TABLE = "SELECT i AS id, i % 3 AS y_true, i % 2 AS y_pred FROM range(10000) r(i)"
Content = bytes | Callable[[Path], bytes]

#: File name, content, and what the sentence must say.
COUNTED: list[tuple[str, Content, str]] = [
    # encodings and bytes
    ("empty.csv", b"", "empty"),
    ("latin1.csv", GOOD + b"3,caf\xe9,a\n", "line 4.*UTF-8"),
    ("nul.csv", GOOD + b"3,a\0,b\n", "NUL"),
    ("binary.csv", bytes(range(256)) * 8, "NUL|binary"),
    ("pickle.csv", b"\x80\x04\x95\x10\x00\x00\x00", "pickle"),
    ("zip.csv", b"PK\x03\x04" + b"\0" * 30, "zip"),
    # tables
    ("short_row.csv", GOOD + b"3,a\n", "line 4: 2 cells, where the header in line 1 has 3"),
    ("open_quote.csv", GOOD + b'3,"a,b\n4,a,a\n', "line 4.*quote"),
    ("text_after_quote.csv", GOOD + b'3,"a"x,b\n', "line 4.*quote"),
    ("header_only.csv", HEAD, "no case|empty|0 rows"),
    ("twice.csv", b"id,y_true,y_true,y_pred\n1,a,a,a\n", "twice"),
    ("no_prediction.csv", b"id,y_true\n1,a\n", "column|y_pred|predicted"),
    ("nothing_in_common.csv", b"id,y_true,y_pred\n1,cat,0\n2,dog,1\n", "no class in common"),
    ("all_missing.csv", b"id,y_true,y_pred\n1,,\n2,NA,null\n", "no case"),
    ("long_label.csv", HEAD + b"1,a,a\n2,b," + b"x" * 20_000 + b"\n", "20,000 characters"),
    ("doubled_id.csv", GOOD + b"2,b,b\n", "'2' comes 2 times"),
    ("long_line.csv", HEAD + b"1,a,a\n2,b," + b"x" * 3_000_000 + b"\n", "line|characters|longer"),
    # packed text
    ("cut.csv.gz", PACKED[: len(PACKED) // 2], "gzip"),
    ("flipped.csv.gz", PACKED[:600] + b"\xff" * 200 + PACKED[800:], "gzip"),
    ("cut_end.csv.zst", SQUEEZED[:-1], "Zstandard.*cut short"),
    ("flipped.csv.zst", SQUEEZED[:600] + b"\xff" * 200 + SQUEEZED[800:], "Zstandard"),
    ("cut_second.csv.zst", SQUEEZED + SQUEEZED[:300], "Zstandard.*cut short"),
    ("cut.jsonl.zst", zstandard.compress(OBJECTS)[:-2], "Zstandard.*cut short"),
    # JSON Lines
    ("cut_late.jsonl", LINE * 500 + b'{"id": 2, "y_tr\n', "line 501.*JSON"),
    ("list_late.jsonl", LINE * 500 + b"[1, 2]\n", r"line 501.*\[1, 2\]"),
    ("pretty.jsonl", json.dumps({"y_true": "a", "y_pred": "a"}, indent=1).encode(), "line 1.*JSON"),
    ("latin1.jsonl", LINE + b'{"id": 2, "y_true": "caf\xe9", "y_pred": "a"}\n', "line 2.*UTF-8"),
    ("nested.jsonl", LINE + b'{"id": 2, "y_true": {"a": 1}, "y_pred": "a"}\n', "not a class"),
    ("score.jsonl", LINE + b'{"id": 2, "y_true": 0.5, "y_pred": "a"}\n', "score"),
    ("deep.jsonl", LINE[:-2] + b', "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "line 1"),
    # Parquet
    ("cut.parquet", parquet(TABLE, lambda data: data[:-100]), "cut short"),
    ("no_footer.parquet", parquet(TABLE, lambda data: data[:300] + b"PAR1"), "it is damaged"),
    ("bad_page.parquet", parquet(TABLE, lambda d: d[:8] + b"\xff" * 80 + d[88:]), "it is damaged"),
    *(
        (f"{codec}_{place}.parquet", damaged(codec, place, column), "it is damaged")
        for codec, place, column in (
            ("snappy", "head", 0), ("zstd", "data", 1), ("gzip", "data", 2), ("lz4", "head", 1),
            ("uncompressed", "data", 2),
        )
    ),
    ("lists.parquet", parquet("SELECT 1 AS id, [1, 2] AS y_true, 1 AS y_pred"), "is not a class"),
    ("no_rows.parquet", parquet(f"{TABLE} WHERE i < 0"), "no case"),
    ("doubled.parquet", parquet("SELECT 7 AS id, i AS y_true, 1 AS y_pred FROM range(9) r(i)"), "'7' comes 9 times"),
]  # fmt: skip

TWO_TRUTHS = b"id,model,y_true,y_pred\n1,A,a,a\n1,B,b,a\n"
#: Rows of one case and classifier, counted with --model-column.
LONG: list[tuple[str, bytes, str]] = [
    ("two_truths.csv", TWO_TRUTHS, "two values of column 'y_true'"),
    ("doubled.csv", b"id,model,y_true,y_pred\n1,A,a,a\n1,A,a,b\n", "the id '1' comes twice, for classifier 'A';"),
    ("no_model.csv", b"id,model,y_true,y_pred\n1,A,a,a\n1,,a,b\n", "the classifier .column 'model'. is missing"),
]

SAMPLE = {"doc_id": 1, "doc_hash": "x", "filter": "none", "metrics": ["acc"], "acc": 1.0}


def archive(**files: bytes) -> Callable[[Path], bytes]:
    def make(path: Path) -> bytes:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
            for name, content in files.items():
                made.writestr(name.replace("__", "/") + ".json", content)
        return path.read_bytes()

    return make


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


LOGS: list[tuple[str, Content, str]] = [
    ("cut.jsonl", lines(SAMPLE) + b'{"doc_id"', "line 2.*JSON"),
    ("filters.jsonl", lines(SAMPLE, {**SAMPLE, "filter": "strict"}), "--filter"),
    ("partial.jsonl", lines({**SAMPLE, "acc": 0.4}), "every score is 0.4.*--threshold"),
    ("unscored.jsonl", lines({**SAMPLE, "acc": None}), "none of 1 answers was scored"),
    ("list.json", b"[]", "no answers of single items"),
    ("bad_sample.eval", archive(samples__1=b"{"), "samples/1.json.*damaged"),
    ("bomb.eval", archive(samples__1=b" " * 50_000_000), "more than 200 times"),
    ("cut.eval", b"PK\x03\x04" + b"\0" * 40, r"\.eval archive"),
    ("cut.jsonl.gz", gzip.compress(lines(SAMPLE) * 9, mtime=0)[:-12], "gzip"),
]  # fmt: skip


def refused(capsys: pytest.CaptureFixture[str], arguments: list[str], name: str, says: str) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("howsure: ")
    assert len(err.splitlines()) == 1
    assert name in err
    assert re.search(says, err), err
    assert "Traceback" not in err


def laid(tmp_path: Path, name: str, content: Content) -> str:
    path = tmp_path / name
    path.write_bytes(content(path) if callable(content) else content)
    return str(path)


@pytest.mark.sweep(2, full=25)
@pytest.mark.parametrize(("name", "content", "says"), COUNTED, ids=[name for name, *_ in COUNTED])
def test_counting_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: Content, says: str
) -> None:
    path = laid(tmp_path, name, content)
    refused(capsys, ["count", path, "--true", "y_true", "--pred", "y_pred", "--id", "id"], name, says)


@pytest.mark.parametrize(("name", "content", "says"), LONG, ids=[name for name, *_ in LONG])
def test_pairing_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, says: str
) -> None:
    path = laid(tmp_path, name, content)
    arguments = ["--true", "y_true", "--pred", "y_pred", "--id", "id", "--model-column", "model"]
    refused(capsys, ["count", path, *arguments], name, says)


@pytest.mark.sweep(14, full=17)
@pytest.mark.parametrize(("name", "content", "says"), LOGS, ids=[name for name, *_ in LOGS])
def test_logs_refuse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: Content, says: str
) -> None:
    refused(capsys, ["log", laid(tmp_path, name, content)], name, says)


@pytest.mark.full
def test_of_several_files_the_damaged_one_is_named(tmp_path: Path) -> None:
    for name in ("a", "c"):
        laid(tmp_path, f"{name}.parquet", parquet(CASES))
    laid(tmp_path, "b.parquet", damaged("snappy", "data", 2, group=0))
    with pytest.raises(InvalidFile, match=r"b\.parquet: it is damaged"):
        count(tmp_path, y_true="y_true", y_pred="y_pred")


def test_a_damaged_column_that_is_not_read_does_not_matter(tmp_path: Path) -> None:
    file = laid(tmp_path, "cases.parquet", damaged("zstd", "data", 0))
    assert count(file, y_true="y_true", y_pred="y_pred").read == 50_000


@pytest.mark.full
def test_a_damaged_table_among_those_that_are_paired_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = laid(tmp_path, "good.parquet", parquet(CASES))
    bad = laid(tmp_path, "bad.parquet", damaged("zstd", "data", 1))
    arguments = ["compare", good, bad, "--true", "y_true", "--pred", "y_pred", "--id", "id"]
    refused(capsys, arguments, "bad.parquet", "bad.parquet: it is damaged")


LINES = b"a,a\nb,b\na,b\n" * 5


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda text: gzip.compress(text, 1),
    ".zst": zstandard.compress,
}


@pytest.fixture
def any_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of one letter are read, however small they are when packed."""
    monkeypatch.setattr("howsure.io.opening.SMALL", 2**30)


TOO_LONG = "the line has more than 2,000,000 characters"


@pytest.mark.sweep(1, full=9)
@pytest.mark.parametrize(("packing", "end"), [("", b""), (".gz", b",b\n"), (".zst", b"\r\n")])
@pytest.mark.usefixtures("any_ratio")
def test_a_last_line_that_the_engine_would_drop_is_refused(tmp_path: Path, packing: str, end: bytes) -> None:
    file = tmp_path / f"long.csv{packing}"
    file.write_bytes(PACKINGS[packing](b"y_true,y_pred\n" + LINES + b"x" * 40_000_000 + end))
    with pytest.raises(InvalidFile, match=f"line 17: {TOO_LONG}"):
        count(file, y_true="y_true", y_pred="y_pred")


@pytest.mark.deep
@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.usefixtures("any_ratio")
def test_a_last_line_across_two_buffers_of_the_engine_is_counted(tmp_path: Path, packing: str) -> None:
    file = tmp_path / f"cases.csv{packing}"
    rows = 31_990_000 // 4
    file.write_bytes(PACKINGS[packing](b"y_true,y_pred\n" + b"a,b\n" * rows + b"b," + b"b" * 1_900_000))
    with pytest.raises(InvalidFile, match="label of 1,900,000 characters"):
        count(file, y_true="y_true", y_pred="y_pred")


@pytest.mark.full
def test_a_long_line_amid_others_is_said_in_our_words(tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    file.write_bytes(b"y_true,y_pred\n" + LINES + b"x" * 40_000_000 + b"\n" + LINES)
    with pytest.raises(InvalidFile, match=f"line 17: {TOO_LONG}"):
        count(file, y_true="y_true", y_pred="y_pred")


def test_streams_of_zstandard_in_several_frames_are_read_to_the_end(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv.zst"
    skipped = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"hello"
    file.write_bytes(skipped + zstandard.compress(b"y_true,y_pred\n" + LINES) + skipped + zstandard.compress(LINES))
    assert count(file, y_true="y_true", y_pred="y_pred").read == 30


def test_a_query_of_what_is_no_database_is_said_in_our_words(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    file.write_text("t,p\na,b\n")
    with pytest.raises(InvalidFile, match="it is no DuckDB database"):
        count(file, y_true="t", y_pred="p", query="SELECT 'a' AS t, 'b' AS p")
    with pytest.raises(InvalidFile, match="there is no such file"):
        count(tmp_path / "nothing.db", y_true="t", y_pred="p", query="SELECT 'a' AS t, 'b' AS p")
