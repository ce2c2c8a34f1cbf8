"""What a call is worth at every prevalence: the probability that it is right, as curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import expit

from howsure.answers.sheet import Answered, Ask, Sheet
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import numbers
from howsure.laws import Draws, Kind
from howsure.laws.draws import Companion
from howsure.laws.law import KIND, LEVEL, SEED, Law, Route
from howsure.laws.rates import quantile_with_density
from howsure.metrics import of_class
from howsure.numerics.arrays import Floats
from howsure.numerics.two_by_two.table_laws import DrawnOdds, SmoothOdds, log_odds
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.text import formats
from howsure.text.svg import bands

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior


class Worth(NamedTuple):
    """A predictive value at one prevalence: mean, interval with its kind, and Monte Carlo error of its ends."""

    low: float
    mean: float
    high: float
    kind: Kind
    error: float = 0.0

    @classmethod
    def of(cls, law: Law, level: float, kind: Kind) -> Worth:
        ends = law.interval(level, kind)
        error = law.interval_error(level, ends.kind) if isinstance(law, Draws) else 0.0
        return cls(ends.low, law.mean, ends.high, ends.kind, error)


class CallOdds:
    """A predictive value at prevalence 1/2, and so at every other: prior odds multiply its odds."""

    def __init__(self, law: Route, odds: SmoothOdds | DrawnOdds, level: float, kind: Kind) -> None:
        #: how the numbers are known
        self.law = law
        self._odds, self._level, self._kind = odds, level, kind
        self._known: dict[float, Worth] = {}

    def curve(self, shifts: Floats) -> Floats:
        """Low ends, means and high ends where the log odds of the prior are ``shifts``, shape (3, n)."""
        moved = self._odds.at(shifts, self._level, self._kind)
        return np.array([moved.low, moved.mean, moved.high])

    def at(self, shifts: Sequence[float]) -> list[Worth]:
        """The same at a few places, in full and remembered."""
        new = list(dict.fromkeys(shift for shift in shifts if shift not in self._known))
        if new:
            self._known.update(zip(new, self._in_full(np.array(new)), strict=True))
        return [self._known[shift] for shift in shifts]

    def _in_full(self, shifts: Floats) -> list[Worth]:
        columns = [column.tolist() for column in self._odds.at(shifts, self._level, self._kind)]
        return [
            Worth(low, mean, high, "hdi" if densest else "central")
            for low, mean, high, densest in zip(*columns, strict=True)
        ]


class SimulatedOdds(CallOdds):
    """Odds of a predictive value that is known by draws of both rates; weighted by a control where that pays."""

    def __init__(self, values: Floats, control: Companion | None, level: float, kind: Kind) -> None:
        odds = DrawnOdds(*Draws(values, support=(0, 1), control=control).in_order)
        super().__init__(Draws.route, odds, level, kind)
        self._log_odds, self._control = log_odds(values), control

    def _in_full(self, shifts: Floats) -> list[Worth]:
        laws = (
            Draws(expit(self._log_odds + shift), support=(0, 1), control=self._control) for shift in shifts.tolist()
        )
        return [Worth.of(law, self._level, self._kind) for law in laws]


RATES = ("recall", "false_positive_rate")
CALLS = ("precision", "negative_predictive_value")

#: The keys of the answer.
WORTH = "(low mean high interval=kind)"
CURVE = "(low=0 mean=1 high=2)"
FIELDS = (
    f"label here level interval=kind prior law prevalence own(positive=0{WORTH} negative=1{WORTH}) "
    f"positive{CURVE} negative{CURVE}"
)

#: Prevalences of the table.
SHOWN = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True, repr=False, eq=False)
class PredictiveValues(Answered, json="predictive_values", fields=FIELDS):
    """Predictive values of one class over the prevalence; made by `Posterior.predictive_values`.

    Attributes
    ----------
    label : str
        The class.
    prevalence : ndarray, shape (n,)
        Its share among the cases.
    positive, negative : ndarray, shape (3, n)
        Low end, mean and high end of the probability that a case predicted ``label`` is one, and that a case
        predicted otherwise is none.
    here : float
        The share that the posterior has, on average.
    level, kind : float, "hdi" or "central"
        Of the intervals; central also where no one interval is the densest.
    law : "exact", "approximate" or "simulated"
        How the numbers are known.
    own : pair or None
        Both values where the share is as uncertain as the posterior has it; None where it is known.
    odds : pair
        Both values at prevalence 1/2, from which those at every other follow.
    recall, alarm : float
        Mean share of ``label`` that is called so, and of the others that are.
    """

    label: str
    prevalence: Floats
    positive: Floats
    negative: Floats
    here: float
    ask: Ask
    prior: str
    odds: tuple[CallOdds, CallOdds]
    recall: float
    alarm: float
    own: tuple[Worth, Worth] | None = None

    @property
    def law(self) -> Route:
        """How the numbers are known; both values, so the less sure of the two."""
        ways: tuple[Route, ...] = ("simulated", "approximate", "exact")
        return next(way for way in ways if way in [odds.law for odds in self.odds])

    def at(self, prevalence: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Low end, mean and high end of both values at one prevalence."""
        positive, negative = self.worth([prevalence])[0]
        return positive[:3], negative[:3]

    def worth(self, shares: Sequence[float]) -> list[tuple[Worth, Worth]]:
        """Both values at several prevalences, with the kind of each interval and the error of its ends."""
        shifts = log_odds(np.array(shares)).tolist()
        positive, negative = self.odds
        return list(zip(positive.at(shifts), negative.at([-shift for shift in shifts]), strict=True))

    @property
    def _here(self) -> str:
        """The share here; only about, where it is uncertain."""
        return f"{self.here:.3g}" if self.own is None else f"about {self.here:.3g}"

    def sheet(self) -> Sheet:
        name = self._interval_name
        # a stated share that was made to add to 1 with the others may be off by its last bit
        shares = sorted([*(share for share in SHOWN if not math.isclose(share, self.here)), self.here])
        rows: list[tuple[str, ...]] = []
        for share, calls in zip(shares, self.worth(shares), strict=True):
            home = share == self.here
            said = f"{self._here} (here)" if home else f"{share:.3g}"
            both = self.own if home and self.own is not None else calls
            rows.append((said, *(cell for call in both for cell in _words(call, self.kind))))
        label = formats.plain(self.label, 30)
        mean, ends = rows[shares.index(self.here)][1:3]
        head = f"A case predicted {label} is one with probability {mean} ({ends}) where {self._here} of the cases are."
        columns = ("prevalence", f"predicted {label}: right", name, "predicted otherwise: right", name)
        how = "simulated, digits cut to the Monte Carlo error" if self.law == "simulated" else self.law
        note = (
            f"Means and intervals ({name}), prior {self.prior}, {how}. The other classes keep their proportions; "
            "the rates of the classifier are taken as the same everywhere."
            + ("" if self.own is None else " Here the share is as uncertain as its cases leave it, elsewhere known.")
        )
        return Sheet(head, columns, tuple(rows), (note,))

    def picture(self) -> str:
        label = formats.plain(self.label, 30)
        return bands(
            self.prevalence.tolist(),
            [
                (f"called {formats.plain(label, 20)}", self.positive.tolist()),
                ("called otherwise", self.negative.tolist()),
            ],
            here=self.here,
            xlabel=f"prevalence of {label}",
            title=f"Probability that a call is right, by the prevalence of {label}",
        )


