"""Weighted sums of recalls that are learned together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount
from howsure.numerics.learned.beta_mixture import BetaMixture

__all__ = [
    "FittedMixture",
    "Summands",
    "blend",
    "central_moments",
    "fit_beta",
    "mixture_from_moments",
    "raw_moments",
    "sum_cumulants",
]


# -- Cumulants of a weighted sum of recalls given each node of a learned population ------------------------------------


#: Copies of terms that are spelled out, at most; and share of the variance from which on one is.
SPELLED, DOUBTFUL = 3, 0.004

#: Below any mass or variance.
TINY = 1e-300


@dataclass(frozen=True)
class Summands:
    """Distinct terms ``w theta`` of a sum: number of the tally, weight w, number of copies."""

    tally: Integers
    w: Floats
    copies: Floats

    @classmethod
    def of(cls, place: Integers, w: Floats) -> Summands:
        """Group equal terms; those with weight 0 are left out. ``place`` (K,) is the tally of each member."""
        used = w != 0
        pairs, copies = np.unique(place[used] + 1j * w[used], return_counts=True)  # complex numbers sort as pairs
        return cls(pairs.real.astype(np.int64), pairs.imag.copy(), copies.astype(float))


def sum_cumulants(
    main: tuple[Floats, Floats], broad: tuple[Floats, ...], chance: Floats, weight: Floats, summands: Summands
) -> tuple[Floats, Floats]:
    """Probabilities (C, G) and mean and cumulants 2 to 4, (4, C, G), of ``sum w theta`` given each of G nodes.

    Terms are independent, Beta(main) (G, U) or with probability ``chance`` (E, G, U) Beta(broad) (U,); the nodes of
    the share, of probabilities ``weight`` (E, G), are taken together. The most doubtful terms are spelled out: each of
    the C components has so many copies of them in the broad part, and the others as they may be.
    """
    main_moments, broad_moments = _beta_moments(*main), _beta_moments(*broad)
    gap = broad_moments[0] - main_moments[0]
    (p0, v0, t0, f0), (_, v1, t1, f1) = main_moments, broad_moments
    w = summands.w
    spelled = _doubtful(p0, v0, gap, chance, weight, summands)
    of_main = [x * w ** (order + 2) for order, x in enumerate((v0, t0, f0 - 3 * v0**2))]
    of_broad = [x * w ** (order + 2) for order, x in enumerate((v1, t1, f1 - 3 * v1**2))]
    copies = summands.copies.copy()
    for term, many in spelled:
        copies[term] -= many
    reference = p0 @ (summands.copies * w)
    choices = list(product(*(range(many + 1) for _, many in spelled)))
    sums = np.zeros((5, len(choices), len(reference)))
    for q, mass in enumerate(weight):
        odd = chance[q]
        up, down = (1 - odd) * gap, -odd * gap  # from the mean of both parts
        variance = (1 - odd) * (v0 + down**2) + odd * (v1 + up**2)
        third = (1 - odd) * (t0 + down * (3 * v0 + down**2)) + odd * (t1 + up * (3 * v1 + up**2))
        fourth = (1 - odd) * (f0 + down * (4 * t0 + down * (6 * v0 + down**2)))
        fourth += odd * (f1 + up * (4 * t1 + up * (6 * v1 + up**2)))
        moments = (odd * gap, variance, third, fourth - 3 * variance**2)
        rest = np.array([m @ (copies * w ** (order + 1)) for order, m in enumerate(moments)])
        for number, choice in enumerate(choices):
            cumulants, share = rest.copy(), mass
            for (term, many), broad_ones in zip(spelled, choice, strict=True):
                p, main_ones = odd[:, term], many - broad_ones
                share = share * (comb(many, broad_ones) * p**broad_ones * (1 - p) ** main_ones)
                cumulants[0] += broad_ones * w[term] * gap[:, term]
                for order in range(3):
                    cumulants[order + 1] += main_ones * of_main[order][:, term] + broad_ones * of_broad[order][term]
            sums[:, number] += share * np.concatenate([np.ones((1, len(reference))), raw_moments(cumulants, 0.0)])
    held = np.maximum(sums[0], TINY)
    d, v, third, fourth = central_moments(np.concatenate([held[None], sums[1:]]))
    return sums[0], np.stack([reference + d, np.maximum(v, 0.0), third, fourth - 3 * v**2])


def _doubtful(
    mean: Floats, variance: Floats, gap: Floats, chance: Floats, weight: Floats, summands: Summands
) -> list[tuple[int, int]]:
    """Terms to spell out, and how many copies of each: those whose part matters most to the sum."""
    node = weight.sum(axis=0)
    total = node @ (variance @ (summands.copies * summands.w**2))
    centre = mean @ (summands.copies * summands.w)
    total += node @ (centre - node @ centre / node.sum()) ** 2
    odd = np.einsum("eg,egu->u", weight, chance)
    matters = odd * (1 - odd) * (summands.w * (node @ np.abs(gap))) ** 2 / max(float(total), TINY)
    left, spelled = SPELLED, []
    for term in np.argsort(-matters, kind="stable").tolist():
        if not left or matters[term] <= DOUBTFUL:
            break
        many = min(left, int(summands.copies[term]))
        spelled.append((term, many))
        left -= many
    return spelled


def _beta_moments(a: Floats, b: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean and central moments 2 to 4 of Betas."""
    total = a + b
    p, q = a / total, b / total
    v = p * q / (total + 1)
    excess = 6 * v * ((q - p) ** 2 - p * q * (total + 2) / (total + 1)) / ((total + 2) * (total + 3))
    return p, v, 2 * v * (q - p) / (total + 2), excess + 3 * v**2


