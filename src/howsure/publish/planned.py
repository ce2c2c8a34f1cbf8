"""What stands on the page of a plan."""

from __future__ import annotations

from howsure._version import __version__
from howsure.planning.plan import Plan, thumb_rule
from howsure.publish.document import document, figure, top
from howsure.publish.methods_paragraph import methods_html
from howsure.text import formats

__all__ = ["plan_methods", "plan_page"]


def plan_page(plan: Plan, title: str = "", comment: str = "") -> str:
    """A plan with its curve, the table behind it, and the methods."""
    rule = " Orange dashes: the rule 2/√n." if thumb_rule(plan) else ""
    caption = (
        f"{plan.measured[0].upper()}{plan.measured[1:]} against the number of cases. Line: middle of the simulated "
        f"tests. Band: their middle 90%. Dashes: what is asked. Upright line: n.{rule} Numbers in the table."
    )
    body = [
        top(title or "How many cases?", comment),
        plan.sheet().html(),
        figure(plan.picture(), caption),
        methods_html(plan_methods(plan)),
    ]
    return document(title or f"howsure: {plan.sentence}", "\n".join(body))


def plan_methods(plan: Plan) -> str:
    """Goal, supposition, prior and computation, in sentences that can be copied into a paper."""
    supposed = "; ".join(formats.plain(words, 300) for words in plan.supposed)
    if plan.route == "exact":
        how = "It was computed by counting out every outcome, without simulation."
    else:
        spread = f" The Monte Carlo standard error of n is {plan.n_error:.2g}." if plan.n_error else ""
        how = f"It was computed from simulated tests (seed {plan.seed}), each analysed with the same prior.{spread}"
    what = {
        "n": f"The number of cases was chosen so that {plan.aim} is reached with an assurance of {plan.asked:g}",
        "assurance": f"The assurance was computed with which {formats.integer(plan.n)} {plan.unit} reach {plan.aim}",
        "target": f"The goal was computed that {formats.integer(plan.n)} {plan.unit} reach with an assurance of "
        f"{plan.asked:g}: {plan.aim}",
    }[plan.found]
    return (
        f"{what}. Assurance is the probability, over the supposed truth and the sampling of the test, that the goal "
        f"is reached (O'Hagan and Stevens 2001). What was supposed: {supposed}. The analysis uses the prior "
        f"'{formats.plain(plan.prior, 60)}' ({plan.pairing}). {how} Computed with howsure {__version__}. The number "
        "covers the sampling of cases, not label noise, leakage or drift."
    )
