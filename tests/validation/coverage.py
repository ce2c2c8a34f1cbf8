"""Does a 95 % interval of balanced accuracy hold the truth 95 times in 100? Invented worlds, and a count.

A world is a number of classes, their sizes and their true recalls. Every run draws sizes, recalls and right answers
anew, asks for the posterior and looks where the truth lies in it: inside the central 95 % interval if
0.025 < F(truth) < 0.975. No interval is computed. One seed gives the same runs whatever the prior.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy import special

from howsure.laws import BetaSum
from howsure.numerics.learned.population import Population
from howsure.numerics.learned.recall_sums import FittedMixture
from howsure.posterior.named_priors import resolve_prior

Floats = NDArray[np.float64]

#: How many times as many runs as in `make test` and `make test-long`; 10 in `make validate`.
LONGER = int(os.environ.get("HOWSURE_LONGER", "1"))


@dataclass(frozen=True)
class Sizes:
    """How many cases each of K classes has, and what tables call that."""

    name: str
    rule: Callable[[int, np.random.Generator], Floats]


@dataclass(frozen=True)
class Recalls:
    """True recalls of classes of given sizes, and what tables call them."""

    name: str
    rule: Callable[[Floats, np.random.Generator], Floats]


@dataclass(frozen=True)
class World:
    """K classes, how their sizes come about, and how their recalls do, which may depend on the sizes."""

    classes: int
    sizes: Sizes
    truth: Recalls

    def __str__(self) -> str:
        return f"{self.classes} classes, n {self.sizes.name}, recalls {self.truth.name}"

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Floats, float]:
        """Right answers and cases of every class, and the true balanced accuracy."""
        n = self.sizes.rule(self.classes, rng)
        recalls = self.truth.rule(n, rng)
        return rng.binomial(n.astype(int), recalls).astype(float), n, float(recalls.mean())


@dataclass(frozen=True)
class Coverage:
    """Share of the runs whose interval held the truth, and mean of (posterior mean - truth) / posterior sd."""

    share: float
    bias: float
    runs: int

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the share; never 0, as if two more runs had split."""
        p = (self.share * self.runs + 1) / (self.runs + 2)
        return math.sqrt(p * (1 - p) / self.runs)


def coverage(world: World, prior: str, runs: int, seed: int = 0) -> Coverage:
    """Run one world under one prior."""
    rng = np.random.default_rng([seed, crc32(str(world).encode())])
    inside, bias = 0, 0.0
    for _ in range(runs):
        k, n, truth = world.draw(rng)
        order = np.lexsort((k, n))  # balanced accuracy does not know the order of the classes
        law = law_of(prior, k[order].tobytes(), n[order].tobytes())
        inside += 0.025 < float(law.cdf(np.array([truth]))[0]) < 0.975
        bias += (law.mean - truth) / law.sd
    return Coverage(inside / runs, bias / runs, runs)


@lru_cache(maxsize=256)
def law_of(prior: str, right: bytes, cases: bytes) -> BetaSum | FittedMixture:
    """Posterior law of balanced accuracy; few classes with few cases often show the same counts again."""
    k, n = np.frombuffer(right), np.frombuffer(cases)
    if prior == "learned":
        return Population(k, n).mixture_of(np.full(len(k), 1 / len(k)))
    pseudo = resolve_prior(prior, len(k))
    return BetaSum(k + pseudo.a, n - k + pseudo.b)


# -- sizes -------------------------------------------------------------------------------------------------------


def equal(n: int) -> Sizes:
    """All classes have n cases."""
    return Sizes(str(n), lambda classes, rng: np.full(classes, float(n)))


def lognormal(mean: float, sigma: float = 1.0) -> Sizes:
    """A long tail: sizes are lognormal with this mean, and 1 at least."""
    at = math.log(mean) - sigma**2 / 2
    name = f"~{mean:g}" if sigma == 1 else f"~{mean:g} (sigma {sigma:g})"
    return Sizes(name, lambda classes, rng: np.maximum(1.0, np.round(rng.lognormal(at, sigma, classes))))


# -- recalls -----------------------------------------------------------------------------------------------------


def alike(p: float) -> Recalls:
    """Every class has recall p."""
    return Recalls(f"all {p:g}", lambda n, rng: np.full(len(n), p))


def beta(a: float, b: float) -> Recalls:
    """Recalls are independent Beta(a, b)."""
    return Recalls(f"Beta({a:g}, {b:g})", lambda n, rng: rng.beta(a, b, len(n)))


def two_kinds(low: float, high: float) -> Recalls:
    """Every other class is hard; no Beta looks like that."""
    return Recalls(f"{low:g} or {high:g}", lambda n, rng: np.where(np.arange(len(n)) % 2, high, low))


def logit_normal(mean: float, sd: float) -> Recalls:
    """Logits of the recalls are normal."""
    return Recalls(f"logit N({mean:g}, {sd:g})", lambda n, rng: special.expit(rng.normal(mean, sd, len(n))))


def by_size(slope: float, middle: float = 1.2, mass: float = 10) -> Recalls:
    """Recalls Beta(mass m, mass (1 - m)), logit m = middle + slope log(n / geometric mean): rare classes are harder."""
    name = f"slope {slope:g}" if middle == 1.2 else f"slope {slope:g} at {middle:g}"
    return Recalls(name, lambda n, rng: _around(middle + slope * _scores(n), mass, rng))


def humped(middle: float = 1.8, bend: float = 0.3, mass: float = 10) -> Recalls:
    """Classes of middling size are best: a relation to size that the learned prior's line cannot follow."""
    return Recalls(f"hump {bend:g}", lambda n, rng: _around(middle - bend * _scores(n) ** 2, mass, rng))


def _scores(n: Floats) -> Floats:
    logs = np.log(n)
    return np.asarray(logs - logs.mean())


def _around(logit: Floats, mass: float, rng: np.random.Generator) -> Floats:
    m = special.expit(logit)
    return rng.beta(mass * m, mass * (1 - m))
