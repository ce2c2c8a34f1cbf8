"""``howsure stopping-rule``: how sure one must be at each look."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.cases_so_far import print_json, whole_numbers
from howsure.cli.inputs import PriorOption
from howsure.cli.options import option
from howsure.cli.output import JsonOption
from howsure.cli.share_options import numbers_of
from howsure.cli.terminal import say

__all__ = ["stopping_rule_command"]


def stopping_rule_command(
    looks: Annotated[str, typer.Argument(metavar="LOOKS", help="Cases at which one looks, such as 50,100,200.")],
    threshold: Annotated[float, option("threshold", "stopping-rule")],
    alpha: Annotated[float, option("alpha")] = 0.05,
    truth: Annotated[str | None, option("truth")] = None,
    prior: PriorOption = None,
    as_json: JsonOption = False,
) -> None:
    """How sure one must be at each of several looks at a rate, and how often the rule errs (counted out, exact)."""
    from howsure.planning.next_labels import stopping_rule

    rule = stopping_rule(whole_numbers("LOOKS", looks), threshold, alpha=alpha, prior=prior)
    truths = None if truth is None else numbers_of(truth, "--truth", "0.7,0.8")
    if as_json:
        tried = {} if truths is None else {"rates": [{"truth": x, **rule.rates(x)} for x in truths]}
        print_json({**rule.to_dict(), **tried})
        return
    say(rule.sheet(truths))
