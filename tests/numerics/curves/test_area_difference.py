"""DeLong's test of two areas against pROC's, and against itself with the classifiers exchanged."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies
from scipy import stats

from howsure.numerics.curves.curve_numbers import area_test, separate_area_test

GOLDEN = Path(__file__).parents[2] / "reference" / "paired_delong.json"


@pytest.mark.parametrize("case", json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"])
def test_z_and_p_are_those_of_proc(case):
    positive = np.array(case["truth"]) == 1
    made = area_test(positive, np.array([case["a"], case["b"]]))
    np.testing.assert_allclose(made.areas, case["areas"], atol=1e-12)
    assert made.z == pytest.approx(case["z"], rel=1e-9)
    assert made.p_value == pytest.approx(case["p"], rel=1e-8)
    apart = separate_area_test(((positive, np.array(case["a"])), (positive, np.array(case["b"]))))
    a, b = case["variance_a"], case["variance_b"]
    assert apart.standard_error**2 == pytest.approx(a + b, rel=1e-9)
    # roc.test(paired = FALSE) of pROC: t with Welch's degrees of freedom, each set with its cases less one
    df = (a + b) ** 2 / ((a**2 + b**2) / (len(positive) - 1))
    assert apart.df == pytest.approx(df, rel=1e-9)
    assert apart.p_value == pytest.approx(2 * stats.t.sf(abs(made.difference) / np.sqrt(a + b), df), rel=1e-8)
    reach = stats.t.ppf(0.975, df) * np.sqrt(a + b)
    assert apart.interval(0.95) == pytest.approx((made.difference - reach, made.difference + reach), rel=1e-8)
    assert made.df is None


@given(
    strategies.lists(strategies.tuples(strategies.integers(0, 9), strategies.integers(0, 9)), min_size=8, max_size=40)
)
def test_exchanging_the_classifiers_turns_the_sign(pairs):
    positive = np.arange(len(pairs)) % 2 == 0
    scores = np.array(pairs, float).T
    one, other = area_test(positive, scores), area_test(positive, scores[::-1])
    assert one.difference == pytest.approx(-other.difference, abs=1e-12)
    assert one.p_value == pytest.approx(other.p_value) if one.p_value is not None else other.p_value is None
