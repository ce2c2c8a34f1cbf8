"""What a stranger and an attacker found in compare, rank, gate and their commands, so that it stays mended."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import special

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.io.logs import Outcomes, paired
from howsure.numerics.beta_sum import series_law
from howsure.numerics.learned.hierarchy import LearnedRecalls
from howsure.numerics.solve.huge_beta import beta_cdf, beta_quantile
from howsure.text.text_table import Table, breadth

TEN = [f"c{i}" for i in range(10)]


def ten_classes(seed: int, right: float = 0.8, cases: int = 12) -> hs.ConfusionMatrix:
    rng = np.random.default_rng(seed)
    counts = np.zeros((10, 10), dtype=int)
    for i in range(10):
        k = int(rng.binomial(cases, right))
        counts[i, i], counts[i, (i + 1) % 10] = k, cases - k
    return hs.ConfusionMatrix(counts, TEN)


def recall_cdf(matrix: hs.ConfusionMatrix, i: int, x: np.ndarray) -> np.ndarray:
    """Distribution function of one recall under the learned prior, straight from the nodes."""
    recalls = LearnedRecalls(np.diag(matrix.counts), matrix.counts.sum(1))
    a, b, y, weight = recalls.nodes()
    alpha, beta = recalls.concentrations(a, b, y)
    return np.asarray(weight @ special.betainc(alpha[:, i, None], beta[:, i, None], x))


def test_ten_classes_are_compared_without_integrals_of_far_tails(monkeypatch: pytest.MonkeyPatch) -> None:
    made = hs.compare(*(hs.infer(ten_classes(seed), "learned") for seed in (1, 2)))
    law = made.difference.law
    x = np.linspace(-0.15, 0.15, 7)
    careful = law._law._cdf(x)  # type: ignore[attr-defined]  # the slow route of the same law

    def refused(*_: object) -> None:
        raise AssertionError("relative accuracy in the tails is of no use to an approximate law")

    monkeypatch.setattr(series_law, "pair_tail", refused)
    np.testing.assert_allclose(law.cdf(x), careful, atol=1e-12)
    np.testing.assert_allclose(law.sf(x), 1 - careful, atol=1e-12)
    assert "<svg" in made._repr_html_()
    assert made.expected_loss.a + made.expected_loss.b > abs(law.mean)


@pytest.mark.parametrize("right", [0.8, 1.0])
def test_recalls_of_learned_classes_differ_by_their_nodes_and_not_by_a_fit(right: float) -> None:
    one, two = ten_classes(3, right), ten_classes(4, right, cases=7)
    rows = hs.compare(hs.infer(one, "learned"), hs.infer(two, "learned")).per_class
    x = 1 - np.concatenate((np.linspace(0, 1, 2001)[:0:-1] ** 3, [0.0]))
    for i in (0, 5):
        F, G = recall_cdf(one, i, x), recall_cdf(two, i, x)
        expected = float((np.diff(F) * (G[1:] + G[:-1]) / 2).sum())
        assert rows[i].law == "drawn"
        assert rows[i].p_better == pytest.approx(expected, abs=0.016)  # 4 standard errors, and the grid's
    assert "drawn ±" in str(hs.compare(hs.infer(one, "learned"), hs.infer(two, "learned"), metric="accuracy"))


@pytest.mark.parametrize("n", [10**9, 10**13, 10**15, 4 * 10**15])
@pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9])
def test_quantiles_of_huge_counts_are_those_of_their_distribution_function(n: int, share: float) -> None:
    a, b = share * n + 1, (1 - share) * n + 1
    p = np.array([1e-13, 0.025, 0.5, 0.975])
    x = beta_quantile(a, b, p)
    z = (
        (x - a / (a + b)) / np.sqrt(a * b / (a + b + 1)) * (a + b)
    )  # by a second route: Normal, but for 1e-4 of skewness
    np.testing.assert_allclose(z, special.ndtri(p), atol=0.02)
    np.testing.assert_allclose(beta_cdf(a, b, x), p, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(special.betaincc(a, b, beta_quantile(a, b, p, upper=True)), p, rtol=1e-5, atol=1e-8)
    known = hs.Posterior.from_accuracy(correct=round(share * n), n=n).of("accuracy")
    ends = known.interval(kind="central")
    assert (ends.high - known.mean) / known.sd == pytest.approx(1.96, abs=0.01)
    assert (ends.low - known.mean) / known.sd == pytest.approx(-1.96, abs=0.01)


def test_two_entries_of_huge_counts_are_ranked() -> None:
    board = {
        name: hs.Posterior.from_accuracy(correct=k, n=10**15)
        for name, k in (("a", 9 * 10**14), ("b", 9 * 10**14 + 9 * 10**6))
    }
    sd = (0.09 * 10**15 * 2) ** 0.5
    assert hs.rank(board).entries[0].p_best == pytest.approx(special.ndtr(9 * 10**6 / sd), abs=1e-6)


TRUTH = ["cat"] * 40 + ["dog"] * 40
BOTH = hs.Predictions(TRUTH, {"new": TRUTH, "old": ["cat"] * 34 + ["dog"] * 46})
NEW, OLD = (hs.infer(BOTH.confusion(name)) for name in BOTH.names)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: hs.gate(BOTH, "new", "old", metric="accuracy", margin=2), "margin is below 1"),
        (lambda: hs.gate(BOTH, "new", "old", metric=["mcc", "accuracy"], margin=1), "difference of accuracy"),
        (lambda: hs.gate(NEW, OLD, metric=None), "metric is a name"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: hs.gate(NEW, OLD, metric=["accuracy", "acc"]), "'accuracy' comes twice"),
        (lambda: hs.gate(NEW, floor=0.5, metric=["accuracy", "acc"]), "'accuracy' comes twice"),
        (lambda: hs.gate(NEW, floor=0.5, names=(1, 2)), "names are two different texts"),  # type: ignore[arg-type]
        (lambda: hs.gate(BOTH, "new", "old", metric="accuracy", strict="no"), "strict is True, False"),  # type: ignore[arg-type]
        (lambda: hs.gate(NEW), "for one classifier alone name floor="),
        (lambda: hs.gate(BOTH, "new"), "predictions and two names"),
        (lambda: hs.rank({"a": NEW, "b": OLD}, prizes=5), "prizes is a list of numbers"),  # type: ignore[arg-type]
        (lambda: hs.rank({"a": NEW, "b": OLD}, prizes=[3, -1]), "prizes are numbers, 0 or more"),
        (lambda: hs.rank({"a": NEW, "b": OLD}, top=0), "top is a whole number"),
        (lambda: hs.rank({"a": NEW, "b": OLD}, top=None), "top is a whole number"),  # type: ignore[arg-type]
        (lambda: hs.rank({"1": NEW, 1: OLD}), "each its own"),  # type: ignore[dict-item]
        (lambda: hs.rank({" ": NEW, "b": OLD}), "classifiers have names"),
    ],
)  # fmt: skip
def test_bad_questions_get_a_sentence(ask: Callable[[], object], sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        ask()


def test_a_floor_alone_may_be_asserted_and_shows_its_mean() -> None:
    made = hs.assert_better(NEW, floor=0.5, metric="accuracy")
    assert (made.mode, made.verdict) == ("floor", "pass")
    header = str(made).splitlines()[3].split()
    assert header.count("metric") == 1
    assert "mean" in header
    assert str(hs.gate(BOTH, "new", "old", metric="mcc").rows[0].threshold) == "0.0"


def test_prizes_beyond_the_last_entry_are_said_to_go_to_nobody() -> None:
    made = hs.rank({"a": NEW, "b": OLD}, metric="accuracy", prizes=[3, 2, 1])
    assert any("The last 1 of 3 prizes go to nobody" in note for note in made.notes)


def test_wide_letters_do_not_shift_the_columns() -> None:
    table = Table(("name", "n"), (("日本チーム", "7"), ("ab", "10"))).text().splitlines()
    assert len({breadth(line) for line in table}) == 1


def test_logs_of_right_and_wrong_have_no_classes() -> None:
    logs = {
        "a": Outcomes([str(i) for i in range(40)], [i % 4 > 0 for i in range(40)]),
        "b": Outcomes([str(i) for i in range(40)], [i % 3 > 0 for i in range(40)]),
    }
    made = hs.compare(paired(logs), metric="accuracy")
    assert (made.per_class, made.warnings) == ((), ())
    assert "recall" not in str(made)
