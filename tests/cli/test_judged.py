"""``howsure compare``, ``gate`` and ``rank`` of models under one judge."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.test_cli import complaint, howsure


@pytest.fixture
def file(tmp_path: Path) -> str:
    rng = np.random.default_rng(4)
    lines = ["item,model,verdict,label"]
    for model, rate in (("new", 0.9), ("old", 0.7), ("older", 0.6)):
        for i in range(300):
            right = rng.random() < rate
            passed = rng.random() < (0.9 if right else 0.15)
            label = ("pass" if right else "fail") if i < 80 else ""
            lines.append(f"{i},{model},{'pass' if passed else 'fail'},{label}")
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_models_are_compared_gated_and_ranked(file: str) -> None:
    estimate = ("--missing", "estimate")
    made = json.loads(howsure("compare", file, "--a", "new", "--b", "old", *estimate, "--json").stdout)
    assert (made["metric"], made["label"], made["judge"]["labelled_both"]) == ("prevalence", "pass", 80)
    assert made["p_better"] > 0.95
    gated = howsure("gate", "--candidate", file, "--a", "old", "--b", "new", *estimate)
    assert gated.returncode == 1
    assert gated.stdout.startswith("Fail: old is worse than new in prevalence@pass")
    ranked = json.loads(howsure("rank", file, *estimate, "--shared-judge", "--json").stdout)
    assert [entry["name"] for entry in ranked["entries"]] == ["new", "old", "older"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("compare", "FILE", "--a", "new", "--b", "old", "--missing", "estimate", "-m", "f1"), "share of right answers"),
        (("compare", "FILE", "--missing", "estimate"), "names of two models, of new, old, older"),
        (("compare", "FILE", "FILE", "--missing", "estimate"), "one FILE of all models"),
        (("compare", "FILE", "--missing", "estimate", "--true", "label"), "leave --true out"),
        (("gate", "--candidate", "FILE", "--baseline", "x", "--missing", "estimate"), "one file holds both models"),
        (("gate", "--candidate", "FILE", "--floor", ".8", "--missing", "estimate"), "name the candidate with --a"),
        (("gate", "--candidate", "FILE", "--a", "new", "--b", "old", "--strict", "--missing", "estimate"), "sign test"),
        (("rank", "FILE", "--shared-judge"), "--missing estimate"),
        (("rank", "FILE", "--missing", "estimate", "--new-test", "9"), "leave --new-test out"),
    ],
)
def test_bad_requests_are_one_sentence(file: str, arguments: tuple[str, ...], said: str) -> None:
    assert said in complaint(howsure(*(file if part == "FILE" else part for part in arguments)))
