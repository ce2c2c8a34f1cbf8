"""Two equally good models under a judge that prefers one: how often each method calls that one better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special
from tests.validation.judged import DRAWS, Floats
from tests.validation.sections import text_of

#: A one-sided alarm: probability, or one minus the p-value, that A is better.
SURE = 0.95

#: Pseudo-cases: of each pair of verdicts, and of each pair of truths within it (JUDGE.md 5.1).
PAIRS, TRUTHS = 0.5, 0.25


@dataclass(frozen=True)
class PairScene:
    """Share of right answers of A and B, how often both errors fall together, sensitivity and specificity for each."""

    name: str
    right: tuple[float, float]
    judge: tuple[tuple[float, float], tuple[float, float]]
    answers: int
    labels: int
    together: float = 0.5

    @property
    def joint(self) -> Floats:
        """Probability of verdicts (2 x A + B) by truths (2 x A + B), shape (4, 4)."""
        a, b = self.right
        both = a * b + self.together * (min(a, b) - a * b)
        truths = np.array([1 - a - b + both, b - both, a - both, both])
        rates = [np.array([[spec, 1 - spec], [1 - sens, sens]]) for sens, spec in self.judge]
        table = np.einsum("ac,bd->abcd", *rates).reshape(4, 4)  # truths by verdicts
        return np.asarray((truths[:, None] * table).T)


SCENES = [
    PairScene(f"{kind}, {right:g} right", (right, right), judge, 1500, labels)
    for kind, judge in (
        ("fair", ((0.92, 0.8), (0.92, 0.8))),
        ("lenient to A", ((0.96, 0.55), (0.92, 0.8))),
        ("strict to B", ((0.95, 0.8), (0.78, 0.9))),
    )
    for right in (0.7, 0.88, 0.96)
    for labels in (40, 150)
] + [
    PairScene("fair, A better by .05", (0.85, 0.8), ((0.92, 0.8), (0.92, 0.8)), 1500, 150),
    PairScene("lenient to B, A better by .05", (0.85, 0.8), ((0.92, 0.8), (0.96, 0.55)), 1500, 150),
]


def lines(runs: int) -> Iterator[str]:
    """Percent of alarms for A, and coverage and width of the difference."""
    yield from text_of("judged_pairs 1", SURE)
    for place, scene in enumerate(SCENES):
        found = compared(scene, place, runs)
        yield f"| {scene.name} | {scene.labels} | {' | '.join(found.values())} | {runs} |"


def compared(scene: PairScene, place: int, runs: int) -> dict[str, str]:
    """What each method says, as text."""
    return {name: f"{100 * a:.0f} ({100 * h:.0f}; {w:.3f})" for name, (a, h, w) in rates(scene, place, runs).items()}


def rates(scene: PairScene, place: int, runs: int) -> dict[str, tuple[float, float, float]]:
    """Share of alarms for A, share of intervals that hold the difference, and their width."""
    rng = np.random.default_rng([29, place])
    joint = scene.joint
    labelled = rng.multinomial(scene.labels, joint.ravel(), runs).reshape(runs, 4, 4).astype(float)
    rest = rng.multinomial(scene.answers - scene.labels, joint.sum(1), runs).astype(float)
    sign = np.array([0.0, -1.0, 1.0, 0.0])
    made = {
        "judge alone": normal(*mean_of(labelled.sum(2) + rest, sign)),
        "labels alone": normal(*mean_of(labelled.sum(1), sign)),
        "PPI++": normal(*powered(labelled, rest, sign)),
        "ours": drawn(differences(labelled, rest, rng)),
    }
    truth = scene.right[0] - scene.right[1]
    return {
        name: (float((p >= SURE).mean()), float(((low <= truth) & (truth <= high)).mean()), float((high - low).mean()))
        for name, (low, high, p) in made.items()
    }


def mean_of(counts: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Mean and its squared standard error."""
    n = counts.sum(1)
    mean = counts @ values / n
    return mean, (counts @ values**2 / n - mean**2) / n


def powered(labelled: Floats, rest: Floats, sign: Floats) -> tuple[Floats, Floats]:
    """PPI++ of the difference: mean and squared standard error."""
    n, size = labelled.sum((1, 2)), rest.sum(1)
    y, var_y = mean_of(labelled.sum(1), sign)
    f, var_f = mean_of(labelled.sum(2), sign)
    cov = np.einsum("rvh,v,h->r", labelled, sign, sign) / n - y * f
    far, var_far = mean_of(rest, sign)
    _, spread = mean_of(labelled.sum(2) + rest, sign)
    spread = spread * (n + size)
    lam = np.where(spread > 0, np.clip(cov / ((1 + n / size) * np.maximum(spread, 1e-300)), 0, 1), 0.0)
    return y + lam * (far - f), np.maximum(var_y - 2 * lam * cov / n + lam**2 * (var_f + var_far), 0.0)


def normal(mean: Floats, square: Floats) -> tuple[Floats, Floats, Floats]:
    """Ends of a normal interval, and one minus the one-sided p-value."""
    sd = np.sqrt(square)
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.nan_to_num(mean / sd, nan=0.0)
    return mean - 1.959964 * sd, mean + 1.959964 * sd, np.asarray(special.ndtr(score))


def differences(labelled: Floats, rest: Floats, rng: np.random.Generator, draws: int = DRAWS // 2) -> Floats:
    """Draws of the difference of the shares of right answers, shape (R, draws)."""
    made = []
    for table, others in zip(labelled, rest, strict=True):
        q = rng.standard_gamma(table.sum(1) + others + PAIRS, (draws, 4))
        g = rng.standard_gamma(table + TRUTHS, (draws, 4, 4))
        g /= np.maximum(g.sum(2, keepdims=True), 1e-300)
        made.append(((q / q.sum(1, keepdims=True)) * (g[:, :, 2] - g[:, :, 1])).sum(1))
    return np.array(made)


def drawn(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Central interval of draws, and the probability of more than 0."""
    low, high = np.quantile(values, [0.025, 0.975], axis=1)
    return low, high, np.asarray((values > 0).mean(1))
