"""Cases that come in groups: the mean of their population, whose rates may go with their size, and of its powers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
from howsure.numerics.populations.logit_laws import InterpolatedLaw, LogDensity
from howsure.numerics.populations.nodes import ONE_PART, Tallies, hyperparameter_box, log_rising_excess

# -- The mean of a population of groups, and how alike the cases of one group are --------------------------------------

#     theta_g | mu, rho ~ Beta(mu kappa, (1 - mu) kappa),    k_g | theta_g ~ Binomial(n_g, theta_g)
#     mu ~ Beta(1, 1),    rho = 1/(1 + kappa) ~ Beta(1, 3), or 1 with probability 1/10
#
# ``theta_g`` is the rate of group g, ``mu`` what a new case from a new group may expect, and ``rho`` the correlation
# of two cases of one group (the intraclass correlation). The rates integrate out: k_g is beta-binomial (Griffiths
# 1973; Brodersen et al. 2013 for classifiers, with a normal in place of the Beta). Where rho is 1 the cases of a group
# are copies of one, and a group counts as one case; that is possible only where no group is right in part.


#: Nodes in y = log kappa, and in the logit of mu, whose farthest are so many of its standard deviations out.
SPREADS, MEANS, REACH = 25, 73, 30.0

#: Where nodes lie is found from groups in bins of the logarithm of the size and of the share of right cases.
BIN_OF_SIZE, BIN_OF_SHARE = 0.4, 0.08

#: The range of y is widened where an end of it is less than so many nats below the top, and narrowed to so many; how
#: often at most, and by how many nodes.
ENOUGH, NATS, TURNS, FAR_MORE = 9.0, 13.0, 12, 12

#: From so many distinct counts on near ones, from 200 cases on, are taken together, within so much of their logarithm.
MANY, WIDTH, EXACT = 1_000, 0.01, 200.0

#: Probability beforehand that cases of one group are copies of one case (rho = 1), which Beta(1, 3) has none of.
COPIES = 0.1

#: Where the prior of y is added up.
EVERY_Y = np.linspace(-40.0, 40.0, 1_601)

#: Numbers that are held at once.
BLOCK = 4_000_000

#: A rising factorial is taken factor by factor where so many factors cost no more than one Stirling series.
FACTORS = 16


class PopulationMean:
    """Posterior of the mean mu ~ Beta(typical) of a population of groups, k of n cases right each (G,)."""

    #: Error of the cdf beside that of interpolation.
    error = 0.0

    def __init__(self, k: ArrayLike, n: ArrayLike, typical: tuple[float, float] = (1.0, 1.0)) -> None:
        k, n = np.array(k, dtype=float), np.array(n, dtype=float)
        used = n > 0
        self.k, self.n, self.model = k[used], n[used], replace(ONE_PART, typical=typical)
        if not len(self.k) or min(typical) <= 0 or np.any((self.k < 0) | (self.k > self.n)):
            raise ValueError("a population needs groups with 0 <= k <= n cases, and a proper prior of its mean")

    def __len__(self) -> int:
        return len(self.k)

    @cached_property
    def _binned(self) -> Tallies:
        keys = np.round([np.log(self.n) / BIN_OF_SIZE, self.k / self.n / BIN_OF_SHARE])
        place = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
        copies = bincount(place).astype(float)
        k, n = (bincount(place, x) / copies for x in (self.k, self.n))
        return Tallies(k, n, np.zeros(len(k)), copies, self.model.log_broad(k, n), place)

    @cached_property
    def _surface(self) -> tuple[Floats, float, float, Floats, Floats]:
        """Nodes y (Y,), the scale of the logits (centre, scale, u) and the log density (Y, M)."""
        box = hyperparameter_box(self._binned, self.model, (SPREADS, 1, 9))
        weight = box.weight.sum(axis=1)
        centre = float((weight * box.a).sum())
        scale = float(np.sqrt((weight * (box.a - centre) ** 2).sum()))
        low, high = float(box.centre.y[0]), float(box.centre.y[-1])
        u = np.linspace(-1, 1, MEANS) * float(np.arcsinh(REACH))
        for _ in range(TURNS):  # bins are no groups: the nodes follow what the groups say
            y, a = np.linspace(low, high, SPREADS), centre + scale * np.sinh(u)
            surface = self.log_density(a, y)
            height = surface + np.log(np.cosh(u))
            profile = np.logaddexp.reduce(height, axis=1)
            profile -= profile.max()
            mass = np.exp(height - height.max())
            mass /= mass.sum()
            mean = float((mass @ a).sum())
            sd = float(np.sqrt((mass @ (a - mean) ** 2).sum()))
            kept = np.flatnonzero(profile > -NATS)
            step = (high - low) / (SPREADS - 1)
            below, above = (FAR_MORE if profile[end] > -ENOUGH else 1 for end in (0, -1))
            first, last = max(int(kept[0]) - below, -FAR_MORE), min(int(kept[-1]) + above, SPREADS - 1 + FAR_MORE)
            first, last = first if below > 1 else max(first, 0), last if above > 1 else min(last, SPREADS - 1)
            if (
                below == above == 1
                and last - first > 0.55 * SPREADS
                and abs(mean - centre) < scale
                and 0.5 < sd / scale < 2
            ):
                break
            low, high = low + first * step, low + last * step
            centre, scale = mean, max(sd, scale / 8)
        return y, centre, scale, u, surface

    def log_density(self, a: Floats, y: Floats) -> Floats:
        """Log posterior density of the logits (M,) of mu and of y = log kappa (Y,), up to a constant, (Y, M)."""
        log_q = -np.logaddexp(0, a)
        log_p = a + log_q
        total = self.model.log_prior(a, np.zeros_like(a), y[:, None] + 0 * a)
        for log_share, count in ((log_p, self.k), (log_q, self.n - self.k)):
            counts, copies = distinct(count)
            log_x = np.maximum(log_share + y[:, None], -600.0).ravel()
            total = total + log_share * float(copies @ counts) + rising(log_x, counts, copies).reshape(total.shape)
        counts, copies = distinct(self.n)
        return np.asarray(total - rising(y, counts, copies)[:, None])

    @cached_property
    def nodes(self) -> tuple[Floats, Floats, Floats]:
        """Nodes y = log kappa (Y,), logits of mu (M,), and their probabilities (Y, M)."""
        y, centre, scale, u, surface = self._surface
        height = surface + np.log(np.cosh(u))
        mass = np.exp(height - height.max())
        return y, centre + scale * np.sinh(u), mass / mass.sum()

    @cached_property
    def densities(self) -> tuple[list[LogDensity], Floats]:
        """Density of the logit of mu at every node y, and the logarithm of its height (Y,)."""
        _, centre, scale, u, surface = self._surface
        return [LogDensity(centre, scale, u, row, self._powers) for row in surface], surface.max(axis=1)

    @property
    def _powers(self) -> tuple[float, float]:
        right, wrong = np.count_nonzero(self.k), np.count_nonzero(self.k < self.n)
        return self.model.typical[0] + right, self.model.typical[1] + wrong

    @cached_property
    def density(self) -> LogDensity:
        """Density of the logit of mu."""
        _, centre, scale, u, surface = self._surface
        rows = np.logaddexp.reduce(surface, axis=0)
        if self._copied is not None:
            rows = np.logaddexp(rows, self._copied)
        return LogDensity(centre, scale, u, rows, self._powers)

    @cached_property
    def _copied(self) -> Floats | None:
        y, centre, scale, u, _ = self._surface
        return self.log_copied(centre + scale * np.sinh(u), float(y[1] - y[0]))

    def log_copied(self, a: Floats, cell: float) -> Floats | None:
        """What rho = 1 adds at each logit (M,) to a density that is a sum of so wide cells; None where it cannot be 1.

        It can where all cases of each group are right, or all wrong, and groups differ: then cases of a group say no
        more than one of them, however many there are.
        """
        right = self.k == self.n
        if not np.all(right | (self.k == 0)) or right.all() or not right.any() or self.n.max() <= 1:
            return None
        known = float(np.count_nonzero(right))
        log_q = -np.logaddexp(0, a)
        prior = np.logaddexp.reduce(self.model.log_prior(a, np.zeros_like(a), EVERY_Y[:, None] + 0 * a), axis=0)
        odds = np.log(COPIES / (1 - COPIES) * (EVERY_Y[1] - EVERY_Y[0]) / cell)
        return np.asarray(prior + odds + known * (a + log_q) + (len(self) - known) * log_q)

    @cached_property
    def copies(self) -> tuple[LogDensity, float, float] | None:
        """Density of the logit of mu where rho is 1, the logarithm of its height, and the probability that it is."""
        if self._copied is None:
            return None
        _, centre, scale, u, surface = self._surface
        row, stretch = self._copied, np.log(np.cosh(u))
        inside = np.logaddexp.reduce(row + stretch)
        whole = np.logaddexp(inside, np.logaddexp.reduce((surface + stretch).ravel()))
        return LogDensity(centre, scale, u, row, self._powers), float(row.max()), float(np.exp(inside - whole))

    @cached_property
    def law(self) -> InterpolatedLaw:
        """Law of mu."""
        return InterpolatedLaw(self.density)

    @cached_property
    def correlation(self) -> InterpolatedLaw:
        """Law of rho, the correlation of two cases of one group."""
        y, _, scale, u, surface = self._surface
        profile = np.logaddexp.reduce(surface + np.log(scale * np.cosh(u)), axis=1)
        mixed = np.count_nonzero((self.k > 0) & (self.k < self.n))
        # the logit of rho is -y; an even scale is a stretched one far from where it bends
        t, far = -y[::-1], 1e4 * float(np.ptp(y))
        even = (t - t.mean()) / far
        return InterpolatedLaw(LogDensity(float(t.mean()), far, even, profile[::-1], (1.0, self.model.spread + mixed)))


def distinct(count: Floats) -> tuple[Floats, Floats]:
    """Distinct counts above 0 and how often they come; of very many, large ones within a fraction of a percent."""
    counts, copies = np.unique(count[count > 0], return_counts=True)
    times = copies.astype(float)
    if len(counts) <= MANY:
        return counts, times
    cell = np.where(counts < EXACT, counts, EXACT + np.floor(np.log(counts / EXACT + 1e-12) / WIDTH))
    place = np.unique(cell, return_inverse=True)[1].ravel()
    together = bincount(place, times)
    return bincount(place, times * counts) / together, together.astype(float)


def in_factors(place: Integers, counts: Floats, copies: Floats) -> tuple[Booleans, tuple[Integers, Floats, Floats]]:
    """Which rising factorials are products of ``1 + j/x``: places of factors, sorted, their j, and their copies."""
    rank = np.arange(len(counts)) - np.searchsorted(place, place) + 1
    few = (counts == np.floor(counts)) & (counts <= FACTORS * rank)
    whole = counts[few].astype(np.int64)
    held = np.zeros((int(place.max(initial=0)) + 1, int(whole.max(initial=0)) + 1))
    np.add.at(held, (place[few], whole), copies[few])
    above = np.cumsum(held[:, :1:-1], axis=1)[:, ::-1]
    of, j = np.nonzero(above)
    return np.asarray(few), (of.astype(np.int64), np.asarray(j + 1.0), np.asarray(above[of, j]))


def rising(log_x: Floats, counts: Floats, copies: Floats) -> Floats:
    """Sum over groups of what a rising factorial of x (X,) is above a power, shape (X,)."""
    total, x, step = np.zeros(len(log_x)), np.exp(log_x)[:, None], max(1, BLOCK // max(1, len(log_x)))
    few, (_, j, times) = in_factors(np.zeros(len(counts), dtype=np.int64), counts, copies)
    counts, copies = counts[~few], copies[~few]
    for start in range(0, len(j), step):
        total += np.log1p(j[start : start + step] / x) @ times[start : start + step]
    for start in range(0, len(counts), step):
        part, many = counts[start : start + step], copies[start : start + step]
        logs = repeat(log_x[:, None], len(part), axis=1)
        total += log_rising_excess(repeat(x, len(part), axis=1), logs, part) @ many
    return total


# -- The mean of a population of groups whose rate may go with their size ----------------------------------------------

#     theta_g ~ Beta(mu_g kappa, (1 - mu_g) kappa),    logit mu_g = a + b t_g,    b ~ Normal(0, 1)
#
# ``t_g`` is the logarithm of the size of a group. Asked for is the mean of mu_g over the sizes that groups come in: of
# a new group, each counting alike, or of a new case, each counting as its cases. It takes the place of ``a`` and has
# the prior that mu has in `howsure.numerics.populations.groups`; where all groups are of one size it is that mu.
# The sizes of new groups are not those of the groups seen: their shares are those of a bootstrap over groups, which
# adds the variance of the mean of mu_g over so many groups.


#: Nodes in y = log kappa, in the slope (so many standard deviations out) and in the logit of the mean.
KAPPAS, SLOPES, FAR_SLOPE, LOGITS = 17, 9, 3.8, 49

#: The same of so many groups and more, whose logits and slopes are nearly normal, and how far out the last logit lies.
MANY_GROUPS, OF_MANY, NEAR = 50, (13, 7, 31), 10.0

#: How often nodes are laid anew, and how far they may be off, in standard deviations.
LAID, OFF = 6, 0.6

#: The range of y is narrowed to so many nats below the top.
NATS_KEPT = 11.0

#: From so many distinct groups on, sizes, and counts above the second number, are taken together where their logarithms
#: are in one cell of this width.
MOST, SMALL, STEP = 250, 8.0, 0.03

#: The law is spread by what sizes may be from so much of its standard deviation on, with nodes so far out.
NOTABLE, AROUND = 0.02, 5.0

#: Nodes of the law, and steps of Newton's method.
LAW_NODES, NEWTON = 73, 30


#: Sizes whose logarithms are no farther apart are one size.
ALIKE = 0.1


def population_of(
    k: ArrayLike, n: ArrayLike, typical: tuple[float, float], *, by_cases: bool = False
) -> PopulationMean:
    """Population of groups: with rates that may go with their size, where sizes are unlike."""
    cases = np.asarray(n, dtype=float)
    cases = cases[cases > 0]
    if not len(cases) or cases.max() <= np.exp(ALIKE) * cases.min():
        return PopulationMean(k, n, typical)
    return MeanBySize(k, n, typical, by_cases=by_cases)


Entries = tuple[Integers, Floats, Floats]


@dataclass(frozen=True, eq=False)
class _Tallies:
    """Size scores (S,), their weights in the mean, G times their squares, and counts of right and of wrong cases.

    Counts are distinct: score, count and copies (P,) each, small ones as factors; and their sum at each score (S,).
    """

    scores: Floats
    weight: Floats
    square: Floats
    pairs: tuple[tuple[Entries, Entries, Floats], ...]


class MeanBySize(PopulationMean):
    """Mean, Beta(typical), over G groups whose rate may change with their size, or (``by_cases``) over cases."""

    error = 5e-3  # of the cdf, at most, in fourteen worlds beside a grid three times as fine

    def __init__(
        self, k: ArrayLike, n: ArrayLike, typical: tuple[float, float] = (1.0, 1.0), *, by_cases: bool = False
    ) -> None:
        super().__init__(k, n, typical)
        self.by_cases = by_cases

    @cached_property
    def _tallies(self) -> _Tallies:
        """Groups by size score and count; of very many, near ones together."""
        rows, times = np.unique(np.stack([self.n, self.k]), axis=1, return_counts=True)
        n, k, copies, many = rows[0], rows[1], times.astype(float), len(times) > MOST
        logs = np.log(n) - np.log(self.n).mean()
        place: Integers = np.unique(np.round(logs / STEP) if many else logs, return_inverse=True)[1].ravel()
        each = copies * (n if self.by_cases else 1.0)
        total = float(each.sum())
        scores, weight = bincount(place, copies * logs) / bincount(place, copies), bincount(place, each / total)
        square = bincount(place, each**2 / copies * len(self) / total**2)
        pairs = []
        for count in (k, n - k):
            seen = np.flatnonzero(count)
            key = count[seen]
            if many:
                key = np.where(key <= SMALL, key, SMALL + np.ceil(np.log(key / SMALL) / STEP))
            keys, at = np.unique(np.stack([place[seen], key]), axis=1, return_inverse=True)
            amount = bincount(at.ravel(), copies[seen])
            counts = bincount(at.ravel(), (copies * count)[seen]) / amount
            few, factors = in_factors(keys[0].astype(np.int64), counts, amount)
            large = keys[0, ~few].astype(np.int64), counts[~few], amount[~few]
            pairs.append((large, factors, bincount(place, copies * count)))
        return _Tallies(scores, weight, square, tuple(pairs))

    def _heights(self, t: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Log of the right and the wrong share of each size, (J, M, S) each, where the mean has the logit t."""
        scores, weight = self._tallies.scores, self._tallies.weight
        a = np.broadcast_to(t, b.shape).copy()
        for _ in range(NEWTON):
            eta = a[..., None] + b[..., None] * scores
            p, q = special.expit(eta), special.expit(-eta)
            right, wrong = p @ weight, q @ weight
            gap = np.log(right) - np.log(wrong) - t
            # where the tails of two sizes are far apart the slope is small and the step must not run away
            a -= np.clip(gap * right * wrong / ((p * q) @ weight), -3.0, 3.0)
            if float(np.abs(gap).max()) < 1e-10:
                break
        eta = a[..., None] + b[..., None] * scores
        log_q = -np.logaddexp(0, eta)
        return eta + log_q, log_q

    def _log_density(self, t: Floats, b: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Log density at logits of the mean (M,), slopes (J, M) and y (Y,), shape (Y, J, M); sds by sizes, (J, M)."""
        weight, square = self._tallies.weight, self._tallies.square
        shares = self._heights(t, b)
        flat = y[:, None, None] + np.zeros_like(b)
        total = self.model.log_prior(np.broadcast_to(t, b.shape), b, flat)
        for log_share, (large, factors, linear) in zip(shares, self._tallies.pairs, strict=True):
            total = total + log_share @ linear
            place, j, times = factors
            over = j * np.exp(-np.maximum(log_share, -600.0))[..., place]
            for row, log_kappa in enumerate(y.tolist()):
                total[row] += np.log1p(over * np.exp(-log_kappa)) @ times
            place, counts, copies = large
            for row, log_kappa in enumerate(y.tolist() if len(counts) else []):
                logs = np.maximum(log_share[..., place] + log_kappa, -600.0).reshape(b.size, len(counts))
                total[row] += (log_rising_excess(np.exp(logs), logs, counts) @ copies).reshape(b.shape)
        total -= rising(y, *distinct(self.n))[:, None, None]
        # what the mean would be of other groups: as many, their sizes those of a bootstrap
        rates = np.exp(shares[0])
        apart = rates - (rates @ weight)[..., None]
        variance = np.maximum(apart**2 @ square, 0.0) / max(len(self) - 1, 1)
        return total, np.sqrt(variance) / ((rates @ weight) * (np.exp(shares[1]) @ weight))

    @cached_property
    def _grid(self) -> tuple[Floats, float, float, Floats, Floats, Floats, Floats]:
        """Y (Y,), centre, scale and u of the logits, slopes (J, M), log density (Y, J, M) and sds by sizes (J, M)."""
        scores, weight = self._tallies.scores, self._tallies.weight
        seen = self._binned
        (spreads, count, means), far = (
            (OF_MANY, NEAR) if len(self) >= MANY_GROUPS else ((KAPPAS, SLOPES, LOGITS), REACH)
        )
        t = np.log(seen.n) - np.log(self.n).mean()
        box = hyperparameter_box(
            Tallies(seen.k, seen.n, t, seen.copies, seen.log_broad, seen.place), self.model, (spreads, 5, 7)
        )
        mass = box.weight.sum(axis=1)
        eta = box.a[..., None] + box.b[..., None, None] * scores
        logit = np.log(special.expit(eta) @ weight) - np.log(special.expit(-eta) @ weight)
        b = np.broadcast_to(box.b[..., None], logit.shape)
        low, high = float(box.centre.y[0]), float(box.centre.y[-1])
        z = np.linspace(-FAR_SLOPE, FAR_SLOPE, count)
        u = np.linspace(-1, 1, means) * float(np.arcsinh(far))
        centre, scale, middle, tilt, rest = _moments(mass, logit, b)
        for _ in range(LAID):
            y, t = np.linspace(low, high, spreads), centre + scale * np.sinh(u)
            slopes = middle + tilt * scale * np.clip(np.sinh(u), -6, 6) + rest * z[:, None]
            log, spread = self._log_density(t, slopes, y)
            height = log + np.log(np.cosh(u))
            mass = np.exp(height - height.max())
            mass /= mass.sum()
            found = _moments(mass, np.broadcast_to(t, mass.shape), np.broadcast_to(slopes, mass.shape))
            fits = abs(found[0] - centre) < OFF * scale and 0.6 < found[1] / scale < 1.6
            fits = fits and abs(found[2] - middle) < OFF * rest and 0.7 < found[4] / rest < 1.4
            profile = np.log(np.maximum(mass.sum(axis=(1, 2)), 1e-300))
            kept = np.flatnonzero(profile > profile.max() - NATS_KEPT)
            step = (high - low) / (spreads - 1)
            wide = [profile[end] > profile.max() - ENOUGH for end in (0, -1)]
            if fits and not any(wide) and len(kept) > 0.7 * spreads:
                break
            first, last = max(int(kept[0]) - 1, 0), min(int(kept[-1]) + 1, spreads - 1)
            low, high = low + (first - spreads // 3 * wide[0]) * step, low + (last + spreads // 3 * wide[1]) * step
            centre, middle, tilt = found[0], found[2], found[3]
            scale, rest = float(np.clip(found[1], scale / 4, scale * 4)), float(np.clip(found[4], rest / 3, rest * 3))
        return y, centre, scale, u, slopes, log, spread

    @cached_property
    def slope(self) -> tuple[float, float]:
        """Mean and standard deviation of b."""
        _, _, _, u, slopes, log, _ = self._grid
        height = log + np.log(np.cosh(u))
        mass = np.exp(height - height.max()).sum(axis=0)
        mass /= mass.sum()
        mean = float((mass * slopes).sum())
        return mean, float(np.sqrt((mass * (slopes - mean) ** 2).sum()))

    @property
    def rises(self) -> float:
        """Probability that larger groups have the higher rates."""
        mean, sd = self.slope
        return float(special.ndtr(mean / sd))

    @cached_property
    def density(self) -> LogDensity:
        """Density of the logit of the mean."""
        y, centre, scale, u, slopes, log, spread = self._grid
        rows = np.logaddexp.reduce(log, axis=0)
        height = rows + np.log(np.cosh(u))
        mass = np.exp(height - height.max())
        mass /= mass.sum()
        wider = float(np.sqrt(scale**2 + (mass * spread**2).sum()))
        nodes = np.linspace(-1, 1, LAW_NODES) * float(np.arcsinh(REACH))
        t = centre + wider * np.sinh(nodes)
        z = np.linspace(-AROUND, AROUND, int(np.clip(2 * AROUND * spread.max() / scale, 7, 100)) * 2 + 1)
        around = -z * z / 2 - np.log(np.exp(-z * z / 2).sum())
        total = np.full(LAW_NODES, -np.inf)
        for row, sds, part in zip(rows, spread, mass.sum(axis=1), strict=True):
            if part < 1e-9:
                continue
            one = LogDensity(centre, scale, u, row, self._powers)
            if float(sds[len(u) // 2]) < NOTABLE * scale:
                each = one(t)
            else:
                each = np.logaddexp.reduce(_moved(one, t, z, centre + scale * np.sinh(u), sds) + around, axis=1)
            total = np.logaddexp(total, each + row.max())
        cell = (y[1] - y[0]) * float(slopes[1, len(u) // 2] - slopes[0, len(u) // 2]) / np.sqrt(2 * np.pi)
        copied = self.log_copied(t, cell)
        if copied is not None:
            total = np.logaddexp(total, copied)
        return LogDensity(centre, wider, nodes, total, self._powers)


def _moved(one: LogDensity, t: Floats, z: Floats, at: Floats, sds: Floats) -> Floats:
    """Log density at logits t (M,) of a logit moved by z (Z,) of its sds, (M, Z); the mean of the rate stays."""
    drift = sds**2 / 2 * np.tanh(at / 2)
    steep, steeper = np.gradient(sds, at), np.gradient(drift, at)
    goal = t[:, None] + 0 * z
    x = goal
    for _ in range(LAID):
        x = goal - np.interp(x, at, drift) - np.interp(x, at, sds) * z
    slope = 1 + np.interp(x, at, steeper) + np.interp(x, at, steep) * z
    return one(x.ravel()).reshape(x.shape) - np.log(np.maximum(slope, 0.1))


def _moments(mass: Floats, t: Floats, b: Floats) -> tuple[float, float, float, float, float]:
    """Mean and sd of the logit, mean of the slope, its regression on the logit, and the sd beside that."""
    centre, middle = float((mass * t).sum()), float((mass * b).sum())
    variance = float((mass * (t - centre) ** 2).sum())
    tilt = float((mass * (t - centre) * (b - middle)).sum()) / variance
    rest = float((mass * (b - middle - tilt * (t - centre)) ** 2).sum())
    return centre, float(np.sqrt(variance)), middle, tilt, float(np.sqrt(rest))
