"""What a gate is asked, checked: metrics, mode, margin, floor, probability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn, get_args

import numpy as np

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number, one_of
from howsure.metrics import Measure, Metric
from howsure.posterior.distribution import Distribution, measure_of
from howsure.questions.gate_answer import GateRow, Mode

__all__ = [
    "Metrics",
    "checked_floor",
    "checked_margin",
    "checked_metrics",
    "checked_mode",
    "checked_probability",
    "checked_strict",
    "refuse_doubled",
    "refuse_strict",
    "refuse_wide_margin",
]

Metrics = str | Metric | Measure | Sequence[str | Metric | Measure]


def checked_metrics(metric: Metrics | None) -> list[str | Metric | Measure | None]:
    """One metric or several as a list; None is that of whoever compares."""
    if metric is None:
        return [None]
    if isinstance(metric, str | Metric | Measure):
        return [metric]
    if not isinstance(metric, Sequence):
        raise InvalidArgument(
            f"metric is a name such as 'balanced_accuracy', or a list of names; not {excerpt(metric)}"
        )
    found: list[str | Metric | Measure | None] = list(metric)
    if not found:
        raise InvalidArgument("the gate needs a metric, such as 'balanced_accuracy'")
    return found


def refuse_doubled(rows: Sequence[GateRow]) -> None:
    """Refuse a metric that comes twice, also by two of its names."""
    names = [row.metric for row in rows]
    doubled = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if doubled is not None:
        raise InvalidArgument(f"the metric {excerpt(doubled)} comes twice; name each once")


def checked_mode(mode: Mode | None, floor: float | None, margin: float) -> Mode:
    """The mode; left out, it is that of the arguments."""
    if mode is None:
        mode = "non-inferiority" if floor is None else "floor"
    one_of(mode, get_args(Mode), "mode")
    if mode == "floor" and (floor is None or margin != 0):
        raise InvalidArgument("mode 'floor' takes floor=, the least value for the candidate alone, and no margin")
    if mode != "floor" and floor is not None:
        raise InvalidArgument(f"floor= belongs to mode 'floor'; {mode} takes margin=")
    return mode


def checked_margin(margin: float) -> float:
    """A margin of 0 or more."""
    size = number(margin)
    if not 0 <= size < 1e300:
        hint = " (non-inferiority by default: worse by up to the margin is accepted)" if size == size else ""
        raise InvalidArgument(f"margin is a number, 0 or more, in units of the metric; not {excerpt(margin)}{hint}")
    return size


def refuse_wide_margin(margin: float, measure: Measure) -> None:
    """Refuse a margin that no difference can exceed: such a gate would let everything through, or nothing."""
    width = measure.metric.range[1] - measure.metric.range[0]
    if margin >= width:
        raise InvalidArgument(
            f"margin is below {width:g}, the largest difference of {measure.name} that there is; not {margin:g} "
            "(1 point is 0.01)"
        )


def checked_strict(strict: bool | None) -> bool | None:
    """True, False or None."""
    if strict is not None and not isinstance(strict, bool | np.bool_):
        raise InvalidArgument(f"strict is True, False, or None for the default; not {excerpt(strict)}")
    return None if strict is None else bool(strict)


def checked_floor(floor: float | None, known: Distribution) -> float:
    """A floor inside the range of the metric."""
    measure = measure_of(known)
    assert measure is not None
    low, high = measure.metric.range
    value = number(floor)
    if not low <= value <= high:
        raise InvalidArgument(f"floor of {measure.name} is a number from {low:g} to {high:g}; not {excerpt(floor)}")
    return value


def checked_probability(value: float) -> float:
    """A probability that can decide."""
    share = number(value)
    if not 0.5 < share < 1:
        hint = " (95% is 0.95)" if share > 1 else ""
        raise InvalidArgument(f"min_prob is a probability above 0.5 and below 1; not {excerpt(value)}{hint}")
    return share


def refuse_strict(*, new_groups: bool = False) -> NoReturn:
    """Say where there is a strict rule."""
    if new_groups:
        raise InvalidArgument(
            "the strict rule is a sign test of single cases, and these numbers are about new groups; leave strict out, "
            "or say groups='these'"
        )
    raise InvalidArgument(
        "the strict rule is a sign test: it needs paired accuracy (or error_rate) with margin 0. "
        "Elsewhere leave strict out; a false pass then comes at most 6.6 times in 100, on average, from 50 cases on"
    )
