"""Dependence on the prevalence, found by trying, against what the definitions say."""

from __future__ import annotations

import pytest

from howsure.metrics import depends_on_prevalence, parse

TWO, THREE = ["n", "p"], ["a", "b", "c"]
FREE = {"recall@p", "specificity@p", "false_negative_rate@p", "balanced_accuracy", "informedness"}
BOUND = {"precision@p", "f1@p", "mcc", "kappa", "accuracy", "error_rate", "weighted_recall", "prevalence@p", "bias@p",
         "negative_predictive_value@p", "markedness", "recall@micro", "recall@weighted", "jaccard@macro"}  # fmt: skip


def test_two_classes() -> None:
    assert {name for name in FREE | BOUND if depends_on_prevalence(parse(name, TWO, "p"), 2)} == BOUND


@pytest.mark.parametrize(
    ("name", "depends"),
    [
        ("recall@c", False),
        ("balanced_accuracy", False),
        ("specificity@b", True),
        ("accuracy", True),
    ],
)
def test_specificity_depends_above_two_classes_and_recall_never_does(name: str, depends: bool) -> None:
    assert depends_on_prevalence(parse(name, THREE), 3) is depends
    assert depends_on_prevalence(parse(name, [*THREE, "d"]), 4) is depends
