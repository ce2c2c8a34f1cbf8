"""``howsure count``, ``reconstruct`` and ``survey``: large tables, published figures, many classifiers."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from howsure.cli.options import ENDS, FORMS, SHOWN, Options, command
from howsure.cli.output import print_json, show, to_be_written
from howsure.cli.progress import watched
from howsure.cli.terminal import said_beside, say
from howsure.errors import InvalidArgument, excerpt

if TYPE_CHECKING:
    from howsure.io.counting.result import Counts
    from howsure.reconstruction import Reconstruction
    from howsure.reconstruction.ranges import Ranges

#: Of a file of counts.
ENDINGS = (".csv", ".json")

#: Tables that are printed.
MOST_SHOWN = 3


@command(
    "files:tables true preds:classifiers by case:once model_column weight weighted labels query memory out append",
    "batch json",
)
def count_command(ask: Options) -> None:
    """Count cases by true class, predicted class and group; only the counts stay in memory.

    The counts go to standard output as CSV (true,pred,count), or to --out; the account of rows to standard error.
    """
    from howsure.io.counting.count import count
    from howsure.io.counting.result import counts_csv
    from howsure.io.formats.written import append, as_dict, batch_of
    from howsure.io.opening import located
    from howsure.io.replacing import replace_text
    from howsure.text.columns_taken import columns_data
    from howsure.text.formats import several

    _check_written(ask)
    files: Any = ask.files[0] if len(ask.files) == 1 else ask.files
    counted: Sequence[str] = ()
    batch = ""
    if ask.append is not None:
        asked = (ask.true, ask.preds or None, ask.by or None, ask.case, ask.model_column, ask.weight, ask.weighted,
                 None if ask.labels is None else ",".join(ask.labels), ask.query)  # fmt: skip
        counted = ask.files if ask.query else list(dict.fromkeys(located(files)[0]))
        batch = ask.batch or batch_of(counted, asked)
    if ask.query is not None and (ask.true is None or not ask.preds):
        raise InvalidArgument("with a query, name the columns: --true COLUMN --pred COLUMN")
    with watched("counting") as progress:
        counts = count(
            files,
            y_pred=ask.preds[0] if len(ask.preds) == 1 else ask.preds or None,
            progress=progress,
            **ask.given("y_true=true by id=case model=model_column weight weights=weighted labels query memory"),
        )
    _tell(counts)
    if ask.append is not None:
        total, new = append(ask.append, counts, batch, counted, query=ask.query, named=ask.batch is not None)
        said = "" if new else ", nothing added: this batch is in it already"
        say(f"{ask.append}: {several(total.n, 'case')} of {several(total.read, 'row')}{said}", error=True)
        counts = total
    text = counts_csv(counts)
    if ask.json or (ask.out or "").lower().endswith(".json"):
        text = json.dumps({**as_dict(counts), **({"columns": columns_data()} if ask.json else {})}) + "\n"
    if ask.out is not None:
        replace_text(ask.out, text)
    elif ask.append is None:
        typer.echo(text, nl=False)


def _check_written(ask: Options) -> None:
    """Refuse, before anything is counted, what cannot be written as it is asked for."""
    if ask.batch is not None and ask.append is None:
        raise InvalidArgument("--batch names a batch for --append, which is missing")
    if ask.append is not None:
        to_be_written(ask.append, ask.files, "--append")
        if not ask.append.lower().endswith(".json") and not os.path.exists(ask.append):
            raise InvalidArgument(f"--append {excerpt(ask.append)} makes a file of JSON; its name ends in .json")
    if ask.out is not None:
        to_be_written(ask.out, [*ask.files, ask.append])
        ending = Path(ask.out).suffix.lower()
        if ending not in ENDINGS:
            raise InvalidArgument(f"--out {excerpt(ask.out)} ends in none of {', '.join(ENDINGS)}")
        if ask.json and ending != ".json":
            raise InvalidArgument("--out chooses the format by the ending of FILE; leave --json out")


def _tell(counts: Counts) -> None:
    """Account of the rows, on standard error."""
    from howsure.text.formats import several

    classes = several(len(counts.labels), "class")
    groups = f", {several(len(counts.groups), 'group')}" if counts.by else ""
    say(f"{several(counts.n, 'case')} of {several(counts.read, 'row')}, {classes}{groups}", error=True)
    said_beside(*(f"set aside, {one}" for one in counts.set_aside), *counts.notes)


@command("file margin prior", FORMS)
def survey_command(ask: Options) -> None:
    """Many two-class classifiers, one a row (name,tp,fn,fp,tn): how uncertain, and whether they may deceive."""
    from howsure.io.formats.board import read_collection
    from howsure.reporting.survey import survey

    show(ask, watched("surveying")(survey)(read_collection(ask.file), ask.prior, margin=ask.margin))


@command("figures n sizes share_rows labels rounding metrics prior", ENDS, SHOWN)
def reconstruct_command(ask: Options) -> None:
    """Find every table of integers that fits rounded, published figures, and report on all of them.

    For two classes: howsure reconstruct --n 100 --accuracy 0.88 --recall 0.90. For more: --sizes with recalls and
    precisions (recall@cat=0.90), or the printed matrix in per cent (--shares 88,10,2 once a class). No table that fits
    is an answer too: it names the figure that contradicts the others.
    """
    from howsure.reconstruction import reconstruct

    figures, n, sizes = _asked(ask)
    shares = [row.split(",") for row in ask.share_rows] or None
    found = watched("reconstructing")(reconstruct)(
        figures, n=n, sizes=sizes, shares=shares, **ask.given("labels rounding")
    )
    made = found.report(ask.metrics or None, **ask.given("prior", ENDS)) if found.consistent else None
    if ask.json:
        print_json(_data(found, made))
    elif made is None:
        say(found)
    else:
        show(ask, made)
        shown = found.candidates if found.count <= MOST_SHOWN and not ask.markdown else ()
        for table in shown:
            typer.echo(f"\n{table}")


def _data(found: Reconstruction, made: Ranges | None) -> dict[str, Any]:
    """The answer with its tables, ready for JSON."""
    from howsure.text.formats import FORMAT

    if made is not None:
        tables = [c.counts.tolist() for c in found.candidates]
        return {**made.to_dict(), "classes": list(found.candidates[0].labels), "candidates": tables}
    otherwise = None if found.otherwise is None else dict(zip(("rounding", "tables"), found.otherwise, strict=True))
    return {
        "format": FORMAT,
        "kind": "reconstruction",
        "tables": 0,
        "figures": [f"{p.name} {p.shown}" for p in found.published],
        "contradictions": list(found.contradictions),
        "otherwise": otherwise,
    }


def _asked(ask: Options) -> tuple[dict[str, str], int | None, list[int] | None]:
    """Figures, cases in all and of each class, of options, or of the one sentence or file of text that is there."""
    from howsure.cli.numbers import several_of
    from howsure.io.formats.sentences import abstract_of

    words, n, sizes = ask.figures, ask.n, None
    if ask.sizes is not None:
        sizes = several_of(ask.sizes, int, "--sizes are numbers of cases such as 8,26")
    if len(words) != 1 or words[0].startswith("--") or re.match(r"[\w-]+@[^\s=]+=\S+$|[\w-]+=\S+$", words[0]):
        return _figures(words), n, sizes
    text = words[0]
    if " " not in text.strip():
        from howsure.io.opening import opened

        with opened(text) as file:
            text = "".join(file.lines())
    said = abstract_of(text)
    if not said.figures:
        raise InvalidArgument(
            f"no figure is in {excerpt(words[0])}; write --accuracy 0.88, or a sentence such as 'sensitivity 90%, "
            "specificity 85%, 70 diseased, 200 healthy'"
        )
    shown = [f"{name} {value}" for name, value in said.figures.items()]
    if said.sizes is not None and sizes is None:
        sizes = [*said.sizes]
        shown.append(f"{sizes[1]} positive and {sizes[0]} negative cases")
    elif said.n is not None and n is None and sizes is None:
        n = said.n
        shown.append(f"{n} cases")
    say(f"Of the sentence: {', '.join(shown)}.", error=True)
    return {name: value.replace(" ", "") for name, value in said.figures.items()}, n, sizes


def _figures(words: Sequence[str]) -> dict[str, str]:
    """Read ``--accuracy 0.88``, ``--accuracy=0.88`` and ``recall@cat=0.90``; the text keeps the zero at the end."""
    found: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        if not equals:
            if not word.startswith("--") or not rest or rest[0].startswith("--"):
                raise InvalidArgument(
                    f"{excerpt(word)} is no figure; write --accuracy 0.88, or recall@cat=0.90 for one class"
                )
            value = rest.pop(0)
        name = name if "@" in name else name.replace("-", "_")
        if name in found:
            raise InvalidArgument(f"{name} is given twice, {excerpt(found[name])} and {excerpt(value)}")
        found[name] = value
    return found
