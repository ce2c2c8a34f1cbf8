"""What would mislead a reader of a comparison: unlike classes or prevalences, pairs taken apart, a loud prior."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np

from howsure.comparison.same_cases import paired
from howsure.errors import excerpt, listing
from howsure.metrics import Measure
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.means_over_classes import absent_classes
from howsure.posterior.prior_shift import shift_note
from howsure.posterior.right_or_wrong import only_right_or_wrong
from howsure.questions.contender import Contender, class_sizes
from howsure.text import formats
from howsure.text.formats import plain

__all__ = ["absent", "notes", "small_beside_large", "warnings", "which_groups"]

Two = tuple[Contender, Contender]
Sides = tuple[Distribution, Distribution]


def warnings(
    names: tuple[str, str], posteriors: Two, sides: Sides, shift: float | None, *, judged: bool
) -> tuple[str, ...]:
    """Sentences that a reader must not miss; ``shift`` is how far the prior moved the difference, in sds.

    ``judged`` models have truths each of their own, so there are no classes that could be unlike.
    """
    if judged:
        return tuple(_moved(names, sides, shift))
    return (*_unlike(posteriors), *_apart(posteriors), *_empty(posteriors), *_moved(names, sides, shift))


def small_beside_large(tail: float, level: float) -> tuple[str, ...]:
    """The sentence where a small test set beside a large one makes a difference look surer than it is."""
    if tail >= level:
        return ()
    return (
        "The test sets differ in size, so this does not decide: the prior weighs in the small one, and at its "
        f"exact tail (Clopper and Pearson) the probability is {formats.probability(tail)}, below {level:g}.",
    )


def notes(
    names: tuple[str, str], sides: Sides, shift: float | None, *, metric: str, prior: str, exact: bool
) -> tuple[str, ...]:
    """Sentences that help: what the prior does to either, and what of it is left in the difference."""
    moved = [x.mean - x.observed if x.observed is not None else None for x in sides]
    loud = [shift_note(x) is not None for x in sides]
    if abs(shift or 0.0) <= 0.5 and not any(loud):
        return ()
    a, b = (plain(name, 40) for name in names)
    each = ["by an unknown amount" if x is None or not isfinite(x) else f"by {x:+#.2g}" for x in moved]
    what = f"the {plain(prior)} prior{'' if exact else ' (and smoothing)'}"
    left = "" if shift is None else f"; the difference by {abs(shift):.1f} times its own uncertainty"
    return (f"{what} moves {plain(metric)} of {a} {each[0]}, of {b} {each[1]}{left}.",)


def absent(names: tuple[str, str], posteriors: Two, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Classes that one of the two never predicts, or that are never true, and what they count in an average."""
    found = []
    for name, posterior, measure in zip(names, posteriors, measures, strict=True):
        known = knowledge_of(posterior)
        if isinstance(known, TableKnowledge):
            said = absent_classes(known.confusion, {measure.name: known.absent(measure)})
            found += [f"{plain(name, 40)}: {sentence}" for sentence in said]
    return tuple(found)


def which_groups(posteriors: Two) -> str:
    """Which groups the difference is about; "" where cases come in none, or the two are about unlike ones."""
    about = {knowledge_of(p).about_groups for p in posteriors}
    return about.pop() if len(about) == 1 else ""


def _unlike(posteriors: Two) -> list[str]:
    first, second = posteriors
    found = []
    if first.labels and second.labels and set(first.labels) != set(second.labels):
        odd = sorted(set(first.labels) ^ set(second.labels))
        found.append(f"The classes differ; only one of the two has {listing(map(excerpt, odd))}.")
    here, there = (knowledge_of(p).known_prevalence for p in posteriors)
    same = np.array_equal(here, there) if here is not None and there is not None else here is there
    if not same:
        found.append("The prevalences differ: part of the difference is that of the populations.")
    about = [knowledge_of(p).about_groups or "its cases" for p in posteriors]
    if about[0] != about[1]:
        way = "leave the groups of the one out" if "its cases" in about else "ask both the same question with groups="
        found.append(f"One is about {about[0]}, the other about {about[1]}; {way}.")
    return found


def _apart(posteriors: Two) -> list[str]:
    """Two matrices that look like the same cases."""
    first, second = (class_sizes(p) for p in posteriors)
    if paired(posteriors) or first != second or not sum(first.values()):
        return []
    return [
        "Both have the same class sizes, and separate test sets are assumed. If they are the same cases, give the "
        "answers to each case (Predictions, or files with ids): with errors of correlation rho the interval shrinks "
        "to about sqrt(1 - rho) of its width."
    ]


def _empty(posteriors: Two) -> list[str]:
    empty = [label for p in posteriors for label, size in class_sizes(p).items() if not size]
    if not empty or all(map(only_right_or_wrong, posteriors)):
        return []
    return [f"No case of {listing(map(excerpt, dict.fromkeys(empty)))} was tested; its numbers are those of the prior."]


def _moved(names: tuple[str, str], sides: Sides, shift: float | None) -> list[str]:
    """The prior, where it decides the difference; what moves both alike cancels and is a note."""
    if abs(shift or 0.0) <= 1:
        return []
    found = [(name, shift_note(x)) for name, x in zip(names, sides, strict=True)]
    return [f"{plain(name, 40)}: {note.text}" for name, note in found if note is not None and note.warning]
