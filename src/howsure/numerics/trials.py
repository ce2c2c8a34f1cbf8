"""Tests that have not been made yet: counts under a supposed truth, and what would be learned from them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats

__all__ = [
    "gains_learned",
    "halved_noise",
    "hdi_widths",
    "lower_ends",
    "paired_counts",
    "posterior_pairs",
    "posterior_tables",
    "recalls_learned",
    "simulated_recalls",
    "simulated_tests",
]

Whole = NDArray[np.int64]

#: Numbers held at once.
BLOCK = 4_000_000


def simulated_tests(tables: Floats, n: int, rng: np.random.Generator, shares: Floats | None) -> Whole:
    """Counts of one test of n cases under each of the true joint tables (T, ...); the leading class axis is truth.

    With ``shares``, shape (K,), the class sizes are fixed by design (largest remainders); else cases come as they are.
    """
    flat = tables.reshape(len(tables), -1)
    if shares is None:
        return rng.multinomial(n, flat / flat.sum(axis=1, keepdims=True)).reshape(tables.shape)
    sizes = _by_design(n, shares)
    rows = tables.reshape(len(tables), tables.shape[1], -1)
    rows = rows / rows.sum(axis=2, keepdims=True)
    return rng.multinomial(sizes, rows).reshape(tables.shape)


def simulated_recalls(tables: Floats, n: int, rng: np.random.Generator, shares: Floats | None) -> tuple[Whole, Whole]:
    """Right answers and cases of each class, (T, K) each, of one test under each of the joint tables (T, K, K)."""
    truth = tables.sum(axis=-1)
    recalls = np.clip(np.diagonal(tables, axis1=1, axis2=2) / truth, 0.0, 1.0)
    if shares is None:
        cases = rng.multinomial(n, truth / truth.sum(axis=1, keepdims=True))
    else:
        cases = np.broadcast_to(_by_design(n, shares), truth.shape)
    return rng.binomial(cases, recalls), cases


def _by_design(n: int, shares: Floats) -> Whole:
    """Class sizes in these shares, by largest remainders."""
    sizes = np.floor(n * shares).astype(np.int64)
    sizes[np.argsort(sizes - n * shares)[: n - int(sizes.sum())]] += 1
    return sizes


def posterior_tables(
    counts: Whole, prior: Floats, share_prior: float, known: Floats | None, draws: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Joint tables learned from each test, blocks of shape (r, draws, K, K), in the order of ``counts`` (R, K, K)."""
    size = counts.shape[-1]
    step = max(1, BLOCK // (draws * size**2))
    for start in range(0, len(counts), step):
        some = counts[start : start + step]
        tables = rng.standard_gamma((some + prior)[:, None], (len(some), draws, size, size))
        tables /= tables.sum(axis=-1, keepdims=True)
        if known is None:
            shares = rng.standard_gamma((some.sum(-1) + share_prior)[:, None], (len(some), draws, size))
            shares /= shares.sum(axis=-1, keepdims=True)
            tables *= shares[..., None]
        else:
            tables *= known[:, None]
        yield tables


def recalls_learned(
    right: Whole, cases: Whole, prior: tuple[float, float], draws: int, rng: np.random.Generator
) -> Floats:
    """Recalls learned from each test, (R, K) right answers and cases to (R, draws, K)."""
    shape = (len(right), draws, right.shape[1])
    hits = rng.standard_gamma((right + prior[0])[:, None], shape)
    return np.asarray(hits / (hits + rng.standard_gamma((cases - right + prior[1])[:, None], shape)))


def gains_learned(counts: Whole, draws: int, rng: np.random.Generator) -> Floats:
    """Recall of the new classifier less that of the old one, (R, K, K, K) counts to (R, draws, K).

    Each class is a Dirichlet over both right, only the new one, only the old one, neither, half a case each.
    """
    place = np.arange(counts.shape[1])
    both = counts[:, place, place, place]
    new, old = counts[:, place, place, :].sum(-1) - both, counts[:, place, :, place].sum(-1).T - both
    cells = np.stack([new, old, counts.sum((-2, -1)) - new - old], axis=-1) + np.array([0.5, 0.5, 1.0])
    drawn = rng.standard_gamma(cells[:, None], (len(counts), draws, *cells.shape[1:]))
    return np.asarray((drawn[..., 0] - drawn[..., 1]) / drawn.sum(-1))


def paired_counts(tables: Floats) -> tuple[Floats, Floats]:
    """Both classifiers' joint tables (..., K, K) from those of (truth, new, old), shape (..., K, K, K)."""
    return tables.sum(axis=-1), tables.sum(axis=-2)


def posterior_pairs(
    counts: Whole, base: Floats, share_prior: float, known: Floats | None, draws: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Joint tables of truth and both predictions, blocks (r, draws, K, K, K); ``base`` are their pseudo-counts.

    Each true class is a Dirichlet over the K x K pairs of predictions, so that either classifier alone has its own
    posterior.
    """
    size = counts.shape[-1]
    step = max(1, BLOCK // (draws * size**3))
    for start in range(0, len(counts), step):
        some = counts[start : start + step]
        tables = rng.standard_gamma((some + base)[:, None], (len(some), draws, size, size, size))
        tables /= tables.sum(axis=(-2, -1), keepdims=True)
        if known is None:
            shares = rng.standard_gamma((some.sum((-2, -1)) + share_prior)[:, None], (len(some), draws, size))
            tables *= (shares / shares.sum(axis=-1, keepdims=True))[..., None, None]
        else:
            tables *= known[:, None, None]
        yield tables


def hdi_widths(values: Floats, level: float) -> Floats:
    """Width of the shortest interval that holds ``level`` of the draws in each row (R, S), shape (R,).

    The width as a function of the tail below is smoothed by a polynomial of degree 4 before its least value is taken:
    the least of many noisy widths would be too small. Where it is least at an end, the interval starts there.
    """
    ordered = np.sort(values, axis=1)
    tail = 1 - level
    x = np.linspace(-0.9, 0.9, 37)
    places = tail * (1 + x) / 2
    widths = _at(ordered, places + level) - _at(ordered, places)
    powers = np.vander(x, 5)
    smooth = widths @ np.linalg.pinv(powers).T @ powers.T
    least = smooth.min(axis=1)
    from_low = _at(ordered, np.array([level]))[:, 0] - ordered[:, 0]
    to_high = ordered[:, -1] - _at(ordered, np.array([tail]))[:, 0]
    at_low, at_high = smooth.argmin(axis=1) == 0, smooth.argmin(axis=1) == len(x) - 1
    least = np.where(at_low, np.minimum(least, from_low), least)
    return np.asarray(np.where(at_high, np.minimum(least, to_high), least))


def lower_ends(values: Floats, tail: float) -> Floats:
    """The value of each row (R, S) that all but ``tail`` of the draws exceed, shape (R,)."""
    return _at(np.sort(values, axis=1), np.array([tail]))[:, 0]


def _at(ordered: Floats, p: Floats) -> Floats:
    """Quantiles of sorted rows, shape (R, len(p))."""
    place = np.clip(p * (ordered.shape[1] + 1) - 1, 0, ordered.shape[1] - 1)
    below = np.floor(place).astype(int)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    part = place - below
    return np.asarray(ordered[:, below] * (1 - part) + ordered[:, above] * part)


def halved_noise(whole: Floats, first: Floats, second: Floats) -> Floats:
    """Statistics of R tests without the spread that a finite number of draws adds to them.

    Both halves of the draws give the statistic twice; a quarter of their mean squared difference is the variance of
    the noise in ``whole``, and the deviations from the mean are drawn in by what it adds.
    """
    noise = float(np.mean((first - second) ** 2)) / 4
    spread = float(np.var(whole))
    shrunk = np.sqrt(max(0.0, 1 - noise / spread)) if spread > 0 else 1.0
    return np.asarray(whole.mean() + (whole - whole.mean()) * shrunk)
