"""Boards of separate test sets whose true scores are known: is P(best) right where entries are close?

``python -m tests.validation.separate_boards --boards 40`` prints the tables of docs/rank.md: of every world the same
boards, judged each entry alone (flat) and under the population learned from the board.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from howsure.numerics.populations.entries import learned_population
from howsure.numerics.populations.ranks import Ranks, beta_ranks, population_ranks

__all__ = ["WORLDS", "Judged", "drawn_board", "drawn_from_the_model", "judged", "summary"]

Floats = NDArray[np.float64]

#: True scores of a board of T entries.
WORLDS: dict[str, Callable[[int, np.random.Generator], Floats]] = {
    "all equal": lambda T, rng: np.full(T, 0.83),
    "sd 0.01": lambda T, rng: rng.normal(0.83, 0.01, T),
    "sd 0.04": lambda T, rng: rng.normal(0.83, 0.04, T),
    "two groups": lambda T, rng: np.where(np.arange(T) < T // 2, 0.86, 0.74) + rng.normal(0, 0.008, T),
    "a fifth at chance": lambda T, rng: np.where(np.arange(T) < max(1, T // 5), 0.5, rng.normal(0.85, 0.015, T)),
    "one outstanding": lambda T, rng: np.append(rng.normal(0.8, 0.006, T - 1), 0.86),
    "near the ceiling": lambda T, rng: rng.beta(60, 1.5, T),
    "spread evenly": lambda T, rng: rng.uniform(0.7, 0.9, T),
}

#: Where P(best) of the first is counted in the table of reliability.
BINS = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99, 1.0001)


@dataclass(frozen=True)
class Judged:
    """One board judged in one way."""

    says: float
    right: bool
    held: bool  # the best set holds the best
    size: int
    ranks: float  # share of rank intervals that hold the true rank
    false: float  # share of "the first is better, P >= .95" that are wrong; NaN without any
    winner: bool  # the central interval of the first holds its true score
    surprise: float  # -log P(the truly best is best)


def judged(k: Floats, n: Floats, truth: Floats, order: NDArray[np.intp]) -> tuple[Judged, Judged]:
    """A board judged each entry alone, and under its learned population; ``order`` has the truly best first."""
    alone = Ranks.of(beta_ranks(k + 1, n - k + 1).matrix, beta_ranks(k + 1, n - k + 1).above)
    population = learned_population(k, n)
    together = population_ranks(population)
    made = []
    for learned, ranks in ((False, alone), (True, together)):
        p_best, above = ranks.top(1), ranks.above
        first = int(p_best.argmax())
        a, b, w = k[[first]] + 1, n[[first]] - k[[first]] + 1, np.ones(1)
        if learned:
            a, b, w = population.betas(int(population.place[first]))
        below = float(w @ betainc(a, b, truth[first]))
        ranked = np.argsort(-p_best, kind="stable")
        size = int(np.searchsorted(np.cumsum(p_best[ranked]), 0.95 - 1e-12)) + 1
        true_rank = np.empty(len(k), int)
        true_rank[order] = np.arange(1, len(k) + 1)
        ends = ranks.interval()
        sure = np.flatnonzero((above[first] >= 0.95) & (np.arange(len(k)) != first))
        made.append(
            Judged(
                says=float(p_best[first]),
                right=first == order[0],
                held=bool(order[0] in ranked[:size]),
                size=size,
                ranks=float(np.mean((ends[:, 0] <= true_rank) & (true_rank <= ends[:, 1]))),
                false=float(np.mean(true_rank[sure] < true_rank[first])) if len(sure) else float("nan"),
                winner=0.025 <= below <= 0.975,
                surprise=-float(np.log(max(p_best[order[0]], 1e-12))),
            )
        )
    return made[0], made[1]


def drawn_board(truth: Floats, n: int, rng: np.random.Generator) -> tuple[Judged, Judged]:
    """Entries in a random order, on n cases each; equal entries have an order among themselves by lot."""
    truth = np.clip(truth, 0.0, 1.0)[rng.permutation(len(truth))]
    order = np.lexsort((rng.random(len(truth)), -truth))
    return judged(rng.binomial(n, truth).astype(float), np.full(len(truth), float(n)), truth, order)


def drawn_from_the_model(entries: int, n: int, rng: np.random.Generator) -> Floats:
    """True scores of a board that is a draw from the prior of learned boards, with cases n each."""
    while True:
        s = abs(rng.standard_cauchy())
        kappa = n / s**2
        if 0.1 <= s <= np.exp(3.5) and kappa >= 1:
            break
    mu = rng.random()
    main = rng.beta(mu * kappa, (1 - mu) * kappa, entries)
    item = rng.random()
    if item < 0.25:
        wide = max(kappa / 16, min(kappa, 2.0))
        second = rng.beta(mu * wide, (1 - mu) * wide, entries)
    elif item < 0.625:
        second = rng.random(entries)
    else:
        centre = float(np.clip(rng.choice(main), 0.5 / n, 1 - 0.5 / n))
        size = n * rng.choice([4.0, 0.25])
        second = rng.beta(centre * size, (1 - centre) * size, entries)
    return np.where(rng.random(entries) < rng.beta(1, 9), second, main)


def summary(found: Iterable[Judged]) -> dict[str, float]:
    """Means over boards."""
    rows = list(found)
    false = [x.false for x in rows if not np.isnan(x.false)]
    return {
        "says": float(np.mean([x.says for x in rows])),
        "right": float(np.mean([x.right for x in rows])),
        "held": float(np.mean([x.held for x in rows])),
        "size": float(np.mean([x.size for x in rows])),
        "ranks": float(np.mean([x.ranks for x in rows])),
        "false": float(np.mean(false)) if false else float("nan"),
        "winner": float(np.mean([x.winner for x in rows])),
        "surprise": float(np.mean([x.surprise for x in rows])),
    }


def _reliability(name: str, found: list[Judged]) -> str:
    says, right = np.array([x.says for x in found]), np.array([x.right for x in found])
    cells = []
    for low, high in pairwise(BINS):
        on = (says >= low) & (says < high)
        cells.append(f"{says[on].mean():.2f}: {right[on].mean():.2f} ({on.sum()})" if on.sum() >= 15 else "")
    place = np.digitize(says, BINS)
    error = sum(abs(float((says[place == i] - right[place == i]).sum())) for i in np.unique(place)) / len(says)
    return f"| {name} | " + " | ".join(cells) + f" | {error:.3f} | {np.mean((says - right) ** 2):.3f} |"


def _tables(boards: int, sizes: Iterable[int], cases: tuple[int, ...], seed: int) -> Iterator[str]:
    for entries in sizes:
        pooled: tuple[list[Judged], list[Judged]] = ([], [])
        yield f"\nT = {entries}\n"
        for at, (name, world) in enumerate(WORLDS.items()):
            for n in cases:
                rng = np.random.default_rng([seed, entries, n, at])
                found = [drawn_board(world(entries, rng), n, rng) for _ in range(boards)]
                for way in (0, 1):
                    pooled[way].extend(each[way] for each in found)
                cells = [summary(each[way] for each in found) for way in (0, 1)]
                yield f"| {name} | {n} | " + " | ".join(
                    f"{c['says']:.2f} / {c['right']:.2f}, {100 * c['held']:.0f} ({c['size']:.1f}), "
                    f"{100 * c['ranks']:.0f}, {100 * c['winner']:.0f}, {c['surprise']:.2f}"
                    for c in cells
                )
        for way, label in enumerate(("each alone", "learned")):
            yield label + ": " + ", ".join(f"{k} {v:.3f}" for k, v in summary(pooled[way]).items())
            yield _reliability(label, pooled[way])


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("--boards", type=int, default=60)
    asked.add_argument("--entries", type=int, nargs="+", default=[5, 20])
    asked.add_argument("--cases", type=int, nargs="+", default=[60, 400, 2500])
    asked.add_argument("--seed", type=int, default=1606)
    given = asked.parse_args()
    for line in _tables(given.boards, given.entries, tuple(given.cases), given.seed):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
