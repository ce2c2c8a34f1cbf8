"""``howsure count``: from tables of cases, however large, to counts."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from howsure.cli.column_options import (
    ByOption,
    CaseOption,
    LabelsOption,
    PredsOption,
    TablesArgument,
    TrueOption,
    label_names,
)
from howsure.cli.keywords_as_options import as_options
from howsure.cli.options import option
from howsure.cli.output import to_be_written
from howsure.cli.progress_line import watched
from howsure.cli.terminal import say
from howsure.errors import InvalidArgument, excerpt
from howsure.io.counting.count import count
from howsure.io.counting.result import Counts, counts_csv
from howsure.io.formats.written import append, as_dict, batch_of
from howsure.io.opening import located
from howsure.io.replacing import replace_text
from howsure.text.columns_taken import columns_data
from howsure.text.formats import several

__all__ = ["count_command"]

#: Of a file of counts.
ENDINGS = (".csv", ".json")


def count_command(
    files: TablesArgument,
    true: TrueOption = None,
    pred: PredsOption = None,
    by: ByOption = None,
    case: CaseOption = None,
    model_column: Annotated[str | None, option("model-column")] = None,
    weight: Annotated[str | None, option("weight")] = None,
    weights: Annotated[Literal["frequency", "effective"], option("weights", "count")] = "frequency",
    labels: LabelsOption = None,
    query: Annotated[str | None, option("query")] = None,
    memory: Annotated[str | None, option("memory")] = None,
    out: Annotated[str | None, option("out", "count")] = None,
    append_to: Annotated[str | None, option("append")] = None,
    batch: Annotated[str | None, option("batch")] = None,
    as_json: Annotated[bool, option("json", "count")] = False,
) -> None:
    """Count cases by true class, predicted class and group; only the counts stay in memory.

    The counts go to standard output as CSV (true,pred,count), or to --out; the account of rows to standard error.
    """
    source = files[0] if len(files) == 1 else files
    _check_written(files, out, append_to, batch, as_json)
    question: tuple[object, ...] = (true, pred, by, case, model_column, weight, weights, labels, query)
    counted: Sequence[str] = ()
    name = None
    if append_to is not None:
        counted = files if query else list(dict.fromkeys(located(source)[0]))
        name = batch or batch_of(counted, question)
    if query is not None and (true is None or pred is None):
        raise InvalidArgument("with a query, name the columns: --true COLUMN --pred COLUMN")
    with watched("counting") as progress:
        counts = count(
            source,
            y_true=true,
            y_pred=pred if pred is None or len(pred) > 1 else pred[0],
            by=by or (),
            id=case,
            model=model_column,
            weight=weight,
            weights=weights,
            labels=label_names(labels),
            query=query,
            memory=memory,
            progress=progress,
        )
    _tell(counts)
    if append_to is not None and name is not None:
        total, new = append(append_to, counts, name, counted, query=query, named=batch is not None)
        said = "" if new else ", nothing added: this batch is in it already"
        say(f"{append_to}: {several(total.n, 'case')} of {several(total.read, 'row')}{said}", error=True)
        counts = total
    told = {"columns": columns_data()} if as_json else {}
    text = counts_csv(counts)
    if as_json or (out or "").lower().endswith(".json"):
        text = json.dumps({**as_dict(counts), **told}) + "\n"
    if out is not None:
        replace_text(out, text)
    elif append_to is None:
        typer.echo(text, nl=False)


def _check_written(
    files: Sequence[str], out: str | None, append_to: str | None, batch: str | None, as_json: bool
) -> None:
    """Refuse, before anything is counted, what cannot be written as it is asked for."""
    if batch is not None and append_to is None:
        raise InvalidArgument("--batch names a batch for --append, which is missing")
    if append_to is not None:
        to_be_written(append_to, files, "--append")
        if not append_to.lower().endswith(".json") and not os.path.exists(append_to):
            raise InvalidArgument(f"--append {excerpt(append_to)} makes a file of JSON; its name ends in .json")
    if out is not None:
        to_be_written(out, [*files, append_to])
        ending = Path(out).suffix.lower()
        if ending not in ENDINGS:
            raise InvalidArgument(f"--out {excerpt(out)} ends in none of {', '.join(ENDINGS)}")
        if as_json and ending != ".json":
            raise InvalidArgument("--out chooses the format by the ending of FILE; leave --json out")


def _tell(counts: Counts) -> None:
    """Account of the rows, on standard error."""
    classes = several(len(counts.labels), "class")
    groups = f", {several(len(counts.groups), 'group')}" if counts.by else ""
    say(f"{several(counts.n, 'case')} of {several(counts.read, 'row')}, {classes}{groups}", error=True)
    for one in counts.set_aside:
        say(f"set aside, {one}", error=True)
    for note in counts.notes:
        say(as_options(note), error=True)