def _words(call: Worth, kind: Kind) -> tuple[str, str]:
    """Mean and interval; the kind beside an interval of another one than was asked for."""
    places = formats.decimals(call.low, call.high, call.error)
    ends = formats.interval(call.low, call.high, places)
    return formats.number(call.mean, places), ends if call.kind == kind else f"{ends} ({call.kind})"


def predictive_values(
    posterior: Posterior,
    label: str | None = None,
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    prevalence: Sequence[float] | None = None,
    draws: int | None = None,
    seed: int = SEED,
) -> PredictiveValues:
    """What a call is worth at every prevalence: probability that it is right, as curves.

    Parameters
    ----------
    label : str, optional
        The class; the positive one of two classes if left out.
    level : float
        Of the intervals.
    kind : "hdi" or "central"
        Of the intervals; central also where no one interval is the densest.
    prevalence : sequence of float, optional
        Shares of the class, strictly between 0 and 1; 101 of them, even on the logit scale, if left out.
    draws, seed : int, optional
        Of the joint tables, where a value has no closed form.

    Returns
    -------
    PredictiveValues
        ``positive`` and ``negative``: low end, mean and high end at each prevalence.

    Raises
    ------
    InvalidArgument
        A share that is not strictly between 0 and 1, or no class where nothing says which one is positive.
    UnknownLabel
        With the known ones.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.predictive_values()
    A case predicted ill is one with probability 0.88 (0.80 to 0.96) where 0.5 of the cases are.
    """
    confusion = posterior.confusion
    name = confusion.positive if label is None else label
    if name is None:
        raise InvalidArgument(
            f"say which class the predictive values are of: label= and one of {listing(map(excerpt, confusion.labels))}"
        )
    return predictive_curves(posterior, [name], level=level, kind=kind, prevalence=prevalence, draws=draws, seed=seed)[
        0
    ]


