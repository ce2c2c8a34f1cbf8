"""A number with its uncertainty as text: digits, probabilities, outside text."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howsure.text.formats import decimals, interval, interval_name, level_words, number, place, plain, probability


@given(st.floats(1e-9, 1e6), st.floats(-5, 5))
def test_rounding_never_moves_an_end_by_more_than_a_sixth_of_the_interval(width: float, low: float) -> None:
    places = decimals(low, low + width)
    if places in (0, 12):
        return
    assert abs(round(low, places) - low) <= 0.15 * width + 1e-12
    assert 10**-places >= width / 71.1  # and no digit is kept that is far below it


def test_monte_carlo_noise_is_not_printed() -> None:
    assert decimals(0.80001, 0.80099) == 4
    assert decimals(0.80001, 0.80099, error=0.01) == 2
    assert decimals(0.80001, 0.80099, error=0.004) == 2


def test_a_known_number_has_four_decimals() -> None:
    assert decimals(0.5, 0.5) == 4
    assert decimals(math.nan, 1) == 4


@given(st.floats(0, 1))
def test_a_probability_from_draws_is_never_zero_or_one(p: float) -> None:
    text = probability(p, draws=20_000)
    assert text not in ("0", "1", "0.000", "1.000")
    if text[0] in "<>":
        assert (p < 0.0011) if text[0] == "<" else (p > 0.9989)
    else:
        assert abs(float(text) - p) <= 0.0005 + 1e-12


def test_exact_probabilities_round_towards_doubt() -> None:
    assert probability(0.9999999) == "> 0.999"
    assert probability(1e-12) == "< 0.001"
    assert (probability(0.0), probability(1.0)) == ("< 0.001", "> 0.999")
    assert probability(math.nan) == "undefined"


def test_a_level_is_never_all() -> None:
    assert [interval_name("hdi", x) for x in (0.95, 0.9999999)] == ["95% HDI", "99.99999% HDI"]
    assert level_words(math.nextafter(1, 0)) != "100%"


def test_odd_numbers_have_words() -> None:
    assert number(math.inf, 2) == "infinite"
    assert number(-math.inf, 2) == "-infinite"
    assert number(math.nan, 2) == "undefined"
    assert number(-0.0001, 2) == "0.00"
    assert interval(-0.5, -0.25, 1) == "-0.5 to -0.2"


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\nb", "\u202eevil", "nul\0", "zero\u200bwidth"])
def test_outside_text_has_no_control(text: str) -> None:
    assert plain(text).isprintable()


def test_no_hit_in_some_draws_bounds_the_probability_by_three_over_their_number() -> None:
    assert [probability(0.0, draws=n) for n in (100, 1_000, 20_000)] == ["< 0.03", "< 0.003", "< 0.001"]
    assert [probability(1.0, draws=n) for n in (100, 1_000, 20_000)] == ["> 0.97", "> 0.997", "> 0.999"]


def test_a_half_width_that_begins_with_up_to_354_keeps_two_digits() -> None:
    assert [place(half) for half in (0.0101, 0.0354, 0.0356, 0.099)] == [3, 3, 2, 2]
    assert [place(half) for half in (14.5, 35.4, 36.0)] == [0, 0, -1]
