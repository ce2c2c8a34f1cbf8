"""Exact sums of learned recalls: against a full series by Gauss points, against importance sampling, and mirrored."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc, roots_jacobi
from tests.conftest import tries

from howsure.laws import LearnedSum
from howsure.numerics.arrays import Floats
from howsure.numerics.learned import node_sums
from howsure.numerics.learned.node_sum_law import NodeSumLaw
from howsure.numerics.learned.node_sums import NodeSum, NodeTransform
from howsure.numerics.learned.node_transforms import TooDear, beta_cumulants, beta_transforms
from howsure.numerics.learned.one_rate import one_rate
from howsure.numerics.learned.population import Population

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "population.json").read_text())


def full_series(terms: NodeSum, x: Floats, count: int) -> Floats:
    """Distribution function on a period of twice the support; Betas by Gauss points, no window, every node alike."""
    low, high = terms.support
    spread = NodeTransform(terms)
    t = np.pi / (high - low) * np.arange(1, count + 1)
    theta, w = roots_jacobi(96, 0, 0)
    theta, w = (1 + theta) / 2, w / 2

    def transform(a: float, b: float, c: float) -> np.ndarray:
        p, reach = a / (a + b), 10 * np.sqrt(a * b / (a + b + 1)) / (a + b)
        left, right = max(0.0, p - reach), min(1.0, p + reach)
        at = left + (right - left) * theta**2 * (3 - 2 * theta)  # powers at the ends are tamed
        log_density = (a - 1) * np.log(at) + (b - 1) * np.log1p(-at)
        density = np.exp(log_density - log_density.max()) * theta * (1 - theta) * w
        return np.asarray(np.exp(1j * c * np.outer(t, at)) @ (density / density.sum()))

    total = np.zeros(count, complex)
    wide = [transform(a, b, c) for a, b, c in zip(terms.broad_alpha, terms.broad_beta, terms.coefficient, strict=True)]
    weight = spread.weight.sum(axis=0)
    for g in np.flatnonzero(weight > 1e-6 * weight.max()):
        main = [transform(a, b, c) for a, b, c in zip(terms.alpha[g], terms.beta[g], terms.coefficient, strict=True)]
        for e, mass in enumerate(spread.weight[:, g]):
            odd = terms.broad[e, g]
            phi = mass * np.exp(1j * np.outer(t, terms.offset[g])) @ spread.share[g]
            for u, copies in enumerate(terms.copies.astype(int)):
                phi = phi * ((1 - odd[u]) * main[u] + odd[u] * wide[u]) ** copies
            total += phi
    wave = total * np.exp(1j * t * terms.shift) / (1j * t)
    start = low - (high - low) / 2

    def odd_part(at: Floats) -> Floats:
        return np.asarray(-(np.exp(-1j * np.outer(at, t)) @ wave).real)

    period = 2 * (high - low)
    return (x - start) / period + 2 / period * (odd_part(x) - odd_part(np.array([start])))


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("k", "n"),
    [
        ([30, 26, 8, 17], [40, 32, 12, 20]),
        ([16, 15, 14, 17, 13], [20] * 5),
        ([17, 15, 18, 4, 16], [20] * 5),
        ([16, 12, 31, 5, 27, 9, 14, 22, 11, 8], [20, 15, 40, 8, 32, 12, 18, 25, 15, 10]),
    ],
)
def test_against_a_full_series(k: list[int], n: list[int]) -> None:
    terms = Population(k, n, nodes=(7, 7, 13)).sum_terms(np.full(len(k), 1 / len(k)))
    law = NodeSumLaw([terms])
    x = law.mean + law.sd * np.linspace(-3, 3, 13)
    assert np.abs(law.cdf(x) - full_series(terms, x, 200)).max() < law.residual + 1e-5


@pytest.mark.parametrize(
    ("a", "b", "top"), [(4.0, 1.2, 30.0), (19.9, 0.3, 40.0), (300.0, 45.0, 25.0), (0.6, 0.4, 20.0), (4e4, 3e4, 50.0)]
)
def test_transforms_of_betas_by_gauss_jacobi_points(a: float, b: float, top: float) -> None:
    z = np.linspace(-top, top, 8)
    found = beta_transforms(np.full((3, 1), a), np.full((3, 1), b), z[None])[0][0, 1]
    if a < 1000:
        x, w = roots_jacobi(60, b - 1, a - 1)
        expected = np.exp(1j * np.outer(z, (1 + x) / 2)) @ (w / w.sum())
        np.testing.assert_allclose(found, expected, atol=3e-7)
    else:  # as good as normal
        p, v = a / (a + b), a * b / (a + b) ** 2 / (a + b + 1)
        np.testing.assert_allclose(found, np.exp(1j * z * p - z * z * v / 2), atol=2e-5)


def test_cumulants() -> None:
    """Those of the uniform law are Bernoulli numbers over their order."""
    expected = [1 / 2, 1 / 12, 0, -1 / 120, 0, 1 / 252, 0, -1 / 240]
    np.testing.assert_allclose(beta_cumulants(np.ones(1), np.ones(1))[:, 0], expected, atol=1e-15)


@pytest.mark.parametrize("name", ["three_one_broken", "ten_unequal_one_zero", "hundred_onebroken"])
def test_against_importance_sampling(name: str) -> None:
    """The noise of the sampled quantiles is .002, the default nodes' own error up to .004."""
    case = REFERENCE[name]
    law = LearnedSum([(Population(case["k"], case["n"]), np.full(len(case["k"]), 1 / len(case["k"])))])
    assert law.route == "exact"
    found = law.cdf(np.array(case["importance"]["quantiles"]))
    assert np.abs(found - np.array(case["importance"]["probabilities"])).max() < 0.007


