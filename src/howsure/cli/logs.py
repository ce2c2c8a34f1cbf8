"""``howsure log``: how sure the accuracy of an evaluation log is, and which of two models is better."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from howsure.cli.inputs import KindOption, LevelOption, PriorOption
from howsure.cli.output import JsonOption
from howsure.cli.progress import watched
from howsure.errors import InvalidArgument, excerpt

__all__ = ["log_command"]


def log_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE [FILE]", help="Samples of lm-evaluation-harness, logs of Inspect or lighteval, JSON Lines."
        ),
    ],
    metric: Annotated[str | None, typer.Option("--metric", "-m", help="The score to read.", metavar="NAME")] = None,
    chosen_filter: Annotated[
        str | None, typer.Option("--filter", help="The filter of lm-evaluation-harness.", metavar="NAME")
    ] = None,
    field: Annotated[
        str | None,
        typer.Option("--field", help="The field of other JSON Lines that says right or wrong.", metavar="NAME"),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="Scores from here on are right.", metavar="SCORE")
    ] = None,
    rope: Annotated[
        float | None, typer.Option("--rope", help="Differences up to this size are practically nil.", metavar="SIZE")
    ] = None,
    prior: PriorOption = None,
    level: LevelOption = 0.95,
    kind: KindOption = "hdi",
    as_json: JsonOption = False,
) -> None:
    """Accuracy from logs that say right or wrong; two of them are compared on the items they share."""
    from howsure.logs import paired, read_log

    if len(files) > 2:
        raise InvalidArgument(f"one log, or two to compare; {len(files)} are given")
    logs = [
        watched("reading")(read_log)(f, metric=metric, filter=chosen_filter, field=field, threshold=threshold)
        for f in files
    ]
    if len(logs) == 2:
        from howsure.compare import compare

        names = [Path(f).stem for f in files]
        names = names if names[0] != names[1] else files
        if names[0] == names[1]:
            raise InvalidArgument(f"{excerpt(names[0])} is given twice; name the logs of two models")
        both = paired(dict(zip(names, logs, strict=True)))
        made = watched("comparing")(compare)(both, metric="accuracy", rope=rope, prior=prior, level=level, kind=kind)
        typer.echo(json.dumps(made.to_dict(), allow_nan=False, indent=1) if as_json else str(made))
        return
    (log,) = logs
    accuracy = log.posterior(prior).of("accuracy")
    if as_json:
        low, high = accuracy.interval(level, kind=kind)[:2]
        data = {"kind": "log", "source": log.source, "metric": log.metric, "n": log.n, "items": log.distinct}
        data |= {"effective_n": log.effective, "correct": log.correct, "mean": accuracy.mean, "low": low, "high": high}
        typer.echo(json.dumps({"format": "howsure/1", **data, "notes": list(log.notes)}, indent=1))
        return
    typer.echo(f"{log!r}\n{accuracy}")
    if log.effective < log.n:
        typer.echo(f"note: repeats count as far as they say something new: {log.effective} cases of {log.n} answers.")
    for note in log.notes:
        typer.echo(f"note: {note}")
