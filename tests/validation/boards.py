"""Boards whose true ranks are known: how often the best of them is right, covered, and drawn back far enough.

``python -m tests.validation.boards --runs 100`` prints the tables of paired boards (part of `make validate`). Entries
answer the same cases; a case that is hard for one is hard for all (correlation 0.5 of the latent difficulty), and
classes are unlike (their recalls move together by 0.3 on the probit scale).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

import howsure as hs

__all__ = ["BoardWorld", "Seen", "seen", "tables"]

#: Kinds of boards: recalls of an entry on a class of usual difficulty.
KINDS = ("all equal", "sd .03", "one outstanding", "two groups", "half are clones")

#: Draws of one ranking, fewer than usual: boards are many.
DRAWS = 4_000


@dataclass(frozen=True)
class BoardWorld:
    """Boards of one kind: ``entries`` classifiers on ``cases`` cases of each of ``classes`` classes."""

    classes: int
    cases: int
    entries: int
    kind: str
    metric: str

    def board(self, rng: np.random.Generator) -> tuple[hs.Predictions, np.ndarray]:
        """Draw answers, and the true score of every entry (its mean recall)."""
        size = self.entries
        skill = np.full(size, 0.8)
        if self.kind in ("sd .03", "half are clones"):
            skill = np.clip(skill + 0.03 * rng.standard_normal(size), 0.5, 0.97)
        elif self.kind == "one outstanding":
            skill = skill + 0.005 * rng.standard_normal(size)
            skill[0] = 0.87
        elif self.kind == "two groups":
            skill = np.where(np.arange(size) < size // 2, 0.82, 0.65) + 0.01 * rng.standard_normal(size)
        of_class = 0.3 * rng.standard_normal(self.classes)
        recall = ndtr(ndtri(skill)[:, None] + of_class)
        truth = np.repeat(np.arange(self.classes), self.cases)
        hard = np.sqrt(0.5) * rng.standard_normal(len(truth))
        own = np.sqrt(0.5) * rng.standard_normal((size, len(truth)))
        right = own + hard + ndtri(recall)[:, truth] > 0
        wrong = (truth + rng.integers(1, self.classes, (size, len(truth)))) % self.classes
        answers = np.where(right, truth, wrong)
        if self.kind == "half are clones":
            answers[size // 2 :], recall[size // 2 :] = answers[: size - size // 2], recall[: size - size // 2]
        order = rng.permutation(size)
        named = {f"e{i}": answers[j] for i, j in enumerate(order.tolist())}
        return hs.Predictions(truth, named, labels=range(self.classes)), recall.mean(1)[order]


@dataclass(frozen=True)
class Seen:
    """What many boards showed: shares of boards, or of entries.

    Attributes
    ----------
    says, right : float
        P(best) of the first, on average, and how often it is the best.
    best_set, size : float
        How often the best set holds the best, and how many it has.
    ranks : float
        Share of rank intervals that hold the rank.
    winner : float
        How often the interval of the first holds its score.
    false : float
        Share of the claims P(first better than j) >= .95 that are false, of all pairs of the first.
    cut : float
        How often the first tier ends before an entry that is no worse than the first.
    contenders : float
        How often the contenders hold the best.
    """

    runs: int
    says: float
    right: float
    best_set: float
    size: float
    ranks: float
    winner: float
    false: float
    cut: float
    contenders: float
    pairs: tuple[tuple[float, float], ...] = ()


def seen(world: BoardWorld, runs: int, seed: int, entries: str) -> Seen:
    """Rank ``runs`` boards of a world; entries come in random order, so true ties are broken at random."""
    rng = np.random.default_rng([seed, world.classes, world.cases, world.entries, KINDS.index(world.kind)])
    rows, pairs = [], []
    for run in range(runs):
        data, scores = world.board(rng)
        made = hs.rank(data, metric=world.metric, entries=entries, draws=DRAWS, seed=run)
        true = np.array([scores[int(entry.name[1:])] for entry in made.entries])
        places = np.array([int(entry.name[1:]) for entry in made.entries])
        ranks = np.empty(len(true), dtype=int)
        ranks[np.lexsort((places, -true))] = np.arange(1, len(true) + 1)
        best = made.entries[int(np.argmin(ranks))].name
        first = made.entries[0]
        # of entries that are equally good one is the best as much as another
        right = float(true[0] == true.max()) / np.count_nonzero(true == true.max())
        span = [entry.rank_interval for entry in made.entries]
        within = [low <= r <= high for (low, high), r in zip(span, ranks, strict=True)]
        claims = np.asarray(made.above)[0, 1:] >= 0.95
        cut = any(entry.tier > 1 and true[i] >= true[0] for i, entry in enumerate(made.entries))
        rows.append(
            (
                first.p_best,
                right,
                best in made.best_set,
                len(made.best_set),
                np.mean(within),
                first.low <= true[0] <= first.high,
                np.mean(claims & (true[1:] >= true[0])),
                cut,
                best in made.contenders,
            )
        )
        pairs.append((first.p_best, right))
    return Seen(runs, *np.mean(np.array(rows, dtype=float), axis=0).tolist(), tuple(pairs))


def reliability(found: Iterable[Seen]) -> list[tuple[float, float, int]]:
    """Where the first says so much, how often it is right: (mean said, share right, boards) of bins of P(best)."""
    said, right = np.array([pair for one in found for pair in one.pairs], dtype=float).T
    place = np.digitize(said, (0.2, 0.35, 0.5, 0.65, 0.8, 0.95))
    return [
        (float(said[place == b].mean()), float(right[place == b].mean()), int((place == b).sum()))
        for b in range(7)
        if (place == b).any()
    ]


def tables(worlds: Sequence[BoardWorld], runs: int, seed: int) -> Iterator[str]:
    """Lines of Markdown: each world under both kinds of entries, then reliability."""
    header = ("K", "n", "T", "board", "metric", "entries", "says/right", "best set (size)", "ranks", "winner", "false")
    yield "| " + " | ".join((*header, "cut", "contenders")) + " |"
    yield "|---" * (len(header) + 2) + "|"
    kept: dict[str, list[Seen]] = {"independent": [], "learned": []}
    for world in worlds:
        for entries, all_of_them in kept.items():
            x = seen(world, runs, seed, entries)
            all_of_them.append(x)
            cells = (
                f"{x.says:.2f}/{x.right:.2f}", f"{100 * x.best_set:.0f} ({x.size:.1f})", f"{100 * x.ranks:.0f}",
                f"{100 * x.winner:.0f}", f"{100 * x.false:.1f}", f"{100 * x.cut:.0f}", f"{100 * x.contenders:.0f}",
            )  # fmt: skip
            about = (world.classes, world.cases, world.entries, world.kind, world.metric, entries)
            yield "| " + " | ".join((*map(str, about), *cells)) + " |"
    yield ""
    for entries, all_of_them in kept.items():
        bins = ", ".join(f"{said:.2f}: {right:.2f} ({count})" for said, right, count in reliability(all_of_them))
        yield f"The first says, and is right (boards), {entries}: {bins}."


def all_worlds() -> list[BoardWorld]:
    """Boards of two, three and ten classes by accuracy and balanced accuracy."""
    return [
        BoardWorld(classes, cases, entries, kind, metric)
        for classes, cases, entries in ((2, 100, 10), (3, 70, 10), (10, 20, 8))
        for metric in ("accuracy", "balanced_accuracy")
        for kind in KINDS
    ]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--classes", type=int, nargs="*")
    parser.add_argument("--metric")
    given = parser.parse_args()
    chosen = [
        world
        for world in all_worlds()
        if (not given.classes or world.classes in given.classes) and given.metric in (None, world.metric)
    ]
    for line in tables(chosen, given.runs, given.seed):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
