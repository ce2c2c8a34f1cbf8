"""Leaderboards: is the first the best as often as said, and do the sets and intervals hold what they promise?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from tests.validation.sections import text_of
from tests.validation.simulated import Floats, paired_answers

import howsure as hs
from howsure.questions.ranking import Ranking

Scores = Callable[[int, np.random.Generator], Floats]

#: True scores of T entries, by what the board is like.
BOARDS: dict[str, Scores] = {
    "all equal": lambda t, rng: np.full(t, 0.8),
    "normal, sd 0.02": lambda t, rng: np.clip(rng.normal(0.82, 0.02, t), 0, 1),
    "normal, sd 0.06": lambda t, rng: np.clip(rng.normal(0.8, 0.06, t), 0, 1),
    "two groups": lambda t, rng: np.where(np.arange(t) % 2, 0.84, 0.74) + rng.normal(0, 0.004, t),
    "one ahead by 0.05": lambda t, rng: np.r_[0.85, np.full(t - 1, 0.80)] + rng.normal(0, 0.004, t),
    "some at 0.5": lambda t, rng: np.where(np.arange(t) % 4 == 0, 0.5, 0.82) + rng.normal(0, 0.01, t),
}

#: What the first is said to be the best with: borders of the reliability table.
BORDERS = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0001)
WAYS = ("learned", "independent")

#: Classes, entries, cases and metric of boards of the same cases, and which truths they have.
PAIRED = ((2, 8, 300, "accuracy"), (3, 8, 300, "balanced_accuracy"), (10, 8, 400, "balanced_accuracy"))
NAMES_OF_PAIRED = ("all equal", "normal, sd 0.02", "normal, sd 0.06", "one ahead by 0.05")

#: What every board said of its first entry, and whether it is the best, for each way.
Said = dict[str, list[tuple[float, bool]]]


def lines(runs: int) -> Iterator[str]:
    """Separate boards, paired boards, and reliability of all of them together."""
    runs = max(12, runs // 3)
    said: Said = {way: [] for way in WAYS}
    yield from text_of("boards 1")
    for entries, cases in ((5, 120), (5, 1000), (20, 120), (20, 1000)):
        for name, scores in BOARDS.items():
            yield separate(entries, cases, name, scores, runs, said)
    yield from text_of("boards 2")
    yield from text_of("boards 3")
    for size, entries, cases, metric in PAIRED:
        for name in NAMES_OF_PAIRED:
            yield paired(size, entries, cases, metric, name, max(12, runs // 2), said)
    yield from text_of("boards 4")
    yield "| says | " + " | ".join(f"{a:g} to {min(b, 1):g}" for a, b in pairwise(BORDERS)) + " |"
    yield "| --- |" + " --- |" * (len(BORDERS) - 1)
    for way, pairs in said.items():
        yield reliability(way, np.array(pairs, dtype=float))


def separate(entries: int, cases: int, name: str, scores: Scores, runs: int, said: Said) -> str:
    """Boards of separate test sets by accuracy."""
    rng = np.random.default_rng([23, entries, cases, len(name)])
    tables: dict[str, list[Floats]] = {way: [] for way in WAYS}
    for _ in range(runs):
        truth = scores(entries, rng)
        names = [f"e{i}" for i in rng.permutation(entries)]
        right = rng.binomial(cases, truth)
        known = {n: hs.Posterior.from_accuracy(correct=int(k), n=cases) for n, k in zip(names, right, strict=True)}
        for way in WAYS:
            made = hs.rank(known, metric="accuracy", entries=way)
            tables[way].append(judged(made, dict(zip(names, truth, strict=True)), said[way]))
    return f"| {entries} | {cases} | {name} | {cells(tables)} | {runs} |"


def paired(size: int, entries: int, cases: int, metric: str, name: str, runs: int, said: Said) -> str:
    """Boards of the same cases."""
    rng = np.random.default_rng([24, size, entries, cases, len(name)])
    tables: dict[str, list[Floats]] = {way: [] for way in WAYS}
    sizes = np.full(size, cases // size)
    for _ in range(runs):
        truth = BOARDS[name](entries, rng)
        answers = paired_answers(sizes, [np.full(size, x) for x in truth], 0.5, rng)
        for way in WAYS:
            made = hs.rank(answers, metric=metric, entries=way, draws=4_000)
            tables[way].append(judged(made, {f"c{i}": x for i, x in enumerate(truth)}, said[way]))
    return f"| {size} | {entries} | {cases} | {metric} | {name} | {cells(tables)} | {runs} |"


def judged(made: Ranking, truth: dict[str, float], said: list[tuple[float, bool]]) -> Floats:
    """What one board says against what is true: says, is, holds the best, size, ranks held, score of the first held."""
    best = max(truth.values())
    winners = [name for name, value in truth.items() if value >= best - 1e-12]
    first = made.entries[0]
    right = (first.name in winners) / len(winners)
    said.append((first.p_best, bool(right)) if len(winners) == 1 else (first.p_best, bool(first.name == winners[0])))
    held = []
    for entry in made.entries:
        above = sum(value > truth[entry.name] + 1e-12 for value in truth.values())
        beside = sum(abs(value - truth[entry.name]) <= 1e-12 for value in truth.values())
        low, high = entry.rank_interval
        held.append(low <= above + beside and high >= above + 1)
    inside = first.low <= truth[first.name] <= first.high
    holds = len(set(made.best_set) & set(winners)) / len(winners)
    return np.array([first.p_best, right, holds, len(made.best_set), np.mean(held), inside])


def cells(tables: dict[str, list[Floats]]) -> str:
    """Both ways in words."""
    shown = []
    for way, rows in tables.items():
        says, is_, holds, size, ranks, inside = np.mean(rows, axis=0)
        told = f"{says:.2f} / {is_:.2f}" if way == WAYS[0] else f"{says:.2f}"
        shown.append(f"{told} | {100 * holds:.0f} ({size:.1f}) | {100 * ranks:.0f} | {100 * inside:.0f}")
    return " | ".join(shown)


def reliability(way: str, pairs: Floats) -> str:
    """Share of the firsts that are the best, by what was said of them."""
    shown = []
    for low, high in pairwise(BORDERS):
        there = pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < high)]
        shown.append(f"{there[:, 1].mean():.2f} ({len(there)})" if len(there) else "-")
    return f"| {way} | {' | '.join(shown)} |"
