"""How many digits of a metric a test supports, and what one more would cost."""

from __future__ import annotations

from dataclasses import dataclass

from howsure import formats
from howsure._version import __version__
from howsure.accuracy import AccuracyPosterior
from howsure.errors import InvalidArgument
from howsure.metrics import Measure
from howsure.plan import plan
from howsure.posterior import Posterior

__all__ = ["Digits", "digits", "width_for"]


@dataclass(frozen=True)
class Digits:
    """Decimals that a test supports; made by `digits`.

    Attributes
    ----------
    metric : str
        The metric.
    decimals : int
        Decimals that its 95 % interval supports now; 0 stands for the unit, -1 for tens (odds and likelihood ratios).
    width : float
        Width of that interval.
    next_width, next_n : float and int
        Width that supports one more, and the cases of its denominator that give it with ``assurance``.
    unit : str
        What ``next_n`` counts.
    """

    metric: str
    decimals: int
    width: float
    next_width: float
    next_n: int
    unit: str
    assurance: float

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        if self.decimals > 0:
            now, more = f"to {self.decimals} decimal{'' if self.decimals == 1 else 's'}", "one more"
        else:
            now, more = f"to the nearest {formats.integer(10**-self.decimals)}", "one more digit"
        width = f"{self.width:.2g}" if self.width < 100 else f"{self.width:.0f}"
        return (
            f"{formats.plain(self.metric)} is known {now} (its interval is {width} wide); {more} needs "
            f"{formats.integer(self.next_n)} {self.unit} (assurance {self.assurance:g})."
        )

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, object]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``digits``."""
        fields = {key: getattr(self, key) for key in self.__dataclass_fields__}
        return {"format": "howsure/1", "kind": "digits", "version": __version__, **fields, "verdict": self.sentence}


def width_for(decimals: int) -> float:
    """Width of the interval below which so many decimals are shown (the rule of `howsure.formats.decimals`).

    Examples
    --------
    >>> round(width_for(2), 3), formats.decimals(0.5, 0.5 + 0.99 * width_for(2))
    (0.71, 2)
    """
    return 2 * 3.55 * 10.0 ** (1 - decimals)


def digits(
    posterior: Posterior | AccuracyPosterior, metric: str | Measure, *, assurance: float = 0.95, seed: int = 0
) -> Digits:
    """Say how many decimals of a metric a test supports, and how many cases one more would need.

    Parameters
    ----------
    posterior : Posterior or AccuracyPosterior
        The test that was made; it is the pilot of the next one.
    metric : str
        As in `Posterior.of`.
    assurance : float
        Probability that the larger test supports one more.

    Examples
    --------
    >>> from howsure.accuracy import AccuracyPosterior
    >>> print(digits(AccuracyPosterior(correct=80, n=100), "accuracy"))
    accuracy is known to 2 decimals (its interval is 0.15 wide); one more needs 612 cases (assurance 0.95).
    """
    if not isinstance(posterior, Posterior | AccuracyPosterior):
        raise InvalidArgument(f"digits() takes a posterior, made by infer(); not {type(posterior).__name__}")
    known = posterior.quietly(metric)
    low, high = known.interval()
    decimals = formats.decimals(low, high) or formats.place((high - low) / 2)
    width = width_for(decimals + 1) * (1 - 1e-9)
    needed = plan(known.measure or metric, width=width, pilot=posterior, assurance=assurance, seed=seed)
    return Digits(needed.metric, decimals, high - low, width, needed.n, needed.unit, assurance)
