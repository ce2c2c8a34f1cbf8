"""Scores: areas counted pair by pair, DeLong's variance as pROC has it, net benefit by its formula."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import sqrt

from howsure.curves import delong, net_benefit, roc_curve
from howsure.data.scores import Scores
from howsure.verify.checks import Check, Checker, close

__all__ = ["CHECKS"]

TRUTH = (1,) * 8 + (0,) * 13
#: Scores with ties of the golden sets; area and variance by pROC 1.18.0.
SCORES = (
    (3.4, -0.1, 1, 2.1, 2, 1.2, 0.1, 2.3, -1.9, -1.4, -1.5, 2.4, 0.5, -0.1, -0.9, -0.1, 1.3, -0.7, -1.8, -0.1, -0.2),
    (3, 1, 1.1, 3.4, 1.7, 1.2, -1.3, 0.6, -2.6, -2.5, -0.5, 1.4, 0, 0.1, -0.7, -0.1, 0, 0.9, 0.7, -0.2, -0.1),
)
PROC = ((0.86057692307692313, 0.0068422663074105376), (0.83653846153846156, 0.0121160890391659622))


def _areas() -> Iterator[Check]:
    for values, (area, variance) in zip(SCORES, PROC, strict=True):
        scores = Scores(TRUTH, values, positive=1)
        ill = [x for x, t in zip(values, TRUTH, strict=True) if t]
        well = [x for x, t in zip(values, TRUTH, strict=True) if not t]
        pairs = sum((x > y) + (x == y) / 2 for x, y in product(ill, well)) / (len(ill) * len(well))
        made = roc_curve(scores, draws=2000)
        yield close(
            "area of 8 and 13 scores with ties", made.area.observed, pairs, 1e-12, "all pairs counted, ties half"
        )
        classical = delong(scores)
        yield close("the same", classical.area, area, 1e-12, "pROC 1.18.0")
        yield close("its standard error by DeLong", sqrt(classical.variance), sqrt(variance), 1e-12, "pROC 1.18.0")
    perfect = roc_curve(Scores([0, 0, 1, 1], [1, 2, 3, 4], positive=1), draws=500)
    yield close("area of scores in perfect order", perfect.area.observed, 1.0, 0.0, "all pairs")


def _benefit() -> Iterator[Check]:
    truth, values = [0, 0, 0, 1, 1], [0.1, 0.4, 0.35, 0.45, 0.8]
    rows = net_benefit(Scores(truth, values, positive=1), [0.3, 0.42], draws=500).to_dict()["points"]
    for row, threshold in zip(rows, (0.3, 0.42), strict=True):
        tp = sum(t and v >= threshold for t, v in zip(truth, values, strict=True))
        fp = sum((not t) and v >= threshold for t, v in zip(truth, values, strict=True))
        expected = tp / 5 - fp / 5 * threshold / (1 - threshold)
        yield close(f"net benefit at {threshold}", row["observed"], expected, 1e-12, "Vickers and Elkin 2006")


CHECKS: tuple[Checker, ...] = (_areas, _benefit)
