"""Metrics of two classes that need no draws: each against 40,000 of them, within its range, and what is the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.laws import Draws
from howsure.metrics import Metric
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of

TABLES = {
    "nothing missed": ([[6, 2], [0, 26]], "flat"),
    "worse than chance": ([[3, 9], [5, 4]], "jeffreys"),
}
COSTS = {
    "a gain": [[0, 1], [20, -3]],
    "wrong is cheaper": [[1, 0], [0, 1]],
    "one row": [[0, 0], [5, 0]],
    "by class": [[2, 2], [7, 7]],
}
METRICS: list[str | Metric] = [
    "worst_rate",
    "recall@max",
    "false_negative_rate@min",
    "false_negative_rate@max",
    "number_needed_to_diagnose",
    "precision_gain",
    "fbeta_gain(beta=2)",
    "gwet_ac1",
    "scott_pi",
    "lift",
    "overdiagnosis",
    "weighted_markedness(w=0.2)",
    "mean_absolute_error",
    "root_mean_squared_error",
    *(hs.expected_cost(costs) for costs in COSTS.values()),
]


@pytest.mark.sweep(3, full=66)
@pytest.mark.parametrize(("case", "prevalence"), [("nothing missed", None), ("worse than chance", (0.7, 0.3))])
@pytest.mark.parametrize(
    "metric",
    METRICS,
    ids=[m if isinstance(m, str) else name for m, name in zip(METRICS, [""] * 14 + list(COSTS), strict=True)],
)
def test_the_law_is_exact_and_that_of_the_draws(
    metric: str | Metric, case: str, prevalence: tuple[float, float] | None
) -> None:
    table, prior = TABLES[case]
    post = hs.infer(hs.ConfusionMatrix(table, labels=["healthy", "ill"]), prior)
    post = post if prevalence is None else post.at_prevalence(prevalence)
    known = post.of(metric)
    assert known.route == "exact" or (metric == "lift" and known.route == "approximate" and known.error < 1e-4)
    measure = measure_of(known)
    assert measure is not None
    drawn = Draws(
        np.concatenate([measure(block) for block in knowledge_of(post).tables(40_000, seed=5)]),
        support=measure.metric.support,
    )
    low, high = measure.metric.range
    if known.sd == 0:
        np.testing.assert_allclose(drawn.quantile([0.0, 1.0]), known.mean, rtol=1e-12)
        return
    for p in (0.025, 0.5, 0.975):
        found = known.quantile(p)
        assert low - 1e-12 <= found <= high + 1e-12
        if np.isfinite(found):
            assert found == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
    if np.isfinite(known.sd):
        assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)
        assert known.sd == pytest.approx(drawn.sd, rel=0.05)
    ends = known.interval()
    assert low - 1e-12 <= ends.low <= ends.high <= high + 1e-12
    for end, here in zip(drawn.interval(), ends, strict=True):
        if np.isfinite(end):
            assert here == pytest.approx(end, abs=0.15 * min(known.sd, 10.0))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("precision_gain@ill", lambda post: 1 - 1 / post.of("lr+@ill").median),
        ("number_needed_to_diagnose@ill", lambda post: 1 / post.of("informedness@ill").median),
        ("root_mean_squared_error", lambda post: post.of("mean_absolute_error").median ** 0.5),
        ("mean_absolute_error", lambda post: 1 - post.of("weighted_recall").median),
    ],
)
def test_functions_of_other_metrics_have_their_medians(one: str, other: object) -> None:
    post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]), "flat")
    assert post.of(one).median == pytest.approx(other(post), abs=1e-6)  # type: ignore[operator]


@pytest.mark.parametrize("classes", [2, 3])
def test_adjusted_balanced_accuracy_is_balanced_accuracy_from_chance_to_one(classes: int) -> None:
    post = hs.infer(hs.ConfusionMatrix(np.full((classes, classes), 2) + 7 * np.eye(classes, dtype=int)), "flat")
    plain, adjusted = post.of("balanced_accuracy"), post.of("adjusted_balanced_accuracy")
    scale = 1 - 1 / classes
    assert adjusted.mean == pytest.approx((plain.mean - 1 / classes) / scale, abs=1e-12)
    assert adjusted.quantile(0.1) == pytest.approx((plain.quantile(0.1) - 1 / classes) / scale, abs=1e-9)


def test_cramers_v_of_a_class_that_is_never_called_is_that_of_scipy() -> None:
    table = np.array([[5, 3, 0], [2, 7, 0], [1, 4, 0]])
    seen = hs.infer(hs.ConfusionMatrix(table)).of("cramer_v", draws=100).observed
    assert seen == pytest.approx(stats.contingency.association(table[:, :2], method="cramer"))