def raw_moments(cumulants: Floats, centre: float) -> Floats:
    """Moments of order 1 to 4 about ``centre``."""
    d, v, third, fourth = cumulants[0] - centre, *cumulants[1:]
    return np.stack([d, v + d**2, third + 3 * d * v + d**3, fourth + 3 * v**2 + 4 * d * third + 6 * d**2 * v + d**4])


def central_moments(sums: Floats) -> Floats:
    """Mean and central moments of order 2 to 4, from mass-weighted moments of order 0 to 4."""
    d, second, third, fourth = sums[1:] / sums[0]
    variance = second - d**2
    return np.stack(
        [d, variance, third - 3 * d * second + 2 * d**3, fourth - 4 * d * third + 6 * d**2 * second - 3 * d**4]
    )


# -- The law of a weighted sum of recalls of a learned population, as a mixture of Betas with the right moments --------


#: Weight of a wrong skewness and of a wrong kurtosis in the distribution function: the largest values of the second
#: and third Hermite terms of an Edgeworth series, max |He2 phi| / 6 and max |He3 phi| / 24.
OF_SKEWNESS, OF_KURTOSIS = 0.0665, 0.0230

#: Parameter from which on a Beta is taken to vanish smoothly at its end.
SMOOTH = 4.0


def fit_beta(moments: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """Betas inside ``[low, high]`` with given mean and variance, and skewness and kurtosis as near as can be.

    Parameters
    ----------
    moments : ndarray, shape (4, M)
        Mean and central moments of order 2 to 4 of M laws on ``[low, high]``.
    low, high : float
        The interval that no fitted law may leave.

    Returns
    -------
    fit : ndarray, shape (4, M)
        ``a, b, start, width``: the law of ``start + width Beta(a, b)``.
    mismatch : ndarray, shape (M,)
        Error of the cdf by the skewness and kurtosis that are still missed.

    Notes
    -----
    Candidates are Pearson's type I by four moments; by three, with either end of the interval as its end; by two on
    the whole interval, which always exists.
    """
    best = _on_interval(moments, low, high)
    mismatch = _mismatch(best, moments)
    for fit in (_ending_at(moments, low), _ending_at(moments, high), _by_four(moments)):
        missed = np.where(_allowed(fit, low, high), _mismatch(fit, moments), np.inf)
        best, mismatch = np.where(missed < mismatch, fit, best), np.minimum(missed, mismatch)
    return best, mismatch


def _allowed(fit: Floats, low: float, high: float) -> Booleans:
    """Inside the interval, and smooth at an end of its own within it: a density that is a spike there is none here."""
    a, b, start, width = fit
    slack = 1e-12 * (high - low)
    with np.errstate(invalid="ignore"):
        lower, upper = start - low, high - start - width
        proper = np.isfinite(fit).all(0) & (a > 0) & (b > 0) & (width > 0) & (lower >= -slack) & (upper >= -slack)
        return np.asarray(proper & ((a >= SMOOTH) | (lower <= slack)) & ((b >= SMOOTH) | (upper <= slack)))


def _mismatch(fit: Floats, moments: Floats) -> Floats:
    _, variance, third, fourth = moments
    with np.errstate(all="ignore"):
        skewness, kurtosis = _shape(fit)
        missed = OF_SKEWNESS * np.abs(skewness - third / variance**1.5)
        missed += OF_KURTOSIS * np.abs(kurtosis - fourth / variance**2)
    return np.asarray(np.where(np.isfinite(missed), missed, np.inf))


def _on_interval(moments: Floats, low: float, high: float) -> Floats:
    """Mean and variance, on the whole interval."""
    mean, variance = moments[:2]
    below, above, width = mean - low, high - mean, high - low
    total = np.maximum(below * above / variance - 1, 1e-12)
    return np.stack([total * below / width, total * above / width, 0 * mean + low, 0 * mean + width])


def _ending_at(moments: Floats, end: float) -> Floats:
    """Mean, variance and third central moment, where one end of the law is known.

    With e the distance from the mean to that end, v the variance and m the third moment towards it, the width is
    ``W = (4 v e + m (e^2/v - 1)) / (m e/v + 2 v)``.
    """
    mean, variance, third = moments[:3]
    upper = end > mean
    e, m = np.abs(end - mean), np.where(upper, third, -third)
    with np.errstate(all="ignore"):
        width = (4 * variance * e + m * (e * e / variance - 1)) / (m * e / variance + 2 * variance)
        total = e * (width - e) / variance - 1
        near, far = total * e / width, total * (width - e) / width
    start = np.where(upper, end - width, end)
    return np.stack([np.where(upper, far, near), np.where(upper, near, far), start, width])


def _by_four(moments: Floats) -> Floats:
    """Mean to fourth central moment: Pearson's type I, where skewness and kurtosis admit it (else not finite)."""
    mean, variance, third, fourth = moments
    with np.errstate(all="ignore"):
        squared_skewness, kurtosis = third**2 / variance**3, fourth / variance**2
        total = 6 * (kurtosis - squared_skewness - 1) / (6 + 3 * squared_skewness - 2 * kurtosis)
        root = np.sqrt((total + 2) ** 2 * squared_skewness + 16 * (total + 1))
        lean = np.sign(third) * (total + 2) * np.sqrt(squared_skewness) / root
        width = np.sqrt(variance) / 2 * root
        return np.stack([total / 2 * (1 - lean), total / 2 * (1 + lean), mean - width * (1 - lean) / 2, width])


#: Components with less mass are left out; what all of them hold is part of the error.
LEAST_MASS = 1e-9

#: Components are joined within cells of this size, in their standard deviation and in its logarithm.
CELL = 0.25

#: A moment may be as wrong as it likes, two laws of one mean and variance do not differ by more than about this.
LARGEST = 0.2

#: Bits of a place within its level, in the number of a cell.
PLACES, MOST_PLACES = 54, 2.0**53 - 1

#: The estimated error, for what fifth and higher moments do: so many times what is missed with its sign, and so much
#: of it without; the same of components that are split; and what groups of nodes leave out. Found by comparison with
#: exact laws, for averages, differences and unequal weights of 2 to 1000 members; see the tests.
SAFETY, WITHOUT_SIGN, OF_GROUPS = 2.5, 0.5, 1.5e-4
OF_SPLITTING, OF_SPLITTING_WITHOUT_SIGN = 0.45, 0.12

#: Largest value of ``|He5(z)| exp(-z^2/2)``.
LARGEST_HE5 = 5.783

#: Excess kurtosis at which the error of splitting is half of its largest.
HALFWAY = 24.0

#: Where the density is infinite at an end nearly all that is missed lies within a hundredth of a standard deviation.
AT_A_SPIKE = 0.2

#: Components narrower than this, in standard deviations of the whole, are spikes whose shape is not looked at.
SPIKE = 0.01

#: Excess kurtosis over the most that a Beta of that skewness has, from which on a component becomes two; and the
#: skewness from which on it does not, as it then leans on an end.
POINTED, MOST_SKEWED = 0.3, 1.5

#: Mass of such components up to which they are left whole.
FEW_POINTED = 0.02

#: So many components have points of their own where the error is looked for.
HEAVY = 20


@dataclass(frozen=True, eq=False)
class FittedMixture(BetaMixture):
    """Mixture of Betas fitted to another law.

    ``error`` estimates by how much the cdf is wrong, if ``x`` may move by a hundredth of a standard deviation: where
    everything was right much of the law is a spike at the end of its support, within 1e-6 or less.
    """

    error: float = 0.0

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self.weights @ self.means)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(self.weights @ (self.sds**2 + (self.means - self.mean) ** 2)))


