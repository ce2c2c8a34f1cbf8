"""The price of an exact law, in units of 20,000 draws.

    python benchmarks/laws.py [--quick]

Ours: build the law, take its central and its highest-density 95% interval and one probability. Draws: 20,000 NumPy
draws of the same quantity and three percentiles of them. Both in CPU time, one thread, the median of alternating
repeats in one process. With a hundred thousand classes drawing would take minutes: 500 of them are drawn and the time
is scaled up (marked ~), and the peak memory of a fresh process is given. Targets are the project's own.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from howsure.numerics.beta_sum.sums import BetaLaw, SeriesLaw, linear_law

DRAWS = 20_000
DRAWN_CLASSES = 500  # of a larger sum; the rest is scaled


@dataclass(frozen=True)
class Case:
    """A sum of weighted Betas, or of Dirichlet rows (coefficients, alphas), and the ratio it should not exceed."""

    name: str
    target: float
    betas: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
    rows: tuple[tuple[np.ndarray, np.ndarray], ...] = ()

    def ask(self) -> BetaLaw | SeriesLaw:
        law = linear_law([(c, alpha, 1) for c, alpha in self.rows], betas=self.betas)
        law.quantile(np.array([0.025, 0.975]))
        law.highest_density(0.95)
        law.sf(np.array([law.mean - law.sd]))
        return law

    def draw(self) -> None:
        rng = np.random.default_rng(0)
        total = np.zeros(DRAWS)
        if self.betas is not None:
            for a, b, w in list(zip(*self.betas, strict=True))[:DRAWN_CLASSES]:
                total += w * rng.beta(a, b, DRAWS)
        for c, alpha in self.rows:
            total += rng.dirichlet(alpha, DRAWS) @ c
        np.percentile(total, [2.5, 50, 97.5])

    @property
    def scale(self) -> float:
        """Classes over drawn classes."""
        return 1.0 if self.betas is None else max(1.0, len(self.betas[0]) / DRAWN_CLASSES)


def mean_of(a: list[float], b: list[float], weights: list[float] | None = None) -> tuple[np.ndarray, ...]:
    return np.array(a), np.array(b), np.full(len(a), 1 / len(a)) if weights is None else np.array(weights)


def random_classes(count: int, distinct: int | None = None) -> tuple[np.ndarray, ...]:
    """Classes of 5 to 500 cases that are right 70 to 95 times out of 100, equally weighted."""
    rng = np.random.default_rng(count)
    n, p = rng.integers(5, 500, distinct or count), rng.uniform(0.7, 0.95, distinct or count)
    right = np.round(n * p) if distinct else n * p  # distinct counts all differ
    a, b = right + 0.5, n - right + 0.5
    return np.resize(a, count), np.resize(b, count), np.full(count, 1 / count)


def paired(*tables: list[float]) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Difference of two classifiers on the same cases: cells both right, first only, second only, both wrong."""
    w = 1 / len(tables)
    return tuple((np.array([0, w, -w, 0]), np.array(cells)) for cells in tables)


def random_tables(count: int) -> list[list[float]]:
    rng = np.random.default_rng(count)
    return [list(rng.multinomial(int(n), [0.75, 0.08, 0.07, 0.1]) + 0.5) for n in rng.integers(10, 200, count)]


def costs(size: int) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Mean over the classes of an expected cost with every cost different."""
    rng = np.random.default_rng(size)
    alpha = rng.integers(0, 8, (size, size)) + 40 * np.eye(size) + 0.5
    cost = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) ** 1.5 / size
    return tuple(zip(cost, alpha, strict=True))


def cases() -> list[Case]:
    return [
        Case("K=2, of the docs", 0.5, mean_of([91, 6], [11, 96])),
        Case("K=3 smooth", 0.5, mean_of([41, 26, 18], [11, 6, 4])),
        Case("K=10 random", 0.15, random_classes(10)),
        Case("K=100 random", 0.05, random_classes(100)),
        Case("K=1,000 random", 0.02, random_classes(1000)),
        Case("K=2 perfect, Jeffreys", 1, mean_of([10.5, 10.5], [0.5, 0.5])),
        Case("K=2 perfect, uniform", 1, mean_of([11, 6], [1, 1])),
        Case("K=2 perfect, A - B", 1, mean_of([10.5, 5.5], [0.5, 0.5], [1, -1])),
        Case("K=3 perfect, Jeffreys", 1, mean_of([10.5, 5.5, 20.5], [0.5, 0.5, 0.5])),
        Case("K=3 perfect, uniform", 1, mean_of([11, 6, 21], [1, 1, 1])),
        Case("K=3 empty, Jeffreys", 1, mean_of([0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.2, 0.3, 0.5])),
        Case("alpha 0.01", 2, mean_of([0.01, 5], [5, 0.01])),
        Case("256 combinations", 2, mean_of([0.5] * 8, [0.5] * 8, list(np.arange(1.0, 9)))),
        Case("paired K=1", 1, rows=paired([60, 12, 5, 23])),
        Case("paired K=1, Jeffreys", 1, rows=paired([20.5, 1.5, 0.5, 2.5])),
        Case("paired K=2, tiny", 1, rows=paired([8.5, 1.5, 0.5, 0.5], [5.5, 0.5, 0.5, 1.5])),
        Case("paired K=100", 0.1, rows=paired(*random_tables(100))),
        Case("expected cost 10 x 10", 1, rows=costs(10)),
    ]


def large_cases() -> list[Case]:
    return [
        Case("K=100,000, 100 distinct", 0.005, random_classes(100_000, 100)),
        Case("K=100,000, all distinct", 0.02, random_classes(100_000)),
    ]


def timed(task: Callable[[], object]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def row(case: Case, repeats: int) -> str:
    case.ask(), case.draw()  # warm up
    times = np.array([(timed(case.ask), timed(case.draw) * case.scale) for _ in range(repeats)])
    ours, draws = np.median(times, axis=0) * 1e3
    ratio = float(np.median(times[:, 0] / times[:, 1]))
    drawn = f"{draws:.4g}" if case.scale == 1 else f"~{draws:.4g}"
    return f"{case.name:24} {ours:8.2f} {drawn:>9} {ratio:7.2g} {case.target:7g}"


def peak_memory(name: str) -> str:
    """Peak resident memory of a fresh process that asks for one law, against one that only loads the package."""
    peaks = []
    for argument in ("nothing", name):
        command = [sys.executable, __file__, "--memory", argument]
        peaks.append(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    return f"{'':24} peak memory {peaks[1]:.0f} MB, {peaks[0]:.0f} MB of them before the law"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few repeats, nothing above 1,000 classes")
    parser.add_argument("--only", default="", metavar="TEXT", help="only the cases with TEXT in their name")
    parser.add_argument("--memory", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        for case in large_cases():
            if case.name == options.memory:
                case.ask()
        unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes or kilobytes
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)
        return
    wanted = [case for case in large_cases() if options.only in case.name and not options.quick]
    # a new process starts with the peak of its parent (Linux), so this comes before anything large
    peaks = {case.name: peak_memory(case.name) for case in wanted}
    print(f"{'case':24} {'ours ms':>8} {'draws ms':>9} {'ratio':>7} {'target':>7} ")
    for case in cases():
        if options.only in case.name:
            print(row(case, 5 if options.quick else 41), flush=True)
    for case in wanted:
        print(row(case, 3), peaks[case.name], sep="\n", flush=True)


if __name__ == "__main__":
    main()
