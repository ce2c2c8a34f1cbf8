"""Calls of what is asked by slice, and of what a call is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import howsure as hs

__all__ = ["Call", "calls_of_slices"]


class Call(NamedTuple):
    """A callable, and arguments that it takes: those without a name in order, the others by name."""

    function: Callable[..., Any]
    given: tuple[Any, ...] = ()
    named: Mapping[str, Any] = {}


def calls_of_slices(both: Any, slices: Any, matrix: Any, other: Any, truth: Any, said: Any) -> dict[str, Call]:
    """Slices, reports by slice, fairness, and two classifiers by slice."""
    shown = {"level": 0.9, "kind": "central"}
    # fmt: off
    return {
        "Slices": Call(hs.Slices, ({"x": matrix, "y": matrix},), {"by": "site"}),
        "Slices.confusion": Call(slices.confusion, ("x",)),
        "Slices.from_predictions": Call(
            hs.Slices.from_predictions,
            (truth, said),
            {"by": {"site": truth}, "id": list(range(len(truth))), "labels": ["a", "b"], "positive": "b"},
        ),
        "Slices.tally": Call(slices.tally, ("ill",)),
        "SliceReport.between": Call(hs.slice_report(slices).between, ("x", "y")),
        "Fairness.group": Call(hs.fairness(slices, "ill", draws=100).group, ("x",)),
        "fairness": Call(
            hs.fairness,
            ({"x": matrix, "y": other}, "ill"),
            {"rope": 0.05, "level": 0.9, "kind": "central", "draws": 100, "seed": 0},
        ),
        "compare_slices": Call(
            hs.compare_slices,
            (both, "A", "B"),
            {"by": {"g": truth}, "metric": "accuracy", **shown, "seed": 0, "notes": ()},
        ),
        "gate_slices": Call(
            hs.gate_slices,
            (both, "A", "B"),
            {"by": {"g": truth}, "margin": 0.1, "metric": "accuracy", "min_prob": 0.9, **shown, "seed": 0, "notes": ()},
        ),
        "rank_slices": Call(
            hs.rank_slices, (both,), {"by": {"g": truth}, "metric": "accuracy", "seed": 0, "notes": ()}
        ),
        "SliceGate.to_junit": Call(
            hs.gate_slices(both, "A", "B", by=truth).to_junit, ("warn",)
        ),
        "slices_in_time": Call(
            hs.slices_in_time,
            ({f"2024-03-{d:02d}": matrix for d in (4, 5, 11)}, "accuracy", "flat"),
            {"cut": "week", **shown, "seed": 0},
        ),
        "slice_report": Call(
            hs.slice_report,
            ({"x": matrix, "y": matrix, "z": matrix}, "accuracy", "flat"),
            {"level": 0.9, "kind": "central", "draws": 1000, "seed": 0},
        ),
        "stratified": Call(
            hs.stratified,
            ({"x": matrix, "y": matrix}, "equal"),
            {"empty": "keep", "prior": "flat", "level": 0.9, "kind": "central"},
        ),
    }
    # fmt: on
