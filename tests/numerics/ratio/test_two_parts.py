"""Ratios of two random numbers: what makes them quick is held to what is slow."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, special

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.ratio import curved_law, normal_scores
from howsure.numerics.ratio.normal_scores import ScoreCurves, ScoreTable, logit_quantile
from howsure.numerics.ratio.ratio_law import FractionalEngine

Z = np.linspace(-5.5, 5.5, 89)
#: Hits and misses of each class, and the class that is perfect or nearly empty in one of them.
CLASSES = {
    "smooth": [[40.3, 7.2], [3.1, 38.0], [5.4, 44.9]],
    "perfect": [[21.0, 1.0], [1.0, 31.0], [1.0, 17.0]],
    "Jeffreys": [[9.5, 0.5], [0.5, 0.5], [0.5, 30.5]],
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


@pytest.mark.parametrize("pairs", [[(12.0, 3.0)], [(2.0, 4.0), (5.5, 3.0)], [(300.0, 20.0), (4.0, 9.0), (2.0, 2.0)]])
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


def test_a_table_filled_from_quantiles_is_that_of_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    for a, b in ((12.0, 3.0), (1.0, 31.0), (600.0, 300.0)):
        law = LinearEngine(betas=([a], [b], [0.4]), shift=0.1)
        u, slope = curve_of(law)
        with monkeypatch.context() as patch:
            patch.setattr(normal_scores, "LARGE", 0.0)
            asked, asked_slope = curve_of(law)
        np.testing.assert_allclose(u, asked, atol=1e-9)
        np.testing.assert_allclose(slope, asked_slope, rtol=1e-7)


def test_a_falling_beta_is_tabulated_from_its_own_lower_end() -> None:
    rising, falling = (curve_of(LinearEngine(betas=([5.0], [2.0], [w])))[0] for w in (1.0, -1.0))
    np.testing.assert_allclose(falling, -rising[::-1], atol=1e-12)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1.0, 40.0), (700.0, 2.5), (0.01, 5.0)])
def test_each_side_of_a_quantile_comes_from_the_smaller_tail(a: float, b: float) -> None:
    u = logit_quantile(a, b, Z)
    np.testing.assert_allclose(u, -logit_quantile(b, a, -Z), rtol=1e-13, atol=1e-15)
    low = np.where(u < 0, special.betainc(a, b, special.expit(u)), special.betaincc(b, a, special.expit(-u)))
    known = (u > -600) & (Z < 5)
    np.testing.assert_allclose(low[known], special.ndtr(Z[known]), rtol=1e-9)


@pytest.mark.parametrize("name", CLASSES)
def test_the_start_of_newtons_method_does_not_matter(name: str) -> None:
    law = f1_of(CLASSES[name])
    two = law._two_parts
    assert two is not None
    x = law.quantile(special.ndtr(np.linspace(-5, 5, 41)))
    x = x[(x > law.support[0]) & (x < law.support[1])]
    goal = two._goal(x)
    near = two._near(goal)
    from_probes, from_nothing = (
        two._summed(two._curve(x, goal, start)) for start in (near, np.zeros((len(x), len(two._y))))
    )
    np.testing.assert_allclose(from_probes[0], from_nothing[0], rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(from_probes[1], from_nothing[1], rtol=1e-9, atol=1e-10)
    if name == "smooth":  # and it is near: a cubic through probes one sd apart
        middle = np.abs(two._y) < 3
        assert np.abs(near - two._curve(x, goal, near))[10:31, middle].max() < 1e-3


@pytest.mark.parametrize("name", ["smooth", "perfect", "large"])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
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


@pytest.mark.parametrize(
    ("classes", "most"),
    [
        ([[30.0, 4.0], [1.0, 1.0], [1.0, 1.0]], 1e-8),  # two empty classes: their sum is a triangle
        ([[30.0, 4.0], [3.5, 1.0], [2.0, 1.0]], 1e-10),
        ([[9.5, 0.5], [0.5, 5.5], [1.0, 1.0]], 1e-6),
        ([[9.5, 0.5], [30.5, 0.5], [0.5, 20.5]], 1e-5),
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


def test_cells_are_halved_only_at_corners() -> None:
    smooth = LinearEngine(betas=([20.0, 30.0], [9.0, 8.0], [0.5, 0.5]))
    cornered = LinearEngine(betas=([1.0, 1.0], [1.0, 1.0], [0.5, 0.5]))
    tables = [ScoreTable(law) for law in (smooth, cornered)]
    assert [table.rough for table in tables] == [False, True]
    # the triangle has one corner, at u = 0, and the cells beside it are halved
    knots = tables[1]._knots
    assert np.diff(knots.z).min() < 1e-3
    assert abs(knots.u[int(np.argmin(np.diff(knots.z)))]) < 1e-2
    assert np.diff(tables[0]._knots.z).min() > 0.05


def test_the_slope_of_the_density_is_its_slope() -> None:
    law = f1_of(CLASSES["smooth"])
    x, step = law.quantile(np.array([0.01, 0.3, 0.6, 0.99])), 1e-4 * law.sd
    F, f, slope = law._curve.evaluate(x)
    above, below = law._curve.evaluate(x + step), law._curve.evaluate(x - step)
    np.testing.assert_allclose(F, law.cdf(x), atol=1e-12)
    np.testing.assert_allclose(f, (above[0] - below[0]) / (2 * step), rtol=1e-5)
    np.testing.assert_allclose(slope, (above[1] - below[1]) / (2 * step), rtol=1e-4, atol=1e-4 * f.max() / law.sd)
    assert np.isnan(law._curve.evaluate(np.array([law.support[1] - 1e-9]))[0]).all()


def test_the_moments_of_a_precision_whose_denominator_may_vanish_are_finite() -> None:
    """Where both rates are next to 0 it is 0/0, and one rounding would be divided by another."""
    shares, alphas = np.array([0.266, 0.734]), np.array([[0.881, 0.789], [0.597, 0.75]])
    d = np.zeros((2, 2))
    d[:, 0] = shares
    n = d * np.array([[1.0], [0.0]])
    law = FractionalEngine(n, d, alphas)
    mean = integrate.quad(lambda x: float(law.sf(np.array([x]))[0]), 0, 1, limit=200)[0]
    square = integrate.quad(lambda x: 2 * x * float(law.sf(np.array([x]))[0]), 0, 1, limit=200)[0]
    assert law.mean == pytest.approx(mean, abs=1e-7)
    assert law.sd == pytest.approx(np.sqrt(square - mean**2), abs=1e-7)
