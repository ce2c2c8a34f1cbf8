"""What a call is worth at any prevalence, from one law of the odds: exact where it is closed, else from draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from howsure.laws import Draws, Kind
from howsure.laws.binary import quantile_with_density
from howsure.laws.draws import Companion
from howsure.laws.law import Law, Route
from howsure.numerics.arrays import Floats
from howsure.numerics.two_by_two.shifted_odds import DrawnOdds, Moved, SmoothOdds, log_odds

__all__ = ["CallOdds", "ClosedOdds", "SimulatedOdds", "Worth"]


class Worth(NamedTuple):
    """A predictive value at one prevalence: mean, interval with its kind, and Monte Carlo error of its ends."""

    low: float
    mean: float
    high: float
    kind: Kind
    error: float = 0.0

    @classmethod
    def of(cls, law: Law, level: float, kind: Kind) -> Worth:
        """That of a law."""
        ends = law.interval(level, kind)
        error = law.interval_error(level, ends.kind) if isinstance(law, Draws) else 0.0
        return cls(ends.low, law.mean, ends.high, ends.kind, error)


class CallOdds(ABC):
    """A predictive value at prevalence 1/2, and so at every other: prior odds multiply its odds.

    Parameters
    ----------
    law : "exact", "approximate" or "simulated"
        How it is known.
    level : float
        Of the intervals.
    kind : "hdi" or "central"
        Of the intervals, where there is one of highest density.
    """

    def __init__(self, law: Route, level: float, kind: Kind) -> None:
        #: how the numbers are known
        self.law = law
        self._level, self._kind = level, kind
        self._known: dict[float, Worth] = {}

    def curve(self, shifts: Floats) -> Floats:
        """Low ends, means and high ends where the log odds of the prior are ``shifts``, shape (3, n)."""
        moved = self._at(shifts)
        return np.array([moved.low, moved.mean, moved.high])

    def at(self, shifts: Sequence[float]) -> list[Worth]:
        """The same at a few places, in full and remembered."""
        new = list(dict.fromkeys(shift for shift in shifts if shift not in self._known))
        if new:
            self._known.update(zip(new, self._in_full(np.array(new)), strict=True))
        return [self._known[shift] for shift in shifts]

    @abstractmethod
    def _at(self, shifts: Floats) -> Moved: ...

    @abstractmethod
    def _in_full(self, shifts: Floats) -> list[Worth]: ...


class ClosedOdds(CallOdds):
    """Odds of a predictive value whose law at prevalence 1/2 is closed."""

    def __init__(self, law: Law, level: float, kind: Kind) -> None:
        super().__init__(law.route, level, kind)
        self._odds = SmoothOdds(partial(quantile_with_density, law), level)

    def _at(self, shifts: Floats) -> Moved:
        return self._odds.at(shifts, self._level, self._kind)

    def _in_full(self, shifts: Floats) -> list[Worth]:
        columns = [column.tolist() for column in self._at(shifts)]
        return [
            Worth(low, mean, high, "hdi" if densest else "central")
            for low, mean, high, densest in zip(*columns, strict=True)
        ]


class SimulatedOdds(CallOdds):
    """Odds of a predictive value that is known by draws of both rates; weighted by a control where that pays."""

    def __init__(self, values: Floats, control: Companion | None, level: float, kind: Kind) -> None:
        super().__init__(Draws.route, level, kind)
        self._log_odds = log_odds(values)
        self._control = control
        self._odds = DrawnOdds(*Draws(values, support=(0, 1), control=control).in_order)

    def _at(self, shifts: Floats) -> Moved:
        return self._odds.at(shifts, self._level, self._kind)

    def _in_full(self, shifts: Floats) -> list[Worth]:
        laws = (
            Draws(expit(self._log_odds + shift), support=(0, 1), control=self._control) for shift in shifts.tolist()
        )
        return [Worth.of(law, self._level, self._kind) for law in laws]
