"""What is said about metrics is found out from them, and the page of metrics is up to date."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from howsure.metrics import REGISTRY, names
from howsure.reporting.metric_cards import CLOSES, EMPTY, answers_on_empty, exactness, explanation, lookup

ROOT = Path(__file__).parents[2]


@pytest.mark.sweep(48, full=63)
@pytest.mark.parametrize("name", names())
def test_an_explanation_is_complete(name: str) -> None:
    metric = REGISTRY[name]
    parts = explanation(metric)
    assert {"formula", "of", "range", "better", "method", "reference", "empty"} <= set(parts)
    assert parts["method"] in CLOSES.values()
    assert ("scikit-learn" in parts) == bool(metric.sklearn)
    assert set(answers_on_empty(metric)) == set(EMPTY)
    assert answers_on_empty(metric)["no case at all"] == ("0" if metric.undefined == 0 else "undefined")


def test_exactness_is_what_a_posterior_does() -> None:
    assert exactness(lookup("balanced_accuracy")) == "exact"
    assert exactness(lookup("f1")).startswith("exact for two classes")
    assert exactness(lookup("mutual_information")) == "simulated"
    assert exactness(lookup("macro_mean_absolute_error")) == "exact"
    assert (
        exactness(lookup("mean_squared_error"))
        == "exact for two classes or at a stated prevalence, otherwise simulated"
    )
    three = hs.infer(hs.ConfusionMatrix(np.eye(3, dtype=int) * 9), "flat")
    assert three.of("specificity@0").route == "simulated"
    assert three.at_prevalence([0.2, 0.3, 0.5]).of("specificity@0").route == "exact"
    assert exactness(lookup("specificity")) == "exact for two classes or at a stated prevalence, otherwise simulated"


def test_the_page_of_metrics_is_up_to_date() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_metrics.py"))
    assert script["page"]() == (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8"), "run: make metrics"
