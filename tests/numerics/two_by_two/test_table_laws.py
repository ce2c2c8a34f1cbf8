from __future__ import annotations

import json
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from tests.conftest import tries
from tests.numerics.two_by_two.textbook import textbook

from howsure.numerics.two_by_two.log_odds import NAMES, BinaryRates, formula
from howsure.numerics.two_by_two.table_laws import BinaryMetric, resolvable

CASES = json.loads((Path(__file__).parents[2] / "reference" / "numerics.json").read_text())["binary"]
METRIC = {
    "PPV": "precision",
    "NPV": "negative_predictive_value",
    "F1": "f1",
    "ACC": "accuracy",
    "MK": "markedness",
    "LRplus": "positive_likelihood_ratio",
    "MCC": "mcc",
    "BM": "informedness",
    "KAPPA": "kappa",
}
MODELS = [
    ((27.0, 9.0), (27.0, 1.0), (7.0, 3.0)),
    ((26.5, 8.5), (26.5, 0.5), (8.5, 0.5)),
    ((15.0, 21.0), (3.0, 13.0), (20.0, 2.0)),
    (0.3, (20.5, 0.5), (9.0, 4.0)),
]


def test_log_odds_and_their_slopes_are_those_of_the_textbook_formula():
    assert set(textbook(0.3, 0.8, 0.7, 1.0)) == set(NAMES)
    for metric in sorted(NAMES):
        held_to_the_textbook(metric)


