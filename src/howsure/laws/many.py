"""Laws of many numbers at once: one law a row, asked together; the plurals of `Law`, `Beta` and `BetaSum`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import numbers
from howsure.frozen import Frozen
from howsure.laws.law import KIND, LEVEL, Ends, Kind, Law, Route, checked_kind, checked_level, in_words, stated
from howsure.laws.linear import Beta, BetaSum
from howsure.numerics.arrays import Booleans, Floats
from howsure.numerics.beta_sum.sums import ManySums


class Intervals(Ends[Floats]):
    """Two arrays of ends, one interval a row, that also say what kind of intervals they are.

    Examples
    --------
    >>> from howsure.laws import Betas
    >>> low, high = Betas([8, 27], [2, 1]).interval()
    >>> (high - low).round(3).tolist()
    [0.425, 0.105]
    """

    #: Rows whose highest-density set is not one interval (a U, a plateau): there the interval is central.
    central: Booleans

    def __new__(cls, low: Floats, high: Floats, *, level: float, kind: Kind, central: Booleans) -> Self:
        """Make the pair and remember level, kind and where it is central."""
        self = super().__new__(cls, low, high, level=level, kind=kind)
        self.central = central
        return self


class Laws(Frozen, ABC):
    """Probability laws of many real numbers, one a row; what is asked of a `Law`, asked of all at once."""

    #: "exact", as each law alone.
    route: Route = "exact"

    _many: ManySums

    def __len__(self) -> int:
        return len(self._many.mean)

    @abstractmethod
    def __getitem__(self, row: int) -> Law: ...

    @property
    def mean(self) -> Floats:
        """Expected values, shape (N,)."""
        return self._many.mean.copy()

    @property
    def sd(self) -> Floats:
        """Standard deviations, shape (N,)."""
        return self._many.sd.copy()

    @property
    def support(self) -> tuple[Floats, Floats]:
        """Smallest and largest possible values, each of shape (N,)."""
        return self._many.low.copy(), self._many.high.copy()

    @in_words()
    def _cdf(self, x: Floats) -> Floats:
        return self._many.cdf(x)

    @in_words()
    def _quantile(self, p: Floats) -> Floats:
        return self._many.quantile(p)

    @in_words()
    def _highest_density(self, level: float) -> tuple[Floats, Booleans]:
        return self._many.highest(level)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} laws>"

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
        ends = stated(above, below, between)
        if above is not None:
            return np.asarray(1 - self._at(above))
        if below is not None:
            return self._at(below)
        low, high = map(self._threshold, ends)
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


class BetaSums(Laws):
    """Weighted signed sums of independent Betas, ``shift_i + sum_k w_ik theta_ik``, one a row; exact.

    With two Betas a row and no weights, the balanced accuracy of many two-class tables (the slices of a test set);
    with weights 1 and -1, a difference of two rates.

    Parameters
    ----------
    a, b : array_like, shape (N, K)
        Positive Beta parameters.
    weights : array_like, shape (K,) or (N, K), optional
        Any real weights; 1/K each if left out (Brodersen et al. 2010, equation 7). A weight of 0 leaves its rate out,
        so that rows may have different numbers of rates.
    shift : float or array_like, shape (N,)
        A constant to add.

    Raises
    ------
    InvalidArgument
        Parameters that are not above 0 and finite, shapes that differ, a row without a weight.

    Notes
    -----
    The cdf is within 1e-9 of the truth (1e-10 where all parameters are whole or half numbers). Equal rows are computed
    once. Ten thousand slices with their intervals of both kinds and a probability take about a second.

    Examples
    --------
    >>> slices = BetaSums([[46, 43], [31, 4]], [[6, 9], [3, 2]])    # right + 1 and wrong + 1 of both classes
    >>> slices.mean.round(3).tolist(), slices.prob(above=0.8).round(3).tolist()
    ([0.856, 0.789], [0.94, 0.494])
    >>> low, high = slices.interval()
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.788, 0.611], [0.92, 0.951])
    >>> slices[1]
    <Linear: 2 independent rows, mean 0.7892, sd 0.092>
    """

    def __init__(self, a: ArrayLike, b: ArrayLike, weights: ArrayLike | None = None, *, shift: ArrayLike = 0.0) -> None:
        first, second = numbers(a, "a"), numbers(b, "b")
        if first.ndim != 2 or first.shape != second.shape or not first.shape[1]:
            raise InvalidArgument(
                f"a and b are tables of one shape, a law a row, a rate a column; got {first.shape} and {second.shape}"
            )
        w = np.full(first.shape[1], 1 / first.shape[1]) if weights is None else numbers(weights, "weights")
        constant = numbers(shift, "shift")
        if w.shape not in (first.shape, first.shape[1:]):
            raise InvalidArgument(
                f"weights are one for each of the {first.shape[1]} columns, or a table of shape {first.shape}; "
                f"got {w.shape}"
            )
        if constant.shape not in ((), first.shape[:1]):
            raise InvalidArgument(
                f"shift is a number, or one for each of the {len(first)} laws, not of shape {constant.shape}"
            )
        _positive(first, "a")
        _positive(second, "b")
        if not np.isfinite(w).all() or not np.isfinite(constant).all():
            raise InvalidArgument("weights and shift must be finite")
        w = np.broadcast_to(w, first.shape)
        empty = ~(w != 0).any(axis=1)
        if empty.any():
            raise InvalidArgument(f"row {int(empty.argmax())} has no rate with a weight other than 0")
        self._a, self._b, self._w = first.copy(), second.copy(), w.copy()
        self._shift = np.broadcast_to(constant, first.shape[:1]).copy()
        self._many = ManySums(self._a, self._b, self._w, self._shift)

    def __getitem__(self, row: int) -> Law:
        """Law of one row, alone."""
        real = self._w[row] != 0
        law = BetaSum(self._a[row][real], self._b[row][real], self._w[row][real])
        return law + float(self._shift[row]) if self._shift[row] else law


class Betas(BetaSums):
    """Many rates, Beta(a_i, b_i); exact.

    Parameters
    ----------
    a, b : array_like, shape (N,)
        Above 0.

    Raises
    ------
    InvalidArgument
        Parameters that are not above 0 and finite, or shapes that differ.

    Examples
    --------
    >>> recalls = Betas([8, 27], [2, 1])
    >>> recalls.mean.round(3).tolist(), recalls[1]
    ([0.8, 0.964], Beta(27, 1))
    """

    def __init__(self, a: ArrayLike, b: ArrayLike) -> None:
        first, second = numbers(a, "a"), numbers(b, "b")
        if first.ndim != 1 or first.shape != second.shape:
            raise InvalidArgument(f"a and b are of one length, a law each; got {first.shape} and {second.shape}")
        super().__init__(first[:, None], second[:, None], np.ones(1))

    def __getitem__(self, row: int) -> Law:
        """Law of one rate, alone."""
        return Beta(float(self._a[row, 0]), float(self._b[row, 0]))


def _positive(parameters: Floats, name: str) -> None:
    wrong = ~((parameters > 0) & np.isfinite(parameters))
    if wrong.any():
        at = np.unravel_index(int(wrong.argmax()), wrong.shape)
        raise InvalidArgument(
            f"the parameters of a Beta are numbers above 0; row {int(at[0])} of {name} has {parameters[at]:g}"
        )
