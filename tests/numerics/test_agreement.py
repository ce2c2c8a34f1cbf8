"""Coefficients of agreement: published numbers, irrCAC and krippendorff, sums by hand, moments of the draws."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.validation.sections.ratings import CELLS, Scene, coverage

from howsure.numerics.agreement import (
    COEFFICIENTS,
    Pairing,
    RatedItems,
    agreement_weights,
    alike_gains,
    every_pair,
    model_gains,
    rater_spread,
    with_others,
)

CASES = json.loads((Path(__file__).parent.parent / "reference" / "agreement.json").read_text())

#: Fourteen raters of ten subjects, counts by category: Fleiss' kappa is 0.210 (Fleiss 1971, as it is taught).
COUNTS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1], [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def coded(ratings: Any) -> tuple[Any, Any]:
    """Codes, and values of the categories."""
    table = np.array([[np.nan if x is None else x for x in row] for row in ratings], dtype=float)
    values = np.unique(table[~np.isnan(table)])
    return np.where(np.isnan(table), -1, np.searchsorted(values, np.nan_to_num(table))), values


def observed(ratings: Any, scale: Any = "nominal", weights: Any = "identity") -> dict[str, float]:
    codes, values = coded(ratings)
    rated = RatedItems.of(codes, len(values))
    pairing = Pairing(rated, every_pair(codes.shape[1]), agreement_weights(weights, values), scale, values)
    found = pairing.coefficients(rated.times[None], float(pairing.ratings @ rated.times))[0]
    return dict(zip(COEFFICIENTS, found.tolist(), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_published_numbers_and_other_programs(case: Any) -> None:
    for scale, value in case["krippendorff_alpha"].items():
        assert observed(case["ratings"], scale)["alpha"] == pytest.approx(value, abs=1e-12)
    found = observed(case["ratings"])
    for name, ours in (
        *(("fleiss_kappa", "fleiss"), ("gwet_ac1", "gwet"), ("conger_kappa", "kappa")),
        ("brennan_prediger", "brennan_prediger"),
    ):
        assert found[ours] == pytest.approx(case[name], abs=6e-6)  # printed with five decimals
    for kind in ("linear", "quadratic"):
        assert observed(case["ratings"], weights=kind)["gwet"] == pytest.approx(case[f"gwet_ac2_{kind}"], abs=6e-6)


def test_fleiss_1971() -> None:
    rows = [[k for k, many in enumerate(row) for _ in range(many)] for row in COUNTS]
    assert observed(rows)["fleiss"] == pytest.approx(0.20993070442195522, abs=1e-12)


def test_irrcac_with_eight_decimals() -> None:
    one = [1, 2, 1, 1, 2, 1, 1, 2, 1, 3, 3, 1]
    two = [1, 2, 2, 1, 2, 1, 1, 1, 1, 3, 2, 1]
    found = observed(list(zip(one, two, strict=True)))
    assert [found[k] for k in ("fleiss", "gwet", "brennan_prediger", "kappa")] == pytest.approx(
        [0.55279503, 0.65301205, 0.625, 0.55555556], abs=1e-8
    )
    three = list(one)
    two[3], three[5] = None, 3  # type: ignore[call-overload]
    one[0] = two[0] = None  # type: ignore[call-overload]
    found = observed(list(zip(one, two, three, strict=True)))
    assert [found[k] for k in ("fleiss", "gwet", "brennan_prediger", "kappa")] == pytest.approx(
        [0.58660287, 0.65700675, 0.63636364, 0.60444994], abs=1e-8
    )


def by_hand(codes: Any, weights: Any, pairs: Any) -> tuple[float, float]:
    """Agreement, and Fleiss' chance agreement, rating by rating."""
    items, shares = [], []
    for row in codes:
        seen = [
            weights[row[i], row[j]] for i, j in permutations(range(len(row)), 2)
            if pairs[i, j] and row[i] >= 0 and row[j] >= 0
        ]  # fmt: skip
        if seen:
            items.append(sum(seen) / len(seen))
        mine = [(row[i], pairs[i].sum()) for i in range(len(row)) if row[i] >= 0 and pairs[i].any()]
        share = np.zeros(len(weights))
        for k, many in mine:
            share[k] += many
        if share.sum():
            shares.append(share / share.sum())
    pooled = np.mean(shares, axis=0)
    return float(np.mean(items)), float(pooled @ weights @ pooled)