def held_to_the_textbook(metric):
    rng = np.random.default_rng(4)
    phi, s, c = rng.uniform(0.02, 0.98, (3, 50))
    f = formula(metric, **({"beta": 1.5} if "beta" in metric else {}))
    seen = phi, s, c
    if f.swapped:
        seen = 1 - phi, c, s
    if f.misses:
        seen = seen[0], 1 - seen[1], seen[2]
    if f.false_positives:
        seen = phi, s, 1 - c

    def odds(phi, us, uc):
        s, e, c, v = (special.expit(sign * u) for u in (us, uc) for sign in (1, -1))
        return f.odds(BinaryRates(phi, 1 - phi, s, e, c, v))

    us, uc = special.logit(seen[1]), special.logit(seen[2])
    value, along_s, along_c, *_ = odds(seen[0], us, uc)
    expected = textbook(phi, s, c, 1.5)[metric]
    np.testing.assert_allclose(f.metric(value), expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(f.log_odds(expected), value, rtol=1e-9, atol=1e-9)
    h = 1e-5
    numeric_s = (odds(seen[0], us + h, uc)[0] - odds(seen[0], us - h, uc)[0]) / (2 * h)
    numeric_c = (odds(seen[0], us, uc + h)[0] - odds(seen[0], us, uc - h)[0]) / (2 * h)
    np.testing.assert_allclose(np.broadcast_to(along_s, 50), numeric_s, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.broadcast_to(along_c, 50), numeric_c, rtol=1e-6, atol=1e-9)
    if f.grows_with_prevalence:
        logit = special.logit(seen[0])
        up, down = (odds(special.expit(logit + d), us, uc)[0] for d in (h, -h))
        np.testing.assert_allclose(odds(seen[0], us, uc)[3], (up - down) / (2 * h), rtol=1e-6)
    assert (np.asarray(along_s) > 0).all()
    assert (np.asarray(along_c) > 0).all()


@pytest.mark.sweep(21, full=24)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_reference_cases(case):
    law = BinaryMetric(METRIC[case["metric"]], case["prevalence"], case["tpr"], case["tnr"])
    low, high = case["central95"]
    np.testing.assert_allclose(law.quantile([0.025, 0.975]), (low, high), rtol=0, atol=3e-6 * (high - low))
    np.testing.assert_allclose(law.cdf([low, high]), [0.025, 0.975], atol=1e-8)
    assert law.residual <= 1e-8


@pytest.mark.full
@pytest.mark.parametrize("model", MODELS[1::2], ids=str)
def test_every_metric_agrees_with_draws(model):
    prevalence, tpr, tnr = model
    rng, count = np.random.default_rng(8), 20_000
    phi = prevalence if isinstance(prevalence, float) else rng.beta(*prevalence, count)
    s, c = rng.beta(*tpr, count), rng.beta(*tnr, count)
    with np.errstate(divide="ignore"):
        drawn = textbook(phi, s, c, 2.0)
    for metric, values in drawn.items():
        if not resolvable(metric, *model):
            continue
        law = BinaryMetric(metric, *model, **({"beta": 2.0} if "beta" in metric else {}))
        p = np.array([0.025, 0.3, 0.5, 0.8, 0.975])
        x = law.quantile(p)
        below = (values[:, None] <= x).mean(0)
        assert np.abs((below - p) / np.sqrt(p * (1 - p) / count)).max() < 5, metric
        np.testing.assert_allclose(law.cdf(x), p, atol=1e-9, err_msg=metric)
        np.testing.assert_allclose(law.cdf(x) + law.sf(x), 1, atol=1e-12)
        if np.isfinite(law.sd):
            assert abs(values.mean() - law.mean) < 5 * law.sd / np.sqrt(count), metric


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize(("metric", "x"), [("informedness", 0.6), ("f1", 0.7)])
def test_perfect_rates_under_jeffreys_agree_with_a_nested_integral(metric, x):
    """Fixed prevalence; both inner singularities handed to mpmath: an integral over s of the law of c."""
    phi, tpr, tnr = 0.4, (9.5, 0.5), (12.5, 0.5)

    def least_c(s):
        if metric == "informedness":
            return 1 + x - s
        return 1 - phi * ((2 / x - 1) * s - 1) / (1 - phi)

    def integrand(s):
        c = min(max(least_c(s), 0), 1)
        inner = mpmath.betainc(*tnr, 0, c, regularized=True)
        return s ** (tpr[0] - 1) * (1 - s) ** (tpr[1] - 1) * inner / mpmath.beta(*tpr)

    corners = {"informedness": [x], "f1": [x / (2 - x)]}[metric]
    marks = sorted({0.0, 1.0, *(corner for corner in corners if 0 < corner < 1)})
    with mpmath.workdps(20):
        expected = float(mpmath.quad(integrand, marks))
    assert float(BinaryMetric(metric, phi, tpr, tnr).cdf(x)) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("metric", ["mcc", "diagnostic_odds_ratio", "false_omission_rate"])
def test_pdf_is_the_derivative_of_the_cdf(metric):
    law = BinaryMetric(metric, *MODELS[2])
    x = law.quantile([0.05, 0.3, 0.9])
    h = 1e-4 * (x[2] - x[0])
    np.testing.assert_allclose(law.pdf(x), (law.cdf(x + h) - law.cdf(x - h)) / (2 * h), rtol=1e-5)


def test_twins_are_exact():
    model = MODELS[0]
    p = np.array([0.1, 0.6])
    f1, jaccard = (BinaryMetric(m, *model).quantile(p) for m in ("f1", "jaccard"))
    np.testing.assert_allclose(jaccard, f1 / (2 - f1), rtol=1e-12)
    np.testing.assert_allclose(BinaryMetric("fbeta", *model, beta=1.0).quantile(p), f1, rtol=1e-12)
    ppv, fdr = BinaryMetric("precision", *model), BinaryMetric("false_discovery_rate", *model)
    np.testing.assert_allclose(fdr.quantile(1 - p), 1 - ppv.quantile(p), rtol=1e-12)
    np.testing.assert_allclose(fdr.quantile([0.025, 0.975])[0], 1 - ppv.quantile([0.025, 0.975])[1], rtol=1e-12)
    phi, tpr, tnr = model
    npv = BinaryMetric("negative_predictive_value", phi[::-1], tnr, tpr)
    np.testing.assert_allclose(npv.quantile(p), ppv.quantile(p), rtol=1e-12)


@pytest.mark.parametrize("metric", ["accuracy", "informedness", "bias"])
def test_moments_of_sums_have_a_closed_form(metric):
    (a, b), tpr, tnr = MODELS[0]
    law = BinaryMetric(metric, (a, b), tpr, tnr)

    def beta(a, b):
        return a / (a + b), a / (a + b) * b / (a + b) / (a + b + 1)

    (m, v), (ms, vs), (mc, vc) = beta(a, b), beta(*tpr), beta(*tnr)
    if metric == "informedness":
        mean, variance = ms + mc - 1, vs + vc
    else:
        mc = mc if metric == "accuracy" else 1 - mc
        mean = m * ms + (1 - m) * mc
        variance = (v + m * m) * vs + (v + (1 - m) ** 2) * vc + v * (ms - mc) ** 2
    assert law.mean == pytest.approx(mean, abs=(1e-8 + 4 * law.residual) * law.sd)
    assert law.sd == pytest.approx(variance**0.5, rel=1e-7 + 4 * law.residual)


def test_moments_of_ratios():
    tpr, tnr = (18.0, 4.0), (40.0, 5.0)
    law = BinaryMetric("positive_likelihood_ratio", 0.5, tpr, tnr)
    x = law.quantile((np.arange(2000) + 0.5) / 2000)
    assert law.mean == pytest.approx(x.mean(), rel=2e-3)
    assert law.sd == pytest.approx(x.std(), rel=3e-2)
    odds = BinaryMetric("diagnostic_odds_ratio", 0.5, tpr, tnr)
    assert odds.mean == pytest.approx(18 / 3 * 40 / 4)
    assert np.isinf(BinaryMetric("diagnostic_odds_ratio", 0.5, (5, 1), tnr).mean)
    assert np.isinf(BinaryMetric("diagnostic_odds_ratio", 0.5, (5, 1.5), tnr).sd)
    assert BinaryMetric("negative_likelihood_ratio", 0.5, (18, 4), (40, 5)).mean == pytest.approx(4 / 22 * 44 / 39)


@pytest.mark.parametrize(("metric", "model"), [("accuracy", 0), ("diagnostic_odds_ratio", 2)])
def test_highest_density_interval_has_equal_densities_and_is_shorter(metric, model):
    law = BinaryMetric(metric, *MODELS[model])
    low, high = law.highest_density(0.9)
    np.testing.assert_allclose(law.pdf(low), law.pdf(high), rtol=1e-5)
    assert float(law.cdf(high) - law.cdf(low)) == pytest.approx(0.9, abs=1e-8)
    central = law.quantile([0.05, 0.95])
    assert high - low < central[1] - central[0]
    top = law.mode()
    assert low < top < high
    assert law.pdf(top) >= law.pdf(np.linspace(low, high, 41)).max() * (1 - 1e-6)


def test_rising_density_gives_a_one_sided_interval():
    law = BinaryMetric("negative_predictive_value", *MODELS[1])
    low, high = law.highest_density(0.95)
    assert high == 1.0
    assert float(law.sf(low)) == pytest.approx(0.95, abs=1e-8)
    assert law.mode() == 1.0
    mirrored = BinaryMetric("false_omission_rate", *MODELS[1])
    np.testing.assert_allclose(mirrored.highest_density(0.95), (0.0, 1 - low), atol=1e-9)


def test_outside_the_support_and_at_its_ends():
    law = BinaryMetric("f1", *MODELS[0])
    np.testing.assert_array_equal(law.cdf([-1, 0, 1, 2]), [0, 0, 1, 1])
    np.testing.assert_array_equal(law.sf([-1, 0, 1, 2]), [1, 1, 0, 0])
    np.testing.assert_array_equal(law.pdf([-1, 0, 1, 2]), 0)
    np.testing.assert_array_equal(law.quantile([0, 1]), [0, 1])
    assert np.isnan(law.cdf(np.nan))
    ratio = BinaryMetric("negative_likelihood_ratio", *MODELS[0])
    np.testing.assert_array_equal(ratio.cdf([-1, 0, np.inf]), [0, 0, 1])
    assert law.support == (0, 1)
    assert law.terms > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("f2", (1, 1), (1, 1), (1, 1)), "no binary metric named 'f2'"),
        (("f1", (0, 1), (1, 1), (1, 1)), "prevalence needs"),
        (("f1", 1.0, (1, 1), (1, 1)), "fixed prevalence"),
        (("f1", 0.5, (1, np.inf), (1, 1)), "tpr needs"),
        (("f1", 0.5, (1, 1), (1, -1)), "tnr needs"),
    ],
)
def test_impossible_arguments_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        BinaryMetric(*arguments)


