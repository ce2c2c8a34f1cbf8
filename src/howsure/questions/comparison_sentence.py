"""Who is better, in plain words."""

from __future__ import annotations

from math import isinf

from howsure.laws import Draws, Kind, Law
from howsure.questions.chances import Chances, Loss
from howsure.text import formats
from howsure.text.formats import integer, plain, several

__all__ = ["lost", "pairing", "places", "sentence"]


def sentence(
    names: tuple[str, str],
    metric: str,
    law: Law,
    mean: float,
    said: Chances,
    loss: Loss,
    *,
    rope: float | None,
    level: float,
    kind: Kind,
    paired: bool,
    about: str = "",
) -> str:
    """Who is better, how surely, by how much, and what either choice loses; ``law`` and ``mean`` are of A minus B.

    The difference is said of the one that is ahead, so that it is positive.

    ``about`` says which groups, where cases come in groups.
    """
    a, b = (plain(name, 40) for name in names)
    draws = law.n if isinstance(law, Draws) else None
    wins, loses, surely = (a, b, said.better) if said.better >= said.worse else (b, a, said.worse)
    margin = f" by more than {rope:g}" if rope else ""
    what = plain(metric)
    alike = bool(rope) and said.equal > 0.95
    within = f"(within {rope:g}) with probability {formats.probability(said.equal, draws)}" if rope else ""
    if alike:
        text = f"{a} and {b} are practically equal in {what} {within}"
    elif abs(said.better - said.worse) < 1e-9:
        text = f"{a} and {b} are equally likely to be better in {what}{margin}"
    elif surely > 0.95:
        text = f"{wins} is better than {loses} in {what}{margin} with probability {formats.probability(surely, draws)}"
    else:
        text = (
            f"That {wins} is better than {loses} in {what}{margin} has probability "
            f"{formats.probability(surely, draws)}: not settled"
        )
    ends, digits = law.interval(level, kind), places(law, level, kind)
    low, high = (ends.low, ends.high) if wins == a else (-ends.high, -ends.low)
    text += f". The difference {wins} - {loses} is {formats.number(mean if wins == a else -mean, digits)}"
    if ends.width > 0:
        text += f" ({formats.interval_name(ends.kind, level)} {formats.interval(low, high, digits)})"
    text += f", from {'the same cases' if paired else 'separate test sets'}{f', about {about}' if about else ''}."
    if rope and not alike:
        text += f" It is negligible {within}."
    first, second = (lost(x, digits + 1) for x in loss)
    return f"{text} Choosing {a} loses {first} on average, choosing {b} {second}."


def pairing(names: tuple[str, str], discordant: tuple[int, int, int, int] | None, narrowing: float | None) -> list[str]:
    """How many cases only one has right, and what pairing narrows; nothing of separate test sets."""
    if discordant is None:
        return []
    both = several(discordant[0], "case")
    a, b, neither = map(integer, discordant[1:])
    first, second = (plain(name, 40) for name in names)
    line = f"Both are right on {both}, only {first} on {a}, only {second} on {b}, neither on {neither}."
    if narrowing is not None:
        times = f"{narrowing:.1f}"
        wide = "about as wide" if times == "1.0" else f"{times} times as wide"
        line += f" As separate test sets the interval would be {wide}."
    return [line]


def lost(loss: float, digits: int) -> str:
    """A loss is never printed as 0: there is always some."""
    if isinf(loss):
        return "infinitely much"
    return formats.number(loss, digits) if round(loss, digits) else f"less than {10.0**-digits:g}"


def places(law: Law, level: float, kind: Kind) -> int:
    """Decimals that the interval of a law supports, and its Monte Carlo error."""
    return formats.decimals(*law.interval(level, kind), error=law.error if isinstance(law, Draws) else 0.0)
