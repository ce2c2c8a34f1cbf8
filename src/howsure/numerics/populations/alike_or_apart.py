"""Rates of members: all alike, apart, of two kinds, or one far below the others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Booleans, Floats, Integers

# -- Rates of a few groups that may all be alike: the chance of that, and joint draws of the rates if they are not -----

#     theta_s = mu                                   the main part, all alike: rho = 0, with probability 1/4
#     theta_s ~ Beta(mu kappa, (1 - mu) kappa)       the main part, 1/(1 + kappa) = rho, otherwise; rho is a share of
# the
#                                                    rho at which mu kappa or (1 - mu) kappa is 1/2, uniform
#     theta_s ~ Beta(1, 1)                           a group unlike the rest, each with probability e, which is 0 with
#                                                    probability 1/2 and Beta(1, 9) otherwise
#     mu ~ Beta(1, 1)
#
# Groups spread no further than that: a Beta with a number below 1/2 holds most of its probability at 0 and 1, and
# would explain groups that are all perfect better than one rate does, the better the more cases they have.
#
# All groups are alike if rho is 0 and none is unlike the rest; then every gap between groups is 0. Otherwise gaps are
# greater than 0. The two answers are kept apart, so that a reader of the gap is told how large it may be if there is
# one.


#: Probability that the main part has no spread, before the data.
ALIKE = 0.25

#: Probability that no group is unlike the rest, before the data: of many groups a few would surely be, if e were not 0.
NONE = 0.5

#: Both numbers of the main part's Beta are ENDS at least; the share of unlike groups is Beta(1, SHARE), their rates
#: Beta(BROAD).
ENDS, SHARE, BROAD = 0.5, 9.0, (1.0, 1.0)

#: Ends of the cells of the share of unlike groups.
SHARES = np.array([0.0, 1e-4, 5e-4, 0.002, 0.006, 0.015, 0.03, 0.06, 0.1, 0.17, 0.27, 0.4, 1.0])

#: Cells of mu to begin with, in the angle arcsin(sqrt(mu)); the last step in units of its standard deviation.
CELLS, STEP = 24, 0.6

#: Cells as small as this are left whole for groups that are not of the main part there, by so many nats.
WHOLE, NO_GROUP = 0.01, 30.0

#: The least share of rho by itself, the ratio of neighbouring ones, and what is kept: within so many nats of the best.
LEAST, RATIO, NATS = 5e-4, 1.6, 13.0

#: From so many groups on rho is looked at more closely, and then again; only within so many nats of the best.
CLOSER, CLOSEST, NEAR = 8, 60, 9.0

#: Cases of a group, and kappa, that are told apart from more: of larger ones the log gamma function has no digits left.
MOST_CASES, MOST_KAPPA = 1e10, 1e12

#: Numbers that are held at once.
BLOCK = 1_000_000


@dataclass(frozen=True, eq=False)
class _Nodes:
    """Nodes of mu at one share of rho: ``angle``, ``step`` (G,), log posterior (E, G), log P(tally) if not unlike."""

    spread: float
    angle: Floats
    step: Floats
    log: Floats
    main: Floats


class AlikeOrApart:
    """Posterior of the rates of S groups, k of n cases each (S,), that are all alike (probability ``alike``), or not.

    ``share`` fixes e; a learned e is small where many groups are alike, and hides a small group that is not. More than
    1e10 cases count as 1e10. ``log_apart`` is the log evidence for groups not all alike, without binomials.
    """

    def __init__(self, k: ArrayLike, n: ArrayLike, *, share: float | None = None) -> None:
        k, n = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
        if k.shape != n.shape or k.ndim != 1 or not len(k):
            raise ValueError(f"k and n must be of one length; got {k.shape}, {n.shape}")
        if not np.all((k >= 0) & (k <= n) & (n > 0) & np.isfinite(n)):
            raise ValueError("k must lie between 0 and n, and n above 0")
        part = np.minimum(1.0, MOST_CASES / n)
        k, n = k * part, n * part
        tallies, place, copies = np.unique(np.stack([k, n]), axis=1, return_inverse=True, return_counts=True)
        self.k, self.n, self.place = k, n, place.ravel()
        self._k, self._n, self._copies = tallies[0], tallies[1], copies.astype(float)
        self._broad = special.betaln(BROAD[0] + tallies[0], BROAD[1] + tallies[1] - tallies[0]) - special.betaln(*BROAD)
        mass = (1 - SHARES[:-1]) ** SHARE - (1 - SHARES[1:]) ** SHARE
        self._share = np.concatenate(([0.0], (SHARES[:-1] + SHARES[1:]) / 2))
        self._log_share = np.log(np.concatenate(([NONE], (1 - NONE) * mass)))
        if share is not None:
            self._share, self._log_share = np.array([share]), np.zeros(1)
        one_rate, sheets = self._sheet(0.0, np.log(ALIKE)), self._spread_sheets()
        nobody = self._nobody(one_rate)
        top = max(float(sheet.log.max()) for sheet in (one_rate, *sheets))
        alike = float(np.exp(one_rate.log - top + nobody).sum())
        self.alike = alike / sum(float(np.exp(sheet.log - top).sum()) for sheet in (one_rate, *sheets))
        # from here on of groups that are not all alike
        with np.errstate(divide="ignore"):
            one_rate.log[...] += np.log(-np.expm1(nobody))
        masses = [float(special.logsumexp(sheet.log)) for sheet in (one_rate, *sheets)]
        self.log_apart = float(special.logsumexp(masses) - np.log(1 - ALIKE))
        top = max(masses)
        self._sheets = [x for x, mass in zip((one_rate, *sheets), masses, strict=True) if mass > top - NATS]
        weight = [np.exp(sheet.log - top) for sheet in self._sheets]
        reached = np.cumsum(np.concatenate([x.ravel() for x in weight]))
        self._reached = reached / reached[-1]

    def __len__(self) -> int:
        return len(self.k)

    # -- nodes ----------------------------------------------------------------------------------------------

    def _spread_sheets(self) -> list[_Nodes]:
        """Nodes at every share of rho above 0: cells of its log, smaller where they matter if groups are many."""
        least = min(LEAST, 0.1 / float(self.n.max()))
        count = int(np.ceil(np.log(1 / least) / np.log(RATIO)))
        ends = np.concatenate(([0.0], np.geomspace(least, 1.0, count + 1)))
        sheets = [self._cell(low, high) for low, high in pairwise(ends.tolist())]
        for fewest in (CLOSER, CLOSEST):
            if len(self.k) < fewest:
                break
            top = max(float(sheet.log.max()) for sheet in sheets)
            near = [bool(sheet.log.max() > top - NEAR) for sheet in sheets]
            parts = [
                np.geomspace(low, high, 4) if split and low > 0 else np.array([low, high])
                for low, high, split in zip(ends[:-1], ends[1:], near, strict=True)
            ]
            kept = [sheet if len(part) == 2 else None for sheet, part in zip(sheets, parts, strict=True)]
            sheets = []
            for part, sheet in zip(parts, kept, strict=True):
                inner = pairwise(part.tolist())
                sheets += [sheet] if sheet is not None else [self._cell(low, high) for low, high in inner]
            ends = np.concatenate([part[:-1] for part in parts] + [[1.0]])
        return sheets

    def _cell(self, low: float, high: float) -> _Nodes:
        """Nodes at the middle of a cell of the share of rho, with the prior of the cell."""
        spread = (low + high) / 2
        return self._sheet(spread, float(np.log(1 - ALIKE) + np.log(high - low)))

    def _sheet(self, spread: float, log_prior: float) -> _Nodes:
        """Nodes of mu at one share of rho: cells of the angle, those that matter in thirds until small enough."""
        hits, cases = float(self.k.sum()), float(self.n.sum())
        nearest = (min(hits, cases - hits) + 0.5) / (cases + 1)
        rho = spread * nearest / (nearest + ENDS)
        sizes = self._copies * self._n / (1 + (self._n - 1) * rho)
        size = float(sizes.sum())
        step, angle = np.pi / 2 / CELLS, (np.arange(CELLS) + 0.5) * np.pi / 2 / CELLS
        highest, whole = -np.inf, []
        while True:
            main = self._main(np.sin(angle)[:, None] ** 2, np.cos(angle)[:, None] ** 2, spread)
            log = self._evidence(main)
            fine = step <= STEP / 2 / np.sqrt(size)
            here = np.full(len(angle), fine)
            if not fine and step <= WHOLE:
                here = step <= STEP / 2 / np.sqrt(self._likely(angle, step, spread) @ sizes + 1)
            whole.append((angle[here], np.full(int(here.sum()), step), log[:, here], main[here]))
            if here.all():
                break
            top = log.max(axis=0)
            highest = max(highest, float(top.max()))
            # a narrow peak between two nodes is at most so much higher than they are
            kept = ~here & (top > highest - NATS - size * step * step / 2)
            angle = (angle[kept][:, None] + step / 3 * np.array([-1.0, 0.0, 1.0])).ravel()
            step /= 3
        angles, steps, logs, mains = (
            np.concatenate([part[i] for part in whole], axis=1 if i == 2 else 0) for i in range(4)
        )
        logs = logs + np.log(np.sin(2 * angles) * steps) + self._log_share[:, None] + log_prior
        return _Nodes(spread, angles, steps, logs, mains)

    def _likely(self, angle: Floats, step: float, spread: float) -> Booleans:
        """Which groups may be of the main part, in cells of the angle, shape (G, U).

        Where a group is unlike the rest, nothing of it changes: billions of counts have narrow peaks all over a plain.
        """
        own = np.clip(np.arcsin(np.sqrt(self._k / self._n)), 1e-8, np.pi / 2 - 1e-8)  # 0/0 at the ends themselves
        nearest = np.clip(own, angle[:, None] - step / 2, angle[:, None] + step / 2)
        most = self._main(np.sin(nearest) ** 2, np.cos(nearest) ** 2, spread)
        return np.asarray(most >= self._broad - NO_GROUP)

    def _main(self, right: Floats, wrong: Floats, spread: float) -> Floats:
        """Log probability of each tally in the main part, shape (G, U), without binomial coefficients."""
        k, n = self._k, self._n
        if spread == 0:
            return np.asarray(special.xlogy(k, right) + special.xlogy(n - k, wrong))
        kappa = _kappa(right, wrong, spread)
        a, b = right * kappa, wrong * kappa
        return np.asarray(special.betaln(a + k, b + n - k) - special.betaln(a, b))

    def _evidence(self, main: Floats) -> Floats:
        both = np.maximum(main, self._broad)
        one, other = np.exp(main - both), np.exp(self._broad - both)
        least = (both * self._copies).sum(axis=1)
        rest = [least + (np.log((1 - e) * one + e * other) * self._copies).sum(axis=1) for e in self._share if e > 0]
        nobody = [(main * self._copies).sum(axis=1)] if self._share[0] == 0 else []
        return np.stack([*nobody, *rest])

    def _nobody(self, sheet: _Nodes) -> Floats:
        """Log probability that no group is unlike the rest, at each share and node, shape (E, G)."""
        odds = self._broad - sheet.main
        with np.errstate(divide="ignore"):
            log_odds = np.log(self._share) - np.log1p(-self._share)
        lost = [np.logaddexp(0.0, each + odds) * self._copies for each in log_odds]
        return -np.stack([each.sum(axis=1) for each in lost])

    # -- draws ----------------------------------------------------------------------------------------------

    def draw(self, count: int, rng: np.random.Generator) -> Floats:
        """Joint draws of all rates if the groups are not all alike, shape (count, S)."""
        at = np.minimum(np.searchsorted(self._reached, rng.random(count), side="right"), len(self._reached) - 1)
        made = np.empty((count, len(self)))
        first = 0
        for sheet in self._sheets:
            here = np.flatnonzero((at >= first) & (at < first + sheet.log.size))
            for start in range(0, len(here), max(1, BLOCK // len(self))):
                part = here[start : start + max(1, BLOCK // len(self))]
                made[part] = self._rates(sheet, at[part] - first, rng)
            first += sheet.log.size
        return made

    def _rates(self, sheet: _Nodes, at: Integers, rng: np.random.Generator) -> Floats:
        share, node = np.divmod(at, len(sheet.angle))
        e = self._share[share][:, None]
        with np.errstate(divide="ignore"):
            odds = np.log(e) - np.log1p(-e) + (self._broad - sheet.main[node])
        chance = special.expit(odds)[:, self.place]
        unlike = rng.random(chance.shape) < chance
        if sheet.spread == 0:
            self._one_at_least(unlike, chance, rng)
        angle = sheet.angle[node] + (rng.random(len(node)) - 0.5) * sheet.step[node]
        right, wrong = np.sin(angle)[:, None] ** 2, np.cos(angle)[:, None] ** 2
        kappa = _kappa(right, wrong, sheet.spread) if sheet.spread else np.zeros_like(right)
        a = self.k + np.where(unlike, BROAD[0], right * kappa if sheet.spread else 1.0)
        b = self.n - self.k + np.where(unlike, BROAD[1], wrong * kappa if sheet.spread else 1.0)
        rates = rng.beta(a, b)
        return np.asarray(rates if sheet.spread else np.where(unlike, rates, right))

    @staticmethod
    def _one_at_least(unlike: np.ndarray, chance: Floats, rng: np.random.Generator) -> None:
        """Make one group at least unlike the rest in every draw: where none is, or too late, the first one is drawn.

        The first unlike group is j with probability proportional to ``chance_j prod_{i<j} (1 - chance_i)``; the groups
        after it are as they were drawn.
        """
        before = np.cumsum(np.log1p(-np.minimum(chance, 1 - 1e-16)), axis=1)
        reached = -np.expm1(before)
        u = rng.random(len(chance)) * reached[:, -1]
        first = np.minimum((reached <= u[:, None]).sum(axis=1), chance.shape[1] - 1)
        places = np.arange(chance.shape[1])
        unlike[places < first[:, None]] = False
        unlike[np.arange(len(first)), first] = True


def _kappa(right: Floats, wrong: Floats, spread: float) -> Floats:
    """Sum of both numbers of the main part's Beta at a share of the largest rho."""
    nearest = np.minimum(right, wrong)
    return np.asarray(np.minimum((nearest + ENDS) / (spread * nearest) - 1, MOST_KAPPA))


