"""Patients of whom only some were verified: the correction of Begg and Greenes 1983, and rates carried over.

Counts and what is printed of them: tests/reference/verification.json.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.conftest import REFERENCE

import howsure as hs
from howsure.laws import CarriedPrevalence

CASES: dict[str, dict[str, Any]] = {
    case["name"]: case for case in json.loads((REFERENCE / "verification.json").read_text(encoding="utf-8"))["cases"]
}
GOLD = json.loads((REFERENCE / "judge.json").read_text(encoding="utf-8"))


def study(name: str) -> hs.Posterior:
    """What the study says, with the test as the judge."""
    case = CASES[name]
    counts = [case["healthy"], case["diseased"]]
    labels = ["healthy", "diseased"]
    return hs.infer(hs.ConfusionMatrix(counts, labels=labels, positive="diseased", unlabelled=case["unverified"]))


def begg_greenes(name: str) -> dict[str, tuple[float, float]]:
    """Corrected values, each with its standard error (Zhou 1994), as PVBcorrect's acc_bg has them."""
    case = CASES[name]
    (r0, r1), (s0, s1) = case["healthy"], case["diseased"]
    n0, n1 = (r + s + u for r, s, u in zip(case["healthy"], case["diseased"], case["unverified"], strict=True))
    ill = [n * s / (s + r) for n, s, r in ((n0, s0, r0), (n1, s1, r1))]
    well = [n0 - ill[0], n1 - ill[1]]
    sens, spec = ill[1] / sum(ill), well[0] / sum(well)
    each = (n0 + n1) / (n0 * n1)
    first = sens * (1 - sens) * np.sqrt(each + r1 / (s1 * (s1 + r1)) + r0 / (s0 * (s0 + r0)))
    second = spec * (1 - spec) * np.sqrt(each + s1 / (r1 * (s1 + r1)) + s0 / (r0 * (s0 + r0)))
    return {"recall@diseased": (sens, float(first)), "recall@healthy": (spec, float(second))}


@pytest.mark.parametrize("name", CASES)
def test_what_is_observed_is_begg_and_greenes(name: str) -> None:
    for row in hs.report(study(name), metrics=["recall@diseased", "recall@healthy"]).rows:
        assert row.observed == pytest.approx(begg_greenes(name)[f"recall@{row.label}"][0], abs=1e-12)
        assert row.law == "exact"


@pytest.mark.parametrize("name", CASES)
def test_what_is_printed(name: str) -> None:
    case = CASES[name]
    corrected = [begg_greenes(name)[f"recall@{label}"][0] for label in ("diseased", "healthy")]
    alone = [case[label][place] / sum(case[label]) for label, place in (("diseased", 1), ("healthy", 0))]
    for found, printed in ((corrected, case["corrected"]), (alone, case["verified_only"])):
        if printed:
            assert found == pytest.approx(
                [printed["sensitivity"], printed["specificity"]], abs=0.501 / 10 ** printed["digits"]
            )


def test_the_margins_are_those_of_the_abstract() -> None:
    case = CASES["SPECT thallium"]
    assert np.sum([case[k] for k in ("healthy", "diseased", "unverified")], axis=0).tolist() == [1265, 1423]
    assert sum(case["healthy"] + case["diseased"]) == 471


@pytest.mark.parametrize("name", CASES)
def test_the_posterior_is_about_as_wide_as_the_normal_interval(name: str) -> None:
    """Where that can be trusted: 27 or more missed cases; with 5 or 7 it is too short, and not of the right form."""
    post, enough = study(name), min(CASES[name]["diseased"]) >= 20
    for metric, (value, error) in begg_greenes(name).items():
        law = post.of(metric)
        assert abs(law.mean - value) < 0.15 * law.sd
        assert law.sd == pytest.approx(error, rel=0.02 if enough else 0.2)


@pytest.mark.parametrize(("metric", "name"), [("recall@diseased", "sensitivity"), ("recall@healthy", "specificity")])
def test_the_reference_numbers_of_drum(metric: str, name: str) -> None:
    [gold] = [c for c in GOLD if c["name"].startswith(f"D {name}") and "joint" in c["name"]]
    law = study("hepatic scintigraphy").of(metric)
    assert law.mean == pytest.approx(gold["mean"], abs=1e-8)
    for kind, tolerance in (("central", 1e-8), ("hdi", 1e-6)):
        ends = law.interval(0.95, kind)
        assert [ends.low, ends.high] == pytest.approx(gold[kind], abs=tolerance)


def test_santa_clara() -> None:
    """Gelman and Carpenter 2020: 50 of 3,330 positive; "the resulting 95% interval for pi is (0, 1.8%)"."""
    law = CarriedPrevalence(50, 3330, recall=(104, 20), specificity=(400, 3))
    dense = law.interval(0.95, "hdi")
    assert [round(dense.low, 4), round(dense.high, 4)] == [0.0008, 0.0183]
    assert round(dense.high, 3) == 0.018
    pooled = CarriedPrevalence(50, 3330, recall=(131, 28), specificity=(3309, 17)).interval(0.95, "hdi")
    assert [round(pooled.low, 4), round(pooled.high, 4)] == [0.0066, 0.0185]
