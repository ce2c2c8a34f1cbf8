"""``howsure rank``: from a leaderboard, or from several matrices, to rank probabilities."""

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
from howsure.errors import InvalidArgument, excerpt
from howsure.posterior import DRAWS, SEED, Posterior, infer

if TYPE_CHECKING:
    from howsure.contest import Ranked
    from howsure.predictions import Predictions

__all__ = ["rank_command"]


def rank_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A leaderboard (name,correct,n or name,score,n), one table of all answers, or a file each.",
        ),
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
    separate: Annotated[bool, typer.Option("--separate", help="Do not pair what could be paired.")] = False,
    true: TrueOption = None,
    pred: PredsOption = None,
    case: IdOption = None,
    rows: RowsOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    missing: Annotated[
        Literal["error", "wrong", "class", "exclude"],
        typer.Option("--missing", help="Cases without an answer.", metavar="error|wrong|class|exclude"),
    ] = "error",
    draws: ThatManyDrawsOption = DRAWS,
    seed: SeedOption = SEED,
    out: OutOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON with every number in full.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Markdown for a pull request.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV, one line an entry.")] = False,
) -> None:
    """Rank classifiers and say how sure each rank is: P(best), rank intervals, tiers, expected prizes.

    Paired, and said to be, where one FILE holds the answers of all (y_true,pred_A,pred_B,pred_C) or several files of
    cases have ids in common. Otherwise test sets are separate: a leaderboard, or one FILE a classifier, named for it.
    """
    from howsure.files.contenders import read_contenders
    from howsure.rank import rank

    if as_json + as_markdown + as_csv > 1:
        raise InvalidArgument("--json, --markdown and --csv exclude each other; choose one")
    keep_inputs(out, *files)
    names = label_names(labels)
    if are_counted(files, true, pred):
        from howsure.counting.contest import counted_contenders

        found = counted_contenders(
            files, true=true, pred=pred, case=case, labels=names, positive=positive, missing=missing, separate=separate
        )
    else:
        found = read_contenders(
            files, n=n, rows=rows, positive=positive, labels=names, missing=missing, separate=separate
        )
    classifiers: Predictions | dict[str, Ranked]
    if found.predictions is not None:
        classifiers = found.predictions
    elif found.board is not None:
        classifiers = {
            x.name: Posterior.from_accuracy(correct=x.correct, n=x.n, prior=prior) for x in found.board.standings
        }
    else:
        classifiers = {name: infer(matrix, prior) for name, matrix in (found.matrices or {}).items()}
    made = watched("ranking")(rank)(
        classifiers,
        metric=metric,
        prior=prior if found.predictions is not None else None,
        prizes=_numbers(prizes),
        top=top,
        new_test=new_test,
        level=level,
        kind=kind,
        draws=draws,
        seed=seed,
        notes=found.notes,
    )
    if written(made, out, as_json, as_markdown, as_csv):
        return
    if as_json:
        typer.echo(json.dumps(made.to_dict(), allow_nan=False, ensure_ascii=True, indent=1))
    elif as_csv:
        typer.echo(made.to_csv(), nl=False)
    else:
        typer.echo(made.to_markdown() if as_markdown else str(made), nl=not as_markdown)


def _numbers(text: str | None) -> list[float]:
    if text is None:
        return []
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"--prizes are numbers such as 10000,2000,1000; not {excerpt(text)}") from None