# -- Rates of groups that are of two kinds: each group has one of two rates, and nothing else is between them ----------

#     theta_s = mu_1 with probability w, else mu_2        mu_1, mu_2 ~ Beta(1, 1), w ~ Beta(1, 1)
#
# A population with one hump takes two clusters for a wide spread, whose extremes lie further apart than they do.


#: Cells of each rate in the angle arcsin(sqrt(mu)), nodes of w; so often their range is narrowed, to so many nats.
CELLS_OF_TWO_KINDS, SHARES_OF_TWO_KINDS, TIMES, NATS_OF_TWO_KINDS = 20, (np.arange(8) + 0.5) / 8, 4, 12.0


class TwoKinds:
    """Posterior of the rates of S groups of two kinds; ``log_evidence`` is without binomial coefficients."""

    def __init__(self, k: ArrayLike, n: ArrayLike) -> None:
        k, n = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
        tallies, place, copies = np.unique(np.stack([k, n]), axis=1, return_inverse=True, return_counts=True)
        self.place, self._k, self._n = place.ravel(), tallies[0], tallies[1]
        ends = [(0.0, np.pi / 2)] * 2
        for turn in range(TIMES):
            steps = [(high - low) / CELLS_OF_TWO_KINDS for low, high in ends]
            one, two = (
                np.asarray(low + (np.arange(CELLS_OF_TWO_KINDS) + 0.5) * step, dtype=np.float64)
                for (low, _), step in zip(ends, steps, strict=True)
            )
            first, second = self._log(one), self._log(two)
            log = np.stack(
                [
                    np.logaddexp(np.log1p(-w) + first[:, None], np.log(w) + second[None]) @ copies.astype(float)
                    for w in SHARES_OF_TWO_KINDS
                ]
            )
            log += np.log(np.sin(2 * one) * steps[0])[:, None] + np.log(np.sin(2 * two) * steps[1])
            # each pair once: the first rate is the lower one
            log = np.where(one[:, None] < two, log, -np.inf) + np.log(2 / len(SHARES_OF_TWO_KINDS))
            kept = (log > log.max() - NATS_OF_TWO_KINDS).any(axis=0)
            if turn == TIMES - 1:
                break
            ends = [
                _around(kept.any(axis=1 - axis), *end, step)
                for axis, (end, step) in enumerate(zip(ends, steps, strict=True))
            ]
        self.log_evidence = float(special.logsumexp(log))
        self._one, self._two, self._steps = one, two, steps
        self._weight = np.exp(log - log.max()).ravel()
        self._weight /= self._weight.sum()

    def _log(self, angle: Floats) -> Floats:
        return np.asarray(
            2 * special.xlogy(self._k, np.sin(angle)[:, None])
            + 2 * special.xlogy(self._n - self._k, np.cos(angle)[:, None])
        )

    def draw(self, many: int, rng: np.random.Generator) -> Floats:
        """Joint draws of all rates, shape (many, S)."""
        share, i, j = np.unravel_index(
            rng.choice(len(self._weight), many, p=self._weight),
            (len(SHARES_OF_TWO_KINDS), CELLS_OF_TWO_KINDS, CELLS_OF_TWO_KINDS),
        )
        one = self._one[i] + (rng.random(many) - 0.5) * self._steps[0]
        two = self._two[j] + (rng.random(many) - 0.5) * self._steps[1]
        w = SHARES_OF_TWO_KINDS[share][:, None]
        odds = self._log(two) - self._log(one) + np.log(w) - np.log1p(-w)
        second = rng.random((many, len(self.place))) < special.expit(odds)[:, self.place]
        return np.asarray(np.sin(np.where(second, two[:, None], one[:, None])) ** 2)


