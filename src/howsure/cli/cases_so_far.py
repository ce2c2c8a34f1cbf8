"""What is known by now: a file of one classifier or two, or a number of right answers in its place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from howsure.cli.column_options import LabelsOption
from howsure.cli.inputs import (
    Cases,
    ModelOption,
    PositiveOption,
    PrevalenceOption,
    PriorOption,
    RowsOption,
    SeparateOption,
    SharesOption,
    at_other_prevalence,
    reading,
)
from howsure.cli.options import option
from howsure.cli.terminal import remark
from howsure.errors import HowsureError, InvalidArgument, excerpt, listing

if TYPE_CHECKING:
    from howsure.comparison.comparison import Comparison
    from howsure.posterior.accuracy import AccuracyPosterior
    from howsure.posterior.posterior import Posterior

__all__ = ["CasesSoFar", "TwoClassifiers", "print_json", "whole_numbers"]

CorrectOption = Annotated[int | None, option("correct")]
AnswersOption = Annotated[int | None, option("n", "cases-so-far")]


@dataclass(frozen=True)
class CasesSoFar:
    """What is known by now beside a file, or instead of it: a number of right answers."""

    correct: CorrectOption = None
    n: AnswersOption = None
    prevalence: PrevalenceOption = None
    prior: PriorOption = None
    shares: SharesOption = None
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
            remark(*read.notes)
            return at_other_prevalence(infer(read.confusion, self.prior, shares=self.shares), self.prevalence, None)
        if self.correct is None or self.n is None:
            raise InvalidArgument("name a FILE, or say --correct and --n: right answers, and all of them")
        about_file = ("prevalence", "shares", "rows", "positive", "labels", "model")
        if beside := [f"--{name}" for name in about_file if getattr(self, name) is not None]:
            needs = "need" if len(beside) > 1 else "needs"
            raise InvalidArgument(f"{listing(beside)} {needs} a FILE with a confusion matrix or predictions")
        return AccuracyPosterior(correct=self.correct, n=self.n, prior=self.prior)

    def compared(self, files: list[str], two: TwoClassifiers, metric: str) -> Comparison:
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
        remark(*found.notes)
        if found.predictions is not None:
            return compare(found.predictions, *found.names, metric=metric, prior=self.prior, shares=self.shares)
        assert found.matrices is not None
        one, other = (infer(matrix, self.prior, shares=self.shares) for matrix in found.matrices)
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
class TwoClassifiers:
    """Which two classifiers."""

    a: Annotated[str | None, option("a", "cases-so-far")] = None
    b: Annotated[str | None, option("b", "cases-so-far")] = None
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


def whole_numbers(option: str, text: str) -> list[int]:
    """Read ``50,100,200``."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InvalidArgument(f"{option} is integers such as 50,100,200; not {excerpt(text)}") from None


def print_json(data: Any) -> None:
    """Print with every number in full."""
    typer.echo(json.dumps(data, allow_nan=False, ensure_ascii=True, indent=1))
