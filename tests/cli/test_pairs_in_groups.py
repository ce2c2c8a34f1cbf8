"""``howsure compare`` and ``howsure gate`` of cases in groups, by a column of the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from howsure.cli import main

Written = Callable[..., str]


def rows_of(groups: int, size: int = 8) -> list[tuple[str, str, str, str, str]]:
    """Id, group, truth and two answers: the new one is right more often, in some groups more than in others."""
    rng = np.random.default_rng(groups)
    rows = []
    for g in range(groups):
        ease = rng.normal(0, 0.8)
        for i in range(size):
            truth = int(rng.integers(2))
            new, old = (bool(rng.random() < 1 / (1 + np.exp(-c - ease))) for c in (2.6, 0.9))
            told = ["ill" if (truth == 1) == right else "well" for right in (new, old)]
            rows.append((f"c{g}-{i}", f"<b>p{g:02d}</b>", "ill" if truth else "well", *told))
    return rows


@pytest.fixture
def write(tmp_path: Path) -> Written:
    def written(name: str, header: str, rows: list[tuple[str, ...]]) -> str:
        path = tmp_path / name
        path.write_text("\n".join([header, *(",".join(row) for row in rows)]) + "\n", encoding="utf-8")
        return str(path)

    return written


def asked(capsys: pytest.CaptureFixture[str], *command: str) -> dict[str, object]:
    capsys.readouterr()
    main([*command, "--json"])
    made: dict[str, object] = json.loads(capsys.readouterr().out)
    return made


@pytest.mark.full
def test_every_form_of_a_pair_has_the_same_answer(write: Written, capsys: pytest.CaptureFixture[str]) -> None:
    """Wide, long, two files, groups in one of two files, a column of another name."""
    rows = rows_of(12)
    wide = [write("wide.csv", "id,group,y_true,pred_new,pred_old", rows)]
    named = [write("named.csv", "id,patient,y_true,pred_new,pred_old", rows), "--group", "patient"]
    cluster = [write("cluster.csv", "id,cluster,y_true,pred_new,pred_old", rows)]
    long = [(*row[:3], row[3 + i], name) for i, name in enumerate(("new", "old")) for row in rows]
    tall = [write("long.csv", "id,group,y_true,y_pred,model", long)]
    new = write("new.csv", "id,group,y_true,y_pred", [row[:4] for row in rows])
    old = write("old.csv", "id,group,y_true,y_pred", [(*row[:3], row[4]) for row in rows])
    bare = write("bare/old.csv".replace("/", "_"), "id,y_true,y_pred", [(row[0], row[2], row[4]) for row in rows])
    patient = write("with_patient.csv", "id,patient,y_true,y_pred", [row[:4] for row in rows])
    forms = [wide, named, cluster, tall, [new, old], [new, bare], [patient, bare, "--group", "patient"]]
    told = [asked(capsys, "compare", *form, "-m", "accuracy") for form in forms]
    first = told[0]["groups"]
    assert first["question"] == "new"  # type: ignore[index]
    assert first["groups"] == [12]  # type: ignore[index]
    assert all(made["groups"] == first for made in told)
    assert all(made["p_better"] == told[0]["p_better"] for made in told)
    assert not any("taken as separate cases" in note or "Not used" in note for note in told[0]["notes"])  # type: ignore[attr-defined]


def test_a_gate_beside_a_baseline_without_groups(
    write: Written, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The baseline holds ids, answers and no groups; the candidate's file has them."""
    rows = rows_of(12)
    new = write("new.csv", "id,patient,y_true,y_pred", [row[:4] for row in rows])
    old = write("old.csv", "id,patient,y_true,y_pred", [(*row[:3], row[4]) for row in rows])
    baseline = str(tmp_path / "baseline.json")
    assert main(["gate", "--candidate", old, "--baseline", baseline, "--update-baseline"]) == 0
    made = asked(capsys, "gate", "--candidate", new, "--baseline", baseline, "--group", "patient", "-m", "accuracy")
    assert made["groups"] == {"question": "new", "groups": [12], "few": False}
    assert made["paired"] is True
