"""Decision curves: what a test is worth to patients at every threshold probability, with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.answers.asking import Ask, picked, spelled
from howsure.answers.fields import Keyed
from howsure.answers.sheet import Sheet
from howsure.curves.cut_tables import (
    SHOWN,
    AtCuts,
    CutTables,
    Cutting,
    Elsewhere,
    WorthLaws,
    benefits_of,
    checked_scores,
    checked_thresholds,
    cut_tables,
)
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.cell_worth import mass_ratio
from howsure.text import formats
from howsure.text.svg import threshold_band

#: Draws behind the expected value of perfect information.
DECISION_DRAWS = 4_000

#: Probability from which the test is called useful.
SURE = 0.95


@dataclass(frozen=True)
class DecisionPoint(Keyed):
    """Net benefit at one threshold probability.

    Attributes
    ----------
    threshold : float
        Risk from which a patient is treated; one false alarm is worth threshold / (1 - threshold) hits.
    called : (int, int)
        Cases of the negative and the positive class at the threshold or above.
    observed : float
        Net benefit as counted: hits less weighted false alarms, of a case (at a stated prevalence, reweighted).
    treat_all : float
        Observed net benefit of treating everybody; of treating nobody it is 0.
    mean, low, high : float
        Posterior mean and ends of the interval.
    p_over_none, p_over_all, p_useful : float
        Probability that the test is better than treating nobody, than treating everybody, than both.
    """

    threshold: float
    called: tuple[int, int]
    observed: float
    treat_all: float
    mean: float
    low: float
    high: float
    p_over_none: float
    p_over_all: float
    p_useful: float


FIELDS = """
labels n prevalence source prior level route draws seed interval=kind points=_points verdict=sentence warnings
"""
CSV = "_points[threshold observed treat_all mean low high p_over_none p_over_all p_useful evpi]"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class NetBenefit(AtCuts[DecisionPoint], json="net_benefit", fields=FIELDS, csv=CSV):
    """A decision curve; made by `net_benefit`.

    Attributes
    ----------
    labels : (str, str)
        The negative class and the positive one.
    n : int
        Cases.
    points : tuple of DecisionPoint
        By threshold.
    prevalence : float
        Share of the positive class: stated, or its posterior mean.
    source : "test set", "stated" or "other cases"
        Where the prevalence comes from.
    prior : str
    level, kind : float and str
        Of the intervals.
    route : str
        How P(better than both) is known; means, intervals and the other two probabilities are always exact.
    draws, seed : int
        Behind the value of information.
    """

    points: tuple[DecisionPoint, ...] = ()

    @property
    def n(self) -> int:
        """Cases."""
        return self.tables.scores.n

    @property
    def route(self) -> str:
        """How P(better than both) is known; means, intervals and the other two probabilities are always exact."""
        return "simulated" if self.source == "other cases" else "exact"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader, and thresholds beyond all scores."""
        return (*self.tables.warnings, *_beyond(self.tables))

    @property
    def _points(self) -> list[dict[str, Any]]:
        return [{**point.to_dict(), "evpi": evpi} for point, evpi in zip(self.points, self.evpi, strict=True)]

    @cached_property
    def evpi(self) -> tuple[float, ...]:
        """Expected value of perfect information at every threshold, by draws.

        Net benefit that is lost, on average, for not knowing which of test, everybody and nobody is best.
        """
        mean = np.array([point.mean for point in self.points])
        return tuple(_value_of_information(self.tables, mean, self.draws, self.seed).tolist())

    # -- as text ------------------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """Points of the curve as cells of text."""
        better = ("P(> none)", "P(> all)", "P(> both)")
        header = ("threshold", "observed", "mean", self._interval_name, "treat all", *better, "EVPI")
        cells = tuple(self._row(self.points[i], self.evpi[i]) for i in self.shown)
        below = (self._told,) if len(self.points) > 1 else ()
        return Sheet(
            self._headline, header, cells, self._notes, left_out=self.left_out("; CSV and JSON have all."),
            below=below, warnings=self.warnings,
        )  # fmt: skip

    def _probability(self, p: float) -> str:
        return formats.probability(p, self.draws if self.route == "simulated" else None)

    def _row(self, point: DecisionPoint, evpi: float) -> tuple[str, ...]:
        seen, mean, everybody = (
            formats.parts(value, point.low, point.high) for value in (point.observed, point.mean, point.treat_all)
        )
        return (
            f"{point.threshold:g}",
            seen[0],
            *mean,
            everybody[0],
            *map(self._probability, (point.p_over_none, point.p_over_all, point.p_useful)),
            f"{evpi:.1g}" if evpi >= 5e-5 else "< 0.0001",
        )

    @property
    def _headline(self) -> str:
        points = self.points
        if len(points) == 1:
            return self._told
        useful = [i for i, point in enumerate(points) if point.p_useful >= SURE]
        runs = [[i for _, i in run] for _, run in groupby(enumerate(useful), key=lambda place: place[1] - place[0])]
        what = "treating by the score is better than treating everybody and than treating nobody"
        if not runs:
            best = max(points, key=lambda point: point.p_useful)
            return (
                f"At no threshold asked for is it sure ({SURE:g}) that {what}; at most "
                f"{self._probability(best.p_useful)}, at {_percent(best.threshold)}."
            )
        told = []
        for run in runs:
            low, high = (_percent(points[i].threshold) for i in (run[0], run[-1]))
            # of few points, what is between them was not asked for
            each = f"at each of the {len(run)} thresholds asked for " if len(points) <= SHOWN else ""
            told.append(f"at {low}" if len(run) == 1 else f"{each}from {low} to {high}")
        where = " and ".join(told)
        return f"With probability {SURE:g} or more {what} {'' if where.startswith('at ') else 'at thresholds '}{where}."

    @property
    def _told(self) -> str:
        """What a threshold is worth to a hundred patients: where treating all is worth as much as treating nobody."""
        point = min(self.points, key=lambda point: abs(point.threshold - self.prevalence))
        mean, everybody = (
            formats.parts(100 * value, 100 * point.low, 100 * point.high) for value in (point.mean, point.treat_all)
        )
        harm = (1 - point.threshold) / point.threshold
        ratio = f"{harm:.0f}" if harm >= 10 else f"{harm:.2g}"
        needless = "1 needless treatment weighs" if ratio == "1" else f"{ratio} needless treatments weigh"
        return (
            f"At a threshold of {_percent(point.threshold)}, where {needless} as much as one "
            f"{formats.class_name(self.labels[1])} case missed: of 100 patients "
            f"{mean[0]} net true positives ({mean[1]}), better than treating everybody ({everybody[0]}) with "
            f"probability {self._probability(point.p_over_all)}, than treating nobody with "
            f"{self._probability(point.p_over_none)}."
        )

    @property
    def _notes(self) -> tuple[str, ...]:
        both = "exact" if self.route == "exact" else f"from {formats.integer(self.draws)} draws"
        return (
            f"{formats.several(self.n, 'case')}, {self.prevalence_words}, prior {self.prior}. "
            f"Means and intervals: exact; probabilities: {both}. They are about each threshold by itself.",
            "Net benefit of a patient: share of hits, less share of false alarms times threshold / (1 - threshold). "
            "The scores have to be calibrated risks for a threshold to mean what it says.",
            "EVPI: net benefit lost, on average, for not knowing which of the three is best; "
            f"{formats.integer(self.draws)} draws, seed {self.seed}.",
        )

    def picture(self) -> str:
        """The decision curve as SVG."""
        points = self.points
        if len(points) < 2:
            return ""
        names = ("threshold", "low", "mean", "high", "treat_all")
        x, low, mean, high, everybody = ([getattr(point, name) for point in points] for name in names)
        return threshold_band(
            x, (low, mean, high), floor=-0.25 * max(*high, 1e-09), xlabel="threshold probability",
            others=[("treat all", everybody), ("treat none", [0.0] * len(points))],
            ylabel=f"net benefit, mean and {self._interval_name}",
            title=f"Net benefit against the threshold probability with its {self._interval_name}",
        )  # fmt: skip


