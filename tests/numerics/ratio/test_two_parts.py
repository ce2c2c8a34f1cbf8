"""Ratios of two random numbers: what makes them quick is held to what is slow."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.ratio import probit_curve as curved_law
from howsure.numerics.ratio.normal_scores import ScoreCurves, ScoreTable
from howsure.numerics.ratio.ratio_law import FractionalEngine

Z = np.linspace(-5.5, 5.5, 89)
#: Hits and misses of each class, and the class that is perfect or nearly empty in one of them.
CLASSES = {
    "smooth": [[40.3, 7.2], [3.1, 38.0], [5.4, 44.9]],
    "perfect": [[21.0, 1.0], [1.0, 31.0], [1.0, 17.0]],
    "large": [[41000.0, 7000.0], [310.0, 3800.0], [5.0, 440.0]],
}


def f1_of(classes: list[list[float]], share: float = 0.3) -> FractionalEngine:
    """F1 of the first class; the others share the rest of the cases."""
    shares = np.array([share, *[(1 - share) / (len(classes) - 1)] * (len(classes) - 1)])
    n, d = np.zeros((len(classes), 2)), np.zeros((len(classes), 2))
    n[0, 0], d[:, 0] = 2 * share, shares
    return FractionalEngine(n, d, np.array(classes), 0.0, share)


def curve_of(law: LinearEngine, sign: float = 1.0) -> tuple[Floats, Floats]:
    u, slope = ScoreCurves(ScoreTable(law).cells(sign))(Z[None])
    return u[0], slope[0]


@pytest.mark.parametrize("pairs", [[(12.0, 3.0)], [(300.0, 20.0), (4.0, 9.0), (2.0, 2.0)]])
def test_a_table_of_scores_is_the_law_and_its_turn_the_complement(pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(pairs).T
    law = LinearEngine(betas=(a, b, np.ones(len(a)) / len(a)))
    u, slope = curve_of(law)
    near = np.abs(Z) < 4
    np.testing.assert_allclose(law.cdf(special.expit(u[near])), special.ndtr(Z[near]), atol=1e-10)
    step = 1e-5
    ahead, behind = (ScoreCurves(ScoreTable(law).cells(1.0))(Z[None] + h)[0][0] for h in (step, -step))
    np.testing.assert_allclose(slope, (ahead - behind) / (2 * step), rtol=1e-6)
    turned, turned_slope = curve_of(law, -1.0)
    np.testing.assert_allclose(turned, -u[::-1], atol=1e-12)
    np.testing.assert_allclose(turned_slope, slope[::-1], rtol=1e-9)


def test_curves_go_on_beyond_their_knots_without_a_jump_or_a_turn() -> None:
    far = np.linspace(5.0, 12.0, 7001)
    for a, b in ((1.0, 1.0), (0.5, 9.0), (9.0, 0.5)):
        curves = ScoreCurves(*(ScoreTable(LinearEngine(betas=([a], [b], [1.0]))).cells(sign) for sign in (1.0, -1.0)))
        u, slope = curves(np.stack((far, far)))
        assert (slope > 0).all()
        assert np.abs(np.diff(u) - 0.5e-3 * (slope[:, 1:] + slope[:, :-1])).max() < 1e-4


def test_a_falling_beta_is_tabulated_from_its_own_lower_end() -> None:
    rising, falling = (curve_of(LinearEngine(betas=([5.0], [2.0], [w])))[0] for w in (1.0, -1.0))
    np.testing.assert_allclose(falling, -rising[::-1], atol=1e-12)


@pytest.mark.parametrize(("name", "level"), [("smooth", 0.5), ("perfect", 0.95), ("large", 0.999)])
def test_two_routes_to_the_interval_of_highest_density_agree(
    name: str, level: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = f1_of(CLASSES[name])
    found = law.highest_density(level)
    monkeypatch.setattr(curved_law, "by_newton", lambda *_: None)
    halved = law.highest_density(level)
    assert found is not None
    assert halved is not None
    assert found == pytest.approx(halved, abs=1e-6 * law.sd)
    F, f, _ = law._curve.evaluate(np.array(found))
    assert F[1] - F[0] == pytest.approx(level, abs=1e-9)
    if law.support[0] < found[0] and found[1] < law.support[1]:
        assert f[0] == pytest.approx(f[1], rel=1e-6)


@pytest.mark.sweep(1, full=5)
@pytest.mark.parametrize(
    ("classes", "most"),
    [
        ([[30.0, 4.0], [1.0, 1.0], [1.0, 1.0]], 1e-8),  # two empty classes: their sum is a triangle
        ([[9.5, 0.5], [0.5, 5.5], [1.0, 1.0]], 1e-6),
        ([[21.5, 2.5], [0.5, 0.5], [0.5, 0.5], [21.5, 5.5]], 1e-9),  # a corner of the fifth derivative
    ],
)
def test_the_error_told_holds_where_the_sum_of_the_others_has_corners(classes: list[list[float]], most: float) -> None:
    """Against the inversion of N - x D at every x, which has no table. Unhalved cells miss 1e-9 to 1e-5."""
    law = f1_of(classes)
    two = law._two_parts
    assert two is not None
    x = np.linspace(*law.quantile(np.array([0.003, 0.995])), 23)
    direct = np.array([float(law._fraction.functional(at).cdf(0.0)) for at in x.tolist()])
    missed = float(np.abs(two.evaluate(x)[0] - direct).max())
    assert missed <= law.residual < most


def test_the_slope_of_the_density_is_its_slope() -> None:
    law = f1_of(CLASSES["smooth"])
    x, step = law.quantile(np.array([0.01, 0.3, 0.6, 0.99])), 1e-4 * law.sd
    F, f, slope = law._curve.evaluate(x)
    above, below = law._curve.evaluate(x + step), law._curve.evaluate(x - step)
    np.testing.assert_allclose(F, law.cdf(x), atol=1e-12)
    np.testing.assert_allclose(f, (above[0] - below[0]) / (2 * step), rtol=1e-5)
    np.testing.assert_allclose(slope, (above[1] - below[1]) / (2 * step), rtol=1e-4, atol=1e-4 * f.max() / law.sd)
    assert np.isnan(law._curve.evaluate(np.array([law.support[1] - 1e-9]))[0]).all()
