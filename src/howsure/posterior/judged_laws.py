"""Laws in closed form where the truth is known of some cases only: of sums over verdicts, and of ratios of two.

A joint table p_hv = q_v r_vh has its verdicts as rows: transposed it is a table of two classes as any other, so that
`howsure.laws.BinaryLaw` of the exchanged metric is the law of F1, MCC and their kin (recall is its precision).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from howsure.laws import (
    Beta,
    BinaryLaw,
    Law,
    LearnedSum,
    Linear,
    Monotone,
    Transformed,
    VerdictRatio,
    VerdictShare,
)
from howsure.metrics import Measure
from howsure.metrics.linearity import linear_weights
from howsure.numerics.arrays import Floats
from howsure.posterior.judged_rows import JudgedRows

__all__ = ["judged_law"]

#: Metrics that are the same of a table and of the transposed one.
SYMMETRIC = (
    "f1",
    "jaccard",
    "mcc",
    "kappa",
    "fowlkes_mallows",
    "scott_pi",
    "gwet_ac1",
    "p4",
    "yule_q",
    "diagnostic_odds_ratio",
    "log_diagnostic_odds_ratio",
    "lift",
)

#: Metrics, and which one of the transposed table they are.
EXCHANGED = {
    "recall": "precision",
    "specificity": "negative_predictive_value",
    "false_negative_rate": "false_discovery_rate",
    "false_positive_rate": "false_omission_rate",
    "weighted_kappa": "kappa",
}

#: Below this many pseudo-counts a law of two classes is nearly all at its ends, and is drawn.
LEAST_ROUGH = 0.05

#: A ratio of sums of rates with fewer pseudo-cases (cells without a label, from three classes on) takes seconds.
LEAST_OF_RATIO = 0.5

#: A ratio over more verdicts is found point by point, and its shortest interval takes seconds; it is drawn.
MOST_OF_RATIO = 2

#: Sums of more verdicts than this with such rates take a second each (60 classes: 17), and are drawn.
MOST_ROUGH = 5


def judged_law(rows: JudgedRows, measure: Measure) -> Law | None:
    """Law of a measure in closed form, or None where only draws will do.

    Parameters
    ----------
    rows : JudgedRows
        What is known of the verdicts.
    measure : Measure
        By its definition (`Measure.twin`).
    """
    name, index = measure.metric.name, measure.index
    if name == "bias" and index is not None:
        return _share_of_verdicts(rows, rows.verdicts.column == index)
    if rows.tilt is not None or (index is not None and index >= rows.verdicts.truths):
        return None  # a verdict that is no class is refused by name (`JudgedKnowledge.require`)
    if rows.alphas is None:
        return _learned_rate(rows, measure)
    if measure.average is not None:
        return None
    of_two = _of_two_verdicts(rows, measure)
    if of_two is not None:
        return of_two
    return RATES[name](rows, index) if index is not None and name in RATES else _linear(rows, measure)


def _share_of_verdicts(rows: JudgedRows, which: NDArray[np.bool_]) -> Linear:
    """Law of the share of the cases with some verdicts: counted, so a Beta."""
    inside, outside = float(rows.masses[which].sum()), float(rows.masses[~which].sum())
    if not inside or not outside:
        return Linear(shift=float(inside > 0))
    return Beta(inside, outside)


def _learned_rate(rows: JudgedRows, measure: Measure) -> Law | None:
    """Law of what is true of one verdict, under a population of all of them; None of anything else."""
    name, index = measure.metric.name, measure.index
    if name not in ("precision", "false_discovery_rate") or index is None or measure.average is not None:
        return None
    at = np.flatnonzero(rows.verdicts.column == index)
    if len(at) != 1 or rows.population is None:
        return None
    weights = np.zeros(len(rows.masses))
    second = (index == 1) == (name == "precision")
    weights[at] = 1.0 if second else -1.0
    return LearnedSum([(rows.population, weights)], Linear(shift=0.0 if second else 1.0))


def _lumped(rows: JudgedRows, index: int) -> tuple[Floats, Floats]:
    """Beta parameters of one true class against the others at each verdict."""
    assert rows.alphas is not None
    own = rows.alphas[index]
    return own, np.asarray(rows.alphas.sum(axis=0) - own)


def _share(masses: Floats, a: Floats, b: Floats, weights: Floats | None = None) -> Law | None:
    """Law of a share, where it takes less time than the draws; None of many verdicts with rough rates."""
    if len(masses) > MOST_ROUGH and min(a.min(), b.min()) < LEAST_OF_RATIO:
        return None
    return VerdictShare(masses, a, b) if weights is None else VerdictShare(masses, a, b, weights)


def _of_class(rows: JudgedRows, index: int, *, called: bool, inside: bool) -> Law | None:
    """Law of the share of the cases of a class (or of the others) that are called it (or not)."""
    own, other = _lumped(rows, index)
    part = (rows.verdicts.column == index) == called
    if part.all() or not part.any():
        return Linear(shift=float(part.all()))
    a, b = (own, other) if inside else (other, own)
    if len(a) > MOST_OF_RATIO or min(a.min(), b.min()) < LEAST_OF_RATIO:
        return None
    return VerdictRatio(rows.masses, a, b, part.astype(float))


def _of_called(rows: JudgedRows, index: int, *, called: bool, inside: bool) -> Law | None:
    """Law of the share of a class (or of the others) among the cases called it (or not)."""
    own, other = _lumped(rows, index)
    at = (rows.verdicts.column == index) == called
    a, b = (own[at], other[at]) if inside else (other[at], own[at])
    if not at.any():
        return None
    return Beta(float(a[0]), float(b[0])) if len(a) == 1 else _share(rows.masses[at], a, b)


#: Rates of one class: of its cases, or of those called it.
RATES: dict[str, Callable[[JudgedRows, int], Law | None]] = {
    "recall": lambda rows, i: _of_class(rows, i, called=True, inside=True),
    "false_negative_rate": lambda rows, i: _of_class(rows, i, called=False, inside=True),
    "specificity": lambda rows, i: _of_class(rows, i, called=False, inside=False),
    "false_positive_rate": lambda rows, i: _of_class(rows, i, called=True, inside=False),
    "precision": lambda rows, i: _of_called(rows, i, called=True, inside=True),
    "false_discovery_rate": lambda rows, i: _of_called(rows, i, called=True, inside=False),
    "negative_predictive_value": lambda rows, i: _of_called(rows, i, called=False, inside=False),
    "false_omission_rate": lambda rows, i: _of_called(rows, i, called=False, inside=True),
    "prevalence": lambda rows, i: _share(rows.masses, *_lumped(rows, i)),
}


def _linear(rows: JudgedRows, measure: Measure) -> Law | None:
    """Law of a sum over the cells in which each verdict tells two kinds of truth apart, or none."""
    alphas, verdicts = rows.alphas, rows.verdicts
    assert alphas is not None
    cells = linear_weights(measure, rows.size, verdicts.truths)
    if cells is None:
        return None
    of = cells[:, verdicts.column]
    top, bottom = of.max(axis=0), of.min(axis=0)
    upper = of == top
    if not np.all(upper | (of == bottom)):
        return None
    if np.all(top == bottom):  # what is true makes no difference
        upper[1:] = False
    upper[1:, top == bottom] = False
    a = np.where(upper, alphas, 0.0).sum(axis=0)
    return _share(rows.masses, a, alphas.sum(axis=0) - a, np.stack([top, bottom], axis=1))


def _of_two_verdicts(rows: JudgedRows, measure: Measure) -> Law | None:
    """Law of a metric of two classes and the two verdicts that name them: that of the transposed table."""
    verdicts, alphas = rows.verdicts, rows.alphas
    if verdicts.audit or verdicts.truths != 2 or sorted(verdicts.column.tolist()) != [0, 1]:
        return None
    assert alphas is not None
    name, parameters = measure.metric.name, dict(measure.parameters)
    i = 1 if measure.index is None else measure.index
    called, other = (int(np.flatnonzero(verdicts.column == k)[0]) for k in (i, 1 - i))
    right = float(alphas[i, called]), float(alphas[1 - i, called])
    kept = float(alphas[1 - i, other]), float(alphas[i, other])
    shares = float(rows.masses[called]), float(rows.masses[other])
    if name in ("markedness", "weighted_markedness"):
        w = parameters.get("w", 0.5)
        return 2 * w * Beta(*right) + 2 * (1 - w) * Beta(*kept) - 1
    as_rates = {
        "informedness": 0.5,
        "weighted_informedness": parameters.get("w", 0.5),
        "balanced_accuracy": 0.5,
        "adjusted_balanced_accuracy": 0.5,
        "weighted_balanced_accuracy": parameters.get("c", 0.5),
    }
    if name in as_rates:
        asked, given = "weighted_markedness", {"w": as_rates[name]}
    elif name == "fbeta":
        asked, given = "fbeta", {"beta": 1 / parameters.get("beta", 1.0)}
    elif name in EXCHANGED or name in SYMMETRIC:
        asked, given = EXCHANGED.get(name, name), {}
    else:
        return None
    if min(*right, *kept) < LEAST_ROUGH or not BinaryLaw.closes(asked, right, kept, **given):
        return None
    law = BinaryLaw(asked, shares, right, kept, **given)
    if name not in ("balanced_accuracy", "weighted_balanced_accuracy"):
        return law
    return Transformed(law, HALVED, moments=((1 + law.mean) / 2, law.sd / 2))


def _half(x: Floats) -> Floats:
    return np.asarray((1 + x) / 2)


def _twice(y: Floats) -> Floats:
    return np.asarray(2 * y - 1)


def _two(y: Floats) -> Floats:
    return np.full(np.shape(y), 2.0)


#: From informedness to balanced accuracy.
HALVED = Monotone(_half, _twice, _two, (0.0, 1.0), straight=True)
