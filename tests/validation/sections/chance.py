"""Guessers: how often a report is sure that they are better than chance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tests.validation.sections import text_of
from tests.validation.simulated import Floats, Whole, counted

import howsure as hs
from howsure.posterior.posterior import infer

METRICS = ("balanced_accuracy", "mcc", "kappa", "accuracy")

#: Draws of the metrics without a closed law.
DRAWS = 1_000


def guessers(sizes: Whole) -> dict[str, Floats]:
    """Rows of chances: the same call whatever the truth."""
    size = len(sizes)
    uniform = np.full(size, 1 / size)
    leaning = np.full(size, 0.4 / (size - 1))
    leaning[0] = 0.6
    largest = np.zeros(size)
    largest[int(np.argmax(sizes))] = 1.0
    rows = {
        "uniform": uniform,
        "class 0 in 60%": leaning,
        "always the largest": largest,
        "by shares": sizes / sizes.sum(),
    }
    return {name: np.tile(row, (size, 1)) for name, row in rows.items()}


def lines(runs: int) -> Iterator[str]:
    """Share of tests with P(> chance) of 95% or more."""
    runs = max(20, runs)
    yield from text_of("chance 1", ", ".join(METRICS))
    for size, n in ((2, 20), (3, 6), (3, 40), (5, 6), (5, 40), (9, 6), (9, 20), (30, 6), (100, 6)):
        yield row(size, np.full(size, n), str(n), runs)
    for size in (2, 3, 9, 30):
        sizes = np.maximum(2, np.round(20 * size / np.arange(1, size + 1) / (1 / np.arange(1, size + 1)).sum()))
        yield row(size, sizes.astype(int), "Zipf, mean 20", runs)


def row(size: int, sizes: Whole, name: str, runs: int) -> str:
    """All guessers of one kind of test."""
    rng = np.random.default_rng([19, size, int(sizes[0])])
    skilled = np.full((size, size), (1 - 1 / size - 0.15) / (size - 1))
    np.fill_diagonal(skilled, 1 / size + 0.15)
    count = runs if size < 30 else max(30, runs // 3)
    cells = [alarms(rows, sizes, count, rng) for rows in [*guessers(sizes).values(), skilled]]
    return f"| {size} | {name} | {' | '.join(cells)} | {count} |"


def alarms(rows: Floats, sizes: Whole, runs: int, rng: np.random.Generator) -> str:
    """Percent of the tests in which each metric is sure."""
    sure = np.zeros(len(METRICS))
    for _ in range(runs):
        made = hs.report(infer(counted(rows, sizes, rng)), METRICS, draws=DRAWS)
        sure += [(r.p_above_chance or 0.0) >= 0.95 for r in made.rows]
    return ", ".join(f"{100 * x / runs:.0f}" for x in sure)
