"""One check: what was expected and from where, what came, how far off it may be, and whether it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite, nan, sqrt
from typing import SupportsFloat

__all__ = ["SIGMAS", "Check", "Checker", "close", "same", "within_draws"]

#: Standard errors that a simulated number may be off; one in 16,000 sound ones is further off, and seeds are fixed.
SIGMAS = 4.0


@dataclass(frozen=True)
class Check:
    """A number, or a few words, beside what it ought to be.

    Parameters
    ----------
    what : str
        What is checked, in the words of the field.
    expected, got : str
        As printed.
    tolerance : str
        How far off it may be, in the unit of the number; ``exact`` for words and counts.
    passed : bool
        The verdict.
    source : str
        Where the expected value comes from: a closed form, a second route, a paper and its table.
    group : str
        The noun it is about; set by the front.
    """

    what: str
    expected: str
    got: str
    tolerance: str
    passed: bool
    source: str
    group: str = ""


#: The checks of one noun, made one after the other.
Checker = Callable[[], Iterator[Check]]


def close(what: str, got: SupportsFloat | None, expected: SupportsFloat, tolerance: float, source: str) -> Check:
    """A number that is known, to a tolerance that the source or the method justifies; NaN and None never pass."""
    got, expected = nan if got is None else float(got), float(expected)
    passed = isfinite(got) and abs(got - expected) <= tolerance
    places = 17 if tolerance < 1e-12 else 12
    return Check(what, f"{expected:.{places}g}", f"{got:.{places}g}", f"{tolerance:.2g}", passed, source)


def same(what: str, got: object, expected: object, source: str) -> Check:
    """Words, counts or lists that have to be the same."""
    return Check(what, str(expected), str(got), "exact", got == expected, source)


def within_draws(what: str, got: float, expected: float, sd: float, runs: int, source: str) -> Check:
    """A mean of ``runs`` independent runs of standard deviation ``sd``: the tolerance is `SIGMAS` standard errors."""
    tolerance = SIGMAS * sd / sqrt(runs)
    return Check(
        what,
        f"{expected:.6g}",
        f"{float(got):.6g}",
        f"{tolerance:.2g}",
        isfinite(float(got)) and abs(float(got) - expected) <= tolerance,
        f"{source}; {SIGMAS:g} standard errors of {runs:,} runs",
    )
