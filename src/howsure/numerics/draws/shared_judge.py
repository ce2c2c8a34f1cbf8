"""One judge of several models who errs alike with all of them: rates of right answers from the shares that it passes.

With se and sp the same for all models, the share passed is theta se + (1 - theta)(1 - sp), so that
theta = (passed - 1 + sp) / (se + sp - 1) for every model with one and the same se and sp.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import betaln

from howsure.numerics.arrays import Floats, Integers

__all__ = ["SharedRates", "alike", "shared_rates"]

#: Draws in one block, and blocks after which no more are tried.
BLOCK, MOST_BLOCKS = 20_000, 200


class SharedRates(NamedTuple):
    """Draws of the rates of all models, shape (T, n), and the share of the draws that were possible."""

    values: Floats
    kept: float


def alike(tables: Integers) -> float:
    """Log Bayes factor of one pair of rates of the judge for all models, against one pair for each.

    Parameters
    ----------
    tables : ndarray, shape (T, 2, 2)
        Labels of each model: truth (rows) by verdict.

    Notes
    -----
    Beta(1/2, 1/2) of every rate: sum over truths of log B(sum over models) - sum of log B(model), B relative to none.

    Examples
    --------
    >>> round(alike(np.array([[[80, 20], [15, 85]], [[8, 2], [6, 34]]])), 1)
    3.3
    """
    none = betaln(0.5, 0.5)
    one = betaln(*(np.moveaxis(tables.sum(0) + 0.5, -1, 0))) - none
    each = betaln(*(np.moveaxis(tables + 0.5, -1, 0))) - none
    return float(one.sum() - each.sum())


def shared_rates(passed: Integers, totals: Integers, table: Integers, n: int, seed: list[int]) -> SharedRates:
    """Draw the rates of right answers of all models under the same se and sp.

    Parameters
    ----------
    passed, totals : ndarray, shape (T,)
        Answers of each model that the judge passes, and all that it judged.
    table : ndarray, shape (2, 2)
        Labels of all models together: wrong, right by failed, passed.
    n, seed
        Draws, and their seed.

    Notes
    -----
    se, sp and the share passed of each model are Beta(counts + 1); what no rate between 0 and 1 gives is left out. The
    rates of the judge are learned from labels alone: a flat prior of each of many thetas would say more about se and sp
    than the labels do. Fewer than ``n`` draws come back where hardly any are possible.
    """
    rng = np.random.default_rng(seed)
    (fail0, pass0), (fail1, pass1) = table + 1.0
    found: list[Floats] = []
    tried = kept = 0
    while kept < n and tried < MOST_BLOCKS * BLOCK:
        sensitivity, specificity = rng.beta(pass1, fail1, BLOCK), rng.beta(fail0, pass0, BLOCK)
        share = rng.beta(passed[:, None] + 1.0, totals[:, None] - passed[:, None] + 1.0, (len(passed), BLOCK))
        gain = sensitivity + specificity - 1
        theta = (share - 1 + specificity) / np.where(gain > 0, gain, np.nan)
        possible = ((theta >= 0) & (theta <= 1)).all(axis=0)
        found.append(theta[:, possible])
        tried, kept = tried + BLOCK, kept + int(possible.sum())
    return SharedRates(np.concatenate(found, axis=1)[:, :n], kept / tried)
