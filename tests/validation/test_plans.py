"""Every plan is checked by simulation: what tests of the planned size achieve is the assurance that was stated."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.plans import CLASSES, KINDS, LONGER, METRICS, RECALL, Case, Kind, cases, even, kept, together

from howsure.metrics import parse


def test_the_worlds_are_what_they_say() -> None:
    pairs = together(3, 0.75, 0.83)
    assert pairs.sum(-1) == pytest.approx(even(3, 0.83))
    assert pairs.sum(-2) == pytest.approx(even(3, 0.75))
    right = [(t, n, o) for t in range(3) for n in range(3) for o in range(3) if (t == n) != (t == o)]
    assert sum(pairs[cell] for cell in right) == pytest.approx(0.2)
    assert float(parse("accuracy", ["a", "b"])(even(2, RECALL))) == pytest.approx(RECALL)
    assert len({(c.metric, c.classes, c.kind) for c in cases()}) == len(METRICS) * len(CLASSES) * len(KINDS) == 90


@pytest.mark.full
@pytest.mark.sweep("accuracy-10-separate")
@pytest.mark.parametrize(
    ("metric", "classes", "kind"),
    [
        ("kappa", 2, "separate"),
        ("precision", 2, "width"),
        ("jaccard", 2, "paired"),
        ("informedness", 3, "width"),
        ("mcc", 3, "separate"),
        ("error_rate", 3, "paired"),
        ("balanced_accuracy", 10, "width"),
        ("recall", 10, "paired"),
        ("accuracy", 10, "separate"),
    ],
)
def test_a_plan_keeps_its_word(metric: str, classes: int, kind: Kind) -> None:
    found = kept(Case(metric, classes, kind), 80)
    assert abs(found.score) < 3.5
    assert found.plan.assurance > 0.8 - 4 * max(found.plan.assurance_error, 1e-9)


@pytest.mark.validate
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("kind", KINDS)
def test_all_plans_keep_their_word(classes: int, kind: Kind) -> None:
    """The whole matrix, minutes each; scores of a right program have mean square 1."""
    found = [kept(case, 40 * LONGER) for case in cases([classes]) if case.kind == kind]
    scores = np.array([each.score for each in found])
    assert np.abs(scores).max() < 4
    assert np.mean(scores**2) < 3
    assert abs(scores.mean()) < 1.5
