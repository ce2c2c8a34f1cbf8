"""The commands compare and gate: contests, folds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.cli.test_cli import complaint, howsure

import howsure as hs
from howsure.cli import main
from howsure.cli.output import LARGEST
from howsure.data.groups import Folds
from howsure.errors import InvalidFile, InvalidLabels
from howsure.io import read, read_predictions


def cases(path: Path, wrong: range, ids: bool = True, n: int = 200) -> Path:
    """Answers to n cases, wrong on some of them."""
    lines = ["id,y_true,y_pred" if ids else "y_true,y_pred"]
    for i in range(n):
        true = "cat" if i % 2 else "dog"
        answer = {"cat": "dog", "dog": "cat"}[true] if i in wrong else true
        lines.append((f"case{i}," if ids else "") + f"{true},{answer}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(autouse=True)
def _no_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.mark.parametrize("ids", [True, False])
def test_a_baseline_is_written_read_and_replaced(tmp_path: Path, ids: bool) -> None:
    baseline = tmp_path / "baseline.json"
    first = str(cases(tmp_path / "first.csv", range(30), ids))
    arguments = ("gate", "--baseline", str(baseline), "-m", "accuracy", "--update-baseline")
    done = howsure(*arguments, "--candidate", first)
    assert done.returncode == 0
    assert "there was no baseline yet" in done.stdout
    written = baseline.read_text()
    assert max(map(len, written.splitlines())) < 100
    assert read(baseline).confusion == read(first).confusion
    # nothing gained: the file stays, byte for byte
    done = howsure(*arguments, "--candidate", first)
    assert (done.returncode, baseline.read_text()) == (3, written)
    assert "left as it is" in done.stderr
    better = str(cases(tmp_path / "better.csv", range(2), ids))
    done = howsure(*arguments, "--candidate", better)
    assert done.returncode == 0
    assert ("Paired, the same 200 cases" in done.stdout) is ids
    assert read(baseline).confusion == read(better).confusion
    assert sorted(p.name for p in tmp_path.iterdir()) == ["baseline.json", "better.csv", "first.csv"]


def test_a_baseline_of_odd_labels_comes_back(tmp_path: Path) -> None:
    """Words for missing answers, leading zeros, quotes and formulas are labels like others once they are classes."""
    odd = ["NA", "01", 'say "a, b"', "=1+1"]
    path = tmp_path / "odd.jsonl"
    rng = np.random.default_rng(0)
    rows = [{"id": f"x{i}", "y_true": odd[rng.integers(4)], "y_pred": odd[rng.integers(4)]} for i in range(60)]
    path.write_text("\n".join(map(json.dumps, rows)))
    labels = "NA,01,=1+1"
    done = howsure("gate", "--candidate", str(path), "--baseline", str(tmp_path / "b.json"), "--update-baseline")
    assert "missing" in complaint(done)
    for row in rows:
        row["y_true"], row["y_pred"] = (str(row[k]).replace('say "a, b"', "01") for k in ("y_true", "y_pred"))
    path.write_text("\n".join(map(json.dumps, rows)))
    options = ("--candidate", str(path), "--baseline", str(tmp_path / "b.json"))
    assert howsure("gate", *options, "--labels", labels, "--update-baseline").returncode == 0
    assert read(tmp_path / "b.json").confusion == read(path, labels=labels.split(",")).confusion
    done = howsure("gate", *options, "--labels", labels, "-m", "accuracy")
    assert "Paired, the same 60 cases" in done.stdout


def test_junit_and_the_step_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = str(cases(tmp_path / "good.csv", range(4))), str(cases(tmp_path / "bad.csv", range(30)))
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    report = tmp_path / "gate.xml"
    done = howsure("gate", "--candidate", bad, "--baseline", good, "-m", "accuracy", "--junit", str(report))
    assert done.returncode == 1
    assert ElementTree.parse(report).getroot().attrib["failures"] == "1"
    assert summary.read_text().startswith("before\n")
    assert "| accuracy | fail |" in summary.read_text()
    summary.write_text("x" * (LARGEST - 300))
    howsure("gate", "--candidate", bad, "--baseline", good)
    assert LARGEST - 300 < summary.stat().st_size <= LARGEST
    assert summary.read_text().endswith("1024 KiB)\n")
    summary.write_text("x" * LARGEST)
    done = howsure("gate", "--candidate", bad, "--baseline", good)
    assert done.returncode == 1
    assert "summary is full" in done.stderr
    assert summary.stat().st_size == LARGEST
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "nowhere" / "summary.md"))
    done = howsure("gate", "--candidate", bad, "--baseline", good)
    assert (done.returncode, "cannot be written" in done.stderr) == (1, True)


# -- rank -----------------------------------------------------------------------------------------------------


def test_a_candidate_that_leaves_cases_of_the_baseline_out_is_refused(tmp_path: Path) -> None:
    full, right = cases(tmp_path / "full.csv", range(30)), tmp_path / "right.csv"
    header, *lines = full.read_text().splitlines()
    right.write_text("\n".join([header, *lines[30:]]) + "\n")  # all but its errors
    asked = ("gate", "--candidate", str(right), "--baseline", str(full), "--metric", "accuracy", "--margin", "0.05")
    told = complaint(howsure(*asked))
    assert "no row of 30 cases that the baseline has answered (first: case0)" in told
    assert "--missing exclude" in told
    done = howsure(*asked, "--missing", "exclude", "--json", "--junit", str(tmp_path / "gate.xml"))
    (said,) = json.loads(done.stdout)["warnings"]
    assert said.startswith("The candidate has no row of 30 cases")
    assert said in ElementTree.fromstring((tmp_path / "gate.xml").read_text()).findtext("system-err")
    assert said in howsure(*asked, "--missing", "exclude", "--markdown").stdout
    more = json.loads(howsure("gate", "--candidate", str(full), "--baseline", str(right), "--json").stdout)
    assert more["warnings"] == []  # cases that only the candidate has are no loss
    for file in (full, right):
        first, *rest = file.read_text().splitlines()
        file.write_text("\n".join([f"{first},lang", *(f"{line},en" for line in rest)]) + "\n")
    assert "no row of 30 cases" in complaint(howsure(*asked, "--by", "lang"))


# -- `howsure compare` and `howsure rank` on tables that are counted: Parquet, folders, packed text, counts

duckdb = pytest.importorskip("duckdb")

TABLE = (
    "SELECT i AS id, chr((97 + i % 3)::INT) AS label, chr((97 + (i + (i % 10 = 0)::INT) % 3)::INT) AS a, "
    "chr((97 + (i + (i % 4 = 0)::INT) % 3)::INT) AS b FROM range(600) r(i)"
)
PAIR = ["--true", "label", "--pred", "a", "--pred", "b"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    with duckdb.connect() as db:
        db.execute(f"CREATE TABLE t AS {TABLE}")
        for part, rows in (("1", "id < 200"), ("2", "id >= 200")):
            db.execute(f"COPY (FROM t WHERE {rows}) TO '{data}/{part}.parquet'")
        db.execute(f"COPY t TO '{tmp_path}/t.csv.gz'")
        db.execute(f"COPY t TO '{tmp_path}/t.jsonl.zst' (FORMAT json, COMPRESSION zstd)")
        for name, column, rows in (("new", "a", "true"), ("old", "b", "id > 5")):
            db.execute(
                f"COPY (SELECT id, label AS y_true, {column} AS y_pred FROM t WHERE {rows}) "
                f"TO '{tmp_path}/{name}.parquet'"
            )
        db.execute(f"COPY (SELECT label AS y_true, b AS y_pred FROM t) TO '{tmp_path}/nameless.parquet'")
        db.execute(f"COPY (SELECT id, 'a' AS y_true, b AS y_pred FROM t) TO '{tmp_path}/contrary.parquet'")
        db.execute(
            f"COPY (SELECT id, label AS y_true, a AS y_pred, 'A' AS model FROM t UNION ALL "
            f"SELECT id, label, b, 'B' FROM t) TO '{tmp_path}/long.parquet'"
        )
        (tmp_path / "x.duckdb").touch()
        db.execute(f"COPY (SELECT label, a, nullif(b, 'c') AS b FROM t) TO '{tmp_path}/gaps.parquet'")
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


@pytest.mark.full
def test_a_table_each_is_joined_by_id(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [f"{folder}/new.parquet", f"{folder}/old.parquet"]
    assert main(["compare", *files]) == 0
    out = capsys.readouterr().out
    assert "Paired: 594 cases" in out
    assert "594 of 600 ids are answered by all classifiers" in out
    assert main(["rank", *files]) == 0
    assert "paired, the same cases" in capsys.readouterr().out
    assert answer(capsys, "compare", *files, "--separate")["paired"] is False
    assert answer(capsys, "compare", files[0], f"{folder}/nameless.parquet")["paired"] is False
    assert "has the true class" in refused(capsys, "compare", files[0], f"{folder}/contrary.parquet")
    assert "no column 'id'" in refused(capsys, "compare", files[0], f"{folder}/nameless.parquet", "--id", "id")


@pytest.mark.full
def test_counts_that_grow_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(folder / "state.json")
    assert main(["count", f"{folder}/data", *PAIR, "--append", state]) == 0
    capsys.readouterr()
    grown, whole = answer(capsys, "compare", state), answer(capsys, "compare", f"{folder}/data", *PAIR)
    told = {"notes": (), "columns": ()}
    assert {**grown, **told} == {**whole, **told}


@pytest.mark.full
def test_gaps_need_a_word(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gaps = [f"{folder}/gaps.parquet", *PAIR]
    err = refused(capsys, "compare", *gaps)
    assert "gaps.parquet: the answer is missing in 200 of 600 cases (first: case 3) of classifier 'b'" in err
    assert answer(capsys, "compare", *gaps, "--missing", "wrong")["p_better"] > 0.99
    assert main(["compare", *gaps, "--missing", "exclude"]) == 0
    assert "Set aside" in capsys.readouterr().out


@pytest.mark.full
@pytest.mark.parametrize("size", [0, 2**62], ids=["engine", "rows"])
def test_engine_and_rows_say_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr("howsure.io.table.LARGE", size)
    for form in (f"{folder}/data", f"{folder}/t.csv.gz", f"{folder}/t.jsonl.zst"):
        made = answer(capsys, "compare", form, *PAIR, "--metric", "accuracy")
        assert made["paired"] is True
        assert made["p_better"] == pytest.approx(1.0, abs=1e-6)
        assert answer(capsys, "report", form, "--true", "label", "--pred", "a", "-m", "accuracy")["n"] == 600


# -- files whose ids repeat: folds of a cross-validation, repeats of a question, and neither, through the

TRUTH = ["ill" if i % 3 else "well" for i in range(24)]
SAID = [[t if (7 * i + 5 * r) % 6 else "ill" for i, t in enumerate(TRUTH)] for r in range(4)]


def written(folder: Path, header: str, *, ids: bool = True, skip: int = 0, name: str = "x.csv") -> str:
    """Four answers to each of 24 cases: ``header`` has the words fold and repeat, or others."""
    words = header.split(",")
    lines = []
    for r in range(4):
        for i, truth in enumerate(TRUTH):
            units = {"fold": str((i + r) % 5), "split": f"{r}-{i % 5}"}
            cells = [units.get(word, str(r)) for word in words if word]
            lines.append(",".join([*([str(i)] if ids else []), *cells, truth, SAID[r][i]]))
    head = ",".join([*(["id"] if ids else []), *(word for word in words if word), "y_true", "y_pred"])
    path = folder / name
    path.write_text("\n".join([head, *lines[skip:]]) + "\n", encoding="utf-8")
    return str(path)


PASSES = hs.ConfusionMatrix.of_passes([hs.ConfusionMatrix.from_predictions(TRUTH, said) for said in SAID])


@pytest.mark.parametrize(
    ("header", "options"), [("fold,repeat", {}), ("fold,run", {}), ("split", {"folds": "split"}), ("fold,pass", {})]
)
def test_repeated_passes_are_divided(tmp_path: Path, header: str, options: dict[str, str]) -> None:
    if "pass" in header:
        options = {"repeat": "pass"}
    made = read(written(tmp_path, header), **options)
    assert made.confusion.counts.tolist() == PASSES.counts.tolist()
    assert made.confusion.folds == Folds(20, 4)
    assert made.layout == "predictions, 24 cases"
    assert made.notes == ()


def test_passes_without_ids_by_their_repeats(tmp_path: Path) -> None:
    made = read(written(tmp_path, "fold,repeat", ids=False))
    assert made.confusion.folds == Folds(20, 4)
    assert made.confusion.counts.tolist() == PASSES.counts.tolist()
    with pytest.raises(InvalidFile, match="of class 'well' pass '0' comes 7 times and '1'"):
        read(written(tmp_path, "fold,repeat", ids=False, skip=1))


def test_classifiers_that_answer_again_are_compared_over_items(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(tmp_path, "run", name=name) for name in ("one.csv", "two.csv")]
    assert main(["compare", *files]) == 0
    shown = capsys.readouterr().out
    assert "96 cases answered by both, in 24 groups" in shown
    assert "96 answers to 24 items (column 'run'): the answers to an item are one group" in shown


def test_repeats_of_which_none_comes_again_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "seeds.csv"
    path.write_text("id,seed,y_true,y_pred\n" + "".join(f"{i},42,x,x\n{i + 50},42,y,y\n" for i in range(9)))
    assert read(str(path), group=True).confusion.groups is None
    made = read(str(path), repeat="seed")
    assert made.confusion.groups is None
    assert "No id comes again, so the repeats (column 'seed') change nothing." in made.notes


def test_repeats_that_nobody_asks_for_are_said(tmp_path: Path) -> None:
    notes = " ".join(read(written(tmp_path, "run")).notes)
    assert "The answers of all repeats are added up as separate cases (column 'run')." in notes
    assert "96 rows have only 24 different ids: answers to the same items hold less information" in notes


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (
            "id,fold,y_true,y_pred\n1,a,x,x\n1,b,x,x\n2,a,y,y\n",
            {},
            "the id '1' comes 2 times and '2' 1; each pass",
        ),
        (
            "id,fold,y_true,y_pred\n1,a,x,x\n1,b,y,x\n2,a,y,y\n",
            {},
            "line 3: the id '1' has two values of true",
        ),
        (
            "id,fold,y_true,y_pred\n1,a,x,x\n1,a,x,x\n2,a,y,y\n",
            {},
            r"comes twice \(of one fold\).*each case is one row$",
        ),
        ("id,fold,y_true,y_pred\n1,,x,x\n2,a,y,y\n", {}, r"line 2: the fold \(column 'fold'\) is missing"),
        (
            "id,fold,y_true,y_pred\n1,a,x,x\n2,a,y,y\n1,b,x,\n2,b,y,y\n",
            {"missing": "exclude"},
            "class 'x' has 1 tests in 2 passes.*set aside in some passes only",
        ),
    ],
)
def test_passes_that_are_not_whole(tmp_path: Path, text: str, options: dict[str, str], sentence: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile, match=sentence):
        read(str(path), **options)  # type: ignore[arg-type]  # of one kind


def test_cases_of_several_passes_are_not_compared(tmp_path: Path) -> None:
    files = [written(tmp_path, "fold,repeat", name=name) for name in ("one.csv", "two.csv")]
    with pytest.raises(InvalidFile, match=r"comes in 4 folds, .*compare_algorithms"):
        read_predictions(*files)


def test_every_reader_names_the_ways_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "trial")
    assert main(["count", path, "--id", "id"]) == 2
    assert "howsure report and howsure.io.read take --group, --repeat or --folds" in capsys.readouterr().err
    assert main(["compare", path, path]) == 2
    assert "--repeat COLUMN" in capsys.readouterr().err
    with pytest.raises(InvalidLabels, match=r"the id '3' comes 2 times \(cases 1, 2\).*these ids as group="):
        hs.Predictions([1, 0, 1], {"m": [1, 0, 1]}, id=[3, 3, 4])
    with pytest.raises(InvalidLabels, match="by= counts the folds"):
        hs.count({"y_true": [1, 0, 1], "y_pred": [1, 0, 1], "id": [3, 3, 4]}, id="id")


def test_the_same_repeats_from_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "run")
    rows = read(path, group=True).confusion, read(written(tmp_path, "fold,repeat", name="y.csv")).confusion
    monkeypatch.setattr("howsure.io.table.LARGE", 0)
    assert read(path, group=True).confusion == rows[0]
    assert read(written(tmp_path, "fold,repeat", name="y.csv")).confusion == rows[1]
