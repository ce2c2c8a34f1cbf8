"""``howsure survey``, ``predict`` and ``sensitivity``: many classifiers, a new test, other priors."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Elsewhere, Ends, InputOptions, PriorOption, Sampling, SeedOption
from howsure.cli.output import Form, TableForm
from howsure.cli.progress_line import watched
from howsure.cli.share_options import by_class
from howsure.cli.terminal import remark
from howsure.errors import InvalidArgument, excerpt
from howsure.posterior.posterior import SEED, infer

__all__ = ["predict_command", "sensitivity_command", "survey_command"]


@flat
def survey_command(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")],
    margin: Annotated[
        float, typer.Option("--margin", help="How far below 0 informedness must be to deceive.", metavar="X")
    ] = 0.0,
    prior: PriorOption = None,
    form: TableForm,
) -> None:
    """Many two-class classifiers, one a row (name,tp,fn,fp,tn): how uncertain, and whether they may deceive."""
    from howsure.io.formats.collection import read_collection
    from howsure.reporting.survey import survey

    form.show(watched("surveying")(survey)(read_collection(file), prior, margin=margin))


@flat
def predict_command(
    *,
    n: Annotated[
        str | None,
        typer.Option(
            "--n",
            help="Cases of the new test (100), or of each class (50,50 or healthy=50,ill=50); now's if left out.",
            metavar="N",
        ),
    ] = None,
    prior: PriorOption = None,
    where: Elsewhere,
    ends: Ends,
    source: InputOptions,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    form: Form,
) -> None:
    """What a new test of the same classifier would show."""
    read = source.read()
    known = where.of(infer(read.confusion, prior))
    made = known.predict(_new_cases(n, known.labels), **vars(ends), draws=draws, seed=seed)
    remark(*read.notes, *where.notes(read.confusion))
    form.show(made)


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


@flat
def sensitivity_command(
    *,
    source: InputOptions,
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="Such as f1@macro or recall@ill.")],
    priors: Annotated[
        list[str] | None,
        typer.Option("--prior", help="Prior to try; may be repeated. The usual ones if left out.", metavar="NAME"),
    ] = None,
    where: Elsewhere,
    ends: Ends,
    sampling: Sampling,
    form: Form,
) -> None:
    """One metric under several priors: how much of the answer is the prior's."""
    read = source.read()
    known = where.of(infer(read.confusion))
    asked = watched("asking")(known.prior_sensitivity)
    made = asked(metric, priors or None, **vars(ends), **vars(sampling))
    remark(*read.notes, *where.notes(read.confusion))
    form.show(made)
