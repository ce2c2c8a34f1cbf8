"""Where a class's wrong answers go, the shares of classes, and joint tables under the learned prior."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from howsure.numerics.arrays import Floats, Integers, bincount, repeat
from howsure.numerics.draws.dense_tables import BLOCK, draws_last
from howsure.numerics.populations.node_sums import NodeSum, NodeSumLaw, TooDear
from howsure.numerics.populations.population import Population
from howsure.numerics.populations.rate_law import RateLaw, matched, sum_law

# -- Shares of several kinds whose Dirichlet prior has a learned mass: columns of errors, classes of a test set --------

#     q ~ Dirichlet(A/K, ..., A/K) + totals,    A/(A + K) ~ Uniform(0, 1)
#
# ``A`` on a grid in the log, by its Dirichlet-multinomial evidence (Minka 2000, Estimating a Dirichlet distribution).


#: Nodes of the grid, and how far it reaches to both sides of K in the log.
NODES, REACH = 49, 12.0

#: Least concentration that is drawn.
FLOOR = 1e-200


class DirichletShares:
    """Shares of K kinds that are Dirichlet(alphas): those of a survey, with the mass of a prior that was named."""

    def __init__(self, alphas: Floats) -> None:
        self.alphas = alphas

    @property
    def means(self) -> Floats:
        """Mean of every share, shape (K,)."""
        return np.asarray(self.alphas / self.alphas.sum())

    def betas_of(self, index: int) -> tuple[Floats, Floats, Floats]:
        """One share as a mixture of one Beta: its parameters and weight, shape (1,) each."""
        own = self.alphas[index : index + 1]
        return own, self.alphas.sum() - own, np.ones(1)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the shares, shape (n, K)."""
        gammas = rng.standard_gamma(self.alphas, (n, len(self.alphas)))
        gammas /= gammas.sum(axis=1, keepdims=True)
        return gammas


class LearnedShares:
    """Posterior of the shares of K kinds, from totals (K,) that need not be whole, and of the mass of their prior."""

    def __init__(self, totals: ArrayLike) -> None:
        self.totals: Floats = np.asarray(totals, dtype=float)
        self.log_mass = log_grid(len(self.totals))
        #: Probability of each node, shape (49,).
        self.mass_weight = weights_on(self.log_mass, len(self.totals), self._evidence())

    def _evidence(self) -> Floats:
        mass = np.exp(self.log_mass)
        totals, copies = np.unique(self.totals, return_counts=True)
        whole = log_rising(mass, self.totals.sum(keepdims=True))
        return np.asarray(log_rising(mass[:, None] / len(self.totals), totals) @ copies - whole)

    @property
    def means(self) -> Floats:
        """Posterior mean of every share, shape (K,)."""
        mass = np.exp(self.log_mass)[:, None]
        return np.asarray(self.mass_weight @ ((mass / len(self.totals) + self.totals) / (mass + self.totals.sum())))

    def betas_of(self, index: int) -> tuple[Floats, Floats, Floats]:
        """One share as a mixture of Betas, one a node: their parameters and weights, shape (49,) each."""
        mass = np.exp(self.log_mass)
        own = mass / len(self.totals) + self.totals[index]
        rest = mass * (1 - 1 / len(self.totals)) + (self.totals.sum() - self.totals[index])
        return own, rest, self.mass_weight

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the shares, shape (n, K); each draw has its own mass."""
        mass = drawn_on(self.log_mass, self.mass_weight, n, rng)
        gammas = rng.standard_gamma(np.maximum(mass[:, None] / len(self.totals) + self.totals, FLOOR))
        gammas = np.maximum(gammas, 1e-300)
        return np.asarray(gammas / gammas.sum(axis=1, keepdims=True))


def log_grid(size: int) -> Floats:
    """Nodes of the log of a mass around K."""
    return np.asarray(np.log(size) + np.linspace(-REACH, REACH, NODES))


def log_rising(x: Floats, count: Floats) -> Floats:
    """``log Gamma(x + count)/Gamma(x)``."""
    return np.asarray(special.gammaln(x + count) - special.gammaln(x))


def weights_on(log_mass: Floats, size: int, log_evidence: Floats) -> Floats:
    """Posterior on the grid: x/(x + K) uniform has the logistic density in ``log x``."""
    return posterior_on(log_mass, size, log_evidence)[0]


def posterior_on(log_mass: Floats, size: int, log_evidence: Floats) -> tuple[Floats, Floats]:
    """The same for many, shape (..., nodes); and the log evidence of each with the masses averaged over."""
    z = log_mass - np.log(size)
    log_density = log_evidence + z - 2 * np.logaddexp(0, z)
    most = log_density.max(axis=-1, keepdims=True)
    weight = np.exp(log_density - most)
    whole = weight.sum(axis=-1, keepdims=True)
    return weight / whole, (most + np.log(whole))[..., 0]


def within(log_mass: Floats, weight: Floats, parts: int = 5) -> tuple[Floats, Floats]:
    """Nodes and weights of a midpoint rule over the cells that `drawn_on` moves its nodes in."""
    step = float(log_mass[1] - log_mass[0])
    moved = log_mass[:, None] + step * ((np.arange(parts) + 0.5) / parts - 0.5)
    return np.exp(moved).ravel(), repeat(weight / parts, parts)


def drawn_on(log_mass: Floats, weight: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Nodes by weight, moved evenly within their cells."""
    step = float(log_mass[1] - log_mass[0])
    return np.exp(rng.choice(log_mass, n, p=weight) + step * (rng.random(n) - 0.5))


