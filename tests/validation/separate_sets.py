"""Equally good classifiers on test sets of unlike size: how often is one called better?"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import howsure as hs
from howsure.errors import PriorShiftWarning

__all__ = ["SCENES", "Rates", "Scene", "compared", "gated", "rates", "shares", "tests"]


@dataclass(frozen=True)
class Scene:
    """K classes, cases of each class of the candidate and of the baseline, the recall of the latter, and the effect."""

    classes: int
    candidate: int
    baseline: int
    recall: float
    effect: float = 0.0


@dataclass(frozen=True)
class Rates:
    """Shares of the tests in which the candidate passes, and fails; without the rule about the prior, and with it."""

    above: float
    below: float
    passes: float
    fails: float


def tests(scene: Scene, rng: np.random.Generator) -> tuple[hs.ConfusionMatrix, hs.ConfusionMatrix]:
    """One test of each; wrong answers are the next class."""
    made = []
    for n, recall in ((scene.candidate, min(1.0, scene.recall + scene.effect)), (scene.baseline, scene.recall)):
        right = rng.binomial(n, recall, scene.classes)
        eye = np.eye(scene.classes, dtype=int)
        made.append(hs.ConfusionMatrix(eye * right + np.roll(eye, 1, axis=1) * (n - right)[:, None]))
    return made[0], made[1]


def shares(
    scene: Scene,
    runs: int,
    said: Callable[[hs.Posterior, hs.Posterior], tuple[bool, ...]],
    prior: str | None = None,
    seed: int = 0,
) -> list[float]:
    """In which share of the tests each of several things is said; under the prior of two test sets, if left out."""
    rng, found = np.random.default_rng([seed, scene.classes, scene.candidate, scene.baseline]), []
    seen: dict[bytes, tuple[bool, ...]] = {}
    for _ in range(runs):
        both = tests(scene, rng)
        # balanced accuracy does not know the order of the classes
        key = b"".join(np.sort(np.diagonal(x.counts)).tobytes() for x in both)
        if key not in seen:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PriorShiftWarning)
                seen[key] = said(*(hs.infer(x, prior) for x in both))
        found.append(seen[key])
    return np.mean(found, axis=0).tolist()


def gated(candidate: hs.Posterior, baseline: hs.Posterior) -> tuple[bool, ...]:
    """What a gate of balanced accuracy says."""
    row = hs.gate(candidate, baseline).rows[0]
    return row.p_pass >= 0.95, row.p_fail >= 0.95, row.verdict == "pass", row.verdict == "fail"


def compared(candidate: hs.Posterior, baseline: hs.Posterior) -> tuple[bool, ...]:
    """Whether a comparison says of either that it is better, by its posterior and by the tail of the smaller set."""
    made = hs.compare(candidate, baseline, metric="balanced_accuracy")
    holds = made.tail is None or made.tail >= 0.95
    return made.p_better >= 0.95 and holds, made.p_worse >= 0.95 and holds


def rates(scene: Scene, runs: int, prior: str | None = None, seed: int = 0) -> Rates:
    """What gates of balanced accuracy say; under the prior of two test sets whose prior nobody names, if left out."""
    return Rates(*shares(scene, runs, gated, prior, seed))


#: Of equally good classifiers: at most so many of the larger set, or of the smaller, may look better.
SCENES = [
    *(Scene(k, n, 10 * n, p) for k in (2, 3, 5, 10) for n in (10, 20) for p in (0.85, 0.95)),
    *(Scene(2, n, 10 * n, 0.98) for n in (10, 20)),
    *(Scene(k, 20, 20, 0.85) for k in (2, 3, 10)),
]
