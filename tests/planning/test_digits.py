"""How many decimals of a number are known, and the rule of thumb of Toetsch and Hoffmann."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import howsure as hs
from howsure.planning.digits import thumb_csv, thumb_table, width_for


@pytest.mark.sweep(1, full=5)
@pytest.mark.parametrize(("correct", "n"), [(5, 10), (900, 1000), (4 * 10**6, 5 * 10**6)])
def test_a_decimal_is_known_when_it_is_wider_than_the_interval(correct: int, n: int) -> None:
    posterior = hs.Posterior.from_accuracy(correct=correct, n=n)
    made = hs.digits(posterior, "accuracy")
    assert made.width == posterior.of("accuracy").interval().width
    assert width_for(made.decimals + 1) <= made.width < width_for(made.decimals)
    assert made.next_width == pytest.approx(width_for(made.decimals + 1))


def test_one_more_digit() -> None:
    posterior = hs.Posterior.from_accuracy(correct=80, n=100)
    made = hs.digits(posterior, "accuracy")
    assert (made.decimals, made.next_width) == (0, pytest.approx(0.1))
    assert made.next_n == hs.plan("accuracy", width=made.next_width, pilot=posterior).n
    larger = hs.Posterior.from_accuracy(correct=round(0.8 * made.next_n), n=made.next_n)
    after = hs.digits(larger, "accuracy")
    assert after.decimals == 1
    assert str(after).startswith("accuracy is known to 1 decimal (its interval is 0.0")


@pytest.mark.deep
def test_figure_6_of_toetsch_and_hoffmann() -> None:
    rows = hs.rule_of_thumb()
    assert rows[-1].n == 10**6 * rows[0].n
    hundred = next(row for row in rows if row.n == 100)
    assert hundred.upper == pytest.approx(0.1921, abs=5e-5)
    assert hundred.rule == 0.2
    assert all(row.holds for row in rows)
    assert all(0.7 < row.upper / row.rule < 1 for row in rows)
    assert [a.upper > b.upper for a, b in pairwise(rows)] == [True] * (len(rows) - 1)


def test_the_rule_fails_for_informedness_by_a_factor_of_two() -> None:
    rows = hs.rule_of_thumb("informedness", mode=0.5, concentration=1e6, sizes=[50, 1000, 100_000, 10**7])
    assert not any(row.holds for row in rows)
    assert rows[0].rule == 2 / 50**0.5
    for row in rows[-2:]:
        assert row.upper * np.sqrt(row.n) == pytest.approx(4, rel=0.03)
    assert "no" in thumb_table(rows).text()
    assert thumb_csv(rows).startswith("n,typical,upper,rule")
