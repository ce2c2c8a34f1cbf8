"""Rates of many groups of which some have no case of one class: as many draws of each as of all."""

from __future__ import annotations

import howsure as hs


def test_a_group_without_a_positive_case_among_many_is_answered() -> None:
    tables = {
        f"g{i}": hs.ConfusionMatrix.from_counts(tp=3 if i else 0, fn=1 if i else 0, fp=1, tn=5) for i in range(150)
    }
    made = hs.fairness(tables, "positive")
    assert "the true positive rate is unknown there" in made.paragraph
    assert "150 groups" in made.paragraph
    assert {gap["low"] >= 0 for gap in made.to_dict()["gaps"] if gap.get("low") is not None} == {True}