@settings(max_examples=tries(20), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=6))
def test_monotone_mirrored_and_without_order(rows: list[tuple[int, int]]) -> None:
    k, n = np.array([min(a, a + b) for a, b in rows]), np.array([a + b for a, b in rows])
    w = np.full(len(k), 1 / len(k))
    law = LearnedSum([(Population(k, n), w)])
    x = np.linspace(0, 1, 201)
    F = law.cdf(x)
    assert np.diff(F).min() > -2 * law.error - 1e-12
    assert F.min() >= 0
    assert F.max() <= 1 + 1e-12
    order = np.argsort(-n, kind="stable")
    again = LearnedSum([(Population(k[order], n[order]), w)])
    mirrored = LearnedSum([(Population(n - k, n), w)])
    # the guide that places the nodes does not see the table in a mirror to the last digit
    slack = 3e-5 if law.route == "exact" else 2e-2
    inner = x[(x > 0.02) & (x < 0.98)]
    assert again.cdf(inner) == pytest.approx(law.cdf(inner), abs=slack)
    assert mirrored.cdf(1 - inner) == pytest.approx(1 - law.cdf(inner), abs=5e-3 if law.route == "exact" else 4e-2)
    moved = 2 * law - 1
    assert moved.cdf(2 * inner - 1) == pytest.approx(law.cdf(inner), abs=slack)


def test_a_difference_is_a_product_of_transforms() -> None:
    one, two = Population([30, 12, 8], [32, 14, 10]), Population([25, 9, 6], [32, 14, 10])
    third = np.full(3, 1 / 3)
    law = NodeSumLaw([one.sum_terms(third, 0.5), two.sum_terms(-third)])
    first, second = (NodeSumLaw([p.sum_terms(third)]) for p in (one, two))
    assert law.mean == pytest.approx(0.5 + first.mean - second.mean)
    assert law.sd == pytest.approx(np.hypot(first.sd, second.sd))
    y = np.linspace(*second.support, 4001)
    middle, mass = (y[1:] + y[:-1]) / 2, np.diff(second.cdf(y))
    for x in law.mean + law.sd * np.linspace(-2, 2, 5):
        assert law.cdf(np.array([x]))[0] == pytest.approx(mass @ first.cdf(x - 0.5 + middle), abs=5e-5)
    low, high = law.quantile(np.array([0.025, 0.975]))
    assert law.cdf(np.array([low, high])) == pytest.approx([0.025, 0.975], abs=1e-9)


def test_beside_an_end_nodes_are_not_spread() -> None:
    """One wrong answer in all: a node within 1e-4 of the end cannot be shifted towards it. Against finer nodes."""
    k, n, w = [20] * 9 + [19], [20] * 10, np.full(10, 0.1)
    law = NodeSumLaw([Population(k, n).sum_terms(w)])
    fine = NodeSumLaw([Population(k, n, nodes=(41, 1, 33)).sum_terms(w)])
    x = fine.quantile(np.array([0.01, 0.025, 0.25, 0.5, 0.75, 0.9, 0.975, 0.99]))
    assert np.abs(law.cdf(x) - fine.cdf(x)).max() < 6e-4


def test_a_spike_at_an_end_is_left_to_betas() -> None:
    everything = Population([10] * 3, [10] * 3)
    with pytest.raises(TooDear):
        NodeSumLaw([everything.sum_terms(np.full(3, 1 / 3))])
    law = LearnedSum([(everything, np.full(3, 1 / 3))])
    assert law.route == "approximate"
    assert law.interval().high == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("k", "n"), [([19, 20, 1], [20] * 3), ([30, 3, 8], [32, 4, 10]), ([20] * 10, [20] * 10)])
def test_one_rate_is_a_mixture_over_the_nodes(k: list[int], n: list[int]) -> None:
    members = Population(k, n)
    for row in np.eye(len(k))[:3]:
        terms = members.sum_terms(row)
        law = one_rate(terms)
        x = np.clip(law.mean + law.sd * np.linspace(-3, 3, 13), 1e-6, 1 - 1e-6)
        odd, weight = terms.broad[:, :, 0], terms.weight
        expected = (weight * (1 - odd)).sum(0) @ betainc(terms.alpha, terms.beta, x)
        expected += (weight * odd).sum() * betainc(terms.broad_alpha, terms.broad_beta, x)
        # needles of alike members are spread towards their neighbours, which the bare nodes are not
        assert np.abs(law.cdf(x) - expected).max() < 2e-3


def test_the_lightest_normal_laws_as_one_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = Population([18, 9, 30], [20, 14, 41]).sum_terms(np.full(3, 1 / 3))
    law = NodeSumLaw([terms])
    monkeypatch.setattr(node_sums, "LIGHTEST", 0.0)
    each = NodeSumLaw([terms])
    x = np.linspace(law.mean - 5 * law.sd, law.mean + 5 * law.sd, 201)
    assert law.cdf(x) == pytest.approx(each.cdf(x), abs=3e-7)
    assert law.residual > each.residual


def test_evenly_spaced_frequencies_by_powers_and_by_sines() -> None:
    transform = NodeTransform(Population([18, 9, 30], [20, 14, 41]).sum_terms(np.full(3, 1 / 3)))
    nodes, t = np.arange(len(transform.weight[0]))[::7], 3.7 * np.arange(1, 60)
    (powers, last), (sines, end) = (transform._sum(nodes, t, even=even) for even in (True, False))
    assert np.abs(powers - sines).max() < 1e-13
    assert last == pytest.approx(end, abs=1e-13)
