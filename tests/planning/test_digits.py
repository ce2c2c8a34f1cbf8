"""How many decimals of a number are known."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.planning.digits import Digits, width_for


@pytest.mark.parametrize(("correct", "n"), [(5, 10), (88, 100), (900, 1000), (9_000, 10_000), (4 * 10**6, 5 * 10**6)])
def test_a_decimal_is_known_when_it_is_wider_than_the_interval(correct: int, n: int) -> None:
    posterior = hs.Posterior.from_accuracy(correct=correct, n=n)
    made = hs.digits(posterior, "accuracy")
    assert made.width == posterior.of("accuracy").interval().width
    assert width_for(made.decimals + 1) <= made.width < width_for(made.decimals)
    assert made.next_width == pytest.approx(width_for(made.decimals + 1))


def test_five_of_ten_is_known_to_no_decimal() -> None:
    made = hs.digits(hs.Posterior.from_accuracy(correct=5, n=10), "accuracy")
    assert made.decimals == 0
    assert str(made).startswith("accuracy has no decimal that is known (its interval is 0.53 wide); the first needs ")


def test_one_more_digit() -> None:
    posterior = hs.Posterior.from_accuracy(correct=80, n=100)
    made = hs.digits(posterior, "accuracy")
    assert (made.decimals, made.next_width) == (0, pytest.approx(0.1))
    assert made.next_n == hs.plan("accuracy", width=made.next_width, pilot=posterior).n
    larger = hs.Posterior.from_accuracy(correct=round(0.8 * made.next_n), n=made.next_n)
    after = hs.digits(larger, "accuracy")
    assert after.decimals == 1
    assert str(after).startswith("accuracy is known to 1 decimal (its interval is 0.0")


def test_the_numbers_of_cases_of_the_second_source() -> None:
    """0.1 %, "which is necessary to present a metric with a decimal": several million; 0.001 %: tens of billions."""
    million, billions = (hs.plan("accuracy", width=width).n for width in (1e-3, 1e-5))
    # 3.92 sd of a rate of one half, where the rule 2 / sqrt(n) says 4e6 and 4e10
    assert million == pytest.approx(3.8415e6, rel=1e-4)
    assert billions == pytest.approx(3.8415e10, rel=1e-4)
    assert (
        hs.digits(hs.Posterior.from_accuracy(correct=million // 2 - 1000, n=million - 2000), "accuracy").decimals == 2
    )
    assert hs.digits(hs.Posterior.from_accuracy(correct=million // 2, n=million + 2000), "accuracy").decimals == 3


def test_plans_of_a_rate_end_at_ten_million_millions() -> None:
    made = hs.plan("accuracy", width=1e-6, guess=0.8)
    assert made.n == pytest.approx((2 * 1.959964) ** 2 * 0.8 * 0.2 / 1e-12, rel=1e-3)
    assert made.assurance == pytest.approx(0.95, abs=1e-4)
    with pytest.raises(InvalidArgument, match="no number of cases up to 10,000,000,000,000 gives this goal"):
        hs.plan("accuracy", width=1e-7)


@pytest.mark.deep
def test_digits_of_a_number_without_bounds_are_counted_from_its_size() -> None:
    posterior = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]))
    made = hs.digits(posterior, "dor", assurance=0.8)
    assert made.decimals == -3
    assert made.next_width == pytest.approx(100)
    assert "is known to the nearest 1,000 (its interval is 105 wide); one more digit needs" in str(made)
    assert 100 < made.next_n < 1000
    ratio = Digits("lr+", -1, 7.0, 1.0, 300, "cases", 0.95)
    assert "lr+ is known to the nearest 10 (its interval is 7 wide); one more digit needs 300 cases" in str(ratio)
