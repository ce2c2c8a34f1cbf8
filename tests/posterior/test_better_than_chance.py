"""Better than chance: one rule, its routes against each other, and how often guessers pass for skilled."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc
from scipy.stats import beta

import howsure as hs
from howsure.metrics import parse
from howsure.posterior.better_than_chance import (
    ChanceStatement,
    better_than_chance,
)
from howsure.posterior.knowledge import knowledge_of

THREE = [[12, 5, 3], [4, 6, 2], [1, 2, 3]]


def said(post: hs.Posterior, metric: str, draws: int | None = None) -> ChanceStatement:
    known = knowledge_of(post)
    found = better_than_chance(known, parse(metric, known.labels, known.confusion.positive), draws=draws)
    assert found is not None
    return found


def made(counts: object, prior: str | None = None) -> hs.Posterior:
    return hs.infer(hs.ConfusionMatrix(counts), prior)


def rows_of(counts: np.ndarray, masses: np.ndarray, draws: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Route of its own: shares of the classes, and rows whose pseudo-cases are even over the cells."""
    rng, size = np.random.default_rng(seed), len(counts)
    rows = rng.standard_gamma(counts + masses[:, None] / size, (draws, size, size))
    rows /= rows.sum(axis=2, keepdims=True)
    return rng.dirichlet(counts.sum(axis=1) + 1 / size, draws), rows


def correlation(counts: np.ndarray, masses: np.ndarray, draws: int, seed: int) -> float:
    """P(cov(truth, call) > 0), which is the numerator of MCC and of kappa."""
    shares, rows = rows_of(counts, masses, draws, seed)
    calls = np.einsum("si,sij->sj", shares, rows)
    return float(np.mean(np.einsum("si,sii->s", shares, rows) > (shares * calls).sum(axis=1)))


def test_two_classes_keep_the_prior_of_the_report() -> None:
    for prior in ("flat", "perks"):
        post = made([[9, 3], [4, 8]], prior)
        for metric, value in (("balanced_accuracy", 0.5), ("mcc", 0.0), ("kappa", 0.0)):
            found = said(post, metric)
            assert found.probability == post.of(metric).prob(above=value)
            assert (found.value, found.prior, found.rule) == (value, prior, "the prior of the report")


def test_balanced_accuracy_is_exact_and_agrees_with_draws() -> None:
    counts = np.array(THREE)
    found = said(made(counts), "balanced_accuracy")
    _, rows = rows_of(counts, np.ones(3), 200_000, 1)
    assert found.route == "exact"
    assert found.probability == pytest.approx(np.mean(np.einsum("sii->s", rows) > 1), abs=0.003)
    assert made(counts, "perks").of("balanced_accuracy").prob(above=1 / 3) == found.probability


@pytest.mark.parametrize("metric", ["mcc", "kappa"])
def test_correlation_is_drawn_under_perks_by_class_size(metric: str) -> None:
    counts = np.array(THREE)
    found = said(made(counts), metric)
    sizes = counts.sum(axis=1)
    masses = (sizes + 1) / (sizes.max() + 1)
    assert found.prior == "perks by class size"
    assert found.probability == pytest.approx(correlation(counts, masses, 100_000, 2), abs=0.02)


def test_the_majority_rule_agrees_with_the_pooled_dirichlet() -> None:
    counts = np.array(THREE)
    gained, lost = counts.trace() - 12, 20 - 12
    pooled = np.random.default_rng(6).dirichlet([12.5, gained + 0.5, lost + 0.5, 10.5], 400_000)
    found = said(made(counts), "accuracy")
    assert (found.route, found.prior, found.rule) == ("exact", "paired flat", "paired with always predicting '0'")
    assert found.probability == pytest.approx(np.mean(pooled[:, 1] > pooled[:, 2]), abs=0.003)
    assert found.probability == pytest.approx(beta.cdf(0.5, lost + 0.5, gained + 0.5), abs=1e-12)


def test_all_that_is_held_against_the_largest_class_says_the_same() -> None:
    for counts in (THREE, [[9, 3], [4, 20]]):
        post = made(counts)
        for move in (post, post.at_prevalence([1 / len(counts)] * len(counts))):
            first, *others = (
                said(move, name) for name in ("accuracy", "error_rate", "weighted_recall", "recall@micro", "f1@micro")
            )
            assert {(x.probability, x.rule) for x in others} == {(first.probability, first.rule)}
            assert others[0].value == pytest.approx(1 - first.value)


def test_of_classes_of_one_size_the_hardest_to_beat_counts() -> None:
    counts = np.array([[9, 1, 0], [2, 5, 3], [1, 2, 3]])
    found = said(made(counts), "accuracy")
    each = [betainc(10 - counts[m, m] + 0.5, 17 - counts[m, m] + 0.5, 0.5) for m in (0, 1)]
    assert found.probability == min(each)
    assert found.rule == "paired with always predicting '1', the hardest to beat of 2 classes of that size"
    order = [2, 1, 0]
    assert said(made(counts[order][:, order]), "accuracy").probability == found.probability


@pytest.mark.parametrize("counts", [THREE, [[9, 3], [4, 20]]])
def test_at_a_stated_prevalence_the_recalls_are_weighted_by_it(counts: list[list[int]]) -> None:
    size, table = len(counts), np.array(counts)
    shares = np.linspace(1, 2, size) / np.linspace(1, 2, size).sum()
    found = said(made(counts).at_prevalence(shares), "accuracy")
    right, sizes = table.diagonal(), table.sum(axis=1)
    recalls = np.random.default_rng(7).beta(right + 1 / size, sizes - right + 1 - 1 / size, (200_000, size))
    assert found.probability == pytest.approx(np.mean(recalls @ shares > shares.max()), abs=0.004)
    assert (found.value, found.prior, found.route) == (shares.max(), "perks", "exact")
    assert found.rule == f"against always predicting '{size - 1}' at that prevalence, under a prior that expects chance"


def test_of_a_prevalence_of_other_cases_the_largest_share_is_uncertain_too() -> None:
    cases, counts = [30, 25, 20], np.array(THREE)
    found = said(made(counts).at_prevalence(cases=cases), "accuracy")
    rng = np.random.default_rng(8)
    right, sizes = counts.diagonal(), counts.sum(axis=1)
    recalls = rng.beta(right + 1 / 3, sizes - right + 2 / 3, (200_000, 3))
    shares = rng.dirichlet(np.array(cases) + 1 / 3, 200_000)
    expected = np.mean((recalls * shares).sum(axis=1) > shares.max(axis=1))
    assert (found.route, found.draws) == ("simulated", 20_000)
    assert found.probability == pytest.approx(expected, abs=0.015)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_from_three_classes_on_the_judge_expects_chance(size: int) -> None:
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(np.eye(size, dtype=int) * 5 + 2), "flat"))
    made = better_than_chance(known, parse("balanced_accuracy", known.labels))
    assert made is not None
    assert (made.prior, made.expects_chance) == (("flat", False) if size == 2 else ("perks", True))
