"""The answer in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.laws import Draws
from howsure.text import formats
from howsure.text.formats import plain

if TYPE_CHECKING:
    from howsure.comparison.comparison import Comparison

__all__ = ["lost", "places", "sentence"]


def sentence(c: Comparison) -> str:
    """Who is better, how surely, by how much, and what either choice loses."""
    a, b = (plain(name, 40) for name in c.names)
    draws = c.difference.law.n if isinstance(c.difference.law, Draws) else None
    wins, loses, surely = (a, b, c.p_better) if c.p_better >= c.p_worse else (b, a, c.p_worse)
    margin = f" by more than {c.rope:g}" if c.rope else ""
    metric = plain(c.metric)
    if abs(c.p_better - c.p_worse) < 1e-9:
        text = f"{a} and {b} are equally likely to be better in {metric}"
    elif surely > 0.95:
        text = (
            f"{wins} is better than {loses} in {metric}{margin} with probability {formats.probability(surely, draws)}"
        )
    else:
        text = (
            f"That {wins} is better than {loses} in {metric}{margin} has probability "
            f"{formats.probability(surely, draws)}: not settled"
        )
    digits = places(c)
    ends = c.difference.interval(c.level, c.kind)
    mean = formats.number(c.difference.mean, digits)
    text += f". The difference {a} - {b} is {mean}"
    if ends.width > 0:
        text += f" ({formats.interval_name(ends.kind, c.level)} {formats.interval(*ends, digits)})"
    text += ", from the same cases." if c.paired else ", from separate test sets."
    if c.rope:
        equal = formats.probability(c.p_equal, draws)
        text += f" It is practically nil (within {c.rope:g}) with probability {equal}."
    loss = [lost(x, digits + 1) for x in c.expected_loss]
    return f"{text} Choosing {a} loses {loss[0]} on average, choosing {b} {loss[1]}."


def lost(loss: float, digits: int) -> str:
    """A loss is never printed as 0: there is always some."""
    return formats.number(loss, digits) if round(loss, digits) else f"less than {10.0**-digits:g}"


def places(c: Comparison) -> int:
    """Decimals that the interval of the difference supports."""
    law = c.difference.law
    ends = c.difference.interval(c.level, c.kind)
    return formats.decimals(*ends, error=law.error if isinstance(law, Draws) else 0.0)
