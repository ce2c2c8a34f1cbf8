"""Numbers that twelve decimals do not tell from 0 or 1."""

from __future__ import annotations

import howsure as hs
from howsure.text.formats import number


def test_no_share_of_uncertain_cases_is_printed_as_1() -> None:
    many = 10**15
    text = str(hs.report(hs.infer(hs.ConfusionMatrix([[many, 1], [1, many]])), ["accuracy"]))
    assert "1.000000000000" not in text
    assert "0.000000000000" not in text
    assert "> 0.999999999 to > 0.999999999)" in text


def test_what_is_an_end_is_printed_as_one() -> None:
    assert [number(x, 12) for x in (1.0, 0.0, -1.0, -0.0, 0.5, 1 - 1e-10)] == [
        "1", "0", "-1", "0", "0.500000000000", "0.999999999900",
    ]  # fmt: skip
    assert [number(x, 12) for x in (-1 + 1e-15, -2e-15, 1 + 4e-15)] == ["< -0.999999999", "-2.0e-15", "> 1"]
