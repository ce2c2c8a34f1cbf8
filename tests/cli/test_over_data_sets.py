"""compare and rank over data sets, from files: --site."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from tests.hostile import LABELS
from tests.publish.test_unit_pages import schema_of

import howsure as hs
from howsure.cli import main

BOARD = """dataset,model,correct,n
iris,forest,141,150
iris,tree,143,150
wine,forest,170,178
wine,tree,165,178
glass,tree,141,214
glass,forest,150,214
heart,forest,224,270
heart,tree,214,270
"""
COUNTS = {
    "iris": {"forest": (141, 150), "tree": (143, 150)},
    "wine": {"forest": (170, 178), "tree": (165, 178)},
    "glass": {"forest": (150, 214), "tree": (141, 214)},
    "heart": {"forest": (224, 270), "tree": (214, 270)},
}
FEW = ["--draws", "500"]


@pytest.fixture
def board(tmp_path: Path) -> str:
    path = tmp_path / "board.csv"
    path.write_text(BOARD, encoding="utf-8")
    return str(path)


def cases(tmp_path: Path, third: bool = False) -> str:
    rng = np.random.default_rng(1)
    lines = ["id,dataset,y_true,pred_A,pred_B" + (",pred_C" if third else "")]
    for i in range(240):
        truth, hard = int(rng.integers(2)), rng.standard_normal()
        said = [truth if hard + 0.5 * rng.standard_normal() > -1 + 0.3 * j else 1 - truth for j in range(2 + third)]
        lines.append(f"{i},set {i % 4},{truth},{','.join(map(str, said))}")
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_published_counts_are_compared(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", board, "--site", "dataset", "--rope", "0.01", *FEW, "--json"]) in (0, None)
    told = json.loads(capsys.readouterr().out)
    jsonschema.validate(told, schema_of("units", "compare_over"))
    assert told == hs.compare_over(COUNTS, rope=0.01, draws=500).to_dict()
    assert (told["a"], told["b"], told["paired"]) == ("forest", "tree", False)


def test_published_counts_are_ranked(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", board, "--site", "dataset", *FEW, "--json"]) in (0, None)
    told = json.loads(capsys.readouterr().out)
    jsonschema.validate(told, schema_of("units", "rank_over"))
    assert told == hs.rank_over(COUNTS, draws=500).to_dict()


def test_scores_become_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"{name},{who},{k / n:.4f}" for name, x in COUNTS.items() for who, (k, n) in x.items() if n]
    path = tmp_path / "scores.csv"
    path.write_text("dataset,model,accuracy\n" + "\n".join(lines[:2] * 1) + "\n", encoding="utf-8")
    assert main(["rank", str(path), "--site", "dataset"]) not in (0, None)
    assert "number of cases is missing" in capsys.readouterr().err
    rows = [f"{name},{who},{100 * k / n:.2f} %,{n}" for name, x in COUNTS.items() for who, (k, n) in x.items()]
    path.write_text("dataset,model,accuracy,n\n" + "\n".join(rows) + "\n", encoding="utf-8")
    assert main(["compare", str(path), "--site", "dataset", *FEW, "--json"]) in (0, None)
    told = json.loads(capsys.readouterr().out)
    assert [x["a_right"] for x in told["data_sets"]] == [141, 170, 150, 224]


def test_cases_are_paired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cases(tmp_path)
    assert main(["compare", path, "--site", "dataset", *FEW, "--json"]) in (0, None)
    told = json.loads(capsys.readouterr().out)
    assert told["paired"]
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sets = {
        name: hs.Predictions(
            [r["y_true"] for r in rows if r["dataset"] == name],
            {x: [r[f"pred_{x}"] for r in rows if r["dataset"] == name] for x in "AB"},
        )
        for name in dict.fromkeys(r["dataset"] for r in rows)
    }
    ours = hs.compare_over(sets, draws=500).to_dict()
    assert sorted(told["data_sets"], key=lambda x: x["name"])[0]["only_a"] == ours["data_sets"][0]["only_a"]
    assert told["mean_difference"]["mean"] == pytest.approx(ours["mean_difference"]["mean"], abs=0.01)


def test_three_are_ranked_and_two_of_them_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cases(tmp_path, third=True)
    assert main(["rank", path, "--site", "dataset", *FEW]) in (0, None)
    assert "Paired: all answered the same cases" in capsys.readouterr().out
    assert main(["compare", path, "--site", "dataset", *FEW]) not in (0, None)
    assert "say which two" in capsys.readouterr().err
    assert main(["compare", path, "--site", "dataset", "--a", "A", "--b", "C", *FEW]) in (0, None)
    assert "than C on average" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("ending", [".html", ".md", ".tex", ".csv", ".json", ".txt", ".svg"])
@pytest.mark.parametrize("command", ["compare", "rank"])
def test_files_are_written(board: str, tmp_path: Path, command: str, ending: str) -> None:
    out = tmp_path / f"out{ending}"
    assert main([command, board, "--site", "dataset", *FEW, "-o", str(out)]) in (0, None)
    assert out.stat().st_size > 200
    made = hs.compare_over(COUNTS, draws=500) if command == "compare" else hs.rank_over(COUNTS, draws=500)
    hs.save(made, tmp_path / f"ours{ending}")
    assert (tmp_path / f"ours{ending}").read_bytes() == out.read_bytes()


def test_numbers_in_csv_are_in_full() -> None:
    made = hs.compare_over(COUNTS, rope=0.01, draws=500)
    rows = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert [row["about"] for row in rows] == [*["data set"] * 4, "mean", "new", "spread"]
    assert float(rows[4]["mean"]) == made.of().mean
    assert float(rows[0]["p_equal"]) == made.chances(data_set="iris").equal


@pytest.mark.parametrize(
    ("text", "words", "sentence"),
    [
        (BOARD, ["--site", "hospital"], "line 1: no column 'hospital'"),
        (BOARD + "lone,forest,1,2\n", [], "line 10: data set 'lone' has one classifier"),
        (BOARD + ",forest,1,2\n", [], "line 10: a row without a data set"),
        (BOARD + "x,forest,3,2\nx,tree,1,2\n", [], "line 10: 'forest' has 3 right answers out of 2"),
        (BOARD + "x,forest,1,2\nx,forest,1,2\n", [], "line 11: 'forest' stands in line 10, too"),
        (BOARD + "x,forest,1,2\nx,bush,1,2\n", [], "data set 'x' has"),
        ("dataset,model,correct,n\n", [], "no row below the header"),
        ("y_true,pred_A,dataset\n1,1,a\n0,1,b\n", [], "one classifier"),
        ("y_true,pred_A,pred_B\n1,1,0\n0,1,0\n", [], "dataset"),
        ("y_true,pred_A,pred_B,dataset\n1,1,0,a\n0,1,0,\n", [], "line 3"),
        ("y_true,pred_A,pred_B,dataset,id\n1,1,0,a,7\n0,1,0,b,7\n1,1,1,c,8\n", [], "7"),
    ],
)
@pytest.mark.parametrize("command", ["compare", "rank"])
def test_bad_files_get_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, text: str, words: list[str], sentence: str
) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(text, encoding="utf-8")
    names = ["--a", "forest", "--b", "tree"] if command == "compare" and "forest" in text else []
    assert main([command, str(path), *(words or ["--site", "dataset"]), *names, *FEW]) not in (0, None)
    said = capsys.readouterr()
    assert not said.out
    assert sentence in " ".join(said.err.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["compare", "--prior", "flat"], "leave --prior out with --site"),
        (["compare", "--group", "patient"], "leave --group out"),
        (["compare", "--separate"], "leave --separate out"),
        (["compare", "--missing", "estimate"], "leave --missing estimate out"),
        (["rank", "--prizes", "1,2"], "leave --prizes out"),
        (["rank", "--top", "2", "--entries", "learned"], "leave --top, --entries out"),
    ],
)
def test_options_without_a_meaning_are_refused(
    board: str, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert main([words[0], board, "--site", "dataset", *words[1:]]) not in (0, None)
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_names_that_are_markup_stay_text(tmp_path: Path) -> None:
    names = [label for label in LABELS[:5] if "\0" not in label]
    path, out = tmp_path / "odd.csv", tmp_path / "out.html"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["dataset", "model", "correct", "n"])
        writer.writerows([f"<b>{name}", model, 8, 10] for name in names for model in ("<i>A</i>", "B"))
    assert main(["rank", str(path), "--site", "dataset", *FEW, "-o", str(out)]) in (0, None)
    assert "<i>" not in out.read_text(encoding="utf-8")
    assert main(["compare", str(path), "--site", "dataset", *FEW, "-o", str(out)]) in (0, None)
    assert "<b>" not in out.read_text(encoding="utf-8")
