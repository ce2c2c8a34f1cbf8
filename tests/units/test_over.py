"""Comparisons and ranks over data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.numerics.sites import (
    apart,
    contest,
    contrasts,
    gain_over_sites,
    site_population,
    together,
    uniform_rates,
)

#: Right answers and cases of two classifiers, as a paper prints them.
PRINTED = {
    name: {"forest": (a, n), "tree": (b, n)}
    for name, a, b, n in (
        ("iris", 141, 143, 150),
        ("wine", 170, 165, 178),
        ("glass", 150, 141, 214),
        ("sonar", 171, 150, 208),
        ("heart", 224, 214, 270),
        ("vowel", 930, 801, 990),
    )
}


def answered(both: int, only_a: int, only_b: int, neither: int, first: int = 0) -> hs.Predictions:
    cells = np.repeat([0, 1, 2, 3], [both, only_a, only_b, neither])
    a, b = np.isin(cells, [0, 1]), np.isin(cells, [0, 2])
    return hs.Predictions(
        np.ones(len(cells), int),
        {"A": a.astype(int), "B": b.astype(int)},
        id=first + np.arange(len(cells)),
        labels=[0, 1],
    )


CELLS = [(60, 12, 5, 13), (150, 20, 14, 30), (70, 6, 7, 20), (40, 15, 3, 10), (90, 9, 4, 5)]
PAIRED = {f"set {i}": answered(*cells, first=1000 * i) for i, cells in enumerate(CELLS)}


@pytest.fixture(scope="module")
def paired() -> hs.ComparedOver:
    return hs.compare_over(PAIRED, rope=0.01)


def test_the_mean_over_data_sets_has_two_routes() -> None:
    """The quadrature over two logits; expectations of one logit at a time, and draws of the population."""
    k, n = np.array([[45.0, 40], [30, 28], [80, 70]]), np.array([[50.0, 50], [40, 40], [90, 90]])
    made = site_population(k, n, draws=1000, seed=0, middle=uniform_rates, shared=1.0)
    over = gain_over_sites(made.mean, made.sd, made.rho, paired=False)
    off = np.abs(over.mean - (made.over_sites[:, 0] - made.over_sites[:, 1]))
    assert np.quantile(off, 0.95) < 2e-4
    assert off.max() < 0.01  # where an sd is 3 and more
    assert made.weight @ off < 1e-4
    one = slice(0, 1)
    rng = np.random.default_rng(1)
    cover = made.sd[0, :, None] * made.sd[0] * np.array([[1, made.rho[0]], [made.rho[0], 1]])
    logits = rng.multivariate_normal(made.mean[0], cover, 400_000)
    for paired, of in ((False, apart), (True, together)):
        exact = gain_over_sites(made.mean[one], made.sd[one], made.rho[one], paired=paired)
        assert exact.mean[0] == pytest.approx(of(logits).mean(), abs=0.002)
        assert exact.sd[0] == pytest.approx(of(logits).std(), abs=0.002)


@pytest.mark.full
def test_groups_of_predictions_are_data_sets(paired: hs.ComparedOver) -> None:
    truth = np.concatenate([x.truth for x in PAIRED.values()])
    labels = np.concatenate([[name] * x.n for name, x in PAIRED.items()])
    answers = {one: np.concatenate([x.answers(one) for x in PAIRED.values()]) for one in "AB"}
    grouped = hs.Predictions(truth, answers, group=labels)
    made = hs.compare_over(grouped, rope=0.01)
    assert made.counts.cells.tolist() == paired.counts.cells.tolist() == [list(cells) for cells in CELLS]
    assert made.of().mean == paired.of().mean


def test_a_recall_is_of_the_cases_of_its_class() -> None:
    truth = ["ill"] * 30 + ["well"] * 50
    sets = {}
    for i, name in enumerate("uvw"):
        a, b = list(truth), list(truth)
        a[: 2 + i] = ["well"] * (2 + i)
        b[: 6 + i] = ["well"] * (6 + i)
        b[40:45] = ["ill"] * 5
        sets[name] = hs.Predictions(truth, {"A": a, "B": b})
    assert hs.compare_over(sets, metric="recall@ill").counts.cells.tolist() == [[24 - i, 4, 0, 2 + i] for i in range(3)]
    assert hs.compare_over(sets, metric="recall@well").counts.cells[0].tolist() == [45, 5, 0, 0]
    assert hs.compare_over(sets).counts.cells[0].tolist() == [69, 9, 0, 2]


@pytest.mark.full
def test_few_data_sets_say_so() -> None:
    two = hs.compare_over(dict(list(PRINTED.items())[:2]))
    assert "too few to say anything of others" in two.sentence
    assert two.to_dict()["mean_difference"] is None
    for ask in (two.of, two.chances, lambda: two.spread):
        with pytest.raises(hs.errors.NoInformation, match="2 data sets say nothing of others"):
            ask()
    three = hs.compare_over(dict(list(PRINTED.items())[:3]))
    assert "mostly the prior's" in three.warnings[0]


GOOD = {"A": (1, 2), "B": (1, 2)}
CASES = answered(2, 1, 1, 1)


@pytest.mark.parametrize(
    ("sites", "options", "sentence"),
    [
        ({}, {}, "data sets by name"),
        ({"x": GOOD, " ": GOOD}, {}, "a name of its own"),
        ({"x": GOOD, "y": {"A": (1, 2)}}, {}, "data set 'y' has no answers of 'B'"),
        ({"x": {**GOOD, "C": (1, 2)}, "y": GOOD}, {}, "say which two"),
        ({"x": GOOD, "y": GOOD}, {"rope": -1}, "rope is"),
        (CASES, {}, "no data set is known"),
        ({"x": CASES, "y": answered(2, 1, 1, 1, 90)}, {"metric": "recall@0"}, "no case to count recall@0 from"),
    ],
)
def test_bad_data_sets_get_a_sentence(sites: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        hs.compare_over(sites, **options)


# -- classifiers over many data sets: what `rank_over` says, takes and refuses ----------------------------------------

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


@pytest.mark.parametrize(
    ("sites", "options", "sentence"),
    [
        ({}, {}, "rank_over.. takes data sets by name"),
        ({key: {"A": (1, 2)} for key in "xyz"}, {}, "one classifier"),
        ({"x": GOOD, "y": GOOD, "z": {"A": (1, 2), "B": (3, 2)}}, {}, "classifier 'B' in data set 'z' has 3 of 2"),
        ({f"d{i}": GOOD for i in range(501)}, {}, "500 data sets"),
    ],
)
def test_bad_data_sets_get_a_sentence_of_rank_over(sites: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        hs.rank_over(sites, **options)
