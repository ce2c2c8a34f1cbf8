"""Options that every command shares, declared once, and the reading of its file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from howsure.errors import InvalidArgument, excerpt
from howsure.files.opening import LARGEST_FILE

if TYPE_CHECKING:
    from howsure.files import Reading
    from howsure.posterior import Posterior
    from howsure.publish import Publishable

__all__ = [
    "CasesOption",
    "DrawsOption",
    "FileArgument",
    "IdOption",
    "JsonOption",
    "KindOption",
    "LabelsOption",
    "LevelOption",
    "MarkdownOption",
    "MissingOption",
    "ModelOption",
    "OutOption",
    "PositiveOption",
    "PredOption",
    "PredsOption",
    "PrevalenceOption",
    "PriorOption",
    "RowsOption",
    "SeedOption",
    "ThatManyDrawsOption",
    "TrueOption",
    "are_counted",
    "by_class",
    "elsewhere",
    "is_counted",
    "keep_inputs",
    "label_names",
    "reading",
    "written",
]

FileArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE", help="A file, - for standard input, a folder, a pattern, or files that are one table."
    ),
]
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
PriorOption = Annotated[
    str | None,
    typer.Option(
        "--prior",
        help="flat (default below 10 classes), learned (from 10 on), jeffreys, perks, haldane, dirichlet1, caelen.",
        metavar="NAME",
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
        help="Stated shares of the classes, in their order (0.98,0.02) or by name (ill=0.02; the rest is shared).",
        metavar="SHARES",
    ),
]
CasesOption = Annotated[
    str | None,
    typer.Option(
        "--cases",
        help="Cases of each class found elsewhere, to learn the prevalence from (490,10 or healthy=490,ill=10).",
        metavar="COUNTS",
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
DrawsOption = Annotated[
    int | None,
    typer.Option("--draws", help="Draws, for metrics without a closed law (20,000, fewer if huge).", metavar="N"),
]
ThatManyDrawsOption = Annotated[
    int, typer.Option("--draws", help="Draws, for metrics without a closed law.", metavar="N")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the draws.", metavar="N")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON with every number in full.")]
OutOption = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        help="Write a file instead: .html, .md, .tex, .csv, .json, .txt, .svg, .png or .pdf.",
        metavar="FILE",
    ),
]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Markdown for a pull request.")]


#: Text of one case a line, which DuckDB can count however long it is.
TEXT_OF_CASES = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson")


def reading(
    files: str | Sequence[str],
    *,
    rows: Literal["true", "pred"] | None,
    positive: str | None,
    labels: str | None,
    model: str | None,
    missing: Literal["error", "exclude"],
    true: str | None = None,
    pred: str | None = None,
) -> Reading:
    """Read a file with the options that the command line gives as text; count it where it is no single text file."""
    from howsure.files import read

    given = [files] if isinstance(files, str) else list(files)
    names = label_names(labels)
    if are_counted(given, true, pred):
        from howsure.counting.reading import read_counted

        return read_counted(given, true=true, pred=pred, positive=positive, labels=names, model=model, missing=missing)
    if len(given) > 1:
        raise InvalidArgument(f"{len(given)} files are one table only if they hold cases: CSV, JSON Lines or Parquet")
    return read(given[0], rows=rows, positive=positive, labels=names, model=model, missing=missing)


def are_counted(files: Sequence[str], true: str | None = None, pred: object = None) -> bool:
    """Whether files are work for `howsure.count`: by their names and sizes, or because columns of cases are named."""
    if true is not None or pred:
        odd = [file for file in files if file == "-"]
        if odd:
            raise InvalidArgument("--true and --pred name columns of a file, and standard input is none")
        return True
    return any(map(is_counted, files))


def is_counted(file: str) -> bool:
    """Whether it is a folder, a pattern, packed text, Parquet, text that is very long, or counts that grow."""
    if file == "-":
        return False
    if file.lower().endswith((".parquet", ".pq", ".gz", ".zst")) or os.path.isdir(file):
        return True
    if file.lower().endswith(".json") and os.path.isfile(file):
        from howsure.counting.state import begins_a_state

        return begins_a_state(file)
    if not os.path.exists(file):
        return any(mark in file for mark in "*?[")
    return file.lower().endswith(TEXT_OF_CASES) and os.path.getsize(file) > LARGEST_FILE


def written(result: Publishable, out: str | None, *others: bool) -> bool:
    """Write the result where --out says; False where it does not say."""
    if out is None:
        return False
    if any(others):
        raise InvalidArgument("--out chooses the format by the ending of FILE; leave --json, --markdown and --csv out")
    from howsure.publish import save

    save(result, out)
    return True


def keep_inputs(out: str | None, *files: str | None) -> None:
    """Refuse to write over a file that is read."""
    for file in filter(None, files):
        if out is not None and os.path.exists(out) and os.path.exists(file) and os.path.samefile(out, file):
            raise InvalidArgument(f"--out {excerpt(out)} is a file that is read; write to another")


def label_names(labels: str | None) -> list[str] | None:
    """Read ``a,b,c``."""
    return None if labels is None else [name.strip() for name in labels.split(",")]


def elsewhere(posterior: Posterior, prevalence: str | None, cases: str | None) -> Posterior:
    """The posterior where --prevalence or --cases say."""
    if prevalence is not None and cases is not None:
        raise InvalidArgument("--prevalence and --cases exclude each other; choose one")
    if prevalence is not None:
        return posterior.at_prevalence(by_class(prevalence, posterior.labels, "--prevalence", "shares", 0.02))
    if cases is not None:
        counts = by_class(cases, posterior.labels, "--cases", "counts", 490)
        return posterior.at_prevalence(cases=counts)  # type: ignore[arg-type]  # checked to be whole there
    return posterior


def by_class(text: str, labels: Sequence[str], option: str, what: str, example: float) -> dict[str, float]:
    """Read ``0.98,0.02`` or ``healthy=0.98,ill=0.02``."""
    given: dict[str, float] = {}
    parts = [part.strip() for part in text.split(",")]
    named = any("=" in part for part in parts)
    if not named and len(parts) != len(labels):
        raise InvalidArgument(f"{option} needs {len(labels)} {what}, one for each class; got {len(parts)}")
    for position, part in enumerate(parts):
        label, _, value = part.rpartition("=") if named else (labels[position], "", part)
        try:
            given[label.strip()] = float(value)
        except ValueError:
            raise InvalidArgument(f"{option} holds {excerpt(part)}; {what} are numbers such as {example:g}") from None
    return given
