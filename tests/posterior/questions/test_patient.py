"""Post-test probabilities: exact for one test of two classes, drawn elsewhere, and both by Bayes' rule."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, UnknownLabel
from howsure.laws import Beta

TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]), "flat")
THREE = hs.infer(hs.ConfusionMatrix([[30, 0, 2], [0, 13, 1], [1, 1, 18]], labels=["a", "b", "c"]))


def test_after_a_positive_result_it_is_the_precision_at_that_prevalence() -> None:
    answer = TWO.post_test(0.02)
    there = TWO.at_prevalence({"ill": 0.02})
    for result, metric in (("positive", "precision@ill"), ("negative", "false_omission_rate@ill")):
        law, known = answer.after(result), there.of(metric)
        assert law.route == "exact"
        assert tuple(law.interval()) == pytest.approx(tuple(known.interval()), abs=1e-9)
        assert answer.after(result, label="healthy").mean == pytest.approx(1 - law.mean, abs=1e-9)


@pytest.mark.sweep(6, full=12)
@pytest.mark.parametrize(
    ("results", "pre"), [("positive", 0.02), (["positive", "negative"], 0.4), (["positive"] * 3, Beta(4, 60))]
)
def test_against_bayes_rule_on_draws_of_the_rates(results: str | list[str], pre: float | Beta) -> None:
    rng = np.random.default_rng(5)
    n = 200_000
    sens, spec = rng.beta(43, 9, n), rng.beta(46, 6, n)
    odds_before = np.array(pre if isinstance(pre, float) else rng.beta(pre.a, pre.b, n))
    odds = odds_before / (1 - odds_before)
    for result in [results] if isinstance(results, str) else results:
        odds = odds * (sens / (1 - spec) if result == "positive" else (1 - sens) / spec)
    expected = odds / (1 + odds)
    law = TWO.post_test(pre, results).after()
    assert law.mean == pytest.approx(expected.mean(), abs=5 * expected.std() / 20_000**0.5)
    assert law.sd == pytest.approx(expected.std(), rel=0.04)
    low, high = law.interval(kind="central")
    assert (low, high) == pytest.approx(np.quantile(expected, [0.025, 0.975]), abs=expected.std() / 8)


def test_several_classes_against_the_precision_of_each_class() -> None:
    shares = {"a": 0.7, "b": 0.2, "c": 0.1}
    answer, there = THREE.post_test(shares), THREE.at_prevalence(shares)
    for label in "abc":
        law, known = answer.after(label, label=label), there.of(f"precision@{label}")
        assert law.mean == pytest.approx(known.mean, abs=4 * known.sd / 20_000**0.5)  # drawn against exact
        total = sum(answer.after(label, label=other).mean for other in "abc")
        assert total == pytest.approx(1)


def test_a_repeat_is_read_from_the_same_rates_and_another_test_from_its_own() -> None:
    """With rates that are all but unknown, the same test twice is much more alike than two tests."""
    vague = [hs.infer(hs.ConfusionMatrix([[3, 1], [1, 3]], labels=["n", "y"])) for _ in range(2)]
    twice = vague[0].post_test(0.5, ["positive", "positive"]).after()
    same = hs.post_test([(vague[0], "positive"), (vague[0], "positive")], 0.5).after()
    two = hs.post_test([(vague[0], "positive"), (vague[1], "positive")], 0.5).after()
    assert twice.mean == same.mean
    assert two.sd < 0.97 * twice.sd


@pytest.mark.parametrize(
    ("pre", "results", "sentence"),
    [
        (0, None, "strictly between 0 and 1"),
        (float("nan"), None, "strictly between 0 and 1"),
        ("0.1", None, "a number such as"),
        (True, None, "a number such as"),
        ([0.5, 0.6], None, "add to 1"),
        (0.1, [], "no test result"),
    ],
)
def test_bad_questions_are_refused(pre: object, results: object, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        TWO.post_test(pre, results)  # type: ignore[arg-type]


def test_other_refusals() -> None:
    with pytest.raises(UnknownLabel):
        TWO.post_test(0.1, "perhaps")
    with pytest.raises(InvalidArgument, match="with 3 classes"):
        THREE.post_test(0.1)
    with pytest.raises(InvalidArgument, match="different classes"):
        hs.post_test([(TWO, "positive"), (THREE, "a")], 0.1)


A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def test_questions_check_what_they_are_given() -> None:
    post = hs.infer(A)
    for ask in (lambda: post.post_test(0.02, ["positive"] * 2, draws=-1), lambda: post.predict(20, draws=10**12)):
        with pytest.raises(InvalidArgument, match="draws is an integer"):
            ask()
    with pytest.raises(InvalidArgument, match="seed is an integer"):
        post.predict(20, seed=-1)
    with pytest.raises(InvalidArgument, match="no test result is given"):
        post.post_test(0.02, 5)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="an earlier matrix is a ConfusionMatrix, not list"):
        hs.Prior.from_matrix([[1, 2], [3, 4]])  # type: ignore[arg-type]  # wrong on purpose


def test_an_uncertain_pre_test_probability_is_that_of_the_positive_class_wherever_it_stands() -> None:
    table = hs.ConfusionMatrix([[42, 8], [5, 45]], labels=["ill", "healthy"])
    for positive, shares in (("ill", (0.2, 0.8)), ("healthy", (0.8, 0.2))):
        made = hs.infer(table.with_positive(positive)).post_test(Beta(2, 8))
        assert made.pre_test == pytest.approx(shares)
