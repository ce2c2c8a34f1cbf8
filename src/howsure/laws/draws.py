"""Laws of single points: shares of counts, and draws of what is known only by simulation, with their error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.errors import InvalidArgument, OutOfReach, excerpt
from howsure.errors.arguments import number, numbers
from howsure.laws.law import SEED, Kind, Law, Route, generator
from howsure.numerics.arrays import Floats, Integers, dot, repeat
from howsure.numerics.draws.weighted_draws import (
    Densest,
    Strata,
    densest,
    fewest_atoms,
    quantile_spread,
    quantiles,
    reflected_density,
    strata_by,
)
from howsure.numerics.trials.simulated_tests import beta_binomial_pmf

# -- Shares of counts: laws that live on the points 0, 1/n, ..., 1 and have a probability at each ----------------------


#: Cases of a new test; more would need more memory than a law is worth.
MOST_CASES = 10_000_000


class CountShare(Law):
    """Law of a number of successes divided by the number of trials; exact.

    Parameters
    ----------
    pmf : array_like, shape (n + 1,)
        Probability of 0, 1, ..., n successes; normalised.

    Notes
    -----
    The law has atoms, so ``prob(above=x)`` and ``prob(below=x)`` leave x itself out and ``prob(between=)`` includes
    both ends; ``pdf`` is the probability of the atom at x, and 0 between atoms. Intervals hold at least ``level``.

    Examples
    --------
    >>> coin = CountShare([0.25, 0.5, 0.25])
    >>> coin.prob(above=0.5), coin.prob(below=0.5), coin.prob(between=(0.5, 1))
    (0.25, 0.25, 0.75)
    """

    def __init__(self, pmf: ArrayLike) -> None:
        weights = np.array(pmf, dtype=float)
        if weights.ndim != 1 or len(weights) < 2 or not np.all(weights >= 0) or not weights.sum() > 0:
            raise InvalidArgument("a law of counts needs the probabilities of 0, 1, ..., n, with n at least 1")
        self._pmf: Floats = weights / weights.sum()
        self._pmf.setflags(write=False)

    @property
    def n(self) -> int:
        """Number of trials."""
        return len(self._pmf) - 1

    @property
    def pmf(self) -> Floats:
        """Probability of 0, 1, ..., n successes, shape (n + 1,), read-only."""
        return self._pmf

    @cached_property
    def _points(self) -> Floats:
        # divided, not multiplied by 1/n: 84 of 100 is then the same double as 0.84
        return np.arange(self.n + 1) / self.n

    @cached_property
    def _below_or_at(self) -> Floats:
        return np.minimum(np.cumsum(self._pmf), 1.0)

    @cached_property
    def _above_or_at(self) -> Floats:
        return np.concatenate([np.minimum(np.cumsum(self._pmf[::-1])[::-1], 1.0), [0.0]])

    @property
    def support(self) -> tuple[float, float]:
        """From 0 to 1."""
        return 0.0, 1.0

    @cached_property
    def mean(self) -> float:
        """Expected share."""
        return float(self._pmf @ self._points)

    @cached_property
    def sd(self) -> float:
        """Standard deviation of the share."""
        return float(np.sqrt(self._pmf @ (self._points - self.mean) ** 2))

    def _cdf(self, x: Floats) -> Floats:
        last = np.searchsorted(self._points, x, side="right") - 1
        return np.where(last < 0, 0.0, self._below_or_at[np.maximum(last, 0)])

    def _sf(self, x: Floats) -> Floats:
        return np.asarray(self._above_or_at[np.searchsorted(self._points, x, side="right")])

    def _pdf(self, x: Floats) -> Floats:
        near = np.clip(np.searchsorted(self._points, x), 0, self.n)
        return np.where(self._points[near] == x, self._pmf[near], 0.0)

    def _prob_below(self, x: float) -> float:
        first = int(np.searchsorted(self._points, x, side="left"))
        return float(self._below_or_at[first - 1]) if first else 0.0

    def _quantile(self, p: Floats) -> Floats:
        # a sum of n probabilities may end a rounding error below the share that is asked for
        found = np.searchsorted(self._below_or_at, p - 1e-12, side="left")
        return np.asarray(self._points[np.minimum(found, self.n)])

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        """Fewest neighbouring atoms that hold ``level``, and of those the most probable ones."""
        rises = np.diff(self._pmf)
        turns = np.flatnonzero(np.diff(np.sign(rises[np.abs(rises) > 1e-15 * self._pmf.max()])) > 0)
        if len(turns):
            return None
        first, last = fewest_atoms(self._pmf, level)
        return float(self._points[first]), float(self._points[last])

    @property
    def mode(self) -> float:
        """Most probable share."""
        return float(self._points[int(np.argmax(self._pmf))])

    def _outlined(self, points: int) -> tuple[Floats, Floats]:
        """Bins of the width between two possible values."""
        first, last = (round(end * self.n) for end in self._seen_ends())
        edges = repeat(np.concatenate([np.arange(first, last + 1) - 0.5, [last + 0.5]]), 2)[1:-1] / self.n
        return edges, repeat(self._pmf[first : last + 1] * self.n, 2)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.n} trials, mean {self.mean:.4g}, sd {self.sd:.2g}>"


class BetaBinomial(CountShare):
    """Share of successes in ``n`` new trials whose rate is Beta(a, b); exact.

    Parameters
    ----------
    n : int
        Number of trials, 1 to ten million.
    a, b : float
        Parameters of the rate, above 0.

    Notes
    -----
    The predictive law of a rate (Toetsch and Hoffmann 2021). Its variance is (a + b + n) / n times that of the rate:
    about twice as large where the new test is as large as the old one.

    Examples
    --------
    >>> law = BetaBinomial(100, 85, 17)
    >>> round(law.mean, 4)
    0.8333
    >>> low, high = law.interval()
    >>> low, high
    (0.73, 0.93)
    """

    def __init__(self, n: int, a: float, b: float) -> None:
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_CASES:
            raise InvalidArgument(f"a number of new cases is an integer from 1 to {MOST_CASES:,}, not {excerpt(n)}")
        for value in (a, b):
            if not 0 < number(value) < np.inf:
                raise InvalidArgument(f"the parameters of a Beta are numbers above 0, not {excerpt(value)}")
        self._given = int(n), float(a), float(b)
        super().__init__(beta_binomial_pmf(*self._given))

    def __reduce__(self) -> tuple[Any, ...]:
        return (BetaBinomial, self._given)


# -- A law that is known only by simulation, with the same vocabulary and its Monte Carlo error ------------------------


#: Share of the variance that a control has to explain before the draws are weighted by it.
LEAST_EXPLAINED = 0.3

#: Standard errors between the mean of a control's draws and that of its law that are no accident.
TOO_FAR = 6.0

#: Largest error of a control's distribution function, times the root of the number of draws: a fifth of the Monte Carlo
#: error of a probability of one half. Beyond, the weights would carry over an error that nothing tells.
WELL_KNOWN = 0.1


class Draws(Law):
    """Law of a number that was drawn independently many times.

    Parameters
    ----------
    values : array_like, shape (n,)
        At least two draws. NaN stands for "undefined in this draw" (0/0); those are counted in ``undefined``,
        and the law is that of the number given that it is defined. Infinity is a value (a ratio to 0).
    support : (float, float), optional
        Where the number can lie; keeps the density and the intervals inside.
    control : Companion, optional
        A number in the same draws whose exact law is known. Where the two move together (the square of their
        correlation is 0.3 or more), the draws are weighted so that the control has that law: they are
        post-stratified. All answers, and their Monte Carlo errors, are then those of the weighted draws.
    strata : Strata, optional
        Instead: strata that the draws are weighted by in any case.

    Raises
    ------
    InvalidArgument
        Fewer than two defined draws, or a control of another length.

    Examples
    --------
    >>> import numpy as np
    >>> law = Draws(np.random.default_rng(0).beta(8, 2, 20_000), support=(0, 1))
    >>> round(law.mean, 2), round(law.mean_error, 4), law.route
    (0.8, 0.0008, 'simulated')
    """

    route: Route = "simulated"

    def __init__(
        self,
        values: ArrayLike,
        *,
        support: tuple[float, float] | None = None,
        control: Companion | None = None,
        strata: Strata | None = None,
    ) -> None:
        given = numbers(values, "values").ravel()
        order = np.argsort(given)
        ordered = given[order]
        n = int(np.searchsorted(ordered, np.nan))  # NaN last
        if n < 2:
            raise InvalidArgument(f"a simulated distribution needs at least two defined draws; {n} of {len(given)} are")
        #: places of the defined draws, from the smallest to the largest; the draws themselves are kept once, sorted
        self._order = order[:n].astype(np.int32)
        self._sorted: Floats = ordered[:n]
        self._given = len(given)
        self._windows: dict[float, Densest | None] = {}
        for given_as, value, kind in (("control", control, Companion), ("strata", strata, Strata)):
            if value is not None and not isinstance(value, kind):
                raise InvalidArgument(f"{given_as} is a {kind.__name__} of the draws, not {excerpt(value)}")
        pair = isinstance(support, tuple | list) and len(support) == 2
        if support is not None and not (pair and number(support[0]) <= number(support[1])):
            raise InvalidArgument(f"support is a pair (smallest, largest), not {excerpt(support)}")
        self._support = support or (float(self._sorted[0]), float(self._sorted[-1]))
        self._strata = strata if control is None else control.strata_of(given)

    @property
    def values(self) -> Floats:
        """The draws in the order they came, read-only; NaN where undefined."""
        values = np.full(self._given, np.nan)
        values[self._order] = self._sorted
        values.setflags(write=False)
        return values

    @property
    def undefined(self) -> int:
        """Number of draws in which the number is undefined (0/0)."""
        return self._given - self.n

    @property
    def n(self) -> int:
        """Number of draws in which the number is defined."""
        return len(self._sorted)

    @property
    def weighted(self) -> bool:
        """Whether the draws are weighted by a control variate."""
        return self._strata is not None

    @cached_property
    def _weights(self) -> Floats | None:
        """Weights of the sorted draws, adding to `_defined`; None if they are equal."""
        return None if self._strata is None else self._strata.weights[self._order]

    @cached_property
    def _cumulative(self) -> Floats | None:
        """Running sum of the weights of the sorted draws, ending in 1; None if they are equal."""
        if self._weights is None:
            return None
        total = np.cumsum(self._weights)
        total /= total[-1]
        return total

    @property
    def in_order(self) -> tuple[Floats, Floats | None]:
        """The defined draws from the smallest to the largest, and the running sum of their weights if they differ."""
        return self._sorted, self._cumulative

    @cached_property
    def _defined(self) -> float:
        """Weight of the draws in which the number is defined, of 1 for all."""
        return 1.0 if self._weights is None or not self.undefined else float(self._weights.sum())

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return self._support

    @cached_property
    def mean(self) -> float:
        """Average of the draws; infinite if one of them is."""
        ends = self._sorted[[0, -1]]
        if np.isinf(ends).any():
            return math.nan if np.isinf(ends).all() and ends[0] != ends[1] else float(ends[np.isinf(ends)][0])
        return self._average(self._sorted)

    @property
    def _finite(self) -> bool:
        return bool(np.isfinite(self._sorted[[0, -1]]).all())

    @cached_property
    def sd(self) -> float:
        """Standard deviation of the draws; infinite if one of them is."""
        if not self._finite:
            return math.inf
        deviations = self._sorted - self.mean
        with np.errstate(over="ignore"):  # infinite where squares are beyond all numbers
            variance = self._average(deviations * deviations)
        return math.sqrt(variance * self.n / (self.n - 1))

    @cached_property
    def median(self) -> float:
        """Value that is exceeded with probability one half."""
        return float(self._quantile(np.array(0.5)))

    def expectation(self, function: Callable[[Floats], Floats]) -> float:
        """Average of a function of the number over the draws, weighted as they are."""
        return self._average(function(self._sorted))

    def _share(self, count: NDArray[np.intp]) -> Floats:
        """Weight of the ``count`` smallest draws."""
        if self._cumulative is None:
            return count / self.n
        return np.where(count > 0, self._cumulative[np.maximum(count, 1) - 1], 0.0)

    def _cdf(self, x: Floats) -> Floats:
        return self._share(np.searchsorted(self._sorted, x, side="right"))

    def _prob_below(self, x: float) -> float:
        return float(self._share(np.searchsorted(self._sorted, np.asarray(x), side="left")))

    def _quantile(self, p: Floats) -> Floats:
        return quantiles(self._sorted, p, self._cumulative)

    def _densest(self, level: float) -> Densest | None:
        if level not in self._windows:
            self._windows[level] = densest(self._sorted, level, self._cumulative)
        return self._windows[level]

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        window = self._densest(level)
        return None if window is None else window.ends

    @cached_property
    def _density(self) -> tuple[Floats, Floats]:
        return reflected_density(self._sorted, *self._support, self._cumulative)

    def _pdf(self, x: Floats) -> Floats:
        grid, density = self._density
        return np.interp(x, grid, density, left=0.0, right=0.0)

    @property
    def mode(self) -> float:
        """Top of the smoothed density."""
        grid, density = self._density
        return float(grid[int(np.argmax(density))])

    # -- Monte Carlo error ----------------------------------------------------------------------------------

    def _variance_of(self, deviations: Floats) -> float:
        """Variance of the average of a number, from its deviations from that average in the sorted draws."""
        if self._strata is None:
            return dot(deviations, deviations) / (self.n * (self.n - 1))
        # undefined draws make the average a ratio of two weighted sums
        return self._strata.variance(self._strata.of[self._order], deviations)[0] / self._defined**2

    def _variances_at(self, places: slice | Integers, *numbers: Floats) -> list[float]:
        """Variance of the average of numbers that are 0 in all sorted draws but those at some places."""
        if self._strata is not None and not self.undefined:
            # within strata there is no average to take off
            return self._strata.variance(self._strata.of[self._order[places]], *numbers)
        whole = np.zeros((len(numbers), self.n))
        whole[:, places] = numbers
        return [self._variance_of(number - self._average(number)) for number in whole]

    @property
    def mean_error(self) -> float:
        """Monte Carlo standard error of the mean; sd / sqrt(n) of plain draws."""
        return math.sqrt(self._variance_of(self._sorted - self.mean)) if self._finite else math.inf

    def quantile_error(self, p: float) -> float:
        """Monte Carlo standard error of a quantile, from the order statistics around it."""
        if not 0 < p < 1:
            return 0.0
        place = int(np.searchsorted(self._sorted, self.quantile(p), side="right"))
        variance = p * (1 - p) / self.n if self._strata is None else self._variances_at(slice(place), np.ones(place))[0]
        return quantile_spread(self._sorted, p, variance, self._cumulative)

    def share(self, holds: Callable[[Floats], NDArray[np.bool_]]) -> tuple[float, float]:
        """Weight of the draws for which something holds, and its Monte Carlo error; 3 / n where all agree."""
        truth = holds(self._sorted)
        if truth.all() or not truth.any():
            return float(truth.all()), 3 / self.n
        inside = truth.astype(float)
        probability = min(self._average(inside), 1.0)  # weights of all draws may sum to 1 + 1e-16
        return probability, math.sqrt(self._variance_of(inside - probability))

    def interval_error(self, level: float, kind: Kind) -> float:
        """Monte Carlo standard error of the ends of an interval, the larger of the two.

        For central intervals from the order statistics; for the highest-density one from what each draw does to its
        ends (at an edge of the law they are quantiles, too).
        """
        window = self._densest(level) if kind == "hdi" else None
        if window is None:
            return max(self.quantile_error((1 - level) / 2), self.quantile_error((1 + level) / 2))
        if not np.isfinite(window.ends).all():
            return math.inf
        if window.moves:
            return math.sqrt(max(self._variances_at(*window.influences())))
        below = float(self._share(np.asarray(window.first)))
        return max(self.quantile_error(below), self.quantile_error(below + level))

    def _average(self, values: Floats) -> float:
        """Average of a number that the sorted draws have."""
        return float(values.mean() if self._weights is None else dot(self._weights, values)) / self._defined

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the ends of the 95% interval that is printed, the larger of the two."""
        return self.interval_error(0.95, self.interval(0.95).kind)

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Resample ``n`` of the draws with replacement."""
        weights = None if self._weights is None else self._weights / self._weights.sum()
        return np.asarray(generator(n, seed).choice(self._sorted, n, p=weights))

    def __repr__(self) -> str:
        return f"<Draws: {self.n} draws, mean {self.mean:.4g}, sd {self.sd:.2g}>"


class Companion:
    """A control variate: a number with a known law, in the same draws as others that are to be weighted by it.

    A law whose own error is not small next to that of the draws weights none of them.

    Parameters
    ----------
    values : array_like, shape (n,)
        Its draws.
    law : Law
        Its law.
    """

    def __init__(self, values: ArrayLike, law: Law) -> None:
        self._values: Floats = np.asarray(values, dtype=float).ravel()
        self._law = law

    def strata_of(self, given: Floats) -> Strata | None:
        """Strata of this number where they pay for the draws of another one, else None."""
        beside = self._values
        if beside.shape != given.shape:
            raise InvalidArgument(f"a control has one value for each of the {len(given)} draws, not {len(beside)}")
        if self.strata is None:
            return None
        defined = np.isfinite(given)
        if defined.all():
            share = explained(given, *self._deviations)
        elif defined.sum() > 1:
            share = explained(given[defined], *deviations(beside[defined]))
        else:
            return None
        return self.strata if share >= LEAST_EXPLAINED else None

    @cached_property
    def _deviations(self) -> tuple[Floats, float]:
        return deviations(self._values)

    @cached_property
    def strata(self) -> Strata | None:
        """Strata of this number; None where its draws are not from that law, or it is known no better than by them."""
        root = math.sqrt(len(self._values))
        far = TOO_FAR * self._law.sd / root
        if (
            self._law.error * root > WELL_KNOWN
            or np.isnan(self._values).any()
            or not np.ptp(self._values) > 0
            or abs(self._values.mean() - self._law.mean) > far
        ):
            return None
        try:
            return strata_by(self._values, self._law.quantile)
        except OutOfReach:  # plain draws do without
            return None


def deviations(y: Floats) -> tuple[Floats, float]:
    """Deviations from the mean, and the sum of their squares."""
    off = y - y.mean()
    return off, dot(off, off)


def explained(x: Floats, off: Floats, square: float) -> float:
    """Squared correlation of a number with the deviations of another; 0 where one does not vary, or beyond numbers."""
    with np.errstate(over="ignore", invalid="ignore"):  # ratios to almost 0
        own, own_square = deviations(x)
        spread = own_square * square
        return dot(own, off) ** 2 / spread if 0 < spread < math.inf else 0.0
