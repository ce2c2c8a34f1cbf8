"""How likely the tallies of members are under a population, where its parameters lie, and a box of nodes there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
from howsure.numerics.populations.beta_laws import gauss_beta

# -- How likely the tallies of all members are, if their rates come from one population of two parts -------------------

#     theta_i ~ Beta(mu_i kappa, (1 - mu_i) kappa) with probability 1 - e,    logit mu_i = a + b t_i     the main part
#     theta_i ~ Beta(1/2, 1/2)                     with probability e                                   the broad part
#     expit(a) ~ Beta(1, 1),    b ~ Normal(0, 1),    rho = 1/(1 + kappa) ~ Beta(1, 3),    e ~ Beta(1, 9)
#
# ``t_i`` is the log of the size, centred; ``rho`` is the correlation of two answers of one member; y = log kappa. The
# rates integrate out: ``k_i`` right of ``n_i`` is beta-binomial in either part (Gelman et al., Bayesian Data Analysis,
# chapters 5 and 22).


#: From here on four terms of Stirling's series are right to the last digit.
STIRLING = 12.0

#: The share of a broad part that is not there; its logarithm is a number.
NOTHING = 1e-300


@dataclass(frozen=True)
class PopulationModel:
    """Prior of a population."""

    broad: tuple[float, float] | None = (0.5, 0.5)  # Beta of the rates in the broad part; None: there is none
    share: tuple[float, float] = (1.0, 9.0)  # Beta of the share e of the broad part
    spread: float = 3.0  # rho = 1/(1 + kappa) is Beta(1, spread)
    typical: tuple[float, float] = (1.0, 1.0)  # Beta of expit(a), the typical rate at the average log size

    def log_prior(self, a: Floats, b: Floats, y: Floats) -> Floats:
        """Log density of ``(a, b, y)`` up to a constant; the Jacobians of logit and ``y = log kappa`` are in it."""
        right, wrong = self.typical
        typical = right * a - (right + wrong) * np.logaddexp(0, a)
        return np.asarray(typical - b * b / 2 + self.spread * y - (self.spread + 1) * np.logaddexp(0, y))

    def log_broad(self, k: Floats, n: Floats) -> Floats:
        """Log probability of tallies in the broad part, without binomial coefficients."""
        if self.broad is None:
            return np.full(len(k), -np.inf)
        a, b = self.broad
        return np.asarray(special.betaln(a + k, b + n - k) - special.betaln(a, b))

    def likely_share(self, expected: Floats, members: float) -> Floats:
        """Mean of e if ``expected`` of so many members are from the broad part."""
        if self.broad is None:
            return np.full_like(expected, NOTHING)
        return np.asarray((self.share[0] + expected) / (sum(self.share) + members))


#: What classes, entries and sites are taken for: most alike, a few from a broad part.
TWO_PARTS = PopulationModel()

#: All alike, more or less.
ONE_PART = PopulationModel(broad=None)


@dataclass(frozen=True, eq=False)
class Tallies:
    """Distinct tallies ``k`` right of ``n`` with size score ``t`` and number of ``copies``, shape (U,) each.

    ``copies`` of an untested tally are 0: it says nothing. ``log_broad`` is its log probability in the broad part;
    ``place`` (K,) says which tally each member has.
    """

    k: Floats
    n: Floats
    t: Floats
    copies: Floats
    log_broad: Floats
    place: Integers

    @classmethod
    def of(cls, k: Floats, n: Floats, t: Floats, model: PopulationModel) -> Tallies:
        """Group members with the same tally."""
        rows, place, copies = np.unique(np.stack([k, n, t]), axis=1, return_inverse=True, return_counts=True)
        said = np.where(rows[1] > 0, copies, 0).astype(float)
        return cls(rows[0], rows[1], rows[2], said, model.log_broad(rows[0], rows[1]), place.ravel())

    @property
    def sized(self) -> bool:
        """Whether members differ in size."""
        return bool(np.ptp(self.t) > 0)

    @cached_property
    def sizes(self) -> tuple[Floats, Integers]:
        """Distinct numbers of cases, and which of them each tally has, shape (U,); asked for at every node."""
        sizes, of_size = np.unique(self.n, return_inverse=True)
        return sizes, of_size.ravel()

    def parts(self, log_main: Floats, share: Floats) -> tuple[Floats, Floats]:
        """Log evidence of all tallies (G,) and P(broad) of each (G, U), from log M (G, U) and e (G,)."""
        odds = (np.log(share) - np.log1p(-share))[:, None] + self.log_broad - log_main
        either = np.logaddexp(0, odds)
        return (log_main + np.log1p(-share)[:, None] + either) @ self.copies, np.exp(odds - either)

    def binned(self, most: int, model: PopulationModel) -> Tallies:
        """At most some ``most`` tallies: near sizes (12%) and near shares (0.04) become their mean."""
        if len(self.k) <= most:
            return self
        keys = np.round(
            [np.log(np.maximum(self.n, 0.5)) / 0.12, self.k / np.maximum(self.n, 1) / 0.04, 1.0 * (self.n > 0)]
        )
        cell: Integers = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
        weight = np.maximum(self.copies, 1e-12)
        total = bincount(cell, weight)
        k, n, t = (bincount(cell, weight * column) / total for column in (self.k, self.n, self.t))
        return Tallies(k, n, t, np.asarray(bincount(cell, self.copies)), model.log_broad(k, n), cell[self.place])


def size_scores(n: Floats) -> Floats:
    """``t_i = log n_i - mean_j log n_j`` over tested members; an untested one counts as the smallest tested."""
    tested = n > 0
    if not tested.any():
        return np.zeros(len(n))
    logs = np.log(n, where=tested, out=np.full(len(n), np.inf))
    spread = np.where(tested, logs, logs.min()) - logs[tested].mean()
    return spread if np.ptp(logs[tested]) > 0 else np.zeros(len(n))


def log_rising_excess(x: Floats, log_x: Floats, k: Floats) -> Floats:
    """``log Gamma(x + k)/Gamma(x) - k log x``, by two Stirling series: nothing cancels where ``x`` is large."""
    with np.errstate(over="ignore", divide="ignore"):
        grown = np.log1p(k / x)
    excess = (x + k - 0.5) * grown - k + _stirling(x + k) - _stirling(x)
    small = x < STIRLING
    if small.any():
        x, k, log_x = x[small], np.broadcast_to(k, small.shape)[small], log_x[small]
        excess[small] = special.gammaln(x + k) - special.gammaln(x) - k * log_x
    return np.asarray(excess)


def _stirling(z: Floats) -> Floats:
    r = 1 / np.maximum(z, 1.0)
    s = r * r
    return np.asarray(r * (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s / 1680))))


def log_main(a: Floats, b: Floats, y: Floats, tallies: Tallies) -> Floats:
    """Log beta-binomial probability log M of every tally in the main part at nodes (G,), shape (G, U).

    ``log B(mu kappa + k, (1 - mu) kappa + n - k) - log B(mu kappa, (1 - mu) kappa)``, written as
    ``k log mu + (n - k) log(1 - mu)`` plus three excesses, which keeps its digits up to counts of 1e9 and any kappa.
    """
    k, wrong = tallies.k, tallies.n - tallies.k
    eta = a[:, None] + b[:, None] * tallies.t
    log_q = -np.logaddexp(0, eta)
    log_p = eta + log_q
    total = k * log_p + wrong * log_q
    for log_share, count in ((log_p, k), (log_q, wrong)):
        log_x = np.maximum(log_share + y[:, None], -600.0)
        total += log_rising_excess(np.exp(log_x), log_x, count)
    spread, at_spread = np.unique(y, return_inverse=True)
    sizes, of_size = tallies.sizes
    whole = log_rising_excess(np.exp(spread)[:, None] + 0 * sizes, spread[:, None] + 0 * sizes, sizes)
    return np.asarray(total - whole[at_spread.ravel()][:, of_size])


# -- Where the posterior of a population's hyperparameters lies: a guide that places nodes; their weights are exact ----

# For each spread y the centre of (a, b) and of the share e of the broad part by expectation and maximisation, with a
# quasi-likelihood regression on the size scores in which a member counts by its probability to be of the main part.


#: Quantiles of the observed rates at which a fit starts: the population may have more than one explanation.
QUANTILES = (0.5, 0.15, 0.85)

#: Newton steps of one round, and what is near enough, in standard deviations.
STEPS, NEAR = 3, 0.1


@dataclass(frozen=True)
class Modes:
    """Modes of (a, b) and e given y, (S,) each, with the entries h of the information matrix of (a, b)."""

    y: Floats
    a: Floats
    b: Floats
    e: Floats
    expected: Floats  # members of the broad part
    h11: Floats
    h12: Floats
    h22: Floats

    @property
    def sd_a(self) -> Floats:
        """Standard deviation of a given b."""
        return np.asarray(1 / np.sqrt(self.h11))

    @property
    def sd_b(self) -> Floats:
        """Standard deviation of b."""
        return np.asarray(np.sqrt(self.h11 / (self.h11 * self.h22 - self.h12**2)))

    @property
    def slope(self) -> Floats:
        """Regression of a on b."""
        return np.asarray(-self.h12 / self.h11)

    def taken(self, index: Integers) -> Modes:
        """Some of them."""
        return Modes(*(getattr(self, name)[index] for name in self.__dataclass_fields__))


def starts(tallies: Tallies, model: PopulationModel) -> Floats:
    """Logits of the observed rates to start from."""
    total = tallies.copies.sum()
    if total <= 0:
        return np.zeros(1)
    rate = (tallies.k + 0.5) / (tallies.n + 1)
    order = np.argsort(rate)
    reached = np.cumsum(tallies.copies[order])
    asked = np.array(QUANTILES if model.broad is not None else QUANTILES[:1]) * total
    return np.asarray(special.logit(rate[order][np.minimum(np.searchsorted(reached, asked), len(rate) - 1)]))


def fitted(y: Floats, a: Floats, b: Floats, e: Floats, tallies: Tallies, model: PopulationModel, rounds: int) -> Modes:
    """Rounds of expectation (who is of the broad part) and maximisation (Newton on the rest), all y at once."""
    k, n, t = tallies.k, tallies.n, tallies.t
    right, prior = model.typical[0], sum(model.typical)
    members = float(tallies.copies.sum())
    once = tallies.copies / (1 + np.maximum(n - 1, 0) * special.expit(-y)[:, None])
    for _ in range(rounds):
        broad = tallies.parts(log_main(a, b, y, tallies), e)[1]
        expected = broad @ tallies.copies
        e = model.likely_share(expected, members)
        weight = once * (1 - broad)
        for _ in range(STEPS):
            mu, middle = special.expit(a[:, None] + b[:, None] * t), special.expit(a)
            information, residual = weight * n * mu * (1 - mu), weight * (k - n * mu)
            g1, g2 = residual.sum(1) + right - prior * middle, residual @ t - b
            h11, h12 = information.sum(1) + prior * middle * (1 - middle), information @ t
            h22 = information @ t**2 + 1
            determinant = h11 * h22 - h12**2
            da, db = (h22 * g1 - h12 * g2) / determinant, (h11 * g2 - h12 * g1) / determinant
            a, b = a + np.clip(da, -2, 2), b + np.clip(db, -1, 1)
            if max(np.abs(da * np.sqrt(h11)).max(), np.abs(db * np.sqrt(h22)).max()) < NEAR:
                break
    return Modes(y, a, b, e, expected, h11, h12, h22)


def laplace(at: Modes, tallies: Tallies, model: PopulationModel) -> Floats:
    """Log mass of each mode: (a, b) and the share integrated out by Laplace's method."""
    height = tallies.parts(log_main(at.a, at.b, at.y, tallies), at.e)[0]
    height = height + model.log_prior(at.a, at.b, at.y) - 0.5 * np.log(at.h11 * at.h22 - at.h12**2)
    return np.asarray(height)


