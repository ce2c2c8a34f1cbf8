"""``howsure outlook``, ``stopping-rule`` and ``digits``: going on, stopping, and what is known by now."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from howsure.cli.flat import flat
from howsure.cli.inputs import (
    Cases,
    LabelsOption,
    ModelOption,
    PositiveOption,
    PrevalenceOption,
    PriorOption,
    RowsOption,
    SeedOption,
    SeparateOption,
    elsewhere,
    reading,
)
from howsure.cli.output import JsonOption
from howsure.cli.terminal import say
from howsure.errors import HowsureError, InvalidArgument, excerpt

if TYPE_CHECKING:
    from howsure.comparison.comparison import Comparison
    from howsure.comparison.outlook import Foreseen
    from howsure.posterior.accuracy import AccuracyPosterior
    from howsure.posterior.posterior import Posterior

__all__ = ["digits_command", "outlook_command", "stopping_rule_command"]

MetricArgument = Annotated[str, typer.Argument(metavar="METRIC", help="Any metric, such as recall or f1@macro.")]
MaybeFiles = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE]...",
        help="A file, or - for standard input; or --correct and --n. Two classifiers: one file of both, or two.",
    ),
]
MaybeFile = Annotated[
    str | None, typer.Argument(metavar="[FILE]", help="A file, or - for standard input; or --correct and --n.")
]
CorrectOption = Annotated[
    int | None, typer.Option("--correct", help="Instead of FILE: so many right answers ...", metavar="K")
]
AnswersOption = Annotated[int | None, typer.Option("--n", help="... of so many.", metavar="N")]


@dataclass(frozen=True)
class SoFar:
    """What is known by now beside a file, or instead of it: a number of right answers."""

    correct: CorrectOption = None
    n: AnswersOption = None
    prevalence: PrevalenceOption = None
    prior: PriorOption = None
    rows: RowsOption = None
    positive: PositiveOption = None
    labels: LabelsOption = None
    model: ModelOption = None

    def known(self, file: str | None) -> Posterior | AccuracyPosterior:
        """The posterior of one classifier."""
        from howsure.posterior.accuracy import AccuracyPosterior
        from howsure.posterior.posterior import infer

        if file is not None:
            if self._counted:
                raise InvalidArgument("a FILE and --correct with --n exclude each other; choose one")
            read = reading(
                file,
                rows=self.rows,
                positive=self.positive,
                labels=self.labels,
                model=self.model,
                missing="error",
            )
            return elsewhere(infer(read.confusion, self.prior), self.prevalence, None)
        if self.correct is None or self.n is None:
            raise InvalidArgument("name a FILE, or say --correct and --n: right answers, and all of them")
        if self.prevalence is not None:
            raise InvalidArgument("--prevalence needs a FILE with a confusion matrix or predictions")
        return AccuracyPosterior(correct=self.correct, n=self.n, prior=self.prior)

    def compared(self, files: list[str], two: Two, metric: str) -> Comparison:
        """Two classifiers, from one file or two."""
        from howsure.comparison.comparing import compare
        from howsure.posterior.posterior import infer

        if self._counted or not files:
            raise InvalidArgument(
                "say --above: the threshold for one classifier; or name files of two classifiers, which are compared"
            )
        if self.model is not None or self.prevalence is not None:
            raise InvalidArgument("--model and --prevalence are for one classifier and its --above")
        cases = Cases(separate=two.separate, rows=self.rows, positive=self.positive, labels=self.labels)
        try:
            found = cases.pair(files, two.a, two.b)
        except HowsureError as problem:
            if len(files) > 1 or two.named or not self._is_one(files[0]):
                raise
            raise InvalidArgument(
                f"{excerpt(files[0])} holds one classifier: say --above, its threshold, or give a second file"
            ) from problem
        if found.predictions is not None:
            return compare(found.predictions, *found.names, metric=metric, prior=self.prior)
        assert found.matrices is not None
        one, other = (infer(matrix, self.prior) for matrix in found.matrices)
        return compare(one, other, metric=metric, names=found.names)

    def _is_one(self, file: str) -> bool:
        """Whether a file can be read as that of one classifier."""
        try:
            self.known(file)
        except HowsureError:
            return False
        return True

    @property
    def _counted(self) -> bool:
        return self.correct is not None or self.n is not None


@dataclass(frozen=True)
class Two:
    """Which two classifiers."""

    a: Annotated[str | None, typer.Option("--a", help="Without --above: classifier A ...", metavar="NAME")] = None
    b: Annotated[str | None, typer.Option("--b", help="... and classifier B, of those in a file.", metavar="NAME")] = (
        None
    )
    separate: SeparateOption = False

    @property
    def named(self) -> bool:
        """Whether --a or --b is given."""
        return self.a is not None or self.b is not None

    def refuse(self, files: list[str]) -> None:
        """Where one classifier is asked about."""
        if self.named or self.separate or len(files) > 1:
            raise InvalidArgument(
                "--above is a threshold for one classifier, of one FILE (and --model); leave it out to compare two"
            )


#: Characters of a bar that stands for probability 1.
BAR = 40


@flat
def outlook_command(
    *,
    metric: MetricArgument,
    files: MaybeFiles = None,
    above: Annotated[
        float | None, typer.Option("--above", help="The threshold, for one classifier.", metavar="X")
    ] = None,
    more: Annotated[
        str, typer.Option("--more", help="Further cases; several numbers, comma separated.", metavar="N,...")
    ] = "100",
    level: Annotated[float, typer.Option("--level", help="Certainty of a decision.", metavar="P")] = 0.95,
    so_far: SoFar,
    two: Two,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Whether to go on: how probably further cases change what is decided.

    With --above about one classifier and a threshold; without it about which of two classifiers is better, on the same
    cases where one file holds the answers of both or two files have ids in common.
    """
    from howsure.comparison.outlook import outlook
    from howsure.text.formats import integer, probability
    from howsure.text.text_table import Table

    sizes, given = _whole("--more", more), files or []
    found: list[Foreseen] = []
    if above is None:
        comparison = so_far.compared(given, two, metric)
        found += [outlook(comparison, more=size, level=level, seed=seed) for size in sizes]
    else:
        two.refuse(given)
        known = so_far.known(given[0] if given else None)
        found += [outlook(known, metric, above=above, more=size, level=level, seed=seed) for size in sizes]
    if as_json:
        _print_json(found[0].to_dict() if len(found) == 1 else [each.to_dict() for each in found])
        return
    for each in found:
        say(each.sentence)
    names = list(found[0].later)
    cells = [
        (integer(each.more), *(probability(each.later[x], each.futures or None) for x in names), _bar(each.change))
        for each in found
    ]
    typer.echo()
    say(Table(("more", *(f"then {x}" for x in names), "changed"), tuple(cells), frozenset([4])))


