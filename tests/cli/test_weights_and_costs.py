"""Weights of classes, costs from a file and priors as text, on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_cli import answers, howsure

import howsure as hs

CELLS = ("--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92")
POST = hs.infer(hs.ConfusionMatrix.from_counts(tp=45, fn=5, fp=8, tn=92))


def test_costs_come_from_a_file_in_any_order_of_the_classes(tmp_path: Path) -> None:
    known = POST.at_prevalence([0.98, 0.02]).of(hs.expected_cost([[0, 1], [20, 0]]))
    tables = (
        "true\\pred,negative,positive\nnegative,0,1\npositive,20,0\n",
        "\ufeff,positive,negative\r\npositive,0,20\r\n\r\nnegative, 1.0,0\r\n",
    )
    for text in tables:
        path = tmp_path / "cost.csv"
        path.write_text(text, encoding="utf-8")
        done = howsure("report", *CELLS, "--cost", str(path), "--prevalence", "2%", "-m", "ppv", "--json")
        rows = answers(done)
        assert list(rows) == ["precision@positive", "expected_cost"]
        assert (rows["expected_cost"]["mean"], rows["expected_cost"]["low"]) == (known.mean, known.interval().low)
