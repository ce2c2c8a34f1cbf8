"""``howsure post-test`` and ``howsure frequencies``: what a test means for one patient, and for ten thousand."""

from __future__ import annotations

import json
from typing import Annotated, Any, Protocol

import typer

from howsure.cli.inputs import (
    CasesOption,
    FileArgument,
    JsonOption,
    KindOption,
    LabelsOption,
    LevelOption,
    MarkdownOption,
    MissingOption,
    ModelOption,
    PositiveOption,
    PredOption,
    PrevalenceOption,
    PriorOption,
    RowsOption,
    SeedOption,
    ThatManyDrawsOption,
    TrueOption,
    by_class,
    elsewhere,
    reading,
)
from howsure.cli.progress import watched
from howsure.errors import InvalidArgument, excerpt
from howsure.posterior import DRAWS, SEED, infer

__all__ = ["frequencies_command", "post_test_command", "show_record"]


class _Shown(Protocol):
    def to_dict(self) -> dict[str, Any]: ...
    def to_markdown(self) -> str: ...


def show_record(made: _Shown, as_json: bool, as_markdown: bool) -> None:
    """Print an answer in the form that was asked for."""
    if as_json and as_markdown:
        raise InvalidArgument("--json and --markdown exclude each other; choose one")
    with watched("asking"):  # some answers are found when they are shown
        if as_json:
            text = json.dumps(made.to_dict(), allow_nan=False, ensure_ascii=True, indent=1)
        else:
            text = made.to_markdown() if as_markdown else str(made)
    typer.echo(text, nl=not as_markdown)


def post_test_command(
    file: FileArgument,
    pre_test: Annotated[
        str,
        typer.Option(
            "--pre-test",
            help="Probability before the test, of the positive class (0.02), or by class (a=0.2,b=0.1).",
            metavar="P",
        ),
    ],
    result: Annotated[
        list[str] | None,
        typer.Option(
            "--result",
            help="What the test said: positive, negative or a class; repeated for repeats of the test.",
            metavar="R",
        ),
    ] = None,
    prior: PriorOption = None,
    level: LevelOption = 0.95,
    kind: KindOption = "hdi",
    rows: RowsOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    true: TrueOption = None,
    pred: PredOption = None,
    model: ModelOption = None,
    missing: MissingOption = "error",
    draws: ThatManyDrawsOption = DRAWS,
    seed: SeedOption = SEED,
    as_json: JsonOption = False,
    as_markdown: MarkdownOption = False,
) -> None:
    """One patient or sample: how probable each class is after the test has spoken."""
    read = reading(
        file, rows=rows, positive=positive, labels=labels, model=model, missing=missing, true=true, pred=pred
    )
    before: float | dict[str, float]
    if "=" in pre_test or "," in pre_test:
        before = by_class(pre_test, read.confusion.labels, "--pre-test", "probabilities", 0.02)
    else:
        try:
            before = float(pre_test)
        except ValueError:
            raise InvalidArgument(f"--pre-test is a probability such as 0.02, not {excerpt(pre_test)}") from None
    posterior = infer(read.confusion, prior)
    made = posterior.post_test(before, result or None, level=level, kind=kind, draws=draws, seed=seed)
    show_record(made, as_json, as_markdown)


def frequencies_command(
    file: FileArgument,
    of: Annotated[int, typer.Option("--of", help="Number of people or samples.", metavar="N")] = 10_000,
    prevalence: PrevalenceOption = None,
    cases: CasesOption = None,
    prior: PriorOption = None,
    level: LevelOption = 0.95,
    kind: KindOption = "hdi",
    rows: RowsOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    true: TrueOption = None,
    pred: PredOption = None,
    model: ModelOption = None,
    missing: MissingOption = "error",
    as_json: JsonOption = False,
    as_markdown: MarkdownOption = False,
) -> None:
    """What the classifier does to ten thousand people, in whole numbers that add up."""
    read = reading(
        file, rows=rows, positive=positive, labels=labels, model=model, missing=missing, true=true, pred=pred
    )
    posterior = elsewhere(infer(read.confusion, prior), prevalence, cases)
    show_record(posterior.natural_frequencies(of, level=level, kind=kind), as_json, as_markdown)
