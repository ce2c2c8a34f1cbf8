"""The prevalence among cases of which only verdicts are known, by a judge that was calibrated elsewhere."""

from __future__ import annotations

from functools import cached_property

from howsure.laws.computed_law import EstimatedLaw, in_words
from howsure.numerics.verdicts.carried import CarriedNumbers, compatible, worse_than_chance

__all__ = ["CarriedPrevalence"]


class CarriedPrevalence(EstimatedLaw):
    """Law of a prevalence, flat beforehand, given how many cases an imperfect judge called positive.

    Parameters
    ----------
    positives, cases : float
        How many were called positive, and of how many.
    recall, specificity : (float, float)
        Beta parameters of the rates of the judge, carried over from its calibration.

    Raises
    ------
    ValueError
        Counts that are negative or more than the cases, parameters that are not above 0.
    OutOfReach
        On use, where the calibration makes the share called positive impossible for practical purposes (below 1e-240).

    Notes
    -----
    The uniform model of Gelman and Carpenter (2020), Journal of the Royal Statistical Society C 69, 1269, without
    draws. A judge that is worse than chance needs no special case.

    Examples
    --------
    Their data: 50 of 3,330 called positive, 399 of 401 and 103 of 122 right in the calibration:

    >>> law = CarriedPrevalence(50, 3330, recall=(104, 20), specificity=(400, 3))
    >>> low, high = law.interval()
    >>> round(low, 4), round(high, 4), round(law.compatible, 2)
    (0.0008, 0.0183, 0.94)
    """

    def __init__(
        self, positives: float, cases: float, recall: tuple[float, float], specificity: tuple[float, float]
    ) -> None:
        if not 0 <= positives <= cases < float("inf"):
            raise ValueError(f"positives must lie between 0 and the cases; they are {positives:g} of {cases:g}")
        for name, pair in (("recall", recall), ("specificity", specificity)):
            if not all(0 < x < float("inf") for x in pair):
                raise ValueError(f"{name} needs two positive, finite Beta parameters; they are {pair}")
        self._given = float(positives), float(cases), recall, specificity

    @cached_property
    @in_words()
    def _numbers(self) -> CarriedNumbers:
        return CarriedNumbers(*self._given)

    @property
    def compatible(self) -> float:
        """Probability that the calibration allows the share called positive, ``1 - specificity <= p <= recall``."""
        return compatible(*self._given)

    @property
    def worse_than_chance(self) -> float:
        """Probability, by the calibration alone, that recall + specificity is below 1."""
        return worse_than_chance(*self._given[2:])

    def __repr__(self) -> str:
        return f"<CarriedPrevalence: {self._given[0]:g} of {self._given[1]:g}, mean {self.mean:.4g}, sd {self.sd:.2g}>"
