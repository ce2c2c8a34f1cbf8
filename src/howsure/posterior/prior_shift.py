"""When the prior, not the data, decides a number: how far it moved it, and what to say."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import ndtr

from howsure.laws import GroupMeans, LearnedSum, Linear
from howsure.posterior.distribution import Distribution, measure_of
from howsure.text import formats

__all__ = ["ShiftNote", "shift_note"]


@dataclass(frozen=True)
class ShiftNote:
    """A sentence about a prior that does much of the talking.

    ``warning`` is True above 1 sd, for averages over two or more classes only: a single rate with every case right
    shifts by more than 1 under a flat prior, however many cases there are.
    """

    text: str
    shift: float
    warning: bool


def shift_note(distribution: Distribution) -> ShiftNote | None:
    """Sentence to print where the prior moved a number by more than half its sd; None where it did not."""
    shift, measure = distribution.prior_shift, measure_of(distribution)
    if shift is None or measure is None or abs(shift) <= 0.5:
        return None
    mean, sd, observed = distribution.mean, distribution.sd, distribution.observed
    assert observed is not None
    linear, learned = isinstance(distribution.law, Linear), distribution.prior == "learned"
    straight = linear or isinstance(distribution.law, LearnedSum)
    mover = f"the {distribution.prior} prior " + ("moves" if straight else "and smoothing move")
    if isinstance(distribution.law, GroupMeans):
        # the mean over groups is not the share of the cases: large groups weigh less than their cases do
        mover = f"the {distribution.prior} prior, and groups that weigh less than their cases, move"
    text = (
        f"{mover} "
        f"{formats.plain(measure.name)} by "
        f"{mean - observed:+.2g}, which is {abs(shift):.1f} times its own uncertainty (sd {sd:.2g})."
    )
    average = measure.average in ("macro", "weighted") or measure.metric.name in (
        "balanced_accuracy",
        "weighted_recall",
    )
    if abs(shift) <= 1 or not average or learned:
        return ShiftNote(text, shift, warning=False)
    covered = float(ndtr(1.96 - abs(shift)) - ndtr(-1.96 - abs(shift)))
    if "calibrated" in distribution.prior:
        consequence = (
            "A central interval moved this far contains the truth less often than stated (about "
            f"{100 * covered:.0f}% instead of 95%, by a normal approximation); a highest-density one of two classes "
            "contains it in 87% or more, counted out. More cases of each class reduce this effect."
        )
        return ShiftNote(f"{text} {consequence}", shift, warning=True)
    consequence = (
        "An interval moved this far contains the truth less often than stated (about "
        f"{100 * covered:.0f}% instead of 95% for a central interval, by a normal approximation). "
        "Use prior 'learned', or test more cases of each class."
    )
    return ShiftNote(f"{text} {consequence}", shift, warning=True)
