"""compare and rank over data sets, from files: --site."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

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
