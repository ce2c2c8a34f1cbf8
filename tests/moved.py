"""What differs between two answers in JSON, beyond the settings that each repeats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: What an answer repeats of what it was asked, as one value or a list of them.
REPEATED = {
    *("alpha", "assurance", "asked", "draws", "entries", "groups", "interval", "kind", "level", "margin", "min_prob"),
    *("mode", "new_test", "prior", "prizes", "question", "rope", "seed", "shares", "strict", "threshold", "top"),
}
#: Texts, in which settings are repeated as well.
TEXTS = {"columns", "command", "code", "footer", "notes", "supposed", "python", "verdict", "warnings"}


def leaves(data: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is no setting and no text about them, and its place."""
    if isinstance(data, dict):
        for key, value in data.items():
            plain = not isinstance(value, dict | list) or (isinstance(value, list) and not _holds_parts(value))
            if key not in TEXTS and not (plain and key in REPEATED and not _is_pair(value)):
                yield from leaves(value, f"{at}.{key}")
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from leaves(value, f"{at}[{place}]")
    else:
        yield at, data


def _holds_parts(values: list[Any]) -> bool:
    return any(isinstance(value, dict | list) for value in values)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(end, float) for end in value)


def every(data: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every value, and the names that lead to it, such as ``_difference_low``."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from every(value, f"{at}_{key}")
    elif isinstance(data, list):
        for value in data:
            yield from every(value, at)
    else:
        yield at, data


def moved_numbers(one: Any, other: Any) -> set[str]:
    """Places of what is not the same in both."""
    first, second = dict(leaves(one)), dict(leaves(other))
    return {at for at in {*first, *second} if first.get(at) != second.get(at)}


def unmoved_ends(one: Any, other: Any) -> list[str]:
    """Places of the lower ends of intervals of which both ends are the same in both."""
    first, second = dict(leaves(one)), dict(leaves(other))
    found = []
    for low, value in first.items():
        high = f"{low[:-3]}high" if low.endswith("low") else f"{low[:-3]}[1]" if low.endswith("interval[0]") else ""
        wide = high in first and isinstance(value, float) and value != first[high] and low in second
        if wide and (value, first[high]) == (second[low], second.get(high)):
            found.append(low)
    return found
