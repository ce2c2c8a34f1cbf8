"""The smallest n of a simulated goal, with its Monte Carlo error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.simulation import quantile_spread
from howsure.planning.goal import MOST_CASES, Answer

__all__ = ["SCOUTS", "simulated_answer"]

Floats = NDArray[np.float64]

#: Simulated tests while the answer is still being bracketed.
SCOUTS = 200
#: Where the answer is refined: factors of n.
AROUND = (0.85, 0.92, 1.0, 1.08, 1.17)


def simulated_answer(slack: Callable[[int, int], Floats], asked: float, tests: int) -> Answer | None:
    """Smallest n at which all but ``1 - asked`` of the simulated tests pass; None where none does.

    Parameters
    ----------
    slack : callable
        From n and a number of tests to an array: by how much each of them passes, below 0 if it fails. Smooth in n.
    asked : float
        The assurance.
    tests : int
        Simulated tests at each n that the answer rests on.

    Notes
    -----
    Doubling brackets the answer; then a line is fitted, in log n, to the (1 - asked)-quantile of the slack at five n
    around it. Its zero is n. The truths are the same at every n.
    """
    high = 16
    while np.quantile(slack(high, min(SCOUTS, tests)), 1 - asked) < 0:
        high *= 2
        if high > MOST_CASES // 100:
            return None
    centre, error = 0.75 * high, 0.0
    for _ in range(4):
        sizes = sorted({max(2, round(centre * factor)) for factor in AROUND})
        found = [np.sort(slack(n, tests)) for n in sizes]
        heights = np.array([np.quantile(each, 1 - asked) for each in found])
        errors = np.array([quantile_spread(each, 1 - asked, asked * (1 - asked) / len(each)) for each in found]) + 1e-12
        zero, error = _zero(np.log(sizes), heights, errors)
        settled = np.log(sizes[0]) <= zero <= np.log(sizes[-1])
        centre = float(np.exp(np.clip(zero, np.log(centre / 3), np.log(3 * centre))))
        if settled or centre < 4:
            break
    error *= centre
    # digits below the error would be noise
    unit = 10 ** max(0, int(np.floor(np.log10(max(1.0, 2 * error)))))
    return Answer(max(1, int(np.ceil(centre / unit)) * unit), None, error)


def _zero(x: Floats, y: Floats, errors: Floats) -> tuple[float, float]:
    """Where a weighted line through the points meets 0, and the standard error of that place."""
    weight = errors**-2.0
    middle = float(np.average(x, weights=weight))
    height = float(np.average(y, weights=weight))
    spread = float((weight * (x - middle) ** 2).sum())
    slope = float((weight * (x - middle) * y).sum()) / max(spread, 1e-300)
    if slope <= 0:  # flat within its noise: look elsewhere
        return middle - float(np.sign(height)) * 0.5, 0.5
    zero = middle - height / slope
    return zero, float(np.sqrt(1 / weight.sum() + (zero - middle) ** 2 / max(spread, 1e-300)) / slope)
