"""``howsure report``: from a file to a report."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Elsewhere, Ends, PriorOption, SeedOption, Source
from howsure.cli.output import FileForm
from howsure.cli.progress import watched
from howsure.posterior import SEED, infer
from howsure.report import report
from howsure.report.caveats import by_place

if TYPE_CHECKING:
    from howsure.report import Report

__all__ = ["report_command"]


@flat
def report_command(
    *,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="Metric, such as f1@macro or recall@ill; may be repeated.", metavar="NAME"),
    ] = None,
    prior: PriorOption = None,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    companions: Annotated[
        bool, typer.Option("--classical", help="Also confidence intervals and tests of the same counts.")
    ] = False,
    ends: Ends,
    where: Elsewhere,
    source: Source,
    form: FileForm,
) -> None:
    r"""Report on one classifier: each metric with its interval, its prior, and how exact it is.

    FILE is a confusion matrix (CSV whose corner cell says true\pred or pred\true), a list of counts
    (true,pred,count), predictions (y_true,y_pred), JSON, or - for standard input.
    """
    form.spare(*source.file)
    read = source.read()
    posterior = where.of(infer(read.confusion, prior))
    notes = [*read.notes, *(by_place(read.confusion) if source.positive is None else [])]
    made = watched("reporting")(report)(
        posterior, metric or None, **vars(ends), draws=draws, seed=seed, notes=notes, companions=companions
    )
    form.show(made, (lambda: _show(made)) if sys.stdout.isatty() else None)


def _show(made: Report) -> None:
    """Print the report with colour and a table that wraps with the terminal."""
    from howsure.cli.terminal import show

    show(made)
