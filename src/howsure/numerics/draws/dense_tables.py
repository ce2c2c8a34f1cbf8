"""Draws of joint probability tables, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.numerics.arrays import Floats, Integers, repeat

if TYPE_CHECKING:
    from scipy.sparse import csr_array


# -- Drawing joint probability tables: Dirichlet rows times a prevalence -----------------------------------------------


#: Numbers that one block of tables may hold: few enough for the caches, which ten classes notice, and 25 MB at most.
BLOCK = 500_000


def joint_tables(
    rows: Floats,
    prevalence: Floats | None,
    known: Floats | None,
    n: int,
    rng: np.random.Generator,
    rng_prevalence: np.random.Generator,
) -> Iterator[Floats]:
    """Draw ``n`` tables p_ij = phi_i r_ij in blocks of shape (m, K, K).

    Row i is Dirichlet(rows[i]); phi is Dirichlet(prevalence), or ``known`` in every draw. The order of the random
    numbers depends on K alone, so the same generator gives the same tables whatever is computed from them.
    """
    size = len(rows)
    step = max(1, BLOCK // size**2)
    for start in range(0, n, step):
        many = min(step, n - start)
        tables = draws_last(rng.standard_gamma(rows, (many, size, size)))
        with np.errstate(invalid="ignore"):  # concentrations near 0 can underflow to a row of zeros: undefined
            tables /= tables.sum(axis=-1, keepdims=True)
        if known is None:
            shares = draws_last(rng_prevalence.standard_gamma(np.asarray(prevalence), (many, size)))
            shares /= shares.sum(axis=-1, keepdims=True)
            tables *= shares[..., None]
        else:
            tables *= known[:, None]
        yield tables


def draws_last(drawn: Floats) -> Floats:
    """The same array with the draws, its first axis, next to each other in memory: sums over few classes are quick."""
    return np.asarray(np.moveaxis(np.ascontiguousarray(np.moveaxis(drawn, 0, -1)), -1, 0))


# -- Wrong cells that hold cases: their Gamma variables, and their sums by row and by column ---------------------------

# A wrong cell of a large table mostly holds a few cases, and Gamma(c) is minus the logarithm of a product of c uniform
# numbers. To seven digits these and the logarithm take a fourth of the time of a Gamma by rejection.


#: Cells of the largest table in which cells are looked up by their place.
MOST_LISTED = 10**7

#: Cases up to which a Gamma is made of uniform numbers; their product is no float32 with a probability of 1e-28.
MOST_MULTIPLIED = 8


class ErrorCells:
    """Wrong cells of K classes that hold cases, (E,), those with the fewest cases first; the diagonal is left out."""

    def __init__(self, size: int, true: ArrayLike, pred: ArrayLike, count: ArrayLike) -> None:
        rows, columns = np.asarray(true, dtype=np.int64), np.asarray(pred, dtype=np.int64)
        cases = np.asarray(count, dtype=float)
        order = np.flatnonzero(rows != columns)
        order = order[np.argsort(cases[order], kind="stable")]
        self.size = size
        self.true: Integers = rows[order]
        self.pred: Integers = columns[order]
        self.count: Floats = cases[order]

    def gammas(self, many: int, rng: np.random.Generator) -> Floats:
        """Draw Gamma(count) for every cell, shape (E, m); of few cases to the seven digits of a float32."""
        drawn = np.empty((len(self.count), many))
        single, few = np.searchsorted(self.count, [1, MOST_MULTIPLIED + 0.5]).tolist()
        few = few if single == 0 and np.all(self.count[:few] % 1 == 0) else 0
        product = _uniforms(few, many, rng)
        for start in np.searchsorted(self.count[:few], np.arange(2, MOST_MULTIPLIED + 1)).tolist():
            product[start:] *= _uniforms(few - start, many, rng)
        np.negative(np.log(product, out=product), out=drawn[:few])
        for first, end, shape in self._alike(few):
            rng.standard_gamma(shape, out=drawn[first:end])
        return drawn

    def _alike(self, start: int) -> Iterator[tuple[int, int, float]]:
        """Where cells of one count begin and end: Gammas of one shape take three quarters of the time of several."""
        edges = np.flatnonzero(np.diff(self.count[start:], prepend=-1.0, append=-1.0)) + start
        for first, last in pairwise(edges.tolist()):
            yield first, last, float(self.count[first])

    def row_sums(self, values: Floats) -> Floats:
        """Sums over the cells of each row, (E, m) to (K, m)."""
        return np.asarray(self._by_row @ values)

    def column_sums(self, values: Floats) -> Floats:
        """Sums over the cells of each column, (E, m) to (K, m)."""
        return np.asarray(self._by_column @ values)

    def weighted_row_sums(self, weights: Floats, values: Floats) -> Floats:
        """Sums of weight (E,) times value (E, m) over the cells of each row, shape (K, m)."""
        return np.asarray(self._adding(self.true, weights) @ values)

    def find(self, places: Integers) -> Integers:
        """Which cell lies at row times K plus column, -1 where none does."""
        if self.size**2 <= MOST_LISTED:
            return self._listed[places]
        keys = self.true * self.size + self.pred
        order = np.argsort(keys)
        at = np.minimum(np.searchsorted(keys[order], places), max(len(keys) - 1, 0))
        found = order[at] if len(keys) else at
        return np.where(keys[found] == places, found, -1) if len(keys) else np.full(places.shape, -1)

    @cached_property
    def _listed(self) -> Integers:
        listed = np.full(self.size**2, -1, dtype=np.int64)
        listed[self.true * self.size + self.pred] = np.arange(len(self.true))
        return listed

    @cached_property
    def _by_row(self) -> csr_array:
        return self._adding(self.true)

    @cached_property
    def _by_column(self) -> csr_array:
        return self._adding(self.pred)

    def _adding(self, place: Integers, weights: Floats | None = None) -> csr_array:
        """Matrix, shape (K, E), that adds up the weighted cells of each place."""
        from scipy.sparse import csr_array

        cells = len(place)
        each = np.ones(cells) if weights is None else weights
        return csr_array((each, (place, np.arange(cells))), shape=(self.size, cells))


def _uniforms(rows: int, many: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Uniform numbers in steps of 2^-32, never 0 or 1, shape (rows, many): two from each number of 64 bits."""
    bits = rng.integers(0, 2**64, size=(rows * many + 1) // 2, dtype=np.uint64).view(np.uint32)[: rows * many]
    drawn = bits.astype(np.float32).reshape(rows, many)
    drawn += np.float32(0.5)
    drawn *= np.float32(2.0**-32)
    return np.minimum(drawn, np.float32(1 - 2.0**-24), out=drawn)


# -- Cases of which only verdicts were counted, by rates that were learned elsewhere -----------------------------------

# Rates ``M`` (rows are truth) and shares of the verdicts ``p`` are drawn apart; ``theta M = p`` is solved, kept where
# ``theta`` is a share of every class, and weighs ``1 / |det M|``: the Jacobian from ``theta``, flat beforehand, to
# ``p``, which was drawn flat. Each drawing is repeated as often as its weight says. Where almost nothing is kept, the
# same posterior is drawn by Gibbs' method with the true class of each verdict unknown (Tanner and Wong 1987). Between
# two steps rows of ``M`` move while ``p = theta M`` stays, and ``theta`` with them, for such chains forget slowly: a
# step is reversible under the row's Dirichlet (a Gamma number is a Beta share of the old one and a fresh one, Lewis
# 1983), and ``1 / |det M|`` and the simplex decide whether it is taken.


#: A source of so many rates, shape (n, K, K), from a seed.
Rates = Callable[[int, list[int]], Floats]

#: Drawings that show how much is kept; as many again, up to the most, while too few of them are. And numbers at most.
PILOT, MOST_PILOT, ENOUGH, MOST_NUMBERS = 20_000, 160_000, 400, 20_000_000

#: Share of the weight that may lie in drawings that are repeated.
REPEATED = 0.01


@dataclass(frozen=True)
class Spent:
    """What became of drawings of rates and verdicts."""

    kept: float  # share of drawings that some shares of the classes explain
    reversed: float  # share of drawn rates with a determinant of 0 or less: of two classes, worse than chance
    cap: float  # weight of a drawing that is used once
    given: float  # draws that a drawing gives, on average
    effective: float  # independent draws that one draw is worth, at most 1: repeated ones are worth less


class WeightedTables:
    """Tables by drawing ``rates`` (n, K, K) from a seed, solving for verdicts (K,), keeping and weighting."""

    def __init__(self, rates: Rates, called: Integers) -> None:
        self._rates, self._called = rates, called.astype(float)

    def proposed(self, n: int, seed: list[int]) -> tuple[Floats, Floats, Floats, Floats]:
        """Rates (n, K, K), the shares that they need (n, K), their determinants, and weights, 0 where not kept."""
        rates = self._rates(n, [*seed, 0])
        shares = np.random.default_rng([*seed, 1]).standard_gamma(self._called + 1, (n, len(self._called)))
        shares /= shares.sum(axis=1, keepdims=True)
        size = np.linalg.det(rates)
        flat = ~(np.abs(size) > 1e-12)  # no inverse to speak of, or no number
        solvable = np.where(flat[:, None, None], np.eye(len(self._called)), np.swapaxes(rates, 1, 2))
        classes = np.linalg.solve(solvable, shares[..., None])[..., 0]
        kept = (classes >= 0).all(axis=1) & ~flat
        weights = np.where(kept, 1 / np.where(flat, 1.0, np.abs(size)), 0.0)
        return rates, np.asarray(classes), np.asarray(size), np.asarray(weights)

    def spent(self, seed: list[int]) -> Spent:
        """A first look: what share is kept, and what a drawing is worth."""
        kept, reverse, weights, many = 0, 0, np.empty(0), 0
        cells = len(self._called) ** 2
        step, most = max(100, min(PILOT, 4 * BLOCK // cells)), min(MOST_PILOT, MOST_NUMBERS // cells)
        while (not many or many < most) and kept < ENOUGH:
            _, _, size, more = self.proposed(step, [*seed, many])
            kept, reverse, many = kept + int((more > 0).sum()), reverse + int((size <= 0).sum()), many + step
            weights = np.concatenate((weights, more[more > 0]))
        if not kept:
            return Spent(0.0, reverse / many, 1.0, 0.0, 1.0)
        weights.sort()
        # the smallest weight with at most this share of all weight above it
        cap = float(weights[np.searchsorted(np.cumsum(weights), (1 - REPEATED) * weights.sum())])
        times, rest = np.divmod(weights / cap, 1)
        squares = (times**2 * (1 - rest) + (times + 1) ** 2 * rest).sum()
        once = float(weights.sum() / cap)
        return Spent(kept / many, reverse / many, cap, once / many, min(1.0, once / float(squares)))

    def tables(self, n: int, spent: Spent, seed: list[int]) -> Iterator[Floats]:
        """Blocks of joint tables, shape (m, K, K), together ``n``."""
        most = max(100, 4 * BLOCK // len(self._called) ** 2)
        block = 0
        while n > 0:
            many = min(most, int(1.1 * n / spent.given) + 50)
            rates, classes, _, weights = self.proposed(many, [*seed, block])
            times, rest = np.divmod(weights / spent.cap, 1)
            times += np.random.default_rng([*seed, block, 2]).random(many) < rest
            places = repeat(np.arange(many), times.astype(np.int64))[:n]
            if len(places):
                yield classes[places, :, None] * rates[places]
            n, block = n - len(places), block + 1


#: Chains that run side by side, and steps of each before anything is looked at.
CHAINS, FIRST_STEPS = 400, 200

#: Steps of which a memory is measured, twice as many until they are so many memories, or the most.
LOOKED_AT, MOST_LOOKED_AT, LONG = 200, 12_800, 20

#: Draws of one chain that are so many memories apart count as independent.
MEMORIES = 2.5

#: How much of a row stays where it was when it moves; at random, for nobody knows how far it may.
NEAR = np.array([0.02, 0.5, 0.9, 0.98])


class LatentTables:
    """Tables by Gibbs' method: the true classes of the verdicts (K,) are drawn as well; Dirichlet rows are (K, K)."""

    def __init__(self, rows: Floats, called: Integers) -> None:
        self._rows, self._called = rows, called

    def _step(self, classes: Floats, rates: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """One step of all chains, classes (C, K) and rates (C, K, K): the latent classes, then both slide."""
        classes, rates = self._slid(*self._told(classes, rates, rng), rng)
        return self._slid(classes, rates, rng)

    def _slid(self, classes: Floats, rates: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Rows that move under their Dirichlet, and the classes that give the same shares of verdicts by them."""
        chains, size = classes.shape
        near = rng.choice(NEAR, (chains, 1, 1)) * self._rows
        total = rng.standard_gamma(self._rows.sum(axis=1), (chains, size))[..., None]
        moved = total * rates * rng.beta(near, self._rows - near) + rng.standard_gamma(self._rows - near)
        moved /= moved.sum(axis=2, keepdims=True)
        moved = np.where(rng.random((chains, size, 1)) < 0.5, moved, rates)
        before, after = np.abs(np.linalg.det(rates)), np.abs(np.linalg.det(moved))
        fair = (after > 1e-12) & (rng.random(chains) * after < before)
        solvable = np.where(fair[:, None, None], np.swapaxes(moved, 1, 2), np.eye(size))
        called = (classes[:, None, :] @ rates).transpose(0, 2, 1)
        shares = np.linalg.solve(solvable, called)[..., 0]
        taken = fair & (shares >= 0).all(axis=1)
        return np.where(taken[:, None], shares, classes), np.where(taken[:, None, None], moved, rates)

    def _told(self, classes: Floats, rates: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Latent classes, given shares and rates, and then these, given the classes."""
        cells = classes[:, :, None] * rates
        cells /= cells.sum(axis=1, keepdims=True)
        latent = np.empty_like(cells)
        for j, count in enumerate(self._called.tolist()):
            latent[:, :, j] = rng.multinomial(count, cells[:, :, j])
        classes = rng.standard_gamma(latent.sum(axis=2) + 1)
        rates = rng.standard_gamma(latent + self._rows)
        classes /= classes.sum(axis=1, keepdims=True)
        return classes, rates / rates.sum(axis=2, keepdims=True)

    def _begun(self, chains: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Rates by the calibration alone, and the shares that explain the verdicts best by them."""
        rates = rng.standard_gamma(self._rows, (chains, *self._rows.shape))
        rates /= rates.sum(axis=2, keepdims=True)
        classes = np.full((chains, len(self._rows)), 1 / len(self._rows))
        called = (self._called + 1) / (self._called + 1).sum()
        for _ in range(100):  # expectation and maximisation
            cells = classes[:, :, None] * rates
            classes = (cells / cells.sum(axis=1, keepdims=True)) @ called
        return classes, rates

    def memory(self, seed: list[int]) -> float:
        """Steps over which the shares of a chain forget where they were, the slowest class; 1 for independent ones."""
        rng = np.random.default_rng(seed)
        state = self._begun(CHAINS // 4, rng)
        steps, found = LOOKED_AT, np.inf
        while found > steps / LONG and steps <= MOST_LOOKED_AT:
            for _ in range(steps):  # as many to forget the beginning
                state = self._step(*state, rng)
            total, square, mean = (np.zeros(len(self._rows)) for _ in range(3))
            chains = np.zeros(state[0].shape)
            for _ in range(steps):
                state = self._step(*state, rng)
                chains += state[0]
                total, square = total + state[0].mean(axis=0), square + (state[0] ** 2).mean(axis=0)
            mean = total / steps
            # the variance of the mean of a chain, across chains, against that of one step
            spread = np.maximum(square / steps - mean**2, 1e-300)
            found = float(np.max((chains / steps).var(axis=0) / spread)) * steps
            steps *= 2
        return max(1.0, found)

    def tables(self, n: int, memory: float, seed: list[int]) -> Iterator[Floats]:
        """Blocks of joint tables, shape (m, K, K), together ``n``, the first ones after ten memories."""
        rng = np.random.default_rng(seed)
        state = self._begun(min(CHAINS, n), rng)
        for _ in range(FIRST_STEPS + int(10 * memory)):
            state = self._step(*state, rng)
        apart = max(1, round(MEMORIES * memory))
        while n > 0:
            for _ in range(apart):
                state = self._step(*state, rng)
            yield (state[0][:, :, None] * state[1])[:n]
            n -= len(state[0])
