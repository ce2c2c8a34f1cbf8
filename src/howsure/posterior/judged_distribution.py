"""What is known of one number where truths are missing, and what the judge is worth for it."""

from __future__ import annotations

from functools import cached_property

from howsure.laws import Law
from howsure.metrics import Measure
from howsure.posterior.distribution import Distribution, Term
from howsure.posterior.questions.not_at_random import JudgedSource, not_at_random
from howsure.text import formats

__all__ = ["JudgedDistribution", "worth_of"]

#: A prior of one right and one wrong case is what three cases less are worth: Beta(1 + s, 1 + f) has n + 3.
PRIOR_CASES = 3.0


def worth_of(law: Law) -> float:
    """Labelled cases that would tell a share as well without a judge, m(1 - m)/var - 3.

    So many cases with right and wrong answers have, under Beta(1, 1), the mean and the variance of this law; where all
    cases are labelled it is their number.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> round(worth_of(Beta(86, 16)), 9)
    100.0
    """
    m, sd = law.mean, law.sd
    return max(m * (1 - m) / sd**2 - PRIOR_CASES, 0.0) if sd > 0 else float("inf")


class JudgedDistribution(Distribution):
    """What is known of one metric where some truths are missing: a `Distribution` that also knows its assumption.

    Attributes
    ----------
    worth : float or None
        Labelled cases that would tell it as well without the verdicts; of a share of a true class, and in an audit of
        the accuracy; None of other metrics.

    Examples
    --------
    >>> import howsure as hs
    >>> judged = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    >>> hs.infer(judged).of("prevalence@pass")
    prevalence@pass 0.70 (0.63 to 0.76) 95% HDI, prior jeffreys, exact, equivalent to 176 labels
    """

    def __init__(self, source: JudgedSource, measure: Measure, *, draws: int, seed: int, law: Law) -> None:
        super().__init__([Term(1.0, source, measure)], draws=draws, seed=seed, law=law)
        self._verdicts, self._about = source.verdicts, measure

    @cached_property
    def worth(self) -> float | None:
        """Labelled cases that would tell it as well without a judge, m(1 - m)/var - 3; None of what is no share."""
        name = self._about.twin.metric.name
        shares = ("prevalence", "accuracy", "error_rate") if self._verdicts.audit else ("prevalence",)
        alone = self._about.average is None or self._about.twin is not self._about
        return worth_of(self.law) if name in shares and alone else None

    def _cells(self) -> dict[str, str]:
        cells = super()._cells()
        return cells if self.worth is None else {**cells, "worth": f"{formats.integer(round(self.worth))} labels"}

    def __repr__(self) -> str:
        worth = self._cells().get("worth")
        return super().__repr__() + ("" if worth is None else f", equivalent to {worth}")

    not_at_random = not_at_random
