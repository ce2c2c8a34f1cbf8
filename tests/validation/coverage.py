"""Does a 95% interval of balanced accuracy hold the truth 95 times in 100? Invented worlds, and a count.

A world is a number of classes, their sizes and their true recalls. Every run draws sizes, recalls and right answers
anew, asks for the posterior and looks whether the truth lies in its central and in its highest-density interval. One
seed gives the same runs whatever the prior.
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

from howsure.laws import BetaSum, LearnedSum
from howsure.numerics.populations.population import Population
from howsure.posterior.priors import default_prior, resolve_prior

Floats = NDArray[np.float64]

#: How many times as many runs as in `make deep`; 10 in `make validate`.
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
    """Share of the runs whose central and whose highest-density interval held the truth, and the mean bias in sds."""

    share: float
    hdi: float
    bias: float
    runs: int

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the share; never 0, as if two more runs had split."""
        p = (self.share * self.runs + 1) / (self.runs + 2)
        return math.sqrt(p * (1 - p) / self.runs)


def coverage(world: World, prior: str, runs: int, seed: int = 0) -> Coverage:
    """Run one world under one prior, "default", or "bootstrap"."""
    rng = np.random.default_rng([seed, crc32(str(world).encode())])
    inside, dense, bias = 0, 0, 0.0
    for _ in range(runs):
        k, n, truth = world.draw(rng)
        order = np.lexsort((k, n))  # balanced accuracy does not know the order of the classes
        known = known_of(prior, k[order].tobytes(), n[order].tobytes())
        inside += known.low < truth < known.high
        dense += known.hdi_low <= truth <= known.hdi_high
        bias += (known.mean - truth) / known.sd if known.sd > 1e-9 else 0.0  # resampled: all right
    return Coverage(inside / runs, dense / runs, bias / runs, runs)


@dataclass(frozen=True)
class Known:
    """What one test says: mean, sd and both intervals of balanced accuracy."""

    mean: float
    sd: float
    low: float
    high: float
    hdi_low: float
    hdi_high: float


@lru_cache(maxsize=4096)
def known_of(prior: str, right: bytes, cases: bytes) -> Known:
    """Summary of the law; few classes with few cases often show the same counts again."""
    if prior == "bootstrap":
        return bootstrapped(np.frombuffer(right), np.frombuffer(cases))
    law = law_of(prior, right, cases)
    central, dense = law.interval(0.95, "central"), law.interval(0.95, "hdi")
    return Known(law.mean, law.sd, central.low, central.high, dense.low, dense.high)


def law_of(prior: str, right: bytes, cases: bytes) -> BetaSum | LearnedSum:
    """Posterior law of balanced accuracy."""
    k, n = np.frombuffer(right), np.frombuffer(cases)
    name = default_prior(len(k)) if prior == "default" else prior
    if name == "learned":
        return LearnedSum([(Population(k, n), np.full(len(k), 1 / len(k)))])
    pseudo = resolve_prior(name, len(k))
    return BetaSum(k + pseudo.a, n - k + pseudo.b)


def bootstrapped(k: Floats, n: Floats, draws: int = 1000) -> Known:
    """Percentiles of resampled cases within each class, as many packages give them; empty classes are left out."""
    k, n = k[n > 0], n[n > 0]
    rng = np.random.default_rng([int(k.sum()), int(n.sum()), len(k)])
    values = np.array([(rng.binomial(n.astype(int), k / n) / n).mean() for _ in range(draws)])
    low, high = np.quantile(values, [0.025, 0.975])
    return Known(float(values.mean()), float(values.std()), float(low), float(high), float(low), float(high))


# -- sizes -------------------------------------------------------------------------------------------------------


def equal(n: int) -> Sizes:
    """All classes have n cases."""
    return Sizes(str(n), lambda classes, rng: np.full(classes, float(n)))


def lognormal(mean: float, sigma: float = 1.0) -> Sizes:
    """A long tail: sizes are lognormal with this mean, and 1 at least."""
    at = math.log(mean) - sigma**2 / 2
    name = f"~{mean:g}" if sigma == 1 else f"~{mean:g} (sigma {sigma:g})"
    return Sizes(name, lambda classes, rng: np.maximum(1.0, np.round(rng.lognormal(at, sigma, classes))))


def zipf(mean: float) -> Sizes:
    """Sizes fall like one over the rank; 1 at least."""

    def sizes(classes: int, rng: np.random.Generator) -> Floats:
        share = 1 / np.arange(1.0, classes + 1)
        return np.maximum(1.0, np.round(mean * classes * share / share.sum()))

    return Sizes(f"Zipf, mean {mean:g}", sizes)


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


def broken(high: float, share: float = 0.0, low: float = 0.04) -> Recalls:
    """One class, or this share of the classes, is hardly ever recognised, the others with probability ``high``."""

    def recalls(n: Floats, rng: np.random.Generator) -> Floats:
        dead = max(1, round(share * len(n)))
        return np.where(rng.permutation(len(n)) < dead, low, high)

    return Recalls(f"{100 * share:g}% dead, others {high:g}" if share else f"one dead, others {high:g}", recalls)


def mixed(*values: float) -> Recalls:
    """These recalls, in turn."""
    return Recalls(" ".join(f"{v:g}" for v in values), lambda n, rng: np.resize(np.array(values), len(n)))


def logit_normal(mean: float, sd: float) -> Recalls:
    """Logits of the recalls are normal."""
    return Recalls(f"logit N({mean:g}, {sd:g})", lambda n, rng: special.expit(rng.normal(mean, sd, len(n))))


def by_size(slope: float, middle: float = 1.2, mass: float = 10) -> Recalls:
    """Recalls Beta(mass m, mass (1 - m)), logit m = middle + slope log(n / geometric mean): rare classes are harder."""
    name = f"slope {slope:g}" if middle == 1.2 else f"slope {slope:g} at {middle:g}"
    return Recalls(name, lambda n, rng: _around(middle + slope * _scores(n), mass, rng))


def straight(largest: float, smallest: float) -> Recalls:
    """Recalls exactly linear in the logarithm of the size, without scatter: a line in the logit cannot follow."""

    def rule(n: Floats, rng: np.random.Generator) -> Floats:
        logs = np.log(n)
        return smallest + (largest - smallest) * (logs - logs.min()) / max(float(np.ptp(logs)), 1e-9)

    return Recalls(f"from {largest:g} to {smallest:g} by log size", rule)


def humped(middle: float = 1.8, bend: float = 0.3, mass: float = 10) -> Recalls:
    """Classes of middling size are best: a relation to size that the learned prior's line cannot follow."""
    return Recalls(f"hump {bend:g}", lambda n, rng: _around(middle - bend * _scores(n) ** 2, mass, rng))


def _scores(n: Floats) -> Floats:
    logs = np.log(n)
    return np.asarray(logs - logs.mean())


def _around(logit: Floats, mass: float, rng: np.random.Generator) -> Floats:
    m = special.expit(logit)
    return rng.beta(mass * m, mass * (1 - m))
