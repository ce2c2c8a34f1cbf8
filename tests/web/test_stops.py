"""The stops of a slider: all that a moving prevalence shows, in one answer, and the same as is shown where it rests."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from tests.web.sample_questions import NEW, TEN, THREE

from howsure.web import handle
from howsure.web.schema import InvalidRequest

SVG = "{http://www.w3.org/2000/svg}"
STOPS = [0.001, 0.2345, 0.987]


@pytest.mark.full
@pytest.mark.parametrize(
    "question",
    [
        {"matrix": NEW, "label": "healthy", "level": 0.8, "prior": "jeffreys"},
        {"matrix": THREE, "label": "cow", "draws": 2000},
    ],
    ids=["two", "three"],
)
def test_a_stop_says_what_the_report_says_there(question: dict[str, Any]) -> None:
    answer = handle({"verb": "report", **question, "stops": STOPS})
    assert answer["drawing"] == {"stops": STOPS}
    assert answer.keys() == {"shown", "drawing"}
    for share, stop in zip(STOPS, answer["shown"]["stops"], strict=True):
        there = {"label": question["label"], "share": share}
        rested = handle({"verb": "report", **question, "want": ["predictive"], "prevalence": there})
        assert rested["drawing"]["predictive"]["here"] == pytest.approx(share, rel=1e-12)
        said = rested["shown"]["predictive"]
        assert stop == {"verdict": said["verdict"], "rows": said["rows"]}


@pytest.mark.parametrize("elsewhere", [{}, {"prevalence": {"label": "ill", "cases": 10, "of": 500}}])
def test_where_the_share_is_uncertain_the_sentence_says_what_the_tile_does(elsewhere: dict[str, Any]) -> None:
    asked = {"verb": "report", "matrix": NEW, "want": ["predictive", "rates"], **elsewhere}
    shown = handle(asked)["shown"]
    tiles = {row["title"]: [row["mean"], row["interval"]] for row in shown["rates"]["rows"]}
    (here,) = (row for row in shown["predictive"]["rows"] if row[0].endswith("(here)"))
    assert here[0].startswith("about ")
    assert here[1:] == tiles["PPV"] + tiles["NPV"]
    assert "{} ({}) where about ".format(*tiles["PPV"]) in shown["predictive"]["verdict"]


def test_stops_do_not_depend_on_where_the_slider_stands() -> None:
    asked = {"verb": "report", "matrix": NEW, "label": "ill", "stops": STOPS}
    assert handle(asked) == handle({**asked, "prevalence": {"label": "ill", "share": 0.3}})


@pytest.mark.parametrize(("stops", "field"), [([0.1, 0], "stops[1]"), ([], "stops"), ([0.5] * 401, "stops")])
def test_stops_are_bounded(stops: list[float], field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        handle({"verb": "report", "matrix": NEW, "stops": stops})
    assert caught.value.field == field


def test_stops_of_many_classes_are_refused_as_the_curves_are() -> None:
    many = {
        "classes": [str(i) for i in range(31)],
        "counts": [[9 if i == j else 1 for j in range(31)] for i in range(31)],
    }
    with pytest.raises(InvalidRequest, match="31 classes") as caught:
        handle({"verb": "report", "matrix": many, "stops": [0.5]})
    assert caught.value.field == "stops"


def test_stops_of_one_patient_are_as_many_as_the_draws_allow() -> None:
    asked = {"verb": "post_test", "matrix": TEN, "label": "3", "results": ["3"], "pre_test": 0.5, "draws": 20_000}
    assert handle({**asked, "stops": STOPS[:2]})
    with pytest.raises(InvalidRequest, match="draws") as caught:
        handle({**asked, "stops": [0.5] * 100})
    assert caught.value.field == "draws"
    with pytest.raises(InvalidRequest) as caught:
        handle({**asked, "stops": [0.5] * 101})
    assert caught.value.field == "stops"


@pytest.mark.sweep(4, full=18)
@pytest.mark.parametrize(
    ("matrix", "label", "kind", "share"),
    [(NEW, "ill", "hdi", 0.02), (THREE, "cow", "central", 0.37)],
    ids=["two", "three"],
)
def test_tile_table_sentence_and_curve_have_one_number(matrix: Any, label: str, kind: str, share: float) -> None:
    asked = {
        "matrix": matrix,
        "label": label,
        "kind": kind,
        "draws": 4000,
        "metrics": [f'precision@"{label}"', f'npv@"{label}"'],
    }
    there = {"prevalence": {"label": label, "share": share}, "want": ["predictive", "rates"]}
    shown, drawn = (handle({"verb": "report", **asked, **there})[part] for part in ("shown", "drawing"))
    right, ruled_out = shown["rows"]
    words = [right["mean"], right["interval"], ruled_out["mean"], ruled_out["interval"]]
    (here,) = (row for row in shown["predictive"]["rows"] if row[0].endswith("(here)"))
    assert here[1:] == words
    assert f"probability {words[0]} ({words[1]})" in shown["predictive"]["verdict"]
    tiles = {row["name"]: [row["mean"], row["interval"]] for row in shown["rates"]["rows"]}
    assert not tiles or tiles[f"precision@{label}"] + tiles[f"negative_predictive_value@{label}"] == words
    # the picture has that number too, on its way from the bottom of its plane to the top
    root = ET.fromstring(drawn["predictive"]["picture"])
    plane = next(each for each in root.iter(f"{SVG}rect") if each.get("class") == "hand")
    x, y, wide, tall = (float(plane.get(side) or 0) for side in ("x", "y", "width", "height"))
    ends = [float(end) for end in (plane.get("data-ends") or "").split()]
    at = x + wide * (np.log(share / (1 - share)) - ends[0]) / (ends[1] - ends[0])
    curves = [each.get("d") or "" for each in root.iter(f"{SVG}path") if each.get("class") == "curve"]
    for path, row in zip(curves, drawn["rows"], strict=True):
        points = np.array([point.split() for point in path[1:].split("L")], dtype=float)
        height = 1 - (np.interp(at, points[:, 0], points[:, 1]) - y) / tall
        assert height == pytest.approx(row["mean"], abs=0.004)