def blend(box: Floats) -> Floats:
    """Replace the nodes along the last two axes by overlapping groups of three, with shares 1 : 4 : 1.

    These are the values of the cubic B-spline at whole numbers. All groups together are the nodes again, so a mixture
    of groups is the same law. But a group is a smooth hump as wide as the distance of the nodes even where the law at
    a node is a spike (all classes alike), and where it is broad nothing changes. Axes of length 1 stay.
    """
    for axis in (-1, -2):
        if box.shape[axis] > 1:
            padding = [(0, 0)] * box.ndim
            padding[axis] = (2, 2)
            padded = np.moveaxis(np.pad(box, padding), axis, -1)
            grouped = (padded[..., :-2] + 4 * padded[..., 1:-1] + padded[..., 2:]) / 6
            box = np.moveaxis(grouped, -1, axis)
    return box


def mixture_from_moments(
    weight: Floats, cumulants: Floats, support: tuple[float, float], finite: tuple[bool, bool] = (False, False)
) -> FittedMixture:
    """Mixture of fitted Betas from nodes.

    Parameters
    ----------
    weight : ndarray, shape (Y, B, A)
        Probabilities of the nodes.
    cumulants : ndarray, shape (4, Y, B, A)
        Mean and cumulants 2 to 4 given each node.
    support : (float, float)
        Where the sum can lie.
    finite : (bool, bool)
        Whether its density is known to be finite at the lower and at the upper end.
    """
    centre = float((weight * cumulants[0]).sum())
    low, high = support[0] - centre, support[1] - centre
    sums = blend(weight * np.concatenate([np.ones((1, *weight.shape)), raw_moments(cumulants, centre)]))
    sums = _joined(sums.reshape(5, -1))
    central = central_moments(sums)
    central[1] = np.maximum(central[1], 1e-20 * (high - low) ** 2)
    mass, central, of_splitting = _split(sums[0] / sums[0].sum(), central)
    a, b, start, width = fit_beta(central, low, high)[0]
    a, b = _guarded(a, b, finite)
    signed, unsigned = _missed(mass, central, np.stack([a, b]))
    error = SAFETY * signed + WITHOUT_SIGN * unsigned if all(finite) else AT_A_SPIKE * unsigned
    error += of_splitting + OF_GROUPS + abs(float(1 - sums[0].sum()))
    return FittedMixture(mass, a, b, start + centre, width, error)


