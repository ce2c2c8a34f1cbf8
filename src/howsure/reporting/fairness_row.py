"""Parts of a report of fairness: one rate of one group, one group, and one gap between groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["FairnessGap", "FairnessRate", "FairnessRow"]


@dataclass(frozen=True)
class FairnessRate:
    """A rate of a group by its own cases; without a case that counts there is no number.

    Attributes
    ----------
    hits, cases : int
        Of the rate: called positive, of all cases, of those that are positive, of those that are not.
    observed, mean, low, high : float or None
    """

    hits: int
    cases: int
    observed: float | None
    mean: float | None
    low: float | None
    high: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class FairnessRow:
    """One group.

    Attributes
    ----------
    name : str
    cases : int
    selection_rate, true_positive_rate, false_positive_rate : FairnessRate
    """

    name: str
    cases: int
    selection_rate: FairnessRate
    true_positive_rate: FairnessRate
    false_positive_rate: FairnessRate

    def rate(self, name: str) -> FairnessRate:
        """One of the three by its name."""
        made: FairnessRate = getattr(self, name)
        return made

    def to_dict(self, rates: tuple[str, ...]) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {"name": self.name, "cases": self.cases, **{rate: self.rate(rate).to_dict() for rate in rates}}


@dataclass(frozen=True)
class FairnessGap:
    """The largest gap between groups, by a name of fairlearn; none without two groups, or of zeros, for a ratio.

    Attributes
    ----------
    name : str
        Such as "demographic_parity_difference".
    rate : str
        The rate that is compared; of equalized odds the one with the larger observed gap.
    observed : float or None
        As fairlearn computes it; None if there are no two groups with cases, or all rates are 0 (of a ratio).
    mean, low, high : float or None
    p_alike : float or None
        Probability that there is no gap at all.
    limit : float
        What is looked at: a difference above it, a ratio below it.
    p_beyond : float or None
        Probability of that.
    lowest, highest : str or None
        Groups with the least and the greatest observed rate.
    p_lowest, p_highest : float or None
        Probabilities that no group has a lower true rate than the one, and none a higher one than the other.
    """

    name: str
    rate: str
    observed: float | None
    mean: float | None
    low: float | None
    high: float | None
    p_alike: float | None
    limit: float
    p_beyond: float | None
    lowest: str | None
    highest: str | None
    p_lowest: float | None
    p_highest: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}
