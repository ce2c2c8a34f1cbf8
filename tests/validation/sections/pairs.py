"""Two classifiers on the same cases: false alarms where they are equal, power where they are not, and coverage."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import betainc, ndtr
from tests.validation.sections import text_of
from tests.validation.simulated import Floats, Whole, paired_answers

import howsure as hs
from howsure.posterior.paired import PairedPosterior

#: Draws of a comparison.
DRAWS = 4_000

#: Resamplings of the bootstrap.
RESAMPLED = 1_000


def lines(runs: int) -> Iterator[str]:
    """Ours beside McNemar's test of all cases, a stratified z and the bootstrap within classes."""
    runs = max(16, runs // 2)
    yield from text_of("pairs 1")
    for size, name in ((2, "20"), (3, "20"), (3, "Zipf"), (10, "20"), (10, "Zipf"), (50, "20"), (50, "Zipf")):
        sizes = np.full(size, 20) if name == "20" else zipf_sizes(size, 20)
        for effect, correlation in ((0.0, 0.3), (0.0, 0.8), (0.05, 0.5), ("rare 0.15", 0.5)):
            count = runs if size < 50 else max(20, runs // 2)
            sure, held = world(size, sizes, effect, correlation, count, 21)
            cells = [f"{100 * s:.0f}, {100 * h:.0f}" for s, h in zip(sure, held, strict=True)]
            cells[2] = f"{100 * sure[2]:.0f}"
            shown = "none" if effect == 0 else str(effect)
            yield f"| {size} | {name} | Beta(17, 4) | {shown} | {correlation:g} | {' | '.join(cells)} | {count} |"


def zipf_sizes(size: int, mean: int) -> Whole:
    """Sizes that fall like one over the rank."""
    share = 1 / np.arange(1.0, size + 1)
    return np.maximum(2, np.round(mean * size * share / share.sum())).astype(np.int64)


def world(
    size: int, sizes: Whole, effect: float | str, correlation: float, runs: int, seed: int
) -> tuple[Floats, Floats]:
    """How often every method is sure that the first is better, and how often its interval holds the truth."""
    rng = np.random.default_rng([seed, size, int(sizes.max()), int(10 * correlation), len(str(effect))])
    sure, held = np.zeros(5), np.zeros(5)
    for _ in range(runs):
        base = np.clip(rng.beta(17, 4, size), 0.02, 0.98)
        better = base + gain(sizes, effect)
        recalls = [np.clip(better, 0.02, 0.98), base]
        answers = paired_answers(sizes, recalls, correlation, rng)
        truth = float((recalls[0] - recalls[1]).mean())
        for i, (p, low, high) in enumerate(verdicts(answers, sizes, rng)):
            sure[i] += p >= 0.95
            held[i] += low <= truth <= high
    return sure / runs, held / runs


def gain(sizes: Whole, effect: float | str) -> Floats:
    """What the first classifier is better by, in each class."""
    if isinstance(effect, str):
        rare = np.argsort(np.argsort(sizes, kind="stable"), kind="stable") < len(sizes) // 2
        return np.where(rare, 0.15, 0.0)
    return np.full(len(sizes), effect)


def verdicts(answers: hs.Predictions, sizes: Whole, rng: np.random.Generator) -> Iterator[tuple[float, float, float]]:
    """P(first is better), and the ends of the interval of the difference: ours twice, McNemar, z, bootstrap."""
    for prior in (None, "flat"):
        made = hs.compare(answers, "c0", "c1", prior=prior, draws=DRAWS, kind="central")
        ends = made.difference.interval(0.95, "central")
        yield made.p_better, ends.low, ends.high
    cells = PairedPosterior(answers, ["c0", "c1"], "flat").both_right_or_wrong("c0", "c1")
    only_first, only_second = int(cells[:, 1].sum()), int(cells[:, 2].sum())
    yield mid_p(only_first, only_second), np.nan, np.nan
    d = (cells[:, 1] - cells[:, 2]) / sizes
    variance = ((cells[:, 1] + cells[:, 2]) / sizes - d**2) / np.maximum(sizes - 1, 1)
    mean, sd = float(d.mean()), float(np.sqrt(variance.sum()) / len(d))
    yield float(ndtr(mean / sd)) if sd > 0 else 0.5, mean - 1.96 * sd, mean + 1.96 * sd
    drawn = np.stack([rng.multinomial(n, c / n, RESAMPLED) for n, c in zip(sizes, cells, strict=True)], axis=1)
    values = ((drawn[..., 1] - drawn[..., 2]) / sizes).mean(axis=1)
    low, high = np.quantile(values, [0.025, 0.975])
    yield float((values > 0).mean() + (values == 0).mean() / 2), float(low), float(high)


def mid_p(first: int, second: int) -> float:
    """1 - mid-p value of McNemar's exact test, one-sided."""
    n = first + second
    if n == 0:
        return 0.5
    at_least = float(betainc(first, n - first + 1, 0.5)) if first > 0 else 1.0
    more = float(betainc(first + 1, n - first, 0.5)) if first < n else 0.0
    return 1 - (at_least + more) / 2