def stopping_rule_command(
    looks: Annotated[str, typer.Argument(metavar="LOOKS", help="Cases at which one looks, such as 50,100,200.")],
    threshold: Annotated[float, typer.Option("--threshold", help="The rate to compare with.", metavar="X")],
    alpha: Annotated[
        float, typer.Option("--alpha", help="Greatest probability of either wrong decision.", metavar="P")
    ] = 0.05,
    truth: Annotated[
        str | None, typer.Option("--truth", help="True rates to try the rule on, comma separated.", metavar="X,...")
    ] = None,
    prior: PriorOption = None,
    as_json: JsonOption = False,
) -> None:
    """How sure one must be at each of several looks at a rate, and how often the rule errs (counted out, exact)."""
    from howsure.planning.stopping import stopping_rule

    rule = stopping_rule(_whole("LOOKS", looks), threshold, alpha=alpha, prior=prior)
    truths = None if truth is None else _shares("--truth", truth)
    if as_json:
        tried = {} if truths is None else {"rates": [{"truth": x, **rule.rates(x)} for x in truths]}
        _print_json({**rule.to_dict(), **tried})
        return
    say(rule.sheet(truths))


@flat
def digits_command(
    *,
    metric: MetricArgument,
    file: MaybeFile = None,
    assurance: Annotated[
        float,
        typer.Option("--assurance", help="Probability that one more is known after the larger test.", metavar="P"),
    ] = 0.95,
    so_far: SoFar,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """How many decimals of a metric are known (wider than its interval), and how many cases one more needs."""
    from howsure.planning.digits import digits

    known = so_far.known(file)
    made = digits(known, metric, assurance=assurance, seed=seed)
    if as_json:
        _print_json(made.to_dict())
    else:
        say(made)


def _whole(option: str, text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"{option} is whole numbers such as 50,100,200; not {excerpt(text)}") from None


def _shares(option: str, text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"{option} is numbers such as 0.7,0.8; not {excerpt(text)}") from None


def _bar(share: float) -> str:
    return f"{'#' * round(BAR * share)} {100 * share:.0f} %".strip()


def _print_json(data: Any) -> None:
    typer.echo(json.dumps(data, allow_nan=False, ensure_ascii=True, indent=1))
