"""Numbers, names and tables as text."""

from __future__ import annotations

import itertools
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.answers.sheet import COVERS
from howsure.cli import main
from howsure.text.formats import (
    decimals,
    interval,
    interval_name,
    isolated,
    isolated_html,
    level_words,
    number,
    place,
    plain,
    probability,
)
from howsure.text.text_table import Table, breadth, wrapped


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


# -- numbers that twelve decimals do not tell from 0 or 1 -------------------------------------------------------------


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


# -- names in scripts that run from right to left, beside numbers: every writer isolates them -------------------------

LETTERS = re.compile("[\u0590-\u08ff]")
HEBREW, ARABIC = "\u05e2\u05d1\u05e8\u05d9\u05ea", "\u0627\u0644\u0639\u0631\u0628\u064a\u0629"
TWO, OLD = (
    hs.infer(hs.ConfusionMatrix(m, labels=[HEBREW, f"{ARABIC} {HEBREW}"], positive=f"{ARABIC} {HEBREW}"))
    for m in ([[45, 5], [8, 42]], [[40, 9], [9, 40]])
)
MADE = {
    "matrix": TWO.confusion,
    "distribution": TWO.of("recall"),
    "report": hs.report(TWO, companions=True),
    "comparison": hs.compare(TWO, OLD, metric="accuracy", names=(HEBREW, ARABIC)),
    "ranking": hs.rank({HEBREW: TWO, ARABIC: OLD}, metric="accuracy"),
    "gate": hs.gate(TWO, OLD, metric="accuracy", names=(HEBREW, ARABIC)),
    "plan": hs.plan(f"recall@{HEBREW}", pilot=TWO.confusion, width=0.3),
    "post test": TWO.post_test(0.02),
    "prediction": TWO.predict(),
    "survey": hs.survey({HEBREW: TWO.confusion, ARABIC: OLD.confusion}),
}


@pytest.mark.parametrize("kind", [kind for kind in MADE if hasattr(MADE[kind], "to_markdown")])
def test_html_isolates_with_elements(kind: str) -> None:
    words = re.sub("<svg.*?</svg>", "", MADE[kind]._repr_html_(), flags=re.DOTALL)
    assert f"<bdi>{HEBREW}" in words or f"<bdi>{ARABIC}" in words
    assert not LETTERS.search(re.sub("<bdi>[^<]*</bdi>", "", words))


def test_only_words_are_isolated_and_numbers_and_marks_stay_outside() -> None:
    assert isolated(f"{HEBREW} 0.83, {ARABIC} 0.80") == f"\u2068{HEBREW}\u2069 0.83, \u2068{ARABIC}\u2069 0.80"
    assert isolated(f"{HEBREW} {ARABIC}") == f"\u2068{HEBREW} {ARABIC}\u2069"
    assert isolated("caf\u00e9 \u65e5\u672c 1") == "caf\u00e9 \u65e5\u672c 1"
    assert isolated_html(f"<b>{HEBREW}</b>") == f"<b><bdi>{HEBREW}</bdi></b>"


# -- under a table a command prints two lines of small print at most; --explain prints all of it ----------------------


def test_a_report_of_two_classes_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["report", "--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92"]
    assert main(words) in (0, None)
    printed = capsys.readouterr().out
    assert COVERS in printed
    assert sum(-(-max(len(line), 1) // 100) for line in printed.splitlines()) <= 24
    main([*words, "--explain"])
    assert "MU: width of the 95% HDI." in capsys.readouterr().out


# -- tables as text ---------------------------------------------------------------------------------------------------


def test_wide_letters_do_not_shift_the_columns() -> None:
    table = Table(("name", "n"), (("日本チーム", "7"), ("ab", "10"))).text().splitlines()
    assert len({breadth(line) for line in table}) == 1


@pytest.mark.parametrize("room", range(33, 48))
def test_a_line_is_broken_where_the_next_word_has_no_room_and_only_there(room: int) -> None:
    lines = wrapped("recall  What share of the true class was found, of all its cases.", room).split("\n")
    assert all(breadth(line) <= room for line in lines)
    for line, following in itertools.pairwise(lines):
        assert breadth(f"{line} {following.split()[0]}") > room
