"""The share of a class among cases with two verdicts: its density as a double integral.

For ``theta = q r_1 + (1 - q) r_0`` with q, r_1 and r_0 independent Betas, the rate that counts for more is told by the
others:

    g(x) = int h_q(q) int h_0(r) h_1((x - (1 - q) r) / q) / q dr dq      where q is above 1/2,

and the same with both exchanged below. At q = x and q = 1 - x both rates reach an end together: the outer integral is
split there, and its nodes crowd there where the parameters of these ends are small.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.verdicts.density_law import NOWHERE, DensityLaw, Factor, Rule, crowded_rule, factor, rule

__all__ = ["TwoVerdicts"]

CUT = 32.0  # e-folds
OUTER, CROWDED, INNER = 64, 72, 56  # nodes
BLUNT = 30.0  # sum of the parameters at a corner from which it is not felt
BATCH = 16_000


class TwoVerdicts(DensityLaw):
    """Law of ``q r_1 + (1 - q) r_0``.

    Parameters
    ----------
    share, first, second : (float, float)
        Beta parameters of q, r_1 and r_0.
    """

    def __init__(self, share: tuple[float, float], first: tuple[float, float], second: tuple[float, float]) -> None:
        self._share, self._first, self._second = (factor(*each, CUT) for each in (share, first, second))
        self._corners = first[1] + second[0], first[0] + second[1]
        q = share[0] / sum(share)
        self._place_panels(q * first[0] / sum(first) + (1 - q) * second[0] / sum(second))

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """Closed, as those of any sum over verdicts."""
        (q, q_variance), *rates = (_moments_of(each) for each in (self._share, self._first, self._second))
        (one, one_variance), (two, two_variance) = rates
        variance = q_variance * (one - two) ** 2
        variance += (q * q + q_variance) * one_variance + ((1 - q) ** 2 + q_variance) * two_variance
        return q * one + (1 - q) * two, float(np.sqrt(variance))

    def _log_density(self, x: Floats, fewer: float = 1.0) -> Floats:
        q = self._share
        rough = min(self._corners) < BLUNT
        outer = crowded_rule(int(CROWDED * fewer)) if rough else rule(int(OUTER * fewer))
        inner = crowded_rule(int(INNER * fewer)) if min(self._corners) < 4 else rule(int(INNER * fewer))
        ends = [np.full(len(x), q.low), np.full(len(x), q.high)]
        ends += [at for at, corner in zip((x, 1 - x), self._corners, strict=True) if corner < BLUNT]
        edges = np.sort(np.clip(np.stack(ends, axis=1), q.low, q.high), axis=1)
        row, panel = np.nonzero(np.diff(edges, axis=1) > 0)
        start, stop = edges[row, panel, None], edges[row, panel + 1, None]
        at = start + (stop - start) * outer.u
        rest = np.where(stop == q.high, q.from_high, 1 - stop) + (stop - start) * outer.rest
        log = np.full(at.shape, NOWHERE)
        share = np.broadcast_to(x[row, None], at.shape)
        upper = at >= 0.5
        log[upper] = _inner(share[upper], rest[upper], self._second, self._first, inner)
        log[~upper] = _inner(share[~upper], at[~upper], self._first, self._second, inner)
        log += q.log_density(at, rest) + np.log((stop - start) * outer.weight)
        top = np.full(len(x), NOWHERE)
        np.maximum.at(top, row, log.max(axis=1))
        total = bincount(row, np.exp(log - top[row, None]).sum(axis=1), len(x))
        with np.errstate(divide="ignore"):
            return np.asarray(top + np.log(total))


def _moments_of(beta: Factor) -> tuple[float, float]:
    total = beta.a + beta.b
    return beta.a / total, beta.a * beta.b / (total * total * (total + 1))


def _inner(x: Floats, w: Floats, own: Factor, other: Factor, nodes: Rule) -> Floats:
    """``log int h(r) h'((x - w r) / (1 - w)) / (1 - w) dr``, with w up to 1/2."""
    with np.errstate(over="ignore"):
        by_low, by_high = (x - (1 - w) * other.low) / w, (1 - x - (1 - w) * other.from_high) / w
    high_cut, low_cut = by_low < own.high, by_high < 1 - own.low
    low = np.where(low_cut, 1 - by_high, own.low)
    from_high = np.where(high_cut, 1 - by_low, own.from_high)
    # of the other rate where r is greatest, and of its complement where r is least
    least = np.where(high_cut, other.low, (x - w * own.high) / (1 - w))
    rest_least = np.where(low_cut, other.from_high, (1 - x - w * (1 - own.low)) / (1 - w))
    result = np.full(len(x), NOWHERE)
    at = np.flatnonzero(np.where(high_cut, by_low, own.high) > low)
    rows = max(1, BATCH // len(nodes.u))
    for k in range(0, len(at), rows):
        part = at[k : k + rows]
        span = np.where(high_cut, by_low, own.high)[part, None] - low[part, None]
        step, back = span * nodes.u, span * nodes.rest
        slope = (w / (1 - w))[part, None]
        log = own.log_density(low[part, None] + step, from_high[part, None] + back)
        step *= slope
        back *= slope
        log += other.log_density(least[part, None] + back, rest_least[part, None] + step)
        top = log.max(axis=1)
        log -= top[:, None]
        result[part] = top + np.log((np.exp(log, out=log) @ nodes.weight) * span[:, 0] / (1 - w[part]))
    return result
