"""Two classifiers on test sets of their own: false alarms and power, beside a classical test and a bootstrap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, ndtri
from tests.validation.sections import text_of
from tests.validation.simulated import Floats, Whole, table_of

import howsure as hs
from howsure.posterior.posterior import infer

#: Resamplings of the bootstrap.
RESAMPLED = 1_000
WHO = ("default", "flat", "z", "bootstrap")


def lines(runs: int) -> Iterator[str]:
    """Ours beside a stratified z test and the bootstrap within classes."""
    runs = max(20, runs // 2)
    yield from text_of("separate_power 1", " | ".join(f"{who}: P, holds" for who in WHO))
    for size, n in ((2, 20), (2, 100), (3, 20), (3, 100), (10, 20), (10, 60), (30, 15)):
        for effect in (0.0, 0.05, 0.1):
            sure, held, dense = world(np.full(size, n), effect, runs)
            holds = [f"{100 * h:.0f}" for h in held]
            holds[:2] = [f"{one}/{100 * d:.0f}" for one, d in zip(holds[:2], dense, strict=True)]
            cells = " | ".join(f"{100 * s:.0f}, {h}" for s, h in zip(sure, holds, strict=True))
            yield f"| {size} | {n} | {effect or 'none'} | {cells} | {runs} |"


def world(sizes: Whole, effect: float, runs: int) -> tuple[Floats, Floats, Floats]:
    """Shares of the runs in which each is sure, and holds the truth; of ours also by highest density."""
    rng = np.random.default_rng([33, len(sizes), int(sizes[0]), int(100 * effect)])
    sure, held, dense = np.zeros(len(WHO)), np.zeros(len(WHO)), np.zeros(2)
    for _ in range(runs):
        old = rng.beta(17, 4, len(sizes))
        new = np.minimum(old + effect, 0.995) if effect else old
        gain = float((new - old).mean())
        right = [rng.binomial(sizes, recalls) for recalls in (new, old)]
        for i, prior in enumerate((None, "flat")):
            difference = hs.compare(*(infer(table_of(k, sizes), prior) for k in right)).difference
            ends, narrow = difference.interval(0.95, "central"), difference.interval(0.95, "hdi")
            sure[i] += difference.prob(above=0) >= 0.95
            held[i] += ends.low <= gain <= ends.high
            dense[i] += narrow.low <= gain <= narrow.high
        shares = [k / sizes for k in right]
        seen = float((shares[0] - shares[1]).mean())
        error = float(np.sqrt(sum((p * (1 - p) / sizes).sum() for p in shares))) / len(sizes)
        sure[2] += ndtr(seen / error) >= 0.95 if error else seen > 0
        held[2] += abs(seen - gain) <= ndtri(0.975) * error
        again = [rng.binomial(sizes, p, (RESAMPLED, len(sizes))) / sizes for p in shares]
        drawn = (again[0] - again[1]).mean(1)
        low, high = np.percentile(drawn, [2.5, 97.5])
        sure[3] += np.percentile(drawn, 5) > 0
        held[3] += low <= gain <= high
    return sure / runs, held / runs, dense / runs
