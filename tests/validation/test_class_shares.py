"""Coverage of metrics that rest on where errors go and on how often classes come, under the learned prior."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.metrics import parse
from howsure.posterior.knowledge import knowledge_of

METRICS = ("f1@macro", "precision@macro", "precision@0", "mcc")


def rows_of(world: str, size: int, rng: np.random.Generator) -> np.ndarray:
    """Where the answers to each class go; recalls of the typical class are Beta(17, 3)."""
    recall = rng.beta(17, 3, size)
    errors = np.ones((size, size))
    if world == "swap":  # class 0 is called 1
        recall[0], errors[0] = 0.05, 1e-9
        errors[0, 1] = 1
    if world == "broken":
        recall[0] = 0.05
    if world == "sink":  # 80% of the errors are called 0
        errors[:, 0] = 4 * (size - 2)
    if world == "twin":  # half of them go to the neighbour
        for i in range(size):
            errors[i, i ^ 1 if i ^ 1 < size else i - 1] = size - 2
    np.fill_diagonal(errors, 0)
    return np.diag(recall) + (1 - recall)[:, None] * errors / errors.sum(axis=1, keepdims=True)


def covered(world: str, size: int, runs: int, seed: int, *, zipf: int = 0, shares: str | None = None) -> np.ndarray:
    """Share of tests whose central 95% interval holds the truth at the shares of the test, for each metric."""
    rng, hits = np.random.default_rng(seed), np.zeros(len(METRICS))
    weights = 1 / np.arange(1, size + 1) ** 1.2
    for _ in range(runs):
        rows = rows_of(world, size, rng)
        sizes = rng.multinomial(zipf, weights / weights.sum()) if zipf else np.full(size, 20)
        counts = np.stack([rng.multinomial(n, row) for n, row in zip(sizes, rows, strict=True)])
        known = knowledge_of(hs.infer(hs.ConfusionMatrix(counts), "learned", shares=shares))
        truth = rows * (sizes / sizes.sum())[:, None]
        for m, name in enumerate(METRICS):
            law = known.of(name, draws=600)
            low, high = law.interval(kind="central")
            hits[m] += low <= float(known.estimand(parse(name, known.labels))(truth)) <= high
    return hits / runs


@pytest.mark.deep
@pytest.mark.parametrize(("world", "size"), [("swap", 5), ("broken", 3), ("sink", 5), ("twin", 10)])
def test_errors_that_go_astray(world: str, size: int) -> None:
    """60 tests: 95% has a standard error of 2.8 points."""
    assert np.all(covered(world, size, 60, 171) >= 0.85)


@pytest.mark.deep
def test_one_class_called_another_of_ten() -> None:
    """Macro averages and MCC are covered; precision@0 waits for a population that lets one class be unlike."""
    found = covered("swap", 10, 60, 172)
    assert np.all(found[[0, 1, 3]] >= 0.85)


@pytest.mark.deep
@pytest.mark.parametrize(("size", "cases", "runs"), [(30, 300, 40), (300, 3000, 24)])
def test_macro_f1_of_a_long_tail(size: int, cases: int, runs: int) -> None:
    """Zipf 1.2: half of the classes have three cases or fewer; at uncertain shares it was never covered."""
    assert np.all(covered("typical", size, runs, 173, zipf=cases)[:2] >= 0.83)