def share_mass(at: Modes, tallies: Tallies, model: PopulationModel) -> Floats:
    """Log prior of the share at its mode, and the width of its posterior."""
    if model.broad is None:
        return np.zeros_like(at.e)
    one, other = model.share
    members = float(tallies.copies.sum()) + sum(model.share)
    return np.asarray(
        (one - 1) * np.log(at.e) + (other - 1) * np.log1p(-at.e) + 0.5 * np.log(at.e * (1 - at.e) / members)
    )


def polished(at: Modes, tallies: Tallies, model: PopulationModel, rounds: int) -> Modes:
    """Newton steps on the exact log posterior of (a, b) given y and e, curvatures within a factor 3 of the guide's."""
    y, e = at.y, at.e
    a, b, h11, h12, h22 = at.a, at.b, at.h11, at.h12, at.h22

    def height(a: Floats, b: Floats) -> Floats:
        return np.asarray(tallies.parts(log_main(a, b, y, tallies), e)[0] + model.log_prior(a, b, y))

    for _ in range(rounds):
        sa, sb = 0.5 / np.sqrt(h11), 0.5 * np.sqrt(h11 / (h11 * h22 - h12**2))
        here, up, down = height(a, b), height(a + sa, b), height(a - sa, b)
        g1, c11 = (up - down) / (2 * sa), -(up - 2 * here + down) / sa**2
        if tallies.sized:
            more, less, both = height(a, b + sb), height(a, b - sb), height(a + sa, b + sb)
            g2, c22 = (more - less) / (2 * sb), -(more - 2 * here + less) / sb**2
            c12 = -(both - up - more + here) / (sa * sb)
        else:
            g2, c22, c12 = -b, np.ones_like(a), np.zeros_like(a)
        c11 = np.clip(c11, 0.3 * h11, 3 * h11)
        c22 = np.clip(c22, np.maximum(0.3 * h22, 0.5), np.maximum(3 * h22, 0.5))
        most = 0.95 * np.sqrt(c11 * c22)
        c12 = np.clip(c12, -most, most)
        determinant = c11 * c22 - c12**2
        a = a + np.clip((c22 * g1 - c12 * g2) / determinant, -4 * sa, 4 * sa)
        b = b + np.clip((c11 * g2 - c12 * g1) / determinant, -4 * sb, 4 * sb)
        h11, h12, h22 = c11, c12, c22
    return Modes(y, a, b, e, at.expected, h11, h12, h22)


