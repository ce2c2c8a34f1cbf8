"""Sums by place and repetitions give 64 bits and take them, whatever the width of an address."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from howsure.numerics.arrays import bincount, repeat, scale_rows, short_sum

SOURCES = sorted((Path(__file__).parents[2] / "src").rglob("*.py"))


def test_numbers_with_a_fraction_are_no_places() -> None:
    with pytest.raises(TypeError):
        bincount(np.array([0.5, 1.0]))
    with pytest.raises(TypeError):
        repeat([1, 2], np.array([0.5, 1.0]))


def test_nobody_counts_or_repeats_by_numpy_alone() -> None:
    # where an address has 32 bits (a browser's WebAssembly) it refuses the 64 bits of our codes
    texts = {path.name: path.read_text(encoding="utf-8") for path in SOURCES}
    for name in ("bincount", "repeat"):
        assert [path for path, text in texts.items() if f"np.{name}(" in text] == ["arrays.py"]


@pytest.mark.parametrize("size", [1, 2, 7, 8])
@pytest.mark.parametrize("many", [3, 3000])
def test_a_short_sum_is_that_of_numpy_to_the_bit(many: int, size: int) -> None:
    tables = np.random.default_rng(size).standard_gamma(2.5, (many, size, size))
    for axis in (-1, -2):
        assert np.array_equal(short_sum(tables, axis), tables.sum(axis))
    assert np.array_equal(short_sum(np.diagonal(tables, axis1=1, axis2=2)), np.trace(tables, axis1=1, axis2=2))


@pytest.mark.parametrize("many", [3, 3000])
def test_rows_are_scaled_as_one_product(many: int) -> None:
    rng = np.random.default_rng(many)
    tables, factor = rng.random((many, 4, 2)), rng.random((many, 4))
    expected = tables * factor[..., None]
    scale_rows(tables, factor)
    assert np.array_equal(tables, expected)
