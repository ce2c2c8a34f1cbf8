"""What would mislead a reader of a comparison: unlike classes or prevalences, pairs taken apart, a loud prior."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.comparison.contender import class_sizes
from howsure.errors import excerpt, listing
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.prior_shift import shift_note
from howsure.text.formats import plain

if TYPE_CHECKING:
    from howsure.comparison.comparison import Comparison

__all__ = ["notes", "warnings"]


def warnings(c: Comparison) -> tuple[str, ...]:
    """Sentences that a reader must not miss."""
    return (*_unlike(c), *_apart(c), *_empty(c), *_moved(c))


def notes(c: Comparison) -> tuple[str, ...]:
    """Sentences that help: what the prior does to either, and what of it is left in the difference."""
    shift = abs(c.prior_shift or 0.0)
    moved = [x.mean - x.observed if x.observed is not None else None for x in (c.a, c.b)]
    loud = [shift_note(x) is not None for x in (c.a, c.b)]
    if shift <= 0.5 and not any(loud):
        return ()
    a, b = (plain(name, 40) for name in c.names)
    each = ["by an unknown amount" if x is None else f"by {x:+#.2g}" for x in moved]
    what = f"the {plain(c.prior)} prior{'' if c.difference.route == 'exact' else ' (and smoothing)'}"
    left = "" if c.prior_shift is None else f"; the difference by {shift:.1f} times its own uncertainty"
    return (f"{what} moves {plain(c.metric)} of {a} {each[0]}, of {b} {each[1]}{left}.",)


def _unlike(c: Comparison) -> list[str]:
    first, second = c.posteriors
    found = []
    if first.labels and second.labels and set(first.labels) != set(second.labels):
        odd = sorted(set(first.labels) ^ set(second.labels))
        found.append(f"The classes differ; only one of the two has {listing(map(excerpt, odd))}.")
    here, there = (knowledge_of(p).known_prevalence for p in c.posteriors)
    same = np.array_equal(here, there) if here is not None and there is not None else here is there
    if not same:
        found.append("The prevalences differ: part of the difference is that of the populations.")
    return found


def _apart(c: Comparison) -> list[str]:
    """Two matrices that look like the same cases."""
    first, second = (class_sizes(p) for p in c.posteriors)
    if c.paired or first != second or not sum(first.values()):
        return []
    return [
        "Both have the same class sizes, and separate test sets are assumed. If they are the same cases, give the "
        "answers to each case (Predictions, or files with ids): with errors of correlation rho the interval shrinks "
        "to about sqrt(1 - rho) of its width."
    ]


def _empty(c: Comparison) -> list[str]:
    empty = [label for p in c.posteriors for label, size in class_sizes(p).items() if not size]
    if not empty or c.only_right_or_wrong:
        return []
    return [f"No case of {listing(map(excerpt, dict.fromkeys(empty)))} was tested; what is said of it is the prior."]


def _moved(c: Comparison) -> list[str]:
    """The prior, where it decides the difference; what moves both alike cancels and is a note."""
    if abs(c.prior_shift or 0.0) <= 1:
        return []
    found = [(name, shift_note(x)) for name, x in zip(c.names, (c.a, c.b), strict=True)]
    return [f"{plain(name, 40)}: {note.text}" for name, note in found if note is not None and note.warning]