# -- A box of nodes (y, share of the broad part, b, a) around what the data say about a population -------------- --

#: Nodes in (y, b, a) and in the share: members of one size, of unlike sizes, of sizes so far apart that a few large
#: members make cliffs, and many tallies, whose (a, b) is nearly normal.
OF_ONE_SIZE, OF_SIZES, OF_FAR_SIZES, OF_MANY = ((21, 1, 17), 5), ((17, 7, 13), 4), ((21, 11, 21), 4), ((9, 5, 7), 3)

#: From so many times the smallest size on, sizes are far apart.
FAR = 20.0

#: Farthest nodes of b and a, in standard deviations of their normal approximation. The intercept reaches far: where
#: every answer is right its density falls only like exp(-a).
REACH, REACH_OF_MANY = (6.0, 13.0), (3.0, 4.2)

#: From so many distinct tallies on the data are many; above the second number the guide sees them in bins.
MANY, BINNED = 60, 150

#: Part of the posterior of y that is kept: within so many nats of its top.
NATS = 12.0

#: Nodes in y while its range is looked for, and how often it is narrowed at most.
SEARCH, TURNS = 13, 12

#: Modes are kept within so many nats of the best at their y, and of the best of all; nearer than the third number of
#: standard deviations two are one.
NATS_THERE, NATS_OF_ALL, APART = 11.0, 14.0, 1.0