def _guarded(a: Floats, b: Floats, finite: tuple[bool, bool]) -> tuple[Floats, Floats]:
    """Betas that are finite where the density is: one of 1e-4 of the mass would make it infinite there."""
    p = a / (a + b)
    if finite[1]:
        bad = b < 1
        a, b = np.where(bad, p / (1 - p), a), np.where(bad, 1.0, b)
    if finite[0]:
        bad = a < 1
        a, b = np.where(bad, 1.0, a), np.where(bad, np.maximum((1 - p) / p, 1.0 if finite[1] else 0.0), b)
    return a, b


def _split(mass: Floats, central: Floats) -> tuple[Floats, Floats, float]:
    """Components more pointed than any Beta become two of their mean, a narrow one and a wide one.

    With variances ``x v`` and shares that add up to mean, variance, third and fourth moment; skewness is shared.
    The number is the error of the cdf that is left. It has the shape of the next even term of an Edgeworth series,
    He5 phi, of every component, and partly cancels between neighbours.
    """
    mean, v, third, fourth = central
    skewness, excess = third / v**1.5, fourth / v**2 - 3
    pointed = (excess - 1.5 * skewness**2 > POINTED) & (np.abs(skewness) < MOST_SKEWED)
    if mass[pointed].sum() < FEW_POINTED:
        return mass, central, 0.0
    mean, v, skewness, excess = mean[pointed], v[pointed], skewness[pointed], excess[pointed]
    more = excess - 1.5 * skewness**2
    wrong = mass[pointed] * (more / (more + HALFWAY))
    at = np.concatenate([mean + step * np.sqrt(v) for step in (-1.8, -0.6, 0.6, 1.8)])
    z = (at[:, None] - mean) / np.sqrt(v)
    signed = float(np.abs(z * (z**4 - 10 * z**2 + 15) * np.exp(-0.5 * z**2) @ wrong).max()) / LARGEST_HE5
    error = OF_SPLITTING * signed + OF_SPLITTING_WITHOUT_SIGN * float(wrong.sum())
    lean = skewness
    for _ in range(6):
        spread = np.maximum((excess - 1.5 * lean**2) / (3 + 1.5 * lean**2), 0.0)
        wide = np.minimum(0.5, 0.9 / (1 + spread))
        x = np.stack([1 - np.sqrt(spread * wide / (1 - wide)), 1 + np.sqrt(spread * (1 - wide) / wide)])
        share = np.stack([1 - wide, wide])
        lean = skewness / (share * x**1.5).sum(axis=0)
    v = x * v
    two = np.stack([0 * v + mean, v, lean * v**1.5, (3 + 1.5 * lean**2) * v**2]).reshape(4, -1)
    return (
        np.concatenate([mass[~pointed], (share * mass[pointed]).ravel()]),
        np.concatenate([central[:, ~pointed], two], axis=1),
        error,
    )


