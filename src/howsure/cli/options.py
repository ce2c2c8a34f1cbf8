"""An option of the command line, from the one place where parameters are said."""

from __future__ import annotations

from typing import Any

import typer

from howsure.cli.share_options import number_given
from howsure.params import PARAMETERS

__all__ = ["option"]


def option(name: str, where: str = "", *, words: dict[str, str] | None = None, **more: Any) -> Any:
    """The option of a parameter; ``words`` go into its sentence, ``more`` to typer.

    Examples
    --------
    >>> made = option("metric", "report")
    >>> made.param_decls, made.metavar
    (('--metric', '-m'), 'NAME')
    """
    it = PARAMETERS[name, where]
    if it.kind == "whole":
        more |= {end: None if bound is None else int(bound) for end, bound in (("min", it.low), ("max", it.high))}
    sentence = it.sentence.format(**words) if words else it.sentence
    forms = (f"--{name}", it.short) if it.short else (f"--{name}",)
    parser = number_given if it.kind == "number" else None
    return typer.Option(*forms, help=sentence, metavar=it.shown or None, parser=parser, **more)