def _around(kept: Floats, low: float, high: float, step: float) -> tuple[float, float]:
    """The range of the cells that matter, and one more on each side."""
    there = np.flatnonzero(kept)
    return max(0.0, low + (there[0] - 1) * step), min(np.pi / 2, low + (there[-1] + 2) * step)


# -- Members of a family whose rate lies far below the others': by how far, not by which part of a mixture they are ----

# A rate is far below if it is lower than the typical one of the other members by more than `MARGIN` (by more than half
# of the typical one's distance to chance, if that is less), and lower than the least of so many members like the
# others would be; or lower than half the rate of a guesser, where most of the others are above that. What is known of
# the others leaves the member out:
#
#     theta_i ~ Beta(mu kappa, (1 - mu) kappa)    most of them: no number of the Beta is below 1/2, so that no family
# is
#                                                 explained by members that are nearly all 1 or 0
#     theta_i ~ Beta(1/2, 1/2)                    a share of e, so that several odd members do not hide each other
#
# mu and kappa are integrated over cells, e is the mean of its posterior. Tails of a Beta end soon; the limit allows
# for logits with those of Student's t with `TAILS` degrees of freedom.


#: A rate that is lower by less than this is not far below.
MARGIN = 0.1

#: Expected number of members like the others that are below the limit, of as many as there are; degrees of freedom.
BELOW, TAILS = 0.12, 4.0

