"""Options that name columns and classes: all that counting needs, which loads no law and no prior."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["GroupOption", "IdOption", "LabelsOption", "PredOption", "PredsOption", "TrueOption", "label_names"]

TrueOption = Annotated[
    str | None, typer.Option("--true", help="Column of the true class, in a table of cases.", metavar="COLUMN")
]
PredOption = Annotated[
    str | None, typer.Option("--pred", help="Column of the answers, in a table of cases.", metavar="COLUMN")
]
PredsOption = Annotated[
    list[str] | None,
    typer.Option("--pred", help="Column of the answers of a classifier; repeated for several.", metavar="COLUMN"),
]
IdOption = Annotated[
    str | None, typer.Option("--id", help="Column of the case's name, where tables are paired.", metavar="COLUMN")
]
GroupOption = Annotated[
    str | None,
    typer.Option(
        "--group",
        help="Column of the patient, document or question that a case belongs to, if it is not called group.",
        metavar="COLUMN",
    ),
]
LabelsOption = Annotated[
    str | None, typer.Option("--labels", help="All classes in order, comma separated.", metavar="A,B,...")
]


def label_names(labels: str | None) -> list[str] | None:
    """Read ``a,b,c``."""
    return None if labels is None else [name.strip() for name in labels.split(",")]