def _missed(mass: Floats, central: Floats, fit: Floats) -> tuple[float, float]:
    """Error of the cdf by the skewness and kurtosis that the components miss, with their sign and without.

    With their sign they are the next terms of an Edgeworth series, added over the components at points: what one
    misses to the right of its mean another may miss to the left.
    """
    mean, v = central[:2]
    sd = np.sqrt(v)
    centre = float(mass @ mean)
    whole = float(np.sqrt(mass @ (v + (mean - centre) ** 2)))
    seen = sd > SPIKE * whole
    mass, mean, sd = mass[seen], mean[seen], sd[seen]
    skewness, kurtosis = _shape(fit[:, seen])
    skewness, kurtosis = skewness - central[2, seen] / sd**3, kurtosis - central[3, seen] / sd**4
    missed = OF_SKEWNESS * np.abs(skewness) + OF_KURTOSIS * np.abs(kurtosis)
    damped = mass / (1 + missed / LARGEST)
    heavy = np.argsort(-mass)[:HEAVY]
    near = mean[heavy, None] + sd[heavy, None] * np.array([-2.0, -0.75, 0.0, 0.75, 2.0])
    x = np.concatenate([centre + whole * np.linspace(-4, 4, 61), near.ravel()])
    z = (x[:, None] - mean) / sd
    bell = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)
    gap = ((z**2 - 1) * bell) @ (damped * skewness / 6) + ((z**3 - 3 * z) * bell) @ (damped * kurtosis / 24)
    return float(np.abs(gap).max()), float(damped @ missed)


def _shape(fit: Floats) -> tuple[Floats, Floats]:
    """Skewness and kurtosis of Betas."""
    a, b = fit[:2]
    s = a + b
    skewness = 2 * (b - a) / (s + 2) * np.sqrt((s + 1) / (a * b))
    return skewness, 3 + 6 * ((a - b) ** 2 * (s + 1) - a * b * (s + 2)) / (a * b * (s + 2) * (s + 3))


def _joined(sums: Floats) -> Floats:
    """Join components that nearly agree in mean and standard deviation; moments of order 0 to 4 add up."""
    sums = sums[:, sums[0] > LEAST_MASS]
    mean, variance = central_moments(sums)[:2]
    level = np.round(0.5 * np.log(np.maximum(variance, 1e-30)) / CELL)
    place = np.round(mean / (CELL * np.exp(CELL * level)))
    key = (level.astype(np.int64) << PLACES) + np.clip(place, -MOST_PLACES, MOST_PLACES).astype(np.int64)
    cell = np.unique(key, return_inverse=True)[1].ravel()
    return np.array([bincount(cell, row) for row in sums])
