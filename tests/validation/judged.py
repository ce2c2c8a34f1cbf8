"""Invented judges: how often each verdict falls on each truth, which cases are labelled, and what we say of them.

The posterior is that of the product, by the same parameters: shares of the verdicts Dirichlet(N_v + 1), rows
Beta(n_v + 1/2) at two verdicts and learned from three on. Thousands of data sets are answered by draws of them;
``tests/validation/test_judges.py`` compares with what `howsure.infer` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.populations.nodes import ONE_PART, PopulationModel
from howsure.numerics.populations.population import Population

Floats = NDArray[np.float64]

DRAWS = 4_000


@dataclass(frozen=True)
class Scene:
    """A judge of V verdicts: how many of the cases each truth has, and how often it is given each verdict.

    ``labels`` cases of ``cases`` get a label: at random, or the same number of every verdict ("each").
    """

    name: str
    share: float
    verdicts: tuple[tuple[float, ...], tuple[float, ...]]
    cases: int
    labels: int
    design: str = "random"

    @property
    def joint(self) -> Floats:
        """Probabilities, shape (V, 2)."""
        shares = np.array([1 - self.share, self.share])
        return np.asarray((np.array(self.verdicts) * shares[:, None]).T)

    @property
    def size(self) -> int:
        """V."""
        return len(self.verdicts[0])

    def draw(self, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Labelled cases (R, V, 2) and the rest (R, V) of so many data sets."""
        joint = self.joint
        if self.design == "random":
            labelled = rng.multinomial(self.labels, joint.ravel(), runs).reshape(runs, self.size, 2)
            rest = rng.multinomial(self.cases - self.labels, joint.sum(1), runs)
            return labelled.astype(float), rest.astype(float)
        total = rng.multinomial(self.cases, joint.sum(1), runs)
        taken = np.minimum(total, self.labels // self.size)
        # what a verdict cannot give, the most frequent one does
        taken[np.arange(runs), total.argmax(1)] += self.labels - taken.sum(1)
        right = rng.binomial(taken, joint[:, 1] / joint.sum(1))
        return np.stack([taken - right, right], axis=2).astype(float), (total - taken).astype(float)


def binary(name: str, share: float, sens: float, spec: float, cases: int, labels: int, design: str = "random") -> Scene:
    """A judge that says fail or pass."""
    return Scene(name, share, ((spec, 1 - spec), (1 - sens, sens)), cases, labels, design)


def graded(name: str, shares: Sequence[float], right: Sequence[float], cases: int, labels: int) -> Scene:
    """A judge by the shares of its verdicts, and the share of truth 1 at each."""
    q, r = np.array(shares) / sum(shares), np.array(right)
    share = float(q @ r)
    wrong, rest = (tuple((q * x / s).tolist()) for x, s in ((1 - r, 1 - share), (r, share)))
    return Scene(name, share, (wrong, rest), cases, labels)


def shares_of(total: Floats, rng: np.random.Generator, draws: int = DRAWS) -> Floats:
    """Draws of the shares of the verdicts, shape (R, draws, V)."""
    g = rng.standard_gamma(total[:, None, :] + 1.0, (len(total), draws, total.shape[1]))
    return np.asarray(g / g.sum(2, keepdims=True))


def independent(labelled: Floats, rng: np.random.Generator, pseudo: float = 0.5, draws: int = DRAWS) -> Floats:
    """Draws of the shares of truth 1 at each verdict, shape (R, draws, V), under Beta(pseudo, pseudo) rows."""
    shape = (len(labelled), draws, labelled.shape[1])
    return rng.beta(labelled[:, None, :, 1] + pseudo, labelled[:, None, :, 0] + pseudo, shape)


def learned(
    labelled: Floats,
    rng: np.random.Generator,
    scores: Sequence[float] | None = None,
    model: PopulationModel = ONE_PART,
    draws: int = DRAWS,
) -> Floats:
    """The same under rows learned from all verdicts, with a slope on the scores if there are some."""
    size = labelled.shape[1]
    t = np.zeros(size) if scores is None else (np.array(scores) - np.mean(scores)) / np.std(scores)
    return np.stack([
        Population(table[:, 1], table.sum(1), t=t, model=model).draw(draws, rng) for table in labelled
    ])  # fmt: skip


def ends(values: Floats) -> tuple[Floats, Floats]:
    """Central 95% interval of draws, shape (R, draws)."""
    low, high = np.quantile(values, [0.025, 0.975], axis=1)
    return low, high


@dataclass(frozen=True)
class Found:
    """What a method did in a scene: share of the runs that held the truth, mean width, share outside [0, 1]."""

    held: float
    width: float
    outside: float
    runs: int

    @classmethod
    def of(cls, found: tuple[Floats, Floats], truth: float, bounded: tuple[float, float] = (0.0, 1.0)) -> Found:
        """Of the ends of many intervals; one that is not given did not hold the truth."""
        low, high = found
        with np.errstate(invalid="ignore"):
            held = (low <= truth) & (truth <= high)
            outside = (low < bounded[0] - 1e-12) | (high > bounded[1] + 1e-12)
        given = np.isfinite(low) & np.isfinite(high)
        width = float((high - low)[given].mean()) if given.any() else float("nan")
        return cls(float(held.mean()), width, float(outside.mean()), len(low))

    def __str__(self) -> str:
        return f"{100 * self.held:.0f} ({self.width:.3f})"
