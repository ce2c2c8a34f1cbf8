"""One slice of a report by slice."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SliceRow"]


@dataclass(frozen=True)
class SliceRow:
    """One slice; numbers are None where there is no information.

    Attributes
    ----------
    name : str
        Its values.
    cases : int
    observed : float or None
        On the raw counts.
    mean, low, high : float or None
        The headline: borrowing from the other slices from three slices on, else alone.
    alone : tuple of float
        Mean and both ends by the slice's own cases.
    gap : tuple of float or None
        Mean and both ends of this slice alone minus all others together.
    p_below_rest : float or None
        P(gap < 0).
    p_worst : float
        Probability of being the worst slice.
    p_unlike : float or None
        Probability that it is unlike the rest: far below the others, or above where low is good. Of slices that borrow.
    empty : float
        Weight of the metric that rests on classes without a case here, from 0 to 1.
    """

    name: str
    cases: int
    observed: float | None
    mean: float | None
    low: float | None
    high: float | None
    alone: tuple[float | None, float | None, float | None]
    gap: tuple[float | None, float | None, float | None] | None
    p_below_rest: float | None
    p_worst: float
    p_unlike: float | None
    empty: float = 0.0
