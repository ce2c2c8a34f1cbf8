"""Battles row by row: what a vote says, what is known of it besides, how far apart its two answers are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict

import numpy as np

from howsure.errors import InvalidCounts, InvalidLabels, excerpt
from howsure.errors.arguments import items, numbers
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.votes import VoteCells, normalised

BothBad: TypeAlias = Literal["tie", "exclude"]

#: What a vote says: the first model, the second, a tie, both bad; every other text is the name of a model.
OUTCOMES: dict[str, int] = {
    word: outcome
    for outcome, words in enumerate((
        "a|model_a|model a|left|first|win|1.0|a_wins|model_1|assistant_a",
        "b|model_b|model b|right|second|loss|0.0|b_wins|model_2|assistant_b",
        "tie|draw|both|same|equal|0.5|.5|1/2|tied|both_good|both good",
        "tie (bothbad)|both_bad|both bad|bothbad|tie (both bad)|neither|bad",
    ))
    for word in words.split("|")
}  # fmt: skip


class Voting(TypedDict, total=False):
    """What is known of each vote besides the two models and the winner, and how votes are read."""

    voter: Any
    prompt: Any
    count: Any
    both_bad: BothBad
    ordered: bool
    notes: Sequence[str]
    styles: Mapping[str, tuple[Any, Any]] | None


def outcomes_of(texts: Sequence[str], names: Sequence[str], first: Integers, second: Integers) -> Integers:
    """0, 1, 2 or 3 of each battle: the first model won, the second, a tie, both are bad."""
    words, codes = np.unique(np.array(texts, dtype=object), return_inverse=True)
    coded = dict(OUTCOMES)
    numbers = {word for word in words if word.lstrip("-").replace(".", "", 1).isdigit()} - set(names)
    if "2" in numbers:
        coded |= {"1": 0, "2": 1, "0": 2}
    elif "-1" in numbers:
        coded |= {"1": 0, "-1": 1, "0": 2}
    else:
        coded |= {"1": 0, "0": 1}
    place = {name: i for i, name in enumerate(names)}
    outcome = np.array([coded.get(word.lower(), -1) if word not in place else -2 for word in words])[codes]
    model = np.array([place.get(word, -1) for word in words])[codes]
    outcome = np.where((outcome == -2) & (model == first), 0, outcome)
    outcome = np.where((outcome == -2) & (model == second), 1, outcome)
    if (outcome < 0).any():
        row = int(np.argmax(outcome < 0))
        raise InvalidLabels(
            f"the winner {excerpt(texts[row])} of the battle of {excerpt(names[first[row]])} and "
            f"{excerpt(names[second[row]])} is neither of them; accepted are a, b, tie, both_bad, "
            "model_a, model_b, left, right, 1, 0, 0.5, and the name of the winner"
        )
    return outcome


class Styled(NamedTuple):
    """Battles by how far apart the answers are in what is no merit, its names, and what of it is held equal."""

    cells: VoteCells
    names: tuple[str, ...] = ()
    control: tuple[str, ...] = ()


def apart_of(name: str, pair: tuple[Any, Any], rows: int) -> Floats:
    """How far apart the answers of each battle are."""
    sides = [numbers(side, name) for side in items(pair, name, "two columns of numbers, one for each answer")]
    if len(sides) != 2 or any(side.shape != (rows,) or not np.all((side >= 0) & np.isfinite(side)) for side in sides):
        raise InvalidCounts(f"{name} is two numbers for each of {rows} battles, 0 or more")
    return normalised(*sides)