#: Nodes of e, and its prior Beta(1, ODD_SHARE).
ODD_SHARES, ODD_SHARE = np.array([0.0005, 0.002, 0.005, 0.012, 0.03, 0.06, 0.1, 0.16, 0.25]), 9.0

#: Cells of rho as shares of the largest one.
RHO = np.concatenate(([0.0, 0.001, 0.004, 0.01], np.linspace(0.03, 1.0, 11)))

#: Cells of mu in the angle arcsin(sqrt(mu)); the range is narrowed so often, to so many nats of the best.
NATS_OF_FAR = 12.0

#: Places where the rates of the others are looked at.
PLACES = np.sin(np.linspace(0, np.pi / 2, 129)[1:-1]) ** 2

#: Tallies that the range is narrowed by.
FEW = 500


@dataclass(frozen=True, eq=False)
class FarBelow:
    """For each member: the probability of being far below, the limit for that, and the others' typical rate."""

    probability: Floats
    limit: Floats
    typical: Floats


def far_below(k: ArrayLike, n: ArrayLike, chance: float, *, families: int = 1) -> FarBelow:
    """Whether each of S members, k of n right, is far below the others; ``chance`` is the rate of a guesser."""
    pairs = np.stack([np.asarray(k, dtype=float), np.asarray(n, dtype=float)])
    tallies, place, times = np.unique(pairs, axis=1, return_inverse=True, return_counts=True)
    below = BELOW / (max(1, int((pairs[1] > 0).sum())) * families)
    made = _far_below(tallies[0], tallies[1], np.where(tallies[1] > 0, times, 0.0), chance, below)
    return FarBelow(*(x[place.ravel()] for x in made))


