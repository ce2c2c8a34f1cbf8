"""The vocabulary of every law: four formulas to write, the rest derived once."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, Self, TypeVar, cast, get_args, overload

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument, OutOfReach, excerpt
from howsure.errors.arguments import number, numbers, one_of
from howsure.frozen import Frozen
from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.transforms import TooManyNodes
from howsure.numerics.solve import bisect_increasing, shortest_interval
from howsure.params import DRAWS, KIND, LEVEL, SEED, Usual

#: Of `howsure.params`: what every law and every answer takes.
__all__ = ["DRAWS", "KIND", "LEVEL", "SEED", "Usual"]


# -- How many draws, and from which seed, where a law does not close ---------------------------------------------------


#: Random numbers of the default draws, of which there are fewer beyond that: a second or two.
BUDGET = 5 * 10**7

#: Random numbers that the fewest draws may take: a minute or two.
MOST_SPENT = 2 * 10**9

#: Values of one law that are drawn at once: 800 MB.
MOST_SAMPLED = 10**8

#: Fewer draws than this tell too little: the ends of an interval are then known to a tenth of the sd.
FEWEST = 1_000


def usual_draws(numbers: int) -> int:
    """Draws when none are asked for: 20,000, or as many as the budget buys at so many random numbers each."""
    return min(DRAWS, max(FEWEST, BUDGET // (100 * numbers) * 100))


def affordable(numbers: int) -> bool:
    """Whether the fewest draws of so many random numbers are within the budget."""
    return FEWEST * numbers <= MOST_SPENT


def checked_draws(draws: int) -> int:
    """A number of draws from 100 to ten million, or a sentence that refuses it."""
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or not 100 <= draws <= 10_000_000:
        raise InvalidArgument(f"draws is an integer from 100 to 10,000,000; not {excerpt(draws)}")
    return int(draws)


def checked_seed(seed: int) -> int:
    """A seed, or the sentence that says what one is."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidArgument(f"seed is an integer, 0 or more; not {excerpt(seed)}")
    return int(seed)


