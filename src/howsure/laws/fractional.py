"""Ratios of two linear functionals of the same Dirichlet rows: precision, F1 or kappa at a known prevalence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.errors import InvalidArgument
from howsure.laws.computed_law import EstimatedLaw
from howsure.laws.dirichlet import DirichletRows
from howsure.laws.draw_settings import SEED, generator
from howsure.laws.linear import Linear
from howsure.numerics.arrays import Floats
from howsure.numerics.ratio.ratio_law import FractionalEngine

__all__ = ["LinearFractional"]


class LinearFractional(EstimatedLaw):
    """Law of the ratio of two linear laws on the same rows; exact.

    Parameters
    ----------
    numerator, denominator : Linear
        The denominator must be above 0, except where the numerator vanishes too.

    Raises
    ------
    InvalidArgument
        A denominator that can be negative or is 0, or a ratio that has no bound.

    Notes
    -----
    P(N/D <= x) = P(N - x D <= 0) is a probability of a linear functional. Cells with equal coefficients are merged. The
    cdf is within 1e-10 for classes with cases and 1e-9 for empty ones (``error`` tells the estimate for this law); see
    `howsure.numerics.ratio.ratio_law` for how.

    Examples
    --------
    Precision of a class of which there are 2 in 100 cases, with a recall and a false-positive rate from 50 cases each:

    >>> from howsure.laws import Beta
    >>> recall, false_positives = Beta(43, 9), Beta(6, 46)
    >>> precision = LinearFractional(0.02 * recall, 0.02 * recall + 0.98 * false_positives)
    >>> round(precision.mean, 4), round(precision.quantile(0.975), 4)
    (0.1432, 0.2764)
    """

    def __init__(self, numerator: Linear, denominator: Linear) -> None:
        self._n0, self._d0 = numerator.shift, denominator.shift
        self._alphas, self._n, self._d = _common_rows(numerator, denominator)
        try:
            self._ratio = FractionalEngine(self._n, self._d, self._alphas, self._n0, self._d0)
        except ValueError as error:
            raise InvalidArgument(f"the distribution of this ratio is not available: {error}") from None

    def __repr__(self) -> str:
        return f"<LinearFractional: {len(self._n)} rows, mean {self.mean:.4g}, sd {self.sd:.2g}>"

    @property
    def _numbers(self) -> FractionalEngine:
        return self._ratio

    @property
    def cheap(self) -> bool:
        """Whether it costs milliseconds; drawing is quicker for kappa where most cells of the table are empty."""
        return self._numbers.cheap

    @property
    def method(self) -> str:
        """How the cdf is computed."""
        return self._numbers.method

    def _prob_below(self, x: float) -> float:
        if self._ratio.is_point:
            return float(x > self.mean)
        return float(self._ratio.cdf(np.array([x]))[0])

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the rows."""
        rng = generator(n, seed)
        top, bottom = np.full(n, self._n0), np.full(n, self._d0)
        for alphas, up, down in zip(self._alphas, self._n, self._d, strict=True):
            gammas = rng.standard_gamma(alphas, (n, len(alphas)))
            total = gammas.sum(axis=1)
            top += np.einsum("nj,j->n", gammas, up) / total
            bottom += np.einsum("nj,j->n", gammas, down) / total
        return np.asarray(top / bottom)


def _common_rows(*laws: Linear) -> tuple[Floats, ...]:
    """Concentrations of the rows that any of the laws depends on, and the coefficients of each, shape (R, J) all.

    Rows that are shorter than others are filled up with cells that cannot occur.
    """
    used: dict[tuple[DirichletRows, int], list[Floats | None]] = {}
    for position, law in enumerate(laws):
        for part in (each.widened() for each in law.parts):
            for i, row in zip(part.index.tolist(), part.table, strict=True):
                used.setdefault((part.block, i), [None] * len(laws))[position] = row
    width = max((block.alphas.shape[1] for block, _ in used), default=1)
    tables = np.zeros((1 + len(laws), len(used), width))
    for k, ((block, i), rows) in enumerate(used.items()):
        tables[0, k, : block.alphas.shape[1]] = block.alphas[i]
        for table, row in zip(tables[1:], rows, strict=True):
            if row is not None:
                table[k, : len(row)] = row
    return tuple(tables)
