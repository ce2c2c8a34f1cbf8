"""Laws of the metrics of two classes."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.laws import BinaryLaw, Draws
from howsure.posterior.distribution import measure_of

#: A double integral of Gauss rules that crowd at the corners, at three places.
EXACT = [0.025, 0.2964494, 0.97443797]


@pytest.mark.sweep(8, full=36)
@pytest.mark.parametrize(
    ("metric", "counts", "positive"),
    [("kappa", [[45, 5], [8, 42]], "0"), ("npv", [[45, 5], [8, 42]], "1"), ("fbeta(beta=2)", [[6, 2], [0, 26]], "1")],
)
def test_two_class_metrics_agree_with_joint_draws(metric: str, counts: list[list[int]], positive: str) -> None:
    post = hs.infer(hs.ConfusionMatrix(counts, positive=positive), "flat")
    known = post.of(metric)
    assert isinstance(known.law, BinaryLaw)
    drawn = Draws(measure_of(known)(post.draw(40_000, seed=7)))  # type: ignore[misc]
    assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)
    assert known.sd == pytest.approx(drawn.sd, rel=0.03)
    for p in (0.025, 0.5, 0.975):
        assert known.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
    low, high = known.interval()
    assert known.cdf(high) - known.cdf(low) == pytest.approx(0.95, abs=1e-8)


def test_a_kink_in_the_prevalence_is_not_called_exact() -> None:
    """Rates that both may be at the corner where the number is the prevalence: right to 1e-5, and it says so."""
    law = BinaryLaw("bias", (191, 11), (45.5, 0.5), (0.5, 0.5))
    x = np.array([0.9050017968, 0.95, 0.9985])
    missed = np.abs(law.cdf(x) - EXACT).max()
    assert missed < 20 * law.error
    assert law.route == "approximate" or missed < 1e-6
