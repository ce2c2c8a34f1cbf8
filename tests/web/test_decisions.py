"""What a report of the page says about decisions: costs, more cases, values between two numbers, Betas of each rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.web.sample_questions import NEW, QUESTIONS

import howsure as hs
from howsure.web.answering import handle
from howsure.web.schema import InvalidRequest

ASKED = QUESTIONS["report, decisions"]
BETAS = "sensitivity=beta(8,2),specificity=beta(9,1)"


def _posterior(prior: str | None = BETAS) -> hs.Posterior:
    return hs.infer(hs.ConfusionMatrix(NEW["counts"], labels=NEW["classes"], positive="ill"), prior)


def _shown(**changed: Any) -> dict[str, Any]:
    return dict(handle({**ASKED, **changed})["shown"])


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize("share", [None, 0.02])
def test_costs_are_those_of_a_hundred_thousand_tables(share: float | None) -> None:
    stated = {} if share is None else {"prevalence": {"label": "ill", "share": share}}
    sheet = _shown(**stated)["cost"]
    rng = np.random.default_rng(5)
    n = 100_000
    ill = rng.beta(51, 51, n) if share is None else np.full(n, share)
    missed, alarm = 1 - rng.beta(8 + 42, 2 + 8, n), 1 - rng.beta(9 + 45, 1 + 5, n)
    cost, all_ill, nobody = 5 * ill * missed + (1 - ill) * alarm, 1 - ill, 5 * ill
    rows = {row[0]: row for row in sheet["rows"]}
    for name, drawn in (("this classifier", cost), ("predicting all ill", all_ill), ("predicting all healthy", nobody)):
        assert float(rows[name][1]) == pytest.approx(drawn.mean(), rel=0.05)
    for name, other in (("predicting all ill", all_ill), ("predicting all healthy", nobody)):
        assert float(rows[name][3].strip("<> ")) == pytest.approx(np.mean(cost < other), abs=0.006)
    best = "ill" if all_ill.mean() < nobody.mean() else "healthy"
    assert f"P(less than predicting all {best})" in sheet["verdict"]
    assert sheet["notes"][0].endswith("; exact.")


def test_more_cases_are_the_outlook_of_the_library() -> None:
    found = hs.outlook(_posterior(), "accuracy", above=0.8, more=100)
    sheet = _shown()["outlook"]
    assert [float(row[1].strip("<> ")) for row in sheet["rows"]] == [
        pytest.approx(found.later[key], abs=0.0011) for key in ("above", "below", "open")
    ]
    assert f"{found.p_now:.3f}" in sheet["verdict"]
    assert sheet["verdict"] == found.sentence


def test_more_cases_of_many_classes_are_for_accuracy_only() -> None:
    nine = {"classes": list("abcdefghi"), "counts": [[20 if i == j else 1 for j in range(9)] for i in range(9)]}
    asked = {"verb": "report", "matrix": nine, "metrics": ["accuracy"], "want": ["outlook"]}
    question = {"above": 0.8, "more": 100}
    said = {
        metric: handle({**asked, "outlook": {"metric": metric, **question}})["shown"]["outlook"]
        for metric in ("accuracy", "mcc")
    }
    assert "up to 8" in said["mcc"]["silence"]
    assert said["accuracy"]["verdict"].startswith("After 252 cases accuracy is below 0.8 ")


def test_betas_of_each_rate_are_those_of_the_library() -> None:
    result = handle(ASKED)["result"]
    row = next(it for it in result["metrics"] if it["metric"] == "recall" and it["label"] == "ill")
    assert row["mean"] == pytest.approx((8 + 42) / (10 + 50), abs=1e-12)
    assert f"--prior={BETAS}" in (handle(ASKED)["code"]["command"] or "")


def test_a_beta_of_every_rate_is_the_same_in_numbers_and_in_words() -> None:
    one, other = (handle({"verb": "report", "matrix": NEW, "prior": it}) for it in ({"a": 2, "b": 3.5}, "beta(2,3.5)"))
    assert one == other
    assert "--prior=beta(2,3.5)" in (one["code"]["command"] or "")


@pytest.mark.parametrize("prior", ["nobody's", "a=beta(1,2)", "b" * 401])
def test_a_prior_that_is_none_says_how_one_is_written(prior: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        handle({"verb": "report", "matrix": NEW, "prior": prior})
    assert caught.value.field == "prior"
