"""Forecasts of one event put together where they are equal, or next to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers, repeat

__all__ = ["ForecastCells", "bins_of", "forecast_cells"]


@dataclass(frozen=True, eq=False)
class ForecastCells:
    """Cells of equal or neighbouring forecasts, from low to high.

    Parameters
    ----------
    mean, low, high : ndarray, shape (B,)
        Mean, least and largest forecast of each.
    cases, events : ndarray of int, shape (B,)
        Cases of each, and those in which the event was.
    place : ndarray of int, shape (n,)
        Cell of each case.
    """

    mean: Floats
    low: Floats
    high: Floats
    cases: Integers
    events: Integers
    place: Integers

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def rate(self) -> Floats:
        """Share of events in each."""
        return self.events / self.cases


def forecast_cells(event: Booleans, p: Floats, most: int | None = None, bins: Integers | None = None) -> ForecastCells:
    """Sort forecasts, and put neighbours together where more than ``most`` of them differ.

    Parameters
    ----------
    event : ndarray of bool, shape (n,)
    p : ndarray, shape (n,)
    most : int, optional
        Cells, about; as many as there are different forecasts if left out.
    bins : ndarray of int, shape (n,), optional
        Bins of the cases, not falling in p; no cell lies in two of them.

    Examples
    --------
    >>> made = forecast_cells(np.array([True, False, True]), np.array([0.3, 0.1, 0.3]))
    >>> made.mean.tolist(), made.cases.tolist(), made.events.tolist()
    ([0.1, 0.3], [1, 2], [0, 2])
    """
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    new = np.empty(len(p), dtype=bool)
    new[0] = True
    new[1:] = ordered[1:] != ordered[:-1]
    if most is not None and int(new.sum()) > most:
        first = np.flatnonzero(new)
        # a forecast that many cases share is a cell of its own: cells are told by the middle of each forecast
        middle = (first + np.append(first[1:], len(p))) / 2
        step = np.floor(middle * (most / len(p)))
        if bins is not None:
            step = step + bins[order][first] * (most + 1.0)
        kept = np.ones(len(first), dtype=bool)
        kept[1:] = step[1:] != step[:-1]
        starts = first[kept]
    else:
        starts = np.flatnonzero(new)
    cases = np.diff(np.append(starts, len(p)))
    events = np.add.reduceat(event[order].astype(np.int64), starts)
    low, high = ordered[starts], ordered[starts + cases - 1]
    mean = np.clip(np.add.reduceat(ordered, starts) / cases, low, high)
    place = np.empty(len(p), dtype=np.int64)
    place[order] = repeat(np.arange(len(starts)), cases)
    return ForecastCells(mean, low, high, cases, events, place)


def bins_of(p: Floats, bins: int, strategy: str) -> Integers:
    """Bin of each forecast, as `sklearn.calibration.calibration_curve` has it; shape (n,).

    Parameters
    ----------
    p : ndarray, shape (n,)
    bins : int
    strategy : "quantile" or "uniform"
        As many cases in each, or equally wide.

    Examples
    --------
    >>> bins_of(np.array([0.0, 0.1, 0.5, 0.9]), 2, "uniform").tolist()
    [0, 0, 0, 1]
    """
    steps = np.linspace(0.0, 1.0, bins + 1)
    edges = steps if strategy == "uniform" else np.percentile(p, 100 * steps)
    return np.searchsorted(edges[1:-1], p).astype(np.int64)
