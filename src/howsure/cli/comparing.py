"""``howsure compare``: which of two classifiers is better."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import typer

from howsure.cli.inputs import (
    KindOption,
    LabelsOption,
    LevelOption,
    OutOption,
    PositiveOption,
    PriorOption,
    RowsOption,
    SeedOption,
    ThatManyDrawsOption,
    keep_inputs,
    label_names,
    written,
)
from howsure.cli.progress import watched
from howsure.compare import compare
from howsure.errors import InvalidArgument
from howsure.posterior import DRAWS, SEED, infer

__all__ = ["compare_command"]


def compare_command(
    first: Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")],
    second: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="The other one; not needed where one file holds both.")
    ] = None,
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
    from howsure.files.pairs import read_pair

    if as_json + as_markdown + as_csv > 1:
        raise InvalidArgument("--json, --markdown and --csv exclude each other; choose one")
    keep_inputs(out, first, second)
    found = read_pair(
        first,
        second,
        a=a,
        b=b,
        separate=separate,
        rows=rows,
        positive=positive,
        labels=label_names(labels),
        missing=missing,
    )
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
