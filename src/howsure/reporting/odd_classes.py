"""Classes that are unlike the rest: their recall is far below the others'."""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.errors import excerpt
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.far_below import FarBelow, far_below
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.text import formats

__all__ = ["odd_classes"]

#: From this probability on a class is named: without an odd class a table then has a false note in about one of 30.
UNLIKE = 0.8

#: Classes that are named one by one.
MOST_NAMED = 3

#: So near to guessing, or below it, the likely cause is not the classifier.
NEAR_CHANCE = 0.1


def odd_classes(posterior: Posterior) -> list[str]:
    """Sentences on classes that are far below the others with a probability of `UNLIKE` or more.

    A recall near or below that of guessing looks like a wrong mapping of labels.
    """
    learned = knowledge_of(posterior).population
    if learned is None or not _any_below(learned.k, learned.n):
        return []
    far = far_below(learned.k, learned.n, 1 / len(learned))
    odd = np.flatnonzero(far.probability >= UNLIKE)
    odd = odd[np.argsort(-far.probability[odd], kind="stable")]
    said = [_sentence(posterior, int(i), far) for i in odd[:MOST_NAMED]]
    if len(odd) > MOST_NAMED:
        said[-1] += f" And {len(odd) - MOST_NAMED} more classes stand out from the others ({_some(posterior, odd)})."
    return said


def _any_below(k: Floats, n: Floats) -> bool:
    """Whether some class, by its own cases, may be below what is usual; spares most tables a closer look."""
    tested = n > 0
    if not tested.any():
        return False
    usual = np.median(k[tested] / n[tested])
    return bool((special.betainc(k + 0.5, n - k + 0.5, max(usual, 1e-9)) > UNLIKE / 2)[tested].any())


def _sentence(posterior: Posterior, i: int, far: FarBelow) -> str:
    confusion = posterior.confusion
    right, cases = int(confusion.correct[i]), int(confusion.class_sizes[i])
    likely = ">0.99" if far.probability[i] > 0.99 else formats.number(float(far.probability[i]), 2)
    text = (
        f"class {excerpt(confusion.labels[i])} stands out from the others ({formats.integer(right)} of "
        f"{formats.integer(cases)} right, a typical other one has {formats.number(float(far.typical[i]), 2)}): its "
        f"recall is below {formats.number(float(far.limit[i]), 2)}, where none of them is expected, with probability "
        f"{likely}."
    )
    if right / cases < 1 / len(confusion.labels) + NEAR_CHANCE:
        text += " A wrong label mapping looks like this."
    return text


def _some(posterior: Posterior, odd: Integers) -> str:
    labels = [formats.plain(posterior.confusion.labels[int(i)], 20) for i in odd[MOST_NAMED : MOST_NAMED + 5]]
    return ", ".join(labels) + (", ..." if len(odd) > MOST_NAMED + 5 else "")
