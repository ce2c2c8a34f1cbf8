"""Two classifiers by slice: every difference alone and borrowing from the others, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.answers.fields import Keyed
from howsure.comparison.slice_cells import PairedCells
from howsure.laws import DirichletRows, Linear, Part
from howsure.laws.law import Kind
from howsure.numerics.arrays import Floats
from howsure.numerics.slices.drawn_slices import times_worst
from howsure.numerics.slices.paired_slices import PairedSlices, ends_of_draws
from howsure.units.slice_answers import FEWEST_BORROWING

__all__ = ["SliceDifference", "SliceDifferences", "Triple", "slice_differences"]

Triple = tuple[float, float, float]

#: Random numbers, draws at most and at least.
BUDGET, MOST, FEWEST = 5_000_000, 20_000, 200

#: Coefficients of the difference on both right, only the first, only the second, neither; and the prior of these.
APART, HALF = np.array([0.0, 1.0, -1.0, 0.0]), 0.5


FIELDS = """
name cases observed mean low high p_better alone(mean=0 low=1 high=2) p_better_alone p_worst
"""
#: The columns of a slice in CSV.
COLUMNS = "slice=name cases observed mean low high p_better alone(mean=0 low=1 high=2) p_better_alone p_worst"


@dataclass(frozen=True)
class SliceDifference(Keyed, fields=FIELDS):
    """Difference of two classifiers in one slice, the first minus the second.

    Attributes
    ----------
    name : str
        Values of the slice.
    cases : int
        Those that the metric is about.
    observed : float or None
        On the raw counts.
    mean, low, high : float
        The headline: borrowing from the other slices from three slices on, else alone.
    p_better : float
        Probability that the first is better here, likewise.
    alone : tuple of float
        Mean and both ends by the slice's own cases.
    p_better_alone : float
        The same probability by these.
    p_worst : float
        Probability that the first does worst here, of all slices, against the second.
    """

    name: str
    cases: int
    observed: float | None
    mean: float
    low: float
    high: float
    p_better: float
    alone: Triple
    p_better_alone: float
    p_worst: float


@dataclass(frozen=True, eq=False)
class SliceDifferences:
    """Differences in S slices.

    Attributes
    ----------
    rows : tuple of SliceDifference
        In the order of the slices.
    p_better_in_all, p_worse_in_all : float
        Joint probability that the first is better, and that it is worse, in every slice.
    least : tuple of float
        Mean and both ends of the difference where the first does worst, whichever slice that is.
    p_above : float
        Joint probability that no slice is worse by more than the margin.
    p_beyond : ndarray, shape (S,)
        Probability that a slice is worse by more than the margin.
    p_alone : ndarray, shape (S,)
        Probability that it is not, by its own cases; exact.
    borrowed : bool
    draws : int
    """

    rows: tuple[SliceDifference, ...]
    p_better_in_all: float
    p_worse_in_all: float
    least: Triple
    p_above: float
    p_beyond: Floats
    p_alone: Floats
    borrowed: bool
    draws: int


def slice_differences(cells: PairedCells, level: float, kind: Kind, seed: int, margin: float = 0.0) -> SliceDifferences:
    """Learn the differences.

    Parameters
    ----------
    cells : PairedCells
        Counts by slice.
    level, kind, seed
        Of the intervals, and of the draws.
    margin : float
        Of ``p_above`` and ``p_beyond``.

    Examples
    --------
    >>> from howsure.comparison.slice_cells import paired_cells
    >>> from howsure.data.predictions import Predictions
    >>> both = Predictions([1] * 90, {"a": [1] * 90, "b": [1, 1, 0] * 30})
    >>> made = slice_differences(paired_cells(both, "a", "b", ["x"] * 40 + ["y"] * 50, None, ""), 0.95, "hdi", 0)
    >>> made.borrowed, made.p_better_in_all > 0.99
    (False, True)
    """
    count, slices = cells.counts.shape[:2]
    borrowed = slices >= FEWEST_BORROWING
    known = PairedSlices(cells.counts, borrowing=borrowed)
    many = max(FEWEST, min(MOST, BUDGET // (slices * count)))
    better_sign = -1.0 if cells.measure.metric.better == "lower" else 1.0
    ahead = np.concatenate(list(known.draw(many, seed)))  # more is better: of an error rate this is what it leaves of 1
    least = ahead.min(axis=1)
    means, one, two, enough = alone_of(cells, level, kind, margin)
    low, high = ends_of_draws(cells.sign * ahead, level, kind) if borrowed else (means[1], means[2])
    observed = cells.observed
    rows = tuple(
        SliceDifference(
            name,
            int(size),
            None if np.isnan(seen) else float(seen),
            float(mean),
            float(a),
            float(b),
            float(p),
            (float(x), float(y), float(z)),
            float(alone if better_sign > 0 else below),
            float(worst),
        )
        for name, size, seen, mean, a, b, p, x, y, z, alone, below, worst in zip(
            cells.names,
            cells.cases,
            observed,
            cells.sign * known.mean if borrowed else means[0],
            low,
            high,
            (ahead > 0).mean(axis=0) if borrowed else (one if better_sign > 0 else two),
            *means,
            one,
            two,
            times_worst(ahead.T, lower=False) / many,
            strict=True,
        )
    )
    ends = ends_of_draws(cells.sign * least[:, None], level, kind)
    return SliceDifferences(
        rows,
        float((least > 0).mean()),
        float((ahead.max(axis=1) < 0).mean()),
        (float(cells.sign * least.mean()), float(ends[0][0]), float(ends[1][0])),
        float((least > -margin).mean()),
        np.asarray((ahead < -margin).mean(axis=0)),
        enough,
        borrowed,
        many,
    )


def alone_of(
    cells: PairedCells, level: float, kind: Kind, margin: float = 0.0
) -> tuple[tuple[Floats, Floats, Floats], Floats, Floats, Floats]:
    """Mean and ends of each difference by the slice's own cases, P(above 0), P(below 0), P(not beyond); exact."""
    count, slices = cells.counts.shape[:2]
    distinct, place = np.unique(cells.counts.swapaxes(0, 1).reshape(slices, -1), axis=0, return_inverse=True)
    made = np.empty((len(distinct), 6))
    weights = np.tile(cells.sign * APART / count, (count, 1))
    for i, row in enumerate(distinct):
        law = Linear.of_parts([Part(DirichletRows(row.reshape(count, 4) + HALF), np.arange(count), weights)])
        # of an error rate more is worse, and the margin is on the other side
        within = law.prob(above=-margin) if cells.sign > 0 else law.prob(below=margin)
        made[i] = (law.mean, *law.interval(level, kind), law.prob(above=0), law.prob(below=0), within)
    mean, low, high, above, below, enough = made[place.ravel()].T
    return (mean, low, high), above, below, enough
