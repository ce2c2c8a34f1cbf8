"""Simulated tests, and counts of new cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.numerics.arrays import Floats, Integers, repeat, scale_rows, short_sum
from howsure.numerics.betas import hdi_width
from howsure.numerics.draws.sparse_tables import SparseErrors, wrong_columns
from howsure.numerics.draws.weighted_draws import hdi_widths, quantiles_of_rows

# -- Counts of a new test: drawn from every table, or the law of the number of successes of an uncertain rate ----------

# Drawn counts are sampled from the large to the small: cases of each class, right ones among them, then the errors
# cell by cell as binomials of what is left, the likely cells first, so that most binomials are of no cases at all.


def new_whole_counts(tables: Floats, cases: int | Sequence[int], rng: np.random.Generator) -> Floats:
    """Counts of ``cases`` (of each class, if they are K numbers) from each table, shape (m, K, K)."""
    actual = tables.sum(axis=2)
    sizes = _sizes(actual, cases, rng)
    with np.errstate(invalid="ignore", divide="ignore"):
        rows = np.nan_to_num(tables / actual[:, :, None])
    order = np.argsort(-rows.mean(axis=0), axis=1)[None]
    drawn = rng.multinomial(sizes, np.take_along_axis(rows, order, axis=2))
    counts = np.empty(tables.shape)
    np.put_along_axis(counts, np.broadcast_to(order, tables.shape), drawn, axis=2)
    return counts


def new_sparse_counts(
    hits: Floats, actual: Floats, errors: SparseErrors, cases: int | Sequence[int], rng: np.random.Generator
) -> tuple[Floats, Floats, SparseErrors]:
    """Counts from tables that are known by diagonal and row sums, shape (m, K), and errors by cell; the same again."""
    sizes = _sizes(actual, cases, rng)
    right = rng.binomial(sizes, _share(hits, actual))
    left = (sizes - right).T
    cells, many = errors.cells, errors.at_cells.shape[1]
    mass = np.maximum((actual - hits).T, 0.0)
    at_cells = np.zeros(errors.at_cells.shape)
    for places in _by_rank(cells.true):
        rows = cells.true[places]
        found = rng.binomial(left[rows], _share(errors.at_cells[places], mass[rows]))
        at_cells[places] = found
        left[rows] -= found
        mass[rows] -= errors.at_cells[places]
    at_atoms = np.zeros(errors.at_atoms.shape)
    last = len(at_atoms) - 1
    for s, part in enumerate(errors.at_atoms):
        alone = s == last and errors.rest is None  # what is left is the last atom's
        found = left.copy() if alone else rng.binomial(left, _share(part, mass))
        at_atoms[s] = found
        left -= found
        mass -= part
    columns = errors.columns
    beyond = int(left.max(initial=0))
    if beyond:  # each case beyond the atoms has a column of its own
        assert errors.rest is not None
        columns = np.concatenate((columns, wrong_columns(beyond, cells.size, many, errors.rest.base, rng)))
        at_atoms = np.concatenate((at_atoms, left > np.arange(beyond)[:, None, None]))
    return right.astype(float), sizes.astype(float), SparseErrors(cells, at_cells, columns, at_atoms)


def _sizes(actual: Floats, cases: int | Sequence[int], rng: np.random.Generator) -> Integers:
    """Cases of each class, shape (m, K): chosen, or as they come."""
    if not isinstance(cases, int):
        return np.broadcast_to(np.asarray(cases, dtype=np.int64), actual.shape)
    return np.asarray(rng.multinomial(cases, np.nan_to_num(actual / actual.sum(axis=1, keepdims=True))))


def _share(part: Floats, whole: Floats) -> Floats:
    """Part of a whole, from 0 to 1 whatever the rounding; 1 of nothing."""
    return np.clip(np.divide(part, whole, out=np.ones(part.shape), where=whole > 0), 0.0, 1.0)


def _by_rank(rows: Integers) -> list[Integers]:
    """Places of the cells in groups: the last of each row (with the most cases), the one before it, and so on."""
    order = np.argsort(rows[::-1], kind="stable")
    _, start, count = np.unique(rows[::-1][order], return_index=True, return_counts=True)
    rank = np.arange(len(rows)) - repeat(start, count)
    places = len(rows) - 1 - order
    return [places[rank == r] for r in range(int(count.max(initial=0)))]


def beta_binomial_pmf(n: int, a: float, b: float) -> Floats:
    """P(V = v) = C(n, v) B(a + v, b + n - v) / B(a, b) for v = 0..n, shape (n + 1,).

    By the ratios of neighbours, normalised by their sum: no gamma function of a large number loses digits. Relative
    error, measured, where the probability is above 1e-20: 1e-11 up to n = 10,000 and 1e-9 up to 10,000,000. Johnson,
    Kemp and Kotz 2005, Univariate Discrete Distributions, section 6.2.
    """
    v = np.arange(n, dtype=float)
    # log of P(v + 1) / P(v)
    steps = np.log((n - v) / (v + 1)) + np.log((a + v) / (b + n - v - 1))
    top = int(np.argmax(np.concatenate([[0.0], np.cumsum(steps)])))
    # from the most probable v outwards, so that rounding errors add up only where there is little left
    falling, rising = np.cumsum(-steps[:top][::-1])[::-1], np.cumsum(steps[top:])
    pmf = np.exp(np.concatenate([falling, [0.0], rising]))
    return np.asarray(pmf / pmf.sum())


def sum_pmf(parts: list[Floats]) -> Floats:
    """Probabilities of a sum of independent numbers of successes, by direct convolution."""
    total = np.ones(1)
    for pmf in sorted(parts, key=len):
        total = np.convolve(total, pmf)
    return total


# -- Tests that have not been made yet: counts under a supposed truth, and what would be learned from them -------------


Whole = NDArray[np.int64]

#: Numbers held at once, few enough for a cache.
BLOCK = 300_000
#: Tables of up to so many classes have all their cells drawn. In larger ones what the prior adds comes from a pool that
#: all tests share: so many draws, at least and at most, and so many numbers.
SMALL, FEWEST_POOLED, MOST_POOLED, POOLED = 3, 2_000, 20_000, 1_000_000


def simulated_tests(tables: Floats, n: int, rng: np.random.Generator, shares: Floats | None) -> Whole:
    """Counts of a test of n cases under each true joint table (T, ...); class sizes by ``shares``, or as they come."""
    flat = tables.reshape(len(tables), -1)
    if shares is None:
        return rng.multinomial(n, flat / flat.sum(axis=1, keepdims=True)).reshape(tables.shape)
    sizes = _by_design(n, shares)
    rows = tables.reshape(len(tables), tables.shape[1], -1)
    rows = rows / rows.sum(axis=2, keepdims=True)
    return rng.multinomial(sizes, rows).reshape(tables.shape)


def simulated_recalls(
    tables: Floats, n: int, rng: np.random.Generator, shares: Floats | None, turns: Integers
) -> tuple[Whole, Whole]:
    """Right answers and cases of each class, (R, K) each, of one test under each table (T, K, K) of ``turns`` (R,)."""
    truth = tables.sum(axis=-1)
    recalls = np.clip(np.diagonal(tables, axis1=1, axis2=2) / truth, 0.0, 1.0)[turns]
    truth = truth[turns]
    if shares is None:
        cases = rng.multinomial(n, truth / truth.sum(axis=1, keepdims=True))
    else:
        cases = np.broadcast_to(_by_design(n, shares), truth.shape)
    return rng.binomial(cases, recalls), cases


def _by_design(n: int, shares: Floats) -> Whole:
    sizes = np.floor(n * shares).astype(np.int64)
    sizes[np.argsort(sizes - n * shares)[: n - int(sizes.sum())]] += 1
    return sizes


def posterior_tables(
    counts: Whole, prior: Floats, share_prior: float, known: Floats | None, draws: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Joint tables learned from each test (R, K, K), blocks (r, draws, K, K); ``known`` shares are (K,) or (R, K)."""
    size = counts.shape[-1]
    unseen = None if size <= SMALL else _pool(prior, rng)
    step = max(1, BLOCK // (draws * size**2))
    for start in range(0, len(counts), step):
        some = counts[start : start + step]
        if unseen is None:
            tables = rng.standard_gamma((some + prior)[:, None], (len(some), draws, size, size))
        else:
            tables = unseen[rng.integers(len(unseen), size=(len(some), draws))]
            test, true, answer = np.nonzero(some)
            # indices around a slice come first: (cells, draws)
            tables[test, :, true, answer] += _seen(some[test, true, answer], draws, rng)
        totals = short_sum(tables)
        here = _of_tests(known, start, step)
        scale_rows(tables, _shares(some.sum(-1), share_prior, here, draws, rng) / totals)
        yield tables


def posterior_margins(
    counts: Whole, base: Floats, share_prior: float, known: Floats | None, draws: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """Joint tables of the new and of the old classifier on the same cases, blocks of shape (r, draws, K, K) each.

    ``counts`` (R, K, K, K) are of truth, new and old answer, ``base`` (K, K, K) their pseudo-counts. Each true class is
    a Dirichlet over the K x K pairs of answers, so that either classifier alone has its own posterior.
    """
    size = counts.shape[-1]
    pairs = _pool(base, rng)
    unseen = np.stack([pairs.sum(axis=-1), pairs.sum(axis=-2)], axis=1)
    step = max(1, BLOCK // (2 * draws * size**2))
    for start in range(0, len(counts), step):
        some = counts[start : start + step]
        both = unseen[rng.integers(len(unseen), size=(len(some), draws))]
        test, true, new, old = np.nonzero(some)
        seen = _seen(some[test, true, new, old], draws, rng)
        for side, answer in enumerate((new, old)):
            cell = (test * size + true) * size + answer
            order = np.argsort(cell, kind="stable")
            first = np.flatnonzero(np.diff(cell[order], prepend=-1))
            i = order[first]
            both[test[i], :, side, true[i], answer[i]] += np.add.reduceat(seen[order], first, axis=0)
        totals = both[:, :, 0].sum(axis=-1)
        here = _of_tests(known, start, step)
        both *= (_shares(some.sum((-2, -1)), share_prior, here, draws, rng) / totals)[:, :, None, :, None]
        yield both[:, :, 0], both[:, :, 1]


def _of_tests(known: Floats | None, start: int, step: int) -> Floats | None:
    """Known shares of the classes, of every test or of those from ``start`` on."""
    return known if known is None or known.ndim == 1 else known[start : start + step, None]


def _pool(prior: Floats, rng: np.random.Generator) -> Floats:
    """Gammas of pseudo-counts, (many, *prior.shape), to be added to those of counts: slow to draw, of little weight."""
    many = int(np.clip(POOLED // prior.size, FEWEST_POOLED, MOST_POOLED))
    return rng.standard_gamma(prior, (many, *prior.shape))


def _seen(counts: Whole, draws: int, rng: np.random.Generator) -> Floats:
    """Gammas of the cells that hold cases, (cells,) to (cells, draws)."""
    return rng.standard_gamma(counts[:, None], (len(counts), draws))


def _shares(sizes: Whole, prior: float, known: Floats | None, draws: int, rng: np.random.Generator) -> Floats:
    """Class shares learned from each test with these class sizes (r, K), shape (r, draws, K), or the known ones."""
    if known is not None:
        return known
    shares = rng.standard_gamma((sizes + prior)[:, None], (len(sizes), draws, sizes.shape[-1]))
    total = short_sum(shares)
    for one in np.moveaxis(shares, -1, 0):
        one /= total
    return shares


def recalls_learned(
    right: Whole, cases: Whole, prior: tuple[float, float], draws: int, rng: np.random.Generator
) -> Floats:
    """Recalls learned from each test, (R, K) right answers and cases to (R, draws, K)."""
    shape = (len(right), draws, right.shape[1])
    hits = rng.standard_gamma((right + prior[0])[:, None], shape)
    return np.asarray(hits / (hits + rng.standard_gamma((cases - right + prior[1])[:, None], shape)))


def gains_learned(counts: Whole, draws: int, rng: np.random.Generator) -> Floats:
    """Recall of the new less that of the old classifier, counts (R, K, K, K) to (R, draws, K); half a case each."""
    place = np.arange(counts.shape[1])
    both = counts[:, place, place, place]
    new, old = counts[:, place, place, :].sum(-1) - both, counts[:, place, :, place].sum(-1).T - both
    cells = np.stack([new, old, counts.sum((-2, -1)) - new - old], axis=-1) + np.array([0.5, 0.5, 1.0])
    drawn = rng.standard_gamma(cells[:, None], (len(counts), draws, *cells.shape[1:]))
    return np.asarray((drawn[..., 0] - drawn[..., 1]) / drawn.sum(-1))


def lower_ends(values: Floats, tail: float) -> Floats:
    """The value of each row (R, S) that all but ``tail`` of the draws exceed, shape (R,)."""
    return quantiles_of_rows(np.sort(values, axis=1), np.array([tail]))[:, 0]


def halved_noise(whole: Floats, first: Floats, second: Floats) -> Floats:
    """Statistics of R tests without the bias and the spread that a finite number of draws gives them.

    The bias falls like one over the number of draws, so both halves have twice that of ``whole`` (Quenouille 1956). A
    quarter of their mean squared difference is the variance of the noise, by which deviations from the mean are drawn
    in.
    """
    noise = float(np.mean((first - second) ** 2)) / 4
    spread = float(np.var(whole))
    shrunk = np.sqrt(max(0.0, 1 - noise / spread)) if spread > 0 else 1.0
    middle = float(whole.mean())
    unbiased = 2 * middle - float((first.mean() + second.mean()) / 2)
    return np.asarray(unbiased + (whole - middle) * shrunk)


# -- Widths of highest-density intervals without a draw: of the straight part of a metric, from its first four
# cumulants.
#
# Near the posterior mean a metric is nearly a sum of its class rows and of the class shares, each a Dirichlet, and the
# cumulants of such a sum are closed. What the metric itself has besides, a small thing, is for simulation to find.


#: Step of a cell, as a share of it, for the slope of a metric.
STEP = 1e-5
#: Numbers that are changed at once, few enough for a cache.
CELLS_AT_A_TIME = 100_000


def dirichlet_cumulants(alpha: Floats, slopes: Floats) -> Floats:
    """Second to fourth cumulants (3, ...) of ``sum_j a_j theta_j``, theta ~ Dirichlet(alpha), of shapes (..., J).

    With S_r the sum of ``alpha_j (a_j - mean)^r`` and A the mass, the central moments are
    ``S_2/(A)_2, 2 S_3/(A)_3, (6 S_4 + 3 S_2^2)/(A)_4`` over rising factorials.
    """
    # whole numbers would overflow in the fourth power of a mass
    alpha = np.asarray(alpha, dtype=np.float64)
    mass = short_sum(alpha) if alpha.shape[-1] < 8 else alpha.sum(-1)
    centred = slopes - (np.einsum("...j,...j->...", alpha, slopes) / mass)[..., None]
    square = centred * centred
    weighted = alpha * square
    two = weighted.sum(-1)
    three, four = np.einsum("...j,...j->...", weighted, centred), np.einsum("...j,...j->...", weighted, square)
    second = two / (mass * (mass + 1))
    third = 2 * three / (mass * (mass + 1) * (mass + 2))
    fourth = (6 * four + 3 * two**2) / (mass * (mass + 1) * (mass + 2) * (mass + 3)) - 3 * second**2
    return np.stack([second, third, fourth])


def recall_sum_cumulants(right: Whole, cases: Whole, prior: tuple[float, float], weights: Floats) -> Floats:
    """The same of ``sum_i w_i recall_i`` after each test, (R, K) right answers and cases to (3, R)."""
    alpha = np.stack([right + prior[0], cases - right + prior[1]], axis=-1)
    slopes = np.stack([weights, np.zeros_like(weights)], axis=-1)
    return np.asarray(dirichlet_cumulants(alpha, slopes).sum(-1))


def width_of_cumulants(cumulants: Floats, level: float) -> tuple[Floats, Floats]:
    """Width of the highest-density interval by Cornish and Fisher, and a size of what that leaves out, shape (R,) each.

    Of second to fourth cumulants, shape (3, R). A shift of both tails by a third of the skewness makes the central
    interval the shortest one, to this order: ``2 z sd (1 + excess (z^2 - 3)/24 - skew^2 (2 z^2 - 3)/36)``. Of sums of
    two Betas, 95%, the width is wrong by less than 0.3 times the second number, and by less than 4% where that is
    large.
    """
    z = float(ndtri((1 + level) / 2))
    sd = np.sqrt(cumulants[0])
    with np.errstate(invalid="ignore", divide="ignore"):
        skew, excess = cumulants[1] / sd**3, cumulants[2] / sd**4
    grown = excess * (z * z - 3) / 24 - skew**2 * (2 * z * z - 3) / 36
    return 2 * z * sd * np.exp(grown), (skew**2 + np.abs(excess)) ** 2


@dataclass(frozen=True, eq=False)
class StraightPart:
    """The straight part of a metric at the posterior mean of each of R tests."""

    cumulants: Floats  # (3, R), second to fourth
    slopes: Floats  # (R, K, K), of the metric, by each cell of the joint table
    of_shares: Floats  # (R, K), of the metric, by the share of each class, its row held
    shares: Floats  # (R, K), mean shares of the classes
    known: bool  # whether these are known

    @classmethod
    def of(
        cls, metric: Callable[[Floats], Floats], counts: Whole, prior: Floats, share_prior: float, known: Floats | None
    ) -> StraightPart:
        """Of counts (R, K, K), pseudo-counts (K, K), and shares: known ones (K,) or (R, K), or learned."""
        alpha = counts + prior
        rows = alpha / alpha.sum(-1, keepdims=True)
        cases = counts.sum(-1) + share_prior
        shares = cases / cases.sum(-1, keepdims=True) if known is None else np.broadcast_to(known, cases.shape)
        slopes = _slopes(metric, shares[..., None] * rows)
        of_shares = (rows * slopes).sum(-1)
        cumulants = dirichlet_cumulants(alpha, shares[..., None] * slopes).sum(-1)
        if known is None:
            cumulants += dirichlet_cumulants(cases, of_shares)
        return cls(cumulants, slopes, of_shares, np.asarray(shares), known is not None)

    def drawn(self, tables: Floats, start: int) -> Floats:
        """Its draws up to a constant, from joint tables (r, draws, K, K) of the tests from ``start`` on."""
        here = slice(start, start + len(tables))
        if self.known:
            return np.asarray(np.einsum("rdij,rij->rd", tables, self.slopes[here]))
        shares = short_sum(tables)
        drawn = np.einsum("rdij,rij->rdi", tables, self.slopes[here]) / shares
        return np.asarray(
            np.einsum("rdi,ri->rd", drawn, self.shares[here]) + np.einsum("rdi,ri->rd", shares, self.of_shares[here])
        )


def _slopes(metric: Callable[[Floats], Floats], tables: Floats) -> Floats:
    slopes, size = np.empty_like(tables), tables.shape[-1]
    step = max(1, CELLS_AT_A_TIME // size**2)
    for start in range(0, len(tables), step):
        some = tables[start : start + step].copy()
        middle = metric(some)
        for i, j in np.ndindex(size, size):
            held = some[:, i, j].copy()
            moved = held * (1 + STEP)
            some[:, i, j] = moved
            # a cell that is 0 for certain does not move, nor does the metric by it
            slopes[start : start + step, i, j] = np.divide(
                metric(some) - middle, moved - held, out=np.zeros_like(held), where=moved > held
            )
            some[:, i, j] = held
    return slopes


# -- What simulated tests say about widths that were expected without a draw: by how much they differ, and how surely --


#: Share by which the width of a straight part may be wrong, for each unit of what its expansion leaves out.
LEFT_OUT = 0.15
#: Variance of a log width below which nothing is distinguished.
TINY = 1e-14


@dataclass(frozen=True, eq=False)
class Found:
    """What some tests showed: log width less its expected value (R,), what it may depend on (R, P), noise variance."""

    excess: Floats
    features: Floats
    noise: float = 0.0

    @classmethod
    def together(cls, several: Sequence[Found]) -> Found:
        """All of them as one."""
        many = np.array([len(each.excess) for each in several])
        return cls(
            np.concatenate([each.excess for each in several]),
            np.concatenate([each.features for each in several]),
            float(np.average([each.noise for each in several], weights=many)),
        )


def controlled(
    metric: Floats, straight: Floats, expected: Floats, left_out: Floats, level: float
) -> tuple[Found, Floats]:
    """Excess of the log widths of R tests, from the same draws (R, S) of the metric and of its straight part.

    Noise of the draws that both widths have is taken out (a control variate): halves of the draws say how much. The
    second answer is what the straight widths (R,) are wrong by, for each unit of ``left_out`` up to 1, and the standard
    error of that; before the draws are seen it is 0, give or take `LEFT_OUT`.
    """
    wide, wide_noise, _ = _log_widths(metric, level)
    line, line_noise, line_bias = _log_widths(straight, level)
    shared = float((wide_noise * line_noise).sum() / max(float((line_noise**2).sum()), 1e-300))
    noise = float(np.mean((wide_noise - shared * line_noise) ** 2)) / 4
    excess = wide - expected - shared * (line - expected)
    size = np.minimum(left_out, 1.0)
    missed = line - line_bias - expected
    precision = float((size**2).sum()) / max(float(np.mean((missed - missed.mean()) ** 2)), 1e-300)
    mean = float((size * missed).sum()) / max(float((size**2).sum()), 1e-300)
    total = precision + LEFT_OUT**-2
    return Found(excess, np.empty((len(excess), 0)), noise), shared * np.array([mean * precision / total, total**-0.5])


def uncontrolled(metric: Floats, expected: Floats, level: float) -> Found:
    """Excess of the log widths of R tests over the expected ones, from draws (R, S); see `halved_noise`."""
    wide, noise, bias = _log_widths(metric, level)
    # the bias of a width of half the draws is twice that of all; taken out test by test it would double the noise
    return Found(wide - float(bias.mean()) - expected, np.empty((len(wide), 0)), float(np.mean(noise**2)) / 4)


def _log_widths(draws: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Log widths of R tests, difference of those of both halves of the draws, and the bias by the halves, (R,) each."""
    half = draws.shape[1] // 2
    with np.errstate(divide="ignore"):
        whole, first, second = (np.log(hdi_widths(part, level)) for part in (draws, draws[:, :half], draws[:, half:]))
    return whole, first - second, (first + second) / 2 - whole


@dataclass(frozen=True, eq=False)
class Calibration:
    """Excess of log widths as a linear function of features, with what is left of single tests."""

    coefficients: Floats  # (P,), of the posterior of a linear model
    covariance: Floats  # (P, P)
    left: Floats  # (R,), residuals, without what the noise of draws adds to their spread
    doubt: float  # standard error of the variance of these

    @classmethod
    def of(cls, found: Found, before: Floats) -> Calibration:
        """Fit, each coefficient being 0 give or take the sd ``before`` (P,) as long as nothing is known."""
        x, y = found.features, found.excess
        square = x.T @ x
        rough = np.linalg.pinv(square, rcond=1e-10, hermitian=True)
        left = y - x @ (rough @ (x.T @ y))
        variance = float(left @ left) / max(1.0, len(y) - float(np.trace(rough @ square)))
        variance = max(variance, found.noise, TINY)
        covariance = np.asarray(np.linalg.inv(square / variance + np.diag(before**-2.0)), dtype=np.float64)
        coefficients = covariance @ (x.T @ y) / variance
        residuals = y - x @ coefficients
        spread = max(variance - found.noise, 0.0)
        shrunk = np.asarray((residuals - residuals.mean()) * (spread / variance) ** 0.5)
        return cls(coefficients, covariance, shrunk, float(variance * (2 / len(y)) ** 0.5))

    @property
    def spread(self) -> float:
        """Standard deviation of what the features do not say of a test."""
        return float(np.sqrt(np.mean(self.left**2)))

    def moved_by(self, found: Found) -> Calibration:
        """The same function, higher by what a few tests elsewhere say; for sizes that nothing is proven at."""
        shift = float(np.mean(found.excess - found.features @ self.coefficients))
        first = np.arange(len(self.coefficients)) == 0
        return replace(self, coefficients=self.coefficients + shift * first)

    def __call__(self, features: Floats, rng: np.random.Generator) -> Floats:
        """Excess of other tests with these features (N, P), shape (N,)."""
        return np.asarray(features @ self.coefficients + rng.choice(self.left, len(features)))

    def error(self, features: Floats) -> float:
        """Standard error of the function at the mean of these features (N, P)."""
        at = features.mean(axis=0)
        return float(np.sqrt(max(float(at @ self.covariance @ at), 0.0)))


# -- Simulated tests in which a judge answers every case and people label some of them: the law of the share of a class

# With N_v cases of each verdict and n_v labels among them, q ~ Dirichlet(N_v + 1) and r_v ~ Beta(n_v1 + 1/2, n_v0 +
# 1/2), all independent, mean and variance of sum q_v r_v are closed; the Beta with these two moments gives the
# interval.


def share_moments(cases: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of sum q_v r_v, q ~ Dirichlet(cases + 1), r_v ~ Beta(a_v, b_v); shapes (..., V) to (...)."""
    mass = cases + 1
    total = mass.sum(-1, keepdims=True)
    q, r, size = mass / total, a / (a + b), a + b
    mean = (q * r).sum(-1)
    between = ((q * r**2).sum(-1) - mean**2) / (total[..., 0] + 1)
    square = q * (mass + 1) / (total + 1)  # E q_v^2
    return mean, between + (square * r * (1 - r) / (size + 1)).sum(-1)


def matched_width(mean: Floats, variance: Floats, level: float) -> Floats:
    """Width of the highest-density interval of the Beta with these moments."""
    mass = mean * (1 - mean) / variance - 1
    return hdi_width(mean * mass, (1 - mean) * mass, level)


def allotted(labels: int, weights: Floats, room: Whole, least: int = 0) -> Whole:
    """Whole numbers that add to ``labels`` (or to all the room), in proportion to weights, within the room of each.

    Each gets ``least``, where there is room for it and it is not more than an equal part.
    """
    labels = int(min(labels, room.sum()))
    given = np.minimum(np.full(len(room), min(least, labels // len(room))), room)
    wanted = np.maximum(weights, 1e-12 * max(float(weights.max()), 1e-300))
    while (left := labels - int(given.sum())) > 0:
        # the next label where the share that is there lags most behind the share that is wanted; many at once
        free = given < room
        target = np.where(free, wanted, 0) * (given[free].sum() + left) / wanted[free].sum()
        step = np.floor(np.clip(target - given, 0, room - given)).astype(np.int64)
        if step.sum() > left or not step.any():
            step = np.zeros_like(given)
            step[int(np.argmax(np.where(free, target - given, -np.inf)))] = 1
        given = given + step
    return np.asarray(given)


def fewest_doubts(labels: int, cases: Floats, a: Floats, b: Floats, room: Whole) -> Whole:
    """Spread labels over verdicts with r_v ~ Beta(a_v, b_v) so that the expected variance of sum q_v r_v is least.

    A label takes q_v^2 Var(r_v) m_v / (a_v + b_v + m_v) off it, so the best next one, again and again, is the best
    spread; many begin with the proportion to q_v sqrt(E r_v (1 - r_v)), which it is without the room.
    """
    q, size = (cases + 1) / (cases + 1).sum(), a + b
    doubt = q * np.sqrt(a * b / (size * (size + 1)))  # gain of a label: doubt^2 / ((size + m) (size + m + 1))
    low, high = 0.0, float((doubt / size).max())
    given = np.zeros(len(room), dtype=np.int64)
    for _ in range(80):  # the price of a label at which about so many are worth it, and no more
        price = (low + high) / 2
        tried = np.clip(np.floor(doubt / price - size), 0, room).astype(np.int64) if price > 0 else room
        low, high, given = (low, price, tried) if tried.sum() <= labels else (price, high, given)
    given = np.maximum(given - 1, 0)  # the last one of each may be worth less than the first of another
    for _ in range(labels - int(given.sum())):
        gain = np.where(given < room, doubt**2 / ((size + given) * (size + given + 1)), -1.0)
        given[int(gain.argmax())] += 1
    return given


def simulated_labels(
    labels: int,
    cases: int,
    q: Floats,
    r: Floats,
    weights: Floats | None,
    least: int,
    many: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Posterior mean and variance of the share in simulated tests, shapes (many,).

    ``labels`` of people go to the V verdicts of the judge's ``cases`` in proportion to ``weights``, ``least`` to each,
    or at random without; ``q`` and ``r`` are true shares of the verdicts, and of the class among the cases of each.
    """
    totals = rng.multinomial(cases, q, many)
    if weights is None:
        there, left, rest = np.zeros_like(totals), np.full(many, min(labels, cases)), totals.sum(-1)
        for v in range(len(q)):  # a multivariate hypergeometric, one verdict after the other
            rest = rest - totals[:, v]
            there[:, v] = rng.hypergeometric(totals[:, v], rest, left)
            left = left - there[:, v]
    else:
        scarce = totals.min(0)
        there = allotted(labels, weights, scarce, least)
        if (there < scarce).all():  # every test has room for them
            there = np.broadcast_to(there, totals.shape)
        else:
            there = np.stack([allotted(labels, weights, row, least) for row in totals])
    hits = rng.binomial(there, r).astype(np.float64)
    return share_moments(totals.astype(np.float64), hits + 0.5, there - hits + 0.5)
