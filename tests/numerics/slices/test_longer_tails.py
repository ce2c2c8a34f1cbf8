"""Who is unlike the rest where the rest may have longer tails than a Beta."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.numerics.slices.borrowed_rates import BorrowedRates

WORLDS = {
    "alike": lambda rng: np.full(500, 0.95),
    "normal logits": lambda rng: special.expit(np.log(9) + 0.5 * rng.standard_normal(500)),
}


@pytest.mark.parametrize("world", WORLDS)
def test_one_broken_slice_is_named_and_others_are_not(world: str) -> None:
    rng = np.random.default_rng(1)
    n = rng.integers(10, 201, 500)
    k = rng.binomial(n, WORLDS[world](rng))
    assert (BorrowedRates(k, n).unlike < 0.8).all()
    n[0], k[0] = 50, 12
    unlike = BorrowedRates(k, n).unlike
    assert unlike[0] > 0.9
    assert (unlike[1:] < 0.8).all()


def test_the_order_of_slices_and_copies_do_not_matter() -> None:
    k, n = np.array([19, 18, 20, 19] * 25 + [2]), np.full(101, 20)
    made, turned = BorrowedRates(k, n).unlike, BorrowedRates(k[::-1], n).unlike
    assert turned[::-1] == pytest.approx(made, abs=1e-12)
    assert made[-1] > 0.9
    assert (made[:100:4] == made[0]).all()
