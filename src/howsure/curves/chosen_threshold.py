"""The best threshold: where it is, how surely, and what its metric is worth on new cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from howsure.answers.asking import Ask, picked, spelled
from howsure.answers.sheet import Sheet
from howsure.curves.at_thresholds import OperatingPoints, points_along
from howsure.curves.cut_tables import (
    ONE_RATE,
    AtCuts,
    CutTables,
    Cutting,
    Elsewhere,
    checked_scores,
    cut_tables,
    ends_of,
    posterior_at,
    value_of,
)
from howsure.data.confusion import ConfusionMatrix
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import number
from howsure.metrics import Measure, Metric, expected_cost, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.curve_numbers import best_cut, distinct_cuts, optimism, tables_of
from howsure.text import formats
from howsure.text.svg import threshold_band

#: Draws of the best threshold, resamples of the optimism, and thresholds that are tried.
CHOICE_DRAWS, RESAMPLES, TRIED = 4_000, 400, 500

#: Cells of a table of costs by the names of a confusion matrix.
CELLS = {"tn": (0, 0), "fp": (0, 1), "fn": (1, 0), "tp": (1, 1)}


NUMBERS = """
metric threshold next_below location_low=location.0 location_high=location.1 observed apparent=apparent.0
apparent_low=apparent.1 apparent_high=apparent.2 expected=expected.0 expected_low=expected.1 expected_high=expected.2
optimism optimism_error regret higher_is_better prevalence source prior level route draws seed
"""
FIELDS = f"labels {NUMBERS} confusion=confusion.counts interval=kind remarks verdict=sentence"
COUNTS = "tp=confusion.counts.1.1 fn=confusion.counts.1.0 fp=confusion.counts.0.1 tn=confusion.counts.0.0"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class BestThreshold(AtCuts[Any], json="best_threshold", fields=FIELDS, csv=f"rows[{NUMBERS} {COUNTS}]"):
    """The threshold that is best on the given cases; made by `best_threshold`.

    Attributes
    ----------
    labels : (str, str)
        The negative class and the positive one.
    metric : str
    threshold : float
        Cases with this score or more are called positive. It is a score; every number above `next_below` calls the
        same cases.
    next_below : float or None
        The next lower score, if there is one.
    confusion : ConfusionMatrix
        At the threshold; the rest of the library takes it.
    location : (float, float)
        Central interval of the best threshold: the choice is made again in every draw.
    observed : float
        Value on the cases on which the threshold was chosen.
    apparent : (float, float, float)
        Posterior mean and interval at the threshold, as if it had been given.
    optimism, optimism_error : float
        How much better, on average, a threshold looks where it was chosen than on new cases; 0 or more for the better.
    expected : (float, float, float)
        The same mean and interval less the optimism: what new cases are expected to show.
    regret : float
        What is lost, on average, against the best threshold there is, for not knowing it.
    higher_is_better : bool
    prevalence, source
        Share of the positive class, and where it comes from.
    prior : str
    level, kind : float and str
        Of the intervals of the metric.
    route : "exact" or "simulated"
        How `apparent` is known.
    draws, seed : int
    remarks : tuple of str
        What helps a reader.
    tried : (tuple of float, tuple of float)
        Thresholds among which the best one was chosen, and what was observed at each (NaN where it is undefined).
    """

    metric: str
    threshold: float
    next_below: float | None
    confusion: ConfusionMatrix
    location: tuple[float, float]
    observed: float
    apparent: tuple[float, float, float]
    optimism: float
    optimism_error: float
    expected: tuple[float, float, float]
    regret: float
    higher_is_better: bool
    route: str
    remarks: tuple[str, ...]
    tried: tuple[tuple[float, ...], tuple[float, ...]]

    def operating_points(self) -> OperatingPoints:
        """The matrix and its metrics at 101 thresholds along the ROC curve and at this one, some seconds."""
        return points_along(self.tables, self.ask, also=self.threshold)

    @property
    def rows(self) -> tuple[BestThreshold]:
        """The one row of the CSV."""
        return (self,)

    def sheet(self) -> Sheet:
        """The threshold and its worth as cells of text."""
        places = formats.decimals(*self.expected[1:])
        rows = (
            ("observed, where it was chosen", formats.number(self.observed, places), ""),
            ("at this threshold, had it been given", *_cells(self.apparent, places)),
            ("on new cases", *_cells(self.expected, places)),
        )
        fine = places + 1
        worse = "less" if self.higher_is_better else "more"
        (tn, fp), (fn, tp) = (map(formats.integer, row) for row in self.confusion.counts.tolist())
        between = "" if self.next_below is None else f"; any above {self.next_below:.6g} calls the same cases"
        below = (
            f"At it: {tp} TP, {fn} FN, {fp} FP, {tn} TN{between}.",
            f"Choosing flatters: on new cases {self.metric} is {formats.number(self.optimism, fine)} {worse}, on "
            f"average, than on the cases the threshold was chosen on. For not knowing the best threshold there is, "
            f"{formats.number(self.regret, fine)} is lost, on average.",
        )
        how = "exact" if self.route == "exact" else f"{formats.integer(self.draws)} draws"
        notes = (
            f"{self.prevalence_words.capitalize()}, prior {self.prior}; at this threshold: {how}. "
            f"New cases: that less the optimism, by bootstrap. Location: the choice made again in "
            f"{formats.integer(self.draws)} draws, central 95%, seed {self.seed}.",
        )
        header = (self.metric, "mean", self._interval_name)
        return Sheet(self._headline, header, rows, notes, below=below, remarks=self.remarks)

    @property
    def _headline(self) -> str:
        spread = formats.decimals(*self.location) if self.location[1] > self.location[0] else 4
        low, high = (formats.number(end, max(spread, 1)) for end in self.location)
        positive = formats.class_name(self.labels[1])
        return (
            f"Call {positive} from a score of {self.threshold:.6g} (the best threshold lies between {low} and {high}): "
            f"{self.metric} {formats.estimate(*self.expected)} expected on new cases."
        )

    def picture(self) -> str:
        """The observed metric against the threshold as SVG, the best one marked."""
        known = [(at, value) for at, value in zip(*self.tried, strict=True) if value == value]
        if len(known) < 2:
            return ""
        xs, values = [at for at, _ in known], [value for _, value in known]
        name = formats.plain(self.metric)
        return threshold_band(
            xs, (values, values, values), here=self.threshold, xlabel="threshold", ylabel=f"{name}, observed",
            title=f"{name} against the threshold, best at {self.threshold:.6g}",
        )  # fmt: skip


@spelled(Cutting, draws=CHOICE_DRAWS)
def best_threshold(
    scores: Scores,
    metric: str | Metric | Measure | None = None,
    *,
    cost: Mapping[str, float] | ArrayLike | None = None,
    **how: Unpack[Cutting],
) -> BestThreshold:
    """The threshold at which a metric is best, or costs are least, with what choosing it on these cases flatters.

    Parameters
    ----------
    scores : Scores
        One classifier, two classes; any scale.
    metric : str, Metric or Measure, optional
        "balanced_accuracy" if neither it nor costs are named; those of one class are about the positive one.
    cost : mapping, or array_like of shape (2, 2), optional
        What a case in a cell costs: ``{"fp": 1, "fn": 5}``, cells left out cost nothing; or a table, rows truth,
        negative class first.
    prevalence, cases
        As in `net_benefit`.
    prior : str or Prior, optional
        "calibrated" if left out; not "learned".
    level, kind
        Of the intervals of the metric.
    draws, seed : int
        Of the location of the best threshold, and of metrics without a law in closed form.

    Raises
    ------
    InvalidArgument
        A metric and costs together, a metric that says of itself neither that more nor that less is better, costs
        that do not depend on what is called, scores that are all equal.

    Notes
    -----
    Location: Bayesian bootstrap (Rubin 1981), the threshold chosen again in every draw. Optimism: Efron's bootstrap
    within the classes (Efron and Gong 1983; Harrell, Lee and Mark 1996). ``docs/curves.md`` has a simulation of
    both.

    Examples
    --------
    >>> import howsure as hs
    >>> scores = hs.Scores(["ill"] * 20 + ["well"] * 20, [*range(10, 30), *range(20)])
    >>> best = best_threshold(scores, "balanced_accuracy")
    >>> best.threshold, best.observed, best.confusion.counts.tolist()
    (15.0, 0.75, [[15, 5], [5, 15]])
    """
    scores = checked_scores(scores, "best_threshold()")
    ask = Ask.of(how)
    measure, remarks = _asked(scores, metric, cost)
    sign = 1.0 if measure.metric.better == "higher" else -1.0
    cuts = distinct_cuts(scores.scores, scores.truth == 1, TRIED)
    if len(np.unique(scores.scores)) < 2:
        raise InvalidArgument("all scores are equal, so there is no threshold to choose")
    tables = cut_tables(scores, cuts, **picked(how, Elsewhere))
    formula = value_of(measure)
    seen = formula(tables.observed)
    if not np.isfinite(seen).any():
        raise InvalidArgument(f"{measure.name} is undefined at every threshold of these cases")
    at = int(best_cut(sign * seen))
    if np.isinf(seen[at]):
        raise InvalidArgument(
            f"{measure.name} is infinite at a threshold of these cases, and nothing says how much such a choice "
            "flatters; name a metric that weighs both errors, such as informedness, or costs (cost=)"
        )
    chosen = tables.at(cuts[[at]])
    ends = ends_of(chosen, measure, ask)
    apparent, route = (float(ends.mean[0]), float(ends.low[0]), float(ends.high[0])), ends.route
    if route == "simulated":
        # of one threshold there is time for the law that a report of its matrix has
        law = posterior_at(chosen, 0)._knowledge.of(measure, draws=ask.draws, seed=ask.seed).law
        if law.route == "exact":
            span = law.interval(ask.level, ask.kind)
            apparent, route = (law.mean, span.low, span.high), "exact"
    places, regret = _located(tables, formula, sign, at, ask.draws, ask.seed)
    flattered, error = optimism(
        tables.called, tables.sizes, tables.observed_share, lambda part: sign * formula(part), RESAMPLES,
        np.random.default_rng([ask.seed, 1]),
    )  # fmt: skip
    flattered = max(flattered, 0.0)
    below = scores.scores[scores.scores < cuts[at]]
    return BestThreshold(
        tables=tables, ask=ask, metric=measure.name, threshold=float(cuts[at]),
        next_below=float(below.max()) if len(below) else None, confusion=chosen.confusion(0), location=places,
        observed=float(seen[at]), apparent=apparent, optimism=flattered, optimism_error=error,
        expected=_less(apparent, sign * flattered, measure.metric.range), regret=regret, higher_is_better=sign > 0,
        route=route, remarks=tables.warnings + remarks + _nobody(tables, formula, sign, float(seen[at]), measure.name),
        tried=(tuple(cuts.tolist()), tuple(seen.tolist())),
    )  # fmt: skip


def _asked(
    scores: Scores, metric: str | Metric | Measure | None, cost: Mapping[str, float] | ArrayLike | None
) -> tuple[Measure, tuple[str, ...]]:
    """The metric that is made best, and what is to be said of it."""
    if cost is not None:
        if metric is not None:
            raise InvalidArgument(
                "metric and cost= exclude each other; costs make a metric of their own, expected_cost"
            )
        table = _costs(cost)
        false, missed = table[0, 1] - table[0, 0], table[1, 0] - table[1, 1]
        if false <= 0 or missed <= 0:
            raise InvalidArgument(
                "an error has to cost more than the right answer of the same class, or one prediction is always best; "
                f"a false alarm costs {false:g} more, a miss {missed:g} more"
            )
        rule = false / (false + missed)
        return parse(expected_cost(table), scores.labels, scores.positive), (
            f"scores that are calibrated probabilities need no search: the threshold is {rule:.3g} at any prevalence "
            "they are calibrated for (Elkan 2001).",
        )
    measure = parse("balanced_accuracy" if metric is None else metric, scores.labels, scores.positive)
    if measure.metric.better == "neither":
        raise InvalidArgument(
            f"of {measure.name} neither more nor less is better, so no threshold is best; name a metric such as f1, "
            "balanced_accuracy or mcc, or costs (cost=)"
        )
    if measure.metric.name in ONE_RATE:
        raise InvalidArgument(
            f"{measure.name} is best where all cases get the same prediction; name a metric that weighs both errors, "
            "such as f1 or balanced_accuracy, or costs (cost=)"
        )
    return measure, ()


def _nobody(tables: CutTables, formula: Any, sign: float, best: float, metric: str) -> tuple[str, ...]:
    """That calling nobody is better still, where it is."""
    value = float(formula(tables_of(np.zeros((1, 2)), tables.observed_share))[0])
    if not sign * value > sign * best:
        return ()
    return (
        f"calling nobody {formats.plain(tables.labels[1], 30)} is better still: {metric} {value:.3g} in place of "
        f"{best:.3g} on these cases; at this prevalence no threshold of this score pays.",
    )


def _costs(cost: Mapping[str, float] | ArrayLike) -> Floats:
    """Costs of the four cells, rows truth, negative class first."""
    if not isinstance(cost, Mapping):
        table = np.asarray(cost)
        if table.shape != (2, 2) or table.dtype.kind not in "iuf" or not np.all(np.isfinite(table)):
            raise InvalidArgument(
                "cost is a mapping such as {'fp': 1, 'fn': 5}, or a table of 2 x 2 finite numbers, rows truth, not "
                f"{excerpt(cost)}"
            )
        return table.astype(float)
    made = np.zeros((2, 2))
    for name, value in cost.items():
        if name not in CELLS:
            raise InvalidArgument(f"costs are of {listing(CELLS)}, not of {excerpt(name)}")
        if not np.isfinite(number(value)):
            raise InvalidArgument(f"the cost of {name} is a finite number, not {excerpt(value)}")
        made[CELLS[name]] = number(value)
    return made


def _located(
    tables: CutTables, formula: Any, sign: float, at: int, draws: int, seed: int
) -> tuple[tuple[float, float], float]:
    """Central 95% interval of the best threshold, and the mean loss at the chosen one."""
    found, lost = [], []
    for part in tables.draws(draws, seed):
        values = sign * formula(part)
        best = best_cut(values)
        found.append(tables.thresholds[best])
        lost.append(np.take_along_axis(values, best[:, None], axis=1)[:, 0] - values[:, at])
    losses = np.concatenate(lost)
    low, high = np.quantile(np.concatenate(found), [0.025, 0.975], method="inverted_cdf").tolist()
    return (low, high), float(np.mean(losses[np.isfinite(losses)]))


def _less(ends: tuple[float, float, float], shift: float, span: tuple[float, float]) -> tuple[float, float, float]:
    mean, low, high = (min(max(value - shift, span[0]), span[1]) for value in ends)
    return mean, low, high


def _cells(ends: tuple[float, float, float], places: int) -> tuple[str, str]:
    return formats.number(ends[0], places), formats.interval(ends[1], ends[2], places)
