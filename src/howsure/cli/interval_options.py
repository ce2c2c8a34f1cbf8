"""Options of every interval: how much is inside, and of which kind."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from howsure.cli.share_options import number_given

__all__ = ["CertaintyOption", "KindOption", "LevelOption"]

LevelOption = Annotated[
    float,
    typer.Option(
        "--level",
        parser=number_given,
        help="Probability inside the intervals (0.95 or 95%; so everywhere).",
        metavar="P",
    ),
]
CertaintyOption = Annotated[
    float,
    typer.Option("--level", parser=number_given, help="Of the interval, or the certainty of a decision.", metavar="P"),
]
KindOption = Annotated[
    Literal["hdi", "central"], typer.Option("--kind", help="Kind of interval: hdi or central.", metavar="KIND")
]
