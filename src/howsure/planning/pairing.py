"""How often two classifiers on the same cases disagree: stated, by a correlation, or by a pilot."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import TypeAlias

import numpy as np

from howsure.errors import InvalidArgument, excerpt
from howsure.numerics.trials.assurance import Truth
from howsure.planning.counted_goals import nodes_of
from howsure.planning.pilots import PilotPair
from howsure.planning.simulated_goals import Simulated
from howsure.planning.truth import checked_share

__all__ = ["Paired", "rates_apart", "tables_together"]

Paired: TypeAlias = float | Mapping[str, float]


def rates_apart(
    paired: Paired | None, pair: PilotPair | None, index: int | None, truth: Truth | None, difference: float
) -> tuple[Truth, str]:
    """Share of the cases on which only one of two classifiers is right, for one rate, and how that is said.

    What is stated goes before the pilot, whose share is drawn from Beta(m + 1, n - m + 1).
    """
    if paired is None:
        assert pair is not None
        apart, cases = pair.apart(index)
        return Truth(apart + 1.0, cases - apart + 1.0), (
            f"only one of the two is right on {apart:,d} of {cases:,d} cases of the pilot; the true share follows "
            f"Beta({apart + 1:,d}, {cases - apart + 1:,d}), and is at least the difference"
        )
    kind, value = _stated(paired)
    if kind == "disagreement":
        if value < difference - 1e-12:
            raise InvalidArgument(
                f"two classifiers that differ by {difference:g} disagree on at least that share of the cases, "
                f"not on {value:g}"
            )
        return Truth(value), f"only one of the two is right on {100 * value:g}% of the cases"
    if truth is None:
        raise InvalidArgument(
            "a correlation says how often two classifiers disagree only together with a guess: guess="
        )
    nodes, weights = nodes_of(truth)
    p = float(np.average(nodes, weights=weights))
    share = _correlated(p, p + difference, value)
    return Truth(share), (
        f"correlation {value:g} of being right: only one of the two is right on {100 * share:.3g}% of the cases"
    )


def tables_together(paired: Paired | None, pair: PilotPair | None, problem: Simulated) -> tuple[float, str]:
    """Mixture of erring together and erring independently that has the disagreement, and how that is said."""
    old, new = problem.truths.tables, problem.improved
    right = [np.diagonal(t, axis1=1, axis2=2) for t in (old, new)]
    sizes = old.sum(-1)
    p, q = (float(x.sum(1).mean()) for x in right)
    together = q - p
    apart = float((right[0] + right[1] - 2 * right[0] * right[1] / sizes).sum(1).mean())
    if paired is None:
        assert pair is not None
        found, cases = pair.apart()
        wanted = min(max((found + 1) / (cases + 2), together), apart)
        said = f"only one of the two is right on {found:,d} of {cases:,d} cases of the pilot, taken as"
    else:
        kind, value = _stated(paired)
        wanted = _correlated(p, q, value) if kind == "correlation" else value
        said = "only one of the two is right on"
    if not together - 1e-9 <= wanted <= apart + 1e-9:
        raise InvalidArgument(
            f"these two classifiers disagree on {100 * together:.3g} to {100 * apart:.3g}% of the cases (from erring "
            f"together to erring independently), not on {100 * wanted:.3g}%"
        )
    share = 1.0 if apart <= together else (apart - wanted) / (apart - together)
    return float(np.clip(share, 0, 1)), f"{said} {100 * wanted:.3g}% of the cases"


def _stated(paired: Paired) -> tuple[str, float]:
    if not isinstance(paired, Mapping):
        return "disagreement", checked_share("paired", paired)
    if len(paired) != 1 or set(paired) - {"disagreement", "correlation"}:
        raise InvalidArgument(
            "paired= is the share of cases on which only one is right, or {'correlation': r}; "
            f"not {excerpt(dict(paired))}"
        )
    ((kind, value),) = paired.items()
    return kind, checked_share(f"paired[{kind!r}]", value)


def _correlated(p: float, q: float, correlation: float) -> float:
    """Share on which only one is right, from two rates and the correlation of being right."""
    both = p * q + correlation * sqrt(p * (1 - p) * q * (1 - q))
    return p + q - 2 * min(both, p, q)
