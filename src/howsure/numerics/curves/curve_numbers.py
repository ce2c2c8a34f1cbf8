"""Numbers of whole curves, their bands, and the cut that is chosen on one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.numerics.arrays import Floats, Integers

# -- Bands around a curve from many random ones: at each point, and around all of it at once ---------------------------


#: Mean weight, in cases, by which lower curves are moved down and upper ones up before the band of all of a curve is
#: taken. Random curves have steps at the cases that were seen and nowhere else; without it such bands are too narrow
#: where a rate is near 0 or 1 (docs/validity.md says what they hold with it).
SLACK = 0.05


def pointwise(draws: Floats, level: float) -> tuple[Floats, Floats]:
    """Central intervals at each point, shape (G,) each, of curves of shape (M, G)."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def simultaneous(lower: Floats, upper: Floats, level: float) -> tuple[Floats, Floats]:
    """Band, shape (G,) each end, that holds a share ``level`` of M curves wholly: between equal ranks at every point.

    ``lower`` and ``upper``, shape (M, G), are the same random curves moved down and up (or twice the same). The
    envelope of ranks of Besag et al. 1995 (Statistical Science 10, section 6.3), with ties in favour of a curve.
    """
    draws = len(lower)
    low, high = np.sort(lower, axis=0), np.sort(upper, axis=0)
    depth = np.full(draws, draws)
    for g in range(lower.shape[1]):
        depth = np.minimum(depth, np.searchsorted(low[:, g], lower[:, g], "right"))
        depth = np.minimum(depth, draws - np.searchsorted(high[:, g], upper[:, g], "left"))
    rank = max(1, int(np.sort(depth)[int((1 - level) * draws + 1e-9)]))
    return low[rank - 1], high[draws - rank]


def shifted(x: Floats, y: Floats, at: Floats, across: Floats, up: Floats, *, higher: bool) -> Floats:
    """Values (M, G) at ``at`` (G,) of rising curves (M, S), moved left and up (``higher``), or right and down."""
    sign = 1.0 if higher else -1.0
    made = np.array([np.interp(at + sign * dx, a, b) for dx, a, b in zip(across, x, y, strict=True)])
    if not higher:
        # right of where a moved curve begins there is nothing yet, not the height of its first step
        made[at[None, :] < across[:, None]] = 0.0
    return np.clip(made + sign * up[:, None], 0.0, 1.0)


# -- A threshold that is chosen and judged on the same cases: where the best one may lie, and what choosing flatters ---


#: Values of tables that are held at once.
BLOCK = 4_000_000


def tables_of(called: Floats, share: Floats | float) -> Floats:
    """Tables (..., T, 2, 2) from rates of being called (..., T, 2), negative class first, and the positive share."""
    phi = np.asarray(share, dtype=float)[..., None]
    made = np.empty((*called.shape[:-1], 2, 2))
    made[..., 0, 1] = (1 - phi) * called[..., 0]
    made[..., 0, 0] = (1 - phi) * (1 - called[..., 0])
    made[..., 1, 1] = phi * called[..., 1]
    made[..., 1, 0] = phi * (1 - called[..., 1])
    return made


def best_cut(values: Floats) -> Integers:
    """Place of the largest value, shape (...,), of values (..., T); of equal ones the middle; NaN is never best."""
    filled = np.where(np.isnan(values), -np.inf, values)
    tied = filled == filled.max(axis=-1, keepdims=True)
    reached = np.cumsum(tied, axis=-1)
    middle = (reached[..., -1:] + 1) // 2
    return np.asarray((reached >= middle).argmax(axis=-1), dtype=np.int64)


