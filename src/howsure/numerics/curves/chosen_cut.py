"""A threshold that is chosen and judged on the same cases: where the best one may lie, and what choosing flatters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.numerics.arrays import Floats, Integers

__all__ = ["best_cut", "optimism", "tables_of"]

#: Values of tables that are held at once.
BLOCK = 4_000_000


def tables_of(called: Floats, share: Floats | float) -> Floats:
    """Tables (..., T, 2, 2) from rates of being called (..., T, 2), negative class first, and the positive share."""
    phi = np.asarray(share, dtype=float)[..., None]
    made = np.empty((*called.shape[:-1], 2, 2))
    made[..., 0, 1] = (1 - phi) * called[..., 0]
    made[..., 0, 0] = (1 - phi) * (1 - called[..., 0])
    made[..., 1, 1] = phi * called[..., 1]
    made[..., 1, 0] = phi * (1 - called[..., 1])
    return made


def best_cut(values: Floats) -> Integers:
    """Place of the largest value, shape (...,), of values (..., T); of equal ones the middle; NaN is never best.

    Examples
    --------
    >>> int(best_cut(np.array([0.1, 0.7, 0.7, 0.7, np.nan])))
    2
    """
    filled = np.where(np.isnan(values), -np.inf, values)
    tied = filled == filled.max(axis=-1, keepdims=True)
    reached = np.cumsum(tied, axis=-1)
    middle = (reached[..., -1:] + 1) // 2
    return np.asarray((reached >= middle).argmax(axis=-1), dtype=np.int64)


def optimism(
    called: Integers,
    sizes: Integers,
    share: float,
    worth: Callable[[Floats], Floats],
    resamples: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """How much better the chosen threshold looks on the cases it was chosen on than on new ones, and its error.

    Parameters
    ----------
    called : ndarray, shape (T, 2)
        Cases of each class, negative first, at the cut or above; T increasing cuts.
    sizes : ndarray, shape (2,)
        Cases of each class.
    share : float
        Of the positive class.
    worth : callable
        Of tables (..., 2, 2); more is better.
    resamples : int
        Bootstrap resamples within the classes.

    Notes
    -----
    Efron's bootstrap: the mean over resamples of the value of the cut that is best there, there, less its value in the
    cases themselves (Efron and Gong 1983; Harrell, Lee and Mark 1996).
    """
    bins = [np.diff(np.concatenate(([0], called[::-1, i], [sizes[i]]))) / sizes[i] for i in (0, 1)]
    original = worth(tables_of(called / sizes, share))
    gains = []
    step = max(1, BLOCK // (8 * len(called)))
    for start in range(0, resamples, step):
        many = min(step, resamples - start)
        drawn = np.stack(
            [np.cumsum(rng.multinomial(sizes[i], bins[i], many), axis=1)[:, :-1][:, ::-1] / sizes[i] for i in (0, 1)],
            axis=-1,
        )
        values = worth(tables_of(drawn, share))
        at = best_cut(values)
        gains.append(np.take_along_axis(values, at[:, None], axis=1)[:, 0] - original[at])
    found = np.concatenate(gains)
    found = found[np.isfinite(found)]
    if not len(found):
        return 0.0, 0.0
    return float(found.mean()), float(found.std() / np.sqrt(len(found)))
