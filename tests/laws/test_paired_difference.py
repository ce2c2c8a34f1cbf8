"""The law of the difference of two classifiers on the same cases."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.conftest import REFERENCE

from howsure.laws import PairedDifference

GOLDEN = json.loads((REFERENCE / "numerics.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN["paired"], ids=lambda c: str(len(c["w"])))
def test_paired_differences_are_golden(case: dict[str, Any]) -> None:
    law = PairedDifference(case["cells_a11_a10_a01_a00"], case["w"])
    np.testing.assert_allclose(law.cdf(case["x"]), case["cdf"], atol=1e-10)
    assert (law.mean, law.sd) == pytest.approx((case["mean"], case["sd"]))


def test_a_paired_difference_is_zero_for_a_classifier_and_itself() -> None:
    assert PairedDifference([[9, 0, 0, 3], [4, 0, 0, 2]]).interval() == (0, 0)


def test_without_weights_classes_count_alike() -> None:
    rows = [[20.5, 12.5, 5.5, 3.5], [40.5, 2.5, 9.5, 1.5]]
    both, alone = PairedDifference(rows), [PairedDifference([row]).mean for row in rows]
    assert both.mean == pytest.approx(sum(alone) / 2)
    assert both.support == pytest.approx((-1.0, 1.0))
