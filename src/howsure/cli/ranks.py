"""``howsure rank``: from a leaderboard, or from several matrices, to rank probabilities."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from howsure.cli.inputs import (
    KindOption,
    LevelOption,
    OutOption,
    PriorOption,
    RowsOption,
    SeedOption,
    ThatManyDrawsOption,
    reading,
    written,
)
from howsure.errors import InvalidArgument, excerpt
from howsure.posterior import DRAWS, SEED, Posterior, infer

if TYPE_CHECKING:
    from howsure.rank import Ranked

__all__ = ["rank_command"]


def rank_command(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="One leaderboard (name,correct,n or name,score,n), or matrices."),
    ],
    metric: Annotated[
        str | None, typer.Option("--metric", "-m", help="Metric to rank by, such as f1@macro.", metavar="NAME")
    ] = None,
    prizes: Annotated[
        str | None, typer.Option("--prizes", help="Prizes of rank 1, 2, ..., comma separated.", metavar="A,B,...")
    ] = None,
    n: Annotated[int | None, typer.Option("--n", help="Cases of every entry, where the file has none.")] = None,
    top: Annotated[int, typer.Option("--top", help="k of P(among the best k).", metavar="K")] = 3,
    new_test: Annotated[
        int | None, typer.Option("--new-test", help="Replay the board on a new test set of N cases.", metavar="N")
    ] = None,
    prior: PriorOption = None,
    level: LevelOption = 0.95,
    kind: KindOption = "hdi",
    rows: RowsOption = None,
    draws: ThatManyDrawsOption = DRAWS,
    seed: SeedOption = SEED,
    out: OutOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON with every number in full.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Markdown for a pull request.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV, one line an entry.")] = False,
) -> None:
    """Rank classifiers and say how sure each rank is: P(best), rank intervals, tiers, expected prizes.

    Test sets are taken as separate. Several FILEs are one confusion matrix (or predictions) each, named for the file.
    """
    from howsure.rank import rank

    if as_json + as_markdown + as_csv > 1:
        raise InvalidArgument("--json, --markdown and --csv exclude each other; choose one")
    notes: list[str] = []
    classifiers: dict[str, Ranked] = {}
    if len(files) == 1:
        classifiers, notes = _board(files[0], n, prior)
    else:
        for file in files:
            read = reading(file, rows=rows, positive=None, labels=None, model=None, missing="error")
            name = Path(file).stem
            if name in classifiers:
                raise InvalidArgument(f"two files are called {excerpt(name)}; rename one, their names name the entries")
            classifiers[name] = infer(read.confusion, prior)
            notes += [f"{name}: {note}" for note in read.notes]
    made = rank(
        classifiers,
        metric=metric,
        prizes=_numbers(prizes),
        top=top,
        new_test=new_test,
        level=level,
        kind=kind,
        draws=draws,
        seed=seed,
        notes=notes,
    )
    if written(made, out, as_json, as_markdown, as_csv):
        return
    if as_json:
        typer.echo(json.dumps(made.to_dict(), allow_nan=False, ensure_ascii=True, indent=1))
    elif as_csv:
        typer.echo(made.to_csv(), nl=False)
    else:
        typer.echo(made.to_markdown() if as_markdown else str(made), nl=not as_markdown)


def _board(file: str, n: int | None, prior: str | None) -> tuple[dict[str, Ranked], list[str]]:
    from howsure.files.board import read_board

    board = read_board(file, n=n)
    made: dict[str, Ranked] = {
        x.name: Posterior.from_accuracy(correct=x.correct, n=x.n, prior=prior) for x in board.standings
    }
    return made, list(board.notes)


def _numbers(text: str | None) -> list[float]:
    if text is None:
        return []
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"--prizes are numbers such as 10000,2000,1000; not {excerpt(text)}") from None