@spelled(Cutting, draws=DECISION_DRAWS)
def net_benefit(scores: Scores, thresholds: ArrayLike | None = None, **how: Unpack[Cutting]) -> NetBenefit:
    """Net benefit of treating patients whose predicted risk reaches a threshold, for many thresholds at once.

    Parameters
    ----------
    scores : Scores
        Predicted probabilities of the positive class, one classifier, two classes.
    thresholds : float or array_like, optional
        Threshold probabilities, strictly between 0 and 1; 0.01 to 0.99 in steps of 0.01 if left out.
    prevalence : float, or shares as in `howsure.Posterior.at_prevalence`, optional
        Share of the positive class where the test is to be used; learned from these cases if left out.
    cases : sequence of 2 counts, or mapping of label to count, optional
        Cases found elsewhere, negative class first, to learn the prevalence from.
    prior : str or Prior, optional
        "calibrated" if left out; not "learned".
    level, kind
        Of the intervals.
    draws, seed : int
        Of the expected value of perfect information; all else is exact (with ``cases=``, P(better than both) is
        drawn, too).

    Returns
    -------
    NetBenefit

    Raises
    ------
    InvalidArgument
        Scores that are no probabilities, of several classifiers, more than two classes or cases in groups; thresholds
        outside 0 and 1.

    Notes
    -----
    hits/n - false alarms/n * t/(1 - t), Vickers and Elkin 2006. The test is better than treating nobody if the risk of
    patients who are called positive is above t, and better than treating everybody if the risk of those who are called
    negative is below t. The model is that of Cruz and Korevaar 2023: prevalence, sensitivity and specificity are
    independent Betas; so is the value of information (Sadatsafavi et al. 2023).

    Examples
    --------
    >>> import howsure as hs
    >>> scores = hs.Scores(["ill"] * 40 + ["well"] * 60, [0.8] * 30 + [0.1] * 10 + [0.7] * 6 + [0.05] * 54)
    >>> point = net_benefit(scores, 0.2).at(0.2)
    >>> round(point.observed, 3), round(point.mean, 3), round(point.p_over_all, 3)
    (0.285, 0.281, 0.802)
    """
    scores = checked_scores(scores, "net_benefit()")
    values = scores.scores
    odd = ~((values >= 0) & (values <= 1))
    if odd.any():
        raise InvalidArgument(
            f"net benefit needs probabilities, for the threshold is a risk; {int(odd.sum())} of {len(values)} scores "
            f"are outside 0 and 1, such as {excerpt(float(values[odd][0]))}. Calibrate the scores first (logistic or "
            "isotonic regression on other cases), or ask for the best threshold at a cost, which takes any scores "
            "(best_threshold(scores, cost=...); howsure threshold --cost fp=1,fn=5)"
        )
    cuts = np.arange(1, 100) / 100 if thresholds is None else checked_thresholds(thresholds)
    outside = cuts[(cuts <= 0) | (cuts >= 1)]
    if len(outside):
        raise InvalidArgument(
            f"a threshold probability is strictly between 0 and 1 (20% is 0.2), not {excerpt(float(outside[0]))}"
        )
    ask = Ask.of(how)
    tables = cut_tables(scores, cuts, **picked(how, Elsewhere))
    odds, laws, seen = benefits_of(tables)
    share = tables.observed_share
    ends, better = laws.ends(ask.level, ask.kind), _better(tables, laws, odds, ask)
    columns = (cuts, tables.called.tolist(), seen, share - odds * (1 - share), laws.mean, *ends, *better)
    points = tuple(
        DecisionPoint(float(t), (int(pair[0]), int(pair[1])), *map(float, rest))
        for t, pair, *rest in zip(*columns, strict=True)
    )
    return NetBenefit(points=points, tables=tables, ask=ask)


