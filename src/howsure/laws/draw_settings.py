"""How many draws, and from which seed, where a law does not close."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.errors import InvalidArgument, excerpt
from howsure.params import DRAWS, SEED

__all__ = ["DRAWS", "SEED", "affordable", "checked_draws", "checked_seed", "generator", "usual_draws"]

#: Random numbers of the default draws, of which there are fewer beyond that: a second or two.
BUDGET = 5 * 10**7

#: Random numbers that the fewest draws may take: a minute or two.
MOST_SPENT = 2 * 10**9

#: Values of one law that are drawn at once: 800 MB.
MOST_SAMPLED = 10**8

#: Fewer draws than this tell too little: the ends of an interval are then known to a tenth of the sd.
FEWEST = 1_000


def usual_draws(numbers: int) -> int:
    """Draws when none are asked for: 20,000, or as many as the budget buys at so many random numbers each."""
    return min(DRAWS, max(FEWEST, BUDGET // (100 * numbers) * 100))


def affordable(numbers: int) -> bool:
    """Whether the fewest draws of so many random numbers are within the budget."""
    return FEWEST * numbers <= MOST_SPENT


def checked_draws(draws: int) -> int:
    """A number of draws from 100 to ten million, or the sentence that says so."""
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or not 100 <= draws <= 10_000_000:
        raise InvalidArgument(f"draws is an integer from 100 to 10,000,000; not {excerpt(draws)}")
    return int(draws)


def checked_seed(seed: int) -> int:
    """A seed, or the sentence that says what one is."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidArgument(f"seed is an integer, 0 or more; not {excerpt(seed)}")
    return int(seed)


def generator(n: int, seed: int | Sequence[int]) -> np.random.Generator:
    """Source of ``n`` values; refuses a number of values or a seed (inside: a seed and its stream) that is none."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 0 <= n <= MOST_SAMPLED:
        raise InvalidArgument(f"n is an integer number of values, 0 to {MOST_SAMPLED:,d}; not {excerpt(n)}")
    parts: Any = seed if isinstance(seed, list) and seed else [seed]
    for part in parts:
        checked_seed(part)
    return np.random.default_rng(seed)
