"""A prevalence by a judge calibrated elsewhere: coverage under flat and Jeffreys' rates, and Lang and Reiczigel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special
from tests.validation.judge_rivals import rates_interval
from tests.validation.judged import Floats, Found


@dataclass(frozen=True)
class Elsewhere:
    """True prevalence, sensitivity and specificity, calibration cases of both classes, and cases here."""

    share: float
    rates: tuple[float, float]
    positives: int
    negatives: int
    cases: int

    def __str__(self) -> str:
        se, sp = self.rates
        return f"{self.share:g} | {se:g}/{sp:g} | {self.positives} + {self.negatives} | {self.cases:,}"


SCENES = [
    Elsewhere(0.02, (0.85, 0.99), 120, 400, 3000),
    Elsewhere(0.1, (0.9, 0.9), 60, 60, 1000),
    Elsewhere(0.3, (0.8, 0.9), 30, 30, 1000),
    Elsewhere(0.6, (0.9, 0.75), 40, 20, 2000),
    Elsewhere(0.6, (0.7, 0.7), 100, 100, 2000),
    Elsewhere(0.9, (0.9, 0.8), 60, 60, 1000),
    Elsewhere(0.9, (0.9, 0.8), 80, 8, 1000),
    Elsewhere(0.97, (0.95, 0.85), 60, 60, 1000),
    Elsewhere(0.97, (0.95, 0.85), 200, 200, 1000),
    Elsewhere(0.99, (0.97, 0.9), 100, 15, 5000),
    Elsewhere(1.0, (0.95, 0.85), 60, 60, 1000),
]


def lines(runs: int) -> Iterator[str]:
    """Coverage and width of three intervals."""
    runs = max(20, runs)
    yield from (
        "## A judge calibrated elsewhere",
        "",
        "Percent of the runs whose 95% interval holds the true prevalence (mean width): central under flat rates, the "
        "default, and under Jeffreys' Beta(1/2, 1/2), highest-density under both, and Lang and Reiczigel, whose "
        "intervals reach outside 0 to 1 in so many percent. A central interval never holds a prevalence of 1.",
        "",
        "| prevalence | judge | calibration | cases | flat | jeffreys | flat, HDI | jeffreys, HDI | "
        "Lang-Reiczigel | outside | runs |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    )
    for place, scene in enumerate(SCENES):
        found = carried(scene, place, runs)
        outside = 100 * found["Lang-Reiczigel"].outside
        yield f"| {scene} | {' | '.join(map(str, found.values()))} | {outside:.0f} | {runs} |"


def carried(scene: Elsewhere, place: int, runs: int) -> dict[str, Found]:
    """All on the same data sets."""
    rng = np.random.default_rng([31, place])
    se, sp = scene.rates
    s = rng.binomial(scene.positives, se, runs)
    c = rng.binomial(scene.negatives, sp, runs)
    k = rng.binomial(scene.cases, scene.share * se + (1 - scene.share) * (1 - sp), runs)
    ends: dict[str, list[tuple[float, float]]] = {}
    for right, true, called in zip(s, c, k, strict=True):
        for name, more in (("flat", 1.0), ("jeffreys", 0.5)):
            recall = right + more, scene.positives - right + more
            specificity = true + more, scene.negatives - true + more
            for label, both in zip(
                (name, f"{name}, HDI"), intervals(called, scene.cases, recall, specificity), strict=True
            ):
                ends.setdefault(label, []).append(both)
    made = {name: (np.array(pairs)[:, 0], np.array(pairs)[:, 1]) for name, pairs in ends.items()}
    made = {name: made[name] for name in ("flat", "jeffreys", "flat, HDI", "jeffreys, HDI")}
    n = np.full(runs, float(scene.cases))
    negatives = c.astype(float), np.full(runs, float(scene.negatives))
    positives = s.astype(float), np.full(runs, float(scene.positives))
    made["Lang-Reiczigel"] = rates_interval(k.astype(float), n, negatives, positives)
    return {name: Found.of(both, scene.share) for name, both in made.items()}


def nodes(a: float, b: float, count: int = 40) -> tuple[Floats, Floats]:
    """A trapezoid in the logit: places and weights of Beta(a, b), enough for two or three digits."""
    middle, spread = np.log(a / b), np.sqrt(1 / a + 1 / b)
    u = np.linspace(middle - max(6 * spread, 14 / a), middle + max(6 * spread, 14 / b), count)
    weight = np.exp(a * special.log_expit(u) + b * special.log_expit(-u) - special.betaln(a, b))
    return special.expit(u), weight / weight.sum()


def intervals(
    positives: int, cases: int, recall: tuple[float, float], specificity: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Central and shortest 95% interval of `howsure.laws.CarriedPrevalence`, quickly: two or three digits."""
    (se, w), (sp, u) = nodes(*recall), nodes(*specificity)
    slope = se[:, None] + sp - 1
    slope = np.where(np.abs(slope) < 1e-6, 1e-6, slope)
    x = np.interp(np.linspace(0, 1, 141), *_warp(positives, cases, recall, specificity))[:, None, None]
    called = positives + 1.0, cases - positives + 1.0
    below = special.betainc(*called, np.clip((1 - sp) + x * slope, 0, 1)) - special.betainc(*called, 1 - sp)
    cdf = np.einsum("xij,i,j->x", below / slope, w, u)
    cdf = np.maximum.accumulate(cdf / cdf[-1])
    x = x.ravel()
    step = np.linspace(0, 0.05, 201)
    low, high = np.interp(step, cdf, x), np.interp(step + 0.95, cdf, x)
    best = int(np.argmin(high - low))
    return (float(low[100]), float(high[100])), (float(low[best]), float(high[best]))


def _warp(
    positives: int, cases: int, recall: tuple[float, float], specificity: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Where the places of x lie: half of them within six guessed standard deviations of the guess."""
    se, sp = recall[0] / sum(recall), specificity[0] / sum(specificity)
    slope = max(se + sp - 1, 0.05)
    p = (positives + 1) / (cases + 2)
    guess = float(np.clip((p + sp - 1) / slope, 0, 1))
    rates = guess**2 * se * (1 - se) / sum(recall) + (1 - guess) ** 2 * sp * (1 - sp) / sum(specificity)
    sd = float(np.sqrt(p * (1 - p) / cases + rates)) / slope
    near = np.clip([guess - 6 * sd, guess + 6 * sd], 0, 1)
    return np.array([0.0, 0.15, 0.85, 1.0]), np.array([0.0, near[0], near[1], 1.0])
