"""What more cases would change, of one classifier and of two, against plain simulation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import beta, betabinom

import howsure as hs
from howsure.errors import InvalidArgument


def test_what_more_cases_would_change_is_their_predictive_law() -> None:
    posterior = hs.Posterior.from_accuracy(correct=88, n=100, prior="flat")
    found = hs.outlook(posterior, "accuracy", above=0.8, more=50)
    k = np.arange(51)
    later = beta.sf(0.8, 89 + k, 13 + 50 - k)
    stays = betabinom.pmf(k, 50, 89, 13)[later >= 0.95].sum()
    nows = [hs.outlook(posterior, "accuracy", above=above, more=50).now for above in (0.8, 0.88, 0.95)]
    assert nows == ["above", "open", "below"]
    assert found.p_now == pytest.approx(beta.sf(0.8, 89, 13))
    assert found.later["above"] == pytest.approx(stays, abs=1e-9)
    assert (found.error, found.futures) == (0, 0)
    assert found.change == pytest.approx(1 - found.later["above"])
    assert sum(found.later.values()) == pytest.approx(1)


@pytest.mark.full
def test_an_outlook_for_a_drawn_metric_and_a_stated_prevalence() -> None:
    posterior = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]), "flat")
    found = hs.outlook(posterior, "recall@1", above=0.7, more=100)
    right, rng = posterior.draw(1000, seed=4), np.random.default_rng(4)
    extra = [rng.multinomial(100, t.ravel()).reshape(2, 2) for t in right]
    above = [hs.laws.Beta(43 + e[1, 1], 9 + e[1, 0]).prob(above=0.7) >= 0.95 for e in extra]
    assert found.later["above"] == pytest.approx(np.mean(above), abs=6 * found.error)
    clinic = hs.outlook(posterior.at_prevalence([0.9, 0.1]), "precision@1", above=0.3, more=50)
    assert 0 <= clinic.change <= 1
    assert "50 more cases would leave it at that with probability 0." in str(clinic)
    assert clinic.to_dict()["now"] == clinic.now


def test_further_cases_come_as_those_of_the_test_did_whatever_prevalence_is_stated() -> None:
    """Of a thousand more half are ill, as now; at the stated share it would be a hundred, which settle less."""
    posterior = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]), "flat")
    found = hs.outlook(posterior.at_prevalence([0.9, 0.1]), "recall@1", above=0.8, more=1_000)
    right = np.arange(501)
    settled = beta(43 + right, 9 + 500 - right).sf(0.8) >= 0.95
    assert found.later["above"] == pytest.approx(float(betabinom(500, 43, 9).pmf(right)[settled].sum()), abs=0.05)


def test_noise_of_the_draws_is_no_change_of_an_outlook() -> None:
    """Ten further cases, every outcome of the positive class summed."""
    posterior = hs.infer(hs.ConfusionMatrix([[450, 50], [75, 425]]), "flat")
    cases, right = np.array([(m, k) for m in range(11) for k in range(m + 1)]).T
    chance = betabinom.pmf(cases, 10, 501, 501) * betabinom.pmf(right, cases, 426, 76)
    stays = chance[beta.sf(0.82, 426 + right, 76 + cases - right) >= 0.95].sum()
    found = hs.outlook(posterior, "recall@1", above=0.82, more=10)
    assert found.now == "above"
    assert found.later["above"] == pytest.approx(stays, abs=5 * found.error)
    assert 0.5 < stays < 0.99


def test_outlooks_that_make_no_sense() -> None:
    posterior = hs.Posterior.from_accuracy(correct=88, n=100)
    with pytest.raises(InvalidArgument, match="more is an integer"):
        hs.outlook(posterior, "accuracy", above=0.8, more=0)
    with pytest.raises(InvalidArgument, match="between 0 and 1"):
        hs.outlook(posterior, "accuracy", above=80, more=10)
    table = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]])).at_prevalence(cases=[490, 10])
    with pytest.raises(InvalidArgument, match="prevalence is of other cases"):
        hs.outlook(table, "precision@1", above=0.1, more=10)


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


@pytest.mark.full
@pytest.mark.sweep(1)
@pytest.mark.parametrize("metric", ["accuracy", "mcc"])
def test_separate_tests_are_continued_as_simulated(metric: str) -> None:
    now = hs.compare(hs.infer(NEW), hs.infer(OLD), metric=metric)
    found = hs.outlook(now, more=80, level=0.9)
    truths = [iter(hs.infer(known).draw(MANY, seed=seed)) for seed, known in enumerate((NEW, OLD), 20)]

    def once(rng: np.random.Generator) -> float:
        more = []
        for known, truth in zip((NEW, OLD), map(next, truths), strict=True):
            if metric == "accuracy":  # one coin a case
                right = int(np.trace(known.counts))
                k = rng.binomial(80, rng.beta(right + 2 / 3, known.n - right + 2 / 3))
                more.append(hs.Posterior.from_accuracy(correct=right + k, n=known.n + 80))
                continue
            new = rng.multinomial(80, truth.ravel()).reshape(2, 2)
            more.append(hs.infer(hs.ConfusionMatrix(known.counts + new, labels=known.labels)))
        return hs.compare(*more, metric=metric, draws=500).p_better

    expected = simulated(once, 0.9)
    assert found.p_now == now.p_better
    assert (found.futures == 0) == (metric == "accuracy")
    error = np.hypot(found.error, 0.5 / np.sqrt(MANY))
    assert [found.later["better"], found.later["worse"]] == pytest.approx(expected, abs=5 * error)
    assert sum(found.later.values()) == pytest.approx(1)
    assert found.change == pytest.approx(1 - found.later[found.now])


@pytest.mark.full
@pytest.mark.sweep(1)
@pytest.mark.parametrize("metric", ["accuracy", "f1@ill"])
def test_pairs_are_continued_as_simulated(metric: str) -> None:
    found = hs.outlook(hs.compare(predictions(TOGETHER), metric=metric), more=80, level=0.9)

    def once(rng: np.random.Generator) -> float:
        # calibrated: each class has mass 4/3 over pairs of answers; the accuracy has 4/3 over right and wrong
        if metric == "accuracy":
            seen = np.array([75, 15, 7, 3])
            cells = np.zeros((2, 2, 2), dtype=int)
            cells[0] = (rng.multinomial(80, rng.dirichlet(seen + 1 / 3)) + seen).reshape(2, 2)
        else:
            rows = np.array([rng.dirichlet((TOGETHER[i] + 1 / 3).ravel()) for i in (0, 1)])
            more = rng.multinomial(80, (rng.dirichlet([50 + 2 / 3, 50 + 2 / 3])[:, None] * rows).ravel())
            cells = TOGETHER + more.reshape(2, 2, 2)
        return hs.compare(predictions(cells), metric=metric, draws=500).p_better

    expected = simulated(once, 0.9)
    error = np.hypot(found.error, 0.5 / np.sqrt(MANY))
    assert found.paired
    assert [found.later["better"], found.later["worse"]] == pytest.approx(expected, abs=5 * error)


@pytest.mark.full
def test_the_mirror_image_is_the_same_outlook() -> None:
    for metric in ("accuracy", "error_rate"):
        one = hs.outlook(hs.compare(hs.infer(NEW), hs.infer(OLD), metric=metric), more=70)
        other = hs.outlook(hs.compare(hs.infer(OLD), hs.infer(NEW), metric=metric), more=70)
        assert one.later["better"] == pytest.approx(other.later["worse"])
        assert one.later["worse"] == pytest.approx(other.later["better"])
    # what is right of one answer is what is not wrong of it
    right, wrong = (
        hs.outlook(hs.compare(hs.infer(NEW), hs.infer(OLD), metric=metric), more=70)
        for metric in ("accuracy", "error_rate")
    )
    assert wrong.p_now == pytest.approx(right.p_now)
    assert wrong.later == pytest.approx(right.later)
    nobody = hs.outlook(hs.compare(hs.infer(NEW), hs.infer(NEW), metric="accuracy"), more=70)
    assert nobody.p_now == 0.5
    assert nobody.later["better"] == pytest.approx(nobody.later["worse"])


def test_outlooks_of_two_that_make_no_sense() -> None:
    one, other = hs.infer(NEW), hs.infer(OLD)
    now = hs.compare(one, other)
    labels = [str(i) for i in range(11)]
    many = hs.compare(hs.Predictions(labels, {"a": labels, "b": labels[::-1]}))
    elsewhere = hs.compare(*(x.at_prevalence(cases=[490, 10]) for x in (one, other)), metric="precision@ill")
    for ask, sentence in (
        (lambda: hs.outlook(now, "mcc", more=10), "has its metric"),
        (lambda: hs.outlook(now, more=0), "more is an integer"),
        (lambda: hs.outlook(hs.compare(one, other, rope=0.01), more=10), "compare\\(\\) without rope="),
        (lambda: hs.outlook((one, other), more=10), "or two, compared by compare\\(\\); not tuple"),
        (lambda: hs.outlook(many, more=10), "up to 10 classes, not 11"),
        (lambda: hs.outlook(elsewhere, more=10), "prevalence is of other cases"),
    ):
        with pytest.raises(InvalidArgument, match=sentence):
            ask()  # type: ignore[no-untyped-call]


@pytest.mark.full
def test_a_small_test_set_beside_a_large_one_needs_its_exact_tail_now_and_later() -> None:
    """Every continuation of 20 and 1,000 cases by plain simulation; the tail of Clopper and Pearson by SciPy."""
    small, large = hs.Posterior.from_accuracy(correct=20, n=20), hs.Posterior.from_accuracy(correct=860, n=1000)
    two = hs.compare(small, large, metric="accuracy")
    assert two.p_better >= 0.97
    assert hs.outlook(two, more=30, level=0.97).now == "open"
    found = hs.outlook(two, more=30)
    s = 2 / 3
    rng = np.random.default_rng(8)
    k, big = rng.binomial(30, rng.beta(20 + s, s, 1_500)), rng.binomial(30, rng.beta(860 + s, 140 + s, 1_500))
    x = rng.beta(860 + s + big[:, None], 140 + s + 30 - big[:, None], (1_500, 300))
    plain = beta.sf(x, 20 + s + k[:, None], s + 30 - k[:, None]).mean(1)
    tail = beta.sf(x, 20 + k[:, None], 1 + 30 - k[:, None]).mean(1)
    assert found.later["better"] == pytest.approx(np.mean(np.minimum(plain, tail) >= 0.95), abs=0.05)
    assert found.later["better"] < np.mean(plain >= 0.95) - 0.03
    tables = [hs.infer(hs.ConfusionMatrix(t)) for t in ([[10, 0], [1, 9]], [[480, 20], [80, 420]])]
    assert "smaller test set" in hs.outlook(hs.compare(*tables), more=5).notes[0]
