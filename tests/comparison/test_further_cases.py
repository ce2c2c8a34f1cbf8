"""Who will be better after further cases, against plain simulation: a truth, new cases, and `compare` anew."""

import json
import sys
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import betabinom

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.numerics.ranks.exceedance import exceedance
from howsure.posterior.paired import PairedPosterior

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


@pytest.mark.sweep(1)
@pytest.mark.parametrize("metric", ["accuracy", "recall@ill", "mcc"])
def test_separate_tests_are_continued_as_simulated(metric: str) -> None:
    now = hs.compare(hs.infer(NEW), hs.infer(OLD), metric=metric)
    found = hs.outlook(now, more=80, level=0.9)
    truths = [iter(hs.infer(known).draw(MANY, seed=seed)) for seed, known in enumerate((NEW, OLD), 20)]

    def once(rng: np.random.Generator) -> float:
        more = []
        for known, truth in zip((NEW, OLD), map(next, truths), strict=True):
            if metric == "accuracy":  # one coin a case
                right = int(np.trace(known.counts))
                k = rng.binomial(80, rng.beta(right + 1, known.n - right + 1))
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


@pytest.mark.sweep(1)
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
        return hs.compare(predictions(cells), metric=metric, draws=500).p_better

    expected = simulated(once, 0.9)
    error = np.hypot(found.error, 0.5 / np.sqrt(MANY))
    assert found.paired
    assert [found.later["better"], found.later["worse"]] == pytest.approx(expected, abs=5 * error)


@pytest.mark.deep
def test_noise_of_the_draws_is_no_change() -> None:
    """Few further cases of a recall, every outcome of both tests summed: a decision near its edge seldom falls."""
    new, old = np.array([[450, 50], [36, 464]]), np.array([[400, 100], [52, 448]])
    arms = []
    for counts in (new, old):
        cases, right = np.array([(m, k) for m in range(16) for k in range(m + 1)]).T
        a, b = counts[1, 1] + 1, counts[1, 0] + 1
        chance = betabinom.pmf(cases, 15, 501, 501) * betabinom.pmf(right, cases, a, b)
        arms.append((a + right, b + cases - right, chance))
    (a, b, chance), (c, d, other) = arms
    expected = np.outer(chance, other)[exceedance((a[:, None], b[:, None]), (c, d)) >= 0.95].sum()
    flat = (hs.infer(hs.ConfusionMatrix(x), "flat") for x in (new, old))
    found = hs.outlook(hs.compare(*flat, metric="recall@1"), more=15)
    assert expected == pytest.approx(0.8989, abs=1e-4)
    assert found.now == "better"
    assert found.later["better"] == pytest.approx(expected, abs=5 * found.error)


