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
from howsure.posterior.questions.frequencies import whole_parts

TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]), "flat")


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=9), st.integers(0, 10**6))
def test_parts_add_up_and_none_is_off_by_one_or_more(shares: list[float], total: int) -> None:
    wanted = np.array(shares) / sum(shares)
    parts = whole_parts(wanted, total)
    assert sum(parts) == total
    assert np.all(np.abs(np.array(parts) - wanted * total) < 1 + 1e-6)


@pytest.mark.full
@given(matrices(max_classes=3), st.integers(1, 10**5))
def test_everybody_is_counted_once(cm: hs.ConfusionMatrix, of: int) -> None:
    known = hs.infer(cm).natural_frequencies(of)
    counts = np.array(known.counts)
    assert counts.sum() == of
    assert counts.min() >= 0
    for i, share in enumerate(known.found):
        assert (share.total, share.count) == (counts[i].sum(), counts[i, i])
        assert 0 <= share.low <= share.count <= share.high <= share.total
    for i, right in enumerate(known.right):
        assert right is None or (right.total == counts[:, i].sum() and right.low <= right.count <= right.high <= of)
    json.dumps(known.to_dict(), allow_nan=False)
    assert "<table>" in known._repr_html_()


def test_the_numbers_are_those_of_the_rates() -> None:
    known = TWO.natural_frequencies(10_000, {"ill": 0.02})
    low, high = TWO.of("recall@ill").interval()
    assert known.counts == ((8669, 1131), (35, 165))
    assert (known.found[1].low, known.found[1].high) == (int(200 * low), -int(-200 * high // 1))
    assert "as stated" in str(known)
    assert str(known).startswith("Of 10,000 people: 200 ill, of whom 165 (")


@pytest.mark.parametrize("of", [0, True, 10**12])
def test_numbers_of_people_that_are_none(of: object) -> None:
    with pytest.raises(InvalidArgument, match="number of people"):
        TWO.natural_frequencies(of)  # type: ignore[arg-type]


def test_all_published_classifiers(published: dict[str, Any]) -> None:
    names = [n for n, c in published.items() if n.startswith("toetsch2020") and "matrix" in c]
    assert len(names) == 24
    for name in names:
        known = hs.infer(hs.ConfusionMatrix(published[name]["matrix"]), "flat").informative()
        rel = 2e-4 if name == "toetsch2020_16" else 6e-6  # that one's stored tail has four digits
        assert known.deceptive == pytest.approx(published[name]["computed"]["r_deceptive"], rel=rel, abs=0)
        assert known.informative + known.deceptive == pytest.approx(1)


@given(matrices(), st.floats(0, 0.9))
def test_the_three_probabilities_add_to_one(cm: hs.ConfusionMatrix, margin: float) -> None:
    known = hs.infer(cm, "flat").informative(margin)
    assert known.informative + known.chance + known.deceptive == pytest.approx(1, abs=1e-8)
    assert known.informative <= hs.infer(cm, "flat").informative().informative + 1e-9
    json.dumps(known.to_dict(), allow_nan=False)
    assert str(known)


def test_of_two_classes_it_is_the_metric_informedness() -> None:
    law = TWO.informative().informedness
    assert tuple(law.interval()) == pytest.approx(tuple(TWO.of("informedness").interval()), abs=1e-9)
    assert TWO.informative(0.1).informative == pytest.approx(TWO.of("informedness").prob(above=0.1))


@pytest.mark.parametrize("margin", [-0.1, 1, "0.1"])
def test_margins_that_are_none(margin: object) -> None:
    with pytest.raises(InvalidArgument, match="margin is an informedness"):
        TWO.informative(margin)  # type: ignore[arg-type]
