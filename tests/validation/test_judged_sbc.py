"""Truths drawn from the prior of judged samples, verdicts and labels from the truths: F(truth) must be uniform."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special
from tests.validation.coverage import LONGER
from tests.validation.test_sbc import assert_uniform

import howsure as hs
from howsure.laws import CarriedPrevalence

CASES, LABELS = 150, 40


def judged(
    truths: int, verdicts: int, right: np.ndarray, rng: np.random.Generator
) -> tuple[hs.ConfusionMatrix, np.ndarray]:
    """A sample of labelled and unlabelled cases, and its true joint table (K, V); ``right`` are the rows, (V, K)."""
    q = rng.dirichlet(np.ones(verdicts))
    joint = (q[:, None] * right).T
    labelled = rng.multinomial(LABELS, joint.ravel()).reshape(joint.shape)
    rest = rng.multinomial(CASES - LABELS, joint.sum(0))
    labels = [f"c{i}" for i in range(truths)]
    names = labels if truths == verdicts else [f"v{i}" for i in range(verdicts)]
    return hs.ConfusionMatrix(labelled, labels=labels, verdicts=names, unlabelled=rest), joint


def pits(
    truths: int, verdicts: int, metrics: dict[str, object], runs: int, prior: str = "jeffreys"
) -> dict[str, np.ndarray]:
    """F(truth) of every metric."""
    rng = np.random.default_rng([truths, verdicts, runs])
    found: dict[str, list[float]] = {name: [] for name in metrics}
    for run in range(runs):
        right = np.array([rng.dirichlet(row) for row in rows_of(truths, verdicts)])
        matrix, joint = judged(truths, verdicts, right, rng)
        post = hs.infer(matrix, prior)
        for name, metric in metrics.items():
            found[name].append(below(post.of(name, draws=400), metric(joint), run))  # type: ignore[operator]
    return {name: np.array(values) for name, values in found.items()}


def below(known: hs.Distribution, truth: float, seed: int) -> float:
    """F(truth) by draws; that laws agree with their draws is tested where they are."""
    drawn = known.sample(400, seed=seed)
    return float((drawn < truth).mean() + np.random.default_rng(seed).random() * (drawn == truth).mean())


def rows_of(truths: int, verdicts: int) -> np.ndarray:
    """Dirichlet parameters of jeffreys' rows, (V, K)."""
    if truths == 2 or truths != verdicts:
        return np.full((verdicts, truths), 0.5 if truths == 2 else 1 / truths)
    rows = np.full((truths, truths), 0.5 / (truths - 1))
    np.fill_diagonal(rows, 0.5)
    return rows


def share(joint: np.ndarray) -> float:
    return float(joint[-1].sum())


def recall(joint: np.ndarray) -> float:
    return float(joint[-1, -1] / joint[-1].sum())


@pytest.mark.full
def test_two_verdicts() -> None:
    for values in pits(2, 2, {"prevalence@c1": share, "recall@c1": recall}, 60 * LONGER).values():
        assert_uniform(values)


def test_three_verdicts() -> None:
    for values in pits(2, 3, {"prevalence@c1": share}, 40 * LONGER).values():
        assert_uniform(values)


def test_three_classes() -> None:
    for values in pits(3, 3, {"prevalence@c2": share}, 60 * LONGER).values():
        assert_uniform(values)


@pytest.mark.sweep("3")
@pytest.mark.parametrize("verdicts", [3, 10])
def test_rows_that_learn(verdicts: int) -> None:
    rng, values = np.random.default_rng([verdicts, 5]), []
    for run in range(40 * LONGER):
        a, kappa = special.logit(rng.uniform()), 1 / rng.beta(1, 3) - 1
        mu = special.expit(a)
        r = rng.beta(max(mu * kappa, 1e-300), max((1 - mu) * kappa, 1e-300), verdicts)
        matrix, joint = judged(2, verdicts, np.stack([1 - r, r], axis=1), rng)
        values.append(below(hs.infer(matrix).of("prevalence@c1", draws=400), share(joint), run))
    assert_uniform(np.array(values))


@pytest.mark.deep  # a law for each data set
def test_rates_carried_over() -> None:
    rng, values = np.random.default_rng(6), []
    for _ in range(60 * LONGER):
        theta, se, sp = rng.random(3)
        s, c = rng.binomial(30, se), rng.binomial(40, sp)
        k = rng.binomial(100, theta * se + (1 - theta) * (1 - sp))
        law = CarriedPrevalence(int(k), 100, recall=(s + 1, 31 - s), specificity=(c + 1, 41 - c))
        values.append(float(law.cdf(theta)))
    assert_uniform(np.array(values))
