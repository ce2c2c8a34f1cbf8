"""The sentence on top of a report."""

from __future__ import annotations

import math

from howsure import formats
from howsure.errors import NoInformation
from howsure.laws import Interval, Kind
from howsure.metrics import parse
from howsure.posterior import Posterior

__all__ = ["digits_sentence", "interval_name", "verdict"]

ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}


def interval_name(ends: Interval | str, level: float) -> str:
    """Kind and level as outputs name them: ``95 % HDI``.

    Examples
    --------
    >>> interval_name("hdi", 0.95), interval_name("central", 0.999)
    ('95 % HDI', '99.9 % central')
    """
    kind = ends if isinstance(ends, str) else ends.kind
    return f"{100 * level:.6g} % {'HDI' if kind == 'hdi' else 'central'}"


def digits_sentence(n: int, width: float) -> str:
    """Which digit means nothing yet: the first whose unit is not above the interval's width divided by ten.

    Examples
    --------
    >>> digits_sentence(34, 0.267)
    'With 34 cases, the second digit means nothing yet.'
    """
    if width <= 0:
        return ""
    place = max(1, math.floor(-math.log10(width)) + 2)
    which = ORDINALS.get(place, f"{place}th")
    return f"With {formats.integer(n)} case{'s' if n != 1 else ''}, the {which} digit means nothing yet."


def verdict(posterior: Posterior, level: float, kind: Kind) -> str:
    """What is known about balanced accuracy, against chance, in at most three sentences."""
    confusion = posterior.confusion
    try:
        known = posterior.quietly(parse("balanced_accuracy", confusion.labels))
    except NoInformation as error:
        return f"Balanced accuracy has no answer: {error}"
    ends = known.interval(level, kind)
    places = formats.decimals(*ends)
    chance = 1 / posterior.size
    better = known.prob(above=chance)
    text = (
        f"Balanced accuracy is {formats.number(known.mean, places)} "
        f"({interval_name(ends, level)} {formats.interval(*ends, places)})"
    )
    base = formats.number(chance, 2 if chance >= 0.1 else 4)
    if better >= 0.95:
        text += f", better than chance ({base}) with probability {formats.probability(better)}."
    elif better <= 0.05:
        text += f", worse than chance ({base}) with probability {formats.probability(1 - better)}."
    else:
        text += f"; that it is better than chance ({base}) has probability {formats.probability(better)}: not settled."
    sentence = digits_sentence(confusion.n, known.mu)
    return f"{text} {sentence}".strip()
