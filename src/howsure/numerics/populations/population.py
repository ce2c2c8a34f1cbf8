"""A population that is learned from its members: how good a typical one is, how much they differ, and who is odd.

    theta_i | a, b, kappa ~ Beta(mu_i kappa, (1 - mu_i) kappa),    logit mu_i = a + b t_i       the main part
    theta_i ~ Beta(1/2, 1/2)                                                                   the broad part

with the hyperprior of `howsure.numerics.populations.nodes`. Given the hyperparameters all rates are independent, each
of two Betas (conjugacy), so everything about them is a mixture over the nodes of one box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.populations.node_sums import NodeSum
from howsure.numerics.populations.nodes import (
    TWO_PARTS,
    Nodes,
    PopulationModel,
    Tallies,
    hyperparameter_box,
    size_scores,
)

#: Nodes with less probability are left out of a law.
LEAST = 1e-10

#: Least parameter of a Beta; smaller ones give the same 0 or 1.
FLOOR = 1e-30

#: A member whose probability of the broad part is below this at every node is not asked for it in a draw.
SURELY_MAIN = 1e-7

#: Which members, if none are chosen.
ALL = slice(None)

#: Places between a node and its neighbours, in steps.
BETWEEN = (np.arange(12) - 5.5) / 6

#: A hump over each node; those of neighbours add up to 1 everywhere. Six to a step.
HUMP = np.cos(0.5 * np.pi * BETWEEN) ** 2 / 6

#: Cases that keep a sum from a vertex, where each rate is 0 or 1, below which nodes are not spread: the law has a peak
#: there at every node, which stays where it is.
FEW_CASES = 2

#: Rates drawn, or moments computed, at a time.
BLOCK = 1_000_000


@dataclass(frozen=True)
class PopulationSummary:
    """Posterior means of the typical rate, of rho = 1/(1 + kappa), of the slope b, and of the share e."""

    recall: float
    correlation: float
    slope: float
    broad: float


@dataclass(frozen=True, eq=False)
class PopulationNodes:
    """Nodes that matter: ``a, b, y`` (G,), ``weight`` and shares e (E, G), P(each tally is broad) (E, G, U)."""

    a: Floats
    b: Floats
    y: Floats
    share: Floats
    weight: Floats
    broad: Floats


class DrawnNodes(NamedTuple):
    """Draws of ``a, b, y``, each of shape (n,), and which of E * G shares and nodes each is near."""

    a: Floats
    b: Floats
    y: Floats
    node: Integers


class Population:
    """Joint posterior of the rates of K members, k of n cases right each (K,), under a learned population.

    A member without cases takes part as the smallest tested one would. The size scores ``t`` (K,) are the centred log
    of ``n`` if left out; ``nodes`` in log kappa, b and a are by default enough for 1e-2 standard deviations of a mean.
    """

    def __init__(
        self,
        k: ArrayLike,
        n: ArrayLike,
        *,
        t: ArrayLike | None = None,
        model: PopulationModel = TWO_PARTS,
        nodes: Nodes | None = None,
    ) -> None:
        self.k, self.n = np.array(k, dtype=float), np.array(n, dtype=float)
        if self.k.shape != self.n.shape or self.k.ndim != 1 or not len(self.k):
            raise ValueError(f"k and n must be of one length; got {self.k.shape}, {self.n.shape}")
        if not np.all((self.k >= 0) & (self.k <= self.n) & np.isfinite(self.n)):
            raise ValueError("k must lie between 0 and n")
        self.t = size_scores(self.n) if t is None else np.array(t, dtype=float)
        if self.t.shape != self.k.shape or not np.isfinite(self.t).all():
            raise ValueError(f"t needs {len(self.k)} finite size scores; got shape {self.t.shape}")
        if np.ptp(self.t) == 0:
            self.t = np.zeros(len(self.k))
        self.model = model
        self.tallies = Tallies.of(self.k, self.n, self.t, model)
        self._box = hyperparameter_box(self.tallies, model, nodes)

    def __len__(self) -> int:
        return len(self.k)

    # -- nodes ----------------------------------------------------------------------------------------------

    @cached_property
    def _kept(self) -> Integers:
        """Nodes of a sheet, of all shares together, that matter; their places in the flattened sheets."""
        return np.flatnonzero(self._box.weight.sum(axis=1).ravel() > LEAST)

    @cached_property
    def nodes(self) -> PopulationNodes:
        """Nodes that matter, with their probabilities."""
        box, kept = self._box, self._kept
        weight = np.moveaxis(box.weight, 1, 0).reshape(box.share.shape[1], -1)[:, kept]
        b = np.broadcast_to(box.b[..., None], box.a.shape).ravel()[kept]
        sheet = kept // (box.a.shape[1] * box.a.shape[2])
        return PopulationNodes(
            box.a.ravel()[kept], b, box.centre.y[sheet], box.share[sheet].T, weight / weight.sum(), box.broad[:, kept]
        )

    def main_part(self, a: Floats, b: Floats, y: Floats, tallies: Integers | slice = ALL) -> tuple[Floats, Floats]:
        """Parameters of the Betas of distinct tallies in the main part, given G nodes, shapes (G, U)."""
        k, n, t = self.tallies.k[tallies], self.tallies.n[tallies], self.tallies.t[tallies]
        eta, kappa = a[:, None] + b[:, None] * t, np.exp(y)[:, None]
        # a rate that is surely 0 or 1 stays a Beta: its smaller parameter may underflow
        return (
            np.maximum(special.expit(eta) * kappa + k, FLOOR),
            np.maximum(special.expit(-eta) * kappa + n - k, FLOOR),
        )

    @property
    def broad_part(self) -> tuple[Floats, Floats]:
        """Parameters of the Betas of distinct tallies in the broad part, shapes (U,); 1, 1 where there is none."""
        a, b = self.model.broad or (1.0, 1.0)
        return a + self.tallies.k, b + self.tallies.n - self.tallies.k

    # -- what is known of members ---------------------------------------------------------------------------

    @cached_property
    def broad_probability(self) -> Floats:
        """Probability that each member comes from the broad part, shape (K,)."""
        nodes = self.nodes
        return np.asarray(np.einsum("eg,egu->u", nodes.weight, nodes.broad)[self.tallies.place])

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """Mean and sd of every rate, shape (K,) each, in closed form over the nodes."""
        nodes, tallies = self.nodes, self.tallies
        means, squares = np.empty(len(tallies.k)), np.empty(len(tallies.k))
        total = nodes.weight.sum(axis=0)
        step = max(1, BLOCK // len(nodes.a))
        for start in range(0, len(means), step):
            part = slice(start, start + step)
            broad = np.einsum("eg,egu->gu", nodes.weight, nodes.broad[:, :, part])
            one, two = _two_moments(*self.main_part(nodes.a, nodes.b, nodes.y, part))
            odd, odd_two = _two_moments(*(x[part] for x in self.broad_part))
            main = total[:, None] - broad
            means[part] = (main * one).sum(0) + broad.sum(0) * odd
            squares[part] = (main * two).sum(0) + broad.sum(0) * odd_two
        sds = np.sqrt(np.maximum(squares - means**2, 0.0))
        return means[tallies.place], sds[tallies.place]

    def sum_terms(self, coefficients: ArrayLike, shift: float = 0.0) -> NodeSum:
        """``shift + sum_i w_i theta_i``, weights (K,), as terms given every node; equal terms are one with copies."""
        w = np.asarray(coefficients, dtype=float)
        if w.shape != self.k.shape or not np.isfinite(w).all() or not w.any():
            raise ValueError(f"{len(self)} rates need as many finite weights, not all 0; got shape {w.shape}")
        nodes, used = self.nodes, w != 0
        # complex numbers sort as pairs
        terms, copies = np.unique(self.tallies.place[used] + 1j * w[used], return_counts=True)
        tally, w_of = terms.real.astype(np.int64), terms.imag.copy()
        alpha, beta = self.main_part(nodes.a, nodes.b, nodes.y, tally)
        (offset, share), (broad_alpha, broad_beta) = self._spread, self.broad_part
        if np.minimum(self.k, self.n - self.k)[w != 0].sum() < FEW_CASES:
            offset, share = np.zeros((len(nodes.a), 1)), np.ones((len(nodes.a), 1))
        odd = np.einsum("eg,egu->gu", nodes.weight, nodes.broad[:, :, tally]) / nodes.weight.sum(axis=0)[:, None]
        kappa, t = np.exp(nodes.y[:, None]), self.tallies.t[tally]
        pull = (1 - odd) * kappa / (kappa + self.tallies.n[tally]) * (w_of * copies)
        eta = nodes.a[:, None] + nodes.b[:, None] * t
        moved = special.expit(eta[:, None, :] + offset[:, :, None]) - special.expit(eta)[:, None, :]
        return NodeSum(
            nodes.weight,
            alpha,
            beta,
            broad_alpha[tally],
            broad_beta[tally],
            nodes.broad[:, :, tally],
            w_of,
            copies.astype(float),
            np.einsum("gpu,gu->gp", moved, pull),
            share,
            shift,
        )

    @cached_property
    def _spread(self) -> tuple[Floats, Floats]:
        """Places between a node and its neighbours in a, and their shares of its weight, (G, P) each.

        Nodes are a comb where classes are alike; the posterior of ``a`` is not. A hump over each node, times the
        weights as an interpolated density, makes of all nodes together the posterior again.
        """
        box, kept = self._box, self._kept
        if box.a.shape[2] == 1:
            return np.zeros((len(kept), 1)), np.ones((len(kept), 1))
        mass = np.log(np.maximum(box.weight.sum(axis=1), 1e-300))
        lean, step, turn = np.gradient(mass, axis=2), np.gradient(box.a, axis=2), np.zeros(box.a.shape)
        turn[:, :, 1:-1] = mass[:, :, 2:] - 2 * mass[:, :, 1:-1] + mass[:, :, :-2]
        bend = np.zeros(box.a.shape)
        bend[:, :, 1:-1] = box.a[:, :, 2:] - 2 * box.a[:, :, 1:-1] + box.a[:, :, :-2]
        lean, turn, step, bend = (x.ravel()[kept, None] for x in (lean, turn, step, bend))
        share = np.exp(np.minimum(lean * BETWEEN + 0.5 * turn * BETWEEN**2, 50.0)) * HUMP
        return step * BETWEEN + 0.5 * bend * BETWEEN**2, share

    # -- draws ----------------------------------------------------------------------------------------------

    @cached_property
    def _between(self) -> tuple[Floats, tuple[int, ...]]:
        """Probabilities of nodes and of the places between, added up, and their shape (E, G, P)."""
        mass = self.nodes.weight[:, :, None] * self._spread[1]
        return np.cumsum(mass), mass.shape

    def draw_nodes(self, n: int, rng: np.random.Generator) -> DrawnNodes:
        """Draw ``n`` of the hyperparameters: a node, and ``a`` at one of the places between it and its neighbours."""
        reached, shape = self._between
        cell = np.minimum(np.searchsorted(reached, rng.random(n) * reached[-1]), len(reached) - 1)
        share, node, place = np.unravel_index(cell, shape)
        nodes = self.nodes
        return DrawnNodes(
            nodes.a[node] + self._spread[0][node, place], nodes.b[node], nodes.y[node], share * shape[1] + node
        )

    def draw(self, n: int, rng: np.random.Generator, only: Integers | slice = ALL) -> Floats:
        """Joint draws of all rates, or of some, shape (n, K); hyperparameters are shared within a draw."""
        at, place = self.draw_nodes(n, rng), self.tallies.place[only]
        tallies, back = np.unique(place, return_inverse=True)
        if len(tallies) < len(place):  # of each tally once, then for its copies
            alpha, beta = (x[:, back] for x in self.main_part(at.a, at.b, at.y, tallies))
        else:
            alpha, beta = self.main_part(at.a, at.b, at.y, place)
        doubtful = np.flatnonzero(self._ever_broad[place])
        if len(doubtful):
            chance = self._chances[at.node[:, None], place[doubtful]]
            row, column = np.nonzero(rng.random(chance.shape, dtype=np.float32) < chance)
            column = doubtful[column]
            for each, broad in zip((alpha, beta), self.broad_part, strict=True):
                each[row, column] = broad[place[column]]
        return np.asarray(rng.beta(alpha, beta))

    @cached_property
    def _chances(self) -> NDArray[np.float32]:
        """P(broad) of each distinct tally at each share and node, shape (E * G, U)."""
        return self.nodes.broad.reshape(-1, len(self.tallies.k)).astype(np.float32)

    @cached_property
    def _ever_broad(self) -> Floats:
        return np.asarray(self.nodes.broad.max(axis=(0, 1)) > SURELY_MAIN)

    def draw_sum(self, weights: Floats, n: int, rng: np.random.Generator) -> Floats:
        """Draws of ``sum_i w_i theta_i``, shape (n,), without holding all rates; those of weight 0 are not drawn."""
        used = np.flatnonzero(weights)
        step = max(1, BLOCK // max(1, len(used)))
        blocks: Iterator[Floats] = (self.draw(min(step, n - i), rng, used) for i in range(0, n, step))
        return np.concatenate([np.einsum("nk,k->n", block, weights[used]) for block in blocks])

    def summary(self) -> PopulationSummary:
        """Posterior means of the hyperparameters."""
        nodes = self.nodes
        weight = nodes.weight.sum(axis=0)
        return PopulationSummary(
            float(weight @ special.expit(nodes.a)),
            float(weight @ special.expit(-nodes.y)),
            float(weight @ nodes.b),
            float((nodes.weight * nodes.share).sum()),
        )


def _two_moments(alpha: Floats, beta: Floats) -> tuple[Floats, Floats]:
    mass = alpha + beta
    mean = alpha / mass
    return mean, mean**2 + mean * (beta / mass) / (mass + 1)


# -- Two classifiers on the same cases: how often they disagree, in whose favour, and whether both are right, learned --

# Per class the four shares both right, only the first, only the second, neither are three factors,
#
#     d = pi10 + pi01      discordance      n10 + n01 of n
#     s = pi10 / d         direction        n10 of n10 + n01
#     c = pi11 / (1 - d)   agreement        n11 of n11 + n00
#
# each one `Population` over the classes, independent before and after the data: recall_A - recall_B = d (2 s - 1). At
# one class, with Betas (1, 1), (1/2, 1/2), (1/2, 1/2), the four shares are Dirichlet(1/2, 1/2, 1/2, 1/2).


#: Prior of a typical direction, and of a typical agreement: half a case on either side.
HALVES = PopulationModel(typical=(0.5, 0.5))

#: Numbers held at a time for the variance.
HELD = 4_000_000

#: Nodes with less probability add nothing to a variance.
LEAST_OF_PAIRS = 1e-7


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
        reach = float(np.abs(weights).sum())
        if np.count_nonzero(weights) == 1 and not self.even:
            return np.clip(_sides_of(values, mean, sd), -reach, reach)
        middle, spread = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
        if self.even:
            middle = 0.0
        moved = (values - middle) * (sd / spread if spread > 0 else 1.0) + mean
        return np.clip(moved, -reach, reach)


def _sides_of(values: Floats, mean: float, sd: float) -> Floats:
    """Draws of this mean and sd, with the signs that they have."""
    # each side of 0 is stretched: so much may lie next to 0 that a step as small as the noise of the mean turns many
    gain, loss = np.maximum(values, 0.0), np.maximum(-values, 0.0)
    first, second = float(gain.mean()), float(loss.mean())
    if not first or not second:
        return values
    # stretched by u and by v = (u first - mean) / second, the second moment is a quadratic in u
    squares = float((gain**2).mean()), float((loss**2).mean()) / second**2
    a, b, c = squares[0] + squares[1] * first**2, -2 * squares[1] * first * mean, squares[1] * mean**2 - sd**2 - mean**2
    root = b * b - 4 * a * c
    if root < 0:
        return values
    ways = [((sign * root**0.5 - b) / (2 * a)) for sign in (1, -1)]
    u = min(ways, key=lambda way: abs(way - 1))
    v = (u * first - mean) / second
    return values if min(u, v) <= 0 else u * gain - v * loss


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
    kept = weight > LEAST_OF_PAIRS
    return weight[kept] / weight[kept].sum(), means[kept][:, back]


# -- Whether a slice is like those before it: its own rate beside that of a new slice of their population --------------


class AfterOthers(NamedTuple):
    """Draws of the mean rate that a new slice was expected to have, and of that of the slice that came; shape (n,)."""

    expected: Floats
    seen: Floats

    @property
    def lower(self) -> float:
        """Probability that the slice that came is lower."""
        return float((self.seen < self.expected).mean())


def after_others(k: ArrayLike, n: ArrayLike, a: float, b: float, draws: int, rng: np.random.Generator) -> AfterOthers:
    """Draw what is expected after slices in time, k of n right (J, S), and what is known of the last, Beta(a, b) alone.

    The slices before are a population without a slope on their sizes, and the new one is expected from its main part:
    like most, whatever a few odd ones were; of these ``lower`` is 0.975 or more in about one of forty.
    """
    right, cases = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    expected, seen = np.zeros(draws), np.zeros(draws)
    for hits, sizes in zip(right, cases, strict=True):
        before = Population(np.append(hits[:-1], 0.0), np.append(sizes[:-1], 0.0), t=np.zeros(len(hits)))
        at = before.draw_nodes(draws, rng)
        new = before.main_part(at.a, at.b, at.y, before.tallies.place[-1:])
        expected += rng.beta(*(x[:, 0] for x in new)) / len(right)
        seen += rng.beta(a + hits[-1], b + sizes[-1] - hits[-1], draws) / len(right)
    return AfterOthers(expected, seen)
