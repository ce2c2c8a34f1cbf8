"""Cases of a cross-validation: which classifier tested each, and how often each was tested.

A pass tests every case once. Cases of several passes are no new ones, so their counts are divided by the passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.data.labels import Column, one_each
from howsure.data.missing_answers import one_of_each
from howsure.data.refusals import say
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, excerpt
from howsure.numerics.arrays import Integers, bincount
from howsure.text.formats import integer, several


@dataclass(frozen=True)
class Folds:
    """Folds of a cross-validation that counts come from.

    Parameters
    ----------
    classifiers : int
        How many were trained, one a fold; 0 where that is not known.
    passes : int
        How often each case was tested; counts are tests divided by it.

    Examples
    --------
    >>> print(Folds(5).sentence)
    5 classifiers, one pass of a cross-validation: how much training sets differ is not wholly in the intervals.
    """

    classifiers: int = 0
    passes: int = 1

    @property
    def sentence(self) -> str:
        """What a report says."""
        by = f" ({integer(self.classifiers)} classifiers)" if self.classifiers else ""
        differ = "how much training sets differ is not wholly in the intervals"
        if self.passes == 1:
            whose = f"{integer(self.classifiers)} classifiers, one" if self.classifiers else "one"
            return f"{whose} pass of a cross-validation: {differ}."
        return (
            f"each case was tested in {integer(self.passes)} passes of a cross-validation{by}: counts are tests "
            f"divided by {integer(self.passes)}, because a case tested twice is not a new case; {differ}."
        )

    def to_dict(self) -> dict[str, int]:
        """Plain data, ready for JSON."""
        return {"classifiers": self.classifiers, "passes": self.passes}


def counted_folds(true: Column, ids: Any, folds: Any, group: Any = None) -> Folds | None:
    """Passes and classifiers of cases; None where nobody names folds, or there is one.

    Parameters
    ----------
    true : Column
        True class of each case.
    ids, folds, group : array_like, shape (n,), or None
        Name, fold and group of each.
    """
    cases = None if ids is None else one_each(ids, "id", len(true.codes))
    if folds is None:
        if cases is not None and group is None:
            refuse_again(cases, say("repeated_id"))
        if cases is not None and group is not None:
            one_of_each(cases, one_each(group, "group", len(true.codes)), "group")
        return None
    fold = one_each(folds, "fold", len(true.codes))
    trained, passes = len(fold.texts), 1
    if cases is not None:
        one_of_each(cases, true, "true class")
        refuse_again(cases, "name the folds of each pass differently, such as 2.3", fold)
        times = bincount(cases.codes)
        passes, least = int(times.max()), int(times.min())
        if least < passes:
            most, rarest = (cases.texts[int(at)] for at in (times.argmax(), times.argmin()))
            raise InvalidLabels(say("uneven_passes", most, several(passes, "time"), rarest, several(least, "time")))
    if passes > 1 and group is not None:
        raise InvalidArgument(say("groups_in_passes", passes))
    return None if trained == 1 and passes == 1 else Folds(trained, passes)


def refuse_passes(folds: Folds | None, what: str) -> None:
    """Refuse what needs whole numbers of cases, where counts are tests divided by passes."""
    if folds is not None and folds.passes > 1:
        raise InvalidArgument(say("needs_cases", what, integer(folds.passes)))


def folds_together(one: Folds | None, other: Folds | None) -> Folds | None:
    """Folds of the cases of two matrices, which are other cases."""
    passes = [1 if folds is None else folds.passes for folds in (one, other)]
    if passes[0] != passes[1]:
        raise InvalidArgument(say("unlike_passes", several(passes[0], "pass"), passes[1]))
    if one is None or other is None:
        return one if passes[0] > 1 else None
    known = one.classifiers and other.classifiers
    return Folds(one.classifiers + other.classifiers if known else 0, passes[0])


def folds_of_dict(data: Any) -> Folds | None:
    """Rebuild from `Folds.to_dict`; None where there are none."""
    if data is None:
        return None
    given = data if isinstance(data, Mapping) else {}
    classifiers, passes = given.get("classifiers"), given.get("passes")
    whole = all(isinstance(x, int) and not isinstance(x, bool) for x in (classifiers, passes))
    if not isinstance(classifiers, int) or not isinstance(passes, int) or not whole or classifiers < 0 or passes < 1:
        expected = '"folds" needs the integers classifiers and passes (1 or more)'
        raise InvalidArgument(f"{expected}, not {excerpt(data)}")
    return Folds(classifiers, passes)


def refuse_uneven_rows(sizes: Sequence[Integers], names: Sequence[str], what: Sequence[str]) -> None:
    """Refuse passes that do not test the same numbers of cases of each class."""
    for title, rows in zip(what[1:], sizes[1:], strict=True):
        odd = np.flatnonzero(rows != sizes[0])
        if len(odd):
            i = int(odd[0])
            raise InvalidCounts(
                say("uneven_rows", what[0], several(int(sizes[0][i]), "case"), names[i], title, int(rows[i]))
            )


def refuse_again(ids: Column, advice: str, within: Column | None = None) -> None:
    """Refuse an id that comes in two rows, or in two of one fold."""
    codes = ids.codes if within is None else ids.codes * len(within.texts) + within.codes
    found, first, times = np.unique(codes, return_index=True, return_counts=True)
    if len(found) == len(codes):
        return
    rows = np.flatnonzero(codes == found[times > 1][np.argmin(first[times > 1])])
    name = [*ids.texts, "None"][ids.codes[rows[0]]]
    where = "" if within is None else f" in fold {excerpt(within.texts[within.codes[rows[0]]])}"
    more = " ..." if len(rows) > 2 else ""
    raise InvalidLabels(
        say("id_again", name, several(len(rows), "time"), where, rows[0] + 1, rows[1] + 1, more, advice)
    )