def optimism(
    called: Integers,
    sizes: Integers,
    share: float,
    worth: Callable[[Floats], Floats],
    resamples: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """How much better the chosen threshold looks on the cases it was chosen on than on new ones, and its error.

    ``called`` (T, 2) are cases at T increasing cuts or above, negative first. Efron's bootstrap within classes: the
    mean gain of the resample's best cut there over the cases themselves (Efron and Gong 1983; Harrell, Lee and Mark
    1996).
    """
    bins = [np.diff(np.concatenate(([0], called[::-1, i], [sizes[i]]))) / sizes[i] for i in (0, 1)]
    original = worth(tables_of(called / sizes, share))
    gains = []
    step = max(1, BLOCK // (8 * len(called)))
    for start in range(0, resamples, step):
        many = min(step, resamples - start)
        drawn = np.stack(
            [np.cumsum(rng.multinomial(sizes[i], bins[i], many), axis=1)[:, :-1][:, ::-1] / sizes[i] for i in (0, 1)],
            axis=-1,
        )
        values = worth(tables_of(drawn, share))
        at = best_cut(values)
        gains.append(np.take_along_axis(values, at[:, None], axis=1)[:, 0] - original[at])
    found = np.concatenate(gains)
    found = found[np.isfinite(found)]
    if not len(found):
        return 0.0, 0.0
    return float(found.mean()), float(found.std() / np.sqrt(len(found)))


# -- Numbers of ROC and precision-recall curves, of one curve or of many: arrays of rates in, one number a curve out ---


#: Cases on either side of a point of a curve that are added to those of its class: Jeffreys' Beta(1/2, 1/2).
HALF = 0.5


def area_under(true: Floats, false: Floats, inside: Floats | None = None) -> Floats:
    """Area under each of M ROC curves of rates (M, S + 1) from (0, 0) to (1, 1).

    ``inside`` (S,) is the share of the pairs within each step that are in the right order; by default 1/2, the
    trapezium.
    """
    up, across = np.diff(true, axis=-1), np.diff(false, axis=-1)
    half = 0.5 if inside is None else inside
    return np.asarray(np.einsum("ms,ms->m", up, 1 - false[:, 1:] + across * half))


def average_precision(true: Floats, false: Floats, odds: Floats, gain: Floats | None = None) -> Floats:
    """Mean precision over the positives of M curves; ``odds`` (M,) of negatives, ``gain`` (S,) to add to it."""
    up = np.diff(true, axis=-1)
    called = true[:, 1:] + odds[:, None] * false[:, 1:]
    precision = np.divide(true[:, 1:], called, out=np.ones_like(called), where=called > 0)
    if gain is not None:
        precision = np.clip(precision + gain, 0.0, 1.0)
    return np.asarray(np.einsum("ms,ms->m", up, precision))


def true_rate_at(true: Floats, false: Floats, at: Floats) -> Floats:
    """True positive rates (M, G) at false ones, on straight lines between points; the upper end of a vertical line."""
    return np.array([np.interp(at, x, y) for x, y in zip(false, true, strict=True)])


def false_rate_at(true: Floats, false: Floats, at: Floats) -> Floats:
    """False positive rate at which true positive rates are reached; the left end of a horizontal line."""
    # from the other end, the left end of a line is the last of equal rates
    return np.array([1 - np.interp(1 - at, 1 - y[::-1], 1 - x[::-1]) for x, y in zip(false, true, strict=True)])


def partial_area(true: Floats, false: Floats, most: float) -> Floats:
    """Area under each ROC curve up to a false positive rate, shape (M,)."""
    ends = true_rate_at(true, false, np.array([most]))
    x, y = np.minimum(false, most), np.where(false > most, ends, true)
    return np.asarray(np.einsum("ms,ms->m", np.diff(x, axis=-1), (y[:, 1:] + y[:, :-1]) / 2))


def standardised(area: Floats, most: float) -> Floats:
    """Partial area on the scale where 1/2 is chance and 1 is perfect (McClish 1989, equation 5)."""
    least = most**2 / 2
    return np.asarray((1 + (area - least) / (most - least)) / 2)


def precision_at(recall: Floats, false: Floats, odds: Floats) -> Floats:
    """Precision where a share ``recall`` of the positives and ``false`` of the negatives are called, shape (M, G)."""
    called = recall + odds[:, None] * false
    return np.divide(np.broadcast_to(recall, called.shape), called, out=np.ones_like(called), where=called > 0)


def with_half_cases(rates: Floats, cases: float, rng: np.random.Generator) -> Floats:
    """Draws of shares (M, G) of so many cases with half a case more on either side, the same at all points of a curve.

    Beta(k, n - k) becomes Beta(k + 1/2, ...): near an area of 1 pseudo-cases leave a point that all reach too sure.
    """
    weight = rng.standard_gamma(cases, (len(rates), 1))
    above, below = rng.standard_gamma(HALF, (2, len(rates), 1))
    return np.asarray((rates * weight + above) / (weight + above + below))
