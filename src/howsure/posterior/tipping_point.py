"""How much a judge would have to prefer one of two models for its lead to be preference and nothing else."""

from __future__ import annotations

from howsure.text import formats
from howsure.text.formats import plain

__all__ = ["tipping_points", "tipping_sentence"]


def tipping_points(lead: float, rate: float) -> tuple[float, float]:
    """How much more often a judge would have to pass wrong answers, or right ones, for a lead to be preference alone.

    A judge that passes a share se of right answers and 1 - sp of wrong ones passes rate se + (1 - rate)(1 - sp) of all.

    Parameters
    ----------
    lead : float
        Difference of the shares that the judge passes; its sign does not matter.
    rate : float
        Share of right answers of both.

    Returns
    -------
    (float, float)
        Among wrong answers, and among right ones; above 1 where no preference there is enough.

    Examples
    --------
    >>> [round(x, 6) for x in tipping_points(0.05, 0.8)]
    [0.25, 0.0625]
    """
    size = abs(lead)
    return (size / (1 - rate) if rate < 1 else float("inf")), (size / rate if rate > 0 else float("inf"))


def tipping_sentence(
    names: tuple[str, str], shares: tuple[float, float], label: str, rate: float, *, good: bool
) -> str:
    """What the judge alone says of two models, and where that tips.

    Parameters
    ----------
    names, shares
        The two models, and the share of the answers of each that the judge calls ``label``.
    rate : float
        Share of that class among the answers of both.
    good : bool
        Whether the class says that an answer is right.
    """
    (x, y), (a, b), what = shares, (plain(name, 40) for name in names), plain(label, 40)
    said = f"The judge alone says {what} of {a} in {100 * x:.1f}% and of {b} in {100 * y:.1f}%"
    if x == y:
        return f"{said}: no lead of either."
    ahead, behind = (a, b) if x > y else (b, a)
    wrong, right = tipping_points(x - y, rate)
    other, same = ("wrong answers right", "right answers") if good else ("right answers wrong", "wrong answers")
    parts = [f"{ahead}'s {other} {_points(wrong)} more often than {behind}'s"] if wrong <= 1 else []
    if right <= 1:
        parts.append(f"{ahead}'s {same} {_points(right)} more often" + ("" if parts else f" than {behind}'s"))
    lead = f"{said}. That lead of {_points(abs(x - y))}"
    if not parts:
        return f"{lead} is more than a preference among right or among wrong answers alone could make."
    where = f"at a rate of {formats.number(rate, 2)}"
    rests = "the numbers here do not rest on it, because rates given a verdict are each model's own"
    return f"{lead} vanishes if the judge calls {', or '.join(parts)} ({where}); {rests}."


def _points(share: float) -> str:
    return f"{100 * share:.1f} points"
