"""The largest gap between groups: how often its interval holds the true one, and finds one where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from tests.validation.sections import text_of

from howsure.units.slice_answers import GroupRate, gap_knowledge

Sizes = tuple[str, Callable[[int, np.random.Generator], NDArray[np.int64]]]
Truth = Callable[[NDArray[np.int64], float, float, np.random.Generator], NDArray[np.float64]]

#: True rates of the groups, by turns; of a false alarm all of them.
BASES = (0.8, 0.55, 0.97, 0.5)

GAPS = (0.05, 0.1, 0.2, 0.4)


def alike(size: int) -> Sizes:
    """Groups of one size."""
    return f"{size}", lambda groups, rng: np.full(groups, size)


def one_of(small: int, size: int) -> Sizes:
    """One small group among groups of one size."""
    return f"one of {small}, others {size}", lambda groups, rng: np.array([small] + [size] * (groups - 1))


MIXED: Sizes = ("10 to 1,000", lambda groups, rng: np.exp(rng.uniform(np.log(10), np.log(1000), groups)).astype(int))


def scattered(n: NDArray[np.int64], base: float, gap: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Rates of all groups differ; the extreme ones are a gap apart."""
    z = rng.normal(size=len(n))
    return np.asarray(base - gap * (z - z.min()) / np.ptp(z))


def smallest(n: NDArray[np.int64], base: float, gap: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """All have one rate but the smallest group."""
    return np.where(np.arange(len(n)) == n.argmin(), base - gap, base)


WORLDS: list[tuple[int, Sizes, str, Truth]] = [
    (groups, sizes, name, truth)
    for groups, sizes in [(g, s) for g in (2, 5, 20) for s in (alike(10), alike(100), alike(1000), MIXED)]
    for name, truth in (("all unlike", scattered), ("the smallest unlike", smallest))
    if groups > 2 or truth is smallest
] + [
    (groups, one_of(*sizes), "the smallest unlike", smallest)
    for groups in (5, 20)
    for sizes in ((10, 100), (20, 100), (10, 1000), (20, 1000))
]


def lines(runs: int) -> Iterator[str]:
    """Coverage of the largest difference by its true value, and false alarms where there is none."""
    runs = max(20, runs // 3)
    yield from text_of("fairness 1")
    for i, (groups, sizes, name, truth) in enumerate(WORLDS):
        rng = np.random.default_rng([21, i])
        alarms = runs - sum(held(groups, sizes, truth, 0.0, run, rng)[0] for run in range(runs))
        cells = [f"{100 * alarms / runs:.0f}"]
        for gap in GAPS:
            found = [held(groups, sizes, truth, gap, run, rng) for run in range(runs)]
            inside, below = (sum(x[j] for x in found) for j in (0, 1))
            cells.append(f"{100 * inside / runs:.0f}, {100 * below / runs:.0f}")
        yield f"| {groups} | {sizes[0]} | {name} | {' | '.join(cells)} | {runs} |"
    yield from clusters(runs)


#: True rates of slices: all alike, unlike, one odd one, and two clusters.
SLICES: tuple[tuple[str, Callable[[int, np.random.Generator], NDArray[np.float64]]], ...] = (
    ("two clusters, 0.9 and 0.75", lambda slices, rng: np.where(np.arange(slices) % 2, 0.9, 0.75)),
    ("Beta(17, 3)", lambda slices, rng: rng.beta(17, 3, slices)),
    ("one 0.5, others 0.9", lambda slices, rng: np.where(np.arange(slices), 0.9, 0.5)),
    ("all 0.85", lambda slices, rng: np.full(slices, 0.85)),
)


def clusters(runs: int) -> Iterator[str]:
    """Coverage of the largest gap of many slices."""
    yield from text_of("fairness 2")
    for slices, n in ((5, 50), (5, 200), (20, 50), (20, 200), (60, 50), (60, 200), (100, 50)):
        for i, (name, truth) in enumerate(SLICES):
            rng = np.random.default_rng([22, slices, n, i])
            rows = []
            for run in range(runs):
                rates = truth(slices, rng)
                right = rng.binomial(n, rates)
                rate = GroupRate(right, np.full(slices, n), 1000, (run,))
                made, true = gap_knowledge([rate], 0.05, 0.95), float(np.ptp(rates))
                again = np.random.default_rng([23, run]).binomial(n, right / n, (500, slices)) / n
                low, high = np.quantile(np.ptp(again, axis=1), [0.025, 0.975])
                rows.append((
                    made.low <= true <= made.high, made.high < true, made.mean - true, made.high - made.low,
                    low <= true <= high, high - low,
                ))  # fmt: skip
            inside, below, bias, width, held_by, width_of = np.mean(rows, axis=0)
            yield (
                f"| {slices} | {n} | {name} | {100 * inside:.0f} | {100 * below:.0f} | {bias:+.3f} | {width:.3f} | "
                f"{100 * held_by:.0f}, {width_of:.3f} | {runs} |"
            )


def held(groups: int, sizes: Sizes, truth: Truth, gap: float, run: int, rng: np.random.Generator) -> tuple[bool, bool]:
    """Whether an interval holds the true gap, and whether it ended below it."""
    n = sizes[1](groups, rng)
    base = BASES[run % len(BASES)]
    rates = truth(n, base, gap, rng) if gap else np.full(groups, base)
    made = gap_knowledge([GroupRate(rng.binomial(n, rates), n, 1000, (run,))], 0.05, 0.95)
    true = float(np.ptp(rates))
    return bool(made.low <= true <= made.high), bool(made.high < true)
