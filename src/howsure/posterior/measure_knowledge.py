"""What a distribution asks of the knowledge behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from howsure.laws import Law
from howsure.metrics import Measure

__all__ = ["MeasureKnowledge", "SaysMore"]


class MeasureKnowledge(Protocol):
    """What is known of the measures of one test set, as far as a distribution needs it."""

    @property
    def prior_name(self) -> str:
        """What outputs call the prior."""

    @property
    def test_set(self) -> object:
        """Token of the data: knowledge with the same one moves together, others are independent."""

    def exact_law(self, measure: Measure) -> Law | None:
        """Law in closed form, if there is one."""

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[NDArray[np.float64]]:
        """Joint draws of several measures."""

    def observed(self, measure: Measure) -> float | None:
        """Value on the raw counts."""

    def chance(self, measure: Measure) -> float | None:
        """Value of a classifier without skill."""

    @property
    def about_groups(self) -> str:
        """Which groups numbers are about, in words; "" where cases come in none."""

    @property
    def held_at(self) -> str:
        """At which class shares a mean over tested classes is taken, in words."""


@runtime_checkable
class SaysMore(Protocol):
    """Knowledge whose numbers rest on more than counts and a prior, which is said beside the law."""

    def beside(self, measure: Measure) -> str:
        """What is said of a measure, a few words."""
