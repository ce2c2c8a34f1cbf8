"""Many rates, and many sums of rates: the plurals of `Beta` and `BetaSum`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument
from howsure.errors.arguments import numbers
from howsure.laws.computed_law import in_words
from howsure.laws.law import Law
from howsure.laws.laws import Laws
from howsure.laws.linear import Beta, BetaSum
from howsure.numerics.arrays import Booleans, Floats
from howsure.numerics.many_sums import ManySums


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

    def __len__(self) -> int:
        return len(self._a)

    def __getitem__(self, row: int) -> Law:
        """Law of one row, alone."""
        real = self._w[row] != 0
        law = BetaSum(self._a[row][real], self._b[row][real], self._w[row][real])
        return law + float(self._shift[row]) if self._shift[row] else law

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