def _far_below(k: Floats, n: Floats, copies: Floats, chance: float, below: float) -> tuple[Floats, Floats, Floats]:
    """Probabilities, limits and typical rates of distinct tallies."""
    a, b, log = _cells_of_others(k, n, copies)
    main, broad = _log_beta_binomial(a, b, k, n), special.betaln(0.5 + k, 0.5 + n - k) - np.log(np.pi)
    share = _share_of_odd(log, main, broad, copies)
    odd = np.log(share) + broad
    each = np.logaddexp(np.log1p(-share) + main, odd)
    total = log + each @ copies
    without = total[:, None] - np.where(copies > 0, each, 0.0)
    reached = _weights(without).T @ special.betainc(a[:, None], b[:, None], PLACES)
    typical, fourth, tenth, least = (
        np.array([np.interp(p, row, PLACES) for row in reached]) for p in (0.5, 0.25, 0.1, below)
    )
    far = special.stdtrit(TAILS, below) / special.stdtrit(TAILS, 0.1) if below < 0.1 else 1.0
    middle = special.logit(typical)
    tail = special.expit(middle - far * np.maximum(middle - special.logit(tenth), 0.0))
    margin = np.clip((typical - chance) / 2, 0.0, MARGIN)
    # two others say too little of the least; half as often right as by guessing is no member of those above that
    worse = np.where(fourth > chance / 2, np.minimum(chance / 2, typical - margin), 0.0)
    limit = np.maximum(np.minimum(np.minimum(typical - margin, least), tail), worse)
    weight, rest = _weights(total), np.exp(odd - each)
    inside = special.betainc(a[:, None] + k, b[:, None] + n - k, limit)
    own = special.betainc(0.5 + k, 0.5 + n - k, limit)
    probability = weight @ ((1 - rest) * inside + rest * own)
    return np.where(n > 0, probability, 0.0), limit, typical