# -- Where a class's wrong answers go under the learned prior: shares of the columns, and how far rows keep to them ----

#     errors of row i ~ Dirichlet(lambda q_j / (1 - q_i), j != i),    q ~ Dirichlet(A/K, ..., A/K) + column totals
#     A/(A + K) ~ Uniform(0, 1),    lambda/(lambda + K) ~ Uniform(0, 1)
#
# ``A`` and ``lambda`` each on a grid in the log, by their Dirichlet-multinomial evidence; lambda given q at its mean.
#
# The column totals are not those of the table. Its rows are the units: e errors of a row whose errors keep together
# count like ``e f`` answers of their own, ``f = 1/(1 + (e - 1)/(1 + lambda))``, as in a cluster sample; else one
# broken row would speak for all columns. And a row cannot err into its own column, so that a class that draws many
# errors would hide its own share; what its row would have shown there, ``f e q/(1 - q)``, is put back. Both need
# lambda and q, and are found in a few passes from the totals of the table.


#: Cells times nodes that one block may hold.
CELLS_AT_A_TIME = 500_000

#: Passes from the totals of the table to those of its rows as units; the sixth moves a share by less than 0.001.
PASSES = 6

#: Share of a column at most while its own row is put back.
MOST_SHARE = 0.95

#: Up to this count a rising factorial is a product of so many factors, above it a ratio of Gamma functions.
SMALL_COUNT = 6


