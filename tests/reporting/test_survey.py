"""The 24 published classifiers in one command, and tables that are none."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.errors import InvalidArgument, InvalidFile
from howsure.io.formats.board import read_collection

EXAMPLE = Path(__file__).parents[2] / "examples/toetsch2020.csv"


@pytest.fixture(scope="module")
def made() -> hs.Survey:
    return hs.survey(read_collection(EXAMPLE), "flat")


def test_all_24_agree_with_the_stored_numbers(made: hs.Survey, published: dict[str, Any]) -> None:
    assert len(made.rows) == 24
    for row in made.rows:
        stored = published[f"toetsch2020_{row.name}"]["computed"]
        for key, mine in (("MU_prev", row.mu_prevalence), ("MU_TPR", row.mu_tpr), ("MU_TNR", row.mu_tnr)):
            assert mine == pytest.approx(stored[key], rel=6e-6)
        assert row.informedness.mean == pytest.approx(stored["BM_mean"], rel=6e-6)
    assert made["8"].deceptive == pytest.approx(0.1427, abs=5e-5)


def test_names_cannot_become_formulas_and_silent_ones_are_said() -> None:
    table = {"=1+1": hs.ConfusionMatrix([[5, 1], [1, 5]]), "all right": hs.ConfusionMatrix([[5, 0], [0, 5]])}
    made = hs.survey(table, "haldane")
    assert made.to_csv().splitlines()[1].startswith("'=1+1,")
    assert made.silent[0][0] == "all right"
    assert "all right: no information" in str(made)


def test_a_survey_of_nothing_or_of_three_classes() -> None:
    with pytest.raises(InvalidArgument, match="one or more"):
        hs.survey({})
    with pytest.raises(InvalidArgument, match="3 classes"):
        hs.survey({"a": hs.ConfusionMatrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])})
    with pytest.raises(InvalidArgument, match="no classifier is called 'z'; there are"):
        hs.survey({"a": hs.ConfusionMatrix([[1, 0], [0, 1]])})["z"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "name,tp,fn,fp\nA,1,2,3\n",
            r"there is no column for tn among 'name', 'tp', 'fn', 'fp'\. Each row is one table",
        ),
        (
            "tp,fn,fp,tn\n1,2,3,4\n",
            r"there is no column for name among 'tp', 'fn', 'fp', 'tn'\. Each row is one table",
        ),
        ("name,tp,tp,fn,fp,tn\nA,1,1,2,3,4\n", r"two columns for tp: 'tp', 'tp'\. Rename or remove one"),
        ("name,tp,fn,fp,tn\n", "a header and no row"),
        ("name,tp,fn,fp,tn\nA,1,2,3,x\n", "line 2: tn of 'A' holds 'x'"),
        ("name,tp,fn,fp,tn\nA,1,2,3,-4\n", "line 2: tn of 'A' holds -4"),
        ("name,tp,fn,fp,tn\nA,1,2,3,0.93\n", "a fraction"),
        ("name,tp,fn,fp,tn\nA,1,2,3,\n", "missing"),
        ("name,tp,fn,fp,tn\nA,1,2,3,4\nA,1,2,3,4\n", "line 3: the name 'A' comes twice"),
        ("name,tp,fn,fp,tn\n,1,2,3,4\n", "the name of a row is missing; fill it in, or leave the row out"),
        ("name,tp,fn,fp,tn\nA,1,2,3\n", "line 2"),
        ("", "empty"),
    ],
)
def test_tables_that_are_none(text: str, sentence: str) -> None:
    with pytest.raises(InvalidFile, match=sentence):
        read_collection(io.StringIO(text))
