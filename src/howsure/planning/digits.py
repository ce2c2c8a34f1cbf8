"""How many digits a number of cases is worth, and the rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument
from howsure.errors.arguments import items
from howsure.laws.law import SEED, checked_seed
from howsure.metrics import Measure
from howsure.planning.counted_goals import OneRate
from howsure.planning.goal import Goal, Problem, checked_cases
from howsure.planning.pose import Supposition, pose
from howsure.planning.sample_size import plan
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.text_table import Table, csv_text

# -- How many digits of a metric are known, and what one more would cost -----------------------------------------------


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


# -- The rule that the uncertainty of a metric is 2 / sqrt(n), beside what it truly is ---------------------------------


#: Six orders of magnitude.
SIZES = (10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True)
class ThumbRow:
    """The uncertainty of a metric after n cases.

    Attributes
    ----------
    n : int
        Cases of the metric's denominator.
    typical, upper : float
        50% and 95% point of the width of its 95% interval, over tests.
    rule : float
        2 / sqrt(n).
    """

    n: int
    typical: float
    upper: float
    rule: float

    @property
    def holds(self) -> bool:
        """Whether the rule bounds the 95% point."""
        return self.upper <= self.rule


def rule_of_thumb(
    metric: str | Measure = "accuracy",
    *,
    mode: float = 0.8,
    concentration: float = 10.0,
    classes: int | None = None,
    sizes: Sequence[int] = SIZES,
    prior: str | Prior | None = None,
    seed: int = SEED,
) -> list[ThumbRow]:
    """Uncertainty of a metric against the number of cases, next to the rule 2 / sqrt(n).

    Parameters
    ----------
    metric : str
        One rate is counted out; any other metric is simulated, and known to 1 or 2%.
    mode, concentration : float
        Of the Beta that the true rate (every recall) is drawn from.
    classes : int, optional
        Of a metric of the whole table; two if left out.
    sizes : sequence of int
        Numbers of cases, of the metric's own denominator.
    prior : str or Prior, optional
        Of the answers; that of a report if left out.
    seed : int
        Of what is simulated.

    Returns
    -------
    list of ThumbRow
        For each size the width that half, and that 95%, of the tests stay within, and 2 / sqrt(n).

    Raises
    ------
    InvalidArgument
        A size that is no number of cases, or a mode or concentration that no Beta has.
    UnknownMetric
        With the nearest name.

    Notes
    -----
    Toetsch and Hoffmann 2021, Figure 6. The rule is 4 sd of a rate of one half, a bound that is 2% (many cases) to
    19% (ten) too wide for a rate. It is wrong for informedness, a sum of two rates of n / 2 cases each: about
    4 / sqrt(n) in the worst case.

    Examples
    --------
    >>> rule_of_thumb(sizes=[100])[0]
    ThumbRow(n=100, typical=0.16..., upper=0.192..., rule=0.2)
    """
    sizes = [checked_cases(n) for n in items(sizes, "sizes", "a list of numbers of cases")]
    seed = checked_seed(seed)
    given = Supposition(mode=mode, concentration=concentration, classes=classes)
    problem = pose(metric, Goal("width", 1.0, 0.95), given, prior, seed).problem
    rows = []
    for n in sizes:
        typical, upper = _points(problem, n, seed)
        rows.append(ThumbRow(n, typical, upper, 2 / sqrt(n)))
    return rows


def _points(problem: Problem, n: int, seed: int) -> tuple[float, float]:
    """50% and 95% point of the width."""
    if not isinstance(problem, OneRate):
        middle, upper = np.quantile(problem.outcomes(n, seed), [0.5, 0.95])
        return float(middle), float(upper)
    found = []
    for share in (0.5, 0.95):
        low, high = 0.0, 1.0
        for _ in range(34):
            width = (low + high) / 2
            low, high = (low, width) if problem.aimed(width).assurance(n)[0] >= share else (width, high)
        found.append(high)
    return found[0], found[1]


def thumb_table(rows: Sequence[ThumbRow]) -> Table:
    """The rows as cells."""
    cells = tuple(
        (
            formats.integer(row.n),
            f"{row.typical:.3g}",
            f"{row.upper:.3g}",
            f"{row.rule:.3g}",
            f"{row.upper * sqrt(row.n):.2f}",
            "yes" if row.holds else "no",
        )
        for row in rows
    )
    return Table(("n", "MU: 50%", "95%", "2/sqrt(n)", "95% x sqrt(n)", "rule holds"), cells)


def thumb_csv(rows: Sequence[ThumbRow]) -> str:
    """One line for each n, numbers in full."""
    return csv_text(["n", "typical", "upper", "rule"], [[r.n, r.typical, r.upper, r.rule] for r in rows])
