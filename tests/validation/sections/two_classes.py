"""Two classes: which Beta(s, s) of each recall? Coverage summed over all tables, without a random number.

``python -m tests.validation.tables --only two_classes`` writes the section. Class sizes are fixed, so every metric is a
function of two recalls. A law is a lattice of pairs of recalls of equal probability, a second route beside the
package's own; tests/validation/test_two_classes.py compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from scipy.special import betaincinv
from tests.validation.sections import text_of
from tests.validation.sections.single_rates import chances
from tests.validation.simulated import Floats

import howsure as hs

#: Pseudo-counts of a right and of a wrong answer of each class; 1 is `flat`, 1/2 `jeffreys`.
MASSES = (0.5, 0.6, 2 / 3, 0.75, 1.0)
RECALLS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
UNLIKE = ((0.8, 0.99), (0.99, 0.8), (0.5, 0.99), (0.99, 0.5), (0.95, 0.995), (0.995, 0.95))
TRUTHS = np.array([*((p, p) for p in RECALLS), *UNLIKE])
#: Cases of the positive and of the negative class.
SIZES = ((5, 5), (10, 10), (20, 20), (5, 20), (20, 5), (5, 100), (10, 100), (100, 10), (50, 50), (100, 100))
#: The default before and after, beside another.
BEFORE_AND_AFTER = (1.0, 2 / 3, 0.5)
#: Tables that are less probable than this at every truth are left out.
NEGLIGIBLE = 1e-6
#: Recalls of equal probability that stand for the law of one.
LATTICE = 128


def _of_cells(tp: Floats, fn: Floats, fp: Floats, tn: Floats) -> dict[str, Floats]:
    """The metrics that are read off a table's shares."""
    called, passed = tp + fp, fn + tn
    present, absent = tp + fn, fp + tn
    by_chance = present * called + absent * passed
    agreed = tp + tn
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "balanced_accuracy": (tp / present + tn / absent) / 2,
            "f1": 2 * tp / (2 * tp + fp + fn),
            "mcc": (tp * tn - fp * fn) / np.sqrt(called * passed * present * absent),
            "kappa": (agreed - by_chance) / (1 - by_chance),
            "precision": tp / called,
        }


METRICS = ("balanced_accuracy", "f1", "mcc", "kappa", "precision")


def of_recalls(recall: Floats, specificity: Floats, sizes: tuple[int, int]) -> dict[str, Floats]:
    """Every metric at two rates, with the shares of such classes."""
    share = sizes[0] / sum(sizes)
    return _of_cells(share * recall, share * (1 - recall), (1 - share) * (1 - specificity), (1 - share) * specificity)


@lru_cache(maxsize=4096)
def lattice(right: int, n: int, s: float) -> Floats:
    """Rates of equal probability under Beta(k + s, n - k + s)."""
    return lattice_of(right, n, s, s)


def lattice_of(right: float, n: float, a: float, b: float) -> Floats:
    """The same under Beta(k + a, n - k + b); a parameter of 0 leaves one point."""
    first, second = right + a, n - right + b
    if min(first, second) <= 0:
        return np.full(LATTICE, float(first > 0))
    return np.asarray(betaincinv(first, second, (np.arange(LATTICE) + 0.5) / LATTICE))


