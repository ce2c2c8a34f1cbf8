"""``howsure reconstruct``: from published figures back to counts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer

from howsure.cli.column_options import LabelsOption, label_names
from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, PriorOption
from howsure.cli.options import option
from howsure.cli.output import Form
from howsure.cli.progress_line import watched
from howsure.cli.terminal import say
from howsure.errors import InvalidArgument, excerpt
from howsure.io.formats.sentences import abstract_of
from howsure.reconstruction import Reconstruction, reconstruct
from howsure.reconstruction.ranges import Ranges
from howsure.text.json_envelope import FORMAT

__all__ = ["reconstruct_command"]

#: Tables that are printed.
MOST_SHOWN = 3


@flat
def reconstruct_command(
    *,
    figures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[--METRIC VALUE]...",
            help="Figures as printed: --accuracy 0.88 --recall 0.90, or recall@cat=0.90 of one class; or a sentence "
            "(or a file with one): 'sensitivity 90%, specificity 85%, 70 diseased, 200 healthy'.",
        ),
    ] = None,
    n: Annotated[int | None, option("n", "reconstruct")] = None,
    sizes: Annotated[str | None, option("sizes")] = None,
    shares: Annotated[list[str] | None, option("shares", "reconstruct")] = None,
    labels: LabelsOption = None,
    rounding: Annotated[Literal["nearest", "truncated"], option("rounding")] = "nearest",
    metric: Annotated[list[str] | None, option("metric", "reconstruct")] = None,
    prior: PriorOption = None,
    ends: Ends,
    form: Form,
) -> None:
    """Find every table of integers that fits rounded, published figures, and report on all of them.

    For two classes: howsure reconstruct --n 100 --accuracy 0.88 --recall 0.90. For more: --sizes with recalls and
    precisions (recall@cat=0.90), or the printed matrix in per cent (--shares 88,10,2 once a class). No table that fits
    is an answer too: it names the figure that contradicts the others.
    """
    asked, many, each = _asked(figures or [], n, None if sizes is None else _whole(sizes))
    found = watched("reconstructing")(reconstruct)(
        asked,
        n=many,
        sizes=each,
        labels=label_names(labels),
        shares=None if not shares else [row.split(",") for row in shares],
        rounding=rounding,
    )
    made = found.report(metric or None, prior=prior, **vars(ends)) if found.consistent else None
    if form.as_json:
        typer.echo(json.dumps(_data(found, made), allow_nan=False, ensure_ascii=True, indent=1))
        return
    if made is None:
        say(found)
        return
    form.show(made)
    if form.chosen:
        return
    for table in found.candidates[: MOST_SHOWN if found.count <= MOST_SHOWN else 0]:
        typer.echo(f"\n{table}")


def _data(found: Reconstruction, made: Ranges | None) -> dict[str, Any]:
    """The answer with its tables, ready for JSON."""
    if made is None:
        return {
            "format": FORMAT,
            "kind": "reconstruction",
            "tables": 0,
            "figures": [f"{p.name} {p.shown}" for p in found.published],
            "contradictions": list(found.contradictions),
            "otherwise": None
            if found.otherwise is None
            else dict(zip(("rounding", "tables"), found.otherwise, strict=True)),
        }
    data = made.to_dict()
    data["classes"] = list(found.candidates[0].labels)
    data["candidates"] = [c.counts.tolist() for c in found.candidates]
    return data


def _asked(
    words: Sequence[str], n: int | None, sizes: list[int] | None
) -> tuple[dict[str, str], int | None, list[int] | None]:
    """Figures, cases in all and of each class, of options, or of the one sentence or file of text that is there."""
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


def _whole(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"--sizes are numbers of cases such as 8,26, not {excerpt(text)}") from None