#: Gauss nodes of the share are those of its posterior if so many of the expected members of the broad part counted.
COUNTED = 0.7

Nodes = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Box:
    """P sheets, one for each kept (y, mode), with nodes of the share, of b and of a, and their probabilities.

    ``b = b0 + sd_b sinh(u_b)`` and ``a = a0 + slope (b - b0) + sd_a sinh(u_a)`` on even ``u``.
    """

    centre: Modes  # of the sheets, (P,)
    share: Floats  # (P, E), nodes of e
    b: Floats  # (P, B), nodes
    a: Floats  # (P, B, A), nodes
    weight: Floats  # (P, E, B, A), probabilities
    broad: Floats  # (E, P * B * A, U), P(each distinct tally is of the broad part) at each node


def sinh_nodes(count: int, reach: float) -> Floats:
    """Even nodes ``u``, the last with ``sinh u = reach``: ``sinh u`` is dense in the middle and wide outside."""
    return np.linspace(-1, 1, count) * float(np.arcsinh(reach)) if count > 1 else np.zeros(1)


def hyperparameter_box(tallies: Tallies, model: PopulationModel, nodes: Nodes | None = None) -> Box:
    """Lay the box and weigh it: around the normal approximation of (a, b) at each ``y`` and mode.

    The trapezoid rule converges exponentially here (Trefethen and Weideman, 2014). Two modes of one y divide the plane
    by the balance heuristic (Veach and Guibas, 1995). The share has the Gauss rule of a Beta near its posterior.
    """
    many = len(tallies.k) > MANY
    far = float(tallies.n.max()) > FAR * max(1.0, float(tallies.n.min()))
    of_sizes = OF_FAR_SIZES if far else OF_SIZES
    (count_y, count_b, count_a), count_e = OF_MANY if many else of_sizes if tallies.sized else OF_ONE_SIZE
    if nodes is not None:
        (count_y, count_b, count_a), count_e = nodes, OF_ONE_SIZE[1]
    seen = tallies.binned(BINNED, model)
    centres, modes = _centres(seen, model, count_y, polish=2 if many else 1)
    mass = laplace(centres, seen, model)
    used = _used(centres, mass, modes)
    at = centres.taken(used)
    reach = REACH_OF_MANY if many else REACH
    u_b = sinh_nodes(count_b if tallies.sized else 1, reach[0])
    u_a = sinh_nodes(count_a, reach[1])
    b = at.b[:, None] + at.sd_b[:, None] * np.sinh(u_b)
    a = (at.a[:, None] + at.slope[:, None] * (b - at.b[:, None]))[..., None]
    a = a + at.sd_a[:, None, None] * np.sinh(u_a)
    every_b, every_y = np.broadcast_to(b[..., None], a.shape), np.broadcast_to(at.y[:, None, None], a.shape)
    main = log_main(a.ravel(), every_b.ravel(), every_y.ravel(), tallies)
    base = model.log_prior(a, every_b, every_y) + np.log(at.sd_a * at.sd_b)[:, None, None]
    if modes > 1:
        base = base + _balance(a, every_b, centres, mass, used, modes, sized=tallies.sized)
    share, log_share = _share_nodes(at, float(tallies.copies.sum()), count_e, model)
    log_density = np.empty((len(at.y), share.shape[1], *a.shape[1:]))
    broad = np.empty((share.shape[1], *main.shape))
    for q in range(share.shape[1]):
        evidence, broad[q] = tallies.parts(main, repeat(share[:, q], a[0].size))
        log_density[:, q] = evidence.reshape(a.shape) + base + log_share[:, q, None, None]
    log_density -= log_density.max()
    weight = np.exp(log_density) * (np.cosh(u_b)[:, None] * np.cosh(u_a))
    return Box(at, share, b, a, weight / weight.sum(), broad)


