"""Where else the classifier is to be used: shares of the classes that are stated, or learned from other cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.counts import whole_number
from howsure.errors import InvalidArgument, InvalidCounts, excerpt, listing
from howsure.numerics.arrays import Floats

#: A smaller share is a slip of the hand, and no number to compute with.
LEAST_SHARE = 1e-12

PrevalenceSource = Literal["test set", "chosen", "stated", "other cases", "verdicts elsewhere"]


def stated_shares(prevalence: Any, confusion: ConfusionMatrix) -> Floats:
    """Read shares of the true classes, stated one by one or for some classes by name.

    Parameters
    ----------
    prevalence : array_like of shape (K,), or mapping of label to share
        A mapping may leave classes out: they share what is left in proportion to their counts.
    confusion : ConfusionMatrix
        Whose classes they are.

    Returns
    -------
    ndarray, shape (K,)
        0 or more, adding to 1; read-only.

    Examples
    --------
    >>> cm = ConfusionMatrix([[9, 1, 0], [2, 27, 1], [0, 1, 9]], labels=["a", "b", "c"])
    >>> stated_shares({"c": 0.2}, cm).round(9).tolist()
    [0.2, 0.6, 0.2]
    """
    given = [*prevalence.values()] if isinstance(prevalence, Mapping) else prevalence
    if any(isinstance(share, bool | np.bool_) for share in np.array(given, dtype=object).flat):
        raise InvalidArgument(f"a prevalence is one share for each class, not {excerpt(prevalence)}")
    if isinstance(prevalence, Mapping):
        prevalence = _completed(_by_label(prevalence, confusion), confusion)
    try:
        shares = np.array(prevalence, dtype=float)
        total = float(np.minimum(np.abs(shares), 1e6).sum())
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"a prevalence is one share for each class, not {excerpt(prevalence)}") from None
    size = len(confusion.labels)
    if shares.shape != (size,):
        raise InvalidArgument(f"{size} classes need {size} shares, not an array of shape {shares.shape}")
    if not np.all(shares >= 0) or not abs(total - 1) < 1e-6:
        raise InvalidArgument(
            f"shares of classes are 0 or more and add to 1; got {excerpt(shares.tolist())}, sum {total:g}"
            + (" (2% is 0.02)" if abs(total - 100) < 1e-6 else "")
        )
    rare = [label for label, share in zip(confusion.labels, shares.tolist(), strict=True) if 0 < share < LEAST_SHARE]
    if rare:
        instead = "one that can be met" if size == 2 else "0, or one that can be met"
        raise InvalidArgument(f"the share of {listing(map(excerpt, rare))} is below {LEAST_SHARE:g}; state {instead}")
    shares /= shares.sum()
    shares.setflags(write=False)
    return shares


def shares_to_be_met(prevalence: Any, confusion: ConfusionMatrix) -> Floats:
    """`stated_shares` of a user; refuses 0 and 1 of two classes, which howsure itself has where a class is empty.

    Examples
    --------
    >>> cm = ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
    >>> shares_to_be_met({"ill": 0.02}, cm).tolist()
    [0.98, 0.02]
    """
    shares = stated_shares(prevalence, confusion)
    if len(shares) == 2 and not np.all(shares > 0):
        raise InvalidArgument(
            f"a prevalence is {excerpt(prevalence)}; each of two classes has a share strictly between 0 and 1; a "
            "class that nobody or everybody belongs to needs no test"
        )
    return shares


def counted_elsewhere(cases: Any, confusion: ConfusionMatrix, mass: Floats) -> Floats:
    """Dirichlet parameters of a prevalence that was counted in other cases than the test set.

    Parameters
    ----------
    cases : sequence of K whole numbers, or mapping of every label to one
        Cases of each class that were found there.
    confusion : ConfusionMatrix
        Whose classes they are.
    mass : ndarray, shape (K,)
        The prior's pseudo-counts, which come on top.
    """
    counts = np.array(counts_by_class(cases, confusion, "cases="), dtype=float)
    alphas = counts + mass
    if not np.all(alphas > 0):
        empty = [x for x, alpha in zip(confusion.labels, alphas, strict=True) if alpha <= 0]
        raise InvalidArgument(
            f"no case of {listing(empty)} was counted and the prior adds none, so its share is unknown; "
            "state the prevalence, or use prior 'flat'"
        )
    alphas.setflags(write=False)
    return np.asarray(alphas)


def counts_by_class(given: Any, confusion: ConfusionMatrix, what: str) -> list[int]:
    """Whole numbers, one for each class, from a mapping of every label to one, or in the order of the labels.

    Examples
    --------
    >>> table = ConfusionMatrix([[8, 2], [1, 9]], labels=["fail", "pass"])
    >>> counts_by_class({"pass": 700, "fail": 300}, table, "cases=")
    [300, 700]
    """
    labels = confusion.labels
    if isinstance(given, Mapping):
        named = _by_label(given, confusion)
        if missing := [x for x in labels if x not in named]:
            raise InvalidArgument(
                f"{listing(map(excerpt, missing))} is missing in {what}; give a count for every class, 0 where there "
                "was none"
            )
        given = [named[x] for x in labels]
    if isinstance(given, str | bytes) or not hasattr(given, "__len__") or len(given) != len(labels):
        raise InvalidArgument(
            f"{what} takes {len(labels)} integers, one for each class, such as {{{excerpt(labels[-1])}: 700, ...}}; "
            f"not {excerpt(given)}"
        )
    try:
        return [whole_number(n, f"{what} {excerpt(x)}") for n, x in zip(given, labels, strict=True)]
    except InvalidCounts as error:
        raise InvalidArgument(str(error)) from None


def named_positive(prevalence: Any, confusion: ConfusionMatrix) -> ConfusionMatrix:
    """Take the one of two classes that a prevalence names as the positive one, unless that is known already.

    Examples
    --------
    >>> named_positive({"low": 0.02}, ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"])).positive
    'low'
    """
    alone = isinstance(prevalence, Mapping) and len(prevalence) == 1 and len(confusion.labels) == 2
    return confusion.with_positive(*prevalence) if alone and confusion.positive is None else confusion


def _by_label(given: Mapping[Any, Any], confusion: ConfusionMatrix) -> dict[str, Any]:
    return {confusion.labels[confusion.index(label)]: value for label, value in given.items()}


def _completed(named: Mapping[str, Any], confusion: ConfusionMatrix) -> Sequence[float]:
    """Stated shares, and for the classes without one the rest, in proportion to their counts."""
    others = [x for x in confusion.labels if x not in named]
    if not others or not named:
        if not named:
            raise InvalidArgument("a prevalence names at least one class; got an empty mapping")
        return [named[x] for x in confusion.labels]
    try:
        rest = 1 - sum(float(share) for share in named.values())
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"a prevalence is one share for each class, not {excerpt(dict(named))}") from None
    if not -1e-9 <= rest <= 1:
        raise InvalidArgument(
            f"the shares of {listing(named)} add to {1 - rest:g}, which leaves nothing for {listing(others)}; "
            "shares are numbers from 0 to 1 (2% is 0.02)"
        )
    sizes = dict(zip(confusion.labels, confusion.class_sizes.tolist(), strict=True))
    counted = sum(sizes[x] for x in others)
    if len(others) > 1 and not counted:
        raise InvalidArgument(
            f"no case of {listing(others)} was tested, so there is no proportion in which to share the rest; "
            "give a share for every class"
        )
    parts = {x: max(rest, 0.0) * (1.0 if len(others) == 1 else sizes[x] / counted) for x in others}
    return [float(parts[x] if x in parts else named[x]) for x in confusion.labels]
