"""Agreement of raters: is the true coefficient in the interval, with few items, rare categories and missing ratings?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t
from tests.validation.sections import text_of

from howsure.numerics.agreement import COEFFICIENTS, Pairing, RatedItems, Scale, agreement_weights, every_pair

__all__ = ["CELLS", "WAYS", "Scene", "coverage", "lines", "truth"]

Floats = NDArray[np.float64]

#: Ours, and what is usual elsewhere.
WAYS = ("ours", "irrCAC", "jackknife", "bootstrap")

DRAWS, BOOTSTRAPS = 2_000, 400

SHARES = {
    "even": (0.5, 0.5), "rare": (0.95, 0.05), "very rare": (0.98, 0.02), "three": (0.6, 0.38, 0.02),
    "five": (0.3, 0.25, 0.2, 0.15, 0.1), "seven": (0.3, 0.2, 0.2, 0.1, 0.1, 0.08, 0.02),
}  # fmt: skip


class Scene(NamedTuple):
    """Items of a hidden category, which raters name with the probability ``right``; else another one.

    With ``kind`` "hard", 15% of the items are hard, half of their ratings being a guess; with "unlike" raters are
    unlike. On an interval scale near categories are confused more often, and weights are quadratic.
    """

    shares: str
    right: float
    raters: int
    items: int
    kind: str = "alike"
    missing: float = 0.0
    scale: Scale = "nominal"

    def states(self) -> list[tuple[float, Floats]]:
        """Kinds of items: how often they come, and each rater's probabilities of the categories."""
        shares = np.array(SHARES[self.shares])
        size = len(shares)
        off = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
        wrong = np.where(off > 0, 1 / np.maximum(off, 1) ** (0 if self.scale == "nominal" else 3), 0.0)
        wrong /= wrong.sum(1, keepdims=True)

        def rows(right: float) -> Floats:
            return np.asarray(right * np.eye(size) + (1 - right) * wrong)

        spread = np.linspace(-0.1, 0.05, self.raters) if self.kind == "unlike" else np.zeros(self.raters)
        if self.kind != "hard":
            each = np.stack([rows(min(0.995, self.right + x)) for x in spread])
            return [(share, each[:, k]) for k, share in enumerate(shares)]
        easy, hard = rows(min(0.995, self.right + 0.08)), 0.5 * shares + 0.5 * rows(0.6)
        return [
            (part * share, np.tile(table[k], (self.raters, 1)))
            for part, table in ((0.85, easy), (0.15, hard)) for k, share in enumerate(shares)
        ]  # fmt: skip

    def drawn(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Ratings, shape (items, raters)."""
        states = self.states()
        kind = rng.choice(len(states), self.items, p=[share for share, _ in states])
        upto = np.array([rows for _, rows in states]).cumsum(2)[kind]
        codes = np.minimum((rng.random((self.items, self.raters, 1)) > upto).sum(2), upto.shape[2] - 1)
        return np.where(rng.random(codes.shape) < self.missing, -1, codes)

    @property
    def values(self) -> Floats:
        """Where the categories lie."""
        return np.arange(1.0, len(SHARES[self.shares]) + 1)

    @property
    def weights(self) -> Floats:
        """How far two categories agree."""
        return agreement_weights("identity" if self.scale == "nominal" else "quadratic", self.values)


def truth(scene: Scene) -> Floats:
    """The coefficients of infinitely many items."""
    weights, states = scene.weights, scene.states()
    size, pairs = len(weights), scene.raters * (scene.raters - 1)
    margins = sum(share * rows for share, rows in states)
    both = sum(share * (np.outer(rows.sum(0), rows.sum(0)) - rows.T @ rows) for share, rows in states) / pairs
    agree = float((both * weights).sum())
    pooled, total = margins.mean(0), margins.sum(0)
    fleiss = float(pooled @ weights @ pooled)
    own = float((total @ weights @ total - np.einsum("rk,kl,rl->", margins, weights, margins)) / pairs)
    gwet = float(weights.sum() * (pooled * (1 - pooled)).sum() / (size * (size - 1)))
    chance = {
        "kappa": own,
        "fleiss": fleiss,
        "alpha": fleiss,
        "gwet": gwet,
        "brennan_prediger": weights.sum() / size**2,
    }
    return np.array([agree if name == "percent" else (agree - chance[name]) / (1 - chance[name])
                     for name in COEFFICIENTS])  # fmt: skip


def intervals(codes: NDArray[np.int64], scene: Scene, rng: np.random.Generator) -> Floats:
    """Both ends of each way and coefficient, shape (ways, 2, 6)."""
    raters, size = scene.raters, len(scene.weights)
    rated = RatedItems.of(codes, size, None if scene.scale == "nominal" else scene.values)

    def pairing(of: RatedItems) -> Pairing:
        return Pairing(of, every_pair(raters), scene.weights, scene.scale, scene.values)

    ours = pairing(rated)
    drawn = np.concatenate([ours.coefficients(weights) for weights in rated.drawn(DRAWS, rng)])
    kept = codes[(codes >= 0).sum(1) > 1]
    n = len(kept)
    each = pairing(RatedItems(kept, np.ones(n), np.ones(n), size))
    level, step = np.full((1, n), 1 / n), 1e-4 / n
    middle = each.coefficients(level)[0]
    away = [each.coefficients((1 - e) * level + e * np.eye(n)) for e in (step, -step)]
    influence = (away[0] - away[1]) / (2 * step)
    left = each.coefficients(1 - np.eye(n))
    factor = t.ppf(0.975, n - 1)
    linear = factor * np.sqrt((influence**2).sum(0) / n / (n - 1))
    jackknife = factor * np.sqrt((n - 1) / n * ((left - left.mean(0)) ** 2).sum(0))
    again = each.coefficients(rng.multinomial(n, level[0], BOOTSTRAPS).astype(float))
    with np.errstate(all="ignore"):
        return np.stack([
            np.nanquantile(drawn, [0.025, 0.975], axis=0),
            np.stack([middle - linear, middle + linear]),
            np.stack([middle - jackknife, middle + jackknife]),
            np.nanquantile(again, [0.025, 0.975], axis=0),
        ])  # fmt: skip


def coverage(scene: Scene, runs: int) -> Floats:
    """Share of the runs whose interval holds the truth, and its mean width: shape (ways, 6, 2).

    Tables of one category, where only the percentage has an answer, are drawn again; a rival without an answer misses.
    """
    exact, found = truth(scene), np.zeros((len(WAYS), len(COEFFICIENTS), 2))
    rng = np.random.default_rng([hash_of(scene), runs])
    done = 0
    while done < runs:
        codes = scene.drawn(rng)
        if len(np.unique(codes[codes >= 0])) < 2 or ((codes >= 0).sum(1) > 1).sum() < 6:
            continue
        done += 1
        ends = intervals(codes, scene, rng)
        with np.errstate(invalid="ignore"):
            found[:, :, 0] += (ends[:, 0] <= exact) & (exact <= ends[:, 1])
        found[:, :, 1] += np.nan_to_num(ends[:, 1] - ends[:, 0])
    return found / runs


def hash_of(scene: Scene) -> int:
    """A seed for a scene, the same everywhere."""
    return sum(ord(letter) * (i + 1) for i, letter in enumerate(repr(scene)))


CELLS = (
    Scene("even", 0.9, 2, 10),
    Scene("even", 0.9, 2, 20),
    Scene("even", 0.8, 3, 50),
    Scene("even", 0.97, 10, 20, "hard", 0.2),
    Scene("rare", 0.95, 2, 20),
    Scene("rare", 0.97, 3, 20),
    Scene("rare", 0.97, 3, 50),
    Scene("rare", 0.98, 5, 50, missing=0.2),
    Scene("very rare", 0.98, 2, 200),
    Scene("very rare", 0.99, 3, 200),
    Scene("very rare", 0.98, 3, 500, "hard"),
    Scene("three", 0.9, 2, 50, "unlike"),
    Scene("three", 0.95, 5, 200, "hard", 0.2),
    Scene("three", 0.75, 3, 20),
    Scene("seven", 0.9, 2, 20),
    Scene("seven", 0.85, 3, 50, "unlike", 0.2),
    Scene("seven", 0.9, 5, 200),
    Scene("five", 0.85, 2, 20, "unlike", 0.0, "interval"),
    Scene("five", 0.8, 3, 20, "alike", 0.2, "interval"),
    Scene("five", 0.9, 5, 50, "hard", 0.2, "interval"),
    Scene("five", 0.85, 2, 200, "unlike", 0.0, "interval"),
)


def lines(runs: int) -> Iterator[str]:
    """The section of the page."""
    many = max(10, runs // 7)
    yield from text_of("ratings 1", many, 100 * (0.95 * 0.05 / many) ** 0.5)
    shown = [COEFFICIENTS.index(name) for name in ("alpha", "kappa", "gwet", "percent")]
    for scene in CELLS:
        found = coverage(scene, many)[:, shown]
        cells = [
            f"{100 * one[0, 0]:.0f}, {one[0, 1]:.2f} ({', '.join(f'{100 * x:.0f}, {w:.2f}' for x, w in one[1:])})"
            for one in found.transpose(1, 0, 2)
        ]
        missing = ", a fifth missing" if scene.missing else ""
        kind = "" if scene.kind == "alike" else f", {scene.kind}"
        scale = "" if scene.scale == "nominal" else f", {scene.scale}"
        yield (
            f"| {scene.shares}{scale} | {scene.raters}, {scene.items} | {scene.right:g}{kind}{missing} | "
            f"{' | '.join(cells)} |"
        )
