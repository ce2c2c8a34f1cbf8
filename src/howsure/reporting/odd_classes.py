"""Classes that are unlike the rest, as the learned population sees them."""

from __future__ import annotations

import numpy as np

from howsure.errors import excerpt
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.text import formats

__all__ = ["odd_classes", "unlike_the_rest"]

#: From this probability on a class is named: without an odd class a table then has a false note in at most one of 30.
UNLIKE = 0.8

#: Classes that are named one by one.
MOST_NAMED = 3

#: So near to guessing, or below it, the likely cause is not the classifier.
NEAR_CHANCE = 0.1


def odd_classes(posterior: Posterior) -> list[str]:
    """Sentences on classes that come from the broad part of the population with a probability of `UNLIKE` or more.

    Their recalls are judged by their own cases; a recall near or below that of guessing looks like a wrong mapping of
    labels.
    """
    learned = knowledge_of(posterior).population
    if learned is None:
        return []
    chance = learned.broad_probability
    odd = np.flatnonzero((chance >= UNLIKE) & (learned.n > 0))
    odd = odd[np.argsort(-chance[odd], kind="stable")]
    others = np.setdiff1d(np.flatnonzero(learned.n > 0), odd)
    typical = formats.number(float(learned.moments[0][others].mean()) if len(others) else learned.summary().recall, 2)
    said = [_sentence(posterior, int(i), chance, typical) for i in odd[:MOST_NAMED]]
    if len(odd) > MOST_NAMED:
        said[-1] += f" And {len(odd) - MOST_NAMED} more classes are unlike the others ({_some(posterior, odd)})."
    return said


def _sentence(posterior: Posterior, i: int, chance: Floats, typical: str) -> str:
    confusion = posterior.confusion
    right, cases = int(confusion.correct[i]), int(confusion.class_sizes[i])
    likely = ">0.99" if chance[i] > 0.99 else formats.number(float(chance[i]), 2)
    text = (
        f"class {excerpt(confusion.labels[i])} is unlike the others ({formats.integer(right)} of "
        f"{formats.integer(cases)} right, they about {typical}; probability {likely} that it comes from the broad "
        "part of the population): its recall is judged by its own cases."
    )
    if right / cases < 1 / len(confusion.labels) + NEAR_CHANCE:
        text += " A wrong label mapping looks like this."
    return text


def _some(posterior: Posterior, odd: Integers) -> str:
    labels = [formats.plain(posterior.confusion.labels[int(i)], 20) for i in odd[MOST_NAMED : MOST_NAMED + 5]]
    return ", ".join(labels) + (", ..." if len(odd) > MOST_NAMED + 5 else "")


def unlike_the_rest(posterior: Posterior, measure: Measure) -> float | None:
    """Probability that the class of a recall is unlike the rest, where that was learned."""
    population = knowledge_of(posterior).population
    if population is None or measure.label is None or measure.base != "recall":
        return None
    return float(population.broad_probability[posterior.confusion.index(measure.label)])
