"""``howsure report``: from a file to a report."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from howsure.cli.inputs import (
    CasesOption,
    DrawsOption,
    FileArgument,
    JsonOption,
    KindOption,
    LabelsOption,
    LevelOption,
    MarkdownOption,
    MissingOption,
    ModelOption,
    OutOption,
    PositiveOption,
    PredOption,
    PrevalenceOption,
    PriorOption,
    RowsOption,
    SeedOption,
    TrueOption,
    elsewhere,
    keep_inputs,
    reading,
    written,
)
from howsure.cli.progress import watched
from howsure.errors import InvalidArgument
from howsure.posterior import SEED, infer
from howsure.report import report
from howsure.report.caveats import by_place

if TYPE_CHECKING:
    from howsure.report import Report

__all__ = ["report_command"]


def report_command(
    file: FileArgument,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="Metric, such as f1@macro or recall@ill; may be repeated.", metavar="NAME"),
    ] = None,
    prior: PriorOption = None,
    level: LevelOption = 0.95,
    kind: KindOption = "hdi",
    prevalence: PrevalenceOption = None,
    cases: CasesOption = None,
    rows: RowsOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    true: TrueOption = None,
    pred: PredOption = None,
    model: ModelOption = None,
    missing: MissingOption = "error",
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    companions: Annotated[
        bool, typer.Option("--classical", help="Also confidence intervals and tests of the same counts.")
    ] = False,
    out: OutOption = None,
    as_json: JsonOption = False,
    as_markdown: MarkdownOption = False,
) -> None:
    r"""Report on one classifier: each metric with its interval, its prior, and how exact it is.

    FILE is a confusion matrix (CSV whose corner cell says true\pred or pred\true), a list of counts
    (true,pred,count), predictions (y_true,y_pred), JSON, or - for standard input.
    """
    if as_json and as_markdown:
        raise InvalidArgument("--json and --markdown exclude each other; choose one")
    keep_inputs(out, *file)
    read = reading(
        file, rows=rows, positive=positive, labels=labels, model=model, missing=missing, true=true, pred=pred
    )
    posterior = elsewhere(infer(read.confusion, prior), prevalence, cases)
    notes = [*read.notes, *(by_place(read.confusion) if positive is None else [])]
    made = watched("reporting")(report)(
        posterior, metric or None, level=level, kind=kind, draws=draws, seed=seed, notes=notes, companions=companions
    )
    if written(made, out, as_json, as_markdown):
        return
    if as_json:
        typer.echo(json.dumps(made.to_dict(), allow_nan=False, ensure_ascii=True, indent=1))
    elif as_markdown:
        typer.echo(made.to_markdown(), nl=False)
    elif sys.stdout.isatty():
        _show(made)
    else:
        typer.echo(str(made))


def _show(made: Report) -> None:
    """Print the report with colour and a table that wraps with the terminal."""
    from howsure.cli.terminal import show

    show(made)
