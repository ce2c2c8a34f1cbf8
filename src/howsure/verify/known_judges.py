"""Few true labels and many verdicts: closed means, draws, and the published correction of verification bias."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.laws import BinaryLaw, CarriedPrevalence
from howsure.posterior.posterior import infer
from howsure.verify.checks import Check, Checker, close, within_draws

__all__ = ["CHECKS"]

RUNS = 40_000
TWO_ROUTES = "two quadratures, 1e-8 apart or less"
DRUM = "Drum and Christacopoulos 1972, corrected by Begg and Greenes 1983"


def _shares() -> Iterator[Check]:
    law = BinaryLaw("bias", (1401, 601), (65.5, 7.5), (22.5, 6.5))
    mean = 1401 / 2002 * 65.5 / 73 + 601 / 2002 * 6.5 / 29
    yield close("share right: 2,000 verdicts, 100 labels, mean", law.mean, mean, 1e-9, "product of means")
    ends = law.interval(0.95, "central")
    for side, got, expected in zip(("low", "high"), ends, (0.6260393211436367, 0.7614521889784008), strict=True):
        yield close(f"its central 95%, {side} end", got, expected, 1e-7, TWO_ROUTES)
    rng = np.random.default_rng(6)
    passed = rng.beta(1401, 601, RUNS)
    drawn = passed * rng.beta(65.5, 7.5, RUNS) + (1 - passed) * rng.beta(6.5, 22.5, RUNS)
    yield within_draws("the same, simulated", drawn.mean(), law.mean, law.sd, RUNS, "exact against NumPy's draws")
    every = BinaryLaw("bias", (81, 21), (78.5, 2.5), (13.5, 7.5))
    yield close("everything labelled, 85 of 100 right: mean", every.mean, 86 / 102, 1e-9, "Beta(86, 16)")


def _rates() -> Iterator[Check]:
    law = BinaryLaw("precision", (430, 222), (232, 33), (55, 28))
    yield close("sensitivity, few verified, mean", law.mean, 0.8343819531394897, 1e-8, TWO_ROUTES)
    rng = np.random.default_rng(7)
    share, one, two = rng.beta(430, 222, RUNS), rng.beta(232, 33, RUNS), rng.beta(28, 55, RUNS)
    drawn = share * one / (share * one + (1 - share) * two)
    yield within_draws("the same, simulated", drawn.mean(), law.mean, law.sd, RUNS, "exact against NumPy's draws")
    scans = ConfusionMatrix([[54, 32], [27, 231]], labels=["well", "ill"], unlabelled={"well": 140, "ill": 166})
    known = infer(scans)
    for metric, printed in (("recall@ill", 0.84), ("recall@well", 0.74)):
        yield close(f"{metric} of 344 scans and 306 unverified", known.of(metric).observed, printed, 5.1e-3, DRUM)


def _carried() -> Iterator[Check]:
    law = CarriedPrevalence(50, 3330, (104, 20), (400, 3))
    yield close("prevalence behind 50 of 3,330 positive tests, mean", law.mean, 0.010371273267774862, 1e-8, TWO_ROUTES)
    ends = law.interval(0.95, "central")
    for side, got, expected in zip(("low", "high"), ends, (0.0013258830994, 0.0189043658793), strict=True):
        yield close(f"its central 95%, {side} end", got, expected, 1e-7, TWO_ROUTES)


CHECKS: tuple[Checker, ...] = (_shares, _rates, _carried)