def _cells_of_others(k: Floats, n: Floats, copies: Floats) -> tuple[Floats, Floats, Floats]:
    """Numbers of the Betas of the main part where they matter, and the log of their prior, shape (G,) each."""
    order = np.lexsort((k / np.maximum(n, 1), n))
    some = order[np.linspace(0, len(order) - 1, min(FEW, len(order))).astype(int)]
    k, n, copies = k[some], n[some], copies[some]
    broad = np.log(0.03) + special.betaln(0.5 + k, 0.5 + n - k) - np.log(np.pi)
    low, high = 0.0, np.pi / 2
    for turn in range(TIMES):
        step = (high - low) / CELLS
        angle = low + (np.arange(CELLS) + 0.5) * step
        mu, spread = (x.ravel() for x in np.meshgrid(np.sin(angle) ** 2, (RHO[1:] + RHO[:-1]) / 2, indexing="ij"))
        near = np.minimum(mu, 1 - mu)
        kappa = (near + ENDS) / (spread * near) - 1
        a, b = mu * kappa, (1 - mu) * kappa
        log = np.log(np.outer(np.sin(2 * angle), np.diff(RHO))).ravel()
        seen = log + np.logaddexp(_log_beta_binomial(a, b, k, n), broad) @ copies
        kept = seen > seen.max() - NATS_OF_FAR
        there = np.flatnonzero(kept.reshape(CELLS, -1).any(axis=1))
        if turn == TIMES - 1 or len(there) > CELLS // 2:
            break
        low, high = max(0.0, low + (there[0] - 1) * step), min(np.pi / 2, low + (there[-1] + 2) * step)
    return a[kept], b[kept], log[kept]


def _share_of_odd(log: Floats, main: Floats, broad: Floats, copies: Floats) -> float:
    """Posterior mean of the share of members that are unlike the others."""
    cell = np.gradient(ODD_SHARES) * (1 - ODD_SHARES) ** (ODD_SHARE - 1)
    seen = [special.logsumexp(log + np.logaddexp(np.log1p(-e) + main, np.log(e) + broad) @ copies) for e in ODD_SHARES]
    return float(_weights(np.array(seen) + np.log(cell)) @ ODD_SHARES)


def _log_beta_binomial(a: Floats, b: Floats, k: Floats, n: Floats) -> Floats:
    return np.asarray(special.betaln(a[:, None] + k, b[:, None] + n - k) - special.betaln(a, b)[:, None])


def _weights(log: Floats) -> Floats:
    made = np.exp(log - log.max(axis=0))
    return np.asarray(made / made.sum(axis=0))
