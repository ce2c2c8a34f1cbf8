"""Natural frequencies that add up, and P(informative) on the published classifiers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import matrices

import howsure as hs
from howsure.errors import InvalidArgument

TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]), "flat")


@pytest.mark.full
@given(matrices(max_classes=3), st.integers(1, 10**5))
def test_everybody_is_counted_once(cm: hs.ConfusionMatrix, of: int) -> None:
    known = hs.infer(cm).natural_frequencies(of)
    counts = np.array(known.counts)
    assert counts.sum() == of
    assert counts.min() >= 0
    for i, (found, missed, alarms, predicted) in enumerate(
        zip(known.found, known.missed, known.false_alarms, known.predicted, strict=True)
    ):
        assert (found.total, found.count) == (counts[i].sum(), counts[i, i])
        assert found.count + missed.count == found.total == missed.total
        assert found.count + alarms.count == predicted.count == counts[:, i].sum()
        assert (alarms.total, predicted.total) == (of - found.total, of)
        for share in (found, missed, alarms, alarms.others, predicted):
            assert 0 <= share.low <= share.count <= share.high <= share.total
    for right, predicted, found in zip(known.right, known.predicted, known.found, strict=True):
        assert (right is None) == (predicted.count == 0)
        if right is not None:
            assert right.value == found.count / predicted.count
            assert 0 <= right.low <= right.value <= right.high <= 1
    json.dumps(known.to_dict(), allow_nan=False)
    assert "<table>" in known._repr_html_()


@pytest.mark.parametrize("prior", ["flat", "learned", "jeffreys"])
def test_the_predicted_are_those_of_both_classes_in_closed_form_and_in_draws(prior: str) -> None:
    cm = hs.ConfusionMatrix([[40, 6, 4], [3, 30, 2], [1, 5, 9]], labels=["a", "b", "c"])
    post = hs.infer(cm, prior)
    known = post.natural_frequencies(100_000, [0.5, 0.3, 0.2], kind="central")
    tables = post.at_prevalence([0.5, 0.3, 0.2]).draw(20_000, seed=5)
    called = tables.sum(axis=1)
    for i in range(3):
        rest = 1 - [0.5, 0.3, 0.2][i]
        for share, values in (
            (known.predicted[i], called[:, i]),
            (known.false_alarms[i], (called - np.diagonal(tables, axis1=1, axis2=2))[:, i] / rest),
        ):
            low, high = np.quantile(values, [0.025, 0.975])
            slack = 0.06 * (high - low) * share.total
            assert share.low == pytest.approx(low * share.total, abs=slack)
            assert share.high == pytest.approx(high * share.total, abs=slack)


@pytest.mark.parametrize("of", [0, True, 10**12])
def test_numbers_of_people_that_are_none(of: object) -> None:
    with pytest.raises(InvalidArgument, match="number of people"):
        TWO.natural_frequencies(of)  # type: ignore[arg-type]


def test_all_published_classifiers(published: dict[str, Any]) -> None:
    names = [n for n, c in published.items() if n.startswith("toetsch2020") and "matrix" in c]
    assert len(names) == 24
    for name in names:
        known = hs.infer(hs.ConfusionMatrix(published[name]["matrix"]), "flat").of("informedness")
        rel = 2e-4 if name == "toetsch2020_16" else 6e-6  # that one's stored tail has four digits
        assert known.prob(below=0) == pytest.approx(published[name]["computed"]["r_deceptive"], rel=rel, abs=0)