def _centres(seen: Tallies, model: PopulationModel, count: int, polish: int) -> tuple[Modes, int]:
    """Modes at ``count`` even nodes in y, over all within `NATS` of the top of its approximate posterior.

    Starts from a range that holds every case (all members alike: the prior falls like 1/kappa beyond the number of
    cases; each member all right or all wrong: kappa of the order of 1/(K log n)) and narrows it.
    """
    begin = starts(seen, model)
    modes = len(begin)
    cases, sizes = float(seen.copies @ seen.n), float(seen.copies @ np.log1p(seen.n))
    low, high = -7.0 - np.log1p(sizes), 14.0 + np.log1p(cases)
    first = np.tile(begin, SEARCH), np.zeros(SEARCH * modes), model.likely_share(np.zeros(SEARCH * modes), 0.0)
    known: tuple[Floats, Floats, Floats] = first
    rounds = 4
    for _ in range(TURNS):
        y = np.linspace(low, high, SEARCH)
        at = fitted(repeat(y, modes), *known, seen, model, rounds)
        profile = laplace(at, seen, model) + share_mass(at, seen, model)
        top = np.logaddexp.reduce(profile.reshape(-1, modes), axis=1)
        kept = np.flatnonzero(top > top.max() - NATS)
        i, j = max(int(kept[0]) - 1, 0), min(int(kept[-1]) + 1, SEARCH - 1)
        stay = _different(at, modes, slice(i, j + 1))
        at = at.taken((np.arange(SEARCH)[:, None] * modes + stay).ravel())
        modes, rounds = len(stay), 2
        done = j - i >= 0.6 * (SEARCH - 1)
        low, high = float(y[i]), float(y[j])
        known = _between(np.linspace(low, high, count if done else SEARCH), y, at, modes)
        if done:
            break
    else:
        known = _between(np.linspace(low, high, count), y, at, modes)
    at = fitted(repeat(np.linspace(low, high, count), modes), *known, seen, model, 2)
    return polished(at, seen, model, polish), modes


