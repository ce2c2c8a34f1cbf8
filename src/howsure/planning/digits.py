"""How many digits of a metric are known, and what one more would cost."""

from __future__ import annotations

from dataclasses import dataclass

from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument
from howsure.laws.draw_settings import SEED
from howsure.metrics import Measure
from howsure.planning.sample_size import plan
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.text import formats

__all__ = ["Digits", "digits", "width_for"]


FIELDS = """
metric decimals width next_width next_n unit assurance verdict=sentence
"""


@dataclass(frozen=True, eq=False)
class Digits(Record, json="digits", fields=FIELDS):
    """Decimals that are known after a test; made by `digits`.

    Attributes
    ----------
    metric : str
        The metric.
    decimals : int
        Decimals of which one unit is more than the width of the 95% interval; 0 if not even the first is, -1 for tens
        (odds and likelihood ratios).
    width : float
        Width of that interval, MU.
    next_width, next_n : float and int
        Width below which one more is known, and the cases of its denominator that give it with ``assurance``.
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
            now = f"is known to {self.decimals} decimal{'' if self.decimals == 1 else 's'}"
            more = "one more"
        elif self.decimals == 0:
            now, more = "has no decimal that is known", "the first"
        else:
            now, more = f"is known to the nearest {formats.integer(10**-self.decimals)}", "one more digit"
        width = f"{self.width:.2g}" if self.width < 100 else f"{self.width:.0f}"
        return (
            f"{formats.plain(self.metric)} {now} (its interval is {width} wide); {more} needs "
            f"{formats.integer(self.next_n)} {self.unit} (assurance {self.assurance:g})."
        )

    def sheet(self) -> Sheet:
        """The sentence says it all."""
        return Sheet(self.sentence)


def width_for(decimals: int) -> float:
    """Width of the interval below which so many decimals are known: one unit of the last of them.

    Examples
    --------
    >>> width_for(2), width_for(-1)
    (0.01, 10.0)
    """
    return 10.0**-decimals


def digits(
    posterior: Posterior | AccuracyPosterior, metric: str | Measure, *, assurance: float = 0.95, seed: int = SEED
) -> Digits:
    """Say how many decimals of a metric are known after a test, and how many cases one more would need.

    A decimal is known when the interval is narrower than one unit of it. Printing is another matter: a report shows
    two digits of the interval itself, known or not.

    Parameters
    ----------
    posterior : Posterior or AccuracyPosterior
        The test that was made; it is the pilot of the next one.
    metric : str
        As in `Posterior.of`.
    assurance : float
        Probability that one more is known after the larger test.
    seed : int
        Of what is simulated.

    Returns
    -------
    Digits
        How many are known, and the cases that one more needs.

    Raises
    ------
    InvalidArgument
        No posterior, an assurance that is no probability, or a metric that the posterior does not give.

    Notes
    -----
    Toetsch and Hoffmann 2021, Discussion: a per cent with one decimal needs MU below 0.001, several million cases; with
    three, below 0.00001, tens of billions.

    Examples
    --------
    >>> from howsure.posterior.accuracy import AccuracyPosterior
    >>> print(digits(AccuracyPosterior(correct=80, n=100), "accuracy"))
    accuracy has no decimal that is known (its interval is 0.15 wide); the first needs 310 cases (assurance 0.95).
    """
    if not isinstance(posterior, Posterior | AccuracyPosterior):
        raise InvalidArgument(f"digits() takes a posterior, made by infer(); not {type(posterior).__name__}")
    known = knowledge_of(posterior).of(metric, seed=seed)
    low, high = known.interval()
    decimals = _known(high - low)
    width = width_for(decimals + 1) * (1 - 1e-9)
    needed = plan(measure_of(known) or metric, width=width, pilot=posterior, assurance=assurance, seed=seed)
    return Digits(needed.metric, decimals, high - low, width, needed.n, needed.unit, assurance)


def _known(width: float) -> int:
    """The most decimals of which one unit is more than the width; 16 of a number without uncertainty."""
    decimals = 16
    while decimals > -300 and width >= width_for(decimals):
        decimals -= 1
    return decimals
