"""What is known of a patient before a test, and what the test said, as they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.positive import positive_or_last
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import number
from howsure.laws import Beta
from howsure.numerics.arrays import Floats
from howsure.posterior.prevalence import shares_to_be_met

__all__ = ["PreTest", "before_test", "beta_means", "column_of", "listed_results", "positive_row", "said_of"]


PreTest = float | Beta | Mapping[str, float] | Sequence[float]


def before_test(confusion: ConfusionMatrix, pre_test: PreTest) -> Floats | Beta:
    """Pre-test probabilities of the classes, or a Beta of that of the positive one."""
    if isinstance(pre_test, Beta | int | float | np.integer | np.floating) and not isinstance(pre_test, bool):
        if confusion.positive is None and len(confusion.labels) == 2:
            raise InvalidArgument(
                f"nothing says which of {listing(map(excerpt, confusion.labels))} the pre-test probability is of; "
                f"name it, such as {{{excerpt(confusion.labels[-1])}: 0.02}}, or choose the positive class (positive=)"
            )
        if confusion.positive is None:
            raise InvalidArgument(
                f"with {len(confusion.labels)} classes a pre-test probability is a share for each class, or for some "
                f"of them by name, such as {{{excerpt(confusion.labels[0])}: 0.2}}; not {excerpt(pre_test)}"
            )
        if isinstance(pre_test, Beta):
            return pre_test
        if not 0 < number(pre_test) < 1:
            raise InvalidArgument(
                f"a pre-test probability lies strictly between 0 and 1 (2% is 0.02); not {excerpt(pre_test)}"
            )
        return shares_to_be_met({confusion.positive: float(pre_test)}, confusion)
    if isinstance(pre_test, bool | str):
        raise InvalidArgument(f"a pre-test probability is a number such as 0.02, not {excerpt(pre_test)}")
    return shares_to_be_met(pre_test, confusion)


def beta_means(confusion: ConfusionMatrix, before: Beta) -> tuple[float, ...]:
    """Mean pre-test probability of each of two classes."""
    means = [1 - before.mean, 1 - before.mean]
    means[positive_row(confusion)] = before.mean
    return tuple(means)


def positive_row(confusion: ConfusionMatrix) -> int:
    """Row of the positive one of two classes; where none is known, of the last, for an answer about both."""
    positive = positive_or_last(confusion.labels, confusion.positive)
    assert positive is not None
    return confusion.labels.index(positive)


def listed_results(results: str | Sequence[str]) -> tuple[str, ...]:
    """One course of results, in order."""
    try:
        course = (results,) if isinstance(results, str) else tuple(results)
    except TypeError:
        course = ()
    if not course:
        raise InvalidArgument("no test result is given; say 'positive', or ['positive', 'negative'] for repeats")
    return course


def column_of(confusion: ConfusionMatrix, result: str) -> int:
    """Column of what the test said: a label, or positive and negative of two classes (a label of that name wins)."""
    named = isinstance(result, str) and result in ("positive", "negative")
    if confusion.positive is not None and named and result not in confusion.labels:
        found = positive_row(confusion)
        return found if result == "positive" else 1 - found
    if len(confusion.labels) == 2 and named and result not in confusion.labels:
        both = listing(map(excerpt, confusion.labels))
        raise InvalidArgument(f"nothing says which of {both} is positive; say the class, or choose with positive=")
    return confusion.index(result)


def said_of(confusion: ConfusionMatrix, called: int) -> str:
    """What a test says that calls a case by this column."""
    if confusion.positive is None:
        return confusion.labels[called]
    return "positive" if called == positive_row(confusion) else "negative"
