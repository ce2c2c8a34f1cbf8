"""Every law is one law: its mean, its sd, its density and its intervals are those of its own quantiles."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.laws import Law
from howsure.laws.population_sums import ItemShare, TheseItemTries
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.populations.item_powers import ItemRates

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["well", "ill"], positive="ill")
THREE = hs.ConfusionMatrix([[20, 3, 1], [2, 18, 4], [1, 2, 15]], labels="abc")
CHECKED = hs.ConfusionMatrix([[20, 5], [8, 30]], labels=["well", "ill"], unlabelled={"well": 50, "ill": 60})
GROUPS = hs.ConfusionMatrix.from_predictions(
    [0, 1] * 30, [0, 1, 1, 1, 0, 0] * 10, group=[i // 5 for i in range(60)], labels=[0, 1]
)
RUNS = hs.Repeats.from_array(np.arange(40).reshape(10, 4) % 3 > 0)
SCORES = hs.Scores([0, 1] * 12, [1, 4, 2, 6, 3, 7, 5, 8, 2, 3, 9, 4] * 2, positive=1)
RUBRIC = [5, 5, 5, 4, 5, 3, 5, 5, 4, 5]
RATES = ("recall", "accuracy", "balanced_accuracy", "f1", "mcc", "kappa", "precision", "recall@min", "recall@max")
MACRO = ("recall@a", "accuracy", "balanced_accuracy", "f1@macro", "recall@min", "recall@max", "mcc", "weighted_kappa")


def of(known: Any, *metrics: str, **how: Any) -> dict[str, Callable[[], Any]]:
    """Questions about one posterior."""
    return {metric: lambda metric=metric: known().of(metric, **how) for metric in metrics}


#: Posteriors, and what they are asked.
ASKED: dict[str, dict[str, Callable[[], Any]]] = {
    "two": of(lambda: hs.infer(TWO), *RATES, "lr-", "informedness", "error_rate", "dor"),
    "two at a prevalence": of(lambda: hs.infer(TWO).at_prevalence({"ill": 0.1}), "precision", "f1", "mcc", "accuracy"),
    "three flat": of(lambda: hs.infer(THREE, "flat"), *MACRO),
    "three learned": of(lambda: hs.infer(THREE), *MACRO),
    "judged": of(lambda: hs.infer(CHECKED), "prevalence@ill", "recall@ill", "accuracy", "f1@ill"),
    "carried": of(
        lambda: hs.infer(TWO).at_prevalence(verdicts=[60, 40]), "prevalence@ill", "accuracy", "ppv", draws=1_000
    ),
    "cases elsewhere": of(lambda: hs.infer(TWO).at_prevalence(cases=[490, 10]), "precision", "f1"),
    "new groups": of(lambda: hs.infer(GROUPS, groups="new"), "accuracy", "recall@0", "balanced_accuracy"),
    "these groups": of(lambda: hs.infer(GROUPS, groups="these"), "accuracy", "balanced_accuracy"),
    "new items": of(lambda: hs.infer(RUNS, groups="new"), "mean_score", "pass^3", "pass@3"),
    "these items": of(lambda: hs.infer(RUNS, groups="these"), "mean_score", "pass^3"),
    "scores": of(lambda: hs.infer(SCORES), "roc_auc", "average_precision", draws=2_000),
    "accuracies": of(lambda: hs.Posterior.from_accuracy(correct=43, n=50), "accuracy", "error_rate"),
    "predicted": of(lambda: hs.infer(TWO).predict(30, draws=2_000), "accuracy", "recall@ill", "mcc"),
    "calculated": {
        "difference": lambda: hs.infer(TWO).of("recall@ill") - hs.infer(THREE, "flat").of("recall@a"),
        "turned": lambda: 1 - hs.infer(TWO).of("balanced_accuracy"),
        "half": lambda: hs.infer(TWO).of("recall@ill") / 2 + 0.25,
        "negative": lambda: -2 * hs.infer(TWO).of("accuracy"),
        "rate": lambda: hs.laws.Beta(0.5, 3),
        "sum": lambda: hs.laws.BetaSum([8, 2], [3, 6], [0.5, -1.0]),
        "paired": lambda: hs.laws.PairedDifference(np.array([[30, 4, 2, 5], [20, 1, 3, 2]]) + 0.5),
        "cost": lambda: hs.infer(TWO).at_prevalence({"ill": 0.1}).of(hs.expected_cost([[0, 1], [5, 0]])),
        "needed to diagnose": lambda: hs.infer(TWO).of("nnd"),
        "scores of items": lambda: hs.report(hs.Items.from_columns(range(10), RUBRIC, range=(1, 5))).rows[0].law,
        "tries of these items": lambda: TheseItemTries(ItemRates(np.arange(6), 5 - np.arange(6), *np.ones((3, 1))), 2),
        "variance between items": lambda: ItemShare(PopulationMean([3, 5, 0, 4, 5, 2, 5, 1], [5] * 8)),
        "mixture": lambda: hs.laws.Mixture([hs.laws.Beta(9, 2), hs.laws.Beta(2, 9)], [0.75, 0.25]),
        "counts": lambda: hs.laws.BetaBinomial(20, 6, 3),
    },
}  # fmt: skip


@cache
def laws() -> dict[str, Law]:
    """Each law by its name."""
    made = {f"{known}: {what}": ask() for known, asked in ASKED.items() for what, ask in asked.items()}
    return {name: getattr(each, "law", each) for name, each in made.items()}


def test_all_kinds_of_laws_are_among_them() -> None:
    kinds, waiting = set[str](), [Law]
    while waiting:
        kind = waiting.pop()
        waiting += [each for each in kind.__subclasses__() if each.__module__.startswith("howsure.laws.")]
        if not getattr(kind, "__abstractmethods__", ()):
            kinds.add(kind.__name__)
    # Student's t is compared with SciPy's in test_law.py
    assert kinds <= {kind.__name__ for law in laws().values() for kind in type(law).__mro__} | {"Student"}


@pytest.mark.parametrize("name", [f"{known}: {what}" for known, asked in ASKED.items() for what in asked])
def test_a_law_says_one_thing(name: str) -> None:
    law = laws()[name]
    coarse = 1.5 / getattr(law, "n", np.inf) if hasattr(law, "values") else 0.0
    p = (np.arange(1_000) + 0.5) / 1_000
    x = np.asarray(law.quantile(p))
    below, above = np.asarray(law.cdf(x)), np.asarray(law.sf(x))
    assert np.all(np.diff(x) >= 0)
    steps = len(np.unique(x)) < 900  # of counts or of draws, a quantile is where the cdf passes p
    assert np.all(below >= p - 1e-6 - coarse)
    assert below + above == pytest.approx(np.ones(1_000), abs=1e-7)
    if np.isfinite(law.sd):
        assert law.mean == pytest.approx(x.mean(), abs=0.02 * law.sd)
        assert law.sd == pytest.approx(x.std(), rel=0.05)
    low, high = law.support
    assert low - 1e-12 <= x[0]
    assert x[-1] <= high + 1e-12
    if not steps:
        assert below == pytest.approx(p, abs=1e-6 + 2 * coarse)
        at = np.linspace(x[200], x[800], 301)
        density = np.asarray(law.pdf(at))
        area = float(((density[1:] + density[:-1]) / 2 * np.diff(at)).sum())
        assert area == pytest.approx(0.6, abs=0.02 if not coarse else 0.05)
        for level in (0.9, 0.5):
            dense, central = law.interval(level, "hdi"), law.interval(level, "central")
            for ends in (dense, central):
                assert law.cdf(ends.high) - law.cdf(ends.low) == pytest.approx(level, abs=1e-4 + 4 * coarse)
            assert dense.width <= central.width * (1 + 1e-6) or dense.kind == "central"
            assert law.cdf(central.low) == pytest.approx((1 - level) / 2, abs=1e-6 + 2 * coarse)
