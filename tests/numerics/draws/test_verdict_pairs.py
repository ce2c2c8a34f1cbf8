"""Two models under one judge: closed moments against the reference, against draws, and against every way to label."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import gammaln

from howsure.numerics.draws.pair_tables import LabelledApart, LabelledPairs, matched_to

CASES = json.loads((Path(__file__).parents[2] / "reference" / "judge.json").read_text(encoding="utf-8"))
PAIR = next(case for case in CASES if case.get("kind") == "pair")
NONE = np.zeros((4, 2), dtype=np.int64)


def published() -> LabelledPairs:
    return LabelledPairs(np.array(PAIR["totals"]), np.array(PAIR["labelled"]), NONE, NONE)


def test_the_reference_pair_has_its_moments_and_its_drawn_law() -> None:
    mean, sd = published().moments()
    assert (mean, sd) == pytest.approx((PAIR["mean"], PAIR["sd"]), abs=1e-8)
    a, b = published().draws(20_000, np.random.default_rng(0))
    d = matched_to(a - b, mean, sd)
    assert (d.mean(), d.std(ddof=1)) == pytest.approx((mean, sd), abs=1e-12)
    error = np.sqrt(PAIR["p_positive_drawn"] * (1 - PAIR["p_positive_drawn"]) / len(d))
    assert (d > 0).mean() == pytest.approx(PAIR["p_positive_drawn"], abs=5 * error)
    # an end's Monte Carlo error: sqrt(p (1 - p) / n) over the density, about that of a normal law
    end = np.sqrt(0.025 * 0.975 / len(d)) / 0.0584 * sd
    assert np.quantile(d, [0.025, 0.975]) == pytest.approx(PAIR["central_drawn"], abs=4 * end)


def enumerated(both: np.ndarray, only_a: np.ndarray, only_b: np.ndarray) -> tuple[float, float]:
    """Mean of the gain of one cell and of its square, over every way in which the labels that nobody gave could be."""
    total = norm = square = 0.0
    for hidden_a in itertools.product(range(2), repeat=int(only_a.sum())):
        for hidden_b in itertools.product(range(2), repeat=int(only_b.sum())):
            n = both + 0.25
            for told, other in zip([0] * only_a[0] + [1] * only_a[1], hidden_a, strict=True):
                n[2 * told + other] += 1
            for told, other in zip([0] * only_b[0] + [1] * only_b[1], hidden_b, strict=True):
                n[2 * other + told] += 1
            weight, s = np.exp(gammaln(n).sum() - gammaln(n.sum())), n.sum()
            norm += weight
            total += weight * (n[2] - n[1]) / s
            square += weight * (n[2] * (n[2] + 1) + n[1] * (n[1] + 1) - 2 * n[1] * n[2]) / (s * (s + 1))
    return total / norm, square / norm


@pytest.mark.parametrize("only_a", [(0, 0), (2, 1)])
@pytest.mark.parametrize("only_b", [(1, 2), (4, 0)])
def test_a_label_of_one_answer_counts_whatever_the_other_answer_is(
    only_a: tuple[int, int], only_b: tuple[int, int]
) -> None:
    both, one, other = np.array([3, 1, 2, 4]), np.array(only_a), np.array(only_b)
    mean, square = enumerated(both, one, other)
    # one cell that is all there is: q is 1
    made = LabelledPairs(np.array([10**12]), both[None], one[None], other[None]).moments()
    assert made == pytest.approx((mean, np.sqrt(square - mean**2)), rel=1e-9)


def test_labels_apart_are_drawn_with_the_moments_that_are_closed() -> None:
    of_a, of_b = np.repeat([0, 1], 2), np.tile([0, 1], 2)
    labels = np.array([[30, 4], [3, 50]]), np.array([[20, 8], [6, 44]])
    made = LabelledApart(np.array(PAIR["totals"]), of_a, of_b, *labels)
    a, b = made.draws(400_000, np.random.default_rng(0))
    mean, sd = made.moments()
    assert ((a - b).mean(), (a - b).std()) == pytest.approx((mean, sd), abs=4 * sd / np.sqrt(400_000))
