"""``howsure post-test`` and ``howsure frequencies``: what a test means for one patient, and for ten thousand."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.flat import flat
from howsure.cli.inputs import Elsewhere, Ends, PriorOption, Sampling, Source, by_class
from howsure.cli.output import Form
from howsure.errors import InvalidArgument, excerpt
from howsure.posterior import infer

__all__ = ["frequencies_command", "post_test_command"]


@flat
def post_test_command(
    *,
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
    ends: Ends,
    source: Source,
    sampling: Sampling,
    form: Form,
) -> None:
    """One patient or sample: how probable each class is after the test has spoken."""
    read = source.read()
    before: float | dict[str, float]
    if "=" in pre_test or "," in pre_test:
        before = by_class(pre_test, read.confusion.labels, "--pre-test", "probabilities", 0.02)
    else:
        try:
            before = float(pre_test)
        except ValueError:
            raise InvalidArgument(f"--pre-test is a probability such as 0.02, not {excerpt(pre_test)}") from None
    known = infer(read.confusion, prior)
    form.show(known.post_test(before, result or None, **vars(ends), **vars(sampling)))


@flat
def frequencies_command(
    *,
    of: Annotated[int, typer.Option("--of", help="Number of people or samples.", metavar="N")] = 10_000,
    prior: PriorOption = None,
    where: Elsewhere,
    ends: Ends,
    source: Source,
    form: Form,
) -> None:
    """What the classifier does to ten thousand people, in whole numbers that add up."""
    known = where.of(infer(source.read().confusion, prior))
    form.show(known.natural_frequencies(of, **vars(ends)))
