"""How often intervals from few labels and many verdicts hold the truth: small runs of cells near the end."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs


def covered(prior: str, judge: tuple[float, float], theta: float, labels: int, runs: int) -> float:
    """How often the central interval holds the truth: 2,000 cases, labels drawn at random."""
    rng, hits = np.random.default_rng(17), 0
    found, kept = judge
    p = np.array([[(1 - theta) * kept, (1 - theta) * (1 - kept)], [theta * (1 - found), theta * found]])
    for _ in range(runs):
        checked = rng.multinomial(labels, p.ravel()).reshape(2, 2)
        rest = rng.multinomial(2000 - labels, p.ravel()).reshape(2, 2).sum(0)
        post = hs.infer(hs.ConfusionMatrix(checked, ["fail", "pass"], unlabelled=rest), prior)
        at = float((post.draw(4000)[:, 1].sum(1) <= theta).mean())  # the law is that of the draws: test_judged.py
        hits += 0.025 <= at <= 0.975
    return hits / runs


@pytest.mark.deep
@pytest.mark.parametrize(
    ("judge", "labels", "flat"), [((0.95, 0.85), 50, 0.88), ((0.85, 0.6), 20, 0.75)], ids=["good", "weak"]
)
def test_coverage_near_the_end(judge: tuple[float, float], labels: int, flat: float) -> None:
    """Cells of the table in docs/judges.md: theta .98, 2,000 cases."""
    assert covered("jeffreys", judge, 0.98, labels, 500) >= 0.88
    assert covered("flat", judge, 0.98, labels, 500) < flat


@pytest.mark.deep
def test_five_grades_of_a_near_perfect_model() -> None:
    """Twenty labels of 2,000: flat rows of five verdicts hold the truth in a tenth, learned ones nearly always."""
    rng = np.random.default_rng(3)
    shares, right = np.array([0.02, 0.03, 0.1, 0.25, 0.6]), np.array([0.5, 0.8, 0.95, 0.99, 0.998])
    theta, runs = float(shares @ right), 40
    hits = {"learned": 0, "flat": 0}
    for _ in range(runs):
        totals, checked = rng.multinomial(1980, shares), rng.multinomial(20, shares)
        passed = rng.binomial(checked, right)
        table = hs.ConfusionMatrix(
            [checked - passed, passed], ["fail", "pass"], verdicts=[1, 2, 3, 4, 5], unlabelled=totals
        )
        for prior in hits:
            at = float(hs.infer(table, prior).of("prevalence@pass", draws=4000).cdf(theta))
            hits[prior] += 0.025 <= at <= 0.975
    assert hits["learned"] >= 0.9 * runs
    assert hits["flat"] < 0.4 * runs
