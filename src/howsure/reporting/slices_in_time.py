"""Slices in the order of time: whether the last one is lower than a slice like those before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from howsure.answers.sheet import Sheet, row_named
from howsure.data.confusion import ConfusionMatrix
from howsure.data.slices import Cut, Slices, in_time
from howsure.errors import InvalidArgument, NoInformation
from howsure.io.counting.result import Counts, held_slices
from howsure.knowledge.protocol import Answered, Ask
from howsure.laws.law import KIND, LEVEL, SEED, Kind
from howsure.laws.many import BetaSums
from howsure.metrics import Measure, Metric, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.population import after_others
from howsure.numerics.populations.slices import ends_of_draws
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest
from howsure.units.slice_answers import SliceRates, prior_of_slices, rates_of

#: Numbers of a slice, and the keys of the answer.
NUMBERS = "name cases observed mean low high expected(mean=0 low=1 high=2) p_lower p_below_previous"
FIELDS = f"by=slices.by n=slices.n metric prior level interval=kind draws seed slices=rows[{NUMBERS}] sentence"

#: So many slices before another are a population.
FEWEST_BEFORE = 3

#: The last slices that are held against those before them.
LOOKED_AT = 60

#: Slices in a table and in a picture, the last ones; P(lower) from which one is counted.
SHOWN, COUNTED = 20, 0.975

BELOW = "P(below the one before)"


@dataclass(frozen=True)
class Moment:
    """One slice in time.

    Attributes
    ----------
    name : str
    cases : int
    observed : float or None
        On the raw counts.
    mean, low, high : float
        By the slice's own cases, exact.
    expected : tuple of float or None
        Mean and both ends of the metric of a new slice like most of those before; None below three of these, and of
        slices before the last 60.
    p_lower : float or None
        Probability that this slice is lower than that; 1 minus it that it is higher.
    p_below_previous : float or None
        Probability that it is lower than the one right before it; exact.
    """

    name: str
    cases: int
    observed: float | None
    mean: float
    low: float
    high: float
    expected: tuple[float, float, float] | None
    p_lower: float | None
    p_below_previous: float | None


@dataclass(frozen=True, repr=False, eq=False)
class SlicesInTime(Answered, json="slices_in_time", fields=FIELDS, csv=f"rows[slice={NUMBERS}]"):
    """A metric of slices in the order of time; made by `slices_in_time`.

    Attributes
    ----------
    slices : Slices
        In that order.
    metric : str
    rows : tuple of Moment
        The first one first.
    prior : str
        Of each slice alone.
    level, kind : float and str
        Of the intervals.
    draws, seed : int
        Behind ``expected`` and ``p_lower``.

    Examples
    --------
    >>> from howsure import ConfusionMatrix, slices_in_time
    >>> right = [90, 92, 89, 91, 93, 90, 92, 70]
    >>> weeks = {f"week {i}": ConfusionMatrix([[k, 0], [100 - k, 0]]) for i, k in enumerate(right)}
    >>> made = slices_in_time(weeks)
    >>> made.last.name, made.last.p_lower > 0.98
    ('week 7', True)
    """

    slices: Slices
    metric: str
    rows: tuple[Moment, ...]
    prior: str
    ask: Ask

    @property
    def last(self) -> Moment:
        """The last slice."""
        return self.rows[-1]

    def __getitem__(self, name: str) -> Moment:
        """A slice by its name."""
        return row_named(self.rows, name, "slice")

    @property
    def sentence(self) -> str:
        """Whether the last slice is lower, or higher, than those before."""
        return self.sheet().headline

    def sheet(self) -> Sheet:
        """The last slices as cells of text."""
        more = len(self.rows) - SHOWN
        return Sheet(
            _headline(self),
            ("slice", "cases", "observed", "mean", self._interval_name, "expected", "P(lower)", BELOW),
            tuple(_cells(row, self.draws) for row in self.rows[-SHOWN:]),
            (
                f"mean: the slice's own cases, prior {self.prior}, exact. expected: a new slice like most of those "
                "before, whose spread is in it. P(lower): that the slice is lower than that; "
                f"{formats.integer(self.draws)} draws, seed {self.seed}. P(below the one before): exact.",
            ),
            left_out=f"and {formats.several(more, 'slice')} before these; CSV and JSON have all." if more > 0 else "",
            below=_looks(self),
        )

    def picture(self) -> str:
        """The last slices as SVG, dashes at what was expected of each."""
        rows = [
            IntervalRow.of(row.name, (row.mean, row.low, row.high), row.observed, row.expected and row.expected[0])
            for row in self.rows[-SHOWN:]
        ]
        name = self._interval_name
        return forest(rows, title=f"{self.metric} in time with its {name}; dashes: expected after those before")


def slices_in_time(
    slices: Slices | Counts | Mapping[str, ConfusionMatrix],
    metric: str | Metric | Measure | None = None,
    prior: str | Prior | None = None,
    *,
    cut: Cut | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    seed: int = SEED,
) -> SlicesInTime:
    """Is the last slice lower than those before: days, weeks, or releases in the order of time.

    Parameters
    ----------
    slices : Slices, Counts or mapping of str to ConfusionMatrix
        As in `slice_report`, by one column: dates such as 2024-03-08, or names whose numbers give the order.
    metric : str, Metric or Measure, optional
        "accuracy" if left out; of the metrics of `slice_report` those that are a mean of rates.
    prior : str or Prior, optional
        Of each slice alone, as in `slice_report`.
    cut : "week", "month" or "year", optional
        Dates are cut to these.
    level, kind
        Of the intervals.
    seed : int
        Of the draws.

    Raises
    ------
    InvalidArgument, UnknownMetric, UnknownLabel
        No order in time, a metric that is no mean of rates, or one that is not there.

    Notes
    -----
    The slices before are a population that is learned from them (``docs/slices.md``), so that what they vary by is no
    news. ``p_lower`` is the probability that the slice is lower than a new one like most of those before; of slices
    that are, it is 0.975 or more in about one of forty.

    Examples
    --------
    >>> from howsure import Slices
    >>> days = [f"2024-03-{1 + i // 20:02d}" for i in range(400)]
    >>> said = [int(i % 10 != 0) for i in range(400)]
    >>> made = slices_in_time(Slices.from_predictions([1] * 400, said, by={"day": days}))
    >>> len(made.rows), 0.2 < made.last.p_lower < 0.8
    (20, True)
    """
    held = in_time(held_slices(slices, "slices_in_time"), cut)
    measure = parse("accuracy" if metric is None else metric, held.labels, held.positive)
    ask = Ask(level, kind, seed=seed)
    rates = rates_of(held, measure)
    if rates is None:
        raise InvalidArgument(
            f"slices in time are of accuracy, recall, specificity, balanced accuracy and the like, which are means of "
            f"rates; not of {measure.name}"
        )
    chosen = prior_of_slices(held, rates, prior)
    a, b = chosen.coin if rates.accuracy else (chosen.a, chosen.b)
    return SlicesInTime(held, measure.name, tuple(_moments(held, rates, a, b, ask)), chosen.name, ask)


def _moments(slices: Slices, rates: SliceRates, a: float, b: float, ask: Ask) -> list[Moment]:
    right, wrong = (rates.k + a).T, (rates.n - rates.k + b).T
    if min(right.min(), wrong.min()) <= 0:
        raise NoInformation(
            "a slice has cases that are all right or all wrong, or none, and the prior adds none, so there is no "
            "posterior; use prior 'flat' or 'jeffreys'"
        )
    count, total = rates.k.shape
    weights = np.full(count, 1 / count)
    own = BetaSums(right, wrong, weights)
    low, high = own.interval(ask.level, ask.kind)
    lower: Floats = np.array([])
    if total > 1:
        first, second = (np.concatenate((x[1:], x[:-1]), axis=1) for x in (right, wrong))
        lower = BetaSums(first, second, np.concatenate((weights, -weights))).prob(below=0)
    observed = rates.observed
    made = []
    for i, name in enumerate(slices.names):
        expected = p_lower = None
        if i >= FEWEST_BEFORE and i >= total - LOOKED_AT:
            rng = np.random.default_rng([ask.seed, i])
            found = after_others(rates.k[:, : i + 1], rates.n[:, : i + 1], a, b, ask.draws, rng)
            ends = ends_of_draws(found.expected[:, None], ask.level, ask.kind)
            expected = (float(found.expected.mean()), float(ends[0][0]), float(ends[1][0]))
            p_lower = found.lower
        seen = None if np.isnan(observed[i]) else float(observed[i])
        made.append(
            Moment(
                name, int(slices.cases[i]), seen, float(own.mean[i]), float(low[i]), float(high[i]), expected, p_lower,
                float(lower[i - 1]) if i else None,
            )
        )  # fmt: skip
    return made


def _headline(made: SlicesInTime) -> str:
    last = made.rows[-1]
    name, by = formats.plain(last.name, 30), formats.plain(made.slices.by[0], 30) if made.slices.by else "slices"
    level = formats.estimate(last.mean, last.low, last.high)
    now = f"{made.metric} by {by}: {name}, the last of {len(made.rows)}, is {level}"
    if last.p_lower is None or last.expected is None:
        return f"{now}; below three slices before it, nothing says how much they vary."
    lower = last.p_lower >= 0.5
    chance = formats.probability(last.p_lower if lower else 1 - last.p_lower, made.draws)
    side = "lower" if lower else "higher"
    return f"{now}, {side} than those before with probability {chance}; expected {formats.estimate(*last.expected)}."


def _looks(made: SlicesInTime) -> tuple[str, ...]:
    """How often an alarm is to be expected of slices that are all alike."""
    looked = [row for row in made.rows if row.p_lower is not None]
    if len(looked) < 2:
        return ()
    low = [row for row in looked if (row.p_lower or 0.0) >= COUNTED]
    high = [row for row in looked if 1 - (row.p_lower or 0.0) >= COUNTED]
    by_luck = formats.number((1 - COUNTED) * len(looked), 1)
    found = [
        f"{len(rows)} {side} ({', '.join(formats.plain(row.name, 30) for row in rows[-3:])})"
        for side, rows in (("lower", low), ("higher", high))
        if rows
    ]
    said = " and ".join(found) if found else "none is lower or higher"
    return (
        f"Of {formats.several(len(looked), 'slice')} held against those before: {said} with probability {COUNTED:g} or "
        f"more; by luck alone about {by_luck} on each side would be.",
    )


def _cells(row: Moment, draws: int) -> tuple[str, ...]:
    return (
        formats.plain(row.name, 30),
        formats.integer(row.cases),
        formats.number(row.observed, 3),
        *formats.parts(row.mean, row.low, row.high),
        "" if row.expected is None else formats.estimate(*row.expected),
        "" if row.p_lower is None else formats.probability(row.p_lower, draws),
        "" if row.p_below_previous is None else formats.probability(row.p_below_previous),
    )
