"""Two verdicts and few labels: laws of the table turned round, whose shares are those of the verdicts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import special
from tests.conftest import REFERENCE

from howsure.laws import BinaryLaw

CASES = [case for case in json.loads((REFERENCE / "judge.json").read_text("utf-8")) if "A" in case and "kind" in case]
GOLDEN = [case for case in CASES if case["kind"] in ("share", "ratio") and len(case["A"]) == 2]


def law_of(case: dict[str, Any]) -> BinaryLaw:
    """The share of a class is the share called so of a table, the judge's recall its precision."""
    a, b = case["a"], case["b"]
    metric = "bias" if case["kind"] == "share" else "precision"
    return BinaryLaw(metric, tuple(case["A"]), (a[0], b[0]), (b[1], a[1]))


@pytest.mark.sweep(3, full=13)
@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"][:30])
def test_golden(case: dict[str, Any]) -> None:
    law = law_of(case)
    never_checked = case["name"].startswith("A5")  # both rates may be at the corner where the share is the verdicts'
    assert law.mean == pytest.approx(case["mean"], abs=1e-5 if never_checked else 1e-7)
    assert law.sd == pytest.approx(case["sd"], abs=1e-5 if never_checked else 1e-7)
    assert law.interval(kind="central") == pytest.approx(case["central"], abs=1e-5 if never_checked else 1e-7)
    shortest = law.interval()
    assert shortest == pytest.approx(case["hdi"], abs=3e-5 if never_checked else 1e-6)
    assert shortest.kind == "hdi"
    assert law.route == ("approximate" if never_checked else "exact")


def test_with_everything_labelled_the_judge_drops_out() -> None:
    """Verdicts N_v + 1 and rows n + 1/2 make theta ~ Beta(1 + passes, 1 + fails), whatever the judge said."""
    law = BinaryLaw("bias", (81, 21), (78.5, 2.5), (13.5, 7.5))
    x = np.linspace(0.7, 0.95, 11)
    assert law.mean == pytest.approx(86 / 102, abs=1e-8)
    assert law.cdf(x) == pytest.approx(special.betainc(86, 16, x), abs=1e-7)
