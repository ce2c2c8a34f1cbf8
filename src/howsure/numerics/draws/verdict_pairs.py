"""Two models under one judge: draws and closed moments of the difference of their rates of right answers.

With q ~ Dirichlet(N_c + 1/2) over the cells c of two verdicts, and p_c ~ Dirichlet(n_c + 1/4) over (neither, only B,
only A, both) right in a cell, all independent,

    rate of A = sum_c q_c (p_c,A + p_c,both),   d = rate of A - rate of B = sum_c q_c (p_c,A - p_c,B).

A label of one answer only is used as such: it leaves p_c a finite mixture of Dirichlets over what the other answer is.
Where no item is labelled for both, rates given a verdict are Beta(labels + 1/2), each of one model alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, gammaln

from howsure.numerics.arrays import Floats, Integers, bincount

__all__ = ["LabelledApart", "LabelledPairs", "matched_to"]

#: Pseudo-counts of a cell of verdicts, of one of four outcomes in a cell, and of a label given a verdict.
CELL, OUTCOME, LABEL = 0.5, 0.25, 0.5


@dataclass(frozen=True, eq=False)
class LabelledPairs:
    """Items some of which are labelled for both models.

    Parameters
    ----------
    totals : ndarray, shape (C,)
        Items of each cell of verdicts.
    both : ndarray, shape (C, 4)
        Of these labelled for both: neither right, only B, only A, both.
    only_a, only_b : ndarray, shape (C, 2)
        Labelled for one: wrong, right.
    """

    totals: Integers
    both: Integers
    only_a: Integers
    only_b: Integers

    @property
    def components(self) -> int:
        """Size of the largest mixture that is added up."""
        ways = np.prod(self.only_a + 1.0, axis=1), np.prod(self.only_b + 1.0, axis=1)
        return int(np.minimum(*ways).max())

    def moments(self) -> tuple[float, float]:
        """Mean and sd of the difference, closed."""
        cells = [_Cell.of(*each) for each in zip(self.both, self.only_a, self.only_b, strict=True)]
        mean, square = np.array([cell.gain() for cell in cells]).T
        return _of_cells(_plus(self.totals, CELL), mean, square - mean**2)

    def draws(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Joint draws of the rates of A and of B, shape (n,) each."""
        q = rng.dirichlet(self.totals + CELL, n)
        a, b = np.zeros(n), np.zeros(n)
        for c, each in enumerate(zip(self.both, self.only_a, self.only_b, strict=True)):
            _, only_b, only_a, both = _Cell.of(*each).draws(n, rng)
            a += q[:, c] * (only_a + both)
            b += q[:, c] * (only_b + both)
        return a, b


