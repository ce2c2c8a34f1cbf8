"""What a question needs of a posterior."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from howsure.data.confusion import ConfusionMatrix
from howsure.laws import Interval, Kind, Law, Linear
from howsure.metrics import Measure, Metric
from howsure.numerics.arrays import Floats
from howsure.posterior.distribution import Distribution
from howsure.posterior.drawn_tables import Drawn
from howsure.posterior.independent_rows import ClassRows
from howsure.posterior.prevalence import PrevalenceSource
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.svg import BLUE, IntervalRow

__all__ = ["DRAWS", "SEED", "Asked", "finite", "interval_cells", "law_row", "summary"]

#: Draws of what has no closed law, and their seed.
DRAWS, SEED = 20_000, 0


class Asked(Protocol):
    """A posterior, as far as the questions need one."""

    @property
    def confusion(self) -> ConfusionMatrix:
        """The counts."""

    @property
    def prior(self) -> Prior:
        """The prior."""

    @property
    def rows(self) -> ClassRows | None:
        """What the counts say about each true class on its own; None where they were learned together."""

    @property
    def row_means(self) -> Floats:
        """Expected share of each call among the cases of each class, shape (K, K)."""

    def coin(self) -> Linear | None:
        """Law of the accuracy as one coin per case; None for cases of another mix."""

    @property
    def shares(self) -> Floats:
        """The prevalence, stated or on average."""

    @property
    def known_prevalence(self) -> Floats | None:
        """The stated prevalence."""

    @property
    def prevalence_source(self) -> PrevalenceSource:
        """Where the prevalence comes from."""

    @property
    def test_set(self) -> object:
        """Token of the data."""

    def at_prevalence(self, prevalence: Any = None, *, cases: Any = None) -> Asked:
        """The same classifier elsewhere."""

    def with_positive(self, label: object) -> Asked:
        """The same knowledge with a positive class."""

    def under(self, prior: str | Prior) -> Asked:
        """The same counts, another prior."""

    def quietly(self, metric: str | Metric | Measure, *, draws: int = DRAWS, seed: int = SEED) -> Distribution:
        """What is known about one metric."""

    def prepare(self, measures: Sequence[Measure], *, draws: int = DRAWS, seed: int = SEED) -> None:
        """Draw all measures without a closed law in one pass."""

    def exact_law(self, measure: Measure) -> Law | None:
        """Law in closed form, if there is one."""

    def observed(self, measure: Measure) -> float | None:
        """Value on the raw counts."""

    @property
    def numbers_per_draw(self) -> int:
        """Random numbers that one joint table takes."""

    def blocks(self, n: int, *, seed: int = SEED, stream: int = 0) -> Iterator[Drawn]:
        """Joint probability tables as they are drawn."""

    def tables(self, n: int, *, seed: int = SEED, stream: int = 0) -> Iterator[Floats]:
        """Joint probability tables in blocks (m, K, K)."""


def interval_cells(law: Law, level: float, kind: Kind) -> tuple[str, str]:
    """Mean and interval, cut to the digits that the interval (and the Monte Carlo error) supports."""
    ends = law.interval(level, kind)
    places = formats.decimals(*ends, error=law.error if law.route == "drawn" else 0.0)
    odd = "" if ends.kind == kind else f" ({ends.kind})"
    return formats.number(law.mean, places), _narrow(law, ends, places) + odd


def law_row(
    name: str,
    law: Law,
    level: float,
    kind: Kind,
    *,
    observed: float | None = None,
    chance: float | None = None,
    colour: str = BLUE,
) -> IntervalRow:
    """One law as a row of a picture."""
    mean, ends = interval_cells(law, level, kind)
    low, high = law.interval(level, kind)
    return IntervalRow(name, f"{mean} ({ends})", law.mean, low, high, observed, chance, colour)


def _narrow(law: Law, ends: Interval, places: int) -> str:
    return formats.interval(*ends, places) if ends.width > 0 else formats.number(law.mean, places)


def summary(law: Law, level: float, kind: Kind) -> Mapping[str, Any]:
    """The numbers of one law as plain data."""
    ends = law.interval(level, kind)
    return {
        "mean": finite(law.mean),
        "median": finite(law.median),
        "sd": finite(law.sd),
        "low": finite(ends.low),
        "high": finite(ends.high),
        "interval": ends.kind,
        "law": law.route,
        "error": finite(law.error),
    }


def finite(number: float | None) -> float | None:
    """The number, or None (null) where it is infinite or undefined, for which JSON has no word."""
    return number if number is not None and math.isfinite(number) else None
