"""What would mislead a reader of a report: empty classes, one-sided tables, a prior that does the talking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.positive import positive_by_name, positive_or_last
from howsure.errors import excerpt, listing
from howsure.metrics import Measure
from howsure.posterior.carried import carried_rates
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.means_over_classes import absent_classes, few_cases, is_mean_over_classes
from howsure.posterior.posterior import Posterior
from howsure.posterior.prior_shift import ShiftNote
from howsure.reporting.odd_classes import odd_classes
from howsure.text.formats import plain

__all__ = ["Caveats", "caveats", "why_positive"]


class Caveats(NamedTuple):
    """Sentences by weight."""

    warnings: list[str]
    notes: list[str]
    #: warnings that stand before all others
    first: tuple[str, ...] = ()


def caveats(posterior: Posterior, moved: Sequence[ShiftNote], measures: Sequence[Measure] = ()) -> Caveats:
    """Sentences about the table itself, then about the prior."""
    confusion = posterior.confusion
    carried = carried_rates(knowledge_of(posterior))
    found = Caveats([], [], () if carried is None else carried.warnings)
    if carried is not None:
        drawn = any(knowledge_of(posterior).exact_law(measure) is None for measure in measures)
        found.notes.extend([*carried.notes, *([carried.drawing] if drawn else [])])
    sizes, called = confusion.class_sizes, confusion.called
    empty = [label for label, size in zip(confusion.labels, sizes, strict=True) if not size]
    name = knowledge_of(posterior).prior_name
    prior = posterior.prior
    # without pseudo-counts nothing is printed for a class without cases: that is said elsewhere
    silent = prior.a == 0 or prior.b == 0
    if not confusion.n:
        rest = "." if silent else f": every number is the {name} prior."
        found.warnings.append(f"There are no cases at all{rest}")
    elif np.count_nonzero(sizes) == 1:
        only = confusion.labels[int(np.argmax(sizes))]
        every = "The only case is" if confusion.n == 1 else f"All {confusion.n} cases are"
        found.warnings.append(
            f"{every} of class {excerpt(only)}: nothing is known about how the others are "
            "recognised" + ("." if silent else f", and what is printed for them is the {name} prior.")
        )
    elif empty:
        those = "it" if len(empty) == 1 else "them"
        resting = [m for m in measures if m.twin.metric.name in ("balanced_accuracy", "adjusted_balanced_accuracy")]
        share = f"{len(empty)}/{len(sizes)} of the balanced accuracy"
        part = f", and so is {share}, whose observed value leaves {those} out"
        found.warnings.append(
            f"No case of {listing(map(excerpt, empty))} was tested"
            + ("." if silent else f": what is printed for {those} is the {name} prior{part if resting else ''}.")
            + f" Test more cases, or leave {those} out of the matrix."
        )
    if confusion.n and np.count_nonzero(called) == 1:
        only = confusion.labels[int(np.argmax(called))]
        found.warnings.append(f"Every case was called {excerpt(only)}: the classifier told nothing apart.")
    if confusion.entered and np.all(sizes == 100):
        found.notes.append(
            "every row adds to 100; if these are percentages, the intervals are wrong: enter numbers of cases"
        )
    if name == "dirichlet1" and len(sizes) > 3:
        found.warnings.append(
            f"Prior 'dirichlet1' pulls every recall towards 1/{len(sizes)}; it is for comparison with other tools."
        )
    worths = {measure.name: knowledge_of(posterior).absent(measure) for measure in measures}
    found.notes.extend(absent_classes(confusion, worths))
    found.notes.extend(odd_classes(posterior))
    found.warnings.extend(_unknown_shares(posterior, measures))
    found.warnings.extend(note.text for note in moved if note.warning)
    mild = sorted((note for note in moved if not note.warning), key=lambda note: -abs(note.shift))
    if mild:
        more = f" {len(mild) - 1} more move by over half their sd (column shift)." if len(mild) > 1 else ""
        found.notes.append(mild[0].text + more)
    return found


def _unknown_shares(posterior: Posterior, measures: Sequence[Measure]) -> list[str]:
    """Means over classes at uncertain shares, where most classes are so rare that theirs is not known."""
    few = few_cases(posterior.confusion)
    means = [plain(m.name) for m in measures if is_mean_over_classes(m, len(posterior.labels))]
    if posterior.shares != "sampled" or not few or not means:
        return []
    rests = "rests" if len(means) == 1 else "rest"
    return [
        f"{few[0].upper()}{few[1:]}; {listing(means)} {rests} on their unknown shares. shares='test' is about those of "
        "this test set."
    ]


def why_positive(counted: ConfusionMatrix, known: ConfusionMatrix) -> list[str]:
    """A note on a positive class that nobody chose, from the counts as they were read and as they are reported."""
    forward = positive_or_last(known.labels, known.positive)
    if forward is None:
        return []
    if known.positive is None:
        why = "because it comes last"
    elif counted.positive is None:
        why = "because the prevalence names it"
    elif counted.positive == positive_by_name(counted.labels):
        why = "by its name"
    else:
        return []
    other = next(label for label in known.labels if label != forward)
    return [f"the positive class is {excerpt(forward)} {why}; --positive {plain(other, 30)} changes it."]
