"""Frequentist companions against SciPy, published tables and their definitions."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.frequentist import (
    bowker,
    carrillo_intervals,
    clopper_pearson,
    mcnemar,
    no_information_rate,
    stuart_maxwell,
    tail_inversion,
    wilson,
)
from tests.conftest import matrices
from tests.papers.printed import CASES, shown_then_cut, value

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS, st.floats(0.5, 0.999))
def test_intervals_of_a_rate_against_scipy(counts: tuple[int, int], level: float) -> None:
    k, n = counts
    test = binomtest(k, n)
    exact, score = (test.proportion_ci(level, how) for how in ("exact", "wilson"))
    assert clopper_pearson(k, n, level) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert wilson(k, n, level) == pytest.approx((score.low, score.high), abs=1e-9)


@given(COUNTS, st.floats(0.5, 0.999))
def test_tail_inversion_solves_its_equation_and_is_one_sided_clopper_pearson(
    counts: tuple[int, int], level: float
) -> None:
    k, n = counts
    bound = tail_inversion(k, n, level)
    if k < n:
        assert binom(n, bound).cdf(k) == pytest.approx(1 - level, rel=1e-6)
        assert bound == pytest.approx(clopper_pearson(k, n, 2 * level - 1 if level > 0.5 else 1e-9)[1], abs=1e-6)
    else:
        assert bound == 1


def test_the_rates_of_the_cocaine_classifier() -> None:
    made = hs.classical(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))
    assert [(row.metric, row.right, row.cases) for row in made.rows] == [
        ("accuracy", 32, 34), ("recall@low", 6, 8), ("recall@high", 26, 26), ("precision@low", 6, 6),
        ("precision@high", 26, 28),
    ]  # fmt: skip
    json.dumps(made.to_dict(), allow_nan=False)
    assert "Clopper-Pearson" in str(made)
    assert "<table>" in made._repr_html_()


def test_no_information_rate_against_scipy() -> None:
    cm = hs.ConfusionMatrix([[6, 2], [0, 26]])
    assert no_information_rate(cm).p == pytest.approx(binomtest(32, 34, 26 / 34, alternative="greater").pvalue)
    assert no_information_rate(hs.ConfusionMatrix([[5, 0], [0, 0]])).p == 1


@given(st.integers(0, 80), st.integers(0, 80))
def test_mcnemar_is_the_sign_test(b: int, c: int) -> None:
    expected = binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar(b, c).p == pytest.approx(expected)
    assert mcnemar(b, c).p == mcnemar(c, b).p


def test_stuart_maxwell_and_bowker_on_a_published_table() -> None:
    """Unaided distance vision of 7477 women, Stuart 1955 and Bishop, Fienberg and Holland 1975, table 8.2-1."""
    vision = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
    cm = hs.ConfusionMatrix(vision)
    margins, symmetry = stuart_maxwell(cm), bowker(cm)
    assert (round(margins.statistic or 0, 2), margins.freedom) == (11.96, 3)
    assert (round(symmetry.statistic or 0, 2), symmetry.freedom) == (19.11, 6)
    assert margins.p == pytest.approx(0.0075, abs=5e-5)


@given(matrices(max_classes=2))
def test_of_two_classes_both_are_the_chi_squared_of_mcnemar(cm: hs.ConfusionMatrix) -> None:
    b, c = int(cm.counts[0, 1]), int(cm.counts[1, 0])
    expected = (b - c) ** 2 / (b + c) if b + c else 0.0
    for test in (bowker(cm), stuart_maxwell(cm)):
        assert test.statistic == pytest.approx(expected, abs=1e-9)
        assert test.freedom == (1 if b + c else 0)


@given(matrices())
def test_every_table_with_cases_has_companions_and_symmetric_ones_have_no_evidence(cm: hs.ConfusionMatrix) -> None:
    if not cm.n:
        with pytest.raises(InvalidArgument, match="no cases"):
            hs.classical(cm)
        return
    made = hs.classical(cm)
    for row in made.rows:
        assert 0 <= row.clopper_pearson[0] <= row.right / row.cases <= row.clopper_pearson[1] <= 1
        assert -1e-12 <= row.wilson[0] <= row.wilson[1] <= 1 + 1e-12
    assert all(0 <= test.p <= 1 for test in made.tests)
    json.dumps(made.to_dict(), allow_nan=False)
    even = hs.ConfusionMatrix(cm.counts + cm.counts.T)
    assert bowker(even).p == 1
    assert stuart_maxwell(even).p == pytest.approx(1)


@cache
def ends(case: str) -> dict[str, tuple[float, float]]:
    return carrillo_intervals(hs.ConfusionMatrix(CASES[f"carrillo2013_{case}"]["matrix"]))


@pytest.mark.parametrize("case", [f"C{i}" for i in range(1, 10)])
@pytest.mark.parametrize(("key", "metric"), [("acc", "accuracy"), ("bac", "balanced_accuracy"), ("kappa", "kappa")])
def test_table_1_of_carrillo(case: str, key: str, metric: str) -> None:
    printed = value(f"carrillo2013_{case}", f"{key}_ci")
    assert [shown_then_cut(x, 2) for x in ends(case)[metric]] == printed


@pytest.mark.parametrize("given", [(1, 0), (-1, 3), (4, 3), (1.5, 3), (True, 3), ("1", 3)])
def test_rates_that_are_none(given: tuple[int, int]) -> None:
    for interval in (clopper_pearson, wilson, tail_inversion):
        with pytest.raises(InvalidArgument, match="right of cases"):
            interval(*given)


def test_a_report_carries_them_on_request_and_not_otherwise() -> None:
    post = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))
    plain, more = hs.report(post), hs.report(post, companions=True)
    assert "classical" not in plain.to_dict()
    assert more.to_dict()["classical"]["rates"][0]["clopper_pearson"] == list(clopper_pearson(32, 34))
    for shown in (str(more), more.to_markdown(), more._repr_html_()):
        assert "Wilson" in shown
    assert "Wilson" not in str(plain)
    assert np.isfinite(more.classical.rows[0].wilson).all()  # type: ignore[union-attr]
