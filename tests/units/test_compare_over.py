"""Two classifiers over many data sets: what `compare_over` says, takes and refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special

import howsure as hs
from howsure.numerics.sites import apart, gain_over_sites, log_likelihood, site_population, together, uniform_rates

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
def test_the_posterior_is_that_of_draws_from_the_prior() -> None:
    """Importance sampling from a fitted t, and the prior itself weighted by the likelihood of few cases."""
    k, n = np.array([[7.0, 4], [6, 5], [9, 6], [4, 3]]), np.full((4, 2), 10.0)
    made = site_population(k, n, draws=6000, seed=0, middle=uniform_rates, shared=1.0)
    rng = np.random.default_rng(2)
    mean = special.logit(rng.random((40_000, 2)))
    level, half = np.abs(rng.standard_normal((2, 40_000))) / np.array([[1.0], [2.0]])
    # accuracies are level + half and level - half of a data set, each normal
    variance, together_ = level**2 + half**2, level**2 - half**2
    sd, rho = np.repeat(np.sqrt(variance)[:, None], 2, axis=1), together_ / variance
    found = log_likelihood(mean, sd, rho, k, n, nodes=7).sum(axis=1)
    weight = np.exp(found - found.max())
    weight /= weight.sum()
    ours = gain_over_sites(made.mean, made.sd, made.rho, paired=False)
    theirs = gain_over_sites(mean, sd, rho, paired=False)
    assert 1 / (weight @ weight) > 1000
    assert made.weight @ ours.mean == pytest.approx(weight @ theirs.mean, abs=0.008)
    assert made.weight @ ours.sd == pytest.approx(weight @ theirs.sd, abs=0.006)
    assert made.weight @ (ours.mean > 0) == pytest.approx(weight @ (theirs.mean > 0), abs=0.02)


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
