"""Two equally good classifiers on separate test sets of unlike size: how often one is called better."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tests.validation.sections import text_of
from tests.validation.simulated import table_of

import howsure as hs
from howsure.posterior.posterior import infer


def lines(runs: int) -> Iterator[str]:
    """Share of the comparisons with P >= 0.95 for the larger and for the smaller set, and gates that decide."""
    runs = max(20, runs // 2)
    yield from text_of("separate 1")
    for size, few, many in (
        (2, 12, 120),
        (2, 25, 25),
        (3, 12, 120),
        (3, 25, 25),
        (5, 12, 120),
        (10, 12, 120),
        (10, 25, 250),
    ):
        for recall in (0.85, 0.95, 0.98):
            yield row(size, few, many, recall, runs)


def row(size: int, few: int, many: int, recall: float, runs: int) -> str:
    """One kind of comparison."""
    rng = np.random.default_rng([20, size, few, many, int(100 * recall)])
    found: dict[str | None, np.ndarray] = {None: np.zeros(2), "flat": np.zeros(2)}
    verdicts = np.zeros(2)
    for _ in range(runs):
        large, small = (table_of(rng.binomial(n, recall, size), np.full(size, n)) for n in (many, few))
        for prior, count in found.items():
            made = hs.compare(*(infer(t, prior) for t in (large, small)))
            count += [made.p_better >= 0.95, made.p_worse >= 0.95]
        verdict = hs.gate(infer(large), infer(small)).verdict
        verdicts += [verdict == "pass", verdict == "fail"]
    cells = [f"{100 * a / runs:.0f}/{100 * b / runs:.0f}" for a, b in [*found.values(), verdicts]]
    return f"| {size} | {few}, {many} | {recall:g} | {' | '.join(cells)} | {runs} |"
