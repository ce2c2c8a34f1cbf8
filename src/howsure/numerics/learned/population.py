"""A population that is learned from its members: how good a typical one is, how much they differ, and who is odd.

    theta_i | a, b, kappa ~ Beta(mu_i kappa, (1 - mu_i) kappa),    logit mu_i = a + b t_i       the main part
    theta_i ~ Beta(1/2, 1/2)                                                                   the broad part

with the hyperprior of `howsure.numerics.learned.evidence`. Given the hyperparameters all rates are independent, each of
two Betas (conjugacy), so everything about them is a mixture over the nodes of one box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.evidence import TWO_PARTS, PopulationModel, Tallies, size_scores
from howsure.numerics.learned.hyperparameters import HyperparameterDraws, Nodes, hyperparameter_box
from howsure.numerics.learned.node_sums import NodeSum

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
    def _hyperparameters(self) -> HyperparameterDraws:
        return HyperparameterDraws(self._box)

    def draw(self, n: int, rng: np.random.Generator, only: Integers | slice = ALL) -> Floats:
        """Joint draws of all rates, or of some, shape (n, K); hyperparameters are shared within a draw."""
        at, place = self._hyperparameters(n, rng), self.tallies.place[only]
        tallies, back = np.unique(place, return_inverse=True)
        if len(tallies) < len(place):  # of each tally once, then for its copies
            alpha, beta = (x[:, back] for x in self.main_part(at.a, at.b, at.y, tallies))
        else:
            alpha, beta = self.main_part(at.a, at.b, at.y, place)
        doubtful = np.flatnonzero(self._ever_broad[place])
        if len(doubtful):
            chance = self._chances[(at.share * self._box.a.size + at.node)[:, None], place[doubtful]]
            row, column = np.nonzero(rng.random(chance.shape, dtype=np.float32) < chance)
            column = doubtful[column]
            for each, broad in zip((alpha, beta), self.broad_part, strict=True):
                each[row, column] = broad[place[column]]
        return np.asarray(rng.beta(alpha, beta))

    @cached_property
    def _chances(self) -> NDArray[np.float32]:
        """P(broad) of each distinct tally at each share and node, shape (E * nodes, U)."""
        return self._box.broad.reshape(-1, len(self.tallies.k)).astype(np.float32)

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