def _different(at: Modes, modes: int, part: slice) -> Integers:
    """Starts that end in modes of their own at some y."""
    a, sd = at.a.reshape(-1, modes)[part], at.sd_a.reshape(-1, modes)[part]
    stay = [0]
    for s in range(1, modes):
        if all(bool((np.abs(a[:, s] - a[:, r]) > 0.5 * sd[:, r]).any()) for r in stay):
            stay.append(s)
    return np.array(stay)


def _between(asked: Floats, y: Floats, at: Modes, modes: int) -> tuple[Floats, Floats, Floats]:
    """Modes at other spreads, interpolated: a warm start."""

    def moved(column: Floats) -> Floats:
        rows = column.reshape(-1, modes).T
        return np.stack([np.interp(asked, y, row) for row in rows], axis=1).ravel()

    return moved(at.a), moved(at.b), moved(at.e)


def _used(at: Modes, mass: Floats, modes: int) -> Integers:
    each, a, sd = (column.reshape(-1, modes) for column in (mass, at.a, at.sd_a))
    use = each > mass.max() - NATS_OF_ALL
    for s in range(1, modes):
        for r in range(s):
            near = np.abs(a[:, s] - a[:, r]) < APART * np.minimum(sd[:, s], sd[:, r])
            use[:, s] &= ~(use[:, r] & near)
    use &= each > each.max(axis=1, keepdims=True) - NATS_THERE
    return np.flatnonzero(use.ravel())


def _balance(a: Floats, b: Floats, centres: Modes, mass: Floats, used: Integers, modes: int, *, sized: bool) -> Floats:
    """Log share of each node that belongs to the sheet's own mode: Laplace mass times a t density with 4 degrees."""
    row, own = used // modes, used % modes
    there: Booleans = np.isin(row[:, None] * modes + np.arange(modes), used)
    log_density = np.full((*a.shape, modes), -np.inf)
    for s in range(modes):
        at = centres.taken(row * modes + s)
        a0, b0, slope, sd_a, sd_b = (x[:, None, None] for x in (at.a, at.b, at.slope, at.sd_a, at.sd_b))
        z_b = (b - b0) / sd_b if sized else np.zeros_like(b)
        z_a = (a - a0 - slope * (b - b0)) / sd_a
        height = mass[row * modes + s][:, None, None] - np.log(sd_a * sd_b)
        height = height - 3 * np.log1p((z_a**2 + z_b**2) / 4)
        log_density[..., s] = np.where(there[:, s, None, None], height, -np.inf)
    alone = np.take_along_axis(log_density, own[:, None, None, None] + np.zeros((*a.shape, 1), dtype=int), axis=-1)
    return np.asarray(alone[..., 0] - np.logaddexp.reduce(log_density, axis=-1))


def _share_nodes(at: Modes, members: float, count: int, model: PopulationModel) -> tuple[Floats, Floats]:
    """Nodes of e (P, E) and their log weights, density of the prior included."""
    if model.broad is None:
        return np.full((len(at.y), 1), NOTHING), np.zeros((len(at.y), 1))
    one, other = model.share
    first, second = one + COUNTED * at.expected, other + COUNTED * np.maximum(members - at.expected, 0.0)
    share, weight = gauss_beta(first, second, count)
    log_weight = np.log(weight) + (one - first)[:, None] * np.log(share) + (other - second)[:, None] * np.log1p(-share)
    return share, log_weight + (special.betaln(first, second) - special.betaln(one, other))[:, None]
