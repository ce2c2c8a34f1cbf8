"""Two classifiers on the same cases in groups: how often equals are called unlike, and differences are held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats
from tests.validation.sections import text_of

import howsure as hs
from howsure.metrics import parse
from howsure.numerics.populations.group_bootstrap import clustered_error_of_sum
from howsure.posterior.paired import PairedPosterior

LEVEL = 0.95

#: Draws of each test; of the interval's ends they leave a fiftieth of its width.
DRAWS = 2_000


@dataclass(frozen=True)
class Pairs:
    """Groups of cases that two classifiers answer.

    Parameters
    ----------
    groups, size : int
        How many, and cases of each.
    recalls : (float, float)
        Mean rate on a new group of A and of B, in every class.
    icc : float
        Correlation of two cases of one group and class.
    common : float
        Correlation of the rates of A and B over groups, on the normal scale; of cases in a group it is 0.6.
    classes : int
        Classes; ``mixed`` groups hold all of them, others one each.
    """

    groups: int
    size: int
    recalls: tuple[float, float] = (0.85, 0.85)
    icc: float = 0.2
    common: float = 0.7
    classes: int = 2
    mixed: bool = True

    @property
    def name(self) -> str:
        """A row's first cells."""
        kind = "mixed" if self.mixed else "nested"
        means = ", ".join(f"{x:g}" for x in self.recalls)
        return f"{self.groups} x {self.size} | {means} | {self.icc:g} | {self.common:g} | {self.classes} {kind}"

    def test(self, rng: np.random.Generator) -> hs.Predictions:
        """The answers to one test."""
        group = np.repeat(np.arange(self.groups), self.size)
        truth = np.tile(np.arange(self.size), self.groups) % self.classes if self.mixed else group % self.classes
        shape = self.groups, self.classes
        both = np.sqrt(self.common) * rng.standard_normal(shape)
        easy = np.sqrt(0.6) * rng.standard_normal(len(group))
        answers = {}
        for name, mu in zip("ab", self.recalls, strict=True):
            own = both + np.sqrt(1 - self.common) * rng.standard_normal(shape)
            rate = np.full(shape, mu)
            if self.icc:
                kappa = 1 / self.icc - 1
                rate = special.betaincinv(mu * kappa, (1 - mu) * kappa, special.ndtr(own))
            score = special.ndtr(easy + np.sqrt(0.4) * rng.standard_normal(len(group)))
            wrong = (truth + rng.integers(1, self.classes, len(group))) % self.classes
            answers[name] = np.where(score < rate[group, truth], truth, wrong)
        return hs.Predictions(truth, answers, group=group, labels=list(range(self.classes)))


#: Equals: few and many groups, small and large, alike or not, also of several classes.
EQUALS = [
    *(Pairs(groups, size, icc=icc) for groups in (8, 12, 20, 50) for size in (4, 16) for icc in (0.0, 0.2, 0.5)),
    *(Pairs(groups, 16, (mu, mu), 0.3, 0.0) for groups in (8, 20) for mu in (0.6, 0.97)),
    *(Pairs(groups, 8, icc=0.3, mixed=False) for groups in (8, 20, 50)),
    *(Pairs(groups, 16, icc=0.3, classes=4, mixed=mixed) for groups in (12, 40) for mixed in (True, False)),
]
#: The same where A is better.
UNLIKE = [
    *(Pairs(groups, 12, (0.9, 0.8), icc) for groups in (8, 12, 20, 50) for icc in (0.0, 0.2, 0.5)),
    *(Pairs(groups, 12, (0.95, 0.75), 0.3, classes=4, mixed=mixed) for groups in (12, 40) for mixed in (True, False)),
]
ASKED = ("accuracy", "recall@0", "balanced_accuracy", "f1@0")


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    runs = max(10, runs // 2)
    yield from text_of("paired_groups 1", LEVEL)
    for world in EQUALS:
        yield equals_row(world, runs)
    yield from text_of("paired_groups 2")
    for world in UNLIKE:
        yield held_row(world, runs)
    yield from text_of("paired_groups 3")


def _rng(world: Pairs) -> np.random.Generator:
    numbers = world.groups, world.size, int(100 * world.icc), int(100 * world.common), world.classes, int(world.mixed)
    return np.random.default_rng([21, *numbers, *(int(100 * x) for x in world.recalls)])


def _drawn(joint: PairedPosterior, metric: str) -> NDArray[np.float64]:
    measure = parse(metric, joint.predictions.labels, None)
    a, b = joint.drawn([measure], DRAWS, 0, 0)[0]
    return np.asarray(a - b)


def equals_row(world: Pairs, runs: int) -> str:
    """How often equals are called unlike."""
    rng, found = _rng(world), np.zeros((len(ASKED) + 1, 2))
    for _ in range(runs):
        data = world.test(rng)
        new, these = (PairedPosterior(data, groups=question) for question in ("new", "these"))
        asked = [_drawn(new, metric) for metric in ASKED] + [_drawn(these, "accuracy")]
        for i, drawn in enumerate(asked):
            better = float((drawn > 0).mean() + 0.5 * (drawn == 0).mean())
            found[i] += [better >= LEVEL, better <= 1 - LEVEL]
    cells = ["/".join(f"{100 * x / runs:.0f}" for x in pair) for pair in found]
    return f"| {world.name} | {' | '.join(cells)} | {runs} |"


def held_row(world: Pairs, runs: int) -> str:
    """How often a difference is held."""
    rng, truth = _rng(world), world.recalls[0] - world.recalls[1]
    hits, rivals = np.zeros((3, 2)), np.zeros(3)
    student = float(stats.t.ppf((1 + LEVEL) / 2, world.groups - 1))
    for _ in range(runs):
        data = world.test(rng)
        new, these = (PairedPosterior(data, groups=question) for question in ("new", "these"))
        for i, metric in enumerate(ASKED[:3]):
            law = hs.laws.Draws(_drawn(new, metric))
            for j, kind in enumerate(("hdi", "central")):
                ends = law.interval(LEVEL, kind)
                hits[i, j] += ends.low <= truth <= ends.high
        gain = (data.answers("a") == data.truth).astype(float) - (data.answers("b") == data.truth)
        error = clustered_error_of_sum((gain - gain.mean()) / len(gain), np.asarray(data.group))
        away, naive = abs(gain.mean() - truth), hs.laws.Draws(_drawn(these, "accuracy")).interval(LEVEL)
        rivals += [away <= 1.96 * error, away <= student * error, naive.low <= truth <= naive.high]
    cells = [f"{100 * a / runs:.0f}/{100 * b / runs:.0f}" for a, b in hits] + [f"{100 * r / runs:.0f}" for r in rivals]
    return f"| {world.name} | {' | '.join(cells)} | {runs} |"