@pytest.mark.parametrize("who", ["all", "one", "some"])
def test_sums_by_hand(who: str) -> None:
    rng = np.random.default_rng(4)
    codes = rng.integers(-1, 4, (25, 5))
    pairs = {"all": every_pair(5), "one": with_others(5, 2, [0, 1, 2, 3, 4]), "some": every_pair(5, [0, 3, 4])}[who]
    values = np.array([1.0, 2.0, 4.0, 5.0])
    weights = agreement_weights("linear", values)
    rated = RatedItems.of(codes, 4)
    found = Pairing(rated, pairs, weights, "interval", values).coefficients(rated.times[None])[0]
    seen, chance = by_hand(codes, weights, pairs)
    assert found[0] == pytest.approx(seen, abs=1e-12)
    assert found[2] == pytest.approx((seen - chance) / (1 - chance), abs=1e-12)


@pytest.mark.parametrize("kind", ["identity", "linear", "quadratic", "ordinal", "ratio"])
def test_weights(kind: Any) -> None:
    weights = agreement_weights(kind, np.array([1.0, 2.0, 4.0]))
    assert (weights == weights.T).all()
    assert (np.diag(weights) == 1).all()
    assert weights.min() == weights[0, 2] == 0


def test_ordinal_weights_are_those_of_irrcac() -> None:
    assert agreement_weights("ordinal", np.arange(4.0))[0] == pytest.approx([1, 5 / 6, 1 / 2, 0])


@pytest.mark.deep
@pytest.mark.parametrize("scene", [CELLS[0], CELLS[4], CELLS[6], CELLS[17]], ids=str)
def test_the_truth_is_in_the_interval(scene: Scene) -> None:
    """Where a category has 5% of 20 items, usual intervals contain kappa in half. False alarm below 1e-6."""
    ours, usual = coverage(scene, 120)[:2, :, 0]
    assert (ours >= 0.95 - 5 * (0.05 * 0.95 / 120) ** 0.5).all()
    assert usual.min() < ours.min()


def test_a_model_beside_people_by_hand() -> None:
    codes = np.array([[0, 0, 1, 1], [1, 1, 1, -1], [0, 1, -1, 0]])
    rated = RatedItems(codes, np.ones(3), np.ones(3), 2)
    ours, theirs, whether = model_gains(rated, np.eye(2), 3, [0, 1, 2])
    assert whether.tolist() == [[1, 1, 1], [0, 0, 0], [1, 1, 0]]
    assert ours[0].tolist() == [0.5, 0.5, 0.0]  # the model says 1; the others of each person are (0, 1), (0, 1), (0, 0)
    assert theirs[0].tolist() == [0.5, 0.5, 0.0]
    assert (ours[2, :2].tolist(), theirs[2, :2].tolist()) == ([0, 1], [0, 0])


def test_raters_as_a_sample_are_less_sure() -> None:
    rng = np.random.default_rng(5)
    hidden = rng.integers(0, 2, 60)
    right = np.array([0.95, 0.9, 0.9, 0.85, 0.7, 0.95])
    codes = np.where(rng.random((60, 6)) < right, hidden[:, None], 1 - hidden[:, None])
    rated = RatedItems.of(codes, 2)
    pairing = Pairing(rated, every_pair(6), np.eye(2), "nominal", np.arange(2.0))
    drawn = np.concatenate([pairing.coefficients(weights) for weights in rated.drawn(2_000, rng)])
    wider = rater_spread(pairing, drawn, rng)
    assert (wider.std(0) > 1.2 * drawn.std(0)).all()
    assert wider.max() <= 1


def test_gains_agree_with_the_normal_posterior() -> None:
    """At one spread: the mean and covariance of a Normal prior and Normal noise, which mix over spreads."""
    rng = np.random.default_rng(2)
    noisy = rng.normal((0.1, 0.0), 0.05, (40_000, 2))
    found = alike_gains(noisy, np.random.default_rng(3))
    spread = np.geomspace(0.002, 0.5, 400)
    noise, shape, mean = np.cov(noisy.T), np.eye(2) + 1, noisy.mean(0)
    log = np.array([
        -0.5 * np.linalg.slogdet(t**2 * shape + noise)[1] - 0.5 * mean @ np.linalg.inv(t**2 * shape + noise) @ mean
        for t in spread
    ]) + np.log(spread) - np.log1p((spread / 0.05) ** 2)  # fmt: skip
    chance = np.exp(log - log.max())
    chance /= chance.sum()
    means = np.array([t**2 * shape @ np.linalg.inv(t**2 * shape + noise) @ mean for t in spread])
    assert found.mean(0) == pytest.approx(chance @ means, abs=0.002)
