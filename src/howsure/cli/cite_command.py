"""``howsure cite``: what to cite."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.options import option
from howsure.cli.terminal import say
from howsure.reporting.citation import citation

__all__ = ["cite_command"]


def cite_command(
    bibtex: Annotated[bool, option("bibtex")] = False,
) -> None:
    """Print how to cite howsure and the papers whose models it computes."""
    if bibtex:
        typer.echo(citation(bibtex=True))
    else:
        say(citation())
