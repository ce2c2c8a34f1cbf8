"""What only Python reads as a number (``1_0``, digits of other scripts) is refused wherever a number is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from howsure.cli import main
from howsure.errors.arguments import written

MATRIX = Path(__file__).parents[2] / "examples" / "cocaine.csv"


@pytest.mark.parametrize(
    "option",
    [
        "--prior=beta(1_0,2)",
        "--prior=beta(2,\uff12)",
        "--level=0.9_5",
        "--level=9_5%",
        "--level=1_9/20",
        "--prevalence=high=0.0_2",
        "--prevalence=high=1/5_0",
        "--prevalence=high=1_0%",
    ],
)
def test_no_option_reads_an_underscore_or_a_foreign_digit(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["report", str(MATRIX), option])
    assert (status, capsys.readouterr().out) == (2, "")


@pytest.mark.parametrize("text", ["1_0", "\uff12", "", "one", "1,5"])
def test_such_a_number_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="could not convert"):
        written(text)


def test_numbers_are_read() -> None:
    assert [written(text) for text in ("1", " 1e3 ", "-.5", "inf")] == [1.0, 1000.0, -0.5, float("inf")]
