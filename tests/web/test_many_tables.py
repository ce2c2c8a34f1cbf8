"""Many tables on the page: what is read, what is refused, and that the numbers are those of the library."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.web.sample_questions import QUESTIONS, TABLES

import howsure as hs
from howsure.errors import InvalidFile
from howsure.web import handle
from howsure.web.limits import MOST_SITES, MOST_SLICES
from howsure.web.schema import InvalidRequest

MATRICES = {
    it["name"]: hs.ConfusionMatrix.from_counts(tp=it["tp"], fn=it["fn"], fp=it["fp"], tn=it["tn"]) for it in TABLES
}


@pytest.mark.full
def test_a_pool_is_that_of_the_library() -> None:
    made = hs.pool(MATRICES)
    answer = handle(QUESTIONS["pool"])
    assert answer["result"] == made.to_dict()
    assert answer["shown"]["verdict"] == made.sentence
    assert [row[0] for row in answer["shown"]["rows"]][-4:] == [it["name"] for it in TABLES]
    assert answer["drawing"]["picture"] == made.picture(width=680)


@pytest.mark.full
@pytest.mark.parametrize(("column", "unit"), [("author", "study"), ("name", "site")])
def test_a_pool_calls_its_tables_what_their_column_does(column: str, unit: str) -> None:
    text = f"{column},tp,fn,fp,tn\n" + "".join(f"{c},{8 + i},2,{3 + i},9\n" for i, c in enumerate("abc"))
    read = handle({"verb": "import", "text": text, "tables": True})
    assert read["unit"] == unit
    answer = handle({"verb": "pool", "tables": read["tables"], "unit": read["unit"], "narrow": True})
    made = hs.pool(
        {
            it["name"]: hs.ConfusionMatrix.from_counts(**{k: it[k] for k in ("tp", "fn", "fp", "tn")})
            for it in read["tables"]
        },
        unit=unit,
    )  # type: ignore[arg-type]
    assert answer["shown"]["verdict"] == made.sentence
    other = {"study": "site", "site": "stud"}[unit]
    said = json.dumps([answer["shown"][key] for key in ("verdict", "header", "rows", "warnings", "note", "footer")])
    assert other not in said
    assert answer["shown"]["header"][0] == unit
    picture = answer["drawing"]["picture"]
    assert f"typical {unit}" in picture
    assert other not in picture
    assert ("unit='study'" in answer["code"]["python"]) == (unit == "study")
    assert f"{unit},tp,fn,fp,tn" in answer["code"]["command"]


def test_slices_are_those_of_the_library() -> None:
    slices = hs.Slices(dict(sorted(MATRICES.items())), by="name")
    made = hs.slice_report(slices, "f1@positive", "jeffreys", level=0.9, seed=3)
    answer = handle(QUESTIONS["slices, simulated"])
    assert answer["result"] == made.to_dict()
    # the name that people know begins the sentence, and the title of the picture
    assert answer["shown"]["verdict"] == made.sheet().headline.replace("f1@positive", "F1", 1)
    assert "F1 of the worst slices" in answer["drawing"]["picture"]
    accuracy = handle({**QUESTIONS["slices, simulated"], "metric": "accuracy"})
    assert accuracy["shown"]["verdict"].startswith("Accuracy of 4 slices by name: lowest is ")
    assert "Accuracy of the worst slices" in accuracy["drawing"]["picture"]
    assert [row[0] for row in answer["shown"]["rows"]] == [row.name for row in made.rows]
    assert "f1@positive" in answer["shown"]["titles"]


@pytest.mark.parametrize("text", [
    "TN;FP;FN;TP;study\n9;2;1;3;A\n8;1;0;4;B\n",
    "study\ttp\tfp\tfn\ttn\nA\t3\t2\t1\t9\nB\t4\t1\t0\t8\n",
])  # fmt: skip
def test_columns_come_in_any_order(text: str) -> None:
    found = handle({"verb": "import", "text": text, "tables": True})
    assert found["kind"] == "tables"
    assert found["tables"] == [
        {"name": "A", "tp": 3, "fn": 1, "fp": 2, "tn": 9},
        {"name": "B", "tp": 4, "fn": 0, "fp": 1, "tn": 8},
    ]


@pytest.mark.parametrize(("text", "said"), [
    ("study,tp,fn,fp\nA,1,2,3\n", "tn"),
    ("study,tp,fn,fp,tn\nA,1,2,3,x\n", "tn of 'A'"),
    ("study,tp,fn,fp,tn\nA,1,2,3,4\nA,1,2,3,4\n", "comes twice"),
    ("study,tp,fn,fp,tn\n" + "".join(f"s{i},1,1,1,1\n" for i in range(MOST_SLICES + 1)), "1,001 tables"),
])  # fmt: skip
def test_what_is_no_table_of_tables_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidFile, match=said):
        handle({"verb": "import", "text": text, "tables": True})


@pytest.mark.parametrize(("change", "field"), [
    ({"tables": [TABLES[0], TABLES[0]]}, "tables[1].name"),
    ({"tables": [TABLES[0], {**TABLES[1], "tp": 0, "fn": 0, "fp": 0, "tn": 0}]}, "tables[1]"),
    ({"tables": [TABLES[0], {**TABLES[1], "tp": -1}]}, "tables[1].tp"),
    ({"tables": [TABLES[0]]}, "tables"),
    ({"tables": [{**TABLES[0], "name": f"s{i}"} for i in range(MOST_SITES + 1)]}, "tables"),
])  # fmt: skip
def test_bad_tables_are_named(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        handle({**QUESTIONS["pool"], **change})
    assert caught.value.field == field


def test_entries_that_the_data_do_not_separate_share_a_tier() -> None:
    entries = [{"name": name, "correct": right, "n": 1000} for name, right in (("a", 800), ("b", 799), ("c", 100))]
    shown = handle({"verb": "rank", "entries": entries})["shown"]
    at = shown["header"].index("tier")
    assert [row[at] for row in shown["rows"]] == ["1", "1", "2"]
    assert not any("can be the best" in note for note in shown["note"])  # one number of who may be
