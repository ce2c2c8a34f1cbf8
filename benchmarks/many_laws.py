"""The price of ten thousand exact laws at once, in units of 20,000 draws a law.

    python benchmarks/many_laws.py [--laws 10000]

Slices of two classes of 0 to 200 cases, recalls around 0.8, flat prior (and other mixes of tables). Ours: build the
laws, take central and highest-density 95% intervals and one probability of each. Draws, of each slice: 20,000 NumPy
draws of the balanced accuracy and, by one sort, the same two intervals and the probability (``drawn``); or the bare
draws (``bare``). Both in CPU time, one thread, one process, in turns: a block of the laws, then draws for some of its
slices, scaled up to the block.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded

import argparse
import time
from collections.abc import Callable

import numpy as np

from howsure.laws import BetaSums

DRAWS = 20_000
DRAWN = 60  # slices of a block that are drawn
BLOCKS = 5  # of all laws, each a run of its own

Pair = tuple[np.ndarray, np.ndarray]


def slices(count: int, seed: int, cases: tuple[int, int], recall: tuple[float, float], prior: float) -> Pair:
    """Parameters a and b of both recalls of every slice, shape (count, 2) each."""
    rng = np.random.default_rng(seed)
    n = np.stack([rng.integers(0, most + 1, count) for most in cases], axis=1)
    right = rng.binomial(n, rng.beta(*recall, (count, 2)))
    return prior + right, prior + n - right


MIXES: dict[str, tuple[tuple[int, int], tuple[float, float], float]] = {
    "0 to 200 cases, flat": ((200, 200), (8.0, 2.0), 1.0),
    "0 to 200 cases, Jeffreys": ((200, 200), (8.0, 2.0), 0.5),
    "0 to 20 cases, flat": ((20, 20), (8.0, 2.0), 1.0),
    "1,000 next to 20 cases, flat": ((1000, 20), (8.0, 2.0), 1.0),
    "nearly perfect, flat": ((200, 200), (60.0, 1.0), 1.0),
}


def ask(a: np.ndarray, b: np.ndarray) -> None:
    laws = BetaSums(a, b)
    laws.interval(kind="hdi"), laws.interval(kind="central"), laws.prob(above=0.8)


def draw(a: np.ndarray, b: np.ndarray, summed: bool) -> None:
    rng = np.random.default_rng(0)
    inside = int(0.95 * DRAWS)
    for (a0, a1), (b0, b1) in zip(a.tolist(), b.tolist(), strict=True):
        x = 0.5 * (rng.beta(a0, b0, DRAWS) + rng.beta(a1, b1, DRAWS))
        if summed:
            x.sort()
            k = int((x[inside:] - x[:-inside]).argmin())
            _ = x[k], x[k + inside], x[DRAWS // 40], x[-DRAWS // 40], DRAWS - np.searchsorted(x, 0.8)


def timed(task: Callable[..., None], *arguments: object) -> float:
    start = time.process_time()
    task(*arguments)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--laws", type=int, default=10_000)
    options = parser.parse_args()
    print(f"{f'{options.laws:,} laws, us a law':28} {'ours':>8} {'drawn':>9} {'ratio':>7} {'bare':>9} {'ratio':>7}")
    ask(*slices(500, 99, (200, 200), (8.0, 2.0), 1.0))  # warm up
    for name, mix in MIXES.items():
        times = []
        for block in range(BLOCKS):
            a, b = slices(options.laws, block, *mix)
            some = slice(0, options.laws, max(1, options.laws // DRAWN))
            drawn, bare = (timed(draw, a[some], b[some], summed) / len(a[some]) for summed in (True, False))
            times.append((timed(ask, a, b) / options.laws, drawn, bare))
        ours, drawn, bare = np.median(times, axis=0) * 1e6
        print(f"{name:28} {ours:8.1f} {drawn:9.0f} {ours / drawn:7.3f} {bare:9.0f} {ours / bare:7.3f}", flush=True)


if __name__ == "__main__":
    main()
