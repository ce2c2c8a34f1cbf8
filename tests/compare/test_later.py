"""Who will be better after further cases, against plain simulation: a truth, new cases, and `compare` anew."""

from collections.abc import Callable

import numpy as np
import pytest

import howsure as hs

NEW = hs.ConfusionMatrix([[45, 5], [6, 44]], labels=["healthy", "ill"])
OLD = hs.ConfusionMatrix([[40, 10], [10, 40]], labels=["healthy", "ill"])
#: Truth, answer of the new one, of the old one.
TOGETHER = np.array([[[36, 9], [3, 2]], [[1, 4], [6, 39]]])
#: Simulated continuations.
MANY = 300


def predictions(cells: np.ndarray) -> hs.Predictions:
    cases = np.repeat(np.array(list(np.ndindex(cells.shape))), cells.ravel(), axis=0)
    truth, new, old = (np.array(["healthy", "ill", "other"])[column] for column in cases.T)
    return hs.Predictions(truth, {"new": new, "old": old})


def simulated(once: Callable[[np.random.Generator], float], level: float) -> np.ndarray:
    """Share of the continuations after which A, and B, is better for sure."""
    rng = np.random.default_rng(8)
    p = np.array([once(rng) for _ in range(MANY)])
    return np.array([np.mean(p >= level), np.mean(p <= 1 - level)])


@pytest.mark.parametrize("metric", ["accuracy", "error_rate", "recall@ill", "balanced_accuracy", "mcc"])
def test_separate_tests_are_continued_as_simulated(metric: str) -> None:
    now = hs.compare(hs.infer(NEW), hs.infer(OLD), metric=metric)
    found = hs.outlook(now, more=80, level=0.9)
    truths = [iter(hs.infer(known).draw(MANY, seed=seed)) for seed, known in enumerate((NEW, OLD), 20)]

    def once(rng: np.random.Generator) -> float:
        more = []
        for known, truth in zip((NEW, OLD), map(next, truths), strict=True):
            if metric in ("accuracy", "error_rate"):  # one coin a case
                right = int(np.trace(known.counts))
                k = rng.binomial(80, rng.beta(right + 1, known.n - right + 1))
                more.append(hs.Posterior.from_accuracy(correct=right + k, n=known.n + 80))
                continue
            new = rng.multinomial(80, truth.ravel()).reshape(2, 2)
            more.append(hs.infer(hs.ConfusionMatrix(known.counts + new, labels=known.labels)))
        return hs.compare(*more, metric=metric, draws=1_000).p_better

    expected = simulated(once, 0.9)
    assert found.p_now == now.p_better
    assert (found.futures == 0) == (metric in ("accuracy", "error_rate"))
    error = np.hypot(found.error, 0.5 / np.sqrt(MANY))
    assert [found.later["better"], found.later["worse"]] == pytest.approx(expected, abs=4 * error)
    assert sum(found.later.values()) == pytest.approx(1)
    assert found.change == pytest.approx(1 - found.later[found.now])


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "f1@ill"])
def test_pairs_are_continued_as_simulated(metric: str) -> None:
    now = hs.compare(predictions(TOGETHER), metric=metric)
    found = hs.outlook(now, more=80, level=0.9)

    def once(rng: np.random.Generator) -> float:
        # flat: each class has mass 2 over pairs of answers; the accuracy has 2 over right and wrong
        if metric == "accuracy":
            seen = np.array([75, 15, 7, 3])
            both, one, other, neither = rng.multinomial(80, rng.dirichlet(seen + 0.5)) + seen
            cells = np.zeros((2, 2, 2), dtype=int)
            cells[0] = [[both, one], [other, neither]]
        else:
            rows = [rng.dirichlet((TOGETHER[i] + 0.5).ravel()) for i in (0, 1)]
            shares = rng.dirichlet([51, 51])
            cells = TOGETHER + rng.multinomial(80, np.outer(shares, [1, 1, 1, 1]).ravel() * np.ravel(rows)).reshape(
                2, 2, 2
            )
        return hs.compare(predictions(cells), metric=metric, draws=1_000).p_better

    expected = simulated(once, 0.9)
    error = np.hypot(found.error, 0.5 / np.sqrt(MANY))
    assert found.paired
    assert [found.later["better"], found.later["worse"]] == pytest.approx(expected, abs=4 * error)
