"""The law that is known only by simulation, with the same vocabulary and its Monte Carlo error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.errors import InvalidArgument
from howsure.laws.law import Kind, Law, Route
from howsure.numerics.simulation import (
    order_statistic_error,
    quantiles,
    reflected_density,
    shortest_window,
    window_error,
)

__all__ = ["Draws"]

Floats = NDArray[np.float64]


class Draws(Law):
    """Law of a number that was drawn independently many times.

    Parameters
    ----------
    values : array_like, shape (n,)
        At least two draws. NaN stands for "undefined in this draw" (0/0); those are counted in ``undefined``,
        and the law is that of the number given that it is defined. Infinity is a value (a ratio to 0).
    support : (float, float), optional
        Where the number can lie; keeps the density and the intervals inside.

    Raises
    ------
    InvalidArgument
        Fewer than two defined draws.

    Examples
    --------
    >>> import numpy as np
    >>> law = Draws(np.random.default_rng(0).beta(8, 2, 20_000), support=(0, 1))
    >>> round(law.mean, 2), round(law.mean_error, 4), law.route
    (0.8, 0.0008, 'drawn')
    """

    route: Route = "drawn"

    def __init__(self, values: ArrayLike, *, support: tuple[float, float] | None = None) -> None:
        given = np.array(values, dtype=float).ravel()
        kept = given[~np.isnan(given)]
        if len(kept) < 2:
            raise InvalidArgument(f"a drawn law needs at least two defined draws; {len(kept)} of {len(given)} are")
        given.setflags(write=False)
        self._values: Floats = given
        self._sorted: Floats = np.sort(kept)
        self._errors: dict[tuple[float, str], float] = {}
        self._support = support or (float(self._sorted[0]), float(self._sorted[-1]))

    @property
    def values(self) -> Floats:
        """The draws in the order they came, read-only; NaN where undefined."""
        return self._values

    @property
    def undefined(self) -> int:
        """Number of draws in which the number is undefined (0/0)."""
        return len(self._values) - self.n

    @property
    def n(self) -> int:
        """Number of draws in which the number is defined."""
        return len(self._sorted)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return self._support

    @cached_property
    def mean(self) -> float:
        """Average of the draws; infinite if one of them is."""
        ends = self._sorted[[0, -1]]
        if np.isinf(ends).all() and ends[0] != ends[1]:
            return math.nan
        return float(self._sorted.mean())

    @cached_property
    def sd(self) -> float:
        """Standard deviation of the draws; infinite if one of them is."""
        return math.inf if np.isinf(self._sorted[[0, -1]]).any() else float(self._sorted.std(ddof=1))

    def _cdf(self, x: Floats) -> Floats:
        return np.searchsorted(self._sorted, x, side="right") / self.n

    def _prob_below(self, x: float) -> float:
        return int(np.searchsorted(self._sorted, x, side="left")) / self.n

    def _quantile(self, p: Floats) -> Floats:
        return quantiles(self._sorted, p)

    def _hdi(self, level: float) -> tuple[float, float] | None:
        return shortest_window(self._sorted, level)

    @cached_property
    def _density(self) -> tuple[Floats, Floats]:
        return reflected_density(self._sorted, *self._support)

    def _pdf(self, x: Floats) -> Floats:
        grid, density = self._density
        return np.interp(x, grid, density, left=0.0, right=0.0)

    @property
    def mode(self) -> float:
        """Top of the smoothed density."""
        grid, density = self._density
        return float(grid[int(np.argmax(density))])

    # -- Monte Carlo error ----------------------------------------------------------------------------------

    @property
    def mean_error(self) -> float:
        """Monte Carlo standard error of the mean, sd / sqrt(n)."""
        return self.sd / math.sqrt(self.n)

    def quantile_error(self, p: float) -> float:
        """Monte Carlo standard error of a quantile, from the order statistics around it."""
        return order_statistic_error(self._sorted, p)

    def prob_error(self, probability: float) -> float:
        """Monte Carlo standard error of a probability, sqrt(p (1 - p) / n); 3 / n where no draw decides it."""
        if probability in (0.0, 1.0):
            return 3 / self.n
        return math.sqrt(probability * (1 - probability) / self.n)

    def interval_error(self, level: float, kind: Kind) -> float:
        """Monte Carlo standard error of the ends of an interval, the larger of the two.

        For central intervals from the order statistics; for the highest-density one from the spread of its ends over
        batches of the draws.
        """
        if kind == "central":
            return max(self.quantile_error((1 - level) / 2), self.quantile_error((1 + level) / 2))
        if (level, kind) not in self._errors:
            self._errors[level, kind] = window_error(self.values[~np.isnan(self.values)], level)
        return self._errors[level, kind]

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the ends of the 95 % interval that is printed, the larger of the two."""
        return self.interval_error(0.95, self.interval(0.95).kind)

    def sample(self, n: int, *, seed: int | Sequence[int] = 0) -> Floats:
        """Resample ``n`` of the draws with replacement."""
        return np.asarray(np.random.default_rng(seed).choice(self._sorted, n))

    def __repr__(self) -> str:
        return f"<Draws: {self.n} draws, mean {self.mean:.4g}, sd {self.sd:.2g}>"
