"""Laws of many numbers at once: one law a row, asked together; the vocabulary of `Law` in the plural."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import numbers
from howsure.frozen import Frozen
from howsure.laws.law import KIND, LEVEL, Kind, Law, Route, checked_kind, checked_level
from howsure.numerics.arrays import Booleans, Floats


class Intervals(tuple[Floats, Floats]):
    """Two arrays of ends, one interval a row, that also say what kind of intervals they are.

    Examples
    --------
    >>> from howsure.laws import Betas
    >>> low, high = Betas([8, 27], [2, 1]).interval()
    >>> (high - low).round(3).tolist()
    [0.425, 0.105]
    """

    level: float
    kind: Kind
    #: Rows whose highest-density set is not one interval (a U, a plateau): there the interval is central.
    central: Booleans

    def __new__(cls, low: Floats, high: Floats, *, level: float, kind: Kind, central: Booleans) -> Self:
        """Make the pair and remember level and kind."""
        self = super().__new__(cls, (low, high))
        self.level, self.kind, self.central = level, kind, central
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Floats, Floats], dict[str, Any]]:
        return (self[0], self[1]), {"level": self.level, "kind": self.kind, "central": self.central}

    @property
    def low(self) -> Floats:
        """Lower ends."""
        return self[0]

    @property
    def high(self) -> Floats:
        """Upper ends."""
        return self[1]

    @property
    def width(self) -> Floats:
        """Distances of the ends."""
        return self[1] - self[0]


class Laws(Frozen, ABC):
    """Probability laws of many real numbers, one a row; what is asked of a `Law`, asked of all at once."""

    #: "exact", as each law alone.
    route: Route = "exact"

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, row: int) -> Law: ...

    @property
    @abstractmethod
    def mean(self) -> Floats:
        """Expected values, shape (N,)."""

    @property
    @abstractmethod
    def sd(self) -> Floats:
        """Standard deviations, shape (N,)."""

    @property
    @abstractmethod
    def support(self) -> tuple[Floats, Floats]:
        """Smallest and largest possible values, each of shape (N,)."""

    @abstractmethod
    def _cdf(self, x: Floats) -> Floats:
        """P(X <= x) at points of shape (N, m)."""

    @abstractmethod
    def _quantile(self, p: Floats) -> Floats:
        """Quantiles for shares of shape (m,), shape (N, m)."""

    @abstractmethod
    def _highest_density(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of highest-density intervals, shape (N, 2), and where that set is one interval."""

    def cdf(self, x: ArrayLike) -> Floats:
        """P(X <= x) for every law.

        Parameters
        ----------
        x : float, or array_like of shape (N,) or (N, m)
            One point for all, one for each, or m for each.

        Returns
        -------
        ndarray, shape (N,) or (N, m)

        Raises
        ------
        InvalidArgument
            Another shape.
        """
        points = numbers(x, "x")
        if points.ndim == 0:
            points = np.full(len(self), float(points))
        if points.ndim > 2 or len(points) != len(self):
            raise InvalidArgument(
                f"x is one number, or one for each of the {len(self)} laws (or a row of them); got shape {points.shape}"
            )
        return np.clip(self._cdf(points.reshape(len(self), -1)).reshape(points.shape), 0.0, 1.0)

    def quantile(self, p: ArrayLike) -> Floats:
        """Values below which a share ``p`` of the probability lies, for every law.

        Parameters
        ----------
        p : float, or array_like of shape (m,)
            Between 0 and 1.

        Returns
        -------
        ndarray, shape (N,) or (N, m)

        Raises
        ------
        InvalidArgument
            ``p`` outside [0, 1], or of more than one axis.

        Examples
        --------
        >>> from howsure.laws import Betas
        >>> Betas([8, 27], [2, 1]).quantile([0.025, 0.975]).round(3).tolist()
        [[0.518, 0.972], [0.872, 0.999]]
        """
        wanted = numbers(p, "p")
        if wanted.ndim > 1 or not np.all((wanted >= 0) & (wanted <= 1)):
            raise InvalidArgument(f"quantile(p) needs 0 <= p <= 1, one or a list of them, not {excerpt(p)}")
        found = self._quantile(np.atleast_1d(wanted))
        return found[:, 0] if wanted.ndim == 0 else found

    @property
    def median(self) -> Floats:
        """Values that are exceeded with probability one half, shape (N,)."""
        return self.quantile(0.5)

    def interval(self, level: float = LEVEL, kind: Kind = KIND) -> Intervals:
        """Credible intervals: the shortest ones (``hdi``) or those with equal tails (``central``).

        Parameters
        ----------
        level : float
            Probability inside, strictly between 0 and 1.
        kind : "hdi" or "central"
            Where the highest-density set of a law is not one interval, its central interval is given, and the
            result's ``central`` says so.

        Returns
        -------
        Intervals
            A pair (low, high) of arrays of shape (N,) with ``level``, ``kind`` and ``central``.
        """
        level = checked_level(level)
        checked_kind(kind)
        if kind == "hdi":
            ends, one = self._highest_density(level)
        else:
            ends, one = np.empty((len(self), 2)), np.zeros(len(self), bool)
        if not one.all():
            ends[~one] = self._quantile(np.array([(1 - level) / 2, (1 + level) / 2]))[~one]
        low, high = self.support
        return Intervals(
            np.maximum(ends[:, 0], low), np.minimum(ends[:, 1], high), level=level, kind=kind, central=~one
        )

    def prob(
        self,
        *,
        above: ArrayLike | None = None,
        below: ArrayLike | None = None,
        between: tuple[ArrayLike, ArrayLike] | None = None,
    ) -> Floats:
        """Probability of a statement about every number, shape (N,); exactly one of the three keywords.

        Parameters
        ----------
        above, below : float or array_like, shape (N,)
            P(X > above), P(X < below).
        between : pair of these
            P(low <= X <= high).

        Examples
        --------
        >>> from howsure.laws import Betas
        >>> Betas([8, 27], [2, 1]).prob(above=0.9).round(4).tolist()
        [0.2252, 0.9419]
        """
        given = [k for k, v in (("above", above), ("below", below), ("between", between)) if v is not None]
        if len(given) != 1:
            raise InvalidArgument(
                "prob() takes exactly one of above=, below=, between=; got " + (", ".join(given) or "none")
            )
        if above is not None:
            return np.asarray(1 - self._at(above))
        if below is not None:
            return self._at(below)
        if not isinstance(between, tuple | list) or len(between) != 2:
            raise InvalidArgument(f"between is a pair (low, high), not {excerpt(between)}")
        low, high = (self._threshold(end) for end in between)
        if np.any(low > high):
            raise InvalidArgument(f"between=(low, high) needs low <= high, not {excerpt(between)}")
        return np.asarray(np.maximum(self._at(high) - self._at(low), 0.0))

    def _at(self, x: ArrayLike) -> Floats:
        return np.clip(self._cdf(self._threshold(x)[:, None])[:, 0], 0.0, 1.0)

    def _threshold(self, x: ArrayLike) -> Floats:
        points = numbers(x, "a threshold")
        if points.ndim > 1 or (points.ndim == 1 and len(points) != len(self)):
            raise InvalidArgument(
                f"a threshold is one number, or one for each of the {len(self)} laws, not of shape {points.shape}"
            )
        if np.isnan(points).any():
            raise InvalidArgument(f"a threshold must be a number, not {excerpt(x)}")
        return np.broadcast_to(points, (len(self),))
