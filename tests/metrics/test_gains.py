"""Gains over the share of a class."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.metrics import parse

ILL = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


def test_gains_are_those_of_flach_and_kull():
    for name in ("precision", "recall", "f1", "fbeta(beta=2)"):
        base, _, rest = name.partition("(")
        gain = observed(f"{base}_gain{'(' + rest if rest else ''}", ILL.counts)
        value, share = observed(name, ILL.counts), 0.5
        assert gain == pytest.approx((value - share) / ((1 - share) * value))
