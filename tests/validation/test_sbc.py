"""Simulation-based calibration: truths drawn from the prior, counts from the truths, and F(truth) must be uniform.

Talts et al. 2018. A wrong Jacobian, a forgotten pseudo-count or a law that is too narrow shows here, and nowhere else
where all formulas share the same mistake. Nothing is assumed about the world: the prior is the world.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special
from tests.validation.coverage import LONGER

import howsure as hs
from howsure.laws import BetaSum, LearnedSum
from howsure.numerics.populations.nodes import size_scores
from howsure.numerics.populations.population import Population
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.priors import resolve_prior

Floats = NDArray[np.float64]

BINS = 10

#: Cases of a table.
CASES = 25


def chance_of(pits: Floats) -> float:
    """p-value of the chi-square test of uniformity over equal bins."""
    counts = np.bincount(np.minimum((pits * BINS).astype(int), BINS - 1), minlength=BINS)
    expected = len(pits) / BINS
    return float(special.chdtrc(BINS - 1, ((counts - expected) ** 2 / expected).sum()))


def assert_uniform(pits: Floats) -> None:
    """Over all bins (1e-4 allows for the number of tests here) and in the mean, within four standard errors."""
    assert chance_of(pits) > 1e-4, np.histogram(pits, BINS, (0, 1))[0]
    assert abs(pits.mean() - 0.5) < 4 / np.sqrt(12 * len(pits))


# -- what metrics are, written once more -------------------------------------------------------------------------


def recall(p: Floats) -> float:
    return float(p[-1, -1] / p[-1].sum())


def balanced_accuracy(p: Floats) -> float:
    return float((np.diag(p) / p.sum(1)).mean())


def macro_f1(p: Floats) -> float:
    return float((2 * np.diag(p) / (p.sum(0) + p.sum(1))).mean())


def f1(p: Floats) -> float:
    return float(2 * p[-1, -1] / (p[-1].sum() + p[:, -1].sum()))


def mcc(p: Floats) -> float:
    true, pred = p.sum(1), p.sum(0)
    return float((np.trace(p) - true @ pred) / np.sqrt((1 - true @ true) * (1 - pred @ pred)))


TWO = {"recall": recall, "balanced_accuracy": balanced_accuracy, "f1": f1, "mcc": mcc}
THREE = {"recall@c2": recall, "balanced_accuracy": balanced_accuracy, "f1@macro": macro_f1, "mcc": mcc}


def joint_table(prior: str, classes: int, rng: np.random.Generator) -> Floats:
    """A true joint table: prevalence from its Dirichlet, every row from its Dirichlet."""
    pseudo = resolve_prior(prior, classes)
    shares = rng.dirichlet(np.full(classes, pseudo.prevalence / classes))
    rows = np.array([rng.dirichlet(np.where(np.arange(classes) == i, pseudo.a, pseudo.b / (classes - 1)))
                     for i in range(classes)])  # fmt: skip
    return np.asarray(shares[:, None] * rows)


def pits_of(
    world: str, prior: str, classes: int, metrics: dict[str, Callable[[Floats], float]], runs: int
) -> dict[str, Floats]:
    """F(truth) of every metric; truths come from ``world``, posteriors use ``prior``."""
    rng = np.random.default_rng([classes, runs])
    found: dict[str, list[float]] = {name: [] for name in metrics}
    labels = [f"c{i}" for i in range(classes)]
    for run in range(runs):
        truth = joint_table(world, classes, rng)
        counts = rng.multinomial(CASES, truth.ravel()).reshape(truth.shape)
        positive = labels[-1] if classes == 2 else None
        post = hs.infer(hs.ConfusionMatrix(counts, labels=labels, positive=positive), prior)
        for name, metric in metrics.items():
            found[name].append(knowledge_of(post).of(name, draws=400, seed=run).cdf(metric(truth)))
    return {name: np.array(values) for name, values in found.items()}


@pytest.mark.full
@pytest.mark.sweep("flat")
@pytest.mark.parametrize("prior", ["flat", "jeffreys"])
def test_two_classes_by_exact_laws(prior: str) -> None:
    for pits in pits_of(prior, prior, 2, TWO, 200 * LONGER).values():
        assert_uniform(pits)


@pytest.mark.full
def test_three_classes_by_draws() -> None:
    for pits in pits_of("flat", "flat", 3, THREE, 200 * LONGER).values():
        assert_uniform(pits)


@pytest.mark.full
@pytest.mark.parametrize("prior", ["flat", "jeffreys"])
def test_accuracy_is_one_coin(prior: str) -> None:
    rng = np.random.default_rng(5)
    pseudo = resolve_prior(prior, 2)
    pits = []
    for _ in range(500 * LONGER):
        rate = rng.beta(*pseudo.coin)
        right = int(rng.binomial(CASES, rate))
        post = hs.infer(hs.ConfusionMatrix([[right, CASES - right], [0, 0]]), prior)
        pits.append(knowledge_of(post).of("accuracy").cdf(rate))
    assert_uniform(np.array(pits))


def learned_world(n: Floats, rng: np.random.Generator) -> tuple[Floats, float]:
    """Right answers and the true balanced accuracy, from the hyperprior of the learned prior down."""
    a, b, rho = special.logit(rng.uniform()), rng.normal(), rng.beta(1, 3)
    kappa, mu = 1 / rho - 1, special.expit(a + b * size_scores(n))
    recalls = rng.beta(np.maximum(mu * kappa, 1e-300), np.maximum((1 - mu) * kappa, 1e-300))
    recalls = np.where(rng.random(len(n)) < rng.beta(1, 9), rng.beta(0.5, 0.5, len(n)), recalls)
    return rng.binomial(n.astype(int), recalls).astype(float), float(recalls.mean())


@pytest.mark.full
@pytest.mark.sweep("30-100")
@pytest.mark.parametrize(("classes", "runs"), [(2, 300), (5, 200), (30, 100), (300, 50)])
def test_the_learned_prior(classes: int, runs: int) -> None:
    """The only test that sees a wrong weight of a node, whatever it is wrong by."""
    rng, n = np.random.default_rng([classes, 2]), np.resize([4.0, 60.0, 15.0, 9.0], classes)
    pits = []
    for _ in range(runs * LONGER):
        k, truth = learned_world(n, rng)
        law = LearnedSum([(Population(k, n), np.full(classes, 1 / classes))])
        pits.append(float(law.cdf(np.array([truth]))[0]))
    assert_uniform(np.array(pits))


@pytest.mark.deep
def test_wrong_priors_are_seen() -> None:
    """What these tests can see: pseudo-counts of another prior, and a flat prior in a learned world."""
    for pits in pits_of("dirichlet1", "flat", 3, {"balanced_accuracy": balanced_accuracy}, 300).values():
        with pytest.raises(AssertionError):
            assert_uniform(pits)
    rng, n = np.random.default_rng(7), np.resize([4.0, 60.0, 15.0, 9.0], 30)
    pits = []
    for _ in range(300):
        k, truth = learned_world(n, rng)
        pits.append(BetaSum(k + 1, n - k + 1).cdf(truth))
    with pytest.raises(AssertionError):
        assert_uniform(np.array(pits))
