"""The shape of a law as it is drawn."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.laws import Beta, BetaBinomial, Draws, Linear
from howsure.laws.outline import outline


@pytest.mark.parametrize(
    "law",
    [
        Beta(20, 3),
        Beta(1, 30),
        BetaBinomial(40, 20, 3),
        Draws(np.random.default_rng(0).beta(8, 3, 20_000), support=(0.0, 1.0)),
        hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]])).of("mcc").law,
    ],
    ids=repr,
)
def test_an_outline_holds_nearly_all_of_the_law_and_stays_inside(law: object) -> None:
    x, density = outline(law)  # type: ignore[arg-type]  # laws of all kinds
    assert np.trapezoid(density, x) == pytest.approx(1, abs=0.02)
    assert np.all(np.diff(x) >= 0)
    if not isinstance(law, BetaBinomial):
        assert law.support[0] <= x[0]  # type: ignore[attr-defined]  # laws of all kinds
        assert x[-1] <= law.support[1]  # type: ignore[attr-defined]  # laws of all kinds


def test_a_number_without_width_is_one_point() -> None:
    x, density = outline(Linear(shift=0.3))
    assert x.tolist() == [0.3]
    assert density.tolist() == [1.0]