@pytest.mark.sweep("True")
@pytest.mark.parametrize("paired", [True, False])
def test_more_cases_than_are_counted_out_are_drawn(paired: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    now = (
        hs.compare(predictions(TOGETHER), metric="accuracy")
        if paired
        else hs.compare(hs.infer(NEW), hs.infer(OLD), metric="error_rate")
    )
    counted = hs.outlook(now, more=300)
    places = sys.modules["howsure.comparison.further_cases"]
    monkeypatch.setattr(places, "MOST_PAIRED", 10)
    monkeypatch.setattr(places, "MOST_SEPARATE", 10)
    drawn = hs.outlook(now, more=300)
    assert (counted.error, counted.futures, drawn.futures) == (0, 0, 20_000)
    assert list(drawn.later.values()) == pytest.approx(list(counted.later.values()), abs=5 * drawn.error)
    assert hs.outlook(now, more=10**9).later["open"] < 0.01  # then all is known


def test_a_pair_of_three_at_a_stated_prevalence_keeps_its_cases() -> None:
    both = predictions(TOGETHER)
    answers = {name: [both.labels[i] for i in both.answers(name)] for name in ("new", "old")}
    truth = [both.labels[i] for i in both.truth]
    three = PairedPosterior(hs.Predictions(truth, {"other": truth[::-1], **answers}))
    pair = hs.outlook(hs.compare(both, metric="accuracy"), more=50)
    among = hs.outlook(hs.compare(three["new"], three["old"], metric="accuracy", names=("x", "y")), more=50)
    assert among.later == pytest.approx(pair.later)
    assert (among.names, among.paired) == (("x", "y"), True)
    even = three.at_prevalence([0.5, 0.5])
    stated = hs.outlook(hs.compare(even["new"], even["old"], metric="accuracy"), more=50)
    assert stated.futures > 0
    assert stated.paired
    assert stated.later["better"] == pytest.approx(pair.later["better"], abs=0.1)


def test_right_answers_alone_against_a_matrix_elsewhere() -> None:
    there = hs.infer(NEW).at_prevalence([0.5, 0.5])
    found = hs.outlook(hs.compare(there, hs.Posterior.from_accuracy(correct=80, n=100), metric="accuracy"), more=100)
    counted = hs.outlook(hs.compare(hs.infer(NEW), hs.infer(OLD), metric="accuracy"), more=100)
    assert found.futures > 0
    assert found.later["better"] == pytest.approx(counted.later["better"], abs=0.1)


def test_the_mirror_image_is_the_same_outlook() -> None:
    for metric in ("accuracy", "error_rate"):
        one = hs.outlook(hs.compare(hs.infer(NEW), hs.infer(OLD), metric=metric), more=70)
        other = hs.outlook(hs.compare(hs.infer(OLD), hs.infer(NEW), metric=metric), more=70)
        assert one.later["better"] == pytest.approx(other.later["worse"])
        assert one.later["worse"] == pytest.approx(other.later["better"])
    nobody = hs.outlook(hs.compare(hs.infer(NEW), hs.infer(NEW), metric="accuracy"), more=70)
    assert nobody.p_now == 0.5
    assert nobody.later["better"] == pytest.approx(nobody.later["worse"])


def test_an_outlook_of_two_is_said_and_written() -> None:
    apart = hs.outlook(hs.compare(hs.infer(NEW), hs.infer(OLD), metric="mcc", names=("new", "old")), more=100)
    assert "After 100 cases new is better than old in mcc (P(new better) = 0.9" in str(apart)
    assert "100 more of each would leave it at that with probability" in str(apart)
    together = hs.outlook(hs.compare(predictions(TOGETHER), "old", "new", metric="accuracy"), more=100)
    assert "After the same 100 cases new is better than old in accuracy (P(old better) = 0.043)" in str(together)
    written = json.loads(json.dumps(together.to_dict(), allow_nan=False))
    assert (written["kind"], written["names"], written["n"]) == ("comparison_outlook", ["old", "new"], [100, 100])
    assert written["verdict"] == str(together)
    lost = hs.Posterior.from_accuracy(correct=50, n=100), hs.Posterior.from_accuracy(correct=900, n=1000)
    worse = hs.outlook(hs.compare(*lost, metric="accuracy", names=("x", "y")), more=10)
    assert "After 100 and 1,000 cases y is better than x in accuracy (P(x better) < 0.001)" in str(worse)


def test_outlooks_of_two_that_make_no_sense() -> None:
    one, other = hs.infer(NEW), hs.infer(OLD)
    now = hs.compare(one, other)
    labels = [str(i) for i in range(11)]
    many = hs.compare(hs.Predictions(labels, {"a": labels, "b": labels[::-1]}))
    elsewhere = hs.compare(*(x.at_prevalence(cases=[490, 10]) for x in (one, other)), metric="precision@ill")
    for ask, sentence in (
        (lambda: hs.outlook(now, "mcc", more=10), "has its metric"),
        (lambda: hs.outlook(now, above=0.8, more=10), "has its metric and no threshold"),
        (lambda: hs.outlook(now, more=0), "more is a whole number"),
        (lambda: hs.outlook(now, more=10, level=0.5), "above 0.5; not 0.5"),
        (lambda: hs.outlook(now, more=10, seed=-1), "seed"),
        (lambda: hs.outlook(hs.compare(one, other, rope=0.01), more=10), "compare\\(\\) without rope="),
        (lambda: hs.outlook(one, more=10), "takes a metric and a threshold"),
        (lambda: hs.outlook(one, "mcc", more=10), "above is a threshold"),
        (lambda: hs.outlook((one, other), more=10), "or two, compared by compare\\(\\); not tuple"),
        (lambda: hs.outlook(predictions(TOGETHER), more=10), "not Predictions"),
        (lambda: hs.outlook(many, more=10), "up to 10 classes, not 11"),
        (lambda: hs.outlook(elsewhere, more=10), "prevalence is of other cases"),
    ):
        with pytest.raises(InvalidArgument, match=sentence):
            ask()  # type: ignore[no-untyped-call]
