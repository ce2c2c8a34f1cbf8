"""Tables with an empty class, or rates that meet at a corner: laws that are right, or tell how far they may be off."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc, betaincc, betaincinv, expit, ndtr, ndtri
from scipy.stats import beta

from howsure.numerics.two_by_two.lines import NormalScores, ScoreCurve, logit_quantile, normal_rule
from howsure.numerics.two_by_two.table_laws import BinaryMetric, resolvable

EMPTY = (1.0, 55.0), (1.0, 1.0), (51.0, 5.0)  # 50 right and 4 wrong of the other class, uniform priors
FULL = (60.0, 50.0), (42.0, 9.0), (50.0, 8.0)
OTHER = (1.0, 89.0), (51.0, 5.0), (1.0, 1.0)
P = np.array([0.0003, 0.0035, 0.01, 0.3, 0.7, 0.99, 0.995, 0.9997])
LEAST = {  # P(metric <= x) is that of a sensitivity up to this one, at a specificity c = 1 - v
    "informedness": lambda x, c, v: x + v,
    "positive_likelihood_ratio": lambda x, c, v: x * v,
}


@pytest.mark.parametrize(("metric", "model"), [("kappa", EMPTY), ("markedness", OTHER), ("mcc", EMPTY)])
def test_what_vanishes_with_a_class_of_no_cases_is_left_to_draws(metric, model):
    """Its density has a needle at 0 that no rule of few lines sees."""
    assert not resolvable(metric, *model)
    assert resolvable(metric, 0.1, *model[1:])
    assert resolvable(metric, (3.0, 50.0), *model[1:])


@pytest.mark.parametrize("metric", ["positive_likelihood_ratio", "negative_likelihood_ratio"])
def test_a_density_that_is_level_from_its_end_is_widest_there(metric):
    """Of a recall nobody knows all values are alike, and so are likelihood ratios up to that of a sure recall."""
    law = BinaryMetric(metric, *EMPTY)
    low, high = law.highest_density(0.95)
    assert low == law.mode() == 0.0
    assert high == pytest.approx(float(law.quantile(0.95)), rel=1e-9)


@pytest.mark.parametrize("tnr", [(54417961.253, 514312301.417), (0.382, 40912.0)])
def test_a_level_density_on_an_infinite_support_has_a_finite_interval(tnr):
    """Uniform up to a most that is known to eight digits, or five; which way the last digit runs is no slope."""
    law = BinaryMetric("positive_likelihood_ratio", 0.5, (1.0, 1.0), tnr)
    most = 1 / beta(*tnr[::-1]).mean()
    low, high = law.highest_density(0.9)
    assert high - low == pytest.approx(0.9 * most, rel=1e-3)
    assert high < 1.001 * most
    assert 0 <= law.mode() < 1.001 * most
    # one that rises up to there does not rise for ever
    rising = BinaryMetric("positive_likelihood_ratio", 0.5, (1.5, 1.0), tnr)
    assert rising.highest_density(0.9) == pytest.approx((0.1 ** (1 / 1.5) * most, most), rel=1e-3)


@pytest.mark.parametrize(("metric", "model"), [("kappa", FULL), ("f1", OTHER), ("scott_pi", EMPTY)])
def test_quantiles_come_back(metric, model):
    law = BinaryMetric(metric, *model)
    p = np.array([1e-4, 0.01, 0.08, 0.09, 0.1, 0.5, 0.9, 0.9999])
    assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-8)


@pytest.mark.parametrize(
    ("metric", "tpr", "tnr"),
    [
        ("positive_likelihood_ratio", (51.0, 1.0), (1.0, 1.0)),  # 50 right, none of the other class
        ("informedness", (1.0, 1.01), (1000.0, 30.0)),
        ("informedness", (0.5, 2.5), (4580.5, 0.5)),
    ],
)
def test_two_narrow_rates_that_meet_at_a_corner_are_resolved(metric, tpr, tnr):
    """One of them is bounded, the other hardly varies: P(metric <= l) on a line turns at once where it arrives."""
    law = BinaryMetric(metric, 0.5, tpr, tnr)
    x = law.quantile(P)
    z, w = normal_rule(5.8 / 20_000)
    u = NormalScores(tnr)(z[None])[0][0]
    s = np.clip(LEAST[metric](x[:, None], expit(u), expit(-u)), 0, 1)
    error = np.abs(law.cdf(x) - betainc(*tpr, s) @ w).max()
    assert error < 3e-8 + law.residual


@pytest.mark.full
def test_a_kink_across_both_rules_is_resolved_or_told():
    """Both rates are as good as 1 for the table, so that FN and FP take turns in being the larger."""
    prevalence, tpr, tnr = (4.1, 43.1), (14.1, 0.1), (3.1, 0.1)
    law = BinaryMetric("f1", prevalence, tpr, tnr)
    # of F1, the highest of which are 1 to the last digit
    odds = np.exp(law._law.curve(ndtri(P[2:6:3]))[0])[:, None, None]
    z, w = normal_rule(5.8 / 400)
    u = NormalScores(prevalence, tnr)(np.stack([z, z]))[0]
    phi, psi, v = expit(u[0])[:, None], expit(-u[0])[:, None], expit(-u[1])
    least_missed = np.clip((2 * phi - odds * psi * v) / (phi * (odds + 2)), 0, 1)
    below = np.einsum("kij,i,j->k", betaincc(*tpr[::-1], least_missed), w, w)
    assert np.abs(below - P[2:6:3]).max() < 5e-5 + law.residual
    assert law.residual > 1e-7  # lines enough for less there are not


def test_a_rate_of_a_thousand_cases_in_many_is_right():
    """SciPy's inverse of Beta(1000, 1e7) is off by 1e-6, of Beta(1000, 1e15) by a factor of 10,000."""
    z = np.linspace(-6, 6, 13)
    for b in (3e5, 1e6, 1e7, 1e8):
        u = logit_quantile(1000.0, b, z)
        assert betainc(1000.0, b, expit(u[:7])) == pytest.approx(ndtr(z[:7]), rel=1e-8)
        assert logit_quantile(b, 1000.0, -z) == pytest.approx(-u, abs=0)
    beside = [logit_quantile(a, 1e15, z) for a in (999.0, 1000.0, 1001.0)]
    assert beside[1] == pytest.approx((beside[0] + beside[2]) / 2, abs=1e-6)
    x = betaincinv(1500.0, 2e6, ndtr(z[:9]))  # SciPy's is right beside, up to the last digits of Phi
    assert logit_quantile(1500.0, 2e6, z[:9]) == pytest.approx(np.log(x) - np.log1p(-x), abs=1e-11)
    assert np.isfinite(BinaryMetric("mcc", (5.0, 7.0), (9.0, 4.0), (1e15, 1000.0)).quantile([0.025, 0.975])).all()


