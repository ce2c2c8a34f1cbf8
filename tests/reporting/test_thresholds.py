"""Probabilities of thresholds and quantiles in a report: the laws' own, in every form, never certain by draws."""

from __future__ import annotations

import io
import json
from importlib import resources
from typing import Any

import jsonschema
import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.io import read
from howsure.questions.thresholds import thresholds

SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/report.schema.json").read_text(encoding="utf-8")
)
POST = hs.infer(hs.ConfusionMatrix.from_counts(tp=45, fn=5, fp=8, tn=92))
ASKED = {"above": 0.8, "below": [0.9], "between": (0.7, 0.9), "quantiles": [0.05, 0.95]}


@pytest.mark.sweep("recall")
@pytest.mark.parametrize("metric", ["recall", "mcc"])
def test_every_answer_is_that_of_the_law_and_of_draws(metric: str) -> None:
    made = hs.report(POST, metric, **ASKED)  # type: ignore[arg-type]
    assert len(made.rows) == 1
    for row in made.rows:
        law = POST.of(row.name).law
        assert row.asked == (
            law.prob(above=0.8),
            law.prob(below=0.9),
            law.prob(between=(0.7, 0.9)),
            law.quantile(0.05),
            law.quantile(0.95),
        )
        values = POST.of(row.name).sample(40_000, seed=1)
        drawn = (np.mean(values > 0.8), np.mean(values < 0.9), np.mean((values >= 0.7) & (values <= 0.9)))
        assert row.asked is not None
        assert row.asked[:3] == pytest.approx(drawn, abs=0.01)
        assert row.asked[3:] == pytest.approx(np.quantile(values, [0.05, 0.95]), abs=0.005)


def test_draws_never_make_certain() -> None:
    perfect = hs.infer(hs.ConfusionMatrix(np.diag([300, 300, 300])), "flat")
    made = hs.report(perfect, ["mcc"], draws=1000, above=[0.2, -2], below=0.2)
    row = made.rows[0]
    assert row.law == "simulated"
    assert row.asked == (1 - 1 / 1000, 1.0, 1 / 1000)  # -2 is beyond the range of the metric, so that is certain
    assert "> 0.997  > 0.997   < 0.003" in str(made).splitlines()[4]


def test_a_metric_without_an_answer_has_none_here() -> None:
    nothing = hs.infer(hs.ConfusionMatrix([[5, 0], [0, 5]]), "haldane")
    made = hs.report(nothing, ["recall@1"], above=0.5, quantiles=0.1)
    assert made.rows[0].asked is None
    data = made.to_dict()
    jsonschema.validate(json.loads(json.dumps(data)), SCHEMA)
    assert data["metrics"][0]["asked"] == [{"above": 0.5, "probability": None}, {"quantile": 0.1, "value": None}]
    assert made.to_csv().count("p_above_0.5") == 1


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"above": "x"}, "above is a number"),
        ({"above": [True]}, "above is a finite number"),
        ({"below": float("nan")}, "below is a"),
        ({"below": 10**400}, "below is a"),
        ({"between": (0.9, 0.7)}, "low <= high"),
        ({"between": 0.5}, "between is a number"),
        ({"between": [(0.1, 0.2, 0.3)]}, "between is a pair"),
        ({"quantiles": 1.5}, "strictly between 0 and 1"),
        ({"quantiles": [0]}, "strictly between 0 and 1"),
    ],
)
def test_what_is_no_threshold_gets_a_sentence(asked: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        thresholds(**asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"above": 90}, "above is 90, and mcc is never above 1; 90% is 0.9"),
        ({"below": [0.5, 80]}, "below is 80"),
        ({"above": 1.1}, "above is 1.1, and mcc is never above 1; 1.1% is 0.011$"),
        ({"between": (0.8, 90)}, "between is 90"),
        ({"above": 900}, "above is 900, and mcc is never above 1$"),
    ],
)
def test_a_percentage_is_no_share(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.report(POST, ["mcc"], **asked)
    assert hs.report(POST, ["mcc", "lr+@positive"], **asked).rows[0].asked is not None


@pytest.mark.full
def test_thresholds_of_no_cases_of_no_answer_and_of_a_judge() -> None:
    nothing = hs.report(hs.infer(hs.ConfusionMatrix([[0, 0], [0, 0]])), above=0.9)
    assert nothing.verdict.startswith(
        "There are no cases, so this is the calibrated prior: that balanced accuracy is above"
    )
    unknown = hs.report(hs.infer(hs.ConfusionMatrix([[5, 0], [0, 5]]), "haldane"), ["recall@1"], above=0.5)
    assert unknown.verdict.startswith("recall@1 has no answer")
    judged = read(io.StringIO("true\\pred,a,b\na,22,7\nb,6,65\nunlabelled,572,1328\n"), missing="estimate").confusion
    known = hs.infer(judged)
    assert hs.report(known, ["prevalence@a"], above=0.2).verdict.startswith("That prevalence@a is above 0.2 has prob")
    assert hs.report(known, ["prevalence@a"], above=0.2, how_chosen="other").verdict.startswith("Whatever is true of")
