"""``howsure survey``, ``predict`` and ``sensitivity``: many classifiers, a new test, other priors."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.asking import show_record
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

__all__ = ["predict_command", "sensitivity_command", "survey_command"]


def survey_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")],
    margin: Annotated[
        float, typer.Option("--margin", help="How far below 0 informedness must be to deceive.", metavar="X")
    ] = 0.0,
    prior: PriorOption = None,
    as_json: JsonOption = False,
    as_markdown: MarkdownOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV with every number in full.")] = False,
) -> None:
    """Many two-class classifiers, one a row (name,tp,fn,fp,tn): how uncertain, and whether they may deceive."""
    from howsure.files.collection import read_collection
    from howsure.survey import survey

    if as_csv and (as_json or as_markdown):
        raise InvalidArgument("--csv excludes --json and --markdown; choose one")
    made = watched("surveying")(survey)(read_collection(file), prior, margin=margin)
    if as_csv:
        typer.echo(made.to_csv(), nl=False)
    else:
        show_record(made, as_json, as_markdown)


def predict_command(
    file: FileArgument,
    n: Annotated[
        str | None,
        typer.Option(
            "--n",
            help="Cases of the new test (100), or of each class (50,50 or healthy=50,ill=50); now's if left out.",
            metavar="N",
        ),
    ] = None,
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
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    as_json: JsonOption = False,
    as_markdown: MarkdownOption = False,
) -> None:
    """What a new test of the same classifier would show."""
    read = reading(
        file, rows=rows, positive=positive, labels=labels, model=model, missing=missing, true=true, pred=pred
    )
    posterior = elsewhere(infer(read.confusion, prior), prevalence, cases)
    made = posterior.predict(_new_cases(n, posterior.labels), level=level, kind=kind, draws=draws, seed=seed)
    show_record(made, as_json, as_markdown)


def _new_cases(text: str | None, labels: tuple[str, ...]) -> int | dict[str, int] | None:
    if text is None:
        return None
    if "," in text or "=" in text:
        sizes = by_class(text, labels, "--n", "numbers of cases", 50)
        if all(many.is_integer() for many in sizes.values()):
            return {label: int(many) for label, many in sizes.items()}
    elif text.strip().isascii() and text.strip().isdigit() and len(text) < 12:
        return int(text)
    raise InvalidArgument(f"--n is a whole number of cases, or one for each class, not {excerpt(text)}")


def sensitivity_command(
    file: FileArgument,
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="Such as f1@macro or recall@ill.")],
    priors: Annotated[
        list[str] | None,
        typer.Option("--prior", help="Prior to try; may be repeated. The usual ones if left out.", metavar="NAME"),
    ] = None,
    prevalence: PrevalenceOption = None,
    cases: CasesOption = None,
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
    """One metric under several priors: how much of the answer is the prior's."""
    read = reading(
        file, rows=rows, positive=positive, labels=labels, model=model, missing=missing, true=true, pred=pred
    )
    posterior = elsewhere(infer(read.confusion), prevalence, cases)
    made = posterior.prior_sensitivity(metric, priors or None, level=level, kind=kind, draws=draws, seed=seed)
    show_record(made, as_json, as_markdown)
