"""Cells with equal keys are added up, whatever route puts them in order."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from howsure.data.counts import summed

WIDTHS = st.sampled_from([1, 3, 50, 2**40])


@given(st.data(), st.integers(1, 3), WIDTHS, st.integers(1, 60))
def test_merging_agrees_with_a_dictionary(data: st.DataObject, columns: int, width: int, rows: int) -> None:
    def column(low: int, high: int) -> np.ndarray:
        return np.array(data.draw(st.lists(st.integers(low, high), min_size=rows, max_size=rows)))

    keys = [column(-1, width) for _ in range(columns)]
    count = column(0, 3)
    expected: Counter[tuple[int, ...]] = Counter()
    for *key, times in zip(*(k.tolist() for k in keys), count.tolist(), strict=True):
        expected[tuple(key)] += times
    found, total = summed(keys, count)
    cells = list(zip(*(k.tolist() for k in found), strict=True))
    assert cells == sorted(key for key, times in expected.items() if times)
    assert total.tolist() == [expected[key] for key in cells]