def generator(n: int, seed: int | Sequence[int]) -> np.random.Generator:
    """Source of ``n`` values; refuses a number of values or a seed (inside: a seed and its stream) that is none."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 0 <= n <= MOST_SAMPLED:
        raise InvalidArgument(f"n is an integer number of values, 0 to {MOST_SAMPLED:,d}; not {excerpt(n)}")
    parts: Any = seed if isinstance(seed, list) and seed else [seed]
    for part in parts:
        checked_seed(part)
    return np.random.default_rng(seed)


# -- The vocabulary of every law ---------------------------------------------------------------------------------------


Kind = Literal["hdi", "central"]
Route = Literal["exact", "approximate", "simulated"]


#: A picture leaves out this much of either tail.
UNSEEN = 2e-4


End = TypeVar("End", bound=float | Floats)


class Ends(tuple[End, End]):
    """Two ends that also say what level and kind of interval they are."""

    level: float
    kind: Kind

    def __new__(cls, low: End, high: End, *, level: float, kind: Kind) -> Self:
        """Make the pair and remember level and kind."""
        self = super().__new__(cls, (low, high))
        self.level, self.kind = level, kind
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[End, End], dict[str, Any]]:
        return (self[0], self[1]), dict(vars(self))

    @property
    def low(self) -> End:
        """Lower end."""
        return self[0]

    @property
    def high(self) -> End:
        """Upper end."""
        return self[1]

    @property
    def width(self) -> End:
        """Distance of the ends."""
        low, high = cast(tuple[Any, Any], self)
        return cast(End, high - low)


class Interval(Ends[float]):
    """Two ends that also say what kind of interval they are.

    Examples
    --------
    >>> low, high = Interval(0.2, 0.4, level=0.95, kind="hdi")
    >>> high - low
    0.2
    """


class Law(Frozen, ABC):
    """Probability law of one real number.

    A subclass writes ``support``, ``mean``, ``sd`` and ``_cdf``; everything else follows, and is overridden
    where a closed form is better. Methods take a number and give a float, or take an array and give an array.
    """

    #: "exact", "approximate" or "simulated".
    route: Route = "exact"

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """Expected value."""

    @property
    @abstractmethod
    def sd(self) -> float:
        """Standard deviation."""

    @abstractmethod
    def _cdf(self, x: Floats) -> Floats:
        """P(X <= x) for an array of any shape."""

    @property
    def error(self) -> float:
        """Bound on the error of the cdf (exact laws), or Monte Carlo standard error of the interval's ends."""
        return 0.0

    # -- derived ---------------------------------------------------------------------------------------------

    def _sf(self, x: Floats) -> Floats:
        return np.asarray(1 - self._cdf(x))

    def _pdf(self, x: Floats) -> Floats:
        low, high = self.support
        step = 1e-5 * self.sd
        left, right = np.maximum(x - step, low), np.minimum(x + step, high)
        with np.errstate(invalid="ignore", divide="ignore"):
            inside = (self._cdf(right) - self._cdf(left)) / (right - left)
        return np.where((x < low) | (x > high), 0.0, inside)

    def _evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f', with absolute accuracy; f' only steers Newton's method."""
        step = 1e-4 * self.sd
        return self._cdf(x), self._pdf(x), (self._pdf(x + step) - self._pdf(x - step)) / (2 * step)

    def _quantile(self, p: Floats) -> Floats:
        return bisect_increasing(self._cdf, p, *self.support)

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        """Ends of the highest-density interval, or None where that set is not one interval."""
        return shortest_interval(self._quantile, level)

    def _hdi(self, level: float) -> tuple[float, float] | None:
        """The same, solved for once: a report asks for it as the interval and as its width."""
        if level not in self._intervals:
            self._intervals[level] = self._highest_density(level)
        return self._intervals[level]

    @cached_property
    def _intervals(self) -> dict[float, tuple[float, float] | None]:
        return {}

    @overload
    def cdf(self, x: float) -> float: ...
    @overload
    def cdf(self, x: ArrayLike) -> Floats: ...
    def cdf(self, x: Any) -> Any:
        """P(X <= x); a float for a number, an array for an array."""
        return _as_given(lambda points: np.clip(self._cdf(points), 0.0, 1.0), x)

    @overload
    def sf(self, x: float) -> float: ...
    @overload
    def sf(self, x: ArrayLike) -> Floats: ...
    def sf(self, x: Any) -> Any:
        """P(X > x), with its own relative accuracy where the law has it."""
        return _as_given(lambda points: np.clip(self._sf(points), 0.0, 1.0), x)

    @overload
    def pdf(self, x: float) -> float: ...
    @overload
    def pdf(self, x: ArrayLike) -> Floats: ...
    def pdf(self, x: Any) -> Any:
        """Density at x; 0 outside the support."""
        return _as_given(self._pdf, x)

    @overload
    def quantile(self, p: float) -> float: ...
    @overload
    def quantile(self, p: ArrayLike) -> Floats: ...
    def quantile(self, p: Any) -> Any:
        """Value below which a share ``p`` of the probability lies.

        Raises
        ------
        InvalidArgument
            ``p`` outside [0, 1].
        """
        wanted = numbers(p, "p")
        if not np.all((wanted >= 0) & (wanted <= 1)):
            raise InvalidArgument(f"quantile(p) needs 0 <= p <= 1, not {excerpt(p)}")
        return _as_given(self._quantile, wanted)

    @cached_property
    def median(self) -> float:
        """Value that is exceeded with probability one half."""
        return self.quantile(0.5)

    @property
    def mode(self) -> float:
        """Most probable value (the middle of a very short highest-density interval)."""
        ends = self._hdi(1e-4) or (self.median, self.median)
        low, high = self.support
        beside = 1e-6 * (ends[1] - ends[0])  # the search for the shortest one stops in the rounding of its width
        return low if ends[0] - low <= beside else high if high - ends[1] <= beside else (ends[0] + ends[1]) / 2

    def interval(self, level: float = LEVEL, kind: Kind = KIND) -> Interval:
        """Credible interval: the shortest one (``hdi``) or the one with equal tails (``central``).

        Parameters
        ----------
        level : float
            Probability inside, strictly between 0 and 1.
        kind : "hdi" or "central"
            Where the highest-density set is not one interval (a U-shaped law), the central interval is given,
            and the result's ``kind`` says so.

        Returns
        -------
        Interval
            A pair (low, high) with ``level`` and ``kind``.

        Examples
        --------
        >>> from howsure.laws import Beta
        >>> low, high = Beta(27, 1).interval()
        >>> round(low, 5), high
        (0.89498, 1.0)
        """
        level = checked_level(level)
        checked_kind(kind)
        ends = self._hdi(level) if kind == "hdi" else None
        if ends is not None:
            # a density that rises to an end of the support is followed there, and a last step may lead beyond it
            least, most = self.support
            return Interval(max(ends[0], least), min(ends[1], most), level=level, kind="hdi")
        low, high = self._quantile(np.array([(1 - level) / 2, (1 + level) / 2])).tolist()
        return Interval(low, high, level=level, kind="central")

    def prob(
        self,
        *unnamed: object,
        above: float | None = None,
        below: float | None = None,
        between: tuple[float, float] | None = None,
    ) -> float:
        """Probability of a statement about the number; exactly one of the three keywords.

        Parameters
        ----------
        above, below : float
            P(X > above), P(X < below).
        between : (float, float)
            P(low <= X <= high).

        Returns
        -------
        float
            From 0 to 1.

        Raises
        ------
        InvalidArgument
            None or several of the keywords, a threshold that is no number, or low above high.

        Examples
        --------
        >>> from howsure.laws import Beta
        >>> Beta(1, 1).prob(above=0.25), Beta(1, 1).prob(between=(0.25, 0.5))
        (0.75, 0.25)
        """
        if unnamed:
            raise InvalidArgument(
                f"prob({excerpt(unnamed[0])}) does not say of which side: prob(above=0.8), prob(below=0.8) or "
                "prob(between=(0.8, 0.9))"
            )
        ends = stated(above, below, between)
        if above is not None:
            return self.sf(_finite(above))
        if below is not None:
            return float(np.clip(self._prob_below(_finite(below)), 0.0, 1.0))
        low, high = map(_finite, ends)
        if low > high:
            raise InvalidArgument(f"between=(low, high) needs low <= high, not {excerpt(between)}")
        inside = 1 - self._prob_below(low) - float(self._sf(np.asarray(high)))
        return min(1.0, max(0.0, inside))

    def _prob_below(self, x: float) -> float:
        """P(X < x); the same as the cdf unless the law has atoms."""
        return float(self._cdf(np.asarray(x)))

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values, shape (n,); the same seed gives the same values."""
        return self._quantile(generator(n, seed).random(n))

    def _outlined(self, points: int) -> tuple[Floats, Floats]:
        """A curve for pictures, of a law that is no single point: `outline`."""
        low, high = self._seen_ends()
        if not high > low:
            return np.array([low]), np.array([1.0])
        margin = 0.03 * (high - low)
        ends = self.support
        x = np.linspace(max(ends[0], low - margin), min(ends[1], high + margin), points)
        density = np.array(self.pdf(x), dtype=float)
        density[~np.isfinite(density)] = np.max(density[np.isfinite(density)], initial=0.0)
        return x, density

    def _seen_ends(self) -> tuple[float, float]:
        """Quantiles that leave little out; more where a law has some of its mass at infinity."""
        for tail in (UNSEEN, 0.01, 0.05, 0.1, 0.2, 0.4):
            low, high = (float(x) for x in np.asarray(self.quantile([tail, 1 - tail])))
            if np.isfinite([low, high]).all():
                return low, high
        middle = self.median if np.isfinite(self.median) else 0.0
        return middle, middle


def stated(above: object, below: object, between: Any) -> tuple[Any, Any]:
    """Both ends of ``between``, where the one keyword is that; refuses none of the keywords, or several."""
    given = [k for k, v in (("above", above), ("below", below), ("between", between)) if v is not None]
    if len(given) != 1:
        raise InvalidArgument(
            "prob() takes exactly one of above=, below=, between=; got " + (", ".join(given) or "none")
        )
    if between is None:
        return None, None
    if not isinstance(between, tuple | list) or len(between) != 2:
        raise InvalidArgument(f"between is a pair (low, high), not {excerpt(between)}")
    return between[0], between[1]


def checked_kind(kind: Kind) -> Kind:
    """A kind of interval, or the sentence that says which there are."""
    one_of(kind, get_args(Kind), "kind")
    return kind


def checked_level(level: float) -> float:
    """A level strictly between 0 and 1, or the sentence that says so."""
    if isinstance(level, bool) or not isinstance(level, int | float | np.floating) or not 1e-9 <= level <= 1 - 1e-9:
        hint = " (95% is 0.95)" if isinstance(level, int | float) and 1 < level <= 100 else ""
        raise InvalidArgument(f"level is a probability strictly between 0 and 1, not {excerpt(level)}{hint}")
    return float(level)


def _finite(x: Any) -> float:
    value = number(x)
    if value != value:
        raise InvalidArgument(f"a threshold must be a number, not {excerpt(x)}")
    return value


def _as_given(function: Callable[[Floats], Floats], x: Any) -> Any:
    """Apply to an array; a plain float for a scalar."""
    array = numbers(x, "x")
    result = function(np.atleast_1d(array)).reshape(array.shape)
    return float(result) if array.ndim == 0 else result


def outline(law: Law, points: int = 201) -> tuple[Floats, Floats]:
    """Points and density of a law, (points,) each, on a grid that holds all but four of ten thousand parts of it.

    Counts are spread over bins of the width between two possible values; what is known exactly is one point with
    density 1. The grid never leaves the support, and is uneven where the curve goes through a few known points of an
    exact law. A density without bound at an end (a Beta below one) is cut at the last finite point.
    """
    if law.sd == 0 and np.isfinite(law.mean):
        return np.array([law.mean]), np.array([1.0])
    return law._outlined(points)


# -- Laws that are closed under scaling and adding constants -----------------------------------------------------------


def real(value: Any) -> bool:
    """Whether it is a finite number."""
    return math.isfinite(number(value))


Closed = TypeVar("Closed", bound="Additive[Any]")


class Additive(Law, Generic[Closed]):
    """A law whose multiples, and sums with numbers, are laws of one class; some can be added to each other, too."""

    @abstractmethod
    def _moved(self, factor: float, shift: float) -> Closed:
        """Law of ``factor X + shift``."""

    def _plus(self, other: object) -> Closed | None:
        """Law of the sum with another law, or None."""
        return None

    def __mul__(self, factor: float) -> Closed:
        return self._moved(float(factor), 0.0) if real(factor) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Closed:
        return self * (1 / divisor) if real(divisor) else NotImplemented

    def __neg__(self) -> Closed:
        return self * -1.0

    def __add__(self, other: Law | float) -> Closed:
        total = self._moved(1.0, number(other)) if real(other) else self._plus(other)
        return NotImplemented if total is None else total

    __radd__ = __add__

    def __sub__(self, other: Law | float) -> Closed:
        if not (isinstance(other, Additive) or real(other)):
            return NotImplemented
        subtrahend: Any = other
        difference: Closed = self + -subtrahend
        return difference

    def __rsub__(self, other: Law | float) -> Closed:
        total: Closed = -self + other
        return total


# -- Laws whose answers one object of `howsure.numerics` computes: what is asked of it, handed on once -----------------


@contextmanager
def in_words() -> Iterator[None]:
    """Say in a sentence what no number of nodes can do; also a decorator."""
    try:
        yield
    except TooManyNodes as error:
        raise OutOfReach(str(error)) from None


class _Numbers(Protocol):
    """What computes a law."""

    @property
    def support(self) -> tuple[float, float]: ...
    @property
    def mean(self) -> float: ...
    @property
    def sd(self) -> float: ...
    @property
    def residual(self) -> float: ...
    def cdf(self, x: Floats, /) -> Floats: ...
    def sf(self, x: Floats, /) -> Floats: ...
    def pdf(self, x: Floats, /) -> Floats: ...
    def quantile(self, p: Floats, /) -> Floats: ...
    def highest_density(self, level: float, /) -> tuple[float, float] | None: ...
    def mode(self) -> float: ...


class ComputedLaw(Law):
    """A law with one object that computes it."""

    #: Estimated error of the cdf up to which the law is called exact.
    exact_to = math.inf

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """How it is known: "exact", or "approximate" where the estimated error of the cdf is larger than it may be."""
        return "exact" if self.exact_to == math.inf or self.error <= self.exact_to else "approximate"

    @property
    @abstractmethod
    def _numbers(self) -> _Numbers:
        """The object that computes the law."""

    @property
    def error(self) -> float:
        """Estimated error of the cdf."""
        return float(self._numbers.residual)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return self._numbers.support

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self._numbers.mean)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return float(self._numbers.sd)

    @property
    @in_words()
    def mode(self) -> float:
        """Most probable value."""
        return float(self._numbers.mode())

    @in_words()
    def _cdf(self, x: Floats) -> Floats:
        return self._numbers.cdf(x)

    @in_words()
    def _sf(self, x: Floats) -> Floats:
        return self._numbers.sf(x)

    @in_words()
    def _pdf(self, x: Floats) -> Floats:
        return self._numbers.pdf(x)

    @in_words()
    def _quantile(self, p: Floats) -> Floats:
        return self._numbers.quantile(p)

    @in_words()
    def _highest_density(self, level: float) -> tuple[float, float] | None:
        return self._numbers.highest_density(level)
