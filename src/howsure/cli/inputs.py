"""Options that every command shares, declared once, and the reading of its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from howsure.drawing import DRAWS, SEED
from howsure.errors import InvalidArgument, excerpt

if TYPE_CHECKING:
    from howsure.files import Reading
    from howsure.files.pairs import Pair
    from howsure.posterior import Posterior

__all__ = [
    "Cases",
    "DrawsOption",
    "Elsewhere",
    "Ends",
    "FileArgument",
    "IdOption",
    "KindOption",
    "LabelsOption",
    "LevelOption",
    "PositiveOption",
    "PredOption",
    "PredsOption",
    "PrevalenceOption",
    "PriorOption",
    "RowsOption",
    "Sampling",
    "SeedOption",
    "SeparateOption",
    "Source",
    "TrueOption",
    "by_class",
    "elsewhere",
    "label_names",
    "reading",
]

FileArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE", help="A file, - for standard input, a folder, a pattern, or files that are one table."
    ),
]
TrueOption = Annotated[
    str | None, typer.Option("--true", help="Column of the true class, in a table of cases.", metavar="COLUMN")
]
PredOption = Annotated[
    str | None, typer.Option("--pred", help="Column of the answers, in a table of cases.", metavar="COLUMN")
]
PredsOption = Annotated[
    list[str] | None,
    typer.Option("--pred", help="Column of the answers of a classifier; repeated for several.", metavar="COLUMN"),
]
IdOption = Annotated[
    str | None, typer.Option("--id", help="Column of the case's name, where tables are paired.", metavar="COLUMN")
]
PriorOption = Annotated[
    str | None,
    typer.Option(
        "--prior",
        help="flat (default below 10 classes), learned (from 10 on), jeffreys, perks, haldane, dirichlet1, caelen.",
        metavar="NAME",
    ),
]
LevelOption = Annotated[float, typer.Option("--level", help="Probability inside the intervals.", metavar="P")]
KindOption = Annotated[
    Literal["hdi", "central"], typer.Option("--kind", help="Kind of interval: hdi or central.", metavar="KIND")
]
PrevalenceOption = Annotated[
    str | None,
    typer.Option(
        "--prevalence",
        help="Stated shares of the classes, in their order (0.98,0.02) or by name (ill=0.02; the rest is shared).",
        metavar="SHARES",
    ),
]
CasesOption = Annotated[
    str | None,
    typer.Option(
        "--cases",
        help="Cases of each class found elsewhere, to learn the prevalence from (490,10 or healthy=490,ill=10).",
        metavar="COUNTS",
    ),
]
RowsOption = Annotated[
    Literal["true", "pred"] | None,
    typer.Option("--rows", help="What a row of an undeclared matrix is: true or pred.", metavar="true|pred"),
]
PositiveOption = Annotated[
    str | None, typer.Option("--positive", help="The positive one of two classes.", metavar="CLASS")
]
LabelsOption = Annotated[
    str | None, typer.Option("--labels", help="All classes in order, comma separated.", metavar="A,B,...")
]
ModelOption = Annotated[
    str | None, typer.Option("--model", help="Which classifier, where a file holds several.", metavar="NAME")
]
MissingOption = Annotated[
    Literal["error", "exclude"],
    typer.Option(
        "--missing", help="Cases without truth or prediction: error, or exclude (and say so).", metavar="error|exclude"
    ),
]
DrawsOption = Annotated[
    int | None,
    typer.Option("--draws", help="Draws, for metrics without a closed law (20,000, fewer if huge).", metavar="N"),
]
ThatManyDrawsOption = Annotated[
    int, typer.Option("--draws", help="Draws, for metrics without a closed law.", metavar="N")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the draws.", metavar="N")]
AnyMissingOption = Annotated[
    Literal["error", "wrong", "class", "exclude"],
    typer.Option(
        "--missing",
        help="Cases without an answer: error, wrong (they count as errors), class (of their own), or exclude.",
        metavar="error|wrong|class|exclude",
    ),
]
SeparateOption = Annotated[
    bool, typer.Option("--separate", help="Do not pair: the test sets are different although ids agree.")
]


@dataclass(frozen=True)
class Source:
    """A file that holds one classifier, and how to read it."""

    file: FileArgument
    rows: RowsOption = None
    positive: PositiveOption = None
    labels: LabelsOption = None
    true: TrueOption = None
    pred: PredOption = None
    model: ModelOption = None
    missing: MissingOption = "error"

    def read(self) -> Reading:
        """Counts, and what was said of them on the way."""
        return reading(
            self.file,
            rows=self.rows,
            positive=self.positive,
            labels=self.labels,
            model=self.model,
            missing=self.missing,
            true=self.true,
            pred=self.pred,
        )


@dataclass(frozen=True)
class Cases:
    """How to read files that hold several classifiers together."""

    separate: SeparateOption = False
    true: TrueOption = None
    pred: PredsOption = None
    case: IdOption = None
    rows: RowsOption = None
    positive: PositiveOption = None
    labels: LabelsOption = None
    missing: AnyMissingOption = "error"

    @property
    def given(self) -> dict[str, Any]:
        """As the readers take them."""
        options = {key: value for key, value in vars(self).items() if key not in ("true", "pred", "case")}
        columns = {"y_true": self.true, "y_pred": tuple(self.pred or ()), "id": self.case}
        return {**options, **columns, "labels": label_names(self.labels)}

    @property
    def one_pred(self) -> str | None:
        """The column of the one classifier that is asked about."""
        if self.pred and len(self.pred) > 1:
            raise InvalidArgument(f"one classifier is asked about, and --pred names {len(self.pred)}; choose one")
        return self.pred[0] if self.pred else None

    def pair(self, files: Sequence[str], a: str | None, b: str | None) -> Pair:
        """Two classifiers, from one table or two."""
        from howsure.files.pairs import read_pair

        return read_pair(*files, a=a, b=b, **self.given)


@dataclass(frozen=True)
class Elsewhere:
    """Another prevalence than that of the test set."""

    prevalence: PrevalenceOption = None
    cases: CasesOption = None

    def of(self, posterior: Posterior) -> Posterior:
        """The posterior there."""
        return elsewhere(posterior, self.prevalence, self.cases)


@dataclass(frozen=True)
class Ends:
    """Which interval."""

    level: LevelOption = 0.95
    kind: KindOption = "hdi"


@dataclass(frozen=True)
class Sampling:
    """Draws of what has no closed law."""

    draws: ThatManyDrawsOption = DRAWS
    seed: SeedOption = SEED


def reading(
    files: str | Sequence[str],
    *,
    rows: Literal["true", "pred"] | None,
    positive: str | None,
    labels: str | None,
    model: str | None,
    missing: Literal["error", "exclude"],
    true: str | None = None,
    pred: str | None = None,
) -> Reading:
    """Read a file with the options that the command line gives as text."""
    from howsure.files import read

    return read(
        files,
        rows=rows,
        positive=positive,
        labels=label_names(labels),
        model=model,
        missing=missing,
        y_true=true,
        y_pred=pred,
    )


def label_names(labels: str | None) -> list[str] | None:
    """Read ``a,b,c``."""
    return None if labels is None else [name.strip() for name in labels.split(",")]


def elsewhere(posterior: Posterior, prevalence: str | None, cases: str | None) -> Posterior:
    """The posterior where --prevalence or --cases say."""
    if prevalence is not None and cases is not None:
        raise InvalidArgument("--prevalence and --cases exclude each other; choose one")
    if prevalence is not None:
        return posterior.at_prevalence(by_class(prevalence, posterior.labels, "--prevalence", "shares", 0.02))
    if cases is not None:
        counts = by_class(cases, posterior.labels, "--cases", "counts", 490)
        return posterior.at_prevalence(cases=counts)  # type: ignore[arg-type]  # checked to be whole there
    return posterior


def by_class(text: str, labels: Sequence[str], option: str, what: str, example: float) -> dict[str, float]:
    """Read ``0.98,0.02`` or ``healthy=0.98,ill=0.02``."""
    given: dict[str, float] = {}
    parts = [part.strip() for part in text.split(",")]
    named = any("=" in part for part in parts)
    if not named and len(parts) != len(labels):
        raise InvalidArgument(f"{option} needs {len(labels)} {what}, one for each class; got {len(parts)}")
    for position, part in enumerate(parts):
        label, _, value = part.rpartition("=") if named else (labels[position], "", part)
        try:
            given[label.strip()] = float(value)
        except ValueError:
            raise InvalidArgument(f"{option} holds {excerpt(part)}; {what} are numbers such as {example:g}") from None
    return given
