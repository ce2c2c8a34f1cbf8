"""A number whose law is one of several, with known weights: pooled test sets, reconstructed matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, partial
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import items, numbers
from howsure.laws.law import SEED, Additive, Law, Route, generator
from howsure.laws.linear import Linear, scaled_beta, single_beta
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.beta_laws import BetaMixture
from howsure.numerics.solve import Peaks, bisect_increasing, grid_of_parts

#: Error of the incomplete Beta function, in an answer near 1.
ROUNDING = 1e-15


class _Parts:
    """What a `BetaMixture` is asked, of any laws."""

    def __init__(self, weights: Floats, laws: Sequence[Law]) -> None:
        self._parts = list(zip(weights.tolist(), laws, strict=True))
        self.means, self.sds = np.array([law.mean for law in laws]), np.array([law.sd for law in laws])
        self.support = min(law.support[0] for law in laws), max(law.support[1] for law in laws)

    def cdf(self, x: Floats) -> Floats:
        return sum((weight * law._cdf(x) for weight, law in self._parts), np.zeros(np.shape(x)))

    def sf(self, x: Floats) -> Floats:
        return sum((weight * law._sf(x) for weight, law in self._parts), np.zeros(np.shape(x)))

    def pdf(self, x: Floats) -> Floats:
        return sum((weight * law._pdf(x) for weight, law in self._parts), np.zeros(np.shape(x)))

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        below, density, slope = sum(
            (weight * np.stack(law._evaluate(x)) for weight, law in self._parts), np.zeros((3, len(x)))
        )
        return below, density, slope

    def density(self, x: Floats) -> tuple[Floats, Floats]:
        return self.evaluate(x)[1:]


class Mixture(Additive["Mixture"]):
    """Law that is ``laws[k]`` with probability ``weights[k]``; exact if its components are.

    Parameters
    ----------
    laws : sequence of Law
        At least one. A mixture among them counts as its components.
    weights : array_like, shape (K,), optional
        0 or more, adding to 1; equal if left out.

    Raises
    ------
    InvalidArgument
        No law, weights that are negative or do not add to 1.

    Notes
    -----
    Closed under scaling and shifting.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> law = Mixture([Beta(9, 2), Beta(2, 9)], [0.75, 0.25])
    >>> round(law.mean, 4), round(law.cdf(0.5), 4)
    (0.6591, 0.2554)
    >>> (1 - law).interval(kind="central").kind
    'central'
    """

    def __init__(self, laws: Sequence[Law], weights: ArrayLike | None = None) -> None:
        if not (laws := items(laws, "laws", "a list of laws")) or not all(isinstance(law, Law) for law in laws):
            raise InvalidArgument("a mixture is of laws, at least one, such as [Beta(3, 1), Beta(1, 3)]")
        shares = np.full(len(laws), 1 / len(laws)) if weights is None else _probabilities(weights, len(laws))
        parts = [(share, law) for share, law in zip(shares.tolist(), laws, strict=True) if share > 0]
        nested = [(share, law) for share, law in parts if isinstance(law, Mixture)]
        if nested:
            flat = [
                (share, law.laws, law.weights) if isinstance(law, Mixture) else (share, (law,), np.ones(1))
                for share, law in parts
            ]
            parts = [(share * w, law) for share, many, ws in flat for w, law in zip(ws.tolist(), many, strict=True)]
        self._weights: Floats = np.array([share for share, _ in parts])
        self.__dict__["laws"] = tuple(law for _, law in parts)

    @classmethod
    def of_betas(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        low: ArrayLike = 0.0,
        width: ArrayLike = 1.0,
    ) -> Mixture:
        """Mixture of ``low[k] + width[k] theta``, ``theta ~ Beta(a[k], b[k])``; arrays instead of objects.

        Parameters
        ----------
        a, b : array_like, shape (K,)
            Above 0.
        weights : array_like, shape (K,), optional
            0 or more, adding to 1; equal if left out.
        low, width : float or array_like, shape (K,)
            Where each component begins and how far it reaches; widths above 0.

        Raises
        ------
        InvalidArgument
            Parameters that are not positive and finite, or shapes that differ.

        Examples
        --------
        >>> law = Mixture.of_betas([9, 2], [2, 9], [0.75, 0.25])
        >>> round(law.mean, 4), round(law.cdf(0.5), 4)
        (0.6591, 0.2554)
        """
        given = [numbers(x, name) for name, x in (("a", a), ("b", b), ("low", low), ("width", width))]
        try:
            columns = np.broadcast_arrays(np.atleast_1d(given[0]), *given[1:])
        except ValueError:
            raise InvalidArgument("a, b, low and width of a mixture of Betas are arrays of one length") from None
        first, second, start, reach = columns
        if first.ndim != 1 or not len(first) or not all(np.isfinite(column).all() for column in columns):
            raise InvalidArgument("a, b, low and width of a mixture of Betas are finite, one of each a component")
        if not (np.minimum(np.minimum(first, second), reach) > 0).all():
            raise InvalidArgument("the parameters a and b of a Beta, and the width of a component, must be above 0")
        shares = np.full(len(first), 1 / len(first)) if weights is None else _probabilities(weights, len(first))
        betas = BetaMixture(*(column[shares > 0] for column in (shares, first, second, start, reach)))
        return cls._of(betas)

    @classmethod
    def _of(cls, numbers: BetaMixture) -> Mixture:
        made = cls.__new__(cls)
        made._weights = numbers.weights
        made.__dict__["_betas"] = numbers
        return made

    # -- what it is made of ---------------------------------------------------------------------------------

    @cached_property
    def laws(self) -> tuple[Law, ...]:
        """Components with a weight above 0."""
        numbers = self._betas
        assert numbers is not None  # made from arrays
        columns = (numbers.a, numbers.b, numbers.low, numbers.width)
        return tuple(scaled_beta(*row) for row in zip(*(column.tolist() for column in columns), strict=True))

    @property
    def weights(self) -> Floats:
        """Their weights, adding to 1."""
        return self._weights.copy()

    @cached_property
    def _betas(self) -> BetaMixture | None:
        """All components as arrays, if each is a single Beta, shifted or scaled."""
        rows = []
        for law in self.laws:
            row = single_beta(law) if isinstance(law, Linear) else None
            if row is None:
                return None
            rows.append(row)
        return BetaMixture(self._weights, *np.array(rows).T)

    @cached_property
    def _numbers(self) -> BetaMixture | _Parts:
        return _Parts(self._weights, self.laws) if self._betas is None else self._betas

    # -- the law --------------------------------------------------------------------------------------------

    @cached_property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """As exact as the least exact component."""
        return "exact" if self._betas is not None else max((x.route for x in self.laws), key=get_args(Route).index)

    @property
    def error(self) -> float:
        """Weighted sum of the components' errors."""
        if self._betas is not None:
            return ROUNDING
        return float(self._weights @ np.array([law.error for law in self.laws]))

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest value of any component."""
        return self._numbers.support

    @cached_property
    def mean(self) -> float:
        """Weighted mean of the components' means."""
        return float(self._weights @ self._numbers.means)

    @cached_property
    def sd(self) -> float:
        """From the total variance: mean of the variances plus variance of the means."""
        return math.sqrt(float(self._weights @ (self._numbers.sds**2 + (self._numbers.means - self.mean) ** 2)))

    def _cdf(self, x: Floats) -> Floats:
        return self._numbers.cdf(x)

    def _sf(self, x: Floats) -> Floats:
        return self._numbers.sf(x)

    def _pdf(self, x: Floats) -> Floats:
        return self._numbers.pdf(x)

    def _evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        return self._numbers.evaluate(x)

    def _prob_below(self, x: float) -> float:
        if self._betas is not None:
            return float(self._betas.cdf(np.asarray(x)))
        return float(self._weights @ np.array([law._prob_below(x) for law in self.laws]))

    @cached_property
    def _shape(self) -> Peaks | None:
        """Newton's view of the law; None if it has atoms or is drawn, so that F is no smooth function."""
        numbers = self._numbers
        means, sds = numbers.means, numbers.sds
        if not (sds > 0).all() or self.route == "simulated":
            return None
        low, high = self._pdf(np.array(self.support)).tolist()
        grid = partial(grid_of_parts, numbers.density, means, sds, self.support)
        return Peaks(numbers.evaluate, numbers.density, numbers.cdf, grid, self.support, (low, high), self.sd)

    def _quantile(self, p: Floats) -> Floats:
        if self._shape is not None:
            return self._shape.quantile(p)
        # every quantile lies between the least and the greatest of the components' own
        each = np.array([law._quantile(p) for law in self.laws])
        low, high = float(each.min()), float(each.max())
        inner = bisect_increasing(self._cdf, p, low, high) if high > low else np.full(np.shape(p), low)
        return np.where(p <= 0, self.support[0], np.where(p >= 1, self.support[1], inner))

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        return super()._highest_density(level) if self._shape is None else self._shape.highest(level)

    @property
    def mode(self) -> float:
        """Most probable value."""
        return super().mode if self._shape is None else self._shape.mode()

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values: first which law, then a value of it."""
        rng = generator(n, seed)
        which = rng.choice(len(self._weights), size=n, p=self._weights)
        if self._betas is not None:
            a, b, low, width = (getattr(self._betas, name)[which] for name in ("a", "b", "low", "width"))
            return np.asarray(low + width * rng.beta(a, b))
        values = np.empty(n)
        for k, law in enumerate(self.laws):
            chosen = which == k
            values[chosen] = law.sample(int(chosen.sum()), seed=int(rng.integers(2**31)))
        return values

    # -- arithmetic -----------------------------------------------------------------------------------------

    def _moved(self, factor: float, shift: float) -> Mixture:
        """Law of ``factor X + shift``."""
        if self._betas is not None and factor != 0:
            return Mixture._of(self._betas.moved(factor, shift))
        for law in self.laws:
            if not isinstance(law, Linear):
                raise InvalidArgument(f"{type(law).__name__} is not closed under scaling and shifting")
        return Mixture([law * factor + shift for law in self.laws if isinstance(law, Linear)], self._weights)

    def __repr__(self) -> str:
        return f"<Mixture of {len(self._weights)} laws, mean {self.mean:.4g}, sd {self.sd:.2g}>"


def _probabilities(weights: ArrayLike, count: int) -> Floats:
    shares = numbers(weights, "weights")
    if shares.shape != (count,) or not np.all(shares >= 0) or not abs(float(shares.sum()) - 1) < 1e-9:
        raise InvalidArgument(f"weights of a mixture are 0 or more and add to 1, one a law; not {excerpt(weights)}")
    return np.asarray(shares / shares.sum())
