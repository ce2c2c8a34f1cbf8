"""``howsure survey``: many classifiers of two classes, and which may deceive."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.flat import flat
from howsure.cli.inputs import PriorOption
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.share_options import number_given

__all__ = ["survey_command"]


@flat
def survey_command(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")],
    margin: Annotated[
        float,
        typer.Option(
            "--margin", parser=number_given, help="How far below 0 informedness must be to deceive.", metavar="X"
        ),
    ] = 0.0,
    prior: PriorOption = None,
    form: FileForm,
) -> None:
    """Many two-class classifiers, one a row (name,tp,fn,fp,tn): how uncertain, and whether they may deceive."""
    from howsure.io.formats.collection import read_collection
    from howsure.reporting.survey import survey

    form.spare(file)
    form.show(watched("surveying")(survey)(read_collection(file), prior, margin=margin))
