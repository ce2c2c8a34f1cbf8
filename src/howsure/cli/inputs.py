"""Options that every command shares, declared once, and the reading of its file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from howsure.errors import InvalidArgument, excerpt

if TYPE_CHECKING:
    from howsure.files import Reading

__all__ = [
    "DrawsOption",
    "FileArgument",
    "KindOption",
    "LabelsOption",
    "LevelOption",
    "MissingOption",
    "ModelOption",
    "PositiveOption",
    "PrevalenceOption",
    "PriorOption",
    "RowsOption",
    "SeedOption",
    "known_prevalence",
    "reading",
]

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")]
PriorOption = Annotated[
    str | None,
    typer.Option(
        "--prior", help="flat (the default), learned, jeffreys, perks, haldane, dirichlet1 or caelen.", metavar="NAME"
    ),
]
LevelOption = Annotated[float, typer.Option("--level", help="Probability inside the intervals.", metavar="P")]
KindOption = Annotated[
    Literal["hdi", "central"], typer.Option("--kind", help="Kind of interval: hdi or central.", metavar="KIND")
]
PrevalenceOption = Annotated[
    str | None,
    typer.Option(
        "--prevalence",
        help="Stated shares of the classes, in their order (0.98,0.02) or by name (healthy=0.98,ill=0.02).",
        metavar="SHARES",
    ),
]
RowsOption = Annotated[
    Literal["true", "pred"] | None,
    typer.Option("--rows", help="What a row of an undeclared matrix is: true or pred.", metavar="true|pred"),
]
PositiveOption = Annotated[
    str | None, typer.Option("--positive", help="The positive one of two classes.", metavar="CLASS")
]
LabelsOption = Annotated[
    str | None, typer.Option("--labels", help="All classes in order, comma separated.", metavar="A,B,...")
]
ModelOption = Annotated[
    str | None, typer.Option("--model", help="Which classifier, where a file holds several.", metavar="NAME")
]
MissingOption = Annotated[
    Literal["error", "exclude"],
    typer.Option(
        "--missing", help="Cases without truth or prediction: error, or exclude (and say so).", metavar="error|exclude"
    ),
]
DrawsOption = Annotated[int, typer.Option("--draws", help="Draws, for metrics without a closed law.", metavar="N")]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the draws.", metavar="N")]


def reading(
    file: str,
    *,
    rows: Literal["true", "pred"] | None,
    positive: str | None,
    labels: str | None,
    model: str | None,
    missing: Literal["error", "exclude"],
) -> Reading:
    """Read a file with the options that the command line gives as text."""
    from howsure.files import read

    names = None if labels is None else [name.strip() for name in labels.split(",")]
    return read(file, rows=rows, positive=positive, labels=names, model=model, missing=missing)


def known_prevalence(text: str, labels: Sequence[str]) -> dict[str, float] | list[float]:
    """Read ``0.98,0.02`` or ``healthy=0.98,ill=0.02``."""
    shares: dict[str, float] = {}
    parts = [part.strip() for part in text.split(",")]
    named = any("=" in part for part in parts)
    if not named and len(parts) != len(labels):
        raise InvalidArgument(f"--prevalence needs {len(labels)} shares, one for each class; got {len(parts)}")
    for position, part in enumerate(parts):
        label, _, value = part.rpartition("=") if named else (labels[position], "", part)
        try:
            shares[label.strip()] = float(value)
        except ValueError:
            raise InvalidArgument(f"--prevalence holds {excerpt(part)}; a share is a number such as 0.02") from None
    return shares