@dataclass(frozen=True, eq=False)
class LabelledApart:
    """Items none of which is labelled for both models.

    Parameters
    ----------
    totals, of_a, of_b : ndarray, shape (C,)
        Items of each cell, and the place of its verdict on A and on B among all V.
    a, b : ndarray, shape (V, 2)
        Labels of A by the verdict on A, and of B by that on B: wrong, right.
    """

    totals: Integers
    of_a: Integers
    of_b: Integers
    a: Integers
    b: Integers

    def moments(self) -> tuple[float, float]:
        """Mean and sd of the difference, closed."""
        cells = _plus(self.totals, CELL)
        means = [(x + LABEL)[:, 1] / (x + LABEL).sum(1) for x in (self.a, self.b)]
        gain = means[0][self.of_a] - means[1][self.of_b]
        mean, sd = _of_cells(cells, gain, np.zeros(len(cells)))
        variance = sd**2
        for counts, place, rate in ((self.a, self.of_a, means[0]), (self.b, self.of_b, means[1])):
            share, size = bincount(place, cells) / cells.sum(), cells.sum()
            square = share * (share * size + 1) / (size + 1)
            variance += square @ (rate * (1 - rate) / (counts.sum(1) + 2 * LABEL + 1))
        return mean, float(np.sqrt(variance))

    def draws(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Joint draws of the rates of A and of B, shape (n,) each."""
        q = rng.dirichlet(self.totals + CELL, n)
        rates = [rng.beta(x[:, 1] + LABEL, x[:, 0] + LABEL, (n, len(x))) for x in (self.a, self.b)]
        return (q * rates[0][:, self.of_a]).sum(1), (q * rates[1][:, self.of_b]).sum(1)


def matched_to(values: Floats, mean: float, sd: float) -> Floats:
    """Draws moved and stretched so that their mean and sd are those that are known.

    Examples
    --------
    >>> matched_to(np.array([1.0, 2.0, 3.0]), 0.0, 2.0).tolist()
    [-2.0, 0.0, 2.0]
    """
    spread = values.std(ddof=1)
    return np.asarray(mean + (values - values.mean()) * (sd / spread if spread > 0 else 1.0))


def _plus(counts: Integers, mass: float) -> Floats:
    return np.asarray(counts + mass, dtype=np.float64)


def _of_cells(cells: Floats, mean: Floats, variance: Floats) -> tuple[float, float]:
    """Mean and sd of sum_c q_c r_c for q ~ Dirichlet(cells) and independent r_c of these means and variances."""
    size = cells.sum()
    q = cells / size
    spread = q @ mean**2 - (q @ mean) ** 2
    square = q * (q * size + 1) / (size + 1)
    return float(q @ mean), float(np.sqrt(spread / (size + 1) + square @ variance))


@dataclass(frozen=True, eq=False)
class _Cell:
    """Outcomes in one cell: A right with u ~ Beta; B right with s ~ Beta where A is, with t ~ Beta where A is not.

    A Dirichlet of four outcomes is these three; labels of A alone are about u, and labels of B alone are of answers
    where A is right or wrong, nobody knows which: all ways are added up, weighted by their probability.
    """

    u: Floats
    s: Floats
    t: Floats
    weight: Floats
    turned: bool

    @classmethod
    def of(cls, both: Integers, only_a: Integers, only_b: Integers) -> _Cell:
        """Components, Beta parameters of shape (m, 2), and weights; the model with fewer labels is summed over."""
        turned = np.prod(only_b + 1.0) > np.prod(only_a + 1.0)
        if turned:
            both, only_a, only_b = both[[0, 2, 1, 3]], only_b, only_a
        n00, n01, n10, n11 = both + OUTCOME
        wrong, right = (np.arange(k + 1.0) for k in only_b)
        # of the labels of B, those on items where A is right
        j, k = (x.ravel() for x in np.meshgrid(right, wrong, indexing="ij"))
        left_j, left_k = only_b[1] - j, only_b[0] - k
        s, t = np.stack([n11 + j, n10 + k], 1), np.stack([n01 + left_j, n00 + left_k], 1)
        u = np.stack([s.sum(1) + only_a[1], t.sum(1) + only_a[0]], 1)
        ways = -gammaln(j + 1) - gammaln(left_j + 1) - gammaln(k + 1) - gammaln(left_k + 1)
        log = ways + betaln(*u.T) + betaln(*s.T) + betaln(*t.T)
        weight = np.exp(log - log.max())
        return cls(u, s, t, weight / weight.sum(), bool(turned))

    def gain(self) -> tuple[float, float]:
        """Mean of (only A right) - (only B right), and of its square."""
        (u1, u2), (s1, s2), (t1, t2) = (_powers(x) for x in (self.u, self.s, self.t))
        # only A: u (1 - s); only B: (1 - u) t
        mean = u1 - u1 * s1 - (1 - u1) * t1
        square = u2 * (1 - 2 * s1 + s2) - 2 * (u1 - u2) * (1 - s1) * t1 + (1 - 2 * u1 + u2) * t2
        sign = -1.0 if self.turned else 1.0
        return sign * float(self.weight @ mean), float(self.weight @ square)

    def draws(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats, Floats]:
        """Draws of the four outcomes, shape (n,) each: neither, only B, only A, both."""
        at = rng.choice(len(self.weight), n, p=self.weight) if len(self.weight) > 1 else np.zeros(n, dtype=int)
        u, s, t = (rng.beta(x[at, 0], x[at, 1]) for x in (self.u, self.s, self.t))
        found = (1 - u) * (1 - t), (1 - u) * t, u * (1 - s), u * s
        return (found[0], found[2], found[1], found[3]) if self.turned else found


def _powers(shape: Floats) -> tuple[Floats, Floats]:
    """Mean and mean square of Betas, shape (m,) each."""
    a, total = shape[:, 0], shape.sum(1)
    return a / total, a * (a + 1) / (total * (total + 1))
