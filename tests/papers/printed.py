"""Printed numbers and how they were rounded: shared by the tests of the papers."""

import json
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from tests.conftest import REFERENCE

import howsure as hs

#: Every case of published.json under its name.
CASES = {case["name"]: case for case in json.loads((REFERENCE / "published.json").read_text(encoding="utf-8"))["cases"]}


def value(name, key):
    """A printed number or pair of numbers."""
    return CASES[name]["published"][key]["value"]


def flat(name, **options):
    """Posterior of a case's matrix under the flat prior, Beta(1, 1) for every recall."""
    return hs.infer(hs.ConfusionMatrix(CASES[name]["matrix"], **options), prior="flat")


def half_up(x, places):
    """Round as taught at school, 0.5 up: 0.775 gives 0.78."""
    return float(Decimal(x).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def shown_then_cut(x, places):
    """Show with four decimals (MATLAB's `format short`), then drop the digits after ``places``: 0.79995 gives 0.80."""
    shown = Decimal(x).quantize(Decimal("0.0001"), ROUND_HALF_EVEN)
    return float(shown.quantize(Decimal(1).scaleb(-places), ROUND_DOWN))