def _beyond(tables: CutTables) -> tuple[str, ...]:
    """Thresholds beyond all scores, of which these cases say nothing."""
    said, called = [], tables.called.sum(axis=1)
    for beyond, which, whom in (
        (called == 0, "from {} on", "nobody"),
        (called == tables.sizes.sum(), "up to {}", "everybody"),
    ):
        if beyond.any():
            cuts = tables.thresholds[beyond]
            end = f"{100 * float(cuts.min() if whom == 'nobody' else cuts.max()):.6g}%"
            said.append(
                f"at thresholds {which.format(end)} the scores treat {whom} of these cases, so that they are treating "
                f"{whom} as far as anybody has seen; beyond that it is the prior alone."
            )
    return tuple(said)


def _better(tables: CutTables, laws: WorthLaws, odds: Floats, ask: Ask) -> tuple[Floats, Floats, Floats]:
    """P(better than nobody, than everybody, than both) at every threshold."""
    a = tables.alphas
    if isinstance(tables.share, float):
        everybody = tables.share - odds * (1 - tables.share)
        none, all_ = 1 - laws.below(np.zeros(len(odds))), 1 - laws.below(everybody)
        return none, all_, np.minimum(none, all_)
    if tables.source == "test set" and tables.share[0] <= a[0, :2].sum() and tables.share[1] <= a[0, 2:].sum():
        # given the ratio of the two factors, the risk of those called positive and of those called negative are
        # independent Betas
        ratio, weight = mass_ratio(float(a[0, :2].sum()), float(a[0, 2:].sum()), tables.share)
        line = odds[:, None] * ratio
        line = line / (1 + line)
        high_risk = special.betaincc(a[:, 0, None], a[:, 2, None], line)
        low_risk = special.betainc(a[:, 1, None], a[:, 3, None], line)
        return tuple((part * weight).sum(axis=1) for part in (high_risk, low_risk, high_risk * low_risk))
    wins = np.zeros((3, len(odds)))
    for part in tables.draws(ask.draws, ask.seed):
        hit, missed, false, kept = part[..., 1, 1], part[..., 1, 0], part[..., 0, 1], part[..., 0, 0]
        above, below = hit > odds * false, odds * kept > missed
        wins += [above.sum(axis=0), below.sum(axis=0), (above & below).sum(axis=0)]
    return tuple((wins + 0.5) / (ask.draws + 1))  # what was drawn is never certain


def _value_of_information(tables: CutTables, mean: Floats, draws: int, seed: int) -> Floats:
    """E max(none, all, test) - max E, by draws; never below 0."""
    odds = tables.thresholds / (1 - tables.thresholds)
    best = np.zeros(len(odds))
    first = np.zeros((2, len(odds)))
    for part in tables.draws(draws, seed):
        test = part[..., 1, 1] - odds * part[..., 0, 1]
        everybody = part[..., 1, :].sum(axis=-1) - odds * part[..., 0, :].sum(axis=-1)
        best += np.maximum(np.maximum(test, everybody), 0.0).sum(axis=0)
        first += [test.sum(axis=0), everybody.sum(axis=0)]
    # what is lost by the choice that is best on average, in the same draws: errors of the draws cancel
    everybody = tables.mean_share - odds * (1 - tables.mean_share)
    chosen = np.stack([np.zeros(len(odds)), everybody, mean]).argmax(axis=0)
    kept = np.stack([np.zeros(len(odds)), first[1], first[0]])[chosen, np.arange(len(odds))]
    return np.asarray(np.maximum((best - kept) / draws, 0.0))


def _percent(share: float) -> str:
    return f"{100 * share:.6g}%"