@pytest.mark.parametrize("model", [(300.0, 200.0), (3.0, 1.0), (0.5, 4.0)])
def test_a_curve_of_scores_is_the_law_between_its_values(model):
    """The logit of a Beta: through 23 values, at uneven places, but for its outermost tails."""
    at = np.linspace(-5.5, 5.5, 23) + 0.05 * np.sin(np.arange(23))
    value, rate = (x[0] for x in NormalScores(model)(at[None]))
    curve = ScoreCurve(value, at, 1 / rate)
    z = np.linspace(-5.4, 5.4, 101)
    true, slope = (x[0] for x in NormalScores(model)(z[None]))
    found = curve(z)
    assert found[0] == pytest.approx(true, abs=2e-5 * np.sqrt(1 / model[0] + 1 / model[1]))
    assert found[1] == pytest.approx(slope, rel=1e-3)
    assert curve.score(true) == pytest.approx(z, abs=3e-5)


def test_a_precision_of_a_sure_false_alarm_rate_is_a_rate():
    """Where only the sensitivity is uncertain its law is a Beta's, moved in log odds."""
    law = BinaryMetric("positive_likelihood_ratio", 0.5, (8.0, 3.0), (7e14, 3e14))
    assert law.quantile(P) == pytest.approx(beta(8, 3).ppf(P) / 0.3, rel=1e-7)
    x = np.array([1.0, 2.5])
    assert law.cdf(x) == pytest.approx(beta(8, 3).cdf(0.3 * x), abs=1e-8)
    assert law.pdf(x) == pytest.approx(0.3 * beta(8, 3).pdf(0.3 * x), rel=3e-6)
