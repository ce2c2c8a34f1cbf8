"""What calls are worth somewhere: the tile, the table, the sentence and the curve have one number."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from tests.web.sample_questions import NEW, THREE

from howsure.web import handle

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("elsewhere", [{}, {"prevalence": {"label": "ill", "cases": 10, "of": 500}}])
def test_where_the_share_is_uncertain_the_sentence_says_what_the_tile_does(elsewhere: dict[str, Any]) -> None:
    asked = {"verb": "report", "matrix": NEW, "want": ["predictive", "rates"], **elsewhere}
    shown = handle(asked)["shown"]
    tiles = {row["title"]: [row["mean"], row["interval"]] for row in shown["rates"]["rows"]}
    (here,) = (row for row in shown["predictive"]["rows"] if row[0].endswith("(here)"))
    assert here[0].startswith("about ")
    assert here[1:] == tiles["PPV"] + tiles["NPV"]
    assert "{} ({}) where about ".format(*tiles["PPV"]) in shown["predictive"]["verdict"]


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
