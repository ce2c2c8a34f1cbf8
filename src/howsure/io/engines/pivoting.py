"""One row a case and classifier: the rows of one case put side by side by its id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidLabels, excerpt
from howsure.io.counting.count_columns import CountColumns
from howsure.io.counting.result import SetAside
from howsure.io.counting.tally_to_counts import Tally, ordered
from howsure.io.engines.coding import Coded
from howsure.numerics.arrays import Integers

__all__ = ["joined", "widened"]


def joined(
    case: Coded, model: Coded, truth: Coded, answer: Coded, groups: Sequence[Coded], ask: CountColumns
) -> tuple[CountColumns, Tally]:
    """Answers of all classifiers to each case, from one row a case and classifier.

    Parameters
    ----------
    case, model, truth, answer : Coded
        Id, classifier, true class (may be missing where another row of the case has it) and answer of each row.
    groups : sequence of Coded
    ask : CountColumns

    Returns
    -------
    ask : CountColumns
        With a column for each classifier.
    tally : Tally
        One row a case.

    Raises
    ------
    InvalidLabels
        A case that comes twice for one classifier, or has two true classes or groups.
    """
    names, classifier = ordered(model)
    if (classifier < 0).any():
        raise InvalidLabels(f"column {excerpt(ask.model)} does not name the classifier in every row; fill it in")
    known = case[1] >= 0
    aside = [] if known.all() else [SetAside(f"no id (column {ask.id})", int((~known).sum()), _rows(~known))]
    ids, which = case[1][known], classifier[known]
    key = ids * len(names) + which
    distinct, times = np.unique(key, return_counts=True)
    if len(distinct) < len(key):
        twice = int(distinct[np.argmax(times)])
        raise InvalidLabels(
            f"the id {excerpt(case[0][twice // len(names)])} comes {times.max()} times for classifier "
            f"{excerpt(names[twice % len(names)])}; each classifier answers a case once"
        )
    cases = len(case[0])
    true = _one_for_each(ids, truth[1][known], case[0], truth[0], ask.truth, cases)
    by = [
        (texts, _one_for_each(ids, codes[known], case[0], texts, column, cases))
        for column, (texts, codes) in zip(ask.by, groups, strict=True)
    ]
    answers = np.full((len(names), cases), -1, dtype=np.int64)
    answers[which, ids] = answer[1][known]
    wide = widened(ask, names)
    return wide, Tally(
        (truth[0], true), [(answer[0], row) for row in answers], by, np.ones(cases, dtype=np.int64), aside=aside
    )


def widened(ask: CountColumns, names: Sequence[str]) -> CountColumns:
    """The same question with a column for each classifier."""
    return replace(ask, answers={n: n for n in names}, model=None)


def _rows(which: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(f"row {i + 1}" for i in np.flatnonzero(which)[:3])


def _one_for_each(
    ids: Integers, codes: Integers, names: Sequence[str], texts: Sequence[str], column: str, cases: int
) -> Integers:
    """The one value of each case; -1 where no row has any."""
    there = codes >= 0
    found = np.full(cases, -1, dtype=np.int64)
    found[ids[there]] = codes[there]
    odd = np.flatnonzero(there & (found[ids] != codes))
    if len(odd):
        at = odd[0]
        one, two = texts[codes[at]], texts[found[ids[at]]]
        raise InvalidLabels(
            f"the id {excerpt(names[ids[at]])} has two values in column {excerpt(column)}, {excerpt(one)} and "
            f"{excerpt(two)}; a case has one. Are these different test sets?"
        )
    return found
