"""Pooled sites and a metric by slice as pages, files and JSON that its schema knows."""

from __future__ import annotations

import csv
import io
import json
import re
from importlib import resources
from typing import Any

import jsonschema
import pytest
from tests.house.everything import everything

import howsure as hs
from howsure.publish import latex, page
from howsure.units.pooled import Pooled

STUDIES = {"a": (47, 9, 101, 738), "b": (126, 51, 272, 1543), "c": (19, 10, 12, 192), "d": (36, 3, 78, 276)}
SITES = {name: hs.ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn) for name, (tp, fn, fp, tn) in STUDIES.items()}


@pytest.fixture(scope="module")
def pooled() -> Pooled:
    return hs.pool(SITES, draws=1000)


def test_the_page_of_a_pool_has_the_population_the_sites_and_a_picture(pooled: Pooled) -> None:
    text = page(pooled, comment="of spring")
    for words in ("typical site", "new site", "Reitsma et al. 2005", "mostly the prior", "of spring", ">d<"):
        assert words in text
    assert text.count("<svg") == 1
    assert "script-src 'sha256-" in text  # that of the table which sorts, and no other
    assert "first 20 sites" not in text
    many = hs.pool({f"site {i}": (8 + i % 9, 20) for i in range(41)}, draws=300)
    assert "The first 40 sites." in page(many)


def test_a_csv_of_a_pool_has_sites_and_population_in_full(pooled: Pooled) -> None:
    rows = list(csv.DictReader(io.StringIO(pooled.to_csv())))
    sites = [row for row in rows if row["about"] == "site"]
    assert [(row["site"], row["rate"]) for row in sites] == [(s, r) for s in "abcd" for r in pooled.rates]
    told = {(row["about"], row["rate"]): row for row in rows if row["about"] != "site"}
    assert {about for about, _ in told} == {"typical", "mean", "new", "tau", "i2", "correlation"}
    plain = pooled.to_dict()
    for (about, rate), row in told.items():
        assert row["site"] == row["k"] == row["n"] == ""
        known = plain[about][rate] if rate else plain[about]
        for end in ("mean", "low", "high"):
            assert float(row[end]) == known[end]
    two = hs.pool(dict(list(SITES.items())[:2]), draws=300)
    assert {row["about"] for row in csv.DictReader(io.StringIO(two.to_csv()))} == {"site"}


def test_the_page_of_slices_draws_the_worst_of_many() -> None:
    many = hs.slice_report({f"s{i}": hs.ConfusionMatrix([[10 + i % 7, 3], [2, 15]]) for i in range(25)})
    text = page(many, title="Ours")
    for words in ("<h1>Ours</h1>", "The worst 20 slices.", "Largest gap", "P(worst)"):
        assert words in text
    assert text.count("<svg") == 1
    assert text.partition("</table>")[0].count("<tr>") == 26, "the table that is sorted and filtered has all slices"
    few = hs.slice_report({"x": SITES["a"], "y": SITES["b"]})
    assert "The worst" not in page(few)
    # a table in a paper says what it leaves out
    assert re.search(r"\\caption\{.*and 5 slices more", latex(many))
    assert "more;" not in latex(few)


def schema_of(kind: str) -> Any:
    return json.loads(
        resources.files("howsure.answers").joinpath(f"schemas/{kind}.schema.json").read_text(encoding="utf-8")
    )


HOSTILE = [("Pooled", "pool"), ("Pooled rate", "pool"), ("RepeatsReport", "repeats")]
HOSTILE += [("Fairness", "fairness")]
HOSTILE += [(name, "compare_over") for name in ("ComparedOver", "ComparedOver paired")]
HOSTILE += [("RankedOver", "rank_over")]
HOSTILE += [(name, "slices") for name in ("SliceReport", "SliceReport drawn")]

HOSTILE += [("SliceComparison", "compare_slices"), ("SliceGate", "gate_slices")]
HOSTILE += [("SliceRanking", "rank_slices"), ("SlicesInTime", "slices_in_time")]


@pytest.mark.full
@pytest.mark.parametrize(("name", "kind"), HOSTILE)
def test_json_is_what_its_schema_says_and_nothing_else(name: str, kind: str) -> None:
    schema, made = schema_of(kind), json.loads(json.dumps(everything()[name].to_dict()))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(made, schema)
    for key in made:  # every key is required, and none is unknown
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({k: v for k, v in made.items() if k != key}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**made, "more": 1}, schema)


@pytest.mark.full
def test_odd_answers_have_their_place_in_the_schema() -> None:
    one_run = hs.infer(hs.Repeats.from_array([[1], [0], [1], [1], [0], [1]]))
    scores = hs.infer(hs.Repeats.from_array([[0, 0.5, 1], [1, 1, 0.5], [0, 0, 0.5], [1, 0.5, 1]] * 3))
    for posterior in (one_run, scores):
        jsonschema.validate(json.loads(json.dumps(hs.report(posterior).to_dict())), schema_of("repeats"))
    empty = {**SITES, "none ill": hs.ConfusionMatrix.from_counts(tp=0, fn=0, fp=3, tn=40)}
    for sites in (empty, dict(list(SITES.items())[:2])):
        jsonschema.validate(json.loads(json.dumps(hs.pool(sites, draws=300).to_dict())), schema_of("pool"))
    for metric in ("recall", "f1", "mcc"):
        for tables in (empty, {"alone": SITES["a"]}):
            made = hs.slice_report(tables, metric, draws=500).to_dict()
            jsonschema.validate(json.loads(json.dumps(made)), schema_of("slices"))
