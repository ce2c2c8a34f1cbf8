"""Classifiers over many data sets: what `rank_over` says, takes and refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.numerics.sites import contest, contrasts

NAMES = ("forest", "tree", "bayes", "knn")
COUNTS = {
    name: dict(zip(NAMES, [(k, n) for k in right], strict=True))
    for name, n, right in (
        ("iris", 150, (141, 140, 138, 143)),
        ("wine", 178, (174, 160, 170, 168)),
        ("glass", 214, (165, 145, 110, 150)),
        ("sonar", 208, (175, 150, 140, 168)),
        ("heart", 270, (226, 204, 224, 215)),
        ("vowel", 990, (950, 801, 650, 930)),
    )
}


@pytest.fixture(scope="module")
def ranked() -> hs.RankedOver:
    return hs.rank_over(COUNTS)


def test_the_best_is_who_leads(ranked: hs.RankedOver) -> None:
    assert ranked.best == "forest"
    assert sum(row.p_best for row in ranked.rows) == pytest.approx(1, abs=0.001)
    assert sum(row.p_best_new for row in ranked.rows) == pytest.approx(1, abs=0.001)
    assert sum(row.lead.mean for row in ranked.rows) == pytest.approx(0, abs=1e-9)
    assert sum(row.mean_rank for row in ranked.rows) == pytest.approx(10)
    first = ranked.rows[0]
    assert first.p_best > first.p_best_new
    assert first.low == 1
    assert [row.mean_rank for row in ranked.rows] == sorted(row.mean_rank for row in ranked.rows)


def test_two_are_ranked_as_they_are_compared() -> None:
    """A normal approximation beside the exact binomial model."""
    two = {name: {"forest": x["forest"], "knn": x["knn"]} for name, x in COUNTS.items()}
    ranked, compared = hs.rank_over(two), hs.compare_over(two)
    p = {row.name: row.p_best for row in ranked.rows}
    new = {row.name: row.p_best_new for row in ranked.rows}
    assert p["forest"] == pytest.approx(compared.chances().better, abs=0.05)
    assert new["forest"] == pytest.approx(compared.chances("new").better, abs=0.08)
    lead = 2 * next(row.lead.mean for row in ranked.rows if row.name == "forest")
    assert lead == pytest.approx(compared.of().mean, abs=compared.of().sd)


@pytest.mark.deep
def test_the_grid_is_the_model() -> None:
    """The probability of tau and s, by the normal law of all contrasts of all data sets at once."""
    rng = np.random.default_rng(3)
    y = 0.8 + 0.05 * rng.standard_normal((4, 3))
    cover = np.array([np.diag(x) for x in 0.001 * (1 + rng.random((4, 3)))])
    c = contrasts(3)
    np.testing.assert_allclose(c @ c.T, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(c.sum(axis=1), 0, atol=1e-12)
    taus, spreads = np.meshgrid(np.linspace(0.001, 0.4, 70), np.linspace(0.001, 0.4, 70), indexing="ij")
    z, log_p, leads = (y @ c.T).ravel(), [], []
    for tau, s in zip(taus.ravel(), spreads.ravel(), strict=True):
        whole = np.kron(np.ones((4, 4)), s * s * np.eye(2)) + tau * tau * np.eye(8)
        for i in range(4):
            whole[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] += c @ cover[i] @ c.T
        log_p.append(stats.multivariate_normal.logpdf(z, np.zeros(8), whole) - 50 * (tau * tau + s * s))
        leads.append(c.T @ (np.kron(np.ones((1, 4)), s * s * np.eye(2)) @ np.linalg.solve(whole, z)))
    weight = np.exp(np.array(log_p) - max(log_p))
    weight /= weight.sum()
    made = contest(y, cover, draws=20_000, seed=0)
    assert made.tau == pytest.approx(weight @ taus.ravel(), rel=0.04)
    assert made.spread == pytest.approx(weight @ spreads.ravel(), rel=0.04)
    np.testing.assert_allclose(made.average.mean(axis=0), weight @ np.array(leads), atol=0.001)


GOOD = {"A": (1, 2), "B": (1, 2)}


@pytest.mark.parametrize(
    ("sites", "options", "sentence"),
    [
        ({}, {}, "rank_over.. takes data sets by name"),
        ({key: {"A": (1, 2)} for key in "xyz"}, {}, "one classifier"),
        ({"x": GOOD, "y": GOOD, "z": {"A": (1, 2), "B": (3, 2)}}, {}, "classifier 'B' in data set 'z' has 3 of 2"),
        ({f"d{i}": GOOD for i in range(501)}, {}, "500 data sets"),
    ],
)
def test_bad_data_sets_get_a_sentence(sites: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        hs.rank_over(sites, **options)
