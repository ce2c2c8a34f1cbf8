"""A plan as a small picture: width, or probability, against the number of cases."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from howsure.text.svg import sizes

if TYPE_CHECKING:
    from howsure.planning.plan import Plan

__all__ = ["picture", "thumb_rule"]


def thumb_rule(plan: Plan) -> tuple[float, ...]:
    """2 / sqrt(n) at every n of the curve; empty where it is no bound of what the curve shows.

    A rule for 95 % intervals of one rate: sums of rates, such as informedness, need about 4 / sqrt(n).
    """
    if plan.goal.kind != "width" or plan.goal.level != 0.95 or plan.route != "exact":
        return ()
    values = tuple(2 / sqrt(p.n) for p in plan.curve)
    return values if all(p.high <= value for p, value in zip(plan.curve, values, strict=True)) else ()


def picture(plan: Plan) -> str:
    """The curve with its band, the target across, n down, and the rule of thumb where it holds; as SVG."""
    curve = [[getattr(p, part) for p in plan.curve] for part in ("low", "middle", "high")]
    return sizes(
        [p.n for p in plan.curve],
        curve,
        target=plan.mark,
        chosen=plan.n,
        ylabel=plan.measured,
        title=f"{plan.measured} against the number of cases, with the middle 90 % of simulated tests. {plan.sentence}",
        rule=thumb_rule(plan),
        rule_name="2/sqrt(n)",
    )