def test_impossible_parameters_are_refused():
    with pytest.raises(ValueError, match="beta must"):
        BinaryMetric("fbeta", 0.5, (1, 1), (1, 1), beta=-1.0)
    with pytest.raises(ValueError, match="w must"):
        BinaryMetric("weighted_markedness", 0.5, (1, 1), (1, 1), w=1.5)


def test_a_density_that_the_lines_do_not_resolve_is_told():
    shares, perfect_under_jeffreys = (26.5, 8.5), ((26.5, 0.5), (8.5, 0.5))
    assert not resolvable("lift", shares, *perfect_under_jeffreys)
    assert resolvable("mcc", shares, *perfect_under_jeffreys)
    assert resolvable("lift", shares, (26.5, 0.5), (7.5, 2.5))
    assert not resolvable("lift", shares, (26.5, 1.5), (7.5, 1.5))  # at the top of lift only false alarms matter
    assert resolvable("overdiagnosis", shares, (26.5, 0.5), (0.5, 8.5))
    assert not resolvable("bias", shares, *perfect_under_jeffreys)
    assert resolvable("bias", 0.3, *perfect_under_jeffreys)
    assert not resolvable("kappa", (5.0, 20.0), (0.5, 4.5), (0.5, 0.5))


shape = st.one_of(st.sampled_from([0.5, 1.0]), st.floats(0.4, 50.0), st.integers(1, 5000).map(float))


@pytest.mark.full
@settings(max_examples=tries(40), deadline=None)
@given(
    st.sampled_from(sorted(NAMES)),
    st.tuples(st.floats(1.0, 200.0), st.floats(1.0, 200.0)),
    st.tuples(shape, shape),
    st.tuples(shape, shape),
)
def test_a_law_is_a_law(metric, prevalence, tpr, tnr):
    law = BinaryMetric(metric, prevalence, tpr, tnr)
    low, high = law.quantile([0.025, 0.975])
    assert law.support[0] <= low < high <= law.support[1]
    x = law.quantile([0.2, 0.5, 0.7])
    assert low <= x[0] <= x[1] <= x[2] <= high
    np.testing.assert_allclose(law.cdf([low, *x, high]), [0.025, 0.2, 0.5, 0.7, 0.975], atol=1e-8)
    assert (law.pdf(x) >= 0).all()