def intervals(values: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
    """The highest-density and the central 95% interval of equally probable values; open at an edge that is theirs."""
    values = np.sort(values)
    size = len(values)
    inside = round(0.95 * size)
    start = int(np.argmin(values[inside - 1 :] - values[: size - inside + 1]))
    low = -np.inf if start == 0 else values[start]
    high = np.inf if start + inside == size else values[start + inside - 1]
    tail = round(0.025 * size)
    return (low, high), (values[tail], values[size - tail - 1])


def coverage(sizes: tuple[int, int], s: float, truths: Floats = TRUTHS) -> dict[str, Floats]:
    """Of every metric the coverage at each truth: rows of the highest-density and of the central interval."""
    first, second = (chances(n, truths[:, i]) for i, n in enumerate(sizes))
    wanted = of_recalls(*truths.T, sizes)
    found = {name: np.zeros((2, len(truths))) for name in METRICS}
    for i in range(sizes[0] + 1):
        for j in range(sizes[1] + 1):
            weight = first[:, i] * second[:, j]
            if weight.max() < NEGLIGIBLE:
                continue
            pair = lattice(i, sizes[0], s)[:, None], lattice(j, sizes[1], s)[None, :]
            for name, values in of_recalls(*pair, sizes).items():
                for row, (low, high) in enumerate(intervals(values.ravel())):
                    found[name][row] += weight * ((low <= wanted[name]) & (wanted[name] <= high))
    return found


def of_rates(n: int, s: float, rates: Floats) -> Floats:
    """Coverage of one rate of n cases: rows of the highest-density and of the central interval."""
    laws = [hs.laws.Beta(k + s, n - k + s) for k in range(n + 1)]
    ends = np.array([[tuple(law.interval(0.95, kind)) for kind in ("hdi", "central")] for law in laws])
    low, high = ends.transpose(2, 1, 0)[..., None, :]
    at = rates[None, :, None]
    return np.asarray((chances(n, rates)[None] * ((low <= at) & (at <= high))).sum(-1))


def wilson_of_mean(right: tuple[int, int], sizes: tuple[int, int]) -> tuple[float, float]:
    """A rival: the mean of two rates by the method of variance estimates recovery from Wilson's intervals."""
    k, n = np.array(right, dtype=float), np.array(sizes, dtype=float)
    share, z = k / n, 1.959964
    middle, reach = (k + z * z / 2) / (n + z * z), z * np.sqrt(k * (1 - share) + z * z / 4) / (n + z * z)
    below, above = (float(np.hypot(*each)) / 2 for each in (share - middle + reach, middle + reach - share))
    return float(share.mean()) - below, float(share.mean()) + above


def beside_rival(sizes: tuple[int, int]) -> list[Floats]:
    """Balanced accuracy: rows of coverage and width at each truth, HDI under each of `BEFORE_AND_AFTER`, the rival."""
    chance = [chances(n, TRUTHS[:, i]) for i, n in enumerate(sizes)]
    wanted, found = TRUTHS.mean(axis=1), np.zeros((len(BEFORE_AND_AFTER) + 1, 2, len(TRUTHS)))
    for i in range(sizes[0] + 1):
        for j in range(sizes[1] + 1):
            weight = chance[0][:, i] * chance[1][:, j]
            if weight.max() < NEGLIGIBLE:
                continue
            pairs = [(lattice(i, sizes[0], s)[:, None], lattice(j, sizes[1], s)[None, :]) for s in BEFORE_AND_AFTER]
            ends = [intervals(((one + other) / 2).ravel())[0] for one, other in pairs]
            for row, (low, high) in enumerate([*ends, wilson_of_mean((i, j), sizes)]):
                width = min(high, 1.0) - max(low, 0.0)
                found[row] += weight * np.stack([(low <= wanted) & (wanted <= high), np.full(len(wanted), width)])
    return list(found)


def lines(runs: int) -> Iterator[str]:
    """Rates, then every metric at every pair of sizes; sums over all tables, whatever number of runs is asked."""
    yield from text_of(
        "two_classes 1",
        ", ".join(f"{p:g}" for p in RECALLS),
        ", ".join((f"{p:g} and {q:g}" for p, q in UNLIKE)),
        " | ".join(f"s = {s:.3g}" for s in MASSES),
        " --- |" * len(MASSES),
    )
    grid = np.linspace(0.5, 0.995, 100)
    for n in (5, 10, 20, 50, 100):
        found = [of_rates(n, s, grid) for s in MASSES]
        yield _row("rate", str(n), found)
    for sizes in SIZES:
        by_mass = [coverage(sizes, s) for s in MASSES]
        for name in METRICS:
            yield _row(name, f"{sizes[0]}, {sizes[1]}", [each[name] for each in by_mass])
    yield from text_of("two_classes 2")
    for sizes in SIZES:
        cells = (
            f"{100 * held.mean():.1f} {100 * held.min():.0f}, {width.mean():.3f}" for held, width in beside_rival(sizes)
        )
        yield f"| {sizes[0]}, {sizes[1]} | {' | '.join(cells)} |"


def _row(metric: str, n: str, found: list[Floats]) -> str:
    cells = ("; ".join(f"{100 * kind.mean():.1f} {100 * kind.min():.0f}" for kind in each) for each in found)
    return f"| {metric} | {n} | {' | '.join(cells)} |"
