"""Metrics of a two-class table whose prevalence is uncertain too: one law for each, without a random number."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from howsure.errors import InvalidArgument
from howsure.laws.computed_law import EstimatedLaw, in_words
from howsure.laws.law import Law
from howsure.numerics.arrays import LEAST, MOST, Floats, cut
from howsure.numerics.two_by_two.table_laws import BinaryMetric, resolvable


class BinaryLaw(EstimatedLaw):
    """Law of a metric of prevalence, sensitivity and specificity, three independent Betas.

    Parameters
    ----------
    metric : str
        f1, fbeta, jaccard, mcc, kappa, precision, negative_predictive_value, false_discovery_rate,
        false_omission_rate, markedness, bias, fowlkes_mallows, p4, accuracy (of the three rates), g_mean,
        prevalence_threshold, yule_q, positive_likelihood_ratio, negative_likelihood_ratio, diagnostic_odds_ratio,
        or one of the last three after ``log_``; error_rate, gwet_ac1, scott_pi, weighted_markedness, lift,
        overdiagnosis, precision_gain, recall_gain, f1_gain, fbeta_gain, or ``worth``, the mean of a number from 0 to 1
        in each cell.
    prevalence : (float, float) or float
        Beta parameters of the share of the positive class, or the share itself if it is known.
    sensitivity, specificity : (float, float)
        Beta parameters.
    **parameters : float
        ``beta`` of fbeta and fbeta_gain, ``w`` of weighted_markedness, ``hit missed kept false`` of worth.

    Notes
    -----
    The model is that of Toetsch and Hoffmann 2021. The cdf is an integral over two Normal scores by the trapezoid
    rule; ``error`` is its estimated error.

    Examples
    --------
    >>> low, high = BinaryLaw("precision", (27, 9), (27, 1), (7, 3)).interval(kind="central")
    >>> round(low, 6), round(high, 6)
    (0.781339, 0.980029)
    """

    def __init__(
        self,
        metric: str,
        prevalence: tuple[float, float] | float,
        sensitivity: tuple[float, float],
        specificity: tuple[float, float],
        **parameters: float,
    ) -> None:
        self._given = metric, prevalence, sensitivity, specificity, parameters

    @staticmethod
    def closes(
        metric: str,
        prevalence: tuple[float, float] | float,
        sensitivity: tuple[float, float],
        specificity: tuple[float, float],
        **parameters: float,
    ) -> bool:
        """Whether the metric has a law of known density under these rates."""
        return metric == "recall_gain" or resolvable(metric, prevalence, sensitivity, specificity, **parameters)

    @cached_property
    def _numbers(self) -> BinaryMetric:
        # most of an answer about one patient is about one class; the law of the other may never be asked for anything
        metric, prevalence, sensitivity, specificity, parameters = self._given
        if metric == "recall_gain":
            # 1 - odds of the prevalence over odds of the recall: the specificity has no part in it
            metric, specificity = "odds_gain", _odds_of(prevalence)
        return BinaryMetric(metric, prevalence, sensitivity, specificity, **parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, self._given)

    def __repr__(self) -> str:
        return f"<BinaryLaw: {self._given[0]}, mean {self.mean:.4g}, sd {self.sd:.2g}>"

    def outline(self, points: int) -> tuple[Floats, Floats] | None:
        """A curve of the density for pictures; None where it is not of one top."""
        return self._numbers.outline(points)


@in_words()
def quantile_with_density(law: Law, p: Floats) -> tuple[Floats, Floats]:
    """Quantiles of a probability, 0 < p < 1, shape (n,), and the densities there; found together where they can be."""
    if isinstance(law, BinaryLaw):
        return law._numbers.quantile_with_density(p)
    # of a probability: at 0 or 1 itself the density may be infinite
    x = cut(law.quantile(p), LEAST, MOST)
    return x, law.pdf(x)


def _odds_of(prevalence: tuple[float, float] | float) -> tuple[float, float]:
    if not isinstance(prevalence, tuple):
        raise InvalidArgument("at a stated prevalence the recall gain is a function of the recall alone")
    return prevalence[1], prevalence[0]


def _rebuilt(
    metric: str, prevalence: Any, sensitivity: Any, specificity: Any, parameters: dict[str, float]
) -> BinaryLaw:
    return BinaryLaw(metric, prevalence, sensitivity, specificity, **parameters)
