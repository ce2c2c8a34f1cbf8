"""Predictive values as curves: the same numbers as one prevalence at a time."""

from __future__ import annotations

import json

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
THREE = hs.ConfusionMatrix([[45, 5, 1], [8, 42, 3], [3, 3, 20]], labels=["a", "b", "macro"])


@pytest.mark.parametrize(("confusion", "label"), [(TWO, "ill"), (TWO, "healthy"), (THREE, "b"), (THREE, "macro")])
@pytest.mark.parametrize("share", [0.001, 0.02, 0.5, 0.97])
def test_the_curve_is_that_of_each_prevalence(confusion: hs.ConfusionMatrix, label: str, share: float) -> None:
    post = hs.infer(confusion)
    curve = post.predictive_values(label, level=0.9, prevalence=[share])
    there = post.at_prevalence({label: share})
    tails = [0.05, 0.5, 0.95]
    assert curve.positive[:, 0] == pytest.approx(there.of(f'precision@"{label}"').quantile(tails), rel=1e-6)
    assert curve.negative[:, 0] == pytest.approx(there.of(f'npv@"{label}"').quantile(tails), rel=1e-6)
    assert curve.at(share)[0] == pytest.approx(curve.positive[:, 0].tolist())


def test_the_curves_rise_and_fall() -> None:
    curve = hs.infer(TWO).predictive_values()
    assert curve.label == "ill"
    assert len(curve.prevalence) == 101
    assert np.all(np.diff(curve.positive, axis=1) > 0)
    assert np.all(np.diff(curve.negative, axis=1) < 0)
    assert curve.here == 0.5
    assert json.loads(json.dumps(curve.to_dict()))["kind"] == "predictive_values"


def test_what_has_no_curve_is_said() -> None:
    with pytest.raises(InvalidArgument, match="say which one"):
        hs.infer(THREE).predictive_values()
    for odd in ([0.0], [1.0], [], ["x"]):
        with pytest.raises((InvalidArgument, ValueError)):
            hs.infer(TWO).predictive_values(prevalence=odd)  # type: ignore[arg-type]  # on purpose
