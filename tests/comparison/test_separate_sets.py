"""Separate test sets of unlike size: one prior for both that does not favour the larger one, and when it is said."""

from __future__ import annotations

import json

import numpy as np
import pytest

import howsure as hs

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SMALL, LARGE = hs.ConfusionMatrix([[19, 1], [1, 19]]), hs.ConfusionMatrix([[190, 10], [10, 190]])
SAID = "no prior was named, so both are under 'jeffreys'"


def said(made: hs.comparison.comparison.Comparison) -> bool:
    return any(SAID in note for note in made.notes)


@pytest.mark.sweep(1, full=4)
@pytest.mark.parametrize("metric", ["balanced_accuracy", "accuracy", "f1@macro"])
def test_two_sets_whose_prior_nobody_named_are_compared_under_jeffreys_members_and_all(metric: str) -> None:
    made = hs.compare(hs.infer(SMALL), hs.infer(LARGE), metric=metric)
    named = hs.compare(hs.infer(SMALL, "jeffreys"), hs.infer(LARGE, "jeffreys"), metric=metric)
    assert made.prior == "jeffreys"
    assert made.to_dict() == {**named.to_dict(), "notes": made.to_dict()["notes"]}
    assert made.a.mean == hs.infer(SMALL, "jeffreys").of(metric).mean
    assert said(made)
    assert not said(named)
    assert 0.2 < made.p_better < 0.8
    assert made.to_dict()["prior"] == {"name": "jeffreys", "a": 0.5, "b": 0.5, "prevalence": 1}


def test_a_named_prior_is_kept() -> None:
    both = hs.infer(SMALL, "flat"), hs.infer(LARGE, "flat")
    for pair in (both, (hs.infer(SMALL), both[1]), (both[0], hs.infer(LARGE))):
        made = hs.compare(*pair)
        assert made.prior == "flat"
        assert not said(made)
        assert made.p_better == pytest.approx(0.2096926, abs=1e-7)


def test_means_without_end_give_no_number() -> None:
    perfect, good = (hs.infer(hs.ConfusionMatrix.from_counts(tp=10, fn=0, fp=fp, tn=10 - fp)) for fp in (0, 6))
    made = hs.compare(perfect, good, metric="lr_plus")
    assert np.isinf(made.a.mean)
    assert np.isfinite(made.b.mean)
    assert made.expected_loss.b == np.inf > made.expected_loss.a  # what A may have more has an infinite mean
    assert "is infinite (95 % HDI" in made.sentence
    both = hs.compare(perfect, perfect, metric="dor")
    assert "is undefined (95 % HDI" in both.sentence
    assert "loses infinitely much on average" in both.sentence
    for answer in (made, both):
        assert "nan" not in str(answer)
        assert answer.prior_shift is None
    assert both.expected_loss == (np.inf, np.inf)
    for answer in (made, both, hs.gate(perfect, good, metric="dor"), hs.gate(perfect, metric="lr_plus", floor=5)):
        json.dumps(answer.to_dict(), allow_nan=False)
    assert hs.gate(perfect, good, metric="dor").rows[0].more_cases is None