def predictive_curves(
    posterior: Posterior,
    labels: Sequence[str],
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    prevalence: Sequence[float] | None = None,
    draws: int | None = None,
    seed: int = SEED,
) -> list[PredictiveValues]:
    """Curves of both predictive values of several classes; those without a closed law come from one pass of draws.

    At a known prevalence the odds of a predictive value are those of the prevalence times a likelihood ratio, so one
    law of that ratio, found at prevalence 1/2, gives mean and interval everywhere, exactly where it is exact (Fagan
    1975, "Nomogram for Bayes's theorem"): the same as `Posterior.of` at each prevalence, and a hundred times sooner. An
    end differs from that by 1e-3 standard deviations at most, which a table of four cases has, and 1e-6 usually.
    """
    grid = _grid() if prevalence is None else numbers(prevalence, "prevalence")
    if grid.ndim != 1 or not len(grid) or not np.all((grid > 0) & (grid < 1)):
        raise InvalidArgument(f"prevalences are numbers strictly between 0 and 1, not {excerpt(prevalence)}")
    known = knowledge_of(posterior)
    ask = Ask(level, kind, known.usual_draws if draws is None else draws, seed)
    indices = [known.confusion.index(label) for label in labels]
    found = _exact(known, indices, ask.level, ask.kind)
    shifts, made = log_odds(grid), []
    for index, calls in zip(indices, found or _drawn(known, indices, ask), strict=True):
        positive, negative = calls.odds
        name, here = known.confusion.labels[index], float(known.shares[index])
        made.append(
            PredictiveValues(name, grid, positive.curve(shifts), negative.curve(-shifts), here, ask,
                             known.prior.name, calls.odds, calls.recall, calls.alarm)
        )  # fmt: skip
    return made


def at_home(
    curves: Sequence[PredictiveValues], posterior: Posterior, *, draws: int | None = None, seed: int = SEED
) -> list[PredictiveValues]:
    """The same curves where a posterior of the same test has its cases: what `of` says there is said here."""
    known = knowledge_of(posterior)
    labels = known.confusion.labels
    places = [known.confusion.index(curve.label) for curve in curves]
    here = [float(known.shares[place]) for place in places]
    if known.prevalence_source in ("stated", "chosen"):
        return [replace(curve, here=share, own=None) for curve, share in zip(curves, here, strict=True)]
    calls = [[of_class(metric, labels, place) for metric in CALLS] for place in places]
    known.prepare([call for both in calls for call in both], draws=draws, seed=seed)
    made = []
    for curve, share, both in zip(curves, here, calls, strict=True):
        laws = [known.of(call, draws=draws, seed=seed).law for call in both]
        positive, negative = (Worth.of(law, curve.level, curve.kind) for law in laws)
        made.append(replace(curve, here=share, own=(positive, negative)))
    return made


class _Calls(NamedTuple):
    """Both predictive values at every prevalence, and the mean rates behind them."""

    odds: tuple[CallOdds, CallOdds]
    recall: float
    alarm: float


def _exact(known: TableKnowledge, indices: Sequence[int], level: float, kind: Kind) -> list[_Calls] | None:
    """From the laws at prevalence 1/2; None if one of them is not closed."""
    made = []
    for index in indices:
        half = known.at_prevalence({known.confusion.labels[index]: 0.5})
        laws = [half.exact_law(of_class(metric, known.confusion.labels, index)) for metric in CALLS]
        if None in laws:
            return None
        positive, negative = (
            CallOdds(law.route, SmoothOdds(partial(quantile_with_density, law), level), level, kind)
            for law in laws
            if law is not None
        )
        rates = [half.of(of_class(name, known.confusion.labels, index)).mean for name in RATES]
        made.append(_Calls((positive, negative), *rates))
    return made


def _drawn(known: TableKnowledge, indices: Sequence[int], ask: Ask) -> list[_Calls]:
    """From the rows of joint tables, one pass for all classes; the same draws that a metric of them has."""
    recalls, alarms = [], []
    # how the other classes share what one class leaves, for each class asked about
    halves = [known.at_prevalence({known.confusion.labels[i]: 0.5}) for i in indices]
    others = np.array([2 * np.delete(half.shares, i) for i, half in zip(indices, halves, strict=True)])
    for tables in known.tables(ask.draws, seed=ask.seed):
        rows = tables / tables.sum(axis=2, keepdims=True)
        recalls.append(np.stack([rows[:, i, i] for i in indices], axis=1))
        alarms.append(
            np.stack([np.delete(rows[:, :, i], i, axis=1) @ w for i, w in zip(indices, others, strict=True)], axis=1)
        )
    recall, alarm = np.concatenate(recalls), np.concatenate(alarms)
    right, ruled_out = recall / (recall + alarm), (1 - alarm) / (2 - alarm - recall)
    # the same rows at another prevalence have the same balanced accuracy
    beside = known.control_variate(ask.draws, ask.seed) or halves[0].control_variate(ask.draws, ask.seed)
    return [
        _Calls(
            (
                SimulatedOdds(right[:, k], beside, ask.level, ask.kind),
                SimulatedOdds(ruled_out[:, k], beside, ask.level, ask.kind),
            ),
            *(float(rate[:, k].mean()) for rate in (recall, alarm)),
        )
        for k in range(len(indices))
    ]


def _grid(points: int = 101) -> Floats:
    """Even on the logit scale from one in a thousand to all but one in a thousand."""
    return np.asarray(1 / (1 + np.exp(-np.linspace(-1, 1, points) * np.log(999))))
