"""Cost curves: what one threshold costs at every mixture of classes and costs, beside calling all alike."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from howsure.answers.fields import Fields
from howsure.answers.sheet import Record, Sheet
from howsure.curves.cut_tables import checked_scores, checked_thresholds, cut_tables
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import KIND, LEVEL, Kind, checked_kind, checked_level
from howsure.laws.many import BetaSums
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.cut_counts import called_at
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.svg import threshold_band

__all__ = ["CostCurve", "CostPoint", "cost_curve"]

#: Probability costs: hundredths strictly between 0 and 1.
STEPS = 100

#: Rows of the table that is read.
SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

#: Probability from which a stretch is named.
SURE = 0.95


@dataclass(frozen=True)
class CostPoint(Fields):
    """What a case costs at one mixture of classes and costs, as a share of the worst.

    Attributes
    ----------
    probability_cost : float
        Share of the positive class times what a miss costs, over that and the same of the other class and a false
        alarm: the prevalence, where both errors cost the same.
    observed : float
        Of the cases.
    mean, low, high : float
        Posterior mean and ends of the interval.
    trivial : float
        Of calling every case alike, whichever is cheaper.
    p_cheaper : float
        Probability that the threshold costs less than that.
    least : float
        Of the cases, at the threshold that is best for them here: too low to be true of others.
    """

    probability_cost: float
    observed: float
    mean: float
    low: float
    high: float
    trivial: float
    p_cheaper: float
    least: float


#: Fields of a point, in the order of the CSV.

FIELDS = """
labels sizes threshold false_positive_rate=rates.0 false_negative_rate=rates.1 prior level interval=kind pays points
verdict=sentence
"""
CSV = "points[probability_cost observed mean low high trivial p_cheaper least]"


@dataclass(frozen=True, repr=False, eq=False)
class CostCurve(Record, json="cost_curve", fields=FIELDS, csv=CSV):
    """Expected cost of one threshold; made by `cost_curve`.

    Attributes
    ----------
    labels : (str, str)
        The negative class and the positive one.
    sizes : (int, int)
        Cases of each.
    threshold : float
        Cases with this score or more are called positive.
    rates : (float, float)
        Observed false positive rate and false negative rate there.
    points : tuple of CostPoint
        At probability costs of 0.01 to 0.99.
    prior : str
    level, kind : float and str
        Of the intervals, each of its point by itself.
    """

    labels: tuple[str, str]
    sizes: tuple[int, int]
    threshold: float
    rates: tuple[float, float]
    points: tuple[CostPoint, ...]
    prior: str
    level: float
    kind: Kind

    @property
    def pays(self) -> tuple[float, float] | None:
        """From which probability cost to which the threshold is cheaper with probability 0.95 or more; None if nowhere.

        It is one stretch: a line lies below a tent.
        """
        sure = [point.probability_cost for point in self.points if point.p_cheaper >= SURE]
        return (sure[0], sure[-1]) if sure else None

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        negative, positive = (formats.class_name(label) for label in self.labels)
        what = f"Calling a case {positive} from a score of {self.threshold:.6g} on"
        if self.pays is None:
            return f"{what} is nowhere cheaper than calling all cases alike with probability {SURE:g} or more."
        low, high = self.pays
        return (
            f"{what} is cheaper than calling all cases {negative} or all {positive} with probability {SURE:g} or more "
            f"where the probability cost of {positive} is {low:.2f} to {high:.2f}."
        )

    def sheet(self) -> Sheet:
        """Some points as cells of text."""
        ends = formats.interval_name(self.kind, self.level)
        rows = []
        for at in SHOWN:
            point = self.points[round(at * STEPS) - 1]
            places = formats.decimals(point.low, point.high)
            rows.append((
                f"{point.probability_cost:.2f}",
                formats.number(point.observed, max(places, 3)),
                formats.number(point.mean, places),
                formats.interval(point.low, point.high, places),
                f"{point.trivial:.2f}",
                formats.probability(point.p_cheaper),
                formats.number(point.least, 3),
            ))  # fmt: skip
        notes = (
            "Probability cost: prevalence x cost of a miss / (that + (1 - prevalence) x cost of a false alarm). Cost "
            "of a case as a share of the worst: probability cost x share missed + the rest x share of false alarms "
            "(Drummond and Holte 2006).",
            "all alike: calling every case the same, whichever is cheaper. best of these cases: the best threshold at "
            f"each point, chosen on these cases; others will not have it. Prior {self.prior}, exact; each interval is "
            "about its point by itself.",
        )
        header = ("probability cost", "observed", "mean", ends, "all alike", "P(cheaper)", "best of these cases")
        left = f"{formats.integer(len(self.points))} points in --json and --csv."
        return Sheet(self.sentence, header, tuple(rows), notes, left_out=left)

    def picture(self) -> str:
        """The line of the threshold with its band as SVG, beside calling all alike and the best of the cases."""
        columns = zip(*map(astuple, self.points), strict=True)
        cost, _, mean, low, high, trivial, _, least = columns
        return threshold_band(
            cost,
            (low, mean, high),
            others=[("all alike", trivial), ("best", least)],
            xlabel=f"probability cost of {formats.plain(self.labels[1], 30)}",
            ylabel=f"expected cost, mean and {formats.interval_name(self.kind, self.level)}",
            title=self.sentence,
        )


def cost_curve(
    scores: Scores,
    threshold: float,
    *,
    prior: str | Prior | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
) -> CostCurve:
    """Expected cost of calling from a threshold on, at every mixture of classes and costs, as a share of the worst.

    Parameters
    ----------
    scores : Scores
        One classifier, two classes; any scores, not only probabilities.
    threshold : float
        Cases with this score or more are called positive.
    prior : str or Prior, optional
        "flat" if left out; not "learned".
    level, kind
        Of the intervals.

    Raises
    ------
    InvalidArgument
        Several classifiers, more than two classes or cases in groups; not one number.

    Notes
    -----
    pc FNR + (1 - pc) FPR at the probability cost pc, Drummond and Holte 2006 (Machine Learning 65, equation 3): a sum
    of two independent Betas, exact. The dashed "best" is the lower envelope of the lines of all thresholds on these
    cases.

    Examples
    --------
    >>> import howsure as hs
    >>> scores = hs.Scores(["ill"] * 40 + ["well"] * 60, [0.8] * 30 + [0.1] * 10 + [0.7] * 6 + [0.05] * 54)
    >>> made = cost_curve(scores, 0.5)
    >>> made.pays
    (0.21, 0.69)
    >>> point = made.points[49]
    >>> point.probability_cost, round(point.observed, 3), round(point.mean, 3), point.trivial
    (0.5, 0.175, 0.187, 0.5)
    """
    scores = checked_scores(scores, "cost_curve()")
    cuts = checked_thresholds(threshold)
    if len(cuts) != 1:
        raise InvalidArgument(f"a cost curve is about one threshold, not {excerpt(threshold)}")
    checked_kind(kind)
    level = checked_level(level)
    tables = cut_tables(scores, cuts, prior, None, None)
    cost = np.arange(1, STEPS) / STEPS
    hit, lost, false, kept = tables.alphas[0].tolist()
    laws = BetaSums([[lost, false]] * len(cost), [[hit, kept]] * len(cost), np.stack([cost, 1 - cost], axis=1))
    low, high = laws.interval(level, kind)
    trivial = np.minimum(cost, 1 - cost)
    sizes = tables.sizes.tolist()
    alarms, found = (tables.called[0] / tables.sizes).tolist()
    rates = alarms, 1 - found
    observed = cost * rates[1] + (1 - cost) * rates[0]
    columns = (cost, observed, laws.mean, low, high, trivial, laws.prob(below=trivial), _envelope(scores, cost))
    points = tuple(CostPoint(*row) for row in zip(*(column.tolist() for column in columns), strict=True))
    return CostCurve(tables.labels, (sizes[0], sizes[1]), float(cuts[0]), rates, points, tables.prior.name, level, kind)


def _envelope(scores: Scores, cost: Floats) -> Floats:
    """Least observed cost over all thresholds, at each probability cost."""
    positive, cuts = scores.truth == 1, np.append(np.unique(scores.scores), np.inf)
    found, alarms = (called_at(scores.scores[part], cuts) / part.sum() for part in (positive, ~positive))
    return np.array([(at * (1 - found) + (1 - at) * alarms).min() for at in cost.tolist()])
