"""Slices in time: each alone as `infer` says, and the last one beside a new one of the population before it."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.numerics.slices.rates import after_others

RIGHT = [90, 92, 89, 91, 93, 90, 92, 88, 91, 90]


def weeks(*right: int, n: int = 100, ill: tuple[int, int] = (0, 1)) -> dict[str, hs.ConfusionMatrix]:
    return {f"week {i + 1}": hs.ConfusionMatrix([[k, n - k], ill], ["well", "ill"]) for i, k in enumerate(right)}


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize("metric", ["accuracy", "specificity", "balanced_accuracy"])
def test_a_slice_alone_is_what_infer_says(metric: str) -> None:
    tables = weeks(*RIGHT, ill=(3, 17))
    made = hs.slices_in_time(tables, metric, kind="central")
    for before, name in (("week 9", "week 10"), ("week 1", "week 2")):
        law, other = (hs.infer(tables[each]).of(metric) for each in (name, before))
        row = made[name]
        assert (row.mean, row.low, row.high) == pytest.approx((law.mean, *law.interval(0.95, "central")), abs=1e-6)
        assert row.p_below_previous == pytest.approx((law - other).prob(below=0), abs=1e-6)
        assert row.observed == pytest.approx(law.observed)


@pytest.mark.full
def test_a_fall_is_told_and_a_usual_week_is_not() -> None:
    fallen, usual = hs.slices_in_time(weeks(*RIGHT, 72)), hs.slices_in_time(weeks(*RIGHT, 90))
    assert fallen.last.p_lower > 0.99
    assert "week 11, the last of 11, is 0.72" in fallen.sentence
    assert "lower than those before with probability" in fallen.sentence
    assert 0.2 < usual.last.p_lower < 0.8
    risen = hs.slices_in_time(weeks(*[k - 30 for k in RIGHT], 95))
    assert risen.last.p_lower < 0.01
    assert "higher than those before" in risen.sentence


def test_below_three_before_nothing_is_said() -> None:
    made = hs.slices_in_time(weeks(90, 91, 60, 92))
    assert [row.p_lower is None for row in made.rows] == [True, True, True, False]
    few = hs.slices_in_time(weeks(90, 60))
    assert few.last.expected is None
    assert "below three slices before it" in few.sentence
    assert hs.slices_in_time(weeks(90)).last.p_below_previous is None


@pytest.mark.full
def test_only_the_last_sixty_are_held_against_those_before() -> None:
    made = hs.slices_in_time(weeks(*[9] * 70, n=10))
    assert sum(row.p_lower is not None for row in made.rows) == 60
    assert "60 slices held against those before" in str(made)
    assert len(list(csv.reader(io.StringIO(made.to_csv())))) == 71


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: hs.slices_in_time(weeks(*RIGHT), "f1"), InvalidArgument, "means of rates"),
        (lambda: hs.slices_in_time(weeks(*RIGHT), prior="learned"), InvalidArgument, "learned"),
        (lambda: hs.slices_in_time(weeks(100, 100), "specificity", "haldane"), NoInformation, "use prior 'flat'"),
        (lambda: hs.slices_in_time(weeks(*RIGHT), cut="week"), InvalidArgument, "cut from dates"),
        (lambda: hs.slices_in_time(weeks(*RIGHT), cut="day"), InvalidArgument, "cut"),  # type: ignore[arg-type]
        (lambda: hs.slices_in_time(weeks(*RIGHT))["xx"], InvalidArgument, "no slice is called"),
        (
            lambda: hs.slices_in_time(3),
            InvalidArgument,
            r"the argument of slices_in_time\(\) must be Slices, Counts or a mapping of",
        ),  # type: ignore[arg-type]
    ],
)
def test_bad_input_is_told(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.mark.deep
@pytest.mark.parametrize("spread", [None, 60])
def test_of_weeks_alike_few_are_called_lower_or_higher(spread: float | None) -> None:
    rng, low, high = np.random.default_rng(1), 0, 0
    for _ in range(200):
        p = np.full(12, 0.9) if spread is None else rng.beta(0.9 * spread, 0.1 * spread, 12)
        found = after_others([rng.binomial(200, p)], [np.full(12, 200)], 1.0, 1.0, 2000, rng).lower
        low, high = low + (found >= 0.975), high + (found <= 0.025)
    assert low <= 12
    assert high <= 12