class LearnedErrors:
    """Hyperparameters of the errors of all rows of two classes or more; ``counts`` (M,) are cells with errors."""

    def __init__(self, size: int, rows: ArrayLike, cols: ArrayLike, counts: ArrayLike) -> None:
        i, j = np.asarray(rows, dtype=np.int64).ravel(), np.asarray(cols, dtype=np.int64).ravel()
        e = np.asarray(counts, dtype=float).ravel()
        if size < 2 or not len(i) == len(j) == len(e):
            raise ValueError("errors need two classes or more, and one row, column and count for each cell")
        both = np.concatenate((i, j))
        if np.any(i == j) or np.any((both < 0) | (both >= size)) or not np.all((e > 0) & np.isfinite(e)):
            raise ValueError("cells of errors lie off the diagonal of the table and have counts above 0")
        self.size = size
        self._cells = i, j, e
        self._row_totals: Floats = bincount(i, e, minlength=size).astype(float)
        self.log_mass = log_grid(size)
        self._learn(bincount(j, e, minlength=size).astype(float))
        for _ in range(PASSES if len(e) else 0):
            self._learn(self._of_units())

    def _learn(self, column_totals: Floats) -> None:
        #: Posterior of the column shares q.
        self.columns = LearnedShares(column_totals)
        #: Their posterior mean, shape (K,).
        self.shares: Floats = self.columns.means
        self.rough_weight = weights_on(self.log_mass, self.size, self._row_evidence())

    def _of_units(self) -> Floats:
        """Column totals with rows as units, and with what each row would show in its own column."""
        i, j, e = self._cells
        rough = np.exp(self.rough_weight @ self.log_mass)
        unit = 1 / (1 + np.maximum(self._row_totals - 1, 0) / (1 + rough))
        seen = bincount(j, e * unit[i], minlength=self.size)
        share = np.minimum(self.shares, MOST_SHARE)
        whole = seen + unit * self._row_totals * share / (1 - share)
        return np.asarray(whole * (seen.sum() / whole.sum()))

    def _row_evidence(self) -> Floats:
        """Log probability of all rows of errors at each lambda; only cells with errors count."""
        i, j, e = self._cells
        mass = np.exp(self.log_mass)[:, None]
        row_totals, copies = np.unique(self._row_totals, return_counts=True)
        evidence = -log_rising(mass, row_totals) @ copies
        share = self.shares[j] / (1 - self.shares[i])
        small = (e <= SMALL_COUNT) & (e == np.floor(e))
        # most cells of a large table hold one error, whose factor is lambda times its share
        evidence = evidence + np.count_nonzero(small) * self.log_mass + np.log(share[small]).sum()
        for factor in range(1, SMALL_COUNT):
            part = share[small & (e > factor)]
            for start in range(0, len(part), CELLS_AT_A_TIME // NODES):
                evidence += np.log(mass * part[start : start + CELLS_AT_A_TIME // NODES] + factor).sum(axis=1)
        part, count = share[~small], e[~small]
        for start in range(0, len(part), CELLS_AT_A_TIME // NODES):
            here = slice(start, start + CELLS_AT_A_TIME // NODES)
            evidence += log_rising(mass * part[here], count[here]).sum(axis=1)
        return np.asarray(evidence)

    @property
    def means(self) -> Floats:
        """Expected shares of the errors of each row, shape (K, K), zero on the diagonal, in closed form.

        Given ``lambda`` and ``q`` a share is (lambda q_j/(1 - q_i) + e_ij)/(lambda + e_i), and given ``A`` the ratio
        q_j/(1 - q_i) is a share of the columns without i, whose mean is that of their Dirichlet.
        """
        i, j, e = self._cells
        totals = self._row_totals
        mass, weight = within(self.log_mass, self.columns.mass_weight)
        column = mass[:, None] / self.size + self.columns.totals
        ratio = (weight[:, None] / (column.sum(axis=1, keepdims=True) - column)).T @ column
        rough, weight = within(self.log_mass, self.rough_weight)
        means = ratio * ((rough / (rough + totals[:, None])) @ weight)[:, None]
        means[i, j] += e * ((1 / (rough + totals[:, None])) @ weight)[i]
        np.fill_diagonal(means, 0.0)
        return np.asarray(means)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw ``lambda``, shape (n,), and the column shares ``q``, shape (n, K)."""
        return drawn_on(self.log_mass, self.rough_weight, n, rng), self.columns.draw(n, rng)

    def masses(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw ``lambda q_j/(1 - q_i)``, shape (n, K, K): the Dirichlet parameters of the rows before their counts."""
        mass, shares = self.draw(n, rng)
        return np.asarray((mass[:, None] / np.maximum(1 - shares, 1e-15))[:, :, None] * shares[:, None, :])


# -- Where wrong answers go if the classes have an order: near ranks draw more errors than far ones, by a learned
# profile.
#
#     errors of row i ~ Dirichlet(lambda s_i),    s_ij = q_j h(|i - j|) / sum_{k != i} q_k h(|i - k|)
#     h(d) = (1 - u) r^(d - 1) + u
#
# The profile falls by the factor ``r`` with each rank, down to the level ``u`` of errors that know no distance; both
# on a grid, by the evidence of the rows of errors. ``r = 1`` is what `LearnedErrors` says, which knows no order: all
# else is as there, the columns q and the mass lambda as well. An error of row i is as if columns were drawn by q and
# kept with probability h; what the table would show of those not kept is put back, as there what a row would show in
# its own one.


#: Factors of the profile for each rank, and levels that it falls to: of a report, and of one of many simulated tests.
FINE = (1.0, 0.7, 0.5, 0.35, 0.22, 0.12, 0.05), (0.0, 0.004, 0.012, 0.04, 0.12)
COARSE = (1.0, 0.5, 0.22, 0.08), (0.0, 0.02)

#: Answers at most that are put back for each that was seen.
MOST_PUT_BACK = 20.0

#: Cells times masses that one step may hold.
BLOCK_OF_ORDERED_ERRORS = 2_000_000


class OrderedErrors:
    """Profile, columns and mass of the errors of all rows of three classes or more; ``wrong`` (K, K) are counts."""

    def __init__(self, wrong: ArrayLike, grid: tuple[tuple[float, ...], tuple[float, ...]] = FINE) -> None:
        self.wrong: Floats = np.asarray(wrong, dtype=float)
        self.size = size = len(self.wrong)
        self.log_mass = log_grid(size)
        factors, levels = grid
        #: Factor and level of each node, shape (nodes, 2).
        self.nodes: Floats = np.array([(r, u) for r in factors for u in (levels if r < 1 else (0.0,))])
        rank = np.arange(size)
        step = np.abs(rank[:, None] - rank)
        r, u = (x[:, None, None] for x in self.nodes.T)
        #: The profile at each node, shape (nodes, K, K), zero on the diagonal.
        self.profile: Floats = np.where(step > 0, (1 - u) * r ** np.maximum(step - 1, 0) + u, 0.0)
        self._of_row = self.wrong.sum(axis=1)
        self._learn(np.tile(self.wrong.sum(axis=0), (len(self.nodes), 1)))
        for _ in range(PASSES if self.wrong.any() else 0):
            self._learn(self._of_units())
        each = np.where(self.nodes[:, 0] == 1, 1.0, 1 / len(levels))  # all factors alike
        weight = each * np.exp(self._evidence - self._evidence.max())
        #: Probability of each node, shape (nodes,).
        self.weight: Floats = weight / weight.sum()

    def _learn(self, totals: Floats) -> None:
        """Columns and masses at each node from totals of the columns, shape (nodes, K)."""
        mass = np.exp(self.log_mass)[:, None]
        self.totals = totals
        columns = log_rising(mass / self.size, totals[:, None, :]).sum(-1)
        columns -= log_rising(np.exp(self.log_mass), totals.sum(-1, keepdims=True))
        #: Weights of the mass of the columns, and of that of the rows, shape (nodes, masses) each.
        self.of_columns = weights_on(self.log_mass, self.size, columns)
        share = (mass / self.size + totals[:, None, :]) / (mass + totals.sum(-1)[:, None, None])
        #: Mean shares of the columns, shape (nodes, K).
        self.shares: Floats = (self.of_columns[..., None] * share).sum(axis=1)
        self.of_rows, self._evidence = posterior_on(
            self.log_mass, self.size, self._row_evidence(self._bases(self.shares, self.profile))
        )

    def _row_evidence(self, bases: Floats) -> Floats:
        i, j = np.nonzero(self.wrong)
        count, mass = self.wrong[i, j], np.exp(self.log_mass)[:, None]
        evidence = np.tile(-log_rising(mass, self._of_row[self._of_row > 0]).sum(1), (len(bases), 1))
        step = max(1, BLOCK_OF_ORDERED_ERRORS // max(1, len(i) * len(mass)))
        for start in range(0, len(bases), step):
            part = bases[start : start + step, i, j][:, None, :]
            evidence[start : start + step] += log_rising(mass * part, count).sum(-1)
        return evidence

    @staticmethod
    def _bases(shares: Floats, profile: Floats) -> Floats:
        bases = shares[..., None, :] * profile
        bases /= np.maximum(bases.sum(axis=-1, keepdims=True), 1e-300)
        return np.asarray(bases)

    def _of_units(self) -> Floats:
        """Column totals with rows as units, and with what each row would show where the profile does not let it."""
        rough = np.exp(self.of_rows @ self.log_mass)[:, None]
        unit = 1 / (1 + np.maximum(self._of_row - 1, 0) / (1 + rough))
        seen = unit @ self.wrong
        kept = np.maximum((self.profile @ self.shares[..., None])[..., 0], 1e-12)
        back = ((self._of_row * unit / kept)[:, None, :] @ (1 - self.profile))[:, 0] * self.shares
        whole = seen + np.minimum(back, MOST_PUT_BACK * seen.sum(-1, keepdims=True) * self.shares)
        return np.asarray(whole * (seen.sum(-1, keepdims=True) / whole.sum(-1, keepdims=True)))

    @property
    def means(self) -> Floats:
        """Expected shares of the errors of each row, shape (K, K), zero on the diagonal; columns at their mean."""
        rough = np.exp(self.log_mass)
        kept = self.of_rows @ (rough[:, None] / (rough[:, None] + self._of_row))
        own = self.of_rows @ (1 / (rough[:, None] + self._of_row))
        each = self._bases(self.shares, self.profile) * kept[..., None] + own[..., None] * self.wrong
        return np.asarray((self.weight[:, None, None] * each).sum(axis=0))

    def masses(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw ``lambda s_ij``, shape (n, K, K): the Dirichlet parameters of the rows before their counts."""
        node = rng.choice(len(self.weight), n, p=self.weight)
        columns = self._drawn(self.of_columns[node], rng)
        shares = rng.standard_gamma(np.maximum(columns[:, None] / self.size + self.totals[node], FLOOR))
        shares = np.maximum(shares, 1e-300)
        bases = self._bases(shares / shares.sum(axis=1, keepdims=True), self.profile[node])
        return np.asarray(bases * self._drawn(self.of_rows[node], rng)[:, None, None])

    def _drawn(self, weights: Floats, rng: np.random.Generator) -> Floats:
        """A mass for each row of weights, moved evenly within its cell of the grid."""
        below = np.cumsum(weights, axis=1)
        at: Integers = (below < rng.random(len(weights))[:, None] * below[:, -1:]).sum(axis=1)
        step = float(self.log_mass[1] - self.log_mass[0])
        return np.exp(self.log_mass[at] + step * (rng.random(len(weights)) - 0.5))


# -- Joint tables, and what the prior would learn from simulated tests -------------------------------------------------


#: Least concentration of a cell.
LEAST = 1e-290


def learned_tables(
    recalls: Population,
    errors: LearnedErrors | OrderedErrors,
    wrong: Floats,
    prevalence: DirichletShares | LearnedShares | None,
    known: Floats | None,
    n: int,
    rng: np.random.Generator,
    rng_prevalence: np.random.Generator,
) -> Iterator[Floats]:
    """Draw ``n`` tables p_ij = phi_i r_ij in blocks (m, K, K); phi is drawn from ``prevalence``, or ``known``.

    Row i has theta_i on the diagonal and (1 - theta_i) spread as Dirichlet(masses_ij + wrong_ij), where the masses are
    those of ``errors`` and ``wrong`` (K, K) the counts off the diagonal.
    """
    size = len(recalls)
    step = max(1, BLOCK // size**2)
    for start in range(0, n, step):
        many = min(step, n - start)
        theta = recalls.draw(many, rng)
        alphas = errors.masses(many, rng)
        alphas += wrong
        tables = draws_last(spread(np.maximum(alphas, LEAST, out=alphas), rng))
        tables *= (1 - theta)[..., None]
        tables[:, np.arange(size), np.arange(size)] = theta
        if prevalence is not None:
            tables *= prevalence.draw(many, rng_prevalence)[..., None]
        else:
            tables *= np.asarray(known)[:, None]
        yield tables


def spread(alphas: Floats, rng: np.random.Generator) -> Floats:
    """Dirichlet rows off the diagonal, shape (m, K, K); rows of vanishing mass have all in one cell.

    A Dirichlet of small concentrations is nearly always in one cell, with the probability of its mean; where every
    Gamma variable underflows that limit is drawn.
    """
    size = alphas.shape[-1]
    alphas[:, np.arange(size), np.arange(size)] = 0.0
    cells = rng.standard_gamma(alphas)
    total = cells.sum(axis=-1, keepdims=True)
    empty = total[..., 0] <= 0
    if empty.any():
        chances = np.cumsum(alphas[empty], axis=-1)
        chosen = (chances < rng.random((len(chances), 1)) * chances[:, -1:]).sum(axis=-1)
        cells[empty] = np.arange(size) == chosen[:, None]
        total[empty] = 1.0
    cells /= total
    return cells


Whole = NDArray[np.int64]

#: Fewer nodes than a report has: the sd of a mean recall is within 1%, at a quarter of the time.
COARSE_NODES = (13, 9, 9)

#: For widths, which are few and not simulated: within 0.2% of those of a report, where the nodes above miss up to 1%.
WIDTH_NODES = (13, 9, 13)


def sums_learned_together(right: Whole, cases: Whole, weights: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draws of ``sum_i w_i recall_i`` after each test, (R, K) right answers and cases to (R, draws)."""
    return np.stack(
        [Population(k, n, nodes=COARSE_NODES).draw_sum(weights, draws, rng) for k, n in zip(right, cases, strict=True)]
    )


def widths_learned_together(right: Whole, cases: Whole, weights: Floats, level: float) -> Floats:
    """Widths of the shortest intervals of ``sum_i w_i recall_i`` after each test, (R, K) to (R,), by their laws."""
    laws = [_law(Population(k, n, nodes=WIDTH_NODES).sum_terms(weights)) for k, n in zip(right, cases, strict=True)]
    central = np.array([(1 - level) / 2, (1 + level) / 2])
    return np.array([np.ptp(law.highest_density(level) or law.quantile(central)) for law in laws])


def _law(terms: NodeSum) -> NodeSumLaw | RateLaw:
    try:
        return sum_law([terms])
    except TooDear:  # one class all wrong among perfect ones: of many tests few
        return matched(terms)


def tables_learned_together(
    counts: Whole, known: Floats | None, draws: int, rng: np.random.Generator, *, ordered: bool = False
) -> Iterator[Floats]:
    """Joint tables learned from each test (R, K, K), blocks of shape (1, draws, K, K).

    ``known`` shares of the classes are (K,), or (R, K) where each test has its own; ``ordered`` says that errors have a
    profile over the distance of their ranks, as they have where an ordinal metric is asked for.
    """
    size = counts.shape[-1]
    off = ~np.eye(size, dtype=bool)
    shares_known = None if known is None else np.broadcast_to(known, counts.shape[:2])
    for test, table in enumerate(counts):
        cases = table.sum(-1)
        recalls = Population(np.diagonal(table), cases, nodes=COARSE_NODES)
        wrong = np.where(off, table, 0).astype(float)
        rows, cols = np.nonzero(wrong)
        errors = OrderedErrors(wrong, COARSE) if ordered else LearnedErrors(size, rows, cols, wrong[rows, cols])
        shares = LearnedShares(cases) if shares_known is None else None
        here = None if shares_known is None else shares_known[test]
        yield np.concatenate(list(learned_tables(recalls, errors, wrong, shares, here, draws, rng, rng)))[None]
