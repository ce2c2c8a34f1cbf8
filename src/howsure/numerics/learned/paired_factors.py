"""Two classifiers on the same cases: how often they disagree, in whose favour, and whether both are right, learned.

Per class the four shares both right, only the first, only the second, neither are three factors,

    d = pi10 + pi01      discordance      n10 + n01 of n
    s = pi10 / d         direction        n10 of n10 + n01
    c = pi11 / (1 - d)   agreement        n11 of n11 + n00

each one `Population` over the classes, independent before and after the data: recall_A - recall_B = d (2 s - 1). At one
class, with Betas (1, 1), (1/2, 1/2), (1/2, 1/2), the four shares are Dirichlet(1/2, 1/2, 1/2, 1/2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.evidence import PopulationModel, size_scores
from howsure.numerics.learned.population import Population

#: Prior of a typical direction, and of a typical agreement: half a case on either side.
HALVES = PopulationModel(typical=(0.5, 0.5))

#: Rates drawn at a time.
BLOCK = 1_000_000

#: Numbers held at a time for the variance.
HELD = 4_000_000

#: Nodes with less probability add nothing to a variance.
LEAST = 1e-7


class FactorDraws(NamedTuple):
    """Joint draws of the factors of all classes, or of some, each of shape (n, K)."""

    discordance: Floats
    direction: Floats
    agreement: Floats


class PairedFactors:
    """How two classifiers differ in each of K classes; ``cells`` (K, 4): both right, the first, the second, none."""

    def __init__(self, cells: ArrayLike) -> None:
        self.cells = np.array(cells, dtype=float)
        if self.cells.ndim != 2 or self.cells.shape[1:] != (4,) or not np.all(self.cells >= 0):
            raise ValueError(f"cells are counts of shape (K, 4), 0 or more; got shape {self.cells.shape}")
        both, first, second, neither = self.cells.T
        scores = size_scores(self.cells.sum(axis=1))
        self.discordance = Population(first + second, self.cells.sum(axis=1), t=scores)
        self.direction = Population(first, first + second, t=scores, model=HALVES)
        self._concordant = both, both + neither, scores

    @cached_property
    def agreement(self) -> Population:
        """Population of the agreement, which no difference asks for."""
        right, cases, scores = self._concordant
        return Population(right, cases, t=scores, model=HALVES)

    @property
    def even(self) -> bool:
        """Whether the counts are the same with the classifiers exchanged."""
        return bool(np.array_equal(self.cells[:, 1], self.cells[:, 2]))

    # -- the difference -------------------------------------------------------------------------------------

    def difference_moments(self, weights: Floats) -> tuple[float, float]:
        """Mean and sd of ``sum_i w_i d_i (2 s_i - 1)``, closed over the nodes of both factors.

        The mean of a product is that of its independent factors. Of the variance, what the nodes have in common is a
        sum over pairs of nodes, (nodes_d x K)(K x nodes_s); what classes have of their own is added class by class.
        """
        used = np.flatnonzero(weights)
        w = weights[used]
        (d, d_sd), (s, s_sd) = ((x[used] for x in p.moments) for p in (self.discordance, self.direction))
        u = np.zeros(len(used)) if self.even else 2 * s - 1
        mean = float(w @ (d * u))
        # E u^2 about 0, where the mean of an even direction is exactly one half
        d_square, u_square = d_sd**2 + d**2, 4 * s_sd**2 + u**2
        if len(used) == 1:
            return mean, float(np.sqrt(max(float(w[0] ** 2 * d_square[0] * u_square[0]) - mean**2, 0.0)))
        (p, of_d), (q, of_s) = (_node_means(x, used) for x in (self.discordance, self.direction))
        of_u = 2 * of_s - 1
        own = d_square * u_square - (p @ of_d**2) * (q @ of_u**2)
        together = 0.0
        step = max(1, HELD // len(q))
        for start in range(0, len(p), step):
            part = slice(start, start + step)
            together += float(p[part] @ ((of_d[part] * w) @ of_u.T) ** 2 @ q)
        return mean, float(np.sqrt(max(together + float(w**2 @ own) - mean**2, 0.0)))

    def draw_difference(self, weights: Floats, n: int, seed: Sequence[int]) -> Floats:
        """Draws of the same sum, (n,), of the closed mean and sd; with equal counts in pairs of mirror images."""
        used = np.flatnonzero(weights)
        if not len(used):
            return np.zeros(n)
        drawn = (n + 1) // 2 if self.even else n
        streams = [np.random.default_rng([*seed, kind]) for kind in range(2)]
        parts = []
        for many in _steps(drawn, len(used)):
            d = self.discordance.draw(many, streams[0], used)
            s = self.direction.draw(many, streams[1], used)
            parts.append(np.einsum("nk,nk,k->n", d, 2 * s - 1, weights[used]))
        values = np.concatenate(parts)
        if self.even:
            values = np.concatenate([values, -values])[:n]
        return self._moved(values, weights)

    def draw_rates(self, weights: Floats, n: int, seed: Sequence[int]) -> Floats:
        """Joint draws of ``sum_i w_i recall_i`` of both classifiers, shape (2, n); their difference as it is alone."""
        used = np.flatnonzero(weights)
        streams = [np.random.default_rng([*seed, kind]) for kind in (0, 2)]
        shared = []
        for many in _steps(n, max(1, len(used))):
            d, c = self.discordance.draw(many, streams[0], used), self.agreement.draw(many, streams[1], used)
            shared.append(((1 - d) * c + d / 2) @ weights[used])
        half = self.draw_difference(weights, n, seed) / 2
        middle = np.concatenate(shared)
        return np.stack([middle + half, middle - half])

    def draw(self, n: int, seed: Sequence[int]) -> Iterator[FactorDraws]:
        """All factors of all classes, jointly, in blocks that are together ``n``."""
        streams = [np.random.default_rng([*seed, kind]) for kind in range(3)]
        for many in _steps(n, len(self.cells)):
            yield FactorDraws(
                *(
                    factor.draw(many, stream)
                    for factor, stream in zip((self.discordance, self.direction, self.agreement), streams, strict=True)
                )
            )

    def _moved(self, values: Floats, weights: Floats) -> Floats:
        mean, sd = self.difference_moments(weights)
        middle, spread = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
        if self.even:
            middle = 0.0
        moved = (values - middle) * (sd / spread if spread > 0 else 1.0) + mean
        reach = float(np.abs(weights).sum())
        return np.clip(moved, -reach, reach)


def _steps(n: int, members: int) -> Iterator[int]:
    """Sizes of blocks that are together ``n``."""
    step = max(1, BLOCK // members)
    for start in range(0, n, step):
        yield min(step, n - start)


def _node_means(population: Population, members: Integers) -> tuple[Floats, Floats]:
    """Probability of each node that matters, (N,), and the mean of each member there, (N, K)."""
    nodes = population.nodes
    place = population.tallies.place[members]
    tallies, back = np.unique(place, return_inverse=True)
    alpha, beta = population.main_part(nodes.a, nodes.b, nodes.y, tallies)
    main = alpha / (alpha + beta)
    odd_alpha, odd_beta = (x[tallies] for x in population.broad_part)
    odd = odd_alpha / (odd_alpha + odd_beta)
    share = nodes.broad[:, :, tallies]
    means = (main + share * (odd - main)).reshape(-1, len(tallies))
    weight = nodes.weight.ravel()
    kept = weight > LEAST
    return weight[kept] / weight[kept].sum(), means[kept][:, back]
