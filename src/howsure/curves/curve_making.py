"""Curves of scores with their bands: ROC, and precision by recall."""

from __future__ import annotations

import numpy as np

from howsure.curves.curve import Curve
from howsure.data.scores import Scores, one_score
from howsure.laws.draw_settings import SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, Kind, checked_kind, checked_level
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.curve_bands import SLACK, pointwise, shifted, simultaneous
from howsure.numerics.curves.curve_numbers import false_rate_at, precision_at, true_rate_at, with_half_cases
from howsure.posterior.distribution import Distribution
from howsure.posterior.posterior import infer
from howsure.posterior.scored_cases import ScoresPosterior

__all__ = ["CURVE_DRAWS", "curve_of", "precision_recall_curve", "roc_curve"]

#: Random curves behind a band.
CURVE_DRAWS = 5_000

#: Draws of the area for each random curve: a band is slower.
AREA_DRAWS = 4

#: Steps of the axis of a curve.
STEPS = 100


def roc_curve(
    scores: Scores, *, level: float = LEVEL, kind: Kind = KIND, draws: int = CURVE_DRAWS, seed: int = SEED
) -> Curve:
    """True positive rate by false positive rate, over all thresholds, with the band at each point and that of all.

    Parameters
    ----------
    scores : Scores
        Of two classes and one classifier.
    level : float
        Probability inside the bands, and inside the interval of the area.
    kind : "hdi" or "central"
        Of the interval of the area; bands are central.
    draws, seed : int
        Random curves behind the bands.

    Returns
    -------
    Curve
        At 100 false positive rates from 0.01 to 1.

    Raises
    ------
    InvalidArgument
        More than two classes, several classifiers, or scores that are all the same.

    Examples
    --------
    >>> made = roc_curve(Scores([0] * 20 + [1] * 20, range(40)), draws=500)
    >>> made.observed[9], made.low[9] < 1.0
    (1.0, True)
    """
    return curve_of(infer(one_score(scores, "roc_curve()")), "roc", level, kind, draws, seed)


def precision_recall_curve(
    scores: Scores,
    prevalence: float | None = None,
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = CURVE_DRAWS,
    seed: int = SEED,
) -> Curve:
    """Precision by recall, over all thresholds, with the band at each point and that of all.

    Parameters
    ----------
    scores, level, kind, draws, seed
        As in `roc_curve`.
    prevalence : float, optional
        Stated share of the positive class; learned from the cases if left out.

    Returns
    -------
    Curve
        At 100 recalls from 0.01 to 1. Between two thresholds precision follows the straight line of the ROC curve
        (Davis and Goadrich 2006), not one between precisions.

    Raises
    ------
    InvalidArgument
        As in `roc_curve`; a prevalence that is not between 0 and 1.

    Examples
    --------
    >>> made = precision_recall_curve(Scores([0] * 20 + [1] * 20, range(40)), prevalence=0.02, draws=500)
    >>> made.axes, made.observed[50]
    (('recall', 'precision'), 1.0)
    """
    posterior = infer(one_score(scores, "precision_recall_curve()"))
    if prevalence is not None:
        posterior = posterior.at_prevalence(prevalence)
    return curve_of(posterior, "precision_recall", level, kind, draws, seed)


def curve_of(
    posterior: ScoresPosterior,
    what: str,
    level: float,
    kind: Kind,
    draws: int,
    seed: int,
    area: Distribution | None = None,
) -> Curve:
    """The curve of a posterior of scores of two classes, and the area under it if that is not known already."""
    level, kind, draws, seed = checked_level(level), checked_kind(kind), checked_draws(draws), checked_seed(seed)
    scores, prevalence = posterior.scores, posterior.prevalence
    problem = posterior._knowledge.problem
    roc = what == "roc"
    x = np.arange(1, STEPS + 1) / STEPS
    rng, points = (np.random.default_rng([seed, stream]) for stream in (7, 8))
    cases = problem.weighing
    middle, lower, upper = [], [], []
    for rates in problem.curves(draws, [seed, 0], prevalence):
        some = len(rates.odds)
        up, across = (rng.standard_gamma(SLACK, some) / size for size in cases)
        if roc:
            middle.append(with_half_cases(true_rate_at(rates.true, rates.false, x), cases[0], points))
            lower.append(shifted(rates.false, rates.true, x, across, up, higher=False))
            upper.append(shifted(rates.false, rates.true, x, across, up, higher=True))
            continue
        # no half cases here: at a recall of less than a case they would be most of those called
        middle.append(precision_at(x, false_rate_at(rates.true, rates.false, x), rates.odds))
        # the mirror image of a curve is its false positive rate by recall, from the other end
        for held, more in ((lower, False), (upper, True)):
            mirrored = shifted(1 - rates.true[:, ::-1], 1 - rates.false[:, ::-1], 1 - x, up, across, higher=more)
            held.append(precision_at(x, 1 - mirrored, rates.odds))
    low, high = pointwise(np.concatenate(middle), level)
    band_low, band_high = simultaneous(np.concatenate(lower), np.concatenate(upper), level)
    # the half cases of a point are no part of the band, which has a slack of its own; the band is the wider one
    band_low, band_high = np.minimum(band_low, low), np.maximum(band_high, high)
    true, false = problem.blocks.true_rate[None, :], problem.blocks.false_rate[None, :]
    if roc:
        observed = true_rate_at(true, false, x)[0]
    else:
        odds = problem.odds if prevalence is None else (1 - prevalence) / prevalence
        observed = precision_at(x, false_rate_at(true, false, x), np.array([odds]))[0]
    known = area or posterior.of("roc_auc" if roc else "average_precision", draws=AREA_DRAWS * draws, seed=seed)
    negative, positive = scores.labels
    sizes = scores.class_sizes.tolist()
    return Curve(
        "roc" if roc else "precision_recall",
        _plain(x),
        _plain(observed),
        _plain(low),
        _plain(high),
        _plain(band_low),
        _plain(band_high),
        known,
        (negative, positive),
        (sizes[0], sizes[1]),
        prevalence,
        level,
        kind,
        draws,
        seed,
    )


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())
