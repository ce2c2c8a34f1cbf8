"""Logistic recalibration: intercept and slope of the outcome on the logit of the forecast, for many weights at once."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from howsure.numerics.arrays import Floats

__all__ = ["fitted", "intercepts"]

TURNS, CLOSE, LONGEST = 60, 1e-10, 3.0


def fitted(x: Floats, cases: Floats, events: Floats) -> tuple[Floats, Floats]:
    """Intercept and slope that maximise the weighted likelihood, shape (M,) each, by Newton's steps.

    Parameters
    ----------
    x : ndarray, shape (B,)
        Logits of the forecasts.
    cases, events : ndarray, shape (M, B)
        Weights of all cases, and of those with the event.

    Examples
    --------
    >>> x = np.array([-1.0, 1.0])
    >>> a, b = fitted(x, np.array([[100.0, 100.0]]), 100 * expit(0.5 + 2 * x)[None, :])
    >>> a.round(6).tolist(), b.round(6).tolist()
    ([0.5], [2.0])
    """
    # from no slope on, in units of the spread of the logits, Newton's steps do not run away
    share = events.sum(axis=1) / cases.sum(axis=1)
    middle, spread = float(x.mean()), float(x.std()) or 1.0
    x = (x - middle) / spread
    a, b = np.log(share / (1 - share)), np.zeros(len(cases))
    for _ in range(TURNS):
        p = expit(a[:, None] + b[:, None] * x)
        rest, weight = events - cases * p, cases * p * (1 - p)
        g0, g1 = rest.sum(axis=1), np.einsum("mb,b->m", rest, x)
        h0, h1, h2 = weight.sum(axis=1), np.einsum("mb,b->m", weight, x), np.einsum("mb,b->m", weight, x * x)
        det = np.maximum(h0 * h2 - h1 * h1, 1e-300)
        da, db = (h2 * g0 - h1 * g1) / det, (h0 * g1 - h1 * g0) / det
        # a step is never longer than a few units of the logit
        size = np.minimum(1.0, LONGEST / np.maximum(np.maximum(np.abs(da), np.abs(db)), 1e-300))
        a, b = a + size * da, b + size * db
        if max(np.abs(da).max(), np.abs(db).max()) < CLOSE:
            break
    return a - b * middle / spread, b / spread


def intercepts(x: Floats, cases: Floats, events: Floats) -> Floats:
    """Intercept with the slope fixed at 1, shape (M,).

    Examples
    --------
    >>> x = np.array([-1.0, 1.0])
    >>> intercepts(x, np.array([[100.0, 100.0]]), 100 * expit(0.5 + x)[None, :]).round(6).tolist()
    [0.5]
    """
    a = np.zeros(len(cases))
    for _ in range(TURNS):
        p = expit(a[:, None] + x)
        step = (events - cases * p).sum(axis=1) / np.maximum((cases * p * (1 - p)).sum(axis=1), 1e-300)
        a = a + np.clip(step, -LONGEST, LONGEST)
        if np.abs(step).max() < CLOSE:
            break
    return a
