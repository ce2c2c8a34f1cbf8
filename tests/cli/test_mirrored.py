"""What is said by the error rate is what the accuracy says: who is better, first, worst or fails, and how surely."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.golden.corpus import called, furnish
from tests.moved import leaves

#: In the last one every slice passes by far, so that they stand in the order of their differences alone.
ASKED = (
    "compare inputs/good.csv inputs/short.csv --draws 200",
    "compare inputs/languages.csv --a new --b old --by language",
    "compare inputs/pair_in_groups.csv --draws 200",
    "rank inputs/good.csv inputs/bad.csv inputs/alike.csv --draws 1000",
    "rank inputs/languages.csv --by language",
    "gate --candidate inputs/alike.csv --baseline inputs/good.csv --margin 0.05",
    "gate --candidate inputs/languages.csv --a new --b old --by language --margin 0.05",
    "gate --candidate inputs/languages.csv --a old --b third --by os --by language --margin 0.9",
    "slices inputs/languages.csv --pred pred_new --by language",
    "slices inputs/languages.csv --pred pred_new --by day --in-time --cut week",
)
#: What has no direction.
SAME = (
    "p_best",
    "p_better",
    "p_equal",
    "p_fail",
    "p_pass",
    "p_unlike",
    "p_worse",
    "p_worst",
    "p_alike",
    "name",
    "tier",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the commands read."""
    return furnish(tmp_path_factory.mktemp("mirrored") / "here")


@pytest.mark.parametrize("line", ASKED)
def test_a_lower_error_rate_is_a_higher_accuracy(line: str, folder: Path) -> None:
    def said(metric: str) -> dict[str, Any]:
        status, printed, complaint = called(f"howsure {line} -m {metric} --json", folder)
        assert status != 2, complaint
        made = json.loads(printed)
        kept = {at: value for at, value in leaves(made) if at.rpartition(".")[2].partition("[")[0] in SAME}
        return {**kept, "decides": made.get("decides")}

    right, wrong = said("accuracy"), said("error_rate")
    assert right.keys() == wrong.keys()
    assert len(right) > 1
    close = 0.12 if "1000" in line else 1e-5  # five standard errors of the difference of two shares of 1,000 draws
    for at, value in right.items():
        assert wrong[at] == (pytest.approx(value, abs=close) if isinstance(value, float) else value), at
