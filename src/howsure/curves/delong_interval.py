"""DeLong's confidence intervals of the area under the ROC curve: the classical companions of ``roc_auc``."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import expit, logit, ndtri

from howsure.answers.sheet import Record, Sheet
from howsure.data.scores import Scores, one_score
from howsure.errors import InvalidArgument
from howsure.laws.law import LEVEL, checked_level
from howsure.numerics.curves.placements import placement_covariance
from howsure.text import formats

__all__ = ["DeLong", "delong"]


@dataclass(frozen=True, repr=False, eq=False)
class DeLong(Record, json="delong"):
    """The area under the ROC curve with two confidence intervals; made by `delong`.

    Attributes
    ----------
    area : float
    variance : float
    normal : (float, float)
        Area plus and minus standard errors; it may leave [0, 1].
    logit : (float, float) or None
        The same on the logit scale; None where the area is 0 or 1.
    level : float
    """

    area: float
    variance: float
    normal: tuple[float, float]
    logit: tuple[float, float] | None
    level: float

    def sheet(self) -> Sheet:
        """A row for each interval."""
        name = f"{formats.level_words(self.level)} confidence interval"
        rows = [("DeLong", formats.interval(*self.normal, 3))]
        rows.append(("logit DeLong", "none" if self.logit is None else formats.interval(*self.logit, 3)))
        notes = (
            "Confidence intervals cover the true area in repeated tests; not a probability of the area. "
            "Both are "
            "far too short where the classes are nearly separated.",
        )
        return Sheet(f"Area under the ROC curve {self.area:.3f}.", ("method", name), tuple(rows), notes)


def delong(scores: Scores, *, level: float = LEVEL) -> DeLong:
    """Confidence intervals of the area under the ROC curve by DeLong's variance.

    Parameters
    ----------
    scores : Scores
        Of two classes and one classifier, two cases or more of each.
    level : float
        Coverage that they aim at.

    Raises
    ------
    InvalidArgument
        A class of one case, more than two classes, several classifiers, or cases in groups.

    Notes
    -----
    DeLong, DeLong and Clarke-Pearson 1988; on the logit scale Pepe 2003, equation 5.8.

    Examples
    --------
    >>> made = delong(Scores([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6]))
    >>> round(made.area, 4), round(made.variance, 4), [round(x, 2) for x in made.normal]
    (0.8889, 0.0247, [0.58, 1.2])
    """
    scores, level = one_score(scores, "delong()"), checked_level(level)
    if scores.group is not None:
        raise InvalidArgument(
            "delong() takes cases for independent, and these come in groups; infer(scores) allows for it"
        )
    if scores.class_sizes.min() < 2:
        raise InvalidArgument("a variance needs two cases of each class or more; infer(scores) has an interval for one")
    areas, covariance = placement_covariance(scores.truth == 1, scores.scores[None, :])
    area, variance = float(areas[0]), float(covariance[0, 0])
    z, error = float(ndtri((1 + level) / 2)), math.sqrt(variance)
    inside = 0 < area < 1
    half = z * error / (area * (1 - area)) if inside else 0.0
    ends = (float(expit(logit(area) - half)), float(expit(logit(area) + half))) if inside else None
    return DeLong(area, variance, (area - z * error, area + z * error), ends, level)
