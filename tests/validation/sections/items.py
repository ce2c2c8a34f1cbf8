"""Scores of items: is the truth in the interval, of one system, of differences, of WER and macro F1; beside rivals."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from tests.validation.sections import text_of

from howsure.numerics.figures import LabelMeans, UnitSums, difference_law, drawn, law_of

__all__ = ["PAIRS", "WORLDS", "differences", "lines", "means", "of_sums"]

Floats = NDArray[np.float64]
World = Callable[[np.random.Generator, int], Floats]


def _rubric(*shares: float) -> World:
    return lambda rng, n: rng.choice(np.arange(1.0, 6.0), n, p=shares)


#: Scores of one system, and their range.
WORLDS: dict[str, tuple[World, tuple[float, float]]] = {
    "rubric, 90% five": (_rubric(0.02, 0.02, 0.02, 0.04, 0.9), (1, 5)),
    "rubric, mean 4.6": (_rubric(0.02, 0.03, 0.05, 0.15, 0.75), (1, 5)),
    "rubric in the middle": (_rubric(0.1, 0.2, 0.4, 0.2, 0.1), (1, 5)),
    "Beta(4, 4)": (lambda rng, n: rng.beta(4, 4, n), (0, 1)),
    "Beta(5, 0.5)": (lambda rng, n: rng.beta(5, 0.5, n), (0, 1)),
    "nDCG, 90% zeros": (lambda rng, n: np.where(rng.random(n) < 0.9, 0.0, rng.beta(2, 2, n)), (0, 1)),
}

#: Differences on the same items, without a true one.
PAIRS: dict[str, tuple[World, tuple[float, float]]] = {
    "rubric, half ties": (lambda rng, n: rng.choice([-1.0, 0.0, 1.0], n, p=[0.25, 0.5, 0.25]), (1, 5)),
    "right and wrong, 10% differ": (lambda rng, n: rng.choice([-1.0, 0.0, 1.0], n, p=[0.05, 0.9, 0.05]), (0, 1)),
    "normal": (lambda rng, n: rng.normal(0, 1, n), (-50, 50)),
}

SIZES = (8, 10, 20, 50)
BOOTSTRAPS = 1_000


def _rivals(x: Floats, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Student's t, the percentile bootstrap, BCa, and the Bayesian bootstrap of a mean."""
    n, half = len(x), float(stats.t.ppf(0.975, len(x) - 1) * x.std(ddof=1) / len(x) ** 0.5)
    drawn_means = x[rng.integers(0, n, (BOOTSTRAPS, n))].mean(1)
    weights = rng.standard_exponential((BOOTSTRAPS, n))
    bayes = weights @ x / weights.sum(1)
    level = np.array([0.025, 0.975])
    off, below = x - x.mean(), (drawn_means < x.mean()).mean() + (drawn_means == x.mean()).mean() / 2
    shift, speed = stats.norm.ppf(below), (off**3).sum() / max(6 * (off**2).sum() ** 1.5, 1e-300)
    z = shift + stats.norm.ppf(level)
    of_bca = stats.norm.cdf(shift + z / (1 - speed * z))
    found = [np.quantile(d, at) for d, at in ((drawn_means, level), (drawn_means, of_bca), (bayes, level))]
    return [(float(x.mean() - half), float(x.mean() + half)), *((float(a), float(b)) for a, b in found)]


def means(world: str, n: int, runs: int) -> tuple[Floats, Floats]:
    """Coverage of ours and of four rivals, and the median widths over that of t where t has one."""
    sample, limits = WORLDS[world]
    rng = np.random.default_rng([n, *map(ord, world[-4:])])
    truth = float(sample(np.random.default_rng(1), 2_000_000).mean())
    inside, widths = np.zeros(5), []
    for _ in range(runs):
        x = sample(rng, n)
        law = law_of(UnitSums(x, np.ones(n)), limits)
        assert law is not None
        low, high = law.quantile(np.array([0.025, 0.975])).tolist()
        every = [(low, high), *_rivals(x, rng)]
        inside += [a <= truth <= b for a, b in every]
        if every[1][1] > every[1][0]:
            widths.append([(b - a) / (every[1][1] - every[1][0]) for a, b in every])
    return inside / runs, np.median(widths, axis=0)


