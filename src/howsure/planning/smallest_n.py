"""The smallest n of a simulated goal, with its Monte Carlo error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import quantile_spread
from howsure.planning.goal import MOST_SIMULATED, Solution

__all__ = ["SCOUTS", "borne_out", "rounded", "simulated_answer"]


#: Simulated tests on a curve, and while the answer is still being bracketed, which forgives a factor of 2.
SCOUTS, FORERUNNERS = 200, 60
#: Where the answer is refined: factors of n, from afar; and from near, where the line is known so well that what it
#: is not straight would count.
AROUND, NEAR = (0.6, 0.77, 1.0, 1.3, 1.7), (0.9, 0.95, 1.0, 1.05, 1.1)
#: Relative error of n below which one looks from near.
SHARP = 0.02


def simulated_answer(
    slack: Callable[[int, int], Floats], asked: float, tests: int, near: float | None = None
) -> Solution | None:
    """Smallest n at which all but ``1 - asked`` of the simulated tests pass; None where none does.

    Parameters
    ----------
    slack : callable
        From n and a number of tests to an array: by how much each of them passes, below 0 if it fails; a distance
        less multiples of a standard deviation, so that its quantiles are straight lines in 1 / sqrt(n).
    asked : float
        The assurance.
    tests : int
        Simulated tests at each n that the answer rests on.
    near : float, optional
        About where it is, if that is known: nothing is bracketed then.

    Notes
    -----
    Doubling brackets the answer; then a line is fitted, in 1 / sqrt(n), to the (1 - asked)-quantile of the slack at
    five n around it, and again nearer to it where noise is small. Its zero is n. The truths are the same at every n.
    """
    high = 16
    while near is None and np.quantile(slack(high, min(FORERUNNERS, tests)), 1 - asked) < 0:
        high *= 2
        if high > MOST_SIMULATED:
            return None
    centre, error, factors = (0.75 * high if near is None else near), 0.0, AROUND
    for _ in range(5):
        sizes = np.array(sorted({max(2, round(centre * factor)) for factor in factors}))
        found = [np.sort(slack(int(n), tests)) for n in sizes]
        heights = np.array([np.quantile(each, 1 - asked) for each in found])
        errors = np.array([quantile_spread(each, 1 - asked, asked * (1 - asked) / len(each)) for each in found])
        # tests that happen to agree are not known better than those of the other sizes
        errors = np.maximum(errors, errors.mean()) + 1e-12
        zero, spread = _zero(sizes**-0.5, heights, errors)
        far, near = (3 * centre) ** -0.5, (centre / 3) ** -0.5
        settled = sizes[-1] ** -0.5 <= zero <= sizes[0] ** -0.5
        centre = float(np.clip(zero, far, near)) ** -2
        error = 2 * centre**1.5 * spread
        if centre < 4 or (settled and (factors is NEAR or error > SHARP * centre)):
            break
        factors = NEAR if settled else AROUND
    return rounded(centre, error)


def rounded(centre: float, error: float) -> Solution:
    """The first whole number from there on, without digits below its error, which would be noise."""
    unit = 10 ** max(0, int(np.floor(np.log10(max(1.0, 2 * error)))))
    return Solution(max(1, int(np.ceil(centre / unit)) * unit), None, error)


def borne_out(answer: Solution, asked: float, assurance: Callable[[int], tuple[float, float]]) -> Solution:
    """The answer, raised by its error, then by twice that, and so on while other simulated tests say it is too small.

    Where all tests of a size have nearly the same width, one case decides between hardly any of them and nearly all.
    """
    n, step = answer.n, max(1, round(answer.error))
    for _ in range(6):
        reached, error = assurance(n)
        if reached + error >= asked:
            break
        n, step = n + step, 2 * step
    return Solution(n, answer.first, answer.error)


def _zero(x: Floats, y: Floats, errors: Floats) -> tuple[float, float]:
    """Where a weighted falling line through the points meets 0, and the standard error of that place."""
    weight = errors**-2.0
    middle = float(np.average(x, weights=weight))
    height = float(np.average(y, weights=weight))
    spread = float((weight * (x - middle) ** 2).sum())
    slope = float((weight * (x - middle) * y).sum()) / max(spread, 1e-300)
    if slope >= 0:  # flat within its noise: look elsewhere
        return middle * (1 + 0.25 * float(np.sign(height))), 0.25 * middle
    zero = middle - height / slope
    return zero, float(np.sqrt(1 / weight.sum() + (zero - middle) ** 2 / max(spread, 1e-300)) / -slope)
