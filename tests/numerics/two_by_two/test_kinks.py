"""Laws with a corner or a staircase in what the rules over lines integrate: resolved, or told."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc, betaincc, betaincinv, expit, ndtr

from howsure.numerics.two_by_two.lines import Lines
from howsure.numerics.two_by_two.log_odds import formula
from howsure.numerics.two_by_two.normal_scores import NormalScores, logit_quantile, normal_rule
from howsure.numerics.two_by_two.parallel_lines import ParallelLines
from howsure.numerics.two_by_two.table_laws import BinaryMetric, _settled

P = np.array([0.0003, 0.0035, 0.01, 0.3, 0.7, 0.99, 0.995, 0.9997])
LEAST = {  # P(metric <= x) is that of a sensitivity up to this one, at a specificity c = 1 - v
    "informedness": lambda x, c, v: x + v,
    "positive_likelihood_ratio": lambda x, c, v: x * v,
}


@pytest.mark.parametrize(
    ("metric", "tpr", "tnr"),
    [
        ("positive_likelihood_ratio", (51.0, 1.0), (1.0, 1.0)),  # 50 right, none of the other class: it erred by 1e-5
        ("informedness", (1.0, 1.01), (1000.0, 30.0)),  # 5e-6, where 3e-8 was told
        ("informedness", (0.5, 2.5), (4580.5, 0.5)),  # 4e-5
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
    assert error < 2e-6
    assert law.residual <= 1e-6


@pytest.mark.full
def test_a_kink_across_both_rules_is_resolved_or_told():
    """Both rates are as good as 1 for the table, so that FN and FP take turns in being the larger: it erred by 5e-4."""
    prevalence, tpr, tnr = (4.1, 43.1), (14.1, 0.1), (3.1, 0.1)
    law = BinaryMetric("f1", prevalence, tpr, tnr)
    odds = np.exp(law._lines.quantiles(P[2:6:3])[0])[
        :, None, None
    ]  # of F1, the highest of which are 1 to the last digit
    z, w = normal_rule(5.8 / 400)
    u = NormalScores(prevalence, tnr)(np.stack([z, z]))[0]
    phi, psi, v = expit(u[0])[:, None], expit(-u[0])[:, None], expit(-u[1])
    least_missed = np.clip((2 * phi - odds * psi * v) / (phi * (odds + 2)), 0, 1)
    below = np.einsum("kij,i,j->k", betaincc(*tpr[::-1], least_missed), w, w)
    assert below == pytest.approx(P[2:6:3], abs=5e-5)
    assert law.residual > 1e-6  # lines enough for less there are not


def test_lines_half_way_make_the_finer_rule():
    lines = ParallelLines(formula("f1"), (27.0, 9.0), (27.0, 1.0), (7.0, 3.0))
    roots = np.sin(lines._z[:, None] + 0.3 * lines._y)[None]
    for axis in (0, 1):
        other, guess = lines.half_way(axis, roots)
        assert guess[0] == pytest.approx(np.sin(other._z[:, None] + 0.3 * other._y), abs=0.3)
        moved = (other._z - lines._z, other._y - lines._y)
        assert moved[axis] == pytest.approx(0.35)
        assert moved[1 - axis] == pytest.approx(0.0)
        assert other.weight.sum() == pytest.approx(1)
        assert lines._shifts == [0.0, 0.0]


def test_a_staircase_is_told(monkeypatch):
    """Rates that hardly matter beside the prevalence: kappa of (3, 1103), (5, 1000), (1, 209) erred by 4e-3."""
    lines = ParallelLines(formula("kappa"), (30.0, 50.0), (27.0, 1.0), (7.0, 3.0))
    row = lines.weight.sum(axis=1)
    stairs = np.where(lines._z > 0.7, -9.0, np.where(lines._z < 0.7, 9.0, 0.1))
    node = int(np.argmin(np.abs(lines._z - 0.7)))
    assert lines.stairs((stairs[:, None] * np.ones(lines.weight.shape))[None]) == pytest.approx(row[node] / 4)
    assert lines.stairs((-lines._z[:, None] * np.ones(lines.weight.shape))[None]) == 0.0
    _settled.cache_clear()
    monkeypatch.setattr(ParallelLines, "stairs", lambda *_: 3e-3)
    assert BinaryMetric("kappa", (30.0, 50.0), (27.0, 1.0), (7.0, 3.0)).residual == 3e-3
    _settled.cache_clear()


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
    assert np.isfinite(BinaryMetric("mcc", (5.0, 7.0), (9.0, 4.0), (1e15, 1000.0)).interval()).all()


def test_a_law_without_numbers_at_the_probes_is_not_told_as_exact(monkeypatch):
    lines = Lines(ParallelLines(formula("accuracy"), 0.5, (27.0, 1.0), (7.0, 3.0)))
    lines.settle(np.array([0.025, 0.975]))
    monkeypatch.setattr(ParallelLines, "gaps", lambda *_: (np.nan, np.nan))
    assert np.isnan(lines.residual)
