"""``howsure survey``: many classifiers of two classes, and which may deceive."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.flat import flat
from howsure.cli.inputs import PriorOption
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched

__all__ = ["survey_command"]


@flat
def survey_command(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")],
    margin: Annotated[float, option("margin", "survey")] = 0.0,
    prior: PriorOption = None,
    form: FileForm,
) -> None:
    """Many two-class classifiers, one a row (name,tp,fn,fp,tn): how uncertain, and whether they may deceive."""
    from howsure.io.formats.board import read_collection
    from howsure.reporting.survey import survey

    form.spare(file)
    form.show(watched("surveying")(survey)(read_collection(file), prior, margin=margin))
