"""``howsure compare``: which of two classifiers is better."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from howsure.cli.inputs import (
    IdOption,
    KindOption,
    LabelsOption,
    LevelOption,
    OutOption,
    PositiveOption,
    PredsOption,
    PriorOption,
    RowsOption,
    SeedOption,
    ThatManyDrawsOption,
    TrueOption,
    are_counted,
    keep_inputs,
    label_names,
    written,
)
from howsure.cli.progress import watched
from howsure.compare import compare
from howsure.errors import InvalidArgument
from howsure.posterior import DRAWS, SEED, infer

if TYPE_CHECKING:
    from howsure.files.pairs import Pair

__all__ = ["compare_command"]


def compare_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE [FILE]",
            help="Two files, or one that holds both, or - for standard input; or the parts of one table (Parquet).",
        ),
    ],
    a: Annotated[
        str | None, typer.Option("--a", help="Classifier A: a column, or a name in the column model.", metavar="NAME")
    ] = None,
    b: Annotated[str | None, typer.Option("--b", help="Classifier B.", metavar="NAME")] = None,
    metric: Annotated[
        str, typer.Option("--metric", "-m", help="Metric, such as f1@macro or recall@ill.", metavar="NAME")
    ] = "balanced_accuracy",
    rope: Annotated[
        float | None, typer.Option("--rope", help="Differences up to this size are practically nil.", metavar="SIZE")
    ] = None,
    prior: PriorOption = None,
    level: LevelOption = 0.95,
    kind: KindOption = "hdi",
    separate: Annotated[
        bool, typer.Option("--separate", help="Do not pair: the test sets are different although ids agree.")
    ] = False,
    true: TrueOption = None,
    pred: PredsOption = None,
    case: IdOption = None,
    rows: RowsOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    missing: Annotated[
        Literal["error", "wrong", "class", "exclude"],
        typer.Option(
            "--missing",
            help="Cases without an answer: error, wrong (they count as errors), class (of their own), or exclude.",
            metavar="error|wrong|class|exclude",
        ),
    ] = "error",
    draws: ThatManyDrawsOption = DRAWS,
    seed: SeedOption = SEED,
    out: OutOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON with every number in full.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Markdown for a pull request.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV with every number in full.")] = False,
) -> None:
    """Compare two classifiers: whether A is better than B, how surely, and what a wrong choice loses.

    Paired, and said to be, where one file holds the answers of both (y_true,pred_A,pred_B) or two files have ids in
    common; separate test sets otherwise.
    """
    if as_json + as_markdown + as_csv > 1:
        raise InvalidArgument("--json, --markdown and --csv exclude each other; choose one")
    keep_inputs(out, *files)
    names = label_names(labels)
    if are_counted(files, true, pred):
        from howsure.counting.contest import counted_contenders, counted_pair

        made_of = counted_contenders(
            files, true=true, pred=pred, case=case, labels=names, positive=positive, missing=missing, separate=separate
        )
        found = counted_pair(made_of, (a, b))
    else:
        found = _of_files(files, a, b, separate, rows, positive, names, missing)
    if found.predictions is not None:
        made = watched("comparing")(compare)(
            found.predictions,
            *found.names,
            metric=metric,
            prior=prior,
            rope=rope,
            level=level,
            kind=kind,
            draws=draws,
            seed=seed,
            notes=found.notes,
        )
    else:
        assert found.matrices is not None
        one, two = (infer(matrix, prior) for matrix in found.matrices)
        made = watched("comparing")(compare)(
            one,
            two,
            metric=metric,
            rope=rope,
            level=level,
            kind=kind,
            draws=draws,
            seed=seed,
            names=found.names,
            notes=found.notes,
        )
    if written(made, out, as_json, as_markdown, as_csv):
        return
    if as_json:
        typer.echo(json.dumps(made.to_dict(), allow_nan=False, ensure_ascii=True, indent=1))
    elif as_markdown:
        typer.echo(made.to_markdown(), nl=False)
    elif as_csv:
        typer.echo(made.to_csv(), nl=False)
    else:
        typer.echo(str(made))


def _of_files(
    files: list[str],
    a: str | None,
    b: str | None,
    separate: bool,
    rows: Literal["true", "pred"] | None,
    positive: str | None,
    labels: list[str] | None,
    missing: Literal["error", "wrong", "class", "exclude"],
) -> Pair:
    """Two classifiers from one or two small files."""
    from howsure.files.pairs import read_pair

    if len(files) > 2:
        raise InvalidArgument(f"{len(files)} files are given, and two are compared; howsure rank takes any number")
    return read_pair(*files, a=a, b=b, separate=separate, rows=rows, positive=positive, labels=labels, missing=missing)