def differences(world: str, n: int, runs: int) -> tuple[float, float, float]:
    """Coverage of a difference that is 0, false "better at .95" on a side (mean of both), and coverage of t."""
    sample, limits = PAIRS[world]
    rng = np.random.default_rng([n, *map(ord, world[-4:])])
    inside = false = rival = 0
    for _ in range(runs):
        d = sample(rng, n)
        law = difference_law(UnitSums(d, np.ones(n)), UnitSums(np.zeros(n), np.ones(n)), limits)
        assert law is not None
        below = float(law.cdf(np.zeros(1))[0])
        inside += 0.025 <= below <= 0.975
        false += below <= 0.05 or below >= 0.95
        half = stats.t.ppf(0.975, n - 1) * d.std(ddof=1) / n**0.5
        rival += abs(float(d.mean())) <= half
    return inside / runs, false / runs / 2, rival / runs


def of_sums(n: int, runs: int) -> tuple[float, float, float]:
    """Coverage of WER (lognormal lengths), of its jackknife t, and of macro F1 over four labels."""
    rng = np.random.default_rng([n, 5])
    inside = np.zeros(3)
    for run in range(runs):
        words = np.ceil(rng.lognormal(2.2, 0.9, n))
        errors = rng.binomial(words.astype(int), np.clip(rng.beta(1, 9, n), 0, 1)).astype(float)
        figure = UnitSums(errors, words)
        law = law_of(figure, (0, np.inf))
        inside[0] += law is not None and 0.025 <= float(law.cdf(np.array([0.1]))[0]) <= 0.975
        half = stats.t.ppf(0.975, n - 1) * figure.contributions.std(ddof=1) / n**0.5
        inside[1] += abs(figure.observed - 0.1) <= half
        truth = (rng.random((n, 4)) < [0.25, 0.3, 0.4, 0.5]).astype(float)
        answer = np.where(rng.random((n, 4)) < 0.15, 1 - truth, truth)
        tp, fp, fn = truth * answer, (1 - truth) * answer, truth * (1 - answer)
        draws = drawn(LabelMeans(2 * tp, 2 * tp + fp + fn), (0, 1), 1_000, np.random.default_rng(run))
        assert draws is not None
        exact = np.mean([2 * 0.85 * p / (2 * 0.85 * p + 0.15 * (1 - p) + 0.15 * p) for p in (0.25, 0.3, 0.4, 0.5)])
        inside[2] += 0.025 <= float((draws <= exact).mean()) <= 0.975
    a, b, c = (inside / runs).tolist()
    return a, b, c


def lines(runs: int) -> Iterator[str]:
    """The section of the page."""
    many = max(20, runs // 5)
    yield from text_of("items 1", many, 100 * (0.95 * 0.05 / many) ** 0.5, " | ".join(f"n = {n}" for n in SIZES))
    for world in WORLDS:
        cells = []
        for n in SIZES:
            inside, width = means(world, n, many)
            shares = ", ".join(f"{100 * share:.0f}" for share in inside)
            cells.append(f"{shares} ({width[0]:.2f}, {width[3]:.2f})")
        yield f"| {world} | {' | '.join(cells)} |"
    yield from text_of("items 2", " | ".join(f"n = {n}" for n in SIZES))
    for world in PAIRS:
        each = [differences(world, n, many) for n in SIZES]
        yield f"| {world} | {' | '.join(f'{100 * a:.0f}, {100 * b:.1f}, {100 * c:.0f}' for a, b, c in each)} |"
    yield from text_of("items 3", " | ".join(f"n = {n}" for n in SIZES))
    each = [of_sums(n, many) for n in SIZES]
    yield f"| WER, t, macro F1 | {' | '.join(', '.join(f'{100 * x:.0f}' for x in row) for row in each)} |"
