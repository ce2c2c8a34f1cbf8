"""``howsure stopping-rule``: how sure one must be at each look."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.cases_so_far import print_json, whole_numbers
from howsure.cli.inputs import PriorOption
from howsure.cli.output import JsonOption
from howsure.cli.share_options import number_given, numbers_of
from howsure.cli.terminal import say

__all__ = ["stopping_rule_command"]


def stopping_rule_command(
    looks: Annotated[str, typer.Argument(metavar="LOOKS", help="Cases at which one looks, such as 50,100,200.")],
    threshold: Annotated[
        float, typer.Option("--threshold", parser=number_given, help="The rate to compare with.", metavar="X")
    ],
    alpha: Annotated[
        float,
        typer.Option(
            "--alpha", parser=number_given, help="Greatest probability of either wrong decision.", metavar="P"
        ),
    ] = 0.05,
    truth: Annotated[
        str | None, typer.Option("--truth", help="True rates to try the rule on, comma separated.", metavar="X,...")
    ] = None,
    prior: PriorOption = None,
    as_json: JsonOption = False,
) -> None:
    """How sure one must be at each of several looks at a rate, and how often the rule errs (counted out, exact)."""
    from howsure.planning.stopping import stopping_rule

    rule = stopping_rule(whole_numbers("LOOKS", looks), threshold, alpha=alpha, prior=prior)
    truths = None if truth is None else numbers_of(truth, "--truth", "0.7,0.8")
    if as_json:
        tried = {} if truths is None else {"rates": [{"truth": x, **rule.rates(x)} for x in truths]}
        print_json({**rule.to_dict(), **tried})
        return
    say(rule.sheet(truths))
