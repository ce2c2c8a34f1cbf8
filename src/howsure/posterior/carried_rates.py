"""What there is to say where the rates of a judge are carried over to other cases than it was calibrated on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.text import formats

__all__ = ["CarriedRates"]

#: Below it the verdicts contradict the calibration, and below the other one much of what it allows is ruled out.
CONTRADICTION, MUCH_RULED_OUT = 0.05, 0.5

#: Probability of rates that tell nothing apart from which on the prevalence is not identified.
UNIDENTIFIED = 0.025


@dataclass(frozen=True)
class CarriedRates:
    """Verdicts of other cases, and whether the rates of a calibration explain them.

    Attributes
    ----------
    labels : tuple of str
        The classes.
    verdicts : tuple of int
        Cases there with each verdict, in the order of the classes.
    calibration : int
        Cases of the calibration.
    compatible : float
        Probability that the rates allow the shares of the verdicts, both learned apart: with two classes
        P(1 - specificity <= p <= recall).
    worse_than_chance : float
        Probability, by the calibration alone, that recall + specificity is 1 or less; with more classes, that the
        determinant of the rates is 0 or less.
    kept : float
        Share of drawings of rates and verdicts that shares of the classes explain.
    sampler : "weights" or "latent classes"
        How what has no closed law is simulated: weighted drawings, or Gibbs' method on the unknown classes.
    effective : float
        What one draw is worth, in independent ones.
    calls : tuple of float or None
        Two classes: the share of positive verdicts, and the mean of it among the negative and the positive class.
    """

    labels: tuple[str, ...]
    verdicts: tuple[int, ...]
    calibration: int
    compatible: float
    worse_than_chance: float
    kept: float
    sampler: str
    effective: float
    calls: tuple[float, float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "verdicts": dict(zip(self.labels, self.verdicts, strict=True)),
            "calibration_cases": self.calibration,
            "compatible": self.compatible,
            "worse_than_chance": self.worse_than_chance,
            "kept": self.kept,
            "sampler": self.sampler,
            "effective": self.effective,
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """What forbids to read the number as a prevalence."""
        said = []
        if self.compatible < CONTRADICTION:
            said.append(f"{self._contradiction} The rates do not carry over; {self._what_it_is}, not a prevalence.")
        if self.worse_than_chance > UNIDENTIFIED:
            chance = formats.probability(self.worse_than_chance)
            said.append(
                f"The prevalence is not identified: by its calibration the judge may be no better than chance "
                f"(probability {chance}), and then verdicts say nothing of the truth. Much of the answer is the prior; "
                "check more cases of each class."
            )
        return tuple(said)

    @property
    def lead(self) -> str:
        """Before a number that is no prevalence."""
        if self.compatible < CONTRADICTION:
            return "The rates do not carry over, so this is no prevalence: "
        return "Not identified, see the warning: " if self.worse_than_chance > UNIDENTIFIED else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the number assumes, and what else helps to read it."""
        rates = "sensitivity, specificity" if len(self.labels) == 2 else "all rates of each class"
        counts = ", ".join(
            f"{formats.plain(x, 30)} {formats.integer(n)}"
            for x, n in list(zip(self.labels, self.verdicts, strict=True))[:12]
        )
        said = [
            f"the prevalence is that of {formats.several(sum(self.verdicts), 'case')} of which only the verdicts were "
            f"counted ({counts}{', ...' if len(self.labels) > 12 else ''}). It assumes that the judge errs as often "
            f"there as in the calibration of {formats.several(self.calibration, 'case')} ({rates}); every prevalence "
            "is equally probable beforehand."
        ]
        if CONTRADICTION <= self.compatible < MUCH_RULED_OUT:
            said.append(
                f"of what the calibration allows only a part can have given these verdicts (compatible: "
                f"{_percent(self.compatible)}); more calibration cases would tell whether the rates carry over."
            )
        return tuple(said)

    @property
    def drawing(self) -> str:
        """How metrics without a closed law are drawn."""
        kept = f"{_percent(self.kept)} of simulated rates" if self.kept else "next to none of the simulated rates"
        if self.sampler != "weights":
            return (
                f"rates and prevalence are simulated by Gibbs' method on the unknown classes, for {kept} fit the "
                "verdicts. "
                "Draws are taken so far apart that they count as independent."
            )
        return (
            f"rates and prevalence are simulated together: {kept} fit the verdicts, weighted by 1 / |det|; a draw is "
            "equivalent to "
            f"{self.effective:.2g} independent ones."
        )

    @property
    def _contradiction(self) -> str:
        end = f" (compatible: {_percent(self.compatible)})."
        if self.calls is None:
            return f"No shares of the classes explain these verdicts by the rates of the calibration{end}"
        here, negative, positive = self.calls
        low, high = sorted([(negative, 0), (positive, 1)])
        rate, truth = low if here < low[0] else high
        only = "" if here < low[0] else "only "
        named, forward = formats.plain(self.labels[truth], 30), formats.plain(self.labels[1], 30)
        return (
            f"The judge called {_percent(here)} {forward}, but by its calibration it calls {only}{_percent(rate)} of "
            f"the truly {named} so{end}"
        )

    @property
    def _what_it_is(self) -> str:
        if self.calls is None:
            return "the number below is what is left of the calibration's errors"
        here, negative, positive = self.calls
        below = here < min(negative, positive)
        return f"the number below is the calibration's false {'positives' if below else 'negatives'}"


def _percent(share: float) -> str:
    """A share in percent, two digits.

    Examples
    --------
    >>> _percent(0.02), _percent(4.01e-5), _percent(0.999), _percent(0.0)
    ('2.0%', '0.0040%', '99.9%', '0%')
    """
    percent = 100 * share
    if percent == 0:
        return "0%"
    if percent >= 99:
        return f"{percent:.1f}%" if percent < 99.95 else "100%"
    if percent >= 9.95:
        return f"{percent:.0f}%"
    return f"{percent:#.2g}%" if percent >= 0.001 else "under 0.001%"
